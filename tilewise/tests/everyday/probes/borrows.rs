//! References, and functions of the standard library that move values.

use super::*;
use std::{cmp, mem};
use tilewise::prelude::*;
use tilewise::{Array, TileStatic};

#[derive(Clone, Copy, Default, AmpStruct)]
struct Settings {
    scale: i32,
    steps: [i32; 3],
    is_on: bool,
}

#[derive(Clone, Copy, AmpStruct)]
struct Metres(i32);

#[derive(Clone, Copy, AmpStruct)]
struct Feet(i32);

#[amp]
impl From<Metres> for Feet {
    fn from(from: Metres) -> Self {
        Feet(from.0 * 3)
    }
}

#[amp]
fn bump(x: &mut i32, by: &i32) {
    *x += *by;
}

#[amp]
fn sum(of: &[i32; 4]) -> i32 {
    of[0] + of[1] + of[2] + of[3]
}

#[amp]
fn clear_first<const N: usize>(of: &mut [i32; N]) {
    of[0] = 0;
}

#[amp]
fn total(of: &TileStatic<[i32; 2]>) -> i32 {
    of[0] * 10 + of[1]
}

#[amp]
fn neighbours(of: &ReadView<'_, i32>, at: i32) -> i32 {
    of[at] + of[at + 1]
}

#[amp]
fn element(of: &ArrayView<'_, i32>, at: i32) -> i32 {
    of[at] * 2
}

same! {
    a_reference_that_changes_a_local: i32, |i| {
        let mut x = i;
        let place = &mut x;
        *place *= 2;
        bump(&mut x, &5);
        x
    }

    a_reference_to_an_element_of_an_array: i32, |i| {
        let mut all = [1, 2, 3];
        let second = &mut all[1];
        *second += i;
        bump(&mut all[2], &i);
        all[1] * 10 + all[2]
    }

    values_are_swapped: i32, |i| {
        let (mut a, mut b) = (i, 7);
        mem::swap(&mut a, &mut b);
        let before = mem::replace(&mut a, b * 2);
        a * 100 + before * 10 + mem::take(&mut b) + b
    }

    the_least_and_the_most: i32, |i| { cmp::min(i, 3) * 10 + cmp::max(2, i) + i.clamp(1, 4) * 100 }

    a_number_becomes_another: i64, |i| {
        let wide: i64 = i.into();
        let small: u16 = 7u8.into();
        wide * 3_000_000_000 + i64::from(small)
    }

    a_type_becomes_another: i32, |i| {
        let feet: Feet = Metres(i).into();
        feet.0 + Feet::from(Metres(100)).0
    }

    a_derived_default: i32, |i| {
        let settings = Settings { scale: i, ..Settings::default() };
        let other: Settings = Default::default();
        settings.scale + settings.steps[1] + other.scale + other.is_on as i32
    }

    a_reference_to_an_array: i32, |i| {
        let mut all = [i, 2, 3, 4];
        let before = sum(&all);
        clear_first(&mut all);
        before * 100 + sum(&all)
    }
}

#[test]
fn a_reference_to_a_view() {
    let numbers = [1, 2, 4, 8, 16];
    on_all(&[3, 6, 12, 24], |launch, v: &ArrayView<'_, i32>| {
        let numbers = ArrayView::read_only(5, &numbers)?;
        parallel_for_each!(launch, |i| v[i] = neighbours(&numbers, i[0]))
    });
}

#[test]
fn a_reference_to_an_array_of_the_library() {
    on_each(&[2, 4, 6], |on, v: &ArrayView<'_, i32>| {
        let array = Array::<i32>::builder(3).on(on).build_from(&[1, 2, 3])?;
        parallel_for_each!((on, v.extent()), |i| v[i] = element(&array, i[0]))
    });
}

#[test]
fn a_reference_to_tile_static() {
    on_each(&[1, 1, 23, 23], |on, v: &ArrayView<'_, i32>| {
        parallel_for_each!(on, v.extent().tile::<2>(), |t| {
            #[tile_static]
            let part: [i32; 2];
            part[t.local[0]] = t.global[0];
            t.barrier.wait();
            v[t] = total(&part);
        })
    });
}

#[test]
fn an_element_of_a_view_is_lent() {
    on_all(&[5, 6, 7], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            v[i] = i[0];
            bump(&mut v[i], &5);
        })
    });
}
