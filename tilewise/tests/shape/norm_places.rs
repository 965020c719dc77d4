//! Where a `Norm`, a `Unorm` and a vector of them may be in a kernel (NRM-1): wherever an `f32` may.

use std::sync::Mutex;

use tilewise::graphics::{Norm, Norm2, Norm3, Unorm, Unorm3, Unorm4};
use tilewise::prelude::*;

use crate::launchers;

#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct Texel {
    color: Unorm3,
    shine: Norm,
    many: [Unorm; 2],
}

#[derive(Clone, Copy, AmpStruct)]
enum Light {
    Off,
    On(Unorm),
}

#[amp]
fn strength(light: Light) -> Unorm {
    match light {
        Light::Off => Unorm::MIN,
        Light::On(strength) => strength,
    }
}

#[amp]
fn brighten(color: &mut Unorm3, by: Unorm) {
    *color += by;
    color.x = Unorm::MAX;
}

#[test]
fn nrm_1_elements_captures_fields_and_local_values() {
    let (by, fade) = (Unorm::new(0.25), Norm::new(-0.5));
    for (target, view) in launchers() {
        let start = Texel { color: Unorm3::splat(Unorm::new(0.5)), shine: Norm::MAX, many: [Unorm::ZERO; 2] };
        let texels = ArrayView::from_vec(4, vec![start; 4]).expect("there is room");
        let sums = ArrayView::<Unorm, 1>::without_source(4).expect("there is room");
        let launched = parallel_for_each!((&view, texels.extent()), |i| {
            texels[i].shine += fade;
            brighten(&mut texels[i].color, by);
            let mut many = texels[i].many;
            many[1] = Unorm::from(i[0]);
            many.swap(0, 1);
            texels[i].many = many;
            let light = if i[0] == 3 { Light::On(by) } else { Light::Off };
            for one in many {
                sums[i] += one;
            }
            sums[i] += strength(light);
        });
        launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
        let quarters = |x: [f32; 3]| Unorm3::from(x.map(Unorm::new));
        let expected =
            Texel { color: quarters([1.0, 0.75, 0.75]), shine: Norm::new(0.5), many: [Unorm::MAX, Unorm::ZERO] };
        assert_eq!(texels.get(2).expect("it is there"), expected, "on {target}");
        let sums = sums.to_vec().expect("the elements can be read");
        assert_eq!(sums, [0.0, 1.0, 1.0, 1.0].map(Unorm::new), "on {target}");
    }
}

#[test]
fn nrm_1_memory_of_a_tile() {
    for (target, view) in launchers() {
        let input = ArrayView::from_vec(8, (0..8).map(|n| Norm::new(n as f32 / 8.0)).collect()).expect("there is room");
        let out = ArrayView::<Norm2, 1>::without_source(8).expect("there is room");
        let launched = parallel_for_each!((&view, input.extent().tile::<4>()), |t| {
            #[tile_static]
            let part: [Norm; 4];
            #[tile_static]
            let last: Norm2;
            part[t.local[0]] = -input[t];
            if t.local[0] == 3 {
                last = Norm2::new(input[t], Norm::MIN);
            }
            t.barrier.wait();
            out[t] = Norm2::new(part[3 - t.local[0]], last.x) * last.yx().y;
        });
        launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
        let number = |n: i32| n as f32 / 8.0;
        for i in 0..8 {
            let (mirrored, last) = (number(i / 4 * 4 + 3 - i % 4), number(i / 4 * 4 + 3));
            let expected = Norm2::new(Norm::new(-mirrored * last), Norm::new(last * last));
            assert_eq!(out.get(i).expect("it is there"), expected, "of {i} on {target}");
        }
    }
}

#[test]
fn nrm_1_memory_that_holds_other_numbers_is_clamped_by_what_computes() {
    let numbers = [2.0_f32, -3.0, f32::NAN, 0.5, 7.0, -0.25, 1.0, -1.0];
    for (target, view) in launchers() {
        let floats = ArrayView::from_vec(8, numbers.to_vec()).expect("there is room");
        let norms = floats.reinterpret_as::<Norm>();
        let colors = floats.reinterpret_as::<Unorm4>();
        let (kept, held) = (
            ArrayView::<u32, 1>::without_source(8).expect("there is room"),
            ArrayView::<Norm, 1>::without_source(8).expect("there is room"),
        );
        let swizzled = ArrayView::<Unorm4, 1>::without_source(2).expect("there is room");
        let launched = parallel_for_each!((&view, norms.extent()), |i| {
            let read = norms[i];
            kept[i] = read.get().to_bits();
            held[i] = read + Norm::ZERO;
            if i[0] < 2 {
                swizzled[i] = colors[i].wzyx();
            }
        });
        launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
        let kept: Vec<f32> = kept.to_vec().expect("they can be read").into_iter().map(f32::from_bits).collect();
        let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
        assert!(kept.iter().zip(&numbers).all(same), "on {target}: {kept:?}");
        let held = held.to_vec().expect("they can be read");
        assert_eq!(held, [1.0, -1.0, -1.0, 0.5, 1.0, -0.25, 1.0, -1.0].map(Norm::new), "on {target}");
        let swizzled = swizzled.get(1).expect("it is there").as_float();
        assert_eq!(swizzled, Float4::new(-1.0, 1.0, -0.25, 7.0), "on {target}");
    }
}

#[test]
fn nrm_1_text_is_the_number() {
    assert_eq!((Norm::new(-0.5).to_string(), format!("{:?}", Unorm::new(0.5))), ("-0.5".to_owned(), "0.5".to_owned()));
    assert_eq!(format!("{:.2} {}", Unorm::new(2.0), Norm3::splat(Norm::MIN)), "1.00 (-1, -1, -1)");
    assert_eq!(format!("{:?}", Norm2::ONE), "Norm2 { x: 1.0, y: 1.0 }");
}

#[test]
fn nrm_1_out_of_range_reads_zero() {
    for (target, view) in launchers().filter(|(target, _)| !target.contains("reference")) {
        let input = ArrayView::from_vec(1, vec![Norm::MIN]).expect("there is room");
        let out = ArrayView::from_vec(1, vec![Norm::MAX]).expect("there is room");
        let launched = parallel_for_each!((&view, out.extent()), |i| out[i] = input[i[0] + 5]);
        launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
        assert_eq!(out.get(0).expect("it is there"), Norm::ZERO, "on {target}");
    }
}

#[test]
fn nrm_1_kernels_print_the_number() {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let (norm, color) = (Norm::new(-0.5), Unorm3::new(Unorm::new(0.25), Unorm::MAX, Unorm::ZERO));
    let expected = format!("{norm} {norm:?} {color} {:.1}", color.x);
    assert_eq!(expected, "-0.5 -0.5 (0.25, 1, 0) 0.2");
    tilewise::set_print_hook(|line| LINES.lock().expect("no test panics with it").push(line.to_string()));
    for (target, view) in launchers() {
        LINES.lock().expect("no test panics with it").clear();
        let launched = parallel_for_each!((&view, Extent::new(1)), |_| {
            print!("{norm} {norm:?} {color} {:.1}", color.x);
        });
        launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
        view.wait().unwrap_or_else(|error| panic!("on {target}: {error}"));
        assert_eq!(*LINES.lock().expect("no test panics with it"), [expected.as_str()], "on {target}");
    }
}
