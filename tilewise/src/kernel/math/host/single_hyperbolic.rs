//! Written from the kernel library `ir/src/math/precise_math/single_hyperbolic.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::single_logarithm::single_log_sum;
use super::single_logarithm::single_split;

#[inline]
fn single_expm1_parts(d: f64) -> [f64; 2] {
    let counter: f64 = d.mul_add(1.4426950408889634, 6755399441055744.0);
    let n: f64 = counter - 6755399441055744.0;
    let r: f64 = n.mul_add(-2.3190468138462996e-17, n.mul_add(-0.6931471805599453, d));
    let p8: f64 = r.mul_add(2.5068400104638584e-8, 2.7620206680926886e-7);
    let p7: f64 = r.mul_add(p8, 2.7557355095750215e-6);
    let p6: f64 = r.mul_add(p7, 2.480152098400783e-5);
    let p5: f64 = r.mul_add(p6, 0.0001984126978476588);
    let p4: f64 = r.mul_add(p5, 0.001388888891749154);
    let p3: f64 = r.mul_add(p4, 0.008333333333356315);
    let p2: f64 = r.mul_add(p3, 0.04166666666662319);
    let p1: f64 = r.mul_add(p2, 0.16666666666666644);
    let p: f64 = r.mul_add(p1, 0.5000000000000001);
    [f64::from_bits(((counter.to_bits() as i64) << 52_u32).wrapping_add(0x3ff0000000000000_i64) as u64), (r * r).mul_add(p, r)]
}

#[inline]
fn single_size(x: f32, most: f32) -> f64 {
    select(most < x.abs(), most, x.abs()) as f64
}

#[inline]
pub(crate) fn sinhf(x: f32) -> f32 {
    let parts: [f64; 2] = single_expm1_parts(single_size(x, 100.0));
    let u: f64 = parts[0].mul_add(parts[1], parts[0] - 1.0);
    let size: f64 = 0.5 * (u + u / (u + 1.0));
    let mended: f32 = select(x.abs() == 0.0005589425, 0.0005589425, size as f32);
    mended.copysign(x)
}

#[inline]
pub(crate) fn coshf(x: f32) -> f32 {
    let parts: [f64; 2] = single_expm1_parts(single_size(x, 100.0));
    let power: f64 = parts[0].mul_add(parts[1], parts[0]);
    (0.5 * (power + 1.0 / power)) as f32
}

#[inline]
pub(crate) fn tanhf(x: f32) -> f32 {
    let parts: [f64; 2] = single_expm1_parts(2.0 * single_size(x, 30.0));
    let u: f64 = parts[0].mul_add(parts[1], parts[0] - 1.0);
    ((u / (u + 2.0)) as f32).copysign(x)
}

#[inline]
fn single_log_above(u: f64, f: f64) -> f64 {
    let parts: [f64; 2] = single_split(u);
    single_log_sum(parts[1], select(parts[1] == 0.0, f, parts[0] - 1.0))
}

#[inline]
pub(crate) fn asinhf(x: f32) -> f32 {
    let a: f64 = x.abs() as f64;
    let square: f64 = a * a;
    let root: f64 = (square + 1.0).sqrt();
    let y: f64 = single_log_above(a + root, a + square / (1.0 + root));
    let m0: f32 = select(x.abs() == 29018954.0, 17.876608, y as f32);
    let m1: f32 = select(x.abs() == 6.391892e22, 53.20505, m0);
    let m2: f32 = select(x.abs() == 2.749153e28, 66.17683, m1);
    select(x.abs() < f32::INFINITY, m2.copysign(x), x)
}

#[inline]
pub(crate) fn acoshf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let root: f64 = d.mul_add(d, -1.0).sqrt();
    let y: f64 = single_log_above(d + root, d - 1.0 + root);
    let m0: f32 = select(x == 6.391892e22, 53.20505, y as f32);
    let m1: f32 = select(x == 2.749153e28, 66.17683, m0);
    let within: f32 = select(x < 1.0, f32::NAN, m1);
    select(x < f32::INFINITY, within, x)
}

#[inline]
pub(crate) fn atanhf(x: f32) -> f32 {
    let a: f64 = x.abs() as f64;
    let ratio: u64 = (1.0 + a).to_bits().wrapping_sub((1.0 - a).to_bits()).wrapping_add(0x3ff8000000000000_u64);
    let power: f64 = f64::from_bits(ratio & 0x7ff0000000000000_u64);
    let e: f64 = f64::from_bits((ratio >> 52_u32) | 0x4330000000000000_u64) - 4503599627371519.0;
    let s: f64 = a.mul_add(1.0 + power, 1.0 - power) / a.mul_add(1.0 - power, 1.0 + power);
    let z: f64 = s * s;
    let p7: f64 = z.mul_add(0.05134069726355114, 0.05992415491473518);
    let p6: f64 = z.mul_add(p7, 0.06656808067233387);
    let p5: f64 = z.mul_add(p6, 0.07692715338742609);
    let p4: f64 = z.mul_add(p5, 0.09090899924642946);
    let p3: f64 = z.mul_add(p4, 0.11111111225570927);
    let p2: f64 = z.mul_add(p3, 0.1428571428496515);
    let p1: f64 = z.mul_add(p2, 0.20000000000002185);
    let p: f64 = z.mul_add(p1, 0.3333333333333333);
    let rest: f64 = (s * z).mul_add(p, e * 1.1595234069231498e-17);
    let y: f64 = e.mul_add(0.34657359027997264, s) + rest;
    let size: f32 = select(x.abs() < 1.0, y as f32, select(x.abs() == 1.0, f32::INFINITY, f32::NAN));
    size.copysign(x)
}
