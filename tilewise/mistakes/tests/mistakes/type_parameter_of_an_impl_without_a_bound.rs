//! A type parameter of an `impl` that could be any type.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Pair<T> {
    a: T,
    b: T,
}

#[amp]
impl<T: Copy> Pair<T> {
    fn sum(self) -> T {
        self.a + self.b
    }

    fn first(&self) -> T {
        self.a
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Pair { a: 1, b: i[0] }.sum();
    })
}
