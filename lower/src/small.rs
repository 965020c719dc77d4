//! Integers of 8 and 16 bits. As a value, such a number has 32 bits and lies within its range
//! ([`RustType::Small`]): operators and methods compute with 32 bits, and wrap what is made.

use super::RustType;
use super::methods::{self, MethodType};
use super::state::{Lower, OrNoValue};
use super::value::LoweredValue;
use tilewise_ast::Binary;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, Stored};

/// The format of an integer of 8 or 16 bits.
pub(super) const fn small(ty: &RustType) -> Option<Stored> {
    match ty {
        RustType::Small(stored @ (Stored::I8 | Stored::U8 | Stored::I16 | Stored::U16)) => Some(*stored),
        _ => None,
    }
}

/// The row that wraps to a format.
const fn wrap_row(stored: Stored) -> Option<Op> {
    match stored {
        Stored::I8 => Some(Op::WrapI8),
        Stored::U8 => Some(Op::WrapU8),
        Stored::I16 => Some(Op::WrapI16),
        Stored::U16 => Some(Op::WrapU16),
        Stored::I32
        | Stored::U32
        | Stored::I64
        | Stored::U64
        | Stored::F16
        | Stored::F32
        | Stored::F64
        | Stored::Bool => None,
    }
}

/// The format of the same width with another sign.
const fn with_sign(stored: Stored, signed: bool) -> Stored {
    match (stored, signed) {
        (Stored::I8 | Stored::U8, true) => Stored::I8,
        (Stored::I8 | Stored::U8, false) => Stored::U8,
        (_, true) => Stored::I16,
        (_, false) => Stored::U16,
    }
}

/// The number of its bits.
const fn width(stored: Stored) -> u32 {
    stored.size() * 8
}

/// The least and the largest number.
pub(super) fn limits(stored: Stored) -> (Const, Const) {
    match stored {
        Stored::I8 => (Const::i32(i8::MIN.into()), Const::i32(i8::MAX.into())),
        Stored::U8 => (Const::u32(0), Const::u32(u8::MAX.into())),
        Stored::I16 => (Const::i32(i16::MIN.into()), Const::i32(i16::MAX.into())),
        // [`small`] gives no others.
        Stored::U16
        | Stored::Bool
        | Stored::I32
        | Stored::U32
        | Stored::I64
        | Stored::U64
        | Stored::F16
        | Stored::F32
        | Stored::F64 => (Const::u32(0), Const::u32(u16::MAX.into())),
    }
}

impl Lower {
    /// The low bits of a number of 32 bits, as a number of the format.
    pub(super) fn wrapped(&mut self, value: ValueId, stored: Stored, pos: Pos) -> OrNoValue<ValueId> {
        let Some(row) = wrap_row(stored) else { return Ok(value) };
        if let Some(known) = self.known(value) {
            let bits = match stored {
                Stored::I8 => known.bits as i8 as i32 as u32,
                Stored::U8 => (known.bits as u8).into(),
                Stored::I16 => known.bits as i16 as i32 as u32,
                // [`small`] gives no others.
                Stored::U16
                | Stored::Bool
                | Stored::I32
                | Stored::U32
                | Stored::I64
                | Stored::U64
                | Stored::F16
                | Stored::F32
                | Stored::F64 => (known.bits as u16).into(),
            };
            return Ok(self.b.constant(Const { bits: bits.into(), ..known }));
        }
        self.op(row, &[value], pos)
    }

    /// The result of an operator whose left operand is of the format.
    pub(super) fn small_result(
        &mut self,
        op: Binary,
        id: ValueId,
        stored: Stored,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let id = match op {
            // These give numbers within the range.
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shr | Binary::Rem => id,
            _ if fault::planted(Fault::SmallSum) => id,
            _ => self.wrapped(id, stored, pos)?,
        };
        Ok(LoweredValue::one(RustType::Small(stored), id))
    }

    /// The amount of a shift, modulo the width.
    pub(super) fn small_amount(&mut self, amount: ValueId, stored: Stored, pos: Pos) -> OrNoValue<ValueId> {
        let bits = self.b.constant(Const::u32(fault::choose(Fault::SmallShift, width(stored), 32) - 1));
        self.op(Op::And, &[amount, bits], pos)
    }

