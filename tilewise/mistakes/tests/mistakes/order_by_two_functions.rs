//! An `#[amp] impl PartialOrd` has its one required function.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Version(u32);

#[amp]
impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }

    fn lt(&self, other: &Version) -> bool {
        self.0 < other.0
    }
}

fn main() {}
