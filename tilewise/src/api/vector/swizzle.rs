//! Swizzles: components of a vector in another order. As in C++ AMP, each component occurs at most
//! once; all such names exist.

use super::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::RustBuiltin;

/// The swizzles of the vectors of two, three or four components. A row has the name, the
/// companion's name and the components.
macro_rules! swizzles {
    ($($from:ident to $two:ident $three:tt $four:tt: $rows:ident;)*) => {
        $($rows!(swizzles $from $two $three $four);)*
    };
    (@ $from:ident: $($to:ident {$($name:ident $companion:ident $mark:ident ($($c:ident)*) <$($i:literal),*>;)*})*) => {
        impl $from {
            both! {$($(
                #[doc = concat!("The components ", stringify!($name), ", in this order.")]
                pub const fn $name[$companion: mark::$mark<$($i),*>](self) -> $to {
                    $to::new($(self.$c),*)
                }
            )*)*}
        }
    };
}

macro_rules! of_two {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two {
                xy xy_marked_amp Swizzle2 (x y) <0, 1>;
                yx yx_marked_amp Swizzle2 (y x) <1, 0>;
            }
        }
    };
}

macro_rules! of_three {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two {
                xy xy_marked_amp Swizzle2 (x y) <0, 1>;
                xz xz_marked_amp Swizzle2 (x z) <0, 2>;
                yx yx_marked_amp Swizzle2 (y x) <1, 0>;
                yz yz_marked_amp Swizzle2 (y z) <1, 2>;
                zx zx_marked_amp Swizzle2 (z x) <2, 0>;
                zy zy_marked_amp Swizzle2 (z y) <2, 1>;
            }
            $three {
                xyz xyz_marked_amp Swizzle3 (x y z) <0, 1, 2>;
                xzy xzy_marked_amp Swizzle3 (x z y) <0, 2, 1>;
                yxz yxz_marked_amp Swizzle3 (y x z) <1, 0, 2>;
                yzx yzx_marked_amp Swizzle3 (y z x) <1, 2, 0>;
                zxy zxy_marked_amp Swizzle3 (z x y) <2, 0, 1>;
                zyx zyx_marked_amp Swizzle3 (z y x) <2, 1, 0>;
            }
        }
    };
}

