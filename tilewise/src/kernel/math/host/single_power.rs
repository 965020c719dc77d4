//! Written from the kernel library `ir/src/math/precise_math/single_power.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_product;
use super::double_parts::double_two_sum;
use super::single_exponential::single_scaled;
use super::single_logarithm::single_exponent;
use super::single_logarithm::single_log_twice;
use super::single_logarithm::single_split;
use super::single_logarithm::single_split_normal;
use super::single_parts::single_horner;
use super::single_parts::single_odd;

#[inline]
fn single_exp_twice(v: [f64; 2]) -> [f64; 2] {
    let x: f64 = v[0];
    let p14: f64 = x.mul_add(7.647163731819816e-13, 1.1470745597729725e-11);
    let p13: f64 = x.mul_add(p14, 1.6059043836821613e-10);
    let p12: f64 = x.mul_add(p13, 2.08767569878681e-9);
    let p11: f64 = x.mul_add(p12, 2.505210838544172e-8);
    let p10: f64 = x.mul_add(p11, 2.755731922398589e-7);
    let p9: f64 = x.mul_add(p10, 2.7557319223985893e-6);
    let p8: f64 = x.mul_add(p9, 2.48015873015873e-5);
    let q7: [f64; 2] = single_horner(0.0001984126984126984, 1.7209558293420705e-22, [p8, 0.0], v);
    let q6: [f64; 2] = single_horner(0.001388888888888889, -5.300543954373577e-20, q7, v);
    let q5: [f64; 2] = single_horner(0.008333333333333333, 1.1564823173178714e-19, q6, v);
    let q4: [f64; 2] = single_horner(0.041666666666666664, 2.3129646346357427e-18, q5, v);
    let q3: [f64; 2] = single_horner(0.16666666666666666, 9.25185853854297e-18, q4, v);
    let q2: [f64; 2] = single_horner(0.5, 0.0, q3, v);
    let q1: [f64; 2] = single_horner(1.0, 0.0, q2, v);
    let q0: [f64; 2] = single_horner(1.0, 0.0, q1, v);
    double_fast_two_sum(q0[0], q0[1])
}

#[inline]
fn single_power_again(a: f32, y: f64) -> f64 {
    let parts: [f64; 2] = single_split(a as f64);
    let part: [f64; 2] = single_log_twice(parts[0] - 1.0);
    let scaled: [f64; 2] = double_product(part[0], part[1], 1.4426950408889634, 2.0355273740931033e-17);
    let sum: [f64; 2] = double_two_sum(parts[1], scaled[0]);
    let log: [f64; 2] = double_fast_two_sum(sum[0], sum[1] + scaled[1]);
    let t: [f64; 2] = double_product(log[0], log[1], y, 0.0);
    let counter: f64 = t[0] + 6755399441055744.0;
    let r: [f64; 2] = double_two_sum(t[0] - (counter - 6755399441055744.0), t[1]);
    let v: [f64; 2] = double_product(r[0], r[1], 0.6931471805599453, 2.3190468138462996e-17);
    let power: [f64; 2] = single_exp_twice(v);
    let exact: bool = power[1].abs() < (power[0] * 2.710505431213761e-20);
    let odd: f64 = single_odd(power[0], select(exact, 0.0, power[1]));
    f64::from_bits((odd.to_bits() as i64).wrapping_add((counter.to_bits() as i64) << 52_u32) as u64)
}

