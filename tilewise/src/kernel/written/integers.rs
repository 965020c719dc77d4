//! Methods of integers whose results tell what does not fit: `checked_pow`, `overflowing_neg`, `saturating_pow` and
//! their like; logarithms; and the order of bytes. In the kernel language, they are written by others that it has.

#![allow(clippy::wrong_self_convention, reason = "the names are those of the standard library's methods")]

use crate::amp;
use crate::kernel::macro_support::{Called, Form, KernelFn, RustBuiltin};
use crate::kernel::types::KernelValue;
use crate::targets::native::running;

/// A number where Rust panics.
#[derive(Debug)]
pub enum InPlaceOfPanic {}

impl KernelFn for InPlaceOfPanic {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Count(0))
    }
}

/// The logarithm of what has none.
pub trait NoLogarithm {
    /// The companion: 0 in a kernel; elsewhere it panics, as Rust's own does.
    #[track_caller]
    fn no_logarithm_marked_amp(&self) -> Called<u32, InPlaceOfPanic> {
        assert!(running::inside(), "a logarithm is that of a positive number to a base of at least 2");
        Called::new(0)
    }
}

/// Methods of all integers.
#[amp]
pub trait IntegerResults: KernelValue {
    /// The logarithm to the base 10, rounded down; of what is not positive, in a kernel, 0.
    fn ilog10(self) -> u32;
    /// The logarithm, rounded down; of what is not positive, and to a base below 2, in a kernel, 0.
    fn ilog(self, base: Self) -> u32;
    /// The same, if there is one.
    fn checked_ilog2(self) -> Option<u32>;
    /// The same, if there is one.
    fn checked_ilog10(self) -> Option<u32>;
    /// The same, if there is one.
    fn checked_ilog(self, base: Self) -> Option<u32>;
    /// The power, if it fits.
    fn checked_pow(self, n: u32) -> Option<Self>;
    /// The power, or the nearest number of the type.
    fn saturating_pow(self, n: u32) -> Self;
    /// The wrapped power, and whether it was wrapped.
    fn overflowing_pow(self, n: u32) -> (Self, bool);
    /// The negated number, if it fits.
    fn checked_neg(self) -> Option<Self>;
    /// The wrapped negated number, and whether it was wrapped.
    fn overflowing_neg(self) -> (Self, bool);
    /// Shifted by fewer bits than it has.
    fn checked_shl(self, n: u32) -> Option<Self>;
    /// Shifted by fewer bits than it has.
    fn checked_shr(self, n: u32) -> Option<Self>;
    /// Shifted by the number without what it has too much, and whether it has.
    fn overflowing_shl(self, n: u32) -> (Self, bool);
    /// Shifted by the number without what it has too much, and whether it has.
    fn overflowing_shr(self, n: u32) -> (Self, bool);
    /// The quotient, or the nearest number of the type.
    fn saturating_div(self, other: Self) -> Self;
    /// The wrapped quotient, and whether it was wrapped.
    fn overflowing_div(self, other: Self) -> (Self, bool);
    /// The rest, and whether the quotient does not fit.
    fn overflowing_rem(self, other: Self) -> (Self, bool);
    /// The Euclidean quotient, and whether it was wrapped.
    fn overflowing_div_euclid(self, other: Self) -> (Self, bool);
    /// The Euclidean rest, and whether the quotient does not fit.
    fn overflowing_rem_euclid(self, other: Self) -> (Self, bool);
    /// The Euclidean quotient, if there is one.
    fn checked_div_euclid(self, other: Self) -> Option<Self>;
    /// The Euclidean rest, if there is a quotient.
    fn checked_rem_euclid(self, other: Self) -> Option<Self>;
    /// With the highest byte first.
    #[must_use]
    fn to_be(self) -> Self;
    /// With the lowest byte first: itself.
    #[must_use]
    fn to_le(self) -> Self;
    /// Of a number with the highest byte first.
    fn from_be(x: Self) -> Self;
    /// Of a number with the lowest byte first: itself.
    fn from_le(x: Self) -> Self;
}

