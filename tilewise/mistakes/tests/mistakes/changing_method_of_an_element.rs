//! A method that changes what it is called on is called on an element, of which the kernel has a copy.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Body {
    speed: f32,
}

#[amp]
impl Body {
    fn push(&mut self, by: f32) {
        self.speed += by;
    }
}

fn main() -> tilewise::Result<()> {
    let bodies = ArrayView::from_vec(4, vec![Body { speed: 1.0 }; 4])?;
    parallel_for_each!(bodies.extent(), |i| {
        bodies[i].push(2.0);
    })
}
