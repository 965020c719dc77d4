//! `tilewise accuracy`: measures the errors of the math functions on a target, or compares their bits
//! with the reference's.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};
use tilewise_conformance::accuracy::{
    AccuracyFunction, AccuracyLevel, AccuracyRun, FunctionRunner, MeasuredErrors, differing_rows, functions,
    library_functions, page, speed,
};
use tilewise_conformance::input_file;
use tilewise_conformance::target::SuiteTarget;

use crate::console::{CommandError, Console};
use crate::device_accuracy::DeviceArgs;
use crate::report_file::ReportFile;
use crate::state_file::StateFile;
use crate::target_parser;

#[derive(Args, Debug)]
pub(crate) struct AccuracyArgs {
    /// Functions to measure, by a part of their path, such as `precise_math` or `::sinf`, or with `--device` of their name; all if left out
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    function: Vec<String>,
    /// What runs them
    #[arg(long, value_name = "TARGET", default_value = "jit", value_parser = target_parser())]
    target: SuiteTarget,
    /// Try some ten thousand arguments of each function, not all of `f32`, 10^9 pairs and 10^8 of `f64`, unless the state has all of a function already
    #[arg(long)]
    quick: bool,
    /// Compare the bits of every function of the libraries with the reference's, and measure nothing
    #[arg(long, conflicts_with_all = ["quick", "threads", "state", "page"])]
    bits: bool,
    /// Threads that measure at once; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Keep the progress in this file, and continue from it; one run at a time uses the file
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write the page of results to this file, such as docs/accuracy.md or docs/device-accuracy.md
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// What was measured of a function, in the file of the state.
#[derive(Serialize, Deserialize, Clone)]
struct KeptRun {
    function: String,
    target: String,
    /// Its name and driver; what one measured says nothing of another.
    #[serde(default)]
    gpu: Option<String>,
    quick: bool,
    next: u64,
    tried: u64,
    wrong: u64,
    beyond: u64,
    undecided: u64,
    /// The bits of the largest error, which may be infinite.
    largest: u64,
    witness: [u64; 2],
}

impl KeptRun {
    fn new(function: &AccuracyFunction, args: &AccuracyArgs, run: &AccuracyRun) -> KeptRun {
        let errors = run.errors();
        KeptRun {
            function: function.path.to_owned(),
            target: args.target.name().to_owned(),
            gpu: args.target.gpu(),
            quick: args.quick,
            next: run.done(),
            tried: errors.tried,
            wrong: errors.wrong,
            beyond: errors.beyond,
            undecided: errors.undecided,
            largest: errors.largest.to_bits(),
            witness: errors.witness,
        }
    }

    fn errors(&self) -> MeasuredErrors {
        MeasuredErrors {
            tried: self.tried,
            wrong: self.wrong,
            beyond: self.beyond,
            undecided: self.undecided,
            largest: f64::from_bits(self.largest),
            witness: self.witness,
        }
    }

    /// Is it of this function on what the command line names?
    fn is_on(&self, function: &AccuracyFunction, args: &AccuracyArgs) -> bool {
        self.function == function.path && self.target == args.target.name() && self.gpu == args.target.gpu()
    }

    /// Is it the whole of a function's full run?
    fn is_whole(&self, function: &AccuracyFunction, args: &AccuracyArgs, all: u64) -> bool {
        self.is_on(function, args) && !self.quick && self.next >= all
    }

    fn is_of(&self, function: &AccuracyFunction, args: &AccuracyArgs) -> bool {
        self.is_on(function, args) && self.quick == args.quick
    }
}

/// Measures functions; true if each keeps its limit.
pub(crate) fn accuracy(args: &AccuracyArgs, console: &mut Console) -> Result<bool, CommandError> {
    // What runs for hours has to have a place for its page.
    let page_file = ReportFile::prepare_if_named("--page", args.page.as_ref())?;
    if let (Some(page), Some(state)) = (&page_file, &args.state) {
        page.spares(state)?;
    }
    if let Some(option) = args.device.left_alone() {
        let message = format!("`{option}` is about a measurement of devices, and none is asked for");
        return Err(CommandError::new(message, "write `--device`, or `--page FILE` for the results of functions"));
    }
    if args.device.is_asked() {
        return args.device.run(&args.function, page_file, console);
    }
    if let Some(reason) = args.target.missing() {
        return Err(CommandError::new(
            format!("`{}` is not here: {reason}", args.target.name()),
            "name another target",
        ));
    }
    if args.bits {
        return bits(args, console);
    }
    let chosen = chosen(args)?;
    let state = args.state.as_deref().map(StateFile::take).transpose()?;
    let mut kept = args.state.as_deref().map(read).transpose()?.unwrap_or_default();
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg:24} {bar:30} {percent:>3}% {eta} left") {
        bar.set_style(style);
    }
    let mut rows = Vec::new();
    let mut all_within = true;
    for function in chosen {
        let (errors, ns) = one(function, args, (state.as_ref(), &mut kept), &bar)?;
        let verdict = if errors.beyond == 0 { "ok" } else { "BEYOND ITS LIMIT" };
        all_within &= errors.beyond == 0;
        let MeasuredErrors { tried, wrong, undecided, largest, witness, .. } = errors;
        let unsure = if undecided > 0 { format!(", {undecided} undecided") } else { String::new() };
        bar.suspend(|| {
            console.line(format_args!(
                "{:24} {verdict}: {wrong} of {tried} not the nearest{unsure}, largest error {largest:.3} at {witness:x?}, \
                 {ns:.2} ns",
                function.path
            ));
        });
        rows.push((function, errors, ns));
    }
    bar.finish_and_clear();
    if let Some(file) = page_file {
        file.write(page(args.target, &rows))?;
    }
    Ok(all_within)
}

