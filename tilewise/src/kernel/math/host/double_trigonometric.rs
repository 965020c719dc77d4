//! Written from the kernel library `ir/src/math/precise_math/double_trigonometric.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use crate::kernel::numbers::Numbers;
use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_lift;
use super::double_parts::double_product;
use super::double_parts::double_quotient;
use super::double_parts::double_square;
use super::double_parts::double_tiny_times;
use super::double_parts::double_two_sum;
use super::double_parts::double_with_sign;

#[inline]
fn double_two_over_pi(index: u64) -> [u64; 4] {
    let by_16: bool = (index & 16_u64) != 0_u64;
    let a0: u64 = select(by_16, 0x7527bac7ebe5f17b_u64, 0_u64);
    let a1: u64 = select(by_16, 0x3d0739f78a5292ea_u64, 0xa2f9836e4e441529_u64);
    let a2: u64 = select(by_16, 0x6bfb5fb11f8d5d08_u64, 0xfc2757d1f534ddc0_u64);
    let a3: u64 = select(by_16, 0x56033046fc7b6bab_u64, 0xdb6295993c439041_u64);
    let by_8: bool = (index & 8_u64) != 0_u64;
    let b0: u64 = select(by_8, 0xe88235f52ebb4484_u64, a0);
    let b1: u64 = select(by_8, 0xe99c7026b45f7e41_u64, a1);
    let b2: u64 = select(by_8, 0x3991d639835339f4_u64, a2);
    let b3: u64 = select(by_8, 0x9c845f8bbdf9283b_u64, a3);
    let b4: u64 = select(by_8, 0x1ff897ffde05980f_u64, 0xfe5163abdebbc561_u64);
    let b5: u64 = select(by_8, 0xef2f118b5a0a6d1f_u64, 0xb7246e3a424dd2e0_u64);
    let b6: u64 = select(by_8, 0x6d367ecf27cb09b7_u64, 0x6492eea09d1921c_u64);
    let b7: u64 = select(by_8, 0x4f463f669e5fea2d_u64, 0xfe1deb1cb129a73e_u64);
    let b8: u64 = select(by_8, 0x7527bac7ebe5f17b_u64, 0xe88235f52ebb4484_u64);
    let b9: u64 = select(by_8, 0x3d0739f78a5292ea_u64, 0xe99c7026b45f7e41_u64);
    let b10: u64 = select(by_8, 0x6bfb5fb11f8d5d08_u64, 0x3991d639835339f4_u64);
    let by_4: bool = (index & 4_u64) != 0_u64;
    let c0: u64 = select(by_4, b4, b0);
    let c1: u64 = select(by_4, b5, b1);
    let c2: u64 = select(by_4, b6, b2);
    let c3: u64 = select(by_4, b7, b3);
    let c4: u64 = select(by_4, b8, b4);
    let c5: u64 = select(by_4, b9, b5);
    let c6: u64 = select(by_4, b10, b6);
    let by_2: bool = (index & 2_u64) != 0_u64;
    let d0: u64 = select(by_2, c2, c0);
    let d1: u64 = select(by_2, c3, c1);
    let d2: u64 = select(by_2, c4, c2);
    let d3: u64 = select(by_2, c5, c3);
    let d4: u64 = select(by_2, c6, c4);
    let by_1: bool = (index & 1_u64) != 0_u64;
    let e0: u64 = select(by_1, d1, d0);
    let e1: u64 = select(by_1, d2, d1);
    let e2: u64 = select(by_1, d3, d2);
    let e3: u64 = select(by_1, d4, d3);
    [e0, e1, e2, e3]
}

