//! `Norm` and `Unorm` (NRM-1 to NRM-5). What computes is compared, to the bit, with operations on
//! plain floats and a clamp, of numbers that a memory may hold: also out of range, and NaN.

use proptest::prelude::{ProptestConfig, Strategy, any, prop, prop_assert_eq, proptest};
use tilewise::graphics::{Norm, Unorm};
use tilewise::prelude::*;

use crate::{checks, launchers};

checks! {
    nrm_1_made_of_numbers_that_are_clamped: [f32; 12] = [0.5, -1.0, 1.0, 0.25, -1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 0.0, 1.0]; {
        [
            Norm::new(0.5).get(), Norm::from(-1.5).get(), Norm::from(7).get(), Norm::from(0.25_f32).get(),
            Norm::from(-3_i32).get(), Norm::from(3_u32).get(), Unorm::new(0.5).get(), Unorm::from(-1.5).get(),
            Unorm::from(7).get(), Unorm::from(-0.25_f32).get(), Unorm::from(-3_i32).get(), Unorm::from(3_u32).get(),
        ]
    }

    nrm_1_zero_by_default: [f32; 2] = [0.0; 2]; {
        [Norm::default().get(), Unorm::default().get()]
    }

    nrm_1_a_double_is_rounded_before_it_is_clamped: [u32; 3] = [0x3f80_0000, 0x3eaa_aaab, 0xbeaa_aaab]; {
        let third = 1.0_f64 / 3.0;
        [
            Unorm::from(1.000_000_000_1_f64).get().to_bits(), Unorm::from(third).get().to_bits(),
            Norm::from(-third).get().to_bits(),
        ]
    }

    nrm_2_conversions: [f32; 9] = [-0.5, 0.25, 0.25, 0.25, 0.0, 0.75, -0.5, 0.25, 0.75]; {
        let (norm, unorm) = (Norm::new(-0.5), Unorm::new(0.25));
        let wide: Norm = unorm.into();
        let number: f32 = norm.into();
        let made: Unorm = 0.75_f32.into();
        [
            f32::from(norm), f32::from(unorm), Norm::from(unorm).get(), unorm.as_norm().get(), norm.as_unorm().get(),
            Norm::new(0.75).as_unorm().get(), number, wide.get(), made.get(),
        ]
    }

    nrm_2_as_doubles: [f64; 2] = [-0.5, 0.25]; {
        [f64::from(Norm::new(-0.5)), f64::from(Unorm::new(0.25))]
    }

    nrm_3_arithmetic: [f32; 14] = [1.0, -0.25, 0.1875, 1.0, 1.0, 0.0, 0.5, 1.0, 0.5, -1.0, -0.75, 1.0, 0.0, 0.25]; {
        let (a, b) = (Norm::new(0.75), Norm::new(0.25));
        let (c, d) = (Unorm::new(0.75), Unorm::new(0.25));
        [
            (a + a).get(), (b - Norm::new(0.5)).get(), (a * b).get(), (a / b).get(), (c + c).get(), (d - c).get(),
            (c - d).get(), (c / d).get(), (a - b).get(), (-a - a).get(), (-a).get(), (-Norm::MIN).get(),
            (d - Unorm::MAX).get(), (Unorm::MAX - c).get(),
        ]
    }

    nrm_3_compound_forms_and_increments: [f32; 9] = [1.0, 0.5, 0.25, 0.5, 1.0, 0.0, -0.75, 1.0, 0.0]; {
        let mut a = Norm::new(0.75);
        a += Norm::new(0.5);
        let add = a;
        a -= Norm::new(0.5);
        let sub = a;
        a *= Norm::new(0.5);
        let mul = a;
        a /= Norm::new(0.5);
        let div = a;
        a.increment();
        let more = a;
        a.decrement();
        let less = a;
        let mut b = Norm::new(0.25);
        b.decrement();
        let (mut c, mut d) = (Unorm::new(0.5), Unorm::new(0.5));
        c.increment();
        d.decrement();
        [
            add.get(), sub.get(), mul.get(), div.get(), more.get(), less.get(), b.get(), c.get(), d.get(),
        ]
    }

    nrm_3_all_six_comparisons: [u32; 4] = [0b011_010, 0b110_001, 0b101_100, 0b110_001]; {
        [
            compared(Norm::new(-0.5), Norm::new(0.25)), compared(Norm::new(0.25), Norm::new(2.0) - Norm::new(0.75)),
            compared(Norm::MAX, Norm::ZERO), compared(Norm::ZERO, -Norm::ZERO),
        ]
    }

    nrm_3_comparisons_of_unorms: [u32; 3] = [0b011_010, 0b110_001, 0b101_100]; {
        [
            compared_unorms(Unorm::new(0.5), Unorm::MAX), compared_unorms(Unorm::new(-1.0), Unorm::ZERO),
            compared_unorms(Unorm::new(0.25), Unorm::MIN),
        ]
    }

    nrm_3_an_order_is_a_value: [i32; 2] = [1, 0]; {
        let (a, b) = (Norm::new(0.25), Norm::new(0.5));
        [
            a.partial_cmp(&b).is_some_and(|order| order.is_lt()) as i32,
            Unorm::MIN.partial_cmp(&Unorm::ZERO).is_some_and(|order| order.is_lt()) as i32,
        ]
    }

    nrm_4_least_greatest_zero: [f32; 6] = [-1.0, 1.0, 0.0, 0.0, 1.0, 0.0]; {
        [
            Norm::MIN.get(), Norm::MAX.get(), Norm::ZERO.get(), Unorm::MIN.get(), Unorm::MAX.get(), Unorm::ZERO.get(),
        ]
    }

    nrm_5_nan_gives_the_least [zero]: [f32; 10] = [-1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 0.0, 1.0, -1.0, 0.0]; {
        let nan = f32::NAN;
        let (norm, unorm) = (Norm::from(zero), Unorm::from(zero));
        [
            Norm::new(nan).get(), Unorm::new(nan).get(), Norm::from(nan).get(), Unorm::from(nan as f64).get(),
            (norm / norm).get(), (unorm / unorm).get(), (-(norm / norm) / norm - Norm::MAX).get(),
            (Unorm::MAX / unorm).get(), (Norm::MIN / norm).get(), Norm::new(nan).as_unorm().get(),
        ]
    }
}

