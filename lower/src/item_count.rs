//! How many items an iterator has, as far as that is known before it runs.
//!
//! A count is exact for ranges of every type and length: the numbers of items have 32 bits where those suffice, and
//! 64 where more items may be there, which only ranges of `u64` and `i64` and chains of ranges can have. A range that
//! may have all numbers of its type has one item more than its type has numbers; of it, the last item is known.

use super::state::{Lower, OrNoValue};
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

/// How many items there are. Numbers of items begin with 0; they are `u32`s or `u64`s.
#[derive(Clone, Copy, Debug)]
pub(super) enum ItemCount {
    /// So many.
    Below(ValueId),
    /// Those up to the number of the last one, if there is any.
    UpTo { any: ValueId, last: ValueId },
    /// No end. The numbers, of this type, wrap.
    Endless(Scalar),
}

impl Lower {
    /// The type of a number of items.
    pub(super) fn scalar_of(&self, number: ValueId) -> Scalar {
        self.b.value_type(number).data().map_or(Scalar::U32, |data| data.scalar)
    }

    /// The type of the numbers of the items.
    pub(super) fn scalar_of_count(&self, count: ItemCount) -> Scalar {
        match count {
            ItemCount::Below(number) | ItemCount::UpTo { last: number, .. } => self.scalar_of(number),
            ItemCount::Endless(scalar) => scalar,
        }
    }

    /// The wider type of a number of an item and a count.
    pub(super) fn scalar_for(&self, number: ValueId, count: ItemCount) -> Scalar {
        wider(self.scalar_of(number), self.scalar_of_count(count))
    }

    /// An operation on two numbers of items; of constants, a constant.
    pub(super) fn counted_op(&mut self, op: CountOp, a: ValueId, b: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let scalar = wider(self.scalar_of(a), self.scalar_of(b));
        let (a, b) = (self.convert(a, scalar, pos)?, self.convert(b, scalar, pos)?);
        if let (Some(x), Some(y)) = (self.known(a), self.known(b)) {
            let bits = op.of_constants(x.bits, y.bits, u64::MAX >> (64 - scalar.bits()));
            return Ok(self.b.constant(Const { scalar, bits }));
        }
        self.op(op.row(), &[a, b], pos)
    }

    /// One of two numbers; of a known condition, that one.
    fn counted_select(&mut self, condition: ValueId, then: ValueId, other: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        match self.known(condition) {
            Some(known) => Ok(if known.bits == 0 { other } else { then }),
            None => self.op(Op::Select, &[condition, then, other], pos),
        }
    }

    /// A count that is known.
    pub(super) fn known_count(&mut self, count: u128) -> ItemCount {
        if let Ok(count) = u32::try_from(count) {
            return ItemCount::Below(self.b.constant(Const::u32(count)));
        }
        if let Ok(count) = u64::try_from(count) {
            return ItemCount::Below(self.b.constant(Const::u64(count)));
        }
        let (any, last) = (self.b.constant(Const::bool(true)), self.b.constant(Const::u64(u64::MAX)));
        ItemCount::UpTo { any, last }
    }

    /// The number of items as a `usize`, which has 32 bits.
    pub(super) fn length(&mut self, count: ItemCount, pos: Pos) -> OrNoValue<Option<ValueId>> {
        let count = match count {
            ItemCount::Below(count) => count,
            ItemCount::UpTo { any, last } => {
                let (zero, one) = (self.b.constant(Const::u32(0)), self.b.constant(Const::u32(1)));
                let last = self.convert(last, Scalar::U32, pos)?;
                let count = self.counted_op(CountOp::Add, last, one, pos)?;
                self.counted_select(any, count, zero, pos)?
            }
            ItemCount::Endless(_) => return Ok(None),
        };
        self.convert(count, Scalar::U32, pos).map(Some)
    }

    /// Is there an item of this number?
    pub(super) fn has_item(&mut self, count: ItemCount, number: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let scalar = self.scalar_for(number, count);
        let number = self.convert(number, scalar, pos)?;
        match count {
            ItemCount::Below(count) => {
                let count = self.convert(count, scalar, pos)?;
                self.op(Op::Lt, &[number, count], pos)
            }
            ItemCount::UpTo { any, last } => {
                let last = self.convert(last, scalar, pos)?;
                let is_near = self.op(Op::Le, &[number, last], pos)?;
                self.op(Op::And, &[any, is_near], pos)
            }
            ItemCount::Endless(_) => Ok(self.b.constant(Const::bool(true))),
        }
    }

