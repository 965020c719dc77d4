//! Written from the kernel library `ir/src/math/precise_math/double_logarithm.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::numbers::Numbers;
use super::select;
use super::double_parts::double_two_sum;

#[inline]
pub(super) fn double_log_bits(x: f64) -> u64 {
    x.to_bits().wrapping_add(0x95f619980c433_u64)
}

#[inline]
pub(super) fn double_log_mantissa(bits: u64) -> f64 {
    f64::from_bits((bits & 0xfffffffffffff_u64).wrapping_add(0x3fe6a09e667f3bcd_u64))
}

#[inline]
fn double_biased(x: f64) -> u64 {
    double_log_bits(x) >> 52_u32
}

#[inline]
pub(super) fn double_unbiased(biased: u64) -> f64 {
    double_biased_less(biased, 4503599627371519.0)
}

#[inline]
pub(super) fn double_biased_less(biased: u64, less: f64) -> f64 {
    f64::from_bits(biased | 0x4330000000000000_u64) - less
}

#[inline]
fn double_unscaled(x: f64, biased: u64) -> f64 {
    f64::from_bits(x.to_bits().wrapping_sub(biased.wrapping_sub(1023_u64) << 52_u32))
}

#[inline]
pub(super) fn double_log_rest(f: f64, f_low: f64) -> [f64; 2] {
    let d: f64 = 2.0 + f;
    let d_low: f64 = 2.0 - d + f + f_low;
    let r: f64 = 2.0 / d;
    let t: f64 = f * r;
    let s: f64 = 0.5 * t;
    let t_low: f64 = (-s).mul_add(d_low, (-s).mul_add(d, f) + f_low) * r;
    let z: f64 = s * s;
    let l6: f64 = z.mul_add(0.057958103401490345, 0.05860418700013417);
    let l5: f64 = z.mul_add(l6, 0.06667078218087152);
    let l4: f64 = z.mul_add(l5, 0.07692304810635747);
    let l3: f64 = z.mul_add(l4, 0.09090909078925868);
    let l2: f64 = z.mul_add(l3, 0.11111111111379963);
    let l1: f64 = z.mul_add(l2, 0.1428571428571317);
    let l0: f64 = z.mul_add(l1, 0.2);
    let third: f64 = z.mul_add(l0, 0.3333333333333333);
    [t, t.mul_add(z * third, t_low)]
}

#[inline]
fn double_log_edges(x: f64, usual: f64) -> f64 {
    let below: f64 = select(x == 0.0, f64::NEG_INFINITY, f64::NAN);
    let positive: f64 = select(x == f64::INFINITY, f64::INFINITY, usual);
    select(x > 0.0, positive, below)
}

#[inline]
fn double_log_parts(x: f64, less: f64) -> [f64; 3] {
    let bits: u64 = double_log_bits(x);
    let rest: [f64; 2] = double_log_rest(double_log_mantissa(bits) - 1.0, 0.0);
    [rest[0], rest[1], double_biased_less(bits >> 52_u32, less)]
}

#[inline]
pub(super) fn double_log_special(x: f64) -> bool {
    (x.to_bits() as i64).wrapping_add(0x7ff0000000000000_i64) > -9007199254740993_i64
}

#[inline]
pub(super) fn double_log_sum(e: f64, h: f64, low: f64) -> f64 {
    let whole: f64 = e * 0.6931471805598903;
    let sum: f64 = whole + h;
    let lost: f64 = whole - sum + h;
    sum + (lost + e.mul_add(5.497923018708371e-14, low))
}

#[inline]
pub(super) fn double_log_near(m: f64) -> [f64; 3] {
    let below: bool = m < 0.890869140625;
    let above: bool = m > 1.12255859375;
    let c: f64 = select(below, 0.79296875, select(above, 1.259765625, 1.0));
    let head_above: f64 = select(above, 0.2309256917562834, 0.0);
    let rest_above: f64 = select(above, -1.8708555799068442e-14, 0.0);
    let head: f64 = select(below, -0.2319714654377094, head_above);
    [c, head, select(below, -6.573097737831975e-14, rest_above)]
}

#[inline]
fn double_log_value(x: f64, less: f64) -> f64 {
    let bits: u64 = double_log_bits(x);
    let e: f64 = double_biased_less(bits >> 52_u32, less);
    let m: f64 = double_log_mantissa(bits);
    let near: [f64; 3] = double_log_near(m);
    let f: f64 = m - near[0];
    let d: f64 = near[0] + m;
    let d_low: f64 = near[0] - d + m;
    let r: f64 = 2.0 / d;
    let t: f64 = f * r;
    let s: f64 = 0.5 * t;
    let t_low: f64 = (-s).mul_add(d_low, (-s).mul_add(d, f)) * r;
    let z: f64 = s * s;
    let h4: f64 = z.mul_add(0.08089523909355066, 0.0908748574720596);
    let h3: f64 = z.mul_add(h4, 0.11111122625477833);
    let h2: f64 = z.mul_add(h3, 0.14285714268440777);
    let h1: f64 = z.mul_add(h2, 0.20000000000010662);
    let h0: f64 = z.mul_add(h1, 0.3333333333333333);
    let tail: f64 = t.mul_add(z * h0, t_low);
    let whole: f64 = e.mul_add(0.6931471805598903, near[1]);
    let sum: f64 = whole + t;
    let lost: f64 = whole - sum + t;
    sum + (lost + e.mul_add(5.497923018708371e-14, near[2] + tail))
}

#[inline]
pub(crate) fn log(x: f64) -> f64 {
    let mut value: f64 = double_log_value(x, 4503599627371519.0);
    if double_log_special(x) {
        value = double_log_edges(x, double_log_value(x * 1.8014398509481984e16, 4503599627371573.0));
    }
    value
}

#[inline]
fn double_log2_sum(parts: [f64; 3]) -> f64 {
    let p: f64 = parts[0] * 1.4426950408889634;
    let p_low: f64 = parts[0].mul_add(1.4426950408889634, -p) + parts[1].mul_add(1.4426950408889634, parts[0] * 2.0355273740931033e-17);
    let e: f64 = parts[2];
    let sum: f64 = e + p;
    let lost: f64 = e - sum + p;
    sum + (lost + p_low)
}

#[inline]
pub(crate) fn log2(x: f64) -> f64 {
    let mut value: f64 = double_log2_sum(double_log_parts(x, 4503599627371519.0));
    if double_log_special(x) {
        value = double_log_edges(x, double_log2_sum(double_log_parts(x * 1.8014398509481984e16, 4503599627371573.0)));
    }
    value
}

#[inline]
fn double_log10_sum(parts: [f64; 3]) -> f64 {
    let p: f64 = parts[0] * 0.4342944819032518;
    let p_low: f64 = parts[0].mul_add(0.4342944819032518, -p) + parts[1].mul_add(0.4342944819032518, parts[0] * 1.098319650216765e-17);
    let e: f64 = parts[2];
    let whole: f64 = e * 0.30102999566395283;
    let sum: f64 = whole + p;
    let lost: f64 = whole - sum + p;
    sum + (lost + e.mul_add(2.8363394551044964e-14, p_low))
}

#[inline]
pub(crate) fn log10(x: f64) -> f64 {
    let mut value: f64 = double_log10_sum(double_log_parts(x, 4503599627371519.0));
    if double_log_special(x) {
        value = double_log_edges(x, double_log10_sum(double_log_parts(x * 1.8014398509481984e16, 4503599627371573.0)));
    }
    value
}

#[inline]
pub(super) fn double_log1p_pair(x: f64, low: f64) -> f64 {
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
