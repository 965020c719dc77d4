//! The companions of `to_le_bytes`, `from_be_bytes` and their like: numbers as arrays of bytes, and back.

use std::marker::PhantomData;

use tilewise_lower::ByteOrder;

use crate::kernel::macro_support::{Called, Form, KernelFn, RustBuiltin};
use crate::kernel::types::KernelType;

/// A number, and the array of its bytes.
pub trait NumberBytes: Sized {
    /// The array.
    type Bytes;
    /// `to_le_bytes`
    fn to_le(self) -> Self::Bytes;
    /// `to_be_bytes`
    fn to_be(self) -> Self::Bytes;
    /// `from_le_bytes`
    fn from_le(bytes: Self::Bytes) -> Self;
    /// `from_be_bytes`
    fn from_be(bytes: Self::Bytes) -> Self;
}

/// A number that has as many bytes in a kernel as on the host.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has 8 bytes on the host and 4 in a kernel",
    label = "its bytes differ",
    note = "name the width: `(x as u32).to_le_bytes()`, `u32::from_le_bytes(bytes) as {Self}`"
)]
pub trait SameBytes: NumberBytes {
    /// The array. (Of a missing trait's type, rustc reports nothing more.)
    type Array;
    /// The same array.
    fn array(bytes: Self::Bytes) -> Self::Array;
    /// The same array.
    fn bytes(array: Self::Array) -> Self::Bytes;
}

/// The meaning of `to_le_bytes` and of `to_be_bytes`. The order of the host's own is that of kernels, on which numbers
/// lie in memory with the lowest byte first.
#[derive(Debug)]
pub struct ToBytes<O>(PhantomData<O>);

/// The meaning of `T::from_le_bytes` and of `T::from_be_bytes`.
#[derive(Debug)]
pub struct FromBytes<O, T>(PhantomData<(O, T)>);

/// An order of bytes, as a type.
pub trait BytesInOrder {
    /// The same as data.
    const ORDER: ByteOrder;
}

/// The lowest byte first.
#[derive(Debug)]
pub enum LowestFirst {}

/// The highest byte first.
#[derive(Debug)]
pub enum HighestFirst {}

impl BytesInOrder for LowestFirst {
    const ORDER: ByteOrder = ByteOrder::Little;
}

impl BytesInOrder for HighestFirst {
    const ORDER: ByteOrder = ByteOrder::Big;
}

impl<O: BytesInOrder> KernelFn for ToBytes<O> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::ToBytes(O::ORDER))
    }
}

impl<O: BytesInOrder, T: KernelType> KernelFn for FromBytes<O, T> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::FromBytes(O::ORDER, T::ty()))
    }
}

/// The companions. On the host, `to_ne_bytes` has the order of kernels: the lowest byte first.
pub trait BytesMethods: NumberBytes {
    /// The companion of `to_le_bytes`.
    #[inline(always)]
    fn to_le_bytes_marked_amp(self) -> Called<Self::Array, ToBytes<LowestFirst>>
    where
        Self: SameBytes,
    {
        Called::new(Self::array(self.to_le()))
    }

    /// The companion of `to_be_bytes`.
    #[inline(always)]
    fn to_be_bytes_marked_amp(self) -> Called<Self::Array, ToBytes<HighestFirst>>
    where
        Self: SameBytes,
    {
        Called::new(Self::array(self.to_be()))
    }

    /// The companion of `to_ne_bytes`.
    #[inline(always)]
    fn to_ne_bytes_marked_amp(self) -> Called<Self::Array, ToBytes<LowestFirst>>
    where
        Self: SameBytes,
    {
        Called::new(Self::array(self.to_le()))
    }

    /// The companion of `from_le_bytes`.
    #[inline(always)]
    fn from_le_bytes_marked_amp(bytes: Self::Array) -> Called<Self, FromBytes<LowestFirst, Self>>
    where
        Self: SameBytes,
    {
        Called::new(Self::from_le(Self::bytes(bytes)))
    }

    /// The companion of `from_be_bytes`.
    #[inline(always)]
    fn from_be_bytes_marked_amp(bytes: Self::Array) -> Called<Self, FromBytes<HighestFirst, Self>>
    where
        Self: SameBytes,
    {
        Called::new(Self::from_be(Self::bytes(bytes)))
    }

    /// The companion of `from_ne_bytes`.
    #[inline(always)]
    fn from_ne_bytes_marked_amp(bytes: Self::Array) -> Called<Self, FromBytes<LowestFirst, Self>>
    where
        Self: SameBytes,
    {
        Called::new(Self::from_le(Self::bytes(bytes)))
    }
}

impl<T: NumberBytes> BytesMethods for T {}

macro_rules! with_bytes {
    ($($t:ident)*) => {$(
        impl NumberBytes for $t {
            type Bytes = [u8; size_of::<$t>()];

            #[inline(always)]
            fn to_le(self) -> Self::Bytes {
                self.to_le_bytes()
            }
            #[inline(always)]
            fn to_be(self) -> Self::Bytes {
                self.to_be_bytes()
            }
            #[inline(always)]
            fn from_le(bytes: Self::Bytes) -> Self {
                <$t>::from_le_bytes(bytes)
            }
            #[inline(always)]
            fn from_be(bytes: Self::Bytes) -> Self {
                <$t>::from_be_bytes(bytes)
            }
        }
    )*};
}

macro_rules! of_the_same_bytes {
    ($($t:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl SameBytes for $t {
            type Array = Self::Bytes;

            #[inline(always)]
            fn array(bytes: Self::Bytes) -> Self::Bytes {
                bytes
            }
            #[inline(always)]
            fn bytes(array: Self::Bytes) -> Self::Bytes {
                array
            }
        }
    )*};
}

with_bytes!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 usize isize);
of_the_same_bytes!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
