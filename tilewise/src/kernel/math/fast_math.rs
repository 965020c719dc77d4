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

use super::functions::functions;
use super::host::fast;
use super::other_names::other_names;
use super::row::row;
use crate::kernel::macro_support::{Called, Form, KernelFn, Op, RustBuiltin, call};
use crate::kernel::numbers::Numbers;

/// A function of the kernel library.
macro_rules! library {
    ($name:literal) => {
        RustBuiltin::Library(concat!("fast_math::", $name))
    };
}

functions! {
    /// e to the power of `x`, within 1.1 units in the last place.
    exp(x: f32) -> f32 = fast::exp(x), library!("exp");
    /// 2 to the power of `x`, within 1.2 units in the last place; exact for whole numbers.
    exp2(x: f32) -> f32 = fast::exp2(x), library!("exp2");
    /// The natural logarithm, within 1 unit in the last place. Of a zero it is -inf, below zero
    /// NaN.
    #[doc(alias = "ln")]
    log(x: f32) -> f32 = fast::log(x), library!("log");
    /// The logarithm to base 2, within 1.4 units in the last place; exact for powers of two.
    log2(x: f32) -> f32 = fast::log2(x), library!("log2");
    /// The logarithm to base 10, within 1.5 units in the last place; exact for powers of ten.
    log10(x: f32) -> f32 = fast::log10(x), library!("log10");
    /// The sine of `x` radians, within 1.4 units in the last place for every number.
    sin(x: f32) -> f32 = fast::sin(x), library!("sin");
    /// The cosine of `x` radians, within 1.4 units in the last place for every number.
    cos(x: f32) -> f32 = fast::cos(x), library!("cos");
    /// The tangent of `x` radians, within 1.8 units in the last place for every number.
    tan(x: f32) -> f32 = fast::tan(x), library!("tan");
    /// The hyperbolic tangent, within 1.4 units in the last place.
    tanh(x: f32) -> f32 = fast::tanh(x), library!("tanh");
    /// One over the square root, within 1.5 units in the last place.
    rsqrt(x: f32) -> f32 = fast::rsqrt(x), library!("rsqrt");
    /// `x` to the power of `y`, within 1.8 units in the last place, with all the special cases of
    /// C99.
    #[doc(alias = "powr")]
    pow(x: f32, y: f32) -> f32 = fast::pow(x, y), library!("pow");

    /// The arc sine in radians, within 0.9 units in the last place. Outside of -1 to 1 it is NaN.
    asin(x: f32) -> f32 = fast::asin(x), library!("asin");
    /// The arc cosine in radians, within 1.4 units in the last place. Outside of -1 to 1 it is NaN.
    acos(x: f32) -> f32 = fast::acos(x), library!("acos");
    /// The arc tangent in radians, within 0.8 units in the last place.
    atan(x: f32) -> f32 = fast::atan(x), library!("atan");
    /// The angle of the point `(x, y)` in radians, within 1.5 units in the last place, with all the
    /// special cases of C99.
    atan2(y: f32, x: f32) -> f32 = fast::atan2(y, x), library!("atan2");
    /// The hyperbolic sine, within 1.1 units in the last place.
    sinh(x: f32) -> f32 = fast::sinh(x), library!("sinh");
    /// The hyperbolic cosine, within 1.1 units in the last place.
    cosh(x: f32) -> f32 = fast::cosh(x), library!("cosh");
    /// The sine and the cosine of `x` radians: what [`sin()`] and [`cos()`] give.
    #[doc(alias = "sin_cos")]
    sincos(x: f32) -> (f32, f32) = fast::sincos(x).into(), RustBuiltin::Components(Box::new(library!("sincos")));

    /// The square root, correctly rounded. Below zero it is NaN.
    sqrt(x: f32) -> f32 = x.sqrt(), RustBuiltin::Op(Op::Sqrt);
    /// `x` without its sign.
    #[doc(alias = "abs")]
    fabs(x: f32) -> f32 = x.abs(), RustBuiltin::Op(Op::Abs);
    /// The largest integer not above `x`.
    floor(x: f32) -> f32 = x.floor(), RustBuiltin::Op(Op::Floor);
    /// The smallest integer not below `x`.
    ceil(x: f32) -> f32 = x.ceil(), RustBuiltin::Op(Op::Ceil);
    /// The nearest integer, halves away from zero.
    round(x: f32) -> f32 = x.round(), RustBuiltin::Op(Op::Round);
    /// The integer part.
    trunc(x: f32) -> f32 = x.trunc(), RustBuiltin::Op(Op::Trunc);
    /// The smaller; the number, if one is NaN. -0 is below +0.
    #[doc(alias = "min")]
    fmin(x: f32, y: f32) -> f32 = Numbers::min(x, y), RustBuiltin::Op(Op::Min);
    /// The larger; the number, if one is NaN. -0 is below +0.
    #[doc(alias = "max")]
    fmax(x: f32, y: f32) -> f32 = Numbers::max(x, y), RustBuiltin::Op(Op::Max);
    /// The remainder of the quotient truncated towards zero, exact: Rust's `x % y`.
    fmod(x: f32, y: f32) -> f32 = x % y, RustBuiltin::Op(Op::Rem);
    /// `x * y + z`, rounded once.
    #[doc(alias = "mul_add")]
    fma(x: f32, y: f32, z: f32) -> f32 = x.mul_add(y, z), RustBuiltin::Op(Op::Fma);
    /// `x` times 2 to the power of `exponent`, rounded once.
    ldexp(x: f32, exponent: i32) -> f32 = row(Op::Ldexp, (x, exponent)), RustBuiltin::Op(Op::Ldexp);
    /// A fraction of at least 1/2 and below 1, and the exponent of the power of two to multiply it
    /// by. Zeros, infinities and NaN are their own fraction; the exponent is then 0.
    frexp(x: f32) -> (f32, i32) = (row(Op::FrexpFract, (x,)), row(Op::FrexpExp, (x,))),
        RustBuiltin::Tuple(vec![RustBuiltin::Op(Op::FrexpFract), RustBuiltin::Op(Op::FrexpExp)]);
    /// The fraction and the integer part, both with the sign of `x`.
    modf(x: f32) -> (f32, f32) = (row(Op::ModfFract, (x,)), row(Op::ModfWhole, (x,))),
        RustBuiltin::Tuple(vec![RustBuiltin::Op(Op::ModfFract), RustBuiltin::Op(Op::ModfWhole)]);
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
    #[doc(alias = "is_sign_negative")]
    signbit(x: f32) -> bool = x.is_sign_negative(), RustBuiltin::Op(Op::SignBit);
}

