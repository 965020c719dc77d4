//! An enum is named as it is declared.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Dot,
    Disc(f32),
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let shape = Shap::Disc(1.0);
        out[i] = 1.0;
    })
}
