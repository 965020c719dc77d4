//! Written from the kernel library `ir/src/math/precise_math/single_logarithm.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_product;
use super::double_parts::double_two_sum;
use super::single_parts::single_near_middle;
use super::single_parts::single_odd;

#[inline]
pub(super) fn single_split(d: f64) -> [f64; 2] {
    let bits: u64 = d.to_bits().wrapping_add(0x95f619980c433_u64);
    let m: f64 = f64::from_bits((bits & 0xfffffffffffff_u64).wrapping_add(0x3fe6a09e667f3bcd_u64));
    let e: f64 = f64::from_bits((bits >> 52_u32) | 0x4330000000000000_u64) - 4503599627371519.0;
    [m, e]
}

#[inline]
pub(super) fn single_exponent(x: f32) -> i32 {
    (x.to_bits() as i32).wrapping_sub(0x3f3504f3_i32) >> 23_u32
}

#[inline]
pub(super) fn single_split_normal(x: f32) -> [f64; 2] {
    let exponent: i32 = single_exponent(x);
    let f: f32 = f32::from_bits((x.to_bits() as i32).wrapping_sub(exponent << 23_u32) as u32) - 1.0;
    [f as f64, exponent as f64]
}

#[inline]
fn single_is_special(x: f32) -> bool {
    (x.to_bits() as i32).wrapping_add(0x7f800000_i32) > -16777217_i32
}

#[inline]
fn single_log_edges(x: f32, usual: f32) -> f32 {
    let below: f32 = select(x == 0.0, f32::NEG_INFINITY, f32::NAN);
    let positive: f32 = select(x == f32::INFINITY, f32::INFINITY, usual);
    select(x > 0.0, positive, below)
}

#[inline]
pub(super) fn single_log_sum(e: f64, f: f64) -> f64 {
    single_log_sum_by(e, f, 0.6931471805599453, 2.3190468138462996e-17)
}

#[inline]
fn single_log_sum_by(e: f64, f: f64, high: f64, low: f64) -> f64 {
    let s: f64 = f / (2.0 + f);
    let z: f64 = s * s;
    let p6: f64 = z.mul_add(0.13288083279026255, 0.13246550326490658);
    let p5: f64 = z.mul_add(p6, 0.15387220145498992);
    let p4: f64 = z.mul_add(p5, 0.18181773615115973);
    let p3: f64 = z.mul_add(p4, 0.22222222656631338);
    let p2: f64 = z.mul_add(p3, 0.28571428569168367);
    let p1: f64 = z.mul_add(p2, 0.40000000000005326);
    let p: f64 = z.mul_add(p1, 0.6666666666666666);
    let rest: f64 = s.mul_add(z.mul_add(p, -f), e * low);
    e.mul_add(high, f) + rest
}

#[inline]
pub(super) fn single_log_twice(f: f64) -> [f64; 2] {
    let w: f64 = 2.0 + f;
    let w_low: f64 = f - (w - 2.0);
    let s: f64 = f / w;
    let s_low: f64 = (-s).mul_add(w_low, (-s).mul_add(w, f)) / w;
    let z: [f64; 2] = double_product(s, s_low, s, s_low);
    let p12: f64 = z[0].mul_add(0.07407407407407407, 0.08);
    let p11: f64 = z[0].mul_add(p12, 0.08695652173913043);
    let p10: f64 = z[0].mul_add(p11, 0.09523809523809523);
    let p9: f64 = z[0].mul_add(p10, 0.10526315789473684);
    let p8: f64 = z[0].mul_add(p9, 0.11764705882352941);
    let p7: f64 = z[0].mul_add(p8, 0.13333333333333333);
    let p6: f64 = z[0].mul_add(p7, 0.15384615384615385);
    let p5: f64 = z[0].mul_add(p6, 0.18181818181818182);
    let t4: [f64; 2] = double_two_sum(0.2222222222222222, z[0] * p5);
    let q4: [f64; 2] = double_product(t4[0], t4[1] + 1.2335811384723961e-17, z[0], z[1]);
    let t3: [f64; 2] = double_two_sum(0.2857142857142857, q4[0]);
    let q3: [f64; 2] = double_product(t3[0], t3[1] + (q4[1] + 1.586032892321652e-17), z[0], z[1]);
    let t2: [f64; 2] = double_two_sum(0.4, q3[0]);
    let q2: [f64; 2] = double_product(t2[0], t2[1] + (q3[1] + -2.2204460492503132e-17), z[0], z[1]);
    let t1: [f64; 2] = double_two_sum(0.6666666666666666, q2[0]);
    let q1: [f64; 2] = double_product(t1[0], t1[1] + (q2[1] + 3.700743415417188e-17), z[0], z[1]);
    let q0: [f64; 2] = double_product(q1[0], q1[1], s, s_low);
    let sum: [f64; 2] = double_two_sum(2.0 * s, q0[0]);
    double_fast_two_sum(sum[0], 2.0_f64.mul_add(s_low, sum[1] + q0[1]))
}

