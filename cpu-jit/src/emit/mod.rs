//! Machine code of lane programs, through Cranelift.
//!
//! [`compile`] gives a [`MachineCode`]: one function that runs a program. A value of the program is one Cranelift value or several vectors of 128 bits
//! ([`pieces`]); operations of the op table are in [`op`], all else is in one file for each kind of thing:
//!
//! - `emitter`: nodes and control, `values`: what needs no memory, `mask`: what is asked of masks;
//! - `place`: addresses, `load`, `store`, `narrow` and `half`: formats of memory, `gather`: what seldom runs, `atomic`, `copy`;
//! - `rematerialise`: constants of large programs;
//! - `plan` and `cold_block`: what is compiled only when it first runs;
//! - `interpret_cold`: what is done about an arm that cannot be;
//! - `effect`: messages, clearing, the poll; `host` is who answers; `thunk` is how functions of ours are called.
//!
//! # What generated code never does
//! It never traps, never unwinds, calls no library (functions of ours are called by their address), and touches no byte that the program does not say,
//! but for overhangs in the worker's memory ([`MemorySpace::Arena`](crate::lanes::MemorySpace::Arena)).
//!
//! # When compilation fails
//! What Cranelift has no instructions for it returns as an error, and so is a function that is too large
//! (`compile` asks before and after). Its panics, and those of the emitter, are assertions about input
//! that the emitter does not write: it writes a closed list of instructions, each of which the tests
//! compile for each number of lanes and each machine. So a panic here is a mistake of ours or of
//! Cranelift. It is caught, the launch falls back or ends with an error, and the panic hook of the
//! program reports it as it reports any panic. The hook is not replaced to hide that: there is one hook
//! for the whole process, it may not be set while a thread unwinds, and a mistake should be seen.
//!
//! # Masked accesses
//! Only the lanes that are not masked off have an address that means something. So a masked access either asks first whether all lanes are set and
//! goes the unmasked way, or goes lane by lane with the *address* chosen: a line of zeros for loads, the sink for stores. In the worker's memory, vectors
//! are loaded and written back whole; of that 64 bytes at a time, and only if one of their lanes is set, so that they lie near its place.

mod atomic;
mod change;
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
mod shared_memory;
mod store;
mod target;
#[cfg(test)]
pub(crate) mod tests;
mod thunk;
mod values;

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

pub use code::MachineCode;
pub use cold_block::FAILED;
pub(crate) use compile::{COMPILE_STACK, guarded};
pub use compile::{compile, compile_for};
pub use host::{HostCalls, Tell};
pub use target::{fuses, widest};

/// How the lanes of an operation go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LaneCost {
    /// Side by side.
    #[default]
    Vectors,
    /// One by one: there is no instruction for vectors.
    Lanes,
    /// One by one, by a call for each.
    Calls,
}

/// An operation whose lanes do not go side by side.
#[derive(Clone, Debug)]
pub struct Slow {
    /// Where in the source.
    pub pos: Pos,
    /// Which row of the op table, on what.
    pub op: (Op, Scalar),
    /// How its lanes go.
    pub pace: LaneCost,
}

/// How code is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmitOptions {
    /// Keep what was given to Cranelift as text too.
    pub text: bool,
    /// Compile at once what seldom runs, too. Else that is done when it first runs, and what is wrong with it comes out then.
    pub whole: bool,
    /// How many instructions an arm must come to, beyond what the way there costs, to be compiled apart if it seldom runs.
    pub apart: usize,
    /// How many instructions of Cranelift's a function must have to be compiled soon rather than well: registers are dealt out going through it once, which takes a
    /// third of the time; the code may take three times as long.
    pub soon: usize,
}

impl EmitOptions {
    /// A function that has so many instructions of Cranelift's gains by being compiled soon. Of a smaller one that is too little to compile it twice.
    pub const WORTH: usize = 100;
    /// None is compiled soon.
    pub const WELL: usize = usize::MAX;
}

impl Default for EmitOptions {
    fn default() -> EmitOptions {
        EmitOptions { text: false, whole: cfg!(debug_assertions), apart: plan::APART, soon: EmitOptions::WELL }
    }
}

/// Why there is no machine code of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmitError(pub String);

impl std::fmt::Display for EmitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmitError {}
