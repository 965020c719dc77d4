//! Structure: what some lanes do and others do not.
//!
//! A condition that is the same in all lanes is an `if` of the lane program. By any other, both arms are written one after the other, each with fewer lanes active, and what the arms
//! assigned is selected where they meet, if anybody needs it. An arm that touches memory or is long runs only if a lane wants it.
//!
//! Leaving is remembered, not done: the lanes that leave are added to those that arrived at the target, and what follows is written for the rest of the
//! lanes. If those that leave are the same in all lanes, what follows is an `if`.
//!
//! A loop is written for what its first try shows: which variables stay the same in all lanes, and whether lanes leave it one by one. A try that proves
//! these wrong is taken back. Each costs at least one variable that claim, so there are few.

use std::collections::BTreeSet;

use tilewise_ir::kernel::{Block, Case, Inst, InstKind, LabelId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::comp::Comp;
use super::locals::Touched;
use super::state::{Formed, Former, LoopPlan, Part, Target, Val, malformed};
use crate::lanes::{Elem, How, Likely, Note, Ty, Value};

/// Instructions up to which an arm that touches nothing runs without a branch.
const SHORT: u32 = 12;

/// Instructions up to which an arm is written twice: for all lanes, and by a mask.
const TWICE: u32 = 80;

/// What a try of a loop has shown to be wrong.
enum Wrong {
    Masked,
    Lanes(BTreeSet<Part>),
}

impl Former<'_> {
    /// Writes a block whose first instruction has that number; gives its value's components.
    pub(super) fn block(&mut self, block: &Block, first: usize) -> Formed<Vec<Comp>> {
        self.run(&block.insts, block.value, first)
    }

    /// Writes instructions, then the value that they come to.
    pub(super) fn run(&mut self, insts: &[Inst], value: Option<ValueId>, first: usize) -> Formed<Vec<Comp>> {
        let mut number = first;
        for (i, inst) in insts.iter().enumerate() {
            let before = self.active;
            self.number = number;
            self.b.at(inst.pos);
            self.inst(inst)?;
            number += self.shape.at(number).size as usize;
            let Some(active) = self.active.filter(|_| self.active != before) else { continue };
            match self.b.constant_of(active) {
                Some(0) => return self.nothing(value),
                Some(_) => {
                    self.active = None;
                    continue;
                }
                None => {}
            }
            // What is left to do is for those who are still here.
            let rest = &insts[i + 1..];
            let scalar = !self.b.ty(active).is_lanes();
            let matters = |number: usize| {
                let inside = self.shape.at(number);
                inside.effects || inside.repeats || inside.work > SHORT
            };
            if scalar && !rest.is_empty() || self.numbers(rest, number).any(matters) {
                let any = self.b.any(active);
                return self.merge(
                    any,
                    Likely::Either,
                    |s| {
                        if scalar {
                            s.active = None;
                        }
                        s.run(rest, value, number)
                    },
                    |s| s.nothing(value),
                );
            }
        }
        match value {
            Some(value) if self.function.value(value).ty.data().is_some() => self.comps(value),
            _ => Ok(Vec::new()),
        }
    }

    /// The numbers of instructions, the first of which is known.
    fn numbers<'i>(&'i self, insts: &'i [Inst], first: usize) -> impl Iterator<Item = usize> + 'i {
        insts.iter().scan(first, |next, _| {
            let number = *next;
            *next += self.shape.at(number).size as usize;
            Some(number)
        })
    }

    /// What a value is where nobody is.
    fn nothing(&mut self, value: Option<ValueId>) -> Formed<Vec<Comp>> {
        let Some(data) = value.and_then(|value| self.context.data(value)) else { return Ok(Vec::new()) };
        let zero = self.b.constant(Elem::of(data.scalar), 0);
        Ok(vec![Comp::Plain(zero); usize::from(data.width)])
    }

    /// Makes a value again that was made before.
    pub(super) fn again(&mut self, inst: &Inst) -> Formed {
        self.inst(inst)
    }

    fn inst(&mut self, inst: &Inst) -> Formed {
        match &inst.kind {
            InstKind::Op { .. }
            | InstKind::Compose(_)
            | InstKind::Splat { .. }
            | InstKind::Swizzle { .. }
            | InstKind::ComponentAt { .. }
            | InstKind::Builtin(_) => self.pure(&inst.kind, inst.result),
            InstKind::ViewExtent { view, dimension } => {
                let extent = self.view(*view)?.extents.get(*dimension as usize).copied();
                let extent = extent.ok_or_else(|| malformed("a view has no such dimension"))?;
                self.define(inst.result, Val::Data(vec![extent]));
                Ok(())
            }
            InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::Reinterpret { .. }
            | InstKind::ViewAs { .. } => self.make_view(&inst.kind, inst.result),
            InstKind::Length(place) => self.length(inst.result, place),
            InstKind::Load(place) => self.load(inst.result, place),
            InstKind::Store { place, value } => self.store(place, *value),
            InstKind::Copy { to, from } => self.copy(to, from),
            InstKind::Atomic { .. } | InstKind::CompareExchange { .. } => self.atomic(inst),
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
                self.loop_(*label, condition.as_deref(), body, continuing)
            }
            InstKind::Switch { selector, cases, default } => self.switch(*selector, cases, default),
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
                self.leave(self.ended);
                self.nobody();
                Ok(())
            }
            InstKind::Barrier(_) | InstKind::Call { .. } => Err(malformed("a barrier or a call where there is none")),
        }
    }

    /// Nobody is here any more.
    pub(super) fn nobody(&mut self) {
        self.active = Some(self.b.truth(false));
    }

    fn target(&self, label: LabelId, continues: bool) -> Formed<&Target> {
        let found = self.targets.iter().rev().find(|target| target.label == label && target.continues == continues);
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

    /// Writes a construct that can be left, with a fresh set of arrivals that were written to; gives that set.
    pub(super) fn inside<T>(&mut self, write: impl FnOnce(&mut Self) -> Formed<T>) -> Formed<(T, BTreeSet<Part>)> {
        let before = std::mem::take(&mut self.touched);
        let written = write(self)?;
        let touched = std::mem::replace(&mut self.touched, before);
        self.touched.extend(&touched);
        Ok((written, touched))
    }

    fn if_(&mut self, inst: &Inst, condition: ValueId, then: &Block, otherwise: &Block) -> Formed {
        let number = self.number;
        let first = (number + 1, self.shape.behind(then, number + 1));
        let condition = self.comp(condition)?.value(&mut self.b);
        let how = self.how(condition, &[(then, first.0), (otherwise, first.1)]);
        self.notes.insert(number, (inst.pos, Note::Branch(how)));
        let entered = self.active;
        let (comps, left) = self.inside(|s| match s.b.ty(condition) {
            Ty::Scalar(_) => {
                let likely = Likely::Either;
                s.merge(condition, likely, |s| s.block(then, first.0), |s| s.block(otherwise, first.1))
            }
            Ty::Lanes(_) => {
                let not = s.b.not(condition);
                let (yes, no) = (s.active_and(condition), s.active_and(not));
                s.arms(number, yes, no, |s| s.arm(then, first.0, yes), |s| s.arm(otherwise, first.1, no))
            }
        })?;
        self.active = self.without(entered, &left);
        if let Some(result) = inst.result {
            self.define(Some(result), Val::Data(comps));
        }
        Ok(())
    }

    /// How lanes come through a branch.
    fn how(&self, condition: Value, ways: &[(&Block, usize)]) -> How {
        match self.b.ty(condition) {
            Ty::Scalar(_) => How::Together,
            Ty::Lanes(_) if self.b.is_described(condition) => How::Limit,
            Ty::Lanes(_) => match ways.iter().all(|&(block, first)| self.is_short(block, first)) {
                true => How::Both,
                false => How::Masked,
            },
        }
    }

    /// Does a way cost less than to ask whether a lane goes it?
    fn is_short(&self, block: &Block, first: usize) -> bool {
        let inside = self.shape.of_block(block, first);
        !inside.effects && !inside.repeats && inside.work <= SHORT
    }

    /// Two ways, the lanes of each by a mask; then what they assigned, as far as it is needed after instruction `number`.
    fn arms(
        &mut self,
        number: usize,
        yes: Option<Value>,
        no: Option<Value>,
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
        let mask = match yes {
            Some(yes) => yes,
            None => self.b.truth(true),
        };
        for (part, &a) in after_then[..self.added].iter().enumerate() {
            let b = self.parts[part];
            if a == b {
                continue;
            }
            let needed = self.live.leaving(number).has(part) || self.protected.contains(&part);
            self.parts[part] = match (a, b) {
                (Some(a), Some(b)) if needed => Some(self.choose(Comp::Plain(mask), a, b)),
                _ => None,
            };
        }
        Ok(first.into_iter().zip(second).map(|(a, b)| self.choose(Comp::Plain(mask), a, b)).collect())
    }

    /// One way by a mask: without a branch if it is short, else only if a lane goes it; if it is easy to tell, without a mask if all do.
    fn arm(&mut self, block: &Block, first: usize, lanes: Option<Value>) -> Formed<Vec<Comp>> {
        let Some(mask) = lanes else { return self.block(block, first) };
        if self.is_short(block, first) {
            return self.block(block, first);
        }
        let inside = self.shape.of_block(block, first);
        let any = self.b.any(mask);
        let none = |s: &mut Self| s.nothing(block.value);
        if self.b.is_described(mask) && inside.size <= TWICE && self.b.width() > 1 {
            let all = self.b.all(mask);
            return self.merge(
                all,
                Likely::Either,
                |s| {
                    s.active = None;
                    s.block(block, first)
                },
                |s| s.merge(any, Likely::Either, |s| s.block(block, first), none),
            );
        }
        self.merge(any, Likely::Either, |s| s.block(block, first), none)
    }

    /// An `if` of the lane program. Both ways begin with the same state; what they come to meets behind.
    pub(super) fn merge(
        &mut self,
        condition: Value,
        likely: Likely,
        then: impl FnOnce(&mut Self) -> Formed<Vec<Comp>>,
        otherwise: impl FnOnce(&mut Self) -> Formed<Vec<Comp>>,
    ) -> Formed<Vec<Comp>> {
        match self.b.constant_of(condition) {
            Some(0) => return otherwise(self),
            Some(_) => return then(self),
            None => {}
        }
        let (active, before) = (self.active, self.parts.clone());
        self.b.open_arm();
        let mut first = then(self)?;
        let first_block = self.b.close(Vec::new());
        let first_parts = std::mem::replace(&mut self.parts, before);
        self.active = active;
        self.b.open_arm();
        let mut second = otherwise(self)?;
        let second_block = self.b.close(Vec::new());
        self.active = active;
        self.level_out(&mut first, &mut second);
        let known = self.parts.len().min(first_parts.len());
        self.parts.truncate(known);
        let mut meet = Vec::new();
        for (part, &first_part) in first_parts[..known].iter().enumerate() {
            match (first_part, self.parts[part]) {
                (a, b) if a == b => {}
                (Some(a), Some(b)) => {
                    meet.push(part);
                    first.push(a);
                    second.push(b);
                }
                _ => self.parts[part] = None,
            }
        }
        let results = first.len() - meet.len();
        // What both are in the end: a scalar, the base of what grows evenly, or lanes.
        let both: Vec<_> = first.iter().zip(&second).map(|(&a, &b)| self.common(a, b)).collect();
        self.b.reopen(first_block);
        let values = first.iter().zip(&both).map(|(&comp, &common)| self.as_common(comp, common)).collect();
        let first_block = self.b.close(values);
        self.b.reopen(second_block);
        let values = second.iter().zip(&both).map(|(&comp, &common)| self.as_common(comp, common)).collect();
        let second_block = self.b.close(values);
        let values = self.b.if_else(condition, first_block, second_block, likely);
        let mut comps: Vec<Comp> = values.into_iter().zip(both).map(|(value, common)| common.of(value)).collect();
        for (part, comp) in meet.into_iter().zip(comps.split_off(results)) {
            self.parts[part] = Some(comp);
        }
        Ok(comps)
    }

    /// A way that leaves has no value: it gets one, so that both have.
    fn level_out(&mut self, first: &mut Vec<Comp>, second: &mut Vec<Comp>) {
        for (to, other) in [(first.len(), second.clone()), (second.len(), first.clone())] {
            for comp in other.iter().skip(to) {
                let zero = Comp::Plain(self.b.constant(comp.elem(&self.b), 0));
                if first.len() < second.len() { first.push(zero) } else { second.push(zero) }
            }
        }
    }

    fn common(&self, a: Comp, b: Comp) -> Common {
        match (a, b) {
            (Comp::Affine { step, exact: x, .. }, Comp::Affine { step: other, exact: y, .. }) if step == other => {
                Common::Affine(step, x.zip(y).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1))))
            }
            _ if a.scalar(&self.b).is_some() && b.scalar(&self.b).is_some() => Common::Scalar,
            _ => Common::Lanes,
        }
    }

    fn as_common(&mut self, comp: Comp, common: Common) -> Value {
        match (common, comp) {
            (Common::Affine(..), Comp::Affine { base, .. }) => base,
            (Common::Scalar, Comp::Plain(value)) => value,
            _ => comp.lanes(&mut self.b),
        }
    }

    fn switch(&mut self, selector: ValueId, cases: &[Case], default: &Block) -> Formed {
        let number = self.number;
        let selector = self.comp(selector)?;
        let entered = self.active;
        let mut rest: Option<Comp> = None;
        let (_, left) = self.inside(|s| {
            let mut first = number + 1;
            let mut conditions = Vec::new();
            for case in cases {
                let mut chosen: Option<Comp> = None;
                for &value in &case.values {
                    let value = Comp::Plain(s.b.constant(Elem::I32, value.into()));
                    let equal = s.each(Op::Eq, Scalar::I32, &[selector, value], &[None; 2]);
                    chosen = Some(match chosen {
                        Some(chosen) => s.each(Op::Or, Scalar::Bool, &[chosen, equal], &[None; 2]),
                        None => equal,
                    });
                }
                let chosen = chosen.unwrap_or(Comp::Plain(s.b.truth(false)));
                let not = s.each(Op::Not, Scalar::Bool, &[chosen], &[None]);
                rest = Some(match rest {
                    Some(rest) => s.each(Op::And, Scalar::Bool, &[rest, not], &[None; 2]),
                    None => not,
                });
                conditions.push((chosen, &case.body, first));
                first = s.shape.behind(&case.body, first);
            }
            let rest = rest.unwrap_or(Comp::Plain(s.b.truth(true)));
            conditions.push((rest, default, first));
            let ways: Vec<_> = conditions.iter().map(|&(_, block, first)| (block, first)).collect();
            let condition = rest.value(&mut s.b);
            let how = s.how(condition, &ways);
            s.notes.insert(number, (s.b.pos(), Note::Branch(how)));
            // The cases exclude one another, so they may come one after the other.
            for (condition, block, first) in conditions {
                let condition = condition.value(&mut s.b);
                s.active = entered;
                if s.b.ty(condition).is_lanes() {
                    let yes = s.active_and(condition);
                    let not = s.b.not(condition);
                    let no = s.active_and(not);
                    s.one_of(number, yes, no, block, first)?;
                } else {
                    s.merge(condition, Likely::Either, |s| s.block(block, first), |_| Ok(Vec::new()))?;
                }
            }
            Ok(())
        })?;
        self.active = self.without(entered, &left);
        Ok(())
    }

    /// A case by a mask. What other cases assigned or will assign stays.
    fn one_of(&mut self, number: usize, yes: Option<Value>, no: Option<Value>, block: &Block, first: usize) -> Formed {
        self.arms(number, yes, no, |s| s.arm(block, first, yes), |_| Ok(Vec::new()))?;
        Ok(())
    }

    fn scope(&mut self, inst: &Inst, label: LabelId, body: &Block) -> Formed {
        let number = self.number;
        let entered = self.active;
        let arrived = self.add_part(Elem::Bool);
        let data = inst.result.and_then(|result| self.context.data(result));
        let breaks = self.shape.leaves_to(number, label, false);
        let result: Vec<Part> = match data {
            Some(data) if breaks => (0..data.width).map(|_| self.add_part(Elem::of(data.scalar))).collect(),
            _ => Vec::new(),
        };
        let protected = self.protected.clone();
        if breaks {
            self.protected.extend(self.live.leaving(number).iter());
        }
        self.targets.push(Target { label, continues: false, arrived, result: result.clone(), value: None });
        let (comps, mut left) = self.inside(|s| {
            let comps = s.block(body, number + 1)?;
            // Whoever came to the end brings the block's value.
            if !result.is_empty() && !comps.is_empty() {
                let touched = s.touched.clone();
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
        self.targets.pop();
        self.protected = protected;
        left.remove(&arrived);
        self.touched.remove(&arrived);
        self.active = self.without(entered, &left);
        if inst.result.is_some() {
            let held = |s: &Self, part: &Part| s.parts[*part].ok_or_else(|| malformed("a scope has no value"));
            let comps = if result.is_empty() {
                comps
            } else {
                result.iter().map(|part| held(self, part)).collect::<Formed<_>>()?
            };
            self.define(inst.result, Val::Data(comps));
        }
        self.parts.truncate(arrived);
        Ok(())
    }

    /// The parts that may be assigned inside instruction `number`, those that the walk added among them.
    fn assigned(&self, number: usize, blocks: &[&Block]) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        for block in blocks {
            block.walk(&mut |inst| match &inst.kind {
                InstKind::Store { place, .. } | InstKind::Copy { to: place, .. } => {
                    parts.extend(self.locals.touched(self.kernel, place).iter().flat_map(Touched::parts));
                }
                InstKind::Declare { local, .. } => parts.extend(self.locals.parts(*local)),
                InstKind::Return(_) => _ = parts.insert(self.ended),
                InstKind::Error(_) | InstKind::Abort => parts.extend([self.ended, self.inert]),
                _ => {}
            });
        }
        for target in &self.targets {
            if self.shape.leaves_to(number, target.label, target.continues) {
                parts.insert(target.arrived);
                parts.extend(&target.result);
            }
        }
        parts
    }

    fn loop_(&mut self, label: LabelId, condition: Option<&Block>, body: &Block, continuing: &Block) -> Formed {
        let (number, pos) = (self.number, self.b.pos());
        loop {
            let mark = self.b.mark();
            let state =
                (self.parts.clone(), self.active, self.touched.clone(), self.protected.clone(), self.targets.clone());
            let said = (self.copies.len(), self.messages.len());
            let plan = self.plans.get(&number).cloned().unwrap_or_default();
            let wrong = match self.try_loop(number, &plan, label, condition, body, continuing)? {
                None => {
                    let how = if plan.masked { How::Masked } else { How::Together };
                    self.notes.insert(number, (pos, Note::Loop(how)));
                    return Ok(());
                }
                Some(wrong) => wrong,
            };
            self.b.back_to(&mark);
            (self.parts, self.active, self.touched, self.protected, self.targets) = state;
            self.copies.truncate(said.0);
            self.messages.truncate(said.1);
            let plan = self.plans.entry(number).or_default();
            match wrong {
                Wrong::Masked => plan.masked = true,
                Wrong::Lanes(parts) => plan.lanes.extend(parts),
            }
        }
    }

    /// Writes a loop as planned, or says what is wrong with the plan.
    fn try_loop(
        &mut self,
        number: usize,
        plan: &LoopPlan,
        label: LabelId,
        condition: Option<&Block>,
        body: &Block,
        continuing: &Block,
    ) -> Formed<Option<Wrong>> {
        let first = number + 1;
        let body_first = condition.map_or(first, |block| self.shape.behind(block, first));
        let continuing_first = self.shape.behind(body, body_first);
        let entered = self.active;
        let mut blocks = vec![body, continuing];
        blocks.extend(condition);
        let assigned = self.assigned(number, &blocks);
        let protected = self.protected.clone();
        let mut carried: Vec<Part> = Vec::new();
        let mut dead: Vec<Part> = Vec::new();
        for part in assigned {
            let needed = part >= self.added
                || self.live.head(number).has(part)
                || self.live.leaving(number).has(part)
                || protected.contains(&part);
            match needed && self.parts[part].is_some() {
                true => carried.push(part),
                false => dead.push(part),
            }
        }
        if plan.masked {
            self.protected.extend(self.live.leaving(number).iter());
        }
        if self.shape.leaves_to(number, label, true) {
            // Lanes that wait for the next round.
            self.protected.extend(self.live.head(number).iter());
            self.protected.extend(self.live.leaving(number).iter());
            for block in condition.into_iter().chain([continuing]) {
                let read = self.read_in(block);
                self.protected.extend(read);
            }
        }
        // Who goes in at all?
        let go = match condition {
            Some(block) => self.asked(block, first)?,
            None => Comp::Plain(self.b.truth(true)),
        };
        let go = go.value(&mut self.b);
        if self.b.ty(go).is_lanes() && !plan.masked {
            return Ok(Some(Wrong::Masked));
        }
        let live = if plan.masked { self.active_and(go) } else { entered };
        let enter = if plan.masked {
            let live = self.active_value_of(live);
            self.b.any(live)
        } else {
            go
        };
        let rounds = Rounds {
            plan: plan.clone(),
            label,
            condition: condition.map(|block| (block, first)),
            body: (body, body_first),
            continuing: (continuing, continuing_first),
        };
        let mut wrong = None;
        let outcome = self.inside(|s| {
            s.merge(
                enter,
                Likely::Either,
                |s| {
                    wrong = s.rounds(&rounds, live, &carried)?;
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

    fn active_value_of(&mut self, active: Option<Value>) -> Value {
        active.unwrap_or_else(|| self.b.truth(true))
    }

    /// A condition, by a block.
    fn asked(&mut self, block: &Block, first: usize) -> Formed<Comp> {
        self.block(block, first)?.first().copied().ok_or_else(|| malformed("a condition has no value"))
    }

    /// The parts that a block reads.
    fn read_in(&self, block: &Block) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        block.walk(&mut |inst| {
            inst.kind.places(&mut |place| {
                parts.extend(self.locals.touched(self.kernel, place).iter().flat_map(Touched::parts));
            });
        });
        parts
    }

    fn rounds(&mut self, rounds: &Rounds<'_>, live: Option<Value>, carried: &[Part]) -> Formed<Option<Wrong>> {
        let plan = &rounds.plan;
        // What goes round: the live lanes, then the carried parts, each as what it is or must be.
        let mut types = Vec::new();
        let mut init = Vec::new();
        let mut kinds = Vec::new();
        if plan.masked {
            let live = self.active_value_of(live);
            init.push(self.b.lanes(live));
            types.push(Ty::MASK);
        }
        for &part in carried {
            let Some(comp) = self.parts[part] else { return Err(malformed("a variable is not there")) };
            let kind = match comp {
                _ if plan.lanes.contains(&part) => Common::Lanes,
                Comp::Affine { step, .. } => Common::Affine(step, None),
                comp if comp.scalar(&self.b).is_some() => Common::Scalar,
                Comp::Plain(_) => Common::Lanes,
            };
            let value = self.as_common(comp, kind);
            types.push(self.b.ty(value));
            init.push(value);
            kinds.push(kind);
        }
        let params = self.b.open_loop(&types);
        let own = usize::from(plan.masked);
        for ((&part, &param), &kind) in carried.iter().zip(&params[own..]).zip(&kinds) {
            self.parts[part] = Some(kind.of(param));
        }
        self.active = if plan.masked { Some(params[0]) } else { live };
        let at_start = self.active;
        self.b.poll();
        let broke = self.add_part(Elem::Bool);
        let goes_on = self.add_part(Elem::Bool);
        self.targets.push(Target {
            label: rounds.label,
            continues: false,
            arrived: broke,
            result: Vec::new(),
            value: None,
        });
        self.targets.push(Target {
            label: rounds.label,
            continues: true,
            arrived: goes_on,
            result: Vec::new(),
            value: None,
        });
        let (_, mut left) = self.inside(|s| s.block(rounds.body.0, rounds.body.1))?;
        self.targets.pop();
        left.remove(&goes_on);
        self.touched.remove(&goes_on);
        self.active = self.without(at_start, &left);
        let again = self.onwards(rounds, at_start)?;
        self.targets.pop();
        self.touched.remove(&broke);
        let again = again.value(&mut self.b);
        let mut next = Vec::new();
        if plan.masked {
            next.push(self.b.lanes(again));
        } else if self.b.ty(again).is_lanes() {
            self.b.close(Vec::new());
            return Ok(Some(Wrong::Masked));
        }
        let mut wrong = BTreeSet::new();
        for ((&part, &kind), &param) in carried.iter().zip(&kinds).zip(&params[own..]) {
            // What is gone is not needed; it goes round as it is.
            let comp = self.parts[part].unwrap_or(kind.of(param));
            let fits = match (kind, comp) {
                (Common::Lanes, _) => true,
                (Common::Affine(step, _), Comp::Affine { step: now, .. }) => step == now,
                (Common::Affine(..), Comp::Plain(_)) => false,
                (Common::Scalar, comp) => comp.scalar(&self.b).is_some(),
            };
            if !fits {
                wrong.insert(part);
                continue;
            }
            next.push(self.as_common(comp, kind));
        }
        let any = self.b.any(again);
        let block = self.b.close(next);
        if !wrong.is_empty() {
            return Ok(Some(Wrong::Lanes(wrong)));
        }
        let results = self.b.repeat(params, init, block, any);
        for ((&part, &result), &kind) in carried.iter().zip(&results[own..]).zip(&kinds) {
            self.parts[part] = Some(kind.of(result));
        }
        self.parts.truncate(broke);
        Ok(None)
    }

    /// The continuing part and the condition of the next round, for those who are still in the loop; gives who goes on: a mask in a masked loop, else a
    /// scalar, or a mask to say that the loop must be a masked one.
    fn onwards(&mut self, rounds: &Rounds<'_>, at_start: Option<Value>) -> Formed<Comp> {
        let Some(active) = self.active else { return self.goes_on(rounds, at_start) };
        if self.b.constant_of(active) == Some(0) {
            return Ok(Comp::Plain(active));
        }
        let scalar = !self.b.ty(active).is_lanes();
        let changed = rounds.plan.masked || self.active != at_start;
        let touches = self.shape.of_block(rounds.continuing.0, rounds.continuing.1).effects
            || rounds.condition.is_some_and(|(block, first)| self.shape.of_block(block, first).effects);
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

    fn goes_on(&mut self, rounds: &Rounds<'_>, at_start: Option<Value>) -> Formed<Comp> {
        let entered = self.active;
        let (block, first) = rounds.continuing;
        let (ends, left) = self.inside(|s| s.block(block, first))?;
        self.active = self.without(entered, &left);
        let mut go = self.b.truth(true);
        if let (Some(_), Some(ends)) = (block.value, ends.first()) {
            let ends = ends.value(&mut self.b);
            go = self.b.not(ends);
        }
        if let Some((block, first)) = rounds.condition {
            let here = self.active;
            let touches = self.shape.of_block(block, first).effects;
            let lanes = self.b.ty(go).is_lanes();
            if lanes {
                self.active = self.active_and(go);
            }
            // Asked only if somebody is there to ask.
            let somebody = match self.active.filter(|_| lanes && touches) {
                Some(mask) => self.b.any(mask),
                None if lanes => self.b.truth(true),
                None => go,
            };
            let asked = self.merge(
                somebody,
                Likely::Either,
                |s| Ok(vec![s.asked(block, first)?]),
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

/// The parts of a loop, each with the number of its first instruction.
struct Rounds<'b> {
    plan: LoopPlan,
    label: LabelId,
    condition: Option<(&'b Block, usize)>,
    body: (&'b Block, usize),
    continuing: (&'b Block, usize),
}

/// What two ways have in common.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Common {
    Scalar,
    /// The base goes; the step is known.
    Affine(i64, Option<(i64, i64)>),
    Lanes,
}

impl Common {
    /// The component behind a value that was made so.
    pub(super) fn of(self, value: Value) -> Comp {
        match self {
            Common::Scalar | Common::Lanes => Comp::Plain(value),
            Common::Affine(step, exact) => Comp::Affine { base: value, step, exact },
        }
    }
}
