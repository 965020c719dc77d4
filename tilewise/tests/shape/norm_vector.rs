//! The vectors of `Norm` and `Unorm` (SVC-1 to SVC-3). What computes is compared, to the bit, with
//! plain floats and a clamp, component by component.

use proptest::prelude::{ProptestConfig, Strategy, any, prop, prop_assert_eq, proptest};
use tilewise::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use tilewise::prelude::*;

use super::norm::{HARD, clamped, greatest, least, pairs};
use crate::{checks, launchers};

checks! {
    svc_1_norms_made_of_components_or_of_one: [f32; 11] = [0.5, -1.0, 0.25, 0.25, 0.0, 0.0, 1.0, 0.5, -1.0, 0.25, -1.0]; {
        let (v, same, zero) = (Norm2::new(Norm::new(0.5), Norm::MIN), Unorm3::splat(Unorm::new(0.25)), Norm4::default());
        let (longer, parts) = (v.extend(Norm::new(0.25)), v.to_array());
        let copy = Norm3 { z: parts[1], ..longer };
        [
            v.x.get(), v.y.get(), same.x.get(), same.z.get(), zero.x.get(), Unorm2::ZERO.y.get(), Unorm2::ONE.y.get(),
            longer.x.get(), longer.y.get(), longer.z.get(), copy.z.get(),
        ]
    }

    svc_1_norms_made_of_other_vectors: [f32; 17] = [
        1.0, -1.0, 1.0, 0.0, 0.5, -1.0, 0.5, 0.0, 0.25, 0.0, 1.0, 0.0, 0.25, -0.75, 0.0, 1.0, 0.0
    ]; {
        let (ints, uints) = (Int2::new(7, -7), UInt2::new(7, 0));
        let (floats, doubles) = (Float3::new(0.5, -7.0, f32::NAN), Double2::new(0.25, -0.5));
        let (norm, unorm) = (Norm4::new(Norm::new(0.25), Norm::new(-0.75), Norm::ZERO, Norm::MAX), floats.as_unorm());
        let narrow = norm.as_unorm();
        [
            ints.as_norm().x.get(), ints.as_norm().y.get(), uints.as_norm().x.get(), uints.as_unorm().y.get(),
            floats.as_norm().x.get(), floats.as_norm().z.get(), unorm.x.get(), unorm.z.get(), doubles.as_unorm().x.get(),
            doubles.as_unorm().y.get(), ints.as_unorm().x.get(), narrow.y.get(), narrow.x.get(),
            norm.as_float().y, unorm.as_norm().y.get(), narrow.as_norm().w.get(), unorm.as_float().z,
        ]
    }

    svc_1_other_vectors_made_of_norms: [i32; 10] = [1, -1, 0, 1, 0, 0, 1, 0, 1, 2]; {
        let norm = Norm4::new(Norm::MAX, Norm::MIN, Norm::new(0.75), Norm::new(3.0));
        let (ints, uints, unorm) = (norm.as_int(), norm.as_uint(), norm.as_unorm());
        let floats: Float4 = unorm.into();
        let wide = Norm4::from(unorm);
        [
            ints.x, ints.y, ints.z, ints.w, uints.y as i32, uints.z as i32, uints.w as i32, unorm.as_int().y,
            unorm.as_uint().x as i32, ((floats.z + wide.z.get()) * 4.0 / 3.0) as i32,
        ]
    }

    svc_1_doubles_made_of_norms: [f64; 4] = [-0.5, 1.0, 0.5, 0.0]; {
        let v = Norm2::new(Norm::new(-0.5), Norm::MAX);
        let w = Unorm3::new(Unorm::new(0.5), Unorm::ZERO, Unorm::MAX);
        [v.as_double().x, v.as_double().y, w.as_double().x, w.as_double().y]
    }

    svc_2_norms_with_a_number_on_either_side: [f32; 8] = [0.75, 1.0, 0.25, -0.75, 0.125, 1.0, 0.5, 0.0]; {
        let (v, half) = (Norm2::new(Norm::new(0.25), Norm::MAX), Norm::new(0.5));
        let (add, from, mul) = (v + half, half - v - Norm2::new(Norm::ZERO, Norm::new(0.25)), v * half);
        let w = Unorm2::new(Unorm::new(0.5), Unorm::MAX);
        let (div, less) = (w / Unorm::new(0.5), w - Unorm::MAX);
        [add.x.get(), add.y.get(), from.x.get(), from.y.get(), mul.x.get(), div.y.get(), w.x.get(), less.x.get()]
    }

    svc_2_norms_are_equal_when_all_components_are: [i32; 4] = [1, 0, 0, 1]; {
        let (a, same, other) = (Norm3::splat(Norm::new(0.5)), Norm3::splat(Norm::new(0.5)), Norm3::ONE);
        [(a == same) as i32, (a != same) as i32, (a == other) as i32, (a != other) as i32]
    }

    svc_3_components_of_norms_by_number [zero]: [f32; 4] = [0.25, 0.5, -1.0, 0.5]; {
        let mut v = Norm3::new(Norm::new(0.25), Norm::new(0.5), Norm::new(0.75));
        let (first, second) = (v[zero], v[zero + 1]);
        v[zero + 2] = Norm::MIN;
        v.y *= Norm::new(-1.0);
        [first.get(), second.get(), v.z.get(), (-v.y).get()]
    }

    svc_3_colors_of_norms: [f32; 8] = [0.0, 0.25, 0.5, 1.0, 1.0, 0.5, 0.25, 0.0]; {
        let v = Unorm4::new(Unorm::ZERO, Unorm::new(0.25), Unorm::new(0.5), Unorm::MAX);
        let mut set = v;
        set.set_r(v.a());
        set.set_g(v.b());
        set.set_b(v.g());
        set.set_a(v.r());
        [v.r().get(), v.g().get(), v.b().get(), v.a().get(), set.x.get(), set.y.get(), set.z.get(), set.w.get()]
    }
}