macro_rules! of_four {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two {
                xy xy_marked_amp Swizzle2 (x y) <0, 1>;
                xz xz_marked_amp Swizzle2 (x z) <0, 2>;
                xw xw_marked_amp Swizzle2 (x w) <0, 3>;
                yx yx_marked_amp Swizzle2 (y x) <1, 0>;
                yz yz_marked_amp Swizzle2 (y z) <1, 2>;
                yw yw_marked_amp Swizzle2 (y w) <1, 3>;
                zx zx_marked_amp Swizzle2 (z x) <2, 0>;
                zy zy_marked_amp Swizzle2 (z y) <2, 1>;
                zw zw_marked_amp Swizzle2 (z w) <2, 3>;
                wx wx_marked_amp Swizzle2 (w x) <3, 0>;
                wy wy_marked_amp Swizzle2 (w y) <3, 1>;
                wz wz_marked_amp Swizzle2 (w z) <3, 2>;
            }
            $three {
                xyz xyz_marked_amp Swizzle3 (x y z) <0, 1, 2>;
                xyw xyw_marked_amp Swizzle3 (x y w) <0, 1, 3>;
                xzy xzy_marked_amp Swizzle3 (x z y) <0, 2, 1>;
                xzw xzw_marked_amp Swizzle3 (x z w) <0, 2, 3>;
                xwy xwy_marked_amp Swizzle3 (x w y) <0, 3, 1>;
                xwz xwz_marked_amp Swizzle3 (x w z) <0, 3, 2>;
                yxz yxz_marked_amp Swizzle3 (y x z) <1, 0, 2>;
                yxw yxw_marked_amp Swizzle3 (y x w) <1, 0, 3>;
                yzx yzx_marked_amp Swizzle3 (y z x) <1, 2, 0>;
                yzw yzw_marked_amp Swizzle3 (y z w) <1, 2, 3>;
                ywx ywx_marked_amp Swizzle3 (y w x) <1, 3, 0>;
                ywz ywz_marked_amp Swizzle3 (y w z) <1, 3, 2>;
                zxy zxy_marked_amp Swizzle3 (z x y) <2, 0, 1>;
                zxw zxw_marked_amp Swizzle3 (z x w) <2, 0, 3>;
                zyx zyx_marked_amp Swizzle3 (z y x) <2, 1, 0>;
                zyw zyw_marked_amp Swizzle3 (z y w) <2, 1, 3>;
                zwx zwx_marked_amp Swizzle3 (z w x) <2, 3, 0>;
                zwy zwy_marked_amp Swizzle3 (z w y) <2, 3, 1>;
                wxy wxy_marked_amp Swizzle3 (w x y) <3, 0, 1>;
                wxz wxz_marked_amp Swizzle3 (w x z) <3, 0, 2>;
                wyx wyx_marked_amp Swizzle3 (w y x) <3, 1, 0>;
                wyz wyz_marked_amp Swizzle3 (w y z) <3, 1, 2>;
                wzx wzx_marked_amp Swizzle3 (w z x) <3, 2, 0>;
                wzy wzy_marked_amp Swizzle3 (w z y) <3, 2, 1>;
            }
            $four {
                xyzw xyzw_marked_amp Swizzle4 (x y z w) <0, 1, 2, 3>;
                xywz xywz_marked_amp Swizzle4 (x y w z) <0, 1, 3, 2>;
                xzyw xzyw_marked_amp Swizzle4 (x z y w) <0, 2, 1, 3>;
                xzwy xzwy_marked_amp Swizzle4 (x z w y) <0, 2, 3, 1>;
                xwyz xwyz_marked_amp Swizzle4 (x w y z) <0, 3, 1, 2>;
                xwzy xwzy_marked_amp Swizzle4 (x w z y) <0, 3, 2, 1>;
                yxzw yxzw_marked_amp Swizzle4 (y x z w) <1, 0, 2, 3>;
                yxwz yxwz_marked_amp Swizzle4 (y x w z) <1, 0, 3, 2>;
                yzxw yzxw_marked_amp Swizzle4 (y z x w) <1, 2, 0, 3>;
                yzwx yzwx_marked_amp Swizzle4 (y z w x) <1, 2, 3, 0>;
                ywxz ywxz_marked_amp Swizzle4 (y w x z) <1, 3, 0, 2>;
                ywzx ywzx_marked_amp Swizzle4 (y w z x) <1, 3, 2, 0>;
                zxyw zxyw_marked_amp Swizzle4 (z x y w) <2, 0, 1, 3>;
                zxwy zxwy_marked_amp Swizzle4 (z x w y) <2, 0, 3, 1>;
                zyxw zyxw_marked_amp Swizzle4 (z y x w) <2, 1, 0, 3>;
                zywx zywx_marked_amp Swizzle4 (z y w x) <2, 1, 3, 0>;
                zwxy zwxy_marked_amp Swizzle4 (z w x y) <2, 3, 0, 1>;
                zwyx zwyx_marked_amp Swizzle4 (z w y x) <2, 3, 1, 0>;
                wxyz wxyz_marked_amp Swizzle4 (w x y z) <3, 0, 1, 2>;
                wxzy wxzy_marked_amp Swizzle4 (w x z y) <3, 0, 2, 1>;
                wyxz wyxz_marked_amp Swizzle4 (w y x z) <3, 1, 0, 2>;
                wyzx wyzx_marked_amp Swizzle4 (w y z x) <3, 1, 2, 0>;
                wzxy wzxy_marked_amp Swizzle4 (w z x y) <3, 2, 0, 1>;
                wzyx wzyx_marked_amp Swizzle4 (w z y x) <3, 2, 1, 0>;
            }
        }
    };
}

swizzles! {
    Int2 to Int2 _ _: of_two;
    Int3 to Int2 Int3 _: of_three;
    Int4 to Int2 Int3 Int4: of_four;
    UInt2 to UInt2 _ _: of_two;
    UInt3 to UInt2 UInt3 _: of_three;
    UInt4 to UInt2 UInt3 UInt4: of_four;
    Float2 to Float2 _ _: of_two;
    Float3 to Float2 Float3 _: of_three;
    Float4 to Float2 Float3 Float4: of_four;
    Double2 to Double2 _ _: of_two;
    Double3 to Double2 Double3 _: of_three;
    Double4 to Double2 Double3 Double4: of_four;
}

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{RustBuiltin, marks};

    marks! {
        /// A swizzle of two components
        Swizzle2<const A: u8, const B: u8> => RustBuiltin::Swizzle(const { &[A, B] });
        /// A swizzle of three components
        Swizzle3<const A: u8, const B: u8, const C: u8> => RustBuiltin::Swizzle(const { &[A, B, C] });
        /// A swizzle of four components
        Swizzle4<const A: u8, const B: u8, const C: u8, const D: u8> => RustBuiltin::Swizzle(const { &[A, B, C, D] });
    }
}
