//! Kernels compare by `PartialOrd`.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, AmpStruct)]
struct Version(u32);

#[amp]
impl Ord for Version {
    fn cmp(&self, other: &Version) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

fn main() {}
