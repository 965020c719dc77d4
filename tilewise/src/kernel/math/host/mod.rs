//! The math libraries as Rust, a module for each text. Written by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
#![allow(clippy::approx_constant, reason = "the constants are parts of approximations")]
#![allow(clippy::excessive_precision, reason = "the constants are the shortest that read back")]
#![allow(clippy::manual_range_contains, reason = "each comparison is a step of its own")]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN is meant, too")]

#[rustfmt::skip]
mod direct3d_text;
#[rustfmt::skip]
mod double_error;
#[rustfmt::skip]
mod double_exact;
#[rustfmt::skip]
mod double_exponential;
#[rustfmt::skip]
mod double_gamma;
#[rustfmt::skip]
mod double_hyperbolic;
#[rustfmt::skip]
mod double_inverse;
#[rustfmt::skip]
mod double_logarithm;
#[rustfmt::skip]
mod double_parts;
#[rustfmt::skip]
mod double_power;
#[rustfmt::skip]
mod double_trigonometric;
#[rustfmt::skip]
mod exact_rows;
#[rustfmt::skip]
mod fast_math;
#[rustfmt::skip]
mod fast_math_inverse;
#[rustfmt::skip]
mod single_error;
#[rustfmt::skip]
mod single_exact;
#[rustfmt::skip]
mod single_exponential;
#[rustfmt::skip]
mod single_gamma;
#[rustfmt::skip]
mod single_hyperbolic;
#[rustfmt::skip]
mod single_inverse;
#[rustfmt::skip]
mod single_logarithm;
#[rustfmt::skip]
mod single_normal;
#[rustfmt::skip]
mod single_parts;
#[rustfmt::skip]
mod single_power;
#[rustfmt::skip]
mod single_root;
#[rustfmt::skip]
mod single_trigonometric;

/// `yes` where the condition is true, else `no`; both have been computed.
#[inline(always)]
fn select<T>(condition: bool, yes: T, no: T) -> T {
    if condition { yes } else { no }
}

/// What kernels call as `fast_math::name`.
#[rustfmt::skip]
pub(crate) mod fast {
    pub(crate) use super::fast_math::{exp, exp2, log, log2, log10, sin, cos, tan, tanh, rsqrt, pow};
    pub(crate) use super::fast_math_inverse::{atan, atan2, asin, acos, sinh, cosh, sincos};
}

/// What kernels call as `direct3d::name`.
#[rustfmt::skip]
pub(crate) mod direct3d {
    pub(crate) use super::direct3d_text::noise;
}

/// What kernels call as `precise_math::name`.
#[rustfmt::skip]
pub(crate) mod precise {
    pub(crate) use super::double_error::{erf, erfc, phi, erfinv, erfcinv, probit};
    pub(crate) use super::double_exact::{modf, remquo, remquo_quotient, nextafter, logb, scalb, fpclassify};
    pub(crate) use super::double_exponential::{exp, exp2, exp10, expm1};
    pub(crate) use super::double_gamma::{lgamma_sign, lgamma, tgamma};
    pub(crate) use super::double_hyperbolic::{sinh, cosh, tanh, asinh, acosh, atanh};
    pub(crate) use super::double_inverse::{atan, atan2, asin, acos};
    pub(crate) use super::double_logarithm::{log, log2, log10, log1p};
    pub(crate) use super::double_power::{pow, cbrt, rcbrt, rsqrt, hypot};
    pub(crate) use super::double_trigonometric::{sin, cos, sincos, tan, sinpi, cospi, tanpi};
    pub(crate) use super::exact_rows::{sqrtf, sqrt, fmaf, fma, fmodf, fmod, remainderf, remainder, nanf, nan};
    pub(crate) use super::single_error::{erff, erfcf, phif};
    pub(crate) use super::single_exact::{modff, remquof, remquof_quotient, nextafterf, logbf, scalbf, fpclassifyf};
    pub(crate) use super::single_exponential::{expf, exp2f, exp10f, expm1f};
    pub(crate) use super::single_gamma::{lgammaf, lgammaf_sign, tgammaf};
    pub(crate) use super::single_hyperbolic::{sinhf, coshf, tanhf, asinhf, acoshf, atanhf};
    pub(crate) use super::single_inverse::{asinf, acosf, atanf, atan2f};
    pub(crate) use super::single_logarithm::{logf, log1pf, log2f, log10f};
    pub(crate) use super::single_normal::{erfinvf, erfcinvf, probitf};
    pub(crate) use super::single_power::{powf, hypotf};
    pub(crate) use super::single_root::{cbrtf, rcbrtf, rsqrtf};
    pub(crate) use super::single_trigonometric::{sinf, cosf, sincosf, tanf, sinpif, cospif, tanpif};
}
