//! Structured control flow under masks.
//!
//! A uniform condition becomes an `if` of the lane program. For a varying one, both arms are
//! written in sequence, each with fewer lanes active, and assigned parts that are needed later are
//! selected at the join. An arm that accesses memory or is long runs only if any lane takes it.
//!
//! A jump is recorded, not executed: the lanes that leave are added to the arrivals of the target,
//! and the following code is written for the remaining lanes. If the set of leaving lanes is
//! uniform, the following code is an `if`.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Block, Inst, InstId, InstKind, LabelId, SwitchCase, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::comp::Comp;
use super::state::{Formed, KernelValue, OpenTarget, PartNumber, Vectorizer, malformed};
use crate::lanes::{Elem, LaneControl, LaneType, LaneValue, Likely, Note};
use crate::sorted::SortedSet;

/// Maximum number of instructions of an arm without memory accesses that runs without a branch.
const SHORT: u32 = 12;

/// Maximum number of instructions of an arm that is written twice: for all lanes, and masked.
const TWICE: u32 = 80;

impl Vectorizer<'_> {
    /// Writes a block; returns the components of its value.
    pub(super) fn block(&mut self, block: &Block) -> Formed<Vec<Comp>> {
        self.run(&block.insts, block.value)
    }

    /// Writes instructions, then the resulting value.
    pub(super) fn run(&mut self, insts: &[Inst], value: Option<ValueId>) -> Formed<Vec<Comp>> {
        for (i, inst) in insts.iter().enumerate() {
            let before = self.active;
            self.at = inst.id;
            self.b.at(inst.pos);
            self.inst(inst)?;
            let Some(active) = self.active.filter(|_| self.active != before) else { continue };
            match self.b.constant_of(active) {
                Some(0) => return self.nothing(value),
                Some(_) => {
                    self.active = None;
                    continue;
                }
                None => {}
            }
            // The remaining code is for the lanes that are still active.
            let rest = &insts[i + 1..];
            let scalar = !self.b.ty(active).is_lanes();
            let matters = |inst: &Inst| {
                let inside = self.input.shape.at(inst.id);
                inside.effects || inside.repeats || inside.work > SHORT
            };
            if scalar && !rest.is_empty() || rest.iter().any(matters) {
                let any = self.b.any(active);
                return self.merge(
                    any,
                    Likely::Either,
                    |s| {
                        if scalar {
                            s.active = None;
                        }
                        let comps = s.run(rest, value)?;
                        s.forget(rest);
                        Ok(comps)
                    },
                    |s| s.nothing(value),
                );
            }
        }
        match value {
            Some(value) if self.input.function.value(value).ty.data().is_some() => self.comps(value),
            _ => Ok(Vec::new()),
        }
    }

    /// The components of a value where no lane is active.
    fn nothing(&mut self, value: Option<ValueId>) -> Formed<Vec<Comp>> {
        let Some(data) = value.and_then(|value| self.input.context.data(value)) else { return Ok(Vec::new()) };
        let zero = self.b.constant(Elem::of(data.scalar), 0);
        Ok(vec![Comp::Plain(zero); usize::from(data.width)])
    }

    /// Variables declared by these instructions of a block are dead after the block, unless the
    /// block continues in another region.
    fn forget(&mut self, insts: &[Inst]) {
        for inst in insts {
            if let InstKind::Declare { local, .. } = inst.kind {
                for part in self.input.locals.parts(local) {
                    if !self.protected.contains(&part) && !self.tile.crossing.parts.contains_key(&part) {
                        self.parts[part] = None;
                    }
                }
            }
        }
    }

    /// Rematerialises a value.
    pub(super) fn again(&mut self, inst: &Inst) -> Formed {
        self.inst(inst)
    }

    fn inst(&mut self, inst: &Inst) -> Formed {
        match &inst.kind {
            InstKind::Op { op, args } => self.operation(inst.result, *op, args),
            InstKind::Compose(parts) => self.compose(inst.result, parts),
            InstKind::Splat { value, width } => self.splat(inst.result, *value, *width),
            InstKind::Swizzle { value, components } => self.swizzle(inst.result, *value, components),
            InstKind::ComponentAt { value, index } => self.component(inst.result, *value, *index),
            InstKind::Builtin(builtin) => {
                self.thread_index(inst.result, *builtin);
                Ok(())
            }
            InstKind::ViewExtent { view, dimension } => {
                let extent = self.view(*view)?.extents.get(*dimension as usize).copied();
                let extent = extent.ok_or_else(|| malformed("a view has no such dimension"))?;
                self.define(inst.result, KernelValue::Data(vec![extent]));
                Ok(())
            }
            InstKind::Section { view, origin, extent } => self.section(inst.result, *view, origin, extent),
            InstKind::Project { view, index } => self.project(inst.result, *view, *index),
            InstKind::Reinterpret { view, element } => self.reinterpret(inst.result, *view, *element),
            InstKind::ViewAs { view, extent } => self.view_as(inst.result, *view, extent),
            InstKind::Length(place) => self.length(inst.result, place),
            InstKind::Load(place) => self.load(inst.result, place),
            InstKind::Store { place, value } => self.store(place, *value),
            InstKind::Copy { to, from } => self.copy(to, from),
            InstKind::Atomic { op, place, value } => self.atomic(inst.result, *op, place, *value),
            InstKind::CompareExchange { place, expected, new, equal } => {
                self.compare_exchange([inst.result, Some(*equal)], place, *expected, *new)
            }
            InstKind::Declare { local, init } => self.declare(*local, *init),
            InstKind::Fence(_) => {
                self.b.effect(crate::lanes::Effect::Fence);
                Ok(())
            }
            InstKind::Print(message) => self.print(message, inst.pos),
            InstKind::Error(message) => self.error(Some(message), inst.pos),
            InstKind::Abort => self.error(None, inst.pos),
            InstKind::If { condition, then, otherwise } => self.if_(inst, *condition, then, otherwise),
            InstKind::Loop { label, condition, body, continuing } => {
                self.loop_(inst, *label, condition.as_deref(), body, continuing)
            }
            InstKind::Switch { selector, cases, default } => self.switch(inst, *selector, cases, default),
            InstKind::Scope { label, body } => self.scope(inst, *label, body),
            InstKind::Break { label, value } => self.break_(*label, *value),
            InstKind::Continue { label } => {
                let arrived = self.target(*label, true)?.arrived;
                self.leave(arrived);
                self.nobody();
                Ok(())
            }
            InstKind::Return(_) => {
                self.returned(inst.pos)?;
                self.leave(self.exits.ended);
                self.nobody();
                Ok(())
            }
            InstKind::Barrier(_) | InstKind::Call { .. } => Err(malformed("a barrier or a call where there is none")),
        }
    }

    /// Deactivates all lanes.
    pub(super) fn nobody(&mut self) {
        self.active = Some(self.b.truth(false));
    }

    fn target(&self, label: LabelId, continues: bool) -> Formed<&OpenTarget> {
        let found =
            self.exits.targets.iter().rev().find(|target| target.label == label && target.continues == continues);
        found.ok_or_else(|| malformed("a label is not declared"))
    }

    fn break_(&mut self, label: LabelId, value: Option<ValueId>) -> Formed {
        let target = self.target(label, false)?.clone();
        if let Some(value) = value.filter(|_| !target.result.is_empty()) {
            for (&part, comp) in target.result.iter().zip(self.comps(value)?) {
                self.set(part, comp);
            }
        }
        self.leave(target.arrived);
        self.nobody();
        Ok(())
    }

    /// Writes a construct that can be left, with a fresh set of arrivals; returns the arrivals
    /// written to.
    pub(super) fn inside<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> Formed<T>,
    ) -> Formed<(T, SortedSet<PartNumber>)> {
        let before = std::mem::take(&mut self.exits.touched);
        let written = write(self)?;
        Ok((written, self.end_inside(before)))
    }

    fn end_inside(&mut self, before: SortedSet<PartNumber>) -> SortedSet<PartNumber> {
        let touched = std::mem::replace(&mut self.exits.touched, before);
        self.exits.touched.extend(touched.iter().copied());
        touched
    }

    fn if_(&mut self, inst: &Inst, condition: ValueId, then: &Block, otherwise: &Block) -> Formed {
        let condition = self.comp(condition)?.value(&mut self.b);
        let how = self.how(condition, &[then, otherwise]);
        self.tables.notes.insert(inst.id, (inst.pos, Note::Branch(how)));
        let entered = self.active;
        let (comps, left) = self.inside(|s| match s.b.ty(condition) {
            LaneType::Scalar(_) => {
                let way = |s: &mut Self, block| {
                    let comps = s.block(block)?;
                    for part in 0..s.added {
                        if !s.input.live.leaving(inst.id).has(part) && !s.protected.contains(&part) {
                            s.parts[part] = None;
                        }
                    }
                    Ok(comps)
                };
                s.merge(condition, Likely::Either, |s| way(s, then), |s| way(s, otherwise))
            }
            LaneType::Lanes(_) => {
                let not = s.b.not(condition);
                let (yes, no) = (s.active_and(condition), s.active_and(not));
                let rare = s.input.library_sources.contains(&inst.pos.source);
                s.arms(inst.id, condition, (yes, no), |s| s.arm(then, yes, rare), |s| s.arm(otherwise, no, rare))
            }
        })?;
        self.active = self.without(entered, &left);
        // If both arms leave there is no value, and no use of it.
        let comps = if comps.is_empty() { self.nothing(inst.result)? } else { comps };
        if let Some(result) = inst.result {
            // If the only executed arm leaves, it has no value, and no use of it is reached.
            let comps = if comps.is_empty() { self.nothing(Some(result))? } else { comps };
            self.define(Some(result), KernelValue::Data(comps));
        }
        Ok(())
    }

    /// How lanes execute a branch.
    fn how(&self, condition: LaneValue, ways: &[&Block]) -> LaneControl {
        match self.b.ty(condition) {
            LaneType::Scalar(_) => LaneControl::Together,
            LaneType::Lanes(_) if self.b.is_described(condition) => LaneControl::Limit,
            LaneType::Lanes(_) => match ways.iter().all(|block| self.is_short(block)) {
                true => LaneControl::Both,
                false => LaneControl::Masked,
            },
        }
    }

    /// Does an arm cost less than testing whether any lane takes it?
    fn is_short(&self, block: &Block) -> bool {
        let inside = self.input.shape.of_block(block);
        !inside.effects && !inside.repeats && inside.work <= SHORT
    }

    /// Writes two arms, each for its own lanes; then selects their assignments by a condition, where
    /// these are needed after the construct. For lanes that are in neither arm it may be anything: what
    /// they need is protected, so both arms have it.
    fn arms(
        &mut self,
        construct: InstId,
        condition: LaneValue,
        (yes, no): (Option<LaneValue>, Option<LaneValue>),
        then: impl FnOnce(&mut Self) -> Formed<Vec<Comp>>,
        otherwise: impl FnOnce(&mut Self) -> Formed<Vec<Comp>>,
    ) -> Formed<Vec<Comp>> {
        let before = self.parts.clone();
        self.active = yes;
        let first = then(self)?;
        let after_then = self.parts.clone();
        self.parts[..self.added].clone_from_slice(&before[..self.added]);
        self.active = no;
        let mut second = otherwise(self)?;
        let mut first = first;
        self.level_out(&mut first, &mut second);
        for (part, &a) in after_then[..self.added].iter().enumerate() {
            let b = self.parts[part];
            if a == b {
                continue;
            }
            let needed = self.input.live.leaving(construct).has(part)
                || self.protected.contains(&part) && !fault::planted(Fault::JoinForgetsWaitingLanes);
            self.parts[part] = match (a, b) {
                (Some(a), Some(b)) if needed => {
                    let (a, b) = fault::choose(Fault::JoinTakesOtherArm, (a, b), (b, a));
                    Some(self.choose(Comp::Plain(condition), a, b))
                }
                // Lanes of the arm in which it is unknown do not need it.
                (a, b) if needed => a.or(b),
                _ => None,
            };
        }
        Ok(first.into_iter().zip(second).map(|(a, b)| self.choose(Comp::Plain(condition), a, b)).collect())
    }

    /// Writes one masked arm: without a branch if it is short, otherwise only if any lane takes it;
    /// if cheap to test, unmasked when all lanes do. A `rare` one is cold, as are the arms of the math
    /// libraries: these branch for rare arguments only.
    fn arm(&mut self, block: &Block, lanes: Option<LaneValue>, rare: bool) -> Formed<Vec<Comp>> {
        let Some(mask) = lanes else { return self.block(block) };
        if self.is_short(block) {
            return self.block(block);
        }
        let inside = self.input.shape.of_block(block);
        let any = self.b.any(mask);
        let none = |s: &mut Self| s.nothing(block.value);
        if rare {
            let nobody = self.b.not(any);
            return self.merge(nobody, Likely::Then, none, |s| s.block(block));
        }
        if self.b.is_described(mask) && inside.size <= TWICE && self.b.width() > 1 {
            let all = if fault::planted(Fault::UnmaskedWhenAnyTake) { any } else { self.b.all(mask) };
            return self.merge(
                all,
                Likely::Either,
                |s| {
                    s.active = None;
                    s.block(block)
                },
                |s| s.merge(any, Likely::Either, |s| s.block(block), none),
            );
        }
        self.merge(any, Likely::Either, |s| s.block(block), none)
    }

    /// The cases are mutually exclusive, so they are written in sequence. Each comparison stands at
    /// its case: conditions computed in advance would all be live across all cases.
    fn switch(&mut self, inst: &Inst, selector: ValueId, cases: &[SwitchCase], default: &Block) -> Formed {
        let selector = self.comp(selector)?;
        let entered = self.active;
        let blocks: Vec<&Block> = cases.iter().map(|case| &case.body).chain([default]).collect();
        let (_, left) = self.inside(|s| {
            // Assignments of one case must not affect the next.
            let protected = s.protected.clone();
            for block in &blocks {
                if !fault::planted(Fault::CasesForgetEachOther) {
                    let read = s.read_in(block);
                    s.protected.extend(read);
                }
            }
            let mut rest: Option<Comp> = None;
            for case in cases {
                s.b.at(inst.pos);
                let chosen = s.case_condition(selector, &case.values);
                let not = s.each(Op::Not, Scalar::Bool, &[chosen], &[None]);
                rest = Some(match rest {
                    Some(_) if fault::planted(Fault::DefaultAlsoRunsCases) => not,
                    Some(rest) => s.each(Op::And, Scalar::Bool, &[rest, not], &[None; 2]),
                    None => not,
                });
                s.case_arm(inst.id, entered, chosen, &case.body)?;
            }
            let rest = rest.unwrap_or(Comp::Plain(s.b.truth(true)));
            s.case_arm(inst.id, entered, rest, default)?;
            let condition = rest.value(&mut s.b);
            let how = s.how(condition, &blocks);
            s.tables.notes.insert(inst.id, (inst.pos, Note::Branch(how)));
            s.protected = protected;
            Ok(())
        })?;
        self.active = self.without(entered, &left);
        Ok(())
    }

    /// Is the selector one of these values?
    fn case_condition(&mut self, selector: Comp, values: &[u32]) -> Comp {
        let mut chosen: Option<Comp> = None;
        for &value in values {
            let value = Comp::Plain(self.b.constant(Elem::I32, value.into()));
            let equal = self.each(Op::Eq, Scalar::I32, &[selector, value], &[None; 2]);
            chosen = Some(match chosen {
                Some(_) if fault::planted(Fault::CaseOfOneValue) => equal,
                Some(chosen) => self.each(Op::Or, Scalar::Bool, &[chosen, equal], &[None; 2]),
                None => equal,
            });
        }
        chosen.unwrap_or(Comp::Plain(self.b.truth(false)))
    }

    /// Writes a case, for the lanes that entered the `switch` and satisfy the condition.
    fn case_arm(&mut self, switch: InstId, entered: Option<LaneValue>, condition: Comp, block: &Block) -> Formed {
        let condition = condition.value(&mut self.b);
        self.active = entered;
        if self.b.ty(condition).is_lanes() {
            let yes = self.active_and(condition);
            let not = self.b.not(condition);
            let no = self.active_and(not);
            // Assignments by other cases are preserved.
            self.arms(switch, condition, (yes, no), |s| s.arm(block, yes, false), |_| Ok(Vec::new()))?;
        } else {
            self.merge(condition, Likely::Either, |s| s.block(block), |_| Ok(Vec::new()))?;
        }
        Ok(())
    }

    fn scope(&mut self, inst: &Inst, label: LabelId, body: &Block) -> Formed {
        let entered = self.active;
        let arrived = self.add_part(Elem::Bool);
        let data = inst.result.and_then(|result| self.input.context.data(result));
        let breaks = self.input.shape.leaves_to(inst.id, label, false);
        let result: Vec<PartNumber> = match data {
            Some(data) if breaks => (0..data.width).map(|_| self.add_part(Elem::of(data.scalar))).collect(),
            _ => Vec::new(),
        };
        let protected = self.protected.clone();
        if breaks {
            self.protected.extend(self.input.live.leaving(inst.id).iter());
        }
        self.exits.targets.push(OpenTarget { label, continues: false, arrived, result: result.clone(), value: None });
        let (comps, mut left) = self.inside(|s| {
            let comps = s.block(body)?;
            // Lanes that reach the end carry the block's value.
            if !result.is_empty() && !comps.is_empty() {
                let touched = s.exits.touched.clone();
                let touched = fault::choose(Fault::ScopeValueOfLeavers, touched, SortedSet::new());
                let still = s.without(entered, &touched);
                let mask = still.unwrap_or_else(|| s.b.truth(true));
                for (&part, &comp) in result.iter().zip(&comps) {
                    if let Some(old) = s.parts[part] {
                        s.parts[part] = Some(s.choose(Comp::Plain(mask), comp, old));
                    }
                }
            }
            Ok(comps)
        })?;
        self.exits.targets.pop();
        self.protected = protected;
        left.remove(&arrived);
        self.exits.touched.remove(&arrived);
        self.active = self.without(entered, &left);
        if inst.result.is_some() {
            let held = |s: &Self, part: &PartNumber| s.parts[*part].ok_or_else(|| malformed("a scope has no value"));
            let comps = if result.is_empty() {
                if comps.is_empty() { self.nothing(inst.result)? } else { comps }
            } else {
                result.iter().map(|part| held(self, part)).collect::<Formed<_>>()?
            };
            let comps = if comps.is_empty() { self.nothing(inst.result)? } else { comps };
            self.define(inst.result, KernelValue::Data(comps));
        }
        self.parts.truncate(arrived);
        Ok(())
    }
}
