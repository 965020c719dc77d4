//! Cold blocks: outlined arms that are compiled when they first run. One that fails to compile is
//! interpreted ([`interpret_cold`](super::interpret_cold)).
//!
//! In the place of an arm that [`plan`](super::plan) outlines there is a call of [`run_aside`],
//! which on first use compiles the arm as a separate function, and calls it. Arguments are passed
//! in a *frame* on the stack: the status first, then the values; the results replace the values.
//!
//! A cold block is compiled in the baseline tier ([`EmitOptions::soon`]); one that has run often is
//! recompiled in the optimised tier.
//!
//! Its function takes the argument block, the frame, the worker's memory and the host, and returns
//! a status like the program.
#![allow(unsafe_code, reason = "called by generated code with pointers; calls generated code")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value, types};

use super::emitter::Emitter;
use super::interpret_cold::{self, Call};
use super::pieces::{Pieces, lanes_in, scalar_type, vector_type};
use super::plan::OutlinedArm;
use super::{EmitError, EmitOptions, HostCalls, MachineCode, compile};
use crate::lanes::{self, ExitStatus, LaneBlock, LaneProgram, LaneType};

/// The result of [`MachineCode::call`] if a cold block could neither be compiled
/// ([`MachineCode::failure`] has the reason) nor interpreted.
pub const FAILED: i64 = -1;

/// Offset of the values in a frame.
const VALUES: u32 = 16;

/// An arm that is compiled when it first runs.
pub(super) struct ColdBlock {
    /// The enclosing program, without a body.
    around: Arc<LaneProgram>,
    body: LaneBlock,
    params: Vec<lanes::LaneValue>,
    code: OnceLock<Result<MachineCode, EmitError>>,
    /// Optimised code, once the block has run often.
    well: OnceLock<Option<MachineCode>>,
    /// The number of runs, until there is optimised code.
    runs: AtomicU32,
}

/// The number of runs from which a block is recompiled in the optimised tier.
const OFTEN: u32 = 2000;

impl ColdBlock {
    /// A block that is compiled when it first runs.
    pub(super) fn new(around: Arc<LaneProgram>, body: LaneBlock, params: Vec<lanes::LaneValue>) -> Arc<ColdBlock> {
        let (code, well, runs) = (OnceLock::new(), OnceLock::new(), AtomicU32::new(0));
        Arc::new(ColdBlock { around, body, params, code, well, runs })
    }

    /// The machine code, compiled on first use.
    pub(super) fn code(&self, options: &EmitOptions) -> Result<&MachineCode, &EmitError> {
        self.code.get_or_init(|| compile::aside(&self.around, (&self.body, &self.params), options)).as_ref()
    }

    /// The machine code for the next run.
    fn next(&self) -> Result<&MachineCode, &EmitError> {
        if let Some(well) = self.well.get() {
            return well.as_ref().map_or_else(|| self.code(&EmitOptions::default()), Ok);
        }
        let code = self.code(&EmitOptions { soon: 0, ..EmitOptions::default() })?;
        if !code.is_soon() || self.runs.fetch_add(1, Ordering::Relaxed) < OFTEN {
            return Ok(code);
        }
        // If this compilation fails, the baseline code remains in use.
        let well = || compile::aside(&self.around, (&self.body, &self.params), &EmitOptions::default()).ok();
        Ok(self.well.get_or_init(well).as_ref().unwrap_or(code))
    }

    /// The machine code, if it has been compiled.
    pub(super) fn made(&self) -> Option<&Result<MachineCode, EmitError>> {
        self.code.get()
    }

    /// The enclosing program, the body and the parameters.
    pub(super) fn parts(&self) -> (&LaneProgram, (&LaneBlock, &[lanes::LaneValue])) {
        (&self.around, (&self.body, &self.params))
    }
}

/// Offsets of values in a frame, and the size of a frame that holds these values.
pub(super) fn layout(program: &LaneProgram, values: &[lanes::LaneValue]) -> (Vec<u32>, u32) {
    let mut at = VALUES;
    let mut starts = Vec::with_capacity(values.len());
    for &value in values {
        let bytes = match program.ty(value) {
            LaneType::Lanes(elem) if program.width > 1 => program.width / lanes_in(elem) as u32 * 16,
            LaneType::Lanes(_) | LaneType::Scalar(_) => 8,
        };
        at = at.next_multiple_of(bytes.min(16));
        starts.push(at);
        at += bytes;
    }
    (starts, at)
}

