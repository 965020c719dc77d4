//! Runs the threads of a tile: one at a time, in index order, from barrier to barrier.
//!
//! A thread that waits at a barrier needs its own stack, so it keeps the **worker** (an OS thread)
//! that runs it. A thread that ends without waiting leaves its worker to the next: a kernel without
//! barriers runs on one worker, and there are never more workers than threads that wait at once,
//! plus one.
//!
//! # Turns
//! Only the worker whose turn it is runs user code; all others sleep, each at its own [`Post`]. A
//! thread that stops, at a barrier or at its end, passes the turn on ([`TileScheduler::pass`])
//! under the mutex of the scheduler's state: to the next thread of the tile in this phase, and
//! after the last one to `judge`. The rules are the interpreter's: if all have ended, the tile is
//! done; if all are at one barrier, the next phase begins; anything else is divergence. A thread
//! that ended by `error!` or `abort!` counts as arrived. Divergence compares source positions of
//! barriers: two iterations of one loop differ only in the number of barriers passed, which is
//! always the same for all threads.
//!
//! # Termination
//! When the launch ends, every worker receives `Quit`: one that sleeps at a barrier leaves the
//! closure by unwinding, one that runs does so at its next stop.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilewise_ir::launch::SideCollector;

use super::running::Variables;
use super::{Finish, NativeDivergence, NativeEnding, UserPlace};

/// Schedules the threads of a launch's tiles.
pub(super) struct TileScheduler {
    /// Threads of a tile.
    threads: u32,
    /// Number of tiles.
    tiles: u64,
    state: Mutex<SchedulerState>,
    /// Wakes the launching thread, which starts workers.
    scheduler_wake: Condvar,
    /// The `tile_static` variables of the current tile.
    pub(super) variables: Mutex<Variables>,
}

struct SchedulerState {
    /// The current tile.
    tile: u64,
    /// Barriers passed in it.
    phase: u64,
    /// The next thread to run in this phase.
    next: u32,
    stops: Vec<ThreadStop>,
    workers: Vec<Arc<Post>>,
    /// Workers without a thread.
    idle: Vec<usize>,
    /// Requests a new worker, which begins with this thread.
    wanted: Option<u32>,
    end: Option<NativeEnding>,
}

/// A worker's mailbox. It has its own mutex, so that a woken worker does not wait for the one that
/// passes the turn on.
#[derive(Default)]
struct Post {
    job: Mutex<Option<WorkerJob>>,
    wake: Condvar,
}

/// A job for a worker.
#[derive(Clone, Copy)]
enum WorkerJob {
    /// Run this thread.
    Begin(u32),
    /// Continue after the barrier.
    Resume,
    /// Leave.
    Quit,
}

/// Where a thread of the tile stopped.
#[derive(Clone, Copy)]
enum ThreadStop {
    NotBegun,
    Barrier { worker: usize, at: UserPlace },
    Returned,
    Inert,
}

/// A thread to run: its tile, and its linear index in the tile.
#[derive(Clone, Copy)]
pub(super) struct ThreadTurn {
    pub(super) tile: u64,
    pub(super) local: u32,
}

