//! Crowds: threads that execute together, votes, and stops at barriers. The parent module's page
//! explains them.

use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::kernel::{InstId, LabelId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, Stored};

use super::{ContextSlot, Crowd};
use crate::lanes::{AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneValue, Likely, MemorySpace, ThreadStop};
use crate::sorted::SortedSet;
use crate::vectorize::comp::Comp;
use crate::vectorize::cross::Carry;
use crate::vectorize::state::{Formed, PartNumber, Vectorizer, malformed};

impl Vectorizer<'_> {
    pub(in crate::vectorize) fn crowd(&self) -> Crowd {
        self.tile.crowds[self.tile.crowds.len() - 1]
    }

    pub(in crate::vectorize) fn barrier(&mut self, pos: Pos) -> Formed {
        if !self.tile.divergence.parting {
            return Ok(());
        }
        let returned = self.added(self.tile.divergence.returned);
        let partial = self.added(self.crowd().partial);
        // Stopped threads will not arrive.
        let stopped = self.added(self.tile.divergence.apart);
        let apart = self.b.or(partial, returned);
        let apart = self.b.or(apart, stopped);
        let stop = self.stop(pos, Some(self.tile.rounds.len() as u32));
        self.merge(
            apart,
            Likely::Either,
            |s| {
                s.each_strip(Vec::new(), |s, _| {
                    s.present();
                    let active = s.active_value();
                    let here = s.b.lanes(active);
                    s.note(stop, Some(here));
                    if let Some(slot) = s.tile.slots.gone {
                        let gone = s.take_up(slot, Elem::Bool);
                        let gone = s.b.or(gone, here);
                        s.keep(slot, Elem::Bool, gone, None);
                    }
                    Ok(Vec::new())
                })?;
                let yes = s.b.truth(true);
                s.parts[s.tile.divergence.apart] = Some(Comp::Plain(yes));
                s.parts[s.exits.ended] = Some(Comp::Plain(yes));
                Ok(Vec::new())
            },
            |_| Ok(Vec::new()),
        )?;
        self.exits.touched.insert(self.exits.ended);
        let go_on = self.b.not(apart);
        self.active = self.active_and(go_on);
        Ok(())
    }

    /// The number of a stop.
    pub(in crate::vectorize) fn stop(&mut self, pos: Pos, loops: Option<u32>) -> u64 {
        // Two barriers can share a position: those of a function that is called twice.
        let same = |stop: &ThreadStop| stop.pos.key() == pos.key() && stop.loops.is_none() && loops.is_none();
        let at = self.tile.divergence.stops.iter().position(same).unwrap_or_else(|| {
            self.tile.divergence.stops.push(ThreadStop { pos, loops });
            self.tile.divergence.stops.len() - 1
        });
        at as u64 + 1
    }

    /// Records that these lanes stop.
    pub(in crate::vectorize) fn note(&mut self, stop: u64, mask: Option<LaneValue>) {
        if self.tile.divergence.vote_words == 0 {
            return;
        }
        let words = u64::from(self.tile.divergence.vote_words);
        let mut values = vec![self.b.constant(Elem::I32, stop)];
        for &round in &self.tile.rounds.clone() {
            values.push(self.b.op(Op::ToI32, Scalar::I64, &[round]));
        }
        let base = self.arena(ArenaPart::Votes);
        let size = words * 4;
        let offset = self.here.strip.map(|strip| {
            let bytes = self.b.number((size * u64::from(self.b.width())) as i64);
            self.b.op(Op::Mul, Scalar::I64, &[strip, bytes])
        });
        for (i, value) in values.into_iter().enumerate().take(words as usize) {
            let value = self.b.lanes(value);
            let along = AddressStep::Step(size as i64);
            let space = MemorySpace::Arena(ArenaPart::Votes);
            let at = LaneAddress { space, base, offset, displacement: 4 * i as i64, along, stored: Stored::I32 };
            self.b.effect(Effect::Store { at, value, mask });
        }
    }

    /// A thread returns: records where, if that may be reported.
    pub(in crate::vectorize) fn returned(&mut self, pos: Pos) -> Formed {
        if self.tile.inside && self.tile.divergence.parting {
            let stop = self.stop(pos, None);
            let rounds = std::mem::take(&mut self.tile.rounds);
            self.note(stop, self.active);
            self.tile.rounds = rounds;
        }
        Ok(())
    }

    /// A thread ends by `error` or `abort`: its position is never reported.
    pub(in crate::vectorize) fn ended_by_itself(&mut self) {
        if self.tile.inside && self.tile.divergence.parting {
            let rounds = std::mem::take(&mut self.tile.rounds);
            self.note(u64::from(u32::MAX), self.active);
            self.tile.rounds = rounds;
        }
    }

    /// A condition at tile level: a scalar, or `None` if the threads must vote.
    pub(in crate::vectorize) fn agreed(&mut self, condition: ValueId) -> Formed<Option<LaneValue>> {
        match self.tile.crossing.values.get(&condition) {
            Some(Carry::Kept | Carry::Again) => Ok(None),
            Some(Carry::Once) | None => {
                let comp = self.comp(condition)?;
                comp.scalar(&self.b).map(Some).ok_or_else(|| malformed("a condition of the tile is none"))
            }
        }
    }

    /// Lets the threads vote: those that satisfy the condition become one crowd, and the others
    /// another. Returns for both whether it is nonempty.
    pub(in crate::vectorize) fn vote(
        &mut self,
        condition: ValueId,
        wanted: &dyn Fn(&mut Self, LaneValue) -> LaneValue,
    ) -> Formed<[(ContextSlot, LaneValue); 2]> {
        let slots = [self.slot(Elem::I32), self.slot(Elem::I32)];
        let no = self.b.truth(false);
        let kept =
            self.tile.slots.values.get(&condition).cloned().ok_or_else(|| malformed("a condition is kept nowhere"))?;
        let flags = self.each_strip(vec![no, no], |s, before| {
            s.present();
            let (slot, elem) = kept[0];
            let asked = s.take_up(slot, elem);
            let holds = wanted(s, asked);
            let not = s.b.not(holds);
            let mut flags = Vec::new();
            for ((slot, side), before) in slots.into_iter().zip([holds, not]).zip(before) {
                let side = s.active_and(side);
                let side = side.unwrap_or_else(|| s.b.truth(true));
                let lanes = s.b.lanes(side);
                s.keep(slot, Elem::Bool, lanes, None);
                let any = s.b.any(side);
                flags.push(s.b.or(before, any));
            }
            Ok(flags)
        })?;
        Ok([(slots[0], flags[0]), (slots[1], flags[1])])
    }

    /// Executes a path with its own crowd.
    pub(in crate::vectorize) fn with_crowd(
        &mut self,
        slot: Option<ContextSlot>,
        more_partial: LaneValue,
        walk: impl FnOnce(&mut Self) -> Formed,
    ) -> Formed {
        let partial = self.open_crowd(slot, more_partial);
        walk(self)?;
        self.tile.crowds.pop();
        self.parts.truncate(partial);
        Ok(())
    }

    /// Begins a crowd. Returns the part that says whether it is partial.
    fn open_crowd(&mut self, slot: Option<ContextSlot>, more_partial: LaneValue) -> PartNumber {
        let around = self.added(self.crowd().partial);
        let partial = self.add_part(Elem::Bool);
        let now = self.b.or(around, more_partial);
        self.parts[partial] = Some(Comp::Plain(now));
        self.tile.crowds.push(Crowd { slot, partial, targets: self.exits.targets.len() });
        partial
    }

    /// A crowd equal to the enclosing one, so that its recorded state is dropped afterwards.
    pub(in crate::vectorize) fn own(&mut self, walk: impl FnOnce(&mut Self) -> Formed) -> Formed {
        let no = self.b.truth(false);
        self.with_crowd(None, no, walk)
    }

    /// Executes one side of a vote, if it is nonempty.
    pub(in crate::vectorize) fn side(
        &mut self,
        side: (ContextSlot, LaneValue),
        others: LaneValue,
        walk: impl FnOnce(&mut Self) -> Formed,
    ) -> Formed {
        self.active = None;
        self.either(side.1, |s| s.with_crowd(Some(side.0), others, walk), |_| Ok(()))
    }

    /// After a construct: does the crowd have any threads left?
    pub(in crate::vectorize) fn after_construct(&mut self, left: &SortedSet<PartNumber>) -> Formed {
        self.active = None;
        if left.is_empty() {
            return Ok(());
        }
        if !self.tile.divergence.parting {
            // `ended` means that no thread is left here.
            self.active = self.without(None, &[self.exits.ended].into());
            return Ok(());
        }
        // `ended` means that this crowd has no thread left; the remaining threads of the enclosing
        // one are counted.
        let no = self.b.truth(false);
        let anybody = self.each_strip(vec![no], |s, before| {
            s.present();
            let active = s.active_value();
            let any = s.b.any(active);
            Ok(vec![s.b.or(before[0], any)])
        })?;
        let nobody = self.b.not(anybody[0]);
        self.parts[self.exits.ended] = Some(Comp::Plain(nobody));
        self.active = Some(anybody[0]);
        // Threads that left from inside this crowd are elsewhere.
        let mut elsewhere = self.b.truth(false);
        let ended = self.exits.ended;
        for &part in left.iter().filter(|&&part| part != ended) {
            let arrived = self.added(part);
            elsewhere = self.b.or(elsewhere, arrived);
        }
        self.also_elsewhere(elsewhere);
        Ok(())
    }

    /// In kernels without divergence at barriers, threads that left to here have not ended.
    pub(in crate::vectorize) fn come_back(&mut self, arrived: PartNumber) {
        let ended = self.added(self.exits.ended);
        let here = self.added(arrived);
        let not = self.b.not(here);
        let ended = self.b.and(ended, not);
        self.parts[self.exits.ended] = Some(Comp::Plain(ended));
    }

    /// A mask for the crowd of a construct, if its members may leave it separately to the target of
    /// the label: also after the last barrier in it, where that is no divergence.
    pub(in crate::vectorize) fn crowd_slot(
        &mut self,
        construct: InstId,
        label: LabelId,
        continues: bool,
    ) -> Formed<Option<ContextSlot>> {
        let (facts, parting) = (self.input.facts, self.tile.divergence.parting);
        let together = |leave| facts.inst(leave).is_some_and(|fact| fact.control == TileAgreement::Uniform);
        let apart = self.input.shape.leaves_of(construct, label, continues).any(|leave| parting || !together(leave));
        if apart { self.new_crowd().map(Some) } else { Ok(None) }
    }

    /// A mask for a crowd, initialised from the enclosing one.
    pub(in crate::vectorize) fn new_crowd(&mut self) -> Formed<ContextSlot> {
        let slot = self.slot(Elem::I32);
        self.fill_crowd(slot)?;
        Ok(slot)
    }

    /// Copies the enclosing crowd to a mask of its own.
    pub(in crate::vectorize) fn fill_crowd(&mut self, slot: ContextSlot) -> Formed {
        self.each_strip(Vec::new(), |s, _| {
            s.present();
            let active = s.active_value();
            let lanes = s.b.lanes(active);
            s.keep(slot, Elem::Bool, lanes, None);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Restricts the loop's crowd to threads whose condition is `wanted`; returns whether any
    /// remain.
    pub(in crate::vectorize) fn narrow(&mut self, condition: ValueId, wanted: bool) -> Formed<LaneValue> {
        if let Some(value) = self.agreed(condition)? {
            return Ok(if wanted { value } else { self.b.not(value) });
        }
        let [(stay, anybody), (_, others)] =
            self.vote(condition, &|s, value| if wanted { value } else { s.b.not(value) })?;
        let slot = self.crowd().slot.ok_or_else(|| malformed("a crowd has no mask"))?;
        self.each_strip(Vec::new(), |s, _| {
            let there = s.take_up(stay, Elem::Bool);
            s.keep(slot, Elem::Bool, there, None);
            Ok(Vec::new())
        })?;
        self.also_elsewhere(others);
        Ok(anybody)
    }
}
