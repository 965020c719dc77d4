//! `usize` and `isize` have 32 bits in a kernel, on `native` too.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tilewise::{Accelerator, AcceleratorView, ArrayView, Error, Extent, Index, Result, amp, parallel_for_each};

use crate::on_all;

/// Numbers at the ends of what 32 bits hold, and some within.
const NUMBERS: [u32; 12] =
    [0, 1, 2, 3, 31, 33, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_0001, 0xffff_fffe, 0xffff_ffff];
const COUNT: i32 = NUMBERS.len() as i32;

#[test]
fn operators_wrap_at_32_bits() {
    let numbers = NUMBERS;
    let results = on_all([COUNT, COUNT, 14], |launch, v: &ArrayView<'_, u64, 3>| {
        parallel_for_each!(launch, |i: Index<3>| {
            let (x, y) = (numbers[i[0]] as usize, numbers[i[1]] as usize);
            let mut z = x;
            match i[2] {
                0 => z = x + y,
                1 => z = x * y,
                2 => z = x * y * y + x,
                3 => z = x << numbers[i[1]],
                4 => z = x >> numbers[i[1]],
                5 => z <<= y,
                6 => z >>= i[1],
                7 => z = !x,
                8 => z += y,
                9 => z *= y,
                10 => z = (x ^ y) | (!x & y),
                // Where Rust panics, `native` says so.
                11 => z = if x >= y { x - y } else { y - x },
                12 => z = if y == 0 { x } else { x / y + x % y },
                _ => z = (x + y) / 3 + if x + y < x { 1 } else { 0 },
            }
            v[i] = z as u64;
        })
    });
    let at = |x: i32, y: i32, op: i32| results[((x * COUNT + y) * 14 + op) as usize];
    for x in 0..COUNT {
        for y in 0..COUNT {
            let (a, b) = (NUMBERS[x as usize], NUMBERS[y as usize]);
            assert_eq!(at(x, y, 0), u64::from(a.wrapping_add(b)));
            assert_eq!(at(x, y, 1), u64::from(a.wrapping_mul(b)));
            assert_eq!(at(x, y, 3), u64::from(a.wrapping_shl(b)));
            assert_eq!(at(x, y, 4), u64::from(a.wrapping_shr(b)));
            assert_eq!(at(x, y, 7), u64::from(!a));
        }
    }
}

#[test]
fn signed_operators_wrap_at_32_bits() {
    let numbers = NUMBERS;
    let results = on_all([COUNT, COUNT, 10], |launch, v: &ArrayView<'_, i64, 3>| {
        parallel_for_each!(launch, |i: Index<3>| {
            let (x, y) = (numbers[i[0]] as i32 as isize, numbers[i[1]] as isize);
            let mut z = -x;
            match i[2] {
                0 => z = x + y,
                1 => z = x * y,
                2 => z = x - y,
                3 => z = x << i[1],
                4 => z = x >> numbers[i[1]],
                5 => z <<= y,
                6 => z = !x,
                7 => z -= y,
                8 => z = if y == 0 { x } else { x / y + x % y },
                _ => z *= y,
            }
            v[i] = z as i64;
        })
    });
    let at = |x: i32, y: i32, op: i32| results[((x * COUNT + y) * 10 + op) as usize];
    for x in 0..COUNT {
        for y in 0..COUNT {
            let (a, b) = (NUMBERS[x as usize] as i32, NUMBERS[y as usize] as i32);
            assert_eq!(at(x, y, 0), i64::from(a.wrapping_add(b)));
            assert_eq!(at(x, y, 1), i64::from(a.wrapping_mul(b)));
            assert_eq!(at(x, y, 2), i64::from(a.wrapping_sub(b)));
            assert_eq!(at(x, y, 4), i64::from(a.wrapping_shr(b as u32)));
        }
    }
}

