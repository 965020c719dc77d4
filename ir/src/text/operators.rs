//! Precedence of operators, and their rows of the op table: for the parser and the printer.

use crate::ops::{ArithmeticOp, BitwiseOp, Comparison, DivisionOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp};
use crate::types::Scalar;

pub(super) const OR: u8 = 1;
pub(super) const AND: u8 = 2;
/// `== != < <= > >=`, which do not chain.
pub(super) const COMPARE: u8 = 3;
const BIT_OR: u8 = 4;
const BIT_XOR: u8 = 5;
const BIT_AND: u8 = 6;
const SHIFT: u8 = 7;
const SUM: u8 = 8;
const PRODUCT: u8 = 9;
pub(super) const CAST: u8 = 10;
pub(super) const UNARY: u8 = 11;
pub(super) const POSTFIX: u8 = 12;
/// A name, a literal or a call, which never needs parentheses.
pub(super) const ATOM: u8 = 13;

const BINARY: [(&str, u8, Op); 16] = [
    ("*", PRODUCT, Op::Mul),
    ("/", PRODUCT, Op::Div),
    ("%", PRODUCT, Op::Rem),
    ("+", SUM, Op::Add),
    ("-", SUM, Op::Sub),
    ("<<", SHIFT, Op::Shl),
    (">>", SHIFT, Op::Shr),
    ("&", BIT_AND, Op::And),
    ("^", BIT_XOR, Op::Xor),
    ("|", BIT_OR, Op::Or),
    ("==", COMPARE, Op::Eq),
    ("!=", COMPARE, Op::Ne),
    ("<", COMPARE, Op::Lt),
    ("<=", COMPARE, Op::Le),
    (">", COMPARE, Op::Gt),
    (">=", COMPARE, Op::Ge),
];

/// An operation with these operands in the text form: `2 + 3`, `-2`, `7 as i32`, `mad(2, 3, 4)`.
pub fn operation(op: Op, operands: &[String]) -> String {
    match (of(op), operands) {
        (Operator::Infix(mark, _), [a, b]) => format!("{a} {mark} {b}"),
        (Operator::Prefix(mark), [a]) if a.starts_with('-') => format!("{mark}({a})"),
        (Operator::Prefix(mark), [a]) => format!("{mark}{a}"),
        (Operator::Cast(to), [a]) => format!("{a} as {to}"),
        (Operator::Infix(..) | Operator::Prefix(_) | Operator::Cast(_) | Operator::Named, _) => {
            format!("{}({})", op.name(), operands.join(", "))
        }
    }
}

/// The precedence and the row of a binary operator.
pub(super) fn by_mark(mark: &str) -> Option<(u8, Op)> {
    BINARY.iter().find(|row| row.0 == mark).map(|row| (row.1, row.2))
}

/// The syntax of an operation in the text form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    /// Infix, with its precedence.
    Infix(&'static str, u8),
    /// Prefix.
    Prefix(&'static str),
    /// `x as f32`.
    Cast(Scalar),
    /// A call by name.
    Named,
}

/// The syntax of an operation: the inverse of [`BINARY`].
pub(crate) fn of(op: Op) -> Operator {
    match op.family() {
        OpFamily::Arithmetic(what, OverflowRule::Wrap) => match what {
            ArithmeticOp::Add => Operator::Infix("+", SUM),
            ArithmeticOp::Sub => Operator::Infix("-", SUM),
            ArithmeticOp::Mul => Operator::Infix("*", PRODUCT),
        },
        OpFamily::Division(DivisionOp::Div) => Operator::Infix("/", PRODUCT),
        OpFamily::Division(DivisionOp::Rem) => Operator::Infix("%", PRODUCT),
        OpFamily::Shift(ShiftOp::Shl) => Operator::Infix("<<", SHIFT),
        OpFamily::Shift(ShiftOp::Shr) => Operator::Infix(">>", SHIFT),
        OpFamily::Bitwise(BitwiseOp::And) => Operator::Infix("&", BIT_AND),
        OpFamily::Bitwise(BitwiseOp::Xor) => Operator::Infix("^", BIT_XOR),
        OpFamily::Bitwise(BitwiseOp::Or) => Operator::Infix("|", BIT_OR),
        OpFamily::Comparison(comparison) => Operator::Infix(
            match comparison {
                Comparison::Eq => "==",
                Comparison::Ne => "!=",
                Comparison::Lt => "<",
                Comparison::Le => "<=",
                Comparison::Gt => ">",
                Comparison::Ge => ">=",
            },
            COMPARE,
        ),
        OpFamily::Signed(SignOp::Neg) => Operator::Prefix("-"),
        OpFamily::Not => Operator::Prefix("!"),
        OpFamily::Conversion(scalar) => Operator::Cast(scalar),
        OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
        | OpFamily::Division(DivisionOp::DivEuclid | DivisionOp::RemEuclid)
        | OpFamily::MultiplyAdd
        | OpFamily::Signed(SignOp::Abs | SignOp::Sign)
        | OpFamily::Extreme(_)
        | OpFamily::Clamp
        | OpFamily::Integer(_)
        | OpFamily::Select
        | OpFamily::Reduction
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Bitcast(_)
        | OpFamily::Narrow(_)
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry(_) => Operator::Named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_between_operands_is_read_so() {
        for (mark, level, op) in BINARY {
            assert_eq!(of(op), Operator::Infix(mark, level));
        }
        let infix = Op::ROWS.iter().filter(|row| matches!(of(row.op), Operator::Infix(..))).count();
        assert_eq!(infix, BINARY.len());
        for row in Op::ROWS {
            let operands = match of(row.op) {
                Operator::Infix(..) => 2,
                Operator::Prefix(_) | Operator::Cast(_) => 1,
                Operator::Named => continue,
            };
            assert_eq!(row.args.len(), operands, "{}", row.name);
        }
    }
}
