//! `tilewise list` shows the cases of the suite; `tilewise repro` runs one of them and shows all of it.

use clap::Args;
use serde::Serialize;
use tilewise_conformance::sweep::{SweepLevel, SweepRun};
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;
use tilewise_conformance::{corpus, library, suite};

use crate::console::{CommandError, Console, Paint};
use crate::verify::description;

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Cases to list: a part of a name, or a pattern such as 'sync/*' or '**/sum*'
    pattern: Option<String>,
    /// For programs: a list in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ReproArgs {
    /// The case: its name, `@`, and its target or accelerator, as in `sync/tile_sum.kir@jit`
    #[arg(value_name = "NAME@TARGET")]
    id: String,
}

/// A test with the targets or accelerators that it has a case on.
#[derive(Serialize)]
struct ListedTest {
    name: &'static str,
    group: &'static str,
    targets: Vec<String>,
    description: String,
}

fn tests(pattern: Option<&str>) -> Vec<ListedTest> {
    let mut tests: Vec<ListedTest> = Vec::new();
    let mut add = |name, group, target: String, text: &str| match tests.iter_mut().rev().find(|test| test.name == name)
    {
        Some(test) => test.targets.push(target),
        None => tests.push(ListedTest { name, group, targets: vec![target], description: description(name, text) }),
    };
    for case in suite::select(pattern, SuiteTarget::BUILT, SweepLevel::Quick) {
        add(case.name, corpus::group(case.name), case.target.name().to_owned(), &case.text());
    }
    for case in library::select(pattern) {
        add(case.check.name, library::GROUP, case.accelerator.path().to_owned(), "");
    }
    tests
}

fn no_case(message: String) -> CommandError {
    CommandError::new(message, "`tilewise list` shows all cases")
}

/// Lists the cases.
pub(crate) fn list(args: &ListArgs, console: &mut Console) -> Result<bool, CommandError> {
    let tests = tests(args.pattern.as_deref());
    if tests.is_empty() {
        return Err(no_case(format!("no case matches `{}`", args.pattern.as_deref().unwrap_or("**"))));
    }
    if args.json {
        let text = serde_json::to_string_pretty(&tests);
        console.line(text.map_err(|error| CommandError::new(error.to_string(), "this is a bug of Tilewise"))?);
        return Ok(true);
    }
    for test in tests {
        let name = console.paint(test.name, Paint::Bold);
        console.line(format_args!("{name}: {}\n  on {}", test.description, test.targets.join(", ")));
    }
    Ok(true)
}

/// Runs a case; true if it passes.
pub(crate) fn repro(args: &ReproArgs, console: &mut Console) -> Result<bool, CommandError> {
    let Some((name, on)) = args.id.rsplit_once('@') else {
        return Err(no_case(format!("`{}` has no `@`: write NAME@TARGET", args.id)));
    };
    let verdict = if corpus::group(name) == library::GROUP {
        let case =
            library::select(None).into_iter().find(|case| case.check.name == name && case.accelerator.path() == on);
        let case = case.ok_or_else(|| no_case(format!("there is no case `{}` on this machine", args.id)))?;
        console.line(format_args!("{name}: {}", description(name, "")));
        case.run().verdict
    } else {
        let case = SuiteTarget::by_name(on)
            .and_then(|on| suite::select(None, &[on], SweepLevel::Quick).into_iter().find(|case| case.name == name));
        let case = case.ok_or_else(|| no_case(format!("there is no case `{}`", args.id)))?;
        console.text(format_args!("{}\n", case.text()));
        case.run(&SweepRun::PLAIN).verdict
    };
    let colour = match &verdict {
        Verdict::Pass => Paint::Green,
        Verdict::Fail(_) => Paint::Red,
        Verdict::Unsupported(_) | Verdict::NotRun(_) => Paint::Yellow,
    };
    let word = console.paint(&format!("{}:", verdict.name()), colour);
    let reason = verdict.reason().unwrap_or_else(|| "all results are the expected ones, bit for bit".to_owned());
    console.line(format_args!("{word} {reason}"));
    Ok(verdict == Verdict::Pass)
}
