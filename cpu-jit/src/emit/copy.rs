//! Copies of aggregates: bytes, lane by lane, all read before any is written.
#![allow(unsafe_code, reason = "a function that generated code calls with pointers")]

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use tilewise_ir::types::Stored;

use super::emitter::Emitter;
use super::mask::MaskBits;
use super::pieces::Pieces;
use super::place::AccessPlace;
use super::shared_memory::{copy_bytes, read_bytes, write_bytes};
use crate::lanes::{AddressStep, LaneAddress};

/// A run of bytes that is copied at once.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByteRun {
    /// Offset in the destination.
    pub(super) to: u64,
    /// Offset in the source.
    pub(super) from: u64,
    /// Number of bytes.
    pub(super) bytes: u64,
}

/// The runs of a copy; code that calls [`copy_runs`] contains their address ([`keep`]). No `Box`: moving one says
/// that no other pointer to its contents is used any more.
pub(super) type Runs = Vec<ByteRun>;

/// Adds the runs of a copy to those that code owns. Returns their address, which is final, and their number.
pub(super) fn keep(all: &mut Vec<Runs>, runs: Runs) -> (u64, usize) {
    let list = (runs.as_ptr().expose_provenance() as u64, runs.len());
    all.push(runs);
    list
}

/// Copies with more moves per lane than this call [`copy_runs`].
const INLINE: usize = 12;

impl Emitter<'_, '_> {
    /// Copies an aggregate for each lane.
    pub(super) fn copy(
        &mut self,
        shape: u32,
        to: &LaneAddress,
        from: &LaneAddress,
        read: Option<&Pieces>,
        mask: Option<&Pieces>,
    ) {
        let runs = runs(&self.program.copies[shape as usize]);
        let moves: Vec<(ByteRun, Type)> = runs.iter().flat_map(|&run| moves(run)).collect();
        let (to_place, from_place) = (self.place(to), self.place(from));
        let both = to.along == AddressStep::Uniform && from.along == AddressStep::Uniform && read.is_none();
        let reads = self.bits(read);
        let (lanes, bits) = match mask {
            // Uniform: once, if any lane is set.
            Some(mask) if both => (1, MaskBits::One(self.any(mask))),
            None if both => (1, MaskBits::All),
            _ => (self.width(), self.bits(mask)),
        };
        let long = (moves.len() > INLINE).then(|| keep(&mut self.runs, runs));
        for lane in 0..lanes {
            self.if_lane(bits, lane, None, |e| {
                let reads = e.bit(reads, lane);
                match (long, reads) {
                    (Some(list), _) => e.copy_by_call(&to_place, &from_place, lane, reads, list),
                    (None, None) => e.copy_inline(&to_place, &from_place, lane, &moves),
                    (None, Some(reads)) => e.copy_or_clear(&to_place, &from_place, lane, reads, &moves),
                }
                None
            });
        }
    }

    fn copy_inline(&mut self, to: &AccessPlace, from: &AccessPlace, lane: usize, moves: &[(ByteRun, Type)]) {
        let mut values = Vec::new();
        for &(run, ty) in moves {
            let spot = self.spot(from, lane, run.from as i64);
            values.push(self.builder.ins().load(ty, from.flags, spot.pointer, spot.offset));
        }
        for (&(run, _), value) in moves.iter().zip(values) {
            let spot = self.spot(to, lane, run.to as i64);
            self.builder.ins().store(to.flags, value, spot.pointer, spot.offset);
        }
    }

    fn copy_or_clear(
        &mut self,
        to: &AccessPlace,
        from: &AccessPlace,
        lane: usize,
        reads: Value,
        moves: &[(ByteRun, Type)],
    ) {
        let [copy, clear, join] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(clear);
        self.builder.ins().brif(reads, copy, &[], clear, &[]);
        self.enter(copy);
        self.copy_inline(to, from, lane, moves);
        self.builder.ins().jump(join, &[]);
        self.enter(clear);
        for &(run, ty) in moves {
            let spot = self.spot(to, lane, run.to as i64);
            let zero = self.nothing(ty);
            self.builder.ins().store(to.flags, zero, spot.pointer, spot.offset);
        }
        self.builder.ins().jump(join, &[]);
        self.enter(join);
    }

