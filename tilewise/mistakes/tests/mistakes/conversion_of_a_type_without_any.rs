//! A type is made of `u32` without `#[amp]`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Count {
    count: u32,
}

impl From<u32> for Count {
    fn from(count: u32) -> Count {
        Count { count }
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Count::from(5).count;
    })
}
