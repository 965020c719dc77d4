//! Written from the kernel library `ir/src/math/precise_math/single_trigonometric.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::single_parts::single_zero_or;

#[inline]
fn single_turns(a: f32) -> [u64; 2] {
    let bits: u32 = a.to_bits();
    let mantissa: u64 = ((bits & 0x7fffff_u32) | 0x800000_u32) as u64;
    let shift: u32 = (bits >> 23_u32).wrapping_sub(150_u32);
    let later: bool = shift > 63_u32;
    let by: u32 = shift & 63_u32;
    let w0: u64 = select(later, 0x7f09d5f47d4d3770_u64, 0x28be60db9391054a_u64);
    let w1: u64 = select(later, 0x36d8a5664f10e410_u64, 0x7f09d5f47d4d3770_u64);
    let w2: u64 = select(later, 0x7f9458eaf7aef158_u64, 0x36d8a5664f10e410_u64);
    let high: u64 = w0.wrapping_shl(by) | (w1 >> 1_u32).wrapping_shr(63_u32.wrapping_sub(by));
    let low: u64 = w1.wrapping_shl(by) | (w2 >> 1_u32).wrapping_shr(63_u32.wrapping_sub(by));
    [mantissa.wrapping_mul(high).wrapping_add(((u128::from(mantissa) * u128::from(low)) >> 64) as u64), mantissa.wrapping_mul(low)]
}

#[inline]
fn single_angle(a: f32, high: u64, low: u64, unit: f64) -> f64 {
    let leading: f64 = ((high as i64) as f64) * 5.421010862427522e-20;
    let following: f64 = ((low >> 32_u32) as f64) * 1.262177448353619e-29;
    select(a < f32::INFINITY, (leading + following) * unit, f64::NAN)
}

#[inline]
fn single_large_sine(x: f32, shift: u64) -> f32 {
    let turns: [u64; 2] = single_turns(x.abs());
    let shifted: u64 = turns[0].wrapping_add(shift << 62_u32);
    let a: f64 = single_angle(x.abs(), (shifted << 1_u32) | (turns[1] >> 63_u32), turns[1] << 1_u32, 3.1415926535897936);
    let r: f64 = select((x < 0.0) & (shift == 0_u64), -a, a);
    let half: u64 = shifted.wrapping_add(0x4000000000000000_u64) >> 63_u32;
    let z: f64 = r * r;
    single_signed((r * z).mul_add(single_sine_rest(z), r), f64::from_bits(half)) as f32
}

#[inline]
fn single_signed(y: f64, counter: f64) -> f64 {
    f64::from_bits(y.to_bits() ^ (counter.to_bits() << 63_u32))
}

#[inline]
fn single_sine_rest(z: f64) -> f64 {
    let p7: f64 = z.mul_add(1.6308504804678356e-17, 2.554717727326754e-15);
    let p6: f64 = z.mul_add(p7, -7.636042586946965e-13);
    let p5: f64 = z.mul_add(p6, 1.6058787824664245e-10);
    let p4: f64 = z.mul_add(p5, -2.505210502469197e-8);
    let p3: f64 = z.mul_add(p4, 2.7557319198924055e-6);
    let p2: f64 = z.mul_add(p3, -0.0001984126984117024);
    let p1: f64 = z.mul_add(p2, 0.008333333333333139);
    z.mul_add(p1, -0.16666666666666666)
}

#[inline]
fn single_sine(d: f64, counter: f64, n: f64) -> f32 {
    let r: f64 = n.mul_add(-1.2246467991473532e-16, n.mul_add(-3.141592653589793, d));
    let z: f64 = r * r;
    single_signed(r * z.mul_add(single_sine_rest(z), 1.0), counter) as f32
}

#[inline]
pub(crate) fn sinf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let counter: f64 = d.mul_add(0.3183098861837907, 6755399441055744.0);
    let mut y: f32 = single_sine(d, counter, counter - 6755399441055744.0);
    if !(x.abs() < 1073741800.0) {
        y = single_large_sine(x, 0_u64);
    }
    let mended: f32 = select(x == 9830.398, -0.34761325, y);
    select(x == -9830.398, 0.34761325, mended)
}

#[inline]
pub(crate) fn cosf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let counter: f64 = d.mul_add(0.3183098861837907, 0.5) + 6755399441055744.0;
    let mut y: f32 = single_sine(d, counter, counter - 6755399441055744.0 - 0.5);
    if !(x.abs() < 1073741800.0) {
        y = single_large_sine(x, 1_u64);
    }
    y
}

#[inline]
pub(crate) fn sincosf(x: f32) -> [f32; 2] {
    [sinf(x), cosf(x)]
}

