//! A function of a kernel takes a view.

use tilewise::prelude::*;

#[amp]
fn sum(a: &[f32], n: usize) -> f32 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += a[i];
    }
    sum
}

fn main() {}
