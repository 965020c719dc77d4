//! A method that cannot be a kernel's is one mistake: the others keep their form, and its uses too.

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

    fn side(&self) -> &f32 {
        &self.side
    }
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0.0_f32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let square = Square { side: 2.0 };
        v[i] = square.area();
        v[i] += square.side();
    });
    launched.unwrap();
    println!("{}", Square { side: 2.0 }.side());
}
