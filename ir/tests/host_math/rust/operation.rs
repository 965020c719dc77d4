//! Operations on scalars as Rust: an operator or a method of the standard library with the same
//! meaning, where there is one.

use super::{FunctionWriter, RustText, Tightness, Untranslated, joined};
use tilewise_ir::ops::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, ExtremeOp, IntegerOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp,
};
use tilewise_ir::types::Scalar;

/// Rows that are methods of Rust's numbers with another name.
const METHODS: [(Op, &str); 16] = [
    (Op::Floor, "floor"),
    (Op::Ceil, "ceil"),
    (Op::Trunc, "trunc"),
    (Op::Round, "round"),
    (Op::RoundEven, "round_ties_even"),
    (Op::Sqrt, "sqrt"),
    (Op::Copysign, "copysign"),
    (Op::NextUp, "next_up"),
    (Op::NextDown, "next_down"),
    (Op::IsNan, "is_nan"),
    (Op::IsInf, "is_infinite"),
    (Op::IsFinite, "is_finite"),
    (Op::IsNormal, "is_normal"),
    (Op::IsSubnormal, "is_subnormal"),
    (Op::SignBit, "is_sign_negative"),
    (Op::Signum, "signum"),
];

impl FunctionWriter<'_> {
    /// A row of the op table on scalars of type `t`: the row's own Rust code where that is an
    /// operator or a method.
    pub(super) fn operation(
        &self,
        op: Op,
        t: Scalar,
        x: &[RustText],
        result: Scalar,
    ) -> Result<RustText, Untranslated> {
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
            // A literal float needs its type here.
            let is_literal = t.is_float() && x[0].text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
            let receiver = match is_literal && x[0].text.parse::<f64>().is_ok() {
                true => RustText { text: format!("{}_{t}", x[0].text), ..x[0] },
                false => x[0].clone(),
            };
            RustText::whole(format!("{}.{name}({})", receiver.at_least(Tightness::Whole), rest.join(", ")))
        };
        let call = |name: &str| RustText::whole(format!("{name}({})", joined(x.to_vec())));
        let cast = |to: &str| RustText {
            text: format!("{} as {to}", x[0].at_least(Tightness::Whole)),
            tightness: Tightness::Bits,
        };
        let float = t.is_float();
        // A constant count is known to be below the width.
        let shift = |sign: &str, otherwise: &str| match x[1].text.strip_suffix("_u32").and_then(|n| n.parse().ok()) {
            Some(count) if (0..t.bits()).contains(&count) => infix(sign, Tightness::Bits),
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
            OpFamily::Division(DivisionOp::Rem) if float => infix("%", Tightness::Product),
            OpFamily::MultiplyAdd if float => method("mul_add"),
            OpFamily::Signed(SignOp::Neg) if float => {
                RustText { text: format!("-{}", x[0].at_least(Tightness::Whole)), tightness: Tightness::Sign }
            }
            OpFamily::Not => {
                RustText { text: format!("!{}", x[0].at_least(Tightness::Whole)), tightness: Tightness::Sign }
            }
            OpFamily::Signed(SignOp::Neg) => method("wrapping_neg"),
            OpFamily::Signed(SignOp::Abs) if float => method("abs"),
            OpFamily::Signed(SignOp::Abs) => method("wrapping_abs"),
            OpFamily::Extreme(ExtremeOp::Min) => call("Numbers::min"),
            OpFamily::Extreme(ExtremeOp::Max) => call("Numbers::max"),
            OpFamily::Clamp => {
                let [x, low, high] = x else { return self.cannot("a clamp of other than three numbers") };
                RustText::whole(format!("Numbers::min(Numbers::max({}, {}), {})", x.text, low.text, high.text))
            }
            OpFamily::Float if op == Op::Rcp => {
                let text = format!("1.0 / {}", x[0].at_least(Tightness::Sign));
                RustText { text, tightness: Tightness::Product }
            }
            OpFamily::Float | OpFamily::FloatTest if METHODS.iter().any(|(other, _)| *other == op) => {
                method(METHODS.iter().find(|(other, _)| *other == op).map_or("", |(_, name)| name))
            }
            // std has no such function: the row's own meaning.
            OpFamily::Float | OpFamily::FloatTest => {
                let list = joined(x.to_vec());
                let comma = if x.len() == 1 { "," } else { "" };
                RustText::whole(format!("row::<_, {result}>(Op::{op:?}, ({list}{comma}))"))
            }
            OpFamily::Integer(IntegerOp::MulHi) => {
                let wide = match t {
                    Scalar::U32 => "u64",
                    Scalar::U64 => "u128",
                    Scalar::I32 => "i64",
                    Scalar::I64 | Scalar::Bool | Scalar::F32 | Scalar::F64 => "i128",
                };
                let (a, b, bits) = (&x[0].text, &x[1].text, t.bits());
                let text = format!("(({wide}::from({a}) * {wide}::from({b})) >> {bits}) as {t}");
                RustText { text, tightness: Tightness::Bits }
            }
            OpFamily::BitCount | OpFamily::BitMove
                if matches!(
                    op,
                    Op::CountOnes | Op::LeadingZeros | Op::TrailingZeros | Op::ReverseBits | Op::SwapBytes
                ) =>
            {
                method(op.name())
            }
            OpFamily::Shift(ShiftOp::Shl) => shift("<<", "wrapping_shl"),
            OpFamily::Shift(ShiftOp::Shr) => shift(">>", "wrapping_shr"),
            OpFamily::Bitwise(BitwiseOp::And) => infix("&", Tightness::Bits),
            OpFamily::Bitwise(BitwiseOp::Or) => infix("|", Tightness::Bits),
            OpFamily::Bitwise(BitwiseOp::Xor) => infix("^", Tightness::Bits),
            OpFamily::Comparison(Comparison::Ne) if float && x[0].text == x[1].text => {
                RustText::whole(format!("{}.is_nan()", x[0].at_least(Tightness::Whole)))
            }
            OpFamily::Comparison(Comparison::Eq) if float && x[0].text == x[1].text => {
                let text = format!("!{}.is_nan()", x[0].at_least(Tightness::Whole));
                RustText { text, tightness: Tightness::Sign }
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
            OpFamily::Conversion(Scalar::Bool) => return self.cannot("a conversion to `bool`"),
            OpFamily::Conversion(to) if t == to => x[0].clone(),
            OpFamily::Conversion(to) if t == Scalar::Bool && to.is_float() => {
                RustText::whole(format!("{to}::from(u8::from({}))", x[0].text))
            }
            OpFamily::Conversion(to) if t == Scalar::Bool => RustText::whole(format!("{to}::from({})", x[0].text)),
            OpFamily::Conversion(to) => cast(to.name()),
            OpFamily::Bitcast(to) if to == t => x[0].clone(),
            OpFamily::Bitcast(Scalar::U32 | Scalar::U64) if float => method("to_bits"),
            OpFamily::Bitcast(to @ (Scalar::I32 | Scalar::I64)) if float => {
                RustText { text: format!("{} as {to}", method("to_bits").text), tightness: Tightness::Bits }
            }
            OpFamily::Bitcast(to @ (Scalar::F32 | Scalar::F64)) => {
                let unsigned = if to == Scalar::F32 { Scalar::U32 } else { Scalar::U64 };
                let bits = if t == unsigned { x[0].text.clone() } else { cast(unsigned.name()).text };
                RustText::whole(format!("{to}::from_bits({bits})"))
            }
            OpFamily::Bitcast(to) => cast(to.name()),
            OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
            | OpFamily::Division(_)
            | OpFamily::MultiplyAdd
            | OpFamily::Signed(_)
            | OpFamily::Integer(_)
            | OpFamily::Reduction
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Narrow(_)
            | OpFamily::Packed
            | OpFamily::Geometry(_) => return self.cannot(format!("the operation `{}` of {t}", op.name())),
        })
    }
}
