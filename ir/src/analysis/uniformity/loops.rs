//! Loops: fixed-point iteration over walks, with widening and narrowing.
//!
//! **Ascending.** Each walk assumes at a loop's head the state of the back edge in earlier walks,
//! until a walk changes nothing. A range that keeps growing is widened at the head to the limit of
//! its type; otherwise it would grow number by number.
//!
//! **Descending.** Widening loses precision: after `while i < 16 { .. i = i + 1 }` the variable
//! could be any number from 16. But with the widest head the back edge had only 1 to 16. So further
//! walks start from exactly that, without widening. A result counts only if the back edges stay
//! within the assumption of the same walk, which makes it a fixed point of its own; otherwise the
//! previous walk is repeated.

use super::env::{Diff, PATIENCE, UniformityVerdict};
use super::state::UniformityWalk;
use super::{Chooser, LinkReason};
use crate::analysis::range::IntegerRange;
use crate::kernel::{Block, Inst, LabelId, ValueId};
use crate::pos::Pos;

/// Limit on descending walks; loops nested to this depth become precise down to the innermost.
const MAX_DESCENTS: u32 = 3;

/// The state that a loop keeps between walks.
#[derive(Clone)]
pub(super) struct LoopFixpoint {
    /// The head's assumptions on the back edge and on exits.
    back: Diff,
    leaving: UniformityVerdict,
    /// The back edge and exits as found by the last walk.
    found: (Diff, UniformityVerdict),
    grown: u32,
}

impl<'a> UniformityWalk<'a> {
    /// From a fixed point with widened ranges to a better one. `walks` is the number of ascending
    /// walks.
    pub(super) fn descend(&mut self, walks: u32) {
        let cost = self.env.work / u64::from(walks.max(1)) + 1;
        let dear = self.env.work + cost * u64::from(MAX_DESCENTS + 1) > super::env::MAX_WORK;
        if dear || self.fixpoint.rounds.values().all(|round| round.grown <= PATIENCE) {
            return;
        }
        for _ in 0..MAX_DESCENTS {
            let (before, descended) = (self.fixpoint.rounds.clone(), self.fixpoint.descending);
            for round in self.fixpoint.rounds.values_mut() {
                let (mut back, leaving) = round.found.clone();
                for (local, state) in &mut back {
                    if let Some(known) = round.back.get(local) {
                        state.tell_as(known);
                    }
                }
                round.leaving = if leaving.same(round.leaving) { round.leaving } else { leaving };
                round.back = back;
            }
            self.fixpoint.descending = true;
            self.once();
            if self.fixpoint.broken && !self.gave_up {
                (self.fixpoint.rounds, self.fixpoint.descending) = (before, descended);
                return self.once();
            }
            if self.gave_up || !self.fixpoint.changed {
                return;
            }
        }
    }

