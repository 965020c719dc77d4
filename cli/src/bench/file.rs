//! `tilewise bench FILE`: how long the launches of a file's kernel or shader take on each target.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use tilewise_conformance::bench::{BenchBudget, BenchTimes, time_launches};
use tilewise_conformance::kir::header::HeaderRun;
use tilewise_conformance::target::{Limit, SuiteTarget, TargetLaunch};

use crate::console::{CommandError, Console, Paint};
use crate::fuzz::time_parser;
use crate::launch_inputs::InputArgs;
use crate::shader::ShaderArgs;
use crate::{each_once, target_parser};

/// How long to launch on each target.
const TIME: Duration = Duration::from_secs(1);
/// The maximum number of launches on each target.
const LAUNCHES: u32 = 10_000;
/// The instructions of a launch on targets that count them: some minutes.
const FUEL: u64 = 10_000_000_000;

/// Options of the launches of a file.
#[derive(Args, Debug)]
#[command(next_help_heading = "A kernel or shader, FILE")]
pub(crate) struct FileArgs {
    /// Which run of the file's header; the first if left out
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    #[command(flatten)]
    inputs: InputArgs,
    /// Targets to time; `jit` and those of a GPU if left out. Ratios are to the first
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target_parser())]
    target: Vec<SuiteTarget>,
    /// How long to launch on each target: a number with `s`, `m` or `h`; 1s if left out
    #[arg(long, value_name = "TIME", value_parser = time_parser)]
    time: Option<Duration>,
    /// The maximum number of launches on each target; 10000 if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    launches: Option<u32>,
    #[command(flatten)]
    shader: ShaderArgs,
}

impl FileArgs {
    /// An option that is given, if any is.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.run.is_some(), "--run"),
            (!self.target.is_empty(), "--target"),
            (self.time.is_some(), "--time"),
            (self.launches.is_some(), "--launches"),
        ];
        let given = given.into_iter().find_map(|(is_given, option)| is_given.then_some(option));
        given.or_else(|| self.inputs.first_given()).or_else(|| self.shader.first_given())
    }
}

/// The targets that are timed by default.
const USUAL: [SuiteTarget; 4] =
    [SuiteTarget::Jit, SuiteTarget::GpuWgsl, SuiteTarget::GpuModule, SuiteTarget::GpuStrict];

/// Times a file; true if it ran on all targets that were asked for.
pub(super) fn bench(path: &Path, args: &FileArgs, console: &mut Console) -> Result<bool, CommandError> {
    let read = args.shader.read(path)?;
    let Some(kernel) = read.kernel(console)? else { return Ok(false) };
    let runs = &read.file.header.runs;
    let mut run = match &args.run {
        Some(name) => runs.iter().find(|run| run.name.as_ref() == Some(name)).cloned().ok_or_else(|| {
            let names: Vec<&str> = runs.iter().filter_map(|run| run.name.as_deref()).collect();
            let help = format!("its runs are: {}", names.join(", "));
            CommandError::new(format!("`{}` has no run called `{name}`", read.name), help)
        })?,
        None => runs.first().cloned().unwrap_or_else(HeaderRun::default),
    };
    let inputs = args.inputs.read(&read, kernel)?;
    args.inputs.set(&inputs, &read, kernel, &mut run)?;
    if read.is_idle(&run) {
        let help = "write `--dispatch` with at least 1 workgroup in each dimension";
        return Err(CommandError::new("a dispatch of no workgroups runs nothing that could be timed", help));
    }
    let (domain, bound) = inputs.prepare(&read, kernel, &run)?;
    let targets = match args.target.as_slice() {
        [] => USUAL.into_iter().filter(|target| target.missing().is_none()).collect(),
        named => each_once(named),
    };
    // Time ends what is measured, but on the reference, which counts instructions in its place.
    let limit = Limit::of_fuel(run.fuel.unwrap_or(FUEL));
    let launch = TargetLaunch::new(kernel, &domain, &bound.arguments, limit);
    let budget = BenchBudget { time: args.time.unwrap_or(TIME), launches: args.launches.unwrap_or(LAUNCHES) as usize };
    console.line(console.paint(
        &format!("{:<12}{:>12}{:>12}{:>10}{:>12}", "target", "median", "least", "launches", "ratio"),
        Paint::Bold,
    ));
    let (mut first, mut all_well) = (None, true);
    for target in targets {
        match time_launches(target, &launch, &bound.memory, budget) {
            Ok(BenchTimes { unfinished: Some(_), .. }) => {
                all_well = false;
                let title = console.paint("failed:", Paint::Red);
                console.line(format_args!(
                    "{target:<12} {title} the launch does not complete; `tilewise run` shows how it ends"
                ));
            }
            Ok(times) => {
                let (Some(median), Some(&least)) = (times.median(), times.times.first()) else { continue };
                let base = *first.get_or_insert(median);
                let ratio = median.as_secs_f64() / base.as_secs_f64().max(1e-9);
                console.line(format_args!(
                    "{:<12}{:>12}{:>12}{:>10}{ratio:>12.2}",
                    target.name(),
                    shown(median),
                    shown(least),
                    times.times.len()
                ));
                if let Some(slower) = &times.slower {
                    let title = console.paint("slower:", Paint::Yellow);
                    console.line(format_args!("  {title} {slower}"));
                }
            }
            Err(refusal) => {
                all_well = false;
                let title = console.paint("refused:", Paint::Red);
                console.line(format_args!("{target:<12} {title} {refusal}"));
            }
        }
    }
    Ok(all_well)
}

/// A time with three digits.
fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        _ if seconds < 1e-3 => (seconds * 1e6, "us"),
        _ if seconds < 1.0 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (nanoseconds, text) in
            [(1_234, "1.23 us"), (45_600_000, "45.6 ms"), (789_000_000, "789 ms"), (12_300_000_000, "12.3 s")]
        {
            assert_eq!(shown(Duration::from_nanos(nanoseconds)), text);
        }
    }
}
