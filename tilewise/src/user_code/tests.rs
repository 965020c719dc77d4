//! Panics of the program are contained.

use std::panic::panic_any;

use crate::user_code::{drop_contained, run_contained};

/// Panics when it is dropped, by one that does so too.
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic_any(Bomb(self.0 + 1));
        }
    }
}

#[test]
fn panics_of_all_kinds_are_contained() {
    run_contained(|| panic!("contained"));
    drop_contained(Bomb(0));
    run_contained(|| panic_any(Bomb(10)));
}
