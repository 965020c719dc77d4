//! Written from the kernel library `ir/src/math/precise_math/single_inverse.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_product;
use super::double_parts::double_square;
use super::double_parts::double_two_sum;
use super::single_parts::single_horner;
use super::single_parts::single_odd;

#[inline]
fn single_arcsine(s: f64, z: f64) -> f64 {
    let p10: f64 = z.mul_add(0.028297630225962017, -0.010925585599801528);
    let p9: f64 = z.mul_add(p10, 0.01614034449849579);
    let p8: f64 = z.mul_add(p9, 0.007767755936075336);
    let p7: f64 = z.mul_add(p8, 0.011882835885073807);
    let p6: f64 = z.mul_add(p7, 0.013928668016319198);
    let p5: f64 = z.mul_add(p6, 0.017355344968888856);
    let p4: f64 = z.mul_add(p5, 0.022372043041379658);
    let p3: f64 = z.mul_add(p4, 0.030381947512665625);
    let p2: f64 = z.mul_add(p3, 0.04464285710102022);
    let p1: f64 = z.mul_add(p2, 0.07500000000022382);
    let p: f64 = z.mul_add(p1, 0.16666666666666646);
    (s * z).mul_add(p, s)
}

#[inline]
pub(crate) fn asinf(x: f32) -> f32 {
    let a: f64 = (x as f64).abs();
    let above: bool = a > 0.5;
    let z: f64 = select(above, a.mul_add(-0.5, 0.5), a * a);
    let p: f64 = single_arcsine(select(above, z.sqrt(), a), z);
    let size: f64 = select(above, (-2.0_f64).mul_add(p, 1.5707963267948966), p);
    (size as f32).copysign(x)
}

#[inline]
pub(crate) fn acosf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let a: f64 = d.abs();
    let above: bool = a > 0.5;
    let z: f64 = select(above, a.mul_add(-0.5, 0.5), a * a);
    let p: f64 = single_arcsine(select(above, z.sqrt(), d), z);
    let beyond: f64 = select(d < 0.0, (-2.0_f64).mul_add(p, 3.141592653589793), 2.0 * p);
    let y: f32 = select(above, beyond, 1.5707963267948966 - p) as f32;
    let mended: f32 = select(x == 1.5893255e-8, 1.5707964, y);
    select(x == 0.00024868647, 1.5705477, mended)
}

#[inline]
fn single_arctangent(t: f64) -> f64 {
    let z: f64 = t * t;
    let p9: f64 = z.mul_add(-0.0192208649161806, 0.03927065773526003);
    let p8: f64 = z.mul_add(p9, -0.050869285735617484);
    let p7: f64 = z.mul_add(p8, 0.0585846188719363);
    let p6: f64 = z.mul_add(p7, -0.06664551917863903);
    let p5: f64 = z.mul_add(p6, 0.07692186480905326);
    let p4: f64 = z.mul_add(p5, -0.09090904744833628);
    let p3: f64 = z.mul_add(p4, 0.1111111102029676);
    let p2: f64 = z.mul_add(p3, -0.14285714284749473);
    let p1: f64 = z.mul_add(p2, 0.19999999999996138);
    let p: f64 = z.mul_add(p1, -0.3333333333333333);
    (t * z).mul_add(p, t)
}

#[inline]
fn single_arctangent_of(a: f64, b: f64) -> f64 {
    let low: bool = a < (b * 0.4142135623730951);
    let high: bool = b < (a * 0.4142135623730951);
    let above: f64 = select(low, a, select(high, -b, a - b));
    let below: f64 = select(low, b, select(high, a, a + b));
    let base: f64 = select(low, 0.0, select(high, 1.5707963267948966, 0.7853981633974483));
    base + single_arctangent(above / below)
}

#[inline]
pub(crate) fn atanf(x: f32) -> f32 {
    let a: f64 = select(x.abs() < 1.1529215e18, x.abs(), 1.1529215e18) as f64;
    let size: f32 = single_arctangent_of(a, 1.0) as f32;
    let mended: f32 = select(x.abs() == 0.069052, 0.06894257, size);
    select(x.is_nan(), x, mended.copysign(x))
}

