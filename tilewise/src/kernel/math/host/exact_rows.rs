//! Written from the kernel library `ir/src/math/precise_math/exact_rows.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::macro_support::Op;
use crate::kernel::math::row::row;

#[inline]
pub(crate) fn sqrtf(x: f32) -> f32 {
    x.sqrt()
}

#[inline]
pub(crate) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[inline]
pub(crate) fn fmaf(x: f32, y: f32, z: f32) -> f32 {
    x.mul_add(y, z)
}

#[inline]
pub(crate) fn fma(x: f64, y: f64, z: f64) -> f64 {
    x.mul_add(y, z)
}

#[inline]
pub(crate) fn fmodf(x: f32, y: f32) -> f32 {
    x % y
}

#[inline]
pub(crate) fn fmod(x: f64, y: f64) -> f64 {
    x % y
}

#[inline]
pub(crate) fn remainderf(x: f32, y: f32) -> f32 {
    row::<_, f32>(Op::Remainder, (x, y))
}

#[inline]
pub(crate) fn remainder(x: f64, y: f64) -> f64 {
    row::<_, f64>(Op::Remainder, (x, y))
}

#[inline]
pub(crate) fn nanf(tag: i32) -> f32 {
    f32::from_bits(0x7fc00000_u32 | ((tag as u32) & 0x3fffff_u32))
}

#[inline]
pub(crate) fn nan(tag: i32) -> f64 {
    f64::from_bits(0x7ff8000000000000_u64 | ((tag as u32) as u64))
}
