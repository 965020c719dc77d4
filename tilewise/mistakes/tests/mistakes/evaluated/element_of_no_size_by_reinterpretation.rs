//! No number of elements without bytes fills a view.

use tilewise::prelude::*;

fn main() {
    let _ = ArrayView::from_vec(1, vec![1u32]).map(|view| drop(view.try_reinterpret_as::<[u32; 0]>()));
}
