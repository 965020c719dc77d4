//! A condition of compilation on a field of a type whose comparison is for kernels.
use tilewise::prelude::*;

#[amp]
#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Level {
    height: i32,
    #[cfg(any())]
    weight: i32,
}

fn main() {
    let _ = Level { height: 1 };
}
