//! Judges all cases of a run: file tests on all cores, then the checks of the library one after another.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise_conformance::library::{JudgedCheck, LibraryCase};
use tilewise_conformance::suite::{CaseKind, JudgedCase, SuiteCase};
use tilewise_conformance::sweep::{ResumeFile, SweepLevel, SweepRun};
use tilewise_conformance::tolerance::Tolerance;
use tilewise_conformance::verdict::{CaseOutcome, Verdict};

use super::isolated::IsolatedWorker;
use super::work_line::WorkOrder;
use crate::host;

/// How cases run.
#[derive(Clone, Copy)]
pub(super) struct RunPlan<'r> {
    /// Stop at the first failure?
    pub(super) fail_fast: bool,
    /// The time that a case may take in a process of its own; `None` runs all in this process.
    pub(super) isolated: Option<Duration>,
    /// The file that keeps the progress of the sweep.
    pub(super) resume: Option<&'r ResumeFile>,
    /// By how much floats may differ.
    pub(super) tolerance: Tolerance,
}

impl RunPlan<'_> {
    /// Judges all cases.
    pub(super) fn judge(self, cases: &[SuiteCase], checks: Vec<LibraryCase>) -> (Vec<JudgedCase>, Vec<JudgedCheck>) {
        without_panics(|| {
            let judged = self.files(cases);
            let failed = judged.iter().any(|judged| matches!(judged.verdict, Verdict::Fail(_)));
            let checked = if failed && self.fail_fast { Vec::new() } else { self.checks(checks) };
            (judged, checked)
        })
    }

    /// The order for a process of its own. A long cell of the sweep, or one whose progress is kept, runs in
    /// this process: it has no time limit.
    fn order_of(self, case: &SuiteCase) -> Option<WorkOrder> {
        match case.kind {
            CaseKind::File(text) => Some(WorkOrder::of_file(case, text, self.tolerance)),
            CaseKind::Sweep(_, SweepLevel::Quick) if self.resume.is_none() => {
                Some(WorkOrder::of_cell(case, self.tolerance))
            }
            CaseKind::Sweep(..) => None,
        }
    }

    /// Judges file tests on all cores; the results are in the order of the cases.
    fn files(self, cases: &[SuiteCase]) -> Vec<JudgedCase> {
        let stop = AtomicBool::new(false);
        let bar = ProgressBar::with_draw_target(Some(cases.len() as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        let queue = Mutex::new(CaseQueue::new(cases));
        let judged: Mutex<Vec<(usize, JudgedCase)>> = Mutex::new(Vec::with_capacity(cases.len()));
        let work = || {
            let mut worker = self.isolated.map(IsolatedWorker::new);
            let mut done: Vec<(usize, JudgedCase)> = Vec::new();
            let mut file = None;
            while !stop.load(Ordering::Relaxed) {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next(&mut file);
                let Some((i, case)) = next.and_then(|i| Some((i, *cases.get(i)?))) else { break };
                bar.set_message(case.name);
                let progress = |words: &str| bar.set_message(words.to_owned());
                let one = match (&mut worker, self.order_of(&case)) {
                    (Some(worker), Some(order)) => {
                        let (outcome, time) = worker.judge(&order, case.name);
                        JudgedCase::new(case, outcome, time)
                    }
                    (None, _) | (_, None) => {
                        case.run(&SweepRun { resume: self.resume, progress: &progress, tolerance: self.tolerance })
                    }
                };
                if self.fail_fast && matches!(one.verdict, Verdict::Fail(_)) {
                    stop.store(true, Ordering::Relaxed);
                }
                bar.inc(1);
                done.push((i, one));
            }
            if let (Some(worker), Some((_, last))) = (&mut worker, done.last_mut())
                && let Some(failure) = worker.close(last.case.name)
            {
                last.verdict = failure;
            }
            judged.lock().unwrap_or_else(PoisonError::into_inner).extend(done);
        };
        std::thread::scope(|scope| {
            for _ in 0..host::threads().min(cases.len()) {
                scope.spawn(work);
            }
        });
        bar.finish_and_clear();
        let mut judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
        judged.sort_by_key(|entry| entry.0);
        judged.into_iter().map(|entry| entry.1).collect()
    }

    /// Runs checks of the library.
    fn checks(self, checks: Vec<LibraryCase>) -> Vec<JudgedCheck> {
        let Some(limit) = self.isolated else { return checks.into_iter().map(LibraryCase::run).collect() };
        let mut worker = IsolatedWorker::new(limit);
        let judge = |case: LibraryCase| {
            let (CaseOutcome { verdict, .. }, time) = worker.judge(&WorkOrder::of_check(&case), case.check.name);
            JudgedCheck { case, verdict, time }
        };
        let mut judged: Vec<JudgedCheck> = checks.into_iter().map(judge).collect();
        if let Some(last) = judged.last_mut()
            && let Some(failure) = worker.close(last.case.check.name)
        {
            last.verdict = failure;
        }
        judged
    }
}

/// The cases that are not yet begun. A thread takes all cases of a file, because a process keeps what it has
/// compiled for one target and other targets use it too; with no file left, it helps others.
struct CaseQueue {
    /// The numbers of the cases of each file.
    files: Vec<VecDeque<usize>>,
    /// The number of files that threads have begun.
    begun: usize,
}

impl CaseQueue {
    fn new(cases: &[SuiteCase]) -> CaseQueue {
        let mut files: Vec<VecDeque<usize>> = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            match files.last_mut() {
                Some(file) if cases[i - 1].name == case.name => file.push_back(i),
                Some(_) | None => files.push(VecDeque::from([i])),
            }
        }
        CaseQueue { files, begun: 0 }
    }

    /// The next case of a thread that works on `file`.
    fn next(&mut self, file: &mut Option<usize>) -> Option<usize> {
        if let Some(i) = file.and_then(|file| self.files[file].pop_front()) {
            return Some(i);
        }
        if self.begun < self.files.len() {
            *file = Some(self.begun);
            self.begun += 1;
        } else {
            *file = self.files.iter().position(|cases| !cases.is_empty());
        }
        self.files[(*file)?].pop_front()
    }
}

/// Runs work that judges a panic as a failure with its text in the verdict; the usual message would
/// only disturb the output.
fn without_panics<R>(work: impl FnOnce() -> R) -> R {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = work();
    std::panic::set_hook(usual);
    done
}

#[cfg(test)]
mod tests {
    use tilewise_conformance::target::SuiteTarget;

    use super::*;

    #[test]
    fn a_thread_stays_with_a_file_and_then_helps_others() {
        let case = |name, target| SuiteCase { name, kind: CaseKind::File(""), target };
        let cases: Vec<SuiteCase> = ["a", "b"]
            .iter()
            .flat_map(|name| SuiteTarget::CPU[..3].iter().map(move |&target| case(name, target)))
            .collect();
        let mut queue = CaseQueue::new(&cases);
        let (mut first, mut second) = (None, None);
        assert_eq!(queue.next(&mut first), Some(0));
        assert_eq!(queue.next(&mut second), Some(3));
        assert_eq!([queue.next(&mut first), queue.next(&mut first)], [Some(1), Some(2)]);
        assert_eq!([queue.next(&mut first), queue.next(&mut second)], [Some(4), Some(5)]);
        assert_eq!([queue.next(&mut first), queue.next(&mut second)], [None, None]);
    }
}
