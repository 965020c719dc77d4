//! Written from the kernel library `ir/src/math/precise_math/double_power.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::numbers::Numbers;
use super::select;
use super::double_exponential::double_exp_counter;
use super::double_exponential::double_exp_pair;
use super::double_exponential::double_expm1_rest;
use super::double_exponential::double_held;
use super::double_exponential::double_rounded;
use super::double_exponential::double_shifted;
use super::double_logarithm::double_log_bits;
use super::double_logarithm::double_log_mantissa;
use super::double_logarithm::double_log_near;
use super::double_logarithm::double_log_special;
use super::double_logarithm::double_unbiased;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_lift;
use super::double_parts::double_root;
use super::double_parts::double_two_product;
use super::double_parts::double_two_sum;
use super::double_parts::double_with_sign;

#[inline]
pub(super) fn double_log_pow(x: f64, low: f64) -> [f64; 2] {
    let bits: u64 = double_log_bits(x);
    let biased: u64 = bits >> 52_u32;
    let e: f64 = double_unbiased(biased);
    let m: f64 = double_log_mantissa(bits);
    let near: [f64; 3] = double_log_near(m);
    let one: f64 = f64::from_bits(0x7fe_u64.wrapping_sub(Numbers::min(biased, 0x7fe_u64)) << 52_u32);
    let f_low: f64 = low * one;
    let f: f64 = m - near[0];
    let d: f64 = near[0] + m;
    let d_low: f64 = near[0] - d + m + f_low;
    let r: f64 = 2.0 / d;
    let t: f64 = f * r;
    let s: f64 = 0.5 * t;
    let t_low: f64 = (-s).mul_add(d_low, (-s).mul_add(d, f) + f_low) * r;
    let z: f64 = s * s;
    let z_low: f64 = s.mul_add(s, -z) + s * t_low;
    let g4: f64 = z.mul_add(0.06687619187351923, 0.07692523237824062);
    let g3: f64 = z.mul_add(g4, 0.0909090758140186);
    let g2: f64 = z.mul_add(g3, 0.11111111114619777);
    let g1: f64 = z.mul_add(g2, 0.1428571428571089);
    let g0: f64 = z.mul_add(g1, 0.2);
    let pair: [f64; 2] = [t, t_low];
    let w: [f64; 2] = double_lift(pair, [z, z_low], 0.3333333333333333, 1.850371707708594e-17, z * g0);
    let h: [f64; 2] = double_fast_two_sum(t, w[0]);
    let whole: [f64; 2] = double_fast_two_sum(e.mul_add(0.6931471805598903, near[1]), h[0]);
    let rest: f64 = e.mul_add(5.497923018708371e-14, near[2]) + (t_low + (h[1] + w[1]));
    double_fast_two_sum(whole[0], whole[1] + rest)
}

#[inline]
fn double_pow_edges(x: f64, y: f64) -> f64 {
    let base: f64 = x.abs();
    let edge: bool = (base == 0.0) | (base == f64::INFINITY);
    let denormal: bool = base < 2.2250738585072014e-308;
    let normal: f64 = select(denormal, base * 1.8014398509481984e16, base);
    let l: [f64; 2] = double_log_pow(select(edge, 1.0, normal), 0.0);
    let up: [f64; 2] = double_two_sum(select(denormal, -37.42994775023705, 0.0), l[0]);
    let up_low: f64 = up[1] + (l[1] + select(denormal, 1.1902053746983427e-15, 0.0));
    let logarithm: [f64; 2] = double_fast_two_sum(up[0], up_low);
    let exponent: f64 = double_held(y, -1.2089258196146292e24, 1.2089258196146292e24);
    let product: f64 = exponent * logarithm[0];
    let held: f64 = double_held(product, -746.0, 710.0);
    let lost: f64 = exponent.mul_add(logarithm[0], -product) + exponent * logarithm[1];
    let power: [f64; 3] = double_exp_pair(held, select(held == product, lost, 0.0));
    let usual: f64 = double_rounded(power[0], power[1], power[2], held < -708.3964185322641);
    let inverted: f64 = select(base == 0.0, f64::INFINITY, 0.0);
    let at_edge: f64 = select(y < 0.0, inverted, base);
    let magnitude: f64 = select(edge, at_edge, usual);
    let half: f64 = y * 0.5;
    let whole: bool = y.floor() == y;
    let odd: bool = whole & (half.floor() != half);
    let flip: u64 = select(odd, x.to_bits() & 0x8000000000000000_u64, 0_u64);
    let signed: f64 = f64::from_bits(magnitude.to_bits() ^ flip);
    let invalid: bool = ((((x < 0.0) & (base < f64::INFINITY)) & !whole) | x.is_nan()) | y.is_nan();
    let valid: f64 = select(invalid, f64::NAN, signed);
    select((x == 1.0) | (y == 0.0), 1.0, valid)
}

#[inline]
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    let logarithm: [f64; 2] = double_log_pow(x, 0.0);
    let product: f64 = y * logarithm[0];
    let lost: f64 = y.mul_add(logarithm[0], -product) + y * logarithm[1];
    let counter: f64 = double_exp_counter(product);
    let k: f64 = counter - 6755399441055744.0;
    let r: f64 = (-k).mul_add(0.6931471805599453, product);
    let s: [f64; 2] = double_fast_two_sum(r, k.mul_add(-2.3190468138462996e-17, lost));
    let mut value: f64 = double_shifted(double_expm1_rest(s[0], s[1]), counter);
    if double_log_special(x) | !(product.abs() < 708.0) {
        value = double_pow_edges(x, y);
    }
    value
}

