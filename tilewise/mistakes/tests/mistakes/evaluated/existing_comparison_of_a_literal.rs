//! A comparison with a number without a suffix, and only that with an `f32` is `#[amp]`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    x: i64,
}

#[amp]
impl PartialEq<f32> for Wide {
    fn eq(&self, other: &f32) -> bool {
        self.x == *other as i64
    }
}

impl PartialEq<f64> for Wide {
    fn eq(&self, _: &f64) -> bool {
        true
    }
}

fn main() -> tilewise::Result<()> {
    let all = ArrayView::from_vec(4, vec![Wide { x: 1 }; 4])?;
    parallel_for_each!(all.extent(), |i| {
        if all[i] == 2.5 {
            all[i].x = 3;
        }
    })
}
