//! The set of a driver's native float operations that are exact, that is, equal to the language's
//! definition. The [probe](crate::run::Qualified) determines the set on a device; the lowering
//! reads it.
//!
//! The lowering of Strict kernels checks [`Exact::has`] before it uses a native operation. It
//! replaces operations outside the set with bit arithmetic or with steps that are in the set.

use std::fmt;

use tilewise_ir::types::Scalar;

/// A native operation or property of a driver, for floats of one format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum NativeOp {
    /// Sums, including denormals and signed zeros.
    Add,
    /// Differences.
    Sub,
    /// Products.
    Mul,
    /// A product is rounded before it is added: no contraction.
    Apart,
    /// Operations with constant zeros keep the sign of zero: `x + 0.0` is not `x`.
    Zeros,
    /// Quotients.
    Div,
    /// A product and a sum, rounded once.
    Fma,
    /// `Fma` where no operand and no result is zero or denormal.
    FusedNormal,
    /// Square roots.
    Sqrt,
    /// Square roots of normal numbers that are not tiny are within two units in the last place.
    RootNear,
    /// An approximate reciprocal root, corrected by one step with a fused product, is the exact
    /// root of normal numbers that are not tiny.
    RootByStep,
    /// The same step gives the root of such numbers or an adjacent float.
    StepNear,
    /// Two steps from an approximate reciprocal root, corrected by residuals of the exact root, are
    /// the exact quotient of 1 and the root of normal numbers that are not tiny.
    InverseBySteps,
    /// Two steps from the square of an approximate reciprocal root, and a residual, are the exact
    /// quotient of normal numbers that are neither tiny nor huge.
    DivBySteps,
    /// Comparisons.
    Compare,
    /// Comparisons of numbers that are not denormal; at worst, denormals compare as zeros.
    CompareNormal,
    /// Negation.
    Negate,
    /// Absolute value.
    Absolute,
    /// Rounding down to an integer.
    Floor,
    /// Rounding up to an integer.
    Ceil,
    /// Rounding towards zero.
    Trunc,
    /// Rounding to the nearest integer, ties to even.
    RoundEven,
    /// Conversion of 32-bit integers to floats.
    FromInt,
    /// Conversion of 64-bit integers to floats.
    FromLong,
    /// Conversion to 32-bit integers of floats in their range.
    ToInt,
    /// Conversion to 64-bit integers of floats in their range.
    ToLong,
    /// Conversion to the other float format.
    Convert,
}

impl NativeOp {
    /// All operations, in order of their discriminants.
    pub const ALL: [NativeOp; 27] = [
        NativeOp::Add,
        NativeOp::Sub,
        NativeOp::Mul,
        NativeOp::Apart,
        NativeOp::Zeros,
        NativeOp::Div,
        NativeOp::Fma,
        NativeOp::FusedNormal,
        NativeOp::Sqrt,
        NativeOp::RootNear,
        NativeOp::RootByStep,
        NativeOp::StepNear,
        NativeOp::InverseBySteps,
        NativeOp::DivBySteps,
        NativeOp::Compare,
        NativeOp::CompareNormal,
        NativeOp::Negate,
        NativeOp::Absolute,
        NativeOp::Floor,
        NativeOp::Ceil,
        NativeOp::Trunc,
        NativeOp::RoundEven,
        NativeOp::FromInt,
        NativeOp::FromLong,
        NativeOp::ToInt,
        NativeOp::ToLong,
        NativeOp::Convert,
    ];

    /// Operations without a replacement: a device that lacks one does not support Strict.
    pub const NEEDED: [NativeOp; 4] = [NativeOp::Add, NativeOp::Sub, NativeOp::Mul, NativeOp::Apart];

