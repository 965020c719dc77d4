//! Operations that trap on machines: division by zero and overflow, shifts by any amount, floats that fit no integer.

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_cpu_jit::run::{JitKernel, JitLaunchOptions};
use tilewise_interp as interp;
use tilewise_ir::launch::{Domain, Ending, LaunchMemory};

use super::launches::{agree, engines, kernel, view};
use super::rng::Rng;

/// Every pair of numbers that matter, and pairs of any.
fn pairs(bits: u32) -> (Vec<u64>, Vec<u64>) {
    let mut rng = Rng::new(u64::from(bits));
    let min = 1u64 << (bits - 1);
    let edges = [
        0,
        1,
        2,
        3,
        7,
        31,
        32,
        33,
        63,
        64,
        65,
        min,
        min - 1,
        min + 1,
        !0,
        !0 - 1,
        min >> 1,
        1 << 16,
        0x55aa_1234_8765_fedc,
    ];
    let all = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b)));
    let any: Vec<(u64, u64)> = (0..200).map(|_| (rng.bits() >> rng.below(64), rng.bits() >> rng.below(64))).collect();
    all.chain(any).unzip()
}

fn stored(numbers: &[u64], bits: u32) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()[..bits as usize / 8].to_vec()).collect()
}

#[test]
fn no_divisor_and_no_shift_traps() {
    for (name, bits) in [("i32", 32), ("u32", 32), ("i64", 64), ("u64", 64)] {
        // By the number itself; by one that is known, for all or for the launch.
        let literal = |n: u32| if name == "i32" { n.to_string() } else { format!("{n}{name}") };
        let known = format!("{} - {}", literal(0), literal(1));
        for b in ["y[i]", "y[0]", &literal(0), &known, &literal(33), &literal(64)] {
            // A kernel that divides by a constant 0 is not built.
            let divisor = if b == literal(0) { "(y[i] - y[i])" } else { "b" };
            let text = format!(
                "kernel k(x: view<{name}, 1, read>, y: view<{name}, 1, read>, out: view<{name}, 2, read_write>) rank(1) {{
                    let i = global[0];
                    let a = x[i];
                    let b = {b};
                    out[i, 0] = a / {divisor};
                    out[i, 1] = a % {divisor};
                    out[i, 2] = a << (b as u32);
                    out[i, 3] = a >> (b as u32);
                    out[i, 4] = {three} / {divisor} + b % a;
                    if a > b {{ out[i, 5] = (a / (b - a)) + (a % (b + {three})); }} else {{ out[i, 5] = b / a; }}
                }}",
                three = literal(3),
            );
            let kernel = JitKernel::new(kernel(&text));
            let (x, y) = pairs(bits);
            let count = x.len() as i32;
            let memory =
                LaunchMemory::new(vec![stored(&x, bits), stored(&y, bits), vec![0; x.len() * 6 * bits as usize / 8]]);
            agree(
                &kernel,
                &[count],
                &memory,
                &[view(0, &[count]), view(1, &[count]), view(2, &[count, 6])],
                &format!("{name} by {b}"),
            );
        }
    }
}

#[test]
fn every_float_becomes_an_integer() {
    let mut rng = Rng::new(10);
    let doubles = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        0.999_999_999,
        1.0,
        -1.0,
        2147483647.0,
        2147483648.0,
        -2147483648.0,
        -2147483649.0,
        4294967295.0,
        4294967296.0,
        9.2e18,
        9223372036854775808.0,
        -9223372036854775808.0,
        1.8e19,
        18446744073709551616.0,
        1e300,
        -1e300,
        1e-310,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
    ];
    let wide: Vec<u64> = doubles.iter().map(|d: &f64| d.to_bits()).chain((0..400).map(|_| rng.bits())).collect();
    let narrow = doubles.iter().map(|&d| (d as f32).to_bits()).chain((0..400).map(|_| rng.bits() as u32));
    let narrow: Vec<u64> = narrow.map(u64::from).collect();
    let count = wide.len() as i32;
    for (name, bits, numbers) in [("f32", 32, &narrow), ("f64", 64, &wide)] {
        let text = format!(
            "kernel k(x: view<{name}, 1, read>, a: view<i32, 2, read_write>, b: view<i64, 2, read_write>, at: view<i32, 1, read>, sums: view<i32, 1, read_write>) rank(1) {{
                let i = global[0];
                let v = x[i];
                a[i, 0] = v as i32;
                a[i, 1] = v as u32 as i32;
                b[i, 0] = v as i64;
                b[i, 1] = v as u64 as i64;
                a[i, 2] = at[v as i32] + at[v as u32];
                atomic_add(sums[v as i32], 1);
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        let bytes = numbers.len();
        let memory = LaunchMemory::new(vec![
            stored(numbers, bits),
            vec![1; bytes * 12],
            vec![1; bytes * 16],
            vec![5; 400],
            vec![0; 400],
        ]);
        let arguments =
            [view(0, &[count]), view(1, &[count, 3]), view(2, &[count, 2]), view(3, &[100]), view(4, &[100])];
        agree(&kernel, &[count], &memory, &arguments, name);
    }
}

