//! `tilewise litmus`: runs small races under stress, and compares their outcomes with those that the
//! memory model allows.

mod page;
mod record;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tilewise_conformance::corpus;
use tilewise_conformance::litmus::program::LitmusTest;
use tilewise_conformance::litmus::run::{LitmusCounts, OutcomeClass, run_test};
use tilewise_conformance::litmus::shapes;
use tilewise_conformance::target::SuiteTarget;

use crate::console::{CommandError, Console, Paint};
use crate::fuzz::time_parser;
use crate::report_file::ReportFile;
use crate::{each_once, target_parser};

pub(crate) use record::{LitmusReport, RecordedRace};

#[derive(Args, Debug)]
pub(crate) struct LitmusArgs {
    /// Tests to run: a part of a name, or a pattern such as 'mp/**' or '**/tiles/**'; all if left out
    pattern: Option<String>,
    /// List the tests with the number of outcomes that the model allows, instead of running them
    #[arg(long, conflicts_with_all = ["json", "page", "include"])]
    list: bool,
    /// The time of all tests together, on each target
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_parser)]
    time: Duration,
    /// Targets to run them on; `jit` and the first GPU if left out
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target_parser())]
    target: Vec<SuiteTarget>,
    /// The seed of the launch parameters
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Show each outcome, also those that were not seen
    #[arg(long)]
    outcomes: bool,
    /// Write the counts of each outcome to this file, for programs
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table to this page, in Markdown
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// With `--page`: add columns from this report, which `--json` wrote on another machine
    #[arg(long, value_name = "FILE", requires = "page")]
    include: Vec<PathBuf>,
}

/// Runs the tests; true if some ran, also on each target that is named, and no forbidden outcome was seen.
pub(crate) fn litmus(args: &LitmusArgs, console: &mut Console) -> Result<bool, CommandError> {
    let matches = |test: &LitmusTest| args.pattern.as_ref().is_none_or(|p| corpus::matches(p, &test.name));
    let tests: Vec<LitmusTest> = shapes::tests().into_iter().filter(matches).collect();
    if tests.is_empty() {
        let pattern = args.pattern.as_deref().unwrap_or("**");
        let help = "`tilewise litmus --list` shows all tests";
        return Err(CommandError::new(format!("no litmus test matches `{pattern}`"), help));
    }
    let targets = match each_once(&args.target) {
        named if !named.is_empty() => named,
        _ => [SuiteTarget::Jit, SuiteTarget::GpuStrict].into_iter().filter(|t| t.missing().is_none()).collect(),
    };
    if args.list {
        for test in &tests {
            let counts = LitmusCounts::new(test, targets[0]);
            let [strong, weak, forbidden] = numbers(&counts).map(|(all, _)| all);
            console.line(format_args!("{}: {strong} strong, {weak} weak, {forbidden} forbidden", test.name));
        }
        return Ok(true);
    }
    let json = ReportFile::prepare_if_named("--json", args.json.as_ref())?;
    let page = ReportFile::prepare_if_named("--page", args.page.as_ref())?;
    if let (Some(json), Some(page)) = (&json, &page) {
        json.differs_from(page)?;
    }
    for file in [&json, &page].into_iter().flatten() {
        args.include.iter().try_for_each(|path| file.spares(path))?;
    }
    let mut others = Vec::new();
    for path in &args.include {
        others.extend(record::columns(path)?);
    }
    let time = args.time / u32::try_from(tests.len()).unwrap_or(u32::MAX);
    let mut all = Vec::new();
    for &target in &targets {
        for (number, test) in tests.iter().enumerate() {
            let counts = run_test(test, target, time, seed_of(args.seed, number));
            show(&counts, args.outcomes, console);
            all.push(counts);
        }
    }
    let wrong = all.iter().filter(|counts| counts.is_wrong()).count();
    let ran = all.iter().filter(|counts| counts.instances > 0).count();
    let idle = idle(&each_once(&args.target), &all);
    for (target, reason) in &idle {
        console.nothing_run(target, reason);
    }
    let passed = wrong == 0 && ran > 0 && idle.is_empty();
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    let instances: u64 = all.iter().map(|counts| counts.instances).sum();
    console.line(format_args!(
        "{word}: {ran} tests ran, {} not run, {instances} instances; forbidden outcomes or failed launches in {wrong}",
        all.iter().filter(|counts| counts.is_not_run).count(),
    ));
    if let Some(file) = json {
        file.write(&record::text(&all)?)?;
    }
    if let Some(file) = page {
        file.write(page::page(&all, &others))?;
    }
    Ok(passed)
}

