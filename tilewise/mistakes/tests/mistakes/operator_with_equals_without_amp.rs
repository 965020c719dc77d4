//! `+=` of a type whose `AddAssign` is for the host alone.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Sum<T> {
    sum: T,
    count: T,
}

#[amp]
impl<T: Scalar> std::ops::Add for Sum<T> {
    type Output = Sum<T>;
    fn add(self, other: Sum<T>) -> Sum<T> {
        Sum { sum: self.sum + other.sum, count: self.count + other.count }
    }
}

impl<T: Scalar> std::ops::AddAssign for Sum<T> {
    fn add_assign(&mut self, other: Sum<T>) {
        self.sum += other.sum;
        self.count += T::ONE;
    }
}

fn main() -> tilewise::Result<()> {
    let sums = ArrayView::from_vec(4, vec![Sum { sum: 1.0, count: 1.0 }; 4])?;
    parallel_for_each!(sums.extent(), |i| {
        sums[i] += sums[0];
    })
}
