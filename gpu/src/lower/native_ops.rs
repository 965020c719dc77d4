//! Functions that a driver may have of its own, or that are computed by bits: which text of each belongs into the [prelude](super::prelude), by what is [exact](Exact).

use tilewise_ir::types::Scalar;

use crate::exact::{Exact, NativeOp};

/// The text of a function that uses the driver's own, and of one that does not.
macro_rules! pair {
    ($name:literal) => {
        (
            include_str!(concat!("../prelude/own/", $name, "_own.wgsl")),
            include_str!(concat!("../prelude/own/", $name, "_bits.wgsl")),
        )
    };
}

/// Functions for which there are two texts.
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

/// Of the conversion to the other format, which is no template.
const WIDEN: (&str, &str) = pair!("widen");
const NARROW: (&str, &str) = pair!("narrow");

/// A fused product of numbers that are normal, and whose result is.
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

/// The root of what is normal and not tiny: what a step gives, the same set right by a place, and the driver's own set right by two.
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

/// The cheapest root that is exact. Its steps are cheap only where products can be fused, which who made the set has seen to.
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
