//! Callable machine code. Owns its memory.
#![allow(unsafe_code, reason = "calls code that was made at run time")]

use std::fmt;
use std::sync::Arc;

use cranelift_codegen::isa::OwnedTargetIsa;
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_bytes;

use super::cold_block::ColdBlock;
use super::compile::CompiledFunction;
use super::copy::Runs;
use super::executable::ExecutableMemory;
use super::{CodeForm, EmitError, HostCalls, Slow};

/// The machine code of one program. Its memory is freed when it is dropped.
pub struct MachineCode {
    memory: ExecutableMemory,
    lines: Vec<(u32, Pos)>,
    text: Option<Box<str>>,
    /// The code contains their addresses.
    _runs: Vec<Runs>,
    /// The code contains their addresses too.
    asides: Vec<Arc<ColdBlock>>,
    slow: Vec<Slow>,
    soon: bool,
    /// The stack frame of the function in bytes.
    frame: u32,
    form: CodeForm,
    refused: Option<EmitError>,
    #[cfg(test)]
    _counted: CodeCount,
}

#[cfg(test)]
thread_local! {
    /// The number of live instances created by this thread.
    pub(super) static ALIVE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
struct CodeCount;

#[cfg(test)]
impl CodeCount {
    fn new() -> CodeCount {
        // Code compiled in the background is dropped by another thread.
        ALIVE.set(ALIVE.get().wrapping_add(1));
        CodeCount
    }
}

#[cfg(test)]
impl Drop for CodeCount {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get().wrapping_sub(1));
    }
}

/// Bytes of stack for our functions that machine code calls: messages, cold blocks.
const CALLED: usize = 64 << 10;

/// The signature of a cold block's machine code: words, frame, arena, host.
type ArmEntry = unsafe extern "C" fn(*const u64, *mut u8, *mut u8, *const HostCalls) -> i64;

/// The signature of machine code: words, given, arena, host.
type Entry = unsafe extern "C" fn(*const u64, i64, i64, i64, i64, *mut u8, *const HostCalls) -> i64;

impl MachineCode {
    /// Makes instructions for `isa` executable.
    pub(super) fn new(isa: OwnedTargetIsa, made: CompiledFunction) -> Result<MachineCode, EmitError> {
        let CompiledFunction { bytes, alignment, lines, text, runs, asides, slow, soon, frame, form, refused } = made;
        let memory = ExecutableMemory::new(isa, &bytes, alignment)?;
        Ok(MachineCode {
            memory,
            lines,
            text,
            slow,
            soon,
            frame,
            form,
            refused,
            _runs: runs,
            asides,
            #[cfg(test)]
            _counted: CodeCount::new(),
        })
    }

    /// Runs the program. Returns the number of an [`ExitStatus`](crate::lanes::ExitStatus), or
    /// [`FAILED`](super::FAILED).
    ///
    /// # Safety
    /// - `words` are the words listed by [`LaneProgram::inputs`](crate::lanes::LaneProgram::inputs)
    ///   of the program.
    /// - With these words and `given`, every access of the program that is not masked off lies in
    ///   memory that is valid for that read or write during the call; memory that the program
    ///   treats as read-only is not written meanwhile.
    /// - `arena` is aligned to 64 and has [`ArenaSizes::total`](crate::lanes::ArenaSizes::total)
    ///   bytes that nothing else accesses.
    /// - `host` points to a [`HostCalls`] whose `stop` is readable and whose `tell` may be called
    ///   from this thread.
    /// - The thread rounds to nearest even and keeps denormals; floating-point exceptions are
    ///   masked.
    pub unsafe fn call(&self, words: *const u64, given: [i64; 4], arena: *mut u8, host: *const HostCalls) -> i64 {
        // SAFETY: the memory begins with a function of this type: `compile` gave it this signature
        // and this machine's calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.entry()) };
        let [g0, g1, g2, g3] = given;
        // SAFETY: the caller guarantees the validity of all memory that the function accesses; the
        // function neither unwinds nor traps.
        self.with_room(|| unsafe { entry(words, g0, g1, g2, g3, arena, host) })
    }

    /// Runs a cold block.
    ///
    /// # Safety
    /// As [`MachineCode::call`], for the code of an [`ColdBlock`](super::ColdBlock); the frame
    /// contains the arguments of
    /// the block, and room for its results.
    pub(super) unsafe fn call_aside(
        &self,
        words: *const u64,
        frame: *mut u8,
        arena: *mut u8,
        host: *const HostCalls,
    ) -> i64 {
        // SAFETY: the memory begins with a function of this type: `compile::aside` gave it this
        // signature and this machine's calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, ArmEntry>(self.memory.entry()) };
        // SAFETY: the caller guarantees the validity of all memory that the function accesses; the
        // function neither unwinds nor traps.
        self.with_room(|| unsafe { entry(words, frame, arena, host) })
    }

    /// Calls the function on a stack with room for its frame and for the functions it calls: those
    /// that need more switch stacks themselves.
    fn with_room(&self, call: impl FnOnce() -> i64) -> i64 {
        with_bytes(self.frame as usize + CALLED, call)
    }

    /// Operations that are not lowered to vector instructions.
    pub fn slow(&self) -> &[Slow] {
        &self.slow
    }

    /// The emitter that made it.
    pub fn form(&self) -> CodeForm {
        self.form
    }

    /// The reason the requested emitter has no code for the program, if another made it.
    pub fn refusal(&self) -> Option<&EmitError> {
        self.refused.as_ref()
    }

    /// Was it compiled in the baseline tier?
    pub fn is_soon(&self) -> bool {
        self.soon
    }

    /// Its cold blocks.
    pub(super) fn asides(&self) -> &[Arc<ColdBlock>] {
        &self.asides
    }

    /// The reason why a cold block that was reached could not be compiled, if there was one. The
    /// block was interpreted, unless the code returned [`FAILED`](super::FAILED).
    pub fn failure(&self) -> Option<&EmitError> {
        self.asides.iter().find_map(|aside| aside.made()?.as_ref().err())
    }

    /// Size of the instructions and their constants in bytes.
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// The instructions.
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// The source position of the instruction at an offset.
    pub fn pos_at(&self, offset: u32) -> Pos {
        let next = self.lines.partition_point(|&(start, _)| start <= offset);
        next.checked_sub(1).map_or(Pos::NONE, |i| self.lines[i].1)
    }

    /// Source positions, each with the offset of its first instruction, in order.
    pub(crate) fn lines(&self) -> &[(u32, Pos)] {
        &self.lines
    }

    /// This code, and then the cold blocks compiled so far.
    pub fn parts(&self) -> impl Iterator<Item = &MachineCode> {
        std::iter::once(self).chain(self.asides.iter().filter_map(|aside| aside.made()?.as_ref().ok()))
    }

    /// The Cranelift IR, if it was requested.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({} bytes)", self.size())
    }
}
