//! The gamma function and its logarithm in [`LongFloat`].
//!
//! By Stirling's series from 64 on; smaller arguments are shifted there, negative ones reflected.

use std::cell::OnceCell;

use super::elementary::sinpi;
use super::long_float::LongFloat;

/// From here on the series is good to 2^-320.
const FAR: f64 = 64.0;

/// Terms of the series.
const TERMS: usize = 48;

thread_local! {
    static COEFFICIENTS: OnceCell<Vec<LongFloat>> = const { OnceCell::new() };
}

/// `log |gamma(x)|`.
pub(super) fn lgamma(x: f64) -> LongFloat {
    if x < 0.5 {
        // gamma(x) gamma(1 - x) = pi / sin(pi x)
        let reflected = &LongFloat::pi() / &sinpi(x).abs();
        return &reflected.ln() - &log_of(&(&LongFloat::from(1.0) - x));
    }
    log_of(&LongFloat::from(x))
}

pub(super) fn tgamma(x: f64) -> LongFloat {
    if x < 0.5 {
        let below = &sinpi(x) * &log_of(&(&LongFloat::from(1.0) - x)).exp();
        return &LongFloat::pi() / &below;
    }
    log_of(&LongFloat::from(x)).exp()
}

/// `log gamma(x)` for `x` from 0.5 on.
fn log_of(x: &LongFloat) -> LongFloat {
    let mut x = x.clone();
    let mut product = LongFloat::from(1.0);
    while x.scaled(0) < FAR {
        product = &product * &x;
        x = &x + 1.0;
    }
    &stirling(&x) - &product.ln()
}

/// `(x - 1/2) log x - x + log(2 pi) / 2 + B2 / (2 x) + B4 / (3 4 x^3) + ..`
fn stirling(x: &LongFloat) -> LongFloat {
    let leading = &(&(x - 0.5) * &x.ln()) - x;
    let constant = &(&LongFloat::pi() * 2.0).ln() / 2.0;
    let square = &LongFloat::from(1.0) / &(x * x);
    let series = COEFFICIENTS.with(|known| {
        let zero = LongFloat::from(0.0);
        let coefficients = known.get_or_init(coefficients);
        coefficients.iter().rev().fold(zero, |sum, coefficient| &(&sum * &square) + coefficient)
    });
    &(&leading + &constant) + &(&series / x)
}

/// `B(2k) / (2k (2k - 1))`, from the tangent numbers `T(k)`, whose recurrence has no subtraction:
/// `B(2k) = (-1)^(k-1) 2k T(k) / (4^k (4^k - 1))`.
fn coefficients() -> Vec<LongFloat> {
    let mut tangents = vec![LongFloat::from(1.0)];
    for k in 1..TERMS {
        tangents.push(&tangents[k - 1] * k as f64);
    }
    for k in 1..TERMS {
        for j in k..TERMS {
            let (before, here) = (&tangents[j - 1] * (j - k) as f64, &tangents[j] * (j - k + 2) as f64);
            tangents[j] = &before + &here;
        }
    }
    let mut power = LongFloat::from(1.0);
    let mut sign = -1.0;
    let of = |(k, tangent): (usize, &LongFloat)| {
        power = &power * 4.0;
        sign = -sign;
        let below = &(&power * &(&power - 1.0)) * ((2 * k + 1) as f64 * sign);
        tangent / &below
    };
    tangents.iter().enumerate().map(of).collect()
}
