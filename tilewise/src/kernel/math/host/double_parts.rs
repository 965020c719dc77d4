//! Written from the kernel library `ir/src/math/precise_math/double_parts.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

#[inline]
pub(super) fn double_two_sum(a: f64, b: f64) -> [f64; 2] {
    let s: f64 = a + b;
    let b_used: f64 = s - a;
    let a_used: f64 = s - b_used;
    [s, a - a_used + (b - b_used)]
}

#[inline]
pub(super) fn double_fast_two_sum(a: f64, b: f64) -> [f64; 2] {
    let s: f64 = a + b;
    [s, b - (s - a)]
}

#[inline]
pub(super) fn double_two_product(a: f64, b: f64) -> [f64; 2] {
    let p: f64 = a * b;
    [p, a.mul_add(b, -p)]
}

#[inline]
pub(super) fn double_product(a: f64, a_low: f64, b: f64, b_low: f64) -> [f64; 2] {
    let p: f64 = a * b;
    let low: f64 = a.mul_add(b, -p) + a.mul_add(b_low, a_low * b);
    double_fast_two_sum(p, low)
}

#[inline]
pub(super) fn double_quotient(n: f64, n_low: f64, d: f64, d_low: f64) -> [f64; 2] {
    let r: f64 = 1.0 / d;
    let q: f64 = n * r;
    let rest: f64 = (-q).mul_add(d, n) + (-q).mul_add(d_low, n_low);
    double_fast_two_sum(q, rest * r)
}

#[inline]
fn double_rough_rsqrt(x: f64) -> f64 {
    let r: f64 = f64::from_bits(0x5fe6eb50c7b537a9_u64.wrapping_sub(x.to_bits() >> 1_u32));
    r * (-0.5 * x).mul_add(r * r, 1.5)
}

#[inline]
pub(super) fn double_root(h: f64, low: f64) -> [f64; 2] {
    let s: f64 = h.sqrt();
    let rest: f64 = (-s).mul_add(s, h) + low;
    [s, rest * (0.5 * double_rough_rsqrt(h))]
}

#[inline]
pub(super) fn double_lift(m: [f64; 2], z: [f64; 2], k: f64, k_low: f64, u: f64) -> [f64; 2] {
    let v: f64 = k_low + u;
    let a: f64 = k + v;
    let a_low: f64 = k - a + v;
    let b: f64 = z[0] * a;
    let b_low: f64 = z[0].mul_add(a, -b) + z[1].mul_add(a, z[0] * a_low);
    let c: f64 = m[0] * b;
    [c, m[0].mul_add(b, -c) + m[0].mul_add(b_low, m[1] * b)]
}

#[inline]
pub(super) fn double_square(x: f64, low: f64) -> [f64; 2] {
    let z: f64 = x * x;
    [z, x.mul_add(x, -z) + (x + x) * low]
}

#[inline]
pub(super) fn double_with_sign(magnitude: f64, x: f64) -> f64 {
    f64::from_bits(magnitude.to_bits() | (x.to_bits() & 0x8000000000000000_u64))
}

#[inline]
pub(super) fn double_horner(v: [f64; 2], t: [f64; 2], c: f64, c_low: f64) -> [f64; 2] {
    let p: f64 = t[0] * v[0];
    let p_low: f64 = t[0].mul_add(v[0], -p) + t[0].mul_add(v[1], t[1] * v[0]);
    let s: [f64; 2] = double_two_sum(c, p);
    [s[0], s[1] + (p_low + c_low)]
}

#[inline]
pub(super) fn double_tiny_times(x: f64, c: f64, c_low: f64) -> f64 {
    let t: f64 = x * 2.037035976334486e90;
    let r: f64 = t * c;
    let r_low: f64 = t.mul_add(c, -r) + t * c_low;
    double_with_sign((r + r_low).abs() * 4.909093465297727e-91, x)
}
