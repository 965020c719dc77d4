//! Written from the kernel library `ir/src/math/precise_math/double_error.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_exponential::double_exp_pair;
use super::double_exponential::double_held;
use super::double_exponential::double_rounded;
use super::double_logarithm::double_biased_less;
use super::double_logarithm::double_log_bits;
use super::double_logarithm::double_log_mantissa;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_horner;
use super::double_parts::double_lift;
use super::double_parts::double_product;
use super::double_parts::double_quotient;
use super::double_parts::double_square;
use super::double_parts::double_tiny_times;
use super::double_parts::double_two_sum;
use super::double_parts::double_with_sign;

#[inline]
fn double_erf_near(x: [f64; 2]) -> [f64; 2] {
    let z: [f64; 2] = double_square(x[0], x[1]);
    let e8: f64 = z[0].mul_add(-1.1166635891743443e-9, 1.4748259316771814e-8);
    let e7: f64 = z[0].mul_add(e8, -1.636411895505706e-7);
    let e6: f64 = z[0].mul_add(e7, 1.6462083720870573e-6);
    let e5: f64 = z[0].mul_add(e6, -1.4925650021009915e-5);
    let e4: f64 = z[0].mul_add(e5, 0.00012055332979525925);
    let e3: f64 = z[0].mul_add(e4, -0.0008548327023442123);
    let e2: f64 = z[0].mul_add(e3, 0.005223977625442171);
    let e1: f64 = z[0].mul_add(e2, -0.026866170645131252);
    let e0: f64 = z[0].mul_add(e1, 0.11283791670955126);
    let u: [f64; 2] = double_lift(x, z, -0.37612638903183754, 1.3391897206030649e-17, z[0] * e0);
    let p: [f64; 2] = double_product(x[0], x[1], 1.1283791670955126, 1.533545961316588e-17);
    let h: f64 = p[0] + u[0];
    double_fast_two_sum(h, p[0] - h + u[0] + (p[1] + u[1]))
}

#[inline]
fn double_erfcx(x: [f64; 2]) -> [f64; 2] {
    let n: [f64; 2] = double_two_sum(x[0], -3.75);
    let d: [f64; 2] = double_two_sum(x[0], 3.75);
    let t: [f64; 2] = double_quotient(n[0], n[1] + x[1], d[0], d[1] + x[1]);
    let g21: f64 = t[0].mul_add(-4.0660470687812226e-9, -2.845151846450435e-9);
    let g20: f64 = t[0].mul_add(g21, 3.7722557099676284e-8);
    let g19: f64 = t[0].mul_add(g20, 2.222494606475613e-8);
    let g18: f64 = t[0].mul_add(g19, -2.586875035945622e-7);
    let g17: f64 = t[0].mul_add(g18, -5.665585467080539e-8);
    let g16: f64 = t[0].mul_add(g17, 1.7522888704715263e-6);
    let g15: f64 = t[0].mul_add(g16, -9.736398332588732e-7);
    let g14: f64 = t[0].mul_add(g15, -1.144470872673638e-5);
    let g13: f64 = t[0].mul_add(g14, 2.238416556816509e-5);
    let g12: f64 = t[0].mul_add(g13, 5.164934728800255e-5);
    let g11: f64 = t[0].mul_add(g12, -0.00029015403246494093);
    let g10: f64 = t[0].mul_add(g11, 0.0002937136003095779);
    let g9: f64 = t[0].mul_add(g10, 0.0017556258395461136);
    let g8: f64 = t[0].mul_add(g9, -0.009746579547671995);
    let g7: f64 = t[0].mul_add(g8, 0.02836227742093715);
    let g6: f64 = t[0].mul_add(g7, -0.05869339859058116);
    let g5: f64 = t[0].mul_add(g6, 0.09230432116022412);
    let g4: f64 = t[0].mul_add(g5, -0.10880393014170503);
    let g3: f64 = t[0].mul_add(g4, 0.0822767384901505);
    let g2: f64 = t[0].mul_add(g3, 0.00358541548546364);
    let v2: [f64; 2] = [g2, 0.0];
    let v1: [f64; 2] = double_horner(v2, t, -0.14024059858554702, 6.305290382174632e-18);
    let v0: [f64; 2] = double_horner(v1, t, 1.2375126308378275, 1.0551190135752817e-16);
    let b: [f64; 2] = double_two_sum(1.0, 2.0 * x[0]);
    double_quotient(v0[0], v0[1], b[0], b[1] + 2.0 * x[1])
}

#[inline]
fn double_erfc_far(x: [f64; 2]) -> [f64; 3] {
    let z: [f64; 2] = double_square(x[0], x[1]);
    let power: [f64; 3] = double_exp_pair(-z[0], -z[1]);
    let factor: [f64; 2] = double_erfcx(x);
    let v: [f64; 2] = double_product(power[0], power[1], factor[0], factor[1]);
    [v[0], v[1], power[2]]
}

