//! A barrier is waited at by a call.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent().tile::<4>(), |t| {
        t.barrier.sync();
        out[t] = 1.0;
    })
}
