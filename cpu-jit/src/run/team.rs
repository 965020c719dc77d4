//! A team: the threads that work on one launch, and the distribution of its units.
//!
//! Units (tiles, strips of rows) are numbered. If they may run in any order, each member has a range of
//! them, of which it takes one chunk after the other; when its range is done, it takes chunks of the
//! others. So a core works on the same elements in each of several launches, and finds them in its own
//! caches. On 16 cores with 2 MiB each the steps of a bitonic sort took 0.91 of the time that
//! they took where chunks went to whoever came next, a radix sort's 0.95. Where a kernel can see
//! the order of units, all members take the next chunk from one counter: a tile may wait for an earlier
//! one by atomics.
//!
//! The chunk size depends on the measured time per unit ([`UnitCost`]): large enough to make the
//! counter's cost negligible, small enough that all members finish at about the same time.
//!
//! # Members
//! The thread that requested the launch begins immediately, alone. If the launch is not done soon,
//! it calls helpers: jobs in the engine's thread pool. Each helper that arrives calls further ones,
//! so that no thread has to wake all of them. A helper that arrives late finds the team closed and
//! does nothing. So a short launch wakes no thread, and neither a pool with busy workers nor a
//! caller that is itself a worker delays anything: no thread ever waits for a helper that has not
//! arrived.
//!
//! If workers are pinned to cores, the caller competes with one of them, and the system takes long
//! to notice: in a long launch the caller leaves when all the others have arrived. If the launch is
//! known in advance to be long, the caller waits for them before it begins.
//!
//! # Memory ordering
//! `state` counts members, and has the bit [`CLOSED`]. Members leave with release; the caller
//! returns after it has seen zero members with acquire, so all work for the launch happens before
//! what the caller does next. A helper joins with acquire after the caller published the team
//! through the pool's queue. `next` and the pace are relaxed: they distribute work, and no other
//! data depends on them.

use std::any::Any;
use std::hint;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use tilewise_ir::fault::{self, Fault};

/// A launch up to this long stays with its caller, in nanoseconds: waking a thread takes about as
/// long.
const ALONE: f64 = 10_000.0;
/// Minimum and maximum duration of a chunk, in nanoseconds.
const CHUNK: (f64, f64) = (8_000.0, 40_000.0);
/// If more than this much work remains per member, the caller leaves in favour of a worker with a
/// core of its own.
const LEAVE: f64 = 1_000_000.0;
/// Before such a launch the caller waits for the others, since it occupies the core of some worker.
/// It waits no longer than this, since the workers may be busy.
const PATIENCE: Duration = Duration::from_micros(300);
/// Spin iterations while waiting for the last members, before the caller sleeps.
const SPINS: u32 = 2_000;
/// Bit of `state`: the team accepts no more members.
const CLOSED: usize = 1 << 63;

/// The work of a team.
pub(super) trait TeamWork: Send + Sync + 'static {
    /// Does no unit see whether others have been executed?
    fn is_of_any_order(&self) -> bool;

    /// Executes the units that `claim` returns, until it returns `None`. Returning earlier ends the
    /// launch: no more units are claimed.
    fn work(&self, claim: &mut dyn FnMut() -> Option<(u64, u64)>);
}

/// The estimated nanoseconds per unit; 0 if unknown.
#[derive(Debug, Default)]
pub(super) struct UnitCost(AtomicU64);

impl UnitCost {
    /// The estimate.
    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Updates the estimate with a measurement.
    fn learn(&self, pace: f64) {
        let before = self.get();
        let now = if before == 0.0 { pace } else { before * 0.75 + pace * 0.25 };
        self.0.store(now.to_bits(), Ordering::Relaxed);
    }
}

/// The threads available for a launch.
#[derive(Clone, Copy)]
pub(super) struct Crew<'a> {
    /// The workers.
    pub(super) pool: &'a ThreadPool,
    /// Maximum number of threads.
    pub(super) threads: usize,
    /// Has each worker a core of its own?
    pub(super) pinned: bool,
}

/// The units of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// Their number.
    pub(super) count: u64,
    /// The size of the first chunk, if the pace is unknown.
    pub(super) first: u64,
}

/// Finished work; a late helper may still hold it for a moment.
pub(super) enum Over<W> {
    /// Done by the caller.
    Alone(W),
    /// Done by several.
    Together(Arc<Team<W>>),
}

impl<W> Deref for Over<W> {
    type Target = W;

    fn deref(&self) -> &W {
        match self {
            Over::Alone(work) => work,
            Over::Together(team) => &team.work,
        }
    }
}

