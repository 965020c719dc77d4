//! How texels are stored: channels of 8, 16, 32 or 64 bits, packed into one stored element.
//!
//! The width is part of the texture's type, so a pair that does not exist is an error of the
//! compiler, and a kernel is compiled for the one format that it reads.

use tilewise_ir::launch::TexelFormat;

use crate::amp;
use crate::api::copy::make_room;
use crate::api::element::{Element, ValueOf};
use crate::api::error::Result;
use crate::api::vector::{Double2, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::math::half::HalfPair;

use super::texel::Texel;

/// The width of a channel. Sealed: texture units of GPUs decode texels by their type and width alone.
///
/// ```compile_fail,E0277
/// #[derive(Clone, Copy)]
/// struct Mine;
/// impl tilewise::graphics::TexelBits for Mine {
///     const BITS: u32 = 32;
/// }
/// ```
pub trait TexelBits: Copy + Send + Sync + 'static + sealed::Sealed {
    /// Bits of a channel.
    const BITS: u32;
}

mod sealed {
    //! Another width would let a program store texels in a way that texture units do not know.

    pub trait Sealed {}
}

macro_rules! widths {
    ($($(#[$doc:meta])* $name:ident $bits:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl sealed::Sealed for $name {}

        impl TexelBits for $name {
            const BITS: u32 = $bits;
        }
    )*};
}

widths! {
    /// Channels of 8 bits: of integers, `Norm`, `Unorm`.
    Bits8 8;
    /// Channels of 16 bits: of integers, `f32` (as `half::f16`), `Norm`, `Unorm`.
    Bits16 16;
    /// Channels of 32 bits: of integers, `f32`.
    Bits32 32;
    /// Channels of 64 bits: of `f64`.
    Bits64 64;
}

/// A texel that can be stored with channels of `B` bits. Values that a channel cannot hold are
/// clamped; floats round to the nearest, ties to even. A `Norm` or `Unorm` is in range by its type: of bits that are
/// not, which `reinterpret_as` can give it, unspecified bits are stored.
#[diagnostic::on_unimplemented(
    message = "a texture does not store `{Self}` with channels of `{B}`",
    label = "no such format",
    note = "integers are stored with 8, 16 or 32 bits, `f32` with 16 or 32, `Norm` and `Unorm` with 8 or 16, `f64` with 64; three channels only with 32"
)]
#[amp]
pub trait StoredAs<B: TexelBits>: Texel {
    /// The element that holds a texel.
    type Stored: Element;
    /// The texel of an element.
    #[doc(hidden)]
    fn decode(stored: <Self::Stored as Element>::Value) -> Self;
    /// The element for a texel.
    #[doc(hidden)]
    fn encode(self) -> <Self::Stored as Element>::Value;
}

/// The format of the texels, for targets that have textures of their own.
pub(super) const fn texel_format<T: Texel, B: TexelBits>() -> TexelFormat {
    TexelFormat { kind: T::KIND, bits: B::BITS, channels: T::CHANNELS }
}

/// Formats: texel, width, stored element; how to decode it, how to encode it.
macro_rules! formats {
    ($($t:ident $bits:ident $stored:ty: |$s:ident| $decode:expr, |$v:ident| $encode:expr;)*) => {$(
        #[amp]
        impl StoredAs<$bits> for $t {
            type Stored = $stored;

            fn decode($s: <$stored as Element>::Value) -> $t {
                $decode
            }

            fn encode(self) -> <$stored as Element>::Value {
                let $v = self;
                $encode
            }
        }
    )*};
}

/// Formats whose texel is stored as it is.
macro_rules! plain {
    ($($bits:ident: $($t:ident)*;)*) => {$($(
        formats!($t $bits $t: |s| s, |v| v;);
    )*)*};
}

pub(super) use formats;

plain! {
    Bits32: i32 Int2 Int3 Int4 u32 UInt2 UInt3 UInt4 f32 Float2 Float3 Float4;
    Bits64: f64 Double2;
}

