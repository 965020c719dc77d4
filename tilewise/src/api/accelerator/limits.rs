//! [`LaunchLimits`]: ends a launch early, at its time limit or when it is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Error;

/// The conditions under which a launch ends early.
#[derive(Clone)]
pub(crate) struct LaunchLimits {
    /// The queue's count of cancellations: the live counter, and its value when the launch was
    /// requested.
    cancelled: (Arc<AtomicU64>, u64),
    time_limit: Option<Duration>,
    /// The limit and the start of the launch, once it has started.
    limit: Option<(Duration, Instant)>,
}

impl LaunchLimits {
    /// The limits of a launch that is requested now; `cancelled` is the queue's count of
    /// cancellations.
    pub(super) fn new(cancelled: &Arc<AtomicU64>, time_limit: Option<Duration>) -> Self {
        LaunchLimits { cancelled: (cancelled.clone(), cancelled.load(Ordering::Relaxed)), time_limit, limit: None }
    }

    /// The launch has waited for others and starts now, and so does its time limit.
    pub(crate) fn begin(&mut self) {
        self.limit = self.time_limit.map(|limit| (limit, Instant::now()));
    }

    /// Whether the launch must end.
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.limit.is_some_and(|(limit, begin)| begin.elapsed() > limit)
    }

    /// The time limit, counted from the launch's start.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit.map(|(limit, _)| limit)
    }

    /// Whether it was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.0.load(Ordering::Relaxed) != self.cancelled.1
    }

    /// The reason for ending it.
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
