//! Atomics: lane by lane, lowest first. In the worker's memory non-atomic code suffices.

use iced_x86::Code;
use regalloc2::VReg;
use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::types::Scalar;

use super::lower::{Lowered, LoweredValue, WideLowering};
use super::vcode::{Condition, INT, RegisterView, VECTOR, VectorLength};
use super::vectors::{WideValue, is_wide};
use super::writer::{CodeWriter, InstOperand, IntSize, MemoryOperand, dword, vector};
use crate::emit::change::{AtomicChange, atomic_change};
use crate::lanes::{Elem, LaneAddress, LaneValue, MemorySpace};

/// An atomic operation on one type.
#[derive(Clone, Copy)]
struct WideAtomic {
    change: AtomicChange,
    size: IntSize,
    signed: bool,
    /// Is it in the worker's memory?
    own: bool,
}

impl WideLowering<'_> {
    /// An atomic operation.
    pub(super) fn atomic(
        &mut self,
        value: LaneValue,
        (op, scalar): (AtomicOp, Scalar),
        at: &LaneAddress,
        operand: Option<LaneValue>,
        set: Option<LaneValue>,
    ) -> Lowered<LoweredValue> {
        let (elem, width) = (Elem::of(scalar), self.width());
        let atomic = WideAtomic {
            change: atomic_change(op, scalar),
            size: IntSize { wide: is_wide(elem) },
            signed: matches!(scalar, Scalar::I32 | Scalar::I64),
            own: matches!(at.space, MemorySpace::Arena(_)),
        };
        let operand = match operand {
            Some(operand) => self.lanes(operand)?,
            None => self.code.bits_as(elem, width, 1),
        };
        let set = self.optional_mask(set)?;
        if !self.plan.is_used(value) {
            self.update(atomic, at, &operand, set.as_ref())?;
            let nothing = WideValue { elem, width, parts: super::vectors::Parts::new(), constant: None };
            return Ok(LoweredValue::Lanes(nothing));
        }
        let results = self.code.clear_results(elem, width);
        self.each_lane(at, set.as_ref(), &[operand], |code, memory, lane, values| {
            let before = code.exchange_by(atomic, memory, values[0]);
            code.store_result(&results, lane, before);
        })?;
        Ok(LoweredValue::Lanes(self.code.read_results(&results)))
    }

    /// An atomic operation whose result is not used.
    fn update(
        &mut self,
        atomic: WideAtomic,
        at: &LaneAddress,
        operand: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<()> {
        let constant = operand.constant.map(|bits| bits as i64).filter(|_| atomic.own && !atomic.size.wide);
        let values = match constant {
            Some(_) => Vec::new(),
            None => vec![operand.clone()],
        };
        let one = |code: &mut CodeWriter, memory: MemoryOperand, words: &[VReg]| match constant {
            Some(bits) => code.change_by_constant(atomic, memory, bits as u32),
            None => code.change_by(atomic, memory, words[0]),
        };
        if !atomic.own {
            return self.each_lane(at, set, &values, |code, memory, _, words| one(code, memory, words));
        }
        let Some(set) = set else { return self.every_lane(at, &values, one) };
        // Testing each lane takes longer than updating memory that is not shared.
        let (all, some, join) = (self.code.block(), self.code.block(), self.code.block());
        let flags = self.code.all(set);
        self.code.branch(flags, all, some);
        self.code.begin(all);
        self.every_lane(at, &values, one)?;
        self.code.jump(join, Vec::new());
        let was = std::mem::replace(&mut self.code.cold, true);
        self.code.begin(some);
        self.each_lane(at, Some(set), &values, |code, memory, _, words| one(code, memory, words))?;
        self.code.jump(join, Vec::new());
        self.code.cold = was;
        self.code.begin(join);
        Ok(())
    }

    /// Stores a new value where the bits equal those of the expected one.
    pub(super) fn compare_exchange(
        &mut self,
        _: LaneValue,
        scalar: Scalar,
        at: &LaneAddress,
        (expected, new): (LaneValue, LaneValue),
        set: Option<LaneValue>,
    ) -> Lowered<LoweredValue> {
        let (elem, width) = (Elem::of(scalar), self.width());
        let (expected, new) = (self.lanes(expected)?, self.lanes(new)?);
        let set = self.optional_mask(set)?;
        let results = self.code.clear_results(elem, width);
        let own = matches!(at.space, MemorySpace::Arena(_));
        let atomic =
            WideAtomic { change: AtomicChange::Exchange, size: IntSize { wide: is_wide(elem) }, signed: false, own };
        self.each_lane(at, set.as_ref(), &[expected, new], |code, memory, lane, values| {
            let before = code.swap_if_equal(atomic, memory, values[0], values[1]);
            code.store_result(&results, lane, before);
        })?;
        Ok(LoweredValue::Lanes(self.code.read_results(&results)))
    }
}

