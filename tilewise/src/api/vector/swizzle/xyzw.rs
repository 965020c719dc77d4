//! The swizzles by `x`, `y`, `z`, `w`. A row has the names of the getter and of the setter, each
//! with its companion, the components, and their numbers.

use super::mark;
use crate::api::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::companions::both;

macro_rules! of_two {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two Swizzle2 SetSwizzle2 {
                xy xy_marked_amp set_xy set_xy_marked_amp (x y) <0, 1>;
                yx yx_marked_amp set_yx set_yx_marked_amp (y x) <1, 0>;
            }
        }
    };
}

macro_rules! of_three {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two Swizzle2 SetSwizzle2 {
                xy xy_marked_amp set_xy set_xy_marked_amp (x y) <0, 1>;
                xz xz_marked_amp set_xz set_xz_marked_amp (x z) <0, 2>;
                yx yx_marked_amp set_yx set_yx_marked_amp (y x) <1, 0>;
                yz yz_marked_amp set_yz set_yz_marked_amp (y z) <1, 2>;
                zx zx_marked_amp set_zx set_zx_marked_amp (z x) <2, 0>;
                zy zy_marked_amp set_zy set_zy_marked_amp (z y) <2, 1>;
            }
            $three Swizzle3 SetSwizzle3 {
                xyz xyz_marked_amp set_xyz set_xyz_marked_amp (x y z) <0, 1, 2>;
                xzy xzy_marked_amp set_xzy set_xzy_marked_amp (x z y) <0, 2, 1>;
                yxz yxz_marked_amp set_yxz set_yxz_marked_amp (y x z) <1, 0, 2>;
                yzx yzx_marked_amp set_yzx set_yzx_marked_amp (y z x) <1, 2, 0>;
                zxy zxy_marked_amp set_zxy set_zxy_marked_amp (z x y) <2, 0, 1>;
                zyx zyx_marked_amp set_zyx set_zyx_marked_amp (z y x) <2, 1, 0>;
            }
        }
    };
}

