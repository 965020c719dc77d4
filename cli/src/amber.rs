//! Scripts of Amber for `tilewise check` and `tilewise run`.

use std::collections::HashSet;
use std::path::Path;

use tilewise::ir::diag::{Diagnostic, render};
use tilewise::ir::launch::{CheckReport, Ending, Outcome};
use tilewise::ir::pos::Sources;
use tilewise_conformance::amber::program::AmberKernel;
use tilewise_conformance::amber::{AmberProgram, AmberRejection, PlayOptions, PlayedStep, load, play};
use tilewise_conformance::kir::{Complaint, FilePlace};
use tilewise_conformance::target::Limit;

use crate::RunArgs;
use crate::console::{CommandError, Console, Paint};
use crate::run::checks_of;
use crate::shader::ShaderArgs;
use crate::source;

pub(crate) use tilewise_conformance::amber::is_script;

/// The limit on instructions of each launch, unless the command line has one.
const FUEL: u64 = 200_000_000;
/// Expectations that do not hold, and are shown.
const LISTED: usize = 10;

/// Reads a script; nothing if it cannot be run, which the console then shows.
fn read(path: &Path, console: &mut Console) -> Result<Option<(String, AmberProgram)>, CommandError> {
    let (name, text) = source::read(path)?;
    match load(&name, &text) {
        Ok(program) => Ok(Some((name, program))),
        Err(AmberRejection::Shader { rejection, .. }) => {
            console.text(rejection.render(console.colour()));
            Ok(None)
        }
        Err(AmberRejection::Wrong(complaint)) => {
            show(&name, "error:", &complaint, console);
            Ok(None)
        }
        Err(AmberRejection::Refused(complaint)) => {
            show(&name, "refused:", &complaint, console);
            Ok(None)
        }
    }
}

fn show(name: &str, title: &str, complaint: &Complaint, console: &mut Console) {
    let title = console.paint(title, Paint::Red);
    console.line(format_args!("{title} {}: {complaint}", place(name, complaint.at)));
}

fn place(name: &str, at: FilePlace) -> String {
    match at.line {
        0 => name.to_owned(),
        line => format!("{name}:{line}:{}", at.column.max(1)),
    }
}

/// Checks a script; the number of warnings about its kernels, or nothing if it cannot be run.
pub(crate) fn check(path: &Path, shader: &ShaderArgs, console: &mut Console) -> Result<Option<usize>, CommandError> {
    if let Some(option) = shader.first_given() {
        let message = format!("`{option}` is of shaders, and `{}` is a script of Amber", path.display());
        return Err(CommandError::new(
            message,
            "leave it out: pipelines have their own `ENTRY_POINT` and `SPECIALIZE`",
        ));
    }
    let Some((_, program)) = read(path, console)? else { return Ok(None) };
    let mut count = 0;
    // Pipelines of one shader have the same warnings.
    let mut shown = HashSet::new();
    for AmberKernel { kernel, .. } in program.kernels.values().filter(|kernel| !kernel.kernel.warnings().is_empty()) {
        let text = render(kernel.warnings(), kernel.sources(), console.colour());
        if shown.insert(text.clone()) {
            count += kernel.warnings().len();
            console.text(text);
            console.line("");
        }
    }
    Ok(Some(count))
}

