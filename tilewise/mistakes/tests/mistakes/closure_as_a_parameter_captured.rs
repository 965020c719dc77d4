//! A function of the host calls its closure in a kernel.

use tilewise::prelude::*;

fn mapped(view: &ArrayView<'_, f32>, f: impl Fn(f32) -> f32) -> tilewise::Result<()> {
    parallel_for_each!(view.extent(), |i| {
        view[i] = f(view[i]).sqrt();
    })
}

fn main() {}
