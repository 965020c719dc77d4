//! A method of a trait that cannot be a kernel's is one mistake: the others keep their form.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Square {
    side: f32,
}

#[amp]
trait Shape {
    fn area(self) -> f32;

    fn name(&self) -> &str {
        "shape"
    }
}

#[amp]
impl Shape for Square {
    fn area(self) -> f32 {
        self.side * self.side
    }
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0.0_f32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| v[i] = Square { side: 2.0 }.area()).unwrap();
    println!("{}", Square { side: 2.0 }.name());
}
