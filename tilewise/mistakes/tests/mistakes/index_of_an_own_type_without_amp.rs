//! An `Index` of a type of the program's own is marked, as functions are.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Grid {
    cells: [f32; 4],
    scale: f32,
}

impl std::ops::Index<i32> for Grid {
    type Output = f32;

    fn index(&self, at: i32) -> &f32 {
        &self.cells[at as usize]
    }
}

fn main() -> tilewise::Result<()> {
    let grid = Grid { cells: [1.0; 4], scale: 2.0 };
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = grid[i[0]];
    })
}
