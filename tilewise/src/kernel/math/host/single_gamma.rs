//! Written from the kernel library `ir/src/math/precise_math/single_gamma.kir` by
//! `tilewise_ir::math::rust`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it
//! anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_gamma::lgamma;
use super::double_gamma::tgamma;

#[inline]
pub(crate) fn lgammaf(x: f32) -> f32 {
    lgamma(x as f64) as f32
}

#[inline]
pub(crate) fn lgammaf_sign(x: f32) -> i32 {
    let whole: f32 = x.floor();
    let half: f32 = 0.5 * whole;
    let odd: bool = half.floor() != half;
    let below: bool = ((x < 0.0) & (whole != x)) & odd;
    select(below | (x.to_bits() == 0x80000000_u32), -1_i32, 1_i32)
}

#[inline]
pub(crate) fn tgammaf(x: f32) -> f32 {
    tgamma(x as f64) as f32
}
