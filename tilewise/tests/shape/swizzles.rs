//! All swizzles, of `xyzw` and of `rgba`, read and set: SVC-3. Rows name components by number.

use tilewise::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use tilewise::vector::{Double3, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};

use crate::checks;

/// Vectors of digits, made and shown as one number.
macro_rules! families {
    ($($family:ident $($scalar:ident)?: $t:ident $two:ident $three:ident $four:ident,
        |$digit:ident| $component:expr, |$x:ident| $shown:expr;)*) => {$(
        mod $family {
            use tilewise::amp;

            use super::{$four, $three, $two $(, $scalar)?};

            #[amp]
            fn component($digit: i32) -> $t {
                $component
            }

            #[amp]
            fn digit($x: $t) -> i32 {
                $shown
            }

            pub(super) mod made {
                use tilewise::amp;

                use super::{$four, $three, $two, component};

                #[amp]
                pub(crate) fn two(a: i32, b: i32) -> $two {
                    $two::new(component(a), component(b))
                }

                #[amp]
                pub(crate) fn three(a: i32, b: i32, c: i32) -> $three {
                    $three::new(component(a), component(b), component(c))
                }

                #[amp]
                pub(crate) fn four(a: i32, b: i32, c: i32, d: i32) -> $four {
                    $four::new(component(a), component(b), component(c), component(d))
                }
            }

            /// What is set.
            pub(super) mod new {
                use tilewise::amp;

                use super::{$four, $three, $two, made};

                #[amp]
                pub(crate) fn two() -> $two {
                    made::two(9, 8)
                }

                #[amp]
                pub(crate) fn three() -> $three {
                    made::three(9, 8, 7)
                }

                #[amp]
                pub(crate) fn four() -> $four {
                    made::four(9, 8, 7, 6)
                }
            }

            pub(super) mod shown {
                use tilewise::amp;

                use super::{$four, $three, $two, digit};

                #[amp]
                pub(crate) fn two(v: $two) -> i32 {
                    digit(v.x) * 10 + digit(v.y)
                }

                #[amp]
                pub(crate) fn three(v: $three) -> i32 {
                    digit(v.x) * 100 + digit(v.y) * 10 + digit(v.z)
                }

                #[amp]
                pub(crate) fn four(v: $four) -> i32 {
                    digit(v.x) * 1000 + digit(v.y) * 100 + digit(v.z) * 10 + digit(v.w)
                }
            }
        }
    )*};
}

// A digit of a norm is as many sixteenths.
families! {
    ints: i32 Int2 Int3 Int4, |digit| digit, |x| x;
    norms Norm: Norm Norm2 Norm3 Norm4, |digit| -Norm::new(digit as f32 / 16.0), |x| (-x.get() * 16.0) as i32;
    unorms Unorm: Unorm Unorm2 Unorm3 Unorm4, |digit| Unorm::new(digit as f32 / 16.0), |x| (x.get() * 16.0) as i32;
}

/// What a row should give: the components that it reads, and those of the vector after it has set
/// them to 9, 8, 7, 6.
fn digits(all: &[i32], row: &[usize]) -> [i32; 2] {
    let number = |digits: &[i32]| digits.iter().fold(0, |number, digit| number * 10 + digit);
    let mut set = all.to_vec();
    row.iter().zip((6..=9).rev()).for_each(|(&component, new)| set[component] = new);
    [number(&row.iter().map(|&component| all[component]).collect::<Vec<_>>()), number(&set)]
}

/// Tests of all swizzles of a vector, one for each family: their rows, by their width.
macro_rules! every_swizzle {
    ($test:ident: $($rest:tt)*) => {
        mod $test {
            use super::{digits, ints, norms, unorms};
            use crate::checks;

            every_swizzle!(@ ints $($rest)*);
            every_swizzle!(@ norms $($rest)*);
            every_swizzle!(@ unorms $($rest)*);
        }
    };
    (@ $family:ident [i32; $n:literal] of $whole:ident [$($all:literal)*];
        $($width:ident {$($get:ident $set:ident [$($i:literal)*];)*})*) => {
        checks! {
            $family: [i32; $n] = {
                let from = [$($all),*];
                let rows = [$($(digits(&from, &[$($i),*])),*),*];
                let mut all = [0; $n];
                all.copy_from_slice(rows.as_flattened());
                all
            }; {
                let v = $family::made::$whole($($all),*);
                [$($($family::shown::$width(v.$get()), {
                    let (mut changed, new) = (v, $family::new::$width());
                    changed.$set(new);
                    $family::shown::$whole(changed)
                }),*),*]
            }
        }
    };
}

