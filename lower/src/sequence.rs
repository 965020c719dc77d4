//! Iterators over arrays and ranges: what they are made of, and the loop over one.
//!
//! An iterator whose length is known before it runs is a [`Counted`] one: a number of items, and the rule for item `k`.
//! `rev`, `skip`, `zip` and their like make another rule of that. What depends on the items themselves (`filter`,
//! `take_while`), and everything behind it, is a [`Stage`] in the body of the loop, with a variable where it has to
//! count. So is a `map` whose closure does more than to give a value, which Rust calls for items that are skipped, too.

use std::rc::Rc;

use tilewise_ast::{Expr, ExprKind, Mode, Pattern, SyntaxBlock};

use super::closure::FunctionValue;
use super::item_count::ItemCount;
use super::item_rule::{Counted, ItemRule, backwards};
use super::ranges::unsigned;
use super::sequence_stages::{AskedWays, RefusedOrder, Stage};
use super::small::small;
use super::state::{Lower, NameBinding, NoValue, OrNoValue};
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{Form, RustBuiltin, RustType, SequenceCall, SequenceMethod, SequenceSource};
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::kernel::{Const, LocalId, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// An iterator.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) counted: Counted,
    pub(super) stages: Vec<Stage>,
    /// Of an iterator that is asked for one item after the other: how far it has come.
    pub(super) progress: Option<Rc<SequenceProgress>>,
    /// Behind how many stages `by_ref` lends it, so that what is left of it is used afterwards.
    pub(super) lent_at: Vec<usize>,
    /// How its last stage is asked for items.
    pub(super) asked: AskedWays,
    /// What is asked before each item: may the iterator that this one is a part of give more?
    pub(super) guards: Vec<ItemGuard>,
}

/// `take` behind `flat_map`: no more items are asked for than it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemGuard {
    /// How many it has taken.
    pub(super) seen: LocalId,
    /// How many it takes.
    pub(super) number: ValueId,
    /// The loop that ends.
    pub(super) target: usize,
}

/// How far an iterator has come that is asked for one item after the other. Its variables are those of a name, `let
/// mut it = ..`; what is made of the name goes on there.
#[derive(Debug)]
pub(super) struct SequenceProgress {
    /// The number of the next item.
    pub(super) counter: LocalId,
    /// The counters of the stages that the name has.
    pub(super) states: Vec<Option<LocalId>>,
    /// Has it ended? For what the counter does not tell.
    pub(super) over: Option<LocalId>,
}

impl Lower {
    /// `for pattern in items`
    pub(super) fn for_each(
        &mut self,
        items: &Expr,
        link: u32,
        pattern: &Pattern,
        body: &SyntaxBlock,
        label: u32,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let Form::Builtin(RustBuiltin::Sequence(call)) = self.link(link, pos)?() else {
            return self.broken("a loop over something that is no iterator", pos);
        };
        let sequence = self.sequence(items, call.receiver, pos)?;
        self.can_be_asked(&sequence, "for", pos)?;
        self.each_item(&sequence, Some(label), pos, |lower, item, _| {
            lower.bind_argument(pattern, Mode::Value, item, pos)?;
            lower.block(body).map(|_| ())
        })?;
        Ok(LoweredValue::UNIT)
    }

    /// The iterator that an expression is, or that is made of it.
    pub(super) fn sequence(&mut self, expr: &Expr, source: SequenceSource, pos: Pos) -> OrNoValue<Sequence> {
        // A `mut` range with a name is an iterator, and so is a copy of one, whatever its type is.
        let is_iterator = self.is_iterator(expr);
        let counted = match source {
            _ if is_iterator => return self.made(expr),
            SequenceSource::Made => return self.made(expr),
            SequenceSource::Values => {
                let array = self.value(expr)?;
                self.elements(RustPlace::value(array), true, pos)?
            }
            SequenceSource::Shared | SequenceSource::Exclusive => {
                let mut array = self.place(expr)?;
                array.exclusive = source == SequenceSource::Exclusive;
                // What other threads and other names change is read here, as in the closure.
                if let SpotRoot::Memory(place) = &array.at
                    && matches!(place.root, Root::View { .. } | Root::Tile(_))
                {
                    array = RustPlace::value(self.load(&array, pos)?);
                }
                self.elements(array, false, pos)?
            }
            SequenceSource::Range | SequenceSource::RangeInclusive => {
                let ends = self.value(expr)?;
                let (low, high) = (self.part(&ends, 0, pos)?, self.part(&ends, 1, pos)?);
                self.numbers_between(&low, &high, source == SequenceSource::RangeInclusive, pos)?
            }
            SequenceSource::RangeFrom => {
                let low = self.value(expr)?;
                let first = self.id(&low, pos)?;
                let scalar = low.ty.data().map_or(Scalar::U32, |data| unsigned(data.scalar));
                Counted { count: ItemCount::Endless(scalar), rule: Rc::new(ItemRule::NumberFrom { ty: low.ty, first }) }
            }
            SequenceSource::Optional => return self.broken("a loop over an `Option`", pos),
        };
        Ok(Sequence::of(counted))
    }

