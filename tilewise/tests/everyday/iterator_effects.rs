//! Iterators whose closures do more than to give a value, and ranges at the limits of their types: kernels call as
//! often as plain Rust does, in the same order, and lose no number.

use super::*;

same! {
    ranges_with_more_numbers_than_32_bits_count: i64, |i| {
        let mut s = 0_i64;
        s += (0..1_u64 << (33 + i % 3)).step_by(1 << 30).count() as i64;
        for (q, k) in (5..1_u64 << 36).step_by(1 << 31).enumerate() {
            s = s.wrapping_mul(3).wrapping_add((k >> 30) as i64 + q as i64);
        }
        for k in (i as u64..).step_by(1 << 31).take(5) {
            s = s.wrapping_mul(3).wrapping_add((k >> 29) as i64);
        }
        for k in (0..1_u64 << (34 + i % 3)).rev().step_by(1 << 31) {
            s = s.wrapping_mul(3).wrapping_add((k >> 28) as i64);
        }
        for k in (0..i as u64 + (1 << 40)).skip(0xf000_0000).skip(0x2000_0000).take(2) {
            s = s.wrapping_mul(3).wrapping_add(k as i64);
        }
        for k in (0..=u64::MAX - i as u64).step_by(0xffff_ffff).step_by(0xffff_fff0) {
            s = s.wrapping_mul(5).wrapping_add(k as i64);
        }
        for k in (i64::MIN..=i64::MAX - i as i64).rev().step_by(0xffff_ffff).step_by(0x4000_0000) {
            s = s.wrapping_mul(5).wrapping_add(k);
        }
        s
    }

    ranges_of_all_numbers_of_32_bits: u32, |i| {
        let (low, high) = (i as u32 & 1, u32::MAX - (i as u32 & 2));
        let mut s = 0_u32;
        s += (0..=u32::MAX).step_by(0xffff_ffff).count() as u32 * 10;
        for k in (low..=high).step_by(0xffff_fffe) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        for k in (low..=high).skip(0xffff_fff0) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        for (k, x) in (low..=high).rev().zip(high - 3..=u32::MAX) {
            s = s.wrapping_mul(3).wrapping_add(k ^ x);
        }
        for k in (i32::MIN + i..=i32::MAX).step_by(0x2000_0000).take(i as usize + 1) {
            s = s.wrapping_mul(3).wrapping_add(k as u32);
        }
        for (k, x) in [1, 2, 3].iter().filter(|x| **x > i % 2).zip(low..=high) {
            s = s.wrapping_mul(3).wrapping_add(*k as u32 * x);
        }
        for k in (5 + low..=low * 9).chain(low..=low + 1) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        for (k, x) in (low..=high).zip(low..=low + i as u32) {
            s = s.wrapping_mul(3).wrapping_add(k + x);
        }
        s = s.wrapping_add((low..=high).nth(0xffff_fffd).unwrap_or(5)).wrapping_add((low..=high).max().unwrap_or(6));
        s.wrapping_add((5 + low..=low).max().unwrap_or(7)).wrapping_add((low..=high).last().unwrap_or(8))
    }

    chains_with_more_items_than_32_bits_count: u32, |i| {
        let high = u32::MAX - i as u32;
        let mut s = 0_u32;
        for k in (0..high).chain(7..9).rev().take(4) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        for k in (0..0xc000_0000_u32 + i as u32).chain(0..0xc000_0000).step_by(0x2000_0000) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        for k in (0..high).chain(0..high).chain(4..6).skip(0xffff_ffff).skip(0xffff_fff0 - i as usize).take(70) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        for k in [1, 2].iter().copied().chain(i as u32..).take(5) {
            s = s.wrapping_mul(3).wrapping_add(k);
        }
        s
    }

    first_and_last_of_ranges: i64, |i| {
        let high = 2_000_000_000 + i;
        let mut s = (3..high).last().unwrap_or(0) as i64 + (3..=high).nth(1_000_000_000).unwrap_or(0) as i64;
        s += (i..high).max().unwrap_or(0) as i64 * 3 + (i..=high).min().unwrap_or(0) as i64 * 7;
        s += (i..9).rev().last().unwrap_or(1) as i64 * 5 + (i..=8).rev().min().unwrap_or(1) as i64 * 11;
        s += (i..9).skip(7).max().unwrap_or(1) as i64 * 13 + (i..12).take(3).rev().max().unwrap_or(1) as i64 * 17;
        s += (i..9).step_by(3).rev().min().unwrap_or(1) as i64 * 19 + (i..9).step_by(2).max().unwrap_or(1) as i64 * 23;
        s ^= ((i..3).max().unwrap_or(-1) as i64) ^ ((i..=3).last().unwrap_or(-1) as i64) << 8;
        s ^ ((i..3).nth(2).unwrap_or(-1) as i64) << 12 ^ ((0..i).min().unwrap_or(-1) as i64) << 16
    }

    keys_are_asked_for_once: i32, |i| {
        let a = [5, 6, 7 + i, 8, 6];
        let mut asked = 0;
        let most = a.iter().copied().max_by_key(|x| { asked = asked * 10 + x % 10; *x % 3 }).unwrap_or(0);
        let least = a.iter().copied().min_by_key(|x| { asked += 1; (*x + asked) % 4 }).unwrap_or(0);
        let one = [i].into_iter().max_by_key(|x| { asked += 100; *x }).unwrap_or(9);
        let none = a.iter().copied().skip(9).min_by_key(|x| { asked += 1000; *x }).unwrap_or(9);
        let mut v = 0;
        let changed = [3, 2, 1].iter().map(|x| { v += 1; *x }).max_by_key(|x| *x * asked).unwrap_or(0);
        let nested = a.iter().copied()
            .max_by_key(|x| a.iter().copied()
                .min_by_key(|y| a.iter().copied().max_by_key(|z| (x ^ y) * z).unwrap_or(1))
                .unwrap_or(0))
            .unwrap_or(0);
        asked + most * 3 + least * 5 + one * 7 + none * 11 + changed * 13 + v * 17 + nested * 19
    }

    tuples_are_keys_and_items: i32, |i| {
        let a = [(3, i), (1, 7), (3, 2), (1, i)];
        let most = a.iter().copied().max().unwrap_or((0, 0));
        let least = a.into_iter().min().unwrap_or((0, 0));
        let by_pair = a.iter().copied().max_by_key(|x| (x.1, -x.0, x.0 == x.1)).unwrap_or((0, 0));
        most.0 + most.1 * 3 + least.0 * 5 + least.1 * 7 + by_pair.0 * 11 + by_pair.1 * 13
    }

    lengths_ask_for_no_item: i32, |i| {
        let a = [4, i, 9, 2, 3];
        let mut n = 0;
        let b = a.iter().map(|x| { n += 1; *x }).len() + a.iter().copied().inspect(|x| n += *x).skip(2).len() * 10;
        let c = a.iter().map(|x| { n += 1; *x }).take(i as usize).step_by(2).len() * 100;
        let d = (0..i).map(|x| { n += 1; x }).rev().enumerate().len() * 1000;
        n + b as i32 + c as i32 + d as i32
    }

    functions_without_effects_stand_before_zip: i32, |i| {
        let (a, b) = ([i, 2, 3], [5, i + 1, 7, 9]);
        let mut s = 0;
        for (x, y) in a.iter().zip(b.iter().copied().map(square)) {
            s = s * 3 + x * y;
        }
        for x in a.iter().copied().chain(b.into_iter().map(square)) {
            s = s * 3 + x;
        }
        s %= 1000;
        for x in a.iter().copied().map(square).chain(b.into_iter().map(sum_below)) {
            s = s * 3 + x;
        }
        for (k, x) in a.iter().copied().map(square).enumerate().rev() {
            s = s * 3 + x + k as i32;
        }
        for x in b.iter().copied().map(square).skip(1).rev() {
            s = s * 3 + x;
        }
        s %= 1000;
        let points = [Point(i), Point(4)];
        for (x, y) in a.iter().zip(points.iter().map(|point| point.twice())) {
            s = s * 3 + x * y;
        }
        for (x, y) in a.iter().zip(b.iter().map(|y| { let mut t = 1; for k in 0..*y { t += k; } t })) {
            s = s * 3 + x * y;
        }
        s
    }

    zip_behind_an_effect_where_this_side_is_no_longer: i32, |i| {
        let (a, b) = ([i, 2, 3], [5, i + 1, 7]);
        let mut log = 0;
        let mut s = 0;
        for (x, y) in a.iter().map(|x| { log = log * 3 + x; *x }).zip(b.iter()) {
            s += x * y;
        }
        s += log;
        s * 100 + a.iter().map(|x| { log += 1; *x }).zip(0..).map(|(x, k)| x * k).sum::<i32>() + log
    }
}

