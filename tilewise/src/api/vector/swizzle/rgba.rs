//! The swizzles by `r`, `g`, `b`, `a`, other names of `x`, `y`, `z`, `w`, with single components. A
//! row has the names of the getter and of the setter, each with its companion, the components, and
//! their numbers.

use super::mark;
use crate::api::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::companions::both;

macro_rules! of_two {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two Swizzle2 SetSwizzle2 {
                rg rg_marked_amp set_rg set_rg_marked_amp (x y) <0, 1>;
                gr gr_marked_amp set_gr set_gr_marked_amp (y x) <1, 0>;
            }
        }
    };
}

macro_rules! of_three {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two Swizzle2 SetSwizzle2 {
                rg rg_marked_amp set_rg set_rg_marked_amp (x y) <0, 1>;
                rb rb_marked_amp set_rb set_rb_marked_amp (x z) <0, 2>;
                gr gr_marked_amp set_gr set_gr_marked_amp (y x) <1, 0>;
                gb gb_marked_amp set_gb set_gb_marked_amp (y z) <1, 2>;
                br br_marked_amp set_br set_br_marked_amp (z x) <2, 0>;
                bg bg_marked_amp set_bg set_bg_marked_amp (z y) <2, 1>;
            }
            $three Swizzle3 SetSwizzle3 {
                rgb rgb_marked_amp set_rgb set_rgb_marked_amp (x y z) <0, 1, 2>;
                rbg rbg_marked_amp set_rbg set_rbg_marked_amp (x z y) <0, 2, 1>;
                grb grb_marked_amp set_grb set_grb_marked_amp (y x z) <1, 0, 2>;
                gbr gbr_marked_amp set_gbr set_gbr_marked_amp (y z x) <1, 2, 0>;
                brg brg_marked_amp set_brg set_brg_marked_amp (z x y) <2, 0, 1>;
                bgr bgr_marked_amp set_bgr set_bgr_marked_amp (z y x) <2, 1, 0>;
            }
        }
    };
}