#[inline]
fn double_reduce_large(x: f64) -> [f64; 3] {
    let a: u64 = x.abs().to_bits();
    let m: u64 = (a & 0xfffffffffffff_u64) | 0x10000000000000_u64;
    let position: u64 = Numbers::min(a >> 52_u32, 0x7fe_u64).wrapping_sub(1013_u64);
    let v: [u64; 4] = double_two_over_pi(position >> 6_u32);
    let by: u32 = (position & 63_u64) as u32;
    let f0: u64 = v[0].wrapping_shl(by) | (v[1] >> 1_u32).wrapping_shr(63_u32.wrapping_sub(by));
    let f1: u64 = v[1].wrapping_shl(by) | (v[2] >> 1_u32).wrapping_shr(63_u32.wrapping_sub(by));
    let f2: u64 = v[2].wrapping_shl(by) | (v[3] >> 1_u32).wrapping_shr(63_u32.wrapping_sub(by));
    let carried: u64 = ((u128::from(m) * u128::from(f2)) >> 64) as u64;
    let low: u64 = m.wrapping_mul(f1).wrapping_add(carried);
    let carry: u64 = select(low < carried, 1_u64, 0_u64);
    let high: u64 = m.wrapping_mul(f0).wrapping_add(((u128::from(m) * u128::from(f1)) >> 64) as u64).wrapping_add(carry);
    let k: u64 = high.wrapping_add(0x2000000000000000_u64) >> 62_u32;
    let part: u64 = high.wrapping_sub(k << 62_u32);
    let negative: bool = (part >> 63_u32) != 0_u64;
    let flip: u64 = select(negative, 0xffffffffffffffff_u64, 0_u64);
    let h: u64 = part ^ flip;
    let l: u64 = low ^ flip;
    let h0: f64 = (f64::from_bits((h >> 32_u32) | 0x4330000000000000_u64) - 4503599627370496.0) * 9.313225746154785e-10;
    let h1: f64 = (f64::from_bits((h & 0xffffffff_u64) | 0x4330000000000000_u64) - 4503599627370496.0) * 2.168404344971009e-19;
    let l0: f64 = (f64::from_bits((l >> 32_u32) | 0x4330000000000000_u64) - 4503599627370496.0) * 5.048709793414476e-29;
    let l1: f64 = (f64::from_bits((l & 0xffffffff_u64) | 0x4330000000000000_u64) - 4503599627370496.0) * 1.1754943508222875e-38;
    let leading: [f64; 2] = double_fast_two_sum(h0, h1);
    let following: [f64; 2] = double_fast_two_sum(l0, l1);
    let t: [f64; 2] = double_fast_two_sum(leading[0], leading[1] + following[0]);
    let t_low: f64 = t[1] + following[1];
    let angle: [f64; 2] = double_product(t[0], t_low, 1.5707963267948966, 6.123233995736766e-17);
    let below: bool = x < 0.0;
    let turned: u64 = select(below, 0x4338000000000000_u64.wrapping_sub(k), 0x4338000000000000_u64.wrapping_add(k));
    let minus: bool = below != negative;
    let r: f64 = select(minus, -angle[0], angle[0]);
    let r_low: f64 = select(minus, -angle[1], angle[1]);
    [select(a < 0x7ff0000000000000_u64, r, f64::NAN), r_low, f64::from_bits(turned)]
}

#[inline]
fn double_reduce(x: f64) -> [f64; 3] {
    let counter: f64 = x.mul_add(0.6366197723675814, 6755399441055744.0);
    let k: f64 = counter - 6755399441055744.0;
    let r: f64 = (-k).mul_add(1.5707963267948966, x);
    let second: f64 = k * -6.123233995736766e-17;
    let second_low: f64 = k.mul_add(-6.123233995736766e-17, -second);
    let s: [f64; 2] = double_two_sum(r, second);
    let low: f64 = s[1] + k.mul_add(1.4973849048591698e-33, second_low);
    let t: [f64; 2] = double_fast_two_sum(s[0], low);
    let mut reduced: [f64; 3] = [t[0], t[1], counter];
    if x.abs() > 268435456.0 {
        reduced = double_reduce_large(x);
    }
    reduced
}

#[inline]
fn double_sin_rest(r: f64, r_low: f64, z: [f64; 2]) -> [f64; 2] {
    let s4: f64 = z[0].mul_add(-7.594887269969658e-13, 1.6058677234484155e-10);
    let s3: f64 = z[0].mul_add(s4, -2.5052107192366605e-8);
    let s2: f64 = z[0].mul_add(s3, 2.7557319222206683e-6);
    let s1: f64 = z[0].mul_add(s2, -0.00019841269841268833);
    let s0: f64 = z[0].mul_add(s1, 0.008333333333333333);
    let m: [f64; 2] = [r, r_low];
    let c: [f64; 2] = double_lift(m, z, -0.16666666666666666, -9.25185853854297e-18, z[0] * s0);
    let h: f64 = r + c[0];
    [h, r - h + c[0] + (c[1] + r_low)]
}

