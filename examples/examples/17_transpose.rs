//! Rows become columns: each tile reads a block row by row, and writes it row by row where it belongs, turned around
//! in memory of its own. Neighbouring threads so touch neighbouring elements in both directions.

use tilewise::prelude::*;

/// Rows and columns of a tile.
const TILE: usize = 4;

/// Stores `source` in `target`, rows as columns.
fn transpose(source: &ReadView<'_, i32, 2>, target: &ArrayView<'_, i32, 2>) -> tilewise::Result<()> {
    parallel_for_each!(source.extent().tile::<TILE, TILE>(), |t| {
        #[tile_static]
        let block: [[i32; TILE]; TILE];
        let row = t.local[0];
        let column = t.local[1];
        block[row][column] = source[t];
        t.barrier.wait();
        let top = t.tile_origin[0];
        let left = t.tile_origin[1];
        target[(left + row, top + column)] = block[column][row];
    })
}

/// Prints a table of two-digit numbers.
fn show(table: &ReadView<'_, i32, 2>) -> tilewise::Result<()> {
    let host = table.host()?;
    for row in 0..table.extent()[0] {
        println!("{}", host.row((row, 0)).iter().map(|number| format!("{number:3}")).collect::<String>());
    }
    Ok(())
}

fn main() -> tilewise::Result<()> {
    // The digits of each number are its row and its column.
    let numbers: Vec<i32> = (0..8 * 4).map(|i| i / 4 * 10 + i % 4).collect();
    let source = ArrayView::read_only((8, 4), &numbers)?;
    let target = ArrayView::<i32, 2>::without_source((4, 8))?;
    transpose(&source, &target)?;

    println!("from");
    show(&source)?;
    println!("to");
    show(&target.as_read_only())?;
    tilewise_examples::record("target", &target.to_vec()?);
    Ok(())
}
