//! Accuracy of the `fast_math` library, run through the interpreter, against CORE-MATH's correctly rounded functions.
//!
//! Every function is held to [`BUDGET`] steps between neighbouring floats from the correctly rounded result: over a strided walk through all bit
//! patterns, over a seeded sample where functions are usually called, and over the worst arguments that the exhaustive measurements
//! found. Special values are compared by their bits; any NaN equals any NaN.
//! How a kernel is run is not this file's subject: [`run`] is the only place that knows it.

use std::iter;

use approx::ulps_eq;
use tilewise_interp as interp;
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::text;

/// Steps between neighbouring floats that a result may be off the correctly rounded one.
const BUDGET: u32 = 2;

/// Arguments of the strided walk, and of the seeded sample, for each function.
const SAMPLES: u32 = 1 << 17;

/// Runs the kernel `probe` of `source` over a domain of one index for each argument; the last binding, all zero at first, is the result.
fn run(source: &str, inputs: &[&[f32]]) -> Vec<f32> {
    let kernel = text::parse("probe.kir", source).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|_| panic!("the checker refuses: {source}"));
    let bytes = |xs: &[f32]| xs.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut allocations: Vec<Vec<u8>> = inputs.iter().map(|xs| bytes(xs)).collect();
    allocations.push(vec![0; 4 * inputs[0].len()]);
    let extent = [inputs[0].len() as i32];
    let arguments: Vec<_> = (0..allocations.len()).map(|i| Argument::View(ViewArgument::dense(i, &extent))).collect();
    let mut memory = LaunchMemory::new(allocations);
    let outcome = interp::run(&kernel, &Domain::new(extent), &mut memory, &arguments, &interp::Options::default());
    assert!(outcome.is_ok(), "the interpreter refuses: {source}");
    let result = memory.allocations.pop().unwrap_or_default();
    result.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// A function of the library on each of `xs`.
fn eval1(name: &str, xs: &[f32]) -> Vec<f32> {
    let source = format!(
        "kernel probe(x: view<f32, 1, read>, out: view<f32, 1, read_write>) rank(1) {{
            out[global[0]] = fast_math::{name}(x[global[0]]);
        }}"
    );
    run(&source, &[xs])
}

/// A function of the library on each pair from `xs` and `ys`.
fn eval2(name: &str, xs: &[f32], ys: &[f32]) -> Vec<f32> {
    let source = format!(
        "kernel probe(x: view<f32, 1, read>, y: view<f32, 1, read>, out: view<f32, 1, read_write>) rank(1) {{
            out[global[0]] = fast_math::{name}(x[global[0]], y[global[0]]);
        }}"
    );
    run(&source, &[xs, ys])
}

/// A function of one argument: its oracle, where it is usually called, and its hard cases.
struct Unary {
    name: &'static str,
    oracle: fn(f32) -> f32,
    usual: (f32, f32),
    /// Bits of the worst arguments found by measuring all of them, and of arguments at the borders between ways of computing.
    hard: &'static [u32],
    /// Arguments and results that have to be met to the bit.
    exact: &'static [(f32, f32)],
}

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