/// The seed of the test with this number.
const fn seed_of(seed: u64, number: usize) -> u64 {
    seed.wrapping_mul(1000).wrapping_add(number as u64)
}

/// The named targets on which no test ran, each with a reason.
fn idle<'a>(named: &[SuiteTarget], all: &'a [LitmusCounts]) -> Vec<(SuiteTarget, &'a str)> {
    let of = |target: SuiteTarget| all.iter().filter(move |counts| counts.target == target);
    let is_idle = |&target: &SuiteTarget| of(target).all(|counts| counts.instances == 0);
    let reason = |target: SuiteTarget| of(target).find_map(|counts| counts.trouble.as_deref()).unwrap_or("no test ran");
    named.iter().copied().filter(is_idle).map(|target| (target, reason(target))).collect()
}

/// Of strong, weak and forbidden outcomes: how many there are, and how many were seen.
fn numbers(counts: &LitmusCounts) -> [(usize, usize); 3] {
    [OutcomeClass::Strong, OutcomeClass::Weak, OutcomeClass::Forbidden].map(|class| counts.of(class))
}

/// The line of a test, and its outcomes if it is wrong or if they are asked for.
fn show(counts: &LitmusCounts, all: bool, console: &mut Console) {
    let LitmusCounts { name, target, instances, outcomes, trouble, is_not_run } = counts;
    let (word, colour) = match (counts.is_wrong(), is_not_run) {
        (true, _) => ("fail", Paint::Red),
        (false, true) => ("not-run", Paint::Yellow),
        (false, false) => ("pass", Paint::Green),
    };
    let word = console.paint(word, colour);
    let seen = numbers(counts).map(|(all, seen)| format!("{seen}/{all}"));
    console.line(format_args!(
        "{word} {name} on {target}: {instances} instances, seen {} strong, {} weak, {} forbidden",
        seen[0], seen[1], seen[2]
    ));
    for line in trouble.iter().flat_map(|trouble| trouble.lines()) {
        console.line(format_args!("  {line}"));
    }
    for (outcome, (class, count)) in outcomes {
        if all || *class == OutcomeClass::Forbidden && *count > 0 {
            console.line(format_args!("  {:9} {count:>12}  {outcome}", class.name()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_seed_gives_seeds_of_tests() {
        assert_eq!((seed_of(1, 2), seed_of(239_807_672_958_224_171, 9)), (1002, 1));
    }

    #[test]
    fn a_named_target_on_which_no_test_ran_is_idle() {
        let test = &shapes::tests()[0];
        let counts = |target, instances, trouble: Option<&str>| LitmusCounts {
            instances,
            trouble: trouble.map(str::to_owned),
            is_not_run: trouble.is_some(),
            ..LitmusCounts::new(test, target)
        };
        let all = [
            counts(SuiteTarget::Jit, 9, None),
            counts(SuiteTarget::Jit, 0, Some("too large")),
            counts(SuiteTarget::GpuStrict, 0, Some("no GPU was found")),
        ];
        let named = [SuiteTarget::Jit, SuiteTarget::GpuStrict];
        assert_eq!(idle(&named, &all), [(SuiteTarget::GpuStrict, "no GPU was found")]);
        assert_eq!(idle(&named[..1], &all), []);
    }
}
