//! Tuples are compared by their method.

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
        if (card, 1).cmp(&(card, 2)).is_lt() {
            out[i] = 1;
        }
    })
}
