//! Written from the kernel library `ir/src/math/fast_math/fast_math.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;

#[inline]
pub(super) fn exact_product(a: f32, b: f32) -> f32 {
    a * b
}

#[inline]
pub(super) fn counted(counter: f32) -> f32 {
    (counter.to_bits() as i32).wrapping_sub(0x4b400000_i32) as f32
}

#[inline]
fn is_beyond(x: f32, bits: i32) -> bool {
    ((x.to_bits() as i32) & 0x7fffffff_i32) > bits
}

#[inline]
fn two_to_near(counter: f32, x: f32) -> f32 {
    f32::from_bits((x.to_bits() as i32).wrapping_add((counter.to_bits() as i32) << 23_u32) as u32)
}

#[inline]
fn two_to_counted(counter: i32, x: f32) -> f32 {
    let half: i32 = counter >> 1_u32;
    let first: f32 = f32::from_bits((half << 23_u32) as u32);
    let second: f32 = f32::from_bits((counter.wrapping_sub(half) << 23_u32) as u32);
    x * first * second
}

#[inline]
pub(super) fn two_to(n: i32, x: f32) -> f32 {
    let half: i32 = n >> 1_u32;
    let first: f32 = f32::from_bits((half.wrapping_add(127_i32) << 23_u32) as u32);
    let second: f32 = f32::from_bits((n.wrapping_sub(half).wrapping_add(127_i32) << 23_u32) as u32);
    x * first * second
}

#[inline]
fn exp_rest(x: f32, k: f32) -> f32 {
    let r: f32 = x - exact_product(k, 0.69314575) - exact_product(k, 1.4285906e-6);
    let p3: f32 = 0.008363102 + r * 0.0013910772;
    let p2: f32 = 0.04166671 + r * p3;
    let p1: f32 = 0.16666578 + r * p2;
    let p0: f32 = 0.5 + r * p1;
    1.0 + (r + r * r * p0)
}

#[inline]
fn exp_of_any(x: f32) -> f32 {
    let above: f32 = select(x < -104.0, -104.0, x);
    let clamped: f32 = select(89.0 < above, 89.0, above);
    let counter: i32 = (clamped * 1.442695 + 12583166.0).to_bits() as i32;
    two_to_counted(counter, exp_rest(clamped, counter.wrapping_sub(0x4b4000fe_i32) as f32))
}

#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    let counter: f32 = x * 1.442695 + 12582912.0;
    let mut value: f32 = two_to_near(counter, exp_rest(x, counted(counter)));
    if is_beyond(x, 0x42ae0000_i32) {
        value = exp_of_any(x);
    }
    value
}

#[inline]
fn exp2_fraction(r: f32) -> f32 {
    let r2: f32 = r * r;
    let p34: f32 = 0.009618323 + r * 0.0013387894;
    let p12: f32 = 0.24022649 + r * 0.055503663;
    1.0 + (r * 0.6931472 + r2 * (p12 + r2 * (p34 + r2 * 0.00015376712)))
}

#[inline]
fn exp2_of_any(x: f32) -> f32 {
    let above: f32 = select(x < -151.0, -151.0, x);
    let clamped: f32 = select(129.0 < above, 129.0, above);
    let counter: i32 = (clamped + 12583166.0).to_bits() as i32;
    let r: f32 = clamped - (counter.wrapping_sub(0x4b4000fe_i32) as f32);
    two_to_counted(counter, exp2_fraction(r))
}

#[inline]
pub(crate) fn exp2(x: f32) -> f32 {
    let counter: f32 = x + 12582912.0;
    let mut value: f32 = two_to_near(counter, exp2_fraction(x - counted(counter)));
    if is_beyond(x, 0x42fa0000_i32) {
        value = exp2_of_any(x);
    }
    value
}

#[inline]
fn split(x: f32) -> [f32; 2] {
    let denormal: bool = x < 1.1754944e-38;
    let scaled: f32 = select(denormal, x * 16777216.0, x);
    let bits: i32 = scaled.to_bits() as i32;
    let exponent: i32 = bits.wrapping_sub(0x3f3504f3_i32) >> 23_u32;
    let m: f32 = f32::from_bits(bits.wrapping_sub(exponent << 23_u32) as u32);
    [m, exponent.wrapping_sub(select(denormal, 24_i32, 0_i32)) as f32]
}

#[inline]
fn split_normal(x: f32) -> [f32; 2] {
    let bits: i32 = x.to_bits() as i32;
    let exponent: i32 = bits.wrapping_sub(0x3f3504f3_i32) >> 23_u32;
    [f32::from_bits(bits.wrapping_sub(exponent << 23_u32) as u32), exponent as f32]
}

