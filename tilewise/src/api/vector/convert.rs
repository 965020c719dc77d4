//! Conversions between vectors of different scalars, and extension by one component.

use super::types::mark::Compose;
use super::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use super::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
use crate::api::graphics::{Norm, Unorm};
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::{Op, RustBuiltin};

macro_rules! to_scalars {
    ($($n:ident: $int:ident $uint:ident $float:ident $double:ident ($($c:ident)*);)*) => {$(
        to_scalars!(@ $int ($($c)*) $int $uint $float $double);
        to_scalars!(@ $uint ($($c)*) $int $uint $float $double);
        to_scalars!(@ $float ($($c)*) $int $uint $float $double);
        to_scalars!(@ $double ($($c)*) $int $uint $float $double);
    )*};
    (@ $from:ident ($($c:ident)*) $int:ident $uint:ident $float:ident $double:ident) => {
        impl $from {
            both! {
                /// Each component `as i32`: floats truncate and saturate, NaN gives 0.
                pub const fn as_int[as_int_marked_amp: mark::ToInt](self) -> $int {
                    $int { $($c: self.$c as i32),* }
                }

                /// Each component `as u32`: floats truncate and saturate, NaN gives 0.
                pub const fn as_uint[as_uint_marked_amp: mark::ToUint](self) -> $uint {
                    $uint { $($c: self.$c as u32),* }
                }

                /// Each component `as f32`, the nearest.
                pub const fn as_float[as_float_marked_amp: mark::ToFloat](self) -> $float {
                    $float { $($c: self.$c as f32),* }
                }

                /// Each component `as f64`.
                pub const fn as_double[as_double_marked_amp: mark::ToDouble](self) -> $double {
                    $double { $($c: self.$c as f64),* }
                }
            }
        }
    };
}

to_scalars! {
    two: Int2 UInt2 Float2 Double2 (x y);
    three: Int3 UInt3 Float3 Double3 (x y z);
    four: Int4 UInt4 Float4 Double4 (x y z w);
}

macro_rules! extend {
    ($($from:ident $to:ident $t:ident ($($c:ident)*) $last:ident;)*) => {$(
        impl $from {
            both! {
                /// Appends one component.
                pub const fn extend[extend_marked_amp: Compose<$to>](self, $last: $t) -> $to {
                    $to { $($c: self.$c,)* $last }
                }
            }
        }
    )*};
}

extend! {
    Int2 Int3 i32 (x y) z;
    Int3 Int4 i32 (x y z) w;
    UInt2 UInt3 u32 (x y) z;
    UInt3 UInt4 u32 (x y z) w;
    Float2 Float3 f32 (x y) z;
    Float3 Float4 f32 (x y z) w;
    Double2 Double3 f64 (x y) z;
    Double3 Double4 f64 (x y z) w;
    Norm2 Norm3 Norm (x y) z;
    Norm3 Norm4 Norm (x y z) w;
    Unorm2 Unorm3 Unorm (x y) z;
    Unorm3 Unorm4 Unorm (x y z) w;
}

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{Op, RustBuiltin, marks};

    marks! {
        /// `as_int`
        ToInt => RustBuiltin::Op(Op::ToI32);
        /// `as_uint`
        ToUint => RustBuiltin::Op(Op::ToU32);
        /// `as_float`
        ToFloat => RustBuiltin::Op(Op::ToF32);
        /// `as_double`
        ToDouble => RustBuiltin::Op(Op::ToF64);
    }
}