    /// Is there any item, and the number of the last one; `None` if there is no last one.
    pub(super) fn last_number(&mut self, count: ItemCount, pos: Pos) -> OrNoValue<Option<(ValueId, ValueId)>> {
        Ok(match count {
            ItemCount::Below(count) => {
                let scalar = self.scalar_of(count);
                let [zero, one] = [0, 1].map(|bits| self.b.constant(Const { scalar, bits }));
                let any = match self.known(count) {
                    Some(count) => self.b.constant(Const::bool(count.bits != 0)),
                    None => self.op(Op::Lt, &[zero, count], pos)?,
                };
                Some((any, self.counted_op(CountOp::Sub, count, one, pos.implied())?))
            }
            ItemCount::UpTo { any, last } => Some((any, last)),
            ItemCount::Endless(_) => None,
        })
    }

    /// Without the first ones.
    pub(super) fn count_without(&mut self, count: ItemCount, number: ValueId, pos: Pos) -> OrNoValue<ItemCount> {
        Ok(match count {
            ItemCount::Below(count) => ItemCount::Below(self.counted_op(CountOp::SubSat, count, number, pos)?),
            ItemCount::UpTo { last, .. } => {
                let any = self.has_item(count, number, pos)?;
                ItemCount::UpTo { any, last: self.counted_op(CountOp::Sub, last, number, pos.implied())? }
            }
            ItemCount::Endless(_) => count,
        })
    }

    /// Those at multiples of a number, which is not zero.
    pub(super) fn count_of_multiples(&mut self, count: ItemCount, step: ValueId, pos: Pos) -> OrNoValue<ItemCount> {
        Ok(match count {
            ItemCount::Below(count) => {
                let scalar = self.scalar_of(count);
                let [zero, one] = [0, 1].map(|bits| self.b.constant(Const { scalar, bits }));
                let whole = self.counted_op(CountOp::Div, count, step, pos)?;
                let rest = self.counted_op(CountOp::Rem, count, step, pos)?;
                let is_more = match self.known(rest) {
                    Some(rest) => self.b.constant(Const::bool(rest.bits != 0)),
                    None => self.op(Op::Ne, &[rest, zero], pos)?,
                };
                let more = self.counted_select(is_more, one, zero, pos)?;
                ItemCount::Below(self.counted_op(CountOp::Add, whole, more, pos)?)
            }
            ItemCount::UpTo { any, last } => {
                ItemCount::UpTo { any, last: self.counted_op(CountOp::Div, last, step, pos)? }
            }
            ItemCount::Endless(_) => count,
        })
    }

    /// As many as the shorter one has.
    pub(super) fn shorter_count(&mut self, a: ItemCount, b: ItemCount, pos: Pos) -> OrNoValue<ItemCount> {
        Ok(match (a, b) {
            (ItemCount::Endless(_), other) | (other, ItemCount::Endless(_)) => other,
            (ItemCount::Below(a), ItemCount::Below(b)) => {
                let narrow = narrower(self.scalar_of(a), self.scalar_of(b));
                let least = self.counted_op(CountOp::Min, a, b, pos)?;
                ItemCount::Below(self.convert(least, narrow, pos)?)
            }
            (ItemCount::Below(count), ItemCount::UpTo { any, last })
            | (ItemCount::UpTo { any, last }, ItemCount::Below(count)) => {
                let narrow = self.scalar_of(count);
                let wide = wider(narrow, self.scalar_of(last));
                let (count, last) = (self.convert(count, wide, pos)?, self.convert(last, wide, pos)?);
                let [zero, one] = [0, 1].map(|bits| self.b.constant(Const { scalar: wide, bits }));
                let is_longer = self.op(Op::Gt, &[count, last], pos)?;
                // It does not wrap where it is taken: the count is greater than the last number.
                let behind = self.counted_op(CountOp::Add, last, one, pos.implied())?;
                let least = self.counted_select(is_longer, behind, count, pos)?;
                let least = self.counted_select(any, least, zero, pos)?;
                ItemCount::Below(self.convert(least, narrow, pos)?)
            }
            (ItemCount::UpTo { any: a, last: x }, ItemCount::UpTo { any: b, last: y }) => ItemCount::UpTo {
                any: self.op(Op::And, &[a, b], pos)?,
                last: self.counted_op(CountOp::Min, x, y, pos)?,
            },
        })
    }

