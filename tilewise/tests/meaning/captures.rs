//! What a kernel captures: names, and fields of names.

use tilewise::prelude::*;
use tilewise::{AcceleratorView, Array, ReadView};

use crate::{P, Q, on_all, on_each};

/// No kernel takes it as a whole.
struct System<'s> {
    bodies: ArrayView<'s, i32>,
    table: ReadView<'s, i32, 2>,
    owned: Array<i32>,
    settings: Settings,
    name: String,
    pair: (i32, ArrayView<'s, i32>),
}

struct Settings {
    scale: i32,
    steps: [i32; 3],
    start: P,
    name: String,
}

impl System<'_> {
    fn run(&self, on: &AcceleratorView) -> tilewise::Result<()> {
        parallel_for_each!(on, self.bodies.extent(), |i| {
            self.bodies[i] += self.settings.scale * self.settings.steps[i[0] % 3] + self.table[(1, i[0] % 2)];
            self.pair.1[i] -= self.owned[i] + (self.pair).0 + self.settings.start.x;
        })
    }
}

#[test]
fn fields_are_captured_by_themselves() {
    let got = on_each(6, |on, out: &ArrayView<'_, i32>| {
        let table = [1, 2, 3, 4];
        let settings = Settings { scale: 10, steps: [1, 2, 3], start: P { x: 5, y: 6 }, name: "s".to_owned() };
        let mut system = System {
            bodies: out.clone(),
            table: ArrayView::read_only((2, 2), &table)?,
            owned: Array::builder(6).on(on).build_from(&[100; 6])?,
            settings,
            name: "all".to_owned(),
            pair: (7, out.clone()),
        };
        system.run(on)?;
        system.settings.scale = -1;
        let by_reference = &mut system;
        parallel_for_each!(on, Extent([6]), |i| {
            by_reference.bodies[i] += by_reference.settings.scale + by_reference.settings.start.sqrt();
            let bodies = |k: i32| by_reference.bodies[k] + by_reference.settings.steps.len() as i32;
            by_reference.pair.1[i] = bodies(i[0]) * 2;
        })?;
        system.name.push('.');
        parallel_for_each!(on, Extent([6]), |i| {
            let system = (system.pair.0, system.settings.start);
            out[i] += system.0 + system.1.y;
        })
    });
    let want = |i: i32| ((10 * [1, 2, 3][i as usize % 3] + [3, 4][i as usize % 2] - 112 + 5005) + 3) * 2 + 13;
    assert_eq!(got, (0..6).map(want).collect::<Vec<_>>());
}

#[test]
fn fields_with_similar_paths_are_different() {
    struct Outer {
        b: Inner,
        b_c: i32,
    }
    struct Inner {
        c: i32,
        d: (i32, i32),
    }
    let a = Outer { b: Inner { c: 1, d: (2, 3) }, b_c: 4 };
    let a_b = Inner { c: 5, d: (6, 7) };
    let got = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            out[i] = a.b.c + a.b_c * 10 + a_b.c * 100 + a.b.d.1 * 1000 + a_b.d.0 * 10_000 + a.b.d.0 * 100_000;
            let a = P { x: 1, y: 2 };
            out[i] += a.y;
        })
    });
    assert_eq!(got, [263_541 + 2; 2]);
}

#[test]
fn a_struct_is_captured_as_a_whole_and_by_its_fields() {
    let q = Q { p: P { x: 1, y: 2 }, a: [P { x: 3, y: 4 }; 3] };
    let point = Float3::new(1.0, 2.0, 3.0);
    let got = on_all([3], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let mut copy = q;
            copy.p.x += q.p.y + q.a[i[0]].x;
            let P { x, y } = q.p;
            out[i] = copy.p.x * 100 + q.p.sqrt() + x + y + (point.y + point.dot(point)) as i32;
        })
    });
    assert_eq!(got, [600 + 1002 + 3 + 16; 3]);
}
