//! Machine code of the rows of the op table: [`each`] for rows that go component by component, [`whole`] for the others. Scalars and lanes alike.
//!
//! Code never traps, never contracts a product and a sum, and gives the table's bits for every argument. It stays in one block.
//!
//! Rows are in files by what they are on: `float`, `round`, `integer`, `divide`, `shift`, `count`, `convert`, `compare`, `half`, `whole`; all are written in
//! the `steps`. `call` runs the table's own meaning.
//!
//! # What is a call
//! For each lane one, which also costs what registers must be kept across it. A closed list:
//! - `rem` and `remainder` of floats: exact remainders take a loop as long as the exponents differ;
//! - `ipow` with an exponent that is not known, `isqrt` of 64-bit integers: rare, and long;
//! - `fma` and `mad` of floats where the machine has no such instruction, and rows that round to integers where it has none (x86-64 before SSE4.1): there
//!   kernels run at width 1.
//!
//! # What goes lane by lane
//! Of 64-bit integers, where x86-64 has nothing for vectors that Cranelift knows: `div`, `rem`, `div_euclid`, `rem_euclid`, `mul_hi`, `mul_sat`,
//! `mul_overflows`; `leading_zeros`, `trailing_zeros`, `first_high`, `first_low`; shifts, rotations and fields by numbers that differ from lane to lane;
//! conversions from floats, and to `f32`. On aarch64 also shifts of 32-bit integers by such numbers.
//!
//! # Instructions for four lanes
//! Loads and stores of arguments not counted; x86-64 with AVX2 (and AVX-512's `vpmullq`, `vcvtudq2ps`). 64-bit lanes are two vectors.
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

use super::Pace;
use super::facts::Facts;
use super::pieces::Pieces;
use crate::lanes::Elem;

/// Where code is written to.
pub(crate) struct Cx<'a, 'f> {
    /// The function.
    pub(crate) builder: &'a mut FunctionBuilder<'f>,
    /// The machine.
    pub(crate) facts: Facts,
    /// How the lanes of what is written go.
    pub(crate) pace: Pace,
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
