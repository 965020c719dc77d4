//! The fields of a type that kernels compare are compared too.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, PartialOrd, AmpStruct)]
struct Inner {
    x: f32,
}

#[amp]
#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Outer {
    inner: Inner,
}

fn main() {}
