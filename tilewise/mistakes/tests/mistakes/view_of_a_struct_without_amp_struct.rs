//! A kernel reads and writes a view of a struct that cannot be an element.

use tilewise::prelude::*;

#[derive(Clone, Copy)]
struct Counter {
    steps: u32,
}

fn advance(counters: &ArrayView<'_, Counter>) -> tilewise::Result<()> {
    parallel_for_each!(counters.extent(), |i| {
        if counters[i].steps == 1 {
            counters[i].steps += 1;
        }
    })
}

fn main() {}