/// Numbers from this one on, which wrap: `a..` does in a kernel, and in plain Rust without checks for overflow.
macro_rules! wrapping {
    ($first:literal, $n:literal) => {
        (0..$n).fold(0_i64, |s, k| s * 1000 + i64::from($first.wrapping_add(k)))
    };
}

#[test]
fn numbers_without_an_end_wrap() {
    let some = wrapping!(254_u8, 4) + wrapping!(126_i8, 3);
    let more = wrapping!(65533_u16, 4) ^ wrapping!(32767_i16, 3);
    let expected = [some, more, 256 * 3 + 1, 4_294_967_295, i64::MAX ^ i64::MIN];
    for (name, target) in launchers().filter(|(name, _)| name != "native") {
        let out = ArrayView::<i64>::without_source([5]).expect("there is memory");
        let run = parallel_for_each!((&target, Extent([1])), |p| {
            let _ = p;
            let a = (254_u8..).take(4).fold(0_i64, |s, k| s * 1000 + k as i64);
            out[0] = a + (126_i8..).take(3).fold(0_i64, |s, k| s * 1000 + k as i64);
            let b = [1, 2, 3, 4].iter().zip(65533_u16..).fold(0_i64, |s, (_, k)| s * 1000 + k as i64);
            out[1] = b ^ (32767_i16..).enumerate().take(3).fold(0_i64, |s, (_, k)| s * 1000 + k as i64);
            let mut zeros = 0;
            for k in (253_u8..).skip(2).filter(|k| *k == 0).take(3) {
                zeros += k as i64 + 256;
            }
            out[2] = zeros + (250_u8..).step_by(7).nth(1).unwrap_or(9) as i64;
            out[3] = (u32::MAX - 1..).take(3).fold(0_i64, |s, k| s + k as i64) - 4_294_967_294;
            out[4] = (i64::MAX..).take(2).fold(0_i64, |s, k| s ^ k);
        });
        run.unwrap_or_else(|error| panic!("on {name}: {error}"));
        assert_eq!(out.to_vec().expect("the elements can be read"), expected, "on {name}");
    }
}

