//! Written from the kernel library `ir/src/math/precise_math/single_exact.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::macro_support::Op;
use crate::kernel::math::row::row;
use super::select;

#[inline]
pub(crate) fn modff(x: f32) -> [f32; 2] {
    [row::<_, f32>(Op::ModfFract, (x,)), row::<_, f32>(Op::ModfWhole, (x,))]
}

#[inline]
pub(crate) fn remquof(x: f32, y: f32) -> f32 {
    row::<_, f32>(Op::Remainder, (x, y))
}

#[inline]
pub(crate) fn remquof_quotient(x: f32, y: f32) -> i32 {
    let b: f64 = y.abs() as f64;
    let part: f64 = (x.abs() as f64) % (8.0 * b);
    let whole: f64 = (part - row::<_, f64>(Op::Remainder, (part, b))) / b;
    let bits: i32 = whole.round_ties_even() as i32;
    let minus: bool = x.is_sign_negative() != y.is_sign_negative();
    let valid: bool = ((x.abs() < f32::INFINITY) & (y.abs() < f32::INFINITY)) & (y != 0.0);
    select(valid, select(minus, bits.wrapping_neg(), bits), 0_i32)
}

#[inline]
pub(crate) fn nextafterf(x: f32, y: f32) -> f32 {
    let moved: f32 = select(x < y, x.next_up(), x.next_down());
    let value: f32 = select(x == y, y, moved);
    select(x.is_nan() | y.is_nan(), f32::NAN, value)
}

#[inline]
pub(crate) fn logbf(x: f32) -> f32 {
    let usual: f32 = row::<_, i32>(Op::Ilogb, (x,)) as f32;
    let edge: f32 = select(x == 0.0, f32::NEG_INFINITY, x.abs());
    select((x == 0.0) | !(x.abs() < f32::INFINITY), edge, usual)
}

#[inline]
pub(crate) fn scalbf(x: f32, n: f32) -> f32 {
    let held: f32 = select(n < -5000.0, -5000.0, n);
    let e: i32 = select(held > 5000.0, 5000.0, held) as i32;
    let finite: f32 = select(n.trunc() == n, row::<_, f32>(Op::Ldexp, (x, e)), f32::NAN);
    let infinite: f32 = x * select(n > 0.0, f32::INFINITY, 0.0);
    let value: f32 = select(n.abs() == f32::INFINITY, infinite, finite);
    select(x.is_nan() | n.is_nan(), f32::NAN, value)
}

#[inline]
pub(crate) fn fpclassifyf(x: f32) -> i32 {
    let small: i32 = select(x == 0.0, 2_i32, 3_i32);
    let finite: i32 = select(x.abs() < 1.1754944e-38, small, 4_i32);
    let number: i32 = select(x.abs() == f32::INFINITY, 1_i32, finite);
    select(!x.is_nan(), number, 0_i32)
}