#[inline]
fn single_log_total(e: f64, unit: f64, unit_low: f64, part: [f64; 2]) -> [f64; 2] {
    let product: [f64; 2] = double_product(e, 0.0, unit, unit_low);
    let sum: [f64; 2] = double_two_sum(product[0], part[0]);
    double_fast_two_sum(sum[0], sum[1] + (product[1] + part[1]))
}

#[inline]
fn single_log_near(e: f64, f: f64) -> f64 {
    single_log_sum_by(e, f, 0.6931471805606859, -7.405984306379555e-13)
}

#[inline]
pub(crate) fn logf(x: f32) -> f32 {
    let parts: [f64; 2] = single_split_normal(x);
    let f: f64 = parts[0];
    let s: f64 = f / (2.0 + f);
    let z: f64 = s * s;
    let p3: f64 = z.mul_add(0.1958405729528938, 0.22176194206633967);
    let p2: f64 = z.mul_add(p3, 0.28572109054138684);
    let p1: f64 = z.mul_add(p2, 0.3999999562252283);
    let p: f64 = z.mul_add(p1, 0.6666666667579995);
    let y: f64 = s.mul_add(z.mul_add(p, -f), parts[1].mul_add(0.6931471805599453, f));
    let near: bool = ((y.to_bits() as u32).wrapping_add(512_u32) & 0x1ffffc00_u32) == 0x10000000_u32;
    let mut value: f32 = y as f32;
    if near | single_is_special(x) {
        let all_parts: [f64; 2] = single_split(x as f64);
        let again: f32 = single_log_near(all_parts[1], all_parts[0] - 1.0) as f32;
        value = single_log_edges(x, select(x == 58037908.0, 17.876608, again));
    }
    value
}

#[inline]
pub(crate) fn log1pf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let u: f64 = 1.0 + d;
    let parts: [f64; 2] = single_split(u);
    let f: f64 = select(parts[1] == 0.0, d, parts[0] - 1.0);
    let mut y: f64 = single_log_sum(parts[1], f);
    let v13: f64 = y;
    if single_near_middle(v13) {
        let lost: f64 = select(parts[1] == 0.0, 0.0, double_two_sum(1.0, d)[1] / u);
        let part: [f64; 2] = single_log_twice(f);
        let total: [f64; 2] = single_log_total(parts[1], 0.6931471805599453, 2.3190468138462996e-17, [part[0], part[1] + lost]);
        y = single_odd(total[0], total[1]);
    }
    let usual: f32 = (y as f32).copysign(x);
    let below: f32 = select(x == -1.0, f32::NEG_INFINITY, f32::NAN);
    let positive: f32 = select(x == f32::INFINITY, f32::INFINITY, usual);
    select(x > -1.0, positive, below)
}

#[inline]
pub(crate) fn log2f(x: f32) -> f32 {
    let parts: [f64; 2] = single_split(x as f64);
    let f: f64 = parts[0] - 1.0;
    let s: f64 = f / (2.0 + f);
    let z: f64 = s * s;
    let p6: f64 = z.mul_add(0.19154145269545975, 0.19112552611211908);
    let p5: f64 = z.mul_add(p6, 0.22198985938506005);
    let p4: f64 = z.mul_add(p5, 0.26230756430588975);
    let p3: f64 = z.mul_add(p4, 0.3205989040261116);
    let p2: f64 = z.mul_add(p3, 0.4121985830798576);
    let p1: f64 = z.mul_add(p2, 0.5770780163556586);
    let p: f64 = z.mul_add(p1, 0.9617966939259756);
    let first: f64 = s * 2.8853900817779268;
    let second: f64 = s.mul_add(2.8853900817779268, -first) + s * 4.0710547481862066e-17;
    let rest: f64 = (s * z).mul_add(p, second);
    single_log_edges(x, (parts[1] + (first + rest)) as f32)
}

#[inline]
pub(crate) fn log10f(x: f32) -> f32 {
    let parts: [f64; 2] = single_split(x as f64);
    let f: f64 = parts[0] - 1.0;
    let s: f64 = f / (2.0 + f);
    let z: f64 = s * s;
    let p6: f64 = z.mul_add(0.05614473348046331, 0.05770167786574239);
    let p5: f64 = z.mul_add(p6, 0.06681822932866714);
    let p4: f64 = z.mul_add(p5, 0.0789626107220691);
    let p3: f64 = z.mul_add(p4, 0.09650988469410351);
    let p2: f64 = z.mul_add(p3, 0.12408413768954778);
    let p1: f64 = z.mul_add(p2, 0.17371779276128924);
    let p: f64 = z.mul_add(p1, 0.2895296546021679);
    let first: f64 = s * 0.8685889638065036;
    let second: f64 = s.mul_add(0.8685889638065036, -first) + s * 2.19663930043353e-17;
    let rest: f64 = (s * z).mul_add(p, second) + parts[1] * -2.8037281277851704e-18;
    let y: f32 = single_log_edges(x, (parts[1].mul_add(0.3010299956639812, first) + rest) as f32);
    select(x == 6.284548e-30, -29.201727, y)
}
