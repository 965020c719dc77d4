//! Tests of allocations: overlap of regions, the lock, the regions that a launch holds. Tests of
//! guards and views are in the crate's `tests` folder.

mod launch;
mod lock;
mod region;
