//! Atomics of all lanes at one place, as of a sum or a counter of all threads: the operands of the lanes are combined
//! first, and memory is changed once.
//!
//! Locked instructions at one place wait for one another, also between processors: a sum of two million numbers took
//! twenty times as long as a loop over them. As if nobody came in between, the lanes change the place one after
//! another, the lowest first, so that each gets the contents before and what the lanes below it have done.
//!
//! The lanes are combined in steps that double the distance: with `Slide`, which takes lanes of two values in sequence.
//! Where no result is used, each lane's value is combined with all others; where one is, with those of lower lanes.
//! Lanes that are masked off have the number that changes nothing.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::state::Vectorizer;
use crate::lanes::{AddressStep, Elem, LaneAddress, LaneInst, LaneType, LaneValue, MemorySpace};

/// How operands of one atomic operation are combined.
#[derive(Clone, Copy)]
struct CombinedLanes {
    /// Of two operands.
    combine: Op,
    /// The operand that changes nothing.
    neutral: u64,
    /// What changes memory by the combined operand: the operation, and the same for a value.
    change: (AtomicOp, Op),
}

impl CombinedLanes {
    /// Of an operation on an integer; nothing if operands cannot be combined.
    fn of(op: AtomicOp, scalar: Scalar) -> Option<CombinedLanes> {
        let ones = match scalar {
            Scalar::I32 | Scalar::U32 => u64::from(u32::MAX),
            Scalar::I64 | Scalar::U64 => u64::MAX,
            // Each sum is rounded.
            Scalar::F32 | Scalar::F64 | Scalar::Bool => return None,
        };
        let is_signed = matches!(scalar, Scalar::I32 | Scalar::I64);
        let largest = if is_signed { ones >> 1 } else { ones };
        let (combine, neutral, change) = match op {
            AtomicOp::Add | AtomicOp::Inc => (Op::Add, 0, (AtomicOp::Add, Op::Add)),
            AtomicOp::Sub | AtomicOp::Dec => (Op::Add, 0, (AtomicOp::Sub, Op::Sub)),
            AtomicOp::And => (Op::And, ones, (op, Op::And)),
            AtomicOp::Or => (Op::Or, 0, (op, Op::Or)),
            AtomicOp::Xor => (Op::Xor, 0, (op, Op::Xor)),
            AtomicOp::Min => (Op::Min, largest, (op, Op::Min)),
            AtomicOp::Max => (Op::Max, ones ^ largest, (op, Op::Max)),
            // The last one counts.
            AtomicOp::Exchange => return None,
        };
        Some(CombinedLanes { combine, neutral, change })
    }
}

impl Vectorizer<'_> {
    /// The active lanes of an atomic operation whose result is not used, without those of a minimum or maximum that
    /// memory is beyond already: as if they came when it was read. Most have nothing to do, and need no locked
    /// instruction.
    pub(super) fn lanes_that_improve(
        &mut self,
        (op, scalar): (AtomicOp, Scalar),
        at: &LaneAddress,
        operand: Option<LaneValue>,
        mask: Option<LaneValue>,
    ) -> Option<LaneValue> {
        let comparison = match op {
            AtomicOp::Min => Op::Lt,
            AtomicOp::Max => Op::Gt,
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Inc
            | AtomicOp::Dec
            | AtomicOp::Exchange => return mask,
        };
        let (Some(operand), AddressStep::Each(_) | AddressStep::Step(_)) = (operand, at.along) else { return mask };
        if matches!(at.space, MemorySpace::Arena(_)) || scalar.is_float() {
            return mask;
        }
        let there = self.b.load(at.clone(), mask);
        let improves = self.b.op(comparison, scalar, &[operand, there]);
        Some(match mask {
            Some(mask) => self.b.and(mask, improves),
            None => improves,
        })
    }

    /// An atomic operation whose lanes all change one place that other workers may change too: the previous contents
    /// of each lane, which count only if they are used. Nothing if it is no such operation.
    pub(super) fn atomic_at_one_place(
        &mut self,
        (op, scalar): (AtomicOp, Scalar),
        (at, mask): (&LaneAddress, Option<LaneValue>),
        operand: Option<LaneValue>,
        is_used: bool,
    ) -> Option<LaneValue> {
        let width = self.b.width();
        if at.along != AddressStep::Uniform || matches!(at.space, MemorySpace::Arena(_)) || width == 1 {
            return None;
        }
        let combined = CombinedLanes::of(op, scalar)?;
        let elem = Elem::of(scalar);
        let ty = LaneType::Lanes(elem);
        let [neutral, one] = [combined.neutral, 1].map(|bits| {
            let bits = self.b.constant(elem, bits);
            self.b.lanes(bits)
        });
        let operand = operand.unwrap_or(one);
        let operand = mask.map_or(operand, |mask| self.b.select(mask, operand, neutral));
        let slide = |s: &mut Self, low, high, by| s.b.pure(LaneInst::Slide { low, high, by }, ty);
        let mut all = operand;
        let mut distance = 1;
        while distance < width {
            let other = match is_used {
                true => slide(self, neutral, all, width - distance),
                false => slide(self, all, all, distance),
            };
            all = self.b.op(combined.combine, scalar, &[all, other]);
            distance *= 2;
        }
        // Of sums from below the last lane has the whole.
        let total = match is_used {
            true => slide(self, all, all, width - 1),
            false => all,
        };
        let one_lane = self.b.number(if fault::planted(Fault::OnePlaceChangedTwice) { 2 } else { 1 });
        let first = self.b.first_lanes(one_lane);
        let set = match mask {
            Some(mask) => {
                let any = self.b.any(mask);
                let any = self.b.lanes(any);
                self.b.and(first, any)
            }
            None => first,
        };
        let (change, change_value) = combined.change;
        let at = at.clone();
        let change = LaneInst::Atomic { op: change, scalar, at, operand: Some(total), mask: Some(set) };
        let before = self.b.here(change, ty);
        if !is_used {
            return Some(before);
        }
        let before = self.b.pure(LaneInst::LowestLane { lanes: before, mask: first }, LaneType::Scalar(elem));
        let before = self.b.lanes(before);
        let below = slide(self, neutral, all, width - 1);
        let own = self.b.op(change_value, scalar, &[before, below]);
        let zero = self.b.constant(elem, 0);
        let zero = self.b.lanes(zero);
        Some(mask.map_or(own, |mask| self.b.select(mask, own, zero)))
    }
}
