//! How many instructions a second the interpreter executes, on five kernels: without checks, with each check alone, with all.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tilewise::interp::{Checks, Options, run};
use tilewise::ir::check::check;
use tilewise::ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise::ir::text::parse;

/// Scalars in a loop, little memory.
const MANDELBROT: &str = "kernel mandelbrot(out: view<u32, 2, read_write>) rank(2) {
    let cx = global[1] as f32 * 0.046875 - 2.0;
    let cy = global[0] as f32 * 0.0390625 - 1.25;
    var x: f32 = 0.0;
    var y: f32 = 0.0;
    var n: u32 = 0u32;
    while n < 200u32 && x * x + y * y <= 4.0 {
        let next = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = next;
        n = n + 1u32;
    }
    out[global[0], global[1]] = n;
}";

/// Memory of all kinds, and barriers.
const MATMUL: &str =
    "kernel matmul(a: view<f32, 2, read>, b: view<f32, 2, read>, c: view<f32, 2, read_write>) tile(16, 16) {
    tile_static left: [[f32; 16]; 16];
    tile_static right: [[f32; 16]; 16];
    let row = local[0];
    let column = local[1];
    var sum: f32 = 0.0;
    var at: i32 = 0;
    while at < extent(a, 1) {
        left[row][column] = a[global[0], at + column];
        right[row][column] = b[at + row, global[1]];
        barrier;
        var k: i32 = 0;
        while k < 16 {
            sum = sum + left[row][k] * right[k][column];
            k = k + 1;
        }
        barrier;
        at = at + 16;
    }
    c[global[0], global[1]] = sum;
}";

/// A function of the kind that math libraries are made of: exponent by bits, then a polynomial.
const EXP: &str = "fn exp2(x: f32) -> f32 {
    let whole = floor(x);
    let part = x - whole;
    let p = fma(fma(fma(fma(0.0018775767, part, 0.008989340), part, 0.055826318), part, 0.24015361), part, 0.69315308);
    let scaled = fma(p, part, 0.99999994);
    return bitcast_f32(bitcast_u32(scaled) + ((whole as i32) << 23u32) as u32);
}
kernel sweep(v: view<f32, 1, read_write>) rank(1) {
    var x: f32 = v[global[0]];
    var i: i32 = 0;
    while i < 50 {
        x = min(exp2(x) * 0.5, 10.0) - abs(x) * 0.25;
        i = i + 1;
    }
    v[global[0]] = x;
}";

/// [`MATMUL`] with barriers that order `tile_static` only: the checks must remember a second reader of the views.
fn matmul_of_flavours() -> String {
    MATMUL.replace("barrier;", "barrier(tile_static);").replace("kernel matmul", "kernel matmul_flavours")
}

/// Nothing but memory: four reads and a write for a handful of sums. The dearest case for what looks at accesses.
const STREAM: &str =
    "kernel stream(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>) rank(1) {
    let i = global[0];
    var sum: f32 = a[i] + b[i];
    sum = sum + a[(i + 1) & 65535] + b[(i + 1) & 65535];
    c[i] = c[i] + sum;
}";

/// Name, text, domain, and the extent of each view.
type Case<'a> = (&'a str, &'a str, &'a [i32], &'a [&'a [i32]]);

fn view(memory: &mut LaunchMemory, extent: &[i32]) -> Argument {
    let count: i32 = extent.iter().product();
    memory.allocations.push((0..count).flat_map(|i| (i as f32 / count as f32).to_le_bytes()).collect());
    Argument::View(ViewArgument::dense(memory.allocations.len() - 1, extent))
}

/// No checks, each alone, all.
fn checks() -> [(&'static str, Checks); 5] {
    let none = Checks::default;
    [
        ("", none()),
        ("out of range", Checks { out_of_range: true, ..none() }),
        ("races", Checks { races: true, ..none() }),
        ("uninitialised", Checks { uninitialised: true, ..none() }),
        ("all checks", Checks::all()),
    ]
}

fn interpreter(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("interp");
    let n = 64;
    let flavours = matmul_of_flavours();
    let cases: [Case<'_>; 5] = [
        ("mandelbrot", MANDELBROT, &[n, n], &[&[n, n]]),
        ("matmul", MATMUL, &[n, n], &[&[n, n], &[n, n], &[n, n]]),
        ("matmul, flavours", &flavours, &[n, n], &[&[n, n], &[n, n], &[n, n]]),
        ("exp2", EXP, &[4096], &[&[4096]]),
        ("stream", STREAM, &[65536], &[&[65536], &[65536], &[65536]]),
    ];
    for (name, source, domain, views) in cases {
        let kernel = parse(name, source).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let mut memory = LaunchMemory::default();
        let arguments: Vec<Argument> = views.iter().map(|extent| view(&mut memory, extent)).collect();
        for (looking_for, checks) in checks() {
            let options = Options { checks, ..Options::default() };
            let mut launch = || {
                let outcome = run(&kernel, &Domain::new(domain), &mut memory, &arguments, &options);
                outcome.unwrap_or_else(|refusal| panic!("{refusal}"))
            };
            let outcome = launch();
            assert_eq!(outcome.ending, Ending::Completed);
            assert!(outcome.reports.is_empty());
            group.throughput(Throughput::Elements(outcome.instructions));
            let label = if looking_for.is_empty() { name.to_owned() } else { format!("{name}/{looking_for}") };
            group.bench_function(label, |bencher| bencher.iter(&mut launch));
        }
    }
    group.finish();
}

criterion_group!(benches, interpreter);
criterion_main!(benches);
