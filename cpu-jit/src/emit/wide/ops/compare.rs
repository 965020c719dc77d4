//! Comparisons, selects, and bitwise operations, also of truth values.

use tilewise_ir::ops::{BitwiseOp, Comparison};
use tilewise_ir::types::Scalar;

use super::super::vectors::{FloatOrder, IntOrder, WideValue};
use super::super::writer::CodeWriter;
use super::is_signed;
use crate::emit::op::compare::CompareRow;
use crate::lanes::Elem;

/// Lowers an operation.
pub(super) fn row(writer: &mut CodeWriter, row: CompareRow, scalar: Scalar, args: &[WideValue]) -> WideValue {
    let a = &args[0];
    match row {
        CompareRow::Compare(comparison) if a.elem == Elem::Bool => truths(writer, comparison, a, &args[1]),
        CompareRow::Compare(comparison) if scalar.is_float() => {
            let order = match comparison {
                Comparison::Eq => FloatOrder::Equal,
                Comparison::Ne => FloatOrder::NotEqual,
                Comparison::Lt => FloatOrder::Less,
                Comparison::Le => FloatOrder::LessEqual,
                Comparison::Gt => FloatOrder::Greater,
                Comparison::Ge => FloatOrder::GreaterEqual,
            };
            writer.compare_floats(order, a, &args[1])
        }
        CompareRow::Compare(comparison) => {
            let order = match comparison {
                Comparison::Eq => IntOrder::Equal,
                Comparison::Ne => IntOrder::NotEqual,
                Comparison::Lt => IntOrder::Less,
                Comparison::Le => IntOrder::LessEqual,
                Comparison::Gt => IntOrder::Greater,
                Comparison::Ge => IntOrder::GreaterEqual,
            };
            writer.compare_ints(order, is_signed(scalar), a, &args[1])
        }
        CompareRow::Select => writer.select(a, &args[1], &args[2]),
        CompareRow::Bitwise(BitwiseOp::And) => writer.and(a, &args[1]),
        CompareRow::Bitwise(BitwiseOp::Or) => writer.or(a, &args[1]),
        CompareRow::Bitwise(BitwiseOp::Xor) => writer.xor(a, &args[1]),
        CompareRow::Not => writer.not(a),
    }
}

/// Compares truth values: false is less than true.
fn truths(writer: &mut CodeWriter, comparison: Comparison, a: &WideValue, b: &WideValue) -> WideValue {
    match comparison {
        Comparison::Ne => writer.mask_xor(a, b),
        Comparison::Lt => writer.mask_without(b, a),
        Comparison::Gt => writer.mask_without(a, b),
        Comparison::Eq => {
            let differ = writer.mask_xor(a, b);
            writer.mask_not(&differ)
        }
        Comparison::Le => {
            let above = writer.mask_without(a, b);
            writer.mask_not(&above)
        }
        Comparison::Ge => {
            let below = writer.mask_without(b, a);
            writer.mask_not(&below)
        }
    }
}
