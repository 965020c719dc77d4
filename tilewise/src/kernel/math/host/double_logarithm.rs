//! Written from the kernel library `ir/src/math/precise_math/double_logarithm.kir` by
//! `tilewise_ir::math::rust`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it
//! anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::numbers::Numbers;
use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_lift;
use super::double_parts::double_product;
use super::double_parts::double_two_sum;

#[inline]
fn double_biased(x: f64) -> u64 {
    x.to_bits().wrapping_add(0x95f619980c433_u64) >> 52_u32
}

#[inline]
fn double_unbiased(biased: u64) -> f64 {
    f64::from_bits(biased | 0x4330000000000000_u64) - 4503599627371519.0
}

#[inline]
fn double_unscaled(x: f64, biased: u64) -> f64 {
    f64::from_bits(x.to_bits().wrapping_sub(biased.wrapping_sub(1023_u64) << 52_u32))
}

#[inline]
fn double_log_rest(f: f64, f_low: f64) -> [f64; 2] {
    let d: f64 = 2.0 + f;
    let d_low: f64 = 2.0 - d + f + f_low;
    let r: f64 = 2.0 / d;
    let t: f64 = f * r;
    let s: f64 = 0.5 * t;
    let t_low: f64 = (-s).mul_add(d_low, (-s).mul_add(d, f) + f_low) * r;
    let z: f64 = s * s;
    let z_low: f64 = s.mul_add(s, -z) + s * t_low;
    let l6: f64 = z.mul_add(0.057958103401490345, 0.05860418700013417);
    let l5: f64 = z.mul_add(l6, 0.06667078218087152);
    let l4: f64 = z.mul_add(l5, 0.07692304810635747);
    let l3: f64 = z.mul_add(l4, 0.09090909078925868);
    let l2: f64 = z.mul_add(l3, 0.11111111111379963);
    let l1: f64 = z.mul_add(l2, 0.1428571428571317);
    let l0: f64 = z.mul_add(l1, 0.2);
    let m: [f64; 2] = [t, t_low];
    let c: [f64; 2] = double_lift(m, [z, z_low], 0.3333333333333333, 1.850371707708594e-17, z * l0);
    let h: f64 = t + c[0];
    let low: f64 = t - h + c[0] + (c[1] + t_low);
    double_fast_two_sum(h, low)
}

#[inline]
fn double_log_edges(x: f64, usual: f64) -> f64 {
    let below: f64 = select(x == 0.0, f64::NEG_INFINITY, f64::NAN);
    let positive: f64 = select(x == f64::INFINITY, f64::INFINITY, usual);
    select(x > 0.0, positive, below)
}

#[inline]
fn double_log_parts(x: f64) -> [f64; 3] {
    let denormal: bool = x < 2.2250738585072014e-308;
    let normal: f64 = select(denormal, x * 1.8014398509481984e16, x);
    let biased: u64 = double_biased(normal);
    let rest: [f64; 2] = double_log_rest(double_unscaled(normal, biased) - 1.0, 0.0);
    [rest[0], rest[1], double_unbiased(biased) - select(denormal, 54.0, 0.0)]
}

#[inline]
fn double_log_sum(e: f64, h: f64, low: f64) -> f64 {
    let whole: f64 = e * 0.6931471805598903;
    let sum: f64 = whole + h;
    let lost: f64 = whole - sum + h;
    sum + (lost + e.mul_add(5.497923018708371e-14, low))
}

#[inline]
pub(crate) fn log(x: f64) -> f64 {
    let parts: [f64; 3] = double_log_parts(x);
    double_log_edges(x, double_log_sum(parts[2], parts[0], parts[1]))
}

#[inline]
pub(crate) fn log2(x: f64) -> f64 {
    let parts: [f64; 3] = double_log_parts(x);
    let p: [f64; 2] = double_product(parts[0], parts[1], 1.4426950408889634, 2.0355273740931033e-17);
    let sum: f64 = parts[2] + p[0];
    let lost: f64 = parts[2] - sum + p[0];
    double_log_edges(x, sum + (lost + p[1]))
}

#[inline]
pub(crate) fn log10(x: f64) -> f64 {
    let parts: [f64; 3] = double_log_parts(x);
    let p: [f64; 2] = double_product(parts[0], parts[1], 0.4342944819032518, 1.098319650216765e-17);
    let whole: f64 = parts[2] * 0.30102999566395283;
    let sum: f64 = whole + p[0];
    let lost: f64 = whole - sum + p[0];
    double_log_edges(x, sum + (lost + parts[2].mul_add(2.8363394551044964e-14, p[1])))
}

#[inline]
fn double_log1p_pair(x: f64, low: f64) -> f64 {
    let biased: u64 = double_biased(1.0 + x);
    let one: f64 = f64::from_bits(0x7fe_u64.wrapping_sub(Numbers::min(biased, 0x7fe_u64)) << 52_u32);
    let f: [f64; 2] = double_two_sum(one - 1.0, double_unscaled(x, biased));
    let rest: [f64; 2] = double_log_rest(f[0], low.mul_add(one, f[1]));
    double_log_sum(double_unbiased(biased), rest[0], rest[1])
}

#[inline]
pub(crate) fn log1p(x: f64) -> f64 {
    let edged: f64 = double_log_edges(1.0 + x, double_log1p_pair(x, 0.0));
    select(x.abs() < 5.551115123125783e-17, x, edged)
}
