//! Functions that a kernel calls: `#[amp]` makes a function callable from kernels and from the host alike. Views are
//! handed on by reference.

use tilewise::prelude::*;

#[amp]
fn add<T: Scalar>(a: T, b: T) -> T {
    a + b
}

#[amp]
fn add_elements(idx: Index<1>, sum: &ArrayView<'_, i32>, a: &ReadView<'_, i32>, b: &ReadView<'_, i32>) {
    sum[idx] = add(a[idx], b[idx]);
}

fn main() -> tilewise::Result<()> {
    let a = [1, 2, 3, 4, 5];
    let b = [6, 7, 8, 9, 10];
    let mut sums = [0; 5];

    let a = ArrayView::read_only(5, &a)?;
    let b = ArrayView::read_only(5, &b)?;
    let sum = ArrayView::new(5, &mut sums)?;
    parallel_for_each!(sum.extent(), |idx| {
        add_elements(idx, &sum, &a, &b);
    })?;
    sum.close()?;

    println!("in a kernel: {sums:?}");
    println!("on the host: {} and {}", add(1, 6), add(0.5, 0.25));
    Ok(())
}
