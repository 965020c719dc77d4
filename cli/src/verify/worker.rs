//! The process that judges cases of `verify`, one after another, as they are ordered on its standard
//! input.

use tilewise::Accelerator;
use tilewise_conformance::kir::FilePlace;
use tilewise_conformance::library::{self, LibraryCase};
use tilewise_conformance::suite::{CaseKind, JudgedCase, SuiteCase};
use tilewise_conformance::sweep::{self, SweepLevel, SweepRun};
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::{CaseOutcome, Problem, Verdict};

use super::work_line::{WorkOrder, WorkResult, embedded};
use crate::child_lines::answer_orders;
use crate::console::{CommandError, Console};
use crate::faults::coverage;

/// Judges what is ordered until standard input ends.
pub(crate) fn work(console: &mut Console) -> Result<bool, CommandError> {
    // A panic of a case is a failure with its text in the verdict.
    std::panic::set_hook(Box::new(|_| {}));
    answer_orders(console, judge)
}

fn judge(order: WorkOrder) -> WorkResult {
    #[cfg(debug_assertions)]
    crate::provoke::provoke(&order.id());
    let id = order.id();
    coverage::begin();
    let result = judge_order(order);
    coverage::note(&id, result.is_pass(), result.seconds());
    result
}

fn judge_order(order: WorkOrder) -> WorkResult {
    match order {
        WorkOrder::File { name, text, target, tolerance } => {
            let target = SuiteTarget::by_name(&target);
            // Cases live as long as the program, like those of the suite.
            let text = text.map(|text| &*text.leak()).or_else(|| embedded(&name));
            let (Some(target), Some(text)) = (target, text) else { return unknown(&name) };
            let run = SweepRun { tolerance: tolerance.into(), ..SweepRun::PLAIN };
            result_of(SuiteCase { name: name.leak(), kind: CaseKind::File(text), target }.run(&run))
        }
        WorkOrder::Cell { name, target, tolerance } => {
            let cell = sweep::cells().iter().find(|cell| cell.name == name);
            let (Some(cell), Some(target)) = (cell, SuiteTarget::by_name(&target)) else { return unknown(&name) };
            let kind = CaseKind::Sweep(cell, SweepLevel::Quick);
            let run = SweepRun { tolerance: tolerance.into(), ..SweepRun::PLAIN };
            result_of(SuiteCase { name: &cell.name, kind, target }.run(&run))
        }
        WorkOrder::Check { name, accelerator } => {
            let check = library::ALL.iter().find(|check| check.name == name);
            let (Some(&check), Ok(accelerator)) = (check, Accelerator::new(&accelerator)) else {
                return unknown(&name);
            };
            let judged = LibraryCase { check, accelerator }.run();
            WorkResult::new(CaseOutcome::of(judged.verdict), judged.time)
        }
    }
}

fn result_of(JudgedCase { verdict, forms, within_tolerance, time, .. }: JudgedCase) -> WorkResult {
    WorkResult::new(CaseOutcome { verdict, forms, within_tolerance }, time)
}

/// The result of a case that this process lacks and its parent has: a device may have gone.
fn unknown(name: &str) -> WorkResult {
    let message = "the process that runs it does not find its file, target or accelerator";
    let problem = Problem { path: name.to_owned(), at: FilePlace::default(), message: message.to_owned() };
    WorkResult::new(CaseOutcome::of(Verdict::Fail(vec![problem])), std::time::Duration::ZERO)
}
