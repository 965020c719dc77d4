//! Written from the kernel library `ir/src/math/precise_math/single_root.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;

#[inline]
fn single_reciprocal_cbrt(x: f32) -> f64 {
    let third: i32 = (((x.to_bits() as i32) as f32) * 0.33333334) as i32;
    let r0: f32 = f32::from_bits(0x54a1f000_i32.wrapping_sub(third) as u32);
    let h0: f32 = 1.0 - x * r0 * (r0 * r0);
    let r1: f64 = (r0 + r0 * (h0 * (0.33333334 + h0 * (0.22222222 + h0 * 0.17283951)))) as f64;
    let d: f64 = x as f64;
    let h: f64 = (-(d * r1)).mul_add(r1 * r1, 1.0);
    let series: f64 = h.mul_add(h.mul_add(0.1728395061728395, 0.2222222222222222), 0.3333333333333333);
    (r1 * h).mul_add(series, r1)
}

#[inline]
pub(crate) fn cbrtf(x: f32) -> f32 {
    let a: f32 = x.abs();
    let denormal: bool = a < 1.1754944e-38;
    let scaled: f32 = select(denormal, a * 16777216.0, a);
    let r: f64 = single_reciprocal_cbrt(scaled);
    let d: f64 = scaled as f64;
    let y: f64 = d * (r * r);
    let size: f64 = ((-(y * y)).mul_add(y, d) * (r * r)).mul_add(0.3333333333333333, y) * select(denormal, 0.00390625, 1.0);
    select(a < f32::INFINITY, (size as f32).copysign(x), x)
}

#[inline]
pub(crate) fn rcbrtf(x: f32) -> f32 {
    let a: f32 = x.abs();
    let denormal: bool = a < 1.1754944e-38;
    let scaled: f32 = select(denormal, a * 16777216.0, a);
    let r: f64 = single_reciprocal_cbrt(scaled) * select(denormal, 256.0, 1.0);
    let size: f32 = select(a == 0.0, f32::INFINITY, select(a == f32::INFINITY, 0.0, r as f32));
    select(!x.is_nan(), size.copysign(x), x)
}

#[inline]
pub(crate) fn rsqrtf(x: f32) -> f32 {
    (1.0 / (x as f64).sqrt()) as f32
}
