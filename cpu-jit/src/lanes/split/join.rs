//! Loop fusion: adjacent loops over the same iterations become one, if no iteration needs the
//! results of a different one.
//!
//! Between barriers all strips of a tile run one after the other; the values that a strip keeps for
//! the next region lie in memory. If that region follows immediately for the same strip, they are
//! still in registers. The order of strips is free: often only descending order is legal, where
//! each strip writes what the later ones have read.

use super::memory::{LoopAccess, span};
use super::parts::{segments, size};
use super::{CountedLoop, LoopIteration, MOST, Rewriter};
use crate::lanes::build::BuildMark;
use crate::lanes::classes::LaneInstClass;
use crate::lanes::program::{Effect, Elem, LaneBlock, LaneInst, LaneType, LaneValue, Node};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

/// The loops written last, one after the other or fused.
pub(super) struct LoopRun<'p> {
    /// The mark before them.
    mark: BuildMark,
    counted: CountedLoop,
    members: Vec<(LaneValue, &'p LaneBlock)>,
    /// Nodes between them, whose values must not be used there.
    between: Vec<&'p Node>,
    results: Vec<LaneValue>,
    accesses: Vec<LoopAccess>,
    ways: Ways,
}

/// The legal orders of a loop's iterations.
#[derive(Clone, Copy, Debug)]
struct Ways {
    up: bool,
    down: bool,
}

/// The order of a loop's iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum IterationOrder {
    Upwards,
    Downwards,
}

impl<'p> Rewriter<'p> {
    /// Writes nodes and fuses loops.
    pub(super) fn nodes(&mut self, nodes: &'p [Node]) {
        if self.promotion.is_some() {
            return nodes.iter().for_each(|node| self.node(node));
        }
        let mut last: Option<LoopRun<'p>> = None;
        for node in nodes {
            if let Node::Let { inst, .. } = node
                && !touches(inst)
            {
                if let Some(run) = &mut last {
                    let mut free = true;
                    crate::lanes::walk::operands(inst, &mut |value| free &= !run.results.contains(value));
                    run.between.push(node);
                    last = last.filter(|_| free);
                }
                self.node(node);
                continue;
            }
            let run = self.run(node);
            if run.is_none() {
                self.node(node);
            }
            last = match (last.take(), run) {
                (Some(before), Some(run)) => Some(self.joined(before, run)),
                (_, run) => run,
            };
        }
    }

    /// Writes a loop if the accesses of each iteration are known.
    fn run(&mut self, node: &'p Node) -> Option<LoopRun<'p>> {
        let Node::Loop { params, init, body, again, results } = node else { return None };
        // A loop of more is never fused, and each pair of its accesses would be compared.
        let is_large = size(body) > MOST;
        if params.len() != 1 || self.round.is_some() || is_large || !joinable(&body.nodes) {
            return None;
        }
        let init = self.all(init);
        let counted = self.counted(params, &init, body, *again)?;
        if self.b.ty(init[0]) != LaneType::Scalar(Elem::I64) {
            return None;
        }
        let mark = self.b.mark();
        self.accesses.clear();
        self.recording = true;
        let last = self.parts(&counted, params, init, body);
        self.recording = false;
        self.values.extend(results.iter().copied().zip(last));
        let accesses = std::mem::take(&mut self.accesses);
        let members = vec![(params[0], body)];
        let ways = Ways { up: true, down: no_order(&accesses, counted.step, self.program.width) };
        Some(LoopRun { mark, counted, members, between: Vec::new(), results: results.clone(), accesses, ways })
    }

    /// Fuses two loops if that is legal and pays; returns the loop written last.
    fn joined(&mut self, mut before: LoopRun<'p>, run: LoopRun<'p>) -> LoopRun<'p> {
        let counted = run.counted;
        if before.counted != counted {
            return run;
        }
        let Some(both) = ways(&before.accesses, &run.accesses, counted.step, self.program.width) else { return run };
        let ways =
            Ways { up: both.up && before.ways.up && run.ways.up, down: both.down && before.ways.down && run.ways.down };
        let order = match ways {
            Ways { up: true, .. } => IterationOrder::Upwards,
            Ways { down: true, .. } => IterationOrder::Downwards,
            Ways { .. } => return run,
        };
        before.ways = ways;
        let size = before.members.iter().chain(&run.members).map(|(_, body)| size(body)).sum::<usize>();
        let mut cuts = crate::hash::HashSet::default();
        for (counter, body) in before.members.iter().chain(&run.members) {
            self.cuts(&counted, *counter, body, &mut cuts);
        }
        if size * (cuts.len() + 1) > MOST {
            return run;
        }
        self.back_to(&before.mark);
        for node in before.between.clone() {
            self.node(node);
        }
        before.mark = self.b.mark();
        before.between.clear();
        before.members.extend(&run.members);
        before.results.extend(&run.results);
        self.accesses.clear();
        self.recording = true;
        let mut segments = segments(&counted, cuts);
        if order == IterationOrder::Downwards {
            segments.reverse();
        }
        for (from, to) in segments {
            self.round_trip(&counted, from, to, order, &before.members);
        }
        self.recording = false;
        before.accesses = std::mem::take(&mut self.accesses);
        for &result in &before.results {
            let end = self.b.number(counted.end);
            self.values.insert(result, end);
        }
        before
    }