/// C++ AMP's other names for them.
macro_rules! second_names {
    ($($name:ident $single:ident)*) => {
        pub use self::{$($name as $single),*};

        /// Every name.
        #[cfg(test)]
        pub(super) fn names() -> Vec<&'static str> {
            FUNCTIONS.iter().copied().chain([$(stringify!($single)),*]).collect()
        }
    };
}

second_names! {
    acos acosf asin asinf atan atanf atan2 atan2f ceil ceilf cos cosf cosh coshf exp expf exp2 exp2f
    fabs fabsf floor floorf fmax fmaxf fmin fminf fmod fmodf frexp frexpf ldexp ldexpf log logf
    log10 log10f log2 log2f modf modff pow powf round roundf rsqrt rsqrtf signbit signbitf sin sinf
    sincos sincosf sinh sinhf sqrt sqrtf tan tanf tanh tanhf trunc truncf
}

other_names! {
    ln WriteLog ()
        "`fast_math` has C++ AMP's names: write `fast_math::log(x)`";
    sin_cos WriteSincos ()
        "`fast_math` has C++ AMP's names: write `fast_math::sincos(x)`";
    abs WriteFabs ()
        "`fast_math` has C++ AMP's names: write `fast_math::fabs(x)`";
    min WriteFmin (second)
        "`fast_math` has C++ AMP's names: write `fast_math::fmin(x, y)`";
    max WriteFmax (second)
        "`fast_math` has C++ AMP's names: write `fast_math::fmax(x, y)`";
    is_nan WriteIsnan ()
        "`fast_math` has C++ AMP's names: write `fast_math::isnan(x)`";
    is_infinite WriteIsinf ()
        "`fast_math` has C++ AMP's names: write `fast_math::isinf(x)`";
    is_finite WriteIsfinite ()
        "`fast_math` has C++ AMP's names: write `fast_math::isfinite(x)`";
    mul_add WriteFma (second, third)
        "`fast_math` has C++ AMP's names: write `fast_math::fma(x, y, z)`";
    powi WritePow (second)
        "`fast_math` has C++ AMP's names: write `fast_math::pow(x, y)`";
    rem WriteFmod (second)
        "`fast_math` has C++ AMP's names: write `fast_math::fmod(x, y)`";
    acosh PreciseAcosh ()
        "`fast_math` has no such function: write `precise_math::acosh(x)`";
    asinh PreciseAsinh ()
        "`fast_math` has no such function: write `precise_math::asinh(x)`";
    atanh PreciseAtanh ()
        "`fast_math` has no such function: write `precise_math::atanh(x)`";
    cbrt PreciseCbrt ()
        "`fast_math` has no such function: write `precise_math::cbrt(x)`";
    erf PreciseErf ()
        "`fast_math` has no such function: write `precise_math::erf(x)`";
    erfc PreciseErfc ()
        "`fast_math` has no such function: write `precise_math::erfc(x)`";
    exp10 PreciseExp10 ()
        "`fast_math` has no such function: write `precise_math::exp10(x)`";
    expm1 PreciseExpm1 ()
        "`fast_math` has no such function: write `precise_math::expm1(x)`";
    log1p PreciseLog1p ()
        "`fast_math` has no such function: write `precise_math::log1p(x)`";
    tgamma PreciseTgamma ()
        "`fast_math` has no such function: write `precise_math::tgamma(x)`";
    hypot PreciseHypot (second)
        "`fast_math` has no such function: write `precise_math::hypot(x, y)`";
    remainder PreciseRemainder (second)
        "`fast_math` has no such function: write `precise_math::remainder(x, y)`";
}
