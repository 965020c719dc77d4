//! `#[amp]` on an `impl` is for all functions in it.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Square {
    side: f32,
}

#[amp]
impl Square {
    #[amp]
    fn area(self) -> f32 {
        self.side * self.side
    }
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0.0_f32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| v[i] = Square { side: 2.0 }.area()).unwrap();
}
