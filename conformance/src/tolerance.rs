//! [`Tolerance`]: by how much a float may differ from the expected one.

use approx::abs_diff_eq;
use tilewise_ir::types::{Scalar, Stored};

use crate::kir::value;

/// By how much floats may differ from what is expected: by the sum of both parts. Integers and conditions
/// are equal or wrong, NaN and infinities too.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tolerance {
    /// A number.
    pub absolute: f64,
    /// A part of the expected number: 1e-3 is a thousandth.
    pub relative: f64,
}

impl Tolerance {
    /// Nothing is allowed: floats have the same bits, except that any NaN is a NaN.
    pub const NONE: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };

    /// Is nothing allowed?
    pub fn is_none(self) -> bool {
        self == Tolerance::NONE
    }

    /// The options of a command line that allow it; each begins with a space.
    pub fn options(self) -> String {
        let option = |name, part: f64| if part == 0.0 { String::new() } else { format!(" --{name} {part:e}") };
        option("tolerance", self.absolute) + &option("relative", self.relative)
    }

    /// Is a scalar as expected, or near enough?
    pub fn allows(self, want: u64, got: u64, stored: Stored) -> bool {
        if value::equal(want, got, stored) {
            return true;
        }
        if !matches!(stored, Stored::F16 | Stored::F32 | Stored::F64) || self.is_none() {
            return false;
        }
        let (want, got) = (value::number(want, stored), value::number(got, stored));
        // A part of an infinity would allow every number.
        let are_finite = want.is_finite() && got.is_finite();
        are_finite && abs_diff_eq!(want, got, epsilon = self.absolute + self.relative * want.abs())
    }

    /// Is a float near enough? Integers never are.
    pub(crate) fn allows_scalar(self, want: u64, got: u64, scalar: Scalar) -> bool {
        match scalar {
            Scalar::F32 => self.allows(want, got, Stored::F32),
            Scalar::F64 => self.allows(want, got, Stored::F64),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Are two numbers equal within these parts, and within one that allows nothing?
    fn allows(absolute: f64, relative: f64, want: f32, got: f32) -> bool {
        let bits = |number: f32| u64::from(number.to_bits());
        Tolerance { absolute, relative }.allows(bits(want), bits(got), Stored::F32)
    }

    #[test]
    fn the_absolute_and_the_relative_part_add_up() {
        assert!(allows(0.5, 0.0, 1.0, 1.5) && !allows(0.5, 0.0, 1.0, 1.625));
        assert!(allows(0.0, 0.25, -8.0, -10.0) && !allows(0.0, 0.25, -8.0, -10.25));
        assert!(allows(0.5, 0.25, -8.0, -10.5) && !allows(0.5, 0.25, -8.0, -10.75));
    }

    #[test]
    fn infinities_and_nan_are_equal_or_wrong_whatever_the_tolerance() {
        let infinite = f32::INFINITY;
        assert!(allows(0.0, 0.0, infinite, infinite) && allows(0.0, 0.0, f32::NAN, -f32::NAN));
        for (want, got) in [(infinite, 5.0), (5.0, infinite), (infinite, -infinite), (f32::NAN, 5.0), (5.0, f32::NAN)] {
            assert!(!allows(1e30, 0.5, want, got), "{want} {got}");
        }
    }

    #[test]
    fn integers_are_equal_or_wrong_and_zeros_without_tolerance_have_a_sign() {
        let wide = Tolerance { absolute: 100.0, relative: 1.0 };
        assert!(!wide.allows(7, 8, Stored::U32) && wide.allows(7, 7, Stored::I64) && !wide.allows(0, 1, Stored::Bool));
        assert!(wide.allows(0x3c00, 0x4000, Stored::F16) && wide.allows(0, 1 << 63, Stored::F64));
        assert!(!Tolerance::NONE.allows(0, 1 << 63, Stored::F64));
    }
}