#[test]
fn sums_products_and_counts_wrap_at_32_bits() {
    let results = on_all([4, 5], |launch, v: &ArrayView<'_, i64, 2>| {
        parallel_for_each!(launch, |i: Index<2>| {
            let k = i[0] as usize;
            let (all, low) = ([3_000_000_000 + k, 2_000_000_000, 7], [isize::MIN + i[0] as isize, -5, 3]);
            v[i] = match i[1] {
                0 => all.iter().sum::<usize>() as i64,
                1 => [70_000 + k, 70_000].into_iter().product::<usize>() as i64,
                2 => low.iter().copied().sum::<isize>() as i64,
                3 => (0..10_000_000_000_u64 + k as u64).count() as i64,
                _ => (all.iter().map(|x| x / 2).sum::<usize>() % 1000 + all.iter().sum::<usize>() / 3) as i64,
            };
        })
    });
    for k in 0..4_i32 {
        let (at, n) = (|what: i32| results[(k * 5 + what) as usize], k as u32);
        assert_eq!(at(0), i64::from((3_000_000_000 + n).wrapping_add(2_000_000_007)));
        assert_eq!(at(1), i64::from((70_000 + n).wrapping_mul(70_000)));
        assert_eq!(at(2), i64::from((i32::MIN + k).wrapping_sub(2)));
        assert_eq!(at(3), i64::from(1_410_065_408 + n));
        assert_eq!(at(4), i64::from((1_500_000_000 + n / 2 + 1_000_000_003) % 1000 + (705_032_711 + n) / 3));
    }
}

#[test]
fn behind_the_largest_number_of_a_range_without_an_end_comes_the_smallest() {
    let results = on_all([4, 5], |launch, v: &ArrayView<'_, i64, 2>| {
        parallel_for_each!(launch, |i: Index<2>| {
            let k = i[0] as usize;
            let mut from = usize::MAX - k..;
            from.next();
            let mut sum = 0;
            for x in usize::MAX - k.. {
                sum += x as i64;
                if x == 2 {
                    break;
                }
            }
            v[i] = match i[1] {
                0 => from.next().map_or(-1, |x| x as i64),
                1 => (k..).step_by(3_000_000_000).nth(2).map_or(-1, |x| x as i64),
                2 => [1, 2, 3].iter().zip(usize::MAX - 1..).map(|(x, n)| x * n as i64).sum::<i64>(),
                3 => (isize::MAX - 1..).skip(2).nth(k).map_or(-1, |x| x as i64),
                _ => sum,
            };
        })
    });
    for k in 0..4_u32 {
        let at = |what: u32| results[(k * 5 + what) as usize];
        assert_eq!(at(0), i64::from((u32::MAX - k).wrapping_add(1)));
        assert_eq!(at(1), i64::from(1_705_032_704 + k));
        assert_eq!(at(2), 12_884_901_884);
        assert_eq!(at(3), i64::from(i32::MIN) + i64::from(k));
        assert_eq!(at(4), (0..=k).map(|j| i64::from(u32::MAX - j)).sum::<i64>() + 3);
    }
}

type Size = usize;

#[test]
fn casts_are_those_of_32_bits() {
    let (wide, floats) = (
        [0u64, 5, u64::MAX, 1 << 32, 0xffff_ffff, 0x1_8000_0001, 1 << 63],
        [0.0f64, -1.0, 4294967295.0, 4294967296.0, 5e9, 1e30, -5e9, f64::NAN, 2147483648.0, f64::INFINITY],
    );
    let results = on_all([10, 7], |launch, v: &ArrayView<'_, u64, 2>| {
        parallel_for_each!(launch, |i: Index<2>| {
            let (w, f) = (wide[i[0] % 7], floats[i[0]]);
            v[i] = match i[1] {
                0 => w as usize as u64,
                1 => w as isize as u64,
                2 => f as usize as u64,
                3 => f as f32 as Size as u64,
                4 => f as isize as u64,
                5 => (i[0] - 5) as usize as isize as u64,
                _ => ((w as Size) as f32) as u64 + (i[0] > 3) as usize as u64 + (-1isize) as usize as u64,
            };
        })
    });
    assert_eq!(results[5 * 7], 0x8000_0001);
    assert_eq!(results[4 * 7 + 2], 0xffff_ffff, "floats saturate");
}

