//! A type with parameters is made of `f32` with `#[amp]` and of `f64` without.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Row<const N: usize> {
    all: [f32; N],
}

#[amp]
impl<const N: usize> From<f32> for Row<N> {
    fn from(x: f32) -> Row<N> {
        Row { all: [x; N] }
    }
}

impl<const N: usize> From<f64> for Row<N> {
    fn from(x: f64) -> Row<N> {
        Row { all: [1.0 / x as f32; N] }
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Row::<2>::from(4.0).all[1];
    })
}
