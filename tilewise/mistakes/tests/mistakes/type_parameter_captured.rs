//! A value of a type parameter is captured, whose bounds do not say that a kernel can have it.

use tilewise::prelude::*;

#[amp]
trait Curve {
    fn at(&self, t: f32) -> f32;
}

fn evaluate<C: Curve>(curve: C, n: usize) -> tilewise::Result<Vec<f32>> {
    let out = ArrayView::from_vec(n, vec![0.0; n])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = curve.at(i[0] as f32);
    })?;
    out.to_vec()
}

fn main() {}