/// All operations of a type, on the host and on every accelerator, against the floats.
macro_rules! model {
    ($($name:ident: $v:ident of $t:ident by $clamp:ident, $float:ident $n:literal $low:literal;)*) => {$(
        mod $name {
            use super::*;

            #[amp]
            fn results(a: $v, b: $v) -> [$float; 20] {
                let (mut add, mut sub, mut mul, mut div, mut more, mut less) = (a, a, a, a, a, a);
                add += b;
                sub -= b;
                mul *= b;
                div /= b;
                more.increment();
                less.decrement();
                let (mut first, mut last) = (a, a);
                first += b.x;
                last /= b.y;
                [
                    (a + b).as_float(), (a - b).as_float(), (a * b).as_float(), (a / b).as_float(), add.as_float(),
                    sub.as_float(), mul.as_float(), div.as_float(), more.as_float(), less.as_float(),
                    a.min(b).as_float(), a.max(b).as_float(), a.clamp(b, $v::ONE).as_float(), first.as_float(),
                    last.as_float(), (a * b.x).as_float(), (a.y - b).as_float(), a.as_float().$clamp().as_float(),
                    a.as_float().as_norm().abs().as_float(), (-a.as_float().as_norm()).as_float(),
                ]
            }

            /// Of component `i` of two vectors.
            fn expected(a: &[f32; $n], b: &[f32; $n], i: usize) -> [f32; 20] {
                let held = |x| clamped(x, $low);
                let (x, y) = (a[i], b[i]);
                [
                    held(x + y), held(x - y), held(x * y), held(x / y), held(x + y), held(x - y), held(x * y),
                    held(x / y), held(x + 1.0), held(x - 1.0), held(least(x, y)), held(greatest(x, y)),
                    held(least(held(greatest(x, y)), 1.0)), held(x + b[0]), held(x / b[1]), held(x * b[0]),
                    held(a[1] - y), held(x), clamped(x, -1.0).abs(), -clamped(x, -1.0),
                ]
            }

            fn judge(found: &[$float; 20], a: &[f32; $n], b: &[f32; $n], target: &str) {
                for i in 0..$n {
                    let found = found.map(|vector| vector.to_array()[i].to_bits());
                    assert_eq!(found, expected(a, b, i).map(f32::to_bits), "{i} of {a:?} and {b:?} on {target}");
                }
            }

            pub(super) fn agrees(a: &[f32], b: &[f32]) {
                let of = |all: &[f32]| all.chunks_exact($n).map(|c| c.try_into().expect("it has that length")).collect();
                let (a, b): (Vec<[f32; $n]>, Vec<[f32; $n]>) = (of(a), of(b));
                let vectors = |all: &[[f32; $n]]| all.iter().map(|&x| $v::within(x.into())).collect::<Vec<_>>();
                for ((one, other), (x, y)) in a.iter().zip(&b).zip(vectors(&a).into_iter().zip(vectors(&b))) {
                    judge(&results(x, y), one, other, "the host");
                }
                for (target, view) in launchers() {
                    let x = ArrayView::from_vec(a.len(), vectors(&a)).expect("there is room");
                    let y = ArrayView::from_vec(b.len(), vectors(&b)).expect("there is room");
                    let out = ArrayView::from_vec(a.len(), vec![[$float::ZERO; 20]; a.len()]).expect("there is room");
                    let launched = parallel_for_each!((&view, x.extent()), |i| out[i] = results(x[i], y[i]));
                    launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
                    let found = out.into_vec().expect("the elements can be read");
                    for ((found, a), b) in found.iter().zip(&a).zip(&b) {
                        judge(found, a, b, &target);
                    }
                }
            }
        }
    )*};
}

