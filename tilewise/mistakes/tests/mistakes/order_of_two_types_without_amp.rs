//! An index is compared with a struct by a `PartialOrd`, which cannot have `#[amp]`; indices themselves can be compared.

use std::cmp::Ordering;

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Limit {
    limit: i32,
}

impl PartialEq<Limit> for Index<1> {
    fn eq(&self, other: &Limit) -> bool {
        self[0] == other.limit
    }
}

impl PartialOrd<Limit> for Index<1> {
    fn partial_cmp(&self, other: &Limit) -> Option<Ordering> {
        self[0].partial_cmp(&other.limit)
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if i < (Limit { limit: 2 }) {
            out[i] = 1;
        }
    })
}
