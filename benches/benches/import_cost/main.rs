//! The cost of an import: shaders of WGSL on `jit` beside the same kernels in Rust.
//!
//! ```text
//! cargo bench -p tilewise-benches --bench import_cost [-- --check]
//! ```
//!
//! The shaders are those of `tilewise bench`'s column `jit-wgsl`. Eight compute as the kernel of the
//! benchmarks does, which then is the kernel in Rust; the other four have another algorithm or address
//! matrices as one row of numbers, and [`same_kernels`] has them in Rust, line by line.
//!
//! Both forms get the same inputs, their results are compared, they take turns, and the shortest run
//! of each counts. With `--check` a shader that takes more than [`MOST`] times as long is an error.

mod same_kernels;

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use tilewise::{Accelerator, AcceleratorView};
use tilewise_benches::drivers::{self, Driver, DriverKind};
use tilewise_benches::output;
use tilewise_peers::{PeerWork, PreparedWork};

/// The largest ratio that `--check` accepts.
const MOST: f64 = 1.05;

/// Shaders on `jit` beside the same kernels in Rust.
#[derive(Parser)]
struct Options {
    /// Runs of each form; the shortest counts.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    runs: usize,
    /// Only this work; may be given again.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Small sizes: to see that it works.
    #[arg(long)]
    small: bool,
    /// Fails if a shader takes more than 1.05 times as long.
    #[arg(long)]
    check: bool,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    let small = options.small || options.test;
    let shaders = Driver::find(DriverKind::Imported, 1)?;
    let on = Accelerator::new(Accelerator::JIT).map_err(|error| error.to_string())?.default_view();
    output::result(&format!("{:<14}{:>12}{:>12}{:>9}", "ms", "Rust", "WGSL", "ratio"));
    let mut slower = Vec::new();
    let chosen = |work: &PeerWork| {
        work.of_others() == Some(*work)
            && (options.only.is_empty() || options.only.iter().any(|name| name == work.name()))
    };
    for work in PeerWork::ALL.into_iter().filter(chosen) {
        // Whole tiles, which the shaders want.
        let size = if small { work.small_size().next_multiple_of(256) } else { work.full_size() };
        let [rust, wgsl] = shortest(work, size, &shaders, &on, if small { 1 } else { options.runs })?;
        output::result(&format!("{:<14}{rust:>12.3}{wgsl:>12.3}{:>8.2}x", work.name(), wgsl / rust));
        if wgsl > MOST * rust {
            slower.push(work.name());
        }
    }
    if options.check && !slower.is_empty() {
        return Err(format!("more than {MOST} times as long as in Rust: {}", slower.join(", ")));
    }
    Ok(())
}

/// The shortest run of both forms, in milliseconds.
fn shortest(
    work: PeerWork,
    size: usize,
    shaders: &Driver,
    on: &AcceleratorView,
    runs: usize,
) -> Result<[f64; 2], String> {
    let mut forms = [
        same_kernels::prepare(work, size, on).map_err(|error| error.to_string())?,
        shaders.prepare(work, size).map_err(|error| format!("{work}: {error}"))?,
    ];
    for form in &mut forms {
        form.run()?;
    }
    drivers::compare(work, &forms[1].output()?, &forms[0].output()?).map_err(|error| format!("{work}: {error}"))?;
    let mut best = [f64::INFINITY; 2];
    for _ in 0..runs {
        for (best, form) in best.iter_mut().zip(&mut forms) {
            *best = best.min(once(form.as_mut())?);
        }
    }
    Ok(best)
}

/// The time of a run, in milliseconds.
fn once(form: &mut dyn PreparedWork) -> Result<f64, String> {
    form.restore()?;
    let start = std::time::Instant::now();
    form.run()?;
    Ok(start.elapsed().as_secs_f64() * 1000.0)
}
