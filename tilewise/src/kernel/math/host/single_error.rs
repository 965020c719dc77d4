//! Written from the kernel library `ir/src/math/precise_math/single_error.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;

#[inline]
pub(super) fn single_exp_of(d: f64) -> f64 {
    let counter: f64 = d.mul_add(1.4426950408889634, 6755399441055744.0);
    let n: f64 = counter - 6755399441055744.0;
    let r: f64 = n.mul_add(-2.3190468138462996e-17, n.mul_add(-0.6931471805599453, d));
    let p9: f64 = r.mul_add(2.5060973289271965e-8, 2.7626301802967236e-7);
    let p8: f64 = r.mul_add(p9, 2.75573854199204e-6);
    let p7: f64 = r.mul_add(p8, 2.4801504514682556e-5);
    let p6: f64 = r.mul_add(p7, 0.0001984126974291674);
    let p5: f64 = r.mul_add(p6, 0.0013888888932320075);
    let p4: f64 = r.mul_add(p5, 0.008333333333379017);
    let p3: f64 = r.mul_add(p4, 0.04166666666657377);
    let p2: f64 = r.mul_add(p3, 0.16666666666666605);
    let p1: f64 = r.mul_add(p2, 0.5000000000000006);
    let p: f64 = r.mul_add(p1, 1.0);
    f64::from_bits((r.mul_add(p, 1.0).to_bits() as i64).wrapping_add((counter.to_bits() as i64) << 52_u32) as u64)
}

#[inline]
fn single_erf_near(x: f64) -> f64 {
    let z: f64 = x * x;
    let p8: f64 = z.mul_add(-1.4569747007330898e-7, 1.636522234464656e-6);
    let p7: f64 = z.mul_add(p8, -1.4922706737985494e-5);
    let p6: f64 = z.mul_add(p7, 0.00012055278229592762);
    let p5: f64 = z.mul_add(p6, -0.0008548326384138522);
    let p4: f64 = z.mul_add(p5, 0.0052239776208136855);
    let p3: f64 = z.mul_add(p4, -0.02686617064493366);
    let p2: f64 = z.mul_add(p3, 0.11283791670954679);
    let p1: f64 = z.mul_add(p2, -0.3761263890318375);
    let p: f64 = z.mul_add(p1, -7.703488315466651e-20);
    x.mul_add(1.1283791670955126, x * p)
}

#[inline]
fn single_erfc_far(a: f64) -> f64 {
    let v: f64 = 1.0 / (a + 4.0);
    let t: f64 = (-8.0_f64).mul_add(v, 1.0);
    let p16: f64 = t.mul_add(-2.782042159104457e-7, -8.943076760643681e-7);
    let p15: f64 = t.mul_add(p16, 1.5529211104283157e-6);
    let p14: f64 = t.mul_add(p15, 4.780658203724381e-6);
    let p13: f64 = t.mul_add(p14, -1.8886062502651226e-5);
    let p12: f64 = t.mul_add(p13, -3.669250904427177e-6);
    let p11: f64 = t.mul_add(p12, 0.00017681259352391793);
    let p10: f64 = t.mul_add(p11, -0.00045504615750428687);
    let p9: f64 = t.mul_add(p10, -0.00028095813980076595);
    let p8: f64 = t.mul_add(p9, 0.006112054961993532);
    let p7: f64 = t.mul_add(p8, -0.02637005344173548);
    let p6: f64 = t.mul_add(p7, 0.07638151495092856);
    let p5: f64 = t.mul_add(p6, -0.17401093723417246);
    let p4: f64 = t.mul_add(p5, 0.3308515878766934);
    let p3: f64 = t.mul_add(p4, -0.5408538313133662);
    let p2: f64 = t.mul_add(p3, 0.7732087022652551);
    let p1: f64 = t.mul_add(p2, -0.9765487290808812);
    let p: f64 = t.mul_add(p1, 1.095995661000491);
    single_exp_of(-(a * a)) * (p * v)
}

#[inline]
pub(crate) fn erff(x: f32) -> f32 {
    let a: f32 = x.abs();
    let far: f64 = 1.0 - single_erfc_far(select(4.0 < a, 4.0, a) as f64);
    let size: f64 = select(a < 0.5, single_erf_near(a as f64), far);
    (size as f32).copysign(x)
}

#[inline]
pub(crate) fn erfcf(x: f32) -> f32 {
    let a: f32 = x.abs();
    let tail: f64 = single_erfc_far(select(10.5 < a, 10.5, a) as f64);
    let far: f64 = select(x < 0.0, 2.0 - tail, tail);
    let y: f32 = select(a < 0.5, 1.0 - single_erf_near(x as f64), far) as f32;
    select(x == -1.4103805e-5, 1.0000159, y)
}

#[inline]
pub(crate) fn phif(x: f32) -> f32 {
    let a: f32 = x.abs();
    let d: f64 = select(15.0 < a, 15.0, a) as f64;
    let square: f64 = d * d;
    let v: f64 = 1.0 / (d + 5.0);
    let t: f64 = (-10.0_f64).mul_add(v, 1.0);
    let p17: f64 = t.mul_add(-2.3612333861660134e-8, 6.199713845816068e-8);
    let p16: f64 = t.mul_add(p17, 3.9947440672183334e-7);
    let p15: f64 = t.mul_add(p16, -3.638827069202708e-7);
    let p14: f64 = t.mul_add(p15, -2.7592613711276527e-6);
    let p13: f64 = t.mul_add(p14, 3.993935033772921e-6);
    let p12: f64 = t.mul_add(p13, 1.6680370786303224e-5);
    let p11: f64 = t.mul_add(p12, -4.97660044977268e-5);
    let p10: f64 = t.mul_add(p11, -5.937591343097147e-5);
    let p9: f64 = t.mul_add(p10, 0.0005448995019511567);
    let p8: f64 = t.mul_add(p9, -0.0007978693476197803);
    let p7: f64 = t.mul_add(p8, -0.0029933768038201422);
    let p6: f64 = t.mul_add(p7, 0.020795066795106558);
    let p5: f64 = t.mul_add(p6, -0.0691186387050154);
    let p4: f64 = t.mul_add(p5, 0.16502036617058521);
    let p3: f64 = t.mul_add(p4, -0.3135331566713252);
    let p2: f64 = t.mul_add(p3, 0.495305615969973);
    let p1: f64 = t.mul_add(p2, -0.6653825028900566);
    let p: f64 = t.mul_add(p1, 0.769193049750063);
    let tail: f64 = single_exp_of(-0.5 * square) * (p * v);
    let far: f64 = select(x < 0.0, tail, 1.0 - tail);
    let q8: f64 = square.mul_add(-2.3760703094994437e-10, 2.5941253850363856e-9);
    let q7: f64 = square.mul_add(q8, -4.156144887139939e-8);
    let q6: f64 = square.mul_add(q7, 6.661589299747083e-7);
    let q5: f64 = square.mul_add(q6, -9.444719869374334e-6);
    let q4: f64 = square.mul_add(q5, 0.00011543470050097434);
    let q3: f64 = square.mul_add(q4, -0.0011873282170131057);
    let q2: f64 = square.mul_add(q3, 0.00997355701013459);
    let q1: f64 = square.mul_add(q2, -0.06649038006690834);
    let q: f64 = square.mul_add(q1, 0.3989422804014327);
    let y: f32 = select(a < 0.7142857, (x as f64).mul_add(q, 0.5), far) as f32;
    let mended: f32 = select(x == 7.4703344e-8, 0.50000006, y);
    select(x == -3.7351672e-8, 0.49999997, mended)
}
