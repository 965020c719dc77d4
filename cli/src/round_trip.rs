//! `tilewise fuzz --round-trip`: random kernels to shaders and back.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise_conformance::fuzz::KernelSize;
use tilewise_conformance::round_trip::{RoundTripOptions, run};
use tilewise_conformance::whole_file;

use crate::console::{CommandError, Console, Paint};
use crate::fuzz::FuzzArgs;

/// Takes random kernels to shaders and back; true if all came back as they left.
pub(crate) fn round_trip(args: &FuzzArgs, console: &mut Console) -> Result<bool, CommandError> {
    let usual = RoundTripOptions::default();
    let options = RoundTripOptions {
        seed: args.seed,
        kernels: args.kernels.unwrap_or(u64::MAX),
        time: args.time(),
        size: args.size,
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
        let size = match args.size {
            KernelSize::Mixed => String::new(),
            other => format!(" --size {}", other.name()),
        };
        console.line(format_args!("repeat: tilewise fuzz --round-trip --seed {} --kernels 1{size}\n", failure.seed));
        if let Some(folder) = &args.save {
            let path = folder.join(format!("round-trip-{}.kir", failure.seed));
            whole_file::replace(&path, failure.file.as_bytes()).map_err(|error| {
                CommandError::new(
                    format!("cannot write `{}`: {error}", path.display()),
                    "name another folder, or make room",
                )
            })?;
        }
    }
    console.text(&report.counts);
    let is_short = args.kernels.is_some_and(|kernels| report.kernels < kernels);
    if is_short {
        let title = console.paint("out of time:", Paint::Red);
        console.line(format_args!("{title} {} kernels were run", report.kernels));
    }
    let passed = report.failures.is_empty() && report.kernels > 0 && !is_short;
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    console.line(format_args!("{word}: {} kernels, {} come back otherwise", report.kernels, report.failures.len()));
    Ok(passed)
}
