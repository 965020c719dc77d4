//! Tests of allocations: which bytes overlap, who gets the lock, what a launch holds. Guards and
//! views have theirs in the crate's `tests` folder.

mod launch;
mod lock;
mod region;
