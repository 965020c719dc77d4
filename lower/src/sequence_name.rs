//! Iterators with a name that are asked for one item after the other: their variables, what is left of them, and the
//! orders of stages that cannot be asked so.

use std::rc::Rc;

use super::item_count::{CountOp, ItemCount};
use super::item_rule::{Counted, ItemRule};
use super::local;
use super::sequence::{Sequence, SequenceProgress};
use super::sequence_stages::{RefusedOrder, Stage};
use super::state::{Lower, OrNoValue};
use super::value::RustPlace;
use tilewise_ir::kernel::{Const, Init, InstKind, LocalId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Data;

impl Lower {
    /// The variables of an iterator that is asked for one item after the other.
    pub(super) fn begun(&mut self, sequence: Sequence, pos: Pos) -> OrNoValue<Sequence> {
        let before = sequence.progress.clone();
        let known = before.as_ref().map_or(0, |progress| progress.states.len());
        if before.is_some() && known == sequence.stages.len() {
            return Ok(sequence);
        }
        if let Some(flat) = sequence.stages.iter().find(|stage| matches!(stage, Stage::Flat(..))) {
            let order = RefusedOrder {
                what: "a `mut` name",
                place: &format!("behind `{}`", flat.name()),
                why: "in a kernel, it is a loop in a loop, which does not stop in between",
                instead: "leave out `mut`, and use it up by `for`, `sum`, `fold` and their like",
            };
            return self.refuse_order(&order, pos);
        }
        // A name of what has a name goes on in the variables of that one, with its own for the stages in between.
        let (counter, over) = match &before {
            Some(progress) => (progress.counter, progress.over),
            None => {
                let count = sequence.counted.count;
                let counter = self.counter_of(self.scalar_of_count(count), "next", pos)?;
                let over = match count {
                    ItemCount::UpTo { any, .. } => {
                        let ended = self.op(Op::Not, &[any], pos)?;
                        Some(self.flag(ended, pos)?)
                    }
                    ItemCount::Below(_) | ItemCount::Endless(_) => None,
                };
                (counter, over)
            }
        };
        let mut states = before.map(|progress| progress.states.clone()).unwrap_or_default();
        for stage in &sequence.stages[known..] {
            states.push(match stage {
                Stage::TakeWhile(_) | Stage::FlatOption(_) => {
                    let goes_on = self.b.constant(Const::bool(false));
                    Some(self.flag(goes_on, pos)?)
                }
                _ => self.counter_of_stage(stage, pos)?,
            });
        }
        Ok(Sequence { progress: Some(Rc::new(SequenceProgress { counter, states, over })), ..sequence })
    }

    /// A copy of an iterator, which goes on by itself from where the first one is.
    pub(super) fn copied_iterator(&mut self, sequence: &Sequence, pos: Pos) -> OrNoValue<Sequence> {
        let progress = match &sequence.progress {
            Some(progress) => {
                let counter = self.copied_counter(progress.counter, pos)?;
                let over = progress.over.map(|over| self.copied_counter(over, pos)).transpose()?;
                let mut states = Vec::new();
                for state in &progress.states {
                    states.push(state.map(|state| self.copied_counter(state, pos)).transpose()?);
                }
                Some(Rc::new(SequenceProgress { counter, states, over }))
            }
            None => None,
        };
        let mut stages = Vec::new();
        for stage in &sequence.stages {
            let copy = match stage.function() {
                Some(function) => stage.with_function(self.copied_closure(function, pos)?),
                None => stage.clone(),
            };
            stages.push(match copy {
                Stage::Scan(function, state) => {
                    let value = self.load(&state, pos)?;
                    let copy = self.variable("state", &state.ty, Some(&value), pos)?;
                    Stage::Scan(function, RustPlace { exclusive: true, ..copy })
                }
                copy => copy,
            });
        }
        Ok(Sequence { stages, progress, ..sequence.clone() })
    }

    /// A variable with the value of another one.
    fn copied_counter(&mut self, counter: LocalId, pos: Pos) -> OrNoValue<LocalId> {
        let value = self.inst(InstKind::Load(local(counter)), pos)?;
        let data = self.b.value_type(value).data().unwrap_or(Data::U32);
        let id = self.b.types().data(data);
        let copy = self.b.local("copy", id);
        self.emit(InstKind::Declare { local: copy, init: Init::Value(value) }, pos)?;
        Ok(copy)
    }

    /// A variable that says whether something is over.
    fn flag(&mut self, begins: ValueId, pos: Pos) -> OrNoValue<LocalId> {
        let id = self.b.types().data(Data::BOOL);
        let flag = self.b.local("over", id);
        self.emit(InstKind::Declare { local: flag, init: Init::Value(begins) }, pos)?;
        Ok(flag)
    }

    /// The items that are left, by their numbers, for a method.
    pub(super) fn remaining(&mut self, sequence: Sequence, what: &str, pos: Pos) -> OrNoValue<Sequence> {
        let Some(progress) = &sequence.progress else { return Ok(sequence) };
        if sequence.is_lent() {
            let order = RefusedOrder {
                what,
                place: "behind `by_ref`",
                why: "how many items it takes of what is lent is known only when they are there",
                instead: "hand on the iterator itself, without `by_ref`; or write a loop that asks it by `next`",
            };
            return self.refuse_order(&order, pos);
        }
        if !sequence.stages.is_empty() || progress.over.is_some() {
            let order = RefusedOrder {
                what,
                place: &match sequence.stages.last() {
                    Some(stage) => format!("behind `{}` with a `mut` name", stage.name()),
                    None => "behind a `mut` range that may have all numbers of its type".to_owned(),
                },
                why: "how many items are left is known only when they are there",
                instead: "leave out `mut` where `next` is not called; or write a loop",
            };
            return self.refuse_order(&order, pos);
        }
        let counted = sequence.counted;
        let number = self.inst(InstKind::Load(local(progress.counter)), pos)?;
        let count = self.count_without(counted.count, number, pos)?;
        Ok(Sequence::of(Counted { count, rule: Rc::new(ItemRule::From(counted, number)) }))
    }

    /// The number of items that are left, behind stages each of which has a length.
    pub(super) fn count_behind(&mut self, sequence: &Sequence, pos: Pos) -> OrNoValue<ItemCount> {
        let progress = sequence.progress.clone();
        let mut count = match &progress {
            Some(progress) if progress.over.is_some() => {
                // A range that may have all numbers of its type has no `len`.
                return self.broken("the length of what has none", pos);
            }
            Some(progress) => {
                let number = self.inst(InstKind::Load(local(progress.counter)), pos)?;
                self.count_without(sequence.counted.count, number, pos)?
            }
            None => sequence.counted.count,
        };
        for (i, stage) in sequence.stages.iter().enumerate() {
            // The stage's counter, if it has begun.
            let seen = match progress.as_ref().and_then(|progress| *progress.states.get(i)?) {
                Some(state) => Some(self.inst(InstKind::Load(local(state)), pos)?),
                None => None,
            };
            let without_seen = |lower: &mut Lower, count| match seen {
                Some(seen) => lower.count_without(count, seen, pos),
                None => Ok(count),
            };
            count = match stage {
                Stage::Skip(number) => {
                    let left = match seen {
                        Some(seen) => self.counted_op(CountOp::SubSat, *number, seen, pos)?,
                        None => *number,
                    };
                    self.count_without(count, left, pos)?
                }
                Stage::Take(number) => {
                    let left = without_seen(self, ItemCount::Below(*number))?;
                    self.shorter_count(count, left, pos)?
                }
                // Its counter is the number of items that it leaves out next.
                Stage::StepBy(number) => {
                    let left = without_seen(self, count)?;
                    self.count_of_multiples(left, *number, pos)?
                }
                Stage::Zip(other) => {
                    let left = without_seen(self, other.count)?;
                    self.shorter_count(count, left, pos)?
                }
                Stage::Map(_) | Stage::Copied | Stage::Inspect(_) | Stage::Enumerate => count,
                Stage::Filter(_)
                | Stage::FilterMap(_)
                | Stage::FlatOption(_)
                | Stage::TakeWhile(_)
                | Stage::SkipWhile(_)
                | Stage::MapWhile(_)
                | Stage::Flat(..)
                | Stage::Scan(..) => return self.broken("the length of what has none", pos),
            };
        }
        Ok(count)
    }
}
