//! The other methods of Rust's numbers that kernels do not have.
//!
//! Rust takes them before any method of a trait. An `#[amp]` trait with a method of such a name would
//! be passed over by the host and called by a kernel; with these companions, rustc refuses the call.

use super::absent::{Absent, MissingFunctions};
use crate::kernel::macro_support::Called;

macro_rules! absent {
    ($(#[$doc:meta])* $methods:ident $(with $sign:ident)?: $($t:ident)*; $($companion:ident($($arg:ty),*) -> $result:ty;)*) => {
        $(#[$doc])*
        pub trait $methods: Copy $(+ $sign)? {$(
            /// No companion.
            fn $companion(self, $(_: $arg),*) -> Called<$result, Absent>
            where
                Self: MissingFunctions,
            {
                unreachable!()
            }
        )*}

        $(impl $methods for $t {})*
    };
}

absent! {
    /// Of integers.
    OthersOfIntegers: i8 u8 i16 u16 i32 u32 i64 u64 usize isize;
    strict_add_marked_amp(Self) -> Self;
    strict_sub_marked_amp(Self) -> Self;
    strict_mul_marked_amp(Self) -> Self;
    strict_div_marked_amp(Self) -> Self;
    strict_div_euclid_marked_amp(Self) -> Self;
    strict_rem_marked_amp(Self) -> Self;
    strict_rem_euclid_marked_amp(Self) -> Self;
    strict_neg_marked_amp() -> Self;
    strict_shl_marked_amp(u32) -> Self;
    strict_shr_marked_amp(u32) -> Self;
    strict_pow_marked_amp(u32) -> Self;
}

absent! {
    /// Of integers with a sign.
    OthersOfSigned with OtherSign: i8 i16 i32 i64 isize;
    strict_abs_marked_amp() -> Self;
    strict_add_unsigned_marked_amp(Self::Other) -> Self;
    strict_sub_unsigned_marked_amp(Self::Other) -> Self;
}

absent! {
    /// Of integers without a sign.
    OthersOfUnsigned with OtherSign: u8 u16 u32 u64 usize;
    checked_signed_diff_marked_amp(Self) -> Option<Self::Other>;
    carrying_add_marked_amp(Self, bool) -> (Self, bool);
    borrowing_sub_marked_amp(Self, bool) -> (Self, bool);
    carrying_mul_marked_amp(Self, Self) -> (Self, Self);
    carrying_mul_add_marked_amp(Self, Self, Self) -> (Self, Self);
    checked_sub_signed_marked_amp(Self::Other) -> Option<Self>;
    strict_add_signed_marked_amp(Self::Other) -> Self;
    strict_sub_signed_marked_amp(Self::Other) -> Self;
    saturating_sub_signed_marked_amp(Self::Other) -> Self;
    wrapping_sub_signed_marked_amp(Self::Other) -> Self;
    overflowing_sub_signed_marked_amp(Self::Other) -> (Self, bool);
}

absent! {
    /// Of floats.
    OthersOfFloats: f32 f64;
    classify_marked_amp() -> Self;
}

/// The integer of the same width with a sign, or without.
pub trait OtherSign {
    /// The integer.
    type Other;
}

macro_rules! other_sign {
    ($($signed:ident $unsigned:ident;)*) => {$(
        impl OtherSign for $signed {
            type Other = $unsigned;
        }
        impl OtherSign for $unsigned {
            type Other = $signed;
        }
    )*};
}

other_sign! {
    i8 u8;
    i16 u16;
    i32 u32;
    i64 u64;
    isize usize;
}
