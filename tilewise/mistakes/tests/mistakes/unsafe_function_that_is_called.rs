//! A function for kernels is safe; its calls are not reported too.

use tilewise::prelude::*;

#[amp]
unsafe fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0.0_f32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| v[i] = halved(v[i])).unwrap();
    println!("{}", unsafe { halved(1.0) });
}