impl TileScheduler {
    pub(super) fn new(threads: u32, tiles: u64) -> TileScheduler {
        let state = SchedulerState {
            tile: 0,
            phase: 0,
            next: 1,
            stops: vec![ThreadStop::NotBegun; threads as usize],
            workers: Vec::new(),
            idle: Vec::new(),
            wanted: Some(0),
            end: None,
        };
        TileScheduler {
            threads,
            tiles,
            state: Mutex::new(state),
            scheduler_wake: Condvar::new(),
            variables: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, SchedulerState> {
        // No user code runs under this mutex.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts workers as they are needed, until the launch ends. `hire` starts a worker with a
    /// number and its first thread.
    pub(super) fn oversee(
        &self,
        mut hire: impl FnMut(usize, u32) -> std::io::Result<()>,
        interrupt: &dyn Fn() -> bool,
    ) {
        let mut state = self.state();
        while state.end.is_none() {
            if let Some(first) = state.wanted.take() {
                let number = state.workers.len();
                state.workers.push(Arc::default());
                drop(state);
                let hired = hire(number, first);
                state = self.state();
                if let Err(error) = hired {
                    self.end(&mut state, NativeEnding::NoThreads(error));
                }
                continue;
            }
            if interrupt() {
                self.end(&mut state, NativeEnding::Interrupted);
                continue;
            }
            let moment = Duration::from_millis(5);
            state = self.scheduler_wake.wait_timeout(state, moment).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The ending, once all workers have left.
    pub(super) fn ending(&self) -> NativeEnding {
        self.state().end.take().unwrap_or(NativeEnding::Completed)
    }

    /// The main loop of a worker: runs threads, beginning with thread `first` of the current tile.
    pub(super) fn work(&self, me: usize, first: u32, mut run: impl FnMut(ThreadTurn) -> Finish) {
        let mut local = first;
        loop {
            let tile = self.state().tile;
            let finish = run(ThreadTurn { tile, local });
            let mut state = self.state();
            match finish {
                Finish::Returned => state.stops[local as usize] = ThreadStop::Returned,
                Finish::Inert => state.stops[local as usize] = ThreadStop::Inert,
                Finish::Quit => return,
                Finish::Panicked(panic) => self.end(&mut state, NativeEnding::Panicked(panic)),
            }
            match self.pass(&mut state, true) {
                Some(next) => local = next,
                None => {
                    state.idle.push(me);
                    let post = state.post(me);
                    drop(state);
                    match post.sleep() {
                        WorkerJob::Begin(next) => local = next,
                        WorkerJob::Resume | WorkerJob::Quit => return,
                    }
                }
            }
        }
    }

    /// Records that a thread is at a barrier, and waits. Returns true once all threads have
    /// arrived, false if the launch is over.
    pub(super) fn arrive(&self, me: usize, local: u32, at: UserPlace) -> bool {
        let mut state = self.state();
        state.stops[local as usize] = ThreadStop::Barrier { worker: me, at };
        self.pass(&mut state, false);
        let post = state.post(me);
        drop(state);
        matches!(post.sleep(), WorkerJob::Resume)
    }

    /// Passes the turn on. If the calling worker is `free` and the next thread has not begun,
    /// returns that thread for the worker to run.
    fn pass(&self, state: &mut SchedulerState, free: bool) -> Option<u32> {
        loop {
            if state.end.is_some() {
                return None;
            }
            while state.next < self.threads {
                let local = state.next;
                state.next += 1;
                match state.stops[local as usize] {
                    ThreadStop::NotBegun if free => return Some(local),
                    ThreadStop::NotBegun => {
                        match state.idle.pop() {
                            Some(worker) => state.tell(worker, WorkerJob::Begin(local)),
                            None => {
                                state.wanted = Some(local);
                                self.scheduler_wake.notify_one();
                            }
                        }
                        return None;
                    }
                    ThreadStop::Barrier { worker, .. } => {
                        state.tell(worker, WorkerJob::Resume);
                        return None;
                    }
                    ThreadStop::Returned | ThreadStop::Inert => {}
                }
            }
            self.judge(state);
        }
    }

    /// Decides how to continue after all threads have stopped.
    fn judge(&self, state: &mut SchedulerState) {
        state.next = 0;
        let mut sides = SideCollector::default();
        for (local, stop) in (0..).zip(&state.stops) {
            let place = match *stop {
                ThreadStop::Barrier { at, .. } => Some(at),
                ThreadStop::Returned | ThreadStop::NotBegun => None,
                ThreadStop::Inert => continue,
            };
            sides.add(local, place);
        }
        match sides.sides() {
            [] | [(None, _)] => {
                state.tile += 1;
                state.phase = 0;
                if state.tile == self.tiles {
                    self.end(state, NativeEnding::Completed);
                    return;
                }
                state.stops.fill(ThreadStop::NotBegun);
                self.variables.lock().unwrap_or_else(PoisonError::into_inner).clear();
            }
            [(Some(_), _)] => state.phase += 1,
            _ => self.end(state, NativeEnding::Diverged(NativeDivergence { tile: state.tile, sides })),
        }
    }

    /// Ends the launch; only the first ending is kept.
    fn end(&self, state: &mut SchedulerState, ending: NativeEnding) {
        state.end.get_or_insert(ending);
        for worker in 0..state.workers.len() {
            state.tell(worker, WorkerJob::Quit);
        }
        self.scheduler_wake.notify_one();
    }
}

impl SchedulerState {
    fn tell(&mut self, worker: usize, job: WorkerJob) {
        self.workers[worker].tell(job);
    }

    fn post(&self, worker: usize) -> Arc<Post> {
        self.workers[worker].clone()
    }
}

impl Post {
    fn tell(&self, job: WorkerJob) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        self.wake.notify_one();
    }

    /// Waits for a job. `Quit` is permanent.
    fn sleep(&self) -> WorkerJob {
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *job {
                Some(WorkerJob::Quit) => return WorkerJob::Quit,
                Some(told) => {
                    *job = None;
                    return told;
                }
                None => job = self.wake.wait(job).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::Location;
    use std::thread;

    use super::*;

    /// Runs one tile of four threads that meet at a barrier, with at most `workers` workers.
    /// Returns the ending and the number of threads that passed the barrier.
    fn meet(workers: usize) -> (NativeEnding, usize) {
        let (floor, here) = (TileScheduler::new(4, 1), Location::caller());
        let behind = Mutex::new(0);
        let work = |worker: usize, first: u32| {
            floor.work(worker, first, |turn| {
                if !floor.arrive(worker, turn.local, here) {
                    return Finish::Quit;
                }
                *behind.lock().unwrap() += 1;
                Finish::Returned
            });
        };
        let work = &work;
        thread::scope(|scope| {
            let hire = |worker: usize, first: u32| {
                if worker == workers {
                    return Err(std::io::Error::other("no more"));
                }
                scope.spawn(move || work(worker, first));
                Ok(())
            };
            floor.oversee(hire, &|| false);
        });
        let behind = *behind.lock().unwrap();
        (floor.ending(), behind)
    }

    #[test]
    fn without_enough_threads_the_launch_ends_and_nobody_is_left_behind() {
        assert!(matches!(meet(4), (NativeEnding::Completed, 4)));
        for workers in 0..4 {
            assert!(matches!(meet(workers), (NativeEnding::NoThreads(_), 0)), "{workers}");
        }
    }

    #[test]
    fn a_launch_that_is_to_end_at_once_ends() {
        let floor = TileScheduler::new(2, 1);
        floor.oversee(|_, _| Ok(()), &|| true);
        assert!(matches!(floor.ending(), NativeEnding::Interrupted));
    }
}