#[inline]
fn single_arctangent_twice(t: f64, t_low: f64) -> [f64; 2] {
    let z: [f64; 2] = double_square(t, t_low);
    let x: f64 = z[0];
    let p9: f64 = x.mul_add(0.01161774915851968, -0.023277310757385216);
    let p8: f64 = x.mul_add(p9, 0.02918373584813532);
    let p7: f64 = x.mul_add(p8, -0.032105763386620675);
    let p6: f64 = x.mul_add(p7, 0.03446920036736325);
    let p5: f64 = x.mul_add(p6, -0.03703625350869579);
    let p4: f64 = x.mul_add(p5, 0.039999971567647265);
    let p3: f64 = x.mul_add(p4, -0.04347826026425721);
    let p2: f64 = x.mul_add(p3, 0.04761904761240005);
    let p1: f64 = x.mul_add(p2, -0.05263157894733966);
    let p: f64 = x.mul_add(p1, 0.058823529411764684);
    let q7: [f64; 2] = single_horner(-0.06666666666666667, -9.251858538542971e-19, [p, 0.0], z);
    let q6: [f64; 2] = single_horner(0.07692307692307693, -4.270088556250602e-18, q7, z);
    let q5: [f64; 2] = single_horner(-0.09090909090909091, 2.523234146875356e-18, q6, z);
    let q4: [f64; 2] = single_horner(0.1111111111111111, 6.1679056923619804e-18, q5, z);
    let q3: [f64; 2] = single_horner(-0.14285714285714285, -7.93016446160826e-18, q4, z);
    let q2: [f64; 2] = single_horner(0.2, -1.1102230246251566e-17, q3, z);
    let q1: [f64; 2] = single_horner(-0.3333333333333333, -1.850371707708594e-17, q2, z);
    let q0: [f64; 2] = double_product(q1[0], q1[1], x, z[1]);
    let rest: [f64; 2] = double_product(q0[0], q0[1], t, t_low);
    let sum: [f64; 2] = double_fast_two_sum(t, rest[0]);
    double_fast_two_sum(sum[0], sum[1] + (rest[1] + t_low))
}

#[inline]
fn single_angle_again(a: f64, b: f64, left: bool) -> f64 {
    let low: bool = a < (b * 0.4142135623730951);
    let high: bool = b < (a * 0.4142135623730951);
    let sum: [f64; 2] = double_two_sum(a, b);
    let difference: [f64; 2] = double_two_sum(a, -b);
    let above: f64 = select(low, a, select(high, -b, difference[0]));
    let above_low: f64 = select(low | high, 0.0, difference[1]);
    let below: f64 = select(low, b, select(high, a, sum[0]));
    let below_low: f64 = select(low | high, 0.0, sum[1]);
    let t: f64 = above / below;
    let t_low: f64 = ((-t).mul_add(below, above) + (-t).mul_add(below_low, above_low)) / below;
    let arc: [f64; 2] = single_arctangent_twice(t, t_low);
    let near: f64 = select(low, 0.0, select(high, 2.0, 1.0));
    let quarters: f64 = select(left, 4.0 - near, near);
    let side: f64 = select(left, -1.0, 1.0);
    let base: f64 = quarters * 0.7853981633974483;
    let base_error: f64 = quarters.mul_add(0.7853981633974483, -base);
    let total: [f64; 2] = double_two_sum(base, side * arc[0]);
    let base_low: f64 = quarters.mul_add(3.061616997868383e-17, base_error);
    let angle: [f64; 2] = double_fast_two_sum(total[0], total[1] + side.mul_add(arc[1], base_low));
    single_odd(angle[0], angle[1])
}

#[inline]
pub(crate) fn atan2f(y: f32, x: f32) -> f32 {
    let both: bool = (y.abs() == x.abs()) & ((y == 0.0) | (y.abs() == f32::INFINITY));
    let a: f64 = select(both & (y != 0.0), 1.0, select(y.abs() == f32::INFINITY, 1.0, select(x.abs() == f32::INFINITY, 0.0, y.abs()))) as f64;
    let b: f64 = select(both, 1.0, select(x.abs() == f32::INFINITY, 1.0, select(y.abs() == f32::INFINITY, 0.0, x.abs()))) as f64;
    let left: bool = x.is_sign_negative();
    let arc: f64 = single_arctangent_of(a, b);
    let angle: f64 = select(left, 3.141592653589793 - arc + 1.2246467991473532e-16, arc);
    let near: bool = (angle.to_bits().wrapping_add(8_u64) & 0x1ffffff0_u64) == 0x10000000_u64;
    let mut size: f64 = angle;
    if ((near | (angle < 2.350988701644575e-38)) & (a > 0.0)) & (b > 0.0) {
        size = single_angle_again(a, b, left);
    }
    select(x.is_nan() | y.is_nan(), f32::NAN, (size as f32).copysign(y))
}
