//! How many elements of its run each lane reads in a block of iterations.
//!
//! A mask of a load is a conjunction ([`RunMask`]). Each conjunct is true for a number of iterations, and
//! false from then on:
//! - `u < limit`, where `u` grows by one in each iteration: for `limit - u`, or for none;
//! - a mask that the loop carries, the lanes that have not left: in the first iteration, if it is set, and as
//!   often further as the conjuncts of its next value hold;
//! - a mask from before the loop: for all, or for none.
//!
//! The loop itself may end before its lanes' masks do: at a limit of a scalar. That is one more conjunct.
//!
//! A `u` that wraps within the block is below the limit again, so its conjunct is not what is said above. If
//! that happens in any lane, the loop goes on as it was.

use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::types::Scalar;

use super::lines::RunScope;
use super::{RunLoop, RunReader};
use crate::hash::HashMap;
use crate::lanes::classes::{MaskOp, mask_op};
use crate::lanes::program::{Elem, LaneInst, LaneType, LaneValue};
use crate::lanes::walk::operands_mut;

/// Iterations that a lane has to have left, so that a block is worth its loads.
pub(super) const FEWEST: i64 = 4;

/// Most conjuncts of a mask.
pub(super) const MOST_CONJUNCTS: usize = 8;

/// The conjuncts of a mask.
pub(super) type RunMask = SmallVec<[Conjunct; 4]>;

/// A mask, or a condition, that holds for a number of iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conjunct {
    /// A value is below a limit.
    Below(Below),
    /// The next value of something carried is: it decides about the iteration that follows.
    NextBelow(Below),
    /// A mask at the beginning of the block.
    Set(LaneValue),
}

/// A number that grows by one, and a limit that does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Below {
    number: LaneValue,
    limit: LaneValue,
    scalar: Scalar,
}

/// How many elements each lane reads of each run in a block.
pub(super) struct RunCounts {
    /// `i32` lanes, up to the length of the block.
    pub(super) counts: Vec<LaneValue>,
    /// Is there a lane with so many that a block pays, and none in which a number wraps?
    pub(super) is_block: LaneValue,
}

