//! `char`, and structs with fields that no view has: `bool`, `char`, `usize`, enums, tuples.

use tilewise::TileStatic;
use tilewise::prelude::*;

use crate::{on_all, on_each};

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
enum Kind {
    Low = -4,
    High = 7,
}

#[amp]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
struct Flags {
    on: bool,
    letter: char,
    at: usize,
    pair: (u8, bool),
    kinds: [bool; 3],
}

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Outer {
    flags: Flags,
    weight: f32,
    kind: Kind,
}

#[amp]
impl Flags {
    fn next(mut self, n: i32) -> Flags {
        self.on = !self.on || n > 3;
        self.kinds[(n % 3) as usize] = self.on;
        self.letter = match self.letter {
            'a'..='y' => (self.letter as u8 + 1) as char,
            'z' => 'a',
            _ => '?',
        };
        self.at += 2;
        self.pair.1 = self.letter > 'm';
        self
    }
}

oracle! {
    characters_are_values(n) -> i32 {
        let start = 'a';
        let c = (b'a' + n as u8) as char;
        let mut sum = (c as u32 - start as u32) as i32;
        for letter in ['x', 'é', '\n', '😀'] {
            sum = sum * 3 + (letter as u32 % 100) as i32 + (letter as u8) as i32;
            sum += (letter < c) as i32 + (letter == 'x') as i32 * 2 + (letter != c) as i32 * 4;
        }
        let kind = match c {
            'a' => 1,
            'b' | 'c' => 2,
            'd'..='g' => 3,
            other if other > 'j' => 4,
            _ => 5,
        };
        sum * 8 + kind + c.cmp(&'e') as i32 + matches!(c, 'b'..='d' if n != 2) as i32 * 16
    }

    structs_have_truths_and_characters(n) -> i32 {
        let mut f = Flags { on: n % 2 == 0, letter: 'l', at: 5, pair: (7, false), kinds: [false, true, false] };
        let old = f;
        let mut k = 0;
        while k < n {
            f = f.next(k);
            k += 1;
        }
        let outer = Outer { flags: f, weight: 0.5, kind: if f.on { Kind::High } else { Kind::Low } };
        let all = [outer, Outer { weight: 2.0, ..outer }];
        let one = all[(n % 2) as usize];
        let Flags { on, letter, kinds: [a, b, c], .. } = one.flags;
        let sum = on as i32 + a as i32 * 2 + b as i32 * 4 + c as i32 * 8 + letter as i32 * 16;
        sum + one.flags.at as i32 + (one.weight * 4.0) as i32 + one.kind as i32 + (f == old) as i32 * 1000 + (f > old) as i32 * 2000
            + one.flags.pair.0 as i32 + one.flags.pair.1 as i32
    }
}

#[test]
fn such_structs_are_captured_and_shared_by_a_tile() {
    let flags = Flags { on: true, letter: 'q', at: 9, pair: (3, true), kinds: [true, false, true] };
    let outer = Outer { flags, weight: 1.5, kind: Kind::Low };
    let letters = ['k', 'z', '\u{10ffff}'];
    let got = on_each(4, |on, v: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<2>(), |t| {
            #[tile_static]
            let shared: [Flags; 2];
            let me = t.local[0];
            shared[me] = if me == 0 { outer.flags } else { flags.next(t.global[0]) };
            t.barrier.wait();
            let other = shared[1 - me];
            let one = letters[(t.global[0] % 3) as usize];
            v[t] = other.on as i32
                + other.letter as i32 * 2
                + other.at as i32 * 1000
                + (other.kinds[2] && other.pair.1) as i32 * 100_000
                + (one as u32 % 7) as i32 * 1_000_000
                + outer.kind as i32;
        })
    });
    let want = |i: i32| {
        let other = if i % 2 == 1 { flags } else { flags.next(i + 1) };
        let one = letters[(i % 3) as usize];
        other.on as i32
            + other.letter as i32 * 2
            + other.at as i32 * 1000
            + (other.kinds[2] && other.pair.1) as i32 * 100_000
            + (one as u32 % 7) as i32 * 1_000_000
            - 4
    };
    assert_eq!(got, (0..4).map(want).collect::<Vec<_>>());
}

#[test]
fn a_number_that_does_not_fit_is_found_in_a_struct() {
    let flags = Flags { on: true, letter: 'q', at: 1 << 40, pair: (3, true), kinds: [true; 3] };
    let view = ArrayView::from_vec(1, vec![0_u32]).unwrap();
    let launch = parallel_for_each!(view.extent(), |i| view[i] = flags.at as u32);
    assert!(launch.unwrap_err().to_string().contains("1099511627776"));
}