const NONE: usize = usize::MAX;
const LEAST: isize = isize::MIN;

#[amp]
fn found(x: usize) -> usize {
    if x > 3 { usize::MAX } else { x }
}

#[amp]
fn bits<const N: usize>(x: usize) -> u32 {
    usize::BITS - x.leading_zeros() + isize::BITS * 100 + N as u32
}

#[test]
fn the_largest_number_is_that_of_32_bits() {
    let results = on_all([6, 5], |launch, v: &ArrayView<'_, u64, 2>| {
        parallel_for_each!(launch, |i: Index<2>| {
            let x = i[0] as usize;
            v[i] = match i[1] {
                0 => found(x) as u64,
                1 => {
                    if found(x) == NONE {
                        1
                    } else {
                        (usize::MAX - x) as u64
                    }
                }
                2 => (isize::MAX as i64 + i[0] as i64) as u64,
                3 => (LEAST as i64 + isize::MIN as i64) as u64,
                _ => bits::<5>(x) as u64 + (usize::MIN + x) as u64,
            };
        })
    });
    assert_eq!(results[4 * 5], u64::from(u32::MAX));
    assert_eq!(results[2], i32::MAX as u64);
    assert_eq!(results[5 + 4], 3200 + 1 + 5 + 1);
    // On the host a function is what Rust makes of it.
    assert_eq!(found(4), usize::MAX);
    assert_eq!(bits::<0>(1), usize::BITS - 1_usize.leading_zeros() + isize::BITS * 100);
}

#[amp]
fn hash(x: usize) -> usize {
    let mut h = x;
    for k in 0..6usize {
        h = h * 0x9e37_79b1 + (h >> 15) + k;
        h ^= h << 7;
    }
    h
}

#[test]
fn what_is_computed_for_long_stays_the_same() {
    let results = on_all([1000], |launch, v: &ArrayView<'_, u32>| {
        parallel_for_each!(launch, |i: Index<1>| {
            let h = hash(i[0] as usize);
            let tail = h.wrapping_mul(h).rotate_left(5).wrapping_sub(i[0] as usize);
            let mixed = (h ^ tail).count_ones() ^ h.pow(3) as u32 ^ (h % 1000) as u32;
            v[i] = mixed ^ tail.swap_bytes() as u32;
        })
    });
    assert!(results.iter().any(|&x| x != results[0]));
    // On the host it has 64 bits.
    assert!(catch_unwind(AssertUnwindSafe(|| hash(1 << 20))).map_or(true, |h| h > u32::MAX as usize));
}

fn accelerators() -> impl Iterator<Item = AcceleratorView> {
    ["native", "reference", "jit"].into_iter().map(|path| Accelerator::new(path).unwrap().default_view())
}

