//! C++ AMP's `fast_math`: `f32` functions where speed counts more than the last bit.
//!
//! For kernels and for the host, with the same bits on both and on every target. Only in a launch
//! that asks for relaxed floats may results differ, by at most 2 ulp from the correctly rounded
//! one: `jit` may contract products and sums inside these functions. A GPU may use functions of its
//! own there, which are as accurate as its driver makes them.
//!
//! Special values are as in C99 annex F; denormal arguments and results are kept.
//!
//! ```
//! use tilewise::fast_math;
//!
//! assert_eq!(fast_math::log10(1000.0), 3.0);
//! assert_eq!(fast_math::fmax(1.0, f32::NAN), 1.0);
//! ```

use super::fast;
use crate::kernel::macro_support::{Called, Form, KernelFn, Op, RustBuiltin, Scalar, call};
use crate::kernel::numbers::Numbers;

/// Functions with their companions.
macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $host:expr, $form:expr;)*) => {
        $(
            $(#[$meta])*
            #[inline]
            pub fn $name($($arg: $ty),*) -> $result {
                $host
            }

            #[doc(hidden)]
            #[allow(non_camel_case_types, reason = "it is named after the function")]
            #[derive(Debug)]
            pub struct $name {}

            impl $name {
                #[doc(hidden)]
                #[inline(always)]
                pub fn marked_amp($($arg: $ty),*) -> Called<$result, $name> {
                    Called::new($name($($arg),*))
                }

                #[doc(hidden)]
                #[inline(always)]
                pub fn named_amp<F>(named: F) -> call::Named<$name, impl Sized> {
                    call::Named::new($name, named)
                }
            }

            impl KernelFn for $name {
                fn form() -> Form {
                    Form::Builtin($form)
                }
            }
        )*

        /// Every function, for the tests.
        #[cfg(test)]
        pub(super) fn all() -> Vec<super::tests::Tested> {
            vec![$(super::tests::Tested::new(stringify!($name), $name::form(), |x| {
                let mut x = x.into_iter();
                $(let $arg: $ty = crate::kernel::numbers::Bare::take(&mut x);)*
                let result = crate::kernel::macro_support::LinkedCall::<$name>::NEW.call($name::marked_amp($($arg),*));
                crate::kernel::numbers::Bare::put(result)
            })),*]
        }
    };
}

/// A function of the kernel library.
macro_rules! library {
    ($name:literal) => {
        RustBuiltin::Library(concat!("fast_math::", $name))
    };
}

