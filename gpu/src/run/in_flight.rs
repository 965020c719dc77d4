//! Submissions that are not known to be done, and waiting for them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tilewise_trace::{SpanKind, span};

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;
use super::launched::Said;
use super::pace::{self, PacedLaunch};

/// The submissions of a device.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    list: Mutex<SubmissionList>,
}

/// The submissions of a device, the oldest first.
#[derive(Debug, Default)]
struct SubmissionList {
    all: VecDeque<Arc<Submission>>,
    /// When the last finished one was removed.
    removed: Option<Instant>,
    /// When the oldest was last seen not to be done.
    seen: Option<Instant>,
}

impl SubmissionList {
    /// The earliest time at which the oldest can have begun.
    fn began(&self) -> Option<Instant> {
        let first = self.all.front()?;
        Some(self.removed.map_or(first.submitted, |at| at.max(first.submitted)))
    }

    /// Removes those that are done.
    fn remove_done(&mut self) {
        let done = self.all.iter().take_while(|submission| submission.is_done()).count();
        let Some(began) = self.began() else { return };
        let now = Instant::now();
        if done > 0 {
            // Which of them took how much of it is not known.
            let at_most = now.saturating_duration_since(began);
            let at_least = self.seen.map_or(Duration::ZERO, |seen| seen.saturating_duration_since(began));
            self.all.drain(..done).for_each(|submission| pace::ended(&submission.paced, at_least, at_most));
            self.removed = Some(now);
        }
        self.seen = Some(now);
    }
}

/// One submission.
#[derive(Debug)]
pub(super) struct Submission {
    /// The number of its queue.
    pub(super) queue: u64,
    submitted: Instant,
    /// Its time limit from the end of all earlier work; `None` for no limit.
    budget: Option<WaitBudget>,
    /// When it was cancelled.
    cancelled: Mutex<Option<Instant>>,
    done: Arc<AtomicBool>,
    /// The messages of its launches, until they are read.
    pub(super) said: Mutex<Option<Said>>,
    /// Bytes of staging memory that it reads.
    pub(super) staged: u64,
    /// Its launches, if each has a time limit.
    paced: Vec<PacedLaunch>,
}

/// The time limit of a submission.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaitBudget {
    /// The limit that was set for its launches, or for each of them.
    pub(super) limit: Duration,
    /// The number of launches that have that limit each; 1 if they have it together.
    pub(super) launches: u32,
    /// The same with all allowances.
    pub(super) whole: Duration,
}

impl WaitBudget {
    /// A limit without allowances.
    pub(super) const fn of(time: Duration) -> WaitBudget {
        WaitBudget { limit: time, launches: 1, whole: time }
    }
}

/// How long a wait polls without a pause: the shortest pause takes 60 microseconds. Later it pauses for a
/// small fraction of the elapsed time.
const AT_ONCE: Duration = Duration::from_millis(2);
/// The same for drivers in software, whose threads need the processor.
const AT_ONCE_IN_SOFTWARE: Duration = Duration::from_micros(300);
/// Submissions in flight with which a device has enough to do: the next begins when one ends.
const AHEAD: usize = 2;
/// The time for which a device has enough to do if what is in flight takes so long: some more than a
/// submission takes until it begins.
const LEAD: Duration = Duration::from_micros(40);
/// The longest pause.
const PAUSE: Duration = Duration::from_micros(500);
/// Grace period of a device for cancelled work before it is given up.
const GRACE: Duration = Duration::from_millis(500);

impl Submission {
    pub(super) fn new(
        done: Arc<AtomicBool>,
        queue: u64,
        budget: Option<WaitBudget>,
        said: Option<Said>,
        staged: u64,
        paced: Vec<PacedLaunch>,
    ) -> Arc<Submission> {
        Arc::new(Submission {
            queue,
            submitted: Instant::now(),
            budget,
            cancelled: Mutex::default(),
            done,
            said: Mutex::new(said),
            staged,
            paced,
        })
    }

