//! Ranges of characters: loops over them, methods, patterns.

use super::*;

same! {
    loops: i32, |n| {
        let mut s = 0;
        for c in 'a'..='e' {
            s = s * 3 + c as i32;
        }
        for c in 'a'..'d' {
            s += c as i32 * n;
        }
        let end = (b'a' + n as u8) as char;
        for c in 'a'..=end {
            s = s * 2 + c as i32;
            if c == 'd' {
                break;
            }
        }
        s
    }

    numbers_without_characters_are_left_out: i32, |n| {
        let (mut s, mut k) = (0, 0);
        for c in '\u{D7FE}'..='\u{E001}' {
            s = s * 3 + c as i32 % 101;
            k += 1;
        }
        s + k * n
    }

    from_the_end_and_by_steps: i32, |n| {
        let mut s = 0;
        for c in ('a'..='e').rev() {
            s = s * 3 + c as i32;
        }
        for c in ('a'..='k').step_by(2) {
            s += c as i32 * n;
        }
        s
    }

    methods: i32, |n| {
        let sum = ('a'..='e').map(|c| c as i32).sum::<i32>();
        let some = ('a'..='z').rev().step_by(3).take(n as usize).map(|c| c as i32).sum::<i32>();
        let both = ('a'..'z').zip(0..n).map(|(c, k)| c as i32 * k).sum::<i32>();
        let at = ('a'..='f').position(|c| c == 'd').map_or(0, |p| p as i32);
        sum + some * 3 + both * 5 + at * 7 + ('a'..='f').filter(|c| *c > 'b').count() as i32
    }

    patterns: i32, |n| {
        let c = (b'a' + n as u8 * 5) as char;
        let kind = match c {
            'a'..='e' => 1,
            'f'..'k' => 2,
            'k'.. => 3,
            _ => 4,
        };
        let inside = i32::from(('a'..='e').contains(&c)) + i32::from(('a'..'f').contains(&c)) * 2;
        kind + inside * 10 + i32::from(matches!(c, '0'..='9' | 'k')) * 100
    }
}