/// Methods of integers with a sign, with the integer of the same width without one.
#[amp]
pub trait SignedResults<U: KernelValue>: KernelValue {
    /// The size, if it fits.
    fn checked_abs(self) -> Option<Self>;
    /// The wrapped size, and whether it was wrapped.
    fn overflowing_abs(self) -> (Self, bool);
    /// The root, rounded down, if there is one.
    fn checked_isqrt(self) -> Option<Self>;
    /// The sum, if it fits.
    fn checked_add_unsigned(self, other: U) -> Option<Self>;
    /// The difference, if it fits.
    fn checked_sub_unsigned(self, other: U) -> Option<Self>;
    /// The sum, or the greatest number.
    fn saturating_add_unsigned(self, other: U) -> Self;
    /// The difference, or the least number.
    fn saturating_sub_unsigned(self, other: U) -> Self;
    /// The wrapped sum, and whether it was wrapped.
    fn overflowing_add_unsigned(self, other: U) -> (Self, bool);
    /// The wrapped difference, and whether it was wrapped.
    fn overflowing_sub_unsigned(self, other: U) -> (Self, bool);
}

/// Methods of integers without a sign, with the integer of the same width that has one.
#[amp]
pub trait UnsignedResults<S: KernelValue>: KernelValue {
    /// The next power of two, if it fits.
    fn checked_next_power_of_two(self) -> Option<Self>;
    /// The next multiple, if it fits.
    fn checked_next_multiple_of(self, of: Self) -> Option<Self>;
    /// The sum, if it fits.
    fn checked_add_signed(self, other: S) -> Option<Self>;
    /// The sum, or the nearest number of the type.
    fn saturating_add_signed(self, other: S) -> Self;
    /// The wrapped sum, and whether it was wrapped.
    fn overflowing_add_signed(self, other: S) -> (Self, bool);
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl NoLogarithm for $t {}

        #[amp]
        #[allow(unused_comparisons, reason = "some of the integers have no sign")]
        impl IntegerResults for $t {
            fn ilog10(self) -> u32 {
                self.ilog(10)
            }

            fn ilog(self, base: $t) -> u32 {
                if self <= 0 || base < 2 {
                    return self.no_logarithm();
                }
                let mut left = self;
                let mut n = 0;
                while left >= base {
                    left /= base;
                    n += 1;
                }
                n
            }

            fn checked_ilog2(self) -> Option<u32> {
                if self > 0 { Some(self.ilog2()) } else { None }
            }

            fn checked_ilog10(self) -> Option<u32> {
                if self > 0 { Some(self.ilog(10)) } else { None }
            }

            fn checked_ilog(self, base: $t) -> Option<u32> {
                if self > 0 && base > 1 { Some(self.ilog(base)) } else { None }
            }

            fn checked_pow(self, n: u32) -> Option<$t> {
                if n == 0 {
                    return Some(1);
                }
                let mut power: $t = 1;
                let mut base = self;
                let mut left = n;
                while left > 1 {
                    if left % 2 == 1 {
                        power = power.checked_mul(base)?;
                    }
                    left /= 2;
                    base = base.checked_mul(base)?;
                }
                power.checked_mul(base)
            }

            fn saturating_pow(self, n: u32) -> $t {
                match self.checked_pow(n) {
                    Some(power) => power,
                    None => if self < 0 && n % 2 == 1 { $t::MIN } else { $t::MAX },
                }
            }

            fn overflowing_pow(self, n: u32) -> ($t, bool) {
                (self.wrapping_pow(n), self.checked_pow(n).is_none())
            }

            fn checked_neg(self) -> Option<$t> {
                let zero: $t = 0;
                zero.checked_sub(self)
            }

            fn overflowing_neg(self) -> ($t, bool) {
                (self.wrapping_neg(), self.checked_neg().is_none())
            }

            fn checked_shl(self, n: u32) -> Option<$t> {
                if n < $t::BITS { Some(self.wrapping_shl(n)) } else { None }
            }

            fn checked_shr(self, n: u32) -> Option<$t> {
                if n < $t::BITS { Some(self.wrapping_shr(n)) } else { None }
            }

            fn overflowing_shl(self, n: u32) -> ($t, bool) {
                (self.wrapping_shl(n), n >= $t::BITS)
            }

            fn overflowing_shr(self, n: u32) -> ($t, bool) {
                (self.wrapping_shr(n), n >= $t::BITS)
            }

