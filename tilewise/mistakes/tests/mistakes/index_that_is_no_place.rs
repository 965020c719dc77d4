//! The result of an `index` is a place.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Grid {
    cells: [f32; 4],
    scale: f32,
}

#[amp]
impl std::ops::Index<i32> for Grid {
    type Output = f32;

    fn index(&self, _at: i32) -> &f32 {
        self.cells.iter().next().unwrap()
    }
}

fn main() {}
