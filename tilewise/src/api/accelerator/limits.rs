//! [`LaunchLimits`]: when one launch is to end before its time, by its limit or because it was cancelled.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Error;

/// Says when a launch is to end before its time.
pub(crate) struct LaunchLimits<'q> {
    /// How often the queue was cancelled: now, and when the launch was asked for.
    cancelled: (&'q AtomicU64, u64),
    time_limit: Option<Duration>,
    /// The limit, and when the launch began, once it has.
    limit: Option<(Duration, Instant)>,
}

impl<'q> LaunchLimits<'q> {
    /// Of a launch that is asked for now, on a queue that counts there how often it was cancelled.
    pub(super) fn new(cancelled: &'q AtomicU64, time_limit: Option<Duration>) -> Self {
        LaunchLimits { cancelled: (cancelled, cancelled.load(Ordering::Relaxed)), time_limit, limit: None }
    }

    /// The launch has waited for others and begins now: so does its time limit.
    pub(crate) fn begin(&mut self) {
        self.limit = self.time_limit.map(|limit| (limit, Instant::now()));
    }

    /// Is it to end?
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.limit.is_some_and(|(limit, begin)| begin.elapsed() > limit)
    }

    /// After how long it is to end, counted from its beginning.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit.map(|(limit, _)| limit)
    }

    /// Was it cancelled?
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.0.load(Ordering::Relaxed) != self.cancelled.1
    }

    /// Why it was.
    pub(crate) fn reason(&self) -> Error {
        let reason = match self.limit {
            Some((limit, _)) if !self.is_cancelled() => {
                format!("the launch took longer than its time limit of {limit:?}")
            }
            _ => "the launch was cancelled".to_owned(),
        };
        Error::AcceleratorViewRemoved(reason.into())
    }
}
