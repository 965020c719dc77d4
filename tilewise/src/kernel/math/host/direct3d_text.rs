//! Written from the kernel library `ir/src/math/direct3d/direct3d.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;

#[inline]
fn slope(i: i32) -> f32 {
    let h0: u32 = i as u32;
    let h1: u32 = (h0 ^ (h0 >> 16_u32)).wrapping_mul(0x7feb352d_u32);
    let h2: u32 = (h1 ^ (h1 >> 15_u32)).wrapping_mul(0x846ca68b_u32);
    let h3: u32 = h2 ^ (h2 >> 16_u32);
    ((h3 >> 8_u32) as f32) * 1.1920929e-7 - 1.0
}

#[inline]
pub(crate) fn noise(x: f32) -> f32 {
    let whole: f32 = x.floor();
    let t: f32 = x - whole;
    let i: i32 = whole as i32;
    let left: f32 = slope(i) * t;
    let right: f32 = slope(i.wrapping_add(1_i32)) * (t - 1.0);
    let fade: f32 = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let blend: f32 = left + fade * (right - left);
    let doubled: f32 = blend + blend;
    let above: f32 = select(doubled < -1.0, -1.0, doubled);
    select(1.0 < above, 1.0, above)
}
