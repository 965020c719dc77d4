//! Retries work that concurrent work may spoil: a failure beside others is retried with nothing
//! else running.
//!
//! Launches on a GPU share its device. One kernel that the driver fails to compile can lose the
//! device for all of them, and the others are not to blame.

use std::sync::{PoisonError, RwLock};

/// A lock that work holds shared while it runs beside other work.
pub(crate) struct Beside(RwLock<()>);

impl Beside {
    pub(crate) const fn new() -> Beside {
        Beside(RwLock::new(()))
    }

    /// Runs the work; if the result is spoilt, runs it once more while no other work runs here.
    pub(crate) fn work<T>(&self, mut work: impl FnMut() -> T, spoilt: impl Fn(&T) -> bool) -> T {
        let among_others = {
            let _others = self.0.read().unwrap_or_else(PoisonError::into_inner);
            work()
        };
        if !spoilt(&among_others) {
            return among_others;
        }
        let _nobody = self.0.write().unwrap_or_else(PoisonError::into_inner);
        work()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::Beside;

    #[test]
    fn who_is_not_to_blame_passes_when_alone() {
        const WORKERS: usize = 4;
        let (beside, all_work, working) = (Beside::new(), Barrier::new(WORKERS), AtomicU32::new(0));
        // The first worker breaks the shared state whenever it works.
        let of = |worker: usize| {
            let mut first = true;
            let work = || {
                let others = working.fetch_add(1, Ordering::SeqCst);
                let among_others = std::mem::take(&mut first);
                if among_others {
                    all_work.wait();
                } else {
                    assert_eq!(others, 0, "it is not alone");
                }
                working.fetch_sub(1, Ordering::SeqCst);
                among_others || worker == 0
            };
            beside.work(work, |broken| *broken)
        };
        let broken: Vec<bool> = thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || of(worker))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(broken, [true, false, false, false]);
    }

    #[test]
    fn what_is_not_spoilt_is_done_once() {
        let mut times = 0;
        let mut work = || {
            times += 1;
            times
        };
        assert_eq!((Beside::new().work(&mut work, |_| false), work()), (1, 2));
    }
}