impl CodeWriter {
    /// `cmpxchg`, locked if the memory is shared; yields the contents before.
    fn swap_if_equal(&mut self, atomic: WideAtomic, memory: MemoryOperand, expected: VReg, new: VReg) -> VReg {
        let code = atomic.size.pick(Code::Cmpxchg_rm32_r32, Code::Cmpxchg_rm64_r64);
        let operands = [InstOperand::Mem(memory), atomic.size.operand(new)];
        self.fixed_locked(code, &operands, &[(expected, 0)], &[0], !atomic.own)[0]
    }

    /// Updates memory and yields its contents before.
    fn exchange_by(&mut self, atomic: WideAtomic, memory: MemoryOperand, value: VReg) -> VReg {
        if atomic.own {
            let load = atomic.size.pick(Code::Mov_r32_rm32, Code::Mov_r64_rm64);
            let before = self.def(load, INT, atomic.size.view(), &[InstOperand::Mem(memory)]);
            let after = self.changed(atomic, before, value);
            self.store_raw(memory, if atomic.size.wide { 8 } else { 4 }, after);
            return before;
        }
        let view = atomic.size.view();
        match atomic.change {
            AtomicChange::Exchange => {
                self.exchange(atomic.size.pick(Code::Xchg_rm32_r32, Code::Xchg_rm64_r64), view, memory, value, false)
            }
            AtomicChange::Add => {
                self.exchange(atomic.size.pick(Code::Xadd_rm32_r32, Code::Xadd_rm64_r64), view, memory, value, true)
            }
            AtomicChange::Sub => {
                let less = self.def_over(atomic.size.pick(Code::Neg_rm32, Code::Neg_rm64), view, value, &[], None);
                self.exchange(atomic.size.pick(Code::Xadd_rm32_r32, Code::Xadd_rm64_r64), view, memory, less, true)
            }
            AtomicChange::AddFloat
            | AtomicChange::And
            | AtomicChange::Or
            | AtomicChange::Xor
            | AtomicChange::Min
            | AtomicChange::Max => self.exchange_until_equal(atomic, memory, value),
        }
    }

