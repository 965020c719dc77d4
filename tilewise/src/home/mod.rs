//! The home of elements: the memory that views of all shapes and types share, its lock, and how launches hold it. What an index means is the views' affair; here are bytes.
//!
//! - [`region`]: which bytes a view names, and whether two views overlap.
//! - [`lock`]: who may touch which bytes now.
//! - [`memory`]: the bytes themselves; the only file here that follows pointers.
//! - [`launch`]: what a launch holds while it runs, and the access that its kernels have.
//! - [`transfer`]: copies of bytes for targets with a memory of their own.
//!
//! # Who keeps a home alive
//! A home is borrowed or owned **as long as a [`Handle`] exists**: in a view, in a kernel, in a launch. Handles are counted apart from the `Arc`: whoever holds only the
//! `Arc` (work that goes on after the last view is gone) may use the home's numbers and its lock, but not its memory. Each holder of a handle carries the lifetime of the
//! borrow in its own type, so the last handle is dropped, or leaked, before the borrow ends; a leaked one does nothing.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(crate) mod launch;
pub(crate) mod lock;
pub(crate) mod memory;
pub(crate) mod region;
pub(crate) mod transfer;

#[cfg(test)]
mod tests;

/// What the lock is made of; a model checker puts its own in the place of these.
mod sync {
    pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
}

use lock::Lock;
use memory::Memory;

/// Memory that views share.
pub(crate) struct Home {
    pub(crate) memory: Memory,
    pub(crate) lock: Lock,
    /// Nothing has been written since it was allocated or since its contents were given up.
    fresh: AtomicBool,
    handles: AtomicUsize,
}

impl Home {
    /// Whether nothing has been written to it.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh.load(Ordering::Relaxed)
    }

    /// Says that something was written, or that what was written is given up.
    pub(crate) fn set_fresh(&self, fresh: bool) {
        self.fresh.store(fresh, Ordering::Relaxed);
    }
}

/// A share in a home: while one exists, its memory may be touched.
pub(crate) struct Handle(Arc<Home>);

impl Handle {
    /// The first handle to a new home.
    pub(crate) fn new(memory: Memory, fresh: bool) -> Handle {
        Handle(Arc::new(Home {
            memory,
            lock: Lock::default(),
            fresh: AtomicBool::new(fresh),
            handles: AtomicUsize::new(1),
        }))
    }

    /// Whether both are handles to one home.
    pub(crate) fn same_home(&self, other: &Handle) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A number that homes which exist at one time do not share.
    pub(crate) fn number(&self) -> u64 {
        Arc::as_ptr(&self.0).addr() as u64
    }

    /// Whether there is no other handle.
    pub(crate) fn is_last(&self) -> bool {
        self.0.handles.load(Ordering::Acquire) == 1
    }
}

impl Deref for Handle {
    type Target = Home;

    fn deref(&self) -> &Home {
        &self.0
    }
}

impl Clone for Handle {
    fn clone(&self) -> Handle {
        // It cannot overflow before the count of the `Arc` does, which ends the program.
        self.0.handles.fetch_add(1, Ordering::Relaxed);
        Handle(Arc::clone(&self.0))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // What this handle's holder wrote is seen by who finds itself the last.
        self.0.handles.fetch_sub(1, Ordering::Release);
    }
}
