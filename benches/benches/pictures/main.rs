//! Pictures through textures on `jit`, beside the crates `imageproc`, `image` and
//! `fast_image_resize`: `cargo bench --workspace --bench pictures`. The crates take part with
//! `--features tilewise-benches/pictures`.
//!
//! A figure is the median of several runs in milliseconds; contestants take turns. Results are
//! compared first: a channel may differ by 1 from that of another contestant. One with a star does other work under the
//! same name: its results are not compared.

mod kernels;
#[cfg(feature = "pictures")]
mod peers;

use std::time::Instant;

use clap::Parser;
use kernels::Pictures;
use tilewise::Accelerator;
use tilewise_benches::output;

/// Pictures through textures, beside the crates of Rust.
#[derive(Parser)]
struct Options {
    /// Runs of each contestant; the median counts.
    #[arg(long, value_name = "N", default_value_t = 7)]
    runs: usize,
    /// Width and height of the picture.
    #[arg(long, value_name = "N", default_value_t = 4096)]
    size: usize,
    /// Rows to measure: a part of their name.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

/// A run that returns the picture's bytes if asked.
type PictureRun = Box<dyn FnMut(bool) -> Vec<u8>>;

/// One way to do a work.
struct Contestant {
    name: &'static str,
    /// By how much a byte may differ from ours; nothing where it does other work under the same name.
    tolerance: Option<u8>,
    run: PictureRun,
}

/// Work in several ways; the first is ours.
struct Row {
    name: &'static str,
    contestants: Vec<Contestant>,
}

fn main() {
    let options = Options::parse();
    // A run by `cargo test` only shows that it works.
    let (size, runs) = if options.test { (64, 1) } else { (options.size, options.runs.max(1)) };
    let target = Accelerator::new(Accelerator::JIT).expect("it is always there").default_view();
    let pictures = Pictures::new(&target, size);
    let mut rows = pictures.rows();
    #[cfg(feature = "pictures")]
    peers::add(&mut rows, &pictures);
    let threads = rayon::current_num_threads();
    output::result(&format!("{size} x {size}, {threads} threads, median of {runs} runs in ms (times of jit)"));
    for row in rows.iter_mut().filter(|row| row.name.contains(&options.only)) {
        measure(row, runs);
    }
    if cfg!(not(feature = "pictures")) {
        output::result("alone: with `--features tilewise-benches/pictures` other crates take part");
    }
}

fn measure(row: &mut Row, runs: usize) {
    let mut expected = Vec::new();
    for Contestant { name, tolerance, run } in &mut row.contestants {
        let picture = run(true);
        if expected.is_empty() {
            expected = picture;
            continue;
        }
        let Some(tolerance) = *tolerance else { continue };
        let differences = || expected.iter().zip(&picture).map(|(a, b)| a.abs_diff(*b));
        let largest = differences().max().unwrap_or(0);
        let beyond = differences().filter(|&difference| difference > tolerance).count();
        assert!(
            expected.len() == picture.len() && beyond == 0,
            "{}: {name} differs by {largest}, and by more than {tolerance} in {beyond} bytes",
            row.name
        );
    }
    let mut times = vec![Vec::new(); row.contestants.len()];
    for _ in 0..runs {
        for (contestant, times) in row.contestants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (contestant.run)(false);
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    let text = |(contestant, ms): (&Contestant, &f64)| {
        let note = if contestant.tolerance.is_some() { "" } else { "*" };
        format!("{}{note} {ms:.1} ({:.2})", contestant.name, ms / medians[0])
    };
    let texts = row.contestants.iter().zip(&medians).map(text);
    output::result(&format!("{:<24} {}", row.name, texts.collect::<Vec<_>>().join("  ")));
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