macro_rules! of_four {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two Swizzle2 SetSwizzle2 {
                xy xy_marked_amp set_xy set_xy_marked_amp (x y) <0, 1>;
                xz xz_marked_amp set_xz set_xz_marked_amp (x z) <0, 2>;
                xw xw_marked_amp set_xw set_xw_marked_amp (x w) <0, 3>;
                yx yx_marked_amp set_yx set_yx_marked_amp (y x) <1, 0>;
                yz yz_marked_amp set_yz set_yz_marked_amp (y z) <1, 2>;
                yw yw_marked_amp set_yw set_yw_marked_amp (y w) <1, 3>;
                zx zx_marked_amp set_zx set_zx_marked_amp (z x) <2, 0>;
                zy zy_marked_amp set_zy set_zy_marked_amp (z y) <2, 1>;
                zw zw_marked_amp set_zw set_zw_marked_amp (z w) <2, 3>;
                wx wx_marked_amp set_wx set_wx_marked_amp (w x) <3, 0>;
                wy wy_marked_amp set_wy set_wy_marked_amp (w y) <3, 1>;
                wz wz_marked_amp set_wz set_wz_marked_amp (w z) <3, 2>;
            }
            $three Swizzle3 SetSwizzle3 {
                xyz xyz_marked_amp set_xyz set_xyz_marked_amp (x y z) <0, 1, 2>;
                xyw xyw_marked_amp set_xyw set_xyw_marked_amp (x y w) <0, 1, 3>;
                xzy xzy_marked_amp set_xzy set_xzy_marked_amp (x z y) <0, 2, 1>;
                xzw xzw_marked_amp set_xzw set_xzw_marked_amp (x z w) <0, 2, 3>;
                xwy xwy_marked_amp set_xwy set_xwy_marked_amp (x w y) <0, 3, 1>;
                xwz xwz_marked_amp set_xwz set_xwz_marked_amp (x w z) <0, 3, 2>;
                yxz yxz_marked_amp set_yxz set_yxz_marked_amp (y x z) <1, 0, 2>;
                yxw yxw_marked_amp set_yxw set_yxw_marked_amp (y x w) <1, 0, 3>;
                yzx yzx_marked_amp set_yzx set_yzx_marked_amp (y z x) <1, 2, 0>;
                yzw yzw_marked_amp set_yzw set_yzw_marked_amp (y z w) <1, 2, 3>;
                ywx ywx_marked_amp set_ywx set_ywx_marked_amp (y w x) <1, 3, 0>;
                ywz ywz_marked_amp set_ywz set_ywz_marked_amp (y w z) <1, 3, 2>;
                zxy zxy_marked_amp set_zxy set_zxy_marked_amp (z x y) <2, 0, 1>;
                zxw zxw_marked_amp set_zxw set_zxw_marked_amp (z x w) <2, 0, 3>;
                zyx zyx_marked_amp set_zyx set_zyx_marked_amp (z y x) <2, 1, 0>;
                zyw zyw_marked_amp set_zyw set_zyw_marked_amp (z y w) <2, 1, 3>;
                zwx zwx_marked_amp set_zwx set_zwx_marked_amp (z w x) <2, 3, 0>;
                zwy zwy_marked_amp set_zwy set_zwy_marked_amp (z w y) <2, 3, 1>;
                wxy wxy_marked_amp set_wxy set_wxy_marked_amp (w x y) <3, 0, 1>;
                wxz wxz_marked_amp set_wxz set_wxz_marked_amp (w x z) <3, 0, 2>;
                wyx wyx_marked_amp set_wyx set_wyx_marked_amp (w y x) <3, 1, 0>;
                wyz wyz_marked_amp set_wyz set_wyz_marked_amp (w y z) <3, 1, 2>;
                wzx wzx_marked_amp set_wzx set_wzx_marked_amp (w z x) <3, 2, 0>;
                wzy wzy_marked_amp set_wzy set_wzy_marked_amp (w z y) <3, 2, 1>;
            }
            $four Swizzle4 SetSwizzle4 {
                xyzw xyzw_marked_amp set_xyzw set_xyzw_marked_amp (x y z w) <0, 1, 2, 3>;
                xywz xywz_marked_amp set_xywz set_xywz_marked_amp (x y w z) <0, 1, 3, 2>;
                xzyw xzyw_marked_amp set_xzyw set_xzyw_marked_amp (x z y w) <0, 2, 1, 3>;
                xzwy xzwy_marked_amp set_xzwy set_xzwy_marked_amp (x z w y) <0, 2, 3, 1>;
                xwyz xwyz_marked_amp set_xwyz set_xwyz_marked_amp (x w y z) <0, 3, 1, 2>;
                xwzy xwzy_marked_amp set_xwzy set_xwzy_marked_amp (x w z y) <0, 3, 2, 1>;
                yxzw yxzw_marked_amp set_yxzw set_yxzw_marked_amp (y x z w) <1, 0, 2, 3>;
                yxwz yxwz_marked_amp set_yxwz set_yxwz_marked_amp (y x w z) <1, 0, 3, 2>;
                yzxw yzxw_marked_amp set_yzxw set_yzxw_marked_amp (y z x w) <1, 2, 0, 3>;
                yzwx yzwx_marked_amp set_yzwx set_yzwx_marked_amp (y z w x) <1, 2, 3, 0>;
                ywxz ywxz_marked_amp set_ywxz set_ywxz_marked_amp (y w x z) <1, 3, 0, 2>;
                ywzx ywzx_marked_amp set_ywzx set_ywzx_marked_amp (y w z x) <1, 3, 2, 0>;
                zxyw zxyw_marked_amp set_zxyw set_zxyw_marked_amp (z x y w) <2, 0, 1, 3>;
                zxwy zxwy_marked_amp set_zxwy set_zxwy_marked_amp (z x w y) <2, 0, 3, 1>;
                zyxw zyxw_marked_amp set_zyxw set_zyxw_marked_amp (z y x w) <2, 1, 0, 3>;
                zywx zywx_marked_amp set_zywx set_zywx_marked_amp (z y w x) <2, 1, 3, 0>;
                zwxy zwxy_marked_amp set_zwxy set_zwxy_marked_amp (z w x y) <2, 3, 0, 1>;
                zwyx zwyx_marked_amp set_zwyx set_zwyx_marked_amp (z w y x) <2, 3, 1, 0>;
                wxyz wxyz_marked_amp set_wxyz set_wxyz_marked_amp (w x y z) <3, 0, 1, 2>;
                wxzy wxzy_marked_amp set_wxzy set_wxzy_marked_amp (w x z y) <3, 0, 2, 1>;
                wyxz wyxz_marked_amp set_wyxz set_wyxz_marked_amp (w y x z) <3, 1, 0, 2>;
                wyzx wyzx_marked_amp set_wyzx set_wyzx_marked_amp (w y z x) <3, 1, 2, 0>;
                wzxy wzxy_marked_amp set_wzxy set_wzxy_marked_amp (w z x y) <3, 2, 0, 1>;
                wzyx wzyx_marked_amp set_wzyx set_wzyx_marked_amp (w z y x) <3, 2, 1, 0>;
            }
        }
    };
}

swizzles!(of_two of_three of_four);
