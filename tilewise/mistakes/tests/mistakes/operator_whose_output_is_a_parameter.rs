//! An operator of a generic struct that gives a value of its parameter.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

#[amp]
impl<T: Scalar> std::ops::Mul for Pair<T> {
    type Output = T;
    fn mul(self, other: Pair<T>) -> T {
        self.a * other.a + self.b * other.b
    }
}

fn main() {}