    /// The name in lists and in the cache.
    pub const fn name(self) -> &'static str {
        match self {
            NativeOp::Add => "add",
            NativeOp::Sub => "sub",
            NativeOp::Mul => "mul",
            NativeOp::Apart => "products-apart",
            NativeOp::Zeros => "known-zeros",
            NativeOp::Div => "div",
            NativeOp::DivBySteps => "div-by-steps",
            NativeOp::Sqrt => "sqrt",
            NativeOp::RootNear => "sqrt-within-2-ulp",
            NativeOp::RootByStep => "sqrt-by-one-step",
            NativeOp::StepNear => "sqrt-by-one-step-within-1-ulp",
            NativeOp::InverseBySteps => "inverse-sqrt-by-steps",
            NativeOp::Fma => "fma",
            NativeOp::FusedNormal => "fma-of-normal",
            NativeOp::Compare => "comparisons",
            NativeOp::CompareNormal => "comparisons-with-normal",
            NativeOp::Negate => "neg",
            NativeOp::Absolute => "abs",
            NativeOp::Floor => "floor",
            NativeOp::Ceil => "ceil",
            NativeOp::Trunc => "trunc",
            NativeOp::RoundEven => "round_even",
            NativeOp::FromInt => "from-int",
            NativeOp::FromLong => "from-long",
            NativeOp::ToInt => "to-int",
            NativeOp::ToLong => "to-long",
            NativeOp::Convert => "convert",
        }
    }

    /// The operation with that name.
    pub fn named(name: &str) -> Option<NativeOp> {
        NativeOp::ALL.into_iter().find(|own| own.name() == name)
    }

    /// Whether it only helps to compute another operation and is no operation of kernels itself.
    pub const fn is_help(self) -> bool {
        matches!(
            self,
            NativeOp::DivBySteps
                | NativeOp::FusedNormal
                | NativeOp::RootNear
                | NativeOp::RootByStep
                | NativeOp::StepNear
                | NativeOp::InverseBySteps
                | NativeOp::CompareNormal
        )
    }
}

/// A set of exact operations, for both formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    /// One bit per operation: the first word for `f32`, the second for `f64`.
    bits: [u32; 2],
}

/// The index of the format in `Exact::bits`: 1 for `f64`, else 0.
fn format(scalar: Scalar) -> usize {
    usize::from(scalar == Scalar::F64)
}

impl Exact {
    /// Every operation is exact.
    pub const ALL: Exact = Exact { bits: [(1 << NativeOp::ALL.len()) - 1; 2] };

    /// Only [`NativeOp::NEEDED`] is exact: all else is computed by bits.
    pub const LEAST: Exact = Exact::both(&NativeOp::NEEDED);

    /// Nothing is exact.
    pub const NONE: Exact = Exact { bits: [0; 2] };

    /// Operations that Relaxed kernels leave to the driver, exact or not.
    pub const RELAXED: Exact = Exact::both(&[
        NativeOp::Add,
        NativeOp::Sub,
        NativeOp::Mul,
        NativeOp::Fma,
        NativeOp::Zeros,
        NativeOp::Div,
        NativeOp::Sqrt,
        NativeOp::Compare,
        NativeOp::Negate,
        NativeOp::Absolute,
        NativeOp::FromInt,
        NativeOp::FromLong,
        NativeOp::ToInt,
        NativeOp::Convert,
    ]);

    /// The same operations for both formats.
    pub const fn both(own: &[NativeOp]) -> Exact {
        let (mut bits, mut i) = (0, 0);
        while i < own.len() {
            bits |= 1 << own[i] as u32;
            i += 1;
        }
        Exact { bits: [bits; 2] }
    }

    /// Whether the operation is exact for floats of this format.
    pub const fn has(self, own: NativeOp, scalar: Scalar) -> bool {
        self.bits[matches!(scalar, Scalar::F64) as usize] & 1 << own as u32 != 0
    }

    /// The set with this operation added.
    #[must_use]
    pub fn with(mut self, own: NativeOp, scalar: Scalar) -> Exact {
        self.bits[format(scalar)] |= 1 << own as u32;
        self
    }

    /// The set with this operation removed.
    #[must_use]
    pub fn without(mut self, own: NativeOp, scalar: Scalar) -> Exact {
        self.bits[format(scalar)] &= !(1 << own as u32);
        self
    }

    /// The operations of a format that are exact, or those that are not.
    pub fn list(self, scalar: Scalar, exact: bool) -> impl Iterator<Item = NativeOp> {
        NativeOp::ALL.into_iter().filter(move |&own| self.has(own, scalar) == exact)
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |scalar| self.list(scalar, true).map(NativeOp::name).collect::<Vec<_>>().join(" ");
        write!(f, "Exact(f32: {}; f64: {})", names(Scalar::F32), names(Scalar::F64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_each_and_sets_hold_what_they_were_given() {
        for (i, own) in NativeOp::ALL.into_iter().enumerate() {
            assert_eq!(own as usize, i);
            assert_eq!(NativeOp::named(own.name()), Some(own));
            let one = Exact::NONE.with(own, Scalar::F64);
            assert!(one.has(own, Scalar::F64) && !one.has(own, Scalar::F32));
            assert_eq!(one.list(Scalar::F64, true).collect::<Vec<_>>(), [own]);
            assert_eq!(one.without(own, Scalar::F64), Exact::NONE);
            assert!(Exact::ALL.has(own, Scalar::F32));
            assert_eq!(Exact::LEAST.has(own, Scalar::F32), NativeOp::NEEDED.contains(&own));
        }
    }
}