#[inline]
fn double_cos_rest(z: [f64; 2]) -> [f64; 2] {
    let c4: f64 = z[0].mul_add(4.756606928485535e-14, -1.1470646741398127e-11);
    let c3: f64 = z[0].mul_add(c4, 2.0876756972045632e-9);
    let c2: f64 = z[0].mul_add(c3, -2.755731922474455e-7);
    let c1: f64 = z[0].mul_add(c2, 2.4801587301588667e-5);
    let c0: f64 = z[0].mul_add(c1, -0.001388888888888889);
    let c: [f64; 2] = double_lift(z, z, 0.041666666666666664, 2.3129646346357427e-18, z[0] * c0);
    let half: f64 = -0.5 * z[0];
    let g: f64 = 1.0 + half;
    let h: f64 = g + c[0];
    let low: f64 = 1.0 - g + half + (g - h + c[0]);
    [h, low + (-0.5_f64).mul_add(z[1], c[1])]
}

#[inline]
pub(super) fn double_sin_or_cos(r: f64, r_low: f64, odd: bool) -> [f64; 2] {
    let z: [f64; 2] = double_square(r, r_low);
    let k5: f64 = select(odd, 4.756606928485535e-14, -7.594887269969658e-13);
    let k4: f64 = select(odd, -1.1470646741398127e-11, 1.6058677234484155e-10);
    let k3: f64 = select(odd, 2.0876756972045632e-9, -2.5052107192366605e-8);
    let k2: f64 = select(odd, -2.755731922474455e-7, 2.7557319222206683e-6);
    let k1: f64 = select(odd, 2.4801587301588667e-5, -0.00019841269841268833);
    let k0: f64 = select(odd, -0.001388888888888889, 0.008333333333333333);
    let q4: f64 = z[0].mul_add(k5, k4);
    let q3: f64 = z[0].mul_add(q4, k3);
    let q2: f64 = z[0].mul_add(q3, k2);
    let q1: f64 = z[0].mul_add(q2, k1);
    let q0: f64 = z[0].mul_add(q1, k0);
    let base: f64 = select(odd, -0.5 * z[0], r);
    let base_low: f64 = select(odd, -0.5 * z[1], r_low);
    let first: f64 = select(odd, 1.0, 0.0);
    let m: [f64; 2] = [select(odd, z[0], r), select(odd, z[1], r_low)];
    let k: f64 = select(odd, 0.041666666666666664, -0.16666666666666666);
    let k_low: f64 = select(odd, 2.3129646346357427e-18, -9.25185853854297e-18);
    let c: [f64; 2] = double_lift(m, z, k, k_low, z[0] * q0);
    let g: f64 = first + base;
    let h: f64 = g + c[0];
    let low: f64 = first - g + base + (g - h + c[0]);
    double_fast_two_sum(h, low + (base_low + c[1]))
}

#[inline]
fn double_sin_quarters(r: f64, r_low: f64, counter: u64) -> f64 {
    let value: [f64; 2] = double_sin_or_cos(r, r_low, (counter & 1_u64) != 0_u64);
    f64::from_bits(value[0].to_bits() ^ ((counter & 2_u64) << 62_u32))
}

#[inline]
pub(crate) fn sin(x: f64) -> f64 {
    let reduced: [f64; 3] = double_reduce(x);
    let value: f64 = double_sin_quarters(reduced[0], reduced[1], reduced[2].to_bits());
    select(x.abs() < 7.450580596923828e-9, x, value)
}

#[inline]
pub(crate) fn cos(x: f64) -> f64 {
    let reduced: [f64; 3] = double_reduce(x);
    double_sin_quarters(reduced[0], reduced[1], reduced[2].to_bits().wrapping_add(1_u64))
}

#[inline]
fn double_sincos_quarters(r: f64, r_low: f64, counter: u64) -> [f64; 2] {
    let z: [f64; 2] = double_square(r, r_low);
    let s: [f64; 2] = double_sin_rest(r, r_low, z);
    let c: [f64; 2] = double_cos_rest(z);
    let sine: f64 = s[0] + s[1];
    let cosine: f64 = c[0] + c[1];
    let odd: bool = (counter & 1_u64) != 0_u64;
    let first: f64 = select(odd, cosine, sine);
    let second: f64 = select(odd, sine, cosine);
    [f64::from_bits(first.to_bits() ^ ((counter & 2_u64) << 62_u32)), f64::from_bits(second.to_bits() ^ ((counter.wrapping_add(1_u64) & 2_u64) << 62_u32))]
}