#[inline]
fn log_edges(x: f32, usual: f32) -> f32 {
    let below: f32 = select(x == 0.0, f32::NEG_INFINITY, f32::NAN);
    let positive: f32 = select(x == f32::INFINITY, f32::INFINITY, usual);
    select(x > 0.0, positive, below)
}

#[inline]
fn log_of(m: f32, e: f32) -> f32 {
    let f: f32 = m - 1.0;
    let s: f32 = f / (2.0 + f);
    let z: f32 = s * s;
    let p1: f32 = 0.39988562 + z * 0.2958617;
    let p0: f32 = 0.66666687 + z * p1;
    exact_product(e, 0.69314575) + (f - (s * (f - z * p0) - exact_product(e, 1.4285906e-6)))
}

#[inline]
pub(crate) fn log(x: f32) -> f32 {
    let parts: [f32; 2] = split_normal(x);
    let mut value: f32 = log_of(parts[0], parts[1]);
    if is_beyond(parts[1], 0x42fa0000_i32) {
        let parts_of_any: [f32; 2] = split(x);
        value = log_edges(x, log_of(parts_of_any[0], parts_of_any[1]));
    }
    value
}

#[inline]
pub(crate) fn log2(x: f32) -> f32 {
    let parts: [f32; 2] = split(x);
    let f: f32 = parts[0] - 1.0;
    let e: f32 = parts[1];
    let p8: f32 = 0.18643999 + f * -0.10980114;
    let p7: f32 = -0.19103865 + f * p8;
    let p6: f32 = 0.20444524 + f * p7;
    let p5: f32 = -0.23961435 + f * p6;
    let p4: f32 = 0.28858787 + f * p5;
    let p3: f32 = -0.36069736 + f * p4;
    let p2: f32 = 0.48089734 + f * p3;
    let p1: f32 = -0.72134733 + f * p2;
    let p0: f32 = 0.44269505 + f * p1;
    let usual: f32 = e + (f + f * p0);
    log_edges(x, usual)
}

#[inline]
pub(crate) fn log10(x: f32) -> f32 {
    let parts: [f32; 2] = split(x);
    let f: f32 = parts[0] - 1.0;
    let e: f32 = parts[1];
    let p8: f32 = 0.0607117 + f * -0.04380192;
    let p7: f32 = -0.05534735 + f * p8;
    let p6: f32 = 0.06068671 + f * p7;
    let p5: f32 = -0.07229369 + f * p6;
    let p4: f32 = 0.08692256 + f * p5;
    let p3: f32 = -0.10857526 + f * p4;
    let p2: f32 = 0.14476374 + f * p3;
    let p1: f32 = -0.21714725 + f * p2;
    let p0: f32 = -0.065705515 + f * p1;
    let tail: f32 = f * p0 + e * 4.605039e-6;
    let usual: f32 = e * 0.3010254 + (0.5 * f + tail);
    log_edges(x, usual)
}

#[inline]
fn pick(index: u32, w0: u32, w1: u32, w2: u32, w3: u32, w4: u32) -> u32 {
    let low: u32 = select(index == 0_u32, w0, w1);
    let high: u32 = select(index == 2_u32, w2, w3);
    let below: u32 = select(index < 2_u32, low, high);
    select(index == 4_u32, w4, below)
}

#[inline]
fn large_turns(a: f32) -> [u32; 2] {
    let bits: u32 = a.to_bits();
    let mantissa: u32 = (bits & 0x7fffff_u32) | 0x800000_u32;
    let shift: u32 = (bits >> 23_u32).wrapping_sub(118_u32);
    let index: u32 = shift >> 5_u32;
    let by: u32 = shift & 31_u32;
    let v0: u32 = pick(index, 0_u32, 0x28be60db_u32, 0x9391054a_u32, 0x7f09d5f4_u32, 0x7d4d3770_u32);
    let v1: u32 = pick(index, 0x28be60db_u32, 0x9391054a_u32, 0x7f09d5f4_u32, 0x7d4d3770_u32, 0x36d8a566_u32);
    let v2: u32 = pick(index, 0x9391054a_u32, 0x7f09d5f4_u32, 0x7d4d3770_u32, 0x36d8a566_u32, 0x4f10e410_u32);
    let v3: u32 = pick(index, 0x7f09d5f4_u32, 0x7d4d3770_u32, 0x36d8a566_u32, 0x4f10e410_u32, 0x7f9458ea_u32);
    let f0: u32 = v0.wrapping_shl(by) | (v1 >> 1_u32).wrapping_shr(31_u32.wrapping_sub(by));
    let f1: u32 = v1.wrapping_shl(by) | (v2 >> 1_u32).wrapping_shr(31_u32.wrapping_sub(by));
    let f2: u32 = v2.wrapping_shl(by) | (v3 >> 1_u32).wrapping_shr(31_u32.wrapping_sub(by));
    let carried: u32 = ((u64::from(mantissa) * u64::from(f2)) >> 32) as u32;
    let low: u32 = mantissa.wrapping_mul(f1).wrapping_add(carried);
    let carry: u32 = select(low < carried, 1_u32, 0_u32);
    let high: u32 = mantissa.wrapping_mul(f0).wrapping_add(((u64::from(mantissa) * u64::from(f1)) >> 32) as u32).wrapping_add(carry);
    [high, low]
}

