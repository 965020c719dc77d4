//! A struct without fields is a value in a kernel, and no element.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Nothing;

fn main() {
    let _ = ArrayView::from_vec(4, vec![Nothing; 4]);
}
