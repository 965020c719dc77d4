//! Machine code that can be called. Owns its memory.
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
use super::{EmitError, HostCalls, Slow};

/// The machine code of one program. Its memory is freed when it is dropped.
pub struct MachineCode {
    memory: ExecutableMemory,
    lines: Vec<(u32, Pos)>,
    text: Option<Box<str>>,
    /// The code has their addresses in it.
    _runs: Vec<Runs>,
    /// And theirs.
    asides: Vec<Arc<ColdBlock>>,
    slow: Vec<Slow>,
    soon: bool,
    /// Bytes that the function takes on the stack.
    frame: u32,
    #[cfg(test)]
    _counted: CodeCount,
}

#[cfg(test)]
thread_local! {
    /// How many there are of this thread's making.
    pub(super) static ALIVE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
struct CodeCount;

#[cfg(test)]
impl CodeCount {
    fn new() -> CodeCount {
        // One that is compiled behind a launch is dropped by another thread.
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

/// Bytes of stack for functions of ours that machine code calls: messages, arms that are compiled apart.
const CALLED: usize = 64 << 10;

/// How the machine code of an arm is called: words, frame, arena, host.
type ArmEntry = unsafe extern "C" fn(*const u64, *mut u8, *mut u8, *const HostCalls) -> i64;

/// How machine code is called: words, given, arena, host.
type Entry = unsafe extern "C" fn(*const u64, i64, i64, i64, i64, *mut u8, *const HostCalls) -> i64;

impl MachineCode {
    /// Puts instructions, made for `isa`, where they can run.
    pub(super) fn new(isa: OwnedTargetIsa, made: CompiledFunction) -> Result<MachineCode, EmitError> {
        let CompiledFunction { bytes, alignment, lines, text, runs, asides, slow, soon, frame } = made;
        let memory = ExecutableMemory::new(isa, &bytes, alignment)?;
        Ok(MachineCode {
            memory,
            lines,
            text,
            slow,
            soon,
            frame,
            _runs: runs,
            asides,
            #[cfg(test)]
            _counted: CodeCount::new(),
        })
    }

    /// Runs the program. What it returns is a number of [`ExitStatus`](crate::lanes::ExitStatus), or [`FAILED`](super::FAILED).
    ///
    /// # Safety
    /// - `words` are the words that [`LaneProgram::inputs`](crate::lanes::LaneProgram::inputs) of the program asks for.
    /// - Every access of the program that is not masked off lies, with these words and `given`, in memory that may be read or written so
    ///   while the call lasts; what the program takes for not writable is not written meanwhile.
    /// - `arena` is aligned to 64 and has [`ArenaSizes::total`](crate::lanes::ArenaSizes::total) bytes that nobody else touches.
    /// - `host` points to a [`HostCalls`] whose `stop` may be read and whose `tell` may be called from this thread.
    /// - The thread rounds to nearest even and keeps denormals; floating-point exceptions are masked.
    pub unsafe fn call(&self, words: *const u64, given: [i64; 4], arena: *mut u8, host: *const HostCalls) -> i64 {
        // SAFETY: the memory begins with a function of this type: `compile` gave it this signature and the calling convention of this machine.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.entry()) };
        let [g0, g1, g2, g3] = given;
        // SAFETY: what the function touches is what the caller vouches for; it neither unwinds nor traps.
        self.with_room(|| unsafe { entry(words, g0, g1, g2, g3, arena, host) })
    }

    /// Runs an arm that is compiled apart.
    ///
    /// # Safety
    /// As [`MachineCode::call`], of the code of an [`Aside`]; the frame has what the arm is given, and room for its results.
    pub(super) unsafe fn call_aside(
        &self,
        words: *const u64,
        frame: *mut u8,
        arena: *mut u8,
        host: *const HostCalls,
    ) -> i64 {
        // SAFETY: the memory begins with a function of this type: `compile::aside` gave it this signature and the calling convention of this machine.
        let entry = unsafe { std::mem::transmute::<*const u8, ArmEntry>(self.memory.entry()) };
        // SAFETY: what the function touches is what the caller vouches for; it neither unwinds nor traps.
        self.with_room(|| unsafe { entry(words, frame, arena, host) })
    }

    /// Calls the function on a stack that has its frame and what the functions take that it calls: those that take more see to it themselves.
    fn with_room(&self, call: impl FnOnce() -> i64) -> i64 {
        with_bytes(self.frame as usize + CALLED, call)
    }

    /// Operations whose lanes do not go side by side.
    pub fn slow(&self) -> &[Slow] {
        &self.slow
    }

    /// Was it compiled soon rather than well?
    pub fn is_soon(&self) -> bool {
        self.soon
    }

    /// Arms that are compiled apart.
    pub(super) fn asides(&self) -> &[Arc<ColdBlock>] {
        &self.asides
    }

    /// Why an arm that was reached could not be compiled, if so. It was interpreted, unless the code returned [`FAILED`](super::FAILED).
    pub fn failure(&self) -> Option<&EmitError> {
        self.asides.iter().find_map(|aside| aside.made()?.as_ref().err())
    }

    /// Bytes of instructions and their constants.
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// The instructions.
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// Where in the source the instruction at an offset comes from.
    pub fn pos_at(&self, offset: u32) -> Pos {
        let next = self.lines.partition_point(|&(start, _)| start <= offset);
        next.checked_sub(1).map_or(Pos::NONE, |i| self.lines[i].1)
    }

    /// Where instructions come from: each with the offset of the first one, in order.
    pub(crate) fn lines(&self) -> &[(u32, Pos)] {
        &self.lines
    }

    /// This code, and behind it that of the arms that are compiled apart so far.
    pub fn parts(&self) -> impl Iterator<Item = &MachineCode> {
        std::iter::once(self).chain(self.asides.iter().filter_map(|aside| aside.made()?.as_ref().ok()))
    }

    /// What Cranelift was given, in its language, if that was asked for.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({} bytes)", self.size())
    }
}
