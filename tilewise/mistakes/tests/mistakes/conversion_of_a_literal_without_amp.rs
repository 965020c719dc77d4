//! A type is made of `u32` with `#[amp]` and of `i32` without: Rust takes the latter for `Count::from(5)`.

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

impl From<i32> for Count {
    fn from(count: i32) -> Count {
        Count { count: count.unsigned_abs() }
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Count::from(5).count;
    })
}