/// `==`, `<`, `>`, `!=`, `<=`, `>=` as bits, the first the lowest.
#[amp]
fn compared(a: Norm, b: Norm) -> u32 {
    bits([a == b, a < b, a > b, a != b, a <= b, a >= b])
}

#[amp]
fn compared_unorms(a: Unorm, b: Unorm) -> u32 {
    bits([a == b, a < b, a > b, a != b, a <= b, a >= b])
}

#[amp]
fn bits(all: [bool; 6]) -> u32 {
    let mut out = 0;
    for k in 0..6_u32 {
        out |= (all[k as usize] as u32) << k;
    }
    out
}

/// The smaller of two floats, as `min` in kernels.
pub(crate) fn least(a: f32, b: f32) -> f32 {
    if a.is_nan() || b < a || (a == b && b.is_sign_negative()) { b } else { a }
}

/// The larger of two floats, as `max` in kernels.
pub(crate) fn greatest(a: f32, b: f32) -> f32 {
    if a.is_nan() || b > a || (a == b && b.is_sign_positive()) { b } else { a }
}

/// The nearest number from `low` to 1, and `low` for NaN.
pub(crate) fn clamped(x: f32, low: f32) -> f32 {
    if x > 1.0 {
        1.0
    } else if x > low || (x == low && x.is_sign_positive() == low.is_sign_positive()) {
        x
    } else {
        low
    }
}

/// Numbers that a memory may hold.
pub(crate) const HARD: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.25,
    1.0 / 3.0,
    -0.1,
    f32::MIN_POSITIVE,
    -1e-45,
    1.0000001,
    -7.5,
    f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Each with each.
pub(crate) fn pairs(all: &[f32]) -> (Vec<f32>, Vec<f32>) {
    all.iter().flat_map(|&a| all.iter().map(move |&b| (a, b))).unzip()
}

