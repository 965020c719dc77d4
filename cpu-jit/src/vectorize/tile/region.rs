//! Barrier regions: a run of instructions for all strips of the tile, with the values that it
//! reloads and keeps.

use std::collections::BTreeSet;

use tilewise_ir::kernel::{Inst, ValueId};

use crate::hash::HashMap;
use crate::lanes::{Elem, LaneInst, LaneType, LaneValue, Likely};
use crate::vectorize::comp::Comp;
use crate::vectorize::cross::Carry;
use crate::vectorize::state::{Formed, KernelValue, PartNumber, Vectorizer, malformed};

impl Vectorizer<'_> {
    /// Writes a run of instructions without barriers, for all strips.
    pub(in crate::vectorize) fn region(&mut self, insts: &[Inst]) -> Formed {
        let region = insts.first().and_then(|first| self.tile.crossing.regions.get(&first.id));
        let region = region.cloned().unwrap_or_default();
        let span = self.shape.span_of(insts);
        let left = self.shape.leaves_in(span.clone());
        let leaves = self.targets.iter().any(|target| {
            left.iter().any(|&(_, label, continues)| (label, continues) == (target.label, target.continues))
        });
        let ends = insts.iter().any(|inst| self.shape.at(inst.id).ends);
        // Values that are uniform over the tile are carried through the loop over strips.
        let once_parts: Vec<PartNumber> =
            region.writes.iter().copied().filter(|part| self.tile.crossing.parts.get(part) == Some(&true)).collect();
        let ways = self.tile.crossing.values.clone();
        let once_values: Vec<ValueId> =
            region.makes.iter().copied().filter(|value| ways.get(value) == Some(&Carry::Once)).collect();
        let kept_values: Vec<ValueId> =
            region.makes.iter().copied().filter(|value| ways.get(value) == Some(&Carry::Kept)).collect();
        let mut carried = Vec::new();
        for &part in &once_parts {
            let comp = self.parts[part].ok_or_else(|| malformed("a variable is not there"))?;
            carried.push(comp.value(&mut self.b));
        }
        for &value in &once_values {
            let data = self.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
            for _ in 0..data.width {
                carried.push(self.b.constant(Elem::of(data.scalar), 0));
            }
        }
        let flags = if leaves || ends { 2 + self.targets.len() } else { 0 };
        let no = self.b.truth(false);
        carried.extend(std::iter::repeat_n(no, flags));
        for &value in &kept_values {
            self.place_of(value)?;
        }
        for target in self.targets.clone() {
            if let Some(value) = target.value {
                self.place_of(value)?;
            }
        }
        let (outer_targets, touched) = (self.targets.clone(), std::mem::take(&mut self.touched));
        let kinds: Vec<Elem> = carried.iter().map(|&value| self.b.ty(value).elem()).collect();
        // A region that does the same in every strip and keeps nothing runs once.
        let once = flags == 0
            && kept_values.is_empty()
            && self.tile.gone.is_none()
            && self.tile.crowds.iter().all(|crowd| crowd.slot.is_none())
            && region.writes.iter().all(|part| self.tile.crossing.parts.get(part) == Some(&true))
            && !self.shape.touches_in(span);
        self.tile.one_strip = once;
        let results = self.each_strip(carried, |s, carried| {
            s.present();
            let active = s.active_value();
            let any = s.b.any(active);
            let comps = s.merge(
                any,
                Likely::Either,
                |s| {
                    let start = s.active;
                    s.tile.inside = true;
                    s.ended = s.add_part(Elem::Bool);
                    s.inert = s.add_part(Elem::Bool);
                    for i in 0..s.targets.len() {
                        s.targets[i].arrived = s.add_part(Elem::Bool);
                        let slots = s.targets[i].value.map(|value| s.place_of(value)).transpose()?.unwrap_or_default();
                        s.targets[i].result = slots.into_iter().map(|(_, elem)| s.add_part(elem)).collect();
                    }
                    for &part in region.touches.difference(&region.begins) {
                        if let Some(&(slot, elem)) = s.tile.parts.get(&part) {
                            s.parts[part] = Some(Comp::Plain(s.take_up(slot, elem)));
                        }
                    }
                    let protected = s.protected.clone();
                    if leaves {
                        s.protected.extend(&region.touches);
                    }
                    s.take_up_values(&region.uses)?;
                    for &value in kept_values.iter().chain(&once_values) {
                        let data = s.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
                        let parts = (0..data.width).map(|_| s.add_part(Elem::of(data.scalar))).collect();
                        s.tile.made.insert(value, parts);
                    }
                    s.run(insts, None)?;
                    let made = std::mem::take(&mut s.tile.made);
                    s.protected = protected;
                    s.strip_end(start, &region.writes, &kept_values, &made)?;
                    // A variable is uniform over the threads that have not ended, a value over
                    // those that computed it. Where some threads leave and others stay, which
                    // results in a divergence, it has the value of those that stay: they must reach
                    // the barrier that detects it. So the value of a strip without staying threads
                    // counts only if no earlier strip had any.
                    let alive = s.without(start, &[s.ended].into());
                    let stayed = s.without(start, &s.left());
                    let apart = (flags > 0 && stayed != alive).then(|| {
                        let here = stayed.unwrap_or_else(|| s.b.truth(true));
                        (s.b.any(here), carried[carried.len() - flags])
                    });
                    let values = once_values.iter().filter_map(|value| made.get(value)).flatten();
                    let all = once_parts.iter().map(|&part| (part, alive)).chain(values.map(|&part| (part, stayed)));
                    let all: Vec<_> = all.collect();
                    let mut out = Vec::new();
                    for ((part, mask), &before) in all.into_iter().zip(&carried) {
                        // Lost parts are not needed.
                        let comp = s.parts[part].unwrap_or(Comp::Plain(before));
                        let mut now = s.lowest(comp, mask);
                        if mask != start {
                            let mask = mask.unwrap_or_else(|| s.b.truth(true));
                            let any = s.b.any(mask);
                            now = s.b.select(any, now, before);
                        }
                        if let (true, Some((here, earlier))) = (mask == alive, apart) {
                            let stays = s.lowest(comp, stayed);
                            let leaves = s.b.select(earlier, before, now);
                            now = s.b.select(here, stays, leaves);
                        }
                        out.push(Comp::Plain(now));
                    }
                    if flags > 0 {
                        s.leave_strip(start, &mut out, &carried[carried.len() - flags..])?;
                    }
                    s.tile.inside = false;
                    Ok(out)
                },
                |_| Ok(carried.iter().map(|&value| Comp::Plain(value)).collect()),
            )?;
            Ok(comps.into_iter().map(|comp| comp.value(&mut s.b)).collect())
        })?;
        self.tile.one_strip = false;
        debug_assert_eq!(kinds.len(), results.len());
        (self.targets, self.touched) = (outer_targets, touched);
        self.ended = self.added;
        self.inert = self.added + 1;
        let mut results = results.into_iter();
        for part in once_parts {
            self.parts[part] = results.next().map(Comp::Plain);
        }
        for value in once_values {
            let width = self.context.data(value).map_or(0, |data| usize::from(data.width));
            let comps = results.by_ref().take(width).map(Comp::Plain).collect();
            self.define(Some(value), KernelValue::Data(comps));
        }
        if flags > 0 {
            let flags: Vec<LaneValue> = results.collect();
            self.after_leaving(&flags);
        }
        Ok(())
    }

    /// The common value of these lanes, as a scalar.
    pub(in crate::vectorize) fn lowest(&mut self, comp: Comp, mask: Option<LaneValue>) -> LaneValue {
        match comp.scalar(&self.b) {
            Some(scalar) => scalar,
            None => {
                let lanes = comp.lanes(&mut self.b);
                let mask = mask.unwrap_or_else(|| self.b.truth(true));
                let mask = self.b.lanes(mask);
                let elem = self.b.ty(lanes).elem();
                self.b.pure(LaneInst::LowestLane { lanes, mask }, LaneType::Scalar(elem))
            }
        }
    }

    /// The arrival parts of lanes that left a region.
    fn left(&self) -> BTreeSet<PartNumber> {
        let mut all = self.touched.clone();
        all.insert(self.ended);
        all.extend(self.targets.iter().map(|target| target.arrived));
        all
    }

    /// Stores the values that the threads of a strip need later.
    pub(in crate::vectorize) fn strip_end(
        &mut self,
        start: Option<LaneValue>,
        writes: &BTreeSet<PartNumber>,
        values: &[ValueId],
        made: &HashMap<ValueId, Vec<PartNumber>>,
    ) -> Formed {
        for part in writes {
            if let Some(&(slot, elem)) = self.tile.parts.get(part)
                && let Some(comp) = self.parts[*part]
            {
                let value = comp.lanes(&mut self.b);
                self.keep(slot, elem, value, start);
            }
        }
        for &value in values {
            let slots = self.tile.values.get(&value).cloned().unwrap_or_default();
            for (&part, (slot, elem)) in made.get(&value).into_iter().flatten().zip(slots) {
                let value = self.added(part);
                let value = self.b.lanes(value);
                self.keep(slot, elem, value, start);
            }
        }
        Ok(())
    }

    /// Records which lanes of a strip are gone and which left to a target. The loop-carried flags:
    /// does any thread remain, has any returned, and for each target whether any left to it.
    pub(in crate::vectorize) fn leave_strip(
        &mut self,
        start: Option<LaneValue>,
        out: &mut Vec<Comp>,
        before: &[LaneValue],
    ) -> Formed {
        let ended = self.added(self.ended);
        let inert = self.added(self.inert);
        let stayed = self.without(start, &self.left());
        let stayed = stayed.unwrap_or_else(|| self.b.truth(true));
        let add = |s: &mut Self, before: LaneValue, mask: LaneValue| {
            let any = s.b.any(mask);
            Comp::Plain(s.b.or(before, any))
        };
        out.push(add(self, before[0], stayed));
        let alive = self.b.not(inert);
        let returned = self.b.and(ended, alive);
        out.push(add(self, before[1], returned));
        if let Some(slot) = self.tile.gone {
            let gone = self.take_up(slot, Elem::Bool);
            let gone = self.b.or(gone, ended);
            self.keep(slot, Elem::Bool, gone, None);
        }
        for (i, target) in self.targets.clone().into_iter().enumerate() {
            let left = self.added(target.arrived);
            out.push(add(self, before[2 + i], left));
            if let Some(value) = target.value {
                let mask = self.b.lanes(left);
                for (&part, (slot, elem)) in target.result.iter().zip(self.place_of(value)?) {
                    let brought = self.added(part);
                    let brought = self.b.lanes(brought);
                    self.keep(slot, elem, brought, Some(mask));
                }
            }
            // Removes them from every crowd inside the target.
            for crowd in self.tile.crowds.clone().iter().filter(|crowd| crowd.targets > i) {
                if let Some(slot) = crowd.slot {
                    let there = self.take_up(slot, Elem::Bool);
                    let not = self.b.not(left);
                    let there = self.b.and(there, not);
                    self.keep(slot, Elem::Bool, there, None);
                }
            }
        }
        Ok(())
    }

    /// At tile level, after a region that can be left.
    pub(in crate::vectorize) fn after_leaving(&mut self, flags: &[LaneValue]) {
        let (stayed, returned) = (flags[0], flags[1]);
        let before = self.added(self.tile.returned);
        let returned = self.b.or(before, returned);
        self.parts[self.tile.returned] = Some(Comp::Plain(returned));
        for (target, &left) in self.targets.clone().iter().zip(&flags[2..]) {
            let before = self.added(target.arrived);
            let arrived = self.b.or(before, left);
            self.parts[target.arrived] = Some(Comp::Plain(arrived));
            if self.b.constant_of(left) != Some(0) {
                self.touched.insert(target.arrived);
            }
        }
        let nobody = self.b.not(stayed);
        if self.tile.parting {
            // Threads that left are elsewhere.
            for &left in &flags[2..] {
                self.also_elsewhere(left);
            }
        }
        let ended = self.added(self.ended);
        let ended = self.b.or(ended, nobody);
        self.parts[self.ended] = Some(Comp::Plain(ended));
        self.touched.insert(self.ended);
        self.active = Some(stayed);
    }

    /// Records that some of the crowd may be elsewhere.
    pub(in crate::vectorize) fn also_elsewhere(&mut self, some: LaneValue) {
        let partial = self.crowd().partial;
        let before = self.added(partial);
        let now = self.b.or(before, some);
        self.parts[partial] = Some(Comp::Plain(now));
    }
}
