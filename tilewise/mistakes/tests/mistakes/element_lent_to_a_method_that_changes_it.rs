//! An element is lent to a method that changes one of the same array.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Body {
    mass: i32,
}

#[amp]
impl Body {
    fn add(&mut self, other: &Self) {
        self.mass += 1;
        self.mass += other.mass;
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut bodies = [Body { mass: 1 }; 2];
        bodies[0].add(&bodies[0]);
        out[i] = bodies[0].mass;
    })
}
