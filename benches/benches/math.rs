//! Math functions over a slice, on one core: millions of elements a second of `fast_math` and
//! `precise_math` on `jit`, beside std, `libm` and `pxfm`.
//! `cargo bench -p tilewise-benches --bench math`.
//!
//! Each figure is the best of several runs; contestants take turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Parser;
use tilewise::{Accelerator, AcceleratorView, ArrayView, fast_math, parallel_for_each, precise_math};
use tilewise_benches::{cores, output};

/// Elements of a slice: its arguments and results are in the second cache.
const ELEMENTS: usize = 1 << 16;

/// Math functions over a slice, on one core.
#[derive(Parser)]
struct Options {
    /// Runs of each contestant; the best counts.
    #[arg(long, value_name = "N", default_value_t = 40)]
    runs: u32,
    /// Functions to measure: a part of their name.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

/// Computes a whole slice.
type SliceRun = Box<dyn FnMut()>;

/// A function over a slice, in several ways.
struct Contest {
    name: &'static str,
    ways: Vec<(&'static str, SliceRun)>,
}

/// Rows: a name and a type, the range of the arguments, then the ways: kernels and plain functions.
macro_rules! contests {
    ($target:expr; $($name:literal $t:ident $from:literal to $to:literal:
        $($way:literal $kind:ident |$x:ident| $call:expr),*;)*) => {
        vec![$({
            let arguments: Vec<$t> = spread($from, $to).map(|x| x as $t).collect();
            Contest {
                name: concat!($name, " ", stringify!($t)),
                ways: vec![$(($way, contests!(@ $kind $target, arguments, $t, |$x| $call))),*],
            }
        }),*]
    };
    (@ kernel $target:expr, $arguments:ident, $t:ident, |$x:ident| $call:expr) => {{
        let target: AcceleratorView = $target.clone();
        let arguments = ArrayView::<$t, 1>::from_vec(ELEMENTS, $arguments.clone()).expect("it fits");
        let results = ArrayView::<$t, 1>::without_source(ELEMENTS).expect("it fits");
        Box::new(move || {
            let launched = parallel_for_each!(&target, results.extent(), |i| {
                let $x = arguments[i];
                results[i] = $call;
            });
            launched.expect("it runs");
        }) as SliceRun
    }};
    (@ plain $target:expr, $arguments:ident, $t:ident, |$x:ident| $call:expr) => {{
        let arguments: Vec<$t> = $arguments.clone();
        let mut results = vec![0 as $t; ELEMENTS];
        Box::new(move || {
            for (&$x, result) in black_box(&arguments).iter().zip(&mut results) {
                *result = $call;
            }
            black_box(&mut results);
        }) as SliceRun
    }};
}

/// Numbers from one to the other.
fn spread(from: f64, to: f64) -> impl Iterator<Item = f64> {
    // A step that visits them in no order.
    (0..ELEMENTS).map(move |i| from + (to - from) * ((i * 40_503) % ELEMENTS) as f64 / ELEMENTS as f64)
}

fn contests(target: &AcceleratorView) -> Vec<Contest> {
    contests! { target;
        "sin" f32 -20.0 to 20.0:
            "fast" kernel |x| fast_math::sin(x), "precise" kernel |x| precise_math::sin(x),
            "std" plain |x| x.sin(), "libm" plain |x| libm::sinf(x), "pxfm" plain |x| pxfm::f_sinf(x);
        "cos" f32 -20.0 to 20.0:
            "fast" kernel |x| fast_math::cos(x), "precise" kernel |x| precise_math::cos(x),
            "std" plain |x| x.cos(), "libm" plain |x| libm::cosf(x), "pxfm" plain |x| pxfm::f_cosf(x);
        "exp" f32 -80.0 to 80.0:
            "fast" kernel |x| fast_math::exp(x), "precise" kernel |x| precise_math::exp(x),
            "std" plain |x| x.exp(), "libm" plain |x| libm::expf(x), "pxfm" plain |x| pxfm::f_expf(x);
        "log" f32 0.01 to 100.0:
            "fast" kernel |x| fast_math::log(x), "precise" kernel |x| precise_math::log(x),
            "std" plain |x| x.ln(), "libm" plain |x| libm::logf(x), "pxfm" plain |x| pxfm::f_logf(x);
        "pow" f32 0.01 to 10.0:
            "fast" kernel |x| fast_math::pow(x, 2.7), "precise" kernel |x| precise_math::pow(x, 2.7),
            "std" plain |x| x.powf(2.7), "libm" plain |x| libm::powf(x, 2.7), "pxfm" plain |x| pxfm::f_powf(x, 2.7);
        "tanh" f32 -5.0 to 5.0:
            "fast" kernel |x| fast_math::tanh(x), "precise" kernel |x| precise_math::tanh(x),
            "std" plain |x| x.tanh(), "libm" plain |x| libm::tanhf(x), "pxfm" plain |x| pxfm::f_tanhf(x);
        "erf" f32 -4.0 to 4.0:
            "precise" kernel |x| precise_math::erf(x), "libm" plain |x| libm::erff(x),
            "pxfm" plain |x| pxfm::f_erff(x);
        "cbrt" f32 -100.0 to 100.0:
            "precise" kernel |x| precise_math::cbrt(x), "std" plain |x| x.cbrt(),
            "libm" plain |x| libm::cbrtf(x), "pxfm" plain |x| pxfm::f_cbrtf(x);
        "sin" f64 -20.0 to 20.0:
            "precise" kernel |x| precise_math::sin(x), "std" plain |x| x.sin(), "libm" plain |x| libm::sin(x),
            "pxfm" plain |x| pxfm::f_sin(x);
        "cos" f64 -20.0 to 20.0:
            "precise" kernel |x| precise_math::cos(x), "std" plain |x| x.cos(), "libm" plain |x| libm::cos(x),
            "pxfm" plain |x| pxfm::f_cos(x);
        "exp" f64 -700.0 to 700.0:
            "precise" kernel |x| precise_math::exp(x), "std" plain |x| x.exp(), "libm" plain |x| libm::exp(x),
            "pxfm" plain |x| pxfm::f_exp(x);
        "log" f64 0.01 to 100.0:
            "precise" kernel |x| precise_math::log(x), "std" plain |x| x.ln(), "libm" plain |x| libm::log(x),
            "pxfm" plain |x| pxfm::f_log(x);
        "pow" f64 0.01 to 10.0:
            "precise" kernel |x| precise_math::pow(x, 2.7), "std" plain |x| x.powf(2.7),
            "libm" plain |x| libm::pow(x, 2.7), "pxfm" plain |x| pxfm::f_pow(x, 2.7);
        "tanh" f64 -5.0 to 5.0:
            "precise" kernel |x| precise_math::tanh(x), "std" plain |x| x.tanh(), "libm" plain |x| libm::tanh(x),
            "pxfm" plain |x| pxfm::f_tanh(x);
        "erf" f64 -6.0 to 6.0:
            "precise" kernel |x| precise_math::erf(x), "libm" plain |x| libm::erf(x), "pxfm" plain |x| pxfm::f_erf(x);
        "cbrt" f64 -100.0 to 100.0:
            "precise" kernel |x| precise_math::cbrt(x), "std" plain |x| x.cbrt(), "libm" plain |x| libm::cbrt(x),
            "pxfm" plain |x| pxfm::f_cbrt(x);
    }
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    if options.test {
        output::result("math: not run (a benchmark)");
        return Ok(());
    }
    if let Err(reason) = cores::hold_to(1) {
        output::progress(&format!("not held to one core: {reason}"));
    }
    let jit = Accelerator::new(Accelerator::JIT).map_err(|error| error.to_string())?.default_view();
    output::result(&format!("{:<10}   millions of elements a second", "function"));
    for mut contest in contests(&jit) {
        if !contest.name.contains(&options.only) {
            continue;
        }
        let mut best = vec![Duration::MAX; contest.ways.len()];
        for _ in 0..options.runs.max(1) {
            for ((_, run), best) in contest.ways.iter_mut().zip(&mut best) {
                let begin = Instant::now();
                run();
                *best = (*best).min(begin.elapsed());
            }
        }
        let rate = |best: &Duration| ELEMENTS as f64 / best.as_secs_f64() / 1e6;
        let figures: Vec<_> =
            contest.ways.iter().zip(&best).map(|((way, _), best)| format!("{way} {:.0}", rate(best))).collect();
        output::result(&format!("{:<10}   {}", contest.name, figures.join("   ")));
    }
    Ok(())
}