every_swizzle! {
    svc_3_all_of_two_by_xyzw: [i32; 4] of two [1 2];
    two {
        xy set_xy [0 1]; yx set_yx [1 0];
    }
}

every_swizzle! {
    svc_3_all_of_two_by_rgba: [i32; 4] of two [1 2];
    two {
        rg set_rg [0 1]; gr set_gr [1 0];
    }
}

every_swizzle! {
    svc_3_all_of_three_by_xyzw: [i32; 24] of three [1 2 3];
    two {
        xy set_xy [0 1]; xz set_xz [0 2]; yx set_yx [1 0]; yz set_yz [1 2]; zx set_zx [2 0];
        zy set_zy [2 1];
    }
    three {
        xyz set_xyz [0 1 2]; xzy set_xzy [0 2 1]; yxz set_yxz [1 0 2]; yzx set_yzx [1 2 0];
        zxy set_zxy [2 0 1]; zyx set_zyx [2 1 0];
    }
}

every_swizzle! {
    svc_3_all_of_three_by_rgba: [i32; 24] of three [1 2 3];
    two {
        rg set_rg [0 1]; rb set_rb [0 2]; gr set_gr [1 0]; gb set_gb [1 2]; br set_br [2 0];
        bg set_bg [2 1];
    }
    three {
        rgb set_rgb [0 1 2]; rbg set_rbg [0 2 1]; grb set_grb [1 0 2]; gbr set_gbr [1 2 0];
        brg set_brg [2 0 1]; bgr set_bgr [2 1 0];
    }
}

every_swizzle! {
    svc_3_all_of_four_by_xyzw: [i32; 120] of four [1 2 3 4];
    two {
        xy set_xy [0 1]; xz set_xz [0 2]; xw set_xw [0 3]; yx set_yx [1 0]; yz set_yz [1 2];
        yw set_yw [1 3]; zx set_zx [2 0]; zy set_zy [2 1]; zw set_zw [2 3]; wx set_wx [3 0];
        wy set_wy [3 1]; wz set_wz [3 2];
    }
    three {
        xyz set_xyz [0 1 2]; xyw set_xyw [0 1 3]; xzy set_xzy [0 2 1]; xzw set_xzw [0 2 3];
        xwy set_xwy [0 3 1]; xwz set_xwz [0 3 2]; yxz set_yxz [1 0 2]; yxw set_yxw [1 0 3];
        yzx set_yzx [1 2 0]; yzw set_yzw [1 2 3]; ywx set_ywx [1 3 0]; ywz set_ywz [1 3 2];
        zxy set_zxy [2 0 1]; zxw set_zxw [2 0 3]; zyx set_zyx [2 1 0]; zyw set_zyw [2 1 3];
        zwx set_zwx [2 3 0]; zwy set_zwy [2 3 1]; wxy set_wxy [3 0 1]; wxz set_wxz [3 0 2];
        wyx set_wyx [3 1 0]; wyz set_wyz [3 1 2]; wzx set_wzx [3 2 0]; wzy set_wzy [3 2 1];
    }
    four {
        xyzw set_xyzw [0 1 2 3]; xywz set_xywz [0 1 3 2]; xzyw set_xzyw [0 2 1 3];
        xzwy set_xzwy [0 2 3 1]; xwyz set_xwyz [0 3 1 2]; xwzy set_xwzy [0 3 2 1];
        yxzw set_yxzw [1 0 2 3]; yxwz set_yxwz [1 0 3 2]; yzxw set_yzxw [1 2 0 3];
        yzwx set_yzwx [1 2 3 0]; ywxz set_ywxz [1 3 0 2]; ywzx set_ywzx [1 3 2 0];
        zxyw set_zxyw [2 0 1 3]; zxwy set_zxwy [2 0 3 1]; zyxw set_zyxw [2 1 0 3];
        zywx set_zywx [2 1 3 0]; zwxy set_zwxy [2 3 0 1]; zwyx set_zwyx [2 3 1 0];
        wxyz set_wxyz [3 0 1 2]; wxzy set_wxzy [3 0 2 1]; wyxz set_wyxz [3 1 0 2];
        wyzx set_wyzx [3 1 2 0]; wzxy set_wzxy [3 2 0 1]; wzyx set_wzyx [3 2 1 0];
    }
}

