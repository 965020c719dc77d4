//! Effects other than stores: messages, fences, the poll.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

use super::HostCalls;
use super::emitter::Emitter;
use super::pieces::{Pieces, lanes_in};
use crate::lanes::{Effect, Elem, ExitStatus};

impl Emitter<'_, '_> {
    /// Emits an effect.
    pub(super) fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Store { at, value, mask } => {
                let (value, mask) = (self.get(*value), mask.map(|mask| self.get(mask)));
                self.store(at, &value, mask.as_ref());
            }
            Effect::Copy { shape, to, from, read, mask } => {
                let (read, mask) = (read.map(|read| self.get(read)), mask.map(|mask| self.get(mask)));
                self.copy(*shape, to, from, read.as_ref(), mask.as_ref());
            }
            Effect::Clear { from, bytes } => {
                let from = self.scalar(*from);
                self.clear(from, *bytes);
            }
            Effect::Message { message, thread, values, mask } => {
                let values: Vec<Pieces> = values.iter().map(|&value| self.get(value)).collect();
                let (thread, mask) = (self.scalar(*thread), self.get(*mask));
                self.message(*message, thread, &values, &mask);
            }
            // Cranelift has no such instruction.
            Effect::Prefetch { .. } => {}
            Effect::Fence => {
                self.builder.ins().fence();
            }
        }
    }

    /// Passes the words of all lanes to the host, in the form of [`Tell`](super::Tell).
    fn message(&mut self, message: u32, thread: Value, values: &[Pieces], mask: &Pieces) {
        let width = self.width();
        let slot = self.scratch((8 * width * values.len()).max(8) as u32);
        let words = self.builder.ins().stack_addr(types::I64, slot, 0);
        for (i, value) in values.iter().enumerate() {
            self.words(words, 8 * width * i, value);
        }
        let number = self.builder.ins().iconst(types::I64, i64::from(message));
        let lanes = self.bit_number(mask);
        let flags = MemFlagsData::trusted().with_readonly();
        let host = self.given.host;
        let state = self.builder.ins().load(types::I64, flags, host, std::mem::offset_of!(HostCalls, state) as i32);
        let tell = self.builder.ins().load(types::I64, flags, host, std::mem::offset_of!(HostCalls, tell) as i32);
        // A function whose parameter is narrower than a word reads only the low part of it.
        let lanes = self.builder.ins().uextend(types::I64, lanes);
        self.call_value(tell, &[state, number, lanes, thread, words]);
    }

    /// Stores each lane of a value as a word.
    fn words(&mut self, words: Value, start: usize, value: &Pieces) {
        let flags = MemFlagsData::trusted();
        if !value.is_vector() {
            let word = self.word(value.elem(), value.first());
            for lane in 0..self.width() {
                self.builder.ins().store(flags, word, words, (start + 8 * lane) as i32);
            }
            return;
        }
        if lanes_in(value.elem()) == 2 {
            for (i, &part) in value.parts().iter().enumerate() {
                self.builder.ins().store(flags, part, words, (start + 16 * i) as i32);
            }
            return;
        }
        let one = self.vector_of([1; 4]);
        for (i, &part) in value.parts().iter().enumerate() {
            let bits = self.cast(types::I32X4, part);
            let bits = if value.elem() == Elem::Bool { self.builder.ins().band(bits, one) } else { bits };
            let low = self.builder.ins().uwiden_low(bits);
            let high = self.builder.ins().uwiden_high(bits);
            self.builder.ins().store(flags, low, words, (start + 32 * i) as i32);
            self.builder.ins().store(flags, high, words, (start + 32 * i + 16) as i32);
        }
    }

    /// The bits of a scalar, zero-extended.
    fn word(&mut self, elem: Elem, value: Value) -> Value {
        match elem {
            Elem::Bool | Elem::I32 => self.builder.ins().uextend(types::I64, value),
            Elem::I64 => value,
            Elem::F32 => {
                let bits = self.cast(types::I32, value);
                self.builder.ins().uextend(types::I64, bits)
            }
            Elem::F64 => self.cast(types::I64, value),
        }
    }

    /// Ends the program if the host requests it. The load is atomic, so that it is never elided.
    pub(super) fn poll(&mut self) {
        let flags = MemFlagsData::trusted();
        let fixed = flags.with_readonly().with_can_move();
        let host = self.given.host;
        let stop = self.builder.ins().load(types::I64, fixed, host, std::mem::offset_of!(HostCalls, stop) as i32);
        let stopped = self.builder.ins().atomic_load(types::I32, flags, stop);
        self.exit_if(stopped, ExitStatus::Interrupted);
    }
}
