//! The functions that are measured, each with the results to compare with.

use super::inverse;

/// The exact result of a function, as well as it is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OracleValue {
    /// Correctly rounded to the function's type.
    Rounded(f64),
    /// Within that relative error; where it lies too near to the middle of two `f32` to tell the
    /// nearest one, neither is wrong.
    Near(f64, f64),
}

/// The oracle of a function.
#[derive(Clone, Copy, Debug)]
pub enum Oracle {
    /// Of one `f32`.
    Single(fn(f32) -> OracleValue),
    /// Of two.
    SinglePair(fn(f32, f32) -> OracleValue),
    /// Of one `f64`.
    Double(fn(f64) -> OracleValue),
    /// Of two.
    DoublePair(fn(f64, f64) -> OracleValue),
    /// Of one `f64`, where only the exact value tells the number nearest to the result.
    DoubleNear(fn(f64) -> OracleValue),
}

impl Oracle {
    /// How many arguments the function has.
    pub const fn arity(&self) -> usize {
        match self {
            Oracle::Single(_) | Oracle::Double(_) | Oracle::DoubleNear(_) => 1,
            Oracle::SinglePair(_) | Oracle::DoublePair(_) => 2,
        }
    }

    /// Is it a function of `f64`?
    pub const fn is_double(&self) -> bool {
        matches!(self, Oracle::Double(_) | Oracle::DoublePair(_) | Oracle::DoubleNear(_))
    }

    /// Is each result judged by its exact value? That takes some hundred times longer.
    pub const fn needs_exact_values(&self) -> bool {
        matches!(self, Oracle::DoubleNear(_))
    }

    /// The result for arguments as bits.
    pub fn of(&self, x: u64, y: u64) -> OracleValue {
        let single = |bits: u64| f32::from_bits(bits as u32);
        match self {
            Oracle::Single(of) => of(single(x)),
            Oracle::SinglePair(of) => of(single(x), single(y)),
            Oracle::Double(of) | Oracle::DoubleNear(of) => of(f64::from_bits(x)),
            Oracle::DoublePair(of) => of(f64::from_bits(x), f64::from_bits(y)),
        }
    }
}

/// A function of a math library.
#[derive(Clone, Copy, Debug)]
pub struct AccuracyFunction {
    /// Its path: `precise_math::sinf`.
    pub path: &'static str,
    /// What to compare with.
    pub oracle: Oracle,
    /// Where it is usually called: for the samples and for its speed.
    pub usual: (f64, f64),
    /// How far it may be from the exact result, in units of the last place; 0.5 is the nearest
    /// number.
    pub limit: f64,
    /// Arguments between these are measured, but not held to the limit: there the result is near
    /// zero, where C++ AMP gives `lgamma` no bound.
    pub unbounded: Option<(f64, f64)>,
}

impl AccuracyFunction {
    /// Its name without the library, and without the `f` of functions of `f32` alone.
    pub fn name(&self) -> &'static str {
        let name = self.path.rsplit("::").next().unwrap_or(self.path);
        let single = self.path.starts_with("precise_math") && !self.oracle.is_double();
        if single { name.strip_suffix('f').unwrap_or(name) } else { name }
    }

    /// Is it a function of all 2^32 arguments?
    pub fn is_exhaustible(&self) -> bool {
        matches!(self.oracle, Oracle::Single(_))
    }
}

/// Rows: functions of one or two arguments of a type, the usual range, the limit, and a range that
/// is not held to it.
macro_rules! accuracy_functions {
    ($library:literal $limit:literal $kind:ident: $(
        $name:ident $of:path, $from:literal to $to:literal $(within $own:literal)? $(but $low:literal to $high:literal)?;
    )*) => {
        vec![$(AccuracyFunction {
            path: concat!($library, "::", stringify!($name)),
            oracle: accuracy_functions!(@ $kind $of),
            usual: ($from, $to),
            limit: accuracy_functions!(@ limit $limit $($own)?),
            unbounded: accuracy_functions!(@ unbounded $($low $high)?),
        }),*]
    };
    (@ Single $of:path) => { Oracle::Single(|x| OracleValue::Rounded(f64::from($of(x)))) };
    (@ SinglePair $of:path) => { Oracle::SinglePair(|x, y| OracleValue::Rounded(f64::from($of(x, y)))) };
    (@ Double $of:path) => { Oracle::Double(|x| OracleValue::Rounded($of(x))) };
    (@ DoublePair $of:path) => { Oracle::DoublePair(|x, y| OracleValue::Rounded($of(x, y))) };
    (@ Wide $of:path) => { Oracle::Single(|x| wide($of(x.into()))) };
    (@ WidePair $of:path) => { Oracle::SinglePair(|x, y| wide($of(x.into(), y.into()))) };
    (@ limit $limit:literal) => { $limit };
    (@ limit $limit:literal $own:literal) => { $own };
    (@ unbounded) => { None };
    (@ unbounded $low:literal $high:literal) => { Some(($low, $high)) };
}

