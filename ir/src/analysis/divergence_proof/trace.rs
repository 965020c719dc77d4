//! What one thread does about barriers, as far as it is known.

use super::MissedBy;
use crate::kernel::InstId;

/// Number of times that a thread goes past a barrier before it is no longer followed.
const MAX_PASSED: usize = 8;

/// The trace of one thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ThreadTrace {
    /// The barriers at which the thread arrives, in order, without gaps.
    arrivals: Vec<BarrierArrival>,
    /// The rounds of loops around the barrier in question that the thread has certainly behind it:
    /// each list stands for all lists that begin with it.
    passed: Vec<Vec<u32>>,
    /// Whether the thread ends after the last arrival; otherwise nothing more is known of it.
    ends: bool,
}

/// An arrival at a barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BarrierArrival {
    barrier: InstId,
    /// The rounds of the loops around it, the outermost first.
    rounds: Vec<u32>,
}

impl ThreadTrace {
    pub(super) fn arrive(&mut self, barrier: InstId, rounds: &[u32]) {
        self.arrivals.push(BarrierArrival { barrier, rounds: rounds.to_vec() });
    }

    pub(super) fn pass(&mut self, rounds: &[u32]) {
        self.passed.push(rounds.to_vec());
    }

    pub(super) fn end(&mut self) {
        self.ends = true;
    }

    /// The number of its arrivals, at least 1.
    pub(super) fn arrivals(&self) -> u32 {
        u32::try_from(self.arrivals.len()).unwrap_or(u32::MAX).max(1)
    }

    /// Whether the thread has arrived at this barrier, or has it behind it several times.
    pub(super) fn has_met(&self, barrier: InstId) -> bool {
        self.passed.len() > MAX_PASSED || self.arrivals.iter().any(|arrival| arrival.barrier == barrier)
    }

    /// If this thread's first arrival that the other one does not share is at `barrier`, and the
    /// other thread has certainly missed it: what the other does instead.
    pub(super) fn parts_from(&self, other: &ThreadTrace, barrier: InstId) -> Option<MissedBy> {
        let at = (0..self.arrivals.len()).find(|&i| other.arrivals.get(i) != self.arrivals.get(i))?;
        let mine = self.arrivals.get(at).filter(|arrival| arrival.barrier == barrier)?;
        match other.arrivals.get(at) {
            Some(theirs) if theirs.barrier == barrier => Some(MissedBy::OtherRound),
            Some(theirs) => Some(MissedBy::OtherBarrier(theirs.barrier)),
            None if other.ends => Some(MissedBy::Ending),
            None if other.passed.iter().any(|rounds| mine.rounds.starts_with(rounds)) => Some(MissedBy::GoingPast),
            None => None,
        }
    }
}
