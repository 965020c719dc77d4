//! Iterators with a name that are asked for one item after the other: their variables, what is left of them, and the
//! orders of stages that cannot be asked so.

use std::rc::Rc;

use super::item_count::{CountOp, ItemCount};
use super::item_rule::{Counted, ItemRule};
use super::local;
use super::sequence::{Sequence, SequenceProgress, Stage};
use super::state::{Lower, OrNoValue};
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
        if sequence.stages.iter().any(|stage| matches!(stage, Stage::Flat(..))) {
            return self.formless(
                "an iterator with `flat_map` or `flatten` is asked for one item after the other",
                "in a kernel, it is a loop in a loop, which does not stop in between",
                "leave out `mut`, and use it up by `for`, `sum`, `fold` and their like",
                pos,
            );
        }
        self.can_be_asked_again(&sequence, pos)?;
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
                Stage::TakeWhile(_) => {
                    let goes_on = self.b.constant(Const::bool(false));
                    Some(self.flag(goes_on, pos)?)
                }
                _ => self.counter_of_stage(stage, pos)?,
            });
        }
        Ok(Sequence { progress: Some(Rc::new(SequenceProgress { counter, states, over })), is_lent: false, ..sequence })
    }

    /// A variable that says whether something is over.
    fn flag(&mut self, begins: ValueId, pos: Pos) -> OrNoValue<LocalId> {
        let id = self.b.types().data(Data::BOOL);
        let flag = self.b.local("over", id);
        self.emit(InstKind::Declare { local: flag, init: Init::Value(begins) }, pos)?;
        Ok(flag)
    }

    /// Refuses stages behind a closure that may give `None` and give an item afterwards, if what they have done by
    /// then depends on which methods of Rust's library ask which.
    fn can_be_asked_again(&mut self, sequence: &Sequence, pos: Pos) -> OrNoValue<()> {
        let mut stages = sequence.stages.iter();
        if !stages.any(|stage| matches!(stage, Stage::MapWhile(_) | Stage::Scan(..))) {
            return Ok(());
        }
        let counts = stages.clone().position(|stage| matches!(stage, Stage::Take(_) | Stage::Enumerate));
        let Some(counts) = counts else { return Ok(()) };
        let mut behind = stages.clone().skip(counts + 1);
        let is_take = matches!(stages.nth(counts), Some(Stage::Take(_)));
        let asks_otherwise = |stage: &Stage| match stage {
            Stage::Skip(_) | Stage::StepBy(_) => true,
            Stage::Filter(_) | Stage::FilterMap(_) | Stage::SkipWhile(_) => is_take,
            Stage::Map(_)
            | Stage::Copied
            | Stage::TakeWhile(_)
            | Stage::MapWhile(_)
            | Stage::Scan(..)
            | Stage::Inspect(_)
            | Stage::Enumerate
            | Stage::Take(_)
            | Stage::Zip(_)
            | Stage::Flat(..) => false,
        };
        if !behind.any(asks_otherwise) {
            return Ok(());
        }
        self.formless(
            "this iterator has a `mut` name, and counts with `take` or `enumerate` behind a closure that may give `None`",
            "what is counted when the closure gives `None` is an accident of Rust's library here",
            "write `skip`, `step_by` and `filter` before `take` and `enumerate`, or leave out `mut`",
            pos,
        )
    }

    /// The items that are left, by their numbers.
    pub(super) fn remaining(&mut self, sequence: Sequence, pos: Pos) -> OrNoValue<Sequence> {
        let Some(progress) = &sequence.progress else { return Ok(sequence) };
        if sequence.is_lent {
            return self.formless(
                "how many items are taken of an iterator that `by_ref` lends is not known before",
                "`zip`, `chain`, `rev`, `cycle` and their like get the items by their numbers in a kernel",
                "hand on the iterator itself, without `by_ref`; or write a loop that asks it by `next`",
                pos,
            );
        }
        if !sequence.stages.is_empty() || progress.over.is_some() {
            return self.formless(
                "this iterator has a `mut` name, and may have been asked for items",
                "how many are left is known only when they are there",
                "leave out `mut` where `next` is not called; or write a loop",
                pos,
            );
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

impl Sequence {
    /// Does `step_by` stand behind what ends at a `None`, and may go on?
    pub(super) fn steps_behind_none(&self) -> bool {
        let mut stages = self.stages.iter();
        stages.any(|stage| matches!(stage, Stage::MapWhile(_) | Stage::Scan(..)))
            && stages.any(|stage| matches!(stage, Stage::StepBy(_)))
    }

    /// Has it a name, and a stage that counts behind what may give a `None` and go on?
    pub(super) fn counts_behind_none(&self) -> bool {
        let named = self.progress.as_ref().map_or(0, |progress| progress.states.len());
        let mut stages = self.stages.iter().take(named);
        stages.any(|stage| matches!(stage, Stage::MapWhile(_) | Stage::Scan(..)))
            && stages.any(|stage| matches!(stage, Stage::Take(_) | Stage::Enumerate))
    }
}
