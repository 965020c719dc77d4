//! A view of a type parameter whose bounds do not say that it can be an element.

use tilewise::prelude::*;

fn double<T: Copy + std::ops::Add<Output = T>>(v: &ArrayView<'_, T>) -> tilewise::Result<()> {
    parallel_for_each!(v.extent(), |i| {
        let x = v[i];
        v[i] = x + x;
    })
}

fn main() {}
