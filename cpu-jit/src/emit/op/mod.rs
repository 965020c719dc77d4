//! Lowers the rows of the op table: [`each`] for componentwise rows, [`whole`] for the others.
//! Scalars and lanes alike.
//!
//! Code never traps, never contracts a product and a sum, and yields the table's bits for every
//! argument. It stays in one basic block.
//!
//! Rows are grouped into files by kind: `float`, `round`, `integer`, `divide`, `shift`, `count`,
//! `convert`, `compare`, `half`, `whole`; all are written in terms of `steps`. `call` calls the
//! table's own evaluation. [`table`] states for every row which file lowers it, when it is a call,
//! and when lanes are scalarised.
//!
//! # Instructions for four lanes
//! Without loads and stores of arguments; x86-64 with AVX2 (and AVX-512's `vpmullq`, `vcvtudq2ps`).
//! 64-bit lanes are two vectors.
//!
//! | row | i32 | u32 | f32 | i64 | u64 | f64 |
//! |---|---|---|---|---|---|---|
//! | add, sub, mul | 1 | 1 | 1 | 2 | 2 | 2 |
//! | div | 16 | 20 | 1 | 92 | 37 | 2 |
//! | div by a uniform number | 10 | 12 | 1 | 92 | 37 | 2 |
//! | div by a constant; by a power of two | 11; 4 | 7 to 10; 1 | 1 | | | 2 |
//! | rem | 18 | 22 | call | 57 | 37 | call |
//! | min, max (one operand a constant) | 1 | 1 | 6 (1) | 8 | 8 | 12 (2) |
//! | clamp (constant bounds), saturate | 2 | 2 | 12 (2), 2 | 16 | 16 | 24 (4), 4 |
//! | mad | 2 | 2 | 1 | 4 | 4 | 2 |
//! | abs, neg | 1, 2 | | 1 | 2, 4 | | 2 |
//! | eq; lt | 1; 1 | 1; 3 | 1; 1 | 3; 3 | 3; 7 | 3; 3 |
//! | select | 1 | 1 | 1 | 2 | 2 | 2 |
//! | and, or, xor | 1 | 1 | | 2 | 2 | |
//! | shl, shr by one number | 1 | 1 | | 2 | 2 | |
//! | shl; shr | 5; 18 | 5; 15 | | 16 | 16 | |
//! | rotl, rotr | 15, 17 | 15, 17 | | 16 | 16 | |
//! | mul_hi | 9 | 9 | | 16 | 16 | |
//! | add_sat, sub_sat | 9 | 7 | | 17 | 11 | |
//! | count_ones, leading_zeros, trailing_zeros | 6, 8, 10 | 6, 8, 10 | | 17, 13, 18 | 17, 13, 18 | |
//! | reverse_bits, swap_bytes | 16, 1 | 16, 1 | | 32, 2 | 32, 2 | |
//! | extract_bits, insert_bits | 33, 34 | 30, 34 | | 46, 62 | 46, 62 | |
//! | floor, ceil, trunc, round_even; round; fract | | | 1; 5; 2 | | | 2; 9; 4 |
//! | sqrt, rcp; copysign; sign | | | 1; 3; 7 | | | 2; 6; 15 |
//! | frexp_fract; ldexp (by a constant); ilogb | | | 13; 35 (1); 19 | | | 25; 110 (2); 37 |
//! | next_up; modf_fract; total_cmp | | | 10; 11; 10 | | | 17; 21; 20 |
//! | to_i32; to_u32 | 0 | 0 | 7; 13 | 1 | 1 | 9; 13 |
//! | to_i64, to_u64 | 3 | 3 | 11 | 0 | 0 | 10 |
//! | to_f32; to_f64 | 1; 3 | 1; 5 | 0; 3 | 17; 14 | 13; 12 | 3; 0 |
//! | quantize_f16 | | | 26 | | | |

mod call;
pub(super) mod compare;
pub(super) mod convert;
pub(super) mod count;
pub(super) mod divide;
pub(super) mod float;
mod half;
pub(super) mod integer;
pub(super) mod round;
pub(super) mod shift;
mod steps;
pub(super) mod table;
pub(super) mod whole;

use cranelift_frontend::FunctionBuilder;
use tilewise_ir::ops::{Instance, Op, SlotScalar};
use tilewise_ir::types::Scalar;

use super::LaneCost;
use super::facts::MachineFacts;
use super::pieces::Pieces;
use crate::lanes::Elem;
use table::{Lanewise, OpWriter, lowering};

/// The context for lowering a row.
pub(crate) struct Cx<'a, 'f> {
    /// The function under construction.
    pub(crate) builder: &'a mut FunctionBuilder<'f>,
    /// The machine's features.
    pub(crate) facts: MachineFacts,
    /// How the lanes of the code being written are lowered.
    pub(crate) pace: LaneCost,
}

/// A componentwise row, on scalars, or on lanes of one width.
pub(crate) fn each(cx: &mut Cx<'_, '_>, op: Op, scalar: Scalar, args: &[Pieces]) -> Option<Pieces> {
    // A scalar that the row does not take has no meaning, and no code.
    let meaning = op.each(scalar)?;
    let code = lowering(op).code(scalar);
    if code.calls(scalar).now(cx.facts, args) {
        return Some(call::each(cx, meaning, result_of(op, scalar), args));
    }
    let before = cx.pace;
    let written = match code {
        OpWriter::Compare(row) => Some(compare::row(cx, row, scalar, args)),
        OpWriter::Convert(row) => Some(convert::row(cx, row, scalar, args)),
        OpWriter::Integer(row) => integer::row(cx, row, scalar, args),
        OpWriter::Divide(row) => Some(divide::row(cx, row, scalar, args)),
        OpWriter::Shift(row) => Some(shift::row(cx, row, scalar, args)),
        OpWriter::Count(row) => Some(count::row(cx, row, scalar, args)),
        OpWriter::Float(row) => Some(float::row(cx, row, args)),
        OpWriter::Round(row) => Some(round::row(cx, row, args)),
        OpWriter::Whole(_) | OpWriter::Call => None,
    };
    debug_assert!(
        cx.pace == before || cx.pace != LaneCost::Lanes || code.lanewise(scalar) != Lanewise::Never,
        "the lanes of `{}` go one by one, and the table does not say so",
        op.name()
    );
    written
}

/// The result element of a row, for an instance of its type variable.
fn result_of(op: Op, scalar: Scalar) -> Elem {
    match op.row().result.scalar {
        SlotScalar::Fixed(fixed) => Elem::of(fixed),
        SlotScalar::T => Elem::of(scalar),
    }
}

/// One component of a row on whole vectors: `args` has the components of all arguments in sequence,
/// `widths` the number of each.
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
    match lowering(op).code(instance.scalar) {
        OpWriter::Whole(row) => whole::row(cx, row, instance, &vectors, component.into()),
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
