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
const PAIRS: [(NativeOp, (&str, &str)); 11] = [
    (NativeOp::Negate, pair!("neg")),
    (NativeOp::Absolute, pair!("abs")),
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

const DIV: (&str, &str) = pair!("div");
const DIV_STEPS: &str = include_str!("../prelude/own/div_steps.wgsl");
/// The quotient digit by digit.
const DIV_DIGITS: &str = "fn div_F(a: F, b: F) -> F { return div_digits_F(a, b); }\n";

const SQRT: (&str, &str) = pair!("sqrt");
const SQRT_RANGE: &str = include_str!("../prelude/own/sqrt_range.wgsl");
const SQRT_STEP: &str = include_str!("../prelude/own/sqrt_step.wgsl");
const SQRT_CLOSER: &str = include_str!("../prelude/own/sqrt_closer.wgsl");
const SQRT_INVERSE: &str = include_str!("../prelude/own/sqrt_inverse.wgsl");
/// Where the range of the argument makes no difference.
const SQRT_LARGE: &str = "fn sqrt_large_F(x: F) -> F { return sqrt_F(x); }\n";

/// The root of normal numbers that are not tiny: the native one, the result of a step, the same
/// corrected by at most one unit in the last place, and the native result corrected by at most two.
const ROOT: &str = "fn root_F(x: F) -> F { return sqrt(x); }\n";
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
    let rest = pairs.chain([convert, fused]).chain(comparisons(exact, scalar));
    rest.chain(quotient(exact, scalar)).chain(root(exact, scalar)).chain(inverse_root(exact, scalar))
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

/// The cheapest exact quotient.
fn quotient(exact: Exact, scalar: Scalar) -> [&'static str; 2] {
    if exact.has(NativeOp::Div, scalar) {
        [DIV.0, ""]
    } else if exact.has(NativeOp::DivBySteps, scalar) {
        [DIV.1, DIV_STEPS]
    } else {
        [DIV.1, DIV_DIGITS]
    }
}

/// The quotient of 1 and a root, if it has steps of its own. They begin with the exact root of
/// numbers that are not tiny.
fn inverse_root(exact: Exact, scalar: Scalar) -> [&'static str; 2] {
    let has = |own| exact.has(own, scalar);
    let stepped = [NativeOp::RootByStep, NativeOp::StepNear, NativeOp::RootNear].into_iter().any(has);
    match (has(NativeOp::InverseBySteps), has(NativeOp::Sqrt)) {
        (true, true) => [ROOT, SQRT_INVERSE],
        (true, false) if stepped => ["", SQRT_INVERSE],
        (true | false, _) => ["", ""],
    }
}

/// The cheapest exact root. Its steps are cheap only with native fused products, which the probe
/// ensures.
fn root(exact: Exact, scalar: Scalar) -> [&'static str; 4] {
    if exact.has(NativeOp::Sqrt, scalar) {
        [SQRT.0, SQRT_LARGE, "", ""]
    } else if exact.has(NativeOp::RootByStep, scalar) {
        [SQRT_RANGE, STEPPED, SQRT_STEP, ""]
    } else if exact.has(NativeOp::StepNear, scalar) {
        [SQRT_RANGE, STEPPED_NEAR, SQRT_STEP, SQRT_CLOSER]
    } else if exact.has(NativeOp::RootNear, scalar) {
        [SQRT_RANGE, OWN_NEAR, "", SQRT_CLOSER]
    } else {
        [SQRT.1, SQRT_LARGE, "", ""]
    }
}
