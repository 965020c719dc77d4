//! Interprets a cold block that failed to compile, in the memory that machine code uses.
//!
//! The launch has begun, and its changes cannot be undone; but the block's arguments are in its
//! frame, and the lane interpreter executes it exactly like machine code.
#![allow(unsafe_code, reason = "follows the pointers that generated code would follow")]

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use tilewise_ir::stack::with_levels;

use super::HostCalls;
use super::cold_block::layout;
use super::shared_memory::{read, write};
use crate::lanes::interp::{LaneFault, LaneMachine, World};
use crate::lanes::{ArenaPart, Elem, ExitStatus, LaneBlock, LaneProgram, LaneType, LaneValue, MemorySpace};

/// The memory and the host of a launch.
struct Direct<'a> {
    program: &'a LaneProgram,
    arena: *mut u8,
    host: &'a HostCalls,
}

/// The arguments of a cold block's function.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) words: *const u64,
    pub(super) frame: *mut u8,
    pub(super) arena: *mut u8,
    pub(super) host: *const HostCalls,
}

/// Interprets an arm of a program; returns the status that its code would have returned.
///
/// # Safety
/// As for calling the code of the arm.
pub(super) unsafe fn interpret(
    program: &LaneProgram,
    body: &LaneBlock,
    params: &[LaneValue],
    call: Call,
) -> Result<ExitStatus, LaneFault> {
    // SAFETY: guaranteed by the caller.
    let interpret = || unsafe { interpret_here(program, body, params, call) };
    with_levels(body.depth(), interpret)
}

/// # Safety
/// As [`interpret`].
unsafe fn interpret_here(
    program: &LaneProgram,
    body: &LaneBlock,
    params: &[LaneValue],
    call: Call,
) -> Result<ExitStatus, LaneFault> {
    // SAFETY: the argument block has a word for each input of the program.
    let words = unsafe { std::slice::from_raw_parts(call.words, program.inputs.len()) };
    // SAFETY: guaranteed by the caller.
    let host = unsafe { &*call.host };
    let mut world = Direct { program, arena: call.arena, host };
    let mut machine = LaneMachine::new(program, words, &mut world);
    for (&param, start) in params.iter().zip(layout(program, params).0) {
        let lanes = places(program, param, start).map(|(at, size)| {
            // SAFETY: the frame contains the arm's arguments in this layout.
            let bits = unsafe { read(call.frame.add(at), size) };
            if program.ty(param).elem() == Elem::Bool { bits & 1 } else { bits }
        });
        let lanes: Vec<u64> = lanes.collect();
        machine.set(param, &lanes);
    }
    if let Some(status) = machine.block(body)? {
        return Ok(status);
    }
    for (&result, start) in body.results.iter().zip(layout(program, &body.results).0) {
        let is_mask = program.ty(result).elem() == Elem::Bool
            && places(program, result, start).next().is_some_and(|(_, size)| size > 1);
        for ((at, size), &bits) in places(program, result, start).zip(machine.get(result)) {
            let bits = if is_mask { bits.wrapping_neg() } else { bits };
            // SAFETY: the frame has room for the results in this layout.
            unsafe { write(call.frame.add(at), size, bits) };
        }
    }
    Ok(ExitStatus::Done)
}

/// The offsets and the size of the lanes of a value that begins at `start` of a frame.
fn places(program: &LaneProgram, value: LaneValue, start: u32) -> impl Iterator<Item = (usize, u64)> + use<> {
    let (lanes, elem) = match program.ty(value) {
        LaneType::Lanes(elem) if program.width > 1 => (program.width as usize, elem),
        LaneType::Lanes(elem) | LaneType::Scalar(elem) => (1, elem),
    };
    let size: usize = match elem {
        Elem::Bool if lanes == 1 => 1,
        Elem::Bool | Elem::I32 | Elem::F32 => 4,
        Elem::I64 | Elem::F64 => 8,
    };
    (0..lanes).map(move |lane| (start as usize + size * lane, size as u64))
}

fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

impl World for Direct<'_> {
    fn load(&mut self, address: u64, size: u64, _: MemorySpace) -> Result<u64, String> {
        // SAFETY: the program reads there, and the caller guarantees the validity of its accesses.
        Ok(unsafe { read(pointer(address), size) })
    }

    fn store(&mut self, address: u64, size: u64, _: MemorySpace, bits: u64) -> Result<(), String> {
        // SAFETY: as above.
        unsafe { write(pointer(address), size, bits) };
        Ok(())
    }

    fn exchange(
        &mut self,
        address: u64,
        size: u64,
        _: MemorySpace,
        new: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<u64, String> {
        let at = pointer(address);
        // Memory that is updated atomically is aligned.
        macro_rules! exchange {
            ($atomic:ty, $bits:ty) => {{
                // SAFETY: as above.
                let atomic = unsafe { <$atomic>::from_ptr(at.cast()) };
                let new = |old: $bits| new(old.into()).map(|bits| bits as $bits);
                match atomic.fetch_update(Ordering::SeqCst, Ordering::SeqCst, new) {
                    Ok(old) | Err(old) => Ok(old.into()),
                }
            }};
        }
        match size {
            _ if !at.addr().is_multiple_of(size as usize) => Err("an atomic access is not aligned".into()),
            4 => exchange!(AtomicU32, u32),
            8 => exchange!(AtomicU64, u64),
            _ => Err(format!("an atomic access of {size} bytes")),
        }
    }

    fn clear(&mut self, address: u64, size: u64) -> Result<(), String> {
        // SAFETY: as above; it is the worker's own memory.
        unsafe { pointer(address).write_bytes(0, size as usize) };
        Ok(())
    }

    fn arena(&self, part: ArenaPart) -> u64 {
        self.arena.expose_provenance() as u64 + self.program.arena.offset(part)
    }

    fn fence(&mut self) {
        fence(Ordering::SeqCst);
    }

    fn tell(&mut self, message: u32, lanes: u64, thread: u64, words: &[u64]) {
        // SAFETY: this is the contract of the host's callback: as many words as the message has.
        unsafe { (self.host.tell)(self.host.state, message, lanes, thread as i64, words.as_ptr()) };
    }

    fn interrupted(&mut self) -> bool {
        // SAFETY: the creator of the host guarantees the validity of its flag.
        unsafe { (*self.host.stop).load(Ordering::Relaxed) != 0 }
    }

    fn step(&mut self) -> Result<(), LaneFault> {
        Ok(())
    }
}
