//! The methods of iterators that end in a value: `sum`, `fold`, `max`, `any` and their like.

use tilewise_ast::{Binary, Expr};

use super::item_count::ItemCount;
use super::item_rule::{Counted, ItemRule};
use super::sequence::Sequence;
use super::sequence_stages::{AskedWays, RefusedOrder, Stage};
use super::state::{Lower, OrNoValue};
use super::value::{LoweredValue, RustPlace};
use super::{RustType, SequenceCall, SequenceMethod, local};
use tilewise_ir::kernel::{Const, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

impl Lower {
    /// A method of an iterator that is used as a value.
    pub(super) fn sequence_method(&mut self, call: &SequenceCall, args: &[Expr], pos: Pos) -> OrNoValue<LoweredValue> {
        if let Some(Err(why)) = call.result.as_ref().map(super::types::sound) {
            return self.unsound(why, pos);
        }
        let Some((receiver, rest)) = args.split_first() else { return self.broken("a method of nothing", pos) };
        let at = self.pos(receiver.at);
        let sequence = self.sequence(receiver, call.receiver, at)?;
        let sequence = Sequence { asked: AskedWays::of_method(call.method), ..sequence };
        self.is_called_for_skipped_items(call.method, &sequence, at)?;
        self.can_be_asked(&sequence, call.method.name(), at)?;
        let sequence = match call.method {
            // These use it up, and need not ask for each item of a counted one.
            SequenceMethod::Count | SequenceMethod::Last | SequenceMethod::Min | SequenceMethod::Max => {
                self.used_up(sequence, at)?
            }
            SequenceMethod::RFind | SequenceMethod::RPosition if sequence.progress.is_some() => {
                let order = RefusedOrder {
                    what: &format!("`{}`", call.method.name()),
                    place: "behind a `mut` name",
                    why: "in a kernel, such a name knows only how many of the first items are taken",
                    instead: "write `a.iter().rfind(..)`, with the iterator made in its place; or `let mut it = a.iter().rev();` and `it.find(..)`",
                };
                return self.refuse_order(&order, pos);
            }
            _ => sequence,
        };
        let result = call.result.as_ref();
        let function = |lower: &mut Lower, i: usize| match rest.get(i) {
            Some(expr) => lower.function_value(expr).map(|bound| bound.function),
            None => lower.broken("a method with fewer arguments", pos),
        };
        match (call.method, result, rest) {
            (SequenceMethod::Len, ..) => {
                // It asks for no item.
                let count = self.count_behind(&sequence, pos)?;
                match self.length(count, pos)? {
                    Some(length) => Ok(LoweredValue::one(RustType::Data(Data::U32), length)),
                    None => self.broken("the length of what has no end", pos),
                }
            }
            (SequenceMethod::Count, ..) => {
                if sequence.is_counted()
                    && let Some(length) = self.length(sequence.counted.count, pos)?
                {
                    return Ok(LoweredValue::one(RustType::Data(Data::U32), length));
                }
                let count = self.count_from_zero("count", pos)?;
                self.each_item(&sequence, None, pos, |lower, _, _| lower.count_one(count, pos))?;
                let count = self.inst(InstKind::Load(local(count)), pos)?;
                Ok(LoweredValue::one(RustType::Data(Data::U32), count))
            }
            (SequenceMethod::ForEach, ..) => {
                let f = function(self, 0)?;
                self.each_item(&sequence, None, pos, |lower, item, _| lower.apply(&f, vec![item], pos).map(|_| ()))?;
                Ok(LoweredValue::UNIT)
            }
            (SequenceMethod::Sum, Some(ty), _) => self.gathered(&sequence, Binary::Add, ty, pos),
            (SequenceMethod::Product, Some(ty), _) => self.gathered(&sequence, Binary::Mul, ty, pos),
            (method @ (SequenceMethod::Fold | SequenceMethod::RFold), _, [init, _]) => {
                let init = self.moved(init)?;
                let f = function(self, 1)?;
                let is_reversed = method == SequenceMethod::RFold;
                let sequence = if is_reversed { self.reversed(sequence, pos)? } else { sequence };
                let gathered = self.variable("folded", &init.ty.clone(), Some(&init), pos)?;
                self.each_item(&sequence, None, pos, |lower, item, _| {
                    let before = RustPlace::value(lower.load(&gathered, pos)?);
                    let after = lower.apply(&f, vec![before, item], pos)?;
                    lower.store(&gathered, &after, pos)
                })?;
                self.load(&gathered, pos)
            }
            (SequenceMethod::TryFold, Some(ty), [init, _]) => {
                let init = self.moved(init)?;
                let f = function(self, 1)?;
                let first = self.succeeded(ty, init, pos)?;
                let gathered = self.variable("folded", ty, Some(&first), pos)?;
                self.each_item(&sequence, None, pos, |lower, item, target| {
                    let before = lower.load(&gathered, pos)?;
                    let before = RustPlace::value(lower.part(&before, 1, pos)?);
                    let after = lower.apply(&f, vec![before, item], pos)?;
                    lower.store(&gathered, &after, pos)?;
                    let goes_on = lower.has_succeeded(&after, pos)?;
                    lower.break_unless(goes_on, target, pos)
                })?;
                self.load(&gathered, pos)
            }
            (SequenceMethod::RFind, Some(ty), _) => {
                let f = function(self, 0)?;
                let sequence = self.reversed(sequence, pos)?;
                self.found(&sequence, ty, pos, |lower, item| {
                    let said = lower.asked(&f, &item, pos)?;
                    Ok((said, lower.load(&item, pos)?))
                })
            }
            (SequenceMethod::RPosition, Some(ty), _) => {
                let f = function(self, 0)?;
                let count = self.count_behind(&sequence, pos)?;
                let Some(length) = self.length(count, pos)? else {
                    return self.broken("the length of what has no end", pos);
                };
                let sequence = self.reversed(sequence, pos)?;
                let u32 = RustType::Data(Data::U32);
                let left = self.variable("position", &u32, Some(&LoweredValue::one(u32.clone(), length)), pos)?;
                self.found(&sequence, ty, pos, |lower, item| {
                    let (before, one) = (lower.load(&left, pos)?, lower.b.constant(Const::u32(1)));
                    let before = lower.id(&before, pos)?;
                    let number = LoweredValue::one(u32.clone(), lower.op(Op::Sub, &[before, one], pos)?);
                    lower.store(&left, &number, pos)?;
                    let said = lower.apply(&f, vec![item], pos)?;
                    Ok((lower.id(&said, pos)?, number))
                })
            }
            (SequenceMethod::IsSorted, Some(ty), _) => {
                let truth = RustType::Data(Data::BOOL);
                let [yes, no] = [true, false].map(|is| LoweredValue::one(truth.clone(), self.b.constant(Const::bool(is))));
                let answer = self.variable("answer", &truth, Some(&yes), pos)?;
                let option = self.nothing_yet(ty, pos)?;
                self.each_item(&sequence, None, pos, |lower, item, target| {
                    let item = lower.load(&item, pos)?;
                    let before = lower.load(&option, pos)?;
                    let is_some = lower.is_some(&before, pos)?;
                    let before = lower.part(&before, 1, pos)?;
                    // Of floats, a NaN is in no order.
                    let in_order = lower.own(Binary::Le, &before, &item, pos)?;
                    let in_order = lower.id(&in_order, pos)?;
                    let out_of_order = lower.op(Op::Not, &[in_order], pos)?;
                    let fails = lower.op(Op::And, &[is_some, out_of_order], pos)?;
                    lower.when(fails, pos, |lower| {
                        lower.store(&answer, &no, pos)?;
                        lower.leave(target, &LoweredValue::UNIT, pos).map(|_| ())
                    })?;
                    lower.store_some(&option, &item, pos)
                })?;
                self.load(&answer, pos)
            }
            (SequenceMethod::Any | SequenceMethod::All, ..) => {
                let f = function(self, 0)?;
                let wanted = call.method == SequenceMethod::Any;
                let ty = RustType::Data(Data::BOOL);
                let [yes, no] = [wanted, !wanted].map(|truth| self.b.constant(Const::bool(truth)));
                let answer = self.variable("answer", &ty, Some(&LoweredValue::one(ty.clone(), no)), pos)?;
                self.each_item(&sequence, None, pos, |lower, item, target| {
                    let said = lower.apply(&f, vec![item], pos)?;
                    let said = lower.id(&said, pos)?;
                    let said = if wanted { said } else { lower.op(Op::Not, &[said], pos)? };
                    lower.when(said, pos, |lower| {
                        lower.store(&answer, &LoweredValue::one(ty.clone(), yes), pos)?;
                        lower.leave(target, &LoweredValue::UNIT, pos).map(|_| ())
                    })
                })?;
                self.load(&answer, pos)
            }
            (SequenceMethod::Position, Some(ty), _) => {
                let f = function(self, 0)?;
                let count = self.count_from_zero("position", pos)?;
                self.found(&sequence, ty, pos, |lower, item| {
                    let number = lower.inst(InstKind::Load(local(count)), pos)?;
                    lower.count_one(count, pos)?;
                    let said = lower.apply(&f, vec![item], pos)?;
                    let said = lower.id(&said, pos)?;
                    Ok((said, LoweredValue::one(RustType::Data(Data::U32), number)))
                })
            }
            (SequenceMethod::Find, Some(ty), _) => {
                let f = function(self, 0)?;
                self.found(&sequence, ty, pos, |lower, item| {
                    let said = lower.asked(&f, &item, pos)?;
                    Ok((said, lower.load(&item, pos)?))
                })
            }
            (SequenceMethod::FindMap, Some(ty), _) => {
                let f = function(self, 0)?;
                self.found(&sequence, ty, pos, |lower, item| {
                    let given = lower.apply(&f, vec![item], pos)?;
                    Ok((lower.is_some(&given, pos)?, lower.part(&given, 1, pos)?))
                })
            }
            (SequenceMethod::Next, Some(ty), _) => match &sequence.progress {
                Some(_) => {
                    let yes = self.b.constant(Const::bool(true));
                    self.found(&sequence, ty, pos, |lower, item| Ok((yes, lower.load(&item, pos)?)))
                }
                None => self.formless(
                    "`next` is asked of an iterator without a name",
                    "in a kernel, it is asked of a name that goes on from item to item",
                    "give it a name, `let mut it = a.iter().copied();`, and write `it.next()`; the first item is `.nth(0)`",
                    pos,
                ),
            },
            (SequenceMethod::Peek, Some(ty), _) => {
                let (is_there, number) = self.next_number(&sequence, "peek", pos)?;
                self.item_if(is_there, &sequence.counted, number, ty, pos)
            }
            (SequenceMethod::NextIf, Some(ty), _) => {
                let f = function(self, 0)?;
                self.next_if(&sequence, ty, pos, |lower, item| lower.asked(&f, item, pos))
            }
            (SequenceMethod::NextIfEq, Some(ty), [wanted]) => {
                let wanted = self.value(wanted)?;
                self.next_if(&sequence, ty, pos, |lower, item| {
                    let item = lower.load(item, pos)?;
                    let equal = lower.own(Binary::Eq, &item, &wanted, pos)?;
                    lower.id(&equal, pos)
                })
            }
            (SequenceMethod::IsEmpty, ..) => {
                let (is_there, _) = self.next_number(&sequence, "is_empty", pos)?;
                Ok(LoweredValue::one(RustType::Data(Data::BOOL), self.op(Op::Not, &[is_there], pos)?))
            }
            (SequenceMethod::Contains, _, [wanted]) => {
                let wanted = self.value(wanted)?;
                let (is_there, number) = self.next_number(&sequence, "contains", pos)?;
                let ItemRule::Number { ty, last, down: false, .. } = &*sequence.counted.rule else {
                    return self.broken("`contains` of what is no range", pos);
                };
                let (first, last) = (self.item(&sequence.counted, number, pos)?, LoweredValue::one(ty.clone(), *last));
                let first = self.load(&first, pos)?;
                let from = self.own(Binary::Le, &first, &wanted, pos)?;
                let to = self.own(Binary::Le, &wanted, &last, pos)?;
                let (from, to) = (self.id(&from, pos)?, self.id(&to, pos)?);
                let is_in = self.op(Op::And, &[from, to], pos)?;
                Ok(LoweredValue::one(RustType::Data(Data::BOOL), self.op(Op::And, &[is_there, is_in], pos)?))
            }
            (SequenceMethod::Nth, Some(ty), [number]) => {
                let number = self.value(number)?;
                let number = self.id(&number, pos)?;
                if sequence.is_counted() {
                    let is_there = self.has_item(sequence.counted.count, number, pos)?;
                    return self.item_if(is_there, &sequence.counted, number, ty, pos);
                }
                let count = self.count_from_zero("position", pos)?;
                self.found(&sequence, ty, pos, |lower, item| {
                    let at = lower.inst(InstKind::Load(local(count)), pos)?;
                    lower.count_one(count, pos)?;
                    Ok((lower.op(Op::Eq, &[at, number], pos)?, lower.load(&item, pos)?))
                })
            }
            (SequenceMethod::Last, Some(ty), _) => {
                if sequence.is_counted()
                    && let Some((any, last)) = self.last_number(sequence.counted.count, pos)?
                {
                    return self.item_if(any, &sequence.counted, last, ty, pos);
                }
                self.chosen_of(&sequence, ty, pos, |lower, _, _| Ok(lower.b.constant(Const::bool(true))))
            }
            (SequenceMethod::Reduce, Some(ty), _) => {
                let f = function(self, 0)?;
                self.reduced(&sequence, ty, pos, |lower, before, item| {
                    lower.apply(&f, vec![RustPlace::value(before), RustPlace::value(item)], pos)
                })
            }
            (SequenceMethod::Min | SequenceMethod::Max, Some(ty), _)
                if sequence.is_counted() && sequence.counted.increases().is_some() =>
            {
                let Some((any, last)) = self.last_number(sequence.counted.count, pos)? else {
                    return self.broken("numbers that increase without an end", pos);
                };
                let first = self.b.constant(Const::u32(0));
                let is_at_the_end = sequence.counted.increases() == Some(call.method == SequenceMethod::Max);
                self.item_if(any, &sequence.counted, if is_at_the_end { last } else { first }, ty, pos)
            }
            (SequenceMethod::Min, Some(ty), _) => self.chosen_of(&sequence, ty, pos, |lower, before, item| {
                let less = lower.own(Binary::Lt, item, before, pos)?;
                lower.id(&less, pos)
            }),
            (SequenceMethod::Max, Some(ty), _) => self.chosen_of(&sequence, ty, pos, |lower, before, item| {
                let more = lower.own(Binary::Ge, item, before, pos)?;
                lower.id(&more, pos)
            }),
            (SequenceMethod::MinBy | SequenceMethod::MaxBy, Some(ty), _) => {
                let f = function(self, 0)?;
                // The closure's order is that of the earlier one against this one.
                let op = if call.method == SequenceMethod::MinBy { Op::Gt } else { Op::Le };
                self.chosen_of(&sequence, ty, pos, |lower, before, item| {
                    let both = [before, item].map(|value| RustPlace::value(value.clone()));
                    let order = lower.apply(&f, both.into(), pos)?;
                    let order = lower.id(&order, pos)?;
                    let zero = lower.b.constant(Const::i32(0));
                    lower.op(op, &[order, zero], pos)
                })
            }
            (SequenceMethod::MinByKey | SequenceMethod::MaxByKey, Some(ty), _) => {
                let f = function(self, 0)?;
                let op = if call.method == SequenceMethod::MinByKey { Binary::Lt } else { Binary::Ge };
                let Some(key_ty) = &call.key else { return self.broken("a key without its type", pos) };
                if let Err(why) = super::types::sound(key_ty) {
                    return self.unsound(why, pos);
                }
                let option = self.nothing_yet(ty, pos)?;
                let zero = self.zero(key_ty, pos)?;
                let best = self.variable("key", key_ty, Some(&zero), pos)?;
                self.each_item(&sequence, None, pos, |lower, item, _| {
                    // As in Rust, each item is asked for its key once, when it comes.
                    let item = lower.load(&item, pos)?;
                    let key = lower.apply(&f, vec![RustPlace::value(item.clone())], pos)?;
                    let before = lower.load(&best, pos)?;
                    let preferred = lower.own(op, &key, &before, pos)?;
                    let preferred = lower.id(&preferred, pos)?;
                    let found = lower.load(&option, pos)?;
                    let is_some = lower.is_some(&found, pos)?;
                    let is_first = lower.op(Op::Not, &[is_some], pos)?;
                    let chosen = lower.op(Op::Or, &[is_first, preferred], pos)?;
                    lower.when(chosen, pos, |lower| {
                        lower.store(&best, &key, pos)?;
                        lower.store_some(&option, &item, pos)
                    })
                })?;
                self.load(&option, pos)
            }
            // A method that makes an iterator.
            _ => self.kept_iterator(pos),
        }
    }

    /// An iterator that is used up: of a name without stages, the items that are left by their numbers.
    fn used_up(&mut self, sequence: Sequence, pos: Pos) -> OrNoValue<Sequence> {
        let Some(progress) = sequence.progress.clone() else { return Ok(sequence) };
        let ItemCount::Below(count) = sequence.counted.count else { return Ok(sequence) };
        if !sequence.stages.is_empty() || progress.over.is_some() {
            return Ok(sequence);
        }
        let left = self.remaining(Sequence { lent_at: Vec::new(), ..sequence }, "`count`", pos)?;
        self.emit(InstKind::Store { place: local(progress.counter), value: count }, pos)?;
        Ok(left)
    }

    /// Refuses what goes over all items of `take` behind `skip` behind a closure with an effect. The standard
    /// library goes over such items by their numbers, and calls no closure for those that it skips; a loop does.
    fn is_called_for_skipped_items(&mut self, method: SequenceMethod, sequence: &Sequence, pos: Pos) -> OrNoValue<()> {
        let asks_for_all = matches!(
            method,
            SequenceMethod::ForEach
                | SequenceMethod::Count
                | SequenceMethod::Sum
                | SequenceMethod::Product
                | SequenceMethod::Fold
                | SequenceMethod::Reduce
                | SequenceMethod::Min
                | SequenceMethod::Max
                | SequenceMethod::MinByKey
                | SequenceMethod::MaxByKey
                | SequenceMethod::MinBy
                | SequenceMethod::MaxBy
                | SequenceMethod::Last
        );
        let acting = self.acting_stages(sequence);
        let numbered = &sequence.stages[..sequence.numbered_stages()];
        let first = acting.iter().take(numbered.len()).position(|acts| *acts);
        let mut stages = numbered.iter().skip(first.unwrap_or(numbered.len()));
        let is_such =
            stages.any(|stage| matches!(stage, Stage::Skip(_))) && stages.any(|stage| matches!(stage, Stage::Take(_)));
        // What `by_ref` lends has no numbers.
        if !asks_for_all || !is_such || sequence.is_lent() {
            return Ok(());
        }
        let order = RefusedOrder {
            what: &format!("`{}` behind `take` behind `skip`", method.name()),
            place: &format!(
                "behind `{}`",
                first.and_then(|first| numbered.get(first)).map_or("map", |stage| stage.name())
            ),
            why: "its closure has effects, and Rust does not say whether it is called for the items that are skipped",
            instead: "write `skip` and `take` before the closure; or a `for` loop, which calls it for all",
        };
        self.refuse_order(&order, pos)
    }

    /// The sum or the product of numbers, in order.
    fn gathered(&mut self, sequence: &Sequence, op: Binary, ty: &RustType, pos: Pos) -> OrNoValue<LoweredValue> {
        let Some(Data { scalar, width: 1 }) = ty.data() else {
            return self.broken(format!("a sum of `{}`", ty.show()), pos);
        };
        // As Rust begins: the sum of no floats is -0.0.
        let bits = match (op, scalar) {
            (Binary::Add, Scalar::F32) => (-0.0_f32).to_bits().into(),
            (Binary::Add, Scalar::F64) => (-0.0_f64).to_bits(),
            (Binary::Add, _) => 0,
            (_, Scalar::F32) => 1.0_f32.to_bits().into(),
            (_, Scalar::F64) => 1.0_f64.to_bits(),
            _ => 1,
        };
        let first = LoweredValue::one(ty.clone(), self.b.constant(Const { scalar, bits }));
        let gathered = self.variable("gathered", ty, Some(&first), pos)?;
        self.each_item(sequence, None, pos, |lower, item, _| {
            let (before, item) = (lower.load(&gathered, pos)?, lower.load(&item, pos)?);
            let after = lower.own(op, &before, &item, pos)?;
            lower.store(&gathered, &after, pos)
        })?;
        self.load(&gathered, pos)
    }

    /// An `Option` that begins as `None`: its variable.
    fn nothing_yet(&mut self, ty: &RustType, pos: Pos) -> OrNoValue<RustPlace> {
        let none = self.zero(ty, pos)?;
        self.variable("found", ty, Some(&none), pos)
    }

    fn store_some(&mut self, option: &RustPlace, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        let number = self.variant_constant(1);
        let (variant, inner) = (self.sub(option, 0, pos)?, self.sub(option, 1, pos)?);
        self.store(&variant, &number, pos)?;
        self.store(&inner, value, pos)
    }

    /// Is there a next item of a `peekable` iterator, and its number.
    fn next_number(&mut self, sequence: &Sequence, method: &str, pos: Pos) -> OrNoValue<(ValueId, ValueId)> {
        let Some(progress) = sequence.progress.clone() else {
            return self.formless(
                format!("`{method}` is asked of an iterator without a name"),
                "in a kernel, it is asked of a name that goes on from item to item",
                "give it a name: `let mut it = a.iter().copied().peekable();`",
                pos,
            );
        };
        let number = self.inst(InstKind::Load(local(progress.counter)), pos)?;
        let mut is_there = self.has_item(sequence.counted.count, number, pos)?;
        if let Some(over) = progress.over {
            let over = self.inst(InstKind::Load(local(over)), pos)?;
            let goes_on = self.op(Op::Not, &[over], pos)?;
            is_there = self.op(Op::And, &[is_there, goes_on], pos)?;
        }
        Ok((is_there, number))
    }

    /// The next item, if it is there and `takes` says so.
    fn next_if(
        &mut self,
        sequence: &Sequence,
        ty: &RustType,
        pos: Pos,
        takes: impl FnOnce(&mut Lower, &RustPlace) -> OrNoValue<ValueId>,
    ) -> OrNoValue<LoweredValue> {
        let option = self.nothing_yet(ty, pos)?;
        let (is_there, number) = self.next_number(sequence, "next_if", pos)?;
        self.when(is_there, pos, |lower| {
            let item = lower.item(&sequence.counted, number, pos)?;
            let taken = takes(lower, &item)?;
            lower.when(taken, pos, |lower| {
                lower.gone_on(sequence, number, pos)?;
                let item = lower.load(&item, pos)?;
                lower.store_some(&option, &item, pos)
            })
        })?;
        self.load(&option, pos)
    }

    /// The item of this number, if it is there.
    fn item_if(
        &mut self,
        is_there: ValueId,
        counted: &Counted,
        number: ValueId,
        ty: &RustType,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let some = |lower: &mut Lower| {
            let item = lower.item(counted, number, pos)?;
            let item = lower.load(&item, pos)?;
            Ok(LoweredValue::parts(ty.clone(), [lower.variant_constant(1), item]))
        };
        self.either(is_there, pos, some, |lower| lower.zero(ty, pos))
    }

    /// The value for the first item that is found.
    fn found(
        &mut self,
        sequence: &Sequence,
        ty: &RustType,
        pos: Pos,
        look: impl FnOnce(&mut Lower, RustPlace) -> OrNoValue<(ValueId, LoweredValue)>,
    ) -> OrNoValue<LoweredValue> {
        let option = self.nothing_yet(ty, pos)?;
        self.each_item(sequence, None, pos, |lower, item, target| {
            let (is_found, value) = look(lower, item)?;
            lower.when(is_found, pos, |lower| {
                lower.store_some(&option, &value, pos)?;
                lower.leave(target, &LoweredValue::UNIT, pos).map(|_| ())
            })
        })?;
        self.load(&option, pos)
    }

    /// What is made of the first two items, then of that and the next one, and so on.
    fn reduced(
        &mut self,
        sequence: &Sequence,
        ty: &RustType,
        pos: Pos,
        join: impl FnOnce(&mut Lower, LoweredValue, LoweredValue) -> OrNoValue<LoweredValue>,
    ) -> OrNoValue<LoweredValue> {
        let option = self.nothing_yet(ty, pos)?;
        self.each_item(sequence, None, pos, |lower, item, _| {
            let item = lower.load(&item, pos)?;
            let before = lower.load(&option, pos)?;
            let is_some = lower.is_some(&before, pos)?;
            let before = lower.part(&before, 1, pos)?;
            let first = item.clone();
            let value = lower.either(is_some, pos, |lower| join(lower, before, item), |_| Ok(first))?;
            lower.store_some(&option, &value, pos)
        })?;
        self.load(&option, pos)
    }

    /// The one item that is preferred to those before it.
    fn chosen_of(
        &mut self,
        sequence: &Sequence,
        ty: &RustType,
        pos: Pos,
        prefers: impl FnOnce(&mut Lower, &LoweredValue, &LoweredValue) -> OrNoValue<ValueId>,
    ) -> OrNoValue<LoweredValue> {
        let option = self.nothing_yet(ty, pos)?;
        self.each_item(sequence, None, pos, |lower, item, _| {
            let item = lower.load(&item, pos)?;
            let before = lower.load(&option, pos)?;
            let is_some = lower.is_some(&before, pos)?;
            let before = lower.part(&before, 1, pos)?;
            let truth = RustType::Data(Data::BOOL);
            let yes = LoweredValue::one(truth.clone(), lower.b.constant(Const::bool(true)));
            let preferred = lower.either(
                is_some,
                pos,
                |lower| Ok(LoweredValue::one(truth, prefers(lower, &before, &item)?)),
                |_| Ok(yes),
            )?;
            let preferred = lower.id(&preferred, pos)?;
            lower.when(preferred, pos, |lower| lower.store_some(&option, &item, pos))
        })?;
        self.load(&option, pos)
    }
}