/// The threads that work on one launch.
pub(super) struct Team<W> {
    work: W,
    pace: Arc<UnitCost>,
    units: Units,
    threads: usize,
    /// All units, in order: one range for each member, or one for all of them.
    ranges: Box<[TeamRange]>,
    state: AtomicUsize,
    /// The number of helpers that may still be called.
    wanted: AtomicUsize,
    caller: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Units that are claimed in order.
struct TeamRange {
    /// The first unclaimed unit.
    next: AtomicU64,
    end: u64,
    /// Has a member it for its own?
    taken: AtomicBool,
}

impl TeamRange {
    /// The units from `first` to `end` in that many ranges.
    fn of(first: u64, end: u64, count: usize) -> Box<[TeamRange]> {
        let border = |i: usize| first + ((end - first) as u128 * i as u128 / count as u128) as u64;
        let range =
            |i: usize| TeamRange { next: AtomicU64::new(border(i)), end: border(i + 1), taken: AtomicBool::new(false) };
        (0..count).map(range).collect()
    }

    fn rest(&self) -> u64 {
        self.end.saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Makes it a member's own, unless it is another one's.
    fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::Relaxed)
    }

    fn claim(&self, size: u64) -> Option<(u64, u64)> {
        let first = self.next.fetch_add(size, Ordering::Relaxed);
        (first < self.end).then(|| (first, (first + size).min(self.end)))
    }
}

/// Executes all units, or as many as the work claims. A panic in it resumes here, when all members
/// have left.
pub(super) fn run<W: TeamWork>(crew: Option<Crew<'_>>, units: Units, pace: &Arc<UnitCost>, work: W) -> Over<W> {
    let Some(crew) = crew.filter(|crew| crew.threads > 1 && units.count > 1) else {
        if units.count == 1 && pace.get() > 0.0 {
            // Too little to distribute, and to measure again.
            let mut units = Some((0, 1));
            work.work(&mut || units.take());
        } else {
            alone(&work, pace, 0, units.count);
        }
        return Over::Alone(work);
    };
    let mut next = 0;
    let known = pace.get() * units.count as f64;
    if known > 0.0 && known < ALONE {
        // Other arguments may make it take much longer than before, so execute a part first.
        next = units.count.div_ceil(8);
        let took = alone(&work, pace, 0, next);
        if took * 8.0 < 3.0 * ALONE {
            alone(&work, pace, next, units.count);
            return Over::Alone(work);
        }
    }
    let ranges = if work.is_of_any_order() { crew.threads } else { 1 };
    let team = Arc::new(Team {
        work,
        pace: Arc::clone(pace),
        units,
        threads: crew.threads,
        ranges: TeamRange::of(next, units.count, ranges),
        state: AtomicUsize::new(1),
        wanted: AtomicUsize::new(crew.threads - 1),
        caller: thread::current(),
        panic: Mutex::new(None),
    });
    let own = crew.pool.current_thread_index().is_some();
    let left = team.take_part(Some(crew.pool), crew.pinned && !own);
    team.wait(left);
    let panic = team.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    Over::Together(team)
}

/// Executes these units on this thread; returns the nanoseconds it took. The work itself knows if
/// it has ended early, and then claims nothing more.
fn alone(work: &impl TeamWork, pace: &UnitCost, first: u64, end: u64) -> f64 {
    let mut units = (first < end).then_some((first, end));
    let (mut begin, mut took) = (None, 0.0);
    work.work(&mut || {
        if let Some(begin) = begin.replace(Instant::now()) {
            took = nanoseconds(begin);
        }
        units.take()
    });
    if took > 0.0 {
        pace.learn(took / (end - first) as f64);
    }
    took
}

/// Time since `begin`, minus the cost of reading the clock and entering compiled code.
fn nanoseconds(begin: Instant) -> f64 {
    (begin.elapsed().as_nanos() as f64 - 80.0).max(1.0)
}

