//! For some lengths it has bytes without meaning at its end, so it is no plain data for any.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C, align(64))]
struct Block<const N: usize> {
    values: [f32; N],
}

fn main() {
    let _ = ArrayView::from_vec(1, vec![Block { values: [1.0; 2] }]);
}