#[inline]
pub(crate) fn erf(x: f64) -> f64 {
    let a: f64 = x.abs();
    let near: [f64; 2] = double_erf_near([double_held(a, 0.0, 0.5), 0.0]);
    let far: [f64; 3] = double_erfc_far([double_held(a, 0.5, 6.5), 0.0]);
    let scale: f64 = f64::from_bits(far[2].to_bits().wrapping_add(1023_u64) << 52_u32);
    let sum: [f64; 2] = double_fast_two_sum(1.0, -far[0] * scale);
    let magnitude: f64 = select(a < 0.5, near[0], sum[0] + (-far[1]).mul_add(scale, sum[1]));
    let tiny: f64 = double_tiny_times(x, 1.1283791670955126, 1.533545961316588e-17);
    select(a < 6.223015277861142e-61, tiny, double_with_sign(magnitude, x))
}

#[inline]
fn double_erfc_pair(x: [f64; 2], less: f64, small: bool) -> f64 {
    let negative: bool = x[0] < 0.0;
    let a: f64 = select(negative, -x[0], x[0]);
    let a_low: f64 = select(negative, -x[1], x[1]);
    let is_near: bool = a < 0.5;
    let near_x: f64 = select(is_near, a, 0.25);
    let low: f64 = select(is_near, a_low, 0.0);
    let near: [f64; 2] = double_erf_near([near_x, low]);
    let held: f64 = double_held(a, 0.5, 28.0);
    let far: [f64; 3] = double_erfc_far([held, select(held == a, a_low, 0.0)]);
    let far_value: f64 = double_rounded(far[0], far[1], far[2] - less, small);
    let one: f64 = select(less == 0.0, 1.0, 0.5);
    let far_signed: f64 = select(negative, 2.0 * one - far_value, far_value);
    let erf_signed: f64 = select(negative, -near[0], near[0]);
    let erf_low: f64 = select(negative, -near[1], near[1]);
    let sum: [f64; 2] = double_fast_two_sum(1.0, -erf_signed);
    let value: f64 = select(is_near, one * (sum[0] + (sum[1] - erf_low)), far_signed);
    select(!x[0].is_nan(), value, f64::NAN)
}

#[inline]
pub(crate) fn erfc(x: f64) -> f64 {
    double_erfc_pair([x, 0.0], 0.0, x > 26.54325845425098)
}

#[inline]
pub(crate) fn phi(x: f64) -> f64 {
    let held: f64 = double_held(x, -50.0, 50.0);
    let u: [f64; 2] = double_product(held, 0.0, -0.7071067811865476, 4.833646656726457e-17);
    double_erfc_pair(u, 1.0, x < -37.5193793471445)
}

