//! A part of what the threads of a tile share is lent to be changed.

use tilewise::prelude::*;

#[amp]
fn add(x: &mut i32) {
    *x += 1;
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent().tile::<4>(), |t| {
        #[tile_static]
        let pair: (i32, i32);
        add(&mut pair.0);
        out[t] = pair.0;
    })
}
