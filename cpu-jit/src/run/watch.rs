//! The watchdog: monitors launches that may have to end early. It sets the flag that compiled code
//! polls.
//!
//! One thread serves the process. It wakes every few milliseconds while there are launches to
//! monitor, and for a moment after the last one, so that a series of short launches does not have
//! to wake it each time; then it sleeps.
#![allow(
    unsafe_code,
    reason = "keeps a caller's closure for the length of a launch, which the type system cannot follow to another thread"
)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between checks.
pub(super) const LOOK: Duration = Duration::from_millis(4);
/// Number of checks without a launch before the thread sleeps.
const PATIENCE: u32 = 50;

/// The flag that ends a launch if it is nonzero.
pub(super) type StopFlag = AtomicU32;

type Ask<'a> = &'a (dyn Fn() -> bool + Sync);

/// A monitored launch.
struct Watched {
    until: Option<Instant>,
    ask: Option<Ask<'static>>,
    stop: Arc<StopFlag>,
    panic: Option<Box<dyn Any + Send>>,
}

type Slot = Arc<Mutex<Option<Watched>>>;

struct Watchdog {
    slots: Vec<Slot>,
    /// Does the thread exist, and is it awake?
    started: bool,
    awake: bool,
}

static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog { slots: Vec::new(), started: false, awake: false });
static WAKE: Condvar = Condvar::new();

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while one of these is locked, except the caller's closure, whose panics are
    // caught.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `run`, and sets `stop` when the time is over or `ask` returns true. A panic of `ask` sets
/// it too, and resumes here.
pub(super) fn watched<R>(
    stop: &Arc<StopFlag>,
    until: Option<Instant>,
    ask: Option<Ask<'_>>,
    run: impl FnOnce() -> R,
) -> R {
    if until.is_none() && ask.is_none() {
        return run();
    }
    // SAFETY: only the lifetime changes. The watchdog calls `ask` only from the slot and with the
    // slot locked; `Watching` empties the slot before this function is left, in whatever way.
    let ask = ask.map(|ask| unsafe { std::mem::transmute::<Ask<'_>, Ask<'static>>(ask) });
    let slot = Arc::new(Mutex::new(Some(Watched { until, ask, stop: Arc::clone(stop), panic: None })));
    let mut watching = Watching { slot, panic: None };
    add(&watching.slot);
    let result = run();
    watching.end();
    if let Some(panic) = watching.panic.take() {
        resume_unwind(panic);
    }
    result
}

/// Guard: the launch is monitored while this lives.
struct Watching {
    slot: Slot,
    panic: Option<Box<dyn Any + Send>>,
}

impl Watching {
    fn end(&mut self) {
        locked(&WATCHDOG).slots.retain(|slot| !Arc::ptr_eq(slot, &self.slot));
        // Waits while `ask` is being called.
        if let Some(watched) = locked(&self.slot).take() {
            self.panic = watched.panic;
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.end();
    }
}

fn add(slot: &Slot) {
    let mut watchdog = locked(&WATCHDOG);
    watchdog.slots.push(Arc::clone(slot));
    if watchdog.awake {
        return;
    }
    watchdog.awake = true;
    if watchdog.started {
        WAKE.notify_one();
        return;
    }
    let thread = thread::Builder::new().name("tilewise watchdog".into()).spawn(look_on);
    // If no thread can be started, launches run to their end; the next one tries again.
    watchdog.started = thread.is_ok();
    watchdog.awake = thread.is_ok();
}

/// The main loop of the thread.
fn look_on() {
    let mut idle = 0;
    loop {
        let slots = {
            let mut watchdog = locked(&WATCHDOG);
            idle = if watchdog.slots.is_empty() { idle + 1 } else { 0 };
            if idle > PATIENCE {
                idle = 0;
                watchdog.awake = false;
                while !watchdog.awake {
                    watchdog = WAKE.wait(watchdog).unwrap_or_else(PoisonError::into_inner);
                }
            }
            watchdog.slots.clone()
        };
        slots.iter().for_each(look);
        thread::sleep(LOOK);
    }
}

fn look(slot: &Slot) {
    let mut slot = locked(slot);
    let Some(watched) = slot.as_mut() else { return };
    if watched.until.is_some_and(|until| Instant::now() >= until) {
        watched.stop.store(1, Ordering::Relaxed);
    }
    let Some(ask) = watched.ask else { return };
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(false) => {}
        Ok(true) => watched.stop.store(1, Ordering::Relaxed),
        Err(panic) => {
            watched.ask = None;
            watched.panic = Some(panic);
            watched.stop.store(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(stop: &StopFlag) -> Duration {
        let begin = Instant::now();
        while stop.load(Ordering::Relaxed) == 0 && begin.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
        begin.elapsed()
    }

    #[test]
    fn the_flag_is_set_when_time_is_over_or_somebody_says_so() {
        let stop = Arc::new(StopFlag::new(0));
        let soon = Instant::now() + Duration::from_millis(20);
        let took = watched(&stop, Some(soon), None, || wait(&stop));
        assert!(took >= Duration::from_millis(19) && took < Duration::from_secs(20), "{took:?}");
        let stop = Arc::new(StopFlag::new(0));
        let asked = AtomicU32::new(0);
        let ask = || asked.fetch_add(1, Ordering::Relaxed) == 2;
        assert!(watched(&stop, None, Some(&ask), || wait(&stop)) < Duration::from_secs(20));
        let asked = asked.into_inner();
        thread::sleep(LOOK * 3);
        assert!(asked >= 3);
    }

    #[test]
    fn a_panic_in_the_question_comes_out_of_the_launch_and_does_no_harm() {
        let stop = Arc::new(StopFlag::new(0));
        let launch = || watched(&stop, None, Some(&|| panic!("as the test wants")), || wait(&stop));
        assert!(catch_unwind(AssertUnwindSafe(launch)).is_err());
        let stop = Arc::new(StopFlag::new(0));
        assert!(watched(&stop, None, Some(&|| true), || wait(&stop)) < Duration::from_secs(20));
    }
}
