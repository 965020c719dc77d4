//! Machine code of the rows of the op table: [`each`] for rows that go component by component, [`whole`] for the others. Scalars and lanes alike.
//!
//! Code never traps, never contracts a product and a sum, and gives the table's bits for every argument. It stays in one block.

mod call;
mod compare;
mod convert;
mod count;
mod divide;
mod float;
mod half;
mod integer;
mod round;
mod shift;
mod steps;
mod whole;

use cranelift_frontend::FunctionBuilder;
use tilewise_ir::ops::{Instance, Op, SlotScalar};
use tilewise_ir::types::Scalar;

use super::facts::Facts;
use super::pieces::Pieces;
use crate::lanes::Elem;

/// Where code is written to.
pub(crate) struct Cx<'a, 'f> {
    /// The function.
    pub(crate) builder: &'a mut FunctionBuilder<'f>,
    /// The machine.
    pub(crate) facts: Facts,
}

/// A row that goes component by component, on scalars, or on lanes of one width.
pub(crate) fn each(cx: &mut Cx<'_, '_>, op: Op, scalar: Scalar, args: &[Pieces]) -> Option<Pieces> {
    native(cx, op, scalar, args).or_else(|| call::each(cx, op, scalar, result_of(op, scalar), args))
}

/// A row's own code, if it has any.
fn native(cx: &mut Cx<'_, '_>, op: Op, scalar: Scalar, args: &[Pieces]) -> Option<Pieces> {
    let of_type = |cx: &mut Cx<'_, '_>| match scalar {
        Scalar::F32 | Scalar::F64 => float::row(cx, op, args).or_else(|| round::row(cx, op, args)),
        Scalar::Bool => None,
        _ => divide::row(cx, op, scalar, args)
            .or_else(|| shift::row(cx, op, scalar, args))
            .or_else(|| count::row(cx, op, scalar, args))
            .or_else(|| integer::row(cx, op, scalar, args)),
    };
    compare::row(cx, op, scalar, args).or_else(|| convert::row(cx, op, scalar, args)).or_else(|| of_type(cx))
}

/// What a row gives, for a scalar that its variable is.
fn result_of(op: Op, scalar: Scalar) -> Elem {
    match op.row().result.scalar {
        SlotScalar::Fixed(fixed) => Elem::of(fixed),
        SlotScalar::T => Elem::of(scalar),
    }
}

/// One component of a row on whole vectors: the arguments' components one after the other, and how many each has.
pub(crate) fn whole(
    cx: &mut Cx<'_, '_>,
    op: Op,
    instance: Instance,
    args: &[Pieces],
    widths: &[u8],
    component: u8,
) -> Option<Pieces> {
    let mut rest = args;
    let vectors: Vec<&[Pieces]> = widths
        .iter()
        .map(|&width| {
            let (vector, others) = rest.split_at(width.into());
            rest = others;
            vector
        })
        .collect();
    whole::row(cx, op, instance, &vectors, component.into())
}
