//! Written from the kernel library `ir/src/math/precise_math/single_normal.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::single_logarithm::single_log_sum;
use super::single_logarithm::single_split;

#[inline]
fn single_erfinv_near(x: f64) -> f64 {
    let z: f64 = x * x;
    let p12: f64 = z.mul_add(0.11314166859159029, -0.07607360776328573);
    let p11: f64 = z.mul_add(p12, 0.07345020539520401);
    let p10: f64 = z.mul_add(p11, 0.008446011584224939);
    let p9: f64 = z.mul_add(p10, 0.03159332043375326);
    let p8: f64 = z.mul_add(p9, 0.031145242581416724);
    let p7: f64 = z.mul_add(p8, 0.036522988083139016);
    let p6: f64 = z.mul_add(p7, 0.042832578482160585);
    let p5: f64 = z.mul_add(p6, 0.05173148498700453);
    let p4: f64 = z.mul_add(p5, 0.06495961132717862);
    let p3: f64 = z.mul_add(p4, 0.08655212936268364);
    let p2: f64 = z.mul_add(p3, 0.1275561753044084);
    let p1: f64 = z.mul_add(p2, 0.23201366653465907);
    let p: f64 = z.mul_add(p1, 0.886226925452758);
    x * p
}

#[inline]
fn single_tail_root(q: f64) -> f64 {
    let parts: [f64; 2] = single_split(q);
    (-single_log_sum(parts[1], parts[0] - 1.0)).sqrt()
}

#[inline]
fn single_erfcinv_short(q: f64) -> f64 {
    let w: f64 = single_tail_root(q);
    let t: f64 = (w - 1.0) / (w + 1.0);
    let p19: f64 = t.mul_add(-0.013025868600855013, 0.04892286482132362);
    let p18: f64 = t.mul_add(p19, -0.08509913398344951);
    let p17: f64 = t.mul_add(p18, 0.10174972520459591);
    let p16: f64 = t.mul_add(p17, -0.11564876671399767);
    let p15: f64 = t.mul_add(p16, 0.11931466968148498);
    let p14: f64 = t.mul_add(p15, -0.06684972250915011);
    let p13: f64 = t.mul_add(p14, -0.025844635364669917);
    let p12: f64 = t.mul_add(p13, 0.054066609483676246);
    let p11: f64 = t.mul_add(p12, 0.0190247091748006);
    let p10: f64 = t.mul_add(p11, -0.07594791573763884);
    let p9: f64 = t.mul_add(p10, 0.0057710341622250385);
    let p8: f64 = t.mul_add(p9, 0.09439967028200062);
    let p7: f64 = t.mul_add(p8, -0.04741461928170117);
    let p6: f64 = t.mul_add(p7, -0.11369297164758393);
    let p5: f64 = t.mul_add(p6, 0.11254418526086463);
    let p4: f64 = t.mul_add(p5, 0.12871527961074952);
    let p3: f64 = t.mul_add(p4, -0.25765435906089695);
    let p2: f64 = t.mul_add(p3, -0.20251526056396899);
    let p1: f64 = t.mul_add(p2, 0.6826029167973251);
    let p: f64 = t.mul_add(p1, 0.6367161372196165);
    w * p
}

#[inline]
fn single_erfcinv_long(q: f64) -> f64 {
    let w: f64 = single_tail_root(q);
    let t: f64 = (w - 2.0) / (w + 2.0);
    let p23: f64 = t.mul_add(0.0003942473315324089, -0.005849383195880183);
    let p22: f64 = t.mul_add(p23, 0.01883992061736426);
    let p21: f64 = t.mul_add(p22, -0.026350252746453882);
    let p20: f64 = t.mul_add(p21, 0.012055987462101026);
    let p19: f64 = t.mul_add(p20, 0.018011338568597202);
    let p18: f64 = t.mul_add(p19, -0.04018069456727132);
    let p17: f64 = t.mul_add(p18, 0.03718301832567225);
    let p16: f64 = t.mul_add(p17, -0.00957721540673374);
    let p15: f64 = t.mul_add(p16, -0.02785055443327632);
    let p14: f64 = t.mul_add(p15, 0.053154141553801874);
    let p13: f64 = t.mul_add(p14, -0.048579814340456245);
    let p12: f64 = t.mul_add(p13, 0.011315414287487792);
    let p11: f64 = t.mul_add(p12, 0.04099598769883652);
    let p10: f64 = t.mul_add(p11, -0.07798851800277239);
    let p9: f64 = t.mul_add(p10, 0.07119895041503067);
    let p8: f64 = t.mul_add(p9, -0.01366703963948426);
    let p7: f64 = t.mul_add(p8, -0.07264412178778713);
    let p6: f64 = t.mul_add(p7, 0.13776537386275117);
    let p5: f64 = t.mul_add(p6, -0.12811413060213508);
    let p4: f64 = t.mul_add(p5, 0.006724927244553051);
    let p3: f64 = t.mul_add(p4, 0.20193905748463736);
    let p2: f64 = t.mul_add(p3, -0.42376321836305597);
    let p1: f64 = t.mul_add(p2, 0.43091773028359776);
    let p: f64 = t.mul_add(p1, 0.8340941580292482);
    w * p
}

#[inline]
pub(crate) fn erfinvf(x: f32) -> f32 {
    let a: f64 = x.abs() as f64;
    let far: f64 = single_erfcinv_short(1.0 - select(a < 0.99999999, a, 0.5));
    let size: f32 = select(a < 0.5, single_erfinv_near(a), far) as f32;
    let mended: f32 = select(x.abs() == 0.16482602, 0.147128, size);
    let finite: f32 = select(x.abs() < 1.0, mended, select(x.abs() == 1.0, f32::INFINITY, f32::NAN));
    finite.copysign(x)
}

#[inline]
fn single_erfcinv(q: f64) -> f64 {
    let above: bool = q > 1.0;
    let folded: f64 = select(above, 2.0 - q, q);
    let tail: f64 = single_erfcinv_long(select(folded > 0.0, folded, 0.5));
    let far: f64 = select(above, -tail, tail);
    select(folded < 0.5, far, single_erfinv_near(1.0 - q))
}

#[inline]
pub(crate) fn erfcinvf(x: f32) -> f32 {
    let y: f32 = single_erfcinv(x as f64) as f32;
    let within: f32 = select(x < 2.0, y, select(x == 2.0, f32::NEG_INFINITY, f32::NAN));
    select(x > 0.0, within, select(x == 0.0, f32::INFINITY, f32::NAN))
}

#[inline]
pub(crate) fn probitf(x: f32) -> f32 {
    let y: f64 = single_erfcinv(2.0 * (x as f64)) * -1.4142135623730951;
    let within: f32 = select(x < 1.0, (y as f32) + 0.0, select(x == 1.0, f32::INFINITY, f32::NAN));
    select(x > 0.0, within, select(x == 0.0, f32::NEG_INFINITY, f32::NAN))
}
