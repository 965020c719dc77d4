//! Kernels beside other ways to compute the same: plain Rust with rayon, ISPC, PoCL, lavapipe, and the same kernels imported from WGSL. `docs/benchmarks.md` tells how to run and read it.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use tilewise::Accelerator;
#[cfg(feature = "drivers")]
use tilewise_benches::drivers::{Driver, DriverKind};
use tilewise_benches::harness::contestant::Contestant;
use tilewise_benches::harness::row::By;
use tilewise_benches::harness::{program, report, row};
use tilewise_benches::{cores, output};
use tilewise_peers::{PeerWork, pool};

/// Kernels beside plain Rust, ISPC, Numba, PoCL and lavapipe.
#[derive(Parser)]
struct Options {
    /// One run of each contestant, not five.
    #[arg(long)]
    quick: bool,
    /// Only this work; may be given again.
    #[arg(long, value_name = "NAME", value_parser = work)]
    only: Vec<PeerWork>,
    /// Writes the results there.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Runs of each contestant.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    runs: usize,
    /// Cores, and workers on them.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Accelerators that take part; the first one is compared with the others.
    #[arg(long, value_name = "ACCELERATOR", default_value = Accelerator::JIT)]
    on: Vec<String>,
    /// Compares the shortest runs, not the medians: for a machine that others use too.
    #[arg(long)]
    shortest: bool,
    /// The small sizes of the tests, without other programs.
    #[arg(long)]
    small: bool,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

fn work(name: &str) -> Result<PeerWork, String> {
    let names = || PeerWork::ALL.map(PeerWork::name).join(", ");
    PeerWork::of_name(name).ok_or_else(|| format!("there is {}", names()))
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    // `cargo test` runs benchmarks to see that they work; this one takes minutes.
    if options.test {
        output::result("peers: not run (a benchmark)");
        return Ok(());
    }
    if let Err(reason) = cores::hold_to(options.threads) {
        output::progress(&format!("not held to {} cores: {reason}", options.threads));
    }
    let contestants = contestants(&options);
    let works = if options.only.is_empty() { PeerWork::ALL.to_vec() } else { options.only.clone() };
    let by = if options.shortest { By::Shortest } else { By::Median };
    let mut rows = Vec::new();
    for work in works {
        let size = if options.small { work.small_size() } else { work.full_size() };
        let row = row::race(work, size, &contestants, if options.quick { 1 } else { options.runs })?;
        if rows.is_empty() {
            output::result(&report::heading(&row));
        }
        output::result(&report::line(&row, by));
        rows.push(row);
    }
    output::result(&report::means_line(&rows, by));
    for line in report::reasons(&rows) {
        output::result(&line);
    }
    if let Some(path) = &options.json {
        let json = report::Json {
            threads: options.threads,
            compared: by.name(),
            cores: cores::held(),
            processor: report::processor(),
            rows: rows.iter().map(|row| report::JsonRow::new(row, by)).collect(),
            means: report::means(&rows, by),
        };
        let text = serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if report::any_wrong(&rows) { Err("there are wrong results".into()) } else { Ok(()) }
}

/// Accelerators first, then the peers.
fn contestants(options: &Options) -> Vec<Contestant> {
    let accelerator = |path: &String| match Accelerator::new(path) {
        Ok(accelerator) => Contestant::Accelerator(accelerator.default_view()),
        Err(error) => Contestant::Absent(path.clone(), error.to_string()),
    };
    let mut all: Vec<Contestant> = options.on.iter().map(accelerator).collect();
    all.push(Contestant::Rust(pool::pinned(options.threads)));
    if !options.small {
        all.push(program::rust_native(options.threads));
        all.extend(program::ispc(options.threads));
        all.push(program::numba(options.threads));
        all.extend(drivers(options.threads));
    }
    all
}

/// Drivers for processors, or why they do not take part.
#[cfg(feature = "drivers")]
fn drivers(threads: usize) -> Vec<Contestant> {
    let find = |kind: DriverKind| match Driver::find(kind, threads) {
        Ok(driver) => Contestant::Driver(driver),
        Err(reason) => Contestant::Absent(kind.name().into(), reason),
    };
    DriverKind::ALL.map(find).into()
}

/// This program has none.
#[cfg(not(feature = "drivers"))]
fn drivers(_: usize) -> Vec<Contestant> {
    let absent =
        |name: &str| Contestant::Absent(name.into(), "this program is built without the feature `drivers`".into());
    ["pocl", "lavapipe", "jit-wgsl"].map(absent).into()
}
