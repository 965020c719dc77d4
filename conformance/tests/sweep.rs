//! The sweep over the op table, at its quickest, on the targets that interpret. `tilewise verify` runs it on
//! all.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilewise_conformance::suite::{SuiteCase, select};
use tilewise_conformance::sweep::{SweepLevel, SweepRun, cells};
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;

/// The cells of these targets that do not pass.
fn failures(targets: &[SuiteTarget]) -> Vec<String> {
    let cases = select(Some("sweep/**"), targets, SweepLevel::Quick);
    assert_eq!(cases.len(), cells().len() * targets.len());
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let SuiteCase { name, target, .. } = *case;
            let verdict = case.run(&SweepRun::PLAIN).verdict;
            if verdict != Verdict::Pass {
                let reason = verdict.reason().unwrap_or_default();
                wrong.lock().unwrap().push(format!("{} {name} on {target}: {reason}", verdict.name()));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    wrong.into_inner().unwrap()
}

#[test]
fn every_cell_passes_on_targets_that_interpret() {
    let wrong = failures(&[SuiteTarget::Reference, SuiteTarget::Lanes8]);
    assert!(wrong.is_empty(), "{} cells do not pass:\n\n{}", wrong.len(), wrong.join("\n\n"));
}
