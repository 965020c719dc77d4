//! Written from the kernel library `ir/src/math/precise_math/double_inverse.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

use super::select;
use super::double_parts::double_fast_two_sum;
use super::double_parts::double_lift;
use super::double_parts::double_quotient;
use super::double_parts::double_root;
use super::double_parts::double_square;
use super::double_parts::double_two_sum;
use super::double_parts::double_with_sign;

#[inline]
fn double_atan_ratio(y: f64, x: f64) -> [f64; 2] {
    let above_1: bool = y > (x * 0.1989);
    let above_2: bool = y > (x * 0.6682);
    let above_3: bool = y > (x * 1.4966);
    let above_4: bool = y > (x * 5.0273);
    let c_low: f64 = select(above_1, 0.4140625, 0.0);
    let c_middle: f64 = select(above_2, 1.0, c_low);
    let c_high: f64 = select(above_3, 2.4140625, c_middle);
    let c: f64 = select(above_4, 0.0, c_high);
    let base_1: f64 = select(above_1, 0.3925701350118286, 0.0);
    let base_2: f64 = select(above_2, 0.7853981633974483, base_1);
    let base_3: f64 = select(above_3, 1.1780751213422282, base_2);
    let base: f64 = select(above_4, 1.5707963267948966, base_3);
    let rest_1: f64 = select(above_1, 1.4769733768267405e-17, 0.0);
    let rest_2: f64 = select(above_2, 3.061616997868383e-17, rest_1);
    let rest_3: f64 = select(above_3, 8.238221398137885e-17, rest_2);
    let base_low: f64 = select(above_4, 6.123233995736766e-17, rest_3);
    let a: f64 = select(above_4, -x, y);
    let b: f64 = select(above_4, y, x);
    let minus: f64 = c * -b;
    let n: [f64; 2] = double_two_sum(a, minus);
    let plus: f64 = c * a;
    let d: [f64; 2] = double_two_sum(b, plus);
    let t: [f64; 2] = double_quotient(n[0], n[1] + c.mul_add(-b, -minus), d[0], d[1] + c.mul_add(a, -plus));
    let z: [f64; 2] = double_square(t[0], t[1]);
    let a8: f64 = z[0].mul_add(-0.10169904704638533, 0.0604847063636886);
    let a7: f64 = z[0].mul_add(a8, -0.05378667789690887);
    let a6: f64 = z[0].mul_add(a7, 0.058880654181068);
    let a5: f64 = z[0].mul_add(a6, -0.06666838003008949);
    let a4: f64 = z[0].mul_add(a5, 0.07692310898269122);
    let a3: f64 = z[0].mul_add(a4, -0.09090909127851787);
    let a2: f64 = z[0].mul_add(a3, 0.11111111111359197);
    let a1: f64 = z[0].mul_add(a2, -0.14285714285715143);
    let a0: f64 = z[0].mul_add(a1, 0.2);
    let curve: [f64; 2] = double_lift(t, z, -0.3333333333333333, -1.850371707708594e-17, z[0] * a0);
    let sum: [f64; 2] = double_fast_two_sum(base, t[0]);
    let value: [f64; 2] = double_fast_two_sum(sum[0], curve[0]);
    double_fast_two_sum(value[0], value[1] + (sum[1] + (curve[1] + (t[1] + base_low))))
}

#[inline]
pub(crate) fn atan(x: f64) -> f64 {
    let a: f64 = x.abs();
    let angle: [f64; 2] = double_atan_ratio(select(a > 1.2676506002282294e30, 1.2676506002282294e30, a), 1.0);
    let value: f64 = double_with_sign(angle[0] + angle[1], x);
    select(a < 7.450580596923828e-9, x, value)
}

