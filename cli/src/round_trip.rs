//! `tilewise fuzz --round-trip`: random kernels to shaders and back.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise_conformance::fuzz::KernelSize;
use tilewise_conformance::round_trip::{RoundTripOptions, run};

use crate::console::{CommandError, Console, Paint};
use crate::fuzz::{FuzzArgs, SHRINK_TIME, continued_options, seeds_of};

/// Takes random kernels to shaders and back; true if all came back as they left, and some on each route.
pub(crate) fn round_trip(args: &FuzzArgs, console: &mut Console) -> Result<bool, CommandError> {
    let usual = RoundTripOptions::default();
    let options = RoundTripOptions {
        seed: args.seed,
        kernels: args.kernels.unwrap_or(u64::MAX),
        time: args.time(),
        size: args.size,
        save: args.save.clone(),
        shrink_time: Some(SHRINK_TIME),
        jobs: args.jobs.map_or(usual.jobs, |jobs| jobs as usize),
        ..usual
    };
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {pos} kernels") {
        bar.set_style(style);
    }
    // A panic is a failure with its own report; the usual message would only disturb the output.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let begin = Instant::now();
    let report = run(&options, &|report| {
        bar.set_position(report.kernels);
        true
    });
    std::panic::set_hook(hook);
    bar.finish_and_clear();
    for failure in &report.failures {
        let title = console.paint("comes back otherwise:", Paint::Red);
        console.line(format_args!("{title} seed {}: {}", failure.seed, failure.detail.trim_end()));
        console.text(&failure.file);
        console.line(format_args!("{}\n", repeat(failure.seed, args.size)));
    }
    for &seed in &report.unfinished {
        let title = console.paint("unfinished:", Paint::Red);
        let late = options.slack.as_secs();
        console.line(format_args!("{title} seed {seed} still ran {late} s after the end of the time"));
        console.line(repeat(seed, args.size));
    }
    console.text(&report.counts);
    let is_short = args.kernels.is_some_and(|kernels| report.kernels < kernels);
    if is_short {
        let title = console.paint("out of time:", Paint::Red);
        console.line(format_args!("{title} {} kernels were run", report.kernels));
    }
    if report.kernels > 0 {
        for (route, target) in report.idle_routes(options.plan) {
            let title = console.paint("nothing came back:", Paint::Red);
            console.line(format_args!("{title} {route} on {target}: no kernel took this route to its end"));
        }
    }
    let passed = report.passed(options.plan) && !is_short;
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    let next = args.seed.wrapping_add(report.kernels).wrapping_add(report.unfinished.len() as u64);
    let wrong = report.failures.iter().map(|failure| failure.seed).chain(report.unfinished.iter().copied()).min();
    let command = wrong.map_or_else(|| continued(next, args), |seed| repeat(seed, args.size));
    console.line(format_args!(
        "{word}: {} kernels{}: {} come back otherwise, {} unfinished, in {:.1} s; {command}",
        report.kernels,
        seeds_of(args.seed, next),
        report.failures.len(),
        report.unfinished.len(),
        begin.elapsed().as_secs_f64()
    ));
    if let Some(why) = &report.unsaved {
        return Err(CommandError::new(format!("not all could be saved: {why}"), "name another folder, or make room"));
    }
    Ok(passed)
}

/// The command that goes on where the run ended.
fn continued(next: u64, args: &FuzzArgs) -> String {
    format!(
        "continue: tilewise fuzz --round-trip --seed {next}{}",
        continued_options(args, next.wrapping_sub(args.seed))
    )
}

/// The command that runs one seed again.
fn repeat(seed: u64, size: KernelSize) -> String {
    let size = match size {
        KernelSize::Mixed => String::new(),
        other => format!(" --size {}", other.name()),
    };
    format!("repeat: tilewise fuzz --round-trip --seed {seed} --kernels 1{size}")
}
