//! A closure reads the array whose element the method changes that calls it.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Body {
    mass: i32,
}

#[amp]
impl Body {
    fn change(&mut self, by: impl Fn(usize) -> i32) {
        self.mass += 1;
        self.mass += by(0);
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut bodies = [Body { mass: 1 }; 2];
        bodies[0].change(|k| bodies[k].mass);
        out[i] = bodies[0].mass;
    })
}
