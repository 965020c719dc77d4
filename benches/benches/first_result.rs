//! From the source to the first result: milliseconds of the first launch of each kernel of the table, at a small size, with all that is compiled for it.
//! `cargo bench -p tilewise-benches --bench first_result`.
//!
//! Each figure is from a process of its own, as whatever was launched before in the same process would have started workers and filled caches. `later` is the first launch in a process in
//! which another kernel has run; `again` is the second launch of the same kernel.

use std::process::Command;
use std::time::Instant;

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use tilewise::Accelerator;
use tilewise_benches::{cores, kernels, output};
use tilewise_peers::{PeerWork, time};

/// What the first launch may take in a new process: milliseconds.
const BAR: f64 = 2.0;

/// From the source to the first result.
#[derive(Parser)]
struct Options {
    /// Processes for each figure; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    runs: usize,
    /// One process for each figure.
    #[arg(long)]
    quick: bool,
    /// Cores, and workers on them.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// The accelerator.
    #[arg(long, value_name = "ACCELERATOR", default_value = Accelerator::JIT)]
    on: String,
    /// Prints the figures of this work and ends: what the benchmark starts.
    #[arg(long, hide = true)]
    child: Option<String>,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    if options.test {
        output::result("first_result: not run (a benchmark)");
        return Ok(());
    }
    if let Err(reason) = cores::hold_to(options.threads) {
        output::progress(&format!("not held to {} cores: {reason}", options.threads));
    }
    if let Some(name) = &options.child {
        return child(name, &options.on);
    }
    let runs = if options.quick { 1 } else { options.runs };
    output::result(&format!(
        "{:<18}{:>10}{:>10}{:>10}   ms on {}, bar {BAR}",
        "kernel", "first", "later", "again", options.on
    ));
    for work in PeerWork::ALL {
        let mut columns = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..runs {
            for (column, value) in columns.iter_mut().zip(start(work, &options.on)?) {
                column.push(value);
            }
        }
        let [first, later, again] = columns.map(|mut column| time::median(&mut column));
        let said = if first <= BAR { "met" } else { "MISSED" };
        output::result(&format!("{work:<18}{first:>10.3}{later:>10.3}{again:>10.3}   {said}"));
    }
    Ok(())
}

/// The three figures, from two processes.
fn start(work: PeerWork, on: &str) -> Result<[f64; 3], String> {
    let [first, again] = process(work.name(), on)?;
    let [later, _] = process(&format!("{work}+"), on)?;
    Ok([first, later, again])
}

fn process(child: &str, on: &str) -> Result<[f64; 2], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).args(["--child", child, "--on", on]).output();
    let output = output.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(first), Some(again)) => Ok([first, again]),
        _ => Err(format!("{child}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Prints milliseconds of the first and of the second launch. With a `+` behind the name, another kernel runs before.
fn child(name: &str, on: &str) -> Result<(), String> {
    let view = Accelerator::new(on).map_err(|error| error.to_string())?.default_view();
    let plain = name.trim_end_matches('+');
    let work = PeerWork::of_name(plain).ok_or_else(|| format!("no work is called {plain}"))?;
    if plain != name {
        let other = if work == PeerWork::Saxpy { PeerWork::VectorAdd } else { PeerWork::Saxpy };
        kernels::prepare(other, other.small_size(), &view).map_err(|error| error.to_string())?.run()?;
    }
    let mut kernel = kernels::prepare(work, work.small_size(), &view).map_err(|error| error.to_string())?;
    let mut times = [0.0; 2];
    for time in &mut times {
        let start = Instant::now();
        kernel.run()?;
        *time = start.elapsed().as_secs_f64() * 1e3;
    }
    output::result(&format!("{} {}", times[0], times[1]));
    Ok(())
}