    /// What a closure gives to be iterated over.
    pub(super) fn given_items(&mut self, body: &Expr, source: SequenceSource, pos: Pos) -> OrNoValue<Sequence> {
        match &body.kind {
            ExprKind::Block(block, None) if !matches!(source, SequenceSource::Values) => {
                self.statements(block)?;
                match &block.value {
                    Some(value) => self.nested(pos, |lower| lower.given_items(value, source, pos)),
                    None => self.broken("a block without a value is iterated over", pos),
                }
            }
            _ if self.is_iterator(body) => self.made(body),
            _ => self.sequence(body, source, pos),
        }
    }

    /// What an item is, to be iterated over.
    pub(super) fn items_of(&mut self, item: RustPlace, source: SequenceSource, pos: Pos) -> OrNoValue<Sequence> {
        let counted = match source {
            SequenceSource::Values | SequenceSource::Shared | SequenceSource::Exclusive => {
                let array = RustPlace { exclusive: source == SequenceSource::Exclusive, ..item };
                self.elements(array, source == SequenceSource::Values, pos)?
            }
            SequenceSource::Range | SequenceSource::RangeInclusive => {
                let ends = self.load(&item, pos)?;
                let (low, high) = (self.part(&ends, 0, pos)?, self.part(&ends, 1, pos)?);
                self.numbers_between(&low, &high, source == SequenceSource::RangeInclusive, pos)?
            }
            SequenceSource::Made | SequenceSource::RangeFrom | SequenceSource::Optional => {
                return self.formless(
                    "the items of this iterator are iterators themselves",
                    "in a kernel, an iterator is no value",
                    "write `flat_map(|x| ..)` in the place of `map(|x| ..)` and `flatten()`",
                    pos,
                );
            }
        };
        Ok(Sequence::of(counted))
    }

