//! Float operations whose meaning is too long for the table, generic over `f32` and `f64`.
//!
//! They use only steps with the same result on every platform: comparison, `+ - * / %`, and moves
//! of bits. They avoid `f32::min` and similar functions, whose documentation leaves the sign of
//! zero open.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use super::bits::Number;

/// A binary IEEE 754 format with its arithmetic.
pub(super) trait Float:
    Number
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
    /// Number of stored significand bits.
    const FRACTION_BITS: u32;
    /// Number of bits of the exponent field.
    const EXPONENT_BITS: u32;
    /// 0.
    const ZERO: Self;
    /// 1/2.
    const HALF: Self;
    /// 1.
    const ONE: Self;
    /// 2.
    const TWO: Self;
    /// 3.
    const THREE: Self;
    /// Nearest to pi/180.
    const RADIANS: Self;
    /// Nearest to 180/pi.
    const DEGREES: Self;

    /// Rounds down.
    fn below(self) -> Self;
    /// Rounds toward zero.
    fn truncated(self) -> Self;
    /// The correctly rounded square root.
    fn root(self) -> Self;
}

macro_rules! float {
    ($($float:ty, $fraction:literal, $exponent:literal, $radians:literal, $degrees:literal;)*) => {$(
        impl Float for $float {
            const FRACTION_BITS: u32 = $fraction;
            const EXPONENT_BITS: u32 = $exponent;
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const THREE: Self = 3.0;
            const RADIANS: Self = $radians;
            const DEGREES: Self = $degrees;

            fn below(self) -> Self {
                self.floor()
            }
            fn truncated(self) -> Self {
                self.trunc()
            }
            fn root(self) -> Self {
                self.sqrt()
            }
        }
    )*};
}

float! {
    f32, 23, 8, 0.017_453_292, 57.295_78;
    f64, 52, 11, 0.017_453_292_519_943_295, 57.295_779_513_082_32;
}

/// Only the sign bit.
fn sign_mask<F: Float>() -> u64 {
    1 << (F::FRACTION_BITS + F::EXPONENT_BITS)
}

/// Whether the sign bit is set.
fn is_negative<F: Float>(x: F) -> bool {
    x.to_bits() & sign_mask::<F>() != 0
}

fn is_nan<F: Float>(x: F) -> bool {
    x.partial_cmp(&x).is_none()
}

/// The bits of `x` with the sign bit of `sign`.
fn with_sign<F: Float>(x: F, sign: F) -> F {
    F::from_bits(x.to_bits() & !sign_mask::<F>() | sign.to_bits() & sign_mask::<F>())
}

/// Whether it is neither infinite nor NaN.
fn is_finite<F: Float>(x: F) -> bool {
    let exponent = ((1 << F::EXPONENT_BITS) - 1) << F::FRACTION_BITS;
    x.to_bits() & exponent != exponent
}

/// The exponent bias; also the largest exponent of a finite number.
fn bias<F: Float>() -> i32 {
    (1 << (F::EXPONENT_BITS - 1)) - 1
}

/// 2 to the power `exponent`, which must be the exponent of a normal number.
fn power_of_two<F: Float>(exponent: i32) -> F {
    debug_assert!(exponent > -bias::<F>() && exponent <= bias::<F>());
    F::from_bits(((exponent + bias::<F>()) as u64) << F::FRACTION_BITS)
}

/// Row `min`.
pub(super) fn min<F: Float>(a: F, b: F) -> F {
    if is_nan(a) {
        b
    } else if is_nan(b) {
        a
    } else if a == b {
        // Equal values differ only in the sign of zero.
        if is_negative(a) { a } else { b }
    } else if a < b {
        a
    } else {
        b
    }
}

/// Row `max`.
pub(super) fn max<F: Float>(a: F, b: F) -> F {
    if is_nan(a) {
        b
    } else if is_nan(b) {
        a
    } else if a == b {
        if is_negative(a) { b } else { a }
    } else if a > b {
        a
    } else {
        b
    }
}

/// Row `sign`.
pub(super) fn sign<F: Float>(x: F) -> F {
    if is_nan(x) || x == F::ZERO { x } else { with_sign(F::ONE, x) }
}

/// Row `signum`.
pub(super) fn signum<F: Float>(x: F) -> F {
    if is_nan(x) { x } else { with_sign(F::ONE, x) }
}

/// Row `modf_fract`.
pub(super) fn modf_fract<F: Float>(x: F) -> F {
    if is_nan(x) {
        x
    } else if is_finite(x) {
        with_sign(x - x.truncated(), x)
    } else {
        with_sign(F::ZERO, x)
    }
}