#[inline]
fn single_power_of_any(x: f32, y: f32) -> f32 {
    let a: f32 = x.abs();
    let y_above: f32 = select(y < -1099511600000.0, -1099511600000.0, y);
    let d: f64 = select(1099511600000.0 < y_above, 1099511600000.0, y_above) as f64;
    let parts: [f64; 2] = single_split(a as f64);
    let f: f64 = parts[0] - 1.0;
    let s: f64 = f / (parts[0] + 1.0);
    let z: f64 = s * s;
    let z2: f64 = z * z;
    let p01: f64 = z.mul_add(0.9617966939244132, 2.885390081777927);
    let p23: f64 = z.mul_add(0.41219840424454995, 0.5770780172263424);
    let p45: f64 = z.mul_add(0.2614473168320738, 0.320616269978833);
    let p4: f64 = z2.mul_add(0.24288532751698136, p45);
    let p: f64 = z2.mul_add(z2.mul_add(p4, p23), p01);
    let t: f64 = d * s.mul_add(p, parts[1]);
    let above: f64 = select(t < -160.0, -160.0, t);
    let held: f64 = select(160.0 < above, 160.0, above);
    let counter: f64 = held + 6755399441055744.0;
    let r: f64 = held - (counter - 6755399441055744.0);
    let r2: f64 = r * r;
    let r4: f64 = r2 * r2;
    let q01: f64 = r.mul_add(0.6931471805465257, 1.000000000001819);
    let q23: f64 = r.mul_add(0.05550410939304647, 0.24022650697638437);
    let q45: f64 = r.mul_add(0.0013333452091983872, 0.009618128719196631);
    let q67: f64 = r.mul_add(1.530973061246997e-5, 0.00015403758669361883);
    let q4: f64 = r4.mul_add(1.319227577995967e-6, r2.mul_add(q67, q45));
    let q: f64 = r4.mul_add(q4, r2.mul_add(q23, q01));
    let power: f64 = f64::from_bits((q.to_bits() as i64).wrapping_add((counter.to_bits() as i64) << 52_u32) as u64);
    let near: bool = (power.to_bits().wrapping_add(0x8000_u64) & 0x1fff0000_u64) == 0x10000000_u64;
    let rounded: f32 = power as f32;
    let mut usual: f32 = rounded;
    if near | ((rounded < 2.3509887e-38) & (rounded > 0.0)) {
        usual = single_power_again(a, d) as f32;
    }
    let edge: f32 = select(y < 0.0, f32::from_bits(0x7f800000_i32.wrapping_sub(a.to_bits() as i32) as u32), a);
    let magnitude: f32 = select((a == 0.0) | (a == f32::INFINITY), edge, usual);
    let valid: f32 = select(x.is_nan() | y.is_nan(), f32::NAN, single_power_with_sign(x, y, magnitude));
    select((x == 1.0) | (y == 0.0), 1.0, valid)
}

#[inline]
fn single_power_with_sign(x: f32, y: f32, magnitude: f32) -> f32 {
    let y_half: f32 = y * 0.5;
    let y_whole: bool = y.floor() == y;
    let y_odd: bool = y_whole & (y_half.floor() != y_half);
    let flip: u32 = select(y_odd, x.to_bits() & 0x80000000_u32, 0_u32);
    let signed: f32 = f32::from_bits(magnitude.to_bits() ^ flip);
    select(((x < 0.0) & (x > f32::NEG_INFINITY)) & !y_whole, f32::NAN, signed)
}

#[inline]
pub(crate) fn powf(x: f32, y: f32) -> f32 {
    let parts: [f64; 2] = single_split_normal(x.abs());
    let s: f64 = parts[0] / (2.0 + parts[0]);
    let z: f64 = s * s;
    let p4: f64 = z.mul_add(0.2829013901279837, 0.31990561412866103);
    let p3: f64 = z.mul_add(p4, 0.41220925432812766);
    let p2: f64 = z.mul_add(p3, 0.5770779423459043);
    let p1: f64 = z.mul_add(p2, 0.9617966941134097);
    let p: f64 = z.mul_add(p1, 2.88539008177785);
    let t: f64 = (y as f64) * s.mul_add(p, parts[1]);
    let counter: f64 = t + 6755399441055744.0;
    let r: f64 = t - (counter - 6755399441055744.0);
    let q7: f64 = r.mul_add(1.319227577995967e-6, 1.530973061246997e-5);
    let q6: f64 = r.mul_add(q7, 0.00015403758669361883);
    let q5: f64 = r.mul_add(q6, 0.0013333452091983872);
    let q4: f64 = r.mul_add(q5, 0.009618128719196631);
    let q3: f64 = r.mul_add(q4, 0.05550410939304647);
    let q2: f64 = r.mul_add(q3, 0.24022650697638437);
    let q1: f64 = r.mul_add(q2, 0.6931471805465257);
    let q: f64 = r.mul_add(q1, 1.000000000001819);
    let power: f64 = single_scaled(q, counter);
    let near: bool = ((power.to_bits() as u32).wrapping_add(0x10000_u32) & 0x1ffe0000_u32) == 0x10000000_u32;
    let e: f32 = (single_exponent(x.abs()) as f32).abs();
    let size: f32 = (e + 1.0) * y.abs();
    let rare: bool = near | !(select(size < e, e, size) < 125.0);
    let mut value: f32 = power as f32;
    if rare | (x < 0.0) {
        let v73: f32 = value;
        let mut any_value: f32 = single_power_with_sign(x, y, v73);
        if rare {
            any_value = single_power_of_any(x, y);
        }
        let v76: f32 = any_value;
        value = v76;
    }
    value
}

#[inline]
pub(crate) fn hypotf(x: f32, y: f32) -> f32 {
    let a: f64 = x as f64;
    let b: f64 = y as f64;
    let sum: [f64; 2] = double_two_sum(a * a, b * b);
    let root: f64 = sum[0].sqrt();
    let rest: f64 = (-root).mul_add(root, sum[0]) + sum[1];
    let y0: f32 = single_odd(root, rest) as f32;
    select((x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY), f32::INFINITY, y0)
}
