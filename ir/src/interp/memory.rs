//! Bytes: typed loads, stores and atomics at an address. The bounds were judged before ([`place`](super::place)); an address that still lies outside its
//! space reads zero and writes nothing, so that nothing here can fail.

use crate::kernel::AtomicOp;
use crate::ops::Bits;
use crate::types::{Scalar, Stored};

/// Which stretch of bytes: a piece of the launch's memory, or one of the spaces behind them.
pub(super) type Space = u32;

/// All spaces of a launch.
pub(super) type Spaces = Vec<Vec<u8>>;

/// A byte of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) space: Space,
    pub(super) at: u64,
}

/// The bytes of a space from an address on.
#[inline]
fn from(spaces: &Spaces, address: Address) -> &[u8] {
    let bytes = spaces.get(address.space as usize).and_then(|bytes| bytes.get(usize::try_from(address.at).ok()?..));
    bytes.unwrap_or(&[])
}

/// The same, to write to.
#[inline]
fn from_mut(spaces: &mut Spaces, address: Address) -> &mut [u8] {
    let bytes =
        spaces.get_mut(address.space as usize).and_then(|bytes| bytes.get_mut(usize::try_from(address.at).ok()?..));
    bytes.unwrap_or(&mut [])
}

/// Reads 32 bits.
#[inline]
pub(super) fn load_word(spaces: &Spaces, address: Address) -> u64 {
    from(spaces, address).first_chunk().map_or(0, |&b| u64::from(u32::from_le_bytes(b)))
}

/// Writes 32 bits.
#[inline]
pub(super) fn store_word(spaces: &mut Spaces, address: Address, value: u64) {
    if let Some(to) = from_mut(spaces, address).first_chunk_mut() {
        *to = (value as u32).to_le_bytes();
    }
}

/// Reads `to.len()` scalars that lie one after the other.
#[inline]
pub(super) fn load(spaces: &Spaces, address: Address, stored: Stored, to: &mut [u64]) {
    let mut bytes = from(spaces, address);
    for lane in to {
        *lane = decode(bytes, stored);
        bytes = bytes.get(stored.size() as usize..).unwrap_or(&[]);
    }
}

/// Writes scalars one after the other.
#[inline]
pub(super) fn store(spaces: &mut Spaces, address: Address, stored: Stored, values: &[u64]) {
    let mut bytes = from_mut(spaces, address);
    for &value in values {
        encode(bytes, stored, value);
        bytes = bytes.get_mut(stored.size() as usize..).unwrap_or(&mut []);
    }
}

/// The value that stands at the head of `bytes`: narrow formats widened.
#[inline]
pub(super) fn decode(bytes: &[u8], stored: Stored) -> u64 {
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

/// Writes a value at the head of `bytes`: truncated, `f16` rounded to nearest even. Bytes beyond it are not touched.
#[inline]
pub(super) fn encode(bytes: &mut [u8], stored: Stored, value: u64) {
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

/// What a value becomes by being stored and loaded again.
pub(super) fn narrow(stored: Stored, value: u64) -> u64 {
    let mut bytes = [0; 8];
    encode(&mut bytes, stored, value);
    decode(&bytes, stored)
}

/// Changes a scalar; gives the value before.
pub(super) fn atomic(spaces: &mut Spaces, address: Address, op: AtomicOp, scalar: Scalar, value: u64) -> u64 {
    let stored = scalar.stored();
    let old = decode(from(spaces, address), stored);
    encode(from_mut(spaces, address), stored, changed(op, scalar, old, value));
    old
}

/// Stores `new` if `expected` is there, bit by bit; gives the value before and whether it was stored.
pub(super) fn compare_exchange(
    spaces: &mut Spaces,
    address: Address,
    scalar: Scalar,
    expected: u64,
    new: u64,
) -> (u64, bool) {
    let stored = scalar.stored();
    let bytes = from(spaces, address);
    let old = decode(bytes, stored);
    let equal = old == expected && !bytes.is_empty();
    if equal {
        encode(from_mut(spaces, address), stored, new);
    }
    (old, equal)
}

/// What an atomic makes of the value before.
fn changed(op: AtomicOp, scalar: Scalar, old: u64, value: u64) -> u64 {
    macro_rules! integer {
        ($ty:ty) => {{
            let (old, value) = (<$ty as Bits>::from_bits(old), <$ty as Bits>::from_bits(value));
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
            Bits::to_bits(new)
        }};
    }
    match scalar {
        Scalar::I32 => integer!(i32),
        Scalar::U32 => integer!(u32),
        Scalar::I64 => integer!(i64),
        Scalar::U64 => integer!(u64),
        Scalar::F32 if op == AtomicOp::Add => Bits::to_bits(f32::from_bits(old as u32) + f32::from_bits(value as u32)),
        // The checker lets only exchanges through here.
        Scalar::F32 | Scalar::F64 | Scalar::Bool => value,
    }
}
