//! A local that a procedural macro writes at its call site, and hides one of the kernel's own.

use tilewise::prelude::*;
use tilewise_respan::at_call_site;

fn main() {
    let out = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    at_call_site!(parallel_for_each!(out.extent(), |i| {
        let count = i[0];
        {
            let @count = count + 5;
            out[i] = count;
        }
    }))
    .unwrap();
}