impl<W: TeamWork> Team<W> {
    /// Runs a member, which has already been counted. Returns whether it left while there was work.
    /// `pool` is for calling helpers from a thread that is not one of its workers.
    fn take_part(self: &Arc<Self>, pool: Option<&ThreadPool>, may_leave: bool) -> bool {
        let mut left = false;
        let mut pace = self.pace.get();
        let own = self.own_range();
        if may_leave && self.units.count as f64 * pace > LEAVE * self.threads as f64 {
            self.await_others(pool);
        }
        let mut before: Option<(Instant, u64)> = None;
        let mut claim = || {
            if let Some((begin, units)) = before {
                pace = nanoseconds(begin) / units as f64;
                self.pace.learn(pace);
            }
            let rest = self.rest();
            let time = rest as f64 * pace;
            if may_leave && time > LEAVE * self.threads as f64 && self.members() >= self.threads {
                left = true;
                self.call(pool);
                return None;
            }
            let share = rest.div_ceil(self.threads as u64).max(1);
            let size = if pace > 0.0 {
                let chunk = (time / (4 * self.threads) as f64).clamp(CHUNK.0, CHUNK.1);
                ((chunk / pace) as u64).clamp(1, share)
            } else {
                self.units.first.clamp(1, share)
            };
            let others = self.ranges.iter().cycle().skip(own).take(self.ranges.len());
            let (first, end) = others.filter(|range| range.rest() > 0).find_map(|range| range.claim(size))?;
            let rest = rest.saturating_sub(end - first);
            let end = end - u64::from(end - first > 1 && fault::planted(Fault::LastUnitOfChunks));
            // Two each: helpers call further ones.
            for _ in 0..2 {
                let worth = pace == 0.0 || rest as f64 * pace > ALONE;
                if worth && rest > 0 && self.one_is_wanted() {
                    self.call(pool);
                }
            }
            before = Some((Instant::now(), end - first));
            Some((first, end))
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.work.work(&mut claim))) {
            *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
        }
        self.ranges[own].taken.store(false, Ordering::Relaxed);
        if !left {
            self.state.fetch_or(CLOSED, Ordering::Relaxed);
        }
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.caller.unpark();
        }
        left
    }

    /// The units that nobody has claimed.
    fn rest(&self) -> u64 {
        self.ranges.iter().map(TeamRange::rest).sum()
    }

    /// The range of a new member. A worker has the same one in each launch if it can; the caller, which
    /// takes the place of some worker, the first.
    fn own_range(&self) -> usize {
        let wanted = rayon::current_thread_index().unwrap_or(0);
        let count = self.ranges.len();
        (wanted..wanted + count).map(|i| i % count).find(|&i| self.ranges[i].take()).unwrap_or(0)
    }

    /// Calls helpers, and waits briefly until all have arrived.
    fn await_others(self: &Arc<Self>, pool: Option<&ThreadPool>) {
        for _ in 0..2 {
            if self.one_is_wanted() {
                self.call(pool);
            }
        }
        let begin = Instant::now();
        while self.members() < self.threads
            && let Some(rest) = PATIENCE.checked_sub(begin.elapsed())
        {
            thread::park_timeout(rest);
        }
    }

    fn members(&self) -> usize {
        self.state.load(Ordering::Relaxed) & !CLOSED
    }

    fn one_is_wanted(&self) -> bool {
        self.wanted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |wanted| wanted.checked_sub(1)).is_ok()
    }

    /// Calls a helper.
    fn call(self: &Arc<Self>, pool: Option<&ThreadPool>) {
        let team = Arc::clone(self);
        let help = move || {
            let join = |state: usize| (state & CLOSED == 0).then_some(state + 1);
            if let Ok(state) = team.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, join) {
                if state + 1 == team.threads {
                    // It may be waiting for that.
                    team.caller.unpark();
                }
                team.take_part(None, false);
            }
        };
        match pool {
            Some(pool) => pool.spawn(help),
            // A helper is a worker, and spawns in its own pool.
            None => rayon::spawn(help),
        }
    }

    /// Waits until all members have left and none can join.
    fn wait(&self, long: bool) {
        let over = || self.state.load(Ordering::Acquire) == CLOSED;
        let spins = if long { 0 } else { SPINS };
        for _ in 0..spins {
            if over() {
                return;
            }
            hint::spin_loop();
        }
        while !over() {
            thread::park();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::time::Duration;

    /// Counts how often each unit is executed; a unit takes a while.
    struct Counting {
        times: Vec<AtomicUsize>,
        takes: Duration,
        who: Mutex<HashSet<thread::ThreadId>>,
        /// The threads that executed units.
        taken: Mutex<HashSet<thread::ThreadId>>,
        panics_at: Option<u64>,
        any_order: bool,
    }

    impl Counting {
        fn new(count: u64, takes: Duration) -> Counting {
            let times = (0..count).map(|_| AtomicUsize::new(0)).collect();
            Counting { times, takes, who: Mutex::default(), taken: Mutex::default(), panics_at: None, any_order: true }
        }
    }

    impl TeamWork for Counting {
        fn is_of_any_order(&self) -> bool {
            self.any_order
        }

        fn work(&self, claim: &mut dyn FnMut() -> Option<(u64, u64)>) {
            self.who.lock().unwrap_or_else(PoisonError::into_inner).insert(thread::current().id());
            while let Some((first, end)) = claim() {
                self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(thread::current().id());
                for unit in first..end {
                    assert_ne!(Some(unit), self.panics_at, "as the test wants");
                    let begin = Instant::now();
                    while begin.elapsed() < self.takes {
                        hint::spin_loop();
                    }
                    self.times[unit as usize].fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the system gives threads")
    }

    fn go(pool: &ThreadPool, pinned: bool, pace: &Arc<UnitCost>, work: Counting) -> Over<Counting> {
        let units = Units { count: work.times.len() as u64, first: 1 };
        let crew = Crew { pool, threads: pool.current_num_threads(), pinned };
        run(Some(crew), units, pace, work)
    }

    fn each_once(work: &Counting) -> bool {
        work.times.iter().all(|times| times.load(Ordering::Relaxed) == 1)
    }

    #[test]
    fn every_unit_is_done_once_whoever_does_it() {
        let pool = pool(4);
        for (pinned, any_order) in [(false, false), (true, false), (false, true), (true, true)] {
            for (count, micros) in [(1, 0), (2, 50), (3, 2000), (9, 1000), (64, 0), (1000, 5), (100_000, 0), (2000, 20)]
            {
                let pace = Arc::default();
                for _ in 0..3 {
                    let counting = Counting::new(count, Duration::from_micros(micros));
                    let work = go(&pool, pinned, &pace, Counting { any_order, ..counting });
                    assert!(each_once(&work), "{count} units of {micros} microseconds");
                }
            }
        }
    }

    #[test]
    fn short_work_stays_with_its_caller() {
        let pool = pool(4);
        let pace = Arc::new(UnitCost::default());
        pace.learn(10.0);
        let work = go(&pool, false, &pace, Counting::new(64, Duration::ZERO));
        assert!(each_once(&work));
        assert_eq!(*work.who.lock().unwrap_or_else(PoisonError::into_inner), HashSet::from([thread::current().id()]));
    }

    #[test]
    fn work_that_takes_longer_than_it_used_to_gets_helpers() {
        let pool = pool(4);
        let pace = Arc::new(UnitCost::default());
        pace.learn(10.0);
        let work = go(&pool, false, &pace, Counting::new(64, Duration::from_millis(1)));
        assert!(each_once(&work));
        assert!(work.who.lock().unwrap_or_else(PoisonError::into_inner).len() > 1);
    }

    #[test]
    fn a_caller_takes_none_of_the_long_units_that_workers_can_do() {
        let pool = pool(2);
        let pace = Arc::new(UnitCost::default());
        pace.learn(1_000_000.0);
        // The system may delay the workers for longer than the caller's patience.
        let kept_out = (0..20).any(|_| {
            let work = go(&pool, true, &pace, Counting::new(16, Duration::from_millis(1)));
            assert!(each_once(&work));
            let units = work.taken.lock().unwrap_or_else(PoisonError::into_inner);
            !units.contains(&thread::current().id())
        });
        assert!(kept_out);
    }

    #[test]
    fn nobody_waits_for_a_pool_that_is_busy() {
        let pool = pool(2);
        let pace = Arc::new(UnitCost::default());
        pace.learn(2_000_000.0);
        let stop = Arc::new(AtomicBool::new(false));
        for _ in 0..2 {
            let stop = Arc::clone(&stop);
            pool.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            });
        }
        for pinned in [false, true] {
            for pace in [&Arc::default(), &pace] {
                let work = go(&pool, pinned, pace, Counting::new(200, Duration::from_micros(50)));
                assert!(each_once(&work));
            }
        }
        stop.store(true, Ordering::Relaxed);
    }

    #[test]
    fn a_panic_comes_out_and_the_pool_is_as_before() {
        let pool = pool(3);
        for unit in [0, 500, 999] {
            let mut work = Counting::new(1000, Duration::from_micros(20));
            work.panics_at = Some(unit);
            let result = catch_unwind(AssertUnwindSafe(|| drop(go(&pool, false, &Arc::default(), work))));
            assert!(result.is_err());
        }
        assert!(each_once(&go(&pool, false, &Arc::default(), Counting::new(1000, Duration::ZERO))));
    }

    #[test]
    fn callers_may_be_workers_of_any_pool() {
        let (own, other) = (Arc::new(pool(2)), pool(3));
        let done = AtomicUsize::new(0);
        let launch = || {
            let work = go(&own, true, &Arc::default(), Counting::new(300, Duration::from_micros(20)));
            done.fetch_add(usize::from(each_once(&work)), Ordering::Relaxed);
        };
        other.scope(|scope| (0..8).for_each(|_| scope.spawn(|_| launch())));
        own.scope(|scope| (0..8).for_each(|_| scope.spawn(|_| launch())));
        thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(launch))));
        assert_eq!(done.into_inner(), 24);
    }
}
