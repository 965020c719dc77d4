//! What [`vectorize`](super::vectorize) knows while it walks a kernel: what each value is, what each variable holds, and which lanes are here.
//!
//! - **Parts** are what changes: the scalars that local variables are made of ([`super::locals`]), and behind them ones that the walk adds: which lanes
//!   left to where ([`OpenTarget`]), what they brought along. Where ways meet, parts meet.
//! - **Active** lanes are those that execute what is being written. Nothing means all of them. Whoever writes an access to memory sees to it that at least one is
//!   active when it runs, so what is the same in all lanes is then some active lane's.
//! - **Protected** parts are needed later by lanes that are not here: assigning one keeps what those lanes have. All others are overwritten
//!   in every lane.

use std::collections::{BTreeMap, BTreeSet};

use tilewise_ir::analysis::aligned::Alignments;
use tilewise_ir::analysis::facts::{InstFact, KernelFacts};
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::kernel::{Function, InstId, Kernel, LabelId, ValueDef, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::typing::Context;

use super::comp::Comp;
use super::live::Live;
use super::locals::Locals;
use super::view::FormedView;
use super::{CodeKey, Unformed};
use crate::hash::HashMap;
use crate::lanes::{Elem, LaneBuilder, LaneValue, MessageKind, Note};

/// The number of a part.
pub(super) type PartNumber = usize;

/// What a value of the kernel is.
#[derive(Clone, Debug)]
pub(super) enum KernelValue {
    /// Components.
    Data(Vec<Comp>),
    /// A view.
    View(Box<FormedView>),
}

/// A construct that is open and can be left.
#[derive(Clone, Debug)]
pub(super) struct OpenTarget {
    /// What `break` or `continue` names.
    pub(super) label: LabelId,
    /// Is it where a loop goes on?
    pub(super) continues: bool,
    /// The lanes that left to it: a `bool`.
    pub(super) arrived: PartNumber,
    /// What they brought along: the components of a scope's value.
    pub(super) result: Vec<PartNumber>,
    /// Of a scope with a barrier in it, the value that they bring along.
    pub(super) value: Option<ValueId>,
}

/// What is known of a loop after it was tried.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopPlan {
    /// Do lanes leave it one by one?
    pub(super) masked: bool,
    /// Parts that must be lanes.
    pub(super) lanes: BTreeSet<PartNumber>,
}

/// The walk.
pub(super) struct Vectorizer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) function: &'k Function,
    pub(super) context: Context<'k>,
    pub(super) facts: &'k KernelFacts,
    pub(super) alignments: Alignments,
    pub(super) key: &'k CodeKey,
    pub(super) locals: &'k Locals,
    pub(super) live: &'k Live,
    pub(super) shape: &'k super::tree::InstTree,
    pub(super) b: LaneBuilder,
    pub(super) values: Vec<Option<KernelValue>>,
    pub(super) parts: Vec<Option<Comp>>,
    /// Parts of variables come before this one.
    pub(super) added: PartNumber,
    pub(super) active: Option<LaneValue>,
    pub(super) protected: BTreeSet<PartNumber>,
    pub(super) targets: Vec<OpenTarget>,
    /// Arrivals that were written to since this was last emptied.
    pub(super) touched: BTreeSet<PartNumber>,
    /// The lanes whose thread has ended: a `bool`.
    pub(super) ended: PartNumber,
    /// Of those, the ones that `error` or `abort` ended.
    pub(super) inert: PartNumber,
    pub(super) plans: HashMap<InstId, LoopPlan>,
    pub(super) here: super::nest::CodePosition,
    pub(super) tile: super::tile::Tile,
    pub(super) copies: Vec<Vec<(u64, u64, tilewise_ir::types::Stored)>>,
    pub(super) messages: Vec<(Pos, MessageKind)>,
    /// What became of branches and loops.
    pub(super) notes: BTreeMap<InstId, (Pos, Note)>,
    /// The instruction being written.
    pub(super) at: InstId,
    /// Values that are components of the thread's position, in a flat domain.
    pub(super) positions: crate::hash::HashSet<ValueId>,
}

/// What it comes to if something cannot be formed.
pub(super) type Formed<T = ()> = Result<T, Unformed>;

/// A kernel that breaks a rule of the checker.
pub(super) fn malformed(what: &str) -> Unformed {
    Unformed(format!("the kernel is not well formed: {what}"))
}

impl<'k> Vectorizer<'k> {
    /// A part that the walk adds.
    pub(super) fn add_part(&mut self, elem: Elem) -> PartNumber {
        let zero = self.b.constant(elem, 0);
        self.parts.push(Some(Comp::Plain(zero)));
        self.parts.len() - 1
    }

