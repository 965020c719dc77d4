//! Which float operations of a driver give exactly what the language means: plain facts, found by the [probe](crate::run::Qualified) on a device and asked by the lowering.
//!
//! Lowering of Strict kernels asks [`Exact::has`] before it uses an operation of the driver's own; what it has not is computed by bits, or by steps that it has.

use std::fmt;

use tilewise_ir::types::Scalar;

/// Something that a driver does by itself with floats of one format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum NativeOp {
    /// Sums, also of denormals and of zeros with signs.
    Add,
    /// Differences.
    Sub,
    /// Products.
    Mul,
    /// A product that is added to something is rounded before.
    Apart,
    /// Operations with zeros that the driver knows keep signs: `x + 0.0` is not `x`.
    Zeros,
    /// Quotients.
    Div,
    /// A product and a sum, rounded once.
    Fma,
    /// The same of numbers of which none is zero or denormal, nor what comes of them.
    FusedNormal,
    /// Square roots.
    Sqrt,
    /// Square roots of normal numbers that are not tiny are at most two units of the last place off.
    RootNear,
    /// A rough reciprocal root, corrected by one step with a fused product, is the root of normal numbers that are not tiny.
    RootByStep,
    /// The same step gives the root of such numbers or a neighbour of it.
    StepNear,
    /// Comparisons.
    Compare,
    /// Comparisons of what is not denormal; denormals are taken for zeros, at worst.
    CompareNormal,
    /// A changed sign.
    Negate,
    /// A sign taken away.
    Absolute,
    /// The integer below.
    Floor,
    /// The integer above.
    Ceil,
    /// The integer on the side of zero.
    Trunc,
    /// The nearest integer, even between two.
    RoundEven,
    /// 32-bit integers as floats.
    FromInt,
    /// 64-bit integers as floats.
    FromLong,
    /// Floats that 32-bit integers reach as those.
    ToInt,
    /// Floats that 64-bit integers reach as those.
    ToLong,
    /// Floats as floats of the other format.
    Convert,
}

impl NativeOp {
    /// All of them.
    pub const ALL: [NativeOp; 25] = [
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

    /// What nothing can stand in for: a device without is not strict.
    pub const NEEDED: [NativeOp; 4] = [NativeOp::Add, NativeOp::Sub, NativeOp::Mul, NativeOp::Apart];

    /// Its name, in lists and in the cache.
    pub const fn name(self) -> &'static str {
        match self {
            NativeOp::Add => "add",
            NativeOp::Sub => "sub",
            NativeOp::Mul => "mul",
            NativeOp::Apart => "products-apart",
            NativeOp::Zeros => "known-zeros",
            NativeOp::Div => "div",
            NativeOp::Sqrt => "sqrt",
            NativeOp::RootNear => "sqrt-within-2-ulp",
            NativeOp::RootByStep => "sqrt-by-one-step",
            NativeOp::StepNear => "sqrt-by-one-step-within-1-ulp",
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

    /// What has that name.
    pub fn named(name: &str) -> Option<NativeOp> {
        NativeOp::ALL.into_iter().find(|own| own.name() == name)
    }

    /// Is it a help to compute something else, and not an operation of kernels?
    pub const fn is_help(self) -> bool {
        matches!(
            self,
            NativeOp::FusedNormal
                | NativeOp::RootNear
                | NativeOp::RootByStep
                | NativeOp::StepNear
                | NativeOp::CompareNormal
        )
    }
}

/// A set of what is exact, for both formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Bits for `f32`, bits for `f64`.
    bits: [u32; 2],
}

/// The format of a scalar: that of `f64`, or of `f32`.
fn format(scalar: Scalar) -> usize {
    usize::from(scalar == Scalar::F64)
}

impl Exact {
    /// Everything is exact.
    pub const ALL: Exact = Exact { bits: [(1 << NativeOp::ALL.len()) - 1; 2] };

    /// Only what must be: all else is computed by bits.
    pub const LEAST: Exact = Exact::both(&NativeOp::NEEDED);

    /// Nothing is.
    pub const NONE: Exact = Exact { bits: [0; 2] };

    /// What Relaxed kernels leave to the driver, exact or not.
    pub const RELAXED: Exact = Exact::both(&[
        NativeOp::Add,
        NativeOp::Sub,
        NativeOp::Mul,
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

    /// The same for both formats.
    pub const fn both(own: &[NativeOp]) -> Exact {
        let (mut bits, mut i) = (0, 0);
        while i < own.len() {
            bits |= 1 << own[i] as u32;
            i += 1;
        }
        Exact { bits: [bits; 2] }
    }

    /// Is it exact for floats of this format?
    pub const fn has(self, own: NativeOp, scalar: Scalar) -> bool {
        self.bits[matches!(scalar, Scalar::F64) as usize] & 1 << own as u32 != 0
    }

    /// The same set with it.
    #[must_use]
    pub fn with(mut self, own: NativeOp, scalar: Scalar) -> Exact {
        self.bits[format(scalar)] |= 1 << own as u32;
        self
    }

    /// The same set without it.
    #[must_use]
    pub fn without(mut self, own: NativeOp, scalar: Scalar) -> Exact {
        self.bits[format(scalar)] &= !(1 << own as u32);
        self
    }

    /// What of a format is exact, or is not.
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
