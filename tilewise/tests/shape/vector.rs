//! Short vectors.

use crate::checks;
use tilewise::vector::{Double2, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3};

checks! {
    svc_1_made_of_components_or_of_one: [f32; 10] = [1.0, 2.0, 3.0, 7.0, 7.0, 0.0, 0.0, 1.0, 4.0, 9.0]; {
        let (v, same, zero) = (Float3::new(1.0, 2.0, 3.0), Float2::splat(7.0), Float2::default());
        let longer = Float3::new(1.0, 4.0, 9.0).extend(16.0).xyz();
        [v.x, v.y, v.z, same.x, same.y, zero.x, zero.y, longer.x, longer.y, longer.z]
    }

    svc_2_arithmetic_of_ints: [i32; 15] = [9, 4, -3, 5, 8, -9, 14, -12, -18, 3, -3, -2, 1, 0, 0]; {
        let (a, b) = (Int3::new(7, 6, -6), Int3::new(2, -2, 3));
        let (add, sub, mul, div, rem) = (a + b, a - b, a * b, a / b, a % b);
        [
            add.x, add.y, add.z, sub.x, sub.y, sub.z, mul.x, mul.y, mul.z, div.x, div.y, div.z, rem.x, rem.y, rem.z,
        ]
    }

    svc_2_ints_wrap_and_divide_by_zero [zero]: [i32; 8] = [i32::MIN, i32::MAX, i32::MIN, 5, 0, i32::MIN, i32::MIN, 0]; {
        let (ends, mixed) = (Int2::new(i32::MAX, i32::MIN), Int2::new(i32::MIN, 5));
        let (up, down, div, rem) = (ends + 1, ends - 1, mixed / Int2::new(-1, zero), mixed % Int2::new(-1, zero));
        [up.x, down.y, div.x, div.y, rem.x, (-mixed).x, mixed.abs().x, rem.y]
    }

    svc_2_uints_wrap: [u32; 4] = [4_294_967_295, 1, 0x8000_0000, 2]; {
        let a = UInt2::new(0, 3);
        let (less, shifted) = (a - UInt2::new(1, 2), UInt2::new(1, 1) << UInt2::new(31, 33));
        [less.x, less.y, shifted.x, shifted.y]
    }

    svc_2_a_number_on_either_side: [f32; 10] = [3.5, 4.5, 1.5, 2.5, -1.5, -2.5, 5.0, 7.0, 0.4, 0.25]; {
        let v = Float2::new(2.5, 3.5);
        let (add, sub, from, mul, div) = (v + 1.0, v - 1.0, 1.0 - v, 2.0 * v, 1.0 / Float2::new(2.5, 4.0));
        [add.x, add.y, sub.x, sub.y, from.x, from.y, mul.x, mul.y, div.x, div.y]
    }

    svc_2_compound_forms: [i32; 8] = [13, 24, 1, 2, 24, 48, 25, 49]; {
        let mut v = Int2::new(3, 4);
        v += Int2::new(10, 20);
        let add = v;
        v %= Int2::new(4, 11);
        let rem = v;
        v *= 12;
        v <<= 1;
        let mul = v;
        v |= 1;
        [add.x, add.y, rem.x, rem.y, mul.x, mul.y, v.x, v.y]
    }

    svc_2_bits: [i32; 10] = [8, 4, 14, 7, 6, 3, -13, -7, -4, 1]; {
        let (a, b) = (Int2::new(12, 6), Int2::new(10, 5));
        let (and, or, xor, not) = (a & b, a | b, a ^ b, !a);
        let down = Int2::new(-7, 2) >> 1;
        [and.x, and.y, or.x, or.y, xor.x, xor.y, not.x, not.y, down.x, down.y]
    }

    svc_2_equal_when_all_components_are: [i32; 4] = [1, 0, 0, 1]; {
        let (a, same, other) = (Float3::new(1.0, 2.0, 3.0), Float3::new(1.0, 2.0, 3.0), Float3::new(1.0, 2.0, 4.0));
        [(a == same) as i32, (a != same) as i32, (a == other) as i32, (a != other) as i32]
    }

    svc_3_components_by_number [zero]: [f32; 4] = [1.0, 3.0, 5.0, 2.0]; {
        let mut v = Float3::new(1.0, 2.0, 3.0);
        let (first, last) = (v[zero], v[zero + 2]);
        v[zero + 2] = 5.0;
        [first, last, v.z, v.y]
    }

    svc_1_of_fields_and_arrays: [i32; 7] = [1, 2, 3, 1, 9, 4, 5]; {
        let v = Int3 { x: 1, y: 2, z: 3 };
        let (w, all) = (Int3 { y: 9, ..v }, Int2::new(4, 5).to_array());
        [v.x, v.y, v.z, w.x, w.y, all[0], all[1]]
    }

    svc_3_components_and_swizzles: [f32; 11] = [4.0, 2.0, 3.0, 1.0, 4.0, 3.0, 2.0, 9.0, 2.0, 3.0, 8.0]; {
        let v = Float4::new(1.0, 2.0, 3.0, 4.0);
        let (pair, triple, quad) = (v.wy(), v.zxw(), v.wzyx());
        let mut changed = v;
        changed.x = 9.0;
        changed.w *= 2.0;
        [pair.x, pair.y, triple.x, triple.y, triple.z, quad.y, quad.z, changed.x, changed.y, changed.z, changed.w]
    }

    dot_length_distance: [f32; 4] = [1.0, 3.0, 5.0, 0.6]; {
        let (a, b) = (Float3::new(1.0, 2.0, 2.0), Float3::new(3.0, -2.0, 1.0));
        [a.dot(b), a.length(), Float2::new(1.0, 2.0).distance(Float2::new(4.0, 6.0)), Float2::new(3.0, 4.0).normalize().x]
    }

    dot_of_ints_wraps: [i32; 3] = [32, -2, 70]; {
        [
            Int3::new(1, 2, 3).dot(Int3::new(4, 5, 6)),
            Int2::new(i32::MAX, 0).dot(Int2::new(2, 7)),
            Int4::new(1, 2, 3, 4).dot(Int4::new(5, 6, 7, 8)),
        ]
    }

    cross_is_at_right_angles: [f32; 3] = [-3.0, 6.0, -3.0]; {
        let c = Float3::new(1.0, 2.0, 3.0).cross(Float3::new(4.0, 5.0, 6.0));
        [c.x, c.y, c.z]
    }

    min_max_clamp_abs: [f32; 10] = [1.0, -4.0, 2.0, 3.0, 0.0, 1.0, 1.0, 4.0, 5.0, 5.0]; {
        let (a, b) = (Float2::new(1.0, 3.0), Float2::new(2.0, -4.0));
        let (least, most, held, size) = (a.min(b), a.max(b), b.clamp(Float2::splat(0.0), Float2::splat(1.0)).yx(), Float2::new(-1.0, -4.0).abs());
        let nan = f32::NAN;
        [
            least.x, least.y, most.x, most.y, held.x, held.y, size.x, size.y,
            Float2::splat(nan).min(Float2::splat(5.0)).x, Float2::splat(5.0).max(Float2::splat(nan)).y,
        ]
    }

    conversions_between_scalars: [i32; 6] = [1, -2, i32::MAX, 0, -1, 3]; {
        let (a, b) = (Float2::new(1.9, -2.9).as_int(), Float2::new(1e20, f32::NAN).as_int());
        let (c, d) = (UInt3::splat(4_294_967_295).as_int(), Double2::new(3.5, 0.0).as_float().as_int());
        [a.x, a.y, b.x, b.y, c.z, d.x]
    }
}