    /// A method of a number of the format.
    pub(super) fn small_method(
        &mut self,
        name: &str,
        stored: Stored,
        args: &[LoweredValue],
        pos: Pos,
    ) -> OrNoValue<Option<LoweredValue>> {
        let scalar = stored.value();
        let Some(method) = methods::find(name, scalar) else { return Ok(None) };
        let mut ids = self.method_operands(name, args, pos)?;
        self.spend(12, pos)?;
        let one = |lower: &mut Lower, name: &str, ids: &[ValueId]| -> OrNoValue<Option<ValueId>> {
            match methods::emit(&mut lower.b, name, ids, pos) {
                Some(results) => Ok(results.first().copied()),
                None => Ok(None),
            }
        };
        let value = match name {
            "overflowing_add" | "overflowing_sub" | "overflowing_mul" => {
                let wrapping = name.replace("overflowing", "wrapping");
                let Some(whole) = one(self, &wrapping, &ids)? else { return Ok(None) };
                let part = self.wrapped(whole, stored, pos)?;
                let beyond = self.op(Op::Ne, &[whole, part], pos)?;
                let (own, truth) = (RustType::Small(stored), RustType::Data(Data::BOOL));
                let parts = [LoweredValue::one(own.clone(), part), LoweredValue::one(truth.clone(), beyond)];
                return Ok(Some(LoweredValue::parts(RustType::Tuple(vec![own, truth]), parts)));
            }
            "saturating_add" | "saturating_sub" | "saturating_mul" | "saturating_abs" | "saturating_neg" => {
                let Some(whole) = one(self, name, &ids)? else { return Ok(None) };
                let (low, high) = limits(stored);
                let (low, high) = (self.b.constant(low), self.b.constant(high));
                Some(self.op(Op::Clamp, &[whole, low, high], pos)?)
            }
            "wrapping_shl" | "wrapping_shr" => {
                if let [_, amount] = &mut ids[..] {
                    *amount = self.small_amount(*amount, stored, pos)?;
                }
                one(self, name, &ids)?
            }
            "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "leading_ones" | "trailing_ones"
            | "swap_bytes" | "reverse_bits" | "rotate_left" | "rotate_right" | "ilog2" => {
                let bits = self.small_bits(name, stored, &ids, pos)?;
                Some(if method.results == [MethodType::Own] { self.convert(bits, scalar, pos)? } else { bits })
            }
            _ => one(self, name, &ids)?,
        };
        let (Some(value), [result]) = (value, method.results) else { return Ok(None) };
        let stored = match result {
            MethodType::Own => stored,
            MethodType::Unsigned => with_sign(stored, false),
            MethodType::Signed => with_sign(stored, true),
            MethodType::U32 | MethodType::I32 | MethodType::Bool => {
                let scalar = result.of(scalar);
                return Ok(Some(LoweredValue::one(RustType::scalar(scalar), value)));
            }
        };
        let value = self.wrapped(value, stored, pos)?;
        Ok(Some(LoweredValue::one(RustType::Small(stored), value)))
    }

    /// A method that sees the number as bits: a `u32`.
    fn small_bits(&mut self, name: &str, stored: Stored, ids: &[ValueId], pos: Pos) -> OrNoValue<ValueId> {
        let [value, rest @ ..] = ids else { return self.broken("a method of nothing", pos) };
        let (bits, all) = (width(stored), (1_u32 << width(stored)) - 1);
        let number = |lower: &mut Lower, x: u32| lower.b.constant(Const::u32(x));
        let (all, above) = (number(self, all), number(self, 32 - bits));
        let value = self.convert(*value, Scalar::U32, pos)?;
        let own = self.op(Op::And, &[value, all], pos)?;
        match (name, rest) {
            ("count_ones", []) => self.op(Op::CountOnes, &[own], pos),
            ("count_zeros", []) => {
                let others = self.op(Op::Xor, &[own, all], pos)?;
                self.op(Op::CountOnes, &[others], pos)
            }
            ("leading_zeros", []) => {
                let zeros = self.op(Op::LeadingZeros, &[own], pos)?;
                self.op(Op::Sub, &[zeros, above], pos)
            }
            ("leading_ones", []) => {
                let others = self.op(Op::Xor, &[own, all], pos)?;
                let zeros = self.op(Op::LeadingZeros, &[others], pos)?;
                self.op(Op::Sub, &[zeros, above], pos)
            }
            ("trailing_zeros", []) => {
                let end = number(self, 1 << bits);
                let ended = self.op(Op::Or, &[own, end], pos)?;
                self.op(Op::TrailingZeros, &[ended], pos)
            }
            ("trailing_ones", []) => {
                let others = self.op(Op::Not, &[own], pos)?;
                self.op(Op::TrailingZeros, &[others], pos)
            }
            ("swap_bytes", []) => {
                let swapped = self.op(Op::SwapBytes, &[own], pos)?;
                self.op(Op::Shr, &[swapped, above], pos)
            }
            ("reverse_bits", []) => {
                let reversed = self.op(Op::ReverseBits, &[own], pos)?;
                self.op(Op::Shr, &[reversed, above], pos)
            }
            ("ilog2", []) => {
                let (zeros, last) = (self.op(Op::LeadingZeros, &[own], pos)?, number(self, 31));
                self.op(Op::Sub, &[last, zeros], pos)
            }
            ("rotate_left" | "rotate_right", [amount]) => {
                let amount = self.small_amount(*amount, stored, pos)?;
                let whole = number(self, bits);
                let back = self.op(Op::Sub, &[whole, amount], pos)?;
                let (left, right) = if name == "rotate_left" { (amount, back) } else { (back, amount) };
                let (high, low) = (self.op(Op::Shl, &[own, left], pos)?, self.op(Op::Shr, &[own, right], pos)?);
                self.op(Op::Or, &[high, low], pos)
            }
            _ => self.broken(format!("no method `{name}` of bits"), pos),
        }
    }

