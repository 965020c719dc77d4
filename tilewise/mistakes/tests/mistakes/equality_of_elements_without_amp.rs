//! An array of what has a derived equality is searched, and the derive is for the host.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
struct Card {
    suit: i32,
    rank: i32,
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let cards = [Card { suit: 1, rank: i[0] }; 3];
        out[i] = i32::from(cards.contains(&cards[1]));
    })
}
