//! Exact values of the functions, in arithmetic of 320 bits: they decide where another oracle cannot
//! tell the nearest number, and they measure the error of a result that is not the nearest one.
//!
//! One value takes some ten microseconds, so measurements ask for it only then. [`exact_value`] knows
//! every function that is measured.

mod elementary;
mod error_functions;
mod gamma;
mod long_float;

use std::cmp::Ordering;

use long_float::LongFloat;

/// A function of one or two arguments.
#[derive(Clone, Copy)]
enum ExactFunction {
    One(fn(f64) -> LongFloat),
    Two(fn(f64, f64) -> LongFloat),
}

/// An exact value, to about 2^-250 of its size.
#[derive(Clone, Debug)]
pub(crate) struct ExactValue(LongFloat);

/// Values closer than this many bits to a middle of two numbers are equal to it.
const EQUAL: i32 = 200;

impl ExactValue {
    /// Its order beside a number; equal if nothing tells them apart.
    pub(crate) fn order(&self, other: &Self) -> Option<Ordering> {
        let difference = &self.0 - &other.0;
        match (difference.exponent(), self.0.exponent()) {
            (None, _) => self.0.order(&other.0),
            (Some(small), Some(size)) if small < size - EQUAL => Some(Ordering::Equal),
            (Some(_), _) => self.0.order(&other.0),
        }
    }

    /// The distance of a finite number from it, in units of the last place that it would have as an
    /// `f64`.
    pub(crate) fn units_from(&self, found: f64) -> f64 {
        let exponent = self.0.exponent().map_or(-1074, |exponent| (exponent - 52).max(-1074));
        (&self.0 - found).scaled(-exponent).abs()
    }

    /// The nearest `f64`, of which it is no middle.
    #[cfg(test)]
    pub(super) fn nearest(&self) -> f64 {
        let near = self.0.scaled(0);
        let candidates = [near.next_down(), near, near.next_up()];
        let distance = |x: &f64| (&self.0 - *x).scaled(0).abs();
        candidates.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(near)
    }
}

impl From<f64> for ExactValue {
    fn from(x: f64) -> ExactValue {
        ExactValue(LongFloat::from(x))
    }
}

/// The exact value of a function, by its name without a library and without the `f` of C; `None` if
/// it is no finite number.
pub(crate) fn exact_value(name: &str, x: f64, y: f64) -> Option<ExactValue> {
    let value = match function(name)? {
        ExactFunction::One(of) => of(x),
        ExactFunction::Two(of) => of(x, y),
    };
    value.is_finite().then_some(ExactValue(value))
}

fn function(name: &str) -> Option<ExactFunction> {
    use ExactFunction::{One, Two};
    use elementary as plain;
    Some(match name {
        "acos" => One(plain::acos),
        "acosh" => One(plain::acosh),
        "asin" => One(plain::asin),
        "asinh" => One(plain::asinh),
        "atan" => One(plain::atan),
        "atan2" => Two(plain::atan2),
        "atanh" => One(plain::atanh),
        "cbrt" => One(plain::cbrt),
        "cos" => One(plain::cos),
        "cosh" => One(plain::cosh),
        "cospi" => One(plain::cospi),
        "erf" => One(error_functions::erf),
        "erfc" => One(error_functions::erfc),
        "erfcinv" => One(error_functions::erfcinv),
        "erfinv" => One(error_functions::erfinv),
        "exp" => One(plain::exp),
        "exp10" => One(plain::exp10),
        "exp2" => One(plain::exp2),
        "expm1" => One(plain::expm1),
        "hypot" => Two(plain::hypot),
        "lgamma" => One(gamma::lgamma),
        "log" => One(plain::log),
        "log10" => One(plain::log10),
        "log1p" => One(plain::log1p),
        "log2" => One(plain::log2),
        "phi" => One(error_functions::phi),
        "pow" => Two(plain::pow),
        "probit" => One(error_functions::probit),
        "rcbrt" => One(plain::rcbrt),
        "rsqrt" => One(plain::rsqrt),
        "sin" => One(plain::sin),
        "sinh" => One(plain::sinh),
        "sinpi" => One(plain::sinpi),
        "sqrt" => One(plain::sqrt),
        "tan" => One(plain::tan),
        "tanh" => One(plain::tanh),
        "tanpi" => One(plain::tanpi),
        "tgamma" => One(gamma::tgamma),
        _ => return None,
    })
}
