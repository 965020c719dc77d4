//! Kernels lowered for a GPU beside the same work written by hand in WGSL, on one device: what lowering costs.
//!
//! Each kernel of `kernels/*.kir` goes through `gpu`'s lowering in two ways, as a module (Relaxed) and as strict SPIR-V; `kernels/*.wgsl` is the work by hand, handed to wgpu as trusted, without
//! its own checks. All results are compared with each other before anything is timed, and with plain Rust at the small sizes. Then each is dispatched many times in one submission, in turns, and the
//! median counts. `--large` has the sizes of the published table, which want a GPU with much memory.
//!
//! `--proof` tries the roots and quotients of Strict kernels instead ([`proof`]).
//!
//! `--queue` tells instead what launches and transfers cost ([`queue`]).
//!
//! [`work`] is what is computed, [`device`] wgpu, [`contest`] a kernel on it.

mod contest;
mod device;
mod proof;
mod queue;
mod work;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Parser, ValueEnum};
use contest::{Contestant, Form};
use device::Gpu;
use serde::Serialize;
use tilewise_benches::output;
use tilewise_gpu::exact::{Exact, NativeOp};
use tilewise_ir::types::Scalar;
use work::Setup;

/// Lowered kernels beside WGSL by hand.
#[derive(Parser)]
struct Options {
    /// The sizes of the published table.
    #[arg(long)]
    large: bool,
    /// Only this kernel; may be given again.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Measurements of each contestant.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    runs: usize,
    /// Milliseconds that a measurement takes, or one dispatch if that takes longer.
    #[arg(long, value_name = "MS", default_value_t = 50.0)]
    each: f64,
    /// Which adapter.
    #[arg(long, value_name = "N", default_value_t = 0)]
    adapter: usize,
    /// Writes the results there.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Prints the WGSL that the kernels are lowered to, and ends.
    #[arg(long)]
    show: bool,
    /// With `--show`: as Strict kernels, for the adapter's own operations that are exact, or for a driver that only adds and multiplies.
    #[arg(long, value_name = "exact|least")]
    strict: Option<Strict>,
    /// Measures launches that do nothing, and transfers, instead.
    #[arg(long)]
    queue: bool,
    /// Strict kernels are lowered as for a driver that is not exact in this; may be given again.
    #[arg(long, value_name = "OPERATION", value_parser = operation)]
    without: Vec<NativeOp>,
    /// Compares roots, inverses of roots and quotients of Strict kernels with the host's instead: with `--large` of all floats and of 2^32 quotients.
    #[arg(long, conflicts_with = "queue")]
    proof: bool,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

/// The operation with that name.
fn operation(name: &str) -> Result<NativeOp, String> {
    let names: Vec<&str> = NativeOp::ALL.into_iter().map(NativeOp::name).collect();
    NativeOp::named(name).ok_or_else(|| format!("the operations are {}", names.join(", ")))
}

/// The operations of an adapter that are exact, less those that an option takes away.
fn exact(gpu: &Gpu, options: &Options) -> Result<Exact, String> {
    let found = gpu.adapter.qualified()?.exact;
    let both = |exact: Exact, &own: &NativeOp| exact.without(own, Scalar::F32).without(own, Scalar::F64);
    Ok(options.without.iter().fold(found, both))
}

/// Of what driver Strict kernels are shown.
#[derive(Clone, Copy, ValueEnum)]
enum Strict {
    Exact,
    Least,
}

/// Everything, for programs.
#[derive(Serialize)]
struct Report<'a, T> {
    adapter: &'a str,
    driver: &'a str,
    large: bool,
    rows: Vec<T>,
}

/// A kernel: the median of each form in milliseconds, and all measurements.
#[derive(Serialize)]
struct Row {
    kernel: &'static str,
    size: usize,
    forms: Vec<Times>,
}

#[derive(Serialize)]
struct Times {
    form: &'static str,
    ms: Option<f64>,
    all_ms: Vec<f64>,
    not_run: Option<String>,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    // `cargo test` runs benchmarks to see that they work; this one has tests of its own in the conformance suite.
    if options.test {
        output::result("gpu_kernels: not run (a benchmark)");
        return Ok(());
    }
    let names =
        work::NAMES.into_iter().filter(|name| options.only.is_empty() || options.only.iter().any(|o| o == name));
    if options.show {
        let exact = match options.strict {
            None => None,
            Some(Strict::Least) => Some(Exact::LEAST),
            Some(Strict::Exact) => Some(exact(&Gpu::open(options.adapter)?, &options)?),
        };
        for name in names {
            let setup = Setup::of(name, false)?;
            output::result(&format!("//--- {name}\n{}", contest::shown(&setup, exact)?));
        }
        return Ok(());
    }
    let gpu = match Gpu::open(options.adapter) {
        Ok(gpu) => gpu,
        Err(reason) => {
            output::result(&format!("gpu_kernels: not run: {reason}"));
            return Ok(());
        }
    };
    if options.queue {
        return costs(&gpu, &options);
    }
    if options.proof {
        return proved(&gpu, &options);
    }
    output::result(&format!("{}, {}: milliseconds, and times the median by hand", gpu.name, gpu.driver));
    output::result(&format!("{:<14}{:>10}{:>12}{:>20}{:>20}", "kernel", "size", "by hand", "module", "strict"));
    let mut rows = Vec::new();
    for name in names {
        let row = row(&gpu, name, &options)?;
        output::result(&line(&row));
        rows.push(row);
    }
    for times in rows.iter().flat_map(|row| row.forms.iter().map(move |times| (row.kernel, times))) {
        if let (kernel, Times { form, not_run: Some(reason), .. }) = times {
            output::result(&format!("{kernel}, {form}: {reason}"));
        }
    }
    let wrong = rows.iter().flat_map(|row| &row.forms).any(|times| times.not_run.as_deref().is_some_and(is_wrong));
    save(&options, &Report { adapter: &gpu.name, driver: &gpu.driver, large: options.large, rows })?;
    if wrong { Err("there are wrong results".into()) } else { Ok(()) }
}

