//! A local that a procedural macro writes at its call site, and a captured name of its text.

use tilewise::prelude::*;
use tilewise_respan::at_call_site;

fn main() {
    let out = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let n = 100;
    at_call_site!(parallel_for_each!(out.extent(), |i| {
        let @n = i[0];
        out[i] = n;
    }))
    .unwrap();
}
