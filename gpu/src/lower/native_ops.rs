//! Functions with a native text and a text that computes by bits: selects the text of each for the
//! [prelude](super::prelude), by the set of [exact](Exact) operations.

use tilewise_ir::types::Scalar;

use crate::exact::{Exact, NativeOp};

/// The native text of a function and its replacement.
macro_rules! pair {
    ($name:literal) => {
        (
            include_str!(concat!("../prelude/own/", $name, "_own.wgsl")),
            include_str!(concat!("../prelude/own/", $name, "_bits.wgsl")),
        )
    };
}

/// The functions with two texts.
const PAIRS: [(NativeOp, (&str, &str)); 12] = [
    (NativeOp::Negate, pair!("neg")),
    (NativeOp::Absolute, pair!("abs")),
    (NativeOp::Div, pair!("div")),
    (NativeOp::Fma, pair!("fma")),
    (NativeOp::Floor, pair!("floor")),
    (NativeOp::Ceil, pair!("ceil")),
    (NativeOp::Trunc, pair!("trunc")),
    (NativeOp::RoundEven, pair!("round_even")),
    (NativeOp::FromInt, pair!("from_int")),
    (NativeOp::FromLong, pair!("from_long")),
    (NativeOp::ToInt, pair!("to_int")),
    (NativeOp::ToLong, pair!("to_long")),
];

/// Conversion to the other format, which is not a template.
const WIDEN: (&str, &str) = pair!("widen");
const NARROW: (&str, &str) = pair!("narrow");

/// A fused product of normal numbers with a normal result.
const FUSED: (&str, &str) = (
    "fn fused_F(a: F, b: F, c: F) -> F { return fma(a, b, c); }\n",
    "fn fused_F(a: F, b: F, c: F) -> F { return fma_F(a, b, c); }\n",
);

const COMPARE: (&str, &str) = pair!("compare");
const COMPARE_PARTS: &str = include_str!("../prelude/own/compare_parts.wgsl");
const COMPARE_NEAR: &str = include_str!("../prelude/own/compare_near.wgsl");

const SQRT: (&str, &str) = pair!("sqrt");
const SQRT_RANGE: &str = include_str!("../prelude/own/sqrt_range.wgsl");
const SQRT_STEP: &str = include_str!("../prelude/own/sqrt_step.wgsl");
const SQRT_CLOSER: &str = include_str!("../prelude/own/sqrt_closer.wgsl");

/// The root of normal numbers that are not tiny: the result of a step, the same corrected by at
/// most one unit in the last place, and the native result corrected by at most two.
const STEPPED: &str = "fn root_F(x: F) -> F { return stepped_F(x); }\n";
const STEPPED_NEAR: &str = "fn root_F(x: F) -> F { return closer_F(x, stepped_F(x)); }\n";
const OWN_NEAR: &str = "fn root_F(x: F) -> F { return closer_F(x, closer_F(x, sqrt(x))); }\n";

/// The texts for floats of a format.
pub(super) fn texts(exact: Exact, scalar: Scalar) -> impl Iterator<Item = &'static str> {
    let has = move |own| exact.has(own, scalar);
    let chosen = move |own, (text, bits): (&'static str, &'static str)| if has(own) { text } else { bits };
    let pairs = PAIRS.into_iter().map(move |(own, pair)| chosen(own, pair));
    let convert = chosen(NativeOp::Convert, if scalar == Scalar::F64 { NARROW } else { WIDEN });
    let is_fused = has(NativeOp::Fma) || has(NativeOp::FusedNormal);
    let fused = if is_fused { FUSED.0 } else { FUSED.1 };
    pairs.chain([convert, fused]).chain(comparisons(exact, scalar)).chain(root(exact, scalar))
}

fn comparisons(exact: Exact, scalar: Scalar) -> [&'static str; 2] {
    if exact.has(NativeOp::Compare, scalar) {
        ["", COMPARE.0]
    } else if exact.has(NativeOp::CompareNormal, scalar) {
        [COMPARE_PARTS, COMPARE_NEAR]
    } else {
        [COMPARE_PARTS, COMPARE.1]
    }
}

/// The cheapest exact root. Its steps are cheap only with native fused products, which the probe
/// ensures.
fn root(exact: Exact, scalar: Scalar) -> [&'static str; 4] {
    if exact.has(NativeOp::Sqrt, scalar) {
        [SQRT.0, "", "", ""]
    } else if exact.has(NativeOp::RootByStep, scalar) {
        [SQRT_RANGE, STEPPED, SQRT_STEP, ""]
    } else if exact.has(NativeOp::StepNear, scalar) {
        [SQRT_RANGE, STEPPED_NEAR, SQRT_STEP, SQRT_CLOSER]
    } else if exact.has(NativeOp::RootNear, scalar) {
        [SQRT_RANGE, OWN_NEAR, "", SQRT_CLOSER]
    } else {
        [SQRT.1, "", "", ""]
    }
}