    /// Is it an iterator: one that a method makes here, or the name of one?
    pub(super) fn is_iterator(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call(link, _) => {
                let form = self.frame().function.links.get(*link as usize).map(|form| form());
                matches!(form, Some(Form::Builtin(RustBuiltin::Sequence(call))) if call.method.makes_iterator())
            }
            ExprKind::Local(local) => {
                matches!(self.frame().locals.get(*local as usize), Some(NameBinding::Iterator(_)))
            }
            _ => false,
        }
    }

    /// An iterator that methods make, or that has a name.
    pub(super) fn made(&mut self, expr: &Expr) -> OrNoValue<Sequence> {
        let pos = self.pos(expr.at);
        if let ExprKind::Local(local) = &expr.kind {
            match self.frame().locals.get(*local as usize) {
                Some(NameBinding::Iterator(sequence)) => return Ok(sequence.clone()),
                Some(NameBinding::Broken) => return Err(NoValue::Failed),
                _ => {}
            }
        }
        if let ExprKind::Call(link, args) = &expr.kind
            && let Form::Builtin(RustBuiltin::Sequence(call)) = self.link(*link, pos)?()
        {
            return self.nested(pos, |lower| lower.adapted(&call, args, pos));
        }
        self.kept_iterator(pos)
    }

    /// The argument for a parameter that is an iterator.
    pub(super) fn handed_iterator(&mut self, expr: &Expr) -> OrNoValue<Sequence> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            ExprKind::Range(low, high, inclusive) => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                self.numbers_between(&low, &high, *inclusive, pos).map(Sequence::of)
            }
            // `&mut it` lends it as `by_ref` does.
            ExprKind::Ref(true, lent) if self.is_iterator(lent) => {
                let sequence = self.made(lent)?;
                Ok(sequence.lent())
            }
            _ if self.is_iterator(expr) => self.made(expr),
            _ => self.formless(
                "what is handed on as an iterator is the name of a range, or a range without an end",
                "in a kernel, such a name stands for its ends",
                "write the range itself, `f(0..n)`, or `(a..).take(n)`",
                pos,
            ),
        }
    }

    /// Reports an iterator that is a value of its own.
    pub(super) fn kept_iterator<T>(&mut self, pos: Pos) -> OrNoValue<T> {
        self.formless(
            "an iterator is kept as a value",
            "in a kernel, an iterator is used where it is made, or gets a name by `let it = a.iter();`",
            "write its methods behind one another up to a `for`, a `sum`, a `fold`; or keep an array",
            pos,
        )
    }

    fn elements(&mut self, array: RustPlace, by_value: bool, pos: Pos) -> OrNoValue<Counted> {
        let RustType::Array(element, count) = array.ty.clone() else {
            self.is_no_deref(&array.ty, "an array", pos)?;
            return self.broken(format!("a loop over the elements of `{}`", array.ty.show()), pos);
        };
        let exclusive = array.exclusive;
        let array = match &array.at {
            SpotRoot::Value(value) if count > 0 && element.in_memory() && !matches!(value.held, HeldAs::Kept(_)) => {
                RustPlace::value(self.keep(value, pos)?)
            }
            _ => array,
        };
        let count = self.known_count(count.into());
        let array = RustPlace { exclusive, ..array };
        Ok(Counted { count, rule: Rc::new(ItemRule::Element { array, by_value }) })
    }

    fn numbers_between(
        &mut self,
        low: &LoweredValue,
        high: &LoweredValue,
        inclusive: bool,
        pos: Pos,
    ) -> OrNoValue<Counted> {
        let Some(Data { scalar, width: 1 }) = low.ty.data().filter(|data| data.scalar.is_integer()) else {
            return self.broken(format!("a range of `{}`", low.ty.show()), pos);
        };
        if low.ty == RustType::Char {
            let (why, help) = ("not every number is a character", "write `(0..4).map(|n| (b'a' + n) as char)`");
            return self.formless("a range of characters", why, help, pos);
        }
        let (first, end) = (self.id(low, pos)?, self.id(high, pos)?);
        let pos = pos.implied();
        let one = self.b.constant(Const { scalar, bits: 1 });
        let last = if inclusive { end } else { self.range_end(end, one, pos)? };
        let rule = Rc::new(ItemRule::Number { ty: low.ty.clone(), first, last, down: false });
        let integer = |lower: &Lower, id| lower.known(id).and_then(Const::integer);
        let (low_end, high_end) = (integer(self, first), integer(self, end));
        if let (Some(a), Some(b)) = (low_end, high_end) {
            let count = u128::try_from(b - a + i128::from(inclusive)).unwrap_or(0);
            return Ok(Counted { count: self.known_count(count), rule });
        }
        let wide = unsigned(scalar);
        let there = self.op(if inclusive { Op::Le } else { Op::Lt }, &[first, end], pos)?;
        let distance = self.op(Op::Sub, &[end, first], pos)?;
        let distance = self.convert(distance, wide, pos)?;
        // May it have all numbers of its type? Then there is one more than the type has.
        let edge = IntegerRange::of_type(scalar);
        let has_room = small(&low.ty).is_some()
            || edge.is_some_and(|edge| {
                low_end.is_some_and(|low| low > edge.lo) || high_end.is_some_and(|high| high < edge.hi)
            });
        if inclusive && !has_room {
            return Ok(Counted { count: ItemCount::UpTo { any: there, last: distance }, rule });
        }
        let [zero, one] = [0, 1].map(|bits| self.b.constant(Const { scalar: wide, bits }));
        let count = if inclusive { self.op(Op::Add, &[distance, one], pos)? } else { distance };
        let count = self.op(Op::Select, &[there, count, zero], pos)?;
        Ok(Counted { count: ItemCount::Below(count), rule })
    }

    /// The last number of a range with an open end.
    fn range_end(&mut self, end: ValueId, one: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        match self.known(end) {
            Some(Const { scalar, bits }) => {
                let bits = bits.wrapping_sub(1) & (u64::MAX >> (64 - scalar.bits()));
                Ok(self.b.constant(Const { scalar, bits }))
            }
            None => self.op(Op::Sub, &[end, one], pos),
        }
    }

    /// A method that makes another iterator of its receiver.
    fn adapted(&mut self, call: &SequenceCall, args: &[Expr], pos: Pos) -> OrNoValue<Sequence> {
        let Some((receiver, rest)) = args.split_first() else { return self.broken("a method of nothing", pos) };
        let mut sequence = self.sequence(receiver, call.receiver, pos)?;
        let Some(argument) = rest.first() else {
            return match call.method {
                SequenceMethod::Itself => Ok(sequence),
                SequenceMethod::ByRef => Ok(sequence.lent()),
                SequenceMethod::Clone => self.copied_iterator(&sequence, pos),
                SequenceMethod::Rev => self.reversed(sequence, pos),
                SequenceMethod::Enumerate => Ok(sequence.then(ItemRule::Numbered, Stage::Enumerate)),
                SequenceMethod::Copied => Ok(sequence.then(ItemRule::Copy, Stage::Copied)),
                SequenceMethod::Cycle => self.cycled(sequence, pos),
                SequenceMethod::Flatten => {
                    sequence.stages.push(Stage::Flat(None, call.argument.unwrap_or(SequenceSource::Made)));
                    Ok(sequence)
                }
                SequenceMethod::Peekable if sequence.is_counted() => {
                    let mut functions = Vec::new();
                    sequence.counted.functions(&mut functions);
                    if functions.iter().any(|function| self.uses_shared_memory(function)) {
                        return self.refuse_order(
                            &RefusedOrder {
                                what: "`peekable`",
                                place: "behind a closure that reads a view or `tile_static` memory",
                                why: "`next` computes anew what `peek` gave, and the memory may have changed by then",
                                instead: "read what it needs into an array first, and iterate over that",
                            },
                            pos,
                        );
                    }
                    Ok(sequence)
                }
                SequenceMethod::Peekable => self.refuse_order(
                    &RefusedOrder {
                        what: "`peekable`",
                        place: &sequence.obstacle(|_| false),
                        why: "in a kernel, the item that `peek` gives is known by its number",
                        instead: "write it behind `iter`, `copied`, `enumerate`, `map`, `zip` and their like; or loop over the numbers, and look at `a[k + 1]`",
                    },
                    pos,
                ),
                _ => self.kept_iterator(pos),
            };
        };
        match call.method {
            SequenceMethod::PartFrom => self.off(sequence, SequenceMethod::Skip, argument, pos),
            SequenceMethod::PartTo => self.off(sequence, SequenceMethod::Take, argument, pos),
            SequenceMethod::PartBetween => {
                let Some(high) = rest.get(1) else { return self.broken("a part without its end", pos) };
                // The ends are computed in their order.
                let (low, high) = (self.value(argument)?, self.value(high)?);
                let (low, high) = (self.id(&low, pos)?, self.id(&high, pos)?);
                let up_to = self.counted_off(sequence, SequenceMethod::Take, high, pos)?;
                self.counted_off(up_to, SequenceMethod::Skip, low, pos)
            }
            SequenceMethod::Windows | SequenceMethod::Chunks(_) => self.runs(sequence, call.method, argument, pos),
            SequenceMethod::Skip | SequenceMethod::Take | SequenceMethod::StepBy => {
                self.off(sequence, call.method, argument, pos)
            }
            SequenceMethod::Zip | SequenceMethod::Chain => {
                let source = call.argument.unwrap_or(SequenceSource::Made);
                let at = self.pos(argument.at);
                let other = self.sequence(argument, source, at)?;
                let is_zip = call.method == SequenceMethod::Zip;
                let what = if is_zip { "`zip`" } else { "`chain`" };
                let other = self.remaining(other, what, at)?;
                if !is_zip {
                    sequence = self.remaining(sequence, what, pos)?;
                }
                if !other.stages.is_empty() || !is_zip && !sequence.stages.is_empty() {
                    let (of, is_argument) = match other.stages.is_empty() {
                        true => (&sequence, false),
                        false => (&other, true),
                    };
                    let acts = of.stages.iter().all(Stage::keeps_the_count);
                    let stage = of.stages.iter().find(|stage| match acts {
                        true => stage.function().is_some(),
                        false => !stage.keeps_the_count(),
                    });
                    let name = format!("`{}`", stage.map_or("map", |stage| stage.name()));
                    let why = match acts {
                        true => {
                            "its closure does more than to give a value, and the lengths would say when that is done"
                        }
                        false => "how many items there are is known only when they are there",
                    };
                    let instead = match acts {
                        true => format!("compute the values before, into an array; or write {what} before the closure"),
                        false => format!("write {name} behind {what}; or a loop that counts by hand"),
                    };
                    let (first, place) = match is_argument {
                        true => (&*name, format!("in the argument of {what}")),
                        false => (what, format!("behind {name}")),
                    };
                    let order = RefusedOrder { what: first, place: &place, why, instead: &instead };
                    return self.refuse_order(&order, at);
                }
                let other = other.counted;
                if !is_zip {
                    let count = self.count_of_both(sequence.counted.count, other.count, pos)?;
                    let rule = Rc::new(ItemRule::Joined(sequence.counted, other));
                    return Ok(Sequence::of(Counted { count, rule }));
                }
                if sequence.is_lent() {
                    // One item more is taken of it, or not, as the types of both sides are.
                    self.remaining(sequence.clone(), what, pos)?;
                }
                if !sequence.is_counted() {
                    self.is_called_often_enough(&sequence, &other, at)?;
                    sequence.stages.push(Stage::Zip(other));
                    return Ok(sequence);
                }
                let count = self.shorter_count(sequence.counted.count, other.count, pos)?;
                let rule = Rc::new(ItemRule::Pair(sequence.counted, other));
                Ok(Sequence::of(Counted { count, rule }))
            }
            SequenceMethod::Scan => {
                let Some(function) = rest.get(1) else { return self.broken("`scan` without a function", pos) };
                let first = self.moved(argument)?;
                let state = self.variable("state", &first.ty.clone(), Some(&first), pos)?;
                let function = self.function_value(function)?.function;
                sequence.stages.push(Stage::Scan(function, RustPlace { exclusive: true, ..state }));
                Ok(sequence)
            }
            _ => {
                let function = self.function_value(argument)?.function;
                let stage = match call.method {
                    SequenceMethod::Map if sequence.is_counted() && !self.may_act(&function) => {
                        let rule = |counted| ItemRule::Given(counted, function);
                        return Ok(sequence.then(rule, Stage::Copied));
                    }
                    SequenceMethod::Map => Stage::Map(function),
                    SequenceMethod::Filter => Stage::Filter(function),
                    SequenceMethod::FilterMap => Stage::FilterMap(function),
                    SequenceMethod::TakeWhile => Stage::TakeWhile(function),
                    SequenceMethod::SkipWhile => Stage::SkipWhile(function),
                    SequenceMethod::MapWhile => Stage::MapWhile(function),
                    SequenceMethod::Inspect => Stage::Inspect(function),
                    SequenceMethod::FlatMap => match call.argument {
                        Some(SequenceSource::Optional) => Stage::FlatOption(function),
                        source => Stage::Flat(Some(function), source.unwrap_or(SequenceSource::Made)),
                    },
                    _ => return self.kept_iterator(pos),
                };
                sequence.stages.push(stage);
                Ok(sequence)
            }
        }
    }

    /// `windows(n)`, `chunks(n)`: runs of as many elements.
    fn runs(&mut self, sequence: Sequence, method: SequenceMethod, length: &Expr, pos: Pos) -> OrNoValue<Sequence> {
        let at = self.pos(length.at);
        let length = self.value(length)?;
        let length = self.id(&length, pos)?;
        let what = if method == SequenceMethod::Windows { "`windows`" } else { "`chunks`" };
        let counted = self.remaining(sequence, what, pos)?.counted;
        let count = match counted.count {
            ItemCount::Below(count) => self.known(count),
            ItemCount::UpTo { .. } | ItemCount::Endless(_) => None,
        };
        let (Some(count), Some(length)) = (count, self.known(length)) else {
            return self.formless(
                "how many elements are taken at once is no constant",
                "a kernel makes an array of them, whose length is known when the kernel is made",
                "write a number or a constant; or a loop over the numbers of the elements",
                at,
            );
        };
        // Of none at once, Rust panics.
        let (count, length) = (count.bits, length.bits.max(1));
        let step = match method {
            SequenceMethod::Windows => 1,
            _ => length,
        };
        if method == SequenceMethod::Chunks(false) && !count.is_multiple_of(length) {
            return self.formless(
                format!("the last of these chunks has {} elements, the others have {length}", count % length),
                "in a kernel, each item has as many elements",
                "write `chunks_exact`, and the last ones by themselves",
                at,
            );
        }
        // No more than there are: a longer one is never made.
        let runs = if count < length { 0 } else { (count - length) / step + 1 };
        let length = length.min(count);
        self.spend(length, pos)?;
        let (count, length) = (self.known_count(u128::from(runs)), u32::try_from(length).unwrap_or(u32::MAX));
        let rule = ItemRule::Run { of: counted, length, step };
        Ok(Sequence::of(Counted { count, rule: Rc::new(rule) }))
    }

    /// The same items again and again.
    fn cycled(&mut self, sequence: Sequence, pos: Pos) -> OrNoValue<Sequence> {
        let counted = self.remaining(sequence, "`cycle`", pos)?;
        let length = match counted.counted.count {
            ItemCount::Below(length) if counted.stages.is_empty() => length,
            ItemCount::Below(_) | ItemCount::UpTo { .. } | ItemCount::Endless(_) => {
                let place = match counted.stages.is_empty() {
                    true => "behind a range that may have all numbers of its type".to_owned(),
                    false => counted.obstacle(|_| false),
                };
                let order = RefusedOrder {
                    what: "`cycle`",
                    place: &place,
                    why: "how many items it repeats is known only when they are there",
                    instead: "write `cycle` behind an array or a range, with `take` behind it",
                };
                return self.refuse_order(&order, pos);
            }
        };
        let count = match self.known(length) {
            Some(length) if length.bits != 0 => ItemCount::Endless(Scalar::U64),
            // Of no items, there are none.
            Some(_) => ItemCount::Below(length),
            None => {
                let [none, all] = [0, u64::MAX].map(|bits| self.b.constant(Const::u64(bits)));
                let zero = self.b.constant(Const { scalar: self.scalar_of(length), bits: 0 });
                let any = self.op(Op::Ne, &[length, zero], pos)?;
                ItemCount::Below(self.op(Op::Select, &[any, all, none], pos)?)
            }
        };
        Ok(Sequence::of(Counted { count, rule: Rc::new(ItemRule::Again(counted.counted, length)) }))
    }

    pub(super) fn reversed(&mut self, sequence: Sequence, pos: Pos) -> OrNoValue<Sequence> {
        let sequence = self.remaining(sequence, "`rev`", pos)?;
        if !sequence.stages.iter().all(Stage::is_of_one_item) {
            let order = RefusedOrder {
                what: "`rev`",
                place: &sequence.obstacle(Stage::is_of_one_item),
                why: "in a kernel, the last item is not known before the others",
                instead: "write `rev` first, or a loop that counts down",
            };
            return self.refuse_order(&order, pos);
        }
        Ok(Sequence { counted: backwards(&sequence.counted), ..sequence })
    }

    /// Refuses `zip` behind a closure with an effect where the other side may be the shorter one. How often the
    /// closure is called then is an accident of the standard library: as often as there are pairs or once more,
    /// as the types of both sides are.
    fn is_called_often_enough(&mut self, sequence: &Sequence, other: &Counted, pos: Pos) -> OrNoValue<()> {
        let acting = self.acting_stages(sequence);
        let Some(first) = acting.iter().position(|acts| *acts) else { return Ok(()) };
        // Rust's library makes pairs by numbers where both sides have such, and then calls no closure for what is skipped.
        let is_skipped = sequence.numbered_stages() == sequence.stages.len()
            && sequence.stages[first..].iter().any(|stage| matches!(stage, Stage::Skip(_) | Stage::Take(_)));
        let is_short = sequence.stages.iter().all(Stage::keeps_the_count)
            && !self.is_no_longer(sequence.counted.count, other.count);
        if !is_skipped && !is_short {
            return Ok(());
        }
        let order = RefusedOrder {
            what: "`zip`",
            place: &format!("behind `{}`", sequence.stages[first].name()),
            why: "its closure has effects, and this side may be shorter: Rust does not say whether it is called for an item without a partner",
            instead: "write `zip` first and the closure behind it: `a.iter().zip(b).map(|(x, y)| ..)`",
        };
        self.refuse_order(&order, pos)
    }

    /// The same with the number as it is written.
    fn off(&mut self, sequence: Sequence, method: SequenceMethod, number: &Expr, pos: Pos) -> OrNoValue<Sequence> {
        let number = self.value(number)?;
        let number = self.id(&number, pos)?;
        self.counted_off(sequence, method, number, pos)
    }

    /// `skip(n)`, `take(n)`, `step_by(n)`
    fn counted_off(
        &mut self,
        mut sequence: Sequence,
        method: SequenceMethod,
        number: ValueId,
        pos: Pos,
    ) -> OrNoValue<Sequence> {
        let number = if method == SequenceMethod::StepBy { self.at_least_one(number, pos)? } else { number };
        if !sequence.is_counted() {
            sequence.stages.push(match method {
                SequenceMethod::Skip => Stage::Skip(number),
                SequenceMethod::Take => Stage::Take(number),
                _ => Stage::StepBy(number),
            });
            return Ok(sequence);
        }
        let counted = sequence.counted;
        let count = match method {
            SequenceMethod::Skip => self.count_without(counted.count, number, pos)?,
            SequenceMethod::Take => self.shorter_count(counted.count, ItemCount::Below(number), pos)?,
            _ => self.count_of_multiples(counted.count, number, pos)?,
        };
        let rule = Rc::new(match method {
            SequenceMethod::Skip => ItemRule::From(counted, number),
            SequenceMethod::Take => ItemRule::First(counted),
            _ => ItemRule::Each(counted, number),
        });
        Ok(Sequence::of(Counted { count, rule }))
    }
}

