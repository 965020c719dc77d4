//! What a kernel takes from around it.

use super::*;
use tilewise::prelude::*;
use tilewise::{Launch, ReadView};

struct Parameters {
    k: i32,
    steps: [i32; 3],
    title: String,
}

/// It holds views.
struct Springs<'s> {
    lengths: ReadView<'s, i32>,
    forces: ArrayView<'s, i32>,
    parameters: Parameters,
}

impl Springs<'_> {
    fn pull(&self, launch: Launch<Extent<1>>) -> tilewise::Result<()> {
        parallel_for_each!(launch, |i| {
            self.forces[i] = self.lengths[i] * self.parameters.k;
        })
    }
}

static OFFSETS: [i32; 3] = [100, 200, 300];

fn parameters() -> Parameters {
    Parameters { k: 3, steps: [5, 6, 7], title: "springs".to_owned() }
}

#[test]
fn a_field_of_a_captured_name() {
    let p = parameters();
    on_all(&[5, 9, 13], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| v[i] = p.k * i[0] + p.steps[i[0]])
    });
    assert_eq!(p.title, "springs");
}

#[test]
fn an_element_of_a_captured_field() {
    on_all(&[6, 12, 24], |launch, v: &ArrayView<'_, i32>| {
        let lengths = [2, 4, 8];
        let system =
            Springs { lengths: ArrayView::read_only(3, &lengths)?, forces: v.clone(), parameters: parameters() };
        parallel_for_each!(launch, |i| {
            system.forces[i] = system.lengths[i];
            system.forces[i] *= system.parameters.k;
        })
    });
}

#[test]
fn a_struct_that_holds_views() {
    on_all(&[6, 12, 24], |launch, v: &ArrayView<'_, i32>| {
        let lengths = [2, 4, 8];
        let springs =
            Springs { lengths: ArrayView::read_only(3, &lengths)?, forces: v.clone(), parameters: parameters() };
        springs.pull(launch)
    });
}

#[test]
fn arrays_and_statics() {
    let table = [1, 2, 3];
    on_all(&[101, 202, 303], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| v[i] = table[i[0]] + OFFSETS[i[0]])
    });
}

#[test]
fn an_assertion() {
    on_all(&[0, 2, 4], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |i| {
            assert!(i[0] < 3, "{} is too large", i[0]);
            assert_eq!(v[i], 0);
            assert_ne!(i[0], 3);
            debug_assert!(i[0] >= 0);
            debug_assert_eq!(i[0] + i[0], 2 * i[0], "of {}", i[0]);
            debug_assert_ne!(i[0], -1);
            v[i] = 2 * i[0];
        })
    });
}
