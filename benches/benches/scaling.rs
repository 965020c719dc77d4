//! What a second core is worth: each kernel of the table on one core and on two. `cargo bench -p tilewise-benches --bench scaling`.
//!
//! Every figure is from a process that is held to its cores; the two take turns.

use std::process::Command;

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use tilewise::Accelerator;
use tilewise_benches::{cores, kernels, output};
use tilewise_peers::{PeerWork, time};

/// What a second core is worth.
#[derive(Parser)]
struct Options {
    /// Runs on each number of cores; the median counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    runs: usize,
    /// Only this work; may be given again.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The accelerator.
    #[arg(long, value_name = "ACCELERATOR", default_value = Accelerator::JIT)]
    on: String,
    /// The larger number of cores.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Small sizes: to see that it works.
    #[arg(long)]
    small: bool,
    /// Prints milliseconds of this work and ends: what the benchmark starts.
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
        output::result("scaling: not run (a benchmark)");
        return Ok(());
    }
    if let Some(name) = &options.child {
        return child(name, &options);
    }
    output::result(&format!("{:<18}{:>12}{:>12}{:>10}   ms on {}", "cores", 1, options.threads, "faster", options.on));
    for work in PeerWork::ALL
        .into_iter()
        .filter(|work| options.only.is_empty() || options.only.iter().any(|name| name == work.name()))
    {
        let mut columns = [Vec::new(), Vec::new()];
        for _ in 0..options.runs {
            for (column, cores) in columns.iter_mut().zip([1, options.threads]) {
                column.push(process(work, cores, &options)?);
            }
        }
        let [one, many] = columns.map(|mut column| time::median(&mut column));
        output::result(&format!("{work:<18}{one:>12.3}{many:>12.3}{:>9.2}x", one / many));
    }
    Ok(())
}

fn process(work: PeerWork, count: usize, options: &Options) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command: Command = cores::on(count)?;
    command.arg(program).args(["--child", work.name(), "--on", &options.on]);
    if options.small {
        command.arg("--small");
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let time = text.trim().parse();
    time.map_err(|_| format!("{work}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

fn child(name: &str, options: &Options) -> Result<(), String> {
    let view = Accelerator::new(&options.on).map_err(|error| error.to_string())?.default_view();
    let work = PeerWork::of_name(name).ok_or_else(|| format!("no work is called {name}"))?;
    let size = if options.small { work.small_size() } else { work.full_size() };
    let mut kernel = kernels::prepare(work, size, &view).map_err(|error| error.to_string())?;
    output::result(&time::one_run(kernel.as_mut())?.to_string());
    Ok(())
}
