//! Written from the kernel library `ir/src/math/precise_math/double_hyperbolic.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::numbers::Numbers;
use super::select;
use super::double_exponential::double_expm1_quarter;
use super::double_logarithm::double_log1p_pair;
use super::double_logarithm::double_log_bits;
use super::double_logarithm::double_log_mantissa;
use super::double_logarithm::double_log_rest;
use super::double_logarithm::double_log_sum;
use super::double_logarithm::double_unbiased;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_product;
use super::double_parts::double_quotient;
use super::double_parts::double_root;
use super::double_parts::double_two_sum;
use super::double_parts::double_with_sign;

#[inline]
pub(crate) fn sinh(x: f64) -> f64 {
    let a: f64 = x.abs();
    let p: [f64; 2] = double_expm1_quarter(select(a > 710.4759, 710.4759, a));
    let d: [f64; 2] = double_two_sum(4.0 * p[0], 1.0);
    let q: [f64; 2] = double_quotient(p[0], p[1], d[0], d[1] + 4.0 * p[1]);
    let small: bool = a < 40.0;
    let sum: [f64; 2] = double_fast_two_sum(p[0], select(small, q[0], 0.0));
    let value: f64 = 2.0 * (sum[0] + (sum[1] + (p[1] + select(small, q[1], 0.0))));
    select(a < 7.450580596923828e-9, x, double_with_sign(value, x))
}

#[inline]
pub(crate) fn cosh(x: f64) -> f64 {
    let a: f64 = x.abs();
    let p: [f64; 2] = double_expm1_quarter(select(a > 710.4759, 710.4759, a));
    let e: [f64; 2] = double_two_sum(p[0], 0.25);
    let e_low: f64 = e[1] + p[1];
    let q: [f64; 2] = double_quotient(0.0625, 0.0, e[0], e_low);
    let small: bool = a < 40.0;
    let sum: [f64; 2] = double_fast_two_sum(e[0], select(small, q[0], 0.0));
    2.0 * (sum[0] + (sum[1] + (e_low + select(small, q[1], 0.0))))
}

#[inline]
pub(crate) fn tanh(x: f64) -> f64 {
    let a: f64 = x.abs();
    let p: [f64; 2] = double_expm1_quarter(2.0 * select(a > 20.0, 20.0, a));
    let d: [f64; 2] = double_two_sum(p[0], 0.5);
    let q: [f64; 2] = double_quotient(p[0], p[1], d[0], d[1] + p[1]);
    select(a < 7.450580596923828e-9, x, double_with_sign(q[0] + q[1], x))
}

#[inline]
fn double_log_pair(h: f64, low: f64, twos: f64) -> f64 {
    let bits: u64 = double_log_bits(h);
    let biased: u64 = bits >> 52_u32;
    let one: f64 = f64::from_bits(0x7fe_u64.wrapping_sub(Numbers::min(biased, 0x7fe_u64)) << 52_u32);
    let rest: [f64; 2] = double_log_rest(double_log_mantissa(bits) - 1.0, low * one);
    double_log_sum(double_unbiased(biased) + twos, rest[0], rest[1])
}

#[inline]
pub(crate) fn asinh(x: f64) -> f64 {
    let a: f64 = x.abs();
    let large: bool = a > 268435456.0;
    let used: f64 = select(large, 1.0, a);
    let z: f64 = used * used;
    let h: [f64; 2] = double_two_sum(1.0, z);
    let root: [f64; 2] = double_root(h[0], h[1] + used.mul_add(used, -z));
    let sum: [f64; 2] = double_two_sum(used, root[0]);
    let logarithm: f64 = double_log_pair(select(large, a, sum[0]), select(large, 0.0, sum[1] + root[1]), select(large, 1.0, 0.0));
    let p8: f64 = z.mul_add(-0.0023595373548608266, -0.0069058284407581254);
    let p7: f64 = z.mul_add(p8, 0.011208060346896816);
    let p6: f64 = z.mul_add(p7, -0.013941784551333587);
    let p5: f64 = z.mul_add(p6, 0.0173518381683624);
    let p4: f64 = z.mul_add(p5, -0.02237213651962731);
    let p3: f64 = z.mul_add(p4, 0.030381944120680366);
    let p2: f64 = z.mul_add(p3, -0.044642857140338485);
    let p1: f64 = z.mul_add(p2, 0.07499999999999109);
    let p0: f64 = z.mul_add(p1, -0.16666666666666666);
    let near: f64 = a.mul_add(z * p0, a);
    let far: f64 = select(a < f64::INFINITY, logarithm, a);
    double_with_sign(select(a < 0.25, near, far), x)
}

#[inline]
pub(crate) fn acosh(x: f64) -> f64 {
    let large: bool = x > 268435456.0;
    let used: f64 = select(large, 2.0, x);
    let above: [f64; 2] = double_two_sum(used, 1.0);
    let square: [f64; 2] = double_product(above[0], above[1], used - 1.0, 0.0);
    let root: [f64; 2] = double_root(square[0], square[1]);
    let sum: [f64; 2] = double_fast_two_sum(used, root[0]);
    let logarithm: f64 = double_log_pair(select(large, x, sum[0]), select(large, 0.0, sum[1] + root[1]), select(large, 1.0, 0.0));
    let finite: f64 = select(x < f64::INFINITY, logarithm, x);
    select(x > 1.0, finite, select(x == 1.0, 0.0, f64::NAN))
}

#[inline]
pub(crate) fn atanh(x: f64) -> f64 {
    let a: f64 = x.abs();
    let d: [f64; 2] = double_fast_two_sum(1.0, -a);
    let q: [f64; 2] = double_quotient(2.0 * a, 0.0, d[0], d[1]);
    let value: f64 = 0.5 * double_log1p_pair(q[0], q[1]);
    let edge: f64 = select(a == 1.0, f64::INFINITY, f64::NAN);
    let magnitude: f64 = select(a < 1.0, value, edge);
    select(a < 7.450580596923828e-9, x, double_with_sign(magnitude, x))
}
