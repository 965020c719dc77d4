//! A number is compared with a struct by a `PartialEq` without `#[amp]`; numbers themselves can be compared.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Count {
    count: i32,
}

impl PartialEq<Count> for i32 {
    fn eq(&self, other: &Count) -> bool {
        *self == other.count
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if i[0] == (Count { count: 2 }) {
            out[i] = 1;
        }
    })
}
