//! Shifts, rotations, and bit fields.
//!
//! The 128-bit instruction sets that Cranelift supports shift all lanes by one amount. A uniform
//! amount is used directly. Otherwise, on x86-64, 32-bit lanes are multiplied by a power of two,
//! which a conversion from float computes; 64-bit lanes, and all lanes on other machines, are
//! scalarised.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use tilewise_ir::types::Scalar;

use super::super::pieces::Pieces;
use super::Cx;
use super::integer::is_signed;
use super::steps::{EVENS, ODDS, ones, width_of};
use super::table::Lanewise;
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShiftRow {
    Move(Move),
    ExtractBits,
    InsertBits,
}

/// Shifts and rotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    Shl,
    Shr,
    Rotl,
    Rotr,
}

impl ShiftRow {
    /// When its lanes are scalarised, for a scalar.
    pub(super) const fn lanewise(self, scalar: Scalar) -> Lanewise {
        match self {
            ShiftRow::Move(Move::Shl | Move::Shr | Move::Rotl | Move::Rotr)
            | ShiftRow::ExtractBits
            | ShiftRow::InsertBits => {
                if scalar.bits() == 64 {
                    Lanewise::IfAmountsDiffer
                } else {
                    Lanewise::IfAmountsDifferElsewhere
                }
            }
        }
    }
}

/// Lowers a shift, rotation or bit-field operation.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: ShiftRow, scalar: Scalar, args: &[Pieces]) -> Pieces {
    let signed = is_signed(scalar);
    match row {
        ShiftRow::Move(way) => cx.moved(way, args[0], args[1], signed),
        ShiftRow::ExtractBits => cx.extracted(args[0], args[1], args[2], signed),
        ShiftRow::InsertBits => cx.inserted(args[0], args[1], args[2], args[3]),
    }
}

impl Cx<'_, '_> {
    /// Shifts or rotates `a` by `n` modulo the width. `signed` is for `shr`.
    fn moved(&mut self, way: Move, a: Pieces, n: Pieces, signed: bool) -> Pieces {
        let amount = match (a.is_vector(), n.constant, n.splat) {
            (false, _, _) => Some(n.first()),
            (true, Some(known), _) => {
                Some(self.at().iconst(types::I32, (known & u64::from(width_of(a.elem()) - 1)) as i64))
            }
            (true, None, splat) => splat,
        };
        if let Some(amount) = amount {
            return match way {
                Move::Shl => self.one(a.elem(), a, &|at, a| at.ishl(a, amount)),
                Move::Shr if signed => self.one(a.elem(), a, &|at, a| at.sshr(a, amount)),
                Move::Shr => self.one(a.elem(), a, &|at, a| at.ushr(a, amount)),
                Move::Rotl if !a.is_vector() => self.one(a.elem(), a, &|at, a| at.rotl(a, amount)),
                Move::Rotr if !a.is_vector() => self.one(a.elem(), a, &|at, a| at.rotr(a, amount)),
                Move::Rotl | Move::Rotr => {
                    // Bits that leave on one side enter on the other; shifting by 0 both ways is
                    // correct too.
                    let other = self.at().ineg(amount);
                    let (up, down) = if way == Move::Rotl { (amount, other) } else { (other, amount) };
                    let high = self.one(a.elem(), a, &|at, a| at.ishl(a, up));
                    let low = self.one(a.elem(), a, &|at, a| at.ushr(a, down));
                    self.or(high, low)
                }
            };
        }
        if a.elem() == Elem::I32 && self.facts.x64 {
            return self.multiplied(way, a, n, signed);
        }
        self.by_lanes(a.elem(), &[a, n], &mut |cx, args| cx.moved(way, args[0], args[1], signed))
    }

    /// Shifts 32-bit lanes by different amounts.
    fn multiplied(&mut self, way: Move, a: Pieces, n: Pieces, signed: bool) -> Pieces {
        match way {
            Move::Shl => {
                let power = self.power_of_two(n);
                self.imul(a, power)
            }
            Move::Shr if signed => {
                // The bits of negative numbers are inverted, and inverted back.
                let signs = self.down_signed(a, 31);
                let turned = self.xor(a, signs);
                let moved = self.multiplied(Move::Shr, turned, n, false);
                self.xor(moved, signs)
            }
            Move::Shr => {
                // Left by 31 - n in 64 bits, then right by 31.
                let other = self.one(Elem::I32, n, &|at, n| at.bnot(n));
                let power = self.power_of_two(other);
                let (a, power) = (self.doubled(a, false), self.doubled(power, false));
                let product = self.imul(a, power);
                let moved = self.down(product, 31);
                self.merged(Elem::I32, moved, EVENS)
            }
            Move::Rotl | Move::Rotr => {
                let n = if way == Move::Rotl { n } else { self.one(Elem::I32, n, &|at, n| at.ineg(n)) };
                let power = self.power_of_two(n);
                let (a, power) = (self.doubled(a, false), self.doubled(power, false));
                let product = self.imul(a, power);
                let (low, high) = (self.merged(Elem::I32, product, EVENS), self.merged(Elem::I32, product, ODDS));
                self.or(low, high)
            }
        }
    }

