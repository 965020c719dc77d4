//! [`Hook`]: a function of the program that the library calls with news. It may do all that a program may; so it is called while no lock is held, and whoever is in one waits for no other's.

use std::cell::Cell;
use std::sync::{Arc, PoisonError, RwLock};

use crate::user_code::{drop_contained, run_contained};
use crate::workers;

/// A place for a function of the program.
pub(crate) struct Hook<F: ?Sized>(RwLock<Option<Arc<F>>>);

impl<F: ?Sized> Hook<F> {
    /// One that nobody has set.
    pub(crate) const fn new() -> Hook<F> {
        Hook(RwLock::new(None))
    }

    /// Sets it. What was there before is dropped when nothing is locked any more: it may hold anything.
    pub(crate) fn set(&self, hook: Arc<F>) {
        let before = self.0.write().unwrap_or_else(PoisonError::into_inner).replace(hook);
        drop(before);
    }

    /// Calls it, by `call`, or does `otherwise` if nobody has set it. Its panic is the caller's, except where that would end a thread of the library, or the program.
    pub(crate) fn call(&self, call: impl FnOnce(&F), otherwise: impl FnOnce()) {
        // The hook may set another.
        let hook = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        match hook {
            Some(hook) => {
                let _depth = Depth::deeper();
                if workers::inside() || std::thread::panicking() {
                    run_contained(|| call(&hook));
                    drop_contained(hook);
                } else {
                    call(&hook);
                }
            }
            None => otherwise(),
        }
    }
}

thread_local! {
    /// How many hooks this thread is in. Without a destructor, so it is there as long as the thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Puts the depth back, also when a hook panics.
struct Depth;

impl Depth {
    fn deeper() -> Depth {
        DEPTH.set(DEPTH.get() + 1);
        Depth
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// Whether this thread runs a hook.
pub(crate) fn inside() -> bool {
    DEPTH.get() > 0
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn a_hook_that_panics_is_left() {
        let hook: Hook<dyn Fn() + Send + Sync> = Hook::new();
        hook.set(Arc::new(|| assert!(!inside(), "it is called")));
        let called = catch_unwind(AssertUnwindSafe(|| hook.call(|hook| hook(), || unreachable!("it is set"))));
        assert!(called.is_err() && !inside());
    }
}
