//! An operator of a tuple with a number without a suffix, and only that of `i64` is `#[amp]`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    x: i64,
}

#[amp]
impl std::ops::Rem<(i64, bool)> for Wide {
    type Output = Wide;
    fn rem(self, by: (i64, bool)) -> Wide {
        Wide { x: if by.1 { self.x % by.0 } else { self.x } }
    }
}

impl std::ops::Rem<(i32, bool)> for Wide {
    type Output = Wide;
    fn rem(self, _: (i32, bool)) -> Wide {
        Wide { x: 0 }
    }
}

fn main() -> tilewise::Result<()> {
    let all = ArrayView::from_vec(4, vec![Wide { x: 1 }; 4])?;
    parallel_for_each!(all.extent(), |i| {
        all[i] = all[i] % (2, true);
    })
}
