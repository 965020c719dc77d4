//! Compiles lane programs to machine code through Cranelift.
//!
//! [`compile`] returns a [`MachineCode`]: one function that runs a program. A value of the program
//! is one Cranelift value or several 128-bit vectors ([`pieces`]). Operations of the op table are
//! in [`op`]; the rest has one file per kind of node:
//!
//! - `emitter`: nodes and control, `values`: instructions without memory, `mask`: mask queries;
//! - `place`: addresses, `load`, `store`, `narrow` and `half`: memory formats, `gather`: rarely
//!   executed accesses, `atomic`, `copy`;
//! - `rematerialise`: constants of large programs;
//! - `plan` and `cold_block`: cold blocks, compiled only when they first run;
//! - `interpret_cold`: the fallback for a cold block that fails to compile;
//! - `effect`: messages, clearing, the poll; `host`: the callbacks behind them; `thunk`: calls to
//!   our own functions; `shared_memory`: accesses by these functions;
//! - `compile`, `target`, `facts`: the driver and its targets; `executable`, `code`: the result;
//!   `listing`: the result as text.
//!
//! # What generated code never does
//! It never traps, never unwinds, calls no library (it calls our own functions by address), and
//! touches no byte outside the accesses of the program, except overhangs in the worker's memory
//! ([`MemorySpace::Arena`](crate::lanes::MemorySpace::Arena)).
//!
//! # When compilation fails
//! Cranelift returns an error for an operation it has no instructions for, and so does a function
//! that is too large (`compile` checks before and after). Its panics, and those of the emitter, are
//! assertions about input that the emitter does not write: it writes a closed list of instructions,
//! each of which the tests compile for each number of lanes and each machine. So a panic here is a
//! bug of ours or of Cranelift. It is caught, the launch falls back or ends with an error, and the
//! program's panic hook reports it like any other panic. We do not replace the hook to hide that:
//! there is one hook for the whole process, it may not be set while a thread unwinds, and a bug
//! should be visible.
//!
//! # Masked accesses
//! Only lanes that are not masked off have a meaningful address. So a masked access either tests
//! first whether all lanes are set and then takes the unmasked path, or is scalarised with the
//! *address* selected per lane: a line of zeros for loads, the sink for stores. In the worker's
//! memory, vectors are loaded and written back whole, 64 bytes at a time, and only if one of their
//! lanes is set, so that accesses stay near the intended address.

mod atomic;
mod change;
mod checking;
mod code;
mod cold_block;
mod compile;
mod copy;
mod effect;
mod emitter;
mod executable;
pub(crate) mod facts;
mod gather;
mod half;
mod host;
mod interpret_cold;
pub(crate) mod listing;
mod load;
mod mask;
mod narrow;
pub(crate) mod op;
pub(crate) mod pieces;
mod place;
mod plan;
mod rematerialise;
#[doc(hidden)]
pub mod shared_memory;
mod store;
mod target;
#[cfg(test)]
pub(crate) mod tests;
mod thunk;
mod values;
#[cfg(all(target_arch = "x86_64", not(windows)))]
mod wide;

use std::sync::OnceLock;

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use crate::environment;
use crate::lanes::{OptimiseGoals, VectorMachine};

pub use checking::check_generated_code;
pub(crate) use checking::is_code_checked;
pub use code::MachineCode;
pub use cold_block::FAILED;
pub(crate) use compile::is_wide;
pub(crate) use compile::{COMPILE_STACK, guarded};
pub use compile::{compile, compile_for};
pub use host::{HostCalls, Tell};
pub use target::{fuses, widest};

/// The emitter that makes the code of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CodeForm {
    /// Cranelift: vectors of 128 bits, on every processor.
    #[default]
    Cranelift,
    /// Wide code: vectors of 256 bits, on x86-64 with AVX2 and FMA.
    Avx2,
    /// Wide code: vectors of 512 bits, on x86-64 with AVX-512.
    Avx512,
}

impl CodeForm {
    /// All forms, the widest last.
    pub const ALL: [CodeForm; 3] = [CodeForm::Cranelift, CodeForm::Avx2, CodeForm::Avx512];

