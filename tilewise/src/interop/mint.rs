//! Vectors and points of the crate `mint`, by which many crates of mathematics exchange theirs.

use mint::{IntoMint, Point2, Point3, Vector2, Vector3, Vector4};

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
