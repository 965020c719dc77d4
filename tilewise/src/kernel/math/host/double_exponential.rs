//! Written from the kernel library `ir/src/math/precise_math/double_exponential.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_two_sum;

#[inline]
pub(super) fn double_expm1_rest(r: f64, r_low: f64) -> [f64; 2] {
    let p7: f64 = r.mul_add(2.0568918442090037e-9, 2.510654496678348e-8);
    let p6: f64 = r.mul_add(p7, 2.755844614985229e-7);
    let p5: f64 = r.mul_add(p6, 2.755725276127449e-6);
    let p4: f64 = r.mul_add(p5, 2.4801585892372482e-5);
    let p3: f64 = r.mul_add(p4, 0.00019841269875570163);
    let p2: f64 = r.mul_add(p3, 0.0013888888889624382);
    let p1: f64 = r.mul_add(p2, 0.008333333333327114);
    let p0: f64 = r.mul_add(p1, 0.041666666666665325);
    let z: f64 = r * r;
    let z_low: f64 = r.mul_add(r, -z);
    let half: f64 = 0.5 * z;
    let s: f64 = r + half;
    let s_low: f64 = r - s + half;
    let cube: f64 = z * r;
    let tail: f64 = cube.mul_add(0.16666666666666666, cube.mul_add(r * p0, z_low * r.mul_add(0.16666666666666666, 0.5)));
    [s, s_low + (s.mul_add(r_low, r_low) + tail)]
}

#[inline]
pub(super) fn double_exp_counter(x: f64) -> f64 {
    x.mul_add(1.4426950408889634, 6755399441055744.0)
}

#[inline]
fn double_expm1_of(x: f64, k: f64) -> [f64; 2] {
    let r: f64 = (-k).mul_add(0.6931471805599453, x);
    let r_low: f64 = k * -2.3190468138462996e-17;
    let s: [f64; 2] = double_fast_two_sum(r, r_low);
    double_expm1_rest(s[0], s[1])
}

#[inline]
pub(super) fn double_rounded(h: f64, h_low: f64, counter: f64, small: bool) -> f64 {
    let k: f64 = counter - 6755399441055744.0;
    let shift: f64 = f64::from_bits(1_u64.wrapping_sub(counter.to_bits()) << 52_u32);
    let c: f64 = select(small, shift, 0.0);
    let s: f64 = c + h;
    let v: f64 = s + (h - (s - c) + h_low) - c;
    let half: f64 = k.mul_add(0.5, 6755399441055744.0);
    let rest: f64 = k - (half - 6755399441055744.0);
    let first: f64 = f64::from_bits(half.to_bits().wrapping_add(1023_u64) << 52_u32);
    let second: f64 = f64::from_bits((rest + 6755399441055744.0).to_bits().wrapping_add(1023_u64) << 52_u32);
    v * first * second
}

#[inline]
fn double_scaled(p: [f64; 2], counter: f64, small: bool) -> f64 {
    let h: f64 = 1.0 + p[0];
    let h_low: f64 = 1.0 - h + p[0] + p[1];
    double_rounded(h, h_low, counter, small)
}

#[inline]
pub(super) fn double_held(x: f64, low: f64, high: f64) -> f64 {
    let above: f64 = select(x < low, low, x);
    select(high < above, high, above)
}

#[inline]
pub(super) fn double_shifted(p: [f64; 2], counter: f64) -> f64 {
    let h: f64 = 1.0 + p[0];
    let value: f64 = h + (1.0 - h + p[0] + p[1]);
    f64::from_bits(value.to_bits().wrapping_add(counter.to_bits() << 52_u32))
}

#[inline]
fn double_exp_edges(x: f64) -> f64 {
    let held: f64 = double_held(x, -746.0, 710.0);
    let counter: f64 = double_exp_counter(held);
    let p: [f64; 2] = double_expm1_of(held, counter - 6755399441055744.0);
    double_scaled(p, counter, held < -708.3964185322641)
}

#[inline]
pub(crate) fn exp(x: f64) -> f64 {
    let counter: f64 = double_exp_counter(x);
    let p: [f64; 2] = double_expm1_of(x, counter - 6755399441055744.0);
    let mut value: f64 = double_shifted(p, counter);
    if !(x.abs() < 708.0) {
        value = double_exp_edges(x);
    }
    value
}

