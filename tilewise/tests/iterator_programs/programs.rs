//! Programs that `generator.rs` makes.

use tilewise::ArrayView;
use tilewise::prelude::*;

use super::plain_rust::on_all;

#[amp]
fn first_of(mut it: impl Iterator<Item = i32>) -> i32 {
    let first = it.next().unwrap_or(3);
    first * 2 + it.next().unwrap_or(5)
}

#[amp]
fn all_of(mut it: impl Iterator<Item = i32>) -> i32 {
    let first = it.next().unwrap_or(3);
    it.fold(first, |s, x| (s * 2 + x) % 1009)
}

same! {
    program_0: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().step_by(3).take_while(|x| { (x.0 as i32 * 7 + x.1) < 4
            }).step_by(3);
        s = (s * 3 + it.by_ref().take(i as usize).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        let mut rest = it.by_ref();
        s = s * 3 % 100_003 + rest.position(|x| { (x.0 as i32 * 7 + x.1) % 3 != i % 3 }).map_or(-1, |k| k as
            i32);
        let mut others = rest.skip(1);
        for x in others.by_ref() { if (x.0 as i32 * 7 + x.1) < 4 { break; } s = (s * 2 + x.0 as i32 * 7 + x.1)
            % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_2: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.chunks_exact(2).map(|c| c[0] + c[1] * 3).inspect(|x| { n = (n * 3 + *x) % 100_003; let _
            = x; }).filter_map(|x| { if (x) < 4 { Some(x + 1) } else { None } });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        if i % 2 == 0 { for x in it.by_ref().skip(0) { s = (s * 5 + x) % 100_003; if (x) % 2 == 0 { break; } }
            }
        let mut rest = it.skip_while(|x| { ((*x) ^ i) & 2 == 0 });
        for _ in 0..3 { s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003; }
        s = (s * 3 + rest.by_ref().take_while(|x| { m = (m * 3 + (*x)) % 100_003; (*x) % 3 != i % 3 }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += all_of(rest);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_3: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = b.into_iter().take_while(|x| { (*x) != 3 });
        s = (s * 3 + it.by_ref().filter(|x| { (*x) < 4 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().take(0).map(|x| x).sum::<i32>()) % 100_003;
        for x in it { s = (s * 3 + x) % 100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_4: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().copied().take(1).enumerate().take(4);
        s = (s * 3 + it.nth(2).map_or(-2, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        let mut rest = it.step_by(1);
        s = (s * 3 + rest.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s = s * 3 % 100_003 + i32::from(rest.all(|x| { ((x.0 as i32 * 7 + x.1) ^ i) & 2 == 0 }));
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_5: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().take_while(|x| { (**x) < i }).inspect(|x| { n ^= **x & 63; let _ = x; }).skip(i
            as usize);
        s = (s * 3 + it.by_ref().enumerate().skip(4).map(|(k, x)| { m += k as i32; x }).map(|x|
            *x).sum::<i32>()) % 100_003;
        let mut rest = it.map(|x| { (*x) * 3 + 1 });
        if i % 3 == 2 { s += rest.by_ref().map(|x| x).fold(1, |s, x| (s * 3 + x) % 1009); }
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_6: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = r.clone().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        for x in it.clone() { if (x) < i { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.by_ref().step_by(2).take(i as usize).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        let mut rest = it.map(|x| { (x) * 3 + 0 });
        if i % 3 == 0 { s += rest.by_ref().map(|x| x).min().unwrap_or(-7); }
        s += rest.map(|x| x).sum::<i32>();
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_7: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high).filter_map(|x| { n = (n * 3 + x) % 100_003; if (x) < 4 { Some(x + 1) } else {
            None } }).scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) } });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        let mut rest = it.take(i as usize % 4);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_8: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..20).skip_while(|x| { (*x) % 3 != i % 3 });
        if i % 3 == 0 { s += it.by_ref().map(|x| x).fold(1, |s, x| (s * 3 + x) % 1009); }
        s = (s * 3 + it.by_ref().filter(|x| { (*x) > i % 9 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        let mut rest = it.by_ref().filter(|x| { (*x) % 4 < 3 });
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        while let Some(x) = rest.next() { if (x) % 2 == 0 { continue; } s = (s * 2 + x) % 100_003; if s % 4 ==
            1 { break; } }
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_9: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).step_by(2).take(0).step_by(4).zip(a.iter().copied().skip(1));
        while let Some(x) = it.next() { if (x.0 * 2 + x.1) < i { continue; } s = (s * 2 + x.0 * 2 + x.1) %
            100_003; if s % 4 == 1 { break; } }
        let mut rest = it.filter(|x| { (x.0 * 2 + x.1) < i });
        if i % 3 == 0 { s += rest.by_ref().map(|x| x.0 * 2 + x.1).last().unwrap_or(-7); }
        let mut others = rest.filter(|x| { (x.0 * 2 + x.1) % 3 != i % 3 });
        s = (s * 3 + others.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s += others.map(|x| x.0 * 2 + x.1).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_10: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().skip(i as usize % 4).take(0).skip(2);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + first_of(it.by_ref());
        s = (s * 3 + it.by_ref().skip(2).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s += it.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_11: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).filter_map(|x| { if x.0 * 2 + x.1 % 2 == 0 { n += x.0 * 2 + x.1;
            } if ((x.0 * 2 + x.1) ^ i) & 2 == 0 { Some(x.0 * 2 + x.1 + 1) } else { None } });
        s = s * 3 % 100_003 + first_of(it.by_ref());
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.nth(2).map_or(-2, |x| x)) % 100_003;
        s += it.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_12: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..20);
        s = (s * 3 + it.by_ref().step_by(2).take(i as usize % 4).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.by_ref().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        for x in rest.by_ref() { if (x) % 2 == 0 { break; } s = (s * 2 + x) % 100_003; }
        let mut others = rest.map(|x| { n ^= x & 63; (x) * 2 + 0 });
        s = (s * 3 + others.next().map_or(-1, |x| x)) % 100_003;
        s += others.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_13: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.windows(2).map(|w| w[0] * 2 - w[1]).inspect(|x| { if *x % 2 == 0 { n += *x; } let _ = x;
            }).inspect(|x| { let _ = x; });
        s = s * 3 % 100_003 + first_of(it.by_ref());
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) < i }));
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s += it.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_14: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().inspect(|x| { n ^= x.0 as i32 * 7 + x.1 & 63; let _ = x; });
        s = s * 3 % 100_003 + i32::from(it.all(|x| { m = (m * 3 + (x.0 as i32 * 7 + x.1)) % 100_003; (x.0 as
            i32 * 7 + x.1) % 2 == 0 }));
        s = (s * 3 + it.by_ref().filter(|x| { (x.0 as i32 * 7 + x.1) < 4 }).take(2).map(|x| x.0 as i32 * 7 +
            x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().step_by(2).take(0).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().filter(|x| { ((x.0 as i32 * 7 + x.1) ^ i) & 2 == 0 }).take(2).map(|x| x.0 as
            i32 * 7 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        for x in it { s = (s * 3 + x.0 as i32 * 7 + x.1) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_15: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).enumerate().step_by(3).take(10);
        s = (s * 3 + it.by_ref().map_while(|x| if (x.0 as i32 * 7 + x.1) % 4 < 3 { Some(x.0 as i32 * 7 + x.1 *
            2) } else { None }).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.position(|x| { (x.0 as i32 * 7 + x.1) > i % 9 }).map_or(-1, |k| k as i32);
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x.0 as i32 * 7 + x.1)
            } }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().step_by(2).take(4).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        for x in it.clone() { if (x.0 as i32 * 7 + x.1) % 2 == 0 { break; } s = (s * 2 + x.0 as i32 * 7 + x.1)
            % 100_003; }
        s = (s * 3 + it.by_ref().take(2).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().skip(2).take(2).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        s += it.map(|x| x.0 as i32 * 7 + x.1).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_16: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).zip(b.into_iter().rev()).take(i as usize).inspect(|x| { n += 1; let _ = x; });
        s = (s * 3 + it.by_ref().take(5).map(|x| x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.find(|x| { if (x.0 * 2 + x.1) % 2 == 0 { m += (x.0 * 2 + x.1); } (x.0 * 2 + x.1) > i %
            9 }).map_or(-3, |x| x.0 * 2 + x.1)) % 100_003;
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x.0 * 2 + x.1) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + rest.by_ref().take_while(|x| { if (*x) % 2 == 0 { m += (*x); } (*x) < 4 }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_17: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high);
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize % 4).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        if i % 3 == 1 { s += it.by_ref().map(|x| x).fold(1, |s, x| (s * 3 + x) % 1009); }
        s = s * 3 % 100_003 + i32::from(it.is_empty());
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s += all_of(it);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_18: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().take((i as usize).wrapping_sub(3));
        s = (s * 3 + it.by_ref().enumerate().skip(3).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) }
            });
        let mut copy = rest.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        for x in rest.by_ref() { if ((x) ^ i) & 2 == 0 { break; } s = (s * 2 + x) % 100_003; }
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_19: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.windows(2).map(|w| w[0] * 2 - w[1]).take(1);
        s = (s * 3 + it.nth(5).map_or(-2, |x| x)) % 100_003;
        let mut rest = it.by_ref().inspect(|x| { n += 1; let _ = x; });
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        let mut others = rest.skip_while(|x| { (*x) % 2 == 0 });
        if i % 3 == 1 { s += others.by_ref().map(|x| x).count() as i32; }
        s += others.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_20: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).map_while(|x| { if (x) % 3 != i % 3 { Some(x + 1) } else { None }
            }).zip(b.into_iter().rev());
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x.0 * 2 + x.1) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().take(5).map(|x| x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.find(|x| { (x.0 * 2 + x.1) % 2 == 0 }).map_or(-3, |x| x.0 * 2 + x.1)) % 100_003;
        let mut rest = it.by_ref().take_while(|x| { (x.0 * 2 + x.1) != 3 });
        s = (s * 3 + rest.by_ref().filter(|x| { (x.0 * 2 + x.1) != 3 }).take(2).map(|x| x.0 * 2 +
            x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + rest.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + rest.find(|x| { (x.0 * 2 + x.1) % 3 != i % 3 }).map_or(-3, |x| x.0 * 2 + x.1)) % 100_003;
        for x in rest { s = (s * 3 + x.0 * 2 + x.1) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_21: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter();
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) != 3 }).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().skip(i as usize).take(2).map(|x| x).sum::<i32>()) % 100_003;
        while let Some(x) = it.next() { if (x) % 4 < 3 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s = (s * 3 + it.by_ref().filter(|x| { (*x) % 4 < 3 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s += it.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_22: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None }
            else { Some(*t) } }).take_while(|x| { n = (n * 3 + *x) % 100_003; (*x) % 3 != i % 3 });
        s = (s * 3 + it.by_ref().map_while(|x| if (x) % 4 < 3 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        let mut rest = it.take_while(|x| { (*x) % 4 < 3 });
        s = s * 3 % 100_003 + i32::from(rest.all(|x| { m = (m * 3 + (x)) % 100_003; (x) % 4 < 3 }));
        let mut others = rest.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        for _ in 0..3 { s = (s * 3 + others.next().map_or(-1, |x| x)) % 100_003; }
        s += others.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_23: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = s * 3 % 100_003 + it.position(|x| { (x) < 4 }).map_or(-1, |k| k as i32);
        let mut rest = it.by_ref().inspect(|x| { if *x % 2 == 0 { n += *x; } let _ = x; });
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_24: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).take_while(|x| { if x.0 * 2 + x.1 % 2 == 0 { n += x.0 * 2 + x.1;
            } ((x.0 * 2 + x.1) ^ i) & 2 == 0 });
        s = (s * 3 + it.find(|x| { m = (m * 3 + (x.0 * 2 + x.1)) % 100_003; (x.0 * 2 + x.1) > i % 9
            }).map_or(-3, |x| x.0 * 2 + x.1)) % 100_003;
        let mut rest = it.by_ref().filter(|x| { (x.0 * 2 + x.1) > i % 9 });
        s = s * 3 % 100_003 + rest.position(|x| { (x.0 * 2 + x.1) < 4 }).map_or(-1, |k| k as i32);
        let mut others = rest.skip(2);
        if i % 2 == 0 { for x in others.by_ref().skip((i as usize).wrapping_sub(3)) { s = (s * 5 + x.0 * 2 +
            x.1) % 100_003; if (x.0 * 2 + x.1) % 2 == 0 { break; } } }
        s += others.fold(2, |s, x| (s * 3 + x.0 * 2 + x.1) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_25: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).step_by(4).take(9);
        s = s * 3 % 100_003 + first_of(it.by_ref());
        let mut rest = it.by_ref();
        s = s * 3 % 100_003 + first_of(rest.by_ref());
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = s * 3 % 100_003 + rest.position(|x| { (x) != 3 }).map_or(-1, |k| k as i32);
        s += rest.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_26: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7);
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(4).unwrap_or(-6);
        let mut rest = it.skip(1);
        s = s * 3 % 100_003 + rest.find_map(|x| if ((x) ^ i) & 2 == 0 { Some(x) } else { None }).unwrap_or(-4);
        let mut others = rest.by_ref();
        s = (s * 3 + others.next().map_or(-9, |x| x)) % 100_003;
        for x in others { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_27: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().take_while(|x| { (*x) % 4 < 3 });
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        let mut rest = it.take(3);
        for x in rest.by_ref() { if ((x) ^ i) & 2 == 0 { break; } s = (s * 2 + x) % 100_003; }
        let mut others = rest.skip(1);
        s = (s * 3 + others.by_ref().skip(0).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s += others.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_28: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().skip(1).take(6);
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        let mut rest = it.by_ref().inspect(|x| { n ^= *x & 63; let _ = x; });
        s = (s * 3 + rest.by_ref().enumerate().skip((i as usize).wrapping_sub(3)).map(|(k, x)| { m += k as i32;
            x }).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_29: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..i % 7).filter(|x| { (*x) % 3 != i % 3 }).inspect(|x| { if *x % 2 == 0 { n += *x; } let
            _ = x; }).take_while(|x| { (*x) < 4 }).scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 {
            None } else { Some(*t) } });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().skip(2).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + first_of(it.by_ref());
        let mut rest = it.filter_map(|x| { if (x) < i { Some(x + 1) } else { None } });
        s = (s * 3 + rest.by_ref().skip((i as usize).wrapping_sub(3)).take(2).map(|x| x).sum::<i32>()) %
            100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += all_of(rest);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_30: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.windows(2).map(|w| w[0] * 2 - w[1]);
        s = (s * 3 + it.by_ref().map_while(|x| if (x) != 3 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        while let Some(x) = it.next() { if ((x) ^ i) & 2 == 0 { continue; } s = (s * 2 + x) % 100_003; if s % 4
            == 1 { break; } }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x) % 3 != i % 3 }));
        s = (s * 3 + it.by_ref().filter(|x| { (*x) % 2 == 0 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().take((i as usize).wrapping_sub(3)).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s += all_of(it);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_31: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().skip(1).take(0);
        s = (s * 3 + it.by_ref().map_while(|x| if (x) < 4 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s += it.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_32: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).map(|x| { (x) * 3 + i }).cycle().zip(a.iter().copied().skip(1)).step_by(1);
        while let Some(x) = it.next() { if ((x.0 * 2 + x.1) ^ i) & 2 == 0 { continue; } s = (s * 2 + x.0 * 2 +
            x.1) % 100_003; if s % 4 == 1 { break; } }
        let mut rest = it.skip_while(|x| { n ^= x.0 * 2 + x.1 & 63; ((x.0 * 2 + x.1) ^ i) & 2 == 0 });
        if i % 3 == 1 { s += rest.by_ref().map(|x| x.0 * 2 + x.1).min().unwrap_or(-7); }
        let mut others = rest.map(|x| { (x.0 * 2 + x.1) * 1 + low });
        s = s * 3 % 100_003 + i32::from(others.any(|x| { ((x) ^ i) & 2 == 0 }));
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_33: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).take_while(|x| { (x.0 * 2 + x.1) % 3 != i % 3 });
        if i % 3 == 1 { s += it.by_ref().map(|x| x.0 * 2 + x.1).last().unwrap_or(-7); }
        let mut rest = it.filter(|x| { n = (n * 3 + x.0 * 2 + x.1) % 100_003; (x.0 * 2 + x.1) > i % 9 });
        s = (s * 3 + rest.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        let mut others = rest.filter_map(|x| { if (x.0 * 2 + x.1) % 2 == 0 { Some(x.0 * 2 + x.1 + 1) } else {
            None } });
        s = (s * 3 + others.next().map_or(-9, |x| x)) % 100_003;
        s += others.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_34: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().step_by(1).map_while(|x| { if (x.0 as i32 * 7 + x.1) % 2 ==
            0 { Some(x.0 as i32 * 7 + x.1 + 1) } else { None } }).filter(|x| { n ^= *x & 63; (*x) % 2 == 0
            }).skip(0);
        while let Some(x) = it.next() { if (x) % 2 == 0 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1
            { break; } }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 3 != i % 3 { Some(x) } else { None }).unwrap_or(-4);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_35: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().chain(2..5).filter(|x| { (*x) < 4 }).skip_while(|x| { (*x) < 4
            }).map(|x| { (x) * 3 + 1 });
        s = s * 3 % 100_003 + first_of(it.by_ref());
        let mut rest = it.by_ref().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = s * 3 % 100_003 + i32::from(rest.any(|x| { (x) % 4 < 3 }));
        s += rest.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_36: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).inspect(|x| { n += 1; let _ = x; }).filter(|x| { (*x) < i }).map(|x| { (x) * 3
            + i });
        if i % 3 == 0 { s += it.by_ref().map(|x| x).min().unwrap_or(-7); }
        let mut rest = it.map(|x| { (x) * 3 + 1 });
        s = s * 3 % 100_003 + rest.position(|x| { (x) % 2 == 0 }).map_or(-1, |k| k as i32);
        s += rest.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_37: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone().cycle().skip(i as usize % 4).enumerate().take(9);
        s = (s * 3 + it.by_ref().take(i as usize).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.position(|x| { m ^= (x.0 as i32 * 7 + x.1) & 63; (x.0 as i32 * 7 + x.1) % 2 ==
            0 }).map_or(-1, |k| k as i32);
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        let mut rest = it.step_by(4);
        s = (s * 3 + rest.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s = (s * 3 + rest.by_ref().map_while(|x| if (x.0 as i32 * 7 + x.1) < i { Some(x.0 as i32 * 7 + x.1 * 2)
            } else { None }).sum::<i32>()) % 100_003;
        s += rest.map(|x| x.0 as i32 * 7 + x.1).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_38: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.chunks_exact(2).map(|c| c[0] + c[1] * 3).take(4).step_by(3);
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        let mut rest = it.by_ref();
        s = (s * 3 + rest.nth(i as usize).map_or(-2, |x| x)) % 100_003;
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_39: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().map_while(|x| { if (*x) < i { Some(*x + 1) } else { None } }).take_while(|x| {
            (*x) != 3 });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        let mut rest = it.skip(1);
        s = (s * 3 + rest.nth(2).map_or(-2, |x| x)) % 100_003;
        let mut others = rest.by_ref().skip(i as usize);
        for _ in 0..3 { s = (s * 3 + others.next().map_or(-1, |x| x)) % 100_003; }
        s += others.map(|x| x).last().unwrap_or(-9);
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_40: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).chain(2..5).zip((0..i));
        s = (s * 3 + it.by_ref().filter(|x| { m ^= (x.0 * 2 + x.1) & 63; (x.0 * 2 + x.1) % 3 != i % 3
            }).take(2).map(|x| x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        for x in it.clone() { if (x.0 * 2 + x.1) % 4 < 3 { break; } s = (s * 2 + x.0 * 2 + x.1) % 100_003; }
        if i % 2 == 0 { for x in it.by_ref().skip((i as usize).wrapping_sub(3)) { s = (s * 5 + x.0 * 2 + x.1) %
            100_003; if (x.0 * 2 + x.1) % 2 == 0 { break; } } }
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize % 4).map(|(k, x)| { m += k as i32; x }).map(|x|
            x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.nth(i as usize).map_or(-2, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + it.by_ref().filter(|x| { (x.0 * 2 + x.1) % 4 < 3 }).take(2).map(|x| x.0 * 2 +
            x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        if i % 3 == 0 { s += it.by_ref().map(|x| x.0 * 2 + x.1).min().unwrap_or(-7); }
        s = (s * 3 + it.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003;
        s = s * 3 % 100_003 + it.by_ref().map(|x| x.0 * 2 + x.1).nth(5).unwrap_or(-6);
        s += it.fold(2, |s, x| (s * 3 + x.0 * 2 + x.1) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_41: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().take((i as usize).wrapping_sub(3));
        s = (s * 3 + it.next().copied().map_or(-9, |x| x)) % 100_003;
        let mut rest = it.filter(|x| { ((**x) ^ i) & 2 == 0 });
        if i % 3 == 2 { s += rest.by_ref().map(|x| *x).max().unwrap_or(-7); }
        let mut others = rest.skip(1);
        s = (s * 3 + others.by_ref().step_by(2).take(5).map(|x| *x).sum::<i32>()) % 100_003;
        s += others.map(|x| *x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_42: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high).skip(5).step_by(2);
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) > i % 9 }));
        let mut rest = it.skip((i as usize).wrapping_sub(3));
        s = (s * 3 + rest.by_ref().step_by(2).take(i as usize % 4).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.take_while(|x| { (*x) > i % 9 });
        while let Some(x) = others.next() { if (x) < 4 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s += others.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_43: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high).inspect(|x| { n += 1; let _ = x; });
        s = (s * 3 + it.by_ref().map_while(|x| if (x) < 4 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(5).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().step_by(2).take(5).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + first_of(it.by_ref());
        s = s * 3 % 100_003 + it.position(|x| { (x) < 4 }).map_or(-1, |k| k as i32);
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s += all_of(it);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_44: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).take(4).chain(2..5);
        s = s * 3 % 100_003 + it.find_map(|x| if (x) != 3 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + it.by_ref().take(0).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.skip(1);
        s = s * 3 % 100_003 + rest.by_ref().map(|x| x).nth(4).unwrap_or(-6);
        s = (s * 3 + rest.by_ref().filter(|x| { (*x) > i % 9 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_45: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.windows(2).map(|w| w[0] * 2 - w[1]);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s += it.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_46: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).take_while(|x| { if x.0 * 2 + x.1 % 2 == 0 { n += x.0 * 2 + x.1;
            } (x.0 * 2 + x.1) % 2 == 0 }).step_by(2).skip_while(|x| { (x.0 * 2 + x.1) < 4 });
        s = (s * 3 + it.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + it.find(|x| { (x.0 * 2 + x.1) % 3 != i % 3 }).map_or(-3, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        if i % 3 == 2 { s += it.by_ref().map(|x| x.0 * 2 + x.1).count() as i32; }
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003; }
        s += it.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_47: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().rev().map_while(|x| { if ((x.0 as i32 * 7 + x.1) ^ i) & 2 ==
            0 { Some(x.0 as i32 * 7 + x.1 + 1) } else { None } });
        s = (s * 3 + it.by_ref().step_by(2).take((i as usize).wrapping_sub(3)).map(|x| x).sum::<i32>()) %
            100_003;
        s = (s * 3 + it.by_ref().take(1).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) < 4 }));
        let mut rest = it.take_while(|x| { n = (n * 3 + *x) % 100_003; (*x) != 3 });
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + rest.find_map(|x| if (x) % 2 == 0 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_48: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().take_while(|x| { (*x) % 3 != i % 3 }).enumerate().skip(3);
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003; }
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x.0 as i32 * 7 +
            x.1)) % 100_003; }
        s = s * 3 % 100_003 + it.by_ref().map(|x| x.0 as i32 * 7 + x.1).nth((i as
            usize).wrapping_sub(3)).unwrap_or(-6);
        let mut rest = it.map(|x| { (x.0 as i32 * 7 + x.1) * 1 + i });
        s = s * 3 % 100_003 + rest.position(|x| { (x) % 4 < 3 }).map_or(-1, |k| k as i32);
        if i % 3 == 0 { s += rest.by_ref().map(|x| x).min().unwrap_or(-7); }
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_49: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).inspect(|x| { n ^= *x & 63; let _ = x; });
        for x in it.by_ref() { if (x) < 4 { break; } s = (s * 2 + x) % 100_003; }
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) }
            });
        s = (s * 3 + rest.by_ref().skip(3).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.inspect(|x| { let _ = x; });
        s = s * 3 % 100_003 + i32::from(others.all(|x| { (x) != 3 }));
        for x in others { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_50: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..20).step_by(4).take(2);
        s = s * 3 % 100_003 + it.position(|x| { m = (m * 3 + (x)) % 100_003; (x) % 3 != i % 3 }).map_or(-1, |k|
            k as i32);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.find_map(|x| if ((x) ^ i) & 2 == 0 { Some(x) } else { None }).unwrap_or(-4);
        let mut rest = it.enumerate();
        s = (s * 3 + rest.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_51: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone().inspect(|x| { n ^= *x & 63; let _ = x; }).take(i as usize % 4);
        s = (s * 3 + it.by_ref().filter(|x| { m ^= (*x) & 63; (*x) < i }).take(2).map(|x| x).sum::<i32>()) %
            100_003;
        let mut rest = it.map(|x| { (x) * 1 + i });
        s = (s * 3 + rest.by_ref().enumerate().skip(i as usize % 4).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        let mut others = rest.skip_while(|x| { (*x) % 2 == 0 });
        s = (s * 3 + others.next().map_or(-9, |x| x)) % 100_003;
        s += others.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_52: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = b.into_iter().map(|x| { (x) * 3 + low }).zip(a);
        while let Some(x) = it.next() { if ((x.0 * 2 + x.1) ^ i) & 2 == 0 { continue; } s = (s * 2 + x.0 * 2 +
            x.1) % 100_003; if s % 4 == 1 { break; } }
        let mut rest = it.map_while(|x| { n ^= x.0 * 2 + x.1 & 63; if (x.0 * 2 + x.1) > i % 9 { Some(x.0 * 2 +
            x.1 + 1) } else { None } });
        s = (s * 3 + rest.by_ref().filter(|x| { m += 1; (*x) % 2 == 0 }).take(2).map(|x| x).sum::<i32>()) %
            100_003;
        let mut others = rest.skip(1);
        s = s * 3 % 100_003 + others.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s += others.count() as i32;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_53: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = r.clone().take_while(|x| { n ^= *x & 63; (*x) < 4 }).enumerate().map_while(|x| { if ((x.0
            as i32 * 7 + x.1) ^ i) & 2 == 0 { Some(x.0 as i32 * 7 + x.1 + 1) } else { None } });
        s = (s * 3 + it.by_ref().skip(2).take(2).map(|x| x).sum::<i32>()) % 100_003;
        while let Some(x) = it.next() { if (x) > i % 9 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x) < i }));
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) }
            });
        s = s * 3 % 100_003 + rest.by_ref().map(|x| x).nth(0).unwrap_or(-6);
        s += rest.skip(1).count() as i32;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_54: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).take_while(|x| { if *x % 2 == 0 { n += *x; } (*x) > i % 9
            }).enumerate().take(1).map_while(|x| { if ((x.0 as i32 * 7 + x.1) ^ i) & 2 == 0 { Some(x.0 as i32 *
            7 + x.1 + 1) } else { None } });
        s = (s * 3 + it.by_ref().filter(|x| { (*x) != 3 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.skip(1);
        for _ in 0..3 { s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003; }
        let mut others = rest.flat_map(|x| { if (x) < 4 { Some(x + 1) } else { None } });
        s = s * 3 % 100_003 + first_of(others.by_ref());
        s += others.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_55: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().zip(a.iter().copied().skip(1)).step_by(2).map(|x| { (x.0 * 2 +
            x.1) * 3 + 1 }).zip(a.iter().copied().skip(1));
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        let mut rest = it.map(|x| { (x.0 * 2 + x.1) * 2 + i });
        s = (s * 3 + rest.find(|x| { (*x) != 3 }).map_or(-3, |x| x)) % 100_003;
        s += rest.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_57: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a[1..4].iter().copied().enumerate().flat_map(|x| { n = (n * 3 + x.0 as i32 * 7 + x.1) %
            100_003; if ((x.0 as i32 * 7 + x.1) ^ i) & 2 == 0 { Some(x.0 as i32 * 7 + x.1 + 1) } else { None }
            });
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) % 2 == 0 }).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.filter_map(|x| { if (x) < i { Some(x + 1) } else { None } });
        s = (s * 3 + rest.by_ref().step_by(2).take(i as usize).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.skip(4);
        s = (s * 3 + others.next().map_or(-1, |x| x)) % 100_003;
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_58: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().take(10);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().take_while(|x| { if (*x) % 2 == 0 { m += (*x); } ((*x) ^ i) & 2 == 0
            }).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.skip_while(|x| { (*x) > i % 9 });
        s = (s * 3 + rest.by_ref().step_by(2).take((i as usize).wrapping_sub(3)).map(|x| x).sum::<i32>()) %
            100_003;
        if i % 2 == 0 { for x in rest.by_ref().skip(4) { s = (s * 5 + x) % 100_003; if (x) > i % 9 { break; } }
            }
        if i % 3 == 0 { s += rest.by_ref().map(|x| x).last().unwrap_or(-7); }
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_59: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a[1..4].iter().copied().map(|x| { (x) * 2 + 0 }).chain([7, i]).inspect(|x| { n += 1; let _
            = x; });
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut rest = it.skip_while(|x| { (*x) % 3 != i % 3 });
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut others = rest.by_ref().filter(|x| { (*x) % 2 == 0 });
        s = (s * 3 + others.next().map_or(-9, |x| x)) % 100_003;
        for x in others { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_60: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).map_while(|x| { if x.0 * 2 + x.1 % 2 == 0 { n += x.0 * 2 + x.1; }
            if (x.0 * 2 + x.1) % 4 < 3 { Some(x.0 * 2 + x.1 + 1) } else { None } }).filter(|x| { (*x) % 4 < 3
            }).inspect(|x| { let _ = x; }).map_while(|x| { if (x) % 3 != i % 3 { Some(x + 1) } else { None }
            });
        s = (s * 3 + it.find(|x| { m = (m * 3 + (*x)) % 100_003; (*x) > i % 9 }).map_or(-3, |x| x)) % 100_003;
        let mut rest = it.map_while(|x| { if (x) > i % 9 { Some(x + 1) } else { None } });
        s = s * 3 % 100_003 + i32::from(rest.any(|x| { m ^= (x) & 63; (x) < 4 }));
        let mut others = rest.map(|x| { (x) * 1 + 0 });
        s = (s * 3 + others.nth(5).map_or(-2, |x| x)) % 100_003;
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_61: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } }).map(|x| { (x) * 1 + 1 }).filter(|x| { ((*x) ^ i) & 2 == 0 });
        s = (s * 3 + it.by_ref().filter(|x| { (*x) % 2 == 0 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().filter(|x| { (*x) < i }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.any(|x| { m = (m * 3 + (x)) % 100_003; (x) != 3 }));
        let mut rest = it.enumerate();
        s = (s * 3 + rest.by_ref().take_while(|x| { (x.0 as i32 * 7 + x.1) < i }).map(|x| x.0 as i32 * 7 +
            x.1).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + rest.find_map(|x| if (x.0 as i32 * 7 + x.1) != 3 { Some(x.0 as i32 * 7 + x.1) }
            else { None }).unwrap_or(-4);
        s += rest.map(|x| x.0 as i32 * 7 + x.1).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_62: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (0..i % 7).rev().map_while(|x| { if ((x) ^ i) & 2 == 0 { Some(x + 1) } else { None } });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().take(4).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) % 3 != i % 3 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        if i % 3 == 1 { s += it.by_ref().map(|x| x).fold(1, |s, x| (s * 3 + x) % 1009); }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        while let Some(x) = it.next() { if (x) < 4 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(1).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s += it.skip(1).count() as i32;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_63: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high);
        for x in it.clone() { if ((x) ^ i) & 2 == 0 { break; } s = (s * 2 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_64: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).take_while(|x| { (*x) % 3 != i % 3 }).inspect(|x| { n += 1; let _ = x; });
        s = (s * 3 + it.nth(4).map_or(-2, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_65: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone();
        s = s * 3 % 100_003 + it.by_ref().len() as i32;
        for x in it.by_ref() { if (x) % 2 == 0 { break; } s = (s * 2 + x) % 100_003; }
        s = s * 3 % 100_003 + it.by_ref().len() as i32;
        s = s * 3 % 100_003 + i32::from(it.any(|x| { m ^= (x) & 63; (x) < i }));
        s = s * 3 % 100_003 + i32::from(it.contains(&s)) + i32::from(it.contains(&(i % 4)));
        s = s * 3 % 100_003 + i32::from(it.is_empty());
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x) % 4 < 3 }));
        for x in it.by_ref() { if (x) % 3 != i % 3 { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.by_ref().filter(|x| { ((*x) ^ i) & 2 == 0 }).take(2).map(|x| x).sum::<i32>()) %
            100_003;
        s += it.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_66: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone().cycle().step_by(1).take(9);
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) < i }).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.by_ref().inspect(|x| { if *x % 2 == 0 { n += *x; } let _ = x; });
        if i % 2 == 0 { for x in rest.by_ref().skip(0) { s = (s * 5 + x) % 100_003; if (x) != 3 { break; } } }
        let mut others = rest.by_ref().flat_map(|x| { if (x) > i % 9 { Some(x + 1) } else { None } });
        s = s * 3 % 100_003 + others.find_map(|x| if (x) < 4 { Some(x) } else { None }).unwrap_or(-4);
        s += others.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_67: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.windows(2).map(|w| w[0] * 2 - w[1]).scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11
            == 5 { None } else { Some(*t) } });
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) }
            });
        s = (s * 3 + rest.by_ref().filter(|x| { (*x) < i }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.map(|x| { (x) * 3 + low });
        s = (s * 3 + others.by_ref().enumerate().skip(3).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s += others.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_68: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone();
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s += it.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_69: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().map(|x| { (x.0 as i32 * 7 + x.1) * 2 + i }).scan(i, |t, x| {
            *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) } }).inspect(|x| { n += 1; let _
            = x; }).map(|x| { (x) * 2 + i });
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(2).unwrap_or(-6);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + first_of(it.by_ref());
        let mut rest = it.skip(1);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_70: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..20);
        while let Some(x) = it.next() { if (x) % 2 == 0 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1
            { break; } }
        let mut rest = it.skip(1);
        s = (s * 3 + rest.by_ref().skip(i as usize).take(2).map(|x| x).sum::<i32>()) % 100_003;
        for x in rest.clone() { if (x) % 3 != i % 3 { break; } s = (s * 2 + x) % 100_003; }
        s += rest.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_71: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter().map(|x| { (x) * 1 + 0 }).take(5).enumerate().scan(i, |t, x| { *t = (*t * 2 +
            x.0 as i32 * 7 + x.1) % 101; if *t % 11 == 5 { None } else { Some(*t) } });
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize % 4).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().skip(1).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(1).unwrap_or(-6);
        s = s * 3 % 100_003 + first_of(it.by_ref());
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x) % 4 < 3 }));
        s = (s * 3 + it.by_ref().take(3).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(5).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(3).unwrap_or(-6);
        s = s * 3 % 100_003 + it.position(|x| { (x) < 4 }).map_or(-1, |k| k as i32);
        for x in it { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_72: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (i..).enumerate().take(5);
        s = (s * 3 + it.by_ref().map_while(|x| if (x.0 as i32 * 7 + x.1) > i % 9 { Some(x.0 as i32 * 7 + x.1 *
            2) } else { None }).sum::<i32>()) % 100_003;
        if i % 3 == 0 { s += it.by_ref().map(|x| x.0 as i32 * 7 + x.1).min().unwrap_or(-7); }
        s = (s * 3 + it.by_ref().skip(2).take(2).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        for x in it.clone() { if (x.0 as i32 * 7 + x.1) % 4 < 3 { break; } s = (s * 2 + x.0 as i32 * 7 + x.1) %
            100_003; }
        s = (s * 3 + it.by_ref().take_while(|x| { m ^= (x.0 as i32 * 7 + x.1) & 63; ((x.0 as i32 * 7 + x.1) ^
            i) & 2 == 0 }).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_73: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().take(2).map(|x| { if *x % 2 == 0 { n += *x; } (*x) * 1 + 1 }).skip_while(|x| {
            (*x) < i }).map_while(|x| { if (x) < i { Some(x + 1) } else { None } });
        s = (s * 3 + it.by_ref().filter(|x| { (*x) < i }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x) < 4 }));
        s = (s * 3 + it.nth(3).map_or(-2, |x| x)) % 100_003;
        let mut rest = it.enumerate();
        s = (s * 3 + rest.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s += rest.map(|x| x.0 as i32 * 7 + x.1).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_74: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter();
        s = (s * 3 + it.by_ref().take(0).map(|x| *x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.find_map(|x| if ((*x) ^ i) & 2 == 0 { Some(*x) } else { None }).unwrap_or(-4);
        s = (s * 3 + it.by_ref().step_by(2).take(4).map(|x| *x).sum::<i32>()) % 100_003;
        let mut rest = it.skip(i as usize % 4);
        while let Some(&x) = rest.next() { if x % 3 != i % 3 { continue; } s = (s * 2 + x) % 100_003; if s % 4
            == 1 { break; } }
        s = (s * 3 + rest.next().copied().map_or(-9, |x| x)) % 100_003;
        s += rest.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_75: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = r.clone();
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) < i }).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(1).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        if i % 2 == 0 { for x in it.by_ref().skip(4) { s = (s * 5 + x) % 100_003; if (x) != 3 { break; } } }
        for x in it.by_ref() { if (x) != 3 { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) % 2 == 0 }).map(|x| x).sum::<i32>()) % 100_003;
        s += it.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_76: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().copied().enumerate().inspect(|x| { n ^= x.0 as i32 * 7 + x.1 & 63; let _ = x;
            }).inspect(|x| { let _ = x; });
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003; }
        let mut rest = it.flat_map(|x| { if (x.0 as i32 * 7 + x.1) % 4 < 3 { Some(x.0 as i32 * 7 + x.1 + 1) }
            else { None } });
        if i % 3 == 0 { s += rest.by_ref().map(|x| x).max().unwrap_or(-7); }
        let mut others = rest.inspect(|x| { let _ = x; });
        s = s * 3 % 100_003 + i32::from(others.all(|x| { (x) > i % 9 }));
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_77: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).take(i as usize).cycle().take(0);
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().skip(5).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) > i % 9 }).map_or(-3, |x| x)) % 100_003;
        if i % 2 == 0 { for x in it.by_ref().skip(0) { s = (s * 5 + x) % 100_003; if (x) % 4 < 3 { break; } } }
        for x in it.clone() { if (x) % 4 < 3 { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.by_ref().skip(i as usize % 4).take(2).map(|x| x).sum::<i32>()) % 100_003;
        for x in it { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_78: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (2..=i % 7).cycle().take(5).filter(|x| { (*x) % 2 == 0 });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        if i % 2 == 0 { for x in it.by_ref().skip(4) { s = (s * 5 + x) % 100_003; if (x) < i { break; } } }
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) }
            });
        s = s * 3 % 100_003 + rest.find_map(|x| if (x) > i % 9 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + rest.by_ref().enumerate().skip(4).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_79: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev();
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().skip(2).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        if i % 3 == 1 { s += it.by_ref().map(|x| x).min().unwrap_or(-7); }
        s = (s * 3 + it.by_ref().step_by(2).take(5).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) != 3 }));
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s += it.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_81: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).inspect(|x| { n = (n * 3 + x.0 * 2 + x.1) % 100_003; let _ = x;
            }).take(i as usize % 4).map(|x| { (x.0 * 2 + x.1) * 1 + i });
        s = (s * 3 + it.by_ref().take(i as usize % 4).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.inspect(|x| { let _ = x; });
        s = (s * 3 + rest.by_ref().step_by(2).take(0).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + rest.find(|x| { (*x) % 3 != i % 3 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + rest.by_ref().enumerate().skip((i as usize).wrapping_sub(3)).map(|(k, x)| { m += k as i32;
            x }).map(|x| x).sum::<i32>()) % 100_003;
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_82: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high);
        s = s * 3 % 100_003 + it.len() as i32;
        let mut rest = it.filter(|x| { (*x) % 3 != i % 3 });
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_83: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).take(5).take((i as usize).wrapping_sub(3));
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.len() as i32;
        s = s * 3 % 100_003 + it.find_map(|x| if (x) != 3 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.all(|x| { m = (m * 3 + (x)) % 100_003; (x) % 4 < 3 }));
        s += it.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_85: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a[1..4].iter().copied().enumerate().map(|x| { (x.0 as i32 * 7 + x.1) * 3 + low
            }).step_by(1);
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        let mut rest = it.by_ref().skip_while(|x| { (*x) < i });
        s = (s * 3 + rest.find(|x| { (*x) > i % 9 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_86: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().filter_map(|x| { if (x.0 as i32 * 7 + x.1) < 4 { Some(x.0 as
            i32 * 7 + x.1 + 1) } else { None } }).map(|x| { (x) * 3 + i });
        s = s * 3 % 100_003 + it.position(|x| { (x) < i }).map_or(-1, |k| k as i32);
        s = (s * 3 + it.by_ref().map_while(|x| if ((x) ^ i) & 2 == 0 { Some(x * 2) } else { None
            }).sum::<i32>()) % 100_003;
        s = (s * 3 + it.nth(0).map_or(-2, |x| x)) % 100_003;
        if i % 2 == 0 { for x in it.by_ref().skip(3) { s = (s * 5 + x) % 100_003; if (x) % 3 != i % 3 { break;
            } } }
        s = (s * 3 + it.by_ref().skip(4).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s += it.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_87: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high).step_by(2);
        s = (s * 3 + it.by_ref().step_by(2).take((i as usize).wrapping_sub(3)).map(|x| x).sum::<i32>()) %
            100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        for x in it { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_88: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = b.into_iter().skip_while(|x| { (*x) < 4 }).skip(2).filter(|x| { (*x) % 4 < 3
            }).inspect(|x| { n ^= *x & 63; let _ = x; });
        s = (s * 3 + it.by_ref().skip(4).take(2).map(|x| x).sum::<i32>()) % 100_003;
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        let mut rest = it.skip_while(|x| { (*x) % 2 == 0 });
        s = (s * 3 + rest.find(|x| { (*x) < 4 }).map_or(-3, |x| x)) % 100_003;
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_89: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).take_while(|x| { n += 1; (x.0 * 2 + x.1) != 3 });
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        let mut rest = it.map_while(|x| { if (x.0 * 2 + x.1) < i { Some(x.0 * 2 + x.1 + 1) } else { None } });
        s = s * 3 % 100_003 + i32::from(rest.any(|x| { (x) % 2 == 0 }));
        while let Some(x) = rest.next() { if ((x) ^ i) & 2 == 0 { continue; } s = (s * 2 + x) % 100_003; if s %
            4 == 1 { break; } }
        s = (s * 3 + rest.by_ref().step_by(2).take(0).map(|x| x).sum::<i32>()) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_90: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a[1..4].iter().copied().cycle().take(0).skip_while(|x| { n ^= *x & 63; ((*x) ^ i) & 2 == 0
            });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        let mut rest = it.step_by(1);
        s = s * 3 % 100_003 + i32::from(rest.all(|x| { if (x) % 2 == 0 { m += (x); } (x) < 4 }));
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_91: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).map(|x| { n += 1; (x) * 1 + 0 });
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        let mut rest = it.by_ref().scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = s * 3 % 100_003 + rest.by_ref().map(|x| x).nth(i as usize).unwrap_or(-6);
        let mut others = rest.by_ref().skip_while(|x| { (*x) > i % 9 });
        s = s * 3 % 100_003 + first_of(others.by_ref());
        s += others.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_92: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).skip(i as usize % 4).map_while(|x| { if ((x) ^ i) & 2 == 0 { Some(x + 1) }
            else { None } });
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 4 < 3 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + it.by_ref().take(5).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) != 3 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) % 3 != i % 3 }).map_or(-3, |x| x)) % 100_003;
        for x in it.by_ref() { if (x) % 2 == 0 { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.by_ref().take(5).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) < i }).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().filter(|x| { (*x) < 4 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        for x in it.by_ref() { if (x) % 4 < 3 { break; } s = (s * 2 + x) % 100_003; }
        s += it.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_93: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter().inspect(|x| { if *x % 2 == 0 { n += *x; } let _ = x; }).filter(|x| { (*x) !=
            3 });
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut rest = it.skip(1);
        s = (s * 3 + rest.by_ref().take(1).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.enumerate();
        s = (s * 3 + others.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_94: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().take_while(|x| { n = (n * 3 + *x) % 100_003; (*x) < i }).map(|x| { (x) *
            1 + 0 });
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 3 != i % 3 { Some(x) } else { None }).unwrap_or(-4);
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = s * 3 % 100_003 + i32::from(it.all(|x| { ((x) ^ i) & 2 == 0 }));
        s = (s * 3 + it.by_ref().take((i as usize).wrapping_sub(3)).map(|x| x).sum::<i32>()) % 100_003;
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize % 4).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.position(|x| { (x) != 3 }).map_or(-1, |k| k as i32);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        while let Some(x) = it.next() { if ((x) ^ i) & 2 == 0 { continue; } s = (s * 2 + x) % 100_003; if s % 4
            == 1 { break; } }
        s = (s * 3 + it.by_ref().skip(1).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s += it.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_95: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().skip(1).skip(1).take(11);
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut rest = it.zip(a);
        for x in rest.by_ref() { if (x.0 * 2 + x.1) < i { break; } s = (s * 2 + x.0 * 2 + x.1) % 100_003; }
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x.0 * 2 + x.1) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + rest.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s += rest.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_96: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).cycle().skip(i as usize % 4).take(5);
        s = s * 3 % 100_003 + i32::from(it.all(|x| { m = (m * 3 + (x)) % 100_003; (x) > i % 9 }));
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s += it.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_97: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high);
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut rest = it.flat_map(|x| { if (x) > i % 9 { Some(x + 1) } else { None } });
        s = (s * 3 + rest.by_ref().take_while(|x| { (*x) % 4 < 3 }).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.skip(1);
        s = (s * 3 + others.by_ref().filter(|x| { (*x) % 2 == 0 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        for x in others { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_98: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.chunks_exact(2).map(|c| c[0] + c[1] * 3).skip_while(|x| { (*x) % 2 == 0
            }).step_by(1).filter(|x| { (*x) != 3 });
        s = (s * 3 + it.by_ref().take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) > i % 9 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().skip(5).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.skip(1);
        while let Some(x) = rest.next() { if (x) % 4 < 3 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1
            { break; } }
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_99: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().take((i as usize).wrapping_sub(3));
        s = s * 3 % 100_003 + it.find_map(|x| if (x) != 3 { Some(x) } else { None }).unwrap_or(-4);
        for x in it.by_ref() { if (x) % 3 != i % 3 { break; } s = (s * 2 + x) % 100_003; }
        s += it.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_100: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..i % 7).cycle().take(6);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        let mut rest = it.skip(1);
        for _ in 0..3 { s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003; }
        for x in rest.by_ref() { if (x) < i { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_101: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.windows(2).map(|w| w[0] * 2 - w[1]).take_while(|x| { (*x) < i
            }).zip(a.iter().copied().skip(1));
        s = s * 3 % 100_003 + it.find_map(|x| if (x.0 * 2 + x.1) != 3 { Some(x.0 * 2 + x.1) } else { None
            }).unwrap_or(-4);
        let mut rest = it.map_while(|x| { if ((x.0 * 2 + x.1) ^ i) & 2 == 0 { Some(x.0 * 2 + x.1 + 1) } else {
            None } });
        s = s * 3 % 100_003 + rest.find_map(|x| if (x) > i % 9 { Some(x) } else { None }).unwrap_or(-4);
        let mut others = rest.map_while(|x| { n ^= x & 63; if (x) % 4 < 3 { Some(x + 1) } else { None } });
        s = (s * 3 + others.next().map_or(-9, |x| x)) % 100_003;
        s += all_of(others);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_102: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().copied().enumerate();
        s = (s * 3 + it.nth(i as usize).map_or(-2, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        while let Some(x) = it.next() { if (x.0 as i32 * 7 + x.1) % 3 != i % 3 { continue; } s = (s * 2 + x.0
            as i32 * 7 + x.1) % 100_003; if s % 4 == 1 { break; } }
        s = s * 3 % 100_003 + it.len() as i32;
        s = (s * 3 + it.by_ref().enumerate().skip(2).map(|(k, x)| { m += k as i32; x }).map(|x| x.0 as i32 * 7
            + x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        if i % 3 == 0 { s += it.by_ref().map(|x| x.0 as i32 * 7 + x.1).last().unwrap_or(-7); }
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        for x in it.clone() { if (x.0 as i32 * 7 + x.1) > i % 9 { break; } s = (s * 2 + x.0 as i32 * 7 + x.1) %
            100_003; }
        s = s * 3 % 100_003 + it.by_ref().map(|x| x.0 as i32 * 7 + x.1).nth(i as usize).unwrap_or(-6);
        s += it.count() as i32;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_103: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).chain(b.into_iter().rev()).map_while(|x| { if ((x) ^ i) & 2 == 0 { Some(x + 1)
            } else { None } });
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(5).unwrap_or(-6);
        let mut rest = it.take_while(|x| { if *x % 2 == 0 { n += *x; } (*x) != 3 });
        for _ in 0..3 { s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003; }
        s += all_of(rest);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_104: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.chunks_exact(2).map(|c| c[0] + c[1] * 3).filter(|x| { (*x) % 2 == 0
            }).enumerate().flat_map(|x| { if (x.0 as i32 * 7 + x.1) % 3 != i % 3 { Some(x.0 as i32 * 7 + x.1 +
            1) } else { None } });
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 2 == 0 { Some(x) } else { None }).unwrap_or(-4);
        let mut rest = it.by_ref().map(|x| { (x) * 1 + 1 });
        s = s * 3 % 100_003 + rest.position(|x| { ((x) ^ i) & 2 == 0 }).map_or(-1, |k| k as i32);
        let mut others = rest.scan(i, |t, x| { n += 1; *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = (s * 3 + others.by_ref().take(1).map(|x| x).sum::<i32>()) % 100_003;
        s += others.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_105: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high).enumerate().filter(|x| { (x.0 as i32 * 7 + x.1) != 3 }).filter(|x| { n ^= x.0
            as i32 * 7 + x.1 & 63; (x.0 as i32 * 7 + x.1) > i % 9 });
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        let mut rest = it.filter(|x| { (x.0 as i32 * 7 + x.1) < i });
        s = (s * 3 + rest.by_ref().skip(5).take(2).map(|x| x.0 as i32 * 7 + x.1).sum::<i32>()) % 100_003;
        let mut others = rest.inspect(|x| { let _ = x; });
        while let Some(x) = others.next() { if (x.0 as i32 * 7 + x.1) < 4 { continue; } s = (s * 2 + x.0 as i32
            * 7 + x.1) % 100_003; if s % 4 == 1 { break; } }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_106: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter();
        s = s * 3 % 100_003 + it.by_ref().map(|x| *x).nth(1).unwrap_or(-6);
        s = s * 3 % 100_003 + it.by_ref().map(|x| *x).nth(0).unwrap_or(-6);
        if i % 3 == 2 { s += it.by_ref().map(|x| *x).count() as i32; }
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().copied().map_or(-5, |x| x)) %
            100_003; }
        s = s * 3 % 100_003 + it.position(|x| { (*x) < i }).map_or(-1, |k| k as i32);
        s = (s * 3 + it.next().copied().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.next().copied().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + *x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().map_while(|x| if (*x) % 4 < 3 { Some(*x * 2) } else { None }).sum::<i32>()) %
            100_003;
        while let Some(&x) = it.next() { if x != 3 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s += it.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_108: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).step_by(1);
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) }
            });
        s = (s * 3 + rest.by_ref().take_while(|x| { ((*x) ^ i) & 2 == 0 }).map(|x| x).sum::<i32>()) % 100_003;
        let mut others = rest.by_ref().map(|x| { (x) * 2 + 0 });
        s = s * 3 % 100_003 + i32::from(others.all(|x| { (x) > i % 9 }));
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_109: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).step_by(2).take(11);
        while let Some(x) = it.next() { if (x) % 3 != i % 3 { continue; } s = (s * 2 + x) % 100_003; if s % 4
            == 1 { break; } }
        for x in it.clone() { if (x) != 3 { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s += it.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_110: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate();
        s = (s * 3 + it.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        let mut rest = it.flat_map(|x| { if x.0 as i32 * 7 + x.1 % 2 == 0 { n += x.0 as i32 * 7 + x.1; } if
            (x.0 as i32 * 7 + x.1) != 3 { Some(x.0 as i32 * 7 + x.1 + 1) } else { None } });
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        let mut others = rest.scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = s * 3 % 100_003 + first_of(others.by_ref());
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_111: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().skip(i as usize % 4).enumerate().take(9);
        s = (s * 3 + it.next().map_or(-9, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        let mut rest = it.map_while(|x| { if (x.0 as i32 * 7 + x.1) % 3 != i % 3 { Some(x.0 as i32 * 7 + x.1 +
            1) } else { None } });
        s = (s * 3 + rest.find(|x| { m += 1; (*x) > i % 9 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_112: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().map_while(|x| { if (x) < 4 { Some(x + 1) } else { None }
            }).take_while(|x| { (*x) < i }).filter(|x| { ((*x) ^ i) & 2 == 0 }).skip_while(|x| { ((*x) ^ i) & 2
            == 0 });
        s = (s * 3 + it.find(|x| { m ^= (*x) & 63; (*x) < 4 }).map_or(-3, |x| x)) % 100_003;
        let mut rest = it.skip_while(|x| { ((*x) ^ i) & 2 == 0 });
        if i % 2 == 0 { for x in rest.by_ref().skip(4) { s = (s * 5 + x) % 100_003; if (x) < i { break; } } }
        let mut others = rest.map(|x| { n = (n * 3 + x) % 100_003; (x) * 2 + 1 });
        s = s * 3 % 100_003 + i32::from(others.all(|x| { m += 1; (x) < i }));
        s += others.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_113: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b);
        s = (s * 3 + it.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003;
        s += it.map(|x| x.0 * 2 + x.1).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_114: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).skip(i as usize % 4).skip(1).take(5);
        s = (s * 3 + it.by_ref().skip((i as usize).wrapping_sub(3)).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.by_ref().scan(i, |t, x| { n ^= x & 63; *t = (*t * 2 + x) % 101; if *t % 11 == 5 {
            None } else { Some(*t) } });
        s = (s * 3 + rest.by_ref().skip(1).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + i32::from(rest.any(|x| { (x) < i }));
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s += rest.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_115: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = b.into_iter().take_while(|x| { (*x) % 3 != i % 3 });
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(i as usize % 4).unwrap_or(-6);
        let mut rest = it.skip(1);
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut others = rest.skip(2);
        s = s * 3 % 100_003 + others.position(|x| { (x) % 2 == 0 }).map_or(-1, |k| k as i32);
        for x in others { s = (s * 3 + x) % 100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_117: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a[1..4].iter().copied().filter(|x| { (*x) % 4 < 3 }).scan(i, |t, x| { *t = (*t * 2 + x) %
            101; if *t % 11 == 5 { None } else { Some(*t) } });
        if i % 2 == 0 { for x in it.by_ref().skip(i as usize % 4) { s = (s * 5 + x) % 100_003; if (x) > i % 9 {
            break; } } }
        while let Some(x) = it.next() { if (x) < 4 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(0).unwrap_or(-6);
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 3 != i % 3 { Some(x) } else { None }).unwrap_or(-4);
        s += it.map(|x| x).sum::<i32>();
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_118: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..20).skip(0).rev().map(|x| { (x) * 2 + 0 }).skip(1);
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth((i as usize).wrapping_sub(3)).unwrap_or(-6);
        s += all_of(it);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_119: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().map(|x| { (x) * 2 + 1 }).zip(a).skip(i as usize % 4);
        for x in it.by_ref() { if (x.0 * 2 + x.1) % 4 < 3 { break; } s = (s * 2 + x.0 * 2 + x.1) % 100_003; }
        s = (s * 3 + it.by_ref().take_while(|x| { (x.0 * 2 + x.1) % 3 != i % 3 }).map(|x| x.0 * 2 +
            x.1).sum::<i32>()) % 100_003;
        s = s * 3 % 100_003 + it.position(|x| { (x.0 * 2 + x.1) % 2 == 0 }).map_or(-1, |k| k as i32);
        let mut rest = it.scan(i, |t, x| { *t = (*t * 2 + x.0 * 2 + x.1) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } });
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_120: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).filter(|x| { (*x) < 4 }).inspect(|x| { if *x % 2 == 0 { n += *x; } let _ = x;
            }).step_by(1).take(3);
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) != 3 }));
        let mut rest = it.by_ref().map(|x| { (x) * 2 + i });
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut others = rest.by_ref().filter(|x| { (*x) % 3 != i % 3 });
        s = (s * 3 + others.next().map_or(-9, |x| x)) % 100_003;
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_121: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high);
        s = (s * 3 + it.find(|x| { (*x) < i }).map_or(-3, |x| x)) % 100_003;
        let mut rest = it.skip(1);
        s = (s * 3 + rest.by_ref().take_while(|x| { m += 1; (*x) % 2 == 0 }).map(|x| x).sum::<i32>()) %
            100_003;
        s += rest.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_122: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().map_while(|x| { if (*x) % 2 == 0 { Some(*x + 1) } else { None }
            }).zip(a.iter().copied().skip(1));
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x.0 * 2 + x.1) % 3 != i % 3 }));
        if i % 2 == 0 { for x in it.by_ref().skip(i as usize % 4) { s = (s * 5 + x.0 * 2 + x.1) % 100_003; if
            (x.0 * 2 + x.1) % 2 == 0 { break; } } }
        let mut rest = it.filter(|x| { (x.0 * 2 + x.1) % 3 != i % 3 });
        s = (s * 3 + rest.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + rest.by_ref().take_while(|x| { (x.0 * 2 + x.1) % 3 != i % 3 }).map(|x| x.0 * 2 +
            x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + rest.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s += rest.map(|x| x.0 * 2 + x.1).last().unwrap_or(-9);
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_123: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high).take(4).chain(2..5).inspect(|x| { n ^= *x & 63; let _ = x; }).scan(i, |t, x|
            { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) } });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) < 4 }).map_or(-3, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().take(0).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.filter(|x| { (*x) > i % 9 });
        if i % 3 == 0 { s += rest.by_ref().map(|x| x).count() as i32; }
        s = (s * 3 + rest.by_ref().step_by(2).take(4).map(|x| x).sum::<i32>()) % 100_003;
        s += rest.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_124: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter().map(|x| { (x) * 3 + 1 }).map_while(|x| { if ((x) ^ i) & 2 == 0 { Some(x + 1)
            } else { None } }).skip(2);
        s = (s * 3 + it.by_ref().step_by(2).take((i as usize).wrapping_sub(3)).map(|x| x).sum::<i32>()) %
            100_003;
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut rest = it.take(5);
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_125: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (low..high).map(|x| { (x) * 2 + i }).map(|x| { if x % 2 == 0 { n += x; } (x) * 1 + low });
        s = (s * 3 + it.by_ref().map_while(|x| if (x) < i { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        let mut rest = it.by_ref().inspect(|x| { let _ = x; });
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        let mut others = rest.skip(i as usize % 4);
        s = s * 3 % 100_003 + i32::from(others.any(|x| { (x) < 4 }));
        for x in others { s = (s * 3 + x) % 100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_126: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (low..=high).chain([7, i]).chain(2..5).take_while(|x| { (*x) != 3 }).inspect(|x| { n = (n
            * 3 + *x) % 100_003; let _ = x; });
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        let mut rest = it.map_while(|x| { if (x) % 4 < 3 { Some(x + 1) } else { None } });
        s = s * 3 % 100_003 + first_of(rest.by_ref());
        let mut others = rest.skip(1);
        s = s * 3 % 100_003 + others.by_ref().map(|x| x).nth(i as usize).unwrap_or(-6);
        s += others.skip(1).count() as i32;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_127: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (low..=high).map(|x| { (x) * 3 + i });
        for x in it.by_ref() { if (x) % 3 != i % 3 { break; } s = (s * 2 + x) % 100_003; }
        while let Some(x) = it.next() { if (x) % 3 != i % 3 { continue; } s = (s * 2 + x) % 100_003; if s % 4
            == 1 { break; } }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.find(|x| { (*x) % 2 == 0 }).map_or(-3, |x| x)) % 100_003;
        for x in it { s = (s * 3 + x) % 100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_128: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().take_while(|x| { (*x) % 2 == 0 }).map(|x| { n ^= x & 63; (x) * 2 +
            i }).filter_map(|x| { if (x) % 2 == 0 { Some(x + 1) } else { None } }).scan(i, |t, x| { *t = (*t *
            2 + x) % 101; if *t % 11 == 5 { None } else { Some(*t) } });
        s = s * 3 % 100_003 + it.position(|x| { ((x) ^ i) & 2 == 0 }).map_or(-1, |k| k as i32);
        if i % 2 == 0 { for x in it.by_ref().skip(4) { s = (s * 5 + x) % 100_003; if (x) > i % 9 { break; } } }
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) % 3 != i % 3 }));
        s = s * 3 % 100_003 + it.find_map(|x| if (x) != 3 { Some(x) } else { None }).unwrap_or(-4);
        s = s * 3 % 100_003 + it.position(|x| { (x) % 3 != i % 3 }).map_or(-1, |k| k as i32);
        s += it.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_129: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).chain([7, i]).enumerate().map(|x| { n += 1; (x.0 as i32 * 7 + x.1) * 2 + 0
            }).take_while(|x| { (*x) < 4 });
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        let mut rest = it.skip(1);
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        let mut others = rest.step_by(3);
        s = s * 3 % 100_003 + others.position(|x| { (x) < 4 }).map_or(-1, |k| k as i32);
        s += others.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_130: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (2..=i % 7).take(1).filter(|x| { (*x) < i }).take_while(|x| { n = (n * 3 + *x) % 100_003;
            (*x) < 4 });
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 3 != i % 3 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + it.find(|x| { if (*x) % 2 == 0 { m += (*x); } (*x) % 2 == 0 }).map_or(-3, |x| x)) %
            100_003;
        s = (s * 3 + it.nth(1).map_or(-2, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.find_map(|x| if (x) > i % 9 { Some(x) } else { None }).unwrap_or(-4);
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + it.position(|x| { m += 1; (x) < 4 }).map_or(-1, |k| k as i32);
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(1).unwrap_or(-6);
        s = s * 3 % 100_003 + it.by_ref().map(|x| x).nth(0).unwrap_or(-6);
        s = (s * 3 + it.by_ref().enumerate().skip(0).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) < 4 }));
        s += it.count() as i32;
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_131: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().skip_while(|x| { ((*x) ^ i) & 2 == 0 }).step_by(2);
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s = (s * 3 + it.by_ref().skip(4).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.zip(2..9);
        s = (s * 3 + rest.by_ref().step_by(2).take(4).map(|x| x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        for _ in 0..3 { s = (s * 3 + rest.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003; }
        for _ in 0..3 { s = (s * 3 + rest.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003; }
        for x in rest { s = (s * 3 + x.0 * 2 + x.1) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_132: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().inspect(|x| { n = (n * 3 + **x) % 100_003; let _ = x; }).map(|x| { (*x) * 2 + 0
            });
        s = s * 3 % 100_003 + it.len() as i32;
        while let Some(x) = it.next() { if (x) > i % 9 { continue; } s = (s * 2 + x) % 100_003; if s % 4 == 1 {
            break; } }
        s = (s * 3 + it.by_ref().enumerate().skip(i as usize).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        let mut rest = it.step_by(4);
        s = s * 3 % 100_003 + first_of(rest.by_ref());
        if i % 3 == 2 { s += rest.by_ref().map(|x| x).count() as i32; }
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_133: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).step_by(1).zip(a.iter().copied().skip(1));
        s = (s * 3 + it.by_ref().enumerate().skip(4).map(|(k, x)| { m += k as i32; x }).map(|x| x.0 * 2 +
            x.1).sum::<i32>()) % 100_003;
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x.0 * 2 + x.1)) %
            100_003; }
        let mut rest = it.skip(1);
        while let Some(x) = rest.next() { if (x.0 * 2 + x.1) % 4 < 3 { continue; } s = (s * 2 + x.0 * 2 + x.1)
            % 100_003; if s % 4 == 1 { break; } }
        s += rest.map(|x| x.0 * 2 + x.1).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_134: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.chunks_exact(2).map(|c| c[0] + c[1] * 3).rev();
        s = s * 3 % 100_003 + it.len() as i32;
        if i % 3 == 2 { s += it.by_ref().map(|x| x).min().unwrap_or(-7); }
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().take_while(|x| { ((*x) ^ i) & 2 == 0 }).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().filter(|x| { ((*x) ^ i) & 2 == 0 }).take(2).map(|x| x).sum::<i32>()) %
            100_003;
        s = (s * 3 + it.by_ref().step_by(2).take(3).map(|x| x).sum::<i32>()) % 100_003;
        s += it.map(|x| x).max().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_135: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (i..).take(5);
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 3 != i % 3 { Some(x) } else { None }).unwrap_or(-4);
        let mut rest = it.skip(1);
        let mut copy = rest.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        s += rest.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_136: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter().rev().filter(|x| { (*x) < i });
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) < i }));
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) < 4 }));
        s = (s * 3 + it.nth((i as usize).wrapping_sub(3)).map_or(-2, |x| x)) % 100_003;
        let mut rest = it.skip(i as usize);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s += rest.map(|x| x).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_137: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..=high);
        s = (s * 3 + it.by_ref().take_while(|x| { ((*x) ^ i) & 2 == 0 }).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.by_ref().map_while(|x| { n ^= x & 63; if (x) < 4 { Some(x + 1) } else { None } });
        if i % 3 == 1 { s += rest.by_ref().map(|x| x).fold(1, |s, x| (s * 3 + x) % 1009); }
        let mut others = rest.map(|x| { (x) * 2 + i });
        s = (s * 3 + others.next().map_or(-1, |x| x)) % 100_003;
        s += all_of(others);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_138: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (0..i % 7).scan(i, |t, x| { *t = (*t * 2 + x) % 101; if *t % 11 == 5 { None } else {
            Some(*t) } }).skip_while(|x| { if *x % 2 == 0 { n += *x; } (*x) != 3 });
        if i % 3 == 1 { s += it.by_ref().map(|x| x).last().unwrap_or(-7); }
        s = (s * 3 + it.by_ref().filter(|x| { m ^= (*x) & 63; (*x) < i }).take(2).map(|x| x).sum::<i32>()) %
            100_003;
        s = s * 3 % 100_003 + it.find_map(|x| if (x) < 4 { Some(x) } else { None }).unwrap_or(-4);
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().take(3).map(|x| x).sum::<i32>()) % 100_003;
        s += it.skip(1).count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_139: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).enumerate().skip(4);
        s = (s * 3 + it.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        s = (s * 3 + it.next().map_or(-1, |x| x.0 as i32 * 7 + x.1)) % 100_003;
        let mut rest = it.inspect(|x| { n += 1; let _ = x; });
        s = (s * 3 + rest.by_ref().filter(|x| { (x.0 as i32 * 7 + x.1) % 4 < 3 }).take(2).map(|x| x.0 as i32 *
            7 + x.1).sum::<i32>()) % 100_003;
        s += rest.map(|x| x.0 as i32 * 7 + x.1).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_140: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().cycle().skip(1).skip(i as usize % 4).take(5);
        s = (s * 3 + it.by_ref().take(i as usize).map(|x| x).sum::<i32>()) % 100_003;
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        let mut rest = it.by_ref();
        s = (s * 3 + rest.next().map_or(-9, |x| x)) % 100_003;
        s = s * 3 % 100_003 + rest.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_141: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter().zip(2..9).filter(|x| { n ^= x.0 * 2 + x.1 & 63; ((x.0 * 2 + x.1) ^ i) & 2 ==
            0 });
        s = s * 3 % 100_003 + it.by_ref().map(|x| x.0 * 2 + x.1).nth(4).unwrap_or(-6);
        let mut rest = it.skip(1);
        s = (s * 3 + rest.find(|x| { m ^= (x.0 * 2 + x.1) & 63; (x.0 * 2 + x.1) % 3 != i % 3 }).map_or(-3, |x|
            x.0 * 2 + x.1)) % 100_003;
        let mut others = rest.skip(1);
        for _ in 0..3 { s = (s * 3 + others.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003; }
        s += others.map(|x| x.0 * 2 + x.1).last().unwrap_or(-9);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_142: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = b.chunks_exact(2).map(|c| c[0] + c[1] * 3).enumerate().map_while(|x| { if (x.0 as i32 * 7
            + x.1) < i { Some(x.0 as i32 * 7 + x.1 + 1) } else { None } });
        s = (s * 3 + it.nth(i as usize).map_or(-2, |x| x)) % 100_003;
        let mut rest = it.take(0);
        let mut copy = rest.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        let mut copy = rest.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_143: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (2..=i % 7).zip(b.into_iter().rev());
        s = (s * 3 + it.by_ref().take_while(|x| { ((x.0 * 2 + x.1) ^ i) & 2 == 0 }).map(|x| x.0 * 2 +
            x.1).sum::<i32>()) % 100_003;
        s = (s * 3 + it.nth(i as usize).map_or(-2, |x| x.0 * 2 + x.1)) % 100_003;
        s += it.map(|x| x.0 * 2 + x.1).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_144: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a[1..4].iter().copied().rev().rev().chain(a).chain([7, i]);
        s = (s * 3 + it.by_ref().map_while(|x| if (x) != 3 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        let mut rest = it.skip(1);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        let mut others = rest.take(1);
        s = (s * 3 + others.by_ref().map_while(|x| if (x) < 4 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        s += all_of(others);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_145: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = (low..high).skip(i as usize).take_while(|x| { n ^= *x & 63; (*x) < 4 });
        s = s * 3 % 100_003 + it.position(|x| { m ^= (x) & 63; (x) < i }).map_or(-1, |k| k as i32);
        s += it.count() as i32;
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_146: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = b.into_iter().step_by(4).filter(|x| { ((*x) ^ i) & 2 == 0 });
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        s = (s * 3 + it.by_ref().filter(|x| { (*x) < 4 }).take(2).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.step_by(4);
        s = s * 3 % 100_003 + i32::from(rest.any(|x| { (x) % 3 != i % 3 }));
        s = s * 3 % 100_003 + i32::from(rest.all(|x| { m ^= (x) & 63; (x) % 3 != i % 3 }));
        s += rest.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_147: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev();
        s = (s * 3 + it.by_ref().map_while(|x| if (x) != 3 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        s = s * 3 % 100_003 + it.try_fold(0, |s, x| { if s > 30 { Err(s) } else { Ok(s + x) }
            }).unwrap_or_else(|e| -e);
        for x in it.clone() { if (x) < 4 { break; } s = (s * 2 + x) % 100_003; }
        let mut rest = it.skip(1);
        s = s * 3 % 100_003 + rest.position(|x| { ((x) ^ i) & 2 == 0 }).map_or(-1, |k| k as i32);
        s = (s * 3 + rest.by_ref().take_while(|x| { m ^= (*x) & 63; (*x) % 4 < 3 }).map(|x| x).sum::<i32>()) %
            100_003;
        s += rest.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_148: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev();
        for x in it.clone() { if (x) % 3 != i % 3 { break; } s = (s * 2 + x) % 100_003; }
        if i % 2 == 0 { for x in it.by_ref().skip(5) { s = (s * 5 + x) % 100_003; if (x) % 2 == 0 { break; } }
            }
        s = s * 3 % 100_003 + it.find_map(|x| if (x) % 4 < 3 { Some(x) } else { None }).unwrap_or(-4);
        s = s * 3 % 100_003 + i32::from(it.any(|x| { (x) % 3 != i % 3 }));
        if i % 2 == 0 { for x in it.by_ref().skip(4) { s = (s * 5 + x) % 100_003; if (x) > i % 9 { break; } } }
        s = (s * 3 + it.by_ref().enumerate().skip(5).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        for x in it.clone() { if (x) != 3 { break; } s = (s * 2 + x) % 100_003; }
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x)) % 100_003;
        s += it.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_149: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().rev().chain(a).take(3);
        s = s * 3 % 100_003 + it.position(|x| { (x) < i }).map_or(-1, |k| k as i32);
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        let mut rest = it.by_ref().step_by(2);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s += rest.map(|x| x).sum::<i32>();
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_150: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = (i..).zip(2..9).take(i as usize);
        s = (s * 3 + it.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003;
        if i % 3 == 1 { s += it.by_ref().map(|x| x.0 * 2 + x.1).max().unwrap_or(-7); }
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + it.next().map_or(-9, |x| x.0 * 2 + x.1)) % 100_003;
        s = (s * 3 + it.by_ref().step_by(2).take(2).map(|x| x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x.0 * 2 + x.1)) % 100_003; }
        let mut copy = it.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x.0 * 2 + x.1)) %
            100_003; }
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_151: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().flat_map(|x| { if (x.0 as i32 * 7 + x.1) > i % 9 { Some(x.0
            as i32 * 7 + x.1 + 1) } else { None } }).map_while(|x| { if (x) % 2 == 0 { Some(x + 1) } else {
            None } });
        s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003;
        s = (s * 3 + it.nth(1).map_or(-2, |x| x)) % 100_003;
        let mut rest = it.skip(1);
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        let mut copy = rest.clone(); for _ in 0..3 { s = (s * 3 + copy.next().map_or(-5, |x| x)) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_152: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        for _ in 0..2 {
        let mut it = a.iter().copied().rev().chain([7, i]);
        s = s * 3 % 100_003 + first_of(it.by_ref());
        s = s * 3 % 100_003 + it.position(|x| { (x) % 3 != i % 3 }).map_or(-1, |k| k as i32);
        let mut rest = it.by_ref().inspect(|x| { n += 1; let _ = x; });
        s = (s * 3 + rest.next().map_or(-1, |x| x)) % 100_003;
        s = s * 3 % 100_003 + rest.by_ref().map(|x| x).nth((i as usize).wrapping_sub(3)).unwrap_or(-6);
        s = (s * 3 + rest.by_ref().skip(1).take(2).map(|x| x).sum::<i32>()) % 100_003;
        s += rest.fold(2, |s, x| (s * 3 + x) % 1009);
        }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_153: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().enumerate().scan(i, |t, x| { *t = (*t * 2 + x.0 as i32 * 7 + x.1) % 101;
            if *t % 11 == 5 { None } else { Some(*t) } }).skip(3).map_while(|x| { if (x) > i % 9 { Some(x + 1)
            } else { None } });
        s = (s * 3 + it.by_ref().skip(4).take(2).map(|x| x).sum::<i32>()) % 100_003;
        for x in it.clone() { if (x) % 3 != i % 3 { break; } s = (s * 2 + x) % 100_003; }
        for _ in 0..3 { s = (s * 3 + it.next().map_or(-1, |x| x)) % 100_003; }
        s = s * 3 % 100_003 + i32::from(it.all(|x| { (x) > i % 9 }));
        if i % 3 == 1 { s += it.by_ref().map(|x| x).fold(1, |s, x| (s * 3 + x) % 1009); }
        s = (s * 3 + it.by_ref().take_while(|x| { (*x) < 4 }).map(|x| x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().map_while(|x| if (x) % 4 < 3 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        s += all_of(it);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_154: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().zip(b).step_by(3);
        while let Some(x) = it.next() { if (x.0 * 2 + x.1) < i { continue; } s = (s * 2 + x.0 * 2 + x.1) %
            100_003; if s % 4 == 1 { break; } }
        let mut rest = it.by_ref();
        s = s * 3 % 100_003 + rest.position(|x| { (x.0 * 2 + x.1) != 3 }).map_or(-1, |k| k as i32);
        let mut others = rest.step_by(2);
        s = (s * 3 + others.by_ref().enumerate().skip(i as usize % 4).map(|(k, x)| { m += k as i32; x
            }).map(|x| x.0 * 2 + x.1).sum::<i32>()) % 100_003;
        s += others.fold(2, |s, x| (s * 3 + x.0 * 2 + x.1) % 1009);
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
    program_155: i32, |i| {
        let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);
        let (low, high) = (i % 5, i / 2 + 1);
        let r = low..i + 2;
        let (mut n, mut m, mut s) = (0, 0, 0);
        {
        let mut it = a.iter().copied().inspect(|x| { if *x % 2 == 0 { n += *x; } let _ = x; }).inspect(|x| {
            let _ = x; });
        s = (s * 3 + it.by_ref().enumerate().skip(0).map(|(k, x)| { m += k as i32; x }).map(|x|
            x).sum::<i32>()) % 100_003;
        s = (s * 3 + it.by_ref().step_by(2).take(5).map(|x| x).sum::<i32>()) % 100_003;
        let mut rest = it.by_ref().map_while(|x| { if (x) < i { Some(x + 1) } else { None } });
        s = (s * 3 + rest.by_ref().map_while(|x| if (x) % 4 < 3 { Some(x * 2) } else { None }).sum::<i32>()) %
            100_003;
        s = s * 3 % 100_003 + rest.position(|x| { (x) % 2 == 0 }).map_or(-1, |k| k as i32);
        for x in rest { s = (s * 3 + x) % 100_003; }
        }
        s * 31 + n % 1009 + m % 1013 * 7
    }
}
