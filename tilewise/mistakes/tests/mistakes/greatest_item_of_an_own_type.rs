//! The greatest item of an iterator is a number.

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
        let cards = [Card { suit: 1, rank: i[0] }; 3];
        out[i] = cards.iter().max().map_or(0, |card| card.rank);
    })
}