/// Constants of all sizes, with what is near powers of two and near the largest.
fn divisors(bits: u32) -> Vec<u64> {
    let mut rng = Rng::new(77);
    let mut all: Vec<u64> = (1..=25).chain([60, 100, 641, 1000, 1_000_000_007, 6_700_417]).collect();
    for power in [16, 31, 32, 33, 47, 62, 63] {
        all.extend([-1, 0, 1].map(|by| (1_u64 << power).wrapping_add_signed(by)));
    }
    all.extend([u64::MAX, u64::MAX - 1, u64::MAX / 2 + 7, u64::MAX / 3, 0x8000_0001, 0xaaaa_aaab]);
    all.extend((0..40).map(|_| rng.bits() >> rng.below(64)));
    let mut all: Vec<u64> = all.into_iter().map(|n| n & (u64::MAX >> (64 - bits))).filter(|&n| n != 0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn quotients_by_constants_are_those_of_the_interpreter_in_every_form() {
    for (name, bits) in [("i32", 32_u32), ("u32", 32), ("i64", 64), ("u64", 64)] {
        let (x, _) = pairs(bits);
        for some in divisors(bits).chunks(24) {
            let literal = |n: u64| match (name, n) {
                ("u32" | "u64", n) => format!("{n}{name}"),
                ("i32", n) if n as i32 == i32::MIN => "(-2147483647i32 - 1i32)".to_owned(),
                ("i32", n) => format!("({}i32)", n as i32),
                (_, n) if n as i64 == i64::MIN => "(-9223372036854775807i64 - 1i64)".to_owned(),
                (_, n) => format!("({}i64)", n as i64),
            };
            let lines: String = (some.iter().enumerate())
                .map(|(row, &n)| {
                    let by = literal(n);
                    format!("out[{}, i] = a / {by}; out[{}, i] = a % {by};\n", 2 * row, 2 * row + 1)
                })
                .collect();
            let rows = 2 * some.len() as i32;
            let text = format!(
                "kernel k(x: view<{name}, 1, read>, out: view<{name}, 2, read_write>) rank(1) {{
                    let i = global[0];
                    let a = x[i];
                    {lines}
                }}"
            );
            let kernel = JitKernel::new(kernel(&text));
            let n = x.len() as i32;
            let memory = LaunchMemory::new(vec![stored(&x, bits), vec![0; (rows * n) as usize * bits as usize / 8]]);
            let arguments = [view(0, &[n]), view(1, &[rows, n])];
            let domain = Domain::new([n]);
            let mut expected = memory.clone();
            let ran = interp::run(kernel.kernel(), &domain, &mut expected, &arguments, &interp::Options::default());
            assert_eq!(ran.map(|outcome| outcome.ending), Ok(Ending::Completed));
            for form in CodeForm::ALL.into_iter().filter(|form| form.is_native()) {
                let options = JitLaunchOptions { form: Some(form), no_fallback: true, ..JitLaunchOptions::default() };
                let mut memory = memory.clone();
                let ran = engines()[0].0.run(&kernel, &domain, &mut memory, &arguments, &options);
                ran.unwrap_or_else(|refusal| panic!("{refusal}: {name} {some:?} {}", form.name()));
                assert_eq!(memory.allocations[1], expected.allocations[1], "{name} {some:?} {}", form.name());
            }
        }
    }
}
