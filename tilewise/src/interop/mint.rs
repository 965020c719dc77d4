//! Vectors and points of the crate `mint`, by which many crates of mathematics exchange theirs.

use mint::{IntoMint, Point2, Point3, Vector2, Vector3, Vector4};

use crate::graphics::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
use crate::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};

macro_rules! same {
    ($($ours:ident $t:ident: $vector:ident $($point:ident)?;)*) => {$(
        same!(@ $ours $t $vector);
        $(same!(@ $ours $t $point);)?

        impl IntoMint for $ours {
            type MintType = $vector<$t>;
        }
    )*};
    (@ $ours:ident $t:ident $theirs:ident) => {
        impl From<$theirs<$t>> for $ours {
            fn from(vector: $theirs<$t>) -> $ours {
                <[$t; $ours::SIZE]>::from(vector).into()
            }
        }

        impl From<$ours> for $theirs<$t> {
            fn from(vector: $ours) -> $theirs<$t> {
                vector.to_array().into()
            }
        }
    };
}

same! {
    Float2 f32: Vector2 Point2;
    Float3 f32: Vector3 Point3;
    Float4 f32: Vector4;
    Double2 f64: Vector2 Point2;
    Double3 f64: Vector3 Point3;
    Double4 f64: Vector4;
    Int2 i32: Vector2 Point2;
    Int3 i32: Vector3 Point3;
    Int4 i32: Vector4;
    UInt2 u32: Vector2 Point2;
    UInt3 u32: Vector3 Point3;
    UInt4 u32: Vector4;
}

macro_rules! clamped {
    ($($ours:ident of $float:ident by $method:ident: $vector:ident $($point:ident)?;)*) => {$(
        clamped!(@ $ours $float $method $vector);
        $(clamped!(@ $ours $float $method $point);)?

        impl IntoMint for $ours {
            type MintType = $vector<f32>;
        }
    )*};
    (@ $ours:ident $float:ident $method:ident $theirs:ident) => {
        impl From<$theirs<f32>> for $ours {
            /// The nearest numbers in range, as those of a vector of floats.
            fn from(vector: $theirs<f32>) -> $ours {
                $float::from(vector).$method()
            }
        }

        impl From<$ours> for $theirs<f32> {
            fn from(vector: $ours) -> $theirs<f32> {
                vector.as_float().into()
            }
        }
    };
}

clamped! {
    Norm2 of Float2 by as_norm: Vector2 Point2;
    Norm3 of Float3 by as_norm: Vector3 Point3;
    Norm4 of Float4 by as_norm: Vector4;
    Unorm2 of Float2 by as_unorm: Vector2 Point2;
    Unorm3 of Float3 by as_unorm: Vector3 Point3;
    Unorm4 of Float4 by as_unorm: Vector4;
}
