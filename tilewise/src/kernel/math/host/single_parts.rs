//! Written from the kernel library `ir/src/math/precise_math/single_parts.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_product;

#[inline]
pub(super) fn single_near_middle(y: f64) -> bool {
    (y.to_bits().wrapping_add(2_u64) & 0x1ffffffc_u64) == 0x10000000_u64
}

#[inline]
pub(super) fn single_odd(y: f64, low: f64) -> f64 {
    let inwards: u64 = (y.to_bits() ^ low.to_bits()) >> 63_u32;
    let odd: u64 = y.to_bits().wrapping_sub(inwards) | 1_u64;
    select(low == 0.0, y, f64::from_bits(odd))
}

#[inline]
pub(super) fn single_zero_or(y: f32, x: f32) -> f32 {
    select(x == 0.0, x, y)
}

#[inline]
pub(super) fn single_horner(c: f64, c_low: f64, q: [f64; 2], v: [f64; 2]) -> [f64; 2] {
    let product: [f64; 2] = double_product(q[0], q[1], v[0], v[1]);
    let sum: [f64; 2] = double_fast_two_sum(c, product[0]);
    [sum[0], sum[1] + (product[1] + c_low)]
}