#[inline]
fn double_exp2_of(x: f64, k: f64) -> [f64; 2] {
    let r: f64 = x - k;
    let s: f64 = r * 0.6931471805599453;
    let s_low: f64 = r.mul_add(0.6931471805599453, -s) + r * 2.3190468138462996e-17;
    double_expm1_rest(s, s_low)
}

#[inline]
fn double_exp2_edges(x: f64) -> f64 {
    let held: f64 = double_held(x, -1076.0, 1025.0);
    let counter: f64 = held + 6755399441055744.0;
    let p: [f64; 2] = double_exp2_of(held, counter - 6755399441055744.0);
    double_scaled(p, counter, held < -1022.0)
}

#[inline]
pub(crate) fn exp2(x: f64) -> f64 {
    let counter: f64 = x + 6755399441055744.0;
    let p: [f64; 2] = double_exp2_of(x, counter - 6755399441055744.0);
    let mut value: f64 = double_shifted(p, counter);
    if !(x.abs() < 1021.0) {
        value = double_exp2_edges(x);
    }
    value
}

#[inline]
fn double_exp10_of(x: f64, k: f64) -> [f64; 2] {
    let r: f64 = (-k).mul_add(0.3010299956639812, x);
    let r_low: f64 = k * 2.8037281277851704e-18;
    let s: f64 = r * 2.302585092994046;
    let s_low: f64 = r.mul_add(2.302585092994046, -s) + r.mul_add(-2.1707562233822494e-16, r_low * 2.302585092994046);
    let t: [f64; 2] = double_fast_two_sum(s, s_low);
    double_expm1_rest(t[0], t[1])
}

#[inline]
fn double_exp10_edges(x: f64) -> f64 {
    let held: f64 = double_held(x, -324.0, 309.0);
    let counter: f64 = held.mul_add(3.321928094887362, 6755399441055744.0);
    let p: [f64; 2] = double_exp10_of(held, counter - 6755399441055744.0);
    double_scaled(p, counter, held < -307.6526555685888)
}

#[inline]
pub(crate) fn exp10(x: f64) -> f64 {
    let counter: f64 = x.mul_add(3.321928094887362, 6755399441055744.0);
    let p: [f64; 2] = double_exp10_of(x, counter - 6755399441055744.0);
    let mut value: f64 = double_shifted(p, counter);
    if !(x.abs() < 307.0) {
        value = double_exp10_edges(x);
    }
    value
}

#[inline]
pub(super) fn double_exp_pair(x: f64, x_low: f64) -> [f64; 3] {
    let counter: f64 = double_exp_counter(x);
    let k: f64 = counter - 6755399441055744.0;
    let r: f64 = (-k).mul_add(0.6931471805599453, x);
    let s: [f64; 2] = double_two_sum(r, k.mul_add(-2.3190468138462996e-17, x_low));
    let p: [f64; 2] = double_expm1_rest(s[0], s[1]);
    let h: f64 = 1.0 + p[0];
    let sum: [f64; 2] = double_fast_two_sum(h, 1.0 - h + p[0] + p[1]);
    [sum[0], sum[1], counter]
}

#[inline]
pub(super) fn double_expm1_quarter(x: f64) -> [f64; 2] {
    let counter: f64 = double_exp_counter(x);
    let rest: [f64; 2] = double_expm1_of(x, counter - 6755399441055744.0);
    let p: [f64; 2] = double_fast_two_sum(rest[0], rest[1]);
    let w: f64 = f64::from_bits(counter.to_bits().wrapping_add(1021_u64) << 52_u32);
    let a: [f64; 2] = double_two_sum(w, -0.25);
    let s: [f64; 2] = double_fast_two_sum(a[0], w * p[0]);
    double_fast_two_sum(s[0], s[1] + (a[1] + w * p[1]))
}

#[inline]
pub(crate) fn expm1(x: f64) -> f64 {
    let held: f64 = double_held(x, -40.0, 710.4759);
    let p: [f64; 2] = double_expm1_quarter(held);
    let value: f64 = 4.0 * (p[0] + p[1]);
    select(x.abs() < 5.551115123125783e-17, x, value)
}