/// A correctly rounded `f64`, of which the nearest `f32` is asked.
fn wide(value: f64) -> OracleValue {
    if value.is_finite() && value != 0.0 {
        OracleValue::Near(value, f64::EPSILON / 2.0)
    } else {
        OracleValue::Rounded(value)
    }
}

/// Functions whose oracle is not CORE-MATH's.
fn near(path: &'static str, oracle: Oracle, usual: (f64, f64), limit: f64) -> AccuracyFunction {
    AccuracyFunction { path, oracle, usual, limit, unbounded: None }
}

/// Every function that is measured, in the order of the page.
pub fn functions() -> Vec<AccuracyFunction> {
    [single(), single_pairs(), double(), double_pairs(), inverses(), fast()].into_iter().flatten().collect()
}

fn single() -> Vec<AccuracyFunction> {
    accuracy_functions! { "precise_math" 0.5 Single:
        acosf core_math::acosf, -1.0 to 1.0;
        acoshf core_math::acoshf, 1.0 to 100.0;
        asinf core_math::asinf, -1.0 to 1.0;
        asinhf core_math::asinhf, -100.0 to 100.0;
        atanf core_math::atanf, -20.0 to 20.0;
        atanhf core_math::atanhf, -1.0 to 1.0;
        cbrtf core_math::cbrtf, -100.0 to 100.0;
        cosf core_math::cosf, -20.0 to 20.0;
        coshf core_math::coshf, -20.0 to 20.0;
        cospif core_math::cospif, -20.0 to 20.0;
        erff core_math::erff, -4.0 to 4.0;
        erfcf core_math::erfcf, -4.0 to 10.0;
        expf core_math::expf, -87.0 to 88.0;
        exp10f core_math::exp10f, -37.0 to 38.0;
        exp2f core_math::exp2f, -126.0 to 127.0;
        expm1f core_math::expm1f, -20.0 to 88.0;
        logf core_math::logf, 0.0 to 100.0;
        log10f core_math::log10f, 0.0 to 100.0;
        log1pf core_math::log1pf, -1.0 to 100.0;
        log2f core_math::log2f, 0.0 to 100.0;
        lgammaf core_math::lgammaf, -10.0 to 100.0;
        rsqrtf core_math::rsqrtf, 0.0 to 100.0;
        sinf core_math::sinf, -20.0 to 20.0;
        sinhf core_math::sinhf, -20.0 to 20.0;
        sinpif core_math::sinpif, -20.0 to 20.0;
        sqrtf f32::sqrt, 0.0 to 100.0;
        tanf core_math::tanf, -20.0 to 20.0;
        tanhf core_math::tanhf, -10.0 to 10.0;
        tanpif core_math::tanpif, -20.0 to 20.0;
        tgammaf core_math::tgammaf, -30.0 to 35.0;
    }
}

fn single_pairs() -> Vec<AccuracyFunction> {
    accuracy_functions! { "precise_math" 0.5 SinglePair:
        atan2f core_math::atan2f, -20.0 to 20.0;
        hypotf core_math::hypotf, -20.0 to 20.0;
        powf core_math::powf, 0.0 to 10.0;
    }
}