    /// What a part that the walk added holds.
    pub(super) fn added(&mut self, part: PartNumber) -> LaneValue {
        match self.parts[part] {
            Some(comp) => comp.value(&mut self.b),
            None => self.b.truth(false),
        }
    }

    /// Asks whether the launch is to end.
    pub(super) fn poll(&mut self) {
        if !self.key.without.polls {
            self.b.poll();
        }
    }

    /// The components of a value.
    pub(super) fn comps(&mut self, value: ValueId) -> Formed<Vec<Comp>> {
        if let ValueDef::Const(constant) = self.function.value(value).def {
            let constant = self.b.constant(Elem::of(constant.scalar), constant.bits);
            return Ok(vec![Comp::Plain(constant)]);
        }
        match self.values.get(value.index()) {
            Some(Some(KernelValue::Data(comps))) if !comps.is_empty() => Ok(comps.clone()),
            // Behind an end of every way there, so no thread comes to ask.
            Some(Some(KernelValue::Data(_))) if let Some(data) = self.context.data(value) => {
                let zero = self.b.constant(Elem::of(data.scalar), 0);
                Ok(vec![Comp::Plain(zero); usize::from(data.width)])
            }
            _ => Err(malformed("a value is used that nothing computes")),
        }
    }

    /// The one component of a scalar value.
    pub(super) fn comp(&mut self, value: ValueId) -> Formed<Comp> {
        self.comps(value)?.first().copied().ok_or_else(|| malformed("a value has no component"))
    }

    /// A view.
    pub(super) fn view(&self, value: ValueId) -> Formed<FormedView> {
        match self.values.get(value.index()) {
            Some(Some(KernelValue::View(view))) => Ok((**view).clone()),
            _ => Err(malformed("a view is used that nothing makes")),
        }
    }

    /// Sets what a value is.
    pub(super) fn define(&mut self, value: Option<ValueId>, val: KernelValue) {
        if let Some(value) = value {
            if let (Some(parts), KernelValue::Data(comps)) = (self.tile.made.get(&value), &val) {
                for (&part, &comp) in parts.iter().zip(comps) {
                    self.parts[part] = Some(comp);
                }
            }
            self.values[value.index()] = Some(val);
        }
    }

    /// The range of a value in the threads that compute it.
    pub(super) fn range(&self, value: ValueId) -> Option<(i64, i64)> {
        small(self.facts.value(value).range?)
    }

    /// What is known at the instruction being written.
    pub(super) fn fact(&self) -> Option<&'k InstFact> {
        self.facts.inst(self.at)
    }

    /// Assigns a part.
    pub(super) fn set(&mut self, part: PartNumber, new: Comp) {
        let keep = part >= self.added || self.protected.contains(&part);
        let comp = match (self.active, self.parts[part]) {
            (Some(active), Some(old)) if keep && old != new => {
                let (new, old) = (new.lanes(&mut self.b), old.lanes(&mut self.b));
                Comp::Plain(self.b.select(active, new, old))
            }
            _ => new,
        };
        self.parts[part] = Some(comp);
    }

    /// The active lanes as a value: a mask, or the constant true.
    pub(super) fn active_value(&mut self) -> LaneValue {
        match self.active {
            Some(active) => active,
            None => self.b.truth(true),
        }
    }

    /// Those of the active lanes for which a condition holds.
    pub(super) fn active_and(&mut self, condition: LaneValue) -> Option<LaneValue> {
        match self.active {
            Some(active) => Some(self.b.and(active, condition)),
            None if self.b.constant_of(condition) == Some(1) => None,
            None => Some(condition),
        }
    }

    /// The active lanes leave to where this part tells who arrived.
    pub(super) fn leave(&mut self, arrived: PartNumber) {
        let active = self.active_value();
        let before = self.added(arrived);
        let all = self.b.or(before, active);
        self.parts[arrived] = Some(Comp::Plain(all));
        self.touched.insert(arrived);
    }

    /// Those who entered a construct, without those who left it for elsewhere.
    pub(super) fn without(&mut self, entered: Option<LaneValue>, left: &BTreeSet<PartNumber>) -> Option<LaneValue> {
        let mut active = entered;
        for &part in left {
            let gone = self.added(part);
            let stayed = self.b.not(gone);
            active = match active {
                Some(active) => Some(self.b.and(active, stayed)),
                None if self.b.constant_of(stayed) == Some(1) => None,
                None => Some(stayed),
            };
        }
        active
    }
}

/// A range, if 64 bits hold it.
pub(super) fn small(range: IntegerRange) -> Option<(i64, i64)> {
    Some((i64::try_from(range.lo).ok()?, i64::try_from(range.hi).ok()?))
}