#[amp]
fn square(x: i32) -> i32 {
    x * x
}

#[amp]
fn sum_below(n: i32) -> i32 {
    let (mut sum, mut both) = (0, (0, 1));
    for k in 0..n {
        sum += k;
        both.1 += sum;
    }
    both.0 - both.1
}

#[derive(Clone, Copy, AmpStruct)]
struct Point(i32);

#[amp]
impl Point {
    fn twice(&self) -> i32 {
        self.0 * 2
    }
}

#[amp]
fn deny(x: i32) -> i32 {
    if x == 1 {
        error!("denied {}", x);
    }
    x
}

#[amp]
fn through<F: Fn(i32) -> i32 + Copy>(a: &[i32; 3], f: F) -> i32 {
    a.iter().map(|x| Some(*x).map(f).unwrap_or(0)).skip(2).sum()
}

#[amp]
fn handed_twice<F: Fn(i32) -> i32 + Copy>(a: &[i32; 3], f: F) -> i32 {
    a.iter().map(|x| through(&[*x; 3], f)).skip(1).sum()
}

/// The errors of a launch of one thread, on each target.
fn errors(run: impl Fn(Launch<Extent<1>>, &ArrayView<'_, i32>) -> tilewise::Result<()>) -> Vec<String> {
    let error = |(name, target): (String, AcceleratorView)| {
        let view = ArrayView::<i32>::without_source([1]).expect("there is memory");
        match run(Launch::new(Extent([1])).on(&target), &view).and_then(|()| view.into_vec()) {
            Ok(values) => panic!("on {name}: {values:?}"),
            Err(error) => error.to_string(),
        }
    };
    launchers().map(error).collect()
}

#[test]
fn a_function_that_is_handed_on_by_its_name_runs_for_items_that_are_skipped() {
    let by_option = errors(|launch, v| {
        parallel_for_each!(launch, |i| {
            let a = [1, 2, 3];
            v[i] = a.iter().map(|x| Some(*x).map(deny).unwrap_or(0)).skip(2).sum::<i32>();
        })
    });
    let by_for_each = errors(|launch, v| {
        parallel_for_each!(launch, |i| {
            let rows = [[1, 2], [3, 4], [5, 6]];
            v[i] = rows
                .iter()
                .map(|r| {
                    r.iter().copied().for_each(|x| {
                        deny(x);
                    });
                    r[0]
                })
                .skip(1)
                .sum::<i32>();
        })
    });
    let by_map = errors(|launch, v| {
        parallel_for_each!(launch, |i| {
            let rows = [[1, 2], [3, 4], [5, 6]];
            v[i] = rows.iter().map(|r| r.iter().copied().map(deny).sum::<i32>()).skip(1).sum::<i32>();
        })
    });
    for error in by_option.iter().chain(&by_for_each).chain(&by_map) {
        assert!(error.contains("denied 1"), "{error}");
    }
}

#[test]
fn a_guard_that_hands_a_function_on_asks_it_for_each_alternative() {
    let all = errors(|launch, v| {
        parallel_for_each!(launch, |i| {
            v[i] = match (i[0], 1) {
                (x, 2) | (_, x) if Some(x).map(deny).unwrap_or(0) == 1 => 1,
                _ => 2,
            };
        })
    });
    assert!(all.iter().all(|error| error.contains("denied 1")), "{all:?}");
}

#[test]
fn a_closure_that_is_handed_on_by_a_name_or_a_parameter_writes_for_items_that_are_skipped() {
    on_all(&[1233, 1233], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let f = |x: i32| {
                v[i] = v[i] * 10 + x;
                x
            };
            let sum = [1, 2, 3].iter().map(|x| Some(*x).map(f).unwrap_or(0)).skip(2).sum::<i32>();
            v[i] = v[i] * 10 + sum;
        })
    });
    on_all(&[1233, 1233], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let sum = through(&[1, 2, 3], |x| {
                v[i] = v[i] * 10 + x;
                x
            });
            v[i] = v[i] * 10 + sum;
        })
    });
    on_all(&[109, 109], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            let f = |x: i32| {
                v[i] = v[i] + 10 + x;
                x
            };
            let g = |x: i32| f(x) + 1;
            let sum =
                [1, 2, 3].iter().map(|x| through(&[*x; 3], g)).skip(2).sum::<i32>() + handed_twice(&[0, 1, 2], |x| x);
            v[i] = v[i] - sum + 8;
        })
    });
}

