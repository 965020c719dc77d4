//! Tuples of numbers are compared, and those with a type of one's own part by part.

use tilewise::prelude::*;

#[amp]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
struct Card {
    suit: i32,
    rank: i32,
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let card = Card { suit: 1, rank: i[0] };
        if (card, 1) < (card, 2) {
            out[i] = 1;
        }
    })
}
