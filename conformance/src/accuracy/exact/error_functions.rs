//! The error functions, the normal distribution, and their inverses in [`LongFloat`].

use std::f64::consts::FRAC_2_SQRT_PI;

use super::super::functions::OracleValue;
use super::super::inverse;
use super::long_float::LongFloat;

/// From here on the continued fraction of `erfc` needs fewer steps than the series of `erf`.
const FAR: f64 = 6.0;

pub(super) fn erf(x: f64) -> LongFloat {
    erf_of(&LongFloat::from(x))
}

pub(super) fn erfc(x: f64) -> LongFloat {
    erfc_of(&LongFloat::from(x))
}

/// `erfc(-x / sqrt(2)) / 2`.
pub(super) fn phi(x: f64) -> LongFloat {
    let scaled = &LongFloat::from(-x) / &LongFloat::from(2.0).sqrt();
    &erfc_of(&scaled) / 2.0
}

pub(super) fn erfinv(x: f64) -> LongFloat {
    if x.abs() < 0.5 {
        return of_middle(x);
    }
    let tail = of_tail(1.0 - x.abs());
    if x < 0.0 { -&tail } else { tail }
}

pub(super) fn erfcinv(x: f64) -> LongFloat {
    match x {
        _ if x < 0.5 => of_tail(x),
        _ if x > 1.5 => -&of_tail(2.0 - x),
        // The difference is exact.
        _ => of_middle(1.0 - x),
    }
}

/// `-sqrt(2) erfcinv(2 x)`.
pub(super) fn probit(x: f64) -> LongFloat {
    &erfcinv(2.0 * x) * &-&LongFloat::from(2.0).sqrt()
}

/// `2 / sqrt(pi) e^(-x^2)`, the derivative of `erf`.
fn slope(x: &LongFloat) -> LongFloat {
    &(&(-&(x * x)).exp() * 2.0) / &LongFloat::pi().sqrt()
}

/// The series `slope(x) (x + 2 x^3 / 3 + 4 x^5 / (3 5) + ..)`, whose terms have one sign.
fn erf_of(x: &LongFloat) -> LongFloat {
    if x.scaled(0).abs() > 16.0 {
        let one = LongFloat::from(1.0);
        return if x.is_negative() { -&one } else { one };
    }
    let twice = &(x * x) * 2.0;
    let (mut term, mut sum) = (x.clone(), x.clone());
    let mut odd = 3.0;
    while let (Some(term_exponent), Some(exponent)) = (term.exponent(), sum.exponent()) {
        if term_exponent < exponent - 330 {
            break;
        }
        term = &(&term * &twice) / odd;
        sum = &sum + &term;
        odd += 2.0;
    }
    &sum * &slope(x)
}

fn erfc_of(x: &LongFloat) -> LongFloat {
    let near = x.scaled(0);
    if near < FAR {
        // Up to 53 bits cancel.
        return &LongFloat::from(1.0) - &erf_of(x);
    }
    // x + (1/2) / (x + 1 / (x + (3/2) / (x + ..))): after n steps the error is about
    // e^(-x sqrt(8 n)).
    let steps = (30.0 + 7200.0 / (near * near)) as u32;
    let mut below = x.clone();
    for step in (1..=steps).rev() {
        below = x + &(&LongFloat::from(f64::from(step) / 2.0) / &below);
    }
    &slope(x) / &(&below * 2.0)
}

/// The value of an estimate.
fn estimate(value: OracleValue) -> LongFloat {
    match value {
        OracleValue::Rounded(value) | OracleValue::Near(value, _) => LongFloat::from(value),
    }
}

/// `erfinv` of numbers up to 0.5 in size: Newton's method, from an estimate of 2^-45.
fn of_middle(x: f64) -> LongFloat {
    if x.abs() < f64::EPSILON / 1024.0 {
        // The next term of the series has the cube.
        let y = &LongFloat::from(x) / &slope(&LongFloat::from(0.0));
        return &y + &(&(&(&y * &y) * &y) / 3.0);
    }
    let mut y = estimate(inverse::erfinv(x));
    for _ in 0..3 {
        y = &y - &(&(&erf_of(&y) - x) / &slope(&y));
    }
    y
}

/// The positive `y` whose `erfc` is `x`, for `x` up to 0.5.
fn of_tail(x: f64) -> LongFloat {
    let mut y = match inverse::erfcinv(x) {
        OracleValue::Rounded(value) | OracleValue::Near(value, _) if value.is_finite() => LongFloat::from(value),
        _ => LongFloat::from(FRAC_2_SQRT_PI),
    };
    for _ in 0..3 {
        y = &y + &(&(&erfc_of(&y) - x) / &slope(&y));
    }
    y
}
