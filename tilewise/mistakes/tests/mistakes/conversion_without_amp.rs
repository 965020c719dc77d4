//! A type is made of `u32` with `#[amp]` and of a `bool` without.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Count {
    count: u32,
}

#[amp]
impl From<u32> for Count {
    fn from(count: u32) -> Count {
        Count { count }
    }
}

impl From<bool> for Count {
    fn from(one: bool) -> Count {
        Count { count: one as u32 }
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Count::from(i > Index([2])).count;
    })
}
