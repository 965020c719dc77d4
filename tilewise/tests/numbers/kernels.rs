//! In kernels: every method of every type, on all targets that run kernels.

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, amp, parallel_for_each};

const TARGETS: [&str; 3] = [Accelerator::NATIVE, Accelerator::REFERENCE, Accelerator::JIT];

fn target(path: &str) -> AcceleratorView {
    Accelerator::new(path).expect("it is everywhere").default_view()
}

/// A checksum with one number more.
#[amp]
fn mixed(sum: u64, x: u64) -> u64 {
    sum.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x
}

macro_rules! integers {
    ($name:ident $t:ident) => {
        #[amp]
        fn $name(x: $t, y: $t, n: u32) -> u64 {
            let mut sum = 0;
            sum = mixed(sum, x.min(y) as u64);
            sum = mixed(sum, x.max(y) as u64);
            sum = mixed(sum, x.clamp(y.min(3), y.max(3)) as u64);
            sum = mixed(sum, x.div_euclid(y) as u64);
            sum = mixed(sum, x.rem_euclid(y) as u64);
            sum = mixed(sum, x.wrapping_add(y) as u64);
            sum = mixed(sum, x.wrapping_sub(y) as u64);
            sum = mixed(sum, x.wrapping_mul(y) as u64);
            sum = mixed(sum, x.wrapping_neg() as u64);
            sum = mixed(sum, x.wrapping_shl(n) as u64);
            sum = mixed(sum, x.wrapping_shr(n) as u64);
            sum = mixed(sum, x.wrapping_pow(n) as u64);
            sum = mixed(sum, x.wrapping_div(y) as u64);
            sum = mixed(sum, x.wrapping_rem(y) as u64);
            sum = mixed(sum, x.wrapping_div_euclid(y) as u64);
            sum = mixed(sum, x.wrapping_rem_euclid(y) as u64);
            sum = mixed(sum, x.saturating_add(y) as u64);
            sum = mixed(sum, x.saturating_sub(y) as u64);
            sum = mixed(sum, x.saturating_mul(y) as u64);
            sum = mixed(sum, x.pow(n) as u64);
            sum = mixed(sum, x.isqrt() as u64);
            sum = mixed(sum, x.ilog2() as u64);
            sum = mixed(sum, x.abs_diff(y) as u64);
            sum = mixed(sum, x.midpoint(y) as u64);
            sum = mixed(sum, x.unbounded_shl(n) as u64);
            sum = mixed(sum, x.unbounded_shr(n) as u64);
            sum = mixed(sum, x.rotate_left(n) as u64);
            sum = mixed(sum, x.rotate_right(n) as u64);
            sum = mixed(sum, x.count_ones() as u64);
            sum = mixed(sum, x.count_zeros() as u64);
            sum = mixed(sum, x.leading_zeros() as u64);
            sum = mixed(sum, x.trailing_zeros() as u64);
            sum = mixed(sum, x.leading_ones() as u64);
            sum = mixed(sum, x.trailing_ones() as u64);
            sum = mixed(sum, x.swap_bytes() as u64);
            sum = mixed(sum, x.reverse_bits() as u64);
            let (low, over) = x.overflowing_add(y);
            sum = mixed(mixed(sum, low as u64), over as u64);
            let (low, over) = x.overflowing_sub(y);
            sum = mixed(mixed(sum, low as u64), over as u64);
            let (low, over) = x.overflowing_mul(y);
            mixed(mixed(sum, low as u64), over as u64)
        }
    };
}

macro_rules! signed {
    ($name:ident $t:ident) => {
        #[amp]
        fn $name(x: $t, y: $t) -> u64 {
            let mut sum = 0;
            sum = mixed(sum, x.abs() as u64);
            sum = mixed(sum, x.signum() as u64);
            sum = mixed(sum, x.unsigned_abs() as u64);
            sum = mixed(sum, x.wrapping_abs() as u64);
            sum = mixed(sum, x.saturating_abs() as u64);
            sum = mixed(sum, x.saturating_neg() as u64);
            sum = mixed(sum, x.is_positive() as u64);
            sum = mixed(sum, x.is_negative() as u64);
            sum = mixed(sum, x.wrapping_add_unsigned(y.unsigned_abs()) as u64);
            sum = mixed(sum, x.wrapping_sub_unsigned(y.unsigned_abs()) as u64);
            sum = mixed(sum, x.cast_unsigned() as u64);
            sum
        }
    };
}

macro_rules! unsigned {
    ($name:ident $t:ident) => {
        #[amp]
        fn $name(x: $t, y: $t) -> u64 {
            let mut sum = 0;
            sum = mixed(sum, x.is_power_of_two() as u64);
            sum = mixed(sum, x.next_power_of_two() as u64);
            sum = mixed(sum, x.div_ceil(y) as u64);
            sum = mixed(sum, x.next_multiple_of(y) as u64);
            sum = mixed(sum, x.is_multiple_of(y) as u64);
            sum = mixed(sum, x.wrapping_add_signed(y.cast_signed()) as u64);
            sum = mixed(sum, x.cast_signed() as u64);
            sum
        }
    };
}