    /// A number as one of another type, like Rust's `as`.
    pub(super) fn cast_to(&mut self, value: ValueId, ty: &RustType, pos: Pos) -> OrNoValue<LoweredValue> {
        let id = match ty {
            RustType::Small(stored) => self.cast_small(value, *stored, pos)?,
            _ => match ty.data() {
                Some(Data { scalar, width: 1 }) => self.convert(value, scalar, pos)?,
                _ => return self.broken(format!("a cast to `{}`", ty.show()), pos),
            },
        };
        Ok(LoweredValue::one(ty.clone(), id))
    }

    /// `T::try_from(x)` of integers and characters: `Ok` where the number is the same in the other type.
    pub(super) fn fitted(&mut self, value: &LoweredValue, result: &RustType, pos: Pos) -> OrNoValue<LoweredValue> {
        let (Some(ty), Some(error)) = (result.part(1), result.part(2)) else {
            return self.broken("a result that is no `Result`", pos);
        };
        let number = self.id(value, pos)?;
        let cast = self.cast_to(number, &ty, pos)?;
        let cast = self.id(&cast, pos)?;
        let fits = match (&value.ty, &ty) {
            (RustType::Char, RustType::Char) => self.b.constant(Const::bool(true)),
            (_, RustType::Char) => self.is_character(number, pos)?,
            _ => self.is_same_number(number, cast, &value.ty, pos)?,
        };
        let zero = self.zero(&ty, pos)?;
        let zero = self.id(&zero, pos)?;
        let (first, second) = (self.variant_constant(0), self.variant_constant(1));
        let (first, second) = (self.id(&first, pos)?, self.id(&second, pos)?);
        let variant = self.op(Op::Select, &[fits, first, second], pos)?;
        let variant = LoweredValue::one(RustType::Data(Data::U32), variant);
        let cast = self.op(Op::Select, &[fits, cast, zero], pos)?;
        let error = self.zero(&error, pos)?;
        Ok(LoweredValue::parts(result.clone(), [variant, LoweredValue::one(ty, cast), error]))
    }

    /// Has a character this number?
    fn is_character(&mut self, number: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let [gap, behind, end] = [0xd800, 0xe000, 0x0011_0000].map(|limit| self.b.constant(Const::u32(limit)));
        let number = self.convert(number, Scalar::U32, pos)?;
        let before = self.op(Op::Lt, &[number, gap], pos)?;
        let after = self.op(Op::Ge, &[number, behind], pos)?;
        let within = self.op(Op::Lt, &[number, end], pos)?;
        let after = self.op(Op::And, &[after, within], pos)?;
        self.op(Op::Or, &[before, after], pos)
    }

    /// Is an integer the same after a cast? The way back gives it, and its sign is what it was.
    fn is_same_number(&mut self, number: ValueId, cast: ValueId, from: &RustType, pos: Pos) -> OrNoValue<ValueId> {
        let back = self.cast_to(cast, from, pos)?;
        let back = self.id(&back, pos)?;
        let mut same = self.op(Op::Eq, &[number, back], pos)?;
        let scalar = |lower: &Lower, id| lower.b.value_type(id).data().map(|data| data.scalar);
        let (Some(before), Some(after)) = (scalar(self, number), scalar(self, cast)) else {
            return self.broken("a conversion of no number", pos);
        };
        if before.is_signed_integer() != after.is_signed_integer() {
            let (signed, of) = if before.is_signed_integer() { (number, before) } else { (cast, after) };
            let zero = self.b.constant(Const { scalar: of, bits: 0 });
            let positive = self.op(Op::Ge, &[signed, zero], pos)?;
            same = self.op(Op::And, &[same, positive], pos)?;
        }
        Ok(same)
    }

    /// Converts a number to one of 8 or 16 bits: floats saturate, integers wrap.
    fn cast_small(&mut self, value: ValueId, to: Stored, pos: Pos) -> OrNoValue<ValueId> {
        let is_float = self.b.value_type(value).data().is_some_and(|data| data.scalar.is_float());
        let wide = self.convert(value, to.value(), pos)?;
        match (to, is_float) {
            (Stored::F16, _) => self.op(Op::QuantizeF16, &[wide], pos),
            (_, false) => self.wrapped(wide, to, pos),
            (_, true) => {
                let (low, high) = limits(to);
                let (low, high) = (self.b.constant(low), self.b.constant(high));
                self.op(Op::Clamp, &[wide, low, high], pos)
            }
        }
    }
}
