//! `tilewise run`: runs the kernel of a file and shows its results.

use tilewise::interp::Checks;
use tilewise::ir::check::Checked;
use tilewise::ir::diag::{Diagnostic, render};
use tilewise::ir::kernel::Kernel;
use tilewise::ir::launch::{CheckReport, Ending, LaunchMemory, Outcome};
use tilewise::ir::pos::{Pos, Sources};
use tilewise_conformance::kir::bind::{BoundRun, NamedData};
use tilewise_conformance::kir::header::HeaderRun;
use tilewise_conformance::kir::{FilePlace, case, data, header};
use tilewise_conformance::target::{LaunchVariant, SuiteTarget, TargetLaunch, UserFallback};

use crate::RunArgs;
use crate::console::{CommandError, Console, Paint};
use crate::excerpt::HeaderExcerpt;
use crate::launch_inputs::LaunchInputs;
use crate::shader::{KernelFile, NOTHING_RUNS};

/// The number of scalars of one parameter that are shown by default.
const SHOWN: usize = 256;

/// Runs a file; true if every run completed.
pub(crate) fn run(args: &RunArgs, console: &mut Console) -> Result<bool, CommandError> {
    fits(args)?;
    #[cfg(feature = "import")]
    if crate::amber::is_script(&args.file.to_string_lossy()) {
        return crate::amber::run(args, console);
    }
    if let (Some(option), true) = (args.results.tolerance.first_given(), args.results.is_empty()) {
        let message = format!("`{option}` says how far results may be from those of `--expect`, and there is none");
        return Err(CommandError::new(message, "add `--expect out=right.npy`, or leave it out"));
    }
    let read = args.shader.read(&args.file)?;
    let (name, file) = (&read.name, &read.file);
    let Some(kernel) = read.kernel(console)? else { return Ok(false) };
    let mut runs = file.header.runs.clone();
    if let Some(wanted) = &args.run {
        runs.retain(|run| run.name.as_ref() == Some(wanted));
        if runs.is_empty() {
            let names: Vec<&str> = file.header.runs.iter().filter_map(|run| run.name.as_deref()).collect();
            let help = if names.is_empty() {
                "the file has one run without a name".to_owned()
            } else {
                format!("its runs are: {}", names.join(", "))
            };
            return Err(CommandError::new(format!("`{name}` has no run called `{wanted}`"), help));
        }
    } else if runs.is_empty() {
        runs.push(HeaderRun::default());
    }
    let several = runs.len() > 1;
    if several && !args.save.is_empty() {
        // Each run would replace what the one before has saved.
        let names: Vec<&str> = runs.iter().filter_map(|run| run.name.as_deref()).collect();
        let message = format!("`--save` keeps the results of one run, and `{name}` has {}", runs.len());
        return Err(CommandError::new(message, format!("name one by `--run`: {}", names.join(", "))));
    }
    let inputs = args.inputs.read(&read, kernel)?;
    let mut all_well = true;
    for run in &mut runs {
        args.inputs.set(&inputs, &read, kernel, run)?;
        run.fuel = args.fuel.or(run.fuel);
        if let (true, Some(run_name)) = (several, &run.name) {
            let title = console.paint(&format!("run {run_name}"), Paint::Bold);
            console.line(title);
        }
        all_well &= one(&read, kernel, run, (args, &inputs), console)?;
    }
    Ok(all_well)
}

/// Does the target support the options?
fn fits(args: &RunArgs) -> Result<(), CommandError> {
    let target = args.target;
    let has = match (args.order, target) {
        (LaunchVariant::Linear, _) | (LaunchVariant::Shuffled(_), SuiteTarget::Reference) => true,
        (LaunchVariant::Threads(_), target) if target.is_jit() => true,
        // Only wide code has more lanes than 16.
        (LaunchVariant::Lanes(lanes), SuiteTarget::Lanes8 | SuiteTarget::Lanes16 | SuiteTarget::JitClif) => lanes <= 16,
        (LaunchVariant::Lanes(_), SuiteTarget::Jit | SuiteTarget::JitAvx2 | SuiteTarget::JitAvx512) => true,
        (LaunchVariant::Shuffled(_) | LaunchVariant::Threads(_) | LaunchVariant::Lanes(_), _) => false,
    };
    if !has {
        let help = "`reference` has `linear` and `shuffled:SEED`, `jit` has `linear`, `threads:N` and `lanes:N`, lane programs `linear` and `lanes:N`; 32 and 64 lanes are wide code";
        return Err(CommandError::new(format!("`{target}` has no order `{}`", args.order), help));
    }
    if !target.checks() && (args.checks.is_some() || args.stop_at_first) {
        return Err(CommandError::new(
            format!("`{target}` looks for nothing while it runs a kernel"),
            "leave `--checks` and `--stop-at-first` out, or `--target`: `reference` checks",
        ));
    }
    if !target.counts() && args.fuel.is_some() {
        return Err(CommandError::new(
            format!("`{target}` does not count instructions"),
            "leave `--fuel` out; what takes longer than a minute is ended",
        ));
    }
    Ok(())
}

