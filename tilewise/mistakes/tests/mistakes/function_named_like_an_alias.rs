//! A function that is called has the name of an alias of a tuple struct.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Pair(i32, i32);

type Swapped = Pair;

#[allow(non_snake_case)]
fn Swapped(a: i32, b: i32) -> Pair {
    Pair(b, a)
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![Pair(0, 0); 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Swapped(i[0], 1);
    })
}
