//! Loads and stores in memory made of words: assembles each scalar from its 32-bit words, and
//! splits it again.
//!
//! Accesses to buffers do not branch on the bounds check: an out-of-range read loads words that are
//! zero, and an out-of-range write stores to words that nothing reads ([`ZERO`], [`SINK`]). Tile
//! memory and thread-private memory have no such words: there the value read is replaced by zero,
//! and the store is conditional.
//!
//! A store smaller than a word, or across two words, changes only its own bits. In memory that
//! other threads access, this takes an atomic AND and an atomic OR, so that a neighbour's store is
//! not lost.

use naga::{AtomicFunction, BinaryOperator, Expression, Statement};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::{Data, Scalar, Stored};

use super::builder::ExprHandle;
use super::lowered::{SINK, ZERO};
use super::place::{Component, FoundPlace, PlaceContents, WordAddress};
use super::state::{Lowerer, LoweringResult, WordMemory, malformed};
use crate::exact::NativeOp;

/// A mask that leaves an index in a thread's own memory as it is, for lavapipe.
///
/// That driver (Mesa 22.3) gives a counter and its next value one register, if the counter is not
/// used after the next value is computed, and forgets the uses as an index of such memory: it makes
/// the access with what the register then holds. So in a loop that is not unrolled,
/// `let t = a[j]; a[j] = a[j + 1]; a[j + 1] = t;` stores both to `a[j + 1]`. The masked index is
/// another value, which no counter becomes, so it has no part in a shared register.
///
/// A mask, as it disappears where an unrolled loop makes the index a constant; with these bits, as
/// no kernel computes its counters by it. Memory of a thread is smaller than what the low bits count.
const OWN_INDEX: u32 = 0x5bff_ffff;

