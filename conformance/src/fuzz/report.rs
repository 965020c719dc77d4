//! The results of many seeds: counts and failures.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tilewise_ir::launch::Ending;

use super::coverage::Coverage;
use crate::stage::Share;
use crate::target::SuiteTarget;

/// A kind of failure of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FuzzFault {
    /// The checker rejects the generated kernel.
    Rejected,
    /// Printed and parsed back it is another kernel, or none.
    RoundTrip,
    /// A target refuses to launch it.
    Refused,
    /// It has an ending that generated kernels never have.
    Ending,
    /// A target panics.
    Panic,
    /// Two targets, or two variants of one target, give different results.
    Mismatch,
    /// A check reports a mistake; generated kernels have none.
    Report,
}

impl FuzzFault {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            FuzzFault::Rejected => "rejected",
            FuzzFault::RoundTrip => "round trip",
            FuzzFault::Refused => "refused",
            FuzzFault::Ending => "ending",
            FuzzFault::Panic => "panic",
            FuzzFault::Mismatch => "mismatch",
            FuzzFault::Report => "report",
        }
    }
}

/// A kernel that failed.
#[derive(Clone, Debug)]
pub struct FuzzFailure {
    /// The seed that generates it.
    pub seed: u64,
    /// The kind of failure.
    pub fault: FuzzFault,
    /// The description.
    pub detail: String,
    /// The shrunk case as a file test.
    pub file: String,
}

/// A kernel that a target should run, but that its driver or another layer above the driver fails
/// to accept. The results of the other targets are compared as usual.
#[derive(Clone, Debug)]
pub struct RefusedKernel {
    /// The seed that generates it.
    pub seed: u64,
    /// The target of the driver.
    pub target: SuiteTarget,
    /// The driver's message.
    pub detail: String,
    /// The case as a file test: shrunk if it is the first with this message of the target's driver,
    /// else as generated.
    pub file: String,
}

/// Counts of endings on the first target.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Endings {
    /// Every thread ran to its end.
    pub completed: u64,
    /// `error` or `abort` ended some threads.
    pub failed: u64,
    /// Threads of a tile missed each other at a barrier.
    pub diverged: u64,
}

impl Endings {
    /// Counts one more.
    pub(super) fn add(&mut self, ending: &Ending) {
        match ending {
            Ending::Completed => self.completed += 1,
            Ending::Failed { .. } => self.failed += 1,
            Ending::BarrierDivergence(_) => self.diverged += 1,
            // These endings count as failures.
            Ending::OutOfFuel { .. } | Ending::Interrupted | Ending::Stopped | Ending::OutOfMemory { .. } => {}
        }
    }
}

/// The results of many seeds.
#[derive(Clone, Debug, Default)]
pub struct FuzzReport {
    /// Kernels that were generated.
    pub kernels: u64,
    /// Their instructions.
    pub instructions: u64,
    /// Instructions that the first target executed in the first variant, over all threads.
    pub executed: u64,
    /// Their endings there.
    pub endings: Endings,
    /// Launches.
    pub launches: u64,
    /// The share of the kernels and their loops that is vector code when compiled for the maximum
    /// number of lanes; counted if a target runs compiled code on the CPU.
    pub share: Share,
    /// The number of kernels without vector code, by reason.
    pub scalar: BTreeMap<String, u64>,
    /// The number of launches that a target did not run, by target and reason.
    pub not_run: BTreeMap<(SuiteTarget, String), u64>,
    /// The targets that ran a kernel whose result was compared.
    pub ran_on: BTreeSet<SuiteTarget>,
    /// The targets with whose results others are compared, if there are others.
    pub first_on: BTreeSet<SuiteTarget>,
    /// Kernels that drivers failed to accept.
    pub refused: Vec<RefusedKernel>,
    /// The failures.
    pub failures: Vec<FuzzFailure>,
    /// Seeds whose kernels had not finished at the end of the run's time and its slack.
    pub unfinished: Vec<u64>,
    /// The first error from saving a file.
    pub unsaved: Option<String>,
    /// The first seed that was not begun: a run that goes on begins there.
    pub next_seed: u64,
    /// The running time.
    pub time: Duration,
    /// The executed features, if they were counted.
    pub coverage: Option<Coverage>,
}

impl FuzzReport {
    /// The number of kernels that the driver of each target failed to accept.
    pub fn refusals(&self) -> BTreeMap<SuiteTarget, u64> {
        let mut counts = BTreeMap::new();
        self.refused.iter().for_each(|refused| *counts.entry(refused.target).or_default() += 1);
        counts
    }

    /// Targets that were given kernels and ran none of them, or none whose result could be compared: the
    /// report shows nothing about those.
    pub fn idle_targets(&self) -> BTreeSet<SuiteTarget> {
        let given = self.not_run.keys().map(|(target, _)| target).chain(&self.first_on);
        given.copied().filter(|target| !self.ran_on.contains(target)).collect()
    }

    /// Did every kernel run wherever it should, did each target run some, and was there no failure?
    pub fn passed(&self) -> bool {
        let nothing_wrong = self.failures.is_empty() && self.refused.is_empty() && self.unfinished.is_empty();
        self.launches > 0 && nothing_wrong && self.idle_targets().is_empty()
    }

    /// The number of failures of a kind.
    pub fn faults(&self, fault: FuzzFault) -> usize {
        self.failures.iter().filter(|failure| failure.fault == fault).count()
    }

    /// Adds the results of other seeds; the time stays.
    pub(super) fn take(&mut self, other: FuzzReport) {
        self.kernels += other.kernels;
        self.instructions += other.instructions;
        self.executed += other.executed;
        self.endings.completed += other.endings.completed;
        self.endings.failed += other.endings.failed;
        self.endings.diverged += other.endings.diverged;
        self.launches += other.launches;
        self.share = self.share.and(other.share);
        other.scalar.into_iter().for_each(|(why, count)| *self.scalar.entry(why).or_default() += count);
        other.not_run.into_iter().for_each(|(why, count)| *self.not_run.entry(why).or_default() += count);
        self.ran_on.extend(other.ran_on);
        self.first_on.extend(other.first_on);
        self.refused.extend(other.refused);
        self.refused.sort_by_key(|refused| (refused.seed, refused.target));
        self.unsaved = self.unsaved.take().or(other.unsaved);
        self.failures.extend(other.failures);
        self.failures.sort_by_key(|failure| failure.seed);
        if let (Some(coverage), Some(more)) = (&mut self.coverage, &other.coverage) {
            coverage.merge(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_ran_nothing_has_not_passed() {
        let some = "some kernels are not for it".to_owned();
        let mut report = FuzzReport { launches: 9, ran_on: [SuiteTarget::Reference].into(), ..FuzzReport::default() };
        assert!(report.passed());
        report.not_run.insert((SuiteTarget::GpuModule, some), 9);
        assert_eq!(report.idle_targets(), [SuiteTarget::GpuModule].into());
        assert!(!report.passed());
        report.ran_on.insert(SuiteTarget::GpuModule);
        assert!(report.passed());
        // One launch of each kernel, and nothing beside it.
        let mut alone = FuzzReport { launches: 9, first_on: [SuiteTarget::GpuStrict].into(), ..FuzzReport::default() };
        assert_eq!(alone.idle_targets(), [SuiteTarget::GpuStrict].into());
        assert!(!alone.passed());
        alone.ran_on.insert(SuiteTarget::GpuStrict);
        assert!(alone.passed());
    }
}