    /// Cancels it.
    pub(super) fn cancel(&self) {
        locked(&self.cancelled).get_or_insert_with(Instant::now);
    }

    /// Whether it is known to be done.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    /// The deadline and the error past it, for a submission that began at `began`.
    fn end(&self, began: Instant) -> Option<(Instant, String)> {
        // Work that was cancelled before its turn gets its grace period when it begins.
        let cancelled = locked(&self.cancelled).map(|at| {
            (at.max(began) + GRACE, "the launch was cancelled, and the device did not come to its end".to_owned())
        });
        let spent = self.budget.and_then(|WaitBudget { limit, launches, whole }| {
            let why = match launches {
                1 => format!("the device did not answer within the time limit of {limit:?}"),
                many => format!("the device did not answer within the time limits of {many} launches, {limit:?} each"),
            };
            Some((began.checked_add(whole)?, why))
        });
        cancelled.into_iter().chain(spent).min_by_key(|(at, _)| *at)
    }
}

impl InFlight {
    pub(super) fn push(&self, submission: Arc<Submission>) {
        locked(&self.list).all.push_back(submission);
    }

    /// The oldest submission that is not done, and the earliest time at which it can have begun.
    fn first(&self) -> Option<(Arc<Submission>, Instant)> {
        let mut list = locked(&self.list);
        list.remove_done();
        list.all.front().cloned().zip(list.began())
    }

    /// The last submission.
    pub(super) fn last(&self) -> Option<Arc<Submission>> {
        locked(&self.list).all.back().cloned()
    }

    /// The last submission of a queue.
    pub(super) fn last_of(&self, queue: u64) -> Option<Arc<Submission>> {
        locked(&self.list).all.iter().rev().find(|submission| submission.queue == queue).cloned()
    }

    /// Cancels the submissions of a queue.
    pub(super) fn cancel(&self, queue: u64) {
        let list = locked(&self.list);
        list.all.iter().filter(|submission| submission.queue == queue).for_each(|submission| submission.cancel());
    }

    /// Bytes of staging memory that the device has not read yet, and the oldest submission with
    /// any.
    pub(super) fn staged(&self) -> (u64, Option<Arc<Submission>>) {
        let list = locked(&self.list);
        let first = list.all.iter().find(|submission| submission.staged > 0).cloned();
        (list.all.iter().map(|submission| submission.staged).sum(), first)
    }

    /// What the submissions are expected to take from now on, as far as that is known.
    fn rest(&self, now: Instant) -> Duration {
        let list = locked(&self.list);
        let launches = list.all.iter().flat_map(|submission| &submission.paced);
        let expected: Duration = launches.filter_map(|launch| launch.expected).sum();
        expected.saturating_sub(list.began().map_or(Duration::ZERO, |began| now.saturating_duration_since(began)))
    }

    /// The number of submissions.
    pub(super) fn len(&self) -> usize {
        locked(&self.list).all.len()
    }
}

impl DeviceShared {
    /// Waits until a submission is done. If one exceeds its time limit, the device is lost: its
    /// queue is dropped on a thread of its own, as every queue is that is not idle.
    pub(super) fn wait_for(&self, submission: &Arc<Submission>) -> Result<(), DeviceFailure> {
        if self.look(submission)? {
            return Ok(());
        }
        let _wait = span(SpanKind::Wait, || format!("for work of {}", self.adapter.name()));
        let begin = Instant::now();
        let at_once = if self.adapter.is_software() { AT_ONCE_IN_SOFTWARE } else { AT_ONCE };
        while !self.look(submission)? {
            let late = self.in_flight.first().and_then(|(first, began)| first.end(began));
            if let Some((_, why)) = late.filter(|(at, _)| *at <= Instant::now()) {
                self.lost.overdue.store(true, Ordering::Release);
                self.lost.note(why);
            }
            match begin.elapsed() {
                waited if waited < at_once => std::thread::yield_now(),
                waited => std::thread::sleep((waited / 32).min(PAUSE)),
            }
        }
        Ok(())
    }