impl RunReader<'_> {
    /// The conjuncts of a load's mask.
    pub(super) fn conjuncts(
        &self,
        mask: LaneValue,
        next: &HashMap<LaneValue, LaneValue>,
        runs: &RunLoop,
        found: &mut RunMask,
    ) -> Option<()> {
        if let Some(&next) = next.get(&mask) {
            found.push(Conjunct::Set(mask));
            return self.next_conjuncts(next, mask, runs, found);
        }
        if !runs.inside.contains(&mask) {
            found.push(Conjunct::Set(mask));
            return Some(());
        }
        if let Some([a, b]) = self.both(mask) {
            self.conjuncts(a, next, runs, found)?;
            return self.conjuncts(b, next, runs, found);
        }
        found.push(Conjunct::Below(self.below(mask, runs)?));
        Some(())
    }

    /// The conjuncts of the next value of a carried mask; one of them is the mask itself.
    fn next_conjuncts(&self, next: LaneValue, carried: LaneValue, runs: &RunLoop, found: &mut RunMask) -> Option<()> {
        let (mut rest, mut is_kept) = (vec![next], false);
        while let Some(mask) = rest.pop() {
            if rest.len() > MOST_CONJUNCTS {
                return None;
            }
            if mask == carried {
                is_kept = true;
            } else if let Some(both) = self.both(mask) {
                rest.extend(both);
            } else {
                found.push(Conjunct::NextBelow(self.below(mask, runs)?));
            }
        }
        is_kept.then_some(())
    }

    /// The conjuncts of the condition that the loop goes on.
    pub(super) fn ends(
        &self,
        again: LaneValue,
        next: &HashMap<LaneValue, LaneValue>,
        runs: &RunLoop,
        found: &mut RunMask,
    ) -> Option<()> {
        // A lane's own mask ends no later, if it is one of the load's.
        if let LaneInst::Any(mask) = self.pure.get(&again)? {
            let is_own = |conjunct: &Conjunct| matches!(conjunct, Conjunct::Set(own) if next.get(own) == Some(mask));
            return found.iter().any(is_own).then_some(());
        }
        if let Some([a, b]) = self.both(again) {
            self.ends(a, next, runs, found)?;
            return self.ends(b, next, runs, found);
        }
        found.push(Conjunct::NextBelow(self.below(again, runs)?));
        Some(())
    }

    /// The two conjuncts of a mask or condition.
    fn both(&self, of: LaneValue) -> Option<[LaneValue; 2]> {
        let LaneInst::Op { op, scalar: Scalar::Bool, args } = self.pure.get(&of)? else { return None };
        let &[a, b] = args.as_slice() else { return None };
        (mask_op(*op) == MaskOp::And).then_some([a, b])
    }

    /// A comparison of something that grows by one with something that stays, or of two that stay.
    fn below(&self, of: LaneValue, runs: &RunLoop) -> Option<Below> {
        let LaneInst::Op { op, scalar, args } = self.pure.get(&of)? else { return None };
        let (MaskOp::Compare(Comparison::Lt), &[number, limit]) = (mask_op(*op), args.as_slice()) else { return None };
        if !matches!(scalar, Scalar::I32 | Scalar::U32) {
            return None;
        }
        let mut left = super::LONGEST_CHAIN;
        let growths = [number, limit].map(|value| self.growth(value, runs, &mut left));
        (growths == [Some(1), Some(0)]).then_some(Below { number, limit, scalar: *scalar })
    }

    /// The number of elements that each lane reads in a block that begins at a place.
    pub(super) fn counts(&mut self, masks: &[RunMask], scope: &mut RunScope<'_>) -> Option<RunCounts> {
        let length = scope.runs.length;
        let mut known: Vec<(Conjunct, LaneValue)> = Vec::new();
        let (mut wraps, mut counts) = (Vec::new(), Vec::new());
        for mask in masks {
            let mut count = None;
            for &conjunct in mask {
                let of_conjunct = match known.iter().find(|(other, _)| *other == conjunct) {
                    Some(&(_, known)) => known,
                    None => self.holds_for(conjunct, scope, &mut wraps)?,
                };
                known.push((conjunct, of_conjunct));
                count = Some(match count {
                    None => of_conjunct,
                    Some(count) => self.lane_op(Op::Min, Scalar::U32, &[count, of_conjunct], Elem::I32, scope),
                });
            }
            let most = self.lane_number(length, scope);
            let mut count = self.lane_op(Op::Min, Scalar::U32, &[count?, most], Elem::I32, scope);
            if fault::planted(Fault::RaggedRunTooLong) {
                let one = self.lane_number(1, scope);
                count = self.lane_op(Op::Add, Scalar::I32, &[count, one], Elem::I32, scope);
            }
            counts.push(count);
        }
        let few = self.lane_number(FEWEST - 1, scope);
        let many = self.lane_op(Op::Lt, Scalar::U32, &[few, *counts.first()?], Elem::Bool, scope);
        let mut is_block = self.any(many, scope);
        let wrap = wraps.into_iter().reduce(|a, b| self.lane_op(Op::Or, Scalar::Bool, &[a, b], Elem::Bool, scope));
        if let Some(wrap) = wrap.filter(|_| !fault::planted(Fault::RaggedRunWraps)) {
            let wraps = self.any(wrap, scope);
            let none = self.op(Op::Not, Scalar::Bool, &[wraps], Elem::Bool, &mut scope.nodes);
            is_block = self.op(Op::And, Scalar::Bool, &[is_block, none], Elem::Bool, &mut scope.nodes);
        }
        Some(RunCounts { counts, is_block })
    }

    /// For how many iterations a conjunct holds, from the beginning of a block on.
    fn holds_for(
        &mut self,
        conjunct: Conjunct,
        scope: &mut RunScope<'_>,
        wraps: &mut Vec<LaneValue>,
    ) -> Option<LaneValue> {
        match conjunct {
            Conjunct::Set(of) => {
                let of = self.at_block(of, scope)?;
                let (yes, no) = (self.lane_number(scope.runs.length, scope), self.lane_number(0, scope));
                let select = LaneInst::Select { mask: of, yes, no };
                Some(self.define(select, LaneType::Lanes(Elem::I32), &mut scope.nodes))
            }
            Conjunct::Below(below) => self.iterations_below(below, 0, scope, wraps),
            Conjunct::NextBelow(below) => self.iterations_below(below, 1, scope, wraps),
        }
    }

    fn any(&mut self, mask: LaneValue, scope: &mut RunScope<'_>) -> LaneValue {
        self.define(LaneInst::Any(mask), LaneType::Scalar(Elem::Bool), &mut scope.nodes)
    }

    /// For how many iterations a number stays below its limit, up to the length of a block; of a next value, the
    /// one before is counted too.
    fn iterations_below(
        &mut self,
        Below { number, limit, scalar }: Below,
        before: i64,
        scope: &mut RunScope<'_>,
        wraps: &mut Vec<LaneValue>,
    ) -> Option<LaneValue> {
        let [number, limit] = [number, limit].map(|value| {
            let value = self.at_block(value, scope)?;
            Some(self.in_lanes(value, scope))
        });
        let (number, limit) = (number?, limit?);
        let none = self.lane_number(0, scope);
        let below = self.lane_op(Op::Lt, scalar, &[number, limit], Elem::Bool, scope);
        let difference = self.lane_op(Op::Sub, Scalar::I32, &[limit, number], Elem::I32, scope);
        let select = LaneInst::Select { mask: below, yes: difference, no: none };
        let holds = self.define(select, LaneType::Lanes(Elem::I32), &mut scope.nodes);
        let last = self.lane_number(scope.runs.length - 1, scope);
        let later = self.lane_op(Op::Add, Scalar::I32, &[number, last], Elem::I32, scope);
        wraps.push(self.lane_op(Op::Lt, scalar, &[later, number], Elem::Bool, scope));
        if before == 0 {
            return Some(holds);
        }
        // As a sum it may wrap.
        let holds = self.lane_op(Op::Min, Scalar::U32, &[holds, last], Elem::I32, scope);
        let before = self.lane_number(before, scope);
        Some(self.lane_op(Op::Add, Scalar::I32, &[holds, before], Elem::I32, scope))
    }

    /// A value that the loop computes without memory, where a block begins.
    pub(super) fn at_block(&mut self, value: LaneValue, scope: &mut RunScope<'_>) -> Option<LaneValue> {
        if let Some(&named) = scope.names.get(&value) {
            return Some(named);
        }
        if !scope.runs.inside.contains(&value) {
            return Some(value);
        }
        scope.spend()?;
        let mut inst = self.pure.get(&value)?.clone();
        let mut known = true;
        operands_mut(&mut inst, &mut |operand| match self.at_block(*operand, scope) {
            Some(named) => *operand = named,
            None => known = false,
        });
        let named = known.then(|| self.define(inst, self.program.ty(value), &mut scope.nodes))?;
        scope.names.insert(value, named);
        Some(named)
    }

    /// A value of 32 bits in each lane.
    pub(super) fn in_lanes(&mut self, value: LaneValue, scope: &mut RunScope<'_>) -> LaneValue {
        match self.program.ty(value) {
            LaneType::Lanes(_) => value,
            LaneType::Scalar(elem) => self.define(LaneInst::Splat(value), LaneType::Lanes(elem), &mut scope.nodes),
        }
    }

    fn lane_number(&mut self, number: i64, scope: &mut RunScope<'_>) -> LaneValue {
        let bits = u64::from(number as u32);
        let number = self.define(LaneInst::Const(bits), LaneType::Scalar(Elem::I32), &mut scope.nodes);
        self.in_lanes(number, scope)
    }

    pub(super) fn lane_op(
        &mut self,
        op: Op,
        scalar: Scalar,
        args: &[LaneValue],
        elem: Elem,
        scope: &mut RunScope<'_>,
    ) -> LaneValue {
        let inst = LaneInst::Op { op, scalar, args: args.into() };
        self.define(inst, LaneType::Lanes(elem), &mut scope.nodes)
    }
}
