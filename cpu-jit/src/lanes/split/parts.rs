//! Writes counted loops in parts.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::{CountedLoop, LoopIteration, MOST, Rewriter};
use crate::hash::HashSet;
use crate::lanes::build::scalar_of;
use crate::lanes::classes::LaneInstClass;
use crate::lanes::program::{Elem, LaneBlock, LaneInst, LaneType, LaneValue, Node};

/// Maximum number of iterations of a short loop.
const SHORT: i64 = 1 << 16;

/// Has a loop from one count up to another so few iterations that nothing polls in it?
pub(super) const fn is_short(from: i64, to: i64, step: i64) -> bool {
    to.saturating_sub(from) / step < SHORT
}

impl<'p> Rewriter<'p> {
    /// The iterations of a loop, if constants determine them.
    pub(super) fn counted(
        &mut self,
        params: &[LaneValue],
        init: &[LaneValue],
        body: &LaneBlock,
        again: LaneValue,
    ) -> Option<CountedLoop> {
        let LaneInst::Op { op: Op::Lt, scalar, args } = body.made(again)? else { return None };
        let &[next, bound] = args.as_slice() else { return None };
        let bound = self.b.number_of(*self.values.get(&bound)?)?;
        let LaneInst::Op { op: Op::Add, args, .. } = body.made(next)? else { return None };
        let param = params.iter().position(|param| args.first() == Some(param))?;
        let step = self.b.number_of(*self.values.get(args.get(1)?)?)?;
        let first = self.b.number_of(init[param])?;
        let signed = match scalar {
            Scalar::I32 | Scalar::I64 => true,
            Scalar::U32 => false,
            Scalar::U64 | Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        };
        // Far from any wrapping.
        let far = if *scalar == Scalar::I64 { 1 << 32 } else { 1 << 30 };
        let small = |n: i64| n.unsigned_abs() < far && (signed || n >= 0);
        if body.results.get(param) != Some(&next) || step <= 0 || !small(step) || !small(first) || !small(bound) {
            return None;
        }
        let rounds = (bound - first + step - 1).div_euclid(step).max(1);
        Some(CountedLoop { param, first, step, end: first + rounds * step })
    }

    /// Writes a loop of known iterations; returns its results.
    pub(super) fn parts(
        &mut self,
        counted: &CountedLoop,
        params: &[LaneValue],
        init: Vec<LaneValue>,
        body: &'p LaneBlock,
    ) -> Vec<LaneValue> {
        let CountedLoop { step, .. } = *counted;
        let mut cuts = HashSet::default();
        self.cuts(counted, params[counted.param], body, &mut cuts);
        let size = size(body);
        // Strips never need more than a few cuts.
        if cuts.len() > 4 || size * (cuts.len() + 1) > MOST {
            cuts = HashSet::default();
        }
        let elem = self.b.ty(init[counted.param]).elem();
        let mut now = init;
        for (from, to) in segments(counted, cuts) {
            now[counted.param] = self.b.constant(elem, from as u64);
            now = if from + step == to {
                self.values.extend(params.iter().copied().zip(now));
                self.round = self.recording.then_some(LoopIteration { counter: None, rounds: (from, from) });
                self.few(body);
                self.round = None;
                self.all(&body.results)
            } else if !self.recording && params.len() == 1 && self.jam(counted, (from, to), params[0], body) {
                vec![self.b.constant(elem, to as u64)]
            } else {
                self.repeat(params, now, body, params[counted.param], Some((counted, from, to)))
            };
        }
        now
    }

    /// The nodes of an iteration of a loop that is known to be short: if it is innermost, the
    /// enclosing loop polls.
    pub(super) fn few(&mut self, body: &'p LaneBlock) {
        let short = std::mem::replace(&mut self.short, !has_loop(body));
        self.nodes(&body.nodes);
        self.short = short;
    }

    /// The counts where masks of the first lanes change from full to partial, and from partial to
    /// empty.
    pub(super) fn cuts(
        &mut self,
        counted: &CountedLoop,
        counter: LaneValue,
        body: &LaneBlock,
        cuts: &mut HashSet<i64>,
    ) {
        let CountedLoop { first, step, end, .. } = *counted;
        for node in &body.nodes {
            let Node::Let { inst: LaneInst::FirstLanes(count), .. } = node else { continue };
            let made = body.made(*count).and_then(|inst| {
                let LaneInst::Op { op: Op::Sub, scalar: Scalar::I64, args } = inst else { return None };
                (args[1] == counter).then_some(args[0])
            });
            let limit = made.and_then(|limit| self.b.number_of(*self.values.get(&limit)?));
            let Some(limit) = limit.filter(|limit| limit.unsigned_abs() < 1 << 32) else { continue };
            // Full as long as the counter is at most the limit minus the width.
            let full = first + (limit - i64::from(self.program.width) - first).div_euclid(step) * step + step;
            let none = first + (limit - first + step - 1).div_euclid(step) * step;
            cuts.extend([full, none].into_iter().filter(|&cut| first < cut && cut < end));
        }
    }