#[inline]
fn single_tangent(r: f64) -> [f64; 2] {
    let z: f64 = r * r;
    let n3: f64 = z - 990.0;
    let n2: f64 = z.mul_add(n3, 135135.0);
    let n1: f64 = z.mul_add(n2, -4729725.0);
    let n: f64 = z.mul_add(n1, 34459425.0);
    let d3: f64 = z.mul_add(45.0, -13860.0);
    let d2: f64 = z.mul_add(d3, 945945.0);
    let d1: f64 = z.mul_add(d2, -16216200.0);
    let d: f64 = z.mul_add(d1, 34459425.0);
    [r * n, d]
}

#[inline]
pub(crate) fn tanf(x: f32) -> f32 {
    let d: f64 = x as f64;
    let counter: f64 = d.mul_add(0.6366197723675814, 6755399441055744.0);
    let n: f64 = counter - 6755399441055744.0;
    let mut r: f64 = n.mul_add(-6.123233995736766e-17, n.mul_add(-1.5707963267948966, d));
    let mut odd: bool = (counter.to_bits() & 1_u64) != 0_u64;
    if !(x.abs() < 1073741800.0) {
        let turns: [u64; 2] = single_turns(x.abs());
        let a: f64 = single_angle(x.abs(), (turns[0] << 2_u32) | (turns[1] >> 62_u32), turns[1] << 2_u32, 1.5707963267948966);
        r = select(x < 0.0, -a, a);
        odd = (turns[0].wrapping_add(0x2000000000000000_u64) & 0x4000000000000000_u64) != 0_u64;
    }
    let parts: [f64; 2] = single_tangent(r);
    let above: f64 = select(odd, -parts[1], parts[0]);
    let below: f64 = select(odd, parts[0], parts[1]);
    single_zero_or((above / below) as f32, x)
}

#[inline]
pub(super) fn single_sine_pi(q: f64) -> f64 {
    let z: f64 = q * q;
    let p8: f64 = z.mul_add(-2.7262139311124894e-8, 8.007093930269493e-7);
    let p7: f64 = z.mul_add(p8, -2.1918142967570436e-5);
    let p6: f64 = z.mul_add(p7, 0.0004663035661689461);
    let p5: f64 = z.mul_add(p6, -0.007370431067611281);
    let p4: f64 = z.mul_add(p5, 0.0821458866228062);
    let p3: f64 = z.mul_add(p4, -0.5992645293214381);
    let p2: f64 = z.mul_add(p3, 2.550164039877364);
    let p1: f64 = z.mul_add(p2, -5.16771278004997);
    let p: f64 = z.mul_add(p1, 1.9841871598992685e-9);
    q.mul_add(p, q * 3.141592651605606)
}

#[inline]
fn single_small_turns(x: f32) -> f64 {
    select(x.abs() < 16777216.0, x, x * 0.0) as f64
}

#[inline]
pub(crate) fn sinpif(x: f32) -> f32 {
    let d: f64 = single_small_turns(x);
    let counter: f64 = d + 6755399441055744.0;
    let q: f64 = d - (counter - 6755399441055744.0);
    let sine: f64 = single_sine_pi(q);
    let signed: f32 = f64::from_bits(sine.to_bits() ^ (counter.to_bits() << 63_u32)) as f32;
    select(q == 0.0, x * 0.0, signed)
}

#[inline]
pub(crate) fn cospif(x: f32) -> f32 {
    let d: f64 = single_small_turns(x);
    let counter: f64 = d + 6755399441055744.0;
    let q: f64 = d - (counter - 6755399441055744.0);
    let sine: f64 = single_sine_pi(0.5 - q.abs());
    let signed: f32 = f64::from_bits(sine.to_bits() ^ (counter.to_bits() << 63_u32)) as f32;
    signed + 0.0
}

#[inline]
pub(crate) fn tanpif(x: f32) -> f32 {
    let d: f64 = single_small_turns(x);
    let counter: f64 = d + 6755399441055744.0;
    let q: f64 = d - (counter - 6755399441055744.0);
    let far: bool = q.abs() > 0.25;
    let near: f64 = select(far, 0.5 - q.abs(), q.abs());
    let parts: [f64; 2] = single_tangent(near * 3.141592653589793);
    let above: f64 = select(far, parts[1], parts[0]);
    let below: f64 = select(far, parts[0], parts[1]);
    let size: f32 = (above / below) as f32;
    let odd: bool = (counter.to_bits() & 1_u64) != 0_u64;
    let negative: bool = select(q == 0.0, x.is_sign_negative() != odd, q < 0.0);
    select(negative, -size, size)
}
