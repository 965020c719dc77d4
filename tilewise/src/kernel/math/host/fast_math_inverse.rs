//! Written from the kernel library `ir/src/math/fast_math/fast_math_inverse.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::numbers::Numbers;
use super::select;
use super::fast_math::cos;
use super::fast_math::counted;
use super::fast_math::exact_product;
use super::fast_math::sin;
use super::fast_math::two_to;
use super::fast_math::upper_half;

#[inline]
fn atan_tail(t: f32) -> f32 {
    let z: f32 = t * t;
    let p4: f32 = -0.08326852 + z * 0.043580957;
    let p3: f32 = 0.110298075 + z * p4;
    let p2: f32 = -0.1428232 + z * p3;
    let p1: f32 = 0.19999988 + z * p2;
    let p0: f32 = -0.33333334 + z * p1;
    t * (z * p0)
}

#[inline]
fn quotient(n: f32, d: f32, d_low: f32) -> [f32; 3] {
    let r: f32 = 1.0 / d;
    let q: f32 = n * r;
    let q_high: f32 = upper_half(q);
    let d_high: f32 = upper_half(d);
    let d_rest: f32 = d - d_high + d_low;
    let q_low: f32 = (n - q_high * d_high - q_high * d_rest) * r;
    [q_high, q_low, q]
}

#[inline]
fn angle_from(k: f32, high: f32, rest: f32) -> f32 {
    let base: f32 = k * 0.7853985;
    let base_low: f32 = k * -3.1987892e-7;
    base + (high + (rest + base_low))
}

#[inline]
pub(crate) fn atan(x: f32) -> f32 {
    let size: f32 = x.abs();
    let a: f32 = select(1.8446744e19 < size, 1.8446744e19, size);
    let upper: bool = 2.0 < a;
    let middle: bool = 0.5 < a;
    let sum: f32 = a + 1.0;
    let lost: f32 = select(a < 1.0, a - (sum - 1.0), 1.0 - (sum - a));
    let n: f32 = select(upper, -1.0, select(middle, a - 1.0, a));
    let d: f32 = select(upper, a, select(middle, sum, 1.0));
    let d_low: f32 = select(middle & !upper, lost, 0.0);
    let q: [f32; 3] = quotient(n, d, d_low);
    let k: f32 = select(upper, 2.0, select(middle, 1.0, 0.0));
    let magnitude: f32 = angle_from(k, q[0], q[1] + atan_tail(q[2]));
    f32::from_bits(magnitude.to_bits() ^ (x.to_bits() & 0x80000000_u32))
}

#[inline]
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    let y_size: f32 = y.abs();
    let x_size: f32 = x.abs();
    let steep: bool = x_size < y_size;
    let larger: f32 = select(steep, y_size, x_size);
    let smaller: f32 = select(steep, x_size, y_size);
    let infinite: bool = larger == f32::INFINITY;
    let l: f32 = select(infinite, 1.0, larger);
    let s: f32 = select(infinite, select(smaller == f32::INFINITY, 1.0, smaller * 0.0), smaller);
    let exponent: u32 = l.to_bits() >> 23_u32;
    let scale: f32 = f32::from_bits(254_u32.wrapping_sub(Numbers::min(exponent, 253_u32)) << 23_u32);
    let big: f32 = l * scale;
    let small: f32 = s * scale;
    let middle: bool = (big * 0.5) < small;
    let sum: f32 = small + big;
    let n: f32 = select(middle, small - big, small);
    let d: f32 = select(middle, sum, big);
    let d_low: f32 = select(middle, small - (sum - big), 0.0);
    let q: [f32; 3] = quotient(n, select(d == 0.0, 1.0, d), d_low);
    let negative: bool = (x.to_bits() as i32) < 0_i32;
    let in_first: f32 = select(middle, 1.0, 0.0);
    let in_quadrant: f32 = select(steep, 2.0 - in_first, in_first);
    let k: f32 = select(negative, 4.0 - in_quadrant, in_quadrant);
    let flip: u32 = select(steep != negative, 0x80000000_u32, 0_u32);
    let high: f32 = f32::from_bits(q[0].to_bits() ^ flip);
    let rest: f32 = f32::from_bits((q[1] + atan_tail(q[2])).to_bits() ^ flip);
    let magnitude: f32 = angle_from(k, high, rest);
    f32::from_bits((magnitude.to_bits() & 0x7fffffff_u32) | (y.to_bits() & 0x80000000_u32))
}

