//! Barrier regions: a run of instructions for all strips of the tile, with the values that it
//! reloads and keeps.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Inst, ValueId};

use crate::hash::HashMap;
use crate::lanes::{Elem, LaneInst, LaneType, LaneValue, Likely};
use crate::sorted::SortedSet;
use crate::vectorize::comp::Comp;
use crate::vectorize::cross::{CarriedParts, Carry};
use crate::vectorize::state::{Formed, KernelValue, LaneExits, PartNumber, Vectorizer, malformed};

/// A region, and the ways in which its values are carried.
struct RegionPlan<'r> {
    insts: &'r [Inst],
    /// The values and parts that cross its border.
    crossing: CarriedParts,
    /// Parts and values that are uniform over the tile: the loop over strips carries them.
    once_parts: Vec<PartNumber>,
    once_values: Vec<ValueId>,
    /// Values kept in the context.
    kept_values: Vec<ValueId>,
    /// Can threads leave to an enclosing target?
    leaves: bool,
    /// The number of carried flags, the last of the loop's carried values: they say which threads
    /// left. See [`Vectorizer::leave_strip`].
    flags: usize,
}

impl RegionPlan<'_> {
    /// The flags among the carried values.
    fn flags_of<'c>(&self, carried: &'c [LaneValue]) -> &'c [LaneValue] {
        &carried[carried.len() - self.flags..]
    }
}