#[inline]
fn angle_of(high: u32, low: u32) -> [f32; 2] {
    let negative: u32 = high & 0x80000000_u32;
    let flip: u32 = ((high as i32) >> 31_u32) as u32;
    let h0: u32 = high ^ flip;
    let l0: u32 = low ^ flip;
    let small: bool = h0 < 0x10000_u32;
    let h1: u32 = select(small, (h0 << 16_u32) | (l0 >> 16_u32), h0);
    let l1: u32 = select(small, l0 << 16_u32, l0);
    let smaller: bool = h1 < 0x10000_u32;
    let h2: u32 = select(smaller, (h1 << 16_u32) | (l1 >> 16_u32), h1);
    let l2: u32 = select(smaller, l1 << 16_u32, l1);
    let shifted: f32 = select(small, 2.3283064e-10, 1.5258789e-5) * select(smaller, 1.5258789e-5, 1.0);
    let scale: f32 = f32::from_bits(shifted.to_bits() | negative);
    let leading_bits: f32 = (h2 >> 16_u32) as f32;
    let below: f32 = (((h2 << 16_u32) | (l2 >> 16_u32)) as f32) * 2.3283064e-10;
    let leading: f32 = leading_bits * 6.28125;
    let following: f32 = leading_bits * 0.0019353072 + below * 6.2831855;
    let r: f32 = leading + following;
    let rest: f32 = leading - r + following;
    [r * scale, rest * scale]
}

#[inline]
fn reduce(a: f32) -> [f32; 3] {
    let counter: f32 = a * 0.63661975 + 12582912.0;
    let k: f32 = (counter.to_bits() as i32).wrapping_sub(0x4b400000_i32) as f32;
    let r1: f32 = a - k * 1.5708008;
    let k2: f32 = k * -4.4535846e-6;
    let r2: f32 = r1 - k2;
    let k3: f32 = k * -8.706138e-10;
    let r3: f32 = r2 - k3;
    let rest: f32 = r2 - r3 - k3 + (r1 - r2 - k2 - k * 6.223372e-14);
    let mut reduced: [f32; 3] = [r3, rest, counter];
    if a > 6400.0 {
        let turns: [u32; 2] = large_turns(a);
        let quarters: u32 = turns[0].wrapping_add(0x20000000_u32) >> 30_u32;
        let angle: [f32; 2] = angle_of(turns[0].wrapping_sub(quarters << 30_u32), turns[1]);
        reduced = [select(a < f32::INFINITY, angle[0], f32::NAN), angle[1], f32::from_bits(quarters | 0x4b400000_u32)];
    }
    reduced
}

#[inline]
fn large_sine(a: f32, shift: u32) -> f32 {
    let turns: [u32; 2] = large_turns(a);
    let shifted: u32 = turns[0].wrapping_add(shift);
    let flip: u32 = shifted.wrapping_add(0x40000000_u32) & 0x80000000_u32;
    let angle: [f32; 2] = angle_of(shifted.wrapping_sub(flip), turns[1]);
    let size: f32 = half_sine(angle[0], 0.0);
    select(a < f32::INFINITY, f32::from_bits(size.to_bits() ^ flip), f32::NAN)
}

#[inline]
fn half_sine(r: f32, rest: f32) -> f32 {
    let z: f32 = r * r;
    let p2: f32 = -0.00019809778 + z * 2.606103e-6;
    let p1: f32 = 0.008333069 + z * p2;
    let p0: f32 = -0.041666597 + z * p1;
    r + (r * (z * p0 - z * 0.125) + rest)
}

