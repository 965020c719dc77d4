//! Written from the kernel library `ir/src/math/precise_math/double_exact.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::macro_support::Op;
use crate::kernel::math::row::row;
use super::select;

#[inline]
pub(crate) fn modf(x: f64) -> [f64; 2] {
    [row::<_, f64>(Op::ModfFract, (x,)), row::<_, f64>(Op::ModfWhole, (x,))]
}

#[inline]
pub(crate) fn remquo(x: f64, y: f64) -> f64 {
    row::<_, f64>(Op::Remainder, (x, y))
}

#[inline]
pub(crate) fn remquo_quotient(x: f64, y: f64) -> i32 {
    let scale: f64 = select(y.abs() > 1.0715086071862673e301, 9.5367431640625e-7, 1.0);
    let b: f64 = y.abs() * scale;
    let part: f64 = x.abs() * scale % (8.0 * b);
    let whole: f64 = (part - row::<_, f64>(Op::Remainder, (part, b))) / b;
    let bits: i32 = whole.round_ties_even() as i32;
    let minus: bool = ((x.to_bits() ^ y.to_bits()) >> 63_u32) != 0_u64;
    let valid: bool = ((x.abs() < f64::INFINITY) & (y.abs() < f64::INFINITY)) & (y != 0.0);
    select(valid, select(minus, bits.wrapping_neg(), bits), 0_i32)
}

#[inline]
pub(crate) fn nextafter(x: f64, y: f64) -> f64 {
    let moved: f64 = select(x < y, x.next_up(), x.next_down());
    let value: f64 = select(x == y, y, moved);
    select(x.is_nan() | y.is_nan(), f64::NAN, value)
}

#[inline]
pub(crate) fn logb(x: f64) -> f64 {
    let usual: f64 = row::<_, i32>(Op::Ilogb, (x,)) as f64;
    let edge: f64 = select(x == 0.0, f64::NEG_INFINITY, x.abs());
    select((x == 0.0) | !(x.abs() < f64::INFINITY), edge, usual)
}

#[inline]
pub(crate) fn scalb(x: f64, n: f64) -> f64 {
    let held: f64 = select(n < -5000.0, -5000.0, n);
    let e: i32 = select(held > 5000.0, 5000.0, held) as i32;
    let finite: f64 = select(n.trunc() == n, row::<_, f64>(Op::Ldexp, (x, e)), f64::NAN);
    let infinite: f64 = x * select(n > 0.0, f64::INFINITY, 0.0);
    let value: f64 = select(n.abs() == f64::INFINITY, infinite, finite);
    select(x.is_nan() | n.is_nan(), f64::NAN, value)
}

#[inline]
pub(crate) fn fpclassify(x: f64) -> i32 {
    let small: i32 = select(x == 0.0, 2_i32, 3_i32);
    let finite: i32 = select(x.abs() < 2.2250738585072014e-308, small, 4_i32);
    let number: i32 = select(x.abs() == f64::INFINITY, 1_i32, finite);
    select(!x.is_nan(), number, 0_i32)
}
