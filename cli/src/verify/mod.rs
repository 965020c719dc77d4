//! `tilewise verify`: runs the suite that is built into the program, and reports.

mod gpu;
mod html;
mod json;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise_conformance::library;
use tilewise_conformance::suite::{self, Case, Counts, Judged};
use tilewise_conformance::target::Target;
use tilewise_conformance::verdict::Verdict;

use crate::VerifyArgs;
use crate::console::{Console, Paint, Trouble};
use crate::{host, source};

/// The page of a run of the whole suite.
const USUAL_PAGE: &str = "tilewise-report.html";

/// What was run: file tests on targets, checks of the library on accelerators.
struct Done {
    judged: Vec<Judged>,
    checked: Vec<library::Judged>,
    time: Duration,
}

impl Done {
    fn total(&self) -> Counts {
        let mut total = suite::total(&self.judged);
        library::add_to(&mut total, &self.checked);
        total
    }

    /// The counts of each group and place.
    fn table(&self) -> Vec<(&'static str, String, Counts)> {
        let files = suite::table(&self.judged).into_iter();
        let files = files.map(|((group, target), counts)| (group, target.name().to_owned(), counts));
        let checks = library::table(&self.checked).into_iter();
        files.chain(checks.map(|(accelerator, counts)| (library::GROUP, accelerator, counts))).collect()
    }
}

/// Runs the cases; true if some ran and all passed.
pub(crate) fn verify(args: &VerifyArgs, console: &mut Console) -> Result<bool, Trouble> {
    let targets = if args.target.is_empty() { Target::BUILT.to_vec() } else { args.target.clone() };
    let cases = suite::select(args.pattern.as_deref(), &targets);
    // Targets are what kernels run on; checks of the library are of accelerators.
    let checks = if args.target.is_empty() { library::select(args.pattern.as_deref()) } else { Vec::new() };
    if cases.is_empty() && checks.is_empty() {
        let pattern = args.pattern.as_deref().unwrap_or("**");
        return Err(Trouble::new(format!("no case matches `{pattern}`"), "`tilewise verify --list` shows all cases"));
    }
    if args.list {
        cases.iter().for_each(|case| console.line(format_args!("{} {}", case.target, case.name)));
        checks.iter().for_each(|case| console.line(format_args!("{} {}", case.accelerator, case.check.name)));
        return Ok(true);
    }
    let start = Instant::now();
    let (judged, checked) = without_panics(|| (all(&cases), checks.into_iter().map(library::Case::run).collect()));
    let time = start.elapsed();
    let done = Done { judged, checked, time };
    failures(&done.judged, console);
    failures_of_library(&done.checked, console);
    console.text(table::table(&done, console));
    let gpu = gpu::Gpu::of(&done.judged);
    gpu.iter().flat_map(gpu::Gpu::lines).for_each(|line| console.line(line));
    let total = done.total();
    console.line(summary(total, time, console));
    if let Some(file) = &args.json {
        source::write(file, &json::report(&done, gpu.as_ref())?)?;
    }
    let whole = args.pattern.is_none() && args.target.is_empty();
    let usual = (whole && !args.no_html).then(|| PathBuf::from(USUAL_PAGE));
    if let Some(file) = args.html.clone().or(usual) {
        match source::write(&file, &html::report(&done, gpu.as_ref())) {
            Ok(()) => console.line(format_args!("report: {}", file.display())),
            Err(trouble) if args.html.is_some() => return Err(trouble),
            // Nobody asked for the page by name, so a folder that cannot be written to is no failure of the suite.
            Err(trouble) => console.complain(&trouble),
        }
    }
    Ok(total.fail == 0 && total.pass > 0)
}

/// Does something in which a panic is judged as a failure, and its text is part of the verdict; the usual message would only tear the output.
fn without_panics<R>(work: impl FnOnce() -> R) -> R {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = work();
    std::panic::set_hook(usual);
    done
}

/// Judges all cases on all cores; the result has their order.
fn all(cases: &[Case]) -> Vec<Judged> {
    let bar = ProgressBar::with_draw_target(Some(cases.len() as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let judged: Mutex<Vec<(usize, Judged)>> = Mutex::new(Vec::with_capacity(cases.len()));
    std::thread::scope(|scope| {
        for _ in 0..host::threads().min(cases.len()) {
            scope.spawn(|| {
                while let Some((i, case)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    cases.get(i).map(|case| (i, case))
                } {
                    bar.set_message(case.name);
                    let done = case.run();
                    bar.inc(1);
                    judged.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((i, done));
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut judged = judged.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    judged.sort_by_key(|entry| entry.0);
    judged.into_iter().map(|entry| entry.1).collect()
}

/// Every case that is no pass, with its reason and the command that repeats it; those that were not run for one reason together.
fn failures(judged: &[Judged], console: &mut Console) {
    let mut not_run: BTreeMap<(Target, &str), Vec<&str>> = BTreeMap::new();
    for Judged { case, verdict, .. } in judged {
        let colour = match verdict {
            Verdict::Pass => continue,
            Verdict::Fail(_) => Paint::Red,
            Verdict::Unsupported(_) => Paint::Yellow,
            Verdict::NotRun(reason) => {
                not_run.entry((case.target, reason)).or_default().push(case.name);
                continue;
            }
        };
        let title = console.paint(&format!("{}:", verdict.name()), colour);
        console.line(format_args!("{title} {} on {}", case.name, case.target));
        for line in verdict.reason().unwrap_or_default().lines() {
            console.line(format_args!("  {line}"));
        }
        console.line(format_args!("  repeat: {}\n", case.command()));
    }
    for ((target, reason), names) in &not_run {
        let title = console.paint("not-run:", Paint::Yellow);
        let more = if names.len() > LISTED { format!(" and {} more", names.len() - LISTED) } else { String::new() };
        console.line(format_args!("{title} {} on {target}: {reason}", names.len()));
        console.line(format_args!("  {}{more}\n", names[..names.len().min(LISTED)].join(", ")));
    }
}

/// Every check of the library that is no pass, with its reason and the command that repeats it.
fn failures_of_library(checked: &[library::Judged], console: &mut Console) {
    for library::Judged { case, verdict, .. } in checked {
        let Some(reason) = verdict.reason() else { continue };
        let title = console.paint(&format!("{}:", verdict.name()), Paint::Red);
        console.line(format_args!("{title} {} on {}", case.check.name, case.accelerator));
        reason.lines().for_each(|line| console.line(format_args!("  {line}")));
        console.line(format_args!("  repeat: {}\n", case.command()));
    }
}

/// Names of cases that are listed for one reason.
const LISTED: usize = 8;

fn summary(total: Counts, time: Duration, console: &Console) -> String {
    let Counts { pass, fail, unsupported, not_run } = total;
    let word =
        if fail > 0 || pass == 0 { console.paint("FAILED", Paint::Red) } else { console.paint("passed", Paint::Green) };
    let why = if pass + fail == 0 { ", nothing was executed" } else { "" };
    format!(
        "{word}: {pass} pass, {fail} fail, {unsupported} unsupported, {not_run} not run, in {:.1} s{why}",
        time.as_secs_f64()
    )
}
