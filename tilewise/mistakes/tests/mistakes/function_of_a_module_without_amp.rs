//! A function of a module, without `#[amp]`, is called.

use tilewise::prelude::*;

mod helpers {
    pub fn halved(x: f32) -> f32 {
        x / 2.0
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = helpers::halved(out[i]);
    })
}
