//! Written from the kernel library `ir/src/math/precise_math/single_exponential.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;

#[inline]
pub(super) fn single_scaled(y: f64, counter: f64) -> f64 {
    f64::from_bits((y.to_bits() as i64).wrapping_add((counter.to_bits() as i64) << 52_u32) as u64)
}

#[inline]
fn single_held(x: f32, lo: f32, hi: f32) -> f64 {
    let above: f32 = select(x < lo, lo, x);
    select(hi < above, hi, above) as f64
}

#[inline]
fn single_exp_of_any(x: f32) -> f32 {
    let d: f64 = single_held(x, -110.0, 100.0);
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
    single_scaled(r.mul_add(p, 1.0), counter) as f32
}

#[inline]
pub(crate) fn expf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let counter: f64 = d.mul_add(1.4426950408889634, 6755399441055744.0);
    let r: f64 = (counter - 6755399441055744.0).mul_add(-0.6931471805599453, d);
    let p6: f64 = r.mul_add(2.504329528270523e-5, 0.00019921299683951563);
    let p5: f64 = r.mul_add(p6, 0.0013888498685755556);
    let p4: f64 = r.mul_add(p5, 0.008333255724161562);
    let p3: f64 = r.mul_add(p4, 0.041666668625754515);
    let p2: f64 = r.mul_add(p3, 0.16666666945797995);
    let p1: f64 = r.mul_add(p2, 0.49999999997562755);
    let p: f64 = r.mul_add(p1, 0.9999999999729215);
    let power: f64 = single_scaled(r.mul_add(p, 1.0), counter);
    let near: bool = ((power.to_bits() as u32).wrapping_add(0x4000_u32) & 0x1fff8000_u32) == 0x10000000_u32;
    let beyond: bool = ((x.to_bits() as i32) & 0x7fffffff_i32) > 0x42ae0000_i32;
    let mut value: f32 = power as f32;
    if near | beyond {
        value = single_exp_of_any(x);
    }
    value
}

#[inline]
pub(crate) fn exp2f(x: f32) -> f32 {
    let d: f64 = single_held(x, -160.0, 140.0);
    let counter: f64 = d + 6755399441055744.0;
    let r: f64 = d - (counter - 6755399441055744.0);
    let p9: f64 = r.mul_add(4.4688671830782945e-10, 7.072534881075565e-9);
    let p8: f64 = r.mul_add(p9, 1.0177960551895775e-7);
    let p7: f64 = r.mul_add(p8, 1.321544288731493e-6);
    let p6: f64 = r.mul_add(p7, 1.5252734104192674e-5);
    let p5: f64 = r.mul_add(p6, 0.0001540353044113881);
    let p4: f64 = r.mul_add(p5, 0.0013333558146089474);
    let p3: f64 = r.mul_add(p4, 0.00961812910760738);
    let p2: f64 = r.mul_add(p3, 0.05550410866482442);
    let p1: f64 = r.mul_add(p2, 0.24022650695909858);
    let p: f64 = r.mul_add(p1, 0.6931471805599385);
    let y: f32 = single_scaled(r.mul_add(p, 1.0), counter) as f32;
    select(x == 0.0029695758, 1.0020605, y)
}

#[inline]
pub(crate) fn exp10f(x: f32) -> f32 {
    let d: f64 = single_held(x, -50.0, 40.0);
    let counter: f64 = d.mul_add(3.321928094887362, 6755399441055744.0);
    let n: f64 = counter - 6755399441055744.0;
    let r: f64 = n.mul_add(2.8037281277851704e-18, n.mul_add(-0.3010299956639812, d));
    let p9: f64 = r.mul_add(0.00023839576135556325, 0.00115738517005928);
    let p8: f64 = r.mul_add(p9, 0.005014150207608842);
    let p7: f64 = r.mul_add(p8, 0.019597629450858967);
    let p6: f64 = r.mul_add(p7, 0.06808935998848595);
    let p5: f64 = r.mul_add(p6, 0.2069958493398045);
    let p4: f64 = r.mul_add(p5, 0.5393829292456788);
    let p3: f64 = r.mul_add(p4, 1.1712551489096867);
    let p2: f64 = r.mul_add(p3, 2.0346785922932775);
    let p1: f64 = r.mul_add(p2, 2.650949055239202);
    let p: f64 = r.mul_add(p1, 2.302585092994046);
    single_scaled(r.mul_add(p, 1.0), counter) as f32
}

#[inline]
pub(crate) fn expm1f(x: f32) -> f32 {
    let d: f64 = single_held(x, -30.0, 100.0);
    let counter: f64 = d.mul_add(1.4426950408889634, 6755399441055744.0);
    let n: f64 = counter - 6755399441055744.0;
    let r: f64 = n.mul_add(-2.3190468138462996e-17, n.mul_add(-0.6931471805599453, d));
    let p9: f64 = r.mul_add(2.0896499774739555e-9, 2.5105424083558085e-8);
    let p8: f64 = r.mul_add(p9, 2.755732686428654e-7);
    let p7: f64 = r.mul_add(p8, 2.755725479972292e-6);
    let p6: f64 = r.mul_add(p7, 2.4801587271890597e-5);
    let p5: f64 = r.mul_add(p6, 0.00019841269875423603);
    let p4: f64 = r.mul_add(p5, 0.0013888888888905046);
    let p3: f64 = r.mul_add(p4, 0.008333333333325895);
    let p2: f64 = r.mul_add(p3, 0.041666666666666644);
    let p1: f64 = r.mul_add(p2, 0.1666666666666667);
    let p: f64 = r.mul_add(p1, 0.5);
    let rest: f64 = (r * r).mul_add(p, r);
    let power: f64 = single_scaled(1.0, counter);
    (power.mul_add(rest, power - 1.0) as f32).copysign(x)
}
