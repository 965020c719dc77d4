//! `tilewise fuzz`: runs random kernels on all targets, for a given time. Launches on GPUs are in processes of
//! their own (`launch_pool`).

mod launch_line;
mod launch_pool;
mod launch_worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use tilewise_conformance::fuzz::{self, Coverage, Endings, FuzzReport, KernelSize};
use tilewise_conformance::shell_word::shell_word;
use tilewise_conformance::stage::Share;
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::whole_file;

use crate::console::{CommandError, Console, Paint};
use crate::interrupt::end_on_interrupt;
use crate::report_file::ReportFile;
use crate::{each_once, target_parser};
use launch_pool::LaunchPool;
pub(crate) use launch_worker::work;

#[derive(Args, Debug)]
pub(crate) struct FuzzArgs {
    /// Time limit: a number with `s`, `m` or `h`; 60s by default. No kernel and no step of shrinking begins after it; a launch that still runs 20 s later is abandoned, named, and counts as a failure
    #[arg(long, value_name = "TIME", value_parser = time_parser)]
    time: Option<Duration>,
    /// Run until a failure is found, and end there; no time but that of `--time` ends it before. Ctrl-C ends it too, with the command that continues
    #[arg(long, conflicts_with_all = ["kernels", "print"])]
    until_failure: bool,
    /// So many kernels; it is no success if there is time for fewer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    pub(crate) kernels: Option<u64>,
    /// The first seed; the others follow it
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Targets to compare; all that run on this machine's CPU if left out
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target_parser())]
    target: Vec<SuiteTarget>,
    /// How large kernels are: of all sizes, or all small
    #[arg(long, value_name = "SIZE", default_value = "mixed", value_parser = size_parser())]
    pub(crate) size: KernelSize,
    /// Run each kernel on the first target and on one of the others only, which take turns
    #[arg(long)]
    alternate: bool,
    /// Launch each kernel once on each target: in one of its variants (threads, lanes), which take turns
    #[arg(long)]
    once: bool,
    /// Do not count the executed operations: more kernels in the same time
    #[arg(long)]
    no_coverage: bool,
    /// Kernels to run at the same time, 1 to 1024; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Time limit of a launch on a GPU, with the driver's compilation, in seconds: a kernel that takes longer counts as refused by the driver
    #[arg(long, value_name = "SECONDS", default_value_t = USUAL_LIMIT, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
    /// Launch on GPUs in this process too, as debuggers need it: a driver that crashes ends the run, and one that loses its device loses it for all kernels in flight
    #[arg(long, conflicts_with = "limit")]
    no_isolate: bool,
    /// Round trip: lower each kernel as for a GPU, to WGSL and to SPIR-V, import the shader, and compare its results with the kernel's, on the CPU
    #[cfg(all(feature = "gpu", feature = "import"))]
    #[arg(long, conflicts_with_all = ["target", "alternate", "once", "print", "json", "until_failure", "limit", "no_isolate", "no_coverage"])]
    round_trip: bool,
    /// Print the case of the first seed as a file test, as it is generated, and end
    #[arg(long, conflicts_with_all = ["json", "save"])]
    print: bool,
    /// Write each kernel to this folder while it runs, and leave those there with which something is wrong: the one that ends the program too
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Write a report for programs to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The time of a run whose command line states none.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// The seconds that a launch on a GPU may take if the command line states none.
const USUAL_LIMIT: u64 = 60;

impl FuzzArgs {
    /// After how long no further kernel begins.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.or((!self.until_failure).then_some(USUAL_TIME))
    }
}

/// The maximum time to shrink one failure.
pub(crate) const SHRINK_TIME: Duration = Duration::from_secs(60);

fn size_parser() -> impl TypedValueParser<Value = KernelSize> {
    // The previous parser accepts only names of sizes.
    PossibleValuesParser::new(KernelSize::ALL.map(KernelSize::name))
        .map(|name| KernelSize::by_name(&name).unwrap_or_default())
}

pub(crate) fn time_parser(word: &str) -> Result<Duration, String> {
    let help = || "write a number and its unit, as in 60s, 10m or 2h".to_owned();
    let unit = word.chars().last().ok_or_else(help)?;
    let number: u64 = word.strip_suffix(unit).and_then(|number| number.parse().ok()).ok_or_else(help)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return Err(help()),
    };
    if number == 0 {
        return Err("there is no time for a kernel: write at least 1s".to_owned());
    }
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