/// Of a NaN the bits are not specified.
macro_rules! floats {
    ($name:ident $bits:ident $t:ident) => {
        #[amp]
        fn $bits(x: $t) -> u64 {
            if x.is_nan() { 1 } else { x.to_bits() as u64 }
        }

        #[amp]
        fn $name(x: $t, y: $t, n: i32) -> u64 {
            let mut sum = $bits($t::from_bits(x.to_bits()));
            sum = mixed(sum, $bits(x.min(y)));
            sum = mixed(sum, $bits(x.max(y)));
            sum = mixed(sum, $bits(x.clamp(y.min(1.5), y.max(1.5))));
            sum = mixed(sum, $bits(x.div_euclid(y)));
            sum = mixed(sum, $bits(x.rem_euclid(y)));
            sum = mixed(sum, $bits(x.abs()));
            sum = mixed(sum, $bits(x.signum()));
            sum = mixed(sum, $bits(x.sqrt()));
            sum = mixed(sum, $bits(x.floor()));
            sum = mixed(sum, $bits(x.ceil()));
            sum = mixed(sum, $bits(x.trunc()));
            sum = mixed(sum, $bits(x.round()));
            sum = mixed(sum, $bits(x.round_ties_even()));
            sum = mixed(sum, $bits(x.fract()));
            sum = mixed(sum, $bits(x.copysign(y.max(-2.0))));
            sum = mixed(sum, $bits(x.mul_add(y, 3.0)));
            sum = mixed(sum, $bits(x.recip()));
            sum = mixed(sum, $bits(x.powi(n)));
            sum = mixed(sum, $bits(x.powi(5)));
            sum = mixed(sum, $bits(x.powi(-3)));
            sum = mixed(sum, $bits(x.powi(0)));
            sum = mixed(sum, $bits(x.to_degrees()));
            sum = mixed(sum, $bits(x.to_radians()));
            sum = mixed(sum, $bits(x.next_up()));
            sum = mixed(sum, $bits(x.next_down()));
            // Functions of `precise_math`.
            sum = mixed(sum, $bits(x.sin()));
            sum = mixed(sum, $bits(x.cos()));
            sum = mixed(sum, $bits(x.tan()));
            let (sine, cosine) = x.sin_cos();
            sum = mixed(mixed(sum, $bits(sine)), $bits(cosine));
            sum = mixed(sum, $bits(x.asin()));
            sum = mixed(sum, $bits(x.acos()));
            sum = mixed(sum, $bits(x.atan()));
            sum = mixed(sum, $bits(x.atan2(y)));
            sum = mixed(sum, $bits(x.midpoint(y)));
            sum = mixed(sum, $bits(x.sinh()));
            sum = mixed(sum, $bits(x.cosh()));
            sum = mixed(sum, $bits(x.tanh()));
            sum = mixed(sum, $bits(x.asinh()));
            sum = mixed(sum, $bits(x.acosh()));
            sum = mixed(sum, $bits(x.atanh()));
            sum = mixed(sum, $bits(x.exp()));
            sum = mixed(sum, $bits(x.exp2()));
            sum = mixed(sum, $bits(x.exp_m1()));
            sum = mixed(sum, $bits(x.ln()));
            sum = mixed(sum, $bits(x.log(y)));
            sum = mixed(sum, $bits(x.log2()));
            sum = mixed(sum, $bits(x.log10()));
            sum = mixed(sum, $bits(x.ln_1p()));
            sum = mixed(sum, $bits(x.powf(y)));
            sum = mixed(sum, $bits(x.cbrt()));
            sum = mixed(sum, $bits(x.hypot(y)));
            let sign = if x.is_nan() { 1.0 } else { x };
            sum = mixed(sum, x.is_nan() as u64);
            sum = mixed(sum, x.is_infinite() as u64);
            sum = mixed(sum, x.is_finite() as u64);
            sum = mixed(sum, x.is_normal() as u64);
            sum = mixed(sum, x.is_subnormal() as u64);
            sum = mixed(sum, sign.is_sign_negative() as u64);
            sum = mixed(sum, sign.is_sign_positive() as u64);
            sum
        }
    };
}

integers!(of_i32 i32);
integers!(of_u32 u32);
integers!(of_i64 i64);
integers!(of_u64 u64);
signed!(signed_i32 i32);
signed!(signed_i64 i64);
unsigned!(unsigned_u32 u32);
unsigned!(unsigned_u64 u64);
floats!(of_f32 bits_of_f32 f32);
floats!(of_f64 bits_of_f64 f64);

