//! The methods of numbers on the host: the same as in kernels, bit for bit
//! (`tilewise_lower::methods` is the other half).
//!
//! They use std's own functions where these have one result on every platform and in every build;
//! otherwise, explicit steps, or functions of `precise_math`. Where std panics and a kernel has a
//! result, a function that the host calls panics as well ([`either`]). The traits are those of the
//! [families](super::family), which also define the meanings for `usize` and `isize`.

use crate::kernel::math::precise_math::PreciseFunctions;
use crate::targets::native::running;

use super::family::{Floats, Integers, Numbers, SignedIntegers, UnsignedIntegers, WithSigns};

/// The result as in a kernel, if a kernel runs here, and otherwise std's, which may panic.
#[inline(always)]
fn either<R>(in_a_kernel: impl FnOnce() -> R, on_the_host: impl FnOnce() -> R) -> R {
    if running::inside() { in_a_kernel() } else { on_the_host() }
}

macro_rules! mean {
    ($meanings:ident for $($t:ident)+ => $body:tt) => {$(
        impl $meanings for $t $body
    )+};
}

mean!(Numbers for i8 u8 i16 u16 i32 u32 i64 u64 => {
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Ord::min(self, other)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Ord::max(self, other)
    }
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        either(|| Ord::min(Ord::max(self, low), high), || Ord::clamp(self, low, high))
    }
    #[inline(always)]
    fn div_euclid(self, other: Self) -> Self {
        either(|| if other == 0 { self } else { self.wrapping_div_euclid(other) }, || self.div_euclid(other))
    }
    #[inline(always)]
    fn rem_euclid(self, other: Self) -> Self {
        either(|| if other == 0 { 0 } else { self.wrapping_rem_euclid(other) }, || self.rem_euclid(other))
    }
    #[inline(always)]
    fn midpoint(self, other: Self) -> Self {
        self.midpoint(other)
    }
});

mean!(Numbers for f32 f64 => {
    // Std leaves the sign of a zero open, and builds differ in it.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self.is_nan() || other < self || (self == other && other.is_sign_negative()) { other } else { self }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self.is_nan() || other > self || (self == other && other.is_sign_positive()) { other } else { self }
    }
    // Std's steps; std panics for bounds in the wrong order.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        let in_a_kernel = || {
            let x = if self < low { low } else { self };
            if x > high { high } else { x }
        };
        either(in_a_kernel, || self.clamp(low, high))
    }
    #[inline(always)]
    fn div_euclid(self, other: Self) -> Self {
        self.div_euclid(other)
    }
    #[inline(always)]
    fn rem_euclid(self, other: Self) -> Self {
        self.rem_euclid(other)
    }
    #[inline(always)]
    fn midpoint(self, other: Self) -> Self {
        self.midpoint(other)
    }
});

mean!(WithSigns for i8 i16 i32 i64 => {
    #[inline(always)]
    fn abs(self) -> Self {
        either(|| self.wrapping_abs(), || self.abs())
    }
    #[inline(always)]
    fn signum(self) -> Self {
        self.signum()
    }
});

mean!(WithSigns for f32 f64 => {
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn signum(self) -> Self {
        self.signum()
    }
});

/// Methods with std's own meaning.
macro_rules! as_std {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $ty),*) -> $result {
            self.$name($($arg),*)
        }
    )*};
}

/// Methods that are functions of `precise_math`: std's have other bits on other platforms.
macro_rules! precise {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $function:ident;)*) => {$(
        #[inline]
        fn $name(self, $($arg: $ty),*) -> $result {
            <Self as PreciseFunctions<Self>>::$function(self, $($arg),*)
        }
    )*};
}

