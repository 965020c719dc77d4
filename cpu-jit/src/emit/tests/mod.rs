//! Hand-written programs against the numbers they must give.
//!
//! What is here runs code; random programs against the lane interpreter are in the tests of `lanes`.
#![allow(unsafe_code, reason = "runs machine code")]

mod apart;
mod atomics;
mod bits;
mod calls;
mod control;
mod formats;
mod groups;
mod masks;
mod memory;
mod rows;
mod windows;

use std::ffi::c_void;
use std::sync::atomic::AtomicU32;

use tilewise_ir::types::{Scalar, Stored};

use super::{CodeForm, EmitOptions, HostCalls, compile};
use crate::lanes::{
    AddressStep, ArenaSizes, ArgumentWord, Effect, Elem, LaneAddress, LaneBuilder, LaneInst, LaneProgram, LaneType,
    LaneValue, MemorySpace,
};

const WIDTHS: [u32; 4] = [1, 4, 8, 16];

/// Machines that code can be made for here: 64-bit ARM everywhere, x86-64 on itself only, since Cranelift is built for the machine it runs on and ARM.
const MACHINES: &[&str] = if cfg!(target_arch = "x86_64") {
    &["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
} else {
    &["aarch64-unknown-linux-gnu"]
};

/// A message as it came: number, lanes, thread, and the words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Told {
    pub(crate) message: u32,
    pub(crate) lanes: u64,
    pub(crate) thread: i64,
    pub(crate) words: Vec<u64>,
}

struct Listener {
    told: Vec<Told>,
    /// Words of each message.
    count: usize,
}

unsafe extern "C" fn tell(state: *mut c_void, message: u32, lanes: u64, thread: i64, words: *const u64) {
    // SAFETY: `state` is the listener that `run` made; the words are as many as the test says.
    let listener = unsafe { &mut *state.cast::<Listener>() };
    // SAFETY: as above.
    let words = unsafe { std::slice::from_raw_parts(words, listener.count) }.to_vec();
    listener.told.push(Told { message, lanes, thread, words });
}

/// 64 bytes, aligned as arenas are.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Line([u8; 64]);

/// Runs a program whose inputs are these words; gives its status, and what it told by messages of `count` words. It may touch nothing but what the
/// words lead to.
pub(crate) fn run_telling(
    program: &LaneProgram,
    words: &[u64],
    given: [i64; 4],
    stop: u32,
    count: usize,
) -> (i64, Vec<Told>) {
    run_on(CodeForm::widest(), program, words, given, stop, count)
}

/// The same on one emitter, which must have code for the program.
pub(crate) fn run_on(
    form: CodeForm,
    program: &LaneProgram,
    words: &[u64],
    given: [i64; 4],
    stop: u32,
    count: usize,
) -> (i64, Vec<Told>) {
    // Whatever can be compiled apart is, and when it runs; every other program is compiled soon rather than well.
    let soon = if program.types.len().is_multiple_of(2) { 0 } else { EmitOptions::WELL };
    let options = EmitOptions { text: false, whole: false, apart: 0, soon, form };
    let code = compile(program, &options).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(code.form(), if program.width == 1 { CodeForm::Cranelift } else { form }, "{program}");
    let mut listener = Listener { told: Vec::new(), count };
    let stop = AtomicU32::new(stop);
    let host = HostCalls { stop: &raw const stop, state: (&raw mut listener).cast(), tell };
    let mut arena = vec![Line([0xa5; 64]); program.arena.total() as usize / 64 + 1];
    // SAFETY: the words lead to memory of the test that is as large as its program needs; the arena is large enough.
    let status = unsafe { code.call(words.as_ptr(), given, arena.as_mut_ptr().cast(), &raw const host) };
    (status, listener.told)
}

fn run(program: &LaneProgram, words: &[u64]) -> i64 {
    run_telling(program, words, [0; 4], 0, 0).0
}

/// A builder with two buffers: one that is read (space 0), one that is written (space 1).
struct Test {
    b: LaneBuilder,
    from: LaneValue,
    to: LaneValue,
}

impl Test {
    fn new(width: u32) -> Test {
        let mut b = LaneBuilder::new(width);
        let (from, to) = (b.input(ArgumentWord::ViewBase(0)), b.input(ArgumentWord::ViewBase(1)));
        Test { b, from, to }
    }

    fn finish(self) -> LaneProgram {
        let arena = ArenaSizes { tile_static: 1024, private: 256, context: 64, votes: 64 };
        let mut program = self.b.finish("test".into(), arena);
        program.writable = vec![false, true];
        program
    }

    /// Side by side in the first buffer.
    fn source(&self, stored: Stored) -> LaneAddress {
        address(MemorySpace::Buffer(0), self.from, AddressStep::Step(stored.size().into()), stored)
    }

    /// Side by side in the second buffer.
    fn target(&self, stored: Stored) -> LaneAddress {
        address(MemorySpace::Buffer(1), self.to, AddressStep::Step(stored.size().into()), stored)
    }

    /// A mask from bytes in the first buffer, `at` bytes from its start.
    fn mask(&mut self, at: i64) -> LaneValue {
        let from = LaneAddress { displacement: at, ..self.source(Stored::U8) };
        let bytes = self.b.load(from, None);
        let zero = self.b.constant(Elem::I32, 0);
        let zero = self.b.pure(LaneInst::Splat(zero), LaneType::Lanes(Elem::I32));
        self.lanes_op(tilewise_ir::ops::Op::Ne, Scalar::U32, &[bytes, zero])
    }

    fn lanes_op(&mut self, op: tilewise_ir::ops::Op, scalar: Scalar, args: &[LaneValue]) -> LaneValue {
        self.b.op(op, scalar, args)
    }

    fn store(&mut self, at: LaneAddress, value: LaneValue, mask: Option<LaneValue>) {
        self.b.effect(Effect::Store { at, value, mask });
    }
}

fn address(space: MemorySpace, base: LaneValue, along: AddressStep, stored: Stored) -> LaneAddress {
    LaneAddress { space, base, offset: None, displacement: 0, along, stored }
}

/// Numbers that look random, the same each time.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Bytes aligned to 64.
pub(crate) fn aligned(bytes: &[u8]) -> Vec<Line> {
    let line = |chunk: &[u8]| {
        let mut line = Line([0; 64]);
        line.0[..chunk.len()].copy_from_slice(chunk);
        line
    };
    bytes.chunks(64).map(line).collect()
}

pub(crate) fn bytes(lines: &[Line]) -> Vec<u8> {
    lines.iter().flat_map(|line| line.0).collect()
}

pub(crate) fn pointer(lines: &[Line]) -> u64 {
    lines.as_ptr().addr() as u64
}
