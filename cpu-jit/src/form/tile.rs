//! Tiles with barriers.
//!
//! The tile's own code is scalar: it goes from region to region ([`super::cross`]), and through the constructs that hold barriers. A region is all strips of the
//! tile, one after the other; each takes up what its threads kept and keeps what they need later.
//!
//! # Who is here
//! As long as all conditions around barriers are proved to be the same in the whole tile, everybody is, and a condition is a scalar. Where that is not
//! proved the threads **vote**: if they disagree, both ways are walked, each with its own **crowd**, a mask in the worker's memory. That alone is no fault: a
//! barrier may lie on neither way. Only at a barrier it is judged whether the crowd is all threads that are left; if it is not, those of the crowd **stop**
//! there: where they stopped is noted, they take part in nothing further, and the walk goes on for the others, who will stop somewhere too. At the end of
//! the tile the program exits with what was noted. So every thread's way is told, exactly as if each had walked alone.
//!
//! Threads that `return`, `error` or `abort` are gone too; a barrier after a return of some is judged alike, while those that `error` or `abort` ended
//! are missed by nobody.

use tilewise_ir::analysis::uniformity::Class;
use tilewise_ir::kernel::{Block, Case, Inst, InstKind, LabelId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, Stored};

use super::comp::Comp;
use super::cross::{Crossing, Way};
use super::nest::Strips;
use super::state::{Formed, Former, Part, Target, Val, malformed};
use crate::lanes::{Address, Along, ArenaPart, Effect, Elem, ExitStatus, How, Likely, Note, Space, Stop, Ty, Value};

/// Bytes behind the first for each strip, times the width: a place in the context for each thread.
pub(super) type Slot = u64;

/// What is known at tile level.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    pub(super) crossing: Crossing,
    /// Can threads part at a barrier, as far as is known?
    pub(super) parting: bool,
    /// Can threads end before the tile does?
    pub(super) ending: bool,
    /// Bytes of context in use for each thread.
    pub(super) context: u64,
    /// Threads that are gone.
    gone: Option<Slot>,
    crowds: Vec<Crowd>,
    /// Where kept values and parts are.
    values: std::collections::HashMap<ValueId, Vec<(Slot, Elem)>>,
    parts: std::collections::HashMap<Part, (Slot, Elem)>,
    /// Rounds of the loops around.
    rounds: Vec<Value>,
    /// At tile level: has somebody stopped apart from others, has somebody returned? `bool` parts.
    apart: Part,
    returned: Part,
    pub(super) stops: Vec<Stop>,
    pub(super) vote_words: u32,
    number: Option<Value>,
    /// Instructions that make values, to make them again.
    makers: std::collections::HashMap<ValueId, (usize, Inst)>,
    /// Are we inside a strip of a region?
    inside: bool,
}

/// The threads that walk together.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    /// Their mask; nothing if they are those of the crowd around.
    slot: Option<Slot>,
    /// Are others elsewhere? A `bool` part.
    partial: Part,
    /// How many targets were open when it was made: leaving to one of those leaves the crowd.
    targets: usize,
}