every_swizzle! {
    svc_3_all_of_four_by_rgba: [i32; 120] of four [1 2 3 4];
    two {
        rg set_rg [0 1]; rb set_rb [0 2]; ra set_ra [0 3]; gr set_gr [1 0]; gb set_gb [1 2];
        ga set_ga [1 3]; br set_br [2 0]; bg set_bg [2 1]; ba set_ba [2 3]; ar set_ar [3 0];
        ag set_ag [3 1]; ab set_ab [3 2];
    }
    three {
        rgb set_rgb [0 1 2]; rga set_rga [0 1 3]; rbg set_rbg [0 2 1]; rba set_rba [0 2 3];
        rag set_rag [0 3 1]; rab set_rab [0 3 2]; grb set_grb [1 0 2]; gra set_gra [1 0 3];
        gbr set_gbr [1 2 0]; gba set_gba [1 2 3]; gar set_gar [1 3 0]; gab set_gab [1 3 2];
        brg set_brg [2 0 1]; bra set_bra [2 0 3]; bgr set_bgr [2 1 0]; bga set_bga [2 1 3];
        bar set_bar [2 3 0]; bag set_bag [2 3 1]; arg set_arg [3 0 1]; arb set_arb [3 0 2];
        agr set_agr [3 1 0]; agb set_agb [3 1 2]; abr set_abr [3 2 0]; abg set_abg [3 2 1];
    }
    four {
        rgba set_rgba [0 1 2 3]; rgab set_rgab [0 1 3 2]; rbga set_rbga [0 2 1 3];
        rbag set_rbag [0 2 3 1]; ragb set_ragb [0 3 1 2]; rabg set_rabg [0 3 2 1];
        grba set_grba [1 0 2 3]; grab set_grab [1 0 3 2]; gbra set_gbra [1 2 0 3];
        gbar set_gbar [1 2 3 0]; garb set_garb [1 3 0 2]; gabr set_gabr [1 3 2 0];
        brga set_brga [2 0 1 3]; brag set_brag [2 0 3 1]; bgra set_bgra [2 1 0 3];
        bgar set_bgar [2 1 3 0]; barg set_barg [2 3 0 1]; bagr set_bagr [2 3 1 0];
        argb set_argb [3 0 1 2]; arbg set_arbg [3 0 2 1]; agrb set_agrb [3 1 0 2];
        agbr set_agbr [3 1 2 0]; abrg set_abrg [3 2 0 1]; abgr set_abgr [3 2 1 0];
    }
}

checks! {
    svc_3_single_components_by_rgba: [f32; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 2.5]; {
        let v = Float4::new(1.0, 2.0, 3.0, 4.0);
        let mut set = v;
        set.set_r(5.0);
        set.set_g(6.0);
        set.set_b(7.0);
        set.set_a(8.0);
        let mut double = Double3::new(0.5, 1.5, 2.5);
        double.set_r(double.b());
        [v.r(), v.g(), v.b(), v.a(), set.x, set.y, set.z, set.w, double.x as f32]
    }

    svc_3_setters_of_every_scalar: [u32; 8] = [1, 7, 8, 6, 5, 9, 3, 2]; {
        let (mut u, mut f) = (UInt4::new(1, 2, 3, 4), Float3::new(9.0, 8.0, 7.0));
        u.set_yzw(UInt3::new(7, 8, 6));
        f.set_zx(Float2::new(3.0, 5.0));
        f.y = 9.0;
        let mut pair = UInt2::new(2, 3);
        pair.set_yx(pair);
        [u.x, u.y, u.z, u.w, f.x as u32, f.y as u32, pair.x, pair.y]
    }

    svc_3_a_field_is_set_and_the_vector_itself_is_the_value: [i32; 8] = [4, 3, 2, 1, 3, 1, 2, 4]; {
        let mut whole = (Int4::new(1, 2, 3, 4), Int4::new(1, 2, 3, 4));
        whole.0.set_wzyx(whole.0);
        whole.1.set_yzx(whole.1.xyz());
        let (a, b) = whole;
        [a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w]
    }
}