model! {
    norm2: Norm2 of Norm by as_norm, Float2 2 -1.0;
    norm3: Norm3 of Norm by as_norm, Float3 3 -1.0;
    norm4: Norm4 of Norm by as_norm, Float4 4 -1.0;
    unorm2: Unorm2 of Unorm by as_unorm, Float2 2 0.0;
    unorm3: Unorm3 of Unorm by as_unorm, Float3 3 0.0;
    unorm4: Unorm4 of Unorm by as_unorm, Float4 4 0.0;
}

#[test]
fn svc_2_norm_vectors_compute_as_floats_that_are_clamped() {
    let (a, b) = pairs(&HARD);
    norm2::agrees(&a, &b);
    norm3::agrees(&a, &b);
    norm4::agrees(&a, &b);
}

#[test]
fn svc_2_unorm_vectors_compute_as_floats_that_are_clamped() {
    let (a, b) = pairs(&HARD);
    unorm2::agrees(&a, &b);
    unorm3::agrees(&a, &b);
    unorm4::agrees(&a, &b);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6) })]

    #[test]
    fn any_floats_in_memory_as_vectors(all in prop::collection::vec(any::<u32>().prop_map(f32::from_bits), 9)) {
        let (a, b) = pairs(&all);
        norm3::agrees(&a, &b);
        unorm4::agrees(&a, &b);
        prop_assert_eq!(a.len(), 81);
    }
}

mod host {
    use super::{Norm, Norm3, Unorm, Unorm4};

    #[test]
    fn svc_1_norms_of_and_to_arrays() {
        let mut v = Norm3::from([Norm::MIN, Norm::ZERO, Norm::new(0.5)]);
        v[1_u8] += Norm::new(0.25);
        assert_eq!(<[Norm; 3]>::from(v).map(Norm::get), [-1.0, 0.25, 0.5]);
        assert!(std::panic::catch_unwind(|| v[3]).is_err());
    }

    #[test]
    fn components_of_norms_are_packed() {
        assert_eq!((size_of::<Norm>(), align_of::<Norm>()), (4, 4));
        assert_eq!((size_of::<Norm3>(), align_of::<Norm3>()), (12, 4));
        assert_eq!((size_of::<Unorm4>(), align_of::<Unorm4>(), Unorm4::SIZE), (16, 4, 4));
        assert_eq!(Unorm4::splat(Unorm::new(0.5)).to_string(), "(0.5, 0.5, 0.5, 0.5)");
    }
}