    fn copy_by_call(
        &mut self,
        to: &AccessPlace,
        from: &AccessPlace,
        lane: usize,
        reads: Option<Value>,
        (list, count): (u64, usize),
    ) {
        let (to, from) = (self.spot(to, lane, 0), self.spot(from, lane, 0));
        let (to, mut from) = (self.pointer(to), self.pointer(from));
        if let Some(reads) = reads {
            let null = self.builder.ins().iconst(types::I64, 0);
            from = self.builder.ins().select(reads, from, null);
        }
        let list = self.builder.ins().iconst(types::I64, list as i64);
        let count = self.builder.ins().iconst(types::I64, count as i64);
        self.call(copy_runs as *const () as usize, &[to, from, list, count]);
    }

    fn nothing(&mut self, ty: Type) -> Value {
        if ty.is_vector() { self.vector_bits(ty, &[0; 16]) } else { self.builder.ins().iconst(ty, 0) }
    }

    /// Zeroes bytes of the worker's memory.
    pub(super) fn clear(&mut self, from: Value, bytes: u64) {
        if bytes > 512 {
            let bytes = self.builder.ins().iconst(types::I64, bytes as i64);
            return self.call(clear_bytes as *const () as usize, &[from, bytes]);
        }
        let run = ByteRun { to: 0, from: 0, bytes };
        for (piece, ty) in moves(run) {
            let zero = self.nothing(ty);
            self.builder.ins().store(MemFlagsData::new().with_notrap(), zero, from, piece.to as i32);
        }
    }
}

/// Merges scalars that are adjacent in both source and destination.
pub(super) fn runs(scalars: &[(u64, u64, Stored)]) -> Vec<ByteRun> {
    let mut runs: Vec<ByteRun> = Vec::new();
    for &(to, from, stored) in scalars {
        let bytes = u64::from(stored.size());
        match runs.last_mut() {
            Some(last) if last.to + last.bytes == to && last.from + last.bytes == from => last.bytes += bytes,
            _ => runs.push(ByteRun { to, from, bytes }),
        }
    }
    runs
}

/// Splits a run into moves of one instruction.
fn moves(run: ByteRun) -> Vec<(ByteRun, Type)> {
    let mut done = 0;
    let mut moves = Vec::new();
    for (bytes, ty) in [(16, types::I8X16), (8, types::I64), (4, types::I32), (2, types::I16), (1, types::I8)] {
        while run.bytes - done >= bytes {
            moves.push((ByteRun { to: run.to + done, from: run.from + done, bytes }, ty));
            done += bytes;
        }
    }
    moves
}

/// Copies bytes for one lane: all are read before any is written. A null source reads as zeros.
///
/// # Safety
/// `list` points to `count` runs; their bytes are readable, if `from` is not null, and writable.
pub(super) unsafe extern "C" fn copy_runs(to: *mut u8, from: *mut u8, list: *const ByteRun, count: usize) {
    // SAFETY: guaranteed by the caller; the list is owned by the code.
    let runs = unsafe { std::slice::from_raw_parts(list, count) };
    if !from.is_null() && are_apart(runs, to.addr(), from.addr()) {
        for run in runs {
            // SAFETY: guaranteed by the caller; other threads of the launch may access both meanwhile.
            unsafe { copy_bytes(to.add(run.to as usize), from.add(run.from as usize), run.bytes as usize) };
        }
        return;
    }
    let mut bytes = Vec::with_capacity(runs.iter().map(|run| run.bytes as usize).sum());
    for run in runs {
        if from.is_null() {
            bytes.resize(bytes.len() + run.bytes as usize, 0);
            continue;
        }
        // SAFETY: guaranteed by the caller; other threads of the launch may write there meanwhile.
        unsafe { read_bytes(from.add(run.from as usize), run.bytes as usize, &mut bytes) };
    }
    let mut rest = &bytes[..];
    for run in runs {
        let (head, tail) = rest.split_at(run.bytes as usize);
        // SAFETY: guaranteed by the caller; other threads of the launch may access it meanwhile.
        unsafe { write_bytes(to.add(run.to as usize), head) };
        rest = tail;
    }
}

/// Has what is read no byte in common with what is written?
fn are_apart(runs: &[ByteRun], to: usize, from: usize) -> bool {
    let span = |first: fn(&ByteRun) -> u64| {
        let begin = runs.iter().map(first).min().unwrap_or(0);
        let end = runs.iter().map(|run| first(run) + run.bytes).max().unwrap_or(0);
        (begin as usize, end as usize)
    };
    let ((to_begin, to_end), (from_begin, from_end)) = (span(|run| run.to), span(|run| run.from));
    to + to_end <= from + from_begin || from + from_end <= to + to_begin
}

/// Zeroes bytes.
///
/// # Safety
/// The bytes are writable.
pub(super) unsafe extern "C" fn clear_bytes(from: *mut u8, bytes: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { std::ptr::write_bytes(from, 0, bytes) }
}
