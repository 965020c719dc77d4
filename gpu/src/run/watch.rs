//! A thread per device that waits for submissions and calls callbacks. It starts with the first
//! callback, and ends after a while without any.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;
use super::in_flight::Submission;

/// A completion callback.
pub(super) type Then = Box<dyn FnOnce(Result<(), DeviceFailure>) + Send>;

/// The pending callbacks, and whether the thread runs.
#[derive(Default)]
pub(super) struct CompletionWatch {
    asked: Mutex<(VecDeque<(AwaitedWork, Then)>, bool)>,
    more: Condvar,
}

/// The awaited submission; `None` if there is nothing to wait for, an error if it failed already.
pub(super) type AwaitedWork = Result<Option<Arc<Submission>>, DeviceFailure>;

/// How long the thread stays idle before it ends.
const IDLE: Duration = Duration::from_secs(1);

impl fmt::Debug for CompletionWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to be told", locked(&self.asked).0.len())
    }
}

impl DeviceShared {
    /// Calls `then` on the device's watch thread once the work is done.
    pub(super) fn tell(self: &Arc<DeviceShared>, asked: AwaitedWork, then: Then) {
        let mut list = locked(&self.watch.asked);
        list.0.push_back((asked, then));
        self.watch.more.notify_one();
        if list.1 {
            return;
        }
        let here = Arc::clone(self);
        let name = format!("GPU {}", self.number);
        list.1 = std::thread::Builder::new().name(name).spawn(move || watch(&here)).is_ok();
        if !list.1 {
            // Nothing can wait. Dropping the callbacks informs their owners; a drop runs foreign
            // code, which may call `tell` again, so the lock is released first.
            let asked = std::mem::take(&mut list.0);
            drop(list);
            drop(asked);
        }
    }
}

fn watch(shared: &Arc<DeviceShared>) {
    loop {
        let (asked, then) = {
            let list = locked(&shared.watch.asked);
            let waited = shared.watch.more.wait_timeout_while(list, IDLE, |list| list.0.is_empty());
            let (mut list, _) = waited.unwrap_or_else(PoisonError::into_inner);
            match list.0.pop_front() {
                Some(asked) => asked,
                None => {
                    list.1 = false;
                    return;
                }
            }
        };
        let result = asked.and_then(|submission| match submission {
            Some(submission) => shared.wait_for(&submission).and_then(|()| shared.settle(&submission)),
            None => shared.alive(),
        });
        // A panic of a callback must not end the thread.
        drop(catch_unwind(AssertUnwindSafe(|| then(result))));
    }
}
