//! What came of many seeds: counts, and what went wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tilewise_ir::launch::Ending;

use super::coverage::Coverage;
use crate::stage::Share;
use crate::target::SuiteTarget;

/// What is wrong with a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FuzzFault {
    /// The checker does not accept what the generator made.
    Rejected,
    /// Printed and read back it is another kernel, or none.
    RoundTrip,
    /// A target refuses to launch it.
    Refused,
    /// It does not come to an end that kernels made here come to.
    Ending,
    /// A target panics.
    Panic,
    /// Two targets, or two ways of one target, give different results.
    Mismatch,
    /// A target reports a mistake, of which kernels made here have none.
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

/// A kernel with which something is wrong.
#[derive(Clone, Debug)]
pub struct FuzzFailure {
    /// The seed that generates it.
    pub seed: u64,
    /// What is wrong.
    pub fault: FuzzFault,
    /// In words.
    pub detail: String,
    /// The shrunk case as a file test.
    pub file: String,
}

/// A kernel that a target should run, and that its driver, or what else stands before it, fails to take. What the others make of it is compared as ever.
#[derive(Clone, Debug)]
pub struct RefusedKernel {
    /// The seed that generates it.
    pub seed: u64,
    /// Whose driver.
    pub target: SuiteTarget,
    /// What it says.
    pub detail: String,
    /// The case as a file test: shrunk if it is the first of which the target's driver says this, else as it was generated.
    pub file: String,
}

/// How many kernels ended how on the first target.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Endings {
    /// Every thread came to its end.
    pub completed: u64,
    /// `error` or `abort` ended some.
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
            // Judged to be a fault.
            Ending::OutOfFuel { .. } | Ending::Interrupted | Ending::Stopped => {}
        }
    }
}

/// What came of many seeds.
#[derive(Clone, Debug, Default)]
pub struct FuzzReport {
    /// Kernels that were generated.
    pub kernels: u64,
    /// Their instructions.
    pub instructions: u64,
    /// Instructions that the first target executed in the first way, over all threads.
    pub executed: u64,
    /// How they ended there.
    pub endings: Endings,
    /// Launches.
    pub launches: u64,
    /// How many of the kernels and their loops are vector code, compiled for as many lanes as there can be; counted if `jit` is among the targets.
    pub share: Share,
    /// Kernels that have no such code: why, how many.
    pub scalar: BTreeMap<String, u64>,
    /// Launches that a target did not take: which target, why, how many.
    pub not_run: BTreeMap<(SuiteTarget, String), u64>,
    /// The targets that ran a kernel.
    pub ran_on: BTreeSet<SuiteTarget>,
    /// Kernels that drivers failed to take.
    pub refused: Vec<RefusedKernel>,
    /// What went wrong.
    pub failures: Vec<FuzzFailure>,
    /// Seeds whose kernels had not come to an end when the run's time and its slack were over.
    pub unfinished: Vec<u64>,
    /// Why a file could not be saved: the first reason.
    pub unsaved: Option<String>,
    /// How long it took.
    pub time: Duration,
    /// What was executed, if it was to be counted.
    pub coverage: Option<Coverage>,
}

impl FuzzReport {
    /// How many kernels the driver of each target failed to take.
    pub fn refusals(&self) -> BTreeMap<SuiteTarget, u64> {
        let mut counts = BTreeMap::new();
        self.refused.iter().for_each(|refused| *counts.entry(refused.target).or_default() += 1);
        counts
    }

    /// Targets that were given kernels and ran none of them: about those the report says nothing.
    pub fn idle_targets(&self) -> BTreeSet<SuiteTarget> {
        self.not_run.keys().map(|(target, _)| *target).filter(|target| !self.ran_on.contains(target)).collect()
    }

    /// Did every kernel run wherever it should, did each target run some, and was nothing wrong with
    /// any?
    pub fn passed(&self) -> bool {
        let nothing_wrong = self.failures.is_empty() && self.refused.is_empty() && self.unfinished.is_empty();
        self.launches > 0 && nothing_wrong && self.idle_targets().is_empty()
    }

    /// How many failures of a kind there are.
    pub fn faults(&self, fault: FuzzFault) -> usize {
        self.failures.iter().filter(|failure| failure.fault == fault).count()
    }

    /// Takes in what came of other seeds; the time stays.
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
    }
}
