//! An argument changes the element that the method is called on, and then changes.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Body {
    mass: i32,
}

#[amp]
impl Body {
    fn add(&mut self, by: i32) {
        self.mass += by;
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut bodies = [Body { mass: 1 }; 2];
        bodies[0].add({
            bodies[0].mass = 5;
            3
        });
        out[i] = bodies[0].mass;
    })
}
