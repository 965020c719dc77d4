//! Compiles lane programs to AVX-512 code: whole kernels in vectors of 512 bits, where Cranelift
//! ends at 128.
//!
//! [`compile`] returns the machine code of a program, or the reason why it has none; then Cranelift
//! compiles the program. The road:
//!
//! - `folding` decides which values become operands of their only use;
//! - `lower` walks the nodes; `scalars`, `memory`, `lane_loop` and `atomics` lower what is not an
//!   operation on lanes, [`ops`] has the recipes for the rows of the op table;
//! - `vectors` are values in registers, `writer` writes instructions with virtual registers
//!   ([`vcode`]);
//! - `assemble` allocates registers (regalloc2) and encodes (iced-x86);
//! - `calls` has the effects that call our functions; `cold_node` leaves single nodes to Cranelift, through the `thunk`;
//! - `machine` says which processors wide code is for.
//!
//! # Values
//! Lanes of 32 bits fill one register per 16 lanes, those of 64 bits two. Programs of 4 and 8 lanes
//! have shorter vectors; those of 32 and 64 have several registers for each value, which is how
//! independent work overlaps. Masks are mask registers, of which bits above the last lane are zero.
//!
//! # Masked accesses
//! The processor neither reads nor writes what a mask excludes, and does not fault there. So masked
//! accesses need neither a test nor a substitute address.
//!
//! # What it never does
//! As the code of the Cranelift emitter, it never traps, never unwinds, calls only our functions,
//! and touches no byte outside the accesses of the program.

mod assemble;
mod atomics;
mod calls;
mod cold_node;
mod folding;
mod lane_loop;
mod lower;
pub(crate) mod machine;
mod memory;
mod ops;
mod scalars;
mod thunk;
mod vcode;
mod vectors;
mod writer;

use self::machine::WideMachine;
use super::compile::CompiledFunction;
use super::{CodeForm, EmitError};
use crate::lanes::LaneProgram;

/// The number of instructions from which a program is left to Cranelift, whose baseline tier takes
/// less time for each.
const MOST: usize = 20_000;

/// Lowers a program without making code of it.
pub(super) fn check(program: &LaneProgram) -> Result<(), EmitError> {
    lower::lower(program, WideMachine::avx512(), 0).map(|_| ())
}

/// Makes the machine code of a program. With `check`, register allocation is verified.
pub(super) fn compile(program: &LaneProgram, check: bool) -> Result<CompiledFunction, EmitError> {
    if !matches!(program.width, 4 | 8 | 16 | 32 | 64) {
        return Err(EmitError(format!("{} lanes are no vector", program.width)));
    }
    let machine = WideMachine::avx512();
    let lowered = lower::lower(program, machine, thunk::address()?)?;
    let instructions = lowered.function.insts.len();
    if instructions > MOST {
        return Err(EmitError(format!("it comes to {instructions} instructions, at most {MOST} are compiled")));
    }
    let code = assemble::assemble(&lowered.function, machine.longest, check)?;
    Ok(CompiledFunction {
        bytes: code.bytes,
        alignment: 64,
        lines: code.lines,
        asides: lowered.cold_blocks,
        runs: lowered.runs,
        slow: lowered.slow,
        frame: code.frame,
        form: CodeForm::Avx512,
        ..CompiledFunction::default()
    })
}
