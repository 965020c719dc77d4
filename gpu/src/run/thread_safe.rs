//! Values whose `Send` and `Sync` are proved where they are made, not wherever they are used.
//!
//! rustc decides whether a type is `Send` by looking through all of its fields, again in each crate.
//! Through a handle of wgpu that is a chain of more than a hundred types, which differs from release to
//! release and exceeds rustc's limit of 128 (E0275) in a crate that does nothing but send a view to
//! another thread. A [`ThreadSafe`] ends the chain: all that the public types of this crate hold of
//! wgpu's stands in one.
#![allow(unsafe_code, reason = "states the auto traits of a type that were proved for a value of it")]

use std::ops::Deref;

/// A value of a type that is `Send` and `Sync`.
#[derive(Clone, Debug)]
pub(crate) struct ThreadSafe<T: 'static>(T);

impl<T: Send + Sync + 'static> ThreadSafe<T> {
    pub(crate) fn new(value: T) -> ThreadSafe<T> {
        ThreadSafe(value)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

// SAFETY: `new` makes the only values there are, clones apart, and its bounds demand both traits of `T`. `T`
// holds no borrow, so no other type with the same traits can take its place by subtyping.
unsafe impl<T: 'static> Send for ThreadSafe<T> {}

// SAFETY: as above.
unsafe impl<T: 'static> Sync for ThreadSafe<T> {}

impl<T: 'static> Deref for ThreadSafe<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
