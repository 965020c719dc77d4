//! Comparisons, choices, and what is done bit by bit. Of truth values too.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::super::pieces::Pieces;
use super::Cx;
use crate::lanes::Elem;

/// A row, if it is one of those here.
pub(super) fn row(cx: &mut Cx<'_, '_>, op: Op, scalar: Scalar, args: &[Pieces]) -> Option<Pieces> {
    let a = args[0];
    Some(match op {
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => cx.compared(op, scalar, a, args[1]),
        Op::Select => {
            let condition = cx.condition(a, args[1].elem());
            cx.choose(condition, args[1], args[2])
        }
        Op::And => cx.and(a, args[1]),
        Op::Or => cx.or(a, args[1]),
        Op::Xor => cx.xor(a, args[1]),
        Op::Not if a.elem() == Elem::Bool => cx.opposite(a),
        Op::Not => cx.one(a.elem(), a, |at, a| at.bnot(a)),
        _ => return None,
    })
}

impl Cx<'_, '_> {
    fn compared(&mut self, op: Op, scalar: Scalar, a: Pieces, b: Pieces) -> Pieces {
        if scalar.is_float() {
            // With `below` only, a choice between what was compared is one instruction on x86-64.
            let (order, a, b) = match op {
                Op::Eq => (FloatCC::Equal, a, b),
                Op::Ne => (FloatCC::NotEqual, a, b),
                Op::Lt => (FloatCC::LessThan, a, b),
                Op::Le => (FloatCC::LessThanOrEqual, a, b),
                Op::Gt => (FloatCC::LessThan, b, a),
                _ => (FloatCC::LessThanOrEqual, b, a),
            };
            let condition = self.fcmp(order, a, b);
            return self.truth(condition);
        }
        // A mask says true by -1, so that its order is the other way round as signed, and the same as unsigned.
        let signed = matches!(scalar, Scalar::I32 | Scalar::I64);
        let order = match op {
            Op::Eq => IntCC::Equal,
            Op::Ne => IntCC::NotEqual,
            Op::Lt if signed => IntCC::SignedLessThan,
            Op::Le if signed => IntCC::SignedLessThanOrEqual,
            Op::Gt if signed => IntCC::SignedGreaterThan,
            Op::Ge if signed => IntCC::SignedGreaterThanOrEqual,
            Op::Lt => IntCC::UnsignedLessThan,
            Op::Le => IntCC::UnsignedLessThanOrEqual,
            Op::Gt => IntCC::UnsignedGreaterThan,
            _ => IntCC::UnsignedGreaterThanOrEqual,
        };
        let condition = self.icmp(order, a, b);
        self.truth(condition)
    }
}