/// Compares functions bit for bit; true if none differs.
fn bits(args: &AccuracyArgs, console: &mut Console) -> Result<bool, CommandError> {
    if args.target.is_relaxed() {
        return Err(CommandError::new(
            format!("`{}` may reorder float operations, so its bits are its own", args.target.name()),
            "name a strict target, such as `gpu-strict`",
        ));
    }
    let chosen = named(&args.function, library_functions(), |&path| path, |path, word| path.contains(word), FUNCTION)?;
    let (count, mut different) = (chosen.len(), 0);
    for path in chosen {
        let (rows, first) = differing_rows(path, args.target).map_err(|why| {
            let message = format!("`{path}` does not run on `{}`: {why}", args.target.name());
            CommandError::new(message, "name another target")
        })?;
        if let Some(first) = first {
            different += 1;
            console.line(format_args!("{path:32} DIFFERS in {rows} rows: {first}"));
        }
    }
    let target = args.target.name();
    console.line(format_args!("{} of {count} functions have the bits of the reference on {target}", count - different));
    Ok(different == 0)
}

/// What errors call a function of our libraries.
const FUNCTION: &str = "function";

/// The functions that the command line names.
fn chosen(args: &AccuracyArgs) -> Result<Vec<AccuracyFunction>, CommandError> {
    named(&args.function, functions(), |function| function.path, |path, word| path.contains(word), FUNCTION)
}

/// Those of `all` whose name fits a word of the command line; all without words.
pub(crate) fn named<T, N: AsRef<str>>(
    words: &[String],
    all: Vec<T>,
    name: fn(&T) -> N,
    fits: impl Fn(&str, &str) -> bool,
    what: &str,
) -> Result<Vec<T>, CommandError> {
    if let Some(word) = words.iter().find(|word| !all.iter().any(|one| fits(name(one).as_ref(), word))) {
        let known: Vec<String> = all.iter().map(|one| name(one).as_ref().to_owned()).collect();
        let message = format!("no {what} that is measured has `{word}` in its name");
        return Err(CommandError::new(message, format!("there are {}", known.join(", "))));
    }
    let wanted = |one: &T| words.is_empty() || words.iter().any(|word| fits(name(one).as_ref(), word));
    Ok(all.into_iter().filter(wanted).collect())
}

/// Measures one function, from where the state has it.
fn one(
    function: AccuracyFunction,
    args: &AccuracyArgs,
    (state, kept): (Option<&StateFile>, &mut Vec<KeptRun>),
    bar: &ProgressBar,
) -> Result<(MeasuredErrors, f64), CommandError> {
    let refused = |why: String| {
        CommandError::new(
            format!("`{}` does not run on `{}`: {why}", function.path, args.target.name()),
            "name another target",
        )
    };
    let runner = FunctionRunner::new(function, args.target).map_err(refused)?;
    let level = if args.quick { AccuracyLevel::Quick } else { AccuracyLevel::Full };
    let mut run = AccuracyRun::new(function, level);
    let all = AccuracyRun::new(function, AccuracyLevel::Full).len();
    if let Some(whole) = kept.iter().find(|kept| kept.is_whole(&function, args, all)) {
        return Ok((whole.errors(), speed(&runner, level).map_err(refused)?));
    }
    let at = kept.iter().position(|kept| kept.is_of(&function, args)).unwrap_or_else(|| {
        kept.push(KeptRun::new(&function, args, &run));
        kept.len() - 1
    });
    run = run.continued(kept[at].next, kept[at].errors());
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    bar.set_length(run.len());
    bar.set_message(function.path);
    bar.reset_eta();
    let mut steps = 0_u32;
    while !run.is_complete() {
        run.step(&runner, threads).map_err(refused)?;
        bar.set_position(run.done());
        kept[at] = KeptRun::new(&function, args, &run);
        steps += 1;
        if let Some(state) = state.filter(|_| run.is_complete() || steps.is_multiple_of(64)) {
            state.keep(&serde_json::to_string_pretty(&*kept).unwrap_or_default())?;
        }
    }
    let ns = speed(&runner, level).map_err(refused)?;
    Ok((*run.errors(), ns))
}

/// The state in a file; nothing if there is none.
fn read(path: &Path) -> Result<Vec<KeptRun>, CommandError> {
    let text = match input_file::text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let message = format!("the state `{}` cannot be read: {error}", path.display());
            return Err(CommandError::new(message, "name another file"));
        }
    };
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("`{}` is no state of `tilewise accuracy`: {error}", path.display());
        CommandError::new(message, "name another file, or remove this one to begin anew")
    })
}
