//! Finds the counter of a loop, and clamps its bound.

use smallvec::smallvec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::{VersionPass, defined};
use crate::hash::HashSet;
use crate::lanes::classes::LaneInstClass;
use crate::lanes::program::{Elem, LaneBlock, LaneInst, LaneType, LaneValue, Node};

/// The counter of a loop: its parameter, step and upper bound.
pub(super) struct Counter {
    pub(super) param: usize,
    pub(super) step: i64,
    pub(super) bound: LaneValue,
    /// Is the bound inclusive?
    pub(super) or_equal: bool,
    /// Are both compared without sign?
    pub(super) unsigned: bool,
}

impl VersionPass {
    /// Clamps a counted loop that only has an effect while its counter is below a limit, and whose
    /// last count nothing reads.
    pub(super) fn clamp(
        &mut self,
        (params, init): (&[LaneValue], &[LaneValue]),
        body: &mut LaneBlock,
        again: &mut LaneValue,
        nodes: &mut Vec<Node>,
    ) {
        let ([param], [first]) = (params, init) else { return };
        let counter = self.defs.get(again).and_then(|again| self.counter_of(params, body, again));
        let Some(counter) = counter.filter(|counter| !counter.or_equal) else { return };
        let mut inside: HashSet<LaneValue> = params.iter().copied().collect();
        defined(body, &mut inside);
        if inside.contains(&counter.bound) || self.types[counter.bound.index()] != LaneType::Scalar(Elem::I64) {
            return;
        }
        let Some(limit) = self.limit(body, *param).filter(|limit| !inside.contains(limit)) else { return };
        // The difference between the limit and a count does not wrap.
        if ![*first, counter.bound, limit].into_iter().all(|value| self.is_small(value)) {
            return;
        }
        let bound = self.fresh(LaneType::Scalar(Elem::I64));
        let least = LaneInst::Op { op: Op::Min, scalar: Scalar::I64, args: smallvec![counter.bound, limit] };
        self.defs.insert(bound, least.clone());
        nodes.push(Node::Let { value: bound, inst: least, pos: Pos::NONE });
        let next = body.results[counter.param];
        let value = self.fresh(LaneType::Scalar(Elem::Bool));
        let inst = LaneInst::Op { op: Op::Lt, scalar: Scalar::I64, args: smallvec![next, bound] };
        self.defs.insert(value, inst.clone());
        body.nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        *again = value;
    }

    /// Is a 64-bit scalar a small constant, or a widened 32-bit number?
    fn is_small(&self, value: LaneValue) -> bool {
        match self.defs.get(&value) {
            Some(LaneInst::Op { op: Op::ToI64, scalar: Scalar::I32 | Scalar::U32, .. }) => true,
            Some(_) | None => self.number(value).is_some_and(|number| number.unsigned_abs() < 1 << 60),
        }
    }

    /// The bound below which the counter must be for a block to have an effect.
    fn limit(&self, block: &LaneBlock, counter: LaneValue) -> Option<LaneValue> {
        let mut found = None;
        for node in &block.nodes {
            match node {
                Node::Let { inst, .. } => match inst.class() {
                    LaneInstClass::Read | LaneInstClass::Atomic => return None,
                    LaneInstClass::Pure => {}
                },
                Node::If { condition, then: _, otherwise, results, .. } if results.is_empty() && found.is_none() => {
                    let LaneInst::Op { op: Op::Gt | Op::Ge, scalar: Scalar::I64, args } = self.defs.get(condition)?
                    else {
                        return None;
                    };
                    let (left, least) = (args[0], self.number(args[1])?);
                    let above = matches!(self.defs.get(condition)?, LaneInst::Op { op: Op::Gt, .. });
                    let LaneInst::Op { op: Op::Sub, scalar: Scalar::I64, args } = self.defs.get(&left)? else {
                        return None;
                    };
                    if args[1] != counter || least < i64::from(!above) {
                        return None;
                    }
                    let limit = args[0];
                    if !otherwise.nodes.is_empty() && self.limit(otherwise, counter) != Some(limit) {
                        return None;
                    }
                    found = Some(limit);
                }
                Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => return None,
            }
        }
        found
    }

    /// The counter of a loop: that of one of the conditions whose conjunction goes on.
    pub(super) fn counter(&self, params: &[LaneValue], body: &LaneBlock, again: LaneValue) -> Option<Counter> {
        let mut seen = HashSet::default();
        let mut rest = vec![again];
        while let Some(condition) = rest.pop() {
            if !seen.insert(condition) {
                continue;
            }
            match self.defs.get(&condition) {
                Some(LaneInst::Op { op: Op::And, scalar: Scalar::Bool, args }) => rest.extend(args.iter().rev()),
                Some(LaneInst::Any(mask)) => rest.push(*mask),
                Some(LaneInst::Splat(scalar)) => rest.push(*scalar),
                Some(inst) => {
                    if let Some(counter) = self.counter_of(params, body, inst) {
                        return Some(counter);
                    }
                }
                None => {}
            }
        }
        None
    }

    /// The counter that a comparison is about.
    fn counter_of(&self, params: &[LaneValue], body: &LaneBlock, condition: &LaneInst) -> Option<Counter> {
        match condition {
            LaneInst::Op { op, scalar: scalar @ (Scalar::I32 | Scalar::U32 | Scalar::I64), args } => {
                let (comparison, &[a, b]) = (op.comparison()?, args.as_slice()) else { return None };
                let (next, bound, or_equal) = match comparison {
                    Comparison::Lt => (a, b, fault::planted(Fault::BoundBelowAsOrEqual)),
                    Comparison::Gt => (b, a, false),
                    Comparison::Le => (a, b, true),
                    Comparison::Ge => (b, a, true),
                    Comparison::Eq | Comparison::Ne => return None,
                };
                let param = body.results.iter().position(|&result| result == next)?;
                let LaneInst::Op { op: Op::Add, args, .. } = self.defs.get(&next)? else { return None };
                let &[a, b] = args.as_slice() else { return None };
                let by = if a == params[param] { b } else { a };
                if a != params[param] && b != params[param] || self.types[bound.index()].is_lanes() {
                    return None;
                }
                let step = self.number(by).filter(|step| (1..1 << 20).contains(step))?;
                Some(Counter { param, step, bound, or_equal, unsigned: *scalar == Scalar::U32 })
            }
            LaneInst::Const(_)
            | LaneInst::Input(_)
            | LaneInst::Arena(_)
            | LaneInst::Lane
            | LaneInst::Op { .. }
            | LaneInst::Whole { .. }
            | LaneInst::Select { .. }
            | LaneInst::FirstLanes(_)
            | LaneInst::Any(_)
            | LaneInst::All(_)
            | LaneInst::Splat(_)
            | LaneInst::LowestLane { .. }
            | LaneInst::Slide { .. }
            | LaneInst::ReciprocalRoot(_)
            | LaneInst::Load { .. }
            | LaneInst::Atomic { .. }
            | LaneInst::CompareExchange { .. } => None,
        }
    }
}