#[inline]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let a: f64 = x.abs();
    let b: f64 = y.abs();
    let larger: f64 = select(a < b, b, a);
    let infinite: bool = larger == f64::INFINITY;
    let a_finite: f64 = select(infinite, select(a == f64::INFINITY, 1.0, 0.0), a);
    let b_finite: f64 = select(infinite, select(b == f64::INFINITY, 1.0, 0.0), b);
    let a_usual: f64 = select(larger == 0.0, 1.0, a_finite);
    let up: f64 = select(larger < 1.90109156629516e-211, 2.037035976334486e90, 1.0);
    let scale: f64 = select(larger > 8.452712498170644e270, 6.223015277861142e-61, up);
    let angle: [f64; 2] = double_atan_ratio(b_finite * scale, a_usual * scale);
    let quotient: f64 = b_finite / a_usual;
    let left: bool = (x.to_bits() >> 63_u32) != 0_u64;
    let pi_less: f64 = 3.141592653589793 - angle[0];
    let pi_lost: f64 = 3.141592653589793 - pi_less - angle[0];
    let obtuse: f64 = pi_less + (pi_lost + (1.2246467991473532e-16 - angle[1]));
    let acute: f64 = select(b_finite < (a_usual * 9.313225746154785e-10), quotient, angle[0] + angle[1]);
    let magnitude: f64 = select(left, obtuse, acute);
    let value: f64 = double_with_sign(magnitude, y);
    select(x.is_nan() | y.is_nan(), f64::NAN, value)
}

#[inline]
fn double_asin_parts(a: f64) -> [f64; 3] {
    let near: bool = a <= 0.5;
    let half: f64 = 0.5 - 0.5 * a;
    let root: [f64; 2] = double_root(half, 0.0);
    let root_low: f64 = select(half == 0.0, 0.0, root[1]);
    let z: f64 = select(near, a * a, half);
    let b11: f64 = z.mul_add(0.029058483792670075, -0.015306036804271636);
    let b10: f64 = z.mul_add(b11, 0.01770144882697766);
    let b9: f64 = z.mul_add(b10, 0.005343025055896009);
    let b8: f64 = z.mul_add(b9, 0.010350533428106155);
    let b7: f64 = z.mul_add(b8, 0.011474729573957416);
    let b6: f64 = z.mul_add(b7, 0.013971691376002229);
    let b5: f64 = z.mul_add(b6, 0.017352358601519964);
    let b4: f64 = z.mul_add(b5, 0.022372174502858035);
    let b3: f64 = z.mul_add(b4, 0.03038194409553674);
    let b2: f64 = z.mul_add(b3, 0.04464285714699303);
    let b1: f64 = z.mul_add(b2, 0.07499999999998022);
    let b0: f64 = z.mul_add(b1, 0.16666666666666669);
    let s: f64 = select(near, a, root[0]);
    [s, select(near, 0.0, root_low), s * (z * b0)]
}

#[inline]
pub(crate) fn asin(x: f64) -> f64 {
    let a: f64 = x.abs();
    let parts: [f64; 3] = double_asin_parts(a);
    let rest: f64 = 6.123233995736766e-17 - 2.0 * (parts[1] + parts[2]);
    let far: [f64; 2] = double_fast_two_sum(1.5707963267948966, -2.0 * parts[0]);
    let magnitude: f64 = select(a <= 0.5, a + parts[2], far[0] + (far[1] + rest));
    double_with_sign(magnitude, x)
}

#[inline]
pub(crate) fn acos(x: f64) -> f64 {
    let a: f64 = x.abs();
    let parts: [f64; 3] = double_asin_parts(a);
    let near: bool = a <= 0.5;
    let below: bool = x < 0.0;
    let doubled: f64 = select(near, 1.0, 2.0);
    let turned: bool = select(near, !below, below);
    let scale: f64 = select(turned, -doubled, doubled);
    let pi_used: f64 = select(below, 3.141592653589793, 0.0);
    let pi_low: f64 = select(below, 1.2246467991473532e-16, 0.0);
    let base: f64 = select(near, 1.5707963267948966, pi_used);
    let base_low: f64 = select(near, 6.123233995736766e-17, pi_low);
    let sum: [f64; 2] = double_fast_two_sum(base, scale * parts[0]);
    sum[0] + (sum[1] + scale.mul_add(parts[1] + parts[2], base_low))
}