/// Runs random kernels; true if all passed.
pub(crate) fn fuzz(args: &FuzzArgs, console: &mut Console) -> Result<bool, CommandError> {
    if args.print {
        let case = fuzz::generate(args.seed, args.size.budget(args.seed));
        console.text(case.to_file(&format!("Seed {}", args.seed)));
        return Ok(true);
    }
    if let Some(folder) = &args.save {
        std::fs::create_dir_all(folder).map_err(|error| {
            CommandError::new(format!("the folder `{}` can not be made: {error}", folder.display()), "name another")
        })?;
        whole_file::probe_folder(folder).map_err(|error| {
            CommandError::new(format!("the folder `{}` takes no files: {error}", folder.display()), "name another")
        })?;
    }
    #[cfg(all(feature = "gpu", feature = "import"))]
    if args.round_trip {
        return crate::round_trip::round_trip(args, console);
    }
    let json_file = ReportFile::prepare_if_named("--json", args.json.as_ref())?;
    let usual = fuzz::FuzzOptions::default();
    let pool = match args.no_isolate {
        true => None,
        false => Some(launch_pool(args.limit)?),
    };
    let launcher = pool.clone().map_or_else(fuzz::KernelLauncher::default, |pool| {
        fuzz::KernelLauncher::new(move |target, launch, memory| pool.launch(target, launch, memory))
    });
    let options = fuzz::FuzzOptions {
        seed: args.seed,
        kernels: args.kernels.unwrap_or(u64::MAX),
        time: args.time(),
        targets: if args.target.is_empty() { usual.targets } else { each_once(&args.target) },
        size: args.size,
        alternate: args.alternate,
        once: args.once,
        save: args.save.clone(),
        coverage: !args.no_coverage,
        shrink_time: Some(SHRINK_TIME),
        jobs: args.jobs.map_or(usual.jobs, |jobs| jobs as usize),
        until_failure: args.until_failure,
        launcher,
        // Other runs have an end, and a signal leaves no report of them.
        interrupt: args.until_failure.then(|| end_on_interrupt("this run without a summary", console)),
        ..usual
    };
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {pos} kernels {msg}") {
        bar.set_style(style);
    }
    // A panic of a target is a failure with its own report; the usual message would only disturb
    // the output.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let report = fuzz::run(&options, &mut |report| {
        bar.set_position(report.kernels);
        if !report.failures.is_empty() {
            bar.set_message(format!("{} failures", report.failures.len()));
        }
        true
    });
    std::panic::set_hook(usual);
    if let Some(pool) = pool {
        pool.close();
    }
    bar.finish_and_clear();
    if args.target.is_empty() {
        for (target, reason) in SuiteTarget::CPU.into_iter().filter_map(|target| Some((target, target.missing()?))) {
            let title = console.paint("not run:", Paint::Yellow);
            console.line(format_args!("{title} all kernels on {target}: {reason}"));
        }
    }
    show(&report, args, &options, console);
    if let Some(file) = json_file {
        file.write(&json(&report, &options)?)?;
    }
    if let Some(why) = &report.unsaved {
        return Err(CommandError::new(format!("not all could be saved: {why}"), "name another folder, or make room"));
    }
    // If both a number of kernels and a time are given, too few kernels are a failure.
    Ok(report.passed() && !fell_short(&report, &options))
}

/// Processes for launches of at most so many seconds.
fn launch_pool(limit: u64) -> Result<Arc<LaunchPool>, CommandError> {
    let pool = LaunchPool::new(Duration::from_secs(limit));
    pool.map(Arc::new).map_err(|error| {
        let help = "`--no-isolate` launches in this process";
        CommandError::new(format!("this program does not know its own file: {error}"), help)
    })
}

/// The command that goes on where the run ended.
fn continued(args: &FuzzArgs, report: &FuzzReport, options: &fuzz::FuzzOptions) -> String {
    let targets: Vec<&str> = options.targets.iter().map(|target| target.name()).collect();
    let mut words = format!("continue: tilewise fuzz --seed {}", report.next_seed);
    words += &continued_options(args, report.kernels);
    let mut add = |is: bool, word: &str| {
        if is {
            words += " ";
            words += word;
        }
    };
    add(!args.target.is_empty(), &format!("--target {}", targets.join(",")));
    add(args.alternate, "--alternate");
    add(args.once, "--once");
    add(args.no_coverage, "--no-coverage");
    add(args.no_isolate, "--no-isolate");
    add(args.limit != USUAL_LIMIT, &format!("--limit {}", args.limit));
    words
}

