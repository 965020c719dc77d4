//! Iterators with a name that are asked for one item after the other, and choices among references.

use super::*;

#[derive(Clone, Copy, AmpStruct)]
struct Matched {
    x: i32,
    y: i32,
}

#[amp]
fn sum_of(items: impl Iterator<Item = i32>) -> i32 {
    let mut sum = 0;
    for x in items {
        sum += x;
    }
    sum
}

#[amp]
fn first_of(mut items: impl Iterator<Item = i32>) -> i32 {
    items.next().unwrap_or(-1)
}

same! {
    what_by_ref_lends_calls_for_each_item_that_is_skipped: i32, |i| {
        let mut n = 0;
        let mut it = (0..9).map(|x| {
            n += x;
            x
        });
        let s = it.by_ref().skip(i as usize % 3).take(2).fold(1, |s, x| s * 3 + x);
        let rest = it.next().unwrap_or(5);
        s * 10 + rest + n * 1000
    }

    a_struct_is_matched_where_it_is_written: i32, |i| {
        i32::from(matches!(Matched { x: i, y: 2 }, Matched { x: 3, .. })) + 2 * i32::from(matches!(i, 1..=2 if i > 1))
    }

    take_counts_by_try_fold_what_it_gets: i32, |i| {
        let mut s = 0;
        let mut it = (0..20).map_while(|x| if x % 5 == i { None } else { Some(x) }).take(7);
        s = s * 3 + i32::from(it.any(|x| x > 90)) + it.position(|x| x > 90).map_or(2, |k| k as i32);
        for _ in 0..8 {
            s = (s * 3 + it.next().unwrap_or(-1)) % 100_003;
        }
        let mut even = (0..20).map_while(|x| if x % 4 == 1 { None } else { Some(x) }).take(9).filter(|x| x % 2 == 0);
        let mut some = (0..20).map_while(|x| if x % 4 == i { None } else { Some(x) }).take(9)
            .filter_map(|x| if x % 2 == 0 { Some(x) } else { None });
        for _ in 0..9 {
            s = (s * 3 + even.next().unwrap_or(-1)) % 100_003;
            s = (s * 3 + some.next().unwrap_or(-1)) % 100_003;
        }
        s
    }

    flat_map_has_ended_behind_none: i32, |i| {
        let mut s = 0;
        let mut it = (0..20).map_while(|x| if x % 5 == i { None } else { Some(x) }).flat_map(|x| Some(x + 1)).skip(1);
        let mut odd = (0..20).scan(i, |t, x| {
            *t += x;
            if *t % 4 == 3 { None } else { Some(*t) }
        }).flat_map(|x| if x % 3 == 1 { None } else { Some(x) });
        for _ in 0..8 {
            s = (s * 3 + it.next().unwrap_or(-1)) % 100_003;
            s = (s * 3 + odd.next().unwrap_or(-1)) % 100_003;
        }
        s
    }

    a_copy_goes_on_by_itself: i32, |i| {
        let a = [3, i, 4, 1, 5, 9, 2, 6];
        let mut s = 0;
        let mut it = a.iter().scan(i, |t, x| { *t = (*t * 2 + x) % 101; Some(*t) }).skip(1).take(5).enumerate();
        it.next();
        let mut copy = it.clone();
        while let Some((k, x)) = copy.next() {
            s = (s * 3 + x * k as i32) % 100_003;
        }
        s = s * 3 + it.clone().count() as i32;
        for (k, x) in it {
            s = (s * 5 + x + k as i32) % 100_003;
        }
        let numbers = 2..i + 5;
        let mut first = numbers.clone();
        let mut second = numbers.clone();
        first.next();
        s += first.next().unwrap_or(7) * 10 + second.next().unwrap_or(7) + first.len() as i32 * 100;
        s += i32::from(first.contains(&3)) + 2 * i32::from(first.contains(&4)) + 4 * i32::from(first.is_empty());
        let (low, high) = (i % 3, i % 4);
        let mut all = low..=high;
        all.next();
        s + i32::from(all.contains(&2)) * 1000 + i32::from(all.is_empty()) * 2000
    }

    an_iterator_is_lent_to_a_function: i32, |i| {
        let a = [3, i, 4, 1, 5, 9, 2, 6];
        let mut it = a.iter().copied();
        let two = sum_of(it.by_ref().take(2));
        let first = first_of(&mut it);
        let rest = sum_of(&mut it);
        two + first * 100 + rest * 1000 + it.next().unwrap_or(-7)
    }

    a_second_name_keeps_what_its_stages_have_seen: i32, |i| {
        let a = [3, i, 4, 1, 5, 9, 2, 6];
        let mut s = 0;
        let mut it = a.iter().copied();
        it.next();
        let mut rest = it.map(|x| x + 1).skip(1);
        for _ in 0..6 {
            s = (s * 3 + rest.next().unwrap_or(-1)) % 100_003;
        }
        let mut first = a.iter().copied().skip(1);
        first.next();
        let mut second = first.step_by(2);
        s += second.next().unwrap_or(0);
        let mut third = second.enumerate().take(3);
        for _ in 0..6 {
            s = s * 8 % 100_003 + third.len() as i32;
            s = s * 3 + match third.next() {
                Some((k, x)) => k as i32 * 7 + x,
                None => -1,
            };
        }
        let mut endless = i..;
        endless.next();
        let mut few = endless.take(3);
        while let Some(x) = few.next() {
            s = (s * 3 + x) % 100_003;
        }
        let mut below = 0..20;
        below.next();
        let mut small = below.by_ref().take_while(|x| *x < i % 7).enumerate();
        for _ in 0..8 {
            s = (s * 3 + small.next().map_or(-1, |(k, x)| k as i32 * x)) % 100_003;
        }
        let mut shadowed = a.iter().copied();
        shadowed.next();
        let mut shadowed = shadowed.skip_while(|x| *x != 4).skip(1);
        s * 4 + shadowed.next().unwrap_or(7) + shadowed.next().unwrap_or(7) * 3
    }

    what_by_ref_lends_is_used_up: i32, |i| {
        let a = [1, 2, 3, i];
        let mut it = a.iter().copied();
        let mut s = it.next().unwrap_or(0);
        s += it.by_ref().count() as i32 * 10 + it.next().unwrap_or(-5) * 100;
        let mut numbers = 0..i;
        s = s * 3 + numbers.next().unwrap_or(0) + numbers.by_ref().max().unwrap_or(7) * 10;
        s = s * 3 + numbers.next().unwrap_or(-5);
        let mut others = 5..i + 7;
        s = s * 3 + others.by_ref().min().unwrap_or(2) + others.next().unwrap_or(-1);
        let mut last = a.iter().copied();
        last.next();
        s = s * 3 + last.by_ref().last().unwrap_or(7) * 10 + last.next().unwrap_or(-5) * 100;
        let (low, high) = (i % 3, i % 7);
        let mut all = low..=high;
        s * 5 + all.by_ref().count() as i32 + all.next().unwrap_or(-3) * 100
    }

    a_range_with_an_end_is_over_behind_take_while: i32, |i| {
        let (low, high) = (i % 5, i / 2);
        let mut it = (low..=high).take_while(|x| *x < 100);
        let mut s = 0;
        while let Some(x) = it.next() {
            s = s * 3 + x;
            if s > 1_000_000 {
                break;
            }
        }
        s
    }

    the_length_is_that_of_what_is_left: i32, |i| {
        let a = [4, i, 9, 2, 7, 1, 8];
        let (mut n, mut s) = (0, 0);
        let mut it = a.iter().map(|x| {
            n += 1;
            *x
        });
        s += it.len() as i32;
        it.next();
        it.next();
        s = s * 8 + it.len() as i32;
        s += n * 100;
        let mut changed = 0;
        let mut parts = a.iter().copied().inspect(|_| changed += 1).skip(2).step_by(2).take(2).enumerate();
        for _ in 0..4 {
            s = (s * 8 + parts.len() as i32) % 100_003;
            if let Some((k, x)) = parts.next() {
                s += k as i32 + x;
            }
        }
        s + changed
    }

    a_step_behind_one_that_gave_nothing_has_asked: i32, |i| {
        let mut s = 0;
        let mut skipped = (0..10).map_while(|x| if x == 1 { None } else { Some(x) }).skip(3);
        let mut stepped = (0..20).map_while(|x| if x % 5 == i % 5 { None } else { Some(x) }).step_by(4);
        let mut taken = (0..20).scan(i, |n, x| {
            *n += x;
            if *n % 3 == 0 { None } else { Some(*n) }
        }).take(5);
        let mut both = (0..30).map_while(|x| if x % 7 == 3 { None } else { Some(x) }).skip(2).step_by(3).take(6);
        for _ in 0..9 {
            s = s * 3 % 100_003 + skipped.next().unwrap_or(50) + stepped.next().unwrap_or(60);
            s = s * 3 % 100_003 + taken.next().unwrap_or(70) + both.next().unwrap_or(80);
        }
        s
    }

    items_of_literals_alone_are_asked_for: i32, |i| {
        let mut it = [1, 2, 3].into_iter();
        let mut s = 0;
        loop {
            let Some(x) = it.next() else { break };
            if x == 2 {
                continue;
            }
            s += x;
        }
        let mut numbers = 0..7;
        loop {
            match numbers.next() {
                Some(x) if x == 2 => continue,
                Some(x) => s = s * 3 + x,
                None => break,
            }
        }
        for _ in 0..i {
            match (0..30).max() {
                Some(x) => s += x,
                None => break,
            }
            let Some(x) = (0..30).find(|x| x % 7 == 6) else { continue };
            let Some(y) = [4, 5, 6].into_iter().nth(1) else { continue };
            if let Some(z) = (3..9).rev().last() {
                s = s * 2 + x + y * z;
            } else {
                break;
            }
        }
        s
    }

    next_gives_one_item_after_the_other: i32, |i| {
        let a = [3, 1, 4, 1, 5, 9];
        let mut it = a.iter().copied();
        let first = it.next().unwrap_or(-1);
        let mut s = first;
        while let Some(x) = it.next() {
            s = (s * 7 + x) % 10_007;
            if x == i {
                break;
            }
        }
        // What is left.
        s *= 10;
        for x in it {
            s = (s * 3 + x) % 10_007;
        }
        s
    }

    ranges_are_asked: i32, |i| {
        let mut ids = 10..;
        let mut numbers = 0..=i;
        let mut all = 250_u8..=255;
        let mut s = ids.next().unwrap_or(0) + ids.next().unwrap_or(0);
        while let Some(n) = numbers.next() {
            s = s * 3 + n;
        }
        s += numbers.next().unwrap_or(100);
        loop {
            match all.next() {
                Some(n) => s += i32::from(n),
                None => break,
            }
        }
        let mut few = 0..i;
        if let Some(n) = few.nth(2) {
            s += n * 1000;
        }
        s + few.sum::<i32>() + ids.next().unwrap_or(0)
    }

    stages_keep_their_state: i32, |i| {
        let a = [1, 2, 3, 4, 5, 6, 7, 8];
        let mut calls = 0;
        let mut it = a.iter().map(|x| { calls += 1; x * 2 }).filter(|x| *x != 6).enumerate().skip(1);
        let mut s = 0;
        while let Some((k, x)) = it.next() {
            s = (s * 5 + x * 3 + k as i32) % 10_007;
            if x > i * 3 {
                break;
            }
        }
        let rest: i32 = it.map(|(k, x)| k as i32 + x).sum();
        let mut low = a.iter().copied().take_while(|x| *x < i);
        let mut n = 0;
        while low.next().is_some() {
            n += 1;
        }
        // It has ended, and stays so.
        n += i32::from(low.next().is_none()) * 10;
        s * 100 + rest * 3 + calls + n
    }

    iterators_go_on_behind_what_looks_into_them: i32, |i| {
        let a = [4, 8, 15, 16, 23, 42];
        let mut it = a.iter().copied();
        let found = it.find(|x| *x % 2 == 1).unwrap_or(0);
        let next = it.next().unwrap_or(0);
        let two: i32 = it.by_ref().take(1).sum();
        let last = it.next().unwrap_or(-1);
        let mut again = a.iter();
        let at = again.position(|x| *x > i * 8).unwrap_or(9) as i32;
        let any = again.any(|x| x % 3 == 0);
        let left = again.count() as i32;
        let mut digits = a.iter().copied();
        let small: i32 = digits.by_ref().take_while(|x| *x < 10 + i).sum();
        // The item that ended it is gone.
        let behind = digits.next().unwrap_or(-7);
        found + next * 2 + two * 3 + last * 5 + at * 7 + i32::from(any) + left * 100 + small * 11 + behind * 13
    }

    next_in_loops_in_loops: i32, |i| {
        let mut s = 0;
        for round in 0..3 {
            let mut it = (round..i + 5).step_by(2);
            let mut first = true;
            while let Some(x) = it.next() {
                s = (s * 3 + x) % 10_007;
                if first && x % 3 == 0 {
                    it.next();
                    first = false;
                }
            }
        }
        s
    }

    choices_among_references_are_copied: i32, |i| {
        let a = [3, i, 7, 2];
        let most = a.iter().max().copied().unwrap_or(0);
        let least = a.iter().min_by_key(|x| (**x - 5).abs()).copied().unwrap_or(0);
        let far = a.iter().max_by_key(|&&x| (x - 4).abs()).cloned().unwrap_or(0);
        let odd = a.iter().find(|x| **x % 2 == 0).copied().unwrap_or(-1);
        let last = a.iter().last().copied().unwrap_or(0);
        let by = a.iter().rev().max_by(|x, y| x.cmp(y)).copied().unwrap_or(0);
        let mut s = most + least * 10 + far * 100 + odd * 3 + last + by;
        if let Some(&x) = a.iter().min() {
            s += x * 1000;
        }
        let second = if let Some(&x) = a.iter().nth(1) { x } else { 0 };
        let mut it = a.iter();
        while let Some(&x) = it.next() {
            s = s * 3 + x;
        }
        s + second
    }
}

