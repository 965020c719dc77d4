//! A function is called as a struct is.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Pair(i32, i32);

#[amp]
#[allow(non_snake_case)]
fn Swapped(a: i32, b: i32) -> Pair {
    Pair(b, a)
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![Pair(0, 0); 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Pair(i[0], 1);
    })
}
