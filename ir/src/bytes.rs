//! Scalars as bytes in memory: the meaning of loads, stores and atomics. Little-endian on every
//! target.

use crate::kernel::AtomicOp;
use crate::ops::ScalarBits;
use crate::types::{Scalar, Stored};

/// Decodes the value at the start of `bytes`; widens narrow formats.
#[inline]
pub fn decode(bytes: &[u8], stored: Stored) -> u64 {
    match stored {
        Stored::Bool => bytes.first().map_or(0, |&b| u64::from(b != 0)),
        Stored::I8 => bytes.first().map_or(0, |&b| i32::from(b as i8).to_bits()),
        Stored::U8 => bytes.first().map_or(0, |&b| u64::from(b)),
        Stored::I16 => bytes.first_chunk().map_or(0, |&b| i32::from(i16::from_le_bytes(b)).to_bits()),
        Stored::U16 => bytes.first_chunk().map_or(0, |&b| u64::from(u16::from_le_bytes(b))),
        Stored::F16 => bytes.first_chunk().map_or(0, |&b| half::f16::from_le_bytes(b).to_f32().to_bits().into()),
        Stored::I32 | Stored::U32 | Stored::F32 => bytes.first_chunk().map_or(0, |&b| u32::from_le_bytes(b).into()),
        Stored::I64 | Stored::U64 | Stored::F64 => bytes.first_chunk().map_or(0, |&b| u64::from_le_bytes(b)),
    }
}

/// Encodes a value at the start of `bytes`: truncated, `f16` rounded to nearest even. Does not
/// touch bytes beyond it.
#[inline]
pub fn encode(bytes: &mut [u8], stored: Stored, value: u64) {
    fn put<const N: usize>(bytes: &mut [u8], new: [u8; N]) {
        if let Some(to) = bytes.first_chunk_mut() {
            *to = new;
        }
    }
    match stored {
        Stored::Bool => put(bytes, [u8::from(value & 1 != 0)]),
        Stored::I8 | Stored::U8 => put(bytes, [value as u8]),
        Stored::I16 | Stored::U16 => put(bytes, (value as u16).to_le_bytes()),
        Stored::F16 => put(bytes, half::f16::from_f32(f32::from_bits(value as u32)).to_le_bytes()),
        Stored::I32 | Stored::U32 | Stored::F32 => put(bytes, (value as u32).to_le_bytes()),
        Stored::I64 | Stored::U64 | Stored::F64 => put(bytes, value.to_le_bytes()),
    }
}

/// The value after a store and a load in this format.
pub fn narrow(stored: Stored, value: u64) -> u64 {
    let mut bytes = [0; 8];
    encode(&mut bytes, stored, value);
    decode(&bytes, stored)
}

/// The value that an atomic stores, from the old value and the operand.
pub fn changed(op: AtomicOp, scalar: Scalar, old: u64, value: u64) -> u64 {
    macro_rules! integer {
        ($ty:ty) => {{
            let (old, value) = (<$ty as ScalarBits>::from_bits(old), <$ty as ScalarBits>::from_bits(value));
            let new: $ty = match op {
                AtomicOp::Add => old.wrapping_add(value),
                AtomicOp::Sub => old.wrapping_sub(value),
                AtomicOp::Min => old.min(value),
                AtomicOp::Max => old.max(value),
                AtomicOp::And => old & value,
                AtomicOp::Or => old | value,
                AtomicOp::Xor => old ^ value,
                AtomicOp::Inc => old.wrapping_add(1),
                AtomicOp::Dec => old.wrapping_sub(1),
                AtomicOp::Exchange => value,
            };
            ScalarBits::to_bits(new)
        }};
    }
    match scalar {
        Scalar::I32 => integer!(i32),
        Scalar::U32 => integer!(u32),
        Scalar::I64 => integer!(i64),
        Scalar::U64 => integer!(u64),
        Scalar::F32 if op == AtomicOp::Add => {
            ScalarBits::to_bits(f32::from_bits(old as u32) + f32::from_bits(value as u32))
        }
        // The checker permits only exchanges here.
        Scalar::F32 | Scalar::F64 | Scalar::Bool => value,
    }
}
