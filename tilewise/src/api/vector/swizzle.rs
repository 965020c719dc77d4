//! Swizzles: components of a vector in another order, read and set. As in C++ AMP, each component
//! occurs at most once; all such names exist, by `xyzw` and by `rgba`, and single components by
//! `rgba`.

use tilewise_macros::vector_swizzles;

use super::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use super::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
use crate::api::graphics::{Norm, Unorm};

vector_swizzles!(i32: Int2 Int3 Int4);
vector_swizzles!(u32: UInt2 UInt3 UInt4);
vector_swizzles!(f32: Float2 Float3 Float4);
vector_swizzles!(f64: Double2 Double3 Double4);
vector_swizzles!(Norm: Norm2 Norm3 Norm4);
vector_swizzles!(Unorm: Unorm2 Unorm3 Unorm4);

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use crate::kernel::companions::marks;
    use crate::kernel::macro_support::RustBuiltin;

    marks! {
        /// A component
        Swizzle1<const A: u8> => RustBuiltin::Swizzle(const { &[A] });
        /// A swizzle of two components
        Swizzle2<const A: u8, const B: u8> => RustBuiltin::Swizzle(const { &[A, B] });
        /// A swizzle of three components
        Swizzle3<const A: u8, const B: u8, const C: u8> => RustBuiltin::Swizzle(const { &[A, B, C] });
        /// A swizzle of four components
        Swizzle4<const A: u8, const B: u8, const C: u8, const D: u8> => RustBuiltin::Swizzle(const { &[A, B, C, D] });
        /// Sets a component
        SetSwizzle1<const A: u8> => RustBuiltin::SetSwizzle(const { &[A] });
        /// Sets two components
        SetSwizzle2<const A: u8, const B: u8> => RustBuiltin::SetSwizzle(const { &[A, B] });
        /// Sets three components
        SetSwizzle3<const A: u8, const B: u8, const C: u8> => RustBuiltin::SetSwizzle(const { &[A, B, C] });
        /// Sets four components
        SetSwizzle4<const A: u8, const B: u8, const C: u8, const D: u8> => RustBuiltin::SetSwizzle(const { &[A, B, C, D] });
    }
}
