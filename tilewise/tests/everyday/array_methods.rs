//! Methods of arrays that ask for elements or copy them, and more methods of iterators.

use super::*;

same! {
    first_last_get: i32, |i| {
        let a = [3, 1, 4, 1, i];
        let mut s = a.first().copied().unwrap_or(-1) * 2 + a.last().copied().unwrap_or(-1);
        s = s * 3 + a.get(i as usize).copied().unwrap_or(50);
        s = s * 3 + *a.get(i as usize + 2).unwrap_or(&60);
        if let Some(&x) = a.get(i as usize) { s += x * 1000; }
        if let Some(&x) = a.last() { s += x * 7; }
        let third = if let Some(&third) = a.get(2) { third } else { -1 };
        let b = [[1, 2], [3, i]];
        let pair = b.last().copied().unwrap_or([0, 0]);
        s + third + pair[1] + b[1].first().copied().unwrap_or(9) + i32::from(a.is_empty())
    }

    searched: i32, |i| {
        let a = [1, 3, 3, 3, 7, 9, 12];
        let found = match a.binary_search(&(i * 2)) { Ok(at) => at as i32, Err(at) => -(at as i32) };
        let three = a.binary_search(&3).unwrap_or(99) as i32;
        let by = a.binary_search_by(|x| x.cmp(&(i + 6))).unwrap_or_else(|at| at * 10) as i32;
        let key = a.binary_search_by_key(&(i * 10), |x| x * 10).unwrap_or_else(|at| at + 50) as i32;
        let point = a.partition_point(|x| *x < i * 2) as i32;
        let sorted = i32::from(a.is_sorted()) + i32::from(a.is_sorted_by_key(|x| -x)) * 2;
        found * 10_000 + three + by * 100 + key * 7 + point + sorted
    }

    copied_within: i32, |i| {
        let mut a = [1, 2, 3, 4, 5, 6];
        a.copy_within(1..4, 2);
        a.copy_within(3..3 + (i as usize) / 2, 0);
        let mut m = [[1, 2, 3], [4, 5, i]];
        m[1].copy_within(0..2, 1);
        a.iter().fold(0, |s, x| s * 7 + x) + m[1][2] * 3 + m[1][1]
    }

    from_the_end: i32, |i| {
        let a = [3, 8, 4, 1, 6, i];
        let even = a.iter().rfind(|x| **x % 2 == 0).copied().unwrap_or(-1);
        let at = a.iter().rposition(|x| *x % 2 == 0).map_or(-1, |at| at as i32);
        let range = (0..i * 3).rfind(|x| x % 4 == 1).unwrap_or(-2);
        let folded = a.iter().rfold(0, |s, x| s * 3 + x);
        let mapped = a.iter().map(|x| x * 2).rposition(|x| x > 7).unwrap_or(77) as i32;
        even + at * 10 + range * 100 + folded + mapped * 7
    }

    scans_and_cycles: i32, |i| {
        let a = [3, 1, 4, 1, 5];
        let sums: i32 = a.iter().scan(i, |sum, x| { *sum += x; Some(*sum) }).map(|x| x * x).sum();
        let mut s = 0;
        for x in (1..20).scan(1, |p, x| { *p *= x; if *p > 500 { None } else { Some(*p) } }) {
            s = s * 2 + x;
        }
        let around: i32 = a.iter().copied().cycle().skip(i as usize).take(9).fold(0, |s, x| (s * 3 + x) % 10_007);
        let paired: i32 = (0..8).zip([1, 2, i].iter().cycle()).map(|(x, y)| x * y).sum();
        let none = (0..0).cycle().take(3).count() as i32;
        let some = (0..i).cycle().take(4).sum::<i32>();
        let up = i32::from(a.iter().copied().is_sorted()) + i32::from((0..i).is_sorted()) * 2;
        sums + s % 1000 + around + paired * 3 + none + some + up * 10_000
    }
}
