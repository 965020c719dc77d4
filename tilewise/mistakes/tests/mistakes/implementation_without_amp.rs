//! A trait is `#[amp]`, and its `impl`, which has another body than the trait, is not.

use tilewise::prelude::*;

#[amp]
trait Weight {
    fn weight(&self) -> i32 {
        1
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Stone {
    size: i32,
}

impl Weight for Stone {
    fn weight(&self) -> i32 {
        self.size * 3
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let stone = Stone { size: i[0] };
        out[i] = stone.weight();
    })
}
