//! Recipes for the rows of the op table, on lanes; scalars take part as lanes of width 1.
//!
//! Each row yields the table's bits for every argument, as the recipes of
//! [`op`](crate::emit::op) do for Cranelift; [`lowering`] classifies the rows for both. A row
//! without a recipe here gives `None`, and the node that needs it is left to Cranelift
//! ([`cold_node`](super::cold_node)): `rem` and `remainder` of floats, powers with unknown
//! exponents, roots and quotients of 64-bit integers.

mod compare;
mod convert;
mod count;
mod divide;
mod float;
mod half;
mod integer;
mod round;
mod shift;
mod whole;

pub(super) use float::{classes, reciprocal_root};
pub(super) use round::truncated;

use tilewise_ir::ops::{Instance, Op};
use tilewise_ir::types::Scalar;

use super::vectors::WideValue;
use super::writer::CodeWriter;
use crate::emit::op::table::{OpWriter, lowering};

/// A componentwise row.
pub(super) fn each(writer: &mut CodeWriter, op: Op, scalar: Scalar, args: &[WideValue]) -> Option<WideValue> {
    match lowering(op).code(scalar) {
        OpWriter::Compare(row) => Some(compare::row(writer, row, scalar, args)),
        OpWriter::Convert(row) => convert::row(writer, row, scalar, args),
        OpWriter::Integer(row) => integer::row(writer, row, scalar, args),
        OpWriter::Divide(row) => divide::row(writer, row, scalar, args),
        OpWriter::Shift(row) => Some(shift::row(writer, row, scalar, args)),
        OpWriter::Count(row) => Some(count::row(writer, row, scalar, args)),
        OpWriter::Float(row) => Some(float::row(writer, row, args)),
        OpWriter::Round(row) => round::row(writer, row, args),
        OpWriter::Whole(_) | OpWriter::Call => None,
    }
}

/// One component of a row on whole vectors: `args` has the components of all arguments in sequence,
/// `widths` the number of each.
pub(super) fn whole(
    writer: &mut CodeWriter,
    op: Op,
    instance: Instance,
    args: &[WideValue],
    widths: &[u8],
    component: u8,
) -> Option<WideValue> {
    let mut rest = args;
    let vectors: Vec<&[WideValue]> = widths
        .iter()
        .map(|&width| {
            let (own, others) = rest.split_at(width.into());
            rest = others;
            own
        })
        .collect();
    match lowering(op).code(instance.scalar) {
        OpWriter::Whole(row) => whole::row(writer, row, instance, &vectors, component.into()),
        OpWriter::Compare(_)
        | OpWriter::Convert(_)
        | OpWriter::Integer(_)
        | OpWriter::Divide(_)
        | OpWriter::Shift(_)
        | OpWriter::Count(_)
        | OpWriter::Float(_)
        | OpWriter::Round(_)
        | OpWriter::Call => None,
    }
}

/// Is it a signed integer?
fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::I64)
}
