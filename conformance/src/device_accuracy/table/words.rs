//! Arguments as numbers and ranges, and the forms of results: what all parts of the table share.

use std::marker::PhantomData;

use super::super::builtin::WordKind::Float;
use super::super::builtin::{AccuracyPromise, AllowedResults, ExactResults, MOST_RESULTS, WordKind, Words};
use super::super::range::{FloatFormat, FloatRange, FloatWidth};

/// The arguments of a built-in of a format.
#[derive(Clone, Copy)]
pub(super) struct ArgumentRow<'a, F> {
    pub(super) words: Words<'a>,
    format: PhantomData<F>,
}

impl<'a, F> ArgumentRow<'a, F> {
    pub(super) const fn new(words: Words<'a>) -> ArgumentRow<'a, F> {
        ArgumentRow { words, format: PhantomData }
    }
}

/// Ranges of results.
pub(super) type ResultRanges<F> = [FloatRange<F>; MOST_RESULTS];

/// An argument as a float in `f64`.
pub(super) fn d<F: FloatFormat>(row: ArgumentRow<'_, F>, at: usize) -> f64 {
    F::WIDTH.number(row.words.get(at).copied().unwrap_or(0))
}

/// As a range.
pub(super) fn r<F: FloatFormat>(row: ArgumentRow<'_, F>, at: usize) -> FloatRange<F> {
    FloatRange::of(d(row, at))
}

/// Arguments as floats in `f64`, from a place on.
pub(super) fn vector<const N: usize>(row: ArgumentRow<'_, impl FloatFormat>, from: usize) -> [f64; N] {
    std::array::from_fn(|i| d(row, from + i))
}

/// Ranges without their format.
pub(super) fn allowed<F: FloatFormat>(ranges: ResultRanges<F>) -> AllowedResults {
    ranges.map(FloatRange::allowed)
}

/// The rule for a format, from that for `f32`.
pub(super) fn rule_of<F: FloatFormat>(single: &'static str) -> &'static str {
    if F::WIDTH == FloatWidth::Single {
        return single;
    }
    match single {
        "2.5 ulp for |y| in 2^-126 .. 2^126" => "2.5 ulp for |y| in 2^-14 .. 2^14",
        "2.5 ulp for |x| in 2^-126 .. 2^126" => "2.5 ulp for |x| in 2^-14 .. 2^14",
        "3 + 2 |x| ulp" => "1 + 2 |x| ulp",
        "2^-21 absolute in 0.5 .. 2, 3 ulp elsewhere" => "2^-7 absolute in 0.5 .. 2, 3 ulp elsewhere",
        "2^-11 absolute in -pi .. pi" => "2^-7 absolute in -pi .. pi",
        "6.81e-5 absolute, or inherited from atan2(x, sqrt(1.0 - x * x))" => {
            "3.91e-3 absolute, or inherited from atan2(x, sqrt(1.0 - x * x))"
        }
        "6.77e-5 absolute, or inherited from atan2(sqrt(1.0 - x * x), x)" => {
            "3.91e-3 absolute, or inherited from atan2(sqrt(1.0 - x * x), x)"
        }
        "4096 ulp" => "5 ulp",
        "4096 ulp for |y| in 2^-126 .. 2^126" => "5 ulp for |y| in 2^-14 .. 2^14",
        same => same,
    }
}

/// Where floats of a format are usually taken from, from where those of `f32` are: what overflows is no use.
pub(super) fn usual_of<F: FloatFormat>(name: &str, single: (f64, f64)) -> (f64, f64) {
    let most = match name.split('(').next() {
        Some("exp" | "sinh" | "cosh") => 11.0,
        Some("exp2") => 15.0,
        Some("pow") => 5.0,
        _ => return single,
    };
    if F::WIDTH == FloatWidth::Single { single } else { (single.0.max(-most), single.1.min(most)) }
}

pub(super) fn one(x: f64) -> ExactResults {
    [x, 0.0, 0.0, 0.0]
}

pub(super) fn allow<F: FloatFormat>(range: FloatRange<F>) -> ResultRanges<F> {
    [range, FloatRange::ANY, FloatRange::ANY, FloatRange::ANY]
}

/// The correctly rounded results of exact ones.
pub(super) fn rounded<F: FloatFormat>(exact: ExactResults) -> ResultRanges<F> {
    exact.map(FloatRange::correct)
}

/// Exact results.
pub(super) fn same<F: FloatFormat>(exact: ExactResults) -> ResultRanges<F> {
    exact.map(FloatRange::exactly)
}

/// What Vulkan makes of ranges that an inherited accuracy has.
pub(super) fn around<F: FloatFormat>(ranges: ResultRanges<F>, exact: ExactResults) -> ResultRanges<F> {
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
