//! In `#[amp]` functions that the host calls.

use tilewise::prelude::*;
use tilewise::{Scalar, amp};

#[amp]
fn softened<T: Scalar>(a: T, b: T, limit: T) -> T {
    let sum = (a + b).min(limit);
    if sum < T::default() { T::ZERO } else { sum.clamp(T::ONE, limit) % limit }
}

#[amp]
fn mixed(x: f32, n: u32, k: usize) -> f32 {
    let literal = 2.0;
    let root: f32 = literal.sqrt();
    let bits = x.to_bits().swap_bytes().wrapping_add(n.min(5));
    let (sum, over) = 0x7fff_ffff.overflowing_add(n as i32);
    let wide = f64::from(x).mul_add(2.0, f64::from(n)) + i64::from(sum).abs() as f64;
    let last = k.wrapping_sub(1).count_ones() + u32::from(over);
    f32::from_bits(bits).abs() + root + wide as f32 + last as f32 + f32::max(x, 1.0).powi(2)
}

#[amp]
fn decibels(x: f32) -> f32 {
    20.0 * fast_math::log10(fast_math::fmax(fast_math::fabs(x), 1e-6))
}

#[amp]
fn by_reference(x: &f32, n: &mut u32) -> f32 {
    *n = n.leading_zeros();
    x.floor()
}

#[test]
fn generic_functions_have_the_operators_and_methods_of_every_number() {
    assert_eq!(softened(2.0_f32, 3.0, 4.5), 0.0);
    assert_eq!(softened(2, 3, 7), 5);
    assert_eq!(softened(-2_i64, 1, 7), 0);
    assert_eq!(softened(1_u64, 1, 9), 2);
}

#[test]
fn literals_and_conversions_are_inferred_as_in_rust() {
    let bits = 1.5_f32.to_bits().swap_bytes().wrapping_add(1);
    let wide = 1.5_f64.mul_add(2.0, 1.0) + 2_147_483_648.0;
    let expected = f32::from_bits(bits).abs() + 2.0_f32.sqrt() + wide as f32 + 33.0 + 1.5 * 1.5;
    // `usize` has 32 bits in what a kernel can run: 0 - 1 has 32 ones.
    assert_eq!(mixed(1.5, 1, 0), expected);
}

#[test]
fn fast_math_is_callable_from_marked_functions() {
    assert_eq!(decibels(-100.0), 40.0);
    assert_eq!(decibels(0.0), decibels(1e-7));
}

#[test]
fn methods_of_what_is_borrowed_work() {
    let mut n = 1;
    assert_eq!(by_reference(&2.5, &mut n), 2.0);
    assert_eq!(n, 31);
}
