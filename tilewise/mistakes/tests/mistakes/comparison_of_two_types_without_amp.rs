//! An enum is compared with a number by a `PartialEq` without `#[amp]`; the enum itself could be compared.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Level {
    Low,
    High,
}

impl PartialEq<i32> for Level {
    fn eq(&self, other: &i32) -> bool {
        *self as i32 + 40 == *other
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let level = if i[0] == 0 { Level::Low } else { Level::High };
        if level == 41 {
            out[i] = 1;
        }
    })
}