    pub(super) fn round(
        &mut self,
        inst: &'a Inst,
        label: LabelId,
        condition: Option<&'a Block>,
        body: &'a Block,
        continuing: &'a Block,
    ) {
        self.open(Some(label));
        let layers = self.env.depth();
        let mark = self.learnt.trail.len();
        self.env.push();
        let known = self.fixpoint.rounds.remove(&label);
        let (before, leaving, grown) = known
            .map_or((Diff::new(), UniformityVerdict::UNIFORM, 0), |round| (round.back, round.leaving, round.grown));
        for (local, state) in &before {
            let Some(mut head) = self.env.get(*local).cloned() else { continue };
            head.join_widening(state, if self.fixpoint.descending { 0 } else { grown });
            self.env.set(*local, head);
        }
        self.add_control(leaving);
        let base = self.path.control.len();
        if let Some(condition) = condition {
            self.block(condition);
            self.ends_if(condition, Chooser::While, inst.pos, layers);
        }
        let body_layers = self.env.depth();
        self.env.push();
        self.block(body);
        let diff = self.env.pop_to(body_layers);
        let (mut ways, continued) = match self.path.frames.last_mut() {
            Some(frame) => (std::mem::take(&mut frame.goes_on), frame.continuing),
            None => (Vec::new(), UniformityVerdict::UNPROVEN),
        };
        if !self.path.dead {
            ways.push(diff);
        }
        self.take_back(mark);
        self.path.control.truncate(base);
        self.path.dead = ways.is_empty();
        self.env.meet(&ways, !continued.row);
        if self.path.dead {
            continuing.insts.iter().for_each(|inst| self.skip(inst));
        } else {
            self.block(continuing);
            self.ends_if(continuing, Chooser::BreakIf, inst.pos, layers);
        }
        let mut back = if self.path.dead { Diff::new() } else { self.env.above(layers) };
        back.retain(|local, state| self.env.is_assigned_above(layers, *local, state));
        self.env.pop_to(layers);
        self.take_back(mark);
        let Some(frame) = self.close() else { return };
        let found = frame.leaving.with(frame.passing);
        let within = back.iter().all(|(local, state)| before.get(local).is_some_and(|known| state.implies(known)));
        self.fixpoint.broken |= self.fixpoint.descending && !(within && found.implies(leaving));
        let mut round = LoopFixpoint { back: before, leaving, found: (back.clone(), found), grown: grown + 1 };
        if self.fixpoint.descending {
            self.fixpoint.changed |= !(same(&round.back, &back) && found.same(leaving));
        } else {
            let back = grow(round.back.clone(), back);
            let all = leaving.with(found);
            self.fixpoint.changed |= !(same(&round.back, &back) && all.same(leaving));
            round.back = back;
            // The first reason is kept, so that chains have no cycles.
            round.leaving =
                if all.class == leaving.class { UniformityVerdict { row: all.row, ..leaving } } else { all };
        }
        let leaving = round.leaving;
        self.fixpoint.rounds.insert(label, round);
        self.judge(inst, leaving.class);
        self.path.dead = frame.left.is_empty();
        self.env.meet(&frame.left, !leaving.row);
    }

    /// A loop's condition: unless the threads agree, some continue and some leave.
    fn ends_if(&mut self, block: &'a Block, chooser: Chooser, pos: Pos, layers: usize) {
        let Some(value) = block.value else { return };
        if self.path.dead {
            return;
        }
        let pos = self.end_of(value).unwrap_or(pos);
        let info = self.scalar(value);
        let verdict = self.because(LinkReason::Condition(chooser), pos, info.verdict());
        let here = self.path.frames.last().map_or(0, |frame| frame.control);
        let leaving = self.control_since(here).with(verdict);
        let goes_on = chooser == Chooser::While;
        let diff = self.if_it_were(value, !goes_on, layers);
        // In an endless loop no thread leaves here.
        let leaves = info.range.and_then(IntegerRange::single) != Some(i128::from(goes_on));
        if let Some(frame) = self.path.frames.last_mut()
            && leaves
        {
            frame.leaving = frame.leaving.with(leaving);
            frame.left.push(diff);
        }
        self.add_control(verdict);
        self.assume(value, goes_on);
    }

    /// The assignments above `layers`, refined for the threads whose condition is `truth`.
    fn if_it_were(&mut self, condition: ValueId, truth: bool, layers: usize) -> Diff {
        let (mark, depth) = (self.learnt.trail.len(), self.env.depth());
        self.env.push();
        self.assume(condition, truth);
        let diff = self.env.above(layers);
        self.env.pop_to(depth);
        self.take_back(mark);
        diff
    }
}

/// The join of a back edge over all walks so far.
fn grow(mut known: Diff, new: Diff) -> Diff {
    for (local, state) in new {
        match known.get_mut(&local) {
            Some(known) => known.join(&state),
            None => {
                known.insert(local, state);
            }
        }
    }
    known
}

fn same(a: &Diff, b: &Diff) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((i, x), (j, y))| i == j && x.same(y))
}