#[inline]
pub(crate) fn sin(x: f32) -> f32 {
    let a: f32 = x.abs();
    let counter: u32 = (a * 0.31830987 + 12582912.0).to_bits();
    let n: f32 = (counter & 0xfff_u32) as f32;
    let r1: f32 = a + n * -3.1416016;
    let r2: f32 = r1 + n * 8.821487e-6;
    let size: f32 = half_sine(r2 + n * 8.742791e-8, n * -5.126688e-12);
    let negative: u32 = (counter << 31_u32) ^ (x.to_bits() & 0x80000000_u32);
    let mut value: f32 = f32::from_bits(size.to_bits() ^ negative);
    if !(a < 6400.0) {
        value = f32::from_bits(large_sine(a, 0_u32).to_bits() ^ (x.to_bits() & 0x80000000_u32));
    }
    value
}

#[inline]
pub(crate) fn cos(x: f32) -> f32 {
    let minus: f32 = f32::from_bits(x.to_bits() | 0x80000000_u32);
    let counter: u32 = (minus * -0.31830987 + 196608.0).to_bits();
    let n: f32 = ((counter | 32_u32) & 0x1ffe0_u32) as f32;
    let r1: f32 = minus + n * 0.049087524;
    let r2: f32 = r1 + n * -1.3783574e-7;
    let size: f32 = half_sine(r2 + n * -1.366061e-9, n * 8.01045e-14);
    let mut value: f32 = f32::from_bits(size.to_bits() ^ ((counter << 25_u32) & 0x80000000_u32));
    if !(minus > -6400.0) {
        value = large_sine(x.abs(), 0x40000000_u32);
    }
    value
}

#[inline]
pub(crate) fn tan(x: f32) -> f32 {
    let reduced: [f32; 3] = reduce(x.abs());
    let counter: i32 = reduced[2].to_bits() as i32;
    let r: f32 = reduced[0];
    let rest: f32 = reduced[1];
    let z: f32 = r * r;
    let p5: f32 = 0.0011394818 + z * 0.0038665852;
    let p4: f32 = 0.009996554 + z * p5;
    let p3: f32 = 0.021608757 + z * p4;
    let p2: f32 = 0.053996623 + z * p3;
    let p1: f32 = 0.13333215 + z * p2;
    let p0: f32 = 0.33333334 + z * p1;
    let tail: f32 = r * (z * p0) + (rest + rest * z);
    let t: f32 = r + tail;
    let t_low: f32 = r - t + tail;
    let one_over_t: f32 = 1.0 / t;
    let cotangent: f32 = one_over_t - one_over_t * one_over_t * t_low;
    let magnitude: f32 = select((counter & 1_i32) == 1_i32, cotangent, t);
    let flip: u32 = (x.to_bits() ^ ((counter << 31_u32) as u32)) & 0x80000000_u32;
    f32::from_bits(magnitude.to_bits() ^ flip)
}

#[inline]
pub(crate) fn tanh(x: f32) -> f32 {
    let a: f32 = x.abs();
    let z: f32 = a * a;
    let p3: f32 = 0.02099047 + z * -0.006088736;
    let p2: f32 = -0.053849023 + z * p3;
    let p1: f32 = 0.1333275 + z * p2;
    let p0: f32 = -0.33333328 + z * p1;
    let near: f32 = a + a * (z * p0);
    let doubled: f32 = select(10.0 < a, 20.0, a + a);
    let counter: f32 = doubled * 1.442695 + 12582912.0;
    let n: i32 = (counter.to_bits() as i32).wrapping_sub(0x4b400000_i32);
    let power: f32 = f32::from_bits((n.wrapping_add(127_i32) << 23_u32) as u32);
    let grown: f32 = power * exp_rest(doubled, counted(counter));
    let far: f32 = 1.0 - 2.0 / (grown + 1.0);
    let magnitude: f32 = select(a < 0.625, near, far);
    f32::from_bits(magnitude.to_bits() ^ (x.to_bits() & 0x80000000_u32))
}

#[inline]
pub(crate) fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

#[inline]
pub(super) fn upper_half(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xfffff000_u32)
}

#[inline]
fn power_bits(x: f32) -> i32 {
    (x.to_bits() as i32).wrapping_sub(0x3f5744fd_i32)
}