same! {
    windows_and_chunks: i32, |i| {
        let a = [3, 1, 4, 1, 5, i];
        let mut s = 0;
        for w in a.windows(2) {
            s = s * 3 + w[1] - w[0];
        }
        for c in a.chunks(2) {
            s = (s * 10 + c[0] * c[1] + c.len() as i32) % 10_007;
        }
        for (k, c) in a.chunks_exact(4).enumerate() {
            s += c.iter().sum::<i32>() * (k as i32 + 1);
        }
        let most = a.windows(3).map(|w| w.iter().copied().max().unwrap_or(0)).sum::<i32>();
        let rises = a.windows(2).filter(|w| w[0] < w[1]).count() as i32;
        let none = a.windows(7).count() + a.chunks_exact(7).count();
        let at = a.windows(2).rev().position(|w| w[0] > w[1]).map_or(-1, |at| at as i32);
        s * 100 + most + rises * 7 + none as i32 + at
    }

    windows_are_taken_apart: i32, |i| {
        let a = [3, 1, 4, 1, 5, i];
        let mut s = 0;
        for w in a.windows(2) {
            if let [x, y] = w {
                s = s * 3 + x * y;
            }
        }
        for c in a.chunks_exact(3) {
            let [x, y, z] = c else { continue };
            s += x * 100 + y * 10 + *z;
        }
        s
    }

    the_value_of_a_choice_or_another: i32, |i| {
        let a = [3, i, 7, 2];
        let most = *a.iter().max().unwrap_or(&0);
        let first = *a.iter().find(|x| **x > i + 3).unwrap_or(&-1);
        most * 10 + first + *a.iter().nth(i as usize).unwrap_or(&most)
    }
}