const UNARY: &[Unary] = &[
    Unary {
        name: "exp",
        oracle: |x| core_math::expf(x),
        usual: (-104.5, 89.5),
        hard: &[
            0x40a65ec0, 0x33800000, 0xc0bb0a6d, 0x42b17217, 0x42b17218, 0xc2aeac4f, 0xc2aeac50, 0xc2cff1b4, 0xc2cff1b5,
            0xc2cff1b6,
        ],
        exact: &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1e30, INF), (-1e30, 0.0)],
    },
    Unary {
        name: "exp2",
        oracle: |x| core_math::exp2f(x),
        usual: (-150.5, 128.5),
        hard: &[
            0xbefffacf, 0x33b8aa3b, 0xc117ff8c, 0x42ffffff, 0xc2fc0000, 0xc2fc0001, 0xc3150000, 0xc3160000, 0x3f000000,
            0xbf000000,
        ],
        exact: &[
            (0.0, 1.0),
            (-0.0, 1.0),
            (10.0, 1024.0),
            (127.0, 1.701_411_8e38),
            (128.0, INF),
            (-149.0, f32::from_bits(1)),
            (-151.0, 0.0),
            (INF, INF),
            (-INF, 0.0),
            (NAN, NAN),
        ],
    },
    Unary {
        name: "log",
        oracle: |x| core_math::logf(x),
        usual: (0.0, 16.0),
        hard: &[
            0x3f34f308, 0x0000028c, 0x3f22bb02, 0x3f3504f2, 0x3f3504f3, 0x3fb504f2, 0x3fb504f3, 0x3f7fffff, 0x3f800001,
            1, 0x007fffff, 0x00800000, 0x7f7fffff,
        ],
        exact: &[
            (1.0, 0.0),
            (0.0, -INF),
            (-0.0, -INF),
            (-1.0, NAN),
            (-1e-45, NAN),
            (INF, INF),
            (-INF, NAN),
            (NAN, NAN),
        ],
    },
    Unary {
        name: "log2",
        oracle: |x| core_math::log2f(x),
        usual: (0.0, 16.0),
        hard: &[
            0x3f353484, 0x0000025d, 0x3f3772bf, 0x3f3504f2, 0x3f3504f3, 0x3fb504f2, 0x3fb504f3, 0x3f7fffff, 0x3f800001,
            1, 0x007fffff, 0x00800000, 0x7f7fffff,
        ],
        exact: &[
            (1.0, 0.0),
            (8.0, 3.0),
            (0.25, -2.0),
            (f32::from_bits(1), -149.0),
            (0.0, -INF),
            (-0.0, -INF),
            (-1.0, NAN),
            (INF, INF),
            (-INF, NAN),
            (NAN, NAN),
        ],
    },
    Unary {
        name: "log10",
        oracle: |x| core_math::log10f(x),
        usual: (0.0, 16.0),
        hard: &[
            0x3faa84ba, 0x00000142, 0x3faa7172, 0x3f3504f2, 0x3f3504f3, 0x3fb504f2, 0x3fb504f3, 0x3f7fffff, 0x3f800001,
            1, 0x007fffff, 0x00800000, 0x7f7fffff,
        ],
        exact: &[
            (1.0, 0.0),
            (10.0, 1.0),
            (1e10, 10.0),
            (1e38, 38.0),
            (0.0, -INF),
            (-0.0, -INF),
            (-1.0, NAN),
            (INF, INF),
            (-INF, NAN),
            (NAN, NAN),
        ],
    },
    Unary {
        name: "sin",
        oracle: |x| core_math::sinf(x),
        usual: (-7000.0, 7000.0),
        hard: &[
            0x40e26e44, 0x60c9ef1d, 0x39e89769, 0x4109f169, 0x3fc90fdb, 0x40490fdb, 0x45c80000, 0x45c80001, 0x461c4000,
            0x5922aa80, 0x6a1976f1, 0x7f7fffff, 1, 0x007fffff,
        ],
        exact: &[(0.0, 0.0), (-0.0, -0.0), (1e-40, 1e-40), (-1e-40, -1e-40), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    },
    Unary {
        name: "cos",
        oracle: |x| core_math::cosf(x),
        usual: (-7000.0, 7000.0),
        hard: &[
            0x42dd790f, 0x7bbc0ba3, 0x39ddb3d7, 0x448d7831, 0x3fc90fdb, 0x40490fdb, 0x45c80000, 0x45c80001, 0x461c4000,
            0x5922aa80, 0x6a1976f1, 0x7f7fffff, 1, 0x007fffff,
        ],
        exact: &[(0.0, 1.0), (-0.0, 1.0), (1e-40, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    },
    Unary {
        name: "tan",
        oracle: |x| core_math::tanf(x),
        usual: (-7000.0, 7000.0),
        hard: &[
            0x44801df4, 0x75db1256, 0x44801df4, 0x43192d24, 0x3fc90fdb, 0x40490fdb, 0x45c80000, 0x45c80001, 0x461c4000,
            0x5922aa80, 0x6a1976f1, 0x7f7fffff, 1, 0x007fffff,
        ],
        exact: &[(0.0, 0.0), (-0.0, -0.0), (1e-40, 1e-40), (-1e-40, -1e-40), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    },
    Unary {
        name: "tanh",
        oracle: |x| core_math::tanhf(x),
        usual: (-10.5, 10.5),
        hard: &[
            0x3f218c1d, 0x3a27ba3b, 0x3f221ebd, 0x3f1fffff, 0x3f200000, 0x41102cb3, 0x411fffff, 0x41200000, 0x41200001,
            1, 0x007fffff,
        ],
        exact: &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (1e-40, 1e-40),
            (-1e-40, -1e-40),
            (100.0, 1.0),
            (INF, 1.0),
            (-INF, -1.0),
            (NAN, NAN),
        ],
    },
    Unary {
        name: "rsqrt",
        oracle: |x| core_math::rsqrtf(x),
        usual: (0.0, 16.0),
        hard: &[0x0080cab3, 0x00000003, 0x0680cab3, 1, 0x007fffff, 0x00800000, 0x3f7fffff, 0x3f800001, 0x7f7fffff],
        exact: &[
            (1.0, 1.0),
            (4.0, 0.5),
            (0.0, INF),
            (-0.0, -INF),
            (-1.0, NAN),
            (-1e-45, NAN),
            (INF, 0.0),
            (-INF, NAN),
            (NAN, NAN),
        ],
    },
];

/// Pairs that were the worst of several 10^8.
const HARD_POW: &[(u32, u32)] = &[
    (0x3f9852ce, 0x43f81dac),
    (0x39f1d6b5, 0x3d384108),
    (0x3f6711b0, 0xc455f653),
    (0x3f92ce4f, 0x440a7fa8),
    (0x3f8fd4f5, 0x443e340f),
    (0x3dc003de, 0x41f00000),
    (0x3f914fa3, 0x442e48df),
];

/// Values whose pairs hold all special cases of `pow`: zeros, infinities, NaN, whole numbers odd and even and the largest of each, neighbours of one.
const POW_EDGES: &[f32] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    3.0,
    -3.0,
    INF,
    -INF,
    NAN,
    1e-45,
    -1e-45,
    f32::MAX,
    f32::MIN,
    16_777_216.0,
    16_777_215.0,
    -16_777_215.0,
    8_388_607.5,
    -8_388_609.0,
    1.000_000_1,
    0.999_999_94,
    -1.000_000_1,
    -0.999_999_94,
    1e30,
    1e-30,
    2_147_483_648.0,
];

/// Random words (xorshift64*), always the same ones for a seed.
fn words(mut seed: u64) -> impl Iterator<Item = u32> {
    iter::repeat_with(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    })
}

