//! A loop over what a method named `iter` of a struct gives.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Pair {
    x: i32,
    y: i32,
}

#[amp]
impl Pair {
    fn iter(&self) -> [i32; 2] {
        [self.x, self.y]
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let pair = Pair { x: 1, y: i[0] };
        for x in pair.iter() {
            out[i] += x;
        }
    })
}
