//! C++ AMP's `precise_math`: functions of `f32` and `f64` that are exact to the last bit, or nearly.
//!
//! For kernels and for the host, with the same bits on both, on every target, and in every float
//! mode of a launch: what these functions compute is never contracted. Each has two names, as in
//! C++ AMP: `sin` for `f32` and `f64` alike, `sinf` for `f32` only. Results that C++ AMP gives
//! through pointers are parts of a tuple.
//!
//! Functions of `f32` are correctly rounded: the result is the `f32` nearest to the exact one, but
//! for a few arguments of `erfc` and the gamma functions, which docs/accuracy.md counts. Functions of
//! `f64` are within one unit in the last place, `lgamma` within 4 and `tgamma` within 8, where C++
//! AMP bounds them. Special values are as in C99 annex F.
//!
//! An accelerator without `f64` has the functions that are one operation (`ceil`, `fmax`, ..) for
//! `f32`; the others are an [`UnsupportedFeature`](crate::Error::UnsupportedFeature) before anything
//! runs, also those of `f32`, which compute in `f64`.
//!
//! ```
//! use tilewise::precise_math;
//!
//! assert_eq!(precise_math::exp(1.0), std::f64::consts::E);
//! assert_eq!(precise_math::frexp(12.0_f32), (0.75, 4));
//! ```

use std::marker::PhantomData;

use super::float::Float;
use super::host::precise;
use super::other_names::other_names;
use super::row::row;
use crate::kernel::macro_support::{Called, Form, KernelFn, Op, RustBuiltin, Scalar, call};
use crate::kernel::numbers::Numbers;

