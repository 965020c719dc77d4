//! The loop over an iterator: its counter, and the stages that each item goes through.

use super::closure::FunctionValue;
use super::item_count::ItemCount;
use super::item_rule::{Counted, pair};
use super::join::Join;
use super::sequence::{ItemGuard, Sequence};
use super::sequence_stages::{AskedInVain, Stage};
use super::state::{Lower, NoValue, OrNoValue};
use super::value::{LoweredValue, RustPlace};
use super::{RustType, SequenceSource, local};
use tilewise_ir::kernel::{Const, Init, InstKind, LocalId, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// The body of a loop. It is built once.
type ItemBody<'a> = &'a mut dyn FnMut(&mut Lower, RustPlace, usize) -> OrNoValue<()>;

impl Lower {
    /// The loop over an iterator. The body gets the item, and the loop as the target of jumps.
    pub(super) fn each_item(
        &mut self,
        sequence: &Sequence,
        label: Option<u32>,
        pos: Pos,
        body: impl FnOnce(&mut Lower, RustPlace, usize) -> OrNoValue<()>,
    ) -> OrNoValue<()> {
        let mut body = Some(body);
        let mut once = |lower: &mut Lower, item: RustPlace, target: usize| match body.take() {
            Some(body) => body(lower, item, target),
            None => lower.broken("the body of a loop is built twice", pos),
        };
        self.each_item_of(sequence, label, pos, &mut once)
    }

    fn each_item_of(&mut self, sequence: &Sequence, label: Option<u32>, pos: Pos, body: ItemBody<'_>) -> OrNoValue<()> {
        let mut states = sequence.progress.as_ref().map(|progress| progress.states.clone()).unwrap_or_default();
        states.extend(self.counters_of(&sequence.stages[states.len()..], pos)?);
        let count = sequence.counted.count;
        match count {
            ItemCount::UpTo { any, .. }
                if sequence.progress.is_none() && self.known(any).is_none_or(|any| any.bits == 0) =>
            {
                self.when(any, pos, |lower| lower.loop_of(sequence, &states, label, pos, body))
            }
            ItemCount::UpTo { .. } | ItemCount::Below(_) | ItemCount::Endless(_) => {
                self.loop_of(sequence, &states, label, pos, body)
            }
        }
    }

    /// The counters of stages.
    pub(super) fn counters_of(&mut self, stages: &[Stage], pos: Pos) -> OrNoValue<Vec<Option<LocalId>>> {
        stages.iter().map(|stage| self.counter_of_stage(stage, pos)).collect()
    }

    /// The counter of a stage, if it has one.
    pub(super) fn counter_of_stage(&mut self, stage: &Stage, pos: Pos) -> OrNoValue<Option<LocalId>> {
        if !stage.has_state() {
            return Ok(None);
        }
        // Of as many items as a type has numbers, the wider type counts the last one, too.
        let scalar = match stage {
            Stage::Zip(Counted { count: ItemCount::UpTo { .. }, .. }) => Scalar::U64,
            Stage::Zip(other) => self.scalar_of_count(other.count),
            _ => Scalar::U32,
        };
        self.counter_of(scalar, "seen", pos).map(Some)
    }

    fn loop_of(
        &mut self,
        sequence: &Sequence,
        states: &[Option<LocalId>],
        label: Option<u32>,
        pos: Pos,
        body: ItemBody<'_>,
    ) -> OrNoValue<()> {
        let count = sequence.counted.count;
        let scalar = self.scalar_of_count(count);
        let counter = match &sequence.progress {
            Some(progress) => progress.counter,
            None => self.counter_of(scalar, "item", pos)?,
        };
        let target = self.open(label, Join::new(false));
        self.b.begin_block();
        let asked = self.has_next(sequence, counter, pos);
        let condition = self.b.end_block(asked.unwrap_or(None));
        let condition = asked?.map(|_| Box::new(condition));
        self.b.begin_block();
        self.arms += 1;
        let end = self.round_of(sequence, states, counter, target, body, pos);
        self.arms -= 1;
        let body = self.b.end_block(None);
        self.b.begin_block();
        let is_last = match count {
            ItemCount::UpTo { last, .. } if sequence.progress.is_none() => {
                let at = self.inst(InstKind::Load(local(counter)), pos);
                at.and_then(|at| self.op(Op::Eq, &[at, last], pos)).map(Some)
            }
            ItemCount::UpTo { .. } | ItemCount::Below(_) | ItemCount::Endless(_) => Ok(None),
        };
        let moved = match sequence.progress {
            None => self.count_one_of(counter, scalar, pos),
            Some(_) => Ok(()),
        };
        let continuing = self.b.end_block(is_last.unwrap_or(None));
        let target = self.close(target);
        is_last?;
        moved?;
        if end == Err(NoValue::Failed) {
            return end;
        }
        self.emit(InstKind::Loop { label: target.label, condition, body, continuing }, pos).map(|_| ())
    }

    /// The condition of the loop, if it has one: is there one more item?
    fn has_next(&mut self, sequence: &Sequence, counter: LocalId, pos: Pos) -> OrNoValue<Option<ValueId>> {
        let is_below = match sequence.counted.count {
            ItemCount::Below(count) => {
                let at = self.inst(InstKind::Load(local(counter)), pos)?;
                Some(self.op(Op::Lt, &[at, count], pos)?)
            }
            ItemCount::UpTo { .. } | ItemCount::Endless(_) => None,
        };
        let Some(over) = sequence.progress.as_ref().and_then(|progress| progress.over) else { return Ok(is_below) };
        let over = self.inst(InstKind::Load(local(over)), pos)?;
        let goes_on = self.op(Op::Not, &[over], pos)?;
        Ok(Some(match is_below {
            Some(is_below) => self.op(Op::And, &[is_below, goes_on], pos)?,
            None => goes_on,
        }))
    }

    /// An iterator with a name has given an item: the next one is the one behind it.
    pub(super) fn gone_on(&mut self, sequence: &Sequence, k: ValueId, pos: Pos) -> OrNoValue<()> {
        let Some(progress) = &sequence.progress else { return Ok(()) };
        self.count_one_of(progress.counter, self.scalar_of(k), pos)?;
        match (sequence.counted.count, progress.over) {
            (ItemCount::UpTo { last, .. }, Some(over)) => {
                let is_last = self.op(Op::Eq, &[k, last], pos)?;
                self.emit(InstKind::Store { place: local(over), value: is_last }, pos).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn round_of(
        &mut self,
        sequence: &Sequence,
        states: &[Option<LocalId>],
        counter: LocalId,
        target: usize,
        body: ItemBody<'_>,
        pos: Pos,
    ) -> OrNoValue<()> {
        for guard in &sequence.guards {
            self.guarded(guard, pos)?;
        }
        for (stage, state) in sequence.stages.iter().zip(states) {
            // As Rust's, they ask for no more items than they take.
            match (stage, state) {
                (Stage::Take(number), Some(state)) => {
                    self.guarded(&ItemGuard { seen: *state, number: *number, target }, pos)?;
                }
                (Stage::TakeWhile(_) | Stage::FlatOption(_), Some(over)) => {
                    let over = self.inst(InstKind::Load(local(*over)), pos)?;
                    let goes_on = self.op(Op::Not, &[over], pos)?;
                    self.break_unless(goes_on, target, pos)?;
                }
                _ => {}
            }
        }
        let k = self.inst(InstKind::Load(local(counter)), pos)?;
        self.gone_on(sequence, k, pos)?;
        let item = self.item(&sequence.counted, k, pos)?;
        let mut of_item = |lower: &mut Lower, item: RustPlace| body(lower, item, target);
        self.behind_stages(sequence, (states, 0), item, target, &mut of_item, pos)
    }

    /// `take`: are more items asked for?
    fn guarded(&mut self, guard: &ItemGuard, pos: Pos) -> OrNoValue<()> {
        let seen = self.inst(InstKind::Load(local(guard.seen)), pos)?;
        let goes_on = self.op(Op::Lt, &[seen, guard.number], pos)?;
        self.break_unless(goes_on, guard.target, pos)
    }

    /// The body of the loop with an item, behind the stages from one on.
    fn behind_stages(
        &mut self,
        sequence: &Sequence,
        (states, from): (&[Option<LocalId>], usize),
        mut item: RustPlace,
        target: usize,
        body: &mut dyn FnMut(&mut Lower, RustPlace) -> OrNoValue<()>,
        pos: Pos,
    ) -> OrNoValue<()> {
        for (i, (stage, state)) in sequence.stages.iter().zip(states).enumerate().skip(from) {
            if let Stage::Flat(function, source) = stage {
                let guard = |(stage, state): (&Stage, &Option<LocalId>)| match (stage, state) {
                    (Stage::Take(number), Some(seen)) => Some(ItemGuard { seen: *seen, number: *number, target }),
                    _ => None,
                };
                let own = sequence.stages.iter().zip(states).skip(i + 1).filter_map(guard);
                // What is behind the loop around this one stays there.
                let guards: Vec<_> = sequence.guards.iter().copied().chain(own).collect();
                let mut each = |lower: &mut Lower, inner: Sequence| {
                    let inner = Sequence { guards: guards.clone(), ..inner };
                    lower.each_item(&inner, None, pos, |lower, item, own| {
                        let before = lower.targets[target].goes_on.replace(own);
                        let end = lower.behind_stages(sequence, (states, i + 1), item, target, body, pos);
                        lower.targets[target].goes_on = before;
                        end
                    })
                };
                return match function {
                    Some(function) => self.each_given(function, *source, item, pos, &mut each),
                    None if *source == SequenceSource::Optional => {
                        let option = self.load(&item, pos)?;
                        let is_some = self.is_some(&option, pos)?;
                        self.continue_unless(is_some, target, pos)?;
                        let inner = RustPlace::value(self.part(&option, 1, pos)?);
                        self.behind_stages(sequence, (states, i + 1), inner, target, body, pos)
                    }
                    None => {
                        let inner = self.items_of(item, *source, pos)?;
                        each(self, inner)
                    }
                };
            }
            let in_vain = if stage.resumes() { sequence.asked_in_vain(states, i) } else { Vec::new() };
            item = self.through((stage, *state), &in_vain, item, target, pos)?;
        }
        body(self, item)
    }

    /// An item behind a stage.
    fn through(
        &mut self,
        (stage, state): (&Stage, Option<LocalId>),
        behind: &[CountedInVain<'_>],
        item: RustPlace,
        target: usize,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        let seen = match state {
            Some(state) => Some((state, self.inst(InstKind::Load(local(state)), pos)?)),
            None => None,
        };
        match (stage, seen) {
            (Stage::Map(function), _) => self.apply(function, vec![item], pos).map(RustPlace::value),
            (Stage::Copied, _) => self.load(&item, pos).map(RustPlace::value),
            (Stage::Inspect(function), _) => {
                self.apply(function, vec![shared(&item)], pos)?;
                Ok(item)
            }
            (Stage::Filter(function), _) => {
                let takes = self.asked(function, &item, pos)?;
                self.continue_unless(takes, target, pos)?;
                Ok(item)
            }
            (Stage::TakeWhile(function), _) => {
                let takes = self.asked(function, &item, pos)?;
                // One that a name has ends the iterator, one behind it only what is made of that.
                if let Some(over) = state {
                    let ends = self.op(Op::Not, &[takes], pos)?;
                    self.emit(InstKind::Store { place: local(over), value: ends }, pos)?;
                }
                self.break_unless(takes, target, pos)?;
                Ok(item)
            }
            (Stage::FilterMap(function) | Stage::FlatOption(function), _) => {
                let given = self.apply(function, vec![item], pos)?;
                let is_some = self.is_some(&given, pos)?;
                self.continue_unless(is_some, target, pos)?;
                self.part(&given, 1, pos).map(RustPlace::value)
            }
            (Stage::MapWhile(function), _) => {
                let given = self.apply(function, vec![item], pos)?;
                let is_some = self.is_some(&given, pos)?;
                self.asked_in_vain(is_some, behind, pos)?;
                self.break_unless(is_some, target, pos)?;
                self.part(&given, 1, pos).map(RustPlace::value)
            }
            (Stage::Scan(function, state), _) => {
                let given = self.apply(function, vec![state.clone(), item], pos)?;
                let is_some = self.is_some(&given, pos)?;
                self.asked_in_vain(is_some, behind, pos)?;
                self.break_unless(is_some, target, pos)?;
                self.part(&given, 1, pos).map(RustPlace::value)
            }
            (Stage::SkipWhile(function), Some((state, seen))) => {
                let zero = self.b.constant(Const::u32(0));
                let before = self.op(Op::Eq, &[seen, zero], pos)?;
                self.when(before, pos, |lower| {
                    let skips = lower.asked(function, &item, pos)?;
                    let takes = lower.op(Op::Not, &[skips], pos)?;
                    lower.continue_unless(takes, target, pos)?;
                    lower.count_one(state, pos)
                })?;
                Ok(item)
            }
            (Stage::Enumerate, Some((state, seen))) => {
                self.count_one(state, pos)?;
                let number = RustPlace::value(LoweredValue::one(RustType::Data(Data::U32), seen));
                Ok(pair([number, item]))
            }
            (Stage::Take(_), Some((state, _))) => {
                self.count_one(state, pos)?;
                Ok(item)
            }
            (Stage::Skip(number), Some((state, seen))) => {
                let is_behind = self.op(Op::Ge, &[seen, *number], pos)?;
                let skip = |lower: &mut Lower| {
                    lower.count_one(state, pos)?;
                    lower.go_on(target, pos)
                };
                self.unless(is_behind, pos, skip)?;
                Ok(item)
            }
            (Stage::StepBy(number), Some((state, seen))) => {
                let one = self.b.constant(Const::u32(1));
                let left = self.op(Op::Sub, &[*number, one], pos)?;
                let zero = self.b.constant(Const::u32(0));
                let is_there = self.op(Op::Eq, &[seen, zero], pos)?;
                let before = self.op(Op::Sub, &[seen, one], pos)?;
                let next = self.op(Op::Select, &[is_there, left, before], pos)?;
                self.emit(InstKind::Store { place: local(state), value: next }, pos)?;
                self.continue_unless(is_there, target, pos)?;
                Ok(item)
            }
            (Stage::Zip(other), Some((state, seen))) => {
                let is_there = self.has_item(other.count, seen, pos)?;
                self.break_unless(is_there, target, pos)?;
                self.count_one_of(state, self.scalar_of(seen), pos)?;
                let other = self.item(other, seen, pos)?;
                Ok(pair([item, other]))
            }
            _ => self.broken("a step of an iterator without its counter", pos),
        }
    }

    /// Unless there is an item: the stages of a name that stand behind have asked for one in vain.
    fn asked_in_vain(&mut self, is_some: ValueId, behind: &[CountedInVain<'_>], pos: Pos) -> OrNoValue<()> {
        if behind.is_empty() {
            return Ok(());
        }
        self.unless(is_some, pos, |lower| {
            for CountedInVain { stage, state, what } in behind {
                match (what, stage) {
                    (AskedInVain::SkipsNoMore, Stage::Skip(number)) => {
                        lower.emit(InstKind::Store { place: local(*state), value: *number }, pos)?;
                    }
                    (AskedInVain::StepsNext, Stage::StepBy(number)) => {
                        let one = lower.b.constant(Const::u32(1));
                        let left = lower.op(Op::Sub, &[*number, one], pos)?;
                        lower.emit(InstKind::Store { place: local(*state), value: left }, pos)?;
                    }
                    (AskedInVain::CountsOne, _) => lower.count_one(*state, pos)?,
                    (AskedInVain::Ends, _) => {
                        let ended = lower.b.constant(Const::bool(true));
                        lower.emit(InstKind::Store { place: local(*state), value: ended }, pos)?;
                    }
                    _ => return lower.broken("a stage that cannot be asked in vain", pos),
                }
            }
            Ok(())
        })
    }

    /// What a closure says of a reference to an item.
    pub(super) fn asked(&mut self, function: &FunctionValue, item: &RustPlace, pos: Pos) -> OrNoValue<ValueId> {
        let answer = self.apply(function, vec![shared(item)], pos)?;
        self.id(&answer, pos)
    }

    pub(super) fn go_on(&mut self, target: usize, pos: Pos) -> OrNoValue<()> {
        let mut goes_on = target;
        while let Some(inner) = self.targets[goes_on].goes_on {
            goes_on = inner;
        }
        let label = self.targets[goes_on].label;
        self.emit(InstKind::Continue { label }, pos)?;
        Err(NoValue::Left)
    }

    fn continue_unless(&mut self, condition: ValueId, target: usize, pos: Pos) -> OrNoValue<()> {
        self.unless(condition, pos, |lower| lower.go_on(target, pos))
    }

    /// `if condition { .. }`
    pub(super) fn when(
        &mut self,
        condition: ValueId,
        pos: Pos,
        then: impl FnOnce(&mut Lower) -> OrNoValue<()>,
    ) -> OrNoValue<()> {
        self.begin_arm();
        let end = then(self);
        self.end_when(condition, end, pos)
    }

    fn end_when(&mut self, condition: ValueId, end: OrNoValue<()>, pos: Pos) -> OrNoValue<()> {
        self.arms -= 1;
        let then = self.b.end_block(None);
        self.b.begin_block();
        let otherwise = self.b.end_block(None);
        match end {
            Err(NoValue::Failed) => end,
            _ => self.emit(InstKind::If { condition, then, otherwise }, pos).map(|_| ()),
        }
    }

    /// A new counter of 32 bits.
    pub(super) fn count_from_zero(&mut self, name: &str, pos: Pos) -> OrNoValue<LocalId> {
        self.counter_of(Scalar::U32, name, pos)
    }

    pub(super) fn counter_of(&mut self, scalar: Scalar, name: &str, pos: Pos) -> OrNoValue<LocalId> {
        let id = self.b.types().data(Data::scalar(scalar));
        let counter = self.b.local(name, id);
        let zero = self.b.constant(Const { scalar, bits: 0 });
        self.emit(InstKind::Declare { local: counter, init: Init::Value(zero) }, pos)?;
        Ok(counter)
    }

    pub(super) fn count_one(&mut self, counter: LocalId, pos: Pos) -> OrNoValue<()> {
        self.count_one_of(counter, Scalar::U32, pos)
    }

    fn count_one_of(&mut self, counter: LocalId, scalar: Scalar, pos: Pos) -> OrNoValue<()> {
        let at = self.inst(InstKind::Load(local(counter)), pos)?;
        let one = self.b.constant(Const { scalar, bits: 1 });
        let value = self.op(Op::Add, &[at, one], pos)?;
        self.emit(InstKind::Store { place: local(counter), value }, pos).map(|_| ())
    }
}

/// A stage of a name that has done something when there was no item.
struct CountedInVain<'s> {
    stage: &'s Stage,
    state: LocalId,
    what: AskedInVain,
}

impl Sequence {
    /// The stages of the name behind one that gives no item, with what they have done when they asked for one.
    fn asked_in_vain<'s>(&'s self, states: &[Option<LocalId>], stage: usize) -> Vec<CountedInVain<'s>> {
        let (ways, named) = (self.ways(), self.named_stages());
        let behind = self.stages.iter().zip(ways).zip(states).take(named).skip(stage + 1);
        let counted = behind.filter_map(|((stage, ways), state)| {
            let what = stage.in_vain(ways);
            let state = (*state).filter(|_| what != AskedInVain::Nothing)?;
            Some(CountedInVain { stage, state, what })
        });
        counted.collect()
    }
}

/// A shared reference to an item.
fn shared(item: &RustPlace) -> RustPlace {
    RustPlace { exclusive: false, ..item.clone() }
}