mod host {
    //! What only the host can say, and the rows of the op table as the measure.

    use tilewise::ir::ops::{Op, ScalarBits};
    use tilewise::ir::types::Scalar;
    use tilewise::vector::{Double3, Float2, Float3, Float4, Int2, Int3, UInt4};

    #[test]
    fn text_is_that_of_kernels() {
        assert_eq!(Float3::new(1.0, 2.5, -3.0).to_string(), "(1, 2.5, -3)");
        assert_eq!(format!("{:.1}", Float2::splat(0.25)), "(0.2, 0.2)");
    }

    #[test]
    fn components_are_packed() {
        assert_eq!((size_of::<Float3>(), align_of::<Float3>()), (12, 4));
        assert_eq!((size_of::<Double3>(), align_of::<Double3>()), (24, 8));
        assert_eq!((size_of::<UInt4>(), align_of::<UInt4>()), (16, 4));
    }

    #[test]
    fn arrays_and_subscripts() {
        let mut v = Int3::from([4, 5, 6]);
        v[1u8] += 10;
        assert_eq!(<[i32; 3]>::from(v), [4, 15, 6]);
        assert_eq!((v[0], v[1], v[2]), (4, 15, 6));
        assert!(std::panic::catch_unwind(|| v[3]).is_err());
    }

    /// Numbers that test rounding, signs and edges.
    const HARD: [f32; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        1.0 / 3.0,
        1e-30,
        -1e30,
        3e38,
        1e-45,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        16777217.0,
    ];

