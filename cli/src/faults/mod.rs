//! `tilewise faults`: plants one mistake at a time in the compiler and the library, and sees whether
//! `tilewise verify` finds it.
//!
//! One run of the suite without a fault records which cases come to which faults ([`coverage`]). Then each
//! fault is planted in processes of its own ([`trial`]), which run the cases that come to it, and if they all
//! pass the whole suite. A fault that the suite does not find is a survivor, and shows that a case is
//! missing. The table goes to standard output, and to a page or a JSON file if asked for.

pub(crate) mod coverage;
mod page;
mod record;
mod state;
mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise::ir::fault::{self, Fault, FaultArea};
use tilewise_conformance::corpus;

use crate::console::{CommandError, Console, Paint};
use crate::fuzz::time_parser;
use crate::interrupt::end_on_interrupt;
use crate::report_file::ReportFile;
use record::{FaultEnd, FaultTrial, FaultsJson};
use state::TrialState;
use trial::TrialPlan;

pub(crate) use record::SCHEMA;
pub(crate) use trial::{plant_from_environment, tell_planted};

#[derive(Args, Debug)]
pub(crate) struct FaultsArgs {
    /// Faults to plant: a part of a name, or a pattern such as 'versions/*'; all if left out
    pattern: Option<String>,
    /// List the faults instead of planting them
    #[arg(long, conflicts_with_all = ["time", "state", "json", "page"])]
    list: bool,
    /// Plant only so many, drawn at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    draw: Option<u32>,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1, requires = "draw")]
    seed: u64,
    /// The time that the whole suite may take with a fault; four times that without one, and a minute, if left out
    #[arg(long, value_name = "TIME", value_parser = time_parser)]
    time: Option<Duration>,
    /// Keep the results in this file: faults that it has are not planted again
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write the results to this file, for programs
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table to this page, in Markdown
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// Plants faults; true if the suite finds all of them.
pub(crate) fn faults(args: &FaultsArgs, console: &mut Console) -> Result<bool, CommandError> {
    let faults = selected(args)?;
    if args.list {
        for fault in faults {
            console.line(format_args!("{}: {}", fault.name(), fault.mistake()));
        }
        return Ok(true);
    }
    if !fault::PLANTABLE {
        let message = "this program was built without faults, as a release is";
        let help = "build it with debug assertions: `cargo run -p tilewise-cli -- faults`";
        return Err(CommandError::new(message, help));
    }
    let json = ReportFile::prepare_if_named("--json", args.json.as_ref())?;
    let page = ReportFile::prepare_if_named("--page", args.page.as_ref())?;
    if let (Some(json), Some(page)) = (&json, &page) {
        json.differs_from(page)?;
    }
    for file in [&json, &page].into_iter().flatten() {
        args.state.iter().try_for_each(|path| file.spares(path))?;
    }
    let (mut state, known) = match args.state.as_deref().map(TrialState::open).transpose()? {
        Some((state, known)) => (Some(state), known),
        None => (None, Vec::new()),
    };
    let mut trials: Vec<FaultTrial> = known.into_iter().filter(|trial| faults.contains(&trial.fault)).collect();
    let is_known = |fault: &Fault| trials.iter().any(|trial| trial.fault == *fault);
    let faults: Vec<Fault> = faults.into_iter().filter(|fault| !is_known(fault)).collect();
    let begin = Instant::now();
    let bar = ProgressBar::with_draw_target(Some(faults.len() as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar.set_message("the suite without a fault");
    let plan = if faults.is_empty() {
        None
    } else {
        let stop = end_on_interrupt("this program alone, and not the suite that it runs", console);
        Some(TrialPlan::new(args.time, stop)?)
    };
    for fault in faults {
        let Some(plan) = &plan else { break };
        bar.set_message(fault.name());
        let trial = plan.run(fault)?;
        bar.suspend(|| {
            console.line(line(&trial, console));
            console.flush();
        });
        state.iter_mut().try_for_each(|state| state.add(&trial))?;
        trials.push(trial);
        bar.inc(1);
    }
    trials.sort_by_key(|trial| (trial.fault.area(), trial.fault));
    bar.finish_and_clear();
    console.text(table(&trials, console));
    let counts = TrialCounts::of(&trials.iter().collect::<Vec<_>>());
    let is_passed = counts.survived == 0 && counts.killed() > 0;
    let word = if is_passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    console.line(format_args!(
        "{word}: {} of {} faults are found, {} of them by a crash or a hang, {} not run, in {:.0} s",
        counts.killed(),
        counts.planted(),
        counts.crashed,
        counts.not_run,
        begin.elapsed().as_secs_f64()
    ));
    if let Some(file) = json {
        file.write(&FaultsJson::new(&trials).text()?)?;
    }
    if let Some(file) = page {
        file.write(page::page(&trials))?;
    }
    Ok(is_passed)
}

/// What became of a fault, in a line; of a survivor also its mistake, and the command that repeats it.
fn line(trial: &FaultTrial, console: &Console) -> String {
    let name = trial.fault.name();
    let more = trial.end.more();
    match &trial.end {
        FaultEnd::Failed(_) => format!("{} {name} by {more}", console.paint("found:", Paint::Green)),
        FaultEnd::Crashed(_) => format!("{} {name} by a crash of {more}", console.paint("found:", Paint::Green)),
        FaultEnd::Hung(_) => format!("{} {name} by {more}, which does not end", console.paint("found:", Paint::Green)),
        FaultEnd::NotRun(_) => format!("{} {name}: {more}", console.paint("not-run:", Paint::Yellow)),
        FaultEnd::Survived | FaultEnd::NotReached => {
            let reached = if trial.end == FaultEnd::NotReached { ", which no case reaches" } else { "" };
            let title = console.paint("survived:", Paint::Red);
            let (mistake, repeat) = (trial.fault.mistake(), trial.command());
            format!("{title} {name}{reached}: {mistake}\n  repeat: {repeat}")
        }
    }
}

/// The faults that the command line names.
fn selected(args: &FaultsArgs) -> Result<Vec<Fault>, CommandError> {
    let named = |fault: &Fault| args.pattern.as_deref().is_none_or(|pattern| corpus::matches(pattern, &fault.name()));
    let mut faults: Vec<Fault> = Fault::ALL.iter().copied().filter(named).collect();
    if faults.is_empty() {
        let pattern = args.pattern.as_deref().unwrap_or_default();
        let help = "`tilewise faults --list` shows all faults";
        return Err(CommandError::new(format!("no fault matches `{pattern}`"), help));
    }
    faults.sort_by_key(|fault| fault.area());
    if let Some(count) = args.draw {
        // One that is drawn is not drawn again.
        let mut state = args.seed;
        while faults.len() > count as usize {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            faults.remove((state >> 33) as usize % faults.len());
        }
    }
    Ok(faults)
}

/// How many faults ended in each way.
#[derive(Clone, Copy, Default)]
struct TrialCounts {
    failed: usize,
    crashed: usize,
    survived: usize,
    not_run: usize,
}

impl TrialCounts {
    fn of(trials: &[&FaultTrial]) -> TrialCounts {
        let mut counts = TrialCounts::default();
        for trial in trials {
            match &trial.end {
                FaultEnd::Failed(_) => counts.failed += 1,
                FaultEnd::Crashed(_) | FaultEnd::Hung(_) => counts.crashed += 1,
                FaultEnd::Survived | FaultEnd::NotReached => counts.survived += 1,
                FaultEnd::NotRun(_) => counts.not_run += 1,
            }
        }
        counts
    }

    const fn killed(self) -> usize {
        self.failed + self.crashed
    }

    /// The faults that the suite could find here.
    const fn planted(self) -> usize {
        self.killed() + self.survived
    }
}

/// The counts of each area.
fn by_area(trials: &[FaultTrial]) -> BTreeMap<FaultArea, TrialCounts> {
    let of = |area| TrialCounts::of(&trials.iter().filter(|trial| trial.fault.area() == area).collect::<Vec<_>>());
    trials.iter().map(|trial| trial.fault.area()).map(|area| (area, of(area))).collect()
}

fn table(trials: &[FaultTrial], console: &Console) -> String {
    let mut out = format!("{:<14}{:>8}{:>10}{:>10}{:>10}\n", "area", "failed", "crashed", "survived", "not run");
    for (area, counts) in by_area(trials) {
        let survived = format!("{:>10}", counts.survived);
        let survived = if counts.survived > 0 { console.paint(&survived, Paint::Red) } else { survived };
        out +=
            &format!("{:<14}{:>8}{:>10}{survived}{:>10}\n", area.name(), counts.failed, counts.crashed, counts.not_run);
    }
    out
}