/// The options that every run which goes on has from the one before, of which so many kernels are done. (The file of
/// `--json` has the report of that one.)
pub(crate) fn continued_options(args: &FuzzArgs, done: u64) -> String {
    let mut words = String::new();
    let mut add = |is: bool, word: &str| {
        if is {
            words += " ";
            words += word;
        }
    };
    add(args.until_failure, "--until-failure");
    if let Some(kernels) = args.kernels {
        // As many as are left, or as many again.
        let left = kernels.saturating_sub(done);
        add(true, &format!("--kernels {}", if left == 0 { kernels } else { left }));
    }
    if let Some(time) = args.time {
        add(true, &format!("--time {}s", time.as_secs()));
    }
    add(args.size != KernelSize::Mixed, &format!("--size {}", args.size.name()));
    if let Some(jobs) = args.jobs {
        add(true, &format!("--jobs {jobs}"));
    }
    if let Some(folder) = &args.save {
        add(true, &format!("--save {}", shell_word(&folder.to_string_lossy())));
    }
    words
}

/// Did fewer kernels run than the command line requires?
fn fell_short(report: &FuzzReport, options: &fuzz::FuzzOptions) -> bool {
    options.kernels != u64::MAX && report.kernels < options.kernels
}

fn show(report: &FuzzReport, args: &FuzzArgs, options: &fuzz::FuzzOptions, console: &mut Console) {
    for failure in &report.failures {
        let title = console.paint(&format!("{}:", failure.fault.name()), Paint::Red);
        console.line(format_args!("{title} seed {}: {}", failure.seed, failure.detail.trim_end()));
        console.text(&failure.file);
        console.line(format_args!("{}\n", repeat(failure.seed, args, options)));
    }
    for refused in &report.refused {
        let title = console.paint("refused by the driver:", Paint::Red);
        console.line(format_args!(
            "{title} seed {} on {}: {}",
            refused.seed,
            refused.target,
            refused.detail.trim_end()
        ));
        console.line(repeat(refused.seed, args, options));
    }
    for (target, count) in report.refusals() {
        let title = console.paint("refused by the driver:", Paint::Red);
        console.line(format_args!("{title} {count} kernels on {target}"));
    }
    for &seed in &report.unfinished {
        let title = console.paint("unfinished:", Paint::Red);
        let late = options.slack.as_secs();
        console.line(format_args!("{title} seed {seed} still ran {late} s after the end of the time"));
        console.line(repeat(seed, args, options));
    }
    if let Some(coverage) = &report.coverage {
        console.line(console.paint("executed at least once", Paint::Bold));
        console.text(coverage);
    }
    for ((target, reason), count) in &report.not_run {
        let title = console.paint("not run:", Paint::Yellow);
        console.line(format_args!("{title} {count} kernels on {target}: {reason}"));
    }
    if report.kernels == 0 {
        let title = console.paint("nothing run:", Paint::Red);
        console.line(format_args!("{title} `--kernels` asks for none, or `--time` was over before the first"));
    }
    for target in report.idle_targets() {
        let title = console.paint("nothing run:", Paint::Red);
        console.line(format_args!(
            "{title} {target} took no kernel whose result could be compared; leave it out of `--target`, make it available, or name another beside it"
        ));
    }
    for (reason, count) in &report.scalar {
        let title = console.paint("not in lanes:", Paint::Yellow);
        console.line(format_args!("{title} {count} kernels: {reason}"));
    }
    let Share { lanes, parts } = report.share;
    if parts > 0 {
        console.line(format_args!("in lanes: {lanes} of {parts} kernels and loops, {:.1}%", report.share.percent()));
    }
    let Endings { completed, failed, diverged } = report.endings;
    console.line(format_args!(
        "ended: {completed} completed, {failed} by error or abort, {diverged} diverged at a barrier; {} instructions in the kernels, {} executed",
        report.instructions, report.executed
    ));
    if options.is_interrupted() {
        let title = console.paint("interrupted:", Paint::Yellow);
        console.line(format_args!("{title} after {} kernels", report.kernels));
    } else if fell_short(report, options) {
        let title = console.paint("out of time:", Paint::Red);
        console.line(format_args!("{title} {} of {} kernels were run", report.kernels, options.kernels));
    }
    let passed = report.passed() && !fell_short(report, options);
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    console.line(format_args!("{word}: {}", closing(report, args, options)));
}