fn double() -> Vec<AccuracyFunction> {
    accuracy_functions! { "precise_math" 1.0 Double:
        acos core_math::acos, -1.0 to 1.0;
        acosh core_math::acosh, 1.0 to 100.0;
        asin core_math::asin, -1.0 to 1.0;
        asinh core_math::asinh, -100.0 to 100.0;
        atan core_math::atan, -20.0 to 20.0 within 0.52;
        atanh core_math::atanh, -1.0 to 1.0;
        cbrt core_math::cbrt, -100.0 to 100.0 within 0.52;
        cos core_math::cos, -20.0 to 20.0 within 0.52;
        cosh core_math::cosh, -20.0 to 20.0;
        cospi core_math::cospi, -20.0 to 20.0;
        erf core_math::erf, -6.0 to 6.0;
        erfc core_math::erfc, -6.0 to 26.0;
        exp core_math::exp, -708.0 to 709.0 within 0.52;
        exp10 core_math::exp10, -307.0 to 308.0;
        exp2 core_math::exp2, -1022.0 to 1023.0;
        expm1 core_math::expm1, -20.0 to 709.0;
        log core_math::log, 0.0 to 100.0 within 0.52;
        log10 core_math::log10, 0.0 to 100.0;
        log1p core_math::log1p, -1.0 to 100.0;
        log2 core_math::log2, 0.0 to 100.0;
        lgamma core_math::lgamma, -10.0 to 100.0 within 4.0 but -10.001 to -2.264;
        rsqrt core_math::rsqrt, 0.0 to 100.0;
        sin core_math::sin, -20.0 to 20.0 within 0.52;
        sinh core_math::sinh, -20.0 to 20.0;
        sinpi core_math::sinpi, -20.0 to 20.0;
        sqrt f64::sqrt, 0.0 to 100.0 within 0.5;
        tan core_math::tan, -20.0 to 20.0 within 0.52;
        tanh core_math::tanh, -10.0 to 10.0;
        tanpi core_math::tanpi, -20.0 to 20.0;
        tgamma core_math::tgamma, -150.0 to 171.0 within 8.0;
    }
}

fn double_pairs() -> Vec<AccuracyFunction> {
    accuracy_functions! { "precise_math" 1.0 DoublePair:
        atan2 core_math::atan2, -20.0 to 20.0;
        hypot core_math::hypot, -20.0 to 20.0 within 0.52;
        pow core_math::pow, 0.0 to 20.0 within 0.52;
    }
}

/// Functions that CORE-MATH does not have, by its functions of `f64`.
fn inverses() -> Vec<AccuracyFunction> {
    vec![
        near("precise_math::rcbrtf", Oracle::Single(|x| inverse::rcbrt(x.into())), (-100.0, 100.0), 0.5),
        near("precise_math::phif", Oracle::Single(|x| inverse::phi(x.into())), (-10.0, 6.0), 0.5),
        near("precise_math::erfinvf", Oracle::Single(|x| inverse::erfinv(x.into())), (-1.0, 1.0), 0.5),
        near("precise_math::erfcinvf", Oracle::Single(|x| inverse::erfcinv(x.into())), (0.0, 2.0), 0.5),
        near("precise_math::probitf", Oracle::Single(|x| inverse::probit(x.into())), (0.0, 1.0), 0.5),
        near("precise_math::rcbrt", Oracle::DoubleNear(inverse::rcbrt), (-100.0, 100.0), 1.0),
        near("precise_math::phi", Oracle::DoubleNear(inverse::phi), (-38.0, 8.0), 1.0),
        near("precise_math::erfinv", Oracle::DoubleNear(inverse::erfinv), (-1.0, 1.0), 1.0),
        near("precise_math::erfcinv", Oracle::DoubleNear(inverse::erfcinv), (0.0, 2.0), 1.0),
        near("precise_math::probit", Oracle::DoubleNear(inverse::probit), (0.0, 1.0), 1.0),
    ]
}

/// The functions of `fast_math`, which may be off by 2 units: the exact results are those of `f64`.
fn fast() -> Vec<AccuracyFunction> {
    let mut all = accuracy_functions! { "fast_math" 2.0 Wide:
        acos core_math::acos, -1.0 to 1.0;
        asin core_math::asin, -1.0 to 1.0;
        atan core_math::atan, -20.0 to 20.0;
        cos core_math::cos, -20.0 to 20.0;
        cosh core_math::cosh, -20.0 to 20.0;
        exp core_math::exp, -87.0 to 88.0;
        exp2 core_math::exp2, -126.0 to 127.0;
        log core_math::log, 0.0 to 100.0;
        log10 core_math::log10, 0.0 to 100.0;
        log2 core_math::log2, 0.0 to 100.0;
        rsqrt core_math::rsqrt, 0.0 to 100.0;
        sin core_math::sin, -20.0 to 20.0;
        sinh core_math::sinh, -20.0 to 20.0;
        tan core_math::tan, -20.0 to 20.0;
        tanh core_math::tanh, -10.0 to 10.0;
    };
    all.extend(accuracy_functions! { "fast_math" 2.0 WidePair:
        atan2 core_math::atan2, -20.0 to 20.0;
        pow core_math::pow, 0.0 to 10.0;
    });
    all
}