macro_rules! of_four {
    ($then:ident $from:ident $two:ident $three:tt $four:tt) => {
        $then! { @ $from:
            $two Swizzle2 SetSwizzle2 {
                rg rg_marked_amp set_rg set_rg_marked_amp (x y) <0, 1>;
                rb rb_marked_amp set_rb set_rb_marked_amp (x z) <0, 2>;
                ra ra_marked_amp set_ra set_ra_marked_amp (x w) <0, 3>;
                gr gr_marked_amp set_gr set_gr_marked_amp (y x) <1, 0>;
                gb gb_marked_amp set_gb set_gb_marked_amp (y z) <1, 2>;
                ga ga_marked_amp set_ga set_ga_marked_amp (y w) <1, 3>;
                br br_marked_amp set_br set_br_marked_amp (z x) <2, 0>;
                bg bg_marked_amp set_bg set_bg_marked_amp (z y) <2, 1>;
                ba ba_marked_amp set_ba set_ba_marked_amp (z w) <2, 3>;
                ar ar_marked_amp set_ar set_ar_marked_amp (w x) <3, 0>;
                ag ag_marked_amp set_ag set_ag_marked_amp (w y) <3, 1>;
                ab ab_marked_amp set_ab set_ab_marked_amp (w z) <3, 2>;
            }
            $three Swizzle3 SetSwizzle3 {
                rgb rgb_marked_amp set_rgb set_rgb_marked_amp (x y z) <0, 1, 2>;
                rga rga_marked_amp set_rga set_rga_marked_amp (x y w) <0, 1, 3>;
                rbg rbg_marked_amp set_rbg set_rbg_marked_amp (x z y) <0, 2, 1>;
                rba rba_marked_amp set_rba set_rba_marked_amp (x z w) <0, 2, 3>;
                rag rag_marked_amp set_rag set_rag_marked_amp (x w y) <0, 3, 1>;
                rab rab_marked_amp set_rab set_rab_marked_amp (x w z) <0, 3, 2>;
                grb grb_marked_amp set_grb set_grb_marked_amp (y x z) <1, 0, 2>;
                gra gra_marked_amp set_gra set_gra_marked_amp (y x w) <1, 0, 3>;
                gbr gbr_marked_amp set_gbr set_gbr_marked_amp (y z x) <1, 2, 0>;
                gba gba_marked_amp set_gba set_gba_marked_amp (y z w) <1, 2, 3>;
                gar gar_marked_amp set_gar set_gar_marked_amp (y w x) <1, 3, 0>;
                gab gab_marked_amp set_gab set_gab_marked_amp (y w z) <1, 3, 2>;
                brg brg_marked_amp set_brg set_brg_marked_amp (z x y) <2, 0, 1>;
                bra bra_marked_amp set_bra set_bra_marked_amp (z x w) <2, 0, 3>;
                bgr bgr_marked_amp set_bgr set_bgr_marked_amp (z y x) <2, 1, 0>;
                bga bga_marked_amp set_bga set_bga_marked_amp (z y w) <2, 1, 3>;
                bar bar_marked_amp set_bar set_bar_marked_amp (z w x) <2, 3, 0>;
                bag bag_marked_amp set_bag set_bag_marked_amp (z w y) <2, 3, 1>;
                arg arg_marked_amp set_arg set_arg_marked_amp (w x y) <3, 0, 1>;
                arb arb_marked_amp set_arb set_arb_marked_amp (w x z) <3, 0, 2>;
                agr agr_marked_amp set_agr set_agr_marked_amp (w y x) <3, 1, 0>;
                agb agb_marked_amp set_agb set_agb_marked_amp (w y z) <3, 1, 2>;
                abr abr_marked_amp set_abr set_abr_marked_amp (w z x) <3, 2, 0>;
                abg abg_marked_amp set_abg set_abg_marked_amp (w z y) <3, 2, 1>;
            }
            $four Swizzle4 SetSwizzle4 {
                rgba rgba_marked_amp set_rgba set_rgba_marked_amp (x y z w) <0, 1, 2, 3>;
                rgab rgab_marked_amp set_rgab set_rgab_marked_amp (x y w z) <0, 1, 3, 2>;
                rbga rbga_marked_amp set_rbga set_rbga_marked_amp (x z y w) <0, 2, 1, 3>;
                rbag rbag_marked_amp set_rbag set_rbag_marked_amp (x z w y) <0, 2, 3, 1>;
                ragb ragb_marked_amp set_ragb set_ragb_marked_amp (x w y z) <0, 3, 1, 2>;
                rabg rabg_marked_amp set_rabg set_rabg_marked_amp (x w z y) <0, 3, 2, 1>;
                grba grba_marked_amp set_grba set_grba_marked_amp (y x z w) <1, 0, 2, 3>;
                grab grab_marked_amp set_grab set_grab_marked_amp (y x w z) <1, 0, 3, 2>;
                gbra gbra_marked_amp set_gbra set_gbra_marked_amp (y z x w) <1, 2, 0, 3>;
                gbar gbar_marked_amp set_gbar set_gbar_marked_amp (y z w x) <1, 2, 3, 0>;
                garb garb_marked_amp set_garb set_garb_marked_amp (y w x z) <1, 3, 0, 2>;
                gabr gabr_marked_amp set_gabr set_gabr_marked_amp (y w z x) <1, 3, 2, 0>;
                brga brga_marked_amp set_brga set_brga_marked_amp (z x y w) <2, 0, 1, 3>;
                brag brag_marked_amp set_brag set_brag_marked_amp (z x w y) <2, 0, 3, 1>;
                bgra bgra_marked_amp set_bgra set_bgra_marked_amp (z y x w) <2, 1, 0, 3>;
                bgar bgar_marked_amp set_bgar set_bgar_marked_amp (z y w x) <2, 1, 3, 0>;
                barg barg_marked_amp set_barg set_barg_marked_amp (z w x y) <2, 3, 0, 1>;
                bagr bagr_marked_amp set_bagr set_bagr_marked_amp (z w y x) <2, 3, 1, 0>;
                argb argb_marked_amp set_argb set_argb_marked_amp (w x y z) <3, 0, 1, 2>;
                arbg arbg_marked_amp set_arbg set_arbg_marked_amp (w x z y) <3, 0, 2, 1>;
                agrb agrb_marked_amp set_agrb set_agrb_marked_amp (w y x z) <3, 1, 0, 2>;
                agbr agbr_marked_amp set_agbr set_agbr_marked_amp (w y z x) <3, 1, 2, 0>;
                abrg abrg_marked_amp set_abrg set_abrg_marked_amp (w z x y) <3, 2, 0, 1>;
                abgr abgr_marked_amp set_abgr set_abgr_marked_amp (w z y x) <3, 2, 1, 0>;
            }
        }
    };
}

swizzles!(of_two of_three of_four);

/// The single components of vectors of one width.
macro_rules! colors {
    ($types:tt: $($row:tt)*) => {
        $(colors!(@ $types $row);)*
    };
    (@ ($($from:ident $t:ident),*) $row:tt) => {
        $(colors!(@@ $from $t $row);)*
    };
    (@@ $from:ident $t:ident ($name:ident $companion:ident $set:ident $set_companion:ident $c:ident $i:literal)) => {
        impl $from {
            both! {
                #[doc = concat!("The component `", stringify!($c), "`.")]
                pub const fn $name[$companion: mark::Swizzle1<$i>](self) -> $t {
                    self.$c
                }

                #[doc = concat!("Sets the component `", stringify!($c), "`.")]
                pub const fn $set[$set_companion: mark::SetSwizzle1<$i>](&mut self, value: $t) {
                    self.$c = value;
                }
            }
        }
    };
}

colors! {
    (Int2 i32, Int3 i32, Int4 i32, UInt2 u32, UInt3 u32, UInt4 u32,
     Float2 f32, Float3 f32, Float4 f32, Double2 f64, Double3 f64, Double4 f64):
    (r r_marked_amp set_r set_r_marked_amp x 0)
    (g g_marked_amp set_g set_g_marked_amp y 1)
}

colors! {
    (Int3 i32, Int4 i32, UInt3 u32, UInt4 u32, Float3 f32, Float4 f32, Double3 f64, Double4 f64):
    (b b_marked_amp set_b set_b_marked_amp z 2)
}

colors! {
    (Int4 i32, UInt4 u32, Float4 f32, Double4 f64):
    (a a_marked_amp set_a set_a_marked_amp w 3)
}