/// What was tried, found and not run, in what time, and the command that repeats the first seed with which something is
/// wrong, or else the one that goes on.
fn closing(report: &FuzzReport, args: &FuzzArgs, options: &fuzz::FuzzOptions) -> String {
    let seeds = seeds_of(options.seed, report.next_seed);
    let targets: Vec<&str> = options.targets.iter().map(|target| target.name()).collect();
    let not_run: u64 = report.not_run.values().sum();
    let wrong = report.failures.iter().map(|failure| failure.seed);
    let wrong = wrong.chain(report.refused.iter().map(|refused| refused.seed)).chain(report.unfinished.iter().copied());
    let command = match wrong.min() {
        Some(seed) => repeat(seed, args, options),
        None => continued(args, report, options),
    };
    format!(
        "{}{seeds} on {}, {}: {}, {} refused by drivers, {} unfinished, {not_run} not run, in {:.1} s; {command}",
        counted(report.kernels, "kernel", "s"),
        targets.join(", "),
        counted(report.launches, "launch", "es"),
        counted(report.failures.len() as u64, "failure", "s"),
        report.refused.len(),
        report.unfinished.len(),
        report.time.as_secs_f64()
    )
}

/// A number of things, with the end that several have.
fn counted(count: u64, noun: &str, several: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { several })
}

/// The seeds of a run, from the first up to the one that was not begun.
pub(crate) fn seeds_of(first: u64, next: u64) -> String {
    match next.wrapping_sub(first) {
        0 => String::new(),
        1 => format!(" (seed {first})"),
        _ => format!(" (seeds {first} to {})", next.wrapping_sub(1)),
    }
}

/// The command that runs one seed again.
fn repeat(seed: u64, args: &FuzzArgs, options: &fuzz::FuzzOptions) -> String {
    let targets: Vec<&str> = options.targets_of(seed).iter().map(|target| target.name()).collect();
    let size = match options.size {
        KernelSize::Mixed => String::new(),
        other => format!(" --size {}", other.name()),
    };
    // These decide what becomes of a driver that takes long, or ends its process.
    let launches = match (args.no_isolate, args.limit) {
        (true, _) => " --no-isolate".to_owned(),
        (false, USUAL_LIMIT) => String::new(),
        (false, limit) => format!(" --limit {limit}"),
    };
    format!("repeat: tilewise fuzz --seed {seed} --kernels 1{size} --target {}{launches}", targets.join(","))
}

/// The report for programs.
#[derive(Serialize)]
struct FuzzJson<'a> {
    schema: u32,
    seed: u64,
    size: &'static str,
    alternate: bool,
    once: bool,
    targets: Vec<&'static str>,
    kernels: u64,
    instructions: u64,
    launches: u64,
    executed: u64,
    completed: u64,
    failed: u64,
    diverged: u64,
    /// Kernels and loops that are vector code, and the number of all.
    in_lanes: u32,
    parts: u32,
    seconds: f64,
    not_run: Vec<NotRun<'a>>,
    /// Kernels that drivers failed to accept.
    refused: Vec<RefusedJson<'a>>,
    /// Seeds of kernels that had not finished when the time was over.
    unfinished: &'a [u64],
    failures: Vec<FailureJson<'a>>,
    coverage: Vec<Count<'a>>,
}

#[derive(Serialize)]
struct FailureJson<'a> {
    seed: u64,
    fault: &'static str,
    detail: &'a str,
    file: &'a str,
}

#[derive(Serialize)]
struct RefusedJson<'a> {
    seed: u64,
    target: &'static str,
    detail: &'a str,
    file: &'a str,
}

#[derive(Serialize)]
struct NotRun<'a> {
    target: &'static str,
    reason: &'a str,
    kernels: u64,
}

#[derive(Serialize)]
struct Count<'a> {
    subject: &'static str,
    key: &'a str,
    count: u64,
}

