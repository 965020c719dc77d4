//! Operators are known by their names.

use tilewise::prelude::*;

trait Index<I> {
    type Output;

    fn index(&self, at: I) -> &Self::Output;
}

#[derive(Clone, Copy, AmpStruct)]
struct Grid {
    cells: [f32; 4],
    scale: f32,
}

#[amp]
impl Index<i32> for Grid {
    type Output = f32;

    fn index(&self, at: i32) -> &f32 {
        &self.cells[at as usize]
    }
}

fn main() {}
