//! A row of a view is no element.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let grid = ArrayView::from_vec((2, 2), vec![0.0_f32; 4])?;
    parallel_for_each!(grid.extent(), |i| {
        grid[i[0]] = 1.0;
    })
}