#[inline]
pub(crate) fn sincos(x: f64) -> [f64; 2] {
    let reduced: [f64; 3] = double_reduce(x);
    let both: [f64; 2] = double_sincos_quarters(reduced[0], reduced[1], reduced[2].to_bits());
    [select(x.abs() < 7.450580596923828e-9, x, both[0]), both[1]]
}

#[inline]
fn double_tan_quarters(r: f64, r_low: f64, counter: u64) -> f64 {
    let z: [f64; 2] = double_square(r, r_low);
    let s: [f64; 2] = double_sin_rest(r, r_low, z);
    let c: [f64; 2] = double_cos_rest(z);
    let odd: bool = (counter & 1_u64) != 0_u64;
    let n: f64 = select(odd, c[0], s[0]);
    let n_low: f64 = select(odd, c[1], s[1]);
    let d: f64 = select(odd, -s[0], c[0]);
    let d_low: f64 = select(odd, -s[1], c[1]);
    let q: [f64; 2] = double_quotient(n, n_low, d, d_low);
    q[0] + q[1]
}

#[inline]
pub(crate) fn tan(x: f64) -> f64 {
    let reduced: [f64; 3] = double_reduce(x);
    let value: f64 = double_tan_quarters(reduced[0], reduced[1], reduced[2].to_bits());
    select(x.abs() < 7.450580596923828e-9, x, value)
}

#[inline]
pub(super) fn double_reduce_turns(x: f64) -> [f64; 3] {
    let rest: f64 = x - 2.0 * (0.5 * x).trunc();
    let counter: f64 = 2.0_f64.mul_add(rest, 6755399441055744.0);
    let t: f64 = (-0.5_f64).mul_add(counter - 6755399441055744.0, rest);
    let r: f64 = t * 3.141592653589793;
    let r_low: f64 = t.mul_add(3.141592653589793, -r) + t * 1.2246467991473532e-16;
    [r, r_low, counter]
}

#[inline]
pub(crate) fn sinpi(x: f64) -> f64 {
    let reduced: [f64; 3] = double_reduce_turns(x);
    let counter: u64 = reduced[2].to_bits();
    let value: f64 = double_sin_quarters(reduced[0], reduced[1], counter);
    let whole: bool = (reduced[0] == 0.0) & ((counter & 1_u64) == 0_u64);
    let edged: f64 = select(whole, double_with_sign(0.0, x), value);
    let tiny: f64 = double_tiny_times(x, 3.141592653589793, 1.2246467991473532e-16);
    select(x.abs() < 6.223015277861142e-61, tiny, edged)
}

#[inline]
pub(crate) fn cospi(x: f64) -> f64 {
    let reduced: [f64; 3] = double_reduce_turns(x);
    let value: f64 = double_sin_quarters(reduced[0], reduced[1], reduced[2].to_bits().wrapping_add(1_u64));
    select(value == 0.0, 0.0, value)
}

#[inline]
pub(crate) fn tanpi(x: f64) -> f64 {
    let reduced: [f64; 3] = double_reduce_turns(x);
    let counter: u64 = reduced[2].to_bits();
    let value: f64 = double_tan_quarters(reduced[0], reduced[1], counter);
    let turned: u64 = (counter & 2_u64) << 62_u32;
    let sign_of_x: u64 = x.to_bits() & 0x8000000000000000_u64;
    let pole: f64 = f64::from_bits(0x7ff0000000000000_u64 | turned);
    let zero_value: f64 = f64::from_bits(sign_of_x ^ turned);
    let edge: f64 = select((counter & 1_u64) != 0_u64, pole, zero_value);
    let edged: f64 = select(reduced[0] == 0.0, edge, value);
    let tiny: f64 = double_tiny_times(x, 3.141592653589793, 1.2246467991473532e-16);
    select(x.abs() < 6.223015277861142e-61, tiny, edged)
}