    /// Writes iterations of several loops as one.
    fn round_trip(
        &mut self,
        counted: &CountedLoop,
        from: i64,
        to: i64,
        order: IterationOrder,
        members: &[(LaneValue, &'p LaneBlock)],
    ) {
        let step = counted.step;
        if from + step == to {
            let counter = self.b.number(from);
            self.round = Some(LoopIteration { counter: None, rounds: (from, from) });
            self.bodies(counter, members);
            self.round = None;
            return;
        }
        self.held.clear();
        let param = self.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
        let counter = match order {
            IterationOrder::Upwards => param,
            IterationOrder::Downwards => {
                let both = self.b.number(from + to - step);
                self.b.op(Op::Sub, Scalar::I64, &[both, param])
            }
        };
        self.ranges.insert(counter, (from, to - step));
        self.divides(counter, counted);
        self.round = Some(LoopIteration { counter: Some(counter), rounds: (from, to - step) });
        self.bodies(counter, members);
        self.round = None;
        let (step, end) = (self.b.number(step), self.b.number(to));
        let next = self.b.op(Op::Add, Scalar::I64, &[param, step]);
        let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
        let body = self.b.close(vec![next]);
        let first = self.b.number(from);
        self.b.repeat(vec![param], vec![first], body, again);
        self.held.clear();
    }

    fn bodies(&mut self, counter: LaneValue, members: &[(LaneValue, &'p LaneBlock)]) {
        for &(param, body) in members {
            self.values.insert(param, counter);
            body.nodes.iter().for_each(|node| self.node(node));
        }
    }
}

/// Does an instruction access memory?
fn touches(inst: &LaneInst) -> bool {
    !matches!(inst.class(), LaneInstClass::Pure)
}

/// Does it contain only loads and stores, no loop?
pub(super) fn joinable(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Let { inst, .. } => match inst.class() {
            LaneInstClass::Pure | LaneInstClass::Read => true,
            LaneInstClass::Atomic => false,
        },
        Node::Do { effect, .. } => match effect {
            Effect::Store { .. } => true,
            Effect::Copy { .. }
            | Effect::Clear { .. }
            | Effect::Message { .. }
            | Effect::Prefetch { .. }
            | Effect::Fence => false,
        },
        Node::If { then, otherwise, .. } => joinable(&then.nodes) && joinable(&otherwise.nodes),
        Node::Loop { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

/// Is the order of a loop's iterations free? It is if none accesses memory that another one stores
/// to.
fn no_order(accesses: &[LoopAccess], step: i64, width: u32) -> bool {
    accesses.iter().enumerate().all(|(i, a)| {
        accesses[i..].iter().filter(|b| b.at.space == a.at.space && (a.writes || b.writes)).all(|b| {
            let meet = conflict(a, b, step, width);
            meet.is_some_and(|meet| meet.is_none_or(|meet| meet.least == 0 && meet.most == 0))
        })
    })
}

/// The orders in which the iterations of a loop can be fused with those of a later loop. `None` if
/// that is unknown or does not pay: a value that the first loop stores must be loaded by the second
/// one in the same iteration or not at all. Loads that overlap several stores wait until these are
/// done.
fn ways(first: &[LoopAccess], second: &[LoopAccess], step: i64, width: u32) -> Option<Ways> {
    let (mut ways, mut pays) = (Ways { up: true, down: true }, false);
    for a in first {
        for b in second.iter().filter(|b| b.at.space == a.at.space && (a.writes || b.writes)) {
            let Some(Meet { least, most, same }) = conflict(a, b, step, width)? else { continue };
            if a.writes && !b.writes {
                if !(same && least == 0 && most == 0 && a.whole && b.whole) {
                    return None;
                }
                pays = true;
            }
            ways.up &= most <= 0 || fault::planted(Fault::LoopsFusedUpwards);
            ways.down &= least >= 0;
        }
    }
    pays.then_some(ways)
}

/// The iterations in which two accesses overlap.
struct Meet {
    /// The minimum and maximum difference of the two counters.
    least: i64,
    most: i64,
    /// In the same iteration both access the same memory, each lane its own.
    same: bool,
}

/// Where two accesses overlap; `Some(None)` if they never do, `None` if that is unknown.
#[allow(clippy::option_option)]
fn conflict(a: &LoopAccess, b: &LoopAccess, step: i64, width: u32) -> Option<Option<Meet>> {
    if a.at.base != b.at.base {
        return None;
    }
    let (mut x, mut y) = (span(&a.at, width)?, span(&b.at, width)?);
    let (mut by, mut other) = (a.by?, b.by?);
    // In a single iteration a constant equals any multiple of the counter.
    let single = |access: &LoopAccess| access.by == Some(0) && access.rounds.0 == access.rounds.1;
    let moved = |span: (i64, i64), by: i64, at: i64| (span.0 - by * at, span.1 - by * at);
    if single(a) {
        (x, by) = (moved(x, other, a.rounds.0), other);
    } else if single(b) {
        (y, other) = (moved(y, by, b.rounds.0), by);
    }
    if by != other {
        return None;
    }
    let (least, most) = (a.rounds.0 - b.rounds.1, a.rounds.1 - b.rounds.0);
    // They overlap where the counters' difference, times `by`, is in this interval.
    let (low, high) = (y.0 - x.1 + 1, y.1 - x.0 - 1);
    let (low, high) = match by {
        0 if low <= 0 && 0 <= high => (least, most),
        0 => return Some(None),
        1.. => (low.div_euclid(by) + i64::from(low.rem_euclid(by) != 0), high.div_euclid(by)),
        _ => ((-high).div_euclid(-by) + i64::from((-high).rem_euclid(-by) != 0), (-low).div_euclid(-by)),
    };
    let (low, high) = (low.max(least), high.min(most));
    // All counters are a multiple of the step from the first.
    let low = low.div_euclid(step) * step + if low.rem_euclid(step) != 0 { step } else { 0 };
    let high = high.div_euclid(step) * step;
    let same = x == y && a.at.along == b.at.along && a.at.stored == b.at.stored;
    Some((low <= high).then_some(Meet { least: low, most: high, same }))
}