impl Vectorizer<'_> {
    /// Writes a run of instructions without barriers, for all strips.
    pub(in crate::vectorize) fn region(&mut self, insts: &[Inst]) -> Formed {
        let region = self.plan_region(insts);
        let carried = self.begin_carried(&region)?;
        for &value in &region.kept_values {
            self.place_of(value)?;
        }
        for target in self.exits.targets.clone() {
            if let Some(value) = target.value {
                self.place_of(value)?;
            }
        }
        let outer_targets = self.exits.targets.clone();
        let touched = std::mem::take(&mut self.exits.touched);
        let count = carried.len();
        self.tile.one_strip = self.runs_once(&region);
        let results = self.each_strip(carried, |s, carried| {
            s.present();
            let active = s.active_value();
            let any = s.b.any(active);
            let comps = s.merge(
                any,
                Likely::Either,
                |s| s.strip_of(&region, &carried),
                |_| Ok(carried.iter().map(|&value| Comp::Plain(value)).collect()),
            )?;
            Ok(comps.into_iter().map(|comp| comp.value(&mut s.b)).collect())
        })?;
        self.tile.one_strip = false;
        debug_assert_eq!(count, results.len());
        self.exits = LaneExits { targets: outer_targets, touched, ended: self.added, inert: self.added + 1 };
        self.end_carried(&region, results);
        Ok(())
    }

    /// Decides how the values of a region are carried.
    fn plan_region<'r>(&self, insts: &'r [Inst]) -> RegionPlan<'r> {
        let crossing = insts.first().and_then(|first| self.tile.crossing.regions.get(&first.id));
        let crossing = crossing.cloned().unwrap_or_default();
        let span = self.input.shape.span_of(insts);
        let left = self.input.shape.leaves_in(span);
        let leaves = self.exits.targets.iter().any(|target| {
            left.iter().any(|&(_, label, continues)| (label, continues) == (target.label, target.continues))
        });
        let ends = insts.iter().any(|inst| self.input.shape.at(inst.id).ends);
        let is_once = |part: &PartNumber| self.tile.crossing.parts.get(part) == Some(&true);
        let carried_as = |way: Carry| -> Vec<ValueId> {
            let made = crossing.makes.iter().copied();
            made.filter(|value| self.tile.crossing.values.get(value) == Some(&way)).collect()
        };
        RegionPlan {
            insts,
            once_parts: crossing.writes.iter().copied().filter(is_once).collect(),
            once_values: carried_as(Carry::Once),
            kept_values: carried_as(Carry::Kept),
            leaves,
            flags: if leaves || ends { 2 + self.exits.targets.len() } else { 0 },
            crossing,
        }
    }

    /// What the loop over strips begins with.
    fn begin_carried(&mut self, region: &RegionPlan<'_>) -> Formed<Vec<LaneValue>> {
        let mut carried = Vec::new();
        for &part in &region.once_parts {
            let comp = self.parts[part].ok_or_else(|| malformed("a variable is not there"))?;
            carried.push(comp.value(&mut self.b));
        }
        for &value in &region.once_values {
            let data = self.input.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
            for _ in 0..data.width {
                carried.push(self.b.constant(Elem::of(data.scalar), 0));
            }
        }
        let no = self.b.truth(false);
        carried.extend(std::iter::repeat_n(no, region.flags));
        Ok(carried)
    }

    /// A region that does the same in every strip and keeps nothing runs once.
    fn runs_once(&self, region: &RegionPlan<'_>) -> bool {
        region.flags == 0
            && region.kept_values.is_empty()
            && self.tile.slots.gone.is_none()
            && self.tile.crowds.iter().all(|crowd| crowd.slot.is_none())
            && region.crossing.writes.iter().all(|part| self.tile.crossing.parts.get(part) == Some(&true))
            && (!self.input.shape.touches_in(self.input.shape.span_of(region.insts))
                || fault::planted(Fault::RegionRunsOnce))
    }

    /// Takes over what the loop over strips ends with.
    fn end_carried(&mut self, region: &RegionPlan<'_>, results: Vec<LaneValue>) {
        let mut results = results.into_iter();
        for &part in &region.once_parts {
            self.parts[part] = results.next().map(Comp::Plain);
        }
        for &value in &region.once_values {
            let width = self.input.context.data(value).map_or(0, |data| usize::from(data.width));
            let comps = results.by_ref().take(width).map(Comp::Plain).collect();
            self.define(Some(value), KernelValue::Data(comps));
        }
        if region.flags > 0 {
            let flags: Vec<LaneValue> = results.collect();
            self.after_leaving(&flags);
        }
    }

    /// Writes one strip of a region; yields the next carried values.
    fn strip_of(&mut self, region: &RegionPlan<'_>, carried: &[LaneValue]) -> Formed<Vec<Comp>> {
        let start = self.active;
        self.begin_strip(region)?;
        let protected = self.protected.clone();
        if region.leaves {
            self.protected.extend(region.crossing.touches.iter().copied());
        }
        self.take_up_values(&region.crossing.uses)?;
        for &value in region.kept_values.iter().chain(&region.once_values) {
            let data = self.input.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
            let parts = (0..data.width).map(|_| self.add_part(Elem::of(data.scalar))).collect();
            self.tile.made.insert(value, parts);
        }
        self.run(region.insts, None)?;
        let made = std::mem::take(&mut self.tile.made);
        self.protected = protected;
        self.strip_end(start, &region.crossing.writes, &region.kept_values, &made)?;
        let mut out = self.next_carried(region, start, &made, carried);
        if region.flags > 0 {
            self.leave_strip(start, &mut out, region.flags_of(carried))?;
        }
        self.tile.inside = false;
        Ok(out)
    }

    /// Adds the parts of a strip, and loads those that were kept.
    fn begin_strip(&mut self, region: &RegionPlan<'_>) -> Formed {
        self.tile.inside = true;
        self.exits.ended = self.add_part(Elem::Bool);
        self.exits.inert = self.add_part(Elem::Bool);
        for i in 0..self.exits.targets.len() {
            self.exits.targets[i].arrived = self.add_part(Elem::Bool);
            let value = self.exits.targets[i].value;
            let slots = value.map(|value| self.place_of(value)).transpose()?.unwrap_or_default();
            self.exits.targets[i].result = slots.into_iter().map(|(_, elem)| self.add_part(elem)).collect();
        }
        for &part in region.crossing.touches.iter().filter(|part| !region.crossing.begins.contains(part)) {
            if let Some(&(slot, elem)) = self.tile.slots.parts.get(&part) {
                self.parts[part] = Some(Comp::Plain(self.take_up(slot, elem)));
            }
        }
        Ok(())
    }

    /// The parts and values that the loop over strips carries, after a strip that these lanes
    /// began.
    ///
    /// A variable is uniform over the threads that have not ended, a value over those that computed
    /// it. Where some threads leave and others stay, which results in a divergence, it has the
    /// value of those that stay: they must reach the barrier that detects it. So the value of a
    /// strip without staying threads counts only if no earlier strip had any.
    fn next_carried(
        &mut self,
        region: &RegionPlan<'_>,
        start: Option<LaneValue>,
        made: &HashMap<ValueId, Vec<PartNumber>>,
        carried: &[LaneValue],
    ) -> Vec<Comp> {
        let alive = self.without(start, &[self.exits.ended].into());
        let stayed = self.without(start, &self.left());
        let apart = (region.flags > 0 && stayed != alive && !fault::planted(Fault::CarriedValueOfLeavers)).then(|| {
            let here = stayed.unwrap_or_else(|| self.b.truth(true));
            (self.b.any(here), region.flags_of(carried)[0])
        });
        let values = region.once_values.iter().filter_map(|value| made.get(value)).flatten();
        let all = region.once_parts.iter().map(|&part| (part, alive)).chain(values.map(|&part| (part, stayed)));
        let mut out = Vec::new();
        for ((part, mask), &before) in all.zip(carried) {
            // Lost parts are not needed.
            let comp = self.parts[part].unwrap_or(Comp::Plain(before));
            let mut now = self.lowest(comp, mask);
            if mask != start {
                let mask = mask.unwrap_or_else(|| self.b.truth(true));
                let any = self.b.any(mask);
                now = self.b.select(any, now, before);
            }
            if let (true, Some((here, earlier))) = (mask == alive, apart) {
                let stays = self.lowest(comp, stayed);
                let leaves = self.b.select(earlier, before, now);
                now = self.b.select(here, stays, leaves);
            }
            out.push(Comp::Plain(now));
        }
        out
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
    fn left(&self) -> SortedSet<PartNumber> {
        let mut all = self.exits.touched.clone();
        all.insert(self.exits.ended);
        all.extend(self.exits.targets.iter().map(|target| target.arrived));
        all
    }

    /// Stores the values that the threads of a strip need later.
    pub(in crate::vectorize) fn strip_end(
        &mut self,
        start: Option<LaneValue>,
        writes: &SortedSet<PartNumber>,
        values: &[ValueId],
        made: &HashMap<ValueId, Vec<PartNumber>>,
    ) -> Formed {
        for part in writes {
            if let Some(&(slot, elem)) = self.tile.slots.parts.get(part)
                && let Some(comp) = self.parts[*part]
            {
                let value = comp.lanes(&mut self.b);
                self.keep(slot, elem, value, fault::choose(Fault::KeptForIdleThreads, start, None));
            }
        }
        for &value in values {
            let slots = self.tile.slots.values.get(&value).cloned().unwrap_or_default();
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
        let ended = self.added(self.exits.ended);
        let inert = self.added(self.exits.inert);
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
        if let Some(slot) = self.tile.slots.gone {
            let gone = self.take_up(slot, Elem::Bool);
            let gone = if fault::planted(Fault::ReturnedThreadsGoOn) { gone } else { self.b.or(gone, ended) };
            self.keep(slot, Elem::Bool, gone, None);
        }
        for (i, target) in self.exits.targets.clone().into_iter().enumerate() {
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
        let before = self.added(self.tile.divergence.returned);
        let returned = self.b.or(before, returned);
        self.parts[self.tile.divergence.returned] = Some(Comp::Plain(returned));
        for (target, &left) in self.exits.targets.clone().iter().zip(&flags[2..]) {
            let before = self.added(target.arrived);
            let arrived = self.b.or(before, left);
            self.parts[target.arrived] = Some(Comp::Plain(arrived));
            if self.b.constant_of(left) != Some(0) {
                self.exits.touched.insert(target.arrived);
            }
        }
        let nobody = self.b.not(stayed);
        if self.tile.divergence.parting {
            // Threads that left are elsewhere.
            for &left in &flags[2..] {
                self.also_elsewhere(left);
            }
        }
        let ended = self.added(self.exits.ended);
        let ended = self.b.or(ended, nobody);
        self.parts[self.exits.ended] = Some(Comp::Plain(ended));
        self.exits.touched.insert(self.exits.ended);
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
