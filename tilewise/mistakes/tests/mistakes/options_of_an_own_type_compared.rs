//! `Option`s of numbers are compared, and those of a type of one's own are taken apart.

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
        if Some(card) == None {
            out[i] = 1;
        }
    })
}
