//! Two methods of one name are rustc's to report.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Square {
    side: f32,
}

#[amp]
impl Square {
    fn area(self) -> f32 {
        self.side * self.side
    }

    fn area(self) -> f32 {
        4.0 * self.side
    }
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0.0_f32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| v[i] = Square { side: 2.0 }.area()).unwrap();
}