/// Rows `frexp_fract` and `frexp_exp`.
pub(super) fn frexp<F: Float>(x: F) -> (F, i32) {
    if x == F::ZERO || !is_finite(x) {
        return (x, 0);
    }
    // Denormals are scaled to normal numbers first, which is exact.
    let smallest_normal = power_of_two::<F>(1 - bias::<F>());
    let (scaled, shift) = if x < smallest_normal && -x < smallest_normal {
        let shift = F::FRACTION_BITS as i32 + 1;
        (x * power_of_two::<F>(shift), shift)
    } else {
        (x, 0)
    };
    let exponent_mask = ((1 << F::EXPONENT_BITS) - 1) << F::FRACTION_BITS;
    let bits = scaled.to_bits();
    let exponent = ((bits & exponent_mask) >> F::FRACTION_BITS) as i32 - bias::<F>() + 1;
    let half = F::HALF.to_bits() & exponent_mask;
    (F::from_bits(bits & !exponent_mask | half), exponent - shift)
}

/// Row `ldexp`.
pub(super) fn ldexp<F: Float>(x: F, e: i32) -> F {
    let (fraction, exponent) = frexp(x);
    if x == F::ZERO || !is_finite(x) {
        return x;
    }
    // The result is `fraction` * 2^`power`, 0.5 <= |fraction| < 1.
    let power = i64::from(exponent) + i64::from(e);
    let largest = i64::from(bias::<F>()) + 1;
    let smallest = 2 - i64::from(bias::<F>());
    if power > largest {
        // Twice the largest power of two is infinity.
        let infinity = power_of_two::<F>(bias::<F>()) * F::TWO;
        with_sign(infinity, x)
    } else if power >= smallest {
        // One bit less, because the format cannot represent 2^largest itself.
        fraction * F::TWO * power_of_two::<F>((power - 1) as i32)
    } else {
        // Scales to the edge of the normal numbers exactly, then down with a single rounding.
        // Beyond twice the width of the fraction the result is zero.
        let rest = (power - smallest).max(-2 * i64::from(F::FRACTION_BITS)) as i32;
        fraction * F::TWO * power_of_two::<F>((smallest - 1) as i32) * power_of_two::<F>(rest)
    }
}

/// Row `ilogb`.
pub(super) fn ilogb<F: Float>(x: F) -> i32 {
    if x == F::ZERO || is_nan(x) {
        i32::MIN
    } else if is_finite(x) {
        frexp(x).1 - 1
    } else {
        i32::MAX
    }
}

/// Row `fdim`.
pub(super) fn fdim<F: Float>(x: F, y: F) -> F {
    if is_nan(x) {
        x
    } else if is_nan(y) {
        y
    } else if x > y {
        x - y
    } else {
        F::ZERO
    }
}

/// Row `remainder`: the algorithm of fdlibm. All steps are exact.
pub(super) fn remainder<F: Float>(x: F, y: F) -> F {
    if is_nan(x) || is_nan(y) || !is_finite(x) || y == F::ZERO {
        // The result is NaN for all of these operands.
        return x % y;
    }
    if !is_finite(y) {
        return x;
    }
    let size = |v: F| if is_negative(v) { -v } else { v };
    let y = size(y);
    // Modulo 2y the quotient keeps its lowest bit, which decides ties. If 2y would be infinite, x
    // is already below 2y.
    let twice = y + y;
    let mut r = size(if is_finite(twice) { x % twice } else { x });
    if y < power_of_two::<F>(2 - bias::<F>()) {
        // Half of y would be rounded; twice r does not overflow.
        if r + r > y {
            r = r - y;
            if r + r >= y {
                r = r - y;
            }
        }
    } else {
        let half = y * F::HALF;
        if r > half {
            r = r - y;
            if r >= half {
                r = r - y;
            }
        }
    }
    if is_negative(x) { -r } else { r }
}

/// Row `saturate`.
pub(super) fn saturate<F: Float>(x: F) -> F {
    min(max(x, F::ZERO), F::ONE)
}

/// Row `smoothstep`.
pub(super) fn smoothstep<F: Float>(lo: F, hi: F, x: F) -> F {
    let t = saturate((x - lo) / (hi - lo));
    t * t * (F::THREE - F::TWO * t)
}

/// Row `mix`.
pub(super) fn mix<F: Float>(a: F, b: F, t: F) -> F {
    a * (F::ONE - t) + b * t
}

/// Row `fract`.
pub(super) fn fract<F: Float>(x: F) -> F {
    x - x.below()
}