/// A function of two numbers, over all combinations of some: the same on every target and on the host.
macro_rules! agree {
    ($function:ident($numbers:expr $(, $n:ident)?)) => {{
        let numbers = $numbers;
        let side = numbers.len();
        // The host would panic for some of the numbers; `native` runs the functions that it has.
        let mut expected = None;
        for path in TARGETS {
            let input = ArrayView::from_vec(side, numbers.to_vec()).unwrap();
            let out = ArrayView::<u64, 2>::without_source((side, side)).unwrap();
            parallel_for_each!(&target(path), out.extent(), |i| {
                out[i] = $function(input[i[0]], input[i[1]] $(, $n)?);
            })
            .unwrap();
            let results = out.to_vec().unwrap();
            assert_eq!(&results, expected.get_or_insert_with(|| results.clone()), "{} on {path}", stringify!($function));
        }
    }};
}

#[test]
fn methods_of_integers_agree_on_all_targets() {
    for n in [0_u32, 1, 5, 31, 32, 63, 64, 100] {
        agree!(of_i32([0, 1, -1, 2, 7, -8, 46_341, i32::MAX, i32::MIN, i32::MIN + 1], n));
        agree!(of_u32([0, 1, 2, 7, 8, 65_536, u32::MAX, u32::MAX - 1, 1 << 31], n));
        agree!(of_i64([0, 1, -1, 2, 7, -8, 1 << 40, i64::MAX, i64::MIN, i64::MIN + 1], n));
        agree!(of_u64([0, 1, 2, 7, 8, 1 << 40, u64::MAX, u64::MAX - 1, 1 << 63], n));
    }
    agree!(signed_i32([0, 1, -1, 2, 7, -8, i32::MAX, i32::MIN, i32::MIN + 1]));
    agree!(signed_i64([0, 1, -1, 2, 7, -8, i64::MAX, i64::MIN, i64::MIN + 1]));
    agree!(unsigned_u32([0, 1, 2, 7, 8, 9, u32::MAX, u32::MAX - 1, 1 << 31]));
    agree!(unsigned_u64([0, 1, 2, 7, 8, 9, u64::MAX, u64::MAX - 1, 1 << 63]));
}

#[test]
fn methods_of_floats_agree_on_all_targets() {
    assert_eq!((bits_of_f32(1.0), bits_of_f64(f64::NAN)), (0x3f80_0000, 1));
    for n in [0, 1, 2, 7, -1, -4, 1000, i32::MIN] {
        agree!(of_f32([0.0, -0.0, 1.0, -1.5, 2.5, 1e-40, -3e38, 8_388_609.0, f32::INFINITY, f32::NAN, 0.1], n));
        agree!(of_f64([0.0, -0.0, 1.0, -1.5, 2.5, 1e-310, -1e308, 4.6e15, f64::INFINITY, f64::NAN, 0.1], n));
    }
}

#[test]
fn indices_have_32_bits_in_kernels() {
    for path in TARGETS {
        let out = ArrayView::<u32, 1>::without_source(4).unwrap();
        let n = 0_usize;
        parallel_for_each!(&target(path), out.extent(), |i| {
            let last = n.wrapping_sub(1);
            out[i] = if i == Index::new(0) {
                last.count_ones()
            } else {
                last.leading_zeros() + n.leading_zeros() + last.min(9) as u32
            };
        })
        .unwrap();
        assert_eq!(out.to_vec().unwrap(), [32, 41, 41, 41], "{path}");
    }
}

#[test]
fn functions_without_receiver_and_fast_math_agree_on_all_targets() {
    let mut results = Vec::new();
    for path in TARGETS {
        let out = ArrayView::<f32, 1>::without_source(200).unwrap();
        parallel_for_each!(&target(path), out.extent(), |i| {
            let x = f32::from(i[0] < 100) + f64::from(i[0]) as f32 * 0.1;
            let y = f32::from_bits(x.to_bits() + u32::from(i[0] > 3))
                + f32::default()
                + f64::from_bits(0x3ff0_0000_0000_0000) as f32;
            let logs = fast_math::log(y) + fast_math::log2(y) * fast_math::log10(y);
            let waves = fast_math::sin(x) - fast_math::cos(y) * fast_math::tan(x) + fast_math::tanh(y);
            let powers = fast_math::exp(-x) + fast_math::exp2(y) * fast_math::pow(x, -y) + fast_math::rsqrt(y);
            let rest = fast_math::fma(x, y, fast_math::sqrt(y))
                + fast_math::fmod(y, fast_math::fmax(x, 1.0))
                + fast_math::ldexp(y, i[0] - 100);
            out[i] = if fast_math::isfinite(logs) { logs + waves + powers + rest } else { fast_math::floor(x) };
        })
        .unwrap();
        let found = out.to_vec().unwrap();
        assert!(found.iter().all(|x| x.is_finite()), "{path}");
        results.push(found.into_iter().map(f32::to_bits).collect::<Vec<_>>());
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn every_method_is_in_these_kernels() {
    let source = include_str!("kernels.rs");
    for (name, scalar) in tilewise_lower::methods::names() {
        assert!(source.contains(&format!(".{name}(")), "{scalar}::{name}");
    }
}
