//! An order that is derived for the host is asked for by its method.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
struct Card {
    suit: i32,
    rank: i32,
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let card = Card { suit: 1, rank: i[0] };
        out[i] = card.cmp(&Card { suit: 1, rank: 2 }) as i32;
    })
}
