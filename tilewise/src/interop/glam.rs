//! Vectors of the crate `glam`.

use crate::graphics::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
use crate::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};

macro_rules! same {
    ($($ours:ident $theirs:ident;)*) => {$(
        impl From<glam::$theirs> for $ours {
            fn from(vector: glam::$theirs) -> $ours {
                vector.to_array().into()
            }
        }

        impl From<$ours> for glam::$theirs {
            fn from(vector: $ours) -> glam::$theirs {
                vector.to_array().into()
            }
        }
    )*};
}

same! {
    Float2 Vec2;
    Float3 Vec3;
    Float4 Vec4;
    Double2 DVec2;
    Double3 DVec3;
    Double4 DVec4;
    Int2 IVec2;
    Int3 IVec3;
    Int4 IVec4;
    UInt2 UVec2;
    UInt3 UVec3;
    UInt4 UVec4;
}

macro_rules! clamped {
    ($($ours:ident $theirs:ident: $float:ident $method:ident;)*) => {$(
        impl From<glam::$theirs> for $ours {
            /// The nearest numbers in range, as those of a vector of floats.
            fn from(vector: glam::$theirs) -> $ours {
                $float::from(vector).$method()
            }
        }

        impl From<$ours> for glam::$theirs {
            fn from(vector: $ours) -> glam::$theirs {
                vector.as_float().into()
            }
        }
    )*};
}

clamped! {
    Norm2 Vec2: Float2 as_norm;
    Norm3 Vec3: Float3 as_norm;
    Norm4 Vec4: Float4 as_norm;
    Unorm2 Vec2: Float2 as_unorm;
    Unorm3 Vec3: Float3 as_unorm;
    Unorm4 Vec4: Float4 as_unorm;
}