/// The text of a refusal, which is the same on each target that compiles kernels.
fn refusal(run: impl Fn(Launch<Extent<1>>, &ArrayView<'_, i32>) -> tilewise::Result<()>) -> String {
    let target = Accelerator::new("reference").expect("it is always there").default_view();
    let view = ArrayView::<i32>::without_source([1]).expect("there is memory");
    run(Launch::new(Extent([1])).on(&target), &view).expect_err("it is refused").to_string()
}

#[test]
fn effects_whose_number_is_not_specified_are_refused() {
    let in_zip = refusal(|launch, v| {
        parallel_for_each!(launch, |i| {
            let a = [1, 2, 3];
            v[i] = a.iter().zip(a.iter().copied().map(deny)).map(|(x, y)| x * y).sum::<i32>();
        })
    });
    assert!(in_zip.contains("`map` cannot stand in the argument of `zip`"), "{in_zip}");
    let before_chain = refusal(|launch, v| {
        parallel_for_each!(launch, |i| {
            let (a, mut n) = ([1, 2, 3], 0);
            v[i] = a
                .iter()
                .map(|x| {
                    n += x;
                    n
                })
                .chain(7..9)
                .sum::<i32>();
        })
    });
    assert!(before_chain.contains("`chain` cannot stand behind `map`"), "{before_chain}");
    let before_zip = refusal(|launch, v| {
        parallel_for_each!(launch, |i| {
            let (a, b, mut n) = ([1, 2, 3], [4, 5], 0);
            v[i] = a
                .iter()
                .map(|x| {
                    n += x;
                    n
                })
                .zip(b.iter())
                .map(|(x, y)| x * y)
                .sum::<i32>();
        })
    });
    assert!(before_zip.contains("this side may be shorter"), "{before_zip}");
    let of_a_filter = refusal(|launch, v| {
        parallel_for_each!(launch, |i| {
            let a = [1, 2, 3];
            v[i] = a.iter().zip(a.iter().filter(|x| **x > 1)).map(|(x, y)| x * y).sum::<i32>();
        })
    });
    assert!(of_a_filter.contains("`filter` cannot stand in the argument of `zip`"), "{of_a_filter}");
}
