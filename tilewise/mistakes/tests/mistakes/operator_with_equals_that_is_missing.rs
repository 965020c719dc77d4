//! `+=` of a type that has only an `Add`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Sum {
    sum: f32,
}

#[amp]
impl std::ops::Add for Sum {
    type Output = Sum;
    fn add(self, other: Sum) -> Sum {
        Sum { sum: self.sum + other.sum }
    }
}

fn main() -> tilewise::Result<()> {
    let sums = ArrayView::from_vec(4, vec![Sum { sum: 1.0 }; 4])?;
    parallel_for_each!(sums.extent(), |i| {
        sums[i] += sums[0];
    })
}
