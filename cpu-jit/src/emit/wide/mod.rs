//! Compiles lane programs to wide code: whole kernels in vectors of 512 bits with AVX-512, or of
//! 256 with AVX2, where Cranelift ends at 128.
//!
//! [`compile`] returns the machine code of a program, or the reason why it has none; then Cranelift
//! compiles the program. The road:
//!
//! - `folding` decides which values become operands of their only use, and `extremes` which selections
//!   are one instruction;
//! - `lower` walks the nodes; `conditions`, `scalars`, `splats`, `memory`, `strides`, `row_groups`,
//!   `gathers`, `windows`, `lane_loop` and `atomics` lower what is not an operation on lanes, [`ops`]
//!   has the recipes for the rows of the op table, `plain_op` those of one instruction;
//! - `vectors` are values in registers, `masks` are masks; `arithmetic`, `comparisons`, `widths` and
//!   `substitutes` are what recipes are made of;
//! - `writer` writes instructions with virtual registers ([`vcode`]); `vex` has their older
//!   encodings;
//! - `assemble` allocates registers (regalloc2) and encodes (iced-x86);
//! - `calls` has the effects that call our functions; `cold_node` leaves single nodes to Cranelift, through the `thunk`;
//! - `machine` says which processors wide code is for.
//!
//! # Two forms, one lowering
//! Recipes name the instructions of AVX-512. Without it (`WideMachine::has_masks`) the writer takes
//! the encoding of AVX2 where there is one; what has none is written otherwise, in `masks` and
//! `substitutes`. A recipe that is missed is an error that tests find, and Cranelift compiles the
//! program.
//!
//! # Values
//! Lanes of 32 bits fill one register per 16 lanes with AVX-512 and per 8 with AVX2, those of 64
//! bits twice as many. Shorter programs have shorter vectors; longer ones have several registers
//! for each value, which is how independent work overlaps. Masks are mask registers, of which bits
//! above the last lane are zero; with AVX2 vectors of 32-bit lanes, all ones or all zeros.
//!
//! # Masked accesses
//! The processor neither reads nor writes what a mask excludes, and does not fault there. So masked
//! accesses need neither a test nor a substitute address. With AVX2 narrow lanes under a mask, and
//! stores at offsets, are accessed one by one.
//!
//! # What it never does
//! As the code of the Cranelift emitter, it never traps, never unwinds, calls only our functions,
//! and touches no byte outside the accesses of the program.

mod arithmetic;
mod assemble;
mod atomics;
mod bit_merges;
mod calls;
mod cold_node;
mod comparisons;
mod conditions;
mod extremes;
mod folding;
mod gathers;
mod lane_loads;
mod lane_loop;
mod lower;
pub(crate) mod machine;
mod masks;
mod memory;
mod ops;
mod plain_op;
mod row_groups;
mod scalars;
mod splats;
mod strides;
mod substitutes;
mod thunk;
mod vcode;
mod vectors;
mod vex;
mod widths;
mod windows;
mod writer;

use self::machine::WideMachine;
use super::compile::CompiledFunction;
use super::{CodeForm, EmitError};
use crate::lanes::LaneProgram;

/// The number of instructions from which a program is left to Cranelift, whose baseline tier takes
/// less time for each.
const MOST: usize = 40_000;

/// The number of instructions up to which register allocation is verified, which takes longer than
/// the allocation.
const CHECKED: usize = 4_000;

/// The same for single-pass allocation: it gives most values a place on the stack, all of which the
/// checker follows through each block.
const CHECKED_SINGLE_PASS: usize = 500;

/// Lowers a program without making code of it.
pub(super) fn check(program: &LaneProgram, form: CodeForm) -> Result<(), EmitError> {
    lower::lower(program, machine(form)?, 0).map(|_| ())
}

fn machine(form: CodeForm) -> Result<WideMachine, EmitError> {
    WideMachine::of(form).ok_or_else(|| EmitError(format!("{form:?} is no form of wide code")))
}

/// Makes the machine code of a program; from `baseline` instructions on, that of the baseline tier.
/// With `check`, register allocation is verified.
pub(super) fn compile(
    program: &LaneProgram,
    form: CodeForm,
    baseline: usize,
    check: bool,
) -> Result<CompiledFunction, EmitError> {
    if !matches!(program.width, 4 | 8 | 16 | 32 | 64) {
        return Err(EmitError(format!("{} lanes are no vector", program.width)));
    }
    let machine = machine(form)?;
    let lowered = lower::lower(program, machine, thunk::address(machine)?)?;
    let instructions = lowered.function.insts.len();
    if instructions > MOST {
        return Err(EmitError(format!("it has {instructions} instructions, at most {MOST} are compiled")));
    }
    let soon = instructions >= baseline;
    let most_checked = if soon { CHECKED_SINGLE_PASS } else { CHECKED };
    let code = assemble::assemble(&lowered.function, machine, soon, check && instructions <= most_checked)?;
    Ok(CompiledFunction {
        bytes: code.bytes,
        alignment: 64,
        lines: code.lines,
        asides: lowered.cold_blocks,
        runs: lowered.runs,
        slow: lowered.slow,
        frame: code.frame,
        form: machine.form,
        soon,
        ..CompiledFunction::default()
    })
}