/// The functions with their companions, and those for `f32` alone. A row has the names, the
/// signature, and how it is computed: `call` of a function of the library (for `f64`, for `f32`),
/// the `components` of a vector that one returns, `calls` of two functions, or a `row` or two
/// `rows` of the op table with their meaning on the host.
macro_rules! precise_functions {
    ($($(#[$meta:meta])* $name:ident $single:tt ($($arg:ident: $ty:tt),*) -> $result:tt = $kind:ident $how:tt;)*) => {
        /// The functions of a type of float, on the host. Sealed.
        pub trait PreciseFunctions<T> {$(
            #[doc(hidden)]
            fn $name($($arg: $ty),*) -> $result;
        )*}

        mod on_f32 {
            use super::{Numbers, Op, PreciseFunctions, precise, row};
            type T = f32;

            impl PreciseFunctions<T> for T {$(
                #[inline]
                fn $name($($arg: $ty),*) -> $result {
                    precise_functions!(@ f32 $kind $how $($arg)*)
                }
            )*}
        }

        mod on_f64 {
            use super::{Numbers, Op, PreciseFunctions, precise, row};
            type T = f64;

            impl PreciseFunctions<T> for T {$(
                #[inline]
                fn $name($($arg: $ty),*) -> $result {
                    precise_functions!(@ f64 $kind $how $($arg)*)
                }
            )*}
        }

        $(
            $(#[$meta])*
            #[inline]
            pub fn $name<T: Float>($($arg: $ty),*) -> $result {
                <T as PreciseFunctions<T>>::$name($($arg),*)
            }

            #[doc(hidden)]
            #[allow(non_camel_case_types, reason = "it is named after the function")]
            #[derive(Debug)]
            pub struct $name<T> {
                #[doc(hidden)]
                pub of: PhantomData<T>,
            }

            impl<T: Float> $name<T> {
                #[doc(hidden)]
                #[inline(always)]
                pub fn marked_amp($($arg: $ty),*) -> Called<$result, $name<T>> {
                    Called::new($name($($arg),*))
                }

                #[doc(hidden)]
                #[inline(always)]
                pub fn named_amp<F>(named: F) -> call::Named<$name<T>, impl Sized> {
                    call::Named::new($name::<T>, named)
                }
            }

            impl<T: Float> KernelFn for $name<T> {
                fn form() -> Form {
                    Form::Builtin(precise_functions!(@ form $kind $how))
                }
            }

            precise_functions!(@ single $name $single ($($arg: $ty),*) -> $result);
        )*

        /// Every function of every type, for the tests.
        #[cfg(test)]
        pub(super) fn all() -> Vec<super::tests::Tested> {
            let on_f32 = {
                type T = f32;
                [$(precise_functions!(@ tested $name ($($arg: $ty),*) -> $result)),*]
            };
            let on_f64 = {
                type T = f64;
                [$(precise_functions!(@ tested $name ($($arg: $ty),*) -> $result)),*]
            };
            on_f32.into_iter().chain(on_f64).collect()
        }

        /// The names of every entry point that is there.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name), stringify!($single)),*];
    };

    (@ tested $name:ident ($($arg:ident: $ty:tt),*) -> $result:tt) => {
        super::tests::Tested::new(stringify!($name), $name::<T>::form(), [
            [$(<$ty as super::tests::Columns>::columns()),*].concat(),
            <$result as super::tests::Columns>::columns(),
        ], |x| {
            let mut x = x.into_iter();
            $(let $arg: $ty = crate::kernel::numbers::Bare::take(&mut x);)*
            let link = crate::kernel::macro_support::LinkedCall::<$name<T>>::NEW;
            crate::kernel::numbers::Bare::put(link.call($name::<T>::marked_amp($($arg),*)))
        })
    };

    (@ form call ($double:ident, $single:ident)) => {
        library::<T>(concat!("precise_math::", stringify!($double)), concat!("precise_math::", stringify!($single)))
    };
    (@ form components $names:tt) => { RustBuiltin::Components(Box::new(precise_functions!(@ form call $names))) };
    (@ form calls (($first:ident, $second:ident), ($single:ident, $other:ident))) => {
        RustBuiltin::Tuple(vec![
            precise_functions!(@ form call ($first, $single)),
            precise_functions!(@ form call ($second, $other)),
        ])
    };
    (@ form row ($op:ident, $host:expr)) => { RustBuiltin::Op(Op::$op) };
    (@ form rows ($first:ident, $second:ident)) => {
        RustBuiltin::Tuple(vec![RustBuiltin::Op(Op::$first), RustBuiltin::Op(Op::$second)])
    };

    (@ f32 call ($double:ident, $single:ident) $($arg:ident)*) => { precise::$single($($arg),*) };
    (@ f64 call ($double:ident, $single:ident) $($arg:ident)*) => { precise::$double($($arg),*) };
    (@ f32 components ($double:ident, $single:ident) $($arg:ident)*) => { precise::$single($($arg),*).into() };
    (@ f64 components ($double:ident, $single:ident) $($arg:ident)*) => { precise::$double($($arg),*).into() };
    (@ f32 calls ($double:tt, ($first:ident, $second:ident)) $($arg:ident)*) => {
        (precise::$first($($arg),*), precise::$second($($arg),*))
    };
    (@ f64 calls (($first:ident, $second:ident), $single:tt) $($arg:ident)*) => {
        (precise::$first($($arg),*), precise::$second($($arg),*))
    };
    (@ $t:ident row ($op:ident, $host:expr) $($arg:ident)*) => { $host };
    (@ $t:ident rows ($first:ident, $second:ident) $arg:ident) => {
        (row(Op::$first, ($arg,)), row(Op::$second, ($arg,)))
    };

    (@ single $name:ident _ $args:tt -> $result:tt) => {};
    (@ single $name:ident $single:ident ($($arg:ident: $ty:tt),*) -> $result:tt) => {
        #[doc = concat!("[`", stringify!($name), "()`] of `f32`.")]
        #[inline]
        pub fn $single($($arg: precise_functions!(@ of_f32 $ty)),*) -> precise_functions!(@ of_f32 $result) {
            $name($($arg),*)
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it is named after the function")]
        #[derive(Debug)]
        pub struct $single {}

        impl $single {
            #[doc(hidden)]
            #[inline(always)]
            pub fn marked_amp(
                $($arg: precise_functions!(@ of_f32 $ty)),*
            ) -> Called<precise_functions!(@ of_f32 $result), $single> {
                Called::new($single($($arg),*))
            }

            #[doc(hidden)]
            #[inline(always)]
            pub fn named_amp<F>(named: F) -> call::Named<$single, impl Sized> {
                call::Named::new($single, named)
            }
        }

        impl KernelFn for $single {
            fn form() -> Form {
                <$name<f32> as KernelFn>::form()
            }
        }
    };
    (@ of_f32 T) => { f32 };
    (@ of_f32 (T, T)) => { (f32, f32) };
    (@ of_f32 (T, i32)) => { (f32, i32) };
    (@ of_f32 $other:tt) => { $other };
}

/// The function of the kernel library for a type of float.
fn library<T: Float>(double: &'static str, single: &'static str) -> RustBuiltin {
    RustBuiltin::Library(if T::SCALAR == Scalar::F64 { double } else { single })
}

/// What [`fpclassify()`] gives for NaN.
pub const FP_NAN: i32 = 0;
/// What [`fpclassify()`] gives for an infinity.
pub const FP_INFINITE: i32 = 1;
/// What [`fpclassify()`] gives for a zero.
pub const FP_ZERO: i32 = 2;
/// What [`fpclassify()`] gives for a denormal number.
pub const FP_SUBNORMAL: i32 = 3;
/// What [`fpclassify()`] gives for every other number.
pub const FP_NORMAL: i32 = 4;

precise_functions! {
    /// The arc cosine, in radians: 0 to pi. Outside of -1 to 1 it is NaN.
    acos acosf (x: T) -> T = call (acos, acosf);
    /// The area hyperbolic cosine. Below 1 it is NaN.
    acosh acoshf (x: T) -> T = call (acosh, acoshf);
    /// The arc sine, in radians: -pi/2 to pi/2. Outside of -1 to 1 it is NaN.
    asin asinf (x: T) -> T = call (asin, asinf);
    /// The area hyperbolic sine.
    asinh asinhf (x: T) -> T = call (asinh, asinhf);
    /// The arc tangent, in radians: -pi/2 to pi/2.
    atan atanf (x: T) -> T = call (atan, atanf);
    /// The area hyperbolic tangent. Outside of -1 to 1 it is NaN, at the ends an infinity.
    atanh atanhf (x: T) -> T = call (atanh, atanhf);
    /// The angle of the point `(x, y)`, in radians: -pi to pi.
    atan2 atan2f (y: T, x: T) -> T = call (atan2, atan2f);
    /// The cube root.
    cbrt cbrtf (x: T) -> T = call (cbrt, cbrtf);
    /// The smallest integer not below `x`.
    ceil ceilf (x: T) -> T = row (Ceil, x.ceil());
    /// The size of `x` with the sign of `sign`, also of a zero. The sign of a NaN is not
    /// specified.
    copysign copysignf (x: T, sign: T) -> T = row (Copysign, x.copysign(sign));
    /// The cosine of `x` radians, for numbers of any size.
    cos cosf (x: T) -> T = call (cos, cosf);
    /// The hyperbolic cosine.
    cosh coshf (x: T) -> T = call (cosh, coshf);
    /// The cosine of `x` half turns: of pi times `x`.
    cospi cospif (x: T) -> T = call (cospi, cospif);
    /// The error function.
    erf erff (x: T) -> T = call (erf, erff);
    /// One minus the error function.
    erfc erfcf (x: T) -> T = call (erfc, erfcf);
    /// The inverse of `erf`. Outside of -1 to 1 it is NaN, at the ends an infinity.
    erfinv erfinvf (x: T) -> T = call (erfinv, erfinvf);
    /// The inverse of `erfc`. Outside of 0 to 2 it is NaN, at the ends an infinity.
    erfcinv erfcinvf (x: T) -> T = call (erfcinv, erfcinvf);
    /// e to the power of `x`.
    exp expf (x: T) -> T = call (exp, expf);
    /// 2 to the power of `x`.
    exp2 exp2f (x: T) -> T = call (exp2, exp2f);
    /// 10 to the power of `x`.
    exp10 exp10f (x: T) -> T = call (exp10, exp10f);
    /// e to the power of `x`, minus one.
    expm1 expm1f (x: T) -> T = call (expm1, expm1f);
    /// `x` without its sign.
    fabs fabsf (x: T) -> T = row (Abs, x.abs());
    /// `x - y` where that is positive, else +0. NaN if one of them is.
    fdim fdimf (x: T, y: T) -> T = row (Fdim, row(Op::Fdim, (x, y)));
    /// The largest integer not above `x`.
    floor floorf (x: T) -> T = row (Floor, x.floor());
    /// `x * y + z`, rounded once.
    fma fmaf (x: T, y: T, z: T) -> T = call (fma, fmaf);
    /// The larger; the number, if one is NaN. -0 is below +0.
    fmax fmaxf (x: T, y: T) -> T = row (Max, Numbers::max(x, y));
    /// The smaller; the number, if one is NaN. -0 is below +0.
    fmin fminf (x: T, y: T) -> T = row (Min, Numbers::min(x, y));
    /// The remainder of the quotient truncated towards zero, exact: Rust's `x % y`.
    fmod fmodf (x: T, y: T) -> T = call (fmod, fmodf);
    /// The kind of number: one of the constants [`FP_NAN`], [`FP_INFINITE`], [`FP_ZERO`],
    /// [`FP_SUBNORMAL`], [`FP_NORMAL`].
    fpclassify _ (x: T) -> i32 = call (fpclassify, fpclassifyf);
    /// A fraction of at least 1/2 and below 1, and the exponent of the power of two to multiply
    /// it by. Zeros, infinities and NaN are their own fraction; the exponent is then 0.
    frexp frexpf (x: T) -> (T, i32) = rows (FrexpFract, FrexpExp);
    /// The square root of `x * x + y * y`, without overflow on the way.
    hypot hypotf (x: T, y: T) -> T = call (hypot, hypotf);
    /// The exponent of `x` as an integer. Of 0 and NaN it is `i32::MIN`, of an infinity
    /// `i32::MAX`.
    ilogb ilogbf (x: T) -> i32 = row (Ilogb, row(Op::Ilogb, (x,)));
    /// Neither an infinity nor NaN?
    isfinite _ (x: T) -> bool = row (IsFinite, x.is_finite());
    /// An infinity?
    isinf _ (x: T) -> bool = row (IsInf, x.is_infinite());
    /// NaN?
    isnan _ (x: T) -> bool = row (IsNan, x.is_nan());
    /// Neither a zero, a denormal number, an infinity nor NaN?
    isnormal _ (x: T) -> bool = row (IsNormal, x.is_normal());
    /// `x` times 2 to the power of `exponent`, rounded once.
    ldexp ldexpf (x: T, exponent: i32) -> T = row (Ldexp, row(Op::Ldexp, (x, exponent)));
    /// The logarithm of the size of the gamma function, and the sign of that: 1 or -1.
    lgamma lgammaf (x: T) -> (T, i32) = calls ((lgamma, lgamma_sign), (lgammaf, lgammaf_sign));
    /// The natural logarithm. Of a zero it is -inf, below zero NaN.
    log logf (x: T) -> T = call (log, logf);
    /// The logarithm to base 10.
    log10 log10f (x: T) -> T = call (log10, log10f);
    /// The logarithm to base 2.
    log2 log2f (x: T) -> T = call (log2, log2f);
    /// The natural logarithm of one plus `x`.
    log1p log1pf (x: T) -> T = call (log1p, log1pf);
    /// The exponent of `x`, that of a denormal number as if it were normal. Of a zero it is
    /// -inf, of an infinity inf.
    logb logbf (x: T) -> T = call (logb, logbf);
    /// The fraction and the integer part, both with the sign of `x`.
    modf modff (x: T) -> (T, T) = components (modf, modff);
    /// A quiet NaN. The tag goes into its bits, which no operation promises to keep.
    nan nanf (tag: i32) -> T = call (nan, nanf);
    /// The nearest integer, halves to the even one.
    nearbyint nearbyintf (x: T) -> T = row (RoundEven, x.round_ties_even());
    /// The next number from `x` towards `y`; `y` if they are equal.
    nextafter nextafterf (x: T, y: T) -> T = call (nextafter, nextafterf);
    /// The cumulative distribution function of the normal distribution.
    phi phif (x: T) -> T = call (phi, phif);
    /// `x` to the power of `y`, with all the special cases of C99.
    pow powf (x: T, y: T) -> T = call (pow, powf);
    /// The inverse of `phi`. Outside of 0 to 1 it is NaN, at the ends an infinity.
    probit probitf (x: T) -> T = call (probit, probitf);
    /// One over the cube root.
    rcbrt rcbrtf (x: T) -> T = call (rcbrt, rcbrtf);
    /// `x - n * y` for the integer `n` nearest to `x / y`, the even one of two: exact.
    remainder remainderf (x: T, y: T) -> T = call (remainder, remainderf);
    /// The `remainder`, and the low bits of the integer quotient with its sign.
    remquo remquof (x: T, y: T) -> (T, i32) = calls ((remquo, remquo_quotient), (remquof, remquof_quotient));
    /// The nearest integer, halves away from zero.
    round roundf (x: T) -> T = row (Round, x.round());
    /// One over the square root.
    rsqrt rsqrtf (x: T) -> T = call (rsqrt, rsqrtf);
    /// `x` times 2 to the power of `exponent`, which has to be whole.
    scalb scalbf (x: T, exponent: T) -> T = call (scalb, scalbf);
    /// `x` times 2 to the power of `exponent`, rounded once: `ldexp`.
    scalbn scalbnf (x: T, exponent: i32) -> T = row (Ldexp, row(Op::Ldexp, (x, exponent)));
    /// Is the sign bit set? It is for -0; of NaN it is not specified.
    signbit signbitf (x: T) -> bool = row (SignBit, x.is_sign_negative());
    /// The sine of `x` radians, for numbers of any size.
    sin sinf (x: T) -> T = call (sin, sinf);
    /// The sine and the cosine of `x` radians.
    sincos sincosf (x: T) -> (T, T) = components (sincos, sincosf);
    /// The hyperbolic sine.
    sinh sinhf (x: T) -> T = call (sinh, sinhf);
    /// The sine of `x` half turns: of pi times `x`.
    sinpi sinpif (x: T) -> T = call (sinpi, sinpif);
    /// The square root. Below zero it is NaN.
    sqrt sqrtf (x: T) -> T = call (sqrt, sqrtf);
    /// The tangent of `x` radians, for numbers of any size.
    tan tanf (x: T) -> T = call (tan, tanf);
    /// The hyperbolic tangent.
    tanh tanhf (x: T) -> T = call (tanh, tanhf);
    /// The tangent of `x` half turns: of pi times `x`.
    tanpi tanpif (x: T) -> T = call (tanpi, tanpif);
    /// The gamma function.
    tgamma tgammaf (x: T) -> T = call (tgamma, tgammaf);
    /// The integer part.
    trunc truncf (x: T) -> T = row (Trunc, x.trunc());
}

other_names! {
    ln WriteLog ()
        "`precise_math` has C++ AMP's names: write `precise_math::log(x)`";
    ln_1p WriteLog1p ()
        "`precise_math` has C++ AMP's names: write `precise_math::log1p(x)`";
    exp_m1 WriteExpm1 ()
        "`precise_math` has C++ AMP's names: write `precise_math::expm1(x)`";
    sin_cos WriteSincos ()
        "`precise_math` has C++ AMP's names: write `precise_math::sincos(x)`";
    abs WriteFabs ()
        "`precise_math` has C++ AMP's names: write `precise_math::fabs(x)`";
    min WriteFmin (second)
        "`precise_math` has C++ AMP's names: write `precise_math::fmin(x, y)`";
    max WriteFmax (second)
        "`precise_math` has C++ AMP's names: write `precise_math::fmax(x, y)`";
    is_nan WriteIsnan ()
        "`precise_math` has C++ AMP's names: write `precise_math::isnan(x)`";
    is_infinite WriteIsinf ()
        "`precise_math` has C++ AMP's names: write `precise_math::isinf(x)`";
    is_finite WriteIsfinite ()
        "`precise_math` has C++ AMP's names: write `precise_math::isfinite(x)`";
    mul_add WriteFma (second, third)
        "`precise_math` has C++ AMP's names: write `precise_math::fma(x, y, z)`";
    powi WritePow (second)
        "`precise_math` has C++ AMP's names: write `precise_math::pow(x, y)`";
    gamma WriteTgamma ()
        "`precise_math` has C++ AMP's names: write `precise_math::tgamma(x)`";
    ln_gamma WriteLgamma ()
        "`precise_math` has C++ AMP's names: write `precise_math::lgamma(x)`";
    rint WriteNearbyint ()
        "`precise_math` has C++ AMP's names: write `precise_math::nearbyint(x)`";
    rem WriteFmod (second)
        "`precise_math` has C++ AMP's names: write `precise_math::fmod(x, y)`";
}
