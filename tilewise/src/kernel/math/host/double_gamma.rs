//! Written from the kernel library `ir/src/math/precise_math/double_gamma.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_exponential::double_exp_pair;
use super::double_exponential::double_held;
use super::double_exponential::double_rounded;
use super::double_logarithm::log;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_product;
use super::double_parts::double_quotient;
use super::double_parts::double_two_product;
use super::double_parts::double_two_sum;
use super::double_power::double_log_pow;
use super::double_trigonometric::double_reduce_turns;
use super::double_trigonometric::double_sin_or_cos;

#[inline]
fn double_stirling(x: f64, x_low: f64) -> [f64; 2] {
    let l: [f64; 2] = double_log_pow(x, 0.0);
    let r: f64 = 1.0 / x;
    let v: f64 = r * r;
    let s7: f64 = v.mul_add(-0.7640172318163946, 0.16373550858772698);
    let s6: f64 = v.mul_add(s7, -0.02931656835763211);
    let s5: f64 = v.mul_add(s6, 0.006408186340011684);
    let s4: f64 = v.mul_add(s5, -0.0019175159959554525);
    let s3: f64 = v.mul_add(s4, 0.0008417508090867246);
    let s2: f64 = v.mul_add(s3, -0.0005952380951888604);
    let s1: f64 = v.mul_add(s2, 0.0007936507936507649);
    let s0: f64 = v.mul_add(s1, -0.002777777777777778);
    let s_head: f64 = r * 0.08333333333333333;
    let s_low: f64 = r.mul_add(0.08333333333333333, -s_head) + (-x).mul_add(r, 1.0) * s_head;
    let s_rest: f64 = r.mul_add(v * s0, r.mul_add(4.625929269271485e-18, s_low));
    let m: [f64; 2] = double_fast_two_sum(x, -0.5);
    let g: [f64; 2] = double_fast_two_sum(l[0], -1.0);
    let p: [f64; 2] = double_two_product(m[0], g[0]);
    let p_low: f64 = p[1] + m[0].mul_add(g[1] + l[1], m[1] * g[0]);
    let first: [f64; 2] = double_fast_two_sum(p[0], 0.4189385332046727);
    let second: [f64; 2] = double_fast_two_sum(first[0], s_head);
    let slope: f64 = (-r).mul_add(r.mul_add(0.08333333333333333, 0.5), l[0]);
    let lows: f64 = x_low.mul_add(slope, s_rest + 1.6728209650585413e-17);
    let low: f64 = first[1] + (second[1] + (p_low + lows));
    double_fast_two_sum(second[0], low)
}

#[inline]
fn double_rising(x: f64) -> [f64; 2] {
    let above: [f64; 2] = double_two_sum(7.0, x);
    let w: [f64; 2] = double_product(above[0], above[1], x, 0.0);
    let w_6: [f64; 2] = double_two_sum(6.0, w[0]);
    let w_10: [f64; 2] = double_two_sum(10.0, w[0]);
    let w_12: [f64; 2] = double_two_sum(12.0, w[0]);
    let p: [f64; 2] = double_product(w[0], w[1], w_6[0], w_6[1] + w[1]);
    let q: [f64; 2] = double_product(w_10[0], w_10[1] + w[1], w_12[0], w_12[1] + w[1]);
    double_product(p[0], p[1], q[0], q[1])
}

#[inline]
fn double_reflection(a: f64) -> [f64; 2] {
    let reduced: [f64; 3] = double_reduce_turns(a);
    let odd: bool = (reduced[2].to_bits() & 1_u64) != 0_u64;
    let s: [f64; 2] = double_sin_or_cos(reduced[0], reduced[1], odd);
    let minus: bool = s[0] < 0.0;
    let p: [f64; 2] = double_product(select(minus, -s[0], s[0]), select(minus, -s[1], s[1]), a, 0.0);
    double_product(p[0], p[1], 0.3183098861837907, -1.9678676675182486e-17)
}

#[inline]
fn double_is_whole(x: f64) -> bool {
    x.trunc() == x
}

#[inline]
pub(crate) fn lgamma_sign(x: f64) -> i32 {
    let whole: f64 = x.floor();
    let half: f64 = 0.5 * whole;
    let odd: bool = half.floor() != half;
    let below: bool = ((x < 0.0) & (whole != x)) & odd;
    let minus_zero: bool = x.to_bits() == 0x8000000000000000_u64;
    select(below | minus_zero, -1_i32, 1_i32)
}

