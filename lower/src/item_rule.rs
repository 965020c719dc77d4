//! The items of an iterator whose length is known before it runs: a rule for item `k`.

use std::rc::Rc;

use super::RustType;
use super::closure::FunctionValue;
use super::item_count::{CountOp, ItemCount};
use super::small::small;
use super::state::{Lower, OrNoValue};
use super::value::{LoweredValue, RustPlace, SpotRoot};
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

/// Items that can be had by their number.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// How many.
    pub(super) count: ItemCount,
    pub(super) rule: Rc<ItemRule>,
}

/// The rule for item `k`.
#[derive(Debug)]
pub(super) enum ItemRule {
    /// A number of this type: the first one plus or minus `k`.
    Number { ty: RustType, first: ValueId, last: ValueId, down: bool },
    /// A number of this type: the first one plus `k`, which wraps.
    NumberFrom { ty: RustType, first: ValueId },
    /// An element of an array, as a value or as a place.
    Element { array: RustPlace, by_value: bool },
    /// From the last one on.
    Back(Counted),
    /// From this number on.
    From(Counted, ValueId),
    /// All of them, so many, and then again.
    Again(Counted, ValueId),
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
    /// As many elements at once, as an array; the next one begins so many elements behind it.
    Run { of: Counted, length: u32, step: u64 },
}

impl Lower {
    /// Item `k`.
    pub(super) fn item(&mut self, counted: &Counted, k: ValueId, pos: Pos) -> OrNoValue<RustPlace> {
        self.nested(pos, |lower| lower.item_by_rule(counted, k, pos))
    }