    /// Vectors of hard numbers, many of them.
    fn hard() -> impl Iterator<Item = (Float3, Float3)> {
        let pick = |seed: u32, i: u32| HARD[((seed.wrapping_mul(2654435761) >> (i * 5)) % 14) as usize];
        (1..4000u32).map(move |seed| {
            let at = |i| pick(seed, i);
            (Float3::new(at(0), at(1), at(2)), Float3::new(at(3), at(4), at(5)))
        })
    }

    fn lanes(v: Float3) -> [u64; 4] {
        [v.x.to_bits().into(), v.y.to_bits().into(), v.z.to_bits().into(), 0]
    }

    /// Bits, any NaN being the same.
    fn same(found: f32, wanted: u64) -> bool {
        let wanted = <f32 as ScalarBits>::from_bits(wanted);
        found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan())
    }

    fn same_all(found: Float3, wanted: [u64; 4]) -> bool {
        found.to_array().into_iter().zip(wanted).all(|(found, wanted)| same(found, wanted))
    }

    #[test]
    fn geometry_gives_the_bits_of_its_rows() {
        let row = |op: Op, a, b| op.whole(Scalar::F32).expect("the row works on vectors")([a, b, [0; 4], [0; 4]], 3);
        for (a, b) in hard() {
            let (x, y) = (lanes(a), lanes(b));
            assert!(same(a.dot(b), row(Op::Dot, x, y)[0]), "dot of {a} and {b}");
            assert!(same(a.length(), row(Op::Length, x, y)[0]), "length of {a}");
            assert!(same(a.distance(b), row(Op::Distance, x, y)[0]), "distance of {a} and {b}");
            assert!(same_all(a.normalize(), row(Op::Normalize, x, y)), "normalize of {a}");
            assert!(same_all(a.cross(b), row(Op::Cross, x, y)), "cross of {a} and {b}");
        }
    }

    #[test]
    fn components_give_the_bits_of_their_rows() {
        let row = |op: Op, a: [u64; 4], b: [u64; 4]| {
            let each = op.each(Scalar::F32).expect("the row works by component");
            std::array::from_fn(|i| each([a[i], b[i], a[(i + 1) % 3], 0]))
        };
        for (a, b) in hard() {
            let (x, y) = (lanes(a), lanes(b));
            let next = Float3::new(a.y, a.z, a.x);
            for (found, op) in [
                (a + b, Op::Add),
                (a - b, Op::Sub),
                (a * b, Op::Mul),
                (a / b, Op::Div),
                (a % b, Op::Rem),
                (a.min(b), Op::Min),
                (a.max(b), Op::Max),
                (a.clamp(b, next), Op::Clamp),
                (a.abs(), Op::Abs),
                (-a, Op::Neg),
            ] {
                assert!(same_all(found, row(op, x, y)), "{} of {a} and {b} is {found}", op.name());
            }
        }
    }

    #[test]
    fn ints_give_the_bits_of_their_rows() {
        const HARD: [i32; 8] = [0, 1, -1, 7, -8, i32::MAX, i32::MIN, 33];
        for x in HARD {
            for y in HARD {
                let (a, b) = (Int2::new(x, y), Int2::splat(y));
                for (found, op) in [
                    (a + b, Op::Add),
                    (a - b, Op::Sub),
                    (a * b, Op::Mul),
                    (a / b, Op::Div),
                    (a % b, Op::Rem),
                    (a << b, Op::Shl),
                    (a >> b, Op::Shr),
                    (a.min(b), Op::Min),
                    (a.max(b), Op::Max),
                    (a.abs(), Op::Abs),
                    (!a, Op::Not),
                    (-a, Op::Neg),
                ] {
                    let wanted = op.each(Scalar::I32).expect("the row works by component")([
                        ScalarBits::to_bits(x),
                        ScalarBits::to_bits(y),
                        0,
                        0,
                    ]);
                    assert_eq!(found.x, <i32 as ScalarBits>::from_bits(wanted), "{} of {x} and {y}", op.name());
                }
            }
        }
    }

    #[test]
    fn a_vector_of_four_sums_from_the_first_to_the_last() {
        // 1e8 + 1 is 1e8 in f32: the order shows.
        let v = Float4::new(1.0, 1e8, -1e8, 1.0);
        assert_eq!(v.dot(Float4::splat(1.0)), 1.0);
        assert_eq!(v.yzwx().dot(Float4::splat(1.0)), 2.0);
    }
}
