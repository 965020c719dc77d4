//! Arguments as numbers and ranges, and the forms of results: what all parts of the table share.

use super::super::builtin::WordKind::Float;
use super::super::builtin::{AccuracyPromise, AllowedResults, ExactResults, WordKind, Words};
use super::super::range::FloatRange;

/// An argument as a float.
pub(super) fn f(words: Words<'_>, at: usize) -> f32 {
    f32::from_bits(words.get(at).copied().unwrap_or(0))
}

/// As a float in `f64`.
pub(super) fn d(words: Words<'_>, at: usize) -> f64 {
    f64::from(f(words, at))
}

/// As a range.
pub(super) fn r(words: Words<'_>, at: usize) -> FloatRange {
    FloatRange::of(f(words, at))
}

/// Arguments as floats in `f64`, from a place on.
pub(super) fn vector<const N: usize>(words: Words<'_>, from: usize) -> [f64; N] {
    std::array::from_fn(|i| d(words, from + i))
}

pub(super) fn one(x: f64) -> ExactResults {
    [x, 0.0, 0.0, 0.0]
}

pub(super) fn allow(range: FloatRange) -> AllowedResults {
    [range, FloatRange::ANY, FloatRange::ANY, FloatRange::ANY]
}

/// The correctly rounded results of exact ones.
pub(super) fn rounded(exact: ExactResults) -> AllowedResults {
    exact.map(FloatRange::correct)
}

/// Exact results.
pub(super) fn same(exact: ExactResults) -> AllowedResults {
    exact.map(FloatRange::exactly)
}

/// What Vulkan makes of ranges that an inherited accuracy has.
pub(super) fn around(ranges: AllowedResults, exact: ExactResults) -> AllowedResults {
    std::array::from_fn(|i| ranges[i].around(exact[i]))
}

/// The sum of numbers, so well that its error is far below that of any sum of `f32`.
pub(super) fn total<const N: usize>(numbers: [f64; N]) -> f64 {
    let (mut sum, mut rest) = (0.0, 0.0);
    for number in numbers {
        let next: f64 = sum + number;
        let of_number = next - sum;
        rest += (sum - (next - of_number)) + (number - of_number);
        sum = next;
    }
    sum + rest
}

pub(super) const ONE: &[WordKind] = &[Float];
pub(super) const TWO: &[WordKind] = &[Float; 2];
pub(super) const THREE: &[WordKind] = &[Float; 3];
pub(super) const FOUR: &[WordKind] = &[Float; 4];
pub(super) const SIX: &[WordKind] = &[Float; 6];

pub(super) const CORRECT: &str = "correctly rounded";
pub(super) const NOTHING: AccuracyPromise = AccuracyPromise { rule: "nothing", allowed: None };
