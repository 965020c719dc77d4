//! Integer and bit operations whose meaning is too long for the table.

use super::bits::ScalarBits;

/// An integer type as a sequence of bits.
pub(super) trait Integer: ScalarBits {
    /// Its width.
    const WIDTH: u32;
    /// Whether it has a sign bit.
    const SIGNED: bool;

    /// High half of the double-width product.
    fn mul_hi(self, other: Self) -> Self;
}

macro_rules! integer {
    ($($int:ty, $wide:ty, $signed:literal;)*) => {$(
        impl Integer for $int {
            const WIDTH: u32 = <$int>::BITS;
            const SIGNED: bool = $signed;

            fn mul_hi(self, other: Self) -> Self {
                ((<$wide>::from(self) * <$wide>::from(other)) >> <$int>::BITS) as $int
            }
        }
    )*};
}

integer! {
    i32, i64, true;
    u32, u64, false;
    i64, i128, true;
    u64, u128, false;
}

/// A mask of the lowest `count` bits; `count` is at most 64.
fn ones(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Clamps offset and count as WGSL does, so that the field lies within the word.
fn field(width: u32, offset: u32, count: u32) -> (u32, u32) {
    let offset = offset.min(width);
    (offset, count.min(width - offset))
}

/// Row `extract_bits`.
pub(super) fn extract_bits<I: Integer>(e: I, offset: u32, count: u32) -> I {
    let (offset, count) = field(I::WIDTH, offset, count);
    if count == 0 {
        return I::from_bits(0);
    }
    let found = (e.to_bits() >> offset) & ones(count);
    let negative = I::SIGNED && found >> (count - 1) != 0;
    I::from_bits(if negative { found | !ones(count) } else { found })
}

/// Row `insert_bits`.
pub(super) fn insert_bits<I: Integer>(e: I, new: I, offset: u32, count: u32) -> I {
    let (offset, count) = field(I::WIDTH, offset, count);
    if count == 0 {
        return e;
    }
    let mask = ones(count) << offset;
    I::from_bits(e.to_bits() & !mask | (new.to_bits() << offset) & mask)
}

/// Row `first_high`.
pub(super) fn first_high<I: Integer>(x: I) -> I {
    let bits = x.to_bits();
    let negative = I::SIGNED && bits >> (I::WIDTH - 1) != 0;
    let searched = if negative { !bits & ones(I::WIDTH) } else { bits };
    I::from_bits(if searched == 0 { u64::MAX } else { u64::from(63 - searched.leading_zeros()) })
}

/// Row `first_low`.
pub(super) fn first_low<I: Integer>(x: I) -> I {
    let bits = x.to_bits();
    I::from_bits(if bits == 0 { u64::MAX } else { u64::from(bits.trailing_zeros()) })
}
