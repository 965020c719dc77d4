//! Code of the program where a panic would reach nobody who could do something about it: on threads of the library, under its locks, in destructors. Such a panic is contained: Rust's panic
//! hook has printed its message, and the library goes on. Destructors are such code too, those of the payloads of panics included.
//!
//! A model checker runs this file as it is (`tests/loom.rs`).

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of the program.
pub(crate) fn run_contained(code: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(code)) {
        drop_payload(payload);
    }
}

/// Drops a value of the program.
pub(crate) fn drop_contained<T>(value: T) {
    run_contained(|| drop(value));
}

/// Drops what a panic has thrown.
pub(crate) fn drop_payload(payload: Box<dyn Any + Send>) {
    if let Err(next) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // It would go on like this.
        std::mem::forget(next);
    }
}
