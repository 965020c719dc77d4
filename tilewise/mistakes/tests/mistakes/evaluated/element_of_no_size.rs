//! A struct with parameters may have no bytes for some of them.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Block<const N: usize> {
    values: [f32; N],
}

fn main() {
    let _ = ArrayView::from_vec(1, vec![Block::<0> { values: [] }]);
}