impl Sequence {
    pub(super) const fn of(counted: Counted) -> Sequence {
        Sequence {
            counted,
            stages: Vec::new(),
            progress: None,
            lent_at: Vec::new(),
            asked: AskedWays::NEXT,
            guards: Vec::new(),
        }
    }

    /// The functions that give its items.
    pub(super) fn functions(&self, functions: &mut Vec<Rc<FunctionValue>>) {
        self.counted.functions(functions);
        for stage in &self.stages {
            functions.extend(stage.function().cloned());
            if let Stage::Zip(other) = stage {
                other.functions(functions);
            }
        }
    }

    /// How many of the first stages give items by their numbers: those that do not depend on the items, which have an
    /// end.
    pub(super) fn numbered_stages(&self) -> usize {
        match self.counted.count {
            ItemCount::Endless(_) => 0,
            ItemCount::Below(_) | ItemCount::UpTo { .. } => {
                self.stages.iter().take_while(|stage| stage.is_numbered()).count()
            }
        }
    }

    /// How many of its stages a name has, which may be asked again.
    pub(super) fn named_stages(&self) -> usize {
        self.progress.as_ref().map_or(0, |progress| progress.states.len())
    }

    /// What `by_ref` lends of it.
    fn lent(mut self) -> Sequence {
        if self.progress.is_some() {
            self.lent_at.push(self.stages.len());
        }
        self
    }

    /// Does `by_ref` lend it?
    pub(super) const fn is_lent(&self) -> bool {
        !self.lent_at.is_empty()
    }

    /// Behind what a method cannot stand: the first stage that is not of a kind, or a name.
    pub(super) fn obstacle(&self, is_right: impl Fn(&Stage) -> bool) -> String {
        match self.stages.iter().find(|stage| !is_right(stage)) {
            Some(stage) => format!("behind `{}`", stage.name()),
            None => "behind a `mut` name".to_owned(),
        }
    }

    /// Are its items those of the rule, from the first one on?
    pub(super) const fn is_counted(&self) -> bool {
        self.stages.is_empty() && self.progress.is_none()
    }

    /// The same items by another rule, or with one more stage.
    fn then(mut self, rule: impl FnOnce(Counted) -> ItemRule, stage: Stage) -> Sequence {
        if self.is_counted() {
            let count = self.counted.count;
            self.counted = Counted { count, rule: Rc::new(rule(self.counted)) };
        } else {
            self.stages.push(stage);
        }
        self
    }
}