    fn item_by_rule(&mut self, counted: &Counted, k: ValueId, pos: Pos) -> OrNoValue<RustPlace> {
        match &*counted.rule {
            ItemRule::Number { ty, first, down, .. } => {
                let pos = pos.implied();
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
            ItemRule::NumberFrom { ty, first } => {
                let scalar = ty.data().map_or(Scalar::U32, |data| data.scalar);
                let by = self.convert(k, scalar, pos)?;
                let is_zero = self.known(*first).is_some_and(|first| first.bits == 0);
                let number = if is_zero { by } else { self.op(Op::Add, &[*first, by], pos)? };
                let number = match small(ty) {
                    Some(stored) => self.wrapped(number, stored, pos)?,
                    None => number,
                };
                Ok(RustPlace::value(LoweredValue::one(ty.clone(), number)))
            }
            ItemRule::Element { array, by_value } => {
                let k = self.convert(k, Scalar::U32, pos)?;
                let place = self.element(array, k, false, pos)?;
                let place = RustPlace { exclusive: array.exclusive, ..place };
                if *by_value { Ok(RustPlace::value(self.load(&place, pos)?)) } else { Ok(place) }
            }
            ItemRule::Back(of) => {
                let Some((_, last)) = self.last_number(of.count, pos)? else {
                    return self.broken("the last one of items without an end", pos);
                };
                let at = self.counted_op(CountOp::Sub, last, k, pos)?;
                self.item(of, at, pos)
            }
            ItemRule::From(of, number) => {
                let k = self.convert(k, self.scalar_for(k, of.count), pos)?;
                let at = self.counted_op(CountOp::Add, k, *number, pos)?;
                self.item(of, at, pos)
            }
            ItemRule::Again(of, length) => {
                let scalar = self.scalar_for(k, of.count);
                let (k, length) = (self.convert(k, scalar, pos)?, self.convert(*length, scalar, pos)?);
                let at = self.op(Op::Rem, &[k, length], pos)?;
                let at = self.convert(at, self.scalar_of_count(of.count), pos)?;
                self.item(of, at, pos)
            }
            ItemRule::First(of) => self.item(of, k, pos),
            ItemRule::Each(of, number) => {
                let k = self.convert(k, self.scalar_for(k, of.count), pos)?;
                let at = self.counted_op(CountOp::Mul, k, *number, pos)?;
                self.item(of, at, pos)
            }
            ItemRule::Pair(a, b) => {
                let parts = [self.item(a, k, pos)?, self.item(b, k, pos)?];
                Ok(pair(parts))
            }
            ItemRule::Numbered(of) => {
                let number = self.convert(k, Scalar::U32, pos)?;
                let number = RustPlace::value(LoweredValue::one(RustType::Data(Data::U32), number));
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
            ItemRule::Run { of, length, step } => {
                let k = self.convert(k, Scalar::U32, pos)?;
                let step = self.b.constant(Const::u32(*step as u32));
                let first = self.counted_op(CountOp::Mul, k, step, pos)?;
                let mut parts = Vec::new();
                for i in 0..*length {
                    let i = self.b.constant(Const::u32(i));
                    let at = self.counted_op(CountOp::Add, first, i, pos)?;
                    let item = self.item(of, at, pos)?;
                    parts.push(self.load(&item, pos)?);
                }
                let element = parts.first().map_or(RustType::Unit, |part| part.ty.clone());
                let ty = RustType::Array(element.into(), *length);
                Ok(RustPlace::value(LoweredValue::parts(ty, parts)))
            }
            ItemRule::Joined(a, b) => {
                let is_first = self.has_item(a.count, k, pos)?;
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
                let behind = self.number_behind(k, a.count, pos)?;
                self.either(is_first, pos, |lower| of(lower, a, k), |lower| of(lower, b, behind)).map(RustPlace::value)
            }
        }
    }
}

impl Counted {
    /// The functions that give the items.
    pub(super) fn functions(&self, functions: &mut Vec<Rc<FunctionValue>>) {
        match &*self.rule {
            ItemRule::Given(of, function) => {
                of.functions(functions);
                functions.push(function.clone());
            }
            ItemRule::Pair(a, b) | ItemRule::Joined(a, b) => {
                a.functions(functions);
                b.functions(functions);
            }
            ItemRule::Back(of)
            | ItemRule::From(of, _)
            | ItemRule::Again(of, _)
            | ItemRule::First(of)
            | ItemRule::Each(of, _)
            | ItemRule::Numbered(of)
            | ItemRule::Copy(of)
            | ItemRule::Run { of, .. } => of.functions(functions),
            ItemRule::Number { .. } | ItemRule::NumberFrom { .. } | ItemRule::Element { .. } => {}
        }
    }

    /// Do the items, which are numbers, increase? `None` for others, and for those that may wrap.
    pub(super) fn increases(&self) -> Option<bool> {
        match &*self.rule {
            ItemRule::Number { down, .. } => Some(!down),
            ItemRule::From(of, _) | ItemRule::First(of) | ItemRule::Each(of, _) | ItemRule::Copy(of) => of.increases(),
            ItemRule::Back(of) => of.increases().map(|increases| !increases),
            ItemRule::NumberFrom { .. }
            | ItemRule::Element { .. }
            | ItemRule::Pair(..)
            | ItemRule::Numbered(_)
            | ItemRule::Again(..)
            | ItemRule::Given(..)
            | ItemRule::Joined(..)
            | ItemRule::Run { .. } => None,
        }
    }
}

/// The same items from the last one on.
pub(super) fn backwards(counted: &Counted) -> Counted {
    let rule = match &*counted.rule {
        // Exact for a range of any length.
        ItemRule::Number { ty, first, last, down } => {
            ItemRule::Number { ty: ty.clone(), first: *last, last: *first, down: !down }
        }
        ItemRule::Copy(of) => ItemRule::Copy(backwards(of)),
        ItemRule::Joined(a, b) => ItemRule::Joined(backwards(b), backwards(a)),
        ItemRule::NumberFrom { .. }
        | ItemRule::Element { .. }
        | ItemRule::Back(_)
        | ItemRule::From(..)
        | ItemRule::Again(..)
        | ItemRule::First(_)
        | ItemRule::Each(..)
        | ItemRule::Pair(..)
        | ItemRule::Numbered(_)
        | ItemRule::Given(..)
        | ItemRule::Run { .. } => ItemRule::Back(counted.clone()),
    };
    Counted { count: counted.count, rule: Rc::new(rule) }
}

/// The pair of two items, each of which may be a reference.
pub(super) fn pair(parts: [RustPlace; 2]) -> RustPlace {
    let ty = RustType::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
    RustPlace::new(ty, SpotRoot::Split(parts.into()))
}