impl Emitter<'_, '_> {
    /// Calls an outlined arm; returns its results.
    pub(super) fn aside(&mut self, arm: &OutlinedArm, block: &LaneBlock) -> Vec<BlockArg> {
        let (starts, size) = layout(self.program, &arm.params);
        let (result_starts, result_size) = layout(self.program, &block.results);
        let slot = *self.frame.get_or_insert_with(|| {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, VALUES, 4);
            self.builder.func.create_sized_stack_slot(data)
        });
        let room = &mut self.builder.func.sized_stack_slots[slot].size;
        *room = (*room).max(size).max(result_size);
        let frame = self.builder.ins().stack_addr(types::I64, slot, 0);
        self.hand_over(frame, &arm.params, &starts);
        let nodes = arm.before.iter().chain(&block.nodes).cloned().collect();
        let body = LaneBlock { nodes, results: block.results.clone() };
        let around = Arc::clone(self.around.get_or_insert_with(|| Arc::new(self.program.without_body())));
        let aside = ColdBlock::new(around, body, arm.params.clone());
        let place = self.builder.ins().iconst(types::I64, Arc::as_ptr(&aside).expose_provenance() as i64);
        self.asides.push(aside);
        let (words, arena, host) = (self.given.words, self.given.arena, self.given.host);
        self.call(run_aside as *const () as usize, &[place, frame, words, arena, host]);
        let status = self.builder.ins().load(types::I64, MemFlagsData::trusted(), frame, 0);
        self.leave_with(status);
        self.take_back(frame, &block.results, &result_starts)
    }

    fn hand_over(&mut self, frame: Value, values: &[lanes::LaneValue], starts: &[u32]) {
        for (&value, &start) in values.iter().zip(starts) {
            self.bring(value);
            let pieces = self.get(value);
            for (i, &part) in pieces.parts().iter().enumerate() {
                self.builder.ins().store(MemFlagsData::trusted(), part, frame, (start + 16 * i as u32) as i32);
            }
        }
    }

    fn take_back(&mut self, frame: Value, values: &[lanes::LaneValue], starts: &[u32]) -> Vec<BlockArg> {
        let mut args = Vec::new();
        for (&value, &start) in values.iter().zip(starts) {
            let parts = self.read(frame, self.program.ty(value), start);
            args.extend(parts.parts().iter().map(|&part| BlockArg::Value(part)));
        }
        args
    }

    /// Reads a value from a frame.
    fn read(&mut self, frame: Value, ty: LaneType, start: u32) -> Pieces {
        let flags = MemFlagsData::trusted();
        match ty {
            LaneType::Lanes(elem) if self.width() > 1 => {
                let mut parts = Vec::new();
                for i in 0..self.count(elem) as u32 {
                    let at = (start + 16 * i) as i32;
                    parts.push(self.builder.ins().load(vector_type(elem), flags, frame, at));
                }
                Pieces::from_parts(elem, &parts)
            }
            LaneType::Lanes(elem) | LaneType::Scalar(elem) => {
                Pieces::scalar(elem, self.builder.ins().load(scalar_type(elem), flags, frame, start as i32))
            }
        }
    }

    /// The function of a cold block: reads its parameters from the frame and writes its results
    /// there.
    pub(super) fn arm(&mut self, frame: Value, body: &LaneBlock, params: &[lanes::LaneValue]) {
        let (starts, _) = layout(self.program, params);
        for (&param, &start) in params.iter().zip(&starts) {
            let pieces = self.read(frame, self.program.ty(param), start);
            self.set(param, pieces);
        }
        self.block(body);
        let (starts, _) = layout(self.program, &body.results);
        self.hand_over(frame, &body.results, &starts);
    }

    /// Exits the program if a status is not `Done`.
    fn leave_with(&mut self, status: Value) {
        let exit = self.exit();
        let over = self.builder.ins().icmp_imm_s(IntCC::NotEqual, status, ExitStatus::Done as i64);
        let on = self.builder.create_block();
        self.builder.ins().brif(over, exit, &[BlockArg::Value(status)], on, &[]);
        self.enter(on);
    }
}

/// Runs a cold block, and compiles it if it has never run.
///
/// # Safety
/// `aside` is alive; the frame contains the block's arguments and has room for its results; the
/// other pointers satisfy the requirements of [`MachineCode::call`].
pub(super) unsafe extern "C" fn run_aside(
    aside: *const ColdBlock,
    frame: *mut u8,
    words: *const u64,
    arena: *mut u8,
    host: *const HostCalls,
) {
    // SAFETY: guaranteed by the caller: the calling code owns the cold block.
    let aside = unsafe { &*aside };
    // SAFETY: guaranteed by the caller. Nothing may unwind through the calling code, not even for
    // want of a stack.
    let run = || unsafe { run_or_interpret(aside, frame, words, arena, host) };
    let status = catch_unwind(AssertUnwindSafe(run)).unwrap_or(FAILED);
    // SAFETY: a frame begins with the status.
    unsafe { frame.cast::<i64>().write(status) };
}

/// Runs a cold block, or interprets it if it fails to compile. Returns the status.
///
/// # Safety
/// As [`run_aside`].
unsafe fn run_or_interpret(
    aside: &ColdBlock,
    frame: *mut u8,
    words: *const u64,
    arena: *mut u8,
    host: *const HostCalls,
) -> i64 {
    match aside.next() {
        // SAFETY: the function was compiled for this frame; the rest is guaranteed by the caller.
        Ok(code) => unsafe { code.call_aside(words, frame, arena, host) },
        Err(_) => {
            let call = Call { words, frame, arena, host };
            // SAFETY: as above.
            let ran = unsafe { interpret_cold::interpret(&aside.around, &aside.body, &aside.params, call) };
            ran.map_or(FAILED, |status| status as i64)
        }
    }
}
