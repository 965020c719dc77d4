//! The probe's expressions, each with the result that the language defines.
//!
//! The texts are `.kir` expressions with these abbreviations: `F` is the format, `U` the integer
//! type of its bits, `_` after a literal its suffix, `WORD(x)` 32 bits of `x`, `LONG(x, y)` 64 bits
//! of both, `LESS` the result of `less` for `x` and `y`, `WIDE(n)` a `u32` as `U`, and `FOLD(n)` a
//! `u64` as `U`.

use super::format::{Format, fold};
use crate::exact::NativeOp;

/// The expected result of an expression.
#[derive(Clone, Copy)]
pub(super) enum ProbeWants<F> {
    /// A float with these bits; any NaN equals any NaN.
    Float(fn(F, F, F) -> F),
    /// These bits.
    Bits(fn(F, F, F) -> u64),
    /// A float for which the predicate holds.
    Such(fn(F, F, F, F) -> bool),
    /// Bits for which the predicate holds.
    SuchBits(fn(F, F, F, u64) -> bool),
}

/// An expression of `x`, `y` and `z`.
pub(super) struct ProbeExpression<F> {
    pub(super) own: NativeOp,
    pub(super) text: &'static str,
    pub(super) wants: ProbeWants<F>,
}

/// Compares bits, as the driver's float comparisons are tested separately.
fn less<F: Format>(x: F, y: F) -> bool {
    x.raw() < y.raw()
}

/// The results of the six comparisons as bits.
fn compared<F: Format>(x: F, y: F) -> u64 {
    let all = [x < y, x <= y, x > y, x >= y, x == y, x != y];
    all.iter().enumerate().map(|(i, &is)| u64::from(is) << i).sum()
}

/// The same, except that two tiny operands may compare as zeros.
fn nearly_compared<F: Format>(x: F, y: F, got: u64) -> bool {
    let exact = compared(x, y);
    let zero = compared(F::from_raw(0), F::from_raw(0));
    if x.is_tiny() && y.is_tiny() { (got ^ exact) & (got ^ zero) == 0 } else { got == exact }
}

/// The product and sum, rounded once. Any result passes if an operand or the expected result is
/// zero or denormal, or if the expected result is the float to which a denormal may round up.
fn nearly_fused<F: Format>(x: F, y: F, z: F, got: F) -> bool {
    let wanted = x.fused(y, z);
    let exact = got.raw() == wanted.raw() || got.is_no_number() && wanted.is_no_number();
    let least = F::from_raw(wanted.raw().saturating_sub(1));
    exact || [x, y, z, wanted, least].iter().any(|number| number.is_tiny())
}

/// At most `most` units in the last place from the root, for normal numbers that are not too small.
fn nearly_root<F: Format>(x: F, got: F, most: u64) -> bool {
    !x.has_plain_root() || got.raw().abs_diff(x.root().raw()) <= most
}