macro_rules! integers {
    ($($t:ident: $unsigned:ident, $isqrt:expr;)*) => {$(
        impl Integers for $t {
            type Unsigned = $unsigned;

            as_std! {
                fn wrapping_add(other: Self) -> Self;
                fn wrapping_sub(other: Self) -> Self;
                fn wrapping_mul(other: Self) -> Self;
                fn wrapping_neg() -> Self;
                fn wrapping_shl(n: u32) -> Self;
                fn wrapping_shr(n: u32) -> Self;
                fn wrapping_pow(n: u32) -> Self;
                fn saturating_add(other: Self) -> Self;
                fn saturating_sub(other: Self) -> Self;
                fn saturating_mul(other: Self) -> Self;
                fn overflowing_add(other: Self) -> (Self, bool);
                fn overflowing_sub(other: Self) -> (Self, bool);
                fn overflowing_mul(other: Self) -> (Self, bool);
                fn abs_diff(other: Self) -> $unsigned;
                fn unbounded_shl(n: u32) -> Self;
                fn unbounded_shr(n: u32) -> Self;
                fn rotate_left(n: u32) -> Self;
                fn rotate_right(n: u32) -> Self;
                fn count_ones() -> u32;
                fn count_zeros() -> u32;
                fn leading_zeros() -> u32;
                fn trailing_zeros() -> u32;
                fn leading_ones() -> u32;
                fn trailing_ones() -> u32;
                fn swap_bytes() -> Self;
                fn reverse_bits() -> Self;
            }
            #[inline(always)]
            fn wrapping_div(self, other: Self) -> Self {
                either(|| if other == 0 { self } else { self.wrapping_div(other) }, || self.wrapping_div(other))
            }
            #[inline(always)]
            fn wrapping_rem(self, other: Self) -> Self {
                either(|| if other == 0 { 0 } else { self.wrapping_rem(other) }, || self.wrapping_rem(other))
            }
            #[inline(always)]
            fn wrapping_div_euclid(self, other: Self) -> Self {
                either(|| Numbers::div_euclid(self, other), || self.wrapping_div_euclid(other))
            }
            #[inline(always)]
            fn wrapping_rem_euclid(self, other: Self) -> Self {
                either(|| Numbers::rem_euclid(self, other), || self.wrapping_rem_euclid(other))
            }
            #[inline(always)]
            fn pow(self, n: u32) -> Self {
                either(|| self.wrapping_pow(n), || self.pow(n))
            }
            #[inline(always)]
            fn isqrt(self) -> Self {
                let root: fn($t) -> $t = $isqrt;
                either(|| root(self), || self.isqrt())
            }
            #[inline(always)]
            fn ilog2(self) -> u32 {
                either(|| (<$t>::BITS - 1).wrapping_sub(self.leading_zeros()), || self.ilog2())
            }
        }
    )*};
}

integers! {
    i8: u8, |x| x.checked_isqrt().unwrap_or(0);
    u8: u8, u8::isqrt;
    i16: u16, |x| x.checked_isqrt().unwrap_or(0);
    u16: u16, u16::isqrt;
    i32: u32, |x| x.checked_isqrt().unwrap_or(0);
    u32: u32, u32::isqrt;
    i64: u64, |x| x.checked_isqrt().unwrap_or(0);
    u64: u64, u64::isqrt;
}

macro_rules! signed {
    ($($t:ident $size:ident;)*) => {$(
        impl SignedIntegers for $t {
            type Size = $size;
            as_std! {
                fn unsigned_abs() -> $size;
                fn wrapping_abs() -> Self;
                fn saturating_abs() -> Self;
                fn saturating_neg() -> Self;
                fn is_positive() -> bool;
                fn is_negative() -> bool;
                fn wrapping_add_unsigned(other: $size) -> Self;
                fn wrapping_sub_unsigned(other: $size) -> Self;
                fn cast_unsigned() -> $size;
            }
        }
    )*};
}

signed! {
    i8 u8;
    i16 u16;
    i32 u32;
    i64 u64;
}