    /// Writes a loop, or the part of it for an interval of the counter.
    pub(super) fn repeat(
        &mut self,
        params: &[LaneValue],
        init: Vec<LaneValue>,
        body: &'p LaneBlock,
        again: LaneValue,
        part: Option<(&CountedLoop, i64, i64)>,
    ) -> Vec<LaneValue> {
        self.held.clear();
        let types: Vec<_> = params.iter().map(|&param| self.program.ty(param)).collect();
        let new = self.b.open_loop(&types);
        self.values.extend(params.iter().copied().zip(new.iter().copied()));
        for (i, (&param, result)) in params.iter().zip(&body.results).enumerate() {
            // It is loop-invariant.
            if param == *result {
                self.values.insert(param, init[i]);
            }
        }
        match part {
            Some((counted, from, to)) => {
                let counter = new[counted.param];
                self.count(counter, counted, (from, to - counted.step));
                self.round = self
                    .recording
                    .then_some(LoopIteration { counter: Some(counter), rounds: (from, to - counted.step) });
                if is_short(from, to, counted.step) {
                    self.few(body);
                } else {
                    self.nodes(&body.nodes);
                }
                self.round = None;
            }
            None => self.nodes(&body.nodes),
        }
        let next = self.all(&body.results);
        let again = match part {
            Some((counted, _, to)) => {
                // Not by ranges: these must not decide this comparison.
                let elem = self.b.ty(next[counted.param]).elem();
                let to = self.b.constant(elem, to as u64);
                self.b.op(Op::Lt, scalar_of(elem), &[next[counted.param], to])
            }
            None => self.get(again),
        };
        self.held.clear();
        let body = self.b.close(next);
        if let Some((counted, _, to)) = part
            && let Some(results) = self.left(&body, &new, &init, counted.param, to)
        {
            return results;
        }
        let same: Vec<bool> =
            new.iter().zip(&body.results).zip(&init).map(|((new, next), init)| next == new || next == init).collect();
        let results = self.b.repeat(new, init.clone(), body, again);
        results.into_iter().zip(init).zip(same).map(|((result, init), same)| if same { init } else { result }).collect()
    }

    /// Records facts about a counter.
    pub(super) fn count(&mut self, counter: LaneValue, counted: &CountedLoop, range: (i64, i64)) {
        self.ranges.insert(counter, range);
        if self.b.ty(counter) == LaneType::Scalar(Elem::I32) {
            let wide = self.b.op(Op::ToI64, Scalar::I32, &[counter]);
            let itself = self.linear(wide);
            self.linears.insert(counter, itself);
            self.ranges.insert(wide, range);
            self.divides(wide, counted);
        }
        self.divides(counter, counted);
    }

    /// The results of a loop that only counts.
    fn left(
        &mut self,
        body: &LaneBlock,
        params: &[LaneValue],
        init: &[LaneValue],
        counter: usize,
        to: i64,
    ) -> Option<Vec<LaneValue>> {
        let mut inside: HashSet<LaneValue> = params.iter().copied().collect();
        for node in &body.nodes {
            match node {
                Node::Let { inst, .. } if inst.class() == LaneInstClass::Atomic => return None,
                Node::Let { value, .. } => _ = inside.insert(*value),
                Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => return None,
            }
        }
        let mut results = Vec::new();
        for (i, &result) in body.results.iter().enumerate() {
            results.push(match () {
                () if i == counter => {
                    let elem = self.b.ty(result).elem();
                    self.b.constant(elem, to as u64)
                }
                () if result == params[i] => init[i],
                () if !inside.contains(&result) => result,
                () => return None,
            });
        }
        Some(results)
    }
}

/// The parts of a loop: intervals of the counter.
pub(super) fn segments(counted: &CountedLoop, cuts: HashSet<i64>) -> Vec<(i64, i64)> {
    let mut ends: Vec<i64> = cuts.into_iter().chain([counted.end]).collect();
    ends.sort_unstable();
    let starts = [counted.first].into_iter().chain(ends.clone());
    starts.zip(ends).collect()
}

fn has_loop(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::If { then, otherwise, .. } => has_loop(then) || has_loop(otherwise),
        Node::Loop { .. } => true,
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

pub(super) fn size(block: &LaneBlock) -> usize {
    let of = |node: &Node| match node {
        Node::If { then, otherwise, .. } => 1 + size(then) + size(otherwise),
        Node::Loop { body, .. } => 1 + size(body),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => 1,
    };
    block.nodes.iter().map(of).sum()
}
