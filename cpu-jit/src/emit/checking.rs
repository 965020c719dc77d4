//! Whether generated code is checked as it is made.
//!
//! The checks cost about as much as compiling: wide code's register allocation is followed through each block
//! and its instructions are decoded again, Cranelift verifies its input, and cold blocks are compiled at
//! once, so that one that does not compile is found. They look for mistakes of Tilewise, not of kernels, so they are
//! for tests: a program of a user's has the same code without them, also in dev builds.

use std::sync::atomic::{AtomicBool, Ordering};

static CHECKED: AtomicBool = AtomicBool::new(cfg!(test));

/// From now on, all code that this process generates is checked. Call it before the first kernel is compiled.
pub fn check_generated_code() {
    CHECKED.store(true, Ordering::Relaxed);
}

/// Is generated code checked?
pub(crate) fn is_code_checked() -> bool {
    CHECKED.load(Ordering::Relaxed)
}