    /// The name on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            CodeForm::Cranelift => "cranelift",
            CodeForm::Avx2 => "avx2",
            CodeForm::Avx512 => "avx512",
        }
    }

    /// What programs for this code are optimised for; `longer` if the code may be long. Vectors of
    /// 128 bits fill the registers too soon for tile memory in them, or for several rows.
    pub const fn goals(self, relaxed: bool, longer: bool) -> OptimiseGoals {
        let (machine, has_room) = match self {
            CodeForm::Cranelift => (VectorMachine::BITS_128, false),
            CodeForm::Avx2 => (VectorMachine::BITS_256, true),
            CodeForm::Avx512 => (VectorMachine::BITS_512, true),
        };
        OptimiseGoals { machine, relaxed, longer: longer && has_room }
    }

    /// The form called `name`.
    pub fn by_name(name: &str) -> Option<CodeForm> {
        CodeForm::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Does this processor run it?
    pub fn is_native(self) -> bool {
        match self {
            CodeForm::Cranelift => true,
            CodeForm::Avx2 => wide_forms().0,
            CodeForm::Avx512 => wide_forms().1,
        }
    }

    /// The widest form that this processor runs, or the first of those that the environment variable
    /// `TILEWISE_CODE` names that it runs.
    pub fn widest() -> CodeForm {
        static WIDEST: OnceLock<CodeForm> = OnceLock::new();
        *WIDEST.get_or_init(|| {
            let asked = environment::words("TILEWISE_CODE", &CodeForm::ALL.map(CodeForm::name));
            let asked = asked.iter().filter_map(|name| CodeForm::by_name(name)).find(|form| form.is_native());
            let native = CodeForm::ALL.into_iter().rev().find(|form| form.is_native());
            asked.or(native).unwrap_or_default()
        })
    }
}

/// Are the loads or stores of so many elements, which together are the rows of all lanes, done as
/// whole vectors? Each is the register of its lanes; with more lanes than one vector has, values are
/// spilled, which takes less time than their accesses one by one.
pub(crate) fn moves_rows(form: CodeForm, count: usize) -> bool {
    match form {
        CodeForm::Avx512 => count <= 32,
        CodeForm::Avx2 => count <= 16 && count.is_power_of_two(),
        CodeForm::Cranelift => false,
    }
}

/// Does this processor run wide code for AVX2, and for AVX-512?
#[cfg(all(target_arch = "x86_64", not(windows)))]
fn wide_forms() -> (bool, bool) {
    (wide::machine::has_avx2(), wide::machine::has_avx512())
}

#[cfg(not(all(target_arch = "x86_64", not(windows))))]
fn wide_forms() -> (bool, bool) {
    (false, false)
}

/// How an operation is lowered across the lanes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LaneCost {
    /// Vector instructions.
    #[default]
    Vectors,
    /// Scalarised: there is no vector instruction.
    Lanes,
    /// Scalarised, with one call per lane.
    Calls,
}

/// An operation that is not lowered to vector instructions.
#[derive(Clone, Debug)]
pub struct Slow {
    /// Position in the source.
    pub pos: Pos,
    /// The row of the op table and its scalar type.
    pub op: (Op, Scalar),
    /// How its lanes are lowered.
    pub pace: LaneCost,
}

/// Options for emitting code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmitOptions {
    /// Also keep the Cranelift input as text.
    pub text: bool,
    /// Compile cold blocks immediately. Otherwise each is compiled when it first runs, and its
    /// errors surface then.
    pub whole: bool,
    /// The number of instructions, beyond the cost of reaching it, from which a rarely executed arm
    /// is outlined as a cold block.
    pub apart: usize,
    /// The number of instructions (Cranelift's, or of wide code) from which a function is compiled
    /// in the baseline tier: single-pass register allocation, which takes a third of the time in
    /// Cranelift and a sixth in wide code; the code may take three times as long.
    pub soon: usize,
    /// The emitter. A program that it has no code for is compiled by Cranelift.
    pub form: CodeForm,
}

impl EmitOptions {
    /// Functions of Cranelift's code of at least this many instructions gain from the baseline
    /// tier. Smaller ones are too cheap to be worth compiling twice.
    pub const WORTH: usize = 100;
    /// The same for wide code, which is compiled in less time.
    pub const WORTH_WIDE: usize = 200;
    /// No function uses the baseline tier.
    pub const WELL: usize = usize::MAX;
}

impl Default for EmitOptions {
    fn default() -> EmitOptions {
        EmitOptions {
            text: false,
            whole: is_code_checked(),
            apart: plan::APART,
            soon: EmitOptions::WELL,
            form: CodeForm::widest(),
        }
    }
}

/// The reason a program has no machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmitError(pub String);

/// May the same program be compiled another time, though this is the reason that it is not now?
pub(crate) fn is_passing(reason: &str) -> bool {
    reason.starts_with(executable::NO_MEMORY)
}

impl std::fmt::Display for EmitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmitError {}