/// The expressions for one format. A macro, since it uses the float operators of both formats.
macro_rules! asked {
    ($name:ident, $format:ty) => {
        /// All expressions for a format.
        pub(super) fn $name() -> Vec<ProbeExpression<$format>> {
            use NativeOp::*;
            use ProbeWants::{Bits, Float, Such, SuchBits};
            type F = $format;
            let ask = |own, text, wants| ProbeExpression { own, text, wants };
            vec![
                ask(Add, "x + y", Float(|x, y, _| x + y)),
                ask(Add, "x + 1.0_", Float(|x, _, _| x + 1.0)),
                ask(Add, "(x + y) + z", Float(|x, y, z| (x + y) + z)),
                ask(Sub, "x - y", Float(|x, y, _| x - y)),
                ask(Sub, "1.0_ - x", Float(|x, _, _| 1.0 - x)),
                ask(Sub, "(x + y) - x", Float(|x, y, _| (x + y) - x)),
                ask(Sub, "x - x", Float(|x, _, _| x - x)),
                ask(Mul, "x * y", Float(|x, y, _| x * y)),
                ask(Mul, "x * 2.0_", Float(|x, _, _| x * 2.0)),
                ask(Mul, "x * 0.5_", Float(|x, _, _| x * 0.5)),
                ask(Mul, "x * 1.0_", Float(|x, _, _| x * 1.0)),
                ask(Mul, "(x * y) * z", Float(|x, y, z| (x * y) * z)),
                ask(Mul, "x * y * 0.5_ * 2.0_", Float(|x, y, _| x * y * 0.5 * 2.0)),
                ask(Apart, "x * y + z", Float(|x, y, z| x * y + z)),
                ask(Apart, "x * y - z", Float(|x, y, z| x * y - z)),
                ask(Apart, "z - x * y", Float(|x, y, z| z - x * y)),
                ask(Apart, "x * y + x * z", Float(|x, y, z| x * y + x * z)),
                ask(Apart, "x * x + y * y + z", Float(|x, y, z| x * x + y * y + z)),
                ask(Zeros, "x + 0.0_", Float(|x, _, _| x + 0.0)),
                ask(Zeros, "0.0_ - x", Float(|x, _, _| 0.0 - x)),
                ask(Zeros, "x - 0.0_", Float(|x, _, _| x - 0.0)),
                ask(Zeros, "x * 0.0_", Float(|x, _, _| x * 0.0)),
                ask(Zeros, "x * 0.0_ + y", Float(|x, y, _| x * 0.0 + y)),
                ask(Zeros, "x * y + 0.0_", Float(|x, y, _| x * y + 0.0)),
                ask(Zeros, "select(LESS, 1.0_, 0.0_) * z", Float(|x, y, z| (if less(x, y) { 1.0 } else { 0.0 }) * z)),
                ask(Zeros, "select(LESS, z, 0.0_) + 0.0_", Float(|x, y, z| (if less(x, y) { z } else { 0.0 }) + 0.0)),
                ask(Zeros, "x * to_F(WORD(y) & 0u32)", Float(|x, _, _| x * 0.0)),
                ask(Zeros, "x + to_F((WORD(y) & 0u32) as i32)", Float(|x, _, _| x + 0.0)),
                ask(Div, "x / y", Float(|x, y, _| x / y)),
                ask(Div, "1.0_ / x", Float(|x, _, _| 1.0 / x)),
                ask(Div, "x / 3.0_", Float(|x, _, _| x / 3.0)),
                ask(Div, "(x / y) * y", Float(|x, y, _| (x / y) * y)),
                ask(DivBySteps, "x / y", Float(|x, y, _| x / y)),
                ask(DivBySteps, "1.0_ / x", Float(|x, _, _| 1.0 / x)),
                ask(DivBySteps, "(x / y) * y", Float(|x, y, _| (x / y) * y)),
                ask(Sqrt, "sqrt(x)", Float(|x, _, _| x.root())),
                ask(Sqrt, "sqrt(bitcast_F(bitcast_U(x) & HIGHEST))", Float(|x, _, _| x.abs().root())),
                ask(Sqrt, "1.0_ / sqrt(x)", Float(|x, _, _| 1.0 / x.root())),
                ask(Sqrt, "x / sqrt(y)", Float(|x, y, _| x / y.root())),
                ask(RootNear, "sqrt(x)", Such(|x, _, _, got| nearly_root(x, got, 2))),
                ask(RootByStep, "sqrt(x)", Float(|x, _, _| x.root())),
                ask(RootByStep, "sqrt(bitcast_F(bitcast_U(x) & HIGHEST))", Float(|x, _, _| x.abs().root())),
                ask(RootByStep, "1.0_ / sqrt(x)", Float(|x, _, _| 1.0 / x.root())),
                ask(InverseBySteps, "1.0_ / sqrt(x)", Float(|x, _, _| 1.0 / x.root())),
                ask(
                    InverseBySteps,
                    "1.0_ / sqrt(bitcast_F(bitcast_U(x) & HIGHEST))",
                    Float(|x, _, _| 1.0 / x.abs().root()),
                ),
                ask(InverseBySteps, "1.0_ / sqrt(x * x + 0.5_)", Float(|x, _, _| 1.0 / (x * x + 0.5).root())),
                ask(
                    InverseBySteps,
                    "sqrt(x * x + 0.5_) - 1.0_ / sqrt(y)",
                    Float(|x, y, _| (x * x + 0.5).root() - 1.0 / y.root()),
                ),
                ask(Fma, "fma(x, y, z)", Float(|x, y, z| x.fused(y, z))),
                ask(Fma, "fma(-2.0_ * x, y, z)", Float(|x, y, z| (-2.0 * x).fused(y, z))),
                ask(Fma, "fma(x, y, z) - x * y", Float(|x, y, z| x.fused(y, z) - x * y)),
                ask(FusedNormal, "fma(x, y, z)", Such(nearly_fused)),
                ask(FusedNormal, "fma(-x, y, z)", Such(|x, y, z, got| nearly_fused(-x, y, z, got))),
                ask(StepNear, "sqrt(x)", Such(|x, _, _, got| nearly_root(x, got, 1))),
                ask(Compare, COMPARED, Bits(|x, y, _| compared(x, y))),
                ask(Compare, "select(x < 4.0_, x, 4.0_)", Float(|x, _, _| if x < 4.0 { x } else { 4.0 })),
                ask(Compare, "select(4.0_ >= x, x, 4.0_)", Float(|x, _, _| if 4.0 >= x { x } else { 4.0 })),
                ask(Compare, "select(x <= -1.0_, 1.0_, x)", Float(|x, _, _| if x <= -1.0 { 1.0 } else { x })),
                ask(Compare, "select(x > 1.5_, x, y)", Float(|x, y, _| if x > 1.5 { x } else { y })),
                ask(Compare, "select(x == 1.0_, z, y)", Float(|x, y, z| if x == 1.0 { z } else { y })),
                ask(Compare, "select(x < y, x, y)", Float(|x, y, _| if x < y { x } else { y })),
                ask(Compare, "select(x <= y, y, x)", Float(|x, y, _| if x <= y { y } else { x })),
                ask(Compare, "select(x < 0.0_, 1.0_, 2.0_)", Float(|x, _, _| if x < 0.0 { 1.0 } else { 2.0 })),
                ask(Compare, "select(x > 0.0_, x, y)", Float(|x, y, _| if x > 0.0 { x } else { y })),
                ask(CompareNormal, COMPARED, SuchBits(|x, y, _, got| nearly_compared(x, y, got))),
                ask(Negate, "-x", Float(|x, _, _| -x)),
                ask(Negate, "-(x - y)", Float(|x, y, _| -(x - y))),
                ask(Negate, "z - (-(x * y))", Float(|x, y, z| z - (-(x * y)))),
                ask(Absolute, "abs(x)", Float(|x, _, _| x.abs())),
                ask(Absolute, "abs(x - y) + z", Float(|x, y, z| (x - y).abs() + z)),
                ask(Floor, "floor(x)", Float(|x, _, _| x.floor())),
                ask(Floor, "x - floor(x)", Float(|x, _, _| x - x.floor())),
                ask(Ceil, "ceil(x)", Float(|x, _, _| x.ceil())),
                ask(Trunc, "trunc(x)", Float(|x, _, _| x.trunc())),
                ask(RoundEven, "round_even(x)", Float(|x, _, _| x.round_ties_even())),
                ask(RoundEven, "floor(x + 0.5_)", Float(|x, _, _| (x + 0.5).floor())),
                ask(FromInt, "to_F(WORD(x))", Float(|x, _, _| x.word() as F)),
                ask(FromInt, "to_F(WORD(x) as i32)", Float(|x, _, _| x.word() as i32 as F)),
                ask(FromInt, "to_F(WORD(x) & 1u32) * y", Float(|x, y, _| (x.word() & 1) as F * y)),
                ask(FromLong, "to_F(LONG(x, y))", Float(|x, y, _| x.long(y) as F)),
                ask(FromLong, "to_F(bitcast_i64(LONG(x, y)))", Float(|x, y, _| x.long(y) as i64 as F)),
                ask(ToInt, "WIDE(to_u32(x))", Bits(|x, _, _| u64::from(x as u32))),
                ask(ToInt, "WIDE(bitcast_u32(to_i32(x)))", Bits(|x, _, _| u64::from(x as i32 as u32))),
                ask(ToLong, "FOLD(to_u64(x))", Bits(|x, _, _| fold::<F>(x as u64))),
                ask(ToLong, "FOLD(bitcast_u64(to_i64(x)))", Bits(|x, _, _| fold::<F>(x as i64 as u64))),
                ask(Convert, "CONVERTED(x)", Bits(|x, _, _| x.converted())),
            ]
        }
    };
}

const COMPARED: &str = "to_U(x < y) | (to_U(x <= y) << 1u32) | (to_U(x > y) << 2u32) | (to_U(x >= y) << 3u32) | (to_U(x == y) << 4u32) | (to_U(x != y) << 5u32)";

asked!(single, f32);
asked!(double, f64);
