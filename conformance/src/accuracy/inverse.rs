//! Oracles of functions that CORE-MATH does not have: by its functions of `f64` and, for the
//! inverses of the error function, Newton's method from the library's own result, which need not be
//! right: a step that is too long is followed by others.
//!
//! The results are good to about 2^-45, which tells the nearest `f32` but for some arguments in a
//! million, and the nearest `f64` for none.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use tilewise::precise_math;

use super::functions::OracleValue;

/// Relative error of a result by several steps in `f64`, with room.
const STEPS: f64 = 1e-14;

/// One over the cube root.
pub(super) fn rcbrt(x: f64) -> OracleValue {
    near(1.0 / core_math::cbrt(x), STEPS)
}

/// The distribution function of the normal distribution.
pub(super) fn phi(x: f64) -> OracleValue {
    if x.is_infinite() {
        return OracleValue::Rounded(if x > 0.0 { 1.0 } else { 0.0 });
    }
    // Rounding the argument of `erfc` counts more, the steeper that is in proportion.
    let steepness = if x < 0.0 { 1.0 + x * x } else { 1.0 };
    near(0.5 * core_math::erfc(-x * FRAC_1_SQRT_2), STEPS * steepness)
}

/// The inverse of `erf`.
pub(super) fn erfinv(x: f64) -> OracleValue {
    match x {
        _ if x.is_nan() || x.abs() > 1.0 => OracleValue::Rounded(f64::NAN),
        _ if x.abs() == 1.0 => OracleValue::Rounded(x * f64::INFINITY),
        // The next term of the series is below the error.
        _ if x.abs() < 1e-8 => near(x / FRAC_2_SQRT_PI, STEPS),
        _ if x.abs() < 0.5 => near(of_middle(x), STEPS),
        _ => near(of_tail(1.0 - x.abs()).copysign(x), STEPS),
    }
}

/// The inverse of `erfc`.
pub(super) fn erfcinv(x: f64) -> OracleValue {
    match x {
        _ if !(0.0..=2.0).contains(&x) => OracleValue::Rounded(f64::NAN),
        0.0 => OracleValue::Rounded(f64::INFINITY),
        2.0 => OracleValue::Rounded(f64::NEG_INFINITY),
        _ if x < 0.5 => near(of_tail(x), STEPS),
        _ if x > 1.5 => near(-of_tail(2.0 - x), STEPS),
        1.0 => OracleValue::Rounded(0.0),
        // The difference is exact.
        _ => match erfinv(1.0 - x) {
            OracleValue::Near(value, error) => near(value, error),
            OracleValue::Rounded(value) => OracleValue::Rounded(value),
        },
    }
}

/// The inverse of `phi`.
pub(super) fn probit(x: f64) -> OracleValue {
    let scaled = |value: OracleValue| match value {
        OracleValue::Near(value, error) => near(-SQRT_2 * value, error + STEPS),
        OracleValue::Rounded(value) => OracleValue::Rounded(0.0 - value),
    };
    scaled(erfcinv(x + x))
}

/// A result that is known well; one that is no number is exact.
fn near(value: f64, error: f64) -> OracleValue {
    if value.is_finite() && value != 0.0 { OracleValue::Near(value, error) } else { OracleValue::Rounded(value) }
}

/// `erfinv` of numbers below 0.5 in size.
fn of_middle(x: f64) -> f64 {
    let mut y = f64::from(precise_math::erfinvf(x as f32));
    if !y.is_normal() {
        y = x / FRAC_2_SQRT_PI;
    }
    for _ in 0..8 {
        let slope = FRAC_2_SQRT_PI * core_math::exp(-y * y);
        let step = (core_math::erf(y) - x) / slope;
        // Halley's method: the second derivative is -2y times the first.
        y -= step / (1.0 + y * step);
        // The cube of the step is left.
        if step.abs() < 1e-6 * y.abs() {
            break;
        }
    }
    y
}

/// The positive `y` whose `erfc` is `x`, for `x` up to 0.5.
fn of_tail(x: f64) -> f64 {
    let mut y = f64::from(precise_math::erfcinvf(x as f32));
    if !y.is_normal() {
        // erfc(y) is about exp(-y^2) / (y sqrt(pi)).
        let log = -core_math::log(x);
        y = (log - 0.5 * core_math::log(std::f64::consts::PI * log.max(0.6))).max(0.2).sqrt();
    }
    for _ in 0..8 {
        let value = core_math::erfc(y);
        let slope = FRAC_2_SQRT_PI * core_math::exp(-y * y);
        // Newton's method on the logarithm, which is nearly a parabola.
        let step = value / slope * core_math::log(value / x);
        y += step;
        // Half the square of the step is left.
        if step.abs() < 7e-8 * y {
            break;
        }
    }
    y
}