macro_rules! unsigned {
    ($($t:ident $difference:ident;)*) => {$(
        impl UnsignedIntegers for $t {
            type Difference = $difference;
            as_std! {
                fn is_power_of_two() -> bool;
                fn is_multiple_of(other: Self) -> bool;
                fn wrapping_add_signed(other: $difference) -> Self;
                fn cast_signed() -> $difference;
            }
            #[inline(always)]
            fn next_power_of_two(self) -> Self {
                either(|| self.checked_next_power_of_two().unwrap_or(0), || self.next_power_of_two())
            }
            #[inline(always)]
            fn div_ceil(self, other: Self) -> Self {
                either(|| if other == 0 { self } else { self.div_ceil(other) }, || self.div_ceil(other))
            }
            #[inline(always)]
            fn next_multiple_of(self, other: Self) -> Self {
                let in_a_kernel = || match self.checked_rem(other) {
                    None | Some(0) => self,
                    Some(rest) => self.wrapping_add(other - rest),
                };
                either(in_a_kernel, || self.next_multiple_of(other))
            }
        }
    )*};
}

unsigned! {
    u8 i8;
    u16 i16;
    u32 i32;
    u64 i64;
}

macro_rules! floats {
    ($($t:ident $pattern:ident;)*) => {$(
        impl Floats for $t {
            type Pattern = $pattern;
            as_std! {
                fn sqrt() -> Self;
                fn floor() -> Self;
                fn ceil() -> Self;
                fn trunc() -> Self;
                fn round() -> Self;
                fn round_ties_even() -> Self;
                fn fract() -> Self;
                fn copysign(sign: Self) -> Self;
                fn mul_add(factor: Self, summand: Self) -> Self;
                fn recip() -> Self;
                fn to_degrees() -> Self;
                fn to_radians() -> Self;
                fn next_up() -> Self;
                fn next_down() -> Self;
                fn to_bits() -> $pattern;
                fn is_nan() -> bool;
                fn is_infinite() -> bool;
                fn is_finite() -> bool;
                fn is_normal() -> bool;
                fn is_subnormal() -> bool;
                fn is_sign_negative() -> bool;
                fn is_sign_positive() -> bool;
            }
            precise! {
                fn sin() -> Self = sin;
                fn cos() -> Self = cos;
                fn tan() -> Self = tan;
                fn sin_cos() -> (Self, Self) = sincos;
                fn asin() -> Self = asin;
                fn acos() -> Self = acos;
                fn atan() -> Self = atan;
                fn atan2(other: Self) -> Self = atan2;
                fn sinh() -> Self = sinh;
                fn cosh() -> Self = cosh;
                fn tanh() -> Self = tanh;
                fn asinh() -> Self = asinh;
                fn acosh() -> Self = acosh;
                fn atanh() -> Self = atanh;
                fn exp() -> Self = exp;
                fn exp2() -> Self = exp2;
                fn exp_m1() -> Self = expm1;
                fn ln() -> Self = log;
                fn log2() -> Self = log2;
                fn log10() -> Self = log10;
                fn ln_1p() -> Self = log1p;
                fn powf(other: Self) -> Self = pow;
                fn cbrt() -> Self = cbrt;
                fn hypot(other: Self) -> Self = hypot;
            }
            // `x.ln() / base.ln()`, as std.
            #[inline]
            fn log(self, base: Self) -> Self {
                Floats::ln(self) / Floats::ln(base)
            }
            // Std leaves the rounding of the products open. This is the order of the kernel
            // language.
            #[inline]
            fn powi(self, n: i32) -> Self {
                let (mut rest, mut power, mut product) = (n.unsigned_abs(), self, 1.0);
                while rest != 0 {
                    if rest & 1 != 0 {
                        product *= power;
                    }
                    power *= power;
                    rest >>= 1;
                }
                if n < 0 { 1.0 / product } else { product }
            }
        }
    )*};
}

floats! {
    f32 u32;
    f64 u64;
}
