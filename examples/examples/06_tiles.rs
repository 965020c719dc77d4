//! Tiles: threads that work together. Each 2x2 tile of a 4x6 table gathers its numbers in memory of its own
//! (`tile_static`), waits until all four are there, and writes their average.

use tilewise::prelude::*;

/// Rows and columns of a tile.
const TILE: usize = 2;

#[rustfmt::skip]
const SAMPLE: [i32; 24] = [
    2, 2, 9, 7, 1, 4,
    4, 4, 8, 8, 3, 4,
    1, 5, 1, 2, 5, 2,
    6, 8, 3, 2, 7, 2,
];

fn main() -> tilewise::Result<()> {
    let sample = ArrayView::read_only((4, 6), &SAMPLE)?;
    let average = ArrayView::<i32, 2>::without_source((4, 6))?;

    parallel_for_each!(sample.extent().tile::<TILE, TILE>(), |t| {
        #[tile_static]
        let numbers: [[i32; TILE]; TILE];
        numbers[t.local[0]][t.local[1]] = sample[t.global];
        // Before the barrier a thread sees its own number only, behind it all four.
        t.barrier.wait();
        average[t.global] = (numbers[0][0] + numbers[0][1] + numbers[1][0] + numbers[1][1]) / 4;
    })?;

    let average = average.host()?;
    for row in 0..4 {
        for column in 0..6 {
            print!("{} ", average[(row, column)]);
        }
        println!();
    }
    Ok(())
}