/// Writes the results, if that is wanted.
fn save<T: Serialize>(options: &Options, report: &Report<'_, T>) -> Result<(), String> {
    let Some(path) = &options.json else { return Ok(()) };
    let text = serde_json::to_string_pretty(report).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What launches and transfers cost.
fn costs(gpu: &Gpu, options: &Options) -> Result<(), String> {
    output::result(&format!("{}, {}: launches and transfers", gpu.name, gpu.driver));
    output::result(&format!("{:<60}{:>12}{:>12}", "", "median", "shortest"));
    let mut rows = queue::measure(gpu.adapter, options.large, options.runs)?;
    rows.extend(queue::by_wgpu(gpu, options.runs)?);
    rows.iter().for_each(|found| output::result(&found.line()));
    save(options, &Report { adapter: &gpu.name, driver: &gpu.driver, large: options.large, rows })
}

/// Whether roots and quotients are right.
fn proved(gpu: &Gpu, options: &Options) -> Result<(), String> {
    output::result(&format!("{}, {}: roots and quotients of Strict kernels", gpu.name, gpu.driver));
    let exact = exact(gpu, options)?;
    output::result(&format!("{exact:?}"));
    let device = gpu.adapter.open()?;
    let rows = proof::prove(&device, exact, if options.large { 256 } else { 2 })?;
    rows.iter().for_each(|found| output::result(&found.line()));
    let wrong = rows.iter().any(|found| found.wrong > 0);
    save(options, &Report { adapter: &gpu.name, driver: &gpu.driver, large: options.large, rows })?;
    if wrong { Err("there are wrong results".into()) } else { Ok(()) }
}

/// What a wrong result is told with.
const WRONG: &str = "wrong: ";

fn is_wrong(reason: &str) -> bool {
    reason.starts_with(WRONG)
}

fn line(row: &Row) -> String {
    let by_hand = row.forms.first().and_then(|times| times.ms);
    let mut line = format!("{:<14}{:>10}", row.kernel, row.size);
    for (i, times) in row.forms.iter().enumerate() {
        let width = if i == 0 { 12 } else { 20 };
        let cell = match (times.ms, by_hand) {
            (None, _) if times.not_run.as_deref().is_some_and(is_wrong) => "WRONG".to_owned(),
            (None, _) => "not run".to_owned(),
            (Some(ms), Some(by_hand)) if i > 0 => format!("{ms:.4}  {:.3}x", ms / by_hand),
            (Some(ms), _) => format!("{ms:.4}"),
        };
        line += &format!("{cell:>width$}");
    }
    line
}

/// All forms of a kernel, checked, then timed in turns.
fn row(gpu: &Gpu, name: &'static str, options: &Options) -> Result<Row, String> {
    let setup = Setup::of(name, options.large)?;
    let exact = exact(gpu, options).ok();
    let mut ready: Vec<Result<Contestant, String>> =
        Form::ALL.iter().map(|&form| Contestant::new(gpu, &setup, form, exact)).collect();
    let mut expected: Option<Vec<Vec<u8>>> = None;
    for contestant in &mut ready {
        let Ok(found) = contestant.as_ref().map_err(Clone::clone).and_then(|c| c.once(gpu, &setup)) else { continue };
        let checked = match &expected {
            None => setup.check(&found),
            Some(expected) => setup.same(expected, &found),
        };
        match checked {
            Ok(()) => _ = expected.get_or_insert(found),
            Err(reason) => *contestant = Err(format!("{WRONG}{reason}")),
        }
    }
    let mut counts = vec![1_u32; ready.len()];
    let mut all = vec![Vec::new(); ready.len()];
    for run in 0..=options.runs {
        for (i, contestant) in ready.iter().enumerate() {
            let Ok(contestant) = contestant else { continue };
            let ms = contestant.time(gpu, counts[i])?;
            // The first measurement says how many dispatches the others have.
            match run {
                0 => counts[i] = (options.each / ms.max(1e-4)).clamp(1.0, 2000.0) as u32,
                _ => all[i].push(ms),
            }
        }
    }
    let forms = ready.into_iter().zip(all).zip(Form::ALL).map(|((ready, all), form)| {
        let mut sorted = all.clone();
        sorted.sort_by(f64::total_cmp);
        Times { form: form.name(), ms: sorted.get(sorted.len() / 2).copied(), all_ms: all, not_run: ready.err() }
    });
    Ok(Row { kernel: name, size: setup.size, forms: forms.collect() })
}
