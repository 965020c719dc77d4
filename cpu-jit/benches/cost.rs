//! What it costs to judge accesses and to ask whether a launch is to end: kernels with both, and with one or both left out.
//!
//! `cargo bench -p tilewise-cpu-jit --bench cost`. All ways of a kernel take turns, on one thread; shown are medians, and ratios to the way that leaves out
//! both.
#![allow(unsafe_code, reason = "accesses that are not judged are vouched for here")]
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewise_cpu_jit::bind::HostAllocation;
use tilewise_cpu_jit::run::{Engine, EngineOptions, JitKernel, JitLaunchOptions};
use tilewise_cpu_jit::vectorize::Without;
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, Ending, ViewArgument};
use tilewise_ir::text::parse;

/// Rounds; the first is not counted.
const ROUNDS: usize = 12;

const SIDE: i32 = 512;

const KERNELS: [(&str, &str); 5] = [
    (
        "scale",
        "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>, n: i32) rank(1) {
             let i = global[0]; c[i] = a[i] * 3.0 + b[i];
         }",
    ),
    (
        "gather",
        "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>, n: i32) rank(1) {
             let i = global[0]; c[i] = a[(i * 7919) & 262143] + b[(i * 31) & 262143];
         }",
    ),
    (
        "product",
        "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>, n: i32) rank(1) {
             let row = global[0] / n; let column = global[0] % n; var sum: f32 = 0.0; var j: i32 = 0;
             while j < n { sum = sum + a[row * n + j] * b[j * n + column]; j = j + 1; }
             c[global[0]] = sum;
         }",
    ),
    (
        "mandelbrot",
        "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>, n: i32) rank(1) {
             let x = (global[0] % n) as f32 / 200.0 - 2.0; let y = (global[0] / n) as f32 / 256.0 - 1.0;
             var u: f32 = 0.0; var v: f32 = 0.0; var turn: i32 = 0;
             while turn < 256 && u * u + v * v <= 4.0 { let t = u * u - v * v + x; v = 2.0 * u * v + y; u = t; turn = turn + 1; }
             c[global[0]] = turn as f32;
         }",
    ),
    (
        "reduction",
        "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>, n: i32) tile(256) {
             tile_static t: [f32; 256]; let l = local[0]; t[l] = a[global[0]]; barrier; var half: i32 = 128;
             while half > 0 { if l < half { t[l] = t[l] + t[l + half]; } barrier; half = half / 2; }
             if l == 0 { c[tile[0]] = t[0]; }
         }",
    ),
];

fn main() {
    let engine = Engine::new(EngineOptions { threads: Some(1), ..EngineOptions::default() });
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    println!(
        "{:<12}{:>12}{:>14}{:>14}{:>14}{:>12}{:>12}",
        "ms", "as it is", "no polls", "no checks", "neither", "polls", "checks"
    );
    for (name, text) in KERNELS {
        let kernel =
            check(parse("k.kir", text).unwrap_or_else(|why| panic!("{why}"))).unwrap_or_else(|why| panic!("{why}"));
        let kernel = JitKernel::new(Arc::new(kernel));
        let mut times = [const { Vec::new() }; 4];
        let mut results: Vec<Vec<f32>> = Vec::new();
        for round in 0..ROUNDS {
            for (&(checks, polls), times) in ways.iter().zip(&mut times) {
                let (took, c) = run(&engine, &kernel, Without { checks, polls });
                match round {
                    0 => results.push(c),
                    _ => times.push(took),
                }
            }
        }
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{name}: all ways give the same");
        let [plain, no_polls, no_checks, neither] = times.map(median);
        println!(
            "{name:<12}{plain:>12.3}{no_polls:>14.3}{no_checks:>14.3}{neither:>14.3}{:>11.2}x{:>11.2}x",
            no_checks / neither,
            no_polls / neither
        );
    }
}

fn run(engine: &Engine, kernel: &JitKernel, without: Without) -> (Duration, Vec<f32>) {
    let n = SIDE * SIDE;
    let a: Vec<f32> = (0..n).map(|i| (i % 17) as f32 * 0.25).collect();
    let b: Vec<f32> = (0..n).map(|i| (i % 13) as f32 * 0.5).collect();
    let mut c = vec![0.0f32; n as usize];
    let address = |base: *const f32| base.expose_provenance() as u64;
    let addresses = [address(a.as_ptr()), address(b.as_ptr()), c.as_mut_ptr().expose_provenance() as u64];
    let allocations = addresses.map(|address| HostAllocation { address, size: 4 * n as u64 });
    let view = |allocation| Argument::View(ViewArgument::dense(allocation, &[n]));
    let arguments = [view(0), view(1), view(2), Argument::Uniform(SIDE.to_ne_bytes().into())];
    let options = JitLaunchOptions { no_fallback: true, without, ..JitLaunchOptions::default() };
    let begin = Instant::now();
    // SAFETY: the allocations are three vectors that live until the launch has returned, of as many
    // elements as they say, of which the last is borrowed for it alone; and all indices of the
    // kernels above lie below their number.
    let launched = unsafe { engine.launch(kernel, &Domain::new([n]), &allocations, &arguments, &options) };
    let took = begin.elapsed();
    let launched = launched.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(launched.outcome.ending, Ending::Completed);
    (took, c)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
