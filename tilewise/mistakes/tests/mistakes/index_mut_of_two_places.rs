//! An `index_mut` names one place.

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
        if at > 3 { &mut self.scale } else { &mut self.cells[at as usize] }
    }
}

fn main() {}
