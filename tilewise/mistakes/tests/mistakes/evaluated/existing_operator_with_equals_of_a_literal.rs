//! `+=` with a number without a suffix, and the type has an `AddAssign` of `i32`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    x: i64,
}

#[amp]
impl std::ops::Add<i64> for Wide {
    type Output = Wide;
    fn add(self, other: i64) -> Wide {
        Wide { x: self.x + other }
    }
}

impl std::ops::AddAssign<i32> for Wide {
    fn add_assign(&mut self, other: i32) {
        self.x += i64::from(other) * 1000;
    }
}

fn main() -> tilewise::Result<()> {
    let all = ArrayView::from_vec(4, vec![Wide { x: 1 }; 4])?;
    parallel_for_each!(all.extent(), |i| {
        all[i] += 1;
    })
}
