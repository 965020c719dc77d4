//! The launches of one run of a test file, in each variant and with checks, and the differences
//! from what the file expects.

use std::collections::BTreeSet;

use tilewise_interp::Checks;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Domain, NOT_WELL_FORMED, Refusal};

use super::{
    BEYOND, FELL_BACK, FileCase, RELAXED, floats_escape, has_floats, is_endless, is_orderly, launch_by, launch_of,
    prepare,
};
use crate::kir::bind::BoundRun;
use crate::kir::compare::{self, Fix, RunDifference, RunDifferences};
use crate::kir::header::{self, HeaderRun};
use crate::kir::{FilePlace, bless, reports, value};
use crate::target::{LaunchVariant, SuiteTarget, TargetLaunch};
use crate::verdict::{Problem, Verdict};

impl FileCase<'_> {
    /// The problems of one run, or the verdict that ends the case.
    pub(super) fn one_run(&mut self, kernel: &Checked<Kernel>, run: &HeaderRun) -> Result<Vec<Problem>, Verdict> {
        let (domain, bound) = match prepare(kernel, run) {
            Ok(prepared) => prepared,
            Err(complaints) => return Ok(complaints.iter().map(|c| self.problem(c.at, c.to_string())).collect()),
        };
        let linear_only = self.file.header.order_dependent.is_some();
        let mut is_first = true;
        for (way, checks) in self.variants(run, linear_only)? {
            let checked = checks.is_some();
            let of_run = launch_of(kernel, run, &domain, &bound);
            let result =
                launch_by(self.target, &TargetLaunch { way, checks: checks.unwrap_or_default(), ..of_run }, &bound);
            self.forms.extend(result.form);
            if let Err(Refusal::Unsupported(reason)) = &result.outcome {
                return Err(self.refused(reason));
            }
            let ended = matches!(&result.outcome, Ok(outcome) if is_orderly(outcome));
            if ended && is_endless(run) && !self.target.rules.counts() {
                return not_run("the limit is one of instructions, which the target does not count");
            }
            let (mut differences, only_floats) = self.differences(kernel, run, &bound, (way, checked), &result);
            if self.is_relaxed_difference(kernel, &bound, &differences, only_floats) {
                return not_run(if self.target.tolerance.is_none() { RELAXED } else { BEYOND });
            }
            if differences.is_empty() && is_first && run.expects.is_empty() {
                let help = "add an expectation: `//! expect completed` at the least".to_owned();
                let message = format!("the run checks nothing\n  help: {help}");
                differences.push(RunDifference { at: run.at, message, fix: Fix::Ending });
            }
            if !differences.is_empty() {
                let named = run.name.as_ref().map_or(String::new(), |name| format!("run {name}: "));
                let how = if is_first { String::new() } else { unlike_first(way, checked) };
                let problems =
                    differences.iter().map(|d| self.problem(d.at, format!("{named}{how}{}", d.message))).collect();
                if way == LaunchVariant::Linear && self.orders_agree(kernel, run, &domain, &bound, &result, linear_only)
                {
                    self.bless_run(run, &bound, &result, &differences);
                }
                return Ok(problems);
            }
            is_first = false;
        }
        Ok(Vec::new())
    }

    /// The variants in which the target launches a run, each without checks and with them.
    fn variants(&self, run: &HeaderRun, linear_only: bool) -> Result<Vec<(LaunchVariant, Option<Checks>)>, Verdict> {
        let ways = match self.target.rules.in_order() {
            _ if !linear_only => self.target.rules.ways().to_vec(),
            Some(way) => vec![way],
            None => return not_run("the result depends on the order of threads, and neighbours run in lanes here"),
        };
        let checks = reports::checks(run);
        // A run that stops at its first report makes sense only with checks.
        let plain = (!checks.stop_at_first).then_some(None);
        if plain.is_none() && !self.target.rules.checks() {
            return not_run("the run is to stop at the first report, and the target reports nothing");
        }
        let modes = plain.into_iter().chain(self.target.rules.checks().then_some(Some(checks)));
        Ok(ways.into_iter().flat_map(|way| modes.clone().map(move |checks| (way, checks))).collect())
    }

    /// The verdict on a case whose launch the target refuses for this reason.
    fn refused(&self, reason: &str) -> Verdict {
        if let Some(missing) = self.target.missing() {
            return Verdict::NotRun(missing);
        }
        if reason.contains(NOT_WELL_FORMED) {
            let message = format!("the checker accepts the kernel, and the target does not: {reason}");
            return self.fail(FilePlace::default(), message);
        }
        match self.target.rules {
            SuiteTarget::Reference => Verdict::Unsupported(reason.to_owned()),
            SuiteTarget::Lanes8
            | SuiteTarget::Lanes16
            | SuiteTarget::Jit
            | SuiteTarget::JitClif
            | SuiteTarget::JitAvx2
            | SuiteTarget::JitAvx512 => Verdict::NotRun(format!("{FELL_BACK}: {reason}")),
            SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict => {
                Verdict::NotRun(reason.to_owned())
            }
        }
    }

    /// How a result differs from the run's expectations, and whether in floats of memory only; with checks, how
    /// its reports do.
    fn differences(
        &mut self,
        kernel: &Checked<Kernel>,
        run: &HeaderRun,
        bound: &BoundRun,
        (way, checked): (LaunchVariant, bool),
        result: &compare::RunResult,
    ) -> (Vec<RunDifference>, bool) {
        let RunDifferences { list: mut differences, within_tolerance, only_floats } =
            compare::compare(run, bound, &self.file.marks, result, self.target.tolerance);
        self.within_tolerance |= within_tolerance;
        if checked && let Ok(outcome) = &result.outcome {
            if way == LaunchVariant::Linear {
                differences.extend(reports::compare(run, &self.file.marks, outcome, kernel.sources()));
            } else {
                differences.extend(reports::compare_codes(run, outcome));
            }
        }
        (differences, only_floats)
    }

    /// Do only contents differ, as a Relaxed target may compute floats, or what the kernel makes of them?
    fn is_relaxed_difference(
        &self,
        kernel: &Checked<Kernel>,
        bound: &BoundRun,
        differences: &[RunDifference],
        only_floats: bool,
    ) -> bool {
        self.target.rules.is_relaxed()
            && !differences.is_empty()
            && has_floats(kernel)
            && differences.iter().all(|d| matches!(d.fix, Fix::Contents(_)))
            && (only_floats || floats_escape(kernel, &bound.arguments) || shares_memory(bound))
    }

    /// Do the other variants give the result of the first?
    fn orders_agree(
        &self,
        kernel: &Checked<Kernel>,
        run: &HeaderRun,
        domain: &Domain,
        bound: &BoundRun,
        first: &compare::RunResult,
        linear_only: bool,
    ) -> bool {
        if self.edits.is_none() || linear_only {
            return true;
        }
        self.target.rules.ways().iter().skip(1).all(|&way| {
            let other = launch_by(self.target, &TargetLaunch { way, ..launch_of(kernel, run, domain, bound) }, bound);
            let ending = |result: &compare::RunResult| {
                let expected = compare::expected(&result.outcome, &self.file.marks);
                (
                    header::show(&expected),
                    result.outcome.as_ref().map(|outcome| outcome.printed.clone()).unwrap_or_default(),
                )
            };
            let agree = bound.objects.iter().all(|object| {
                let types = object.types();
                let pairs = object.contents(&first.memory).into_iter().zip(object.contents(&other.memory));
                pairs.zip(types).all(|((a, b), stored)| value::equal(a, b, stored))
            });
            // Where a run stops early, memory may differ, and is blessed only if the file has an
            // expectation for it.
            ending(first) == ending(&other)
                && (agree || first.outcome.as_ref().is_ok_and(|outcome| !is_orderly(outcome)))
        })
    }

    fn bless_run(
        &mut self,
        run: &HeaderRun,
        bound: &BoundRun,
        result: &compare::RunResult,
        differences: &[RunDifference],
    ) {
        if let Some(edits) = &mut self.edits {
            edits.extend(bless::run(run, bound, &self.file.scanned, &mut self.file.marks, result, differences));
        }
    }
}

