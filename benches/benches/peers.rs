//! Kernels beside other ways to compute the same: plain Rust with rayon, ISPC, Numba, Taichi, PoCL, lavapipe, and the
//! same kernels imported from WGSL. `docs/benchmarks.md` tells how to run and read it; `tilewise bench` does the same.

use std::path::Path;

use clap::Parser;
use tilewise_benches::harness::listener::PlainListener;
use tilewise_benches::harness::options::RaceOptions;
use tilewise_benches::harness::race::{RaceError, ReadyRace};
use tilewise_benches::output;
use tilewise_conformance::whole_file::OutputFile;

/// Kernels beside plain Rust, ISPC, Numba, Taichi, PoCL and lavapipe.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    race: RaceOptions,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    // `cargo test` runs benchmarks to see that they work; this one takes minutes.
    if options.test {
        output::result("peers: not run (a benchmark)");
        return Ok(());
    }
    let said = |error: RaceError| format!("{}\n  help: {}", error.message, error.help);
    let race = ReadyRace::new(&options.race).map_err(said)?;
    // Before the work begins: nobody waits for a report that then cannot be written.
    let [json, html] = [&options.race.json, &options.race.html].map(|path| path.as_deref().map(file).transpose());
    let (json, html) = (json?, html?);
    let ended = race.run(&mut PlainListener).map_err(said)?;
    if let Some(file) = json {
        write(file, &ended.record.text().map_err(said)?)?;
    }
    if let Some(file) = html {
        write(file, &ended.page())?;
    }
    ended.verdict()
}

fn file(path: &Path) -> Result<OutputFile, String> {
    OutputFile::prepare(path).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn write(file: OutputFile, text: &str) -> Result<(), String> {
    file.write(text.as_bytes()).map_err(|error| format!("a report cannot be written: {error}"))
}
