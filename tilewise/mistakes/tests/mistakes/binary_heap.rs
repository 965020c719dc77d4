//! A `BinaryHeap` has its items on the heap.

use tilewise::prelude::*;

use std::collections::BinaryHeap;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let heap: BinaryHeap<i32> = BinaryHeap::new();
        out[i] = 1;
    })
}
