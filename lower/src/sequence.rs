//! Iterators over arrays and ranges: what they are made of, and the loop over one.
//!
//! An iterator whose length is known before it runs is a [`Counted`] one: a number of items, and the rule for item `k`.
//! `rev`, `skip`, `zip` and their like make another rule of that. What depends on the items themselves (`filter`,
//! `take_while`), and everything behind it, is a [`Stage`] in the body of the loop, with a variable where it has to
//! count. So is a `map` whose closure does more than to give a value, which Rust calls for items that are skipped, too.

use std::rc::Rc;

use tilewise_ast::{Expr, ExprKind, Mode, Pattern, SyntaxBlock};

use super::closure::FunctionValue;
use super::matching::is_pure_form;
use super::ranges::unsigned;
use super::scan::acts;
use super::state::{Lower, NameBinding, NoValue, OrNoValue};
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{Form, RustBuiltin, RustType, SequenceCall, SequenceMethod, SequenceSource};
use tilewise_ir::kernel::{Const, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// An iterator.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) counted: Counted,
    pub(super) stages: Vec<Stage>,
}

/// Items that can be had by their number.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// How many, a `u32`; of a range with more numbers than that has, its largest value.
    pub(super) count: ValueId,
    rule: Rc<ItemRule>,
}

/// The rule for item `k`.
#[derive(Debug)]
enum ItemRule {
    /// A number of this type: the first one plus or minus `k`.
    Number { ty: RustType, first: ValueId, last: ValueId, down: bool },
    /// An element of an array, as a value or as a place.
    Element { array: RustPlace, by_value: bool },
    /// From the last one on.
    Back(Counted),
    /// From this number on.
    From(Counted, ValueId),
    /// Only the first ones.
    First(Counted),
    /// Each at a multiple of this number.
    Each(Counted, ValueId),
    /// A pair.
    Pair(Counted, Counted),
    /// The pair of `k` and an item.
    Numbered(Counted),
    /// A copy of what an item refers to.
    Copy(Counted),
    /// What a closure gives for an item.
    Given(Counted, Rc<FunctionValue>),
    /// Those of the first, then those of the second.
    Joined(Counted, Counted),
}

/// A step that each item goes through in the loop's body.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    Map(Rc<FunctionValue>),
    Copied,
    Filter(Rc<FunctionValue>),
    FilterMap(Rc<FunctionValue>),
    TakeWhile(Rc<FunctionValue>),
    SkipWhile(Rc<FunctionValue>),
    MapWhile(Rc<FunctionValue>),
    Inspect(Rc<FunctionValue>),
    Enumerate,
    Skip(ValueId),
    Take(ValueId),
    StepBy(ValueId),
    Zip(Counted),
}

impl Stage {
    /// Does it count, or has it seen an item that ended something?
    pub(super) const fn has_state(&self) -> bool {
        matches!(
            self,
            Stage::Enumerate | Stage::Skip(_) | Stage::Take(_) | Stage::StepBy(_) | Stage::SkipWhile(_) | Stage::Zip(_)
        )
    }

