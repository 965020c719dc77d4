//! A loop goes over an iterator that is a part of a tuple.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let values = [1, 2, i[0]];
        let pair = (values.iter(), 3);
        let mut sum = pair.1;
        for x in pair.0 {
            sum += x;
        }
        out[i] = sum;
    })
}
