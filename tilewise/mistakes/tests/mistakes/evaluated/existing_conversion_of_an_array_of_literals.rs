//! A conversion of an array of numbers without a suffix, and only that of `f32` is `#[amp]`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    x: i64,
}

#[amp]
impl From<[f32; 2]> for Wide {
    fn from(from: [f32; 2]) -> Wide {
        Wide { x: from[0] as i64 }
    }
}

impl From<[f64; 2]> for Wide {
    fn from(_: [f64; 2]) -> Wide {
        Wide { x: 0 }
    }
}

fn main() -> tilewise::Result<()> {
    let all = ArrayView::from_vec(4, vec![Wide { x: 1 }; 4])?;
    parallel_for_each!(all.extent(), |i| {
        all[i] = Wide::from([1.5, 2.0]);
    })
}