/// The value of `TILEWISE_FALLBACK`, the same variable as for programs that use the library.
pub(crate) fn fallback(console: &mut Console) -> UserFallback {
    UserFallback::of_environment().unwrap_or_else(|unknown| {
        console.note(unknown);
        UserFallback::default()
    })
}

fn one(
    read: &KernelFile,
    kernel: &Checked<Kernel>,
    run: &HeaderRun,
    (args, inputs): (&RunArgs, &LaunchInputs),
    console: &mut Console,
) -> Result<bool, CommandError> {
    let (domain, bound) = inputs.prepare(read, kernel, run)?;
    let saved = args.save.targets(read, &bound)?;
    let expected = args.results.expected(read, &bound)?;
    let mut checks = checks_of(args)?;
    // WGSL says that workgroup memory is zero at first: a read before a write is no mistake there.
    checks.unwritten_tile_memory &= !read.is_shader || args.checks.is_some();
    let launch = TargetLaunch { way: args.order, checks, ..case::launch_of(kernel, run, &domain, &bound) };
    let mut after = bound.memory.clone();
    let fallback = fallback(console);
    let launched = match read.is_idle(run) {
        true => {
            console.line(NOTHING_RUNS);
            let idle = Outcome {
                ending: Ending::Completed,
                printed: Vec::new(),
                lost: 0,
                instructions: 0,
                reports: Vec::new(),
                more_reports: 0,
            };
            Ok((idle, None))
        }
        false => args.target.launch_for_users(&launch, &mut after, fallback),
    };
    let (outcome, slower) = match launched {
        Ok(launched) => launched,
        Err(refusal) => {
            let title = console.paint("refused:", Paint::Red);
            match inputs.refusal_of_header(kernel, run, (&domain, &bound)) {
                Some(complaint) => {
                    console.line(format_args!("{title} {}", complaint.message));
                    let excerpt = HeaderExcerpt::new(&read.name, &read.text, complaint.at);
                    console.text(excerpt.render(Some(&complaint.help)));
                }
                None => console.line(format_args!("{title} {refusal}")),
            }
            return Ok(false);
        }
    };
    if let Some(slower) = slower {
        console.note(slower);
    }
    for printed in &outcome.printed {
        console.line(format_args!("thread {}: {}", printed.thread, printed.text));
    }
    if outcome.lost > 0 {
        console.line(format_args!("({} bytes of output beyond the limit are lost)", outcome.lost));
    }
    memory(&bound, &after, args.print_memory, console);
    reports(&outcome, kernel.sources(), console);
    ending(&outcome, args, kernel.sources(), console);
    saved.into_iter().try_for_each(|saved| saved.write(&after))?;
    let differences =
        expected.iter().filter_map(|expected| expected.difference(&after, args.results.tolerance.tolerance()));
    let differences: Vec<String> = differences.collect();
    for difference in &differences {
        let title = console.paint("wrong:", Paint::Red);
        console.line(format_args!("{title} {difference}"));
    }
    let is_clean = outcome.reports.is_empty() && outcome.more_reports == 0;
    Ok(outcome.ending == Ending::Completed && is_clean && differences.is_empty())
}

fn memory(bound: &BoundRun, after: &LaunchMemory, all: bool, console: &mut Console) {
    for object in bound.objects.iter().filter(|object| all || object.writable) {
        let bits = object.contents(after);
        let types = object.types();
        let shown = if all { bits.len() } else { bits.len().min(SHOWN * object.per_element.max(1)) };
        let row = object.extent.as_ref().filter(|extent| extent.len() > 1).and_then(|extent| extent.last());
        let title = console.paint(&format!("{}{}", object.own_name, extent(object)), Paint::Bold);
        match row {
            Some(&row) if row > 0 => {
                console.line(format_args!("{title} ="));
                let scalars = row as usize * object.per_element.max(1);
                for (bits, types) in bits[..shown].chunks(scalars).zip(types[..shown].chunks(scalars)) {
                    console.line(format_args!("  {}", data::list(bits, types, object.per_element).join(" ")));
                }
            }
            _ => console.line(format_args!(
                "{title} = {}",
                data::list(&bits[..shown], &types[..shown], object.per_element).join(" ")
            )),
        }
        if shown < bits.len() {
            console.line(format_args!("  and {} scalars more; --print-memory shows all", bits.len() - shown));
        }
    }
}

