//! A thread of a device's own that waits for others and tells them. It begins with the first who asks, and ends when for a while nobody has.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;
use super::in_flight::Submission;

/// What is done when something is done.
pub(super) type Then = Box<dyn FnOnce(Result<(), DeviceFailure>) + Send>;

/// Those who are to be told. The flag: is there a thread?
#[derive(Default)]
pub(super) struct CompletionWatch {
    asked: Mutex<(VecDeque<(AwaitedWork, Then)>, bool)>,
    more: Condvar,
}

/// What is waited for: a submission, or nothing if it failed already.
pub(super) type AwaitedWork = Result<Option<Arc<Submission>>, DeviceFailure>;

/// How long the thread stays with nothing to do.
const IDLE: Duration = Duration::from_secs(1);

impl fmt::Debug for CompletionWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to be told", locked(&self.asked).0.len())
    }
}

impl DeviceShared {
    /// Does `then` on the device's thread when that is done.
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
            // Nobody can wait: whoever asked is told so by the drop of what they gave. That is somebody else's function too, which may ask for more.
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
        // What somebody else's function does is not to end the thread.
        drop(catch_unwind(AssertUnwindSafe(|| then(result))));
    }
}
