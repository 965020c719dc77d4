//! Loops: their rounds, and how the walks over the kernel come to rest.
//!
//! **Up.** Each walk assumes at a loop's head what the back edge brought in the walks before, and learns more, until a walk learns nothing new. A range
//! that keeps growing is widened at the head to the end of its type, or it would grow number by number.
//!
//! **Down.** Widening gives up too much: behind `while i < 16 { .. i = i + 1 }` the variable could be anything from 16 on. But the back edge brought
//! only 1 to 16 when the head was at its widest. So the walks go on with exactly that, without widening. A result counts only if the back edges stay
//! within what was assumed in the same walk, which makes it a fixed point of its own; if one does not, the walk before is made again.

use super::env::{Diff, PATIENCE, UniformityVerdict};
use super::walk::UniformityWalk;
use super::{Chooser, LinkReason};
use crate::analysis::range::IntegerRange;
use crate::kernel::{Block, Inst, LabelId, ValueId};
use crate::pos::Pos;

/// Walks down; nests of that many loops are followed to the inside.
const MAX_DESCENTS: u32 = 3;

/// What a loop keeps from one walk to the next.
#[derive(Clone)]
pub(super) struct LoopFixpoint {
    /// What its head assumes of the back edge and of leaving.
    back: Diff,
    leaving: UniformityVerdict,
    /// What the last walk found of them.
    found: (Diff, UniformityVerdict),
    grown: u32,
}

impl<'a> UniformityWalk<'a> {
    /// From a fixed point with widened ranges to a better one. `walks` is what the way up took.
    pub(super) fn descend(&mut self, walks: u32) {
        let cost = self.env.work / u64::from(walks.max(1)) + 1;
        let dear = self.env.work + cost * u64::from(MAX_DESCENTS + 1) > super::env::MAX_WORK;
        if dear || self.rounds.values().all(|round| round.grown <= PATIENCE) {
            return;
        }
        for _ in 0..MAX_DESCENTS {
            let (before, descended) = (self.rounds.clone(), self.descending);
            for round in self.rounds.values_mut() {
                let (mut back, leaving) = round.found.clone();
                for (local, state) in &mut back {
                    if let Some(known) = round.back.get(local) {
                        state.tell_as(known);
                    }
                }
                round.leaving = if leaving.same(round.leaving) { round.leaving } else { leaving };
                round.back = back;
            }
            self.descending = true;
            self.once();
            if self.broken && !self.gave_up {
                (self.rounds, self.descending) = (before, descended);
                return self.once();
            }
            if self.gave_up || !self.changed {
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
        let mark = self.trail.len();
        self.env.push();
        let known = self.rounds.remove(&label);
        let (before, leaving, grown) = known
            .map_or((Diff::new(), UniformityVerdict::UNIFORM, 0), |round| (round.back, round.leaving, round.grown));
        for (local, state) in &before {
            let Some(mut head) = self.env.get(*local).cloned() else { continue };
            head.join_widening(state, if self.descending { 0 } else { grown });
            self.env.set(*local, head);
        }
        self.add_control(leaving);
        let base = self.control.len();
        if let Some(condition) = condition {
            self.block(condition);
            self.ends_if(condition, Chooser::While, inst.pos, layers);
        }
        let body_layers = self.env.depth();
        self.env.push();
        self.block(body);
        let diff = self.env.pop_to(body_layers);
        let (mut ways, continued) = match self.frames.last_mut() {
            Some(frame) => (std::mem::take(&mut frame.goes_on), frame.continuing),
            None => (Vec::new(), UniformityVerdict::UNPROVEN),
        };
        if !self.dead {
            ways.push(diff);
        }
        self.take_back(mark);
        self.control.truncate(base);
        self.dead = ways.is_empty();
        self.env.meet(&ways, !continued.row);
        if self.dead {
            continuing.insts.iter().for_each(|inst| self.skip(inst));
        } else {
            self.block(continuing);
            self.ends_if(continuing, Chooser::BreakIf, inst.pos, layers);
        }
        let mut back = if self.dead { Diff::new() } else { self.env.above(layers) };
        back.retain(|local, state| self.env.is_assigned_above(layers, *local, state));
        self.env.pop_to(layers);
        self.take_back(mark);
        let Some(frame) = self.close() else { return };
        let found = frame.leaving.with(frame.passing);
        let within = back.iter().all(|(local, state)| before.get(local).is_some_and(|known| state.implies(known)));
        self.broken |= self.descending && !(within && found.implies(leaving));
        let mut round = LoopFixpoint { back: before, leaving, found: (back.clone(), found), grown: grown + 1 };
        if self.descending {
            self.changed |= !(same(&round.back, &back) && found.same(leaving));
        } else {
            let back = grow(round.back.clone(), back);
            let all = leaving.with(found);
            self.changed |= !(same(&round.back, &back) && all.same(leaving));
            round.back = back;
            // The first reason found stays, so that chains do not run in circles.
            round.leaving =
                if all.class == leaving.class { UniformityVerdict { row: all.row, ..leaving } } else { all };
        }
        let leaving = round.leaving;
        self.rounds.insert(label, round);
        self.judge(inst, leaving.class);
        self.dead = frame.left.is_empty();
        self.env.meet(&frame.left, !leaving.row);
    }

    /// A loop's condition: some go on, some leave, if the threads do not agree.
    fn ends_if(&mut self, block: &'a Block, chooser: Chooser, pos: Pos, layers: usize) {
        let Some(value) = block.value else { return };
        if self.dead {
            return;
        }
        let pos = self.end_of(value).unwrap_or(pos);
        let info = self.scalar(value);
        let verdict = self.because(LinkReason::Condition(chooser), pos, info.verdict());
        let here = self.frames.last().map_or(0, |frame| frame.control);
        let leaving = self.control_since(here).with(verdict);
        let goes_on = chooser == Chooser::While;
        let diff = self.if_it_were(value, !goes_on, layers);
        // Round and round for ever: nobody leaves here.
        let leaves = info.range.and_then(IntegerRange::single) != Some(i128::from(goes_on));
        if let Some(frame) = self.frames.last_mut()
            && leaves
        {
            frame.leaving = frame.leaving.with(leaving);
            frame.left.push(diff);
        }
        self.add_control(verdict);
        self.assume(value, goes_on);
    }

    /// What was assigned above `layers`, as those threads know it for whom the condition is `truth`.
    fn if_it_were(&mut self, condition: ValueId, truth: bool, layers: usize) -> Diff {
        let (mark, depth) = (self.trail.len(), self.env.depth());
        self.env.push();
        self.assume(condition, truth);
        let diff = self.env.above(layers);
        self.env.pop_to(depth);
        self.take_back(mark);
        diff
    }
}

/// What a back edge brought in all walks so far.
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
