//! Operations on scalars as Rust: an operator or a method of the standard library with the same
//! meaning, where there is one.

use super::{FunctionWriter, RustText, Tightness, Untranslated};
use crate::ops::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, IntegerOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp,
};
use crate::types::Scalar;

impl FunctionWriter<'_> {
    /// A row of the op table on scalars of type `t`: the row's own Rust code where that is an
    /// operator or a method.
    pub(super) fn operation(&self, op: Op, t: Scalar, x: &[RustText]) -> Result<RustText, Untranslated> {
        let infix = |sign: &str, tightness: Tightness| {
            let (left, right) = match tightness {
                // Their relative precedence is not well known, so parentheses are always written.
                Tightness::Bits | Tightness::Comparison => (Tightness::Sign, Tightness::Sign),
                Tightness::Sum => (Tightness::Sum, Tightness::Product),
                _ => (Tightness::Product, Tightness::Sign),
            };
            RustText { text: format!("{} {sign} {}", x[0].at_least(left), x[1].at_least(right)), tightness }
        };
        let method = |name: &str| {
            let rest: Vec<_> = x[1..].iter().map(|text| text.text.clone()).collect();
            RustText::whole(format!("{}.{name}({})", x[0].at_least(Tightness::Whole), rest.join(", ")))
        };
        let cast = |to: &str| RustText {
            text: format!("{} as {to}", x[0].at_least(Tightness::Whole)),
            tightness: Tightness::Bits,
        };
        let float = t == Scalar::F32;
        // A constant count is known to be below the width.
        let shift = |sign: &str, otherwise: &str| match x[1].text.strip_suffix("_u32").and_then(|n| n.parse().ok()) {
            Some(0..32) => infix(sign, Tightness::Bits),
            _ => method(otherwise),
        };
        Ok(match op.family() {
            OpFamily::Arithmetic(what, OverflowRule::Wrap) => match what {
                ArithmeticOp::Add if float => infix("+", Tightness::Sum),
                ArithmeticOp::Sub if float => infix("-", Tightness::Sum),
                ArithmeticOp::Mul if float => infix("*", Tightness::Product),
                ArithmeticOp::Add => method("wrapping_add"),
                ArithmeticOp::Sub => method("wrapping_sub"),
                ArithmeticOp::Mul => method("wrapping_mul"),
            },
            OpFamily::Division(DivisionOp::Div) if float => infix("/", Tightness::Product),
            OpFamily::Signed(SignOp::Neg) if float => {
                RustText { text: format!("-{}", x[0].at_least(Tightness::Whole)), tightness: Tightness::Sign }
            }
            OpFamily::Not => {
                RustText { text: format!("!{}", x[0].at_least(Tightness::Whole)), tightness: Tightness::Sign }
            }
            OpFamily::Signed(SignOp::Abs) if float => method("abs"),
            OpFamily::Float if matches!(op, Op::Floor | Op::Sqrt) => method(op.name()),
            OpFamily::Integer(IntegerOp::MulHi) if t == Scalar::U32 => RustText {
                text: format!("((u64::from({}) * u64::from({})) >> 32) as u32", x[0].text, x[1].text),
                tightness: Tightness::Bits,
            },
            OpFamily::Shift(ShiftOp::Shl) => shift("<<", "wrapping_shl"),
            OpFamily::Shift(ShiftOp::Shr) => shift(">>", "wrapping_shr"),
            OpFamily::Bitwise(BitwiseOp::And) => infix("&", Tightness::Bits),
            OpFamily::Bitwise(BitwiseOp::Or) => infix("|", Tightness::Bits),
            OpFamily::Bitwise(BitwiseOp::Xor) => infix("^", Tightness::Bits),
            OpFamily::Comparison(Comparison::Ne) if float && x[0].text == x[1].text => {
                RustText::whole(format!("{}.is_nan()", x[0].at_least(Tightness::Whole)))
            }
            OpFamily::Comparison(comparison) => {
                let sign = match comparison {
                    Comparison::Eq => "==",
                    Comparison::Ne => "!=",
                    Comparison::Lt => "<",
                    Comparison::Le => "<=",
                    Comparison::Gt => ">",
                    Comparison::Ge => ">=",
                };
                infix(sign, Tightness::Comparison)
            }
            OpFamily::Select => RustText::whole(format!("select({}, {}, {})", x[0].text, x[1].text, x[2].text)),
            OpFamily::Conversion(Scalar::F32) if t != Scalar::Bool => cast("f32"),
            OpFamily::Bitcast(Scalar::U32) if float => method("to_bits"),
            OpFamily::Bitcast(Scalar::U32) => cast("u32"),
            OpFamily::Bitcast(Scalar::I32) if float => {
                RustText { text: format!("{} as i32", method("to_bits").text), tightness: Tightness::Bits }
            }
            OpFamily::Bitcast(Scalar::I32) => cast("i32"),
            OpFamily::Bitcast(Scalar::F32) if t == Scalar::U32 => {
                RustText::whole(format!("f32::from_bits({})", x[0].text))
            }
            OpFamily::Bitcast(Scalar::F32) if t == Scalar::I32 => {
                RustText::whole(format!("f32::from_bits({})", cast("u32").text))
            }
            OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
            | OpFamily::Division(_)
            | OpFamily::MultiplyAdd
            | OpFamily::Signed(_)
            | OpFamily::Extreme(_)
            | OpFamily::Clamp
            | OpFamily::Integer(_)
            | OpFamily::Reduction
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Conversion(_)
            | OpFamily::Bitcast(_)
            | OpFamily::Narrow(_)
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => return self.cannot(format!("the operation `{}` of {t}", op.name())),
        })
    }
}