formats! {
    u32 Bits8 u8: |s| s as u32, |v| v.min(255) as u8;
    UInt2 Bits8 u16: |s| UInt2::new(byte(s as u32, 0), byte(s as u32, 8)), |v| (v.x.min(255) | v.y.min(255) << 8) as u16;
    UInt4 Bits8 u32: |s| bytes(s),
        |v| v.x.min(255) | v.y.min(255) << 8 | v.z.min(255) << 16 | v.w.min(255) << 24;
    u32 Bits16 u16: |s| s as u32, |v| v.min(65535) as u16;
    UInt2 Bits16 u32: |s| UInt2::new(s & 0xffff, s >> 16), |v| v.x.min(65535) | v.y.min(65535) << 16;
    UInt4 Bits16 UInt2: |s| UInt4::new(s.x & 0xffff, s.x >> 16, s.y & 0xffff, s.y >> 16),
        |v| UInt2::new(v.x.min(65535) | v.y.min(65535) << 16, v.z.min(65535) | v.w.min(65535) << 16);
    i32 Bits8 i8: |s| s as i32, |v| v.clamp(-128, 127) as i8;
    Int2 Bits8 u16: |s| Int2::new(signed_byte(s as u32, 24), signed_byte(s as u32, 16)),
        |v| (low_byte(v.x) | low_byte(v.y) << 8) as u16;
    Int4 Bits8 u32: |s| signed_bytes(s),
        |v| low_byte(v.x) | low_byte(v.y) << 8 | low_byte(v.z) << 16 | low_byte(v.w) << 24;
    i32 Bits16 i16: |s| s as i32, |v| v.clamp(-32768, 32767) as i16;
    Int2 Bits16 u32: |s| signed_halves(s), |v| low_half(v.x) | low_half(v.y) << 16;
    Int4 Bits16 UInt2: |s| {
            let (low, high) = (signed_halves(s.x), signed_halves(s.y));
            Int4::new(low.x, low.y, high.x, high.y)
        },
        |v| UInt2::new(low_half(v.x) | low_half(v.y) << 16, low_half(v.z) | low_half(v.w) << 16);
    f32 Bits16 half::f16: |s| s, |v| v;
    Float2 Bits16 u32: |s| HalfPair::unpack(s), |v| HalfPair::pack(v);
    Float4 Bits16 UInt2: |s| {
            let (low, high) = (HalfPair::unpack(s.x), HalfPair::unpack(s.y));
            Float4::new(low.x, low.y, high.x, high.y)
        },
        |v| UInt2::new(HalfPair::pack(v.xy()), HalfPair::pack(v.zw()));
}

/// Eight bits from a place on.
#[amp]
pub(super) fn byte(bits: u32, from: u32) -> u32 {
    bits >> from & 255
}

/// Four bytes.
#[amp]
fn bytes(bits: u32) -> UInt4 {
    UInt4::new(bits & 255, byte(bits, 8), byte(bits, 16), bits >> 24)
}

/// A signed byte, shifted left by `up` to the top.
#[amp]
pub(super) fn signed_byte(bits: u32, up: u32) -> i32 {
    (bits << up) as i32 >> 24
}

/// Four signed bytes.
#[amp]
fn signed_bytes(bits: u32) -> Int4 {
    Int4::new(signed_byte(bits, 24), signed_byte(bits, 16), signed_byte(bits, 8), bits as i32 >> 24)
}

/// Two signed halves.
#[amp]
pub(super) fn signed_halves(bits: u32) -> Int2 {
    Int2::new((bits << 16) as i32 >> 16, bits as i32 >> 16)
}

/// The bits of a signed byte.
#[amp]
fn low_byte(value: i32) -> u32 {
    value.clamp(-128, 127) as u32 & 255
}

/// The bits of a signed half.
#[amp]
fn low_half(value: i32) -> u32 {
    value.clamp(-32768, 32767) as u32 & 0xffff
}

/// The texel of a stored element, on the host.
pub(in crate::api::graphics) fn decoded<T: StoredAs<B>, B: TexelBits>(stored: T::Stored) -> T {
    T::decode(ValueOf::of_element(stored))
}

/// The texels of stored elements, on the host; an error if there is no room for them.
pub(super) fn all_decoded<T: StoredAs<B>, B: TexelBits>(stored: Vec<T::Stored>) -> Result<Vec<T>> {
    // Texels as large as what is stored take its memory.
    if size_of::<T>() == size_of::<T::Stored>() && align_of::<T>() == align_of::<T::Stored>() {
        return Ok(stored.into_iter().map(decoded::<T, B>).collect());
    }
    let mut texels = Vec::new();
    make_room(&mut texels, stored.len() as u64)?;
    texels.extend(stored.into_iter().map(decoded::<T, B>));
    Ok(texels)
}

/// The stored element of a texel, on the host.
pub(in crate::api::graphics) fn encoded<T: StoredAs<B>, B: TexelBits>(texel: T) -> T::Stored {
    texel.encode().into_element()
}
