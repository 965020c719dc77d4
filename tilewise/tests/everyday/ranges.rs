//! Ranges that have a name, are copied, and are asked.

use super::*;

same! {
    ranges_are_empty_or_not: u32, |i| {
        let r = 2..i;
        let mut s = u32::from(r.is_empty());
        s = s * 2 + u32::from((2..=i).is_empty());
        s = s * 2 + u32::from((i..i).is_empty());
        let q = i..=2;
        s = s * 2 + u32::from(q.is_empty());
        s = s * 2 + u32::from(!r.clone().is_empty());
        s * 2 + u32::from((0.5..i as f32).is_empty())
    }

    ranges_are_copied: i32, |i| {
        let r = 1..i + 2;
        let again = r.clone();
        let mut s = 0;
        for k in r.clone() {
            s = s * 3 + k;
        }
        for k in r.clone().rev().skip(1) {
            s = s * 3 + k;
        }
        let tens = r.clone().map(|k| k * 10);
        for k in tens {
            s += k;
        }
        let moved = r;
        s += moved.end * 100 + again.start;
        s + again.len() as i32 + moved.sum::<i32>()
    }

    ranges_are_asked_for_what_a_reference_names: i32, |i| {
        let low = 2..i;
        let a = [1, 2, 3, 4];
        let n = (0..10).filter(|k| (2..i).contains(k)).count() + a.iter().copied().filter(|k| low.contains(k)).count() * 10;
        let all = a.iter().all(|k| (0..=i).contains(k));
        n as i32 + i32::from(all) * 100
    }
}
