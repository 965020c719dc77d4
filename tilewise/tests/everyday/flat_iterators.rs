//! `flat_map` and `flatten`: an item stands for several.

use super::*;

same! {
    rows_are_flattened: i32, |i| {
        let m = [[1, 2, 3], [4, i, 6]];
        let a: i32 = m.iter().flatten().sum();
        let b = m.iter().flatten().filter(|x| **x > 2).count() as i32;
        let mut s = 0;
        for (k, x) in m.iter().flatten().enumerate() {
            s += k as i32 * x;
        }
        let most = m.iter().flatten().copied().max().unwrap_or(0);
        let c: i32 = m.into_iter().flatten().fold(0, |sum, x| sum * 2 + x);
        a + b * 100 + c * 7 + s * 1000 + most
    }

    ranges_in_an_iterator: i32, |i| {
        let pairs = (0..i).flat_map(|a| (0..a).map(move |b| a * 10 + b));
        let mut s = 0;
        for x in pairs {
            s = (s * 3 + x) % 10_007;
        }
        let n = (0..4).flat_map(|a| 0..a).count() as i32;
        let t: i32 = [1, 2, i].iter().flat_map(|x| 0..*x).sum();
        let u: i32 = (1..=i).flat_map(|a| a..=i).product::<i32>() % 1009;
        s + n * 20_000 + t * 100 + u
    }

    arrays_from_a_closure: i32, |i| {
        let mut s = 0;
        for x in (0..3).flat_map(|k| [k, k * i, 7]) {
            s = s * 3 + x;
        }
        let v: i32 = [1, 2].iter().flat_map(|x| {
            let y = x * i;
            [y, y + 1]
        }).fold(0, |sum, x| sum * 5 + x);
        s * 1000 + v % 1000
    }

    jumps_out_of_a_flat_loop: i32, |i| {
        let mut s = 0;
        'all: for x in (0..5).flat_map(|a| (0..=a).map(move |b| a * 10 + b)) {
            if x % 3 == 0 {
                continue;
            }
            if x > 30 + i {
                break 'all;
            }
            s += x;
        }
        let found = (0..9).flat_map(|a| (a..9).map(move |b| a * b)).find(|x| *x > 10 + i).unwrap_or(-1);
        let any = (0..4).flat_map(|a| 0..a).any(|x| x == i - 1);
        let at = (0..4).flat_map(|a| 0..a).position(|x| x == 2).map_or(-1, |at| at as i32);
        s * 1000 + found * 10 + i32::from(any) + at * 100_000
    }

    stages_behind_a_flat_one: i32, |i| {
        let n = i as usize;
        let a: i32 = (0..6).flat_map(|a| 0..a).skip(n).take(5).step_by(2).sum();
        let b: i32 = (0..6).flat_map(|a| 0..a).take_while(|x| *x < 3).map(|x| x + 1).sum();
        let c: i32 = (0..6).flat_map(|a| 0..a).skip_while(|x| *x < 2).take(n).sum();
        let d: i32 = (0..3).flat_map(|a| (0..3).flat_map(move |b| (0..b).map(move |c| a + b * c))).sum();
        let e: i32 = (0..6).flat_map(|a| 0..a).zip([1, 2, 3, 4]).map(|(x, y)| x * y).sum();
        a + b * 10 + c * 100 + d * 1000 + e * 10_000
    }

    inner_iterators_have_stages: i32, |i| {
        let m = [[1, 5, 2], [8, i, 3]];
        let a: i32 = m.iter().flat_map(|row| row.iter().filter(|x| **x > 2)).sum();
        let b: i32 = m.iter().flat_map(|row| row.iter().take_while(|x| **x < 6).map(|x| x * 2)).sum();
        let c: i32 = m.iter().enumerate().flat_map(|(k, row)| row.iter().map(move |x| x * k as i32)).sum();
        a + b * 100 + c * 10_000
    }

    options_are_flattened: i32, |i| {
        let all = [Some(1), None, Some(i), (i > 2).then_some(10)];
        let a: i32 = all.iter().flatten().sum();
        let b = all.into_iter().flatten().count() as i32;
        let c: i32 = (0..6_u32).flat_map(|x| x.checked_sub(2)).map(|x| x as i32 * i).sum();
        a + b * 100 + c * 1000
    }

    closures_are_called_as_often: i32, |i| {
        let mut calls = 0;
        let mut inner = 0;
        let s: i32 = (0..4).flat_map(|a| {
            calls += 1;
            [a, a + i]
        }).map(|x| {
            inner += x;
            x
        }).take(5).sum();
        s * 10_000 + calls * 1000 + inner
    }

    a_flat_iterator_has_a_name: i32, |i| {
        let grid = (0..3).flat_map(|y| (0..3).map(move |x| (x, y)));
        let mut s = 0;
        for (x, y) in grid {
            if x == i { continue; }
            s = s * 2 + x * y;
        }
        s
    }

    flat_loops_in_the_closures_of_others: i32, |i| {
        let cube = [[[1, 2, i], [3, 4, 5]], [[6, 7, 8], [9, i, 1]]];
        let a: i32 = (0..3)
            .flat_map(|x| (10..13).flat_map(move |y| (100..103).map(move |z| x + y + z)))
            .filter(|v| v % 2 == 0)
            .sum();
        let b: i32 = (0..3).flat_map(|x| (10..12).flat_map(move |y| (100..103).map(move |z| x + y + z))).take(4).sum();
        let c = cube.iter().flat_map(|x| x.iter().flatten()).skip(2).step_by(2).fold(0, |n, v| n * 3 + v);
        let mut d = 0;
        for v in (0..3).flat_map(|x| (0..3).flat_map(move |y| (0..y + 2).map(move |z| x + y + z).take(2))).skip(1) {
            if v == 3 {
                continue;
            }
            if v == 5 {
                break;
            }
            d = d * 5 + v;
        }
        let mut calls = 0;
        let e: i32 = (0..2)
            .flat_map(|x| (0..3).flat_map(move |y| (0..y + 2).map(move |z| x + y + z)))
            .inspect(|_| calls += 1)
            .take(i as usize)
            .sum();
        let f = (0..2)
            .flat_map(|w| (0..2).flat_map(move |x| (0..3).flat_map(move |y| (0..i).map(move |z| w + x + y + z))))
            .filter(|v| v % 3 == 1)
            .take(3)
            .fold(0, |n, v| n * 7 + v);
        a + b * 3 + c * 5 + d * 7 + e * 11 + calls * 13 + f * 17
    }

    flat_loops_in_functions: i32, |i| {
        first_pair(i).map_or(-1, |(a, b)| a * 100 + b)
    }
}

#[amp]
fn first_pair(sum: i32) -> Option<(i32, i32)> {
    for (a, b) in (1..6).flat_map(|a| (a..6).map(move |b| (a, b))) {
        if a * b > 4 && (a + b) % 3 == sum % 3 {
            return Some((a, b));
        }
    }
    None
}

/// A `return` in a loop over what a closure gives ends the thread.
#[test]
fn a_kernel_returns_from_a_flat_loop() {
    on_all(&[4; 6], |launch, out: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |p| {
            let a = [1, 2, p[0]];
            for v in a.iter().flat_map(|x| (0..3).flat_map(move |y| (0..2).map(move |z| x * y + z))) {
                out[p] = v;
                if v == 4 {
                    return;
                }
            }
            out[p] = 99;
        })
    });
}