#[inline]
fn power_log(bits: i32, e: f32, is_large: bool) -> [f32; 3] {
    let above: i32 = bits & 0x7fffff_i32;
    let m: f32 = f32::from_bits(above.wrapping_add(0x3f5744fd_i32) as u32);
    let near_root: bool = above > 0x40f302_i32;
    let c: f32 = select(near_root, 1.4143631, 1.0);
    let base: f32 = select(near_root, e + 0.5001526, e);
    let f: f32 = m - c;
    let d: f32 = c + m;
    let d_high: f32 = f32::from_bits(d.to_bits() & 0xfffff800_u32);
    let d_low: f32 = c - d_high + m;
    let reciprocal: f32 = 1.0 / d;
    let s_near: f32 = f * reciprocal;
    let s_high: f32 = f32::from_bits(s_near.to_bits() & 0xffffe000_u32);
    let s_low: f32 = (f - exact_product(s_high, d_high) - exact_product(s_high, d_low)) * reciprocal;
    let z: f32 = s_near * s_near;
    let q12: f32 = 0.5770661 + z * 0.41602558;
    let q0: f32 = z * 0.9617967 + -0.0003521057;
    let s: f32 = select(is_large, s_near, s_high + s_low);
    let lacking: f32 = select(is_large, s_low + z * (s_high - s_near + s_low), s_low);
    let leading: f32 = exact_product(s_high, 2.8857422);
    let rest: f32 = s * (q0 + z * z * q12) + lacking * 2.8857422;
    let sum: f32 = base + leading;
    let top: f32 = upper_half(sum);
    [sum + rest, top, base - top + leading + rest]
}

#[inline]
fn exp2_less_one(r: f32) -> f32 {
    let p5: f32 = 0.0013387894 + r * 0.00015376712;
    let p4: f32 = 0.009618323 + r * p5;
    let p3: f32 = 0.055503663 + r * p4;
    let p2: f32 = 0.24022649 + r * p3;
    r * (0.6931472 + r * p2)
}

#[inline]
fn counted_exponent(counter: f32) -> f32 {
    (counter.to_bits() as i32).wrapping_sub(0x4b40007f_i32) as f32
}

#[inline]
fn power_of_any(x: f32, y: f32) -> f32 {
    let a: f32 = x.abs();
    let denormal: bool = a < 1.1754944e-38;
    let bits: i32 = power_bits(select(denormal, a * 16777216.0, a));
    let log: [f32; 3] = power_log(bits, (bits >> 23_u32).wrapping_sub(select(denormal, 24_i32, 0_i32)) as f32, true);
    let y_above: f32 = select(y < -1099511600000.0, -1099511600000.0, y);
    let y_held: f32 = select(1099511600000.0 < y_above, 1099511600000.0, y_above);
    let y_top: f32 = upper_half(y_held);
    let high: f32 = y_top * log[1];
    let low: f32 = (y_held - y_top) * log[1] + y_held * log[2];
    let whole: f32 = high + low;
    let whole_above: f32 = select(whole < -160.0, -160.0, whole);
    let whole_clamped: f32 = select(160.0 < whole_above, 160.0, whole_above);
    let n: i32 = ((whole_clamped + 12582912.0).to_bits() as i32).wrapping_sub(0x4b400000_i32);
    let r: f32 = high - (n as f32) + low;
    let r_or_zero: f32 = select(whole == whole_clamped, r, 0.0);
    let usual: f32 = two_to(n, 1.0 + exp2_less_one(r_or_zero));
    let edge: f32 = select(y < 0.0, f32::from_bits(0x7f800000_i32.wrapping_sub(a.to_bits() as i32) as u32), a);
    let magnitude: f32 = select((a == 0.0) | (a == f32::INFINITY), edge, usual);
    let valid: f32 = select(x.is_nan() | y.is_nan(), f32::NAN, power_with_sign(x, y, magnitude));
    select((x == 1.0) | (y == 0.0), 1.0, valid)
}

#[inline]
fn power_with_sign(x: f32, y: f32, magnitude: f32) -> f32 {
    let y_half: f32 = y * 0.5;
    let y_whole: bool = y.floor() == y;
    let y_odd: bool = y_whole & (y_half.floor() != y_half);
    let flip: u32 = select(y_odd, x.to_bits() & 0x80000000_u32, 0_u32);
    let signed: f32 = f32::from_bits(magnitude.to_bits() ^ flip);
    select(((x < 0.0) & (x > f32::NEG_INFINITY)) & !y_whole, f32::NAN, signed)
}

#[inline]
pub(crate) fn pow(x: f32, y: f32) -> f32 {
    let bits: i32 = power_bits(x);
    let log: [f32; 3] = power_log(bits, (bits >> 23_u32) as f32, false);
    let counter: f32 = y * log[0] + 12583039.0;
    let n: f32 = counted_exponent(counter);
    let y_top: f32 = upper_half(y);
    let r: f32 = exact_product(log[1], y_top) - n + (exact_product(log[1], y - y_top) + y * log[2]);
    let power: f32 = f32::from_bits(counter.to_bits() << 23_u32);
    let mut value: f32 = power + exact_product(exp2_less_one(r), power);
    if is_beyond(select(y.abs() <= 1.0, log[0], n), 0x42a00000_i32) {
        value = power_of_any(x, y);
    }
    value
}
