//! Atomic operations, and memory made of atomic words.
//!
//! A location is typed atomic for every access or for none. So all memory that any atomic operation
//! of the kernel may reach, and all memory that is stored in parts of words, is an array of atomic
//! words, `i32` if a signed minimum or maximum is taken there; plain accesses to it are atomic
//! loads and stores.

use naga::{AtomicFunction, BinaryOperator, Block, Expression, Statement};
use tilewise_ir::analysis::aligned::is_word;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{AtomicOp, Place, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Stored};

use super::builder::ExprHandle;
use super::lowered::Unsupported;
use super::place::{FoundPlace, PlaceContents, WordAddress};
use super::scan::VECTOR_LANES;
use super::state::{Lowerer, LoweringResult, malformed};

impl Lowerer<'_> {
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        place: &Place,
        value: Option<ValueId>,
        result: Option<ValueId>,
    ) -> LoweringResult {
        let (address, scalar) = self.atomic_place(place)?;
        let value = match value {
            Some(value) => self.value(value)?,
            // `Inc` and `Dec` have no operand.
            None => self.constant(scalar, 1),
        };
        let old = self.in_range(address, scalar, |this, pointer, typed| {
            if scalar == Scalar::F32 && op == AtomicOp::Add {
                return this.by_exchange(pointer, typed, |this, old| {
                    let old = this.b.bits(old, typed, Scalar::F32);
                    let sum = this.op(Op::Add, Scalar::F32, 1, &[old, value])?;
                    Ok(this.b.bits(sum, Scalar::F32, typed))
                });
            }
            let fun = match op {
                AtomicOp::Add | AtomicOp::Inc => AtomicFunction::Add,
                AtomicOp::Dec if fault::planted(Fault::AtomicDecAdds) => AtomicFunction::Add,
                AtomicOp::Sub | AtomicOp::Dec => AtomicFunction::Subtract,
                AtomicOp::And => AtomicFunction::And,
                AtomicOp::Or => AtomicFunction::InclusiveOr,
                AtomicOp::Xor => AtomicFunction::ExclusiveOr,
                AtomicOp::Exchange => AtomicFunction::Exchange { compare: None },
                AtomicOp::Min | AtomicOp::Max if scalar != typed => {
                    let row = if op == AtomicOp::Min { Op::Min } else { Op::Max };
                    return this.by_exchange(pointer, typed, |this, old| {
                        let old = this.b.bits(old, typed, scalar);
                        let new = this.op(row, scalar, 1, &[old, value])?;
                        Ok(this.b.bits(new, scalar, typed))
                    });
                }
                AtomicOp::Min => AtomicFunction::Min,
                AtomicOp::Max => AtomicFunction::Max,
            };
            let value = this.b.bits(value, scalar, typed);
            Ok(this.atomic_statement(pointer, fun, value, typed))
        })?;
        self.set(result, old);
        Ok(())
    }

    pub(super) fn compare_exchange(
        &mut self,
        place: &Place,
        expected: ValueId,
        new: ValueId,
        result: Option<ValueId>,
        equal: ValueId,
    ) -> LoweringResult {
        let (address, scalar) = self.atomic_place(place)?;
        let (expected, new) = (self.value(expected)?, self.value(new)?);
        let stored = self.variable("stored", Data::BOOL);
        let no = self.b.bool(false);
        self.b.store(stored, no);
        let old = self.in_range(address, scalar, |this, pointer, typed| {
            let expected = this.b.bits(expected, scalar, typed);
            let new = this.b.bits(new, scalar, typed);
            let before = this.variable("before", Data::scalar(typed));
            // WGSL's exchange may fail although the values are equal; then it is retried.
            let body = this.nested(|this| {
                this.spend_more(VECTOR_LANES);
                let (old, exchanged) = this.exchange(pointer, expected, new, typed);
                this.b.store(before, old);
                this.b.store(stored, exchanged);
                let other = this.b.binary(BinaryOperator::NotEqual, old, expected);
                let over = this.b.binary(BinaryOperator::LogicalOr, exchanged, other);
                this.if_then(over, |this| {
                    this.b.statement(Statement::Break);
                    Ok(())
                })
            })?;
            this.b.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
            Ok(this.b.load(before))
        })?;
        self.set(result, old);
        let stored = self.b.load(stored);
        self.set(Some(equal), stored);
        Ok(())
    }

    fn atomic_place(&mut self, place: &Place) -> LoweringResult<(WordAddress, Scalar)> {
        let (address, stored) = match self.find(place)? {
            // All atomics in one memory have the same width.
            FoundPlace::Words(address, PlaceContents::Leaf(stored, 1))
                if stored.size() == 4 && address.words.wide() =>
            {
                return Err(Unsupported(format!(
                    "atomic operations on `{stored}` in memory that has some on 64-bit numbers too: a mixture is missing on GPUs"
                )));
            }
            FoundPlace::Words(_, PlaceContents::Leaf(Stored::F64, 1)) => {
                return Err(Unsupported("atomic operations on `f64` are missing on GPUs".to_owned()));
            }
            FoundPlace::Words(address, PlaceContents::Leaf(stored, 1)) if stored.size() >= 4 => (address, stored),
            _ => return Err(malformed("an atomic is on no scalar in memory")),
        };
        if is_word(self.input.kernel, self.input.origins, place, stored) {
            return Ok((address, stored.value()));
        }
        // An atomic that is not aligned to its size counts as out of range. The buffer's head is a
        // multiple of that size.
        let bytes = self.b.shl(address.at, address.scale.trailing_zeros());
        let behind = self.b.and(bytes, stored.size() - 1);
        let zero = self.b.u32(0);
        let aligned = self.b.equal(behind, zero);
        let aligned = if fault::planted(Fault::GpuLoweringMisalignedAtomicDone) { self.b.bool(true) } else { aligned };
        let within = Some(self.and_then(address.within, aligned));
        Ok((WordAddress { within, ..address }, stored.value()))
    }

    /// Applies `then` to the word at an address if it is in range, and returns its result as
    /// `scalar`, else 0. `then` receives the pointer and the type of the words.
    fn in_range(
        &mut self,
        address: WordAddress,
        scalar: Scalar,
        then: impl FnOnce(&mut Self, ExprHandle, Scalar) -> LoweringResult<ExprHandle>,
    ) -> LoweringResult<ExprHandle> {
        let typed = address.words.atomic.ok_or_else(|| malformed("an atomic is on plain memory"))?;
        let index = self.word_index(address.at, address.scale);
        let Some(within) = address.within else {
            let pointer = self.word_pointer(address.words, index);
            let old = then(self, pointer, typed)?;
            return Ok(self.b.bits(old, typed, scalar));
        };
        let before = self.variable("old", Data::scalar(typed));
        let zero = self.zero(Data::scalar(scalar));
        let zero = self.b.bits(zero, scalar, typed);
        self.b.store(before, zero);
        let within = if fault::planted(Fault::AtomicOutOfRange) { self.b.bool(true) } else { within };
        self.if_then(within, |this| {
            let pointer = this.word_pointer(address.words, index);
            let old = then(this, pointer, typed)?;
            this.b.store(before, old);
            Ok(())
        })?;
        let old = self.b.load(before);
        Ok(self.b.bits(old, typed, scalar))
    }

    /// An operation that the hardware lacks: a compare-exchange loop.
    fn by_exchange(
        &mut self,
        pointer: ExprHandle,
        typed: Scalar,
        new: impl FnOnce(&mut Self, ExprHandle) -> LoweringResult<ExprHandle>,
    ) -> LoweringResult<ExprHandle> {
        let before = self.variable("old", Data::scalar(typed));
        let first = self.b.load(pointer);
        self.b.store(before, first);
        let body = self.nested(|this| {
            this.spend_more(VECTOR_LANES);
            let old = this.b.load(before);
            let new = new(this, old)?;
            let (found, exchanged) = this.exchange(pointer, old, new, typed);
            let done = if fault::planted(Fault::MinOfOtherSignOnce) { this.b.bool(true) } else { exchanged };
            this.if_then(done, |this| {
                this.b.statement(Statement::Break);
                Ok(())
            })?;
            this.b.store(before, found);
            Ok(())
        })?;
        self.b.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
        Ok(self.b.load(before))
    }

    /// One attempt: the previous value, and whether the new one was stored.
    fn exchange(
        &mut self,
        pointer: ExprHandle,
        expected: ExprHandle,
        new: ExprHandle,
        typed: Scalar,
    ) -> (ExprHandle, ExprHandle) {
        let scalar = super::builder::scalar(typed);
        let ty =
            self.b.module.generate_predeclared_type(naga::PredeclaredType::AtomicCompareExchangeWeakResult(scalar));
        let result = self.b.bare(Expression::AtomicResult { ty, comparison: true });
        let fun = AtomicFunction::Exchange { compare: Some(expected) };
        self.b.statement(Statement::Atomic { pointer, fun, value: new, result: Some(result) });
        let old = self.b.at(result, 0);
        (old, self.b.at(result, 1))
    }
}
