//! Loops. Each is written under assumptions, refined by attempts: which variables are uniform,
//! whether the loop has divergent exits, and whether lanes leave its only iteration before others
//! finish it. An attempt that disproves an assumption is rolled back.
//! Each attempt eliminates at least one assumption, so there are few.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Block, Inst, InstClass, InstId, Jump, LabelId};

use super::comp::Comp;
use super::locals::Touched;
use super::merge::Common;
use super::state::{Formed, LoopPlan, OpenTarget, PartNumber, Vectorizer, malformed};
use crate::lanes::{Elem, LaneBuilder, LaneControl, LaneType, LaneValue, Likely, Note};
use crate::sorted::SortedSet;

/// The assumption that an attempt at a loop has disproved.
enum LoopRetry {
    Masked,
    Left,
    Lanes(SortedSet<PartNumber>),
}

/// A loop, and the assumptions of an attempt at it.
pub(super) struct Rounds<'b> {
    pub(super) id: InstId,
    plan: LoopPlan,
    label: LabelId,
    pub(super) condition: Option<&'b Block>,
    body: &'b Block,
    continuing: &'b Block,
}

impl Vectorizer<'_> {
    /// The parts that may be assigned inside a construct with these blocks, including added parts.
    fn assigned(&self, construct: InstId, blocks: &[&Block]) -> SortedSet<PartNumber> {
        let mut parts = SortedSet::new();
        for block in blocks {
            block.walk(&mut |inst| match inst.kind.class() {
                InstClass::Write => {
                    let touched =
                        inst.kind.written_place().and_then(|place| self.input.locals.touched(self.input.kernel, place));
                    parts.extend(touched.iter().flat_map(Touched::parts));
                }
                InstClass::Declare => {
                    parts.extend(inst.kind.declared().into_iter().flat_map(|l| self.input.locals.parts(l)));
                }
                InstClass::Jump => {
                    parts.extend(matches!(inst.kind.jump(), Some(Jump::Return(_))).then_some(self.exits.ended));
                }
                InstClass::Stop => parts.extend([self.exits.ended, self.exits.inert]),
                InstClass::Compute
                | InstClass::Query
                | InstClass::MakeView
                | InstClass::Read
                | InstClass::Atomic
                | InstClass::Synchronize
                | InstClass::Output
                | InstClass::Call
                | InstClass::Structured => {}
            });
        }
        for target in &self.exits.targets {
            if self.input.shape.leaves_to(construct, target.label, target.continues) {
                parts.insert(target.arrived);
                parts.extend(target.result.iter().copied());
            }
        }
        parts
    }

    pub(super) fn loop_(
        &mut self,
        inst: &Inst,
        label: LabelId,
        condition: Option<&Block>,
        body: &Block,
        continuing: &Block,
    ) -> Formed {
        let pos = self.b.pos();
        let plan = LoopPlan::default();
        if self.unrolled(&Rounds { id: inst.id, plan, label, condition, body, continuing })? {
            self.tables.notes.insert(inst.id, (pos, Note::Unrolled));
            return Ok(());
        }
        loop {
            let mark = self.b.mark();
            let state = (self.parts.clone(), self.active, self.exits.clone(), self.protected.clone());
            let said = (self.tables.copies.len(), self.tables.messages.len());
            let plan = self.plans.get(&inst.id).cloned().unwrap_or_default();
            let rounds = Rounds { id: inst.id, plan, label, condition, body, continuing };
            let wrong = match self.try_loop(&rounds)? {
                None => {
                    let how = if rounds.plan.masked { LaneControl::Masked } else { LaneControl::Together };
                    self.tables.notes.insert(inst.id, (pos, Note::Loop(how)));
                    return Ok(());
                }
                Some(wrong) => wrong,
            };
            self.back_to(&mark);
            (self.parts, self.active, self.exits, self.protected) = state;
            self.tables.copies.truncate(said.0);
            self.tables.messages.truncate(said.1);
            let plan = self.plans.entry(inst.id).or_default();
            match wrong {
                LoopRetry::Masked => plan.masked = true,
                LoopRetry::Left => plan.left = true,
                LoopRetry::Lanes(parts) => plan.lanes.extend(parts),
            }
        }
    }

    /// Writes a loop under a plan, or returns the assumption that fails.
    fn try_loop(&mut self, rounds: &Rounds<'_>) -> Formed<Option<LoopRetry>> {
        let masked = rounds.plan.masked;
        let entered = self.active;
        let protected = self.protected.clone();
        let (carried, dead) = self.carried_through(rounds);
        self.protect_waiting(rounds);
        // Which lanes enter the loop?
        let go = match rounds.condition {
            Some(block) => self.asked(block)?,
            None => Comp::Plain(self.b.truth(true)),
        };
        // A branch in the condition forgets what only the body's next iteration writes and reads.
        for &part in &carried {
            self.define_forgotten(part);
        }
        let go = go.value(&mut self.b);
        self.note_short(rounds.id, go);
        if self.b.ty(go).is_lanes() && !masked {
            return Ok(Some(LoopRetry::Masked));
        }
        let live = if masked { self.active_and(go) } else { entered };
        let enter = if masked {
            let live = self.active_value_of(live);
            self.b.any(live)
        } else {
            go
        };
        let mut wrong = None;
        let outcome = self.inside(|s| {
            s.merge(
                enter,
                Likely::Either,
                |s| {
                    wrong = s.rounds(rounds, live, &carried)?;
                    for &part in &dead {
                        s.parts[part] = None;
                    }
                    Ok(Vec::new())
                },
                |_| Ok(Vec::new()),
            )
        })?;
        self.protected = protected;
        if wrong.is_some() {
            return Ok(wrong);
        }
        for part in dead {
            self.parts[part] = None;
        }
        self.active = self.without(entered, &outcome.1);
        Ok(None)
    }

    /// The parts that a loop assigns: those that it carries, each with a value, and those that
    /// nothing needs from one iteration to the next.
    fn carried_through(&mut self, rounds: &Rounds<'_>) -> (Vec<PartNumber>, Vec<PartNumber>) {
        let mut blocks = vec![rounds.body, rounds.continuing];
        blocks.extend(rounds.condition);
        let live = &self.input.live;
        let (carried, dead): (Vec<PartNumber>, Vec<PartNumber>) =
            self.assigned(rounds.id, &blocks).into_iter().partition(|part| {
                *part >= self.added
                    || live.head(rounds.id).has(*part)
                    || live.leaving(rounds.id).has(*part) && !fault::planted(Fault::LoopDropsLastValues)
                    || self.protected.contains(part)
            });
        for &part in &carried {
            self.define_forgotten(part);
        }
        (carried, dead)
    }

    /// Protects what lanes need that left the loop, or wait for its next iteration.
    pub(super) fn protect_waiting(&mut self, rounds: &Rounds<'_>) {
        let (live, id) = (&self.input.live, rounds.id);
        if rounds.plan.masked || rounds.plan.left {
            self.protected.extend(live.leaving(id).iter());
        }
        if self.input.shape.leaves_to(id, rounds.label, true) && !fault::planted(Fault::ContinueForgetsOthers) {
            self.protected.extend(live.head(id).iter());
            self.protected.extend(live.leaving(id).iter());
            for block in rounds.condition.into_iter().chain([rounds.continuing]) {
                let read = self.read_in(block);
                self.protected.extend(read);
            }
        }
    }

    /// Gives a part that was forgotten, as it is written before it is read, a value to carry.
    fn define_forgotten(&mut self, part: PartNumber) {
        if self.parts[part].is_none() {
            let elem = Elem::of(self.input.locals.part(part).stored.value());
            self.parts[part] = Some(Comp::Plain(self.b.constant(elem, 0)));
        }
    }

    fn active_value_of(&mut self, active: Option<LaneValue>) -> LaneValue {
        active.unwrap_or_else(|| self.b.truth(true))
    }

    /// Writes a block that computes a condition.
    pub(super) fn asked(&mut self, block: &Block) -> Formed<Comp> {
        self.block(block)?.first().copied().ok_or_else(|| malformed("a condition has no value"))
    }

    /// The parts that a block reads.
    pub(super) fn read_in(&self, block: &Block) -> SortedSet<PartNumber> {
        let mut parts = SortedSet::new();
        block.walk(&mut |inst| {
            inst.kind.places(&mut |place| {
                parts.extend(self.input.locals.touched(self.input.kernel, place).iter().flat_map(Touched::parts));
            });
        });
        parts
    }

    /// Writes the loop itself for the lanes that enter it.
    fn rounds(
        &mut self,
        rounds: &Rounds<'_>,
        live: Option<LaneValue>,
        carried: &[PartNumber],
    ) -> Formed<Option<LoopRetry>> {
        let plan = &rounds.plan;
        // The loop-carried values: the active lanes, then the carried parts, each in its required
        // form.
        let mut init = Vec::new();
        if plan.masked {
            let live = self.active_value_of(live);
            init.push(self.b.lanes(live));
        }
        let mut kinds = Vec::new();
        for &part in carried {
            let (kind, value) = self.as_carried(plan, part)?;
            init.push(value);
            kinds.push(kind);
        }
        let types: Vec<LaneType> = init.iter().map(|&value| self.b.ty(value)).collect();
        let params = self.b.open_loop(&types);
        let own = usize::from(plan.masked);
        for ((&part, &param), &kind) in carried.iter().zip(&params[own..]).zip(&kinds) {
            self.parts[part] = Some(kind.of(param));
        }
        self.active = if plan.masked { Some(params[0]) } else { live };
        let broke = self.parts.len();
        self.poll();
        let (again, left) = self.iteration(rounds)?;
        let mut next = Vec::new();
        if plan.masked {
            next.push(self.b.lanes(again));
        } else if self.b.ty(again).is_lanes() {
            self.b.close(Vec::new());
            return Ok(Some(LoopRetry::Masked));
        } else if left && !plan.left && !fault::planted(Fault::ShortLoopForgetsLeavers) {
            self.b.close(Vec::new());
            return Ok(Some(LoopRetry::Left));
        }
        let mut wrong = SortedSet::new();
        for ((&part, &kind), &param) in carried.iter().zip(&kinds).zip(&params[own..]) {
            // A dropped part is not needed; it is carried unchanged.
            let comp = self.parts[part].unwrap_or(kind.of(param));
            if fits(kind, comp, &self.b) {
                next.push(self.as_common(comp, kind));
            } else {
                wrong.insert(part);
            }
        }
        let any = self.b.any(again);
        let block = self.b.close(next);
        if !wrong.is_empty() {
            return Ok(Some(LoopRetry::Lanes(wrong)));
        }
        let results = self.b.repeat(params, init, block, any);
        for ((&part, &result), &kind) in carried.iter().zip(&results[own..]).zip(&kinds) {
            self.parts[part] = Some(kind.of(result));
        }
        self.parts.truncate(broke);
        Ok(None)
    }

    /// The form in which a loop carries a part, and the part's value in that form.
    fn as_carried(&mut self, plan: &LoopPlan, part: PartNumber) -> Formed<(Common, LaneValue)> {
        let Some(comp) = self.parts[part] else { return Err(malformed("a variable is not there")) };
        let kind = match comp {
            _ if plan.lanes.contains(&part) => Common::Lanes,
            Comp::Affine { step, .. } => Common::Affine(step, None),
            comp if comp.scalar(&self.b).is_some() => Common::Scalar,
            Comp::Plain(_) => Common::Lanes,
        };
        Ok((kind, self.as_common(comp, kind)))
    }

    /// Writes one iteration; yields the lanes that go on to the next, and whether some may have left
    /// before others finish it.
    pub(super) fn iteration(&mut self, rounds: &Rounds<'_>) -> Formed<(LaneValue, bool)> {
        let at_start = self.active;
        let [broke, goes_on] = [false, true].map(|continues| {
            let arrived = self.add_part(Elem::Bool);
            let target = OpenTarget { label: rounds.label, continues, arrived, result: Vec::new(), value: None };
            self.exits.targets.push(target);
            arrived
        });
        let (_, mut left) = self.inside(|s| s.block(rounds.body))?;
        self.exits.targets.pop();
        left.remove(&goes_on);
        self.exits.touched.remove(&goes_on);
        self.active = self.without(at_start, &left);
        let again = self.onwards(rounds, at_start)?;
        self.exits.targets.pop();
        let divergent = |part: &PartNumber| self.parts[*part].is_some_and(|gone| gone.scalar(&self.b).is_none());
        let early = self.exits.touched.iter().any(divergent);
        self.exits.touched.remove(&broke);
        Ok((again.value(&mut self.b), early))
    }

    /// Writes the continuing block and the condition of the next iteration, for the lanes that are
    /// still in the loop; returns the lanes that continue: a mask in a masked loop, otherwise a
    /// scalar, or a mask to report that the loop must be masked.
    fn onwards(&mut self, rounds: &Rounds<'_>, at_start: Option<LaneValue>) -> Formed<Comp> {
        let Some(active) = self.active else { return self.goes_on(rounds, at_start) };
        if self.b.constant_of(active) == Some(0) {
            return Ok(Comp::Plain(active));
        }
        let scalar = !self.b.ty(active).is_lanes();
        let changed = rounds.plan.masked || self.active != at_start;
        let touches = self.input.shape.of_block(rounds.continuing).effects
            || rounds.condition.is_some_and(|block| self.input.shape.of_block(block).effects);
        if !(scalar || changed && touches) {
            return self.goes_on(rounds, at_start);
        }
        let any = self.b.any(active);
        let comps = self.merge(
            any,
            Likely::Either,
            |s| {
                if scalar {
                    s.active = None;
                }
                Ok(vec![s.goes_on(rounds, at_start)?])
            },
            |s| Ok(vec![Comp::Plain(s.b.truth(false))]),
        )?;
        comps.first().copied().ok_or_else(|| malformed("a loop has no end"))
    }

    fn goes_on(&mut self, rounds: &Rounds<'_>, at_start: Option<LaneValue>) -> Formed<Comp> {
        let entered = self.active;
        let (ends, left) = self.inside(|s| s.block(rounds.continuing))?;
        self.active = self.without(entered, &left);
        let mut go = self.b.truth(true);
        if let (Some(_), Some(ends)) = (rounds.continuing.value, ends.first()) {
            let ends = ends.value(&mut self.b);
            go = self.b.not(ends);
        }
        if let Some(block) = rounds.condition {
            let here = self.active;
            let touches = self.input.shape.of_block(block).effects;
            let lanes = self.b.ty(go).is_lanes();
            if lanes {
                self.active = self.active_and(go);
            }
            // Evaluated only if any lane is active.
            let somebody = match self.active.filter(|_| lanes && touches) {
                Some(mask) => self.b.any(mask),
                None if lanes => self.b.truth(true),
                None => go,
            };
            let asked = self.merge(
                somebody,
                Likely::Either,
                |s| Ok(vec![s.asked(block)?]),
                |s| Ok(vec![Comp::Plain(s.b.truth(false))]),
            )?;
            let asked = asked.first().copied().ok_or_else(|| malformed("a condition has no value"))?.value(&mut self.b);
            go = if lanes { self.b.and(go, asked) } else { asked };
            self.active = here;
        }
        if rounds.plan.masked || self.active != at_start {
            let live = self.active_and(go);
            return Ok(Comp::Plain(self.active_value_of(live)));
        }
        Ok(Comp::Plain(go))
    }
}

/// Has a value the form in which its loop carries it?
fn fits(kind: Common, comp: Comp, b: &LaneBuilder) -> bool {
    match (kind, comp) {
        (Common::Lanes, _) => true,
        (Common::Affine(step, _), Comp::Affine { step: now, .. }) => step == now,
        (Common::Affine(..), Comp::Plain(_)) => false,
        (Common::Scalar, comp) => comp.scalar(b).is_some(),
    }
}
