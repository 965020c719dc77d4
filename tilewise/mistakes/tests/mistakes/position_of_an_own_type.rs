//! A kernel would take an enum for its number, whatever the program converts it to.

use tilewise::prelude::*;
use tilewise::{Index, IntoIndex};

#[derive(Clone, Copy, AmpStruct)]
enum Place {
    First,
    Last,
}

impl IntoIndex<1> for Place {
    fn try_into_index(self) -> Option<Index<1>> {
        Some(Index([match self {
            Place::First => 0,
            Place::Last => 7,
        }]))
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(8, vec![0_i32; 8])?;
    parallel_for_each!(out.extent(), |i| {
        out.atomic(Place::Last).fetch_add(i[0]);
    })?;
    Ok(())
}
