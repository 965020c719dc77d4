//! [`LongFloat`]: a float of 320 bits with operators and elementary functions, by `astro-float-num`.
//!
//! Its exponents have 32 bits, so that no intermediate result of an `f64` function overflows.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};

/// Bits of a number. Results are compared with 53 bits and half a unit; what remains covers what
/// cancels in `lgamma` near its zeros.
const BITS: usize = 320;

const ROUNDING: RoundingMode = RoundingMode::ToEven;

/// A float of 320 bits.
#[derive(Clone, Debug)]
pub(crate) struct LongFloat(BigFloat);

thread_local! {
    /// The digits of pi and the like that `astro-float-num` keeps between calls.
    static CONSTANTS: RefCell<Option<Consts>> = RefCell::new(Consts::new().ok());
}

/// Calls `work` with the constants; NaN if there was no memory for them.
fn with_constants(work: impl FnOnce(&mut Consts) -> BigFloat) -> LongFloat {
    CONSTANTS.with_borrow_mut(|constants| match constants {
        Some(constants) => LongFloat(work(constants)),
        None => LongFloat(BigFloat::nan(None)),
    })
}

/// Functions that `astro-float-num` rounds correctly.
macro_rules! elementary {
    ($($name:ident)*) => {$(
        pub(super) fn $name(&self) -> LongFloat {
            with_constants(|constants| self.0.$name(BITS, ROUNDING, constants))
        }
    )*};
}

impl LongFloat {
    elementary! { exp ln sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh }

    pub(super) fn pi() -> LongFloat {
        with_constants(|constants| constants.pi(BITS, ROUNDING))
    }

    pub(super) fn sqrt(&self) -> LongFloat {
        LongFloat(self.0.sqrt(BITS, ROUNDING))
    }

    pub(super) fn abs(&self) -> LongFloat {
        LongFloat(self.0.abs())
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// Is it neither an infinity nor NaN?
    pub(super) fn is_finite(&self) -> bool {
        !self.0.is_nan() && !self.0.is_inf()
    }

    /// The exponent of its leading bit; `None` for zero and what is no number.
    pub(super) fn exponent(&self) -> Option<i32> {
        let finite = self.is_finite() && !self.is_zero();
        finite.then(|| self.0.exponent().map(|exponent| exponent - 1)).flatten()
    }

    /// The nearest `f64` of `self * 2^by`, or one beside it.
    pub(super) fn scaled(&self, by: i32) -> f64 {
        let Some((words, _, sign, exponent, _)) = self.0.as_raw_parts().filter(|_| self.is_finite()) else {
            return f64::NAN;
        };
        // The fraction's leading bit is that of the last word.
        let leading = words.last().map_or(0.0, |&word| word as f64 / 2.0_f64.powi(64));
        let exponent = exponent.saturating_add(by).clamp(-2200, 2200);
        // In two steps, of which none leaves the normal numbers before the other.
        let size = leading * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
        if sign == Sign::Neg { -size } else { size }
    }

    /// The order of two numbers; `None` for NaN.
    pub(super) fn order(&self, other: &LongFloat) -> Option<Ordering> {
        self.0.cmp(&other.0).map(|sign| sign.cmp(&0))
    }
}

impl From<f64> for LongFloat {
    fn from(x: f64) -> LongFloat {
        if x.is_subnormal() {
            // `from_f64` halves denormal numbers.
            const BY: i32 = 64;
            let mut number = BigFloat::from_f64(x * 2.0_f64.powi(BY), BITS);
            if let Some(exponent) = number.exponent() {
                number.set_exponent(exponent - BY);
            }
            return LongFloat(number);
        }
        LongFloat(BigFloat::from_f64(x, BITS))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for &LongFloat {
            type Output = LongFloat;

            fn $method(self, other: &LongFloat) -> LongFloat {
                LongFloat(self.0.$method(&other.0, BITS, ROUNDING))
            }
        }

        impl $trait<f64> for &LongFloat {
            type Output = LongFloat;

            fn $method(self, other: f64) -> LongFloat {
                self.$method(&LongFloat::from(other))
            }
        }
    )*};
}

operators! { Add add Sub sub Mul mul Div div }

impl Neg for &LongFloat {
    type Output = LongFloat;

    fn neg(self) -> LongFloat {
        LongFloat(BigFloat::neg(&self.0))
    }
}