/// Runs a script on a target; true if all that it expects is so.
pub(crate) fn run(args: &RunArgs, console: &mut Console) -> Result<bool, CommandError> {
    if let Some(option) = of_kernels(args) {
        let help = "leave it out: a script has its own buffers and expectations";
        return Err(CommandError::new(format!("`{option}` is of kernels and shaders"), help));
    }
    let Some((name, program)) = read(&args.file, console)? else { return Ok(false) };
    let mut checks = checks_of(args)?;
    checks.unwritten_tile_memory &= args.checks.is_some();
    let options = PlayOptions {
        target: args.target,
        way: args.order,
        limit: Limit::of_fuel(args.fuel.unwrap_or(FUEL)),
        checks,
        fallback: crate::run::fallback(console),
    };
    let played = play(&program, &options);
    let (mut is_well, mut expected, mut held) = (true, 0, 0);
    for (at, step) in &played.steps {
        match step {
            PlayedStep::Ran { pipeline, outcome, slower } => {
                if let Some(slower) = slower {
                    console.note(slower);
                }
                let sources = program.kernels.get(pipeline).map(|kernel| kernel.kernel.sources());
                is_well &= ran(&place(&name, *at), outcome, sources, console);
            }
            PlayedStep::Refused(refusal) => {
                let title = console.paint("refused:", Paint::Red);
                console.line(format_args!("{title} {}: {refusal}", place(&name, *at)));
                is_well = false;
            }
            PlayedStep::Misfit(complaint) => {
                show(&name, "error:", complaint, console);
                is_well = false;
            }
            PlayedStep::Copied => {}
            PlayedStep::Expected(difference) => {
                expected += 1;
                match difference {
                    None => held += 1,
                    // One that is repeated may be wrong a hundred thousand times.
                    Some(_) if expected - held > LISTED => {}
                    Some(difference) => {
                        let title = console.paint("wrong:", Paint::Red);
                        console.line(format_args!("{title} {}: {difference}", place(&name, *at)));
                    }
                }
            }
        }
    }
    if expected - held > LISTED {
        console.line(format_args!("and {} more expectations that do not hold", expected - held - LISTED));
    }
    if played.reports_left_out > 0 {
        console.line(format_args!("and {} more runs with reports", played.reports_left_out));
    }
    let is_right = is_well && held == expected;
    let (word, colour) = if is_right { ("completed", Paint::Green) } else { ("FAILED", Paint::Red) };
    let title = console.paint(word, colour);
    console.line(format_args!("{title}: {held} of {expected} expectations hold"));
    Ok(is_right)
}

/// An option that scripts have no use for.
fn of_kernels(args: &RunArgs) -> Option<&'static str> {
    let given = [
        (args.run.is_some(), "--run"),
        (!args.results.is_empty(), "--expect"),
        (!args.save.is_empty(), "--save"),
        (args.print_memory, "--print-memory"),
    ];
    let named = given.into_iter().find_map(|(is_given, option)| is_given.then_some(option));
    named.or(args.results.tolerance.first_given()).or(args.inputs.first_given()).or(args.shader.first_given())
}

/// Shows how a launch ended; true if it completed. What the checks find is shown, and decides nothing: scripts test
/// accesses out of range on purpose.
fn ran(place: &str, outcome: &Outcome, sources: Option<&Sources>, console: &mut Console) -> bool {
    let colour = console.colour();
    let list: Vec<Diagnostic> = outcome.reports.iter().map(CheckReport::diagnostic).collect();
    let nothing = Sources::default();
    let sources = sources.unwrap_or(&nothing);
    if !list.is_empty() {
        console.text(render(&list, sources, colour));
    }
    if outcome.more_reports > 0 {
        console.line(format_args!("({} findings beyond the limit on reports)", outcome.more_reports));
    }
    let error = console.paint("error:", Paint::Red);
    match &outcome.ending {
        Ending::Completed => return true,
        Ending::BarrierDivergence(divergence) => console.text(render(&[divergence.diagnostic()], sources, colour)),
        Ending::Failed { message, .. } => {
            console.line(format_args!("{error} {place}: {}", message.as_deref().unwrap_or("abort")));
        }
        Ending::Stopped => console.line(format_args!("{error} {place}: stopped at the first report")),
        Ending::Interrupted => console.line(format_args!("{error} {place}: interrupted")),
        Ending::OutOfFuel { .. } => console.line(format_args!("{error} {place}: it does not end within the limit")),
        Ending::OutOfMemory { bytes } => {
            console
                .line(format_args!("{error} {place}: the target has no memory left for its own work: {bytes} bytes"));
        }
    }
    false
}