#[inline]
pub(crate) fn lgamma(x: f64) -> f64 {
    let a: f64 = x.abs();
    let finite: f64 = select(a <= 2.5599833278516383e305, a, 1.5);
    let moved: bool = finite < 8.0;
    let up: [f64; 2] = double_fast_two_sum(8.0, select(moved, finite, 1.0));
    let stirling: [f64; 2] = double_stirling(select(moved, up[0], finite), select(moved, up[1], 0.0));
    let product: [f64; 2] = double_rising(select(moved, finite, 1.0));
    let factor: f64 = select(moved, product[0], 1.0);
    let factor_low: f64 = select(moved, product[1], 0.0);
    let mut ratio: [f64; 2] = [factor, factor_low];
    if x < 0.0 {
        let usable: f64 = select(double_is_whole(finite), 0.5, finite);
        let reflected: [f64; 2] = double_reflection(usable);
        ratio = double_quotient(reflected[0], reflected[1], factor, factor_low);
    }
    let negative: bool = x < 0.0;
    let big: f64 = select(negative, -stirling[0], stirling[0]);
    let big_low: f64 = select(negative, -stirling[1], stirling[1]);
    let l: [f64; 2] = double_log_pow(ratio[0], ratio[1]);
    let sum: [f64; 2] = double_two_sum(big, -l[0]);
    let usual: f64 = sum[0] + (sum[1] + (big_low - l[1]));
    let at_2: bool = x > 1.5;
    let d: f64 = x - select(at_2, 2.0, 1.0);
    let k8: f64 = select(at_2, 9.94687787993468e-5, 0.10014525990278657);
    let k7: f64 = select(at_2, -0.00022317943907300002, -0.11138424388674079);
    let k6: f64 = select(at_2, 0.0005096695226800761, 0.12550966113715267);
    let k5: f64 = select(at_2, -0.0011927539071839948, -0.14404988761670484);
    let k4: f64 = select(at_2, 0.002890510330741663, 0.16955717699797704);
    let k3: f64 = select(at_2, -0.007385551028674292, -0.20738555102929468);
    let k2: f64 = select(at_2, 0.020580808427784546, 0.27058080842778454);
    let k1: f64 = select(at_2, -0.0673523010531981, -0.40068563438653143);
    let k0: f64 = select(at_2, 0.3224670334241132, 0.8224670334241132);
    let n7: f64 = d.mul_add(k8, k7);
    let n6: f64 = d.mul_add(n7, k6);
    let n5: f64 = d.mul_add(n6, k5);
    let n4: f64 = d.mul_add(n5, k4);
    let n3: f64 = d.mul_add(n4, k3);
    let n2: f64 = d.mul_add(n3, k2);
    let n1: f64 = d.mul_add(n2, k1);
    let n0: f64 = d.mul_add(n1, k0);
    let slope: f64 = select(at_2, 0.42278433509846713, -0.5772156649015329);
    let head: f64 = d * slope;
    let head_low: f64 = d.mul_add(slope, -head) + d * 4.942915152430645e-18;
    let close: f64 = head + (d * d).mul_add(n0, head_low);
    let value: f64 = select(d.abs() <= 0.015625, close, usual);
    let tiny: f64 = select(a < 8.673617379884035e-19, -log(a), value);
    let pole: bool = (a > 2.5599833278516383e305) | ((x <= 0.0) & double_is_whole(x));
    select(!x.is_nan(), select(pole, f64::INFINITY, tiny), f64::NAN)
}

#[inline]
pub(crate) fn tgamma(x: f64) -> f64 {
    let a: f64 = x.abs();
    let held: f64 = double_held(a, 8.271806125530277e-25, 190.0);
    let moved: bool = held < 8.0;
    let up: [f64; 2] = double_fast_two_sum(8.0, select(moved, held, 1.0));
    let stirling: [f64; 2] = double_stirling(select(moved, up[0], held), select(moved, up[1], 0.0));
    let product: [f64; 2] = double_rising(select(moved, held, 1.0));
    let factor: f64 = select(moved, product[0], 1.0);
    let factor_low: f64 = select(moved, product[1], 0.0);
    let negative: bool = x < 0.0;
    let mut ratio: [f64; 4] = [1.0, 0.0, factor, factor_low];
    if negative {
        let usable: f64 = select(double_is_whole(held), 0.5, held);
        let reflected: [f64; 2] = double_reflection(usable);
        ratio = [factor, factor_low, reflected[0], reflected[1]];
    }
    let q: [f64; 2] = double_quotient(ratio[0], ratio[1], ratio[2], ratio[3]);
    let exponent: f64 = select(negative, -stirling[0], stirling[0]);
    let exponent_low: f64 = select(negative, -stirling[1], stirling[1]);
    let power: [f64; 3] = double_exp_pair(exponent, exponent_low);
    let v: [f64; 2] = double_product(power[0], power[1], q[0], q[1]);
    let least: f64 = f64::from_bits(1_u64.wrapping_sub(power[2].to_bits()) << 52_u32);
    let small: bool = (exponent < -650.0) & (v[0] < least);
    let magnitude: f64 = double_rounded(v[0], v[1], power[2], small);
    let whole: f64 = x.floor();
    let half: f64 = 0.5 * whole;
    let usual: f64 = select(negative & (half.floor() != half), -magnitude, magnitude);
    let far: f64 = select(a > 190.0, select(negative, usual * 0.0, f64::INFINITY), usual);
    let value: f64 = select(a < 8.470329472543003e-22, 1.0 / x, far);
    let invalid: bool = (negative & double_is_whole(x)) | x.is_nan();
    select(invalid, f64::NAN, value)
}
