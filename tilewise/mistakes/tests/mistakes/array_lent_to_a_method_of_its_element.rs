//! An array is lent by `&mut` to a method with `&self` of one of its elements.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Body {
    mass: i32,
}

#[amp]
impl Body {
    fn after(&self, bodies: &mut [Body; 2]) -> i32 {
        bodies[0].mass = 5;
        self.mass
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut bodies = [Body { mass: 1 }; 2];
        out[i] = bodies[0].after(&mut bodies);
    })
}