fn refused(launch: impl Fn(&AcceleratorView, &ArrayView<'_, u32>) -> Result<()>) -> Vec<String> {
    let text = |av: AcceleratorView| {
        let view = ArrayView::without_source(1).unwrap();
        let text = launch(&av, &view).expect_err("it does not fit").to_string();
        assert!(text.contains("32 bits") && text.contains("width.rs"), "{av:?}: {text}");
        text
    };
    accelerators().map(text).collect()
}

const FAR: usize = 1 << 40;
const FARS: [(i32, isize); 2] = [(1, 5), (2, 1 << 35)];

#[test]
fn a_number_of_more_than_32_bits_in_a_kernel_is_refused_everywhere() {
    refused(|av, v| parallel_for_each!((av, v.extent()), |i| v[i] = (FAR / 1024) as u32));
    refused(|av, v| parallel_for_each!((av, v.extent()), |i| v[i] = FARS[i[0]].0 as u32));
    refused(|av, v| parallel_for_each!((av, v.extent()), |i| v[i] = (i[0] as usize + const { FAR + 1 }) as u32));
    refused(|av, v| parallel_for_each!((av, v.extent()), |i| v[i] = 5_000_000_000usize as u32));
    refused(|av, v| {
        parallel_for_each!((av, v.extent()), |i| {
            let x: usize = 5_000_000_000;
            v[i] = x as u32;
        })
    });
    refused(|av, v| parallel_for_each!((av, v.extent()), |i| v[i] = (3_000_000_000isize + i[0] as isize) as u32));
    refused(|av, v| parallel_for_each!((av, v.extent()), |i| v[i] = (-2_147_483_649 + i[0] as isize) as u32));
    // The number in the pattern is Rust's own.
    refused(|av, v| {
        parallel_for_each!((av, v.extent()), |i| {
            v[i] = match i[0] as usize {
                usize::MAX => 1,
                _ => 2,
            };
        })
    });
    refused(|av, v| {
        parallel_for_each!((av, v.extent()), |i| {
            v[i] = match i[0] as usize {
                0..=5_000_000_000 => 1,
                _ => 2,
            };
        })
    });
}

#[test]
fn a_captured_number_of_more_than_32_bits_is_refused_everywhere() {
    let (far, both) = (u32::MAX as usize + 1, (1i32, [-1isize, i32::MIN as isize - 1]));
    for av in accelerators() {
        let v = ArrayView::<u32>::without_source(1).unwrap();
        for result in [
            parallel_for_each!((&av, v.extent()), |i| v[i] = far as u32),
            parallel_for_each!((&av, v.extent()), |i| v[i] = both.1[0] as u32),
        ] {
            let text = result.expect_err("it does not fit").to_string();
            assert!(text.contains("have 32 bits in a kernel"), "{av:?}: {text}");
        }
    }
}

#[test]
fn where_rust_panics_native_says_so() {
    let native = Accelerator::new("native").unwrap().default_view();
    let v = ArrayView::<u32>::without_source(1).unwrap();
    let zero = 0usize;
    let result = parallel_for_each!((&native, v.extent()), |i| v[i] = (zero - 1) as u32);
    if cfg!(debug_assertions) {
        let Err(Error::UnsupportedFeature(text)) = result else { panic!("{result:?}") };
        assert!(text.contains("attempt to subtract with overflow") && text.contains("width.rs"), "{text}");
    } else {
        assert_eq!((result.unwrap(), v.get(0).unwrap()), ((), u32::MAX));
    }
    let extent = Extent([2]);
    let steps = ArrayView::<u32>::without_source(extent).unwrap();
    let most = i32::MAX;
    let result = parallel_for_each!((&native, extent), |i| steps[i] = (most + i[0]) as u32);
    if cfg!(debug_assertions) {
        let Err(Error::UnsupportedFeature(text)) = result else { panic!("{result:?}") };
        assert!(text.contains("attempt to add with overflow"), "{text}");
    }
}

/// What `native` refers to in place of a limit of `usize` is kept once, however often a kernel refers to it.
#[test]
fn a_limit_behind_a_reference_is_kept_once() {
    use tilewise::macro_support::ItemOfOption as _;

    assert!(std::ptr::eq(usize::MAX.for_good(), usize::MAX.for_good()));
    assert_eq!((*4_u8.for_good(), *5_u8.for_good(), *5_i8.for_good()), (4, 5, 5));
    for path in ["native", "reference", "jit"] {
        let on = Accelerator::new(path).unwrap().default_view();
        let v = ArrayView::<u32>::without_source(4).unwrap();
        let run = parallel_for_each!((&on, v.extent()), |i| {
            let own = [9usize, 4, 7];
            let mut least = &usize::MAX;
            for x in &own {
                if x < least {
                    least = x;
                }
            }
            let most = &usize::MAX;
            v[i] = (*least as u32) + (*most == usize::MAX) as u32;
        });
        run.unwrap();
        assert_eq!(v.to_vec().unwrap(), [5; 4], "{path}");
    }
}