/// A number from `low` to `high`, as far along as `word` is among all words.
fn between((low, high): (f32, f32), word: u32) -> f32 {
    let along = f64::from(word) / f64::from(u32::MAX);
    (f64::from(low) + (f64::from(high) - f64::from(low)) * along) as f32
}

/// The same bits, or both NaN.
fn same(got: f32, expected: f32) -> bool {
    got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan()
}

/// Is `got` near enough to `expected`? A NaN only to a NaN, a number only to one of its sign, a zero to no other zero.
fn within_budget(got: f32, expected: f32) -> bool {
    let zeros_agree = got != 0.0 || expected != 0.0 || same(got, expected);
    same(got, expected) || zeros_agree && ulps_eq!(got, expected, epsilon = 0.0, max_ulps = BUDGET)
}

/// How a value stands in a message: as a number, and as bits.
fn shown(x: f32) -> String {
    format!("{x:e} ({:#010x})", x.to_bits())
}

#[test]
fn every_unary_function_stays_within_its_budget() {
    // An odd stride reaches every exponent and both signs.
    let strided = (0..SAMPLES).map(|i| f32::from_bits(i.wrapping_mul((u32::MAX / SAMPLES) | 1)));
    for function in UNARY {
        let sample = words(0x7469_6c65).take(SAMPLES as usize).map(|word| between(function.usual, word));
        let hard = function.hard.iter().flat_map(|&bits| [f32::from_bits(bits), -f32::from_bits(bits)]);
        let xs: Vec<f32> = strided.clone().chain(sample).chain(hard).collect();
        for (&x, got) in xs.iter().zip(eval1(function.name, &xs)) {
            let expected = (function.oracle)(x);
            let (name, x) = (function.name, shown(x));
            assert!(within_budget(got, expected), "{name}({x}) is {}, expected {}", shown(got), shown(expected));
        }
    }
}