    /// Repeats a compare-exchange until nobody was in between; yields the contents before. A minimum or maximum that
    /// is there already is not written again: the word stays with all processors that read it.
    fn exchange_until_equal(&mut self, atomic: WideAtomic, memory: MemoryOperand, value: VReg) -> VReg {
        let load = atomic.size.pick(Code::Mov_r32_rm32, Code::Mov_r64_rm64);
        let first = self.def(load, INT, atomic.size.view(), &[InstOperand::Mem(memory)]);
        let [again, back, swapped, done] = [(); 4].map(|()| self.block());
        self.jump(again, vec![first]);
        self.begin(again);
        let seen = self.param(again, INT);
        let after = self.changed(atomic, seen, value);
        let compare = atomic.size.pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64);
        if matches!(atomic.change, AtomicChange::Min | AtomicChange::Max) {
            let [swap, same] = [(); 2].map(|()| self.block());
            self.effect(compare, &[atomic.size.operand(after), atomic.size.operand(seen)], None);
            self.branch(Condition::NotEqual, swap, same);
            self.begin(same);
            self.jump(done, vec![seen]);
            self.begin(swap);
        }
        let found = self.swap_if_equal(atomic, memory, seen, after);
        self.effect(compare, &[atomic.size.operand(found), atomic.size.operand(seen)], None);
        self.branch(Condition::NotEqual, back, swapped);
        self.begin(back);
        self.jump(again, vec![found]);
        self.begin(swapped);
        self.jump(done, vec![found]);
        self.begin(done);
        self.param(done, INT)
    }

    /// The new contents.
    fn changed(&mut self, atomic: WideAtomic, before: VReg, value: VReg) -> VReg {
        let view = atomic.size.view();
        let (before_operand, operand) = (atomic.size.operand(before), atomic.size.operand(value));
        let code = match atomic.change {
            AtomicChange::Exchange => return value,
            AtomicChange::AddFloat => {
                let x = RegisterView::Vector(VectorLength::X);
                let [a, b] = [before, value].map(|bits| self.def(Code::EVEX_Vmovd_xmm_rm32, VECTOR, x, &[dword(bits)]));
                let sources = [vector(a, VectorLength::X), vector(b, VectorLength::X)];
                let sum = self.def(Code::EVEX_Vaddss_xmm_k1z_xmm_xmmm32_er, VECTOR, x, &sources);
                return self.def(Code::EVEX_Vmovd_rm32_xmm, INT, RegisterView::Dword, &[vector(sum, VectorLength::X)]);
            }
            AtomicChange::Add => atomic.size.pick(Code::Add_r32_rm32, Code::Add_r64_rm64),
            AtomicChange::Sub => atomic.size.pick(Code::Sub_r32_rm32, Code::Sub_r64_rm64),
            AtomicChange::And => atomic.size.pick(Code::And_r32_rm32, Code::And_r64_rm64),
            AtomicChange::Or => atomic.size.pick(Code::Or_r32_rm32, Code::Or_r64_rm64),
            AtomicChange::Xor => atomic.size.pick(Code::Xor_r32_rm32, Code::Xor_r64_rm64),
            AtomicChange::Min | AtomicChange::Max => {
                // Replaced by the value where that is better.
                self.effect(atomic.size.pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), &[operand, before_operand], None);
                match (atomic.change == AtomicChange::Max, atomic.signed) {
                    (false, true) => atomic.size.pick(Code::Cmovl_r32_rm32, Code::Cmovl_r64_rm64),
                    (false, false) => atomic.size.pick(Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64),
                    (true, true) => atomic.size.pick(Code::Cmovg_r32_rm32, Code::Cmovg_r64_rm64),
                    (true, false) => atomic.size.pick(Code::Cmova_r32_rm32, Code::Cmova_r64_rm64),
                }
            }
        };
        self.def_over(code, view, before, &[operand], None)
    }

    /// Updates memory.
    fn change_by(&mut self, atomic: WideAtomic, memory: MemoryOperand, value: VReg) {
        let code = match atomic.change {
            AtomicChange::Add => atomic.size.pick(Code::Add_rm32_r32, Code::Add_rm64_r64),
            AtomicChange::Sub => atomic.size.pick(Code::Sub_rm32_r32, Code::Sub_rm64_r64),
            AtomicChange::And => atomic.size.pick(Code::And_rm32_r32, Code::And_rm64_r64),
            AtomicChange::Or => atomic.size.pick(Code::Or_rm32_r32, Code::Or_rm64_r64),
            AtomicChange::Xor => atomic.size.pick(Code::Xor_rm32_r32, Code::Xor_rm64_r64),
            AtomicChange::AddFloat | AtomicChange::Min | AtomicChange::Max | AtomicChange::Exchange => {
                self.exchange_by(atomic, memory, value);
                return;
            }
        };
        self.effect_locked(code, &[InstOperand::Mem(memory), atomic.size.operand(value)], !atomic.own);
    }

    /// Updates 32 bits of the worker's memory by a constant.
    fn change_by_constant(&mut self, atomic: WideAtomic, memory: MemoryOperand, bits: u32) {
        let code = match atomic.change {
            AtomicChange::Add => Code::Add_rm32_imm32,
            AtomicChange::Sub => Code::Sub_rm32_imm32,
            AtomicChange::And => Code::And_rm32_imm32,
            AtomicChange::Or => Code::Or_rm32_imm32,
            AtomicChange::Xor => Code::Xor_rm32_imm32,
            AtomicChange::Exchange => Code::Mov_rm32_imm32,
            AtomicChange::AddFloat | AtomicChange::Min | AtomicChange::Max => {
                let value = self.number(bits.into());
                self.exchange_by(atomic, memory, value);
                return;
            }
        };
        self.effect(code, &[InstOperand::Mem(memory), InstOperand::Imm32(bits)], None);
    }
}