/// Where Rust panics.
#[test]
fn parts_of_no_length_are_single_elements() {
    on_all(&[9; 6], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |p| {
            let a = [p[0], 2, 3];
            v[p] = (a.windows(0).count() + a.chunks(0).count() + a.chunks_exact(0).count()) as i32;
        })
    });
}

same! {
    an_iterator_over_numbers_without_a_suffix: i32, |i| {
        let a = [1, 2, 3, 4];
        let mut it = a.iter().copied();
        let mut s = i;
        while let Some(x) = it.next() {
            s = s * 3 + x;
        }
        let most = [4, 9, 2].into_iter().max().unwrap_or(0);
        let last = [4.5, 9.0].iter().copied().last().unwrap_or(0.0);
        s * 100 + most + last as i32
    }
}

/// Refused by one error of code K0704, of a kernel that is made of this body.
macro_rules! refused {
    ($($name:ident: $words:literal, |$i:ident| $body:block)*) => {$(
        #[test]
        fn $name() {
            // `native` runs the closure, which is right.
            for path in ["reference", "jit"] {
                let view = Accelerator::new(path).expect("every machine has it").default_view();
                let out = ArrayView::<i32>::without_source(4).expect("a view of four numbers");
                let told = parallel_for_each!((&view, out.extent()), |p| {
                    let $i = p[0];
                    out[p] = $body;
                });
                let told = told.expect_err("it is refused").to_string();
                assert!(told.contains("K0704") && told.contains($words), "{path}: {told}");
            }
        }
    )*};
}

