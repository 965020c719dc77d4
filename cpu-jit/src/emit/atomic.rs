//! Atomics: lane by lane, lowest first. In the worker's memory non-atomic code suffices. The
//! previous contents are kept only if the result is used.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AtomicRmwOp, BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::types::Scalar;

use super::change::{AtomicChange, atomic_change};
use super::emitter::Emitter;
use super::mask::MaskBits;
use super::pieces::{Pieces, scalar_type};
use super::place::PointerOffset;
use crate::lanes::{Elem, LaneAddress, MemorySpace};

/// The operand of an atomic in memory.
#[derive(Clone, Copy)]
struct AtomicTarget {
    flags: MemFlagsData,
    spot: PointerOffset,
    /// Is it in the worker's memory?
    own: bool,
    scalar: Scalar,
}

impl AtomicTarget {
    fn ty(self) -> Type {
        scalar_type(Elem::of(self.scalar))
    }

    /// The integer type of the same size.
    fn bits(self) -> Type {
        if self.ty().bytes() == 8 { types::I64 } else { types::I32 }
    }

    fn signed(self) -> bool {
        matches!(self.scalar, Scalar::I32 | Scalar::I64)
    }
}

impl Emitter<'_, '_> {
    /// Updates memory for each lane; yields the previous contents.
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        scalar: Scalar,
        at: &LaneAddress,
        operand: Option<&Pieces>,
        mask: Option<&Pieces>,
    ) -> Pieces {
        self.in_order(scalar, at, mask, |e, target, lane| {
            let value = match operand {
                Some(operand) => e.lane(operand, lane),
                None => e.builder.ins().iconst(target.bits(), 1),
            };
            if target.own { e.change_own(op, target, value) } else { e.change_shared(op, target, value) }
        })
    }

    /// Stores `new` for each lane if the contents equal `expected`, bit by bit; yields the previous
    /// contents.
    pub(super) fn compare_exchange(
        &mut self,
        scalar: Scalar,
        at: &LaneAddress,
        expected: &Pieces,
        new: &Pieces,
        mask: Option<&Pieces>,
    ) -> Pieces {
        self.in_order(scalar, at, mask, |e, target, lane| {
            let (expected, new) = (e.lane(expected, lane), e.lane(new, lane));
            let (expected, new) = (e.cast(target.bits(), expected), e.cast(target.bits(), new));
            let old = if target.own {
                let PointerOffset { pointer, offset } = target.spot;
                let old = e.builder.ins().load(target.bits(), target.flags, pointer, offset);
                let same = e.builder.ins().icmp(IntCC::Equal, old, expected);
                let value = e.builder.ins().select(same, new, old);
                e.builder.ins().store(target.flags, value, pointer, offset);
                old
            } else {
                let pointer = e.pointer(target.spot);
                e.builder.ins().atomic_cas(target.flags, pointer, expected, new)
            };
            e.cast(target.ty(), old)
        })
    }

    fn in_order(
        &mut self,
        scalar: Scalar,
        at: &LaneAddress,
        mask: Option<&Pieces>,
        mut change: impl FnMut(&mut Self, AtomicTarget, usize) -> Value,
    ) -> Pieces {
        let place = self.place(at);
        let bits = self.bits(mask);
        let own = matches!(at.space, MemorySpace::Arena(_));
        let wanted = self.wanted;
        let ty = wanted.then(|| scalar_type(Elem::of(scalar)));
        let mut each = |e: &mut Self, bits: MaskBits| -> Vec<Value> {
            let mut before = Vec::new();
            for lane in 0..e.width() {
                before.extend(e.if_lane(bits, lane, ty, |e| {
                    let spot = e.spot(&place, lane, 0);
                    let old = change(e, AtomicTarget { flags: place.flags, spot, own, scalar }, lane);
                    wanted.then_some(old)
                }));
            }
            before
        };
        let before = match bits {
            // Testing each lane takes longer than updating unshared memory.
            MaskBits::Many(number) if own && !self.cold => self.by_all(number, ty, each),
            _ => each(self, bits),
        };
        if wanted { self.collected(Elem::of(scalar), &before) } else { Pieces::from_parts(Elem::of(scalar), &[]) }
    }

    /// Executes `each` for all lanes unconditionally if all are set, otherwise for those that are;
    /// yields its results, values of that type.
    fn by_all(
        &mut self,
        lanes: Value,
        ty: Option<Type>,
        mut each: impl FnMut(&mut Self, MaskBits) -> Vec<Value>,
    ) -> Vec<Value> {
        let [all, some, join] = [(); 3].map(|()| self.builder.create_block());
        let params = ty.map(|ty| (0..self.width()).map(|_| self.builder.append_block_param(join, ty)).collect());
        let full = (1 << self.width()) - 1;
        let set = self.builder.ins().icmp_imm_s(IntCC::Equal, lanes, full);
        self.builder.set_cold_block(some);
        self.builder.ins().brif(set, all, &[], some, &[]);
        let few = fault::choose(Fault::AtomicOfAllLanes, MaskBits::Many(lanes), MaskBits::All);
        for (block, bits) in [(all, MaskBits::All), (some, few)] {
            self.enter(block);
            let given: Vec<BlockArg> = each(self, bits).into_iter().map(BlockArg::Value).collect();
            self.builder.ins().jump(join, &given);
        }
        self.enter(join);
        params.unwrap_or_default()
    }

    fn change_own(&mut self, op: AtomicOp, target: AtomicTarget, value: Value) -> Value {
        let PointerOffset { pointer, offset } = target.spot;
        let old = self.builder.ins().load(target.ty(), target.flags, pointer, offset);
        let new = self.changed(op, target, old, value);
        self.builder.ins().store(target.flags, new, pointer, offset);
        fault::choose(Fault::AtomicGivesNewValue, old, new)
    }

    /// The new value of an atomic operation.
    fn changed(&mut self, op: AtomicOp, target: AtomicTarget, old: Value, value: Value) -> Value {
        let ins = self.builder.ins();
        let change = atomic_change(op, target.scalar);
        match change {
            AtomicChange::AddFloat => ins.fadd(old, value),
            AtomicChange::Exchange => value,
            AtomicChange::Add => ins.iadd(old, value),
            AtomicChange::Sub => ins.isub(old, value),
            AtomicChange::And => ins.band(old, value),
            AtomicChange::Or => ins.bor(old, value),
            AtomicChange::Xor => ins.bxor(old, value),
            AtomicChange::Min | AtomicChange::Max => {
                let below = if target.signed() { IntCC::SignedLessThan } else { IntCC::UnsignedLessThan };
                let min = change == AtomicChange::Min || fault::planted(Fault::AtomicMaxAsMinInTiles);
                let (a, b) = if min { (value, old) } else { (old, value) };
                let less = ins.icmp(below, a, b);
                self.builder.ins().select(less, value, old)
            }
        }
    }

    fn change_shared(&mut self, op: AtomicOp, target: AtomicTarget, value: Value) -> Value {
        let pointer = self.pointer(target.spot);
        let signed = target.signed();
        let how = match atomic_change(op, target.scalar) {
            AtomicChange::AddFloat => return self.add_float(target, pointer, value),
            AtomicChange::Exchange => AtomicRmwOp::Xchg,
            AtomicChange::Add => AtomicRmwOp::Add,
            AtomicChange::Sub => AtomicRmwOp::Sub,
            AtomicChange::And => AtomicRmwOp::And,
            AtomicChange::Or => AtomicRmwOp::Or,
            AtomicChange::Xor => AtomicRmwOp::Xor,
            AtomicChange::Min if signed && !fault::planted(Fault::AtomicMinUnsigned) => AtomicRmwOp::Smin,
            AtomicChange::Min => AtomicRmwOp::Umin,
            AtomicChange::Max if signed => AtomicRmwOp::Smax,
            AtomicChange::Max => AtomicRmwOp::Umax,
        };
        let value = self.cast(target.bits(), value);
        let old = self.builder.ins().atomic_rmw(target.bits(), target.flags, how, pointer, value);
        self.cast(target.ty(), old)
    }

    /// There is no instruction for it: a compare-exchange loop.
    fn add_float(&mut self, target: AtomicTarget, pointer: Value, value: Value) -> Value {
        let again = self.builder.create_block();
        let done = self.builder.create_block();
        let seen = self.builder.append_block_param(again, types::I32);
        let first = self.builder.ins().atomic_load(types::I32, target.flags, pointer);
        self.builder.ins().jump(again, &[BlockArg::Value(first)]);
        self.builder.switch_to_block(again);
        let old = self.cast(types::F32, seen);
        let new = self.builder.ins().fadd(old, value);
        let new = self.cast(types::I32, new);
        let found = self.builder.ins().atomic_cas(target.flags, pointer, seen, new);
        let same = match fault::planted(Fault::FloatAddNotRetried) {
            true => self.builder.ins().iconst(types::I8, 1),
            false => self.builder.ins().icmp(IntCC::Equal, found, seen),
        };
        self.builder.ins().brif(same, done, &[], again, &[BlockArg::Value(found)]);
        self.builder.seal_block(again);
        self.enter(done);
        old
    }
}
