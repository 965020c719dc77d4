//! What a launch costs besides its work: microseconds for one of one tile, and of 64, by the public
//! interface; and nanoseconds for a span of the timeline that nobody listens to, of which a launch has
//! one, and one for each chunk. `cargo bench -p tilewise-benches --bench launch`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Parser;
use tilewise::prelude::*;
use tilewise_benches::{cores, output};
use tilewise_peers::time;
use tilewise_trace::{SpanKind, span};

/// Launches that are timed together, so that the clock does not count.
const BATCH: u32 = 100;
/// Batches of a figure; the median counts.
const BATCHES: usize = 31;
/// No figure takes longer.
const ENOUGH: Duration = Duration::from_secs(2);

/// What a launch costs besides its work.
#[derive(Parser)]
struct Options {
    /// Cores, and workers on them.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Accelerators that are measured.
    #[arg(long, value_name = "ACCELERATOR", default_values = [Accelerator::JIT, Accelerator::NATIVE])]
    on: Vec<String>,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

fn main() -> tilewise::Result<()> {
    let options = Options::parse();
    if options.test {
        output::result("launch: not run (a benchmark)");
        return Ok(());
    }
    if let Err(reason) = cores::hold_to(options.threads) {
        output::progress(&format!("not held to {} cores: {reason}", options.threads));
    }
    output::result(&format!(
        "{:<12}{:<44}{:>10}{:>10}{:>10}",
        "on", "microseconds for a launch", "median", "min", "max"
    ));
    for path in &options.on {
        match Accelerator::new(path) {
            Ok(accelerator) => measure(&accelerator)?,
            Err(error) => output::result(&format!("{path:<12}not run: {error}")),
        }
    }
    let mut times: Vec<f64> = (0..BATCHES).map(|_| spans()).collect();
    let median = time::median(&mut times);
    let (min, max) = (times.first().unwrap_or(&0.0), times.last().unwrap_or(&0.0));
    output::result(&format!(
        "{:<12}{:<44}{median:>10.2}{min:>10.2}{max:>10.2}",
        "any", "nanoseconds for a span without a listener"
    ));
    Ok(())
}

/// Nanoseconds for a span that nobody listens to.
fn spans() -> f64 {
    const COUNT: u32 = 1_000_000;
    let start = Instant::now();
    for number in 0..COUNT {
        drop(black_box(span(SpanKind::Chunk, || format!("chunk {number}"))));
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(COUNT)
}

fn measure(accelerator: &Accelerator) -> tilewise::Result<()> {
    let on = accelerator.default_view();
    let out = ArrayView::from_vec(64 * 256, vec![0_u32; 64 * 256])?;
    let (a, b) = (vec![1.0_f32; 64 * 256], vec![2.0_f32; 64 * 256]);
    let (a, b) = (ArrayView::read_only(a.len(), &a)?, ArrayView::read_only(b.len(), &b)?);
    let sum = ArrayView::from_vec(64 * 256, vec![0.0_f32; 64 * 256])?;
    let show = |what: &str, launch: &dyn Fn() -> tilewise::Result<()>| -> tilewise::Result<()> {
        let mut times = batches(launch)?;
        let median = time::median(&mut times);
        let (min, max) = (times.first().unwrap_or(&0.0), times.last().unwrap_or(&0.0));
        output::result(&format!("{:<12}{what:<44}{median:>10.2}{min:>10.2}{max:>10.2}", accelerator.path()));
        Ok(())
    };

    let almost_nothing = kernel!(|t: TiledIndex<1, 256>| {
        if t.local[0] == 0 {
            out[0] = 1;
        }
    });
    show("one tile that does almost nothing, kept", &|| {
        on.parallel_for_each(Extent([256]).tile::<256>(), &almost_nothing)
    })?;
    show("the same, written in the loop", &|| {
        parallel_for_each!((&on, Extent([256]).tile::<256>()), |t| {
            if t.local[0] == 0 {
                out[0] = 1;
            }
        })
    })?;
    let add = kernel!(|t: TiledIndex<1, 256>| {
        sum[t] = a[t] + b[t];
    });
    show("one tile of 256 additions", &|| on.parallel_for_each(Extent([256]).tile::<256>(), &add))?;
    show("64 tiles of 256 additions", &|| on.parallel_for_each(sum.extent().tile::<256>(), &add))
}

/// Microseconds for a launch, of each batch.
fn batches(launch: &dyn Fn() -> tilewise::Result<()>) -> tilewise::Result<Vec<f64>> {
    let begin = Instant::now();
    launch()?;
    // Where one launch takes milliseconds, a batch is one.
    let batch = if begin.elapsed() > ENOUGH / (BATCH * 3) { 1 } else { BATCH };
    for _ in 0..batch {
        launch()?;
    }
    let mut times = Vec::with_capacity(BATCHES);
    while times.len() < 3 || (times.len() < BATCHES && begin.elapsed() < ENOUGH) {
        let start = Instant::now();
        for _ in 0..batch {
            launch()?;
        }
        times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(batch));
    }
    Ok(times)
}
