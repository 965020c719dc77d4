//! Two values are asserted to be equal, and the derived equality is for the host.

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
        assert_eq!(card, Card { suit: 1, rank: 2 });
        out[i] = 1;
    })
}