#[inline]
fn double_cbrt_parts(x: f64) -> [f64; 3] {
    let magnitude: f64 = x.abs();
    let denormal: bool = magnitude < 2.2250738585072014e-308;
    let bits: u64 = select(denormal, magnitude * 1.8014398509481984e16, magnitude).to_bits();
    let e: f64 = f64::from_bits((bits >> 52_u32) | 0x4330000000000000_u64) - 4503599627371519.0;
    let m: f64 = f64::from_bits((bits & 0xfffffffffffff_u64) | 0x3ff0000000000000_u64);
    let n: f64 = e.mul_add(0.3333333333333333, 6755399441055744.0) - 6755399441055744.0;
    let left: f64 = (-3.0_f64).mul_add(n, e);
    let up: bool = left > 0.0;
    let down: bool = left < 0.0;
    let z: f64 = m * select(up, 2.0, select(down, 0.5, 1.0));
    let q3: f64 = m.mul_add(0.028591034189349898, -0.22123790550585992);
    let q2: f64 = m.mul_add(q3, 0.6954827413930051);
    let q1: f64 = m.mul_add(q2, -1.1728803064604272);
    let q0: f64 = m.mul_add(q1, 1.670006767869741);
    let factor: f64 = select(up, 0.7937005259840998, select(down, 1.2599210498948732, 1.0));
    let r: f64 = q0 * factor;
    let h: f64 = (-z * r).mul_add(r * r, 1.0);
    let better: f64 = (r * h).mul_add(h.mul_add(0.2222222222222222, 0.3333333333333333), r);
    [better, z, n - select(denormal, 18.0, 0.0)]
}

#[inline]
fn double_power_of_two(n: f64) -> f64 {
    f64::from_bits((n + 6755399441055744.0).to_bits().wrapping_add(1023_u64) << 52_u32)
}

#[inline]
pub(crate) fn cbrt(x: f64) -> f64 {
    let parts: [f64; 3] = double_cbrt_parts(x);
    let r: f64 = parts[0];
    let square: f64 = r * r;
    let y: f64 = parts[1] * square;
    let y_square: f64 = y * y;
    let y_square_low: f64 = y.mul_add(y, -y_square);
    let rest: f64 = (-y_square_low).mul_add(y, (-y_square).mul_add(y, parts[1]));
    let value: f64 = rest.mul_add(square * 0.3333333333333333, y);
    let usual: f64 = double_with_sign(value * double_power_of_two(parts[2]), x);
    select((x == 0.0) | !(x.abs() < f64::INFINITY), x, usual)
}

#[inline]
pub(crate) fn rcbrt(x: f64) -> f64 {
    let parts: [f64; 3] = double_cbrt_parts(x);
    let r: f64 = parts[0];
    let square: f64 = r * r;
    let cube: f64 = square * r;
    let cube_low: f64 = square.mul_add(r, -cube) + r.mul_add(r, -square) * r;
    let h: f64 = (-parts[1]).mul_add(cube_low, (-parts[1]).mul_add(cube, 1.0));
    let value: f64 = (r * 0.3333333333333333).mul_add(h, r);
    let usual: f64 = double_with_sign(value * double_power_of_two(-parts[2]), x);
    select((x == 0.0) | !(x.abs() < f64::INFINITY), 1.0 / x, usual)
}

#[inline]
pub(crate) fn rsqrt(x: f64) -> f64 {
    let small: bool = x < 1.1830521861667747e-271;
    let scaled: f64 = select(small, x * 1.6069380442589903e60, x);
    let root: f64 = scaled.sqrt();
    let y: f64 = 1.0 / root;
    let rest: f64 = (-0.5 * y * y).mul_add((-root).mul_add(root, scaled), (-root).mul_add(y, 1.0));
    let usual: f64 = y.mul_add(rest, y) * select(small, 1.2676506002282294e30, 1.0);
    select((x > 0.0) & (x < f64::INFINITY), usual, y)
}

#[inline]
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    let a: f64 = x.abs();
    let b: f64 = y.abs();
    let swapped: bool = a < b;
    let larger: f64 = select(swapped, b, a);
    let smaller: f64 = select(swapped, a, b);
    let tiny: bool = larger < 3.4395525670743494e-136;
    let huge: bool = larger > 3.273390607896142e150;
    let scale: f64 = select(huge, 2.409919865102884e-181, select(tiny, 4.149515568880993e180, 1.0));
    let back: f64 = select(huge, 4.149515568880993e180, select(tiny, 2.409919865102884e-181, 1.0));
    let u: f64 = larger * scale;
    let v: f64 = smaller * scale;
    let p: [f64; 2] = double_two_product(u, u);
    let q: [f64; 2] = double_two_product(v, v);
    let h: [f64; 2] = double_fast_two_sum(p[0], q[0]);
    let root: [f64; 2] = double_root(h[0], h[1] + (p[1] + q[1]));
    let c: f64 = select(tiny & (root[0] < 9.232978617785736e-128), 9.232978617785736e-128, 0.0);
    let sum: [f64; 2] = double_fast_two_sum(c, root[0]);
    let value: f64 = (sum[0] + (sum[1] + root[1]) - c) * back;
    let usual: f64 = select(larger == 0.0, 0.0, value);
    let nan_or_usual: f64 = select(x.is_nan() | y.is_nan(), f64::NAN, usual);
    select((a == f64::INFINITY) | (b == f64::INFINITY), f64::INFINITY, nan_or_usual)
}
