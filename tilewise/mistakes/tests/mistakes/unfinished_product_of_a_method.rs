//! A mistake in the syntax is rustc's alone; the methods are there, and their calls are not reported too.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Square {
    side: f32,
}

#[amp]
impl Square {
    fn area(self) -> f32 {
        self.side *
    }

    fn outline(self) -> f32 {
        4.0 * self.side
    }
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0.0_f32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| {
        let square = Square { side: 2.0 };
        v[i] = square.area() + square.outline();
    })
    .unwrap();
}
