//! C++ AMP's `direct3d`: the intrinsic functions of shaders, in kernels and on the host, with the
//! same bits.
//!
//! The specification leaves some results open. Here they are:
//! - `firstbithigh` and `firstbitlow` of a number without such a bit are -1. `firstbithigh` of a
//!   negative number is the position of its highest bit that is 0, as in HLSL.
//! - `mad` of floats rounds once.
//! - `clamp` takes the lower bound first: with bounds in the wrong order it gives the upper one. A
//!   NaN `x` gives the lower bound, and `saturate` of NaN is 0.
//! - `rcp` is correctly rounded in a launch with strict floats.
//! - `noise` is [defined below](noise()).
//!
//! ```
//! use tilewise::direct3d;
//!
//! assert_eq!(direct3d::firstbithigh(40), 5);
//! assert_eq!(direct3d::smoothstep(0.0, 2.0, 1.0), 0.5);
//! ```

use std::marker::PhantomData;

use super::functions::functions;
use super::host::direct3d as host;
use super::row::{RowNumber, row};
use crate::api::vector::{UInt2, UInt4};
use crate::kernel::macro_support::{Called, Form, KernelFn, Op, RustBuiltin, call};
use crate::kernel::numbers::Numbers;
use crate::kernel::types::KernelType;

functions! {
    /// The size of `x`; that of `i32::MIN` stays `i32::MIN`.
    abs(x: i32) -> i32 = x.wrapping_abs(), RustBuiltin::Op(Op::Abs);
    /// The number of bits that are 1.
    countbits(x: u32) -> u32 = x.count_ones(), RustBuiltin::Op(Op::CountOnes);
    /// The position of the highest bit that is 1, counted from bit 0; of a negative number, that is
    /// 0. -1 if there is none.
    firstbithigh(x: i32) -> i32 = row(Op::FirstHigh, (x,)), RustBuiltin::Op(Op::FirstHigh);
    /// The position of the lowest bit that is 1, counted from bit 0. -1 if there is none.
    firstbitlow(x: i32) -> i32 = row(Op::FirstLow, (x,)), RustBuiltin::Op(Op::FirstLow);
    /// The larger number.
    imax(x: i32, y: i32) -> i32 = Ord::max(x, y), RustBuiltin::Op(Op::Max);
    /// The smaller number.
    imin(x: i32, y: i32) -> i32 = Ord::min(x, y), RustBuiltin::Op(Op::Min);
    /// The larger number.
    umax(x: u32, y: u32) -> u32 = Ord::max(x, y), RustBuiltin::Op(Op::Max);
    /// The smaller number.
    umin(x: u32, y: u32) -> u32 = Ord::min(x, y), RustBuiltin::Op(Op::Min);
    /// Perlin's gradient noise in one dimension: from -1 to 1, 0 at every whole `x` and continuous
    /// with its first and second derivatives in between. Each whole number has a slope from -1 to
    /// 1, by a hash of its 32 bits; between two, the lines with their slopes are blended by
    /// `6t^5 - 15t^4 + 10t^3`, and the result is doubled. Of infinities and NaN it is NaN.
    noise(x: f32) -> f32 = host::noise(x), RustBuiltin::Library("direct3d::noise");
    /// An angle in degrees as one in radians.
    radians(x: f32) -> f32 = row(Op::Radians, (x,)), RustBuiltin::Op(Op::Radians);
    /// One over `x`.
    rcp(x: f32) -> f32 = 1.0 / x, RustBuiltin::Op(Op::Rcp);
    /// The bits in the opposite order.
    reversebits(x: u32) -> u32 = x.reverse_bits(), RustBuiltin::Op(Op::ReverseBits);
    /// `x` within 0 to 1.
    saturate(x: f32) -> f32 = row(Op::Saturate, (x,)), RustBuiltin::Op(Op::Saturate);
    /// -1, 0 or 1 as `x` is below, at or above zero.
    sign(x: i32) -> i32 = x.signum(), RustBuiltin::Op(Op::Sign);
    /// 0 below `min`, 1 above `max`, between them `t * t * (3 - 2 * t)` for the share `t` of the
    /// way.
    smoothstep(min: f32, max: f32, x: f32) -> f32 = row(Op::Smoothstep, (min, max, x)), RustBuiltin::Op(Op::Smoothstep);
    /// 1 if `x` is at least `y`, else 0.
    step(y: f32, x: f32) -> f32 = row(Op::Step, (y, x)), RustBuiltin::Op(Op::Step);
}

