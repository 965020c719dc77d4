//! Written from the kernel library `ir/src/math/precise_math/single_gamma.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_gamma::lgamma;
use super::double_gamma::tgamma;
use super::single_error::single_exp_of;
use super::single_logarithm::single_log_sum;
use super::single_logarithm::single_split;
use super::single_trigonometric::single_sine_pi;

#[inline]
fn single_stirling(y: f64) -> f64 {
    let parts: [f64; 2] = single_split(y);
    let log: f64 = single_log_sum(parts[1], parts[0] - 1.0);
    let v: f64 = 1.0 / y;
    let u: f64 = v * v;
    let p5: f64 = u.mul_add(0.005065905360156132, -0.001890382993887715);
    let p4: f64 = u.mul_add(p5, 0.0008414700852503147);
    let p3: f64 = u.mul_add(p4, -0.0005952365845057049);
    let p2: f64 = u.mul_add(p3, 0.0007936507897524059);
    let p1: f64 = u.mul_add(p2, -0.002777777777773988);
    let p: f64 = u.mul_add(p1, 0.08333333333333333);
    (y - 0.5).mul_add(log - 1.0, v.mul_add(p, 0.4189385332046727))
}

#[inline]
fn single_rising(a: f64) -> f64 {
    let w: f64 = a * (a + 7.0);
    select(a < 8.0, w * (w + 6.0) * ((w + 10.0) * (w + 12.0)), 1.0)
}

#[inline]
fn single_reflection(a: f64) -> f64 {
    let q: f64 = a - (a + 6755399441055744.0 - 6755399441055744.0);
    a * single_sine_pi(q).abs()
}

#[inline]
fn single_gamma_negative(x: f32) -> bool {
    let whole: f32 = x.floor();
    let half: f32 = 0.5 * whole;
    ((x < 0.0) & (whole != x)) & (half.floor() != half)
}

#[inline]
fn single_doubtful(y: f64) -> bool {
    (y.to_bits().wrapping_add(0x400_u64) & 0x1ffff800_u64) == 0x10000000_u64
}

#[inline]
pub(crate) fn lgammaf(x: f32) -> f32 {
    let d: f64 = x.abs() as f64;
    let negative: bool = x < 0.0;
    let a: f64 = select(d > 0.0, d, 1.0);
    let stirling: f64 = single_stirling(select(a < 8.0, a + 8.0, a));
    let rising: f64 = single_rising(a);
    let below: f64 = single_reflection(select(a < 16777216.0, a, 0.5));
    let ratio: [f64; 2] = single_split(select(negative, rising * 3.141592653589793 / select(below > 0.0, below, 1.0), rising));
    let log: f64 = single_log_sum(ratio[1], ratio[0] - 1.0);
    let far: f64 = select(negative, log - stirling, stirling - log);
    let u: f64 = d - 1.5625;
    let q24: f64 = u.mul_add(-1.2064880822346747e-6, 1.94922291287709e-6);
    let q23: f64 = u.mul_add(q24, 1.2583133226391324e-6);
    let q22: f64 = u.mul_add(q23, -2.0204942050827166e-6);
    let q21: f64 = u.mul_add(q22, -3.887319519595118e-6);
    let q20: f64 = u.mul_add(q21, 6.305689837326965e-6);
    let q19: f64 = u.mul_add(q20, -3.5274676535100625e-6);
    let q18: f64 = u.mul_add(q19, 5.819671110799989e-6);
    let q17: f64 = u.mul_add(q18, -1.370737141585535e-5);
    let q16: f64 = u.mul_add(q17, 2.256992646775479e-5);
    let q15: f64 = u.mul_add(q16, -3.560173927307144e-5);
    let q14: f64 = u.mul_add(q15, 5.90612902236761e-5);
    let q13: f64 = u.mul_add(q14, -9.883141944162476e-5);
    let q12: f64 = u.mul_add(q13, 0.0001653044446561497);
    let q11: f64 = u.mul_add(q12, -0.00027783129756921664);
    let q10: f64 = u.mul_add(q11, 0.00046998089638880254);
    let q9: f64 = u.mul_add(q10, -0.0008009025145885551);
    let q8: f64 = u.mul_add(q9, 0.001377221129211081);
    let q7: f64 = u.mul_add(q8, -0.0023955329954204125);
    let q6: f64 = u.mul_add(q7, 0.004229715679639908);
    let q5: f64 = u.mul_add(q6, -0.007622480362973664);
    let q4: f64 = u.mul_add(q5, 0.014145195457859826);
    let q3: f64 = u.mul_add(q4, -0.02745242545338911);
    let q2: f64 = u.mul_add(q3, 0.05741291522044999);
    let q1: f64 = u.mul_add(q2, -0.13844715293951282);
    let q: f64 = u.mul_add(q1, 0.4742448086605885);
    let middle: bool = (x > 0.8125) & (x < 2.3125);
    let mut y: f64 = select(middle, (d - 1.0) * (d - 2.0) * q, far);
    let edge: bool = (!(x.abs() < f32::INFINITY) | (x == 0.0)) | (negative & (x.floor() == x));
    let v108: f64 = y;
    let v111: f64 = y;
    if (single_doubtful(v108) | (!middle & (v111.abs() < 0.0625))) & !edge {
        y = lgamma(x as f64);
    }
    let m0: f32 = select(x == 0.0038502016, 5.5574193, (y as f32) + 0.0);
    let m1: f32 = select(x == -1.5639554e-9, 20.276049, m0);
    select(edge, select(!x.is_nan(), f32::INFINITY, x), m1)
}

#[inline]
pub(crate) fn lgammaf_sign(x: f32) -> i32 {
    select(single_gamma_negative(x) | (x.to_bits() == 0x80000000_u32), -1_i32, 1_i32)
}

#[inline]
pub(crate) fn tgammaf(x: f32) -> f32 {
    let a: f64 = select(44.5 < x.abs(), 44.5, x.abs()) as f64;
    let negative: bool = x < 0.0;
    let power: f64 = single_exp_of(single_stirling(select(a < 8.0, a + 8.0, a)));
    let rising: f64 = single_rising(a);
    let below: f64 = single_reflection(a) * power;
    let size: f64 = select(negative, rising * 3.141592653589793, power) / select(negative, below, rising);
    let mut y: f64 = size;
    if single_doubtful(size) | ((size > 1.7516230804060213e-46) & (size < 2.350988701644575e-38)) {
        y = tgamma(x as f64).abs();
    }
    let m0: f32 = select(x == 6.1763377e-15, 161908240000000.0, y as f32);
    let m1: f32 = select(x == 6.2264058e-15, 160606300000000.0, m0);
    let signed: f32 = select(single_gamma_negative(x), -m1, m1);
    let invalid: bool = (negative & (x.floor() == x)) | x.is_nan();
    select(invalid, f32::NAN, select(x == 0.0, f32::INFINITY.copysign(x), signed))
}
