//! The first kernel: one thread for each element adds two arrays. `discard_data` says that what is in the result so
//! far need not be brought to where the kernel runs.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let a = [1, 2, 3, 4, 5];
    let b = [6, 7, 8, 9, 10];
    let mut sums = [0; 5];

    let a = ArrayView::read_only(5, &a)?;
    let b = ArrayView::read_only(5, &b)?;
    let sum = ArrayView::new(5, &mut sums)?;
    sum.discard_data();

    parallel_for_each!(sum.extent(), |idx| {
        sum[idx] = a[idx] + b[idx];
    })?;

    for i in 0..5 {
        println!("{}", sum.get(i)?);
    }
    // The view is done with: the numbers are in `sums`.
    sum.close()?;
    assert_eq!(sums, [7, 9, 11, 13, 15]);
    Ok(())
}
