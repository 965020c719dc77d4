//! What a launch costs beside other views that live: microseconds for one thread that stores one number, waited for each time and queued, with 1, 100 and 1000 views that the accelerator has used before.
//! `cargo bench -p tilewise-benches --features gpu --bench overhead`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use tilewise::prelude::*;
use tilewise_benches::{cores, output};
use tilewise_peers::time;

/// Launches that are timed together.
const BATCH: u32 = 100;
/// Rounds of a figure; the median counts.
const ROUNDS: usize = 31;
/// No figure takes longer.
const ENOUGH: Duration = Duration::from_secs(5);

/// What a launch costs beside other views that live.
#[derive(Parser)]
struct Options {
    /// Cores, and workers on them.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Accelerators that are measured; all, if none is named.
    #[arg(long, value_name = "ACCELERATOR")]
    on: Vec<String>,
    /// Numbers of live views. The first is what the others are compared with.
    #[arg(long, value_name = "N", default_values_t = [1, 100, 1000], value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    views: Vec<usize>,
    /// Where the figures are to be written.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

/// Microseconds for a launch.
#[derive(Serialize)]
struct Figure {
    on: String,
    /// Views that live.
    views: usize,
    /// With a wait after each.
    waited: f64,
    /// With one wait after 100.
    queued: f64,
    /// Times the first of its accelerator.
    waited_beside_first: f64,
    queued_beside_first: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    if options.test {
        output::result("overhead: not run (a benchmark)");
        return Ok(());
    }
    if let Err(reason) = cores::hold_to(options.threads) {
        output::progress(&format!("not held to {} cores: {reason}", options.threads));
    }
    let accelerators: Vec<Accelerator> = match options.on.as_slice() {
        [] => Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU).collect(),
        named => named.iter().map(|path| Accelerator::new(path)).collect::<tilewise::Result<_>>()?,
    };
    output::result("microseconds for a launch");
    output::result(&format!("{:<12}{:>8}{:>12}{:>12}{:>10}{:>10}", "on", "views", "waited for", "queued", "x", "x"));
    let mut all = Vec::new();
    for accelerator in accelerators {
        for figure in measure(&accelerator, &options.views)? {
            let Figure { on, views, waited, queued, waited_beside_first: a, queued_beside_first: b } = &figure;
            output::result(&format!("{on:<12}{views:>8}{waited:>12.2}{queued:>12.2}{a:>10.2}{b:>10.2}"));
            all.push(figure);
        }
    }
    if let Some(path) = options.json {
        std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
}

/// Views of memory of their own, all used on an accelerator; the one that is launched on is in their midst.
struct Live {
    views: Vec<ArrayView<'static, u32>>,
    waited: Vec<f64>,
    queued: Vec<f64>,
}

impl Live {
    fn new(on: &AcceleratorView, count: usize) -> tilewise::Result<Live> {
        let views: Vec<_> =
            (0..count).map(|_| ArrayView::from_vec(64, vec![0_u32; 64])).collect::<tilewise::Result<_>>()?;
        for view in &views {
            parallel_for_each!(on, view.extent(), |i| view[i] = 1)?;
        }
        on.wait()?;
        Ok(Live { views, waited: Vec::new(), queued: Vec::new() })
    }

    /// Times one batch of each kind.
    fn round(&mut self, on: &AcceleratorView) -> tilewise::Result<()> {
        let view = &self.views[self.views.len() / 2];
        let store = kernel!(|i: Index<1>| view[i] = 2);
        let launch = || on.parallel_for_each(Extent([1]), &store);
        let each = |wait: bool| -> tilewise::Result<f64> {
            let begin = Instant::now();
            for _ in 0..BATCH {
                launch()?;
                if wait {
                    on.wait()?;
                }
            }
            on.wait()?;
            Ok(begin.elapsed().as_secs_f64() * 1e6 / f64::from(BATCH))
        };
        self.waited.push(each(true)?);
        self.queued.push(each(false)?);
        Ok(())
    }
}

fn measure(accelerator: &Accelerator, counts: &[usize]) -> tilewise::Result<Vec<Figure>> {
    let on = accelerator.default_view();
    let mut live: Vec<Live> = Vec::new();
    for &count in counts {
        let begin = Instant::now();
        let mut own = Live::new(&on, count)?;
        // The first round does not count.
        own.round(&on)?;
        (own.waited, own.queued) = (Vec::new(), Vec::new());
        while own.waited.len() < 3 || (own.waited.len() < ROUNDS && begin.elapsed() < ENOUGH) {
            own.round(&on)?;
        }
        // With so many views and no more.
        own.views.clear();
        live.push(own);
    }
    let medians: Vec<(f64, f64)> =
        live.iter_mut().map(|live| (time::median(&mut live.waited), time::median(&mut live.queued))).collect();
    let first = medians.first().copied().unwrap_or((1.0, 1.0));
    let figure = |(&views, &(waited, queued)): (&usize, &(f64, f64))| Figure {
        on: accelerator.path().to_owned(),
        views,
        waited,
        queued,
        waited_beside_first: waited / first.0,
        queued_beside_first: queued / first.1,
    };
    Ok(counts.iter().zip(&medians).map(figure).collect())
}
