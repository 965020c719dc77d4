//! An `Rc` is captured.

use tilewise::prelude::*;
use std::rc::Rc;

fn main() -> tilewise::Result<()> {
    let weight = Rc::new(1.0_f32);
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let copy = weight;
        out[i] = 1.0;
    })
}