#[inline]
fn double_erf_inverse(x: f64, q: f64, near: bool) -> [f64; 2] {
    let z: f64 = x * x;
    let i6: f64 = z.mul_add(0.09523125091376078, 0.014493323456638434);
    let i5: f64 = z.mul_add(i6, 0.0582450309632879);
    let i4: f64 = z.mul_add(i5, 0.06415901249010597);
    let i3: f64 = z.mul_add(i4, 0.086604590281972);
    let i2: f64 = z.mul_add(i3, 0.12755450653619707);
    let i1: f64 = z.mul_add(i2, 0.23201368658730265);
    let i0: f64 = z.mul_add(i1, 0.8862269254135084);
    let y_near: f64 = x * i0;
    let there: [f64; 2] = double_erf_near([y_near, 0.0]);
    let s: f64 = y_near * y_near;
    let x6: f64 = s.mul_add(0.001388888888888889, 0.008333333333333333);
    let x4: f64 = s.mul_add(s.mul_add(x6, 0.041666666666666664), 0.16666666666666666);
    let growth: f64 = s.mul_add(s.mul_add(s.mul_add(x4, 0.5), 1.0), 1.0);
    let step_near: f64 = (x - there[0] - there[1]) * (growth * 0.886226925452758);
    let denormal: bool = q < 2.2250738585072014e-308;
    let normal: f64 = select(denormal, q * 1.8014398509481984e16, q);
    let bits: u64 = double_log_bits(normal);
    let e: f64 = double_biased_less(bits >> 52_u32, select(denormal, 4503599627371573.0, 4503599627371519.0));
    let f: f64 = double_log_mantissa(bits) - 1.0;
    let l7: f64 = f.mul_add(0.08532525459538043, -0.14269088776382066);
    let l6: f64 = f.mul_add(l7, 0.14977588659032162);
    let l5: f64 = f.mul_add(l6, -0.1657802460412852);
    let l4: f64 = f.mul_add(l5, 0.19955919604438493);
    let l3: f64 = f.mul_add(l4, -0.250013506202183);
    let l2: f64 = f.mul_add(l3, 0.3333419361020256);
    let l1: f64 = f.mul_add(l2, -0.4999999639974292);
    let l0: f64 = f.mul_add(l1, 0.9999999741191019);
    let w: f64 = (-e.mul_add(0.6931471805599453, f * l0)).sqrt();
    let t: f64 = (w - 3.0) / (w + 3.0);
    let w11: f64 = t.mul_add(-0.02155369546452259, 0.03700191600676619);
    let w10: f64 = t.mul_add(w11, 0.021080660126480445);
    let w9: f64 = t.mul_add(w10, -0.10182014883868896);
    let w8: f64 = t.mul_add(w9, 0.11615172500313735);
    let w7: f64 = t.mul_add(w8, -0.07769542473340808);
    let w6: f64 = t.mul_add(w7, 0.01687604057325219);
    let w5: f64 = t.mul_add(w6, 0.06977740703626693);
    let w4: f64 = t.mul_add(w5, -0.17821597030053857);
    let w3: f64 = t.mul_add(w4, 0.2786298940150472);
    let w2: f64 = t.mul_add(w3, -0.3389773159659319);
    let w1: f64 = t.mul_add(w2, 0.27366516359514986);
    let w0: f64 = t.mul_add(w1, 0.9049203720608208);
    let y: f64 = w * w0;
    let factor: [f64; 2] = double_erfcx([y, 0.0]);
    let power: [f64; 3] = double_exp_pair(y * y, y.mul_add(y, -(y * y)));
    let half: f64 = (power[2] - 6755399441055744.0).mul_add(0.5, 6755399441055744.0);
    let rest: f64 = power[2] - (half - 6755399441055744.0);
    let first: f64 = f64::from_bits(half.to_bits().wrapping_add(1023_u64) << 52_u32);
    let second: f64 = f64::from_bits(rest.to_bits().wrapping_add(1023_u64) << 52_u32);
    let wanted: [f64; 2] = double_product(q * first * second, 0.0, power[0], power[1]);
    let d: f64 = (factor[0] - wanted[0] + (factor[1] - wanted[1])) * 0.886226925452758;
    let third: f64 = (y * y).mul_add(1.3333333333333333, 0.3333333333333333);
    let step_far: f64 = (d * d).mul_add(d.mul_add(third, y), d);
    [select(near, y_near, y), select(near, step_near, step_far)]
}

#[inline]
pub(crate) fn erfinv(x: f64) -> f64 {
    let a: f64 = x.abs();
    let near: bool = a <= 0.5;
    let q: f64 = 1.0 - a;
    let usable: bool = !near & (a < 1.0);
    let y: [f64; 2] = double_erf_inverse(select(near, a, 0.25), select(usable, q, 0.25), near);
    let edge: f64 = select(a == 1.0, f64::INFINITY, f64::NAN);
    let magnitude: f64 = select(a < 1.0, y[0] + y[1], edge);
    let tiny: f64 = double_tiny_times(x, 0.886226925452758, -3.8332932499128993e-17);
    select(a < 6.223015277861142e-61, tiny, double_with_sign(magnitude, x))
}

#[inline]
pub(crate) fn erfcinv(x: f64) -> f64 {
    let near: bool = (x >= 0.5) & (x <= 1.5);
    let above: bool = x > 1.0;
    let q: f64 = select(above, 2.0 - x, x);
    let usable: bool = !near & (q > 0.0);
    let y: [f64; 2] = double_erf_inverse(select(near, 1.0 - x, 0.25), select(usable, q, 0.25), near);
    let value: f64 = y[0] + y[1];
    let signed: f64 = select(above & !near, -value, value);
    let edge: f64 = select(x == 0.0, f64::INFINITY, select(x == 2.0, f64::NEG_INFINITY, f64::NAN));
    select(q > 0.0, signed, edge)
}

#[inline]
pub(crate) fn probit(x: f64) -> f64 {
    let near: bool = (x >= 0.25) & (x <= 0.75);
    let above: bool = x > 0.5;
    let q: f64 = 2.0 * select(above, 1.0 - x, x);
    let usable: bool = !near & (q > 0.0);
    let part: f64 = select(near, 2.0_f64.mul_add(x, -1.0), 0.25);
    let y: [f64; 2] = double_erf_inverse(part, select(usable, q, 0.25), near);
    let value: [f64; 2] = double_product(y[0], y[1], 1.4142135623730951, -9.667293313452913e-17);
    let signed: f64 = select(!above & !near, -value[0], value[0]);
    let edge: f64 = select(x == 0.0, f64::NEG_INFINITY, select(x == 1.0, f64::INFINITY, f64::NAN));
    select(q > 0.0, signed, edge)
}
