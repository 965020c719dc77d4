//! Numbers as arrays of bytes, and back: `to_le_bytes`, `from_be_bytes` and their like.

use std::sync::Arc;

use super::small::small;
use super::state::{Lower, OrNoValue};
use super::value::LoweredValue;
use super::{ByteOrder, RustType};
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, Stored};

/// The bytes that a number has, if it is one.
fn size(ty: &RustType) -> Option<u32> {
    match ty {
        RustType::Small(_) => small(ty).map(Stored::size),
        RustType::Data(Data { scalar, width: 1 }) => match scalar {
            Scalar::I32 | Scalar::U32 | Scalar::F32 => Some(4),
            Scalar::I64 | Scalar::U64 | Scalar::F64 => Some(8),
            Scalar::Bool => None,
        },
        _ => None,
    }
}

/// By how many bits each byte of an array is shifted.
fn shifts(order: ByteOrder, count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(move |k| match order {
        ByteOrder::Little => 8 * k,
        ByteOrder::Big => 8 * (count - 1 - k),
    })
}

impl Lower {
    /// `x.to_le_bytes()`, `x.to_be_bytes()`
    pub(super) fn bytes_of_number(
        &mut self,
        order: ByteOrder,
        value: &LoweredValue,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let Some(count) = size(&value.ty) else {
            return self.broken(format!("the bytes of `{}`", value.ty.show()), pos);
        };
        let (id, wide) = (self.id(value, pos)?, count == 8);
        let bits = if value.ty.data().is_some_and(|data| data.scalar.is_float()) {
            self.op(if wide { Op::BitcastU64 } else { Op::BitcastU32 }, &[id], pos)?
        } else {
            self.convert(id, if wide { Scalar::U64 } else { Scalar::U32 }, pos)?
        };
        let byte = RustType::Small(Stored::U8);
        let mut parts = Vec::new();
        for shift in shifts(order, count) {
            let amount = self.b.constant(Const::u32(shift));
            let shifted = if shift == 0 { bits } else { self.op(Op::Shr, &[bits, amount], pos)? };
            let low = self.convert(shifted, Scalar::U32, pos)?;
            parts.push(LoweredValue::one(byte.clone(), self.wrapped(low, Stored::U8, pos)?));
        }
        Ok(LoweredValue::parts(RustType::Array(Arc::new(byte), count), parts))
    }

    /// `T::from_le_bytes(bytes)`, `T::from_be_bytes(bytes)`
    pub(super) fn number_of_bytes(
        &mut self,
        order: ByteOrder,
        ty: &RustType,
        bytes: &LoweredValue,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let is_right = |count: &u32| bytes.ty == RustType::Array(Arc::new(RustType::Small(Stored::U8)), *count);
        let Some(count) = size(ty).filter(is_right) else {
            return self.broken(format!("a `{}` from `{}`", ty.show(), bytes.ty.show()), pos);
        };
        let word = if count == 8 { Scalar::U64 } else { Scalar::U32 };
        let mut bits: Option<ValueId> = None;
        for (i, shift) in (0..).zip(shifts(order, count)) {
            let byte = self.part(bytes, i, pos)?;
            let byte = self.id(&byte, pos)?;
            let byte = self.convert(byte, word, pos)?;
            let amount = self.b.constant(Const::u32(shift));
            let placed = if shift == 0 { byte } else { self.op(Op::Shl, &[byte, amount], pos)? };
            bits = Some(match bits {
                Some(before) => self.op(Op::Or, &[before, placed], pos)?,
                None => placed,
            });
        }
        let Some(bits) = bits else { return self.broken("a number of no bytes", pos) };
        match ty.data().map(|data| data.scalar) {
            Some(Scalar::F32) => Ok(LoweredValue::one(ty.clone(), self.op(Op::BitcastF32, &[bits], pos)?)),
            Some(Scalar::F64) => Ok(LoweredValue::one(ty.clone(), self.op(Op::BitcastF64, &[bits], pos)?)),
            _ => self.cast_to(bits, ty, pos),
        }
    }
}
