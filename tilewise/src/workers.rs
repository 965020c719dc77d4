//! Threads for work that may wait: functions that run on completion, copies in the background. As many as there is work at a time; one without work ends after a while.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::user_code::run_contained;

/// A piece of work. If it panics, the thread goes on with the next.
pub(crate) type WorkItem = Box<dyn FnOnce() + Send>;

struct IdleWorkers {
    work: VecDeque<WorkItem>,
    /// Threads that wait for work, less the work that waits for them.
    idle: usize,
}

static WAITING: Mutex<IdleWorkers> = Mutex::new(IdleWorkers { work: VecDeque::new(), idle: 0 });
static CALL: Condvar = Condvar::new();

/// How long a thread waits for more.
const PATIENCE: Duration = Duration::from_secs(5);

fn waiting() -> MutexGuard<'static, IdleWorkers> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs it on a thread of the library, now: on one that is idle, or a new one; where the system gives no thread, here.
pub(crate) fn run(work: WorkItem) {
    let mut waiting = waiting();
    if waiting.idle > 0 {
        waiting.idle -= 1;
        waiting.work.push_back(work);
        drop(waiting);
        CALL.notify_one();
        return;
    }
    drop(waiting);
    let slot = Mutex::new(Some(work));
    let slot = std::sync::Arc::new(slot);
    let own = std::sync::Arc::clone(&slot);
    let take = |slot: &Mutex<Option<WorkItem>>| slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let thread = std::thread::Builder::new().name("tilewise completion".into());
    if thread.spawn(move || take(&own).map(go_on)).is_err()
        && let Some(work) = take(&slot)
    {
        run_contained(work);
    }
}

thread_local! {
    /// Whether the thread is one of these.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread is the library's, so that nobody would hear of a panic.
pub(crate) fn inside() -> bool {
    IS_WORKER.try_with(Cell::get).unwrap_or(false)
}

/// Does work until there is none for a while.
fn go_on(first: WorkItem) {
    IS_WORKER.set(true);
    run_contained(first);
    loop {
        let mut state = waiting();
        state.idle += 1;
        let work = loop {
            if let Some(work) = state.work.pop_front() {
                break work;
            }
            let (after, time) = CALL.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            state = after;
            // Work that came meanwhile has counted on one of those that wait.
            if time.timed_out() && state.work.is_empty() {
                state.idle -= 1;
                return;
            }
        };
        drop(state);
        run_contained(work);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn work_that_waits_for_other_work_does_not_keep_it_from_running() {
        let (send, receive) = channel();
        let (inner_send, inner_receive) = channel();
        for _ in 0..20 {
            let (send, inner_send) = (send.clone(), inner_send.clone());
            run(Box::new(move || {
                let (done, wait) = channel();
                run(Box::new(move || done.send(()).unwrap()));
                wait.recv().unwrap();
                inner_send.send(()).unwrap();
                send.send(()).unwrap();
            }));
        }
        for _ in 0..20 {
            receive.recv_timeout(Duration::from_secs(30)).expect("it ran");
            inner_receive.recv_timeout(Duration::from_secs(30)).expect("it ran");
        }
    }
}