/// All operations of a type, on the host and on every accelerator, against the floats.
macro_rules! model {
    ($($results:ident $expected:ident $compare:ident $t:ident $low:literal: $run:ident;)*) => {$(
        #[amp]
        fn $results(a: $t, b: $t) -> [f32; 18] {
            let (mut add, mut sub, mut mul, mut div, mut more, mut less) = (a, a, a, a, a, a);
            add += b;
            sub -= b;
            mul *= b;
            div /= b;
            more.increment();
            less.decrement();
            [
                (a + b).get(), (a - b).get(), (a * b).get(), (a / b).get(), add.get(), sub.get(), mul.get(), div.get(),
                more.get(), less.get(), a.min(b).get(), a.max(b).get(), a.clamp(b, $t::MAX).get(),
                $t::new(a.get()).get(), Norm::new(a.get()).as_unorm().get(), Unorm::new(a.get()).as_norm().get(),
                Norm::new(a.get()).abs().get(), (-Norm::new(a.get())).get(),
            ]
        }

        fn $expected(a: f32, b: f32) -> [f32; 18] {
            let held = |x| clamped(x, $low);
            let norm = clamped(a, -1.0);
            [
                held(a + b), held(a - b), held(a * b), held(a / b), held(a + b), held(a - b), held(a * b), held(a / b),
                held(a + 1.0), held(a - 1.0), held(least(a, b)), held(greatest(a, b)),
                held(least(held(greatest(a, b)), 1.0)), held(a), clamped(norm, 0.0), clamped(a, 0.0), norm.abs(), -norm,
            ]
        }

        fn $run(a: &[f32], b: &[f32]) {
            let of = |x: &f32| $t::within(*x);
            let expected: Vec<[u32; 18]> =
                a.iter().zip(b).map(|(&a, &b)| $expected(a, b).map(f32::to_bits)).collect();
            let relations: Vec<u32> = a.iter().zip(b).map(|(&a, &b)| order_of_floats(a, b)).collect();
            for ((a, b), expected) in a.iter().zip(b).zip(&expected) {
                assert_eq!($results(of(a), of(b)).map(f32::to_bits), *expected, "of {a} and {b} on the host");
            }
            for (target, view) in launchers() {
                let (x, y) = (ArrayView::from_vec(a.len(), a.iter().map(of).collect()), b.iter().map(of).collect());
                let (x, y) = (x.expect("there is room"), ArrayView::from_vec(b.len(), y).expect("there is room"));
                let out = ArrayView::from_vec(a.len(), vec![[0_u32; 18]; a.len()]).expect("there is room");
                let orders = ArrayView::from_vec(a.len(), vec![0_u32; a.len()]).expect("there is room");
                let launched = parallel_for_each!((&view, x.extent()), |i| {
                    let all = $results(x[i], y[i]);
                    let mut written = [0; 18];
                    for k in 0..18 {
                        written[k] = all[k].to_bits();
                    }
                    out[i] = written;
                    orders[i] = $compare(x[i], y[i]);
                });
                launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
                let found = out.into_vec().expect("the elements can be read");
                for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    assert_eq!(found, expected, "of {} and {} on {target}", a[i], b[i]);
                }
                assert_eq!(orders.into_vec().expect("the elements can be read"), relations, "on {target}");
            }
        }
    )*};
}

/// [`compared`] of floats.
fn order_of_floats(a: f32, b: f32) -> u32 {
    bits([a == b, a < b, a > b, a != b, a <= b, a >= b])
}

model! {
    of_norms norms_expected compared Norm -1.0: norms_agree;
    of_unorms unorms_expected compared_unorms Unorm 0.0: unorms_agree;
}

#[test]
fn nrm_1_and_3_norms_compute_as_floats_that_are_clamped() {
    let (a, b) = pairs(&HARD);
    norms_agree(&a, &b);
}

#[test]
fn nrm_1_and_3_unorms_compute_as_floats_that_are_clamped() {
    let (a, b) = pairs(&HARD);
    unorms_agree(&a, &b);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn any_floats_in_memory(all in prop::collection::vec(any::<u32>().prop_map(f32::from_bits), 12)) {
        let (a, b) = pairs(&all);
        norms_agree(&a, &b);
        unorms_agree(&a, &b);
        prop_assert_eq!(a.len(), 144);
    }
}
