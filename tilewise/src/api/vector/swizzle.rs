//! Swizzles: components of a vector in another order, read and set. As in C++ AMP, each component
//! occurs at most once; all such names exist, by `xyzw` and by `rgba`.

/// Defines the swizzles that three tables list: those of the vectors of two, three and four
/// components.
macro_rules! swizzles {
    ($two:ident $three:ident $four:ident) => {
        $two!(swizzles Int2 Int2 _ _);
        $three!(swizzles Int3 Int2 Int3 _);
        $four!(swizzles Int4 Int2 Int3 Int4);
        $two!(swizzles UInt2 UInt2 _ _);
        $three!(swizzles UInt3 UInt2 UInt3 _);
        $four!(swizzles UInt4 UInt2 UInt3 UInt4);
        $two!(swizzles Float2 Float2 _ _);
        $three!(swizzles Float3 Float2 Float3 _);
        $four!(swizzles Float4 Float2 Float3 Float4);
        $two!(swizzles Double2 Double2 _ _);
        $three!(swizzles Double3 Double2 Double3 _);
        $four!(swizzles Double4 Double2 Double3 Double4);
    };
    (@ $from:ident: $($to:ident $get:ident $set:ident {$(
        $name:ident $companion:ident $setter:ident $set_companion:ident ($($c:ident)*) <$($i:literal),*>;
    )*})*) => {
        impl $from {$($(
            both! {
                #[doc = concat!("The components `", $(stringify!($c),)* "`, in this order.")]
                pub const fn $name[$companion: mark::$get<$($i),*>](self) -> $to {
                    $to::new($(self.$c),*)
                }

                #[doc = concat!("Sets the components `", $(stringify!($c),)* "`, in this order.")]
                pub const fn $setter[$set_companion: mark::$set<$($i),*>](&mut self, value: $to) {
                    [$(self.$c),*] = value.to_array();
                }
            }
        )*)*}
    };
}

mod rgba;
mod xyzw;

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
