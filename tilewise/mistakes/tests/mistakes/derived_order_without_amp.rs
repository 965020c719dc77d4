//! A derive is for kernels where `#[amp]` stands before it.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, PartialOrd, AmpStruct)]
struct Version {
    major: u32,
    minor: u32,
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = Version { major: i[0] as u32, minor: 2 };
        let b = Version { major: 1, minor: 2 };
        if a < b {
            out[i] = 1.0;
        }
    })
}