    /// As many as both have. There are no more than 2^64 - 1; behind so many, nothing is ever reached.
    pub(super) fn count_of_both(&mut self, a: ItemCount, b: ItemCount, pos: Pos) -> OrNoValue<ItemCount> {
        let (Some(a), Some(b)) = (self.wide_count(a, pos)?, self.wide_count(b, pos)?) else {
            return Ok(ItemCount::Endless(Scalar::U64));
        };
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            return Ok(self.known_count(u128::from(a.bits.saturating_add(b.bits))));
        }
        self.counted_op(CountOp::AddSat, a, b, pos).map(ItemCount::Below)
    }

    /// The count as a `u64`; `None` if there is no end.
    fn wide_count(&mut self, count: ItemCount, pos: Pos) -> OrNoValue<Option<ValueId>> {
        Ok(match count {
            ItemCount::Below(count) => Some(self.convert(count, Scalar::U64, pos)?),
            ItemCount::UpTo { any, last } => {
                let last = self.convert(last, Scalar::U64, pos)?;
                let (zero, one) = (self.b.constant(Const::u64(0)), self.b.constant(Const::u64(1)));
                let count = self.counted_op(CountOp::AddSat, last, one, pos)?;
                Some(self.counted_select(any, count, zero, pos)?)
            }
            ItemCount::Endless(_) => None,
        })
    }

    /// The number of an item among those behind so many.
    pub(super) fn number_behind(&mut self, number: ValueId, count: ItemCount, pos: Pos) -> OrNoValue<ValueId> {
        let pos = pos.implied();
        match count {
            ItemCount::Below(count) => self.counted_op(CountOp::Sub, number, count, pos),
            ItemCount::UpTo { any, last } => {
                let scalar = wider(self.scalar_of(number), self.scalar_of(last));
                let [zero, one] = [0, 1].map(|bits| self.b.constant(Const { scalar, bits }));
                let (number, last) = (self.convert(number, scalar, pos)?, self.convert(last, scalar, pos)?);
                // Where it wraps, no item is behind.
                let count = self.counted_op(CountOp::Add, last, one, pos)?;
                let count = self.counted_select(any, count, zero, pos)?;
                self.counted_op(CountOp::Sub, number, count, pos)
            }
            ItemCount::Endless(_) => Ok(number),
        }
    }

    /// Is it known that the first one has no more items?
    pub(super) fn is_no_longer(&self, a: ItemCount, b: ItemCount) -> bool {
        match (a, b) {
            (_, ItemCount::Endless(_)) => true,
            (ItemCount::Below(a), ItemCount::Below(b)) => match (self.known(a), self.known(b)) {
                (Some(a), Some(b)) => a.bits <= b.bits,
                _ => a == b,
            },
            _ => false,
        }
    }
}

fn wider(a: Scalar, b: Scalar) -> Scalar {
    if a.bits() >= b.bits() { a } else { b }
}

fn narrower(a: Scalar, b: Scalar) -> Scalar {
    if a.bits() <= b.bits() { a } else { b }
}

/// An operation on numbers of items.
#[derive(Clone, Copy)]
pub(super) enum CountOp {
    Add,
    AddSat,
    Sub,
    SubSat,
    Mul,
    Min,
    Div,
    Rem,
}

impl CountOp {
    const fn row(self) -> Op {
        match self {
            CountOp::Add => Op::Add,
            CountOp::AddSat => Op::AddSat,
            CountOp::Sub => Op::Sub,
            CountOp::SubSat => Op::SubSat,
            CountOp::Mul => Op::Mul,
            CountOp::Min => Op::Min,
            CountOp::Div => Op::Div,
            CountOp::Rem => Op::Rem,
        }
    }

    /// The result for two constants of a type with this greatest value.
    fn of_constants(self, a: u64, b: u64, most: u64) -> u64 {
        match self {
            CountOp::Add => a.wrapping_add(b) & most,
            CountOp::AddSat => a.saturating_add(b).min(most),
            CountOp::Sub => a.wrapping_sub(b) & most,
            CountOp::SubSat => a.saturating_sub(b),
            CountOp::Mul => a.wrapping_mul(b) & most,
            CountOp::Min => a.min(b),
            CountOp::Div => a.checked_div(b).unwrap_or(0),
            CountOp::Rem => a.checked_rem(b).unwrap_or(0),
        }
    }
}
