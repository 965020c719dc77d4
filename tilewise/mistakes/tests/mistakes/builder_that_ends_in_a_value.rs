//! A method that gives `&mut Self` ends in `self`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Pair {
    a: i32,
    b: i32,
}

#[amp]
impl Pair {
    fn larger(&mut self) -> &mut Self {
        if self.a < self.b { self } else { self }
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut pair = Pair { a: 1, b: 2 };
        pair.larger();
        out[i] = pair.a;
    })
}
