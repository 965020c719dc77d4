//! Comparisons, selects, and bitwise operations, also of truth values.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use tilewise_ir::ops::{BitwiseOp, Comparison};
use tilewise_ir::types::Scalar;

use super::super::pieces::Pieces;
use super::Cx;
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CompareRow {
    Compare(Comparison),
    Select,
    Bitwise(BitwiseOp),
    Not,
}

/// Lowers an operation.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: CompareRow, scalar: Scalar, args: &[Pieces]) -> Pieces {
    let a = args[0];
    match row {
        CompareRow::Compare(comparison) => cx.compared(comparison, scalar, a, args[1]),
        CompareRow::Select => {
            let condition = cx.condition(a, args[1].elem());
            cx.choose(condition, args[1], args[2])
        }
        CompareRow::Bitwise(BitwiseOp::And) => cx.and(a, args[1]),
        CompareRow::Bitwise(BitwiseOp::Or) => cx.or(a, args[1]),
        CompareRow::Bitwise(BitwiseOp::Xor) => cx.xor(a, args[1]),
        CompareRow::Not if a.elem() == Elem::Bool => cx.opposite(a),
        CompareRow::Not => cx.one(a.elem(), a, &|at, a| at.bnot(a)),
    }
}

impl Cx<'_, '_> {
    fn compared(&mut self, comparison: Comparison, scalar: Scalar, a: Pieces, b: Pieces) -> Pieces {
        if scalar.is_float() {
            // Using only less-than lets x86-64 emit a select between the compared operands as one
            // instruction.
            let (order, a, b) = match comparison {
                Comparison::Eq => (FloatCC::Equal, a, b),
                Comparison::Ne => (FloatCC::NotEqual, a, b),
                Comparison::Lt => (FloatCC::LessThan, a, b),
                Comparison::Le => (FloatCC::LessThanOrEqual, a, b),
                Comparison::Gt => (FloatCC::LessThan, b, a),
                Comparison::Ge => (FloatCC::LessThanOrEqual, b, a),
            };
            let condition = self.fcmp(order, a, b);
            return self.truth(condition);
        }
        // A mask represents true by -1, so its order is reversed as signed, and correct as
        // unsigned.
        let signed = matches!(scalar, Scalar::I32 | Scalar::I64);
        let order = match comparison {
            Comparison::Eq => IntCC::Equal,
            Comparison::Ne => IntCC::NotEqual,
            Comparison::Lt if signed => IntCC::SignedLessThan,
            Comparison::Le if signed => IntCC::SignedLessThanOrEqual,
            Comparison::Gt if signed => IntCC::SignedGreaterThan,
            Comparison::Ge if signed => IntCC::SignedGreaterThanOrEqual,
            Comparison::Lt => IntCC::UnsignedLessThan,
            Comparison::Le => IntCC::UnsignedLessThanOrEqual,
            Comparison::Gt => IntCC::UnsignedGreaterThan,
            Comparison::Ge => IntCC::UnsignedGreaterThanOrEqual,
        };
        let condition = self.icmp(order, a, b);
        self.truth(condition)
    }
}