fn extent(object: &NamedData) -> String {
    object.extent.as_ref().map_or(String::new(), |extent| {
        let sizes: Vec<String> = extent.iter().map(ToString::to_string).collect();
        format!(" [{}]", sizes.join(", "))
    })
}

/// The checks of the command line; by default all.
pub(crate) fn checks_of(args: &RunArgs) -> Result<Checks, CommandError> {
    let mut checks = match &args.checks {
        Some(words) => {
            let words: Vec<_> = words.split(',').map(|word| (FilePlace::default(), word.trim().to_owned())).collect();
            header::checks(&words).map_err(|complaint| CommandError::new(complaint.message, complaint.help))?
        }
        None if args.no_checks || !args.target.checks() => Checks::default(),
        None => Checks::all(),
    };
    checks.stop_at_first |= args.stop_at_first;
    Ok(checks)
}

fn reports(outcome: &Outcome, sources: &Sources, console: &mut Console) {
    let colour = console.colour();
    let list: Vec<Diagnostic> = outcome.reports.iter().map(CheckReport::diagnostic).collect();
    if !list.is_empty() {
        console.text(render(&list, sources, colour));
    }
    if outcome.more_reports > 0 {
        console.line(format_args!("({} findings beyond the limit on reports)", outcome.more_reports));
    }
}

fn ending(outcome: &Outcome, args: &RunArgs, sources: &Sources, console: &mut Console) {
    let error = console.paint("error:", Paint::Red);
    match &outcome.ending {
        Ending::Completed => {
            let title = console.paint("completed", Paint::Green);
            console.line(title);
        }
        Ending::Failed { thread, message, pos, others } => {
            console.line(format_args!("{error} {}", message.as_deref().unwrap_or("abort")));
            place(*pos, sources, console);
            let others = match others {
                0 => String::new(),
                1 => ", and 1 thread more ended so".to_owned(),
                n => format!(", and {n} threads more ended so"),
            };
            console.line(format_args!("  = thread {thread}{others}"));
        }
        Ending::BarrierDivergence(divergence) => {
            let colour = console.colour();
            console.text(render(&[divergence.diagnostic()], sources, colour));
        }
        Ending::Stopped => console.line(format_args!("{error} stopped at the first report")),
        Ending::Interrupted => console.line(format_args!("{error} interrupted")),
        Ending::OutOfMemory { bytes } => {
            console.line(format_args!("{error} the target has no memory left for its own work: {bytes} bytes"));
        }
        Ending::OutOfFuel { fuel } => {
            let counts = args.target.counts();
            let after = match (counts, fuel) {
                (true, 1) => "1 instruction".to_owned(),
                (true, fuel) => format!("{fuel} instructions"),
                (false, _) => "a minute".to_owned(),
            };
            console.line(format_args!("{error} stopped after {after}"));
            if counts {
                console.line("  = help: `--fuel N` sets another limit");
            }
        }
    }
}

/// Shows a place with its line, as reports do.
fn place(pos: Pos, sources: &Sources, console: &mut Console) {
    let Some(shown) = sources.show(pos) else { return };
    console.line(format_args!("  --> {shown}"));
    let text = sources.list.get(pos.source as usize).and_then(|source| source.text.as_ref());
    let line = text.and_then(|text| text.lines().nth(pos.line as usize - 1));
    if let Some(line) = line {
        let room = line.chars().count() + 1;
        let before = (pos.column as usize).saturating_sub(1).min(room);
        let length = (pos.length as usize).clamp(1, (room - before).max(1));
        console.line(format_args!("   | {line}"));
        // Tabs keep their width below the line.
        let indent = line.chars().chain([' ']).take(before).map(|c| if c == '\t' { c } else { ' ' });
        console.line(format_args!("   | {}{}", indent.collect::<String>(), "^".repeat(length)));
    }
}