            fn saturating_div(self, other: $t) -> $t {
                if other != 0 && self.checked_div(other).is_none() { $t::MAX } else { self / other }
            }

            fn overflowing_div(self, other: $t) -> ($t, bool) {
                (self.wrapping_div(other), other != 0 && self.checked_div(other).is_none())
            }

            fn overflowing_rem(self, other: $t) -> ($t, bool) {
                (self.wrapping_rem(other), other != 0 && self.checked_div(other).is_none())
            }

            fn overflowing_div_euclid(self, other: $t) -> ($t, bool) {
                (self.wrapping_div_euclid(other), other != 0 && self.checked_div(other).is_none())
            }

            fn overflowing_rem_euclid(self, other: $t) -> ($t, bool) {
                (self.wrapping_rem_euclid(other), other != 0 && self.checked_div(other).is_none())
            }

            fn checked_div_euclid(self, other: $t) -> Option<$t> {
                if self.checked_div(other).is_some() { Some(self.wrapping_div_euclid(other)) } else { None }
            }

            fn checked_rem_euclid(self, other: $t) -> Option<$t> {
                if self.checked_div(other).is_some() { Some(self.wrapping_rem_euclid(other)) } else { None }
            }

            fn to_be(self) -> $t {
                self.swap_bytes()
            }

            fn to_le(self) -> $t {
                self
            }

            fn from_be(x: $t) -> $t {
                x.swap_bytes()
            }

            fn from_le(x: $t) -> $t {
                x
            }
        }
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64 usize isize);

macro_rules! signed {
    ($($t:ident $u:ident;)*) => {$(
        #[amp]
        impl SignedResults<$u> for $t {
            fn checked_abs(self) -> Option<$t> {
                if self == $t::MIN { None } else { Some(self.wrapping_abs()) }
            }

            fn overflowing_abs(self) -> ($t, bool) {
                (self.wrapping_abs(), self == $t::MIN)
            }

            fn checked_isqrt(self) -> Option<$t> {
                if self < 0 { None } else { Some(self.isqrt()) }
            }

            fn checked_add_unsigned(self, other: $u) -> Option<$t> {
                let sum = self.wrapping_add_unsigned(other);
                if sum >= self { Some(sum) } else { None }
            }

            fn checked_sub_unsigned(self, other: $u) -> Option<$t> {
                let difference = self.wrapping_sub_unsigned(other);
                if difference <= self { Some(difference) } else { None }
            }

            fn saturating_add_unsigned(self, other: $u) -> $t {
                self.checked_add_unsigned(other).unwrap_or($t::MAX)
            }

            fn saturating_sub_unsigned(self, other: $u) -> $t {
                self.checked_sub_unsigned(other).unwrap_or($t::MIN)
            }

            fn overflowing_add_unsigned(self, other: $u) -> ($t, bool) {
                let sum = self.wrapping_add_unsigned(other);
                (sum, sum < self)
            }

            fn overflowing_sub_unsigned(self, other: $u) -> ($t, bool) {
                let difference = self.wrapping_sub_unsigned(other);
                (difference, difference > self)
            }
        }

        #[amp]
        impl UnsignedResults<$t> for $u {
            fn checked_next_power_of_two(self) -> Option<$u> {
                if self <= 1 {
                    return Some(1);
                }
                // All bits below the power.
                let below = $u::MAX >> (self - 1).leading_zeros();
                below.checked_add(1)
            }

            fn checked_next_multiple_of(self, of: $u) -> Option<$u> {
                if of == 0 {
                    return None;
                }
                let rest = self % of;
                if rest == 0 { Some(self) } else { self.checked_add(of - rest) }
            }

            fn checked_add_signed(self, other: $t) -> Option<$u> {
                if other < 0 { self.checked_sub(other.unsigned_abs()) } else { self.checked_add(other as $u) }
            }

            fn saturating_add_signed(self, other: $t) -> $u {
                if other < 0 { self.saturating_sub(other.unsigned_abs()) } else { self.saturating_add(other as $u) }
            }

            fn overflowing_add_signed(self, other: $t) -> ($u, bool) {
                (self.wrapping_add_signed(other), self.checked_add_signed(other).is_none())
            }
        }
    )*};
}

signed! {
    i8 u8;
    i16 u16;
    i32 u32;
    i64 u64;
    isize usize;
}
