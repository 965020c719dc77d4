//! Operators are known by their names.

use tilewise::prelude::*;

trait PartialOrd<R> {
    fn partial_cmp(&self, other: &R) -> Option<std::cmp::Ordering>;
}

#[derive(Clone, Copy, AmpStruct)]
struct Version(u32);

#[amp]
impl PartialOrd<Version> for Version {
    fn partial_cmp(&self, _other: &Version) -> Option<std::cmp::Ordering> {
        None
    }
}

fn main() {}