    /// Does it treat each item by itself, so that the order of the items does not matter to it?
    const fn is_of_one_item(&self) -> bool {
        matches!(self, Stage::Map(_) | Stage::Copied | Stage::Filter(_) | Stage::FilterMap(_) | Stage::Inspect(_))
    }
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
        self.each_item(&sequence, Some(label), pos, |lower, item, _| {
            lower.bind_argument(pattern, Mode::Value, item, pos)?;
            lower.block(body).map(|_| ())
        })?;
        Ok(LoweredValue::UNIT)
    }

    /// The iterator that an expression is, or that is made of it.
    pub(super) fn sequence(&mut self, expr: &Expr, source: SequenceSource, pos: Pos) -> OrNoValue<Sequence> {
        let counted = match source {
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
                let count = self.b.constant(Const::u32(u32::MAX));
                Counted { count, rule: Rc::new(ItemRule::Number { ty: low.ty, first, last: first, down: false }) }
            }
        };
        Ok(Sequence { counted, stages: Vec::new() })
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
        let count = self.b.constant(Const::u32(count));
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
        let one = self.b.constant(Const { scalar, bits: 1 });
        let integer = |lower: &Lower, id| lower.known(id).and_then(Const::integer);
        if let (Some(a), Some(b)) = (integer(self, first), integer(self, end)) {
            let count = (b - a + i128::from(inclusive)).clamp(0, u32::MAX.into()) as u32;
            let last = if inclusive { end } else { self.op(Op::Sub, &[end, one], pos)? };
            let count = self.b.constant(Const::u32(count));
            return Ok(Counted {
                count,
                rule: Rc::new(ItemRule::Number { ty: low.ty.clone(), first, last, down: false }),
            });
        }
        let wide = unsigned(scalar);
        let there = self.op(if inclusive { Op::Le } else { Op::Lt }, &[first, end], pos)?;
        let distance = self.op(Op::Sub, &[end, first], pos)?;
        let mut distance = self.convert(distance, wide, pos)?;
        if wide == Scalar::U64 {
            let most = self.b.constant(Const::u64(u32::MAX.into()));
            distance = self.op(Op::Min, &[distance, most], pos)?;
            distance = self.convert(distance, Scalar::U32, pos)?;
        }
        if inclusive {
            let one = self.b.constant(Const::u32(1));
            distance = self.op(Op::AddSat, &[distance, one], pos)?;
        }
        let zero = self.b.constant(Const::u32(0));
        let count = self.op(Op::Select, &[there, distance, zero], pos)?;
        let last = if inclusive { end } else { self.op(Op::Sub, &[end, one], pos)? };
        Ok(Counted { count, rule: Rc::new(ItemRule::Number { ty: low.ty.clone(), first, last, down: false }) })
    }

    /// A method that makes another iterator of its receiver.
    fn adapted(&mut self, call: &SequenceCall, args: &[Expr], pos: Pos) -> OrNoValue<Sequence> {
        let Some((receiver, rest)) = args.split_first() else { return self.broken("a method of nothing", pos) };
        let mut sequence = self.sequence(receiver, call.receiver, pos)?;
        let Some(argument) = rest.first() else {
            return match call.method {
                SequenceMethod::Itself => Ok(sequence),
                SequenceMethod::Rev => self.reversed(sequence, pos),
                SequenceMethod::Enumerate => Ok(sequence.then(ItemRule::Numbered, Stage::Enumerate)),
                SequenceMethod::Copied => Ok(sequence.then(ItemRule::Copy, Stage::Copied)),
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
            SequenceMethod::Skip | SequenceMethod::Take | SequenceMethod::StepBy => {
                self.off(sequence, call.method, argument, pos)
            }
            SequenceMethod::Zip | SequenceMethod::Chain => {
                let source = call.argument.unwrap_or(SequenceSource::Made);
                let at = self.pos(argument.at);
                let other = self.sequence(argument, source, at)?;
                let is_zip = call.method == SequenceMethod::Zip;
                if !other.stages.is_empty() || !is_zip && !sequence.stages.is_empty() {
                    let what = if is_zip { "zip" } else { "chain" };
                    return self.formless(
                        format!("how many items `{what}` gets is known only when they are there"),
                        "`filter` and its like stand behind it in a kernel",
                        "write a loop that counts by hand",
                        at,
                    );
                }
                let other = other.counted;
                if !is_zip {
                    let count = self.total(sequence.counted.count, other.count, pos)?;
                    let rule = Rc::new(ItemRule::Joined(sequence.counted, other));
                    return Ok(Sequence { counted: Counted { count, rule }, stages: Vec::new() });
                }
                if !sequence.stages.is_empty() {
                    sequence.stages.push(Stage::Zip(other));
                    return Ok(sequence);
                }
                let count = self.least(sequence.counted.count, other.count, pos)?;
                let rule = Rc::new(ItemRule::Pair(sequence.counted, other));
                Ok(Sequence { counted: Counted { count, rule }, stages: Vec::new() })
            }
            _ => {
                let function = self.function_value(argument)?.function;
                let stage = match call.method {
                    SequenceMethod::Map if sequence.stages.is_empty() && !self.may_act(&function) => {
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
                    _ => return self.kept_iterator(pos),
                };
                sequence.stages.push(stage);
                Ok(sequence)
            }
        }
    }

    /// Does a closure do more than to give a value, or may it?
    fn may_act(&self, function: &FunctionValue) -> bool {
        let links = function.links(&self.frames);
        let has_effect = |link: u32| links.get(link as usize).is_none_or(|form| !is_pure_form(&form()));
        match (function.closure(), function.item()) {
            (Some(body), _) => acts(body, &has_effect),
            (None, form) => form.is_none_or(|form| !is_pure_form(form)),
        }
    }

    fn reversed(&mut self, sequence: Sequence, pos: Pos) -> OrNoValue<Sequence> {
        if !sequence.stages.iter().all(Stage::is_of_one_item) {
            return self.formless(
                "`rev` stands behind a method that depends on the order of the items",
                "in a kernel, the last item is not known before the others",
                "write `rev` first, or a loop that counts down",
                pos,
            );
        }
        let Sequence { counted, stages } = sequence;
        let rule = match &*counted.rule {
            // Exact for a range of any length.
            ItemRule::Number { ty, first, last, down } => {
                ItemRule::Number { ty: ty.clone(), first: *last, last: *first, down: !down }
            }
            _ => ItemRule::Back(counted.clone()),
        };
        Ok(Sequence { counted: Counted { count: counted.count, rule: Rc::new(rule) }, stages })
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
        if !sequence.stages.is_empty() {
            sequence.stages.push(match method {
                SequenceMethod::Skip => Stage::Skip(number),
                SequenceMethod::Take => Stage::Take(number),
                _ => Stage::StepBy(number),
            });
            return Ok(sequence);
        }
        let counted = sequence.counted;
        let count = match method {
            SequenceMethod::Skip => self.without(counted.count, number, pos)?,
            SequenceMethod::Take => self.least(counted.count, number, pos)?,
            _ => self.multiples(counted.count, number, pos)?,
        };
        let rule = Rc::new(match method {
            SequenceMethod::Skip => ItemRule::From(counted, number),
            SequenceMethod::Take => ItemRule::First(counted),
            _ => ItemRule::Each(counted, number),
        });
        Ok(Sequence { counted: Counted { count, rule }, stages: Vec::new() })
    }

    /// Of two constants the result, as a constant.
    fn folded(&mut self, a: ValueId, b: ValueId, fold: fn(u32, u32) -> u32) -> Option<ValueId> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        Some(self.b.constant(Const::u32(fold(a.bits as u32, b.bits as u32))))
    }

    fn least(&mut self, a: ValueId, b: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        match self.folded(a, b, u32::min) {
            Some(known) => Ok(known),
            None => self.op(Op::Min, &[a, b], pos),
        }
    }

    fn total(&mut self, a: ValueId, b: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        match self.folded(a, b, u32::saturating_add) {
            Some(known) => Ok(known),
            None => self.op(Op::AddSat, &[a, b], pos),
        }
    }

    fn without(&mut self, count: ValueId, number: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        match self.folded(count, number, u32::saturating_sub) {
            Some(known) => Ok(known),
            None => self.op(Op::SubSat, &[count, number], pos),
        }
    }

    fn multiples(&mut self, count: ValueId, step: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        if let Some(known) = self.folded(count, step, u32::div_ceil) {
            return Ok(known);
        }
        let whole = self.op(Op::Div, &[count, step], pos)?;
        let rest = self.op(Op::Rem, &[count, step], pos)?;
        let (zero, one) = (self.b.constant(Const::u32(0)), self.b.constant(Const::u32(1)));
        let is_more = self.op(Op::Ne, &[rest, zero], pos)?;
        let more = self.op(Op::Select, &[is_more, one, zero], pos)?;
        self.op(Op::Add, &[whole, more], pos)
    }

    /// Item `k`.
    pub(super) fn item(&mut self, counted: &Counted, k: ValueId, pos: Pos) -> OrNoValue<RustPlace> {
        self.nested(pos, |lower| lower.item_by_rule(counted, k, pos))
    }

    fn item_by_rule(&mut self, counted: &Counted, k: ValueId, pos: Pos) -> OrNoValue<RustPlace> {
        match &*counted.rule {
            ItemRule::Number { ty, first, down, .. } => {
                let scalar = ty.data().map_or(Scalar::U32, |data| data.scalar);
                let by = self.convert(k, scalar, pos)?;
                let is_zero = self.known(*first).is_some_and(|first| first.bits == 0);
                let number = match down {
                    false if is_zero => by,
                    false => self.op(Op::Add, &[*first, by], pos)?,
                    true => self.op(Op::Sub, &[*first, by], pos)?,
                };
                Ok(RustPlace::value(LoweredValue::one(ty.clone(), number)))
            }
            ItemRule::Element { array, by_value } => {
                let place = self.element(array, k, false, pos)?;
                let place = RustPlace { exclusive: array.exclusive, ..place };
                if *by_value { Ok(RustPlace::value(self.load(&place, pos)?)) } else { Ok(place) }
            }
            ItemRule::Back(of) => {
                let one = self.b.constant(Const::u32(1));
                let last = match self.folded(of.count, one, u32::wrapping_sub) {
                    Some(known) => known,
                    None => self.op(Op::Sub, &[of.count, one], pos)?,
                };
                let at = self.op(Op::Sub, &[last, k], pos)?;
                self.item(of, at, pos)
            }
            ItemRule::From(of, number) => {
                let at = self.op(Op::Add, &[k, *number], pos)?;
                self.item(of, at, pos)
            }
            ItemRule::First(of) => self.item(of, k, pos),
            ItemRule::Each(of, number) => {
                let at = self.op(Op::Mul, &[k, *number], pos)?;
                self.item(of, at, pos)
            }
            ItemRule::Pair(a, b) => {
                let parts = [self.item(a, k, pos)?, self.item(b, k, pos)?];
                Ok(pair(parts))
            }
            ItemRule::Numbered(of) => {
                let number = RustPlace::value(LoweredValue::one(RustType::Data(Data::U32), k));
                let item = self.item(of, k, pos)?;
                Ok(pair([number, item]))
            }
            ItemRule::Copy(of) => {
                let item = self.item(of, k, pos)?;
                self.load(&item, pos).map(RustPlace::value)
            }
            ItemRule::Given(of, function) => {
                let item = self.item(of, k, pos)?;
                self.apply(function, vec![item], pos).map(RustPlace::value)
            }
            ItemRule::Joined(a, b) => {
                let is_first = self.op(Op::Lt, &[k, a.count], pos)?;
                let of = |lower: &mut Lower, of: &Counted, k| {
                    let item = lower.item(of, k, pos)?;
                    if item.exclusive {
                        return lower.formless(
                            "`chain` of `&mut` references",
                            "which array this one is in can not be chosen while a kernel runs",
                            "write two loops",
                            pos,
                        );
                    }
                    lower.load(&item, pos)
                };
                let behind = self.op(Op::Sub, &[k, a.count], pos)?;
                self.either(is_first, pos, |lower| of(lower, a, k), |lower| of(lower, b, behind)).map(RustPlace::value)
            }
        }
    }
}

impl Sequence {
    /// The same items by another rule, or with one more stage.
    fn then(mut self, rule: impl FnOnce(Counted) -> ItemRule, stage: Stage) -> Sequence {
        if self.stages.is_empty() {
            let count = self.counted.count;
            self.counted = Counted { count, rule: Rc::new(rule(self.counted)) };
        } else {
            self.stages.push(stage);
        }
        self
    }
}

/// The pair of two items, each of which may be a reference.
pub(super) fn pair(parts: [RustPlace; 2]) -> RustPlace {
    let ty = RustType::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
    RustPlace::new(ty, SpotRoot::Split(parts.into()))
}
