//! The companions of the methods of numbers, in families: in generated code, `x.min(y)` is
//! `x.min_marked_amp(y)`.
//!
//! A family is a trait whose implementors have all its methods; no method is in two families. With
//! one trait per type, a literal such as the `2` in `2.min(x)` would have several methods of one
//! name, an error where rustc infers the type.

use super::width::HostWidth;
use crate::kernel::macro_support::{Called, Form, KernelFn, RustBuiltin};
use crate::targets::native::running;

#[cfg(test)]
use super::tests::{Bare, Lists, Tested};
#[cfg(test)]
use crate::kernel::macro_support::LinkedCall;

/// A family: the trait of its companions, the trait of its meanings with its associated types, the
/// module of its markers; the types that have it; the methods.
///
/// After the types follow those of the host's width, each with the types of 32 and 64 bits that it
/// stands for and its associated types.
macro_rules! family {
    ($(#[$doc:meta])* $methods:ident, $meanings:ident {$($item:tt)*}, $marks:ident: $($t:ident)*;
     $($host:ident is $narrow:ident or $wide:ident {$($of_host:tt)*};)* => $body:tt) => {
        family!(@ methods [$(#[$doc])*] $methods $meanings [$($item)*] $marks $body);
        $(
            impl $methods for $t {}
            #[cfg(test)]
            family!(@ listed $t $methods $meanings $marks $body);
        )*
        $(
            impl $methods for $host {}
            family!(@ host [$($of_host)*] $host $narrow $wide $meanings $body);
            #[cfg(test)]
            family!(@ listed $host $methods $meanings $marks $body);
        )*
    };

    (@ methods [$($doc:tt)*] $methods:ident $meanings:ident [$($item:tt)*] $marks:ident
     {$($companion:ident = $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*}) => {
        #[doc = concat!("What the companions of [`", stringify!($methods), "`] do.")]
        pub trait $meanings: Copy {
            $($item)*
            $(
                #[doc = concat!("Rust's `", stringify!($name), "`, and a result where Rust panics.")]
                fn $name(self, $($arg: $ty),*) -> $result;
            )*
        }

        $($doc)*
        pub trait $methods: $meanings {$(
            #[doc = concat!("The companion of `", stringify!($name), "`.")]
            #[inline(always)]
            fn $companion(self, $($arg: $ty),*) -> Called<$result, $marks::$name> {
                Called::new($meanings::$name(self, $($arg),*))
            }
        )*}

        #[doc = concat!("What the companions of [`", stringify!($methods), "`](super::", stringify!($methods), ") called.")]
        pub mod $marks {
            use super::{RustBuiltin, Form, KernelFn};

            /// The family, for its tests.
            #[cfg(test)]
            #[derive(Debug)]
            pub struct MethodFamily {}
            $(
                #[doc = concat!("The method `", stringify!($name), "`.")]
                #[allow(non_camel_case_types, reason = "it is named after the method")]
                #[derive(Debug)]
                pub struct $name {}

                impl KernelFn for $name {
                    fn form() -> Form {
                        Form::Builtin(RustBuiltin::Method(stringify!($name)))
                    }
                }
            )*
        }
    };

    // In a kernel a number of this type has 32 bits, and fits; in a function that the host calls it
    // has those of the host.
    (@ host [$($item:tt)*] $host:ident $narrow:ident $wide:ident $meanings:ident
     {$($companion:ident = $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*}) => {
        impl $meanings for $host {
            $($item)*
            $(
                #[inline]
                fn $name(self, $($arg: $ty),*) -> $result {
                    if let (Some(x), $(Some($arg),)*) = (self.narrow(), $($arg.narrow(),)*)
                        && running::inside()
                    {
                        return HostWidth::from_narrow(<$narrow as $meanings>::$name(x, $($arg),*));
                    }
                    HostWidth::from_wide(<$wide as $meanings>::$name(self.wide(), $($arg.wide()),*))
                }
            )*
        }
    };

    (@ listed $t:ident $methods:ident $meanings:ident $marks:ident
     {$($companion:ident = $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*}) => {
        impl Lists<$marks::MethodFamily> for $t {
            fn list() -> Vec<Tested> {
                vec![$(Tested::new::<$marks::$name>(|x| {
                    let mut x = x.into_iter();
                    let receiver: $t = Bare::take(&mut x);
                    $(let $arg = Bare::take(&mut x);)*
                    LinkedCall::<$marks::$name>::NEW.call(receiver.$companion($($arg),*)).put()
                })),*]
            }
        }
    };
}

family! {
    /// Methods of all numbers.
    NumberMethods, Numbers {}, of_numbers: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64;
    usize is u32 or u64 {};
    isize is i32 or i64 {};
    => {
        min_marked_amp = min(other: Self) -> Self;
        max_marked_amp = max(other: Self) -> Self;
        clamp_marked_amp = clamp(low: Self, high: Self) -> Self;
        div_euclid_marked_amp = div_euclid(other: Self) -> Self;
        rem_euclid_marked_amp = rem_euclid(other: Self) -> Self;
        midpoint_marked_amp = midpoint(other: Self) -> Self;
    }
}

family! {
    /// Methods of signed integers and floats.
    SignMethods, WithSigns {}, with_sign: i8 i16 i32 i64 f32 f64;
    isize is i32 or i64 {};
    => {
        abs_marked_amp = abs() -> Self;
        signum_marked_amp = signum() -> Self;
    }
}

family! {
    /// Methods of integers.
    IntegerMethods, Integers {
        /// The unsigned integer of the same width.
        type Unsigned: Copy;
    }, of_integers: i8 u8 i16 u16 i32 u32 i64 u64;
    usize is u32 or u64 {type Unsigned = usize;};
    isize is i32 or i64 {type Unsigned = usize;};
    => {
        wrapping_add_marked_amp = wrapping_add(other: Self) -> Self;
        wrapping_sub_marked_amp = wrapping_sub(other: Self) -> Self;
        wrapping_mul_marked_amp = wrapping_mul(other: Self) -> Self;
        wrapping_neg_marked_amp = wrapping_neg() -> Self;
        wrapping_shl_marked_amp = wrapping_shl(n: u32) -> Self;
        wrapping_shr_marked_amp = wrapping_shr(n: u32) -> Self;
        wrapping_pow_marked_amp = wrapping_pow(n: u32) -> Self;
        wrapping_div_marked_amp = wrapping_div(other: Self) -> Self;
        wrapping_rem_marked_amp = wrapping_rem(other: Self) -> Self;
        wrapping_div_euclid_marked_amp = wrapping_div_euclid(other: Self) -> Self;
        wrapping_rem_euclid_marked_amp = wrapping_rem_euclid(other: Self) -> Self;
        saturating_add_marked_amp = saturating_add(other: Self) -> Self;
        saturating_sub_marked_amp = saturating_sub(other: Self) -> Self;
        saturating_mul_marked_amp = saturating_mul(other: Self) -> Self;
        overflowing_add_marked_amp = overflowing_add(other: Self) -> (Self, bool);
        overflowing_sub_marked_amp = overflowing_sub(other: Self) -> (Self, bool);
        overflowing_mul_marked_amp = overflowing_mul(other: Self) -> (Self, bool);
        pow_marked_amp = pow(n: u32) -> Self;
        isqrt_marked_amp = isqrt() -> Self;
        ilog2_marked_amp = ilog2() -> u32;
        abs_diff_marked_amp = abs_diff(other: Self) -> Self::Unsigned;
        unbounded_shl_marked_amp = unbounded_shl(n: u32) -> Self;
        unbounded_shr_marked_amp = unbounded_shr(n: u32) -> Self;
        rotate_left_marked_amp = rotate_left(n: u32) -> Self;
        rotate_right_marked_amp = rotate_right(n: u32) -> Self;
        count_ones_marked_amp = count_ones() -> u32;
        count_zeros_marked_amp = count_zeros() -> u32;
        leading_zeros_marked_amp = leading_zeros() -> u32;
        trailing_zeros_marked_amp = trailing_zeros() -> u32;
        leading_ones_marked_amp = leading_ones() -> u32;
        trailing_ones_marked_amp = trailing_ones() -> u32;
        swap_bytes_marked_amp = swap_bytes() -> Self;
        reverse_bits_marked_amp = reverse_bits() -> Self;
    }
}

family! {
    /// Methods of signed integers.
    SignedMethods, SignedIntegers {
        /// The unsigned integer of the same width.
        type Size: Copy;
    }, of_signed: i8 i16 i32 i64;
    isize is i32 or i64 {type Size = usize;};
    => {
        unsigned_abs_marked_amp = unsigned_abs() -> Self::Size;
        wrapping_abs_marked_amp = wrapping_abs() -> Self;
        saturating_abs_marked_amp = saturating_abs() -> Self;
        saturating_neg_marked_amp = saturating_neg() -> Self;
        is_positive_marked_amp = is_positive() -> bool;
        is_negative_marked_amp = is_negative() -> bool;
        wrapping_add_unsigned_marked_amp = wrapping_add_unsigned(other: Self::Size) -> Self;
        wrapping_sub_unsigned_marked_amp = wrapping_sub_unsigned(other: Self::Size) -> Self;
        cast_unsigned_marked_amp = cast_unsigned() -> Self::Size;
    }
}

family! {
    /// Methods of unsigned integers.
    UnsignedMethods, UnsignedIntegers {
        /// The signed integer of the same width.
        type Difference: Copy;
    }, of_unsigned: u8 u16 u32 u64;
    usize is u32 or u64 {type Difference = isize;};
    => {
        is_power_of_two_marked_amp = is_power_of_two() -> bool;
        next_power_of_two_marked_amp = next_power_of_two() -> Self;
        div_ceil_marked_amp = div_ceil(other: Self) -> Self;
        next_multiple_of_marked_amp = next_multiple_of(other: Self) -> Self;
        is_multiple_of_marked_amp = is_multiple_of(other: Self) -> bool;
        wrapping_add_signed_marked_amp = wrapping_add_signed(other: Self::Difference) -> Self;
        cast_signed_marked_amp = cast_signed() -> Self::Difference;
    }
}

family! {
    /// Methods of floats.
    FloatMethods, Floats {
        /// The unsigned integer of the same width.
        type Pattern: Copy;
    }, of_floats: f32 f64;
    => {
        sqrt_marked_amp = sqrt() -> Self;
        floor_marked_amp = floor() -> Self;
        ceil_marked_amp = ceil() -> Self;
        trunc_marked_amp = trunc() -> Self;
        round_marked_amp = round() -> Self;
        round_ties_even_marked_amp = round_ties_even() -> Self;
        fract_marked_amp = fract() -> Self;
        copysign_marked_amp = copysign(sign: Self) -> Self;
        mul_add_marked_amp = mul_add(factor: Self, summand: Self) -> Self;
        recip_marked_amp = recip() -> Self;
        powi_marked_amp = powi(n: i32) -> Self;
        to_degrees_marked_amp = to_degrees() -> Self;
        to_radians_marked_amp = to_radians() -> Self;
        // Functions of `precise_math`.
        sin_marked_amp = sin() -> Self;
        cos_marked_amp = cos() -> Self;
        tan_marked_amp = tan() -> Self;
        sin_cos_marked_amp = sin_cos() -> (Self, Self);
        asin_marked_amp = asin() -> Self;
        acos_marked_amp = acos() -> Self;
        atan_marked_amp = atan() -> Self;
        atan2_marked_amp = atan2(other: Self) -> Self;
        sinh_marked_amp = sinh() -> Self;
        cosh_marked_amp = cosh() -> Self;
        tanh_marked_amp = tanh() -> Self;
        asinh_marked_amp = asinh() -> Self;
        acosh_marked_amp = acosh() -> Self;
        atanh_marked_amp = atanh() -> Self;
        exp_marked_amp = exp() -> Self;
        exp2_marked_amp = exp2() -> Self;
        exp_m1_marked_amp = exp_m1() -> Self;
        ln_marked_amp = ln() -> Self;
        log_marked_amp = log(base: Self) -> Self;
        log2_marked_amp = log2() -> Self;
        log10_marked_amp = log10() -> Self;
        ln_1p_marked_amp = ln_1p() -> Self;
        powf_marked_amp = powf(other: Self) -> Self;
        cbrt_marked_amp = cbrt() -> Self;
        hypot_marked_amp = hypot(other: Self) -> Self;
        // Bits and kinds.
        next_up_marked_amp = next_up() -> Self;
        next_down_marked_amp = next_down() -> Self;
        to_bits_marked_amp = to_bits() -> Self::Pattern;
        is_nan_marked_amp = is_nan() -> bool;
        is_infinite_marked_amp = is_infinite() -> bool;
        is_finite_marked_amp = is_finite() -> bool;
        is_normal_marked_amp = is_normal() -> bool;
        is_subnormal_marked_amp = is_subnormal() -> bool;
        is_sign_negative_marked_amp = is_sign_negative() -> bool;
        is_sign_positive_marked_amp = is_sign_positive() -> bool;
    }
}