    /// 2 to the power `n` modulo 32, as an unsigned integer. x86-64 only: its conversion yields
    /// 2^31 for values above the range.
    fn power_of_two(&mut self, n: Pieces) -> Pieces {
        let (mask, one) = (self.bits(n, 31), self.bits(n, 127 << 23));
        let n = self.and(n, mask);
        let n = self.up(n, 23);
        let bits = self.iadd(n, one);
        let float = self.seen_as(Elem::F32, bits);
        self.one(Elem::I32, float, &|at, a| at.x86_cvtt2dq(types::I32X4, a))
    }

    /// An amount for each lane, or a uniform one if its arguments are uniform.
    fn amount(
        &mut self,
        a: Pieces,
        b: Pieces,
        step: impl Fn(&mut Self, Pieces, Pieces) -> Pieces,
        vector: impl Fn(&mut Self, Pieces) -> Pieces,
    ) -> Pieces {
        let uniform = |cx: &mut Self, a: Pieces| match (a.constant, a.splat) {
            (Some(known), _) => Some(Pieces::scalar(Elem::I32, cx.at().iconst(types::I32, known as i64))),
            (None, splat) => splat.map(|splat| Pieces::scalar(Elem::I32, splat)),
        };
        if a.is_vector()
            && let (Some(a), Some(b)) = (uniform(self, a), uniform(self, b))
        {
            let scalar = step(self, a, b);
            return vector(self, scalar);
        }
        step(self, a, b)
    }

    /// Offset and count of a field, clamped to the word; and the distance from its end to the
    /// word's.
    fn field(&mut self, e: Pieces, offset: Pieces, count: Pieces) -> (Pieces, Pieces, Pieces) {
        let lanes = offset;
        let vector = |cx: &mut Self, scalar: Pieces| cx.spread(scalar, lanes);
        let hold = |cx: &mut Self, offset: Pieces, _: Pieces| {
            let width = cx.bits(offset, width_of(e.elem()).into());
            cx.extreme(offset, width, false, false)
        };
        let offset = self.amount(offset, offset, hold, vector);
        let shorten = |cx: &mut Self, offset: Pieces, count: Pieces| {
            let width = cx.bits(offset, width_of(e.elem()).into());
            let room = cx.isub(width, offset);
            cx.extreme(count, room, false, false)
        };
        let count = self.amount(offset, count, shorten, vector);
        let above = |cx: &mut Self, offset: Pieces, count: Pieces| {
            let width = cx.bits(offset, width_of(e.elem()).into());
            let room = cx.isub(width, offset);
            cx.isub(room, count)
        };
        let above = self.amount(offset, count, above, vector);
        (offset, count, above)
    }

    /// A 32-bit scalar in every lane.
    fn spread(&mut self, scalar: Pieces, lanes: Pieces) -> Pieces {
        let value = scalar.first();
        self.one(Elem::I32, lanes, &|at, _| at.splat(types::I32X4, value)).with_splat(Some(value))
    }

    /// The width minus a number of bits.
    fn rest(&mut self, e: Pieces, count: Pieces) -> Pieces {
        let lanes = count;
        self.amount(
            count,
            count,
            |cx, count, _| {
                let width = cx.bits(count, width_of(e.elem()).into());
                cx.isub(width, count)
            },
            |cx, scalar| cx.spread(scalar, lanes),
        )
    }

    /// Is a number of bits nonzero? As a condition for lanes like those of `e`.
    fn some(&mut self, e: Pieces, count: Pieces) -> Pieces {
        let zero = self.bits(count, 0);
        let some = self.icmp(IntCC::NotEqual, count, zero);
        let some = self.truth(some);
        self.condition(some, e.elem())
    }

    fn extracted(&mut self, e: Pieces, offset: Pieces, count: Pieces, signed: bool) -> Pieces {
        let (_, count, above) = self.field(e, offset, count);
        // Left to the word's end, and right to its beginning. Shifts are modulo the width, which is
        // wrong only for 0 bits.
        let high = self.moved(Move::Shl, e, above, false);
        let rest = self.rest(e, count);
        let field = self.moved(Move::Shr, high, rest, signed);
        let some = self.some(e, count);
        self.where_true(some, field)
    }

    fn inserted(&mut self, e: Pieces, new: Pieces, offset: Pieces, count: Pieces) -> Pieces {
        let (offset, count, _) = self.field(e, offset, count);
        let all = self.bits(e, ones(e.elem()));
        let rest = self.rest(e, count);
        let low = self.moved(Move::Shr, all, rest, false);
        let some = self.some(e, count);
        let low = self.where_true(some, low);
        let mask = self.moved(Move::Shl, low, offset, false);
        let moved = self.moved(Move::Shl, new, offset, false);
        let (kept, put) = (self.without(e, mask), self.and(moved, mask));
        self.or(kept, put)
    }
}
