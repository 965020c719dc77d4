//! Bytes: typed loads, stores and atomics at an address. The bounds were judged before ([`place`](super::place)); an address that still lies outside its
//! space reads zero and writes nothing, so that nothing here can fail.

use crate::bytes::{changed, decode, encode};
use crate::kernel::AtomicOp;
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
