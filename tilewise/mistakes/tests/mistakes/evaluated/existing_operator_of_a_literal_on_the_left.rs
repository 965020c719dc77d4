//! An operator of a number without a suffix and a type, and only that of `i64` is `#[amp]`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    x: i64,
}

#[amp]
impl std::ops::Mul<Wide> for i64 {
    type Output = Wide;
    fn mul(self, other: Wide) -> Wide {
        Wide { x: self * other.x }
    }
}

impl std::ops::Mul<Wide> for i32 {
    type Output = Wide;
    fn mul(self, _: Wide) -> Wide {
        Wide { x: 0 }
    }
}

fn main() -> tilewise::Result<()> {
    let all = ArrayView::from_vec(4, vec![Wide { x: 1 }; 4])?;
    parallel_for_each!(all.extent(), |i| {
        all[i] = 2 * all[i];
    })
}