#[test]
fn special_values_of_unary_functions_are_exact() {
    for function in UNARY {
        let xs: Vec<f32> = function.exact.iter().map(|case| case.0).collect();
        for (&(x, expected), got) in function.exact.iter().zip(eval1(function.name, &xs)) {
            let (name, x) = (function.name, shown(x));
            assert!(same(got, expected), "{name}({x}) is {}, expected {}", shown(got), shown(expected));
        }
    }
}

#[test]
fn sine_and_cosine_stay_between_minus_one_and_one() {
    let xs: Vec<f32> =
        words(0x7761_7665).take(SAMPLES as usize).map(f32::from_bits).filter(|x| x.is_finite()).collect();
    for name in ["sin", "cos"] {
        for (&x, got) in xs.iter().zip(eval1(name, &xs)) {
            assert!((-1.0..=1.0).contains(&got), "{name}({}) is {}", shown(x), shown(got));
        }
    }
}

/// Pairs for `pow`: any bits, bases near one with results over the whole range, results at the borders of overflow and underflow, whole exponents.
fn pow_pairs() -> Vec<(f32, f32)> {
    let mut words = words(0x706f_7772);
    let mut next = || words.next().unwrap_or_default();
    let exponent_for = |x: f32, log: f64| (log / f64::from(x).log2()) as f32;
    let mut pairs = Vec::new();
    for _ in 0..SAMPLES / 2 {
        let (a, b) = (next(), next());
        pairs.push((f32::from_bits(a), f32::from_bits(b)));
        let near_one = f32::from_bits(0x3f80_0000_u32.wrapping_add_signed(a as i32 >> 7));
        pairs.push((near_one, exponent_for(near_one, f64::from(between((-152.0, 130.0), b)))));
        let positive = f32::from_bits(a & 0x7fff_ffff);
        // Where the usual way ends, too.
        let border = [128.0, 126.5, -100.5, -126.0, -149.0, -150.0][b as usize % 6];
        pairs.push((positive, exponent_for(positive, f64::from(between((border - 0.01, border + 0.01), next())))));
        pairs.push((f32::from_bits(a), (b % 257) as f32 - 128.0));
    }
    pairs
}

#[test]
fn pow_stays_within_its_budget() {
    let mut pairs = pow_pairs();
    pairs.extend(HARD_POW.iter().map(|&(x, y)| (f32::from_bits(x), f32::from_bits(y))));
    let (xs, ys): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
    for ((&x, &y), got) in xs.iter().zip(&ys).zip(eval2("pow", &xs, &ys)) {
        let expected = core_math::powf(x, y);
        let (x, y) = (shown(x), shown(y));
        assert!(within_budget(got, expected), "pow({x}, {y}) is {}, expected {}", shown(got), shown(expected));
    }
}

#[test]
fn special_values_of_pow_are_exact() {
    let pairs = POW_EDGES.iter().flat_map(|&x| POW_EDGES.iter().map(move |&y| (x, y)));
    let (xs, ys): (Vec<f32>, Vec<f32>) = pairs.unzip();
    for ((&x, &y), got) in xs.iter().zip(&ys).zip(eval2("pow", &xs, &ys)) {
        let expected = core_math::powf(x, y);
        // A result that is neither zero nor one nor infinite nor NaN is not special, and has its ulp to spend.
        let special = expected == 0.0 || expected.abs() == 1.0 || !expected.is_finite();
        let good = if special { same(got, expected) } else { within_budget(got, expected) };
        assert!(good, "pow({}, {}) is {}, expected {}", shown(x), shown(y), shown(got), shown(expected));
    }
}