refused! {
    zip_of_what_is_lent: "`zip` cannot stand behind `by_ref`", |i| {
        let mut it = 0..i;
        let s: i32 = [1, 2].iter().zip(it.by_ref()).map(|(x, y)| x * y).sum();
        s + it.next().unwrap_or(9)
    }

    zip_behind_what_is_lent: "`zip` cannot stand behind `by_ref`", |i| {
        let mut it = 0..i;
        let s: i32 = it.by_ref().zip([1, 2]).map(|(x, y)| x * y).sum();
        s + it.next().unwrap_or(9)
    }

    chain_behind_what_is_lent: "`chain` cannot stand behind `by_ref`", |i| {
        let mut it = 0..i;
        let s: i32 = it.by_ref().chain(5..7).take(2).sum();
        s + it.next().unwrap_or(9)
    }

    rev_behind_what_is_lent: "`rev` cannot stand behind `by_ref`", |i| {
        let mut it = 0..i;
        it.by_ref().rev().take(2).sum::<i32>() + it.next().unwrap_or(9)
    }

    rfind_of_a_name: "`rfind` cannot stand behind a `mut` name", |i| {
        let mut it = 0..i;
        it.rfind(|x| x % 3 == 1).unwrap_or(4) + it.next().unwrap_or(9)
    }

    rposition_of_a_name: "`rposition` cannot stand behind a `mut` name", |i| {
        let a = [1, i, 3];
        let mut it = a.iter().copied();
        it.rposition(|x| x % 3 == 1).unwrap_or(4) as i32 + it.next().unwrap_or(9)
    }

    skipped_and_taken_behind_an_effect: "`fold` behind `take` behind `skip` cannot stand behind `map`", |i| {
        let mut n = 0;
        let s = (0..20).map(|x| { n += x; x }).skip(i as usize).take(2).fold(1, |a, b| a * 3 + b);
        s + n
    }

    nth_behind_steps_behind_none: "`nth` cannot stand behind `step_by` behind `map_while`", |i| {
        [3, i, 4, 1, 5].into_iter().map_while(|x| if x == 3 { None } else { Some(x) }).step_by(2).nth(1).unwrap_or(9)
    }

    zip_behind_skipped_items_of_an_effect: "`zip` cannot stand behind `map`", |i| {
        let mut n = 0;
        let mut s = 0;
        for (x, y) in (0..4).map(|x| { n += x; x }).skip(i as usize).zip(0..9) {
            s = s * 3 + x + y;
        }
        s + n
    }

    steps_behind_take_behind_none: "`skip` cannot stand behind `take` behind `map_while`", |i| {
        let mut it = (0..9).map_while(|x| if x == i { None } else { Some(x) }).take(5).skip(2);
        it.next().unwrap_or(9)
    }

    steps_behind_a_second_name: "`skip` cannot stand behind `enumerate` behind `map_while`", |i| {
        let mut it = (0..9).map_while(|x| if x == i { None } else { Some(x) }).enumerate();
        it.next();
        let mut second = it.skip(2);
        second.next().map_or(9, |(_, x)| x)
    }

    nth_behind_take_behind_none: "`nth` cannot stand behind `take` behind `map_while`", |i| {
        let mut it = (0..9).map_while(|x| if x == i { None } else { Some(x) }).take(5);
        it.nth(3).unwrap_or(9)
    }

    sum_of_what_is_lent_behind_take_behind_none: "`sum` cannot stand behind `take` behind `map_while`", |i| {
        let mut it = (0..9).map_while(|x| if x == i { None } else { Some(x) }).take(5);
        it.by_ref().sum::<i32>() + it.next().unwrap_or(9)
    }

    rev_of_a_name_of_a_name: "`rev` cannot stand behind `by_ref`", |i| {
        let mut it = 0..i;
        let mut lent = it.by_ref();
        lent.next();
        lent.rev().take(2).sum::<i32>() + it.next().unwrap_or(9)
    }

    skip_behind_steps_behind_none: "`skip` cannot stand behind `step_by` behind `map_while`", |i| {
        (0..20).map_while(|x| if x == i { None } else { Some(x) }).step_by(2).skip(2).sum()
    }
}
