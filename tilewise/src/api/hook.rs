//! [`Hook`]: a callback that the program installs. It may call anything in the library; so it is
//! called while no lock is held, and no thread waits for its end.

use std::cell::Cell;
use std::sync::{Arc, PoisonError, RwLock};

use crate::user_code::{drop_contained, run_contained};
use crate::workers;

/// A slot for a callback.
pub(crate) struct Hook<F: ?Sized>(RwLock<Option<Arc<F>>>);

impl<F: ?Sized> Hook<F> {
    /// An empty slot.
    pub(crate) const fn new() -> Hook<F> {
        Hook(RwLock::new(None))
    }

    /// Sets the callback. The previous one is dropped after the lock is released, as its destructor
    /// may run any code.
    pub(crate) fn set(&self, hook: Arc<F>) {
        let before = self.0.write().unwrap_or_else(PoisonError::into_inner).replace(hook);
        drop(before);
    }

    /// Calls the callback through `call`, or `otherwise` if none is set. A panic propagates to the
    /// caller, except where it would end a thread of the library or the program.
    pub(crate) fn call(&self, call: impl FnOnce(&F), otherwise: impl FnOnce()) {
        // The hook may set another hook.
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
    /// How many hooks this thread is running. Without a destructor, so it stays valid until the
    /// thread ends.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Decrements the depth when dropped, also if a hook panics.
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

/// Whether this thread is running a hook.
pub(crate) fn inside() -> bool {
    DEPTH.get() > 0
}

/// Whether this thread runs a hook that was called by what another hook did.
pub(crate) fn is_nested() -> bool {
    DEPTH.get() > 1
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
