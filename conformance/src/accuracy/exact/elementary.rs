//! Exponential, logarithmic, trigonometric and hyperbolic functions, powers and roots in
//! [`LongFloat`], without loss near their zeros.

use super::long_float::LongFloat;

/// `x` as a long number.
fn long(x: f64) -> LongFloat {
    LongFloat::from(x)
}

pub(super) fn exp(x: f64) -> LongFloat {
    long(x).exp()
}

pub(super) fn exp2(x: f64) -> LongFloat {
    (&long(2.0).ln() * x).exp()
}

pub(super) fn exp10(x: f64) -> LongFloat {
    (&long(10.0).ln() * x).exp()
}

/// Near zero by `e^x - 1 = 2 e^(x/2) sinh(x/2)`.
pub(super) fn expm1(x: f64) -> LongFloat {
    if x.abs() > 0.5 {
        return &long(x).exp() - 1.0;
    }
    let half = &long(x) / 2.0;
    &(&half.exp() * &half.sinh()) * 2.0
}

pub(super) fn log(x: f64) -> LongFloat {
    long(x).ln()
}

pub(super) fn log2(x: f64) -> LongFloat {
    &long(x).ln() / &long(2.0).ln()
}

pub(super) fn log10(x: f64) -> LongFloat {
    &long(x).ln() / &long(10.0).ln()
}

/// Near zero by `log(1 + x) = 2 atanh(x / (2 + x))`.
pub(super) fn log1p(x: f64) -> LongFloat {
    let x = long(x);
    if x.exponent().is_some_and(|exponent| exponent < -1) {
        return &(&x / &(&x + 2.0)).atanh() * 2.0;
    }
    (&x + 1.0).ln()
}

pub(super) fn sin(x: f64) -> LongFloat {
    long(x).sin()
}

pub(super) fn cos(x: f64) -> LongFloat {
    long(x).cos()
}

pub(super) fn tan(x: f64) -> LongFloat {
    long(x).tan()
}

/// What `x` leaves of half a turn in either direction, and whether it has an odd number of halves.
fn half_turns(x: f64) -> (f64, bool) {
    // Of turns, nothing counts; both differences are exact.
    let turn = x % 2.0;
    let whole = turn.round();
    (turn - whole, whole % 2.0 != 0.0)
}

pub(super) fn sinpi(x: f64) -> LongFloat {
    let (rest, odd) = half_turns(x);
    let sine = (&LongFloat::pi() * rest).sin();
    if odd { -&sine } else { sine }
}

pub(super) fn cospi(x: f64) -> LongFloat {
    let (rest, odd) = half_turns(x);
    let cosine = match rest.abs() {
        near if near < 0.25 => (&LongFloat::pi() * near).cos(),
        far => (&LongFloat::pi() * (0.5 - far)).sin(),
    };
    if odd { -&cosine } else { cosine }
}

pub(super) fn tanpi(x: f64) -> LongFloat {
    &sinpi(x) / &cospi(x)
}

pub(super) fn asin(x: f64) -> LongFloat {
    long(x).asin()
}

/// Near 1 by `acos(x) = 2 asin(sqrt((1 - x) / 2))`.
pub(super) fn acos(x: f64) -> LongFloat {
    if x > 0.5 {
        return &(&(&long(1.0) - x) / 2.0).sqrt().asin() * 2.0;
    }
    long(x).acos()
}

pub(super) fn atan(x: f64) -> LongFloat {
    long(x).atan()
}

pub(super) fn sinh(x: f64) -> LongFloat {
    long(x).sinh()
}

pub(super) fn cosh(x: f64) -> LongFloat {
    long(x).cosh()
}

pub(super) fn tanh(x: f64) -> LongFloat {
    long(x).tanh()
}

pub(super) fn asinh(x: f64) -> LongFloat {
    long(x).asinh()
}

pub(super) fn acosh(x: f64) -> LongFloat {
    long(x).acosh()
}

pub(super) fn atanh(x: f64) -> LongFloat {
    long(x).atanh()
}

pub(super) fn sqrt(x: f64) -> LongFloat {
    long(x).sqrt()
}

pub(super) fn rsqrt(x: f64) -> LongFloat {
    &long(1.0) / &long(x).sqrt()
}

pub(super) fn cbrt(x: f64) -> LongFloat {
    let root = (&long(x.abs()).ln() / 3.0).exp();
    if x < 0.0 { -&root } else { root }
}

pub(super) fn rcbrt(x: f64) -> LongFloat {
    &long(1.0) / &cbrt(x)
}

pub(super) fn hypot(x: f64, y: f64) -> LongFloat {
    let (x, y) = (long(x), long(y));
    (&(&x * &x) + &(&y * &y)).sqrt()
}

/// The angle of (`x`, `y`), which C calls with `y` first.
pub(super) fn atan2(y: f64, x: f64) -> LongFloat {
    if x == 0.0 {
        return &LongFloat::pi() / if y < 0.0 { -2.0 } else { 2.0 };
    }
    let angle = (&long(y) / x).atan();
    match (x < 0.0, y < 0.0) {
        (false, _) => angle,
        (true, false) => &angle + &LongFloat::pi(),
        (true, true) => &angle - &LongFloat::pi(),
    }
}

/// For negative `x`, `y` is an integer.
pub(super) fn pow(x: f64, y: f64) -> LongFloat {
    let power = (&long(x.abs()).ln() * y).exp();
    if x < 0.0 && y % 2.0 != 0.0 { -&power } else { power }
}