/// Functions of several types of numbers.
macro_rules! generic_functions {
    ($($(#[$meta:meta])* $name:ident of $bound:ident: ($($arg:ident),*) = $op:ident, $host:expr;)*) => {$(
        $(#[$meta])*
        #[inline]
        pub fn $name<T: $bound>($($arg: T),*) -> T {
            $host
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it is named after the function")]
        #[derive(Debug)]
        pub struct $name<T> {
                #[doc(hidden)]
                pub of: PhantomData<T>,
            }

        impl<T: $bound> $name<T> {
            #[doc(hidden)]
            #[inline(always)]
            pub fn marked_amp($($arg: T),*) -> Called<T, $name<T>> {
                Called::new($name($($arg),*))
            }

            #[doc(hidden)]
            #[inline(always)]
            pub fn named_amp<F>(named: F) -> call::Named<$name<T>, impl Sized> {
                call::Named::new($name::<T>, named)
            }
        }

        impl<T: $bound> KernelFn for $name<T> {
            fn form() -> Form {
                Form::Builtin(RustBuiltin::Op(Op::$op))
            }
        }
    )*};
}

/// A number that [`clamp()`] takes: `i32` and `f32`. Sealed.
#[diagnostic::on_unimplemented(
    message = "`direct3d::clamp` does not take `{Self}`",
    label = "not `i32` or `f32`",
    note = "write the method: `x.clamp(low, high)`"
)]
pub trait ClampNumber: RowNumber + KernelType + Numbers {}

impl ClampNumber for i32 {}
impl ClampNumber for f32 {}

/// A number that [`mad()`] takes: `f32`, `f64`, `i32` and `u32`. Sealed.
#[diagnostic::on_unimplemented(
    message = "`direct3d::mad` does not take `{Self}`",
    label = "not `f32`, `f64`, `i32` or `u32`",
    note = "write `x * y + z`"
)]
pub trait MadNumber: RowNumber + KernelType {}

impl MadNumber for f32 {}
impl MadNumber for f64 {}
impl MadNumber for i32 {}
impl MadNumber for u32 {}

generic_functions! {
    /// `x` within `min` to `max`.
    clamp of ClampNumber: (x, min, max) = Clamp, Numbers::min(Numbers::max(x, min), max);
    /// `x * y + z`. Integers wrap, floats are rounded once.
    mad of MadNumber: (x, y, z) = Mad, row(Op::Mad, (x, y, z));
}

/// Adds to each component of `accumulator` the sum of the differences between the bytes of
/// `reference` and four bytes of `source`, from its byte 0, 1, 2 or 3 on. Bytes of `reference` that
/// are 0 are left out.
#[inline]
pub fn msad4(reference: u32, source: UInt2, accumulator: UInt4) -> UInt4 {
    let [low, high] = source.to_array();
    let bytes = u64::from(low) | u64::from(high) << 32;
    let mut sums = accumulator.to_array();
    for (i, sum) in sums.iter_mut().enumerate() {
        let window = (bytes >> (8 * i)) as u32;
        for (of_reference, of_source) in reference.to_le_bytes().into_iter().zip(window.to_le_bytes()) {
            if of_reference != 0 {
                *sum = sum.wrapping_add(of_reference.abs_diff(of_source).into());
            }
        }
    }
    UInt4::from(sums)
}

#[doc(hidden)]
#[allow(non_camel_case_types, reason = "it is named after the function")]
#[derive(Debug)]
pub struct msad4 {}

impl msad4 {
    #[doc(hidden)]
    #[inline(always)]
    pub fn marked_amp(reference: u32, source: UInt2, accumulator: UInt4) -> Called<UInt4, msad4> {
        Called::new(msad4(reference, source, accumulator))
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn named_amp<F>(named: F) -> call::Named<msad4, impl Sized> {
        call::Named::new(msad4, named)
    }
}

impl KernelFn for msad4 {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Op(Op::Msad4))
    }
}