impl Lowerer<'_> {
    /// Loads a place.
    pub(super) fn load(&mut self, found: FoundPlace) -> LoweringResult<ExprHandle> {
        match found {
            FoundPlace::Variable { pointer, data, component } => Ok(self.load_variable(pointer, data, component)),
            FoundPlace::Words(address, PlaceContents::Leaf(stored, width)) => {
                Ok(self.load_words(address, stored, width))
            }
            FoundPlace::Words(_, PlaceContents::Whole(_)) => Err(malformed("an aggregate is loaded")),
        }
    }

    /// Stores to a place.
    pub(super) fn store(&mut self, found: FoundPlace, value: ExprHandle) -> LoweringResult {
        match found {
            FoundPlace::Variable { pointer, data, component } => {
                self.store_variable(pointer, data, component, value);
                Ok(())
            }
            FoundPlace::Words(address, PlaceContents::Leaf(stored, width)) => {
                self.store_words(address, stored, width, value)
            }
            FoundPlace::Words(_, PlaceContents::Whole(_)) => Err(malformed("an aggregate is stored")),
        }
    }

    fn load_variable(&mut self, pointer: ExprHandle, data: Data, component: Option<Component>) -> ExprHandle {
        match component {
            None => self.b.load(pointer),
            Some(Component::Fixed(component)) if component < data.width => {
                let pointer = self.b.at(pointer, u32::from(component));
                self.b.load(pointer)
            }
            Some(Component::Fixed(_)) => self.zero(Data::scalar(data.scalar)),
            Some(Component::At(index)) => {
                let whole = self.b.load(pointer);
                self.component_at(whole, data, index)
            }
        }
    }

    /// The component of a vector at an index; zero if out of range.
    pub(super) fn component_at(&mut self, whole: ExprHandle, data: Data, index: ExprHandle) -> ExprHandle {
        let mut value = self.zero(Data::scalar(data.scalar));
        for i in 0..data.width {
            let component = self.b.at(whole, u32::from(i));
            let number = self.b.u32(u32::from(i));
            let this = self.b.equal(index, number);
            value = self.b.select(this, component, value);
        }
        value
    }

    fn store_variable(&mut self, pointer: ExprHandle, data: Data, component: Option<Component>, value: ExprHandle) {
        match component {
            None => self.b.store(pointer, value),
            Some(Component::Fixed(component)) if component < data.width => {
                let pointer = self.b.at(pointer, u32::from(component));
                self.b.store(pointer, value);
            }
            Some(Component::Fixed(_)) => {}
            Some(Component::At(index)) => {
                for i in 0..data.width {
                    let number = self.b.u32(u32::from(i));
                    let this = self.b.equal(index, number);
                    let this = match fault::planted(Fault::ComponentAtEnd) {
                        true => self.b.binary(BinaryOperator::GreaterEqual, index, number),
                        false => this,
                    };
                    self.b.when(this, |b| {
                        let pointer = b.at(pointer, u32::from(i));
                        b.store(pointer, value);
                    });
                }
            }
        }
    }

    /// The word at an index; in memory grouped by two, its pair.
    pub(super) fn word_pointer(&mut self, words: WordMemory, index: ExprHandle) -> ExprHandle {
        let index = self.inside(words, index);
        if words.quads {
            let (quad, part) = (self.b.shr(index, 2), self.b.and(index, 3));
            let quad = self.element(words.array, quad);
            return self.element(quad, part);
        }
        let index = if words.wide() { self.b.shr(index, 1) } else { index };
        let late = self.input.key.indices_read_late && !words.shared && self.b.known(index).is_none();
        let index = if late { self.b.and(index, OWN_INDEX) } else { index };
        self.element(words.array, index)
    }

    fn element(&mut self, base: ExprHandle, index: ExprHandle) -> ExprHandle {
        match self.b.known(index) {
            Some(index) => self.b.expr(Expression::AccessIndex { base, index }),
            None => self.b.expr(Expression::Access { base, index }),
        }
    }

    /// The pointer to four words at once, if a vector of them is aligned so.
    fn quad(&mut self, address: WordAddress, at: ExprHandle, stored: Stored, width: u8) -> Option<ExprHandle> {
        let whole = address.words.quads && address.quad && address.scale == 4 && width == 4 && stored.size() == 4;
        whole.then(|| {
            let at = self.inside(address.words, at);
            let index = self.b.shr(at, 2);
            self.element(address.words.array, index)
        })
    }

    /// The index unchanged, except that a constant beyond memory of fixed length becomes its last
    /// word, which naga accepts. The bounds check discards the access in the end.
    fn inside(&mut self, words: WordMemory, index: ExprHandle) -> ExprHandle {
        match (self.b.known(index), self.memory.lengths.get(&words.array)) {
            (Some(n), Some(&length)) if n >= length => self.b.u32(length.max(1) - 1),
            _ => index,
        }
    }

    pub(super) fn load_word(&mut self, words: WordMemory, index: ExprHandle) -> ExprHandle {
        let pointer = self.word_pointer(words, index);
        let word = self.b.load(pointer);
        if let (true, Some(scalar)) = (words.wide(), words.atomic) {
            let pair = self.b.bits(word, scalar, Scalar::U64);
            let by = self.half(index);
            let word = self.b.binary(BinaryOperator::ShiftRight, pair, by);
            return self.b.convert(word, Scalar::U32);
        }
        self.b.bits(word, words.atomic.unwrap_or(Scalar::U32), Scalar::U32)
    }

    pub(super) fn store_word(&mut self, words: WordMemory, index: ExprHandle, value: ExprHandle) {
        if words.wide() {
            let all = self.b.u32(u32::MAX);
            return self.merge(words, index, all, value);
        }
        let pointer = self.word_pointer(words, index);
        let value = self.b.bits(value, Scalar::U32, words.atomic.unwrap_or(Scalar::U32));
        self.b.store(pointer, value);
    }

    fn load_words(&mut self, address: WordAddress, stored: Stored, width: u8) -> ExprHandle {
        let at = match address.within {
            Some(_) if fault::planted(Fault::OutOfRangeValue) => address.at,
            Some(within) => {
                let zero = self.b.u32(ZERO / address.scale);
                self.b.select(within, address.at, zero)
            }
            None => address.at,
        };
        let data = Data { scalar: stored.value(), width };
        let value = if let Some(pointer) = self.quad(address, at, stored, width) {
            let words = self.b.load(pointer);
            self.b.bits(words, Scalar::U32, stored.value())
        } else {
            let mut components = Vec::new();
            for i in 0..u32::from(width) {
                let offset = i * stored.size();
                let align = super::view::common(&[u64::from(address.align), u64::from(offset)]);
                components.push(self.load_scalar(WordAddress { at, align, ..address }, offset, stored));
            }
            self.b.compose(data, components)
        };
        let value = if address.words.head || address.words.shared { value } else { self.unknown(value, data) };
        match address.within {
            Some(within) if !address.words.head && !fault::planted(Fault::OutOfRangeValue) => {
                let zero = self.zero(data);
                self.b.select(within, value, zero)
            }
            _ => value,
        }
    }

    /// Hides a float of a local from the driver, which may know that it is zero, as it saw it
    /// cleared.
    fn unknown(&mut self, value: ExprHandle, data: Data) -> ExprHandle {
        if !data.scalar.is_float() || self.exact(NativeOp::Zeros, data.scalar) {
            return value;
        }
        let whole = if data.scalar == Scalar::F64 { Scalar::U64 } else { Scalar::U32 };
        let bits = self.b.bits(value, data.scalar, whole);
        let bits = self.hidden(bits, whole, data.width);
        self.b.bits(bits, whole, data.scalar)
    }

    /// The index of the first word of an aligned place.
    pub(super) fn word_index(&mut self, at: ExprHandle, scale: u32) -> ExprHandle {
        self.b.shr(at, 2 - scale.trailing_zeros())
    }

    /// The word of a byte, and the shift of its bits in that word.
    fn word_and_bits(&mut self, at: ExprHandle, scale: u32, offset: u32) -> (ExprHandle, ExprHandle) {
        if scale == 4 {
            let more = self.b.u32(offset / 4);
            return (self.b.add(at, more), self.b.u32(offset % 4 * 8));
        }
        let bytes = self.b.u32(offset);
        let at = self.b.add(at, bytes);
        let index = self.b.shr(at, 2);
        let shift = self.b.and(at, 3);
        (index, self.b.shl(shift, 3))
    }

    /// A scalar `offset` bytes after a place, aligned as `address` states.
    fn load_scalar(&mut self, address: WordAddress, offset: u32, stored: Stored) -> ExprHandle {
        let WordAddress { words, at, scale, align, .. } = address;
        let size = stored.size();
        if align >= size.min(4) {
            // It lies within one word, or fills whole words.
            if size >= 4 {
                let base = self.word_index(at, scale);
                let more = self.b.u32(offset / 4);
                let index = self.b.add(base, more);
                let low = self.load_word(words, index);
                if size == 4 {
                    return self.b.bits(low, Scalar::U32, stored.value());
                }
                let one = self.b.u32(1);
                let next = self.b.add(index, one);
                let high = self.load_word(words, next);
                return self.double(low, high, stored.value());
            }
            let (index, shift) = self.word_and_bits(at, scale, offset);
            let word = self.load_word(words, index);
            let bits = self.down(word, shift);
            return self.narrow(bits, stored);
        }
        let (index, shift) = self.word_and_bits(at, scale, offset);
        let count = if size == 8 { 3 } else { 2 };
        let mut parts = Vec::new();
        for i in 0..count {
            let more = self.b.u32(i);
            let mut index = self.b.add(index, more);
            if !words.head {
                // The word after the last is needed only for bits that are then discarded.
                index = self.held(words, index);
            }
            parts.push(self.load_word(words, index));
        }
        let low = self.joined(parts[0], parts[1], shift);
        match size {
            8 => {
                let high = self.joined(parts[1], parts[2], shift);
                self.double(low, high, stored.value())
            }
            4 => self.b.bits(low, Scalar::U32, stored.value()),
            _ => self.narrow(low, stored),
        }
    }

    /// An index clamped to the last word of memory with a fixed length.
    fn held(&mut self, words: WordMemory, index: ExprHandle) -> ExprHandle {
        let length = self.memory.lengths.get(&words.array).copied().unwrap_or(1);
        let last = self.b.u32(length.max(1) - 1);
        match self.b.known(index) {
            Some(n) => self.b.u32(n.min(length.max(1) - 1)),
            None => self.b.math(naga::MathFunction::Min, &[index, last]),
        }
    }

    /// Shifted right by fewer than 32 bits.
    fn down(&mut self, word: ExprHandle, by: ExprHandle) -> ExprHandle {
        match self.b.known(by) {
            Some(by) => self.b.shr(word, by),
            None => self.b.binary(BinaryOperator::ShiftRight, word, by),
        }
    }

    /// Shifted left by fewer than 32 bits.
    fn up(&mut self, word: ExprHandle, by: ExprHandle) -> ExprHandle {
        match self.b.known(by) {
            Some(by) => self.b.shl(word, by),
            None => self.b.binary(BinaryOperator::ShiftLeft, word, by),
        }
    }

    /// The 32 bits that begin at bit `shift` of two words.
    fn joined(&mut self, low: ExprHandle, high: ExprHandle, shift: ExprHandle) -> ExprHandle {
        let low = self.b.binary(BinaryOperator::ShiftRight, low, shift);
        let high = self.b.shl(high, 1);
        let rest = self.b.u32(31);
        let rest = self.b.binary(BinaryOperator::Subtract, rest, shift);
        let high = self.b.binary(BinaryOperator::ShiftLeft, high, rest);
        if fault::planted(Fault::UnalignedWord) {
            return low;
        }
        self.b.binary(BinaryOperator::InclusiveOr, low, high)
    }

    /// Two words as a 64-bit value.
    pub(super) fn double(&mut self, low: ExprHandle, high: ExprHandle, scalar: Scalar) -> ExprHandle {
        let low = self.b.convert(low, Scalar::U64);
        let high = self.b.convert(high, Scalar::U64);
        let by = self.b.u32(32);
        let high = self.b.binary(BinaryOperator::ShiftLeft, high, by);
        let both = self.b.binary(BinaryOperator::InclusiveOr, low, high);
        self.b.bits(both, Scalar::U64, scalar)
    }

    /// A 64-bit value as two words.
    pub(super) fn halves(&mut self, value: ExprHandle, scalar: Scalar) -> [ExprHandle; 2] {
        if let Some(bits) = self.b.known_double(value) {
            return [self.b.u32(bits as u32), self.b.u32((bits >> 32) as u32)];
        }
        let bits = self.b.bits(value, scalar, Scalar::U64);
        if let Some(bits) = self.b.known_double(bits) {
            return [self.b.u32(bits as u32), self.b.u32((bits >> 32) as u32)];
        }
        let low = self.b.convert(bits, Scalar::U32);
        let by = self.b.u32(32);
        let high = self.b.binary(BinaryOperator::ShiftRight, bits, by);
        [low, self.b.convert(high, Scalar::U32)]
    }

    /// The value of a small format in the lowest bits of a word; the bits above are ignored.
    fn narrow(&mut self, bits: ExprHandle, stored: Stored) -> ExprHandle {
        match stored {
            Stored::Bool => {
                let byte = self.b.and(bits, 255);
                let zero = self.b.u32(0);
                self.b.binary(BinaryOperator::NotEqual, byte, zero)
            }
            Stored::U8 => self.b.and(bits, 0xff),
            Stored::U16 => self.b.and(bits, 0xffff),
            Stored::I8 | Stored::I16 => {
                let by = 32 - 8 * stored.size();
                let up = self.b.shl(bits, by);
                let signed = self.b.bits(up, Scalar::U32, Scalar::I32);
                let by = self.b.u32(by);
                self.b.binary(BinaryOperator::ShiftRight, signed, by)
            }
            Stored::F16 => {
                let half = self.b.and(bits, 0xffff);
                self.call("f16_to_f32", &[half])
            }
            Stored::I32 | Stored::U32 | Stored::I64 | Stored::U64 | Stored::F32 | Stored::F64 => bits,
        }
    }

    /// A value as the words in which it is stored; small formats use the lowest bits of one word.
    fn stored_words(&mut self, value: ExprHandle, stored: Stored) -> Vec<ExprHandle> {
        match stored {
            Stored::Bool => vec![self.b.convert(value, Scalar::U32)],
            Stored::I8 | Stored::I16 | Stored::I32 => vec![self.b.bits(value, Scalar::I32, Scalar::U32)],
            Stored::U8 | Stored::U16 | Stored::U32 => vec![value],
            Stored::F16 => vec![self.call("f32_to_f16", &[value])],
            Stored::F32 => vec![self.b.bits(value, Scalar::F32, Scalar::U32)],
            Stored::I64 | Stored::U64 | Stored::F64 => self.halves(value, stored.value()).to_vec(),
        }
    }

    fn store_words(&mut self, address: WordAddress, stored: Stored, width: u8, value: ExprHandle) -> LoweringResult {
        match address.within {
            Some(within) if !address.words.head => {
                self.if_then(within, |this| {
                    this.store_at(address, stored, width, value);
                    Ok(())
                })?;
            }
            Some(within) => {
                let sink = self.b.u32(SINK / address.scale);
                let at = self.b.select(within, address.at, sink);
                self.store_at(WordAddress { at, ..address }, stored, width, value);
            }
            None => self.store_at(address, stored, width, value),
        }
        Ok(())
    }

    fn store_at(&mut self, address: WordAddress, stored: Stored, width: u8, value: ExprHandle) {
        if let Some(pointer) = self.quad(address, address.at, stored, width) {
            let words = self.b.bits(value, stored.value(), Scalar::U32);
            return self.b.store(pointer, words);
        }
        for i in 0..u32::from(width) {
            let component = if width == 1 { value } else { self.b.at(value, i) };
            let offset = i * stored.size();
            let align = super::view::common(&[u64::from(address.align), u64::from(offset)]);
            self.store_scalar(WordAddress { align, ..address }, offset, stored, component);
        }
    }

    fn store_scalar(&mut self, address: WordAddress, offset: u32, stored: Stored, value: ExprHandle) {
        let WordAddress { words, at, scale, align, .. } = address;
        let parts = self.stored_words(value, stored);
        let size = stored.size();
        if align >= 4 && size >= 4 {
            let base = self.word_index(at, scale);
            for (i, part) in (0..).zip(parts) {
                let more = self.b.u32(offset / 4 + i);
                let index = self.b.add(base, more);
                self.store_word(words, index, part);
            }
            return;
        }
        let (base, shift) = self.word_and_bits(at, scale, offset);
        let mask = if size >= 4 { u32::MAX } else { (1 << (8 * size)) - 1 };
        for (i, part) in (0..).zip(parts) {
            let more = self.b.u32(i);
            let index = self.b.add(base, more);
            let part = self.b.and(part, mask);
            let mask_expr = self.b.u32(mask);
            let low = self.up(part, shift);
            let low_mask = self.up(mask_expr, shift);
            self.merge(words, index, low_mask, low);
            if align < size.min(4) {
                // The bits that reach into the next word; none if the place is aligned after all.
                let rest = self.b.u32(31);
                let rest = self.b.binary(BinaryOperator::Subtract, rest, shift);
                let half = self.b.shr(part, 1);
                let high = self.b.binary(BinaryOperator::ShiftRight, half, rest);
                let half_mask = self.b.u32(mask >> 1);
                let high_mask = self.b.binary(BinaryOperator::ShiftRight, half_mask, rest);
                let one = self.b.u32(1);
                let mut next = self.b.add(index, one);
                if !words.head {
                    next = self.held(words, next);
                }
                self.merge(words, next, high_mask, high);
            }
        }
    }

    /// The shift of a word in its pair.
    fn half(&mut self, index: ExprHandle) -> ExprHandle {
        let odd = self.b.and(index, 1);
        self.b.shl(odd, 5)
    }

    /// [`Lowerer::merge`] for a word in a pair.
    fn merge_wide(&mut self, words: WordMemory, scalar: Scalar, index: ExprHandle, mask: ExprHandle, bits: ExprHandle) {
        let pointer = self.word_pointer(words, index);
        let by = self.half(index);
        let [mask, bits] = [mask, bits].map(|word| {
            let wide = self.b.convert(word, Scalar::U64);
            self.b.binary(BinaryOperator::ShiftLeft, wide, by)
        });
        let keep = self.b.unary(naga::UnaryOperator::BitwiseNot, mask);
        for (fun, value) in [(AtomicFunction::And, keep), (AtomicFunction::InclusiveOr, bits)] {
            let value = self.b.bits(value, Scalar::U64, scalar);
            self.atomic_statement(pointer, fun, value, scalar);
        }
    }

    /// Replaces the bits of a word that the mask selects.
    fn merge(&mut self, words: WordMemory, index: ExprHandle, mask: ExprHandle, bits: ExprHandle) {
        if let (true, Some(scalar)) = (words.wide(), words.atomic) {
            return self.merge_wide(words, scalar, index, mask, bits);
        }
        let keep = match self.b.known(mask) {
            Some(mask) => self.b.u32(!mask),
            None => self.b.unary(naga::UnaryOperator::BitwiseNot, mask),
        };
        match words.atomic {
            Some(scalar) if words.shared => {
                let pointer = self.word_pointer(words, index);
                for (fun, value) in [(AtomicFunction::And, keep), (AtomicFunction::InclusiveOr, bits)] {
                    let value = self.b.bits(value, Scalar::U32, scalar);
                    self.atomic_statement(pointer, fun, value, scalar);
                }
            }
            _ => {
                let word = self.load_word(words, index);
                let kept = self.b.binary(BinaryOperator::And, word, keep);
                let word = self.b.binary(BinaryOperator::InclusiveOr, kept, bits);
                self.store_word(words, index, word);
            }
        }
    }

    /// One atomic operation. Returns the previous value.
    pub(super) fn atomic_statement(
        &mut self,
        pointer: ExprHandle,
        fun: AtomicFunction,
        value: ExprHandle,
        scalar: Scalar,
    ) -> ExprHandle {
        let ty = self.b.data_ty(Data::scalar(scalar));
        let result = self.b.bare(Expression::AtomicResult { ty, comparison: false });
        self.b.statement(Statement::Atomic { pointer, fun, value, result: Some(result) });
        result
    }
}
