//! An `index_mut` names a place and changes nothing.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Grid {
    cells: [f32; 4],
    scale: f32,
}

#[amp]
impl std::ops::Index<i32> for Grid {
    type Output = f32;

    fn index(&self, at: i32) -> &f32 {
        &self.cells[at as usize]
    }
}

#[amp]
impl std::ops::IndexMut<i32> for Grid {
    fn index_mut(&mut self, at: i32) -> &mut f32 {
        self.scale += 1.0;
        &mut self.cells[at as usize]
    }
}

fn main() {}