functions! {
    /// e to the power of `x`, within 1.1 units in the last place.
    #[doc(alias = "expf")]
    exp(x: f32) -> f32 = fast::exp(x), library!("exp");
    /// 2 to the power of `x`, within 1.2 units in the last place; exact for whole numbers.
    #[doc(alias = "exp2f")]
    exp2(x: f32) -> f32 = fast::exp2(x), library!("exp2");
    /// The natural logarithm, within 1 unit in the last place. Of a zero it is -inf, below zero
    /// NaN.
    #[doc(alias("logf", "ln"))]
    log(x: f32) -> f32 = fast::log(x), library!("log");
    /// The logarithm to base 2, within 1.4 units in the last place; exact for powers of two.
    #[doc(alias = "log2f")]
    log2(x: f32) -> f32 = fast::log2(x), library!("log2");
    /// The logarithm to base 10, within 1.5 units in the last place; exact for powers of ten.
    #[doc(alias = "log10f")]
    log10(x: f32) -> f32 = fast::log10(x), library!("log10");
    /// The sine of `x` radians, within 1.4 units in the last place for every number.
    #[doc(alias = "sinf")]
    sin(x: f32) -> f32 = fast::sin(x), library!("sin");
    /// The cosine of `x` radians, within 1.4 units in the last place for every number.
    #[doc(alias = "cosf")]
    cos(x: f32) -> f32 = fast::cos(x), library!("cos");
    /// The tangent of `x` radians, within 1.8 units in the last place for every number.
    #[doc(alias = "tanf")]
    tan(x: f32) -> f32 = fast::tan(x), library!("tan");
    /// The hyperbolic tangent, within 1.4 units in the last place.
    #[doc(alias = "tanhf")]
    tanh(x: f32) -> f32 = fast::tanh(x), library!("tanh");
    /// One over the square root, within 1.5 units in the last place.
    #[doc(alias = "rsqrtf")]
    rsqrt(x: f32) -> f32 = fast::rsqrt(x), library!("rsqrt");
    /// `x` to the power of `y`, within 1.6 units in the last place, with all the special cases of
    /// C99.
    #[doc(alias("powf", "powr"))]
    pow(x: f32, y: f32) -> f32 = fast::pow(x, y), library!("pow");

    /// The square root, correctly rounded. Below zero it is NaN.
    #[doc(alias = "sqrtf")]
    sqrt(x: f32) -> f32 = x.sqrt(), RustBuiltin::Op(Op::Sqrt);
    /// `x` without its sign.
    #[doc(alias("fabsf", "abs"))]
    fabs(x: f32) -> f32 = x.abs(), RustBuiltin::Op(Op::Abs);
    /// The largest integer not above `x`.
    #[doc(alias = "floorf")]
    floor(x: f32) -> f32 = x.floor(), RustBuiltin::Op(Op::Floor);
    /// The smallest integer not below `x`.
    #[doc(alias = "ceilf")]
    ceil(x: f32) -> f32 = x.ceil(), RustBuiltin::Op(Op::Ceil);
    /// The nearest integer, halves away from zero.
    #[doc(alias = "roundf")]
    round(x: f32) -> f32 = x.round(), RustBuiltin::Op(Op::Round);
    /// The integer part.
    #[doc(alias = "truncf")]
    trunc(x: f32) -> f32 = x.trunc(), RustBuiltin::Op(Op::Trunc);
    /// The smaller; the number, if one is NaN. -0 is below +0.
    #[doc(alias("fminf", "min"))]
    fmin(x: f32, y: f32) -> f32 = Numbers::min(x, y), RustBuiltin::Op(Op::Min);
    /// The larger; the number, if one is NaN. -0 is below +0.
    #[doc(alias("fmaxf", "max"))]
    fmax(x: f32, y: f32) -> f32 = Numbers::max(x, y), RustBuiltin::Op(Op::Max);
    /// The remainder of the quotient truncated towards zero, exact: Rust's `x % y`.
    #[doc(alias = "fmodf")]
    fmod(x: f32, y: f32) -> f32 = x % y, RustBuiltin::Op(Op::Rem);
    /// `x * y + z`, rounded once.
    #[doc(alias("fmaf", "mul_add"))]
    fma(x: f32, y: f32, z: f32) -> f32 = x.mul_add(y, z), RustBuiltin::Op(Op::Fma);
    /// `x` times 2 to the power of `exponent`, rounded once.
    #[doc(alias = "ldexpf")]
    ldexp(x: f32, exponent: i32) -> f32 = scaled(x, exponent), RustBuiltin::Op(Op::Ldexp);
    /// Neither an infinity nor NaN?
    #[doc(alias = "is_finite")]
    isfinite(x: f32) -> bool = x.is_finite(), RustBuiltin::Op(Op::IsFinite);
    /// An infinity?
    #[doc(alias = "is_infinite")]
    isinf(x: f32) -> bool = x.is_infinite(), RustBuiltin::Op(Op::IsInf);
    /// NaN?
    #[doc(alias = "is_nan")]
    isnan(x: f32) -> bool = x.is_nan(), RustBuiltin::Op(Op::IsNan);
    /// Is the sign bit set? It is for -0; of NaN it is not specified.
    #[doc(alias("signbitf", "is_sign_negative"))]
    signbit(x: f32) -> bool = x.is_sign_negative(), RustBuiltin::Op(Op::SignBit);
}

/// The row `ldexp` of the op table itself: std has no such function, and its steps are long.
fn scaled(x: f32, exponent: i32) -> f32 {
    match Op::Ldexp.each(Scalar::F32) {
        Some(row) => f32::from_bits(row([u64::from(x.to_bits()), u64::from(exponent as u32), 0, 0]) as u32),
        None => f32::NAN,
    }
}