/// Do two objects lie in one allocation? Then one may show the floats of the other as something else.
fn shares_memory(bound: &BoundRun) -> bool {
    let mut seen = BTreeSet::new();
    !bound.objects.iter().all(|object| seen.insert(object.allocation))
}

/// The verdict on a case that the target cannot run, for this reason.
fn not_run<T>(why: &str) -> Result<T, Verdict> {
    Err(Verdict::NotRun(why.to_owned()))
}

/// The beginning of a problem with a launch after the first, whose result is as expected.
fn unlike_first(way: LaunchVariant, checked: bool) -> String {
    if checked && way == LaunchVariant::Linear {
        "with checks: ".to_owned()
    } else if !matches!(way, LaunchVariant::Shuffled(_)) {
        format!("in the way {way} (the first way gives the expected results): ")
    } else {
        format!("with threads in the order {way} (the linear order gives the expected results): ")
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::launch::{LaunchMemory, Outcome};

    use crate::kir::case::run_by;
    use crate::own_target::{JudgedTarget, KernelTarget, OwnTarget};
    use crate::target::{SuiteTarget, TargetLaunch};
    use crate::verdict::Verdict;

    use super::Refusal;

    /// A Relaxed target that changes the first byte of the allocation with this number.
    struct RelaxedDriver(usize);

    impl KernelTarget for RelaxedDriver {
        fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
            let outcome = SuiteTarget::Reference.launch(launch, memory)?;
            memory.allocations[self.0][0] ^= 1;
            Ok(outcome)
        }

        fn is_relaxed(&self) -> bool {
            true
        }
    }

    #[test]
    fn integers_of_a_relaxed_target_are_as_expected_unless_they_come_of_floats() {
        let verdict = |integer: &str, changed: usize| {
            let text = format!(
                "// Floats and integers.\n//! domain 2\n//! a: [2] = 1.5 2.5\n//! b: [2] = zero\n\
                //! expect a = 3 5\n//! expect b = 3 3\n\
                kernel k(a: view<f32, 1, read_write>, b: view<u32, 1, read_write>) rank(1) {{\n\
                a[global[0]] = a[global[0]] * 2.0; b[global[0]] = {integer};\n}}\n"
            );
            let target = RelaxedDriver(changed);
            run_by("k.kir", &text, JudgedTarget::own(&OwnTarget::new(&target))).verdict
        };
        let of_floats = "(a[global[0]] * 0.0 + 3.0) as u32";
        assert!(matches!(verdict("3u32", 0), Verdict::NotRun(_)));
        assert!(matches!(verdict(of_floats, 1), Verdict::NotRun(_)));
        let wrong = verdict("3u32", 1);
        assert!(matches!(wrong, Verdict::Fail(_)), "{:?}", wrong.reason());
    }
}