    /// Whether a submission is done. Does not wait.
    pub(super) fn look(&self, submission: &Arc<Submission>) -> Result<bool, DeviceFailure> {
        if !submission.is_done() {
            self.alive()?;
            self.gpu.nudge().unwrap_or_else(|why| self.lost.note(why));
        }
        // Removes finished submissions from the list.
        self.in_flight.first();
        Ok(submission.is_done())
    }

    /// Whether the device has enough to do while a queue records more: then short launches wait for
    /// others, so that one submission has many.
    pub(super) fn is_busy(&self) -> Result<bool, DeviceFailure> {
        self.alive()?;
        self.gpu.nudge().unwrap_or_else(|why| self.lost.note(why));
        self.in_flight.first();
        let is_test = locked(&self.brief).is_some();
        let ahead = if self.adapter.takes_one() { 1 } else { AHEAD };
        Ok(is_test || self.in_flight.len() >= ahead || self.in_flight.rest(Instant::now()) > LEAD)
    }

    /// Submits, and returns a flag that is set once this and all earlier work is done. The caller
    /// holds the lock `submitting`.
    pub(super) fn submit(
        &self,
        commands: impl IntoIterator<Item = wgpu::CommandBuffer>,
    ) -> Result<Arc<AtomicBool>, DeviceFailure> {
        // Such a driver would block without a time limit.
        let last = self.in_flight.last().filter(|_| self.adapter.takes_one());
        last.map_or(Ok(()), |last| self.wait_for(&last))?;
        self.gpu.queue.submit(commands);
        self.submissions.fetch_add(1, Ordering::Relaxed);
        let done = Arc::new(AtomicBool::new(false));
        let (flag, lost) = (Arc::clone(&done), Arc::clone(&self.lost));
        self.gpu.queue.on_submitted_work_done(move || {
            if lost.why().is_none() {
                flag.store(true, Ordering::Release);
            }
        });
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::launch::Domain;

    use super::super::pace::LaunchWork;
    use super::*;
    use crate::lower::LoopBounds;

    #[test]
    fn what_is_cancelled_before_it_begins_has_its_moment_then() {
        let list = InFlight::default();
        let submission = Submission::new(Arc::default(), 7, None, None, 0, Vec::new());
        list.push(Arc::clone(&submission));
        let now = Instant::now();
        assert_eq!(submission.end(now), None);
        list.cancel(8);
        assert_eq!(submission.end(now), None);
        list.cancel(7);
        // Other work ran for a while.
        let began = now + Duration::from_secs(5);
        assert_eq!(submission.end(began).map(|(at, _)| at), Some(began + GRACE));
        assert!(submission.end(now).is_some_and(|(at, _)| at < began));
    }

    #[test]
    fn the_rest_is_what_is_expected_less_the_time_since_it_can_have_begun() {
        let list = InFlight::default();
        let ms = Duration::from_millis;
        assert_eq!(list.rest(Instant::now()), Duration::ZERO);
        let launch = |expected| {
            let work = LaunchWork::of(LoopBounds::Few, &Domain::new([1]), &[], &[]).expect("its threads end");
            PacedLaunch { pace: Arc::default(), work, expected }
        };
        for launches in [vec![launch(Some(ms(30))), launch(None)], vec![launch(Some(ms(50)))]] {
            list.push(Submission::new(Arc::default(), 7, None, None, 0, launches));
        }
        let (_, began) = list.first().expect("none is done");
        assert_eq!(list.rest(began), ms(80));
        assert_eq!(list.rest(began + ms(60)), ms(20));
        assert_eq!(list.rest(began + ms(90)), Duration::ZERO);
    }

    #[test]
    fn a_limit_beyond_all_time_is_none() {
        let submission = Submission::new(Arc::default(), 7, Some(WaitBudget::of(Duration::MAX)), None, 0, Vec::new());
        assert_eq!(submission.end(Instant::now()), None);
    }
}