fn json(report: &FuzzReport, options: &fuzz::FuzzOptions) -> Result<String, CommandError> {
    let counts = |coverage: &'_ Coverage| -> Vec<(&'static str, String, u64)> {
        coverage.counts().map(|(subject, key, count)| (subject.name(), key.to_owned(), count)).collect()
    };
    let counts = report.coverage.as_ref().map(counts).unwrap_or_default();
    let report = FuzzJson {
        schema: 3,
        seed: options.seed,
        size: options.size.name(),
        alternate: options.alternate,
        once: options.once,
        targets: options.targets.iter().map(|target| target.name()).collect(),
        kernels: report.kernels,
        instructions: report.instructions,
        launches: report.launches,
        executed: report.executed,
        completed: report.endings.completed,
        failed: report.endings.failed,
        diverged: report.endings.diverged,
        in_lanes: report.share.lanes,
        parts: report.share.parts,
        seconds: report.time.as_secs_f64(),
        not_run: report
            .not_run
            .iter()
            .map(|((target, reason), &kernels)| NotRun { target: target.name(), reason, kernels })
            .collect(),
        refused: report
            .refused
            .iter()
            .map(|refused| RefusedJson {
                seed: refused.seed,
                target: refused.target.name(),
                detail: &refused.detail,
                file: &refused.file,
            })
            .collect(),
        unfinished: &report.unfinished,
        failures: report
            .failures
            .iter()
            .map(|failure| FailureJson {
                seed: failure.seed,
                fault: failure.fault.name(),
                detail: &failure.detail,
                file: &failure.file,
            })
            .collect(),
        coverage: counts.iter().map(|(subject, key, count)| Count { subject, key, count: *count }).collect(),
    };
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n")
        .map_err(|error| CommandError::new(format!("the report can not be written: {error}"), "this is a bug"))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct TestLine {
        #[command(flatten)]
        args: FuzzArgs,
    }

    /// The lines that repeat a seed and that continue a run.
    fn lines(words: &[&str]) -> [String; 2] {
        let args = TestLine::try_parse_from([&["fuzz"], words].concat()).unwrap().args;
        let targets = vec![SuiteTarget::Reference, SuiteTarget::GpuStrict];
        let options = fuzz::FuzzOptions { targets, ..fuzz::FuzzOptions::default() };
        let report = FuzzReport { next_seed: 9, ..FuzzReport::default() };
        [repeat(7, &args, &options), continued(&args, &report, &options)]
    }

    fn closed(words: &[&str], report: &FuzzReport) -> String {
        let args = TestLine::try_parse_from([&["fuzz"], words].concat()).unwrap().args;
        let targets = vec![SuiteTarget::Reference, SuiteTarget::Jit];
        let options = fuzz::FuzzOptions { targets, seed: args.seed, ..fuzz::FuzzOptions::default() };
        closing(report, &args, &options)
    }

    #[test]
    fn the_last_line_says_what_was_tried_found_and_not_run_and_how_to_go_on_or_repeat() {
        let mut report = FuzzReport { kernels: 20, launches: 60, next_seed: 25, ..FuzzReport::default() };
        report.time = Duration::from_millis(1250);
        report.not_run.insert((SuiteTarget::Jit, "no room".to_owned()), 3);
        assert_eq!(
            closed(&["--seed", "5", "--kernels", "20", "--time", "2m"], &report),
            "20 kernels (seeds 5 to 24) on reference, jit, 60 launches: 0 failures, 0 refused by drivers, 0 unfinished, \
             3 not run, in 1.2 s; continue: tilewise fuzz --seed 25 --kernels 20 --time 120s"
        );
        // Fewer than were asked for: the rest.
        let line = closed(&["--seed", "5", "--kernels", "30"], &report);
        assert!(line.ends_with("; continue: tilewise fuzz --seed 25 --kernels 10"), "{line}");
        for (seed, fault) in [(9, fuzz::FuzzFault::Mismatch), (7, fuzz::FuzzFault::Panic)] {
            report.failures.push(fuzz::FuzzFailure { seed, fault, detail: String::new(), file: String::new() });
        }
        report.unfinished.push(24);
        let line = closed(&["--seed", "5"], &report);
        let end = "2 failures, 0 refused by drivers, 1 unfinished, 3 not run, in 1.2 s; ";
        assert!(line.contains(end), "{line}");
        assert!(line.ends_with("; repeat: tilewise fuzz --seed 7 --kernels 1 --target reference,jit"), "{line}");
        let one = FuzzReport { kernels: 1, next_seed: 8, ..FuzzReport::default() };
        assert!(closed(&["--seed", "7"], &one).starts_with("1 kernel (seed 7) on "));
        assert!(closed(&["--seed", "7"], &FuzzReport { next_seed: 7, ..one }).starts_with("1 kernel on "));
    }

    #[test]
    fn commands_that_repeat_and_continue_have_what_decides_of_launches() {
        let [again, on] = lines(&["--until-failure", "--limit", "5", "--save", "a folder", "--jobs", "3"]);
        assert_eq!(again, "repeat: tilewise fuzz --seed 7 --kernels 1 --target reference,gpu-strict --limit 5");
        assert_eq!(on, "continue: tilewise fuzz --seed 9 --until-failure --jobs 3 --save 'a folder' --limit 5");
        let [again, on] = lines(&["--no-isolate"]);
        assert!(again.ends_with("--target reference,gpu-strict --no-isolate"), "{again}");
        assert_eq!(on, "continue: tilewise fuzz --seed 9 --no-isolate");
    }
}
