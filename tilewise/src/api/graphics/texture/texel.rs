//! The types of texels, and the vectors of floats that sampling computes with.

use tilewise_ir::launch::ChannelKind;

use crate::amp;
use crate::api::element::Element;
use crate::api::vector::{Double2, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::types::KernelValue;

use super::format::{Bits32, Bits64, TexelBits};

/// The type of a texel: a number or a short vector.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a texel",
    label = "not a texel",
    note = "texels are `i32`, `u32`, `f32`, `f64`, `Norm`, `Unorm` and their short vectors, but for `Double3`, `Double4`, `Norm3` and `Unorm3`"
)]
pub trait Texel: KernelValue + Element<Value = Self> {
    /// The number of its channels.
    const CHANNELS: u32;
    /// What a channel is.
    #[doc(hidden)]
    const KIND: ChannelKind;
    /// The width of a channel where no other is named.
    type Natural: TexelBits;
}

macro_rules! texels {
    ($($t:ty: $kind:ident $channels:literal $natural:ty;)*) => {$(
        impl Texel for $t {
            const CHANNELS: u32 = $channels;
            const KIND: ChannelKind = ChannelKind::$kind;
            type Natural = $natural;
        }
    )*};
}

pub(super) use texels;

texels! {
    i32: Signed 1 Bits32;
    Int2: Signed 2 Bits32;
    Int3: Signed 3 Bits32;
    Int4: Signed 4 Bits32;
    u32: Unsigned 1 Bits32;
    UInt2: Unsigned 2 Bits32;
    UInt3: Unsigned 3 Bits32;
    UInt4: Unsigned 4 Bits32;
    f32: Float 1 Bits32;
    Float2: Float 2 Bits32;
    Float3: Float 3 Bits32;
    Float4: Float 4 Bits32;
    f64: Float 1 Bits64;
    Double2: Float 2 Bits64;
}

/// The floats of a texel while it is filtered.
#[amp]
pub trait WideTexel: Copy {
    /// `self * (1 - weight) + other * weight`, each step rounded.
    fn blend(self, other: Self, weight: f32) -> Self;
    /// The first channels of a colour.
    fn of_color(color: Float4) -> Self;
    /// All channels; missing ones are 0.
    fn color(self) -> Float4;
}

#[amp]
impl WideTexel for f32 {
    fn blend(self, other: f32, weight: f32) -> f32 {
        self * (1.0 - weight) + other * weight
    }

    fn of_color(color: Float4) -> f32 {
        color.x
    }

    fn color(self) -> Float4 {
        Float4::new(self, 0.0, 0.0, 0.0)
    }
}

#[amp]
impl WideTexel for Float2 {
    fn blend(self, other: Float2, weight: f32) -> Float2 {
        self * (1.0 - weight) + other * weight
    }

    fn of_color(color: Float4) -> Float2 {
        color.xy()
    }

    fn color(self) -> Float4 {
        Float4::new(self.x, self.y, 0.0, 0.0)
    }
}

#[amp]
impl WideTexel for Float3 {
    fn blend(self, other: Float3, weight: f32) -> Float3 {
        self * (1.0 - weight) + other * weight
    }

    fn of_color(color: Float4) -> Float3 {
        color.xyz()
    }

    fn color(self) -> Float4 {
        Float4::new(self.x, self.y, self.z, 0.0)
    }
}

#[amp]
impl WideTexel for Float4 {
    fn blend(self, other: Float4, weight: f32) -> Float4 {
        self * (1.0 - weight) + other * weight
    }

    fn of_color(color: Float4) -> Float4 {
        color
    }

    fn color(self) -> Float4 {
        self
    }
}

/// A texel that can be filtered: of `f32`, `Norm` or `Unorm`.
#[diagnostic::on_unimplemented(
    message = "a texture of `{Self}` cannot be sampled",
    label = "not a texel of `f32`, `Norm` or `Unorm`",
    note = "read a texel with `texture[i]` or `texture.get_level(i, level)`"
)]
#[amp]
pub trait FilteredTexel: Texel {
    /// The floats that it is filtered as.
    type Wide: WideTexel;
    /// Four texels' values of one channel.
    type Gathered: FilteredTexel<Wide = Float4>;
    /// Its floats.
    fn widen(self) -> Self::Wide;
    /// The texel of floats in its range.
    fn narrow(wide: Self::Wide) -> Self;
    /// The border's colour, held to the range of the channels.
    fn border(color: Float4) -> Self::Wide;
}

macro_rules! floats {
    ($($t:ident)*) => {$(
        #[amp]
        impl FilteredTexel for $t {
            type Wide = $t;
            type Gathered = Float4;

            fn widen(self) -> $t {
                self
            }

            fn narrow(wide: $t) -> $t {
                wide
            }

            fn border(color: Float4) -> $t {
                <$t as WideTexel>::of_color(color)
            }
        }
    )*};
}

floats!(f32 Float2 Float3 Float4);