impl Former<'_> {
    /// A tile from its beginning to its end.
    pub(super) fn tile(&mut self, number: Value) -> Formed {
        self.tile.number = Some(number);
        self.parts = vec![None; self.added];
        self.ended = self.add_part(Elem::Bool);
        self.inert = self.add_part(Elem::Bool);
        self.tile.apart = self.add_part(Elem::Bool);
        self.tile.returned = self.add_part(Elem::Bool);
        for (&part, &once) in &self.tile.crossing.parts.clone() {
            let elem = Elem::of(self.locals.part(part).stored.value());
            if once {
                self.parts[part] = Some(Comp::Plain(self.b.constant(elem, 0)));
            } else {
                let slot = self.slot(elem);
                self.tile.parts.insert(part, (slot, elem));
            }
        }
        let partial = self.add_part(Elem::Bool);
        self.tile.crowds = vec![Crowd { slot: None, partial, targets: 0 }];
        if self.tile.ending || self.tile.parting {
            let slot = self.slot(Elem::I32);
            self.tile.gone = Some(slot);
            self.each_strip(Vec::new(), |s, _| {
                let zero = s.b.constant(Elem::I32, 0);
                let zero = s.b.lanes(zero);
                s.keep(slot, Elem::I32, zero, None);
                Ok(Vec::new())
            })?;
        }
        if self.tile.vote_words > 0 {
            let from = self.arena(ArenaPart::Votes);
            let bytes = self.votes_size();
            self.b.effect(Effect::Clear { from, bytes });
        }
        let function = self.function;
        self.level(&function.body().insts, 0)?;
        if self.tile.parting {
            let apart = self.added(self.tile.apart);
            let report = self.arena(ArenaPart::Report);
            let at = Address {
                space: Space::Arena(ArenaPart::Report),
                base: report,
                offset: None,
                displacement: 0,
                along: Along::Uniform,
                stored: Stored::I64,
            };
            self.b.effect(Effect::Store { at, value: number, mask: None });
            self.b.exit(apart, ExitStatus::Diverged);
        }
        self.active = None;
        Ok(())
    }

    /// Bytes of all threads' votes.
    pub(super) fn votes_size(&self) -> u64 {
        let strips = Strips::of(self.kernel.tile().unwrap_or(&[]), self.b.width());
        u64::from(strips.all()) * u64::from(self.b.width()) * u64::from(self.tile.vote_words) * 4
    }

    /// A place in the context.
    fn slot(&mut self, elem: Elem) -> Slot {
        let size = if matches!(elem, Elem::I64 | Elem::F64) { 8 } else { 4 };
        let at = self.tile.context.next_multiple_of(size);
        self.tile.context = at + size;
        let strips = Strips::of(self.kernel.tile().unwrap_or(&[]), self.b.width());
        at * u64::from(strips.all()) * u64::from(self.b.width())
    }

    fn slot_address(&mut self, slot: Slot, stored: Stored) -> Address {
        let base = self.arena(ArenaPart::Context);
        let size = u64::from(stored.size());
        let offset = self.here.strip.map(|strip| {
            let bytes = self.b.number((size * u64::from(self.b.width())) as i64);
            self.b.op(Op::Mul, Scalar::I64, &[strip, bytes])
        });
        let space = Space::Arena(ArenaPart::Context);
        Address { space, base, offset, displacement: slot as i64, along: Along::Step(size as i64), stored }
    }

    /// Keeps lanes in the context.
    fn keep(&mut self, slot: Slot, elem: Elem, value: Value, mask: Option<Value>) {
        let value = match elem {
            Elem::Bool => {
                let (one, zero) = (self.b.constant(Elem::I32, 1), self.b.constant(Elem::I32, 0));
                self.b.select(value, one, zero)
            }
            _ => value,
        };
        let value = self.b.lanes(value);
        let at = self.slot_address(slot, stored_of(elem));
        self.b.effect(Effect::Store { at, value, mask });
    }

    /// Takes lanes up again.
    fn take_up(&mut self, slot: Slot, elem: Elem) -> Value {
        let at = self.slot_address(slot, stored_of(elem));
        let value = self.b.load(at, None);
        match elem {
            Elem::Bool => {
                let zero = self.b.constant(Elem::I32, 0);
                self.b.op(Op::Ne, Scalar::I32, &[value, zero])
            }
            _ => value,
        }
    }

    /// All strips of the tile, with those lanes active that are of the crowd and not gone; the body is written for at least one.
    fn each_strip(
        &mut self,
        carried: Vec<Value>,
        body: impl FnOnce(&mut Self, Vec<Value>) -> Formed<Vec<Value>>,
    ) -> Formed<Vec<Value>> {
        let (parts, active) = (self.parts.clone(), self.active);
        self.here.strip = Some(self.b.number(0));
        let results = self.strips(carried, body)?;
        self.here.strip = None;
        (self.parts, self.active) = (parts, active);
        Ok(results)
    }

    /// The lanes of this strip that are here.
    fn present(&mut self) {
        if let Some(slot) = self.tile.crowds.iter().rev().find_map(|crowd| crowd.slot) {
            let crowd = self.take_up(slot, Elem::Bool);
            self.active = self.active_and(crowd);
        }
        if let Some(slot) = self.tile.gone {
            let gone = self.take_up(slot, Elem::Bool);
            let here = self.b.not(gone);
            self.active = self.active_and(here);
        }
    }

    /// Instructions at tile level. What follows once everybody has left is skipped.
    fn level(&mut self, insts: &[Inst], first: usize) -> Formed {
        let mut number = first;
        let mut i = 0;
        while i < insts.len() {
            let begin = (i, number);
            let before = self.active;
            if self.shape.at(number).barrier {
                self.number = number;
                self.b.at(insts[i].pos);
                self.lifted(&insts[i])?;
                number += self.shape.at(number).size as usize;
                i += 1;
            } else {
                while i < insts.len() && !self.shape.at(number).barrier {
                    number += self.shape.at(number).size as usize;
                    i += 1;
                }
                self.region(&insts[begin.0..i], begin.1)?;
            }
            let Some(active) = self.active.filter(|_| self.active != before) else { continue };
            match self.b.constant_of(active) {
                Some(0) => return Ok(()),
                Some(_) => {
                    self.active = None;
                    continue;
                }
                None => {}
            }
            let rest = &insts[i..];
            if rest.is_empty() {
                return Ok(());
            }
            self.merge(
                active,
                Likely::Either,
                |s| {
                    s.active = None;
                    s.level(rest, number)?;
                    Ok(Vec::new())
                },
                |_| Ok(Vec::new()),
            )?;
            return Ok(());
        }
        Ok(())
    }

    /// A run of instructions without barriers, for all strips.
    fn region(&mut self, insts: &[Inst], first: usize) -> Formed {
        let region = self.tile.crossing.regions.get(&first).cloned().unwrap_or_default();
        let end = first
            + insts
                .iter()
                .fold((0, first), |(sum, at), _| {
                    let size = self.shape.at(at).size as usize;
                    (sum + size, at + size)
                })
                .0;
        let leaves =
            self.targets.iter().any(|target| self.shape.leaves_between(first, end, target.label, target.continues));
        let ends = insts
            .iter()
            .scan(first, |at, _| {
                let inside = self.shape.at(*at);
                *at += inside.size as usize;
                Some(inside.ends)
            })
            .any(|ends| ends);
        // What is the same in the whole tile goes round through the strips.
        let once_parts: Vec<Part> =
            region.writes.iter().copied().filter(|part| self.tile.crossing.parts.get(part) == Some(&true)).collect();
        let ways = self.tile.crossing.values.clone();
        let once_values: Vec<ValueId> =
            region.makes.iter().copied().filter(|value| ways.get(value) == Some(&Way::Once)).collect();
        let kept_values: Vec<ValueId> =
            region.makes.iter().copied().filter(|value| ways.get(value) == Some(&Way::Kept)).collect();
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
                    for &part in &region.touches {
                        if let Some(&(slot, elem)) = s.tile.parts.get(&part) {
                            s.parts[part] = Some(Comp::Plain(s.take_up(slot, elem)));
                        }
                    }
                    let protected = s.protected.clone();
                    if leaves {
                        s.protected.extend(&region.touches);
                    }
                    s.take_up_values(&region.uses)?;
                    s.run(insts, None, first)?;
                    s.protected = protected;
                    s.strip_end(start, &region.writes, &kept_values)?;
                    let mut out = Vec::new();
                    let mask = start.unwrap_or_else(|| s.b.truth(true));
                    let mut once = Vec::new();
                    for &part in &once_parts {
                        once.push(s.parts[part].ok_or_else(|| malformed("a variable is lost"))?);
                    }
                    for &value in &once_values {
                        once.extend(s.comps(value)?);
                    }
                    for comp in once {
                        out.push(Comp::Plain(s.lowest(comp, mask)));
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
            self.define(Some(value), Val::Data(comps));
        }
        if flags > 0 {
            let flags: Vec<Value> = results.collect();
            self.after_leaving(&flags);
        }
        Ok(())
    }

    /// Takes up, or makes again, the values that a region uses.
    fn take_up_values(&mut self, uses: &std::collections::BTreeSet<ValueId>) -> Formed {
        let mut again = Vec::new();
        for &value in uses {
            match self.tile.crossing.values.get(&value) {
                Some(Way::Kept) => {
                    let slots =
                        self.tile.values.get(&value).cloned().ok_or_else(|| malformed("a value is kept nowhere"))?;
                    let comps = slots.into_iter().map(|(slot, elem)| Comp::Plain(self.take_up(slot, elem))).collect();
                    self.define(Some(value), Val::Data(comps));
                }
                Some(Way::Again) => again.extend(self.tile.makers.get(&value).cloned()),
                Some(Way::Once) | None => {}
            }
        }
        // What was computed first is computed first again.
        again.sort_by_key(|&(number, _)| number);
        let number = self.number;
        for (at, inst) in again {
            self.number = at;
            self.again(&inst)?;
        }
        self.number = number;
        Ok(())
    }

    /// The same number in all of these lanes, as a scalar.
    fn lowest(&mut self, comp: Comp, mask: Value) -> Value {
        match comp.scalar(&self.b) {
            Some(scalar) => scalar,
            None => {
                let lanes = comp.lanes(&mut self.b);
                let mask = self.b.lanes(mask);
                let elem = self.b.ty(lanes).elem();
                self.b.pure(crate::lanes::Inst::LowestLane { lanes, mask }, Ty::Scalar(elem))
            }
        }
    }

    /// Keeps what the threads of a strip need later.
    fn strip_end(
        &mut self,
        start: Option<Value>,
        writes: &std::collections::BTreeSet<Part>,
        values: &[ValueId],
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
            let comps = match self.values.get(value.index()) {
                Some(Some(Val::Data(comps))) => comps.clone(),
                _ => continue,
            };
            let slots = self.tile.values.get(&value).cloned().unwrap_or_default();
            for (comp, (slot, elem)) in comps.into_iter().zip(slots) {
                let value = comp.lanes(&mut self.b);
                self.keep(slot, elem, value, start);
            }
        }
        Ok(())
    }

    /// Notes who of a strip is gone and who left to where. The flags that go round: is somebody still here, has somebody returned, and for each target
    /// whether somebody left to it.
    fn leave_strip(&mut self, start: Option<Value>, out: &mut Vec<Comp>, before: &[Value]) -> Formed {
        let touched = self.touched.clone();
        let ended = self.added(self.ended);
        let inert = self.added(self.inert);
        let mut all = touched;
        all.insert(self.ended);
        all.extend(self.targets.iter().map(|target| target.arrived));
        let stayed = self.without(start, &all);
        let stayed = stayed.unwrap_or_else(|| self.b.truth(true));
        let add = |s: &mut Self, before: Value, mask: Value| {
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
            // Out of every crowd that is inside of the target.
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
    fn after_leaving(&mut self, flags: &[Value]) {
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
            // Whoever left is elsewhere.
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

    /// Some of the crowd may be elsewhere.
    fn also_elsewhere(&mut self, some: Value) {
        let partial = self.crowd().partial;
        let before = self.added(partial);
        let now = self.b.or(before, some);
        self.parts[partial] = Some(Comp::Plain(now));
    }

    /// A construct that holds a barrier, or a barrier.
    fn lifted(&mut self, inst: &Inst) -> Formed {
        if let Some(result) = inst.result {
            self.place_of(result)?;
        }
        let result = inst.result;
        let note = match &inst.kind {
            InstKind::If { .. } | InstKind::Switch { .. } => Some(Note::Branch(How::Tile)),
            InstKind::Loop { .. } => Some(Note::Loop(How::Tile)),
            _ => None,
        };
        if let Some(note) = note {
            self.notes.insert(self.number, (inst.pos, note));
        }
        match &inst.kind {
            InstKind::Barrier(_) => self.barrier(inst.pos),
            InstKind::If { condition, then, otherwise } => self.lifted_if(result, *condition, then, otherwise),
            InstKind::Switch { selector, cases, default } => self.lifted_switch(*selector, cases, default),
            InstKind::Scope { label, body } => self.lifted_scope(result, *label, body),
            InstKind::Loop { label, condition, body, continuing } => {
                self.lifted_loop(*label, condition.as_deref(), body, continuing)
            }
            _ => Err(malformed("an instruction holds a barrier and no block")),
        }
    }

    fn crowd(&self) -> Crowd {
        self.tile.crowds[self.tile.crowds.len() - 1]
    }

    fn barrier(&mut self, pos: Pos) -> Formed {
        if !self.tile.parting {
            return Ok(());
        }
        let returned = self.added(self.tile.returned);
        let partial = self.added(self.crowd().partial);
        // Whoever has stopped will not come.
        let stopped = self.added(self.tile.apart);
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
                    if let Some(slot) = s.tile.gone {
                        let gone = s.take_up(slot, Elem::Bool);
                        let gone = s.b.or(gone, here);
                        s.keep(slot, Elem::Bool, gone, None);
                    }
                    Ok(Vec::new())
                })?;
                let yes = s.b.truth(true);
                s.parts[s.tile.apart] = Some(Comp::Plain(yes));
                s.parts[s.ended] = Some(Comp::Plain(yes));
                Ok(Vec::new())
            },
            |_| Ok(Vec::new()),
        )?;
        self.touched.insert(self.ended);
        let go_on = self.b.not(apart);
        self.active = self.active_and(go_on);
        Ok(())
    }

    /// Number of a place to stop.
    fn stop(&mut self, pos: Pos, loops: Option<u32>) -> u64 {
        // Two barriers can stand at one place, of a function that is called twice.
        let same = |stop: &Stop| stop.pos.key() == pos.key() && stop.loops.is_none() && loops.is_none();
        let at = self.tile.stops.iter().position(same).unwrap_or_else(|| {
            self.tile.stops.push(Stop { pos, loops });
            self.tile.stops.len() - 1
        });
        at as u64 + 1
    }

    /// Notes that these lanes stop.
    fn note(&mut self, stop: u64, mask: Option<Value>) {
        if self.tile.vote_words == 0 {
            return;
        }
        let words = u64::from(self.tile.vote_words);
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
            let along = Along::Step(size as i64);
            let space = Space::Arena(ArenaPart::Votes);
            let at = Address { space, base, offset, displacement: 4 * i as i64, along, stored: Stored::I32 };
            self.b.effect(Effect::Store { at, value, mask });
        }
    }

    /// A thread returns: where, if anybody may ask.
    pub(super) fn returned(&mut self, pos: Pos) -> Formed {
        if self.tile.inside && self.tile.parting {
            let stop = self.stop(pos, None);
            let rounds = std::mem::take(&mut self.tile.rounds);
            self.note(stop, self.active);
            self.tile.rounds = rounds;
        }
        Ok(())
    }

    /// A thread ends by `error` or `abort`: nobody asks where it stopped.
    pub(super) fn ended_by_itself(&mut self) {
        if self.tile.inside && self.tile.parting {
            let rounds = std::mem::take(&mut self.tile.rounds);
            self.note(u64::from(u32::MAX), self.active);
            self.tile.rounds = rounds;
        }
    }

    /// A condition of tile level: a scalar, or nothing if the threads have to vote.
    fn agreed(&mut self, condition: ValueId) -> Formed<Option<Value>> {
        match self.tile.crossing.values.get(&condition) {
            Some(Way::Kept | Way::Again) => Ok(None),
            Some(Way::Once) | None => {
                let comp = self.comp(condition)?;
                comp.scalar(&self.b).map(Some).ok_or_else(|| malformed("a condition of the tile is none"))
            }
        }
    }

    /// Lets the threads vote: those for which the condition holds become a crowd, and the others. Gives for both whether there is anybody.
    fn vote(&mut self, condition: ValueId, wanted: impl Fn(&mut Self, Value) -> Value) -> Formed<[(Slot, Value); 2]> {
        let slots = [self.slot(Elem::I32), self.slot(Elem::I32)];
        let no = self.b.truth(false);
        let kept = self.tile.values.get(&condition).cloned().ok_or_else(|| malformed("a condition is kept nowhere"))?;
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

    /// Walks a way with a crowd of its own.
    fn with_crowd(
        &mut self,
        slot: Option<Slot>,
        more_partial: Value,
        walk: impl FnOnce(&mut Self) -> Formed,
    ) -> Formed {
        let around = self.added(self.crowd().partial);
        let partial = self.add_part(Elem::Bool);
        let now = self.b.or(around, more_partial);
        self.parts[partial] = Some(Comp::Plain(now));
        self.tile.crowds.push(Crowd { slot, partial, targets: self.targets.len() });
        walk(self)?;
        self.tile.crowds.pop();
        self.parts.truncate(partial);
        Ok(())
    }

    /// A block of a lifted construct, and what it gives to the construct.
    fn level_giving(&mut self, block: &Block, first: usize, result: Option<ValueId>) -> Formed {
        self.level(&block.insts, first)?;
        let (Some(value), Some(result)) = (block.value, result) else { return Ok(()) };
        let slots = self.place_of(result)?;
        let stayed = self.active.unwrap_or_else(|| self.b.truth(true));
        self.either(
            stayed,
            |s| {
                s.each_strip(Vec::new(), |s, _| {
                    s.present();
                    let here = s.active;
                    s.take_up_values(&[value].into())?;
                    for (comp, (slot, elem)) in s.comps(value)?.into_iter().zip(slots) {
                        let value = comp.lanes(&mut s.b);
                        s.keep(slot, elem, value, here);
                    }
                    Ok(Vec::new())
                })?;
                Ok(())
            },
            |_| Ok(()),
        )
    }

    /// Where a value is kept; a place is made for it when it is first asked for.
    fn place_of(&mut self, value: ValueId) -> Formed<Vec<(Slot, Elem)>> {
        if let Some(slots) = self.tile.values.get(&value) {
            return Ok(slots.clone());
        }
        let data = self.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
        let elem = Elem::of(data.scalar);
        let slots: Vec<(Slot, Elem)> = (0..data.width).map(|_| (self.slot(elem), elem)).collect();
        self.tile.values.insert(value, slots.clone());
        Ok(slots)
    }

    fn lifted_if(&mut self, result: Option<ValueId>, condition: ValueId, then: &Block, otherwise: &Block) -> Formed {
        let number = self.number;
        let first = (number + 1, self.shape.behind(then, number + 1));
        let (_, left) = self.inside(|s| match s.agreed(condition)? {
            Some(condition) => {
                let then = |s: &mut Self| s.own(|s| s.level_giving(then, first.0, result));
                s.either(condition, then, |s| s.own(|s| s.level_giving(otherwise, first.1, result)))
            }
            None => {
                let [yes, no] = s.vote(condition, |_, value| value)?;
                s.side(yes, no.1, |s| s.level_giving(then, first.0, result))?;
                s.side(no, yes.1, |s| s.level_giving(otherwise, first.1, result))
            }
        })?;
        self.after_construct(&left)
    }

    /// A crowd that is the one around, so that what is noted of it is forgotten behind.
    fn own(&mut self, walk: impl FnOnce(&mut Self) -> Formed) -> Formed {
        let no = self.b.truth(false);
        self.with_crowd(None, no, walk)
    }

    /// A side of a vote, if anybody is on it.
    fn side(&mut self, side: (Slot, Value), others: Value, walk: impl FnOnce(&mut Self) -> Formed) -> Formed {
        self.active = None;
        self.either(side.1, |s| s.with_crowd(Some(side.0), others, walk), |_| Ok(()))
    }

    /// An `if` at tile level.
    fn either(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Formed,
        otherwise: impl FnOnce(&mut Self) -> Formed,
    ) -> Formed {
        self.merge(
            condition,
            Likely::Either,
            |s| {
                then(s)?;
                Ok(Vec::new())
            },
            |s| {
                otherwise(s)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    /// Behind a construct: is anybody of the crowd still here?
    fn after_construct(&mut self, left: &std::collections::BTreeSet<Part>) -> Formed {
        self.active = None;
        if left.is_empty() {
            return Ok(());
        }
        if !self.tile.parting {
            self.active = self.without(None, left);
            return Ok(());
        }
        // Ended stands for "this crowd has nobody left"; who is left of the one around is counted.
        let no = self.b.truth(false);
        let anybody = self.each_strip(vec![no], |s, before| {
            s.present();
            let active = s.active_value();
            let any = s.b.any(active);
            Ok(vec![s.b.or(before[0], any)])
        })?;
        let nobody = self.b.not(anybody[0]);
        self.parts[self.ended] = Some(Comp::Plain(nobody));
        self.active = Some(anybody[0]);
        // Whoever left from inside this crowd is elsewhere.
        let mut elsewhere = self.b.truth(false);
        let ended = self.ended;
        for &part in left.iter().filter(|&&part| part != ended) {
            let arrived = self.added(part);
            elsewhere = self.b.or(elsewhere, arrived);
        }
        self.also_elsewhere(elsewhere);
        Ok(())
    }

    fn lifted_switch(&mut self, selector: ValueId, cases: &[Case], default: &Block) -> Formed {
        let number = self.number;
        let mut blocks = Vec::new();
        let mut first = number + 1;
        for block in cases.iter().map(|case| &case.body).chain([default]) {
            blocks.push((block, first));
            first = self.shape.behind(block, first);
        }
        let is = |s: &mut Self, value: Value, case: Option<&Case>| match case {
            Some(case) => {
                let mut any = s.b.truth(false);
                for &value_of in &case.values {
                    let constant = s.b.constant(Elem::I32, value_of.into());
                    let equal = s.b.op(Op::Eq, Scalar::I32, &[value, constant]);
                    any = s.b.or(any, equal);
                }
                any
            }
            None => {
                let mut all = s.b.truth(true);
                for &value_of in cases.iter().flat_map(|case| &case.values) {
                    let constant = s.b.constant(Elem::I32, value_of.into());
                    let differs = s.b.op(Op::Ne, Scalar::I32, &[value, constant]);
                    all = s.b.and(all, differs);
                }
                all
            }
        };
        let (_, left) = self.inside(|s| {
            let agreed = s.agreed(selector)?;
            let mut sides = Vec::new();
            for i in 0..blocks.len() {
                let case = cases.get(i);
                sides.push(match agreed {
                    Some(value) => (None, is(s, value, case)),
                    None => {
                        let [yes, no] = s.vote(selector, |s, value| is(s, value, case))?;
                        (Some((yes, no.1)), yes.1)
                    }
                });
            }
            for ((block, first), (vote, holds)) in blocks.iter().zip(sides) {
                s.active = None;
                match vote {
                    None => s.either(holds, |s| s.own(|s| s.level(&block.insts, *first)), |_| Ok(()))?,
                    Some((yes, others)) => s.side(yes, others, |s| s.level(&block.insts, *first))?,
                }
            }
            Ok(())
        })?;
        self.after_construct(&left)
    }

    fn lifted_scope(&mut self, result: Option<ValueId>, label: LabelId, body: &Block) -> Formed {
        let number = self.number;
        let arrived = self.add_part(Elem::Bool);
        let slot = self.crowd_slot(self.shape.leaves_to(number, label, false))?;
        self.targets.push(Target { label, continues: false, arrived, result: Vec::new(), value: result });
        let no = self.b.truth(false);
        let write = |s: &mut Self| s.with_crowd(slot, no, |s| s.level_giving(body, number + 1, result));
        let (_, mut left) = self.inside(write)?;
        self.targets.pop();
        self.touched.remove(&arrived);
        if left.remove(&arrived) && self.tile.parting {
            left.insert(self.ended);
        } else if !self.tile.parting && self.shape.leaves_to(number, label, false) {
            // All that left came here.
            self.come_back(arrived);
        }
        self.after_construct(&left)?;
        self.parts.truncate(arrived);
        Ok(())
    }

    /// Where nobody parts, leaving to here is not ending.
    fn come_back(&mut self, arrived: Part) {
        let ended = self.added(self.ended);
        let here = self.added(arrived);
        let not = self.b.not(here);
        let ended = self.b.and(ended, not);
        self.parts[self.ended] = Some(Comp::Plain(ended));
    }

    /// A mask for a crowd that its members may leave one by one.
    fn crowd_slot(&mut self, leaves: bool) -> Formed<Option<Slot>> {
        if !self.tile.parting || !leaves {
            return Ok(None);
        }
        let slot = self.slot(Elem::I32);
        self.fill_crowd(slot)?;
        Ok(Some(slot))
    }

    /// The crowd around, as a mask of its own.
    fn fill_crowd(&mut self, slot: Slot) -> Formed {
        self.each_strip(Vec::new(), |s, _| {
            s.present();
            let active = s.active_value();
            let lanes = s.b.lanes(active);
            s.keep(slot, Elem::Bool, lanes, None);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// A loop with a barrier in it. Its condition is asked at the beginning of a round.
    fn lifted_loop(&mut self, label: LabelId, condition: Option<&Block>, body: &Block, continuing: &Block) -> Formed {
        let number = self.number;
        let first = number + 1;
        let body_first = condition.map_or(first, |block| self.shape.behind(block, first));
        let continuing_first = self.shape.behind(body, body_first);
        let broke = self.add_part(Elem::Bool);
        self.targets.push(Target { label, continues: false, arrived: broke, result: Vec::new(), value: None });
        // Members leave by the condition too, if it is voted on.
        let slot = self.crowd_slot(true)?;
        let no = self.b.truth(false);
        let (_, mut left) = self.inside(|s| {
            s.with_crowd(slot, no, |s| {
                // All scalars that may change go round.
                let carried: Vec<Part> =
                    (0..s.parts.len()).filter(|&part| part >= s.added || s.parts[part].is_some()).collect();
                let mut types = vec![Ty::Scalar(Elem::I64)];
                let mut init = vec![s.b.number(0)];
                for &part in &carried {
                    let value = s.added(part);
                    types.push(s.b.ty(value));
                    init.push(value);
                }
                let params = s.b.open_loop(&types);
                for (&part, &param) in carried.iter().zip(&params[1..]) {
                    s.parts[part] = Some(Comp::Plain(param));
                }
                s.tile.rounds.push(params[0]);
                s.b.poll();
                s.active = None;
                let again = s.add_part(Elem::Bool);
                let condition = condition.map(|block| (block, first));
                s.round(condition, (body, body_first), (continuing, continuing_first), label, again)?;
                let again_value = s.added(again);
                s.parts.truncate(again);
                s.tile.rounds.pop();
                let one = s.b.number(1);
                let mut next = vec![s.b.op(Op::Add, Scalar::I64, &[params[0], one])];
                for &part in &carried {
                    next.push(s.added(part));
                }
                let block = s.b.close(next);
                let results = s.b.repeat(params, init, block, again_value);
                for (&part, &result) in carried.iter().zip(&results[1..]) {
                    s.parts[part] = Some(Comp::Plain(result));
                }
                Ok(())
            })
        })?;
        self.targets.pop();
        self.touched.remove(&broke);
        left.remove(&broke);
        if self.tile.parting {
            left.insert(self.ended);
        } else {
            self.come_back(broke);
        }
        self.after_construct(&left)?;
        self.parts.truncate(broke);
        Ok(())
    }

    /// One round: whether there will be another is put into `again`.
    fn round(
        &mut self,
        condition: Option<(&Block, usize)>,
        body: (&Block, usize),
        continuing: (&Block, usize),
        label: LabelId,
        again: Part,
    ) -> Formed {
        let Some((block, first)) = condition else {
            return self.rest_of_round(condition, body, continuing, label, again);
        };
        self.level(&block.insts, first)?;
        let value = block.value.ok_or_else(|| malformed("a condition has no value"))?;
        let stayed = self.active.take().unwrap_or_else(|| self.b.truth(true));
        self.either(
            stayed,
            |s| {
                let go = s.narrow(value, true)?;
                s.either(go, |s| s.rest_of_round(condition, body, continuing, label, again), |_| Ok(()))
            },
            |_| Ok(()),
        )
    }

    /// The body and the continuing part.
    fn rest_of_round(
        &mut self,
        condition: Option<(&Block, usize)>,
        body: (&Block, usize),
        continuing: (&Block, usize),
        label: LabelId,
        again: Part,
    ) -> Formed {
        let goes_on = self.add_part(Elem::Bool);
        self.targets.push(Target { label, continues: true, arrived: goes_on, result: Vec::new(), value: None });
        // A crowd inside the round: who continues early waits outside of it.
        let continues = self.shape.leaves_to(self.number_of_loop(body.1, condition), label, true);
        let slot = self.crowd_slot(continues)?;
        let no = self.b.truth(false);
        let (_, mut left) = self.inside(|s| s.with_crowd(slot, no, |s| s.level(&body.0.insts, body.1)))?;
        self.targets.pop();
        self.touched.remove(&goes_on);
        if left.remove(&goes_on) {
            if self.tile.parting {
                left.insert(self.ended);
            } else {
                self.come_back(goes_on);
            }
        }
        self.after_construct(&left)?;
        let stayed = self.active.take().unwrap_or_else(|| self.b.truth(true));
        self.either(
            stayed,
            |s| {
                s.level(&continuing.0.insts, continuing.1)?;
                let here = s.active.take().unwrap_or_else(|| s.b.truth(true));
                let go = match continuing.0.value {
                    Some(value) => s.narrow(value, false)?,
                    None => s.b.truth(true),
                };
                let go = s.b.and(here, go);
                s.parts[again] = Some(Comp::Plain(go));
                Ok(())
            },
            |_| Ok(()),
        )?;
        self.parts.truncate(goes_on);
        Ok(())
    }

    /// The number of the loop whose body begins at `body`.
    fn number_of_loop(&self, body: usize, condition: Option<(&Block, usize)>) -> usize {
        condition.map_or(body, |(_, first)| first) - 1
    }

    /// Keeps in the loop's crowd those for whom the condition is as wanted; gives whether anybody is.
    fn narrow(&mut self, condition: ValueId, wanted: bool) -> Formed<Value> {
        if let Some(value) = self.agreed(condition)? {
            return Ok(if wanted { value } else { self.b.not(value) });
        }
        let [(stay, anybody), (_, others)] =
            self.vote(condition, |s, value| if wanted { value } else { s.b.not(value) })?;
        let slot = self.crowd().slot.ok_or_else(|| malformed("a crowd has no mask"))?;
        self.each_strip(Vec::new(), |s, _| {
            let there = s.take_up(stay, Elem::Bool);
            s.keep(slot, Elem::Bool, there, None);
            Ok(Vec::new())
        })?;
        self.also_elsewhere(others);
        Ok(anybody)
    }

    /// Prepares what [`Former::tile`] needs to know.
    pub(super) fn prepare_tile(&mut self, crossing: Crossing) {
        let barriers = self.facts.uniformity().barriers();
        self.tile.parting = barriers.iter().any(|barrier| barrier.class != Class::Uniform);
        self.tile.ending = self.shape.inside.iter().any(|inside| inside.ends);
        let mut number = 0;
        let body = self.function.body();
        let makers = &mut self.tile.makers;
        body.walk(&mut |inst| {
            if let Some(value) = inst.result
                && crossing.values.get(&value) == Some(&Way::Again)
            {
                makers.insert(value, (number, inst.clone()));
            }
            number += 1;
        });
        if self.tile.parting {
            self.tile.vote_words = 1 + loops(body);
        }
        self.tile.crossing = crossing;
    }
}

/// The most loops with barriers around each other.
fn loops(block: &Block) -> u32 {
    let mut most = 0;
    for inst in &block.insts {
        let mut barrier = matches!(inst.kind, InstKind::Barrier(_));
        let mut inner = 0;
        inst.kind.blocks(&mut |block| {
            inner = inner.max(loops(block));
            block.walk(&mut |inst| barrier |= matches!(inst.kind, InstKind::Barrier(_)));
        });
        let own = u32::from(barrier && matches!(inst.kind, InstKind::Loop { .. }));
        most = most.max(inner + own);
    }
    most
}

const fn stored_of(elem: Elem) -> Stored {
    match elem {
        Elem::Bool | Elem::I32 => Stored::I32,
        Elem::I64 => Stored::I64,
        Elem::F32 => Stored::F32,
        Elem::F64 => Stored::F64,
    }
}