#[inline]
fn asin_rest(z: f32) -> f32 {
    let p3: f32 = 0.02647912 + z * 0.03823453;
    let p2: f32 = 0.045013454 + z * p3;
    let p1: f32 = 0.0749879 + z * p2;
    let p0: f32 = 0.16666673 + z * p1;
    z * p0
}

#[inline]
pub(crate) fn asin(x: f32) -> f32 {
    let a: f32 = x.abs();
    let far: bool = 0.5 < a;
    let z: f32 = select(far, (1.0 - a) * 0.5, a * a);
    let s: f32 = select(far, z.sqrt(), a);
    let tail: f32 = s * asin_rest(z);
    let near: f32 = s + tail;
    let s_high: f32 = upper_half(s);
    let s_low: f32 = (z - s_high * s_high) / (s + s_high + 1.1754944e-38);
    let from_end: f32 = 1.5707964 - (s_high + s_high) - (2.0 * (s_low + tail) + 4.371139e-8);
    let magnitude: f32 = select(far, from_end, near);
    f32::from_bits(magnitude.to_bits() ^ (x.to_bits() & 0x80000000_u32))
}

#[inline]
pub(crate) fn acos(x: f32) -> f32 {
    let a: f32 = x.abs();
    let far: bool = 0.5 < a;
    let z: f32 = select(far, (1.0 - a) * 0.5, a * a);
    let s: f32 = select(far, z.sqrt(), x);
    let tail: f32 = s * asin_rest(z);
    let near: f32 = 1.5707964 - (s + (4.371139e-8 + tail));
    let twice: f32 = s + s + (tail + tail);
    let from_end: f32 = select(x < 0.0, 3.1415927 - (twice + 8.742278e-8), twice);
    select(far, from_end, near)
}

#[inline]
fn half_exp(a: f32) -> [f32; 2] {
    let counter: f32 = a * 1.442695 + 12582912.0;
    let n: i32 = (counter.to_bits() as i32).wrapping_sub(0x4b400000_i32);
    let k: f32 = counted(counter);
    let r: f32 = a - exact_product(k, 0.69314575) - exact_product(k, 1.4285906e-6);
    let p3: f32 = 0.008363102 + r * 0.0013910772;
    let p2: f32 = 0.04166671 + r * p3;
    let p1: f32 = 0.16666578 + r * p2;
    let p0: f32 = 0.5 + r * p1;
    let rest: f32 = r + r * r * p0;
    let sum: f32 = 1.0 + rest;
    let lost: f32 = 1.0 - sum + rest;
    [two_to(n.wrapping_sub(1_i32), sum), two_to(n.wrapping_sub(1_i32), lost)]
}

#[inline]
pub(crate) fn sinh(x: f32) -> f32 {
    let a: f32 = x.abs();
    let z: f32 = a * a;
    let p2: f32 = 0.00019846641 + z * 2.7571548e-6;
    let p1: f32 = 0.008333297 + z * p2;
    let p0: f32 = 0.16666667 + z * p1;
    let near: f32 = a + a * (z * p0);
    let half: [f32; 2] = half_exp(select(90.0 < a, 90.0, a));
    let far: f32 = half[0] + (half[1] - 0.25 / half[0]);
    let magnitude: f32 = select(a < 1.0, near, far);
    f32::from_bits(magnitude.to_bits() ^ (x.to_bits() & 0x80000000_u32))
}

#[inline]
pub(crate) fn cosh(x: f32) -> f32 {
    let a: f32 = x.abs();
    let half: [f32; 2] = half_exp(select(90.0 < a, 90.0, a));
    half[0] + (half[1] + 0.25 / half[0])
}

#[inline]
pub(crate) fn sincos(x: f32) -> [f32; 2] {
    [sin(x), cos(x)]
}
