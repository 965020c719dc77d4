//! `#[amp]` on an `impl` of a trait of the program's own that is called `From`.

use tilewise::prelude::*;

trait From<T> {
    fn from(value: T) -> Self;
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Pair<T> {
    x: T,
    y: T,
}

#[amp]
impl<T: Scalar> From<T> for Pair<T> {
    fn from(value: T) -> Self {
        Pair { x: value, y: value }
    }
}

fn main() {}
