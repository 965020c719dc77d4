//! The oracles, the judgement of results, and a quick level of every function on this machine's
//! targets.

use std::thread;

use approx::{abs_diff_eq, assert_abs_diff_eq, relative_eq};

use super::exact::{ExactValue, exact_value};
use super::functions::{AccuracyFunction, Oracle, OracleValue, functions};
use super::{
    AccuracyLevel, AccuracyRun, FunctionRunner, MeasuredErrors, arguments, differing_rows, hard_cases, inverse,
    library_functions, page,
};
use crate::target::SuiteTarget;

#[test]
fn every_function_keeps_its_limit_on_every_target_of_this_cpu() {
    let functions = functions();
    // 76 of precise_math and 17 of fast_math; the others are exact, and rows of the op table.
    assert_eq!(functions.len(), 93);
    for function in functions {
        for target in SuiteTarget::on_this_cpu() {
            let runner = FunctionRunner::new(function, target).unwrap_or_else(|why| panic!("{}: {why}", function.path));
            let mut run = AccuracyRun::new(function, AccuracyLevel::Quick);
            while !run.is_complete() {
                run.step(&runner, 1).unwrap_or_else(|why| panic!("{} on {target}: {why}", function.path));
            }
            let errors = run.errors();
            assert_eq!(errors.tried, run.len());
            assert_eq!(errors.beyond, 0, "{} on {target}: {errors:x?}", function.path);
        }
    }
}

#[test]
fn every_function_has_the_bits_of_the_reference_on_every_target_of_this_cpu() {
    let functions = library_functions();
    assert!(functions.len() > 120, "{} functions", functions.len());
    let compare = |path| {
        for target in SuiteTarget::on_this_cpu() {
            let differing = differing_rows(path, target).unwrap_or_else(|why| panic!("{path} on {target}: {why}"));
            assert_eq!(differing, (0, None), "{path} on {target}");
        }
    };
    let (first, second) = functions.split_at(functions.len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| first.iter().copied().for_each(compare));
        second.iter().copied().for_each(compare);
    });
}

/// The oracle's value as a number.
fn value(oracle: OracleValue) -> f64 {
    match oracle {
        OracleValue::Rounded(value) | OracleValue::Near(value, _) => value,
    }
}

#[test]
fn inverses_invert() {
    for i in 1..2000 {
        let x = f64::from(i) / 1000.0 - 1.0;
        let found = core_math::erf(value(inverse::erfinv(x)));
        assert!(relative_eq!(found, x, epsilon = 0.0, max_relative = 2e-15), "erfinv({x})");
    }
    for exponent in 1..148 {
        let x = 2.0_f64.powi(-exponent) * 1.25;
        let found = core_math::erfc(value(inverse::erfcinv(x)));
        assert!(relative_eq!(found, x, epsilon = 0.0, max_relative = 1e-12), "erfcinv({x:e}): {found:e}");
        let phi = value(inverse::phi(value(inverse::probit(x))));
        assert!(relative_eq!(phi, x, epsilon = 0.0, max_relative = 1e-12), "probit({x:e}): {phi:e}");
    }
    assert_eq!(value(inverse::probit(0.5)).to_bits(), 0);
    assert_eq!(value(inverse::probit(0.0)), f64::NEG_INFINITY);
    assert_abs_diff_eq!(value(inverse::probit(0.975)), 1.959_963_984_540_054, epsilon = 1e-15);
    assert_eq!(value(inverse::rcbrt(8.0)), 0.5);
}

#[test]
fn exact_values_agree_with_every_oracle() {
    for function in functions() {
        let mut compared = 0;
        for index in 0..60 {
            // The even indices are in the usual range, the others anything.
            let row = arguments::random(&function, index);
            let number = |bits: u64| match function.oracle.is_double() {
                true => f64::from_bits(bits),
                false => f64::from(f32::from_bits(bits as u32)),
            };
            let oracle = function.oracle.of(row[0], row[1]);
            let known = value(oracle);
            if !known.is_finite() || known == 0.0 {
                continue;
            }
            let exact = exact_value(function.name(), number(row[0]), number(row[1]));
            let exact = exact.unwrap_or_else(|| panic!("{} of {row:x?} has no exact value", function.path));
            match (oracle, function.oracle) {
                (OracleValue::Rounded(known), Oracle::Double(_) | Oracle::DoublePair(_) | Oracle::DoubleNear(_)) => {
                    assert_eq!(exact.nearest(), known, "{} of {row:x?}", function.path);
                }
                (OracleValue::Rounded(known), Oracle::Single(_) | Oracle::SinglePair(_)) => {
                    assert_eq!(exact.nearest() as f32, known as f32, "{} of {row:x?}", function.path);
                }
                (OracleValue::Near(known, error), _) => {
                    let is_near = relative_eq!(exact.nearest(), known, epsilon = 0.0, max_relative = error);
                    assert!(is_near, "{} of {row:x?}", function.path);
                }
            }
            compared += 1;
        }
        assert!(compared >= 20, "{compared} of {}", function.path);
    }
}

#[test]
fn every_hard_case_is_hard() {
    let functions = functions();
    let double = |name| functions.iter().find(|function| function.oracle.is_double() && function.name() == name);
    let mut count = 0;
    for (name, [x, y]) in hard_cases::rows() {
        let function = double(name).unwrap_or_else(|| panic!("there is no `{name}` of f64"));
        let exact = exact_value(name, f64::from_bits(x), f64::from_bits(y)).expect("it is finite");
        // The distance from the nearest number: almost nothing, or almost half a unit.
        let units = exact.units_from(exact.nearest());
        let hard = (units - 0.5).abs().min(units) < 2.0_f64.powi(-40);
        // Next to a multiple of pi/2 the result is small instead.
        let reduced = matches!(name, "sin" | "cos" | "tan")
            && [("sin", x), ("cos", x)].iter().any(|&(other, x)| {
                exact_value(other, f64::from_bits(x), 0.0).is_some_and(|value| value.nearest().abs() < 1e-17)
            });
        assert!(hard || reduced, "{name} of {x:x}, {y:x}: {units:e} units from a number");
        let known = value(function.oracle.of(x, y));
        assert!(exact.nearest() == known || abs_diff_eq!(units, 0.5, epsilon = 1e-30), "{name} of {x:x}, {y:x}");
        count += 1;
    }
    assert!(count > 250, "{count} cases");
}

#[test]
fn the_exact_value_decides_what_the_other_oracle_cannot() {
    let functions = functions();
    let rcbrt = functions.iter().find(|function| function.path == "precise_math::rcbrtf").expect("it is there");
    // 2^-45 from the middle of two numbers.
    let row = [0x0135_8575, 0];
    let OracleValue::Near(near, error) = rcbrt.oracle.of(row[0], row[1]) else { panic!("it is not known well") };
    let ends = [(near * (1.0 - error)) as f32, (near * (1.0 + error)) as f32];
    assert_ne!(ends[0], ends[1], "the other oracle knows");
    let mut errors = MeasuredErrors::default();
    for end in ends {
        errors.add(rcbrt, row, end.to_bits().into());
    }
    assert_eq!((errors.tried, errors.wrong, errors.undecided), (2, 1, 0), "{errors:?}");
    // Denormal numbers are what they are.
    for x in [1_u64, 0xf_ffff_ffff_ffff, 1 << 51].map(f64::from_bits) {
        assert_eq!(ExactValue::from(x).nearest(), x);
    }
    // The middle of two numbers itself is nothing to decide.
    let middle = ExactValue::from(1.0 + 2.0_f64.powi(-24));
    assert_eq!(middle.order(&ExactValue::from(1.0 + 2.0_f64.powi(-24))), Some(std::cmp::Ordering::Equal));
}

#[test]
fn errors_of_doubles_are_measured_from_the_exact_value() {
    let exp = functions().into_iter().find(|function| function.path == "precise_math::exp").expect("it is there");
    let one = [1.0_f64.to_bits(), 0];
    let mut errors = MeasuredErrors::default();
    let e = std::f64::consts::E;
    errors.add(&exp, one, e.to_bits());
    assert_eq!((errors.wrong, errors.largest), (0, 0.0));
    // e is 0.33 units above the nearest number.
    errors.add(&exp, one, e.next_up().to_bits());
    assert!(
        errors.wrong == 1 && errors.beyond == 1 && abs_diff_eq!(errors.largest, 0.674, epsilon = 0.001),
        "{errors:?}"
    );
}

#[test]
fn the_exact_value_tells_the_nearest_double() {
    let rcbrt = functions().into_iter().find(|function| function.path == "precise_math::rcbrt").expect("it is there");
    let eight = [8.0_f64.to_bits(), 0];
    let mut errors = MeasuredErrors::default();
    errors.add(&rcbrt, eight, 0.5_f64.to_bits());
    assert_eq!((errors.wrong, errors.undecided, errors.largest), (0, 0, 0.0), "{errors:?}");
    // 9^(-1/3) is 0.480749856769136127..; the oracle of `f64` does not tell which of these is nearest.
    let nine = [9.0_f64.to_bits(), 0];
    let nearest = 0.480_749_856_769_136_1_f64;
    for found in [nearest.next_down(), nearest, nearest.next_up()] {
        errors.add(&rcbrt, nine, found.to_bits());
    }
    assert_eq!((errors.tried, errors.wrong, errors.undecided), (4, 2, 0), "{errors:?}");
    assert!(errors.largest > 1.0 && errors.largest < 1.5 && errors.beyond >= 1, "{errors:?}");
    for found in [f64::INFINITY, -0.5, 0.0] {
        errors.add(&rcbrt, nine, found.to_bits());
    }
    assert_eq!((errors.wrong, errors.witness), (5, nine), "{errors:?}");
    errors.add(&rcbrt, [(-0.0_f64).to_bits(), 0], f64::INFINITY.to_bits());
    assert_eq!((errors.wrong, errors.beyond >= 5), (6, true), "-inf at -0: {errors:?}");
}

#[test]
fn errors_are_counted_in_units_of_the_last_place() {
    let exp = functions().into_iter().find(|function| function.path == "fast_math::exp").expect("it is there");
    let one = [u64::from(1.0_f32.to_bits()), 0];
    let mut errors = MeasuredErrors::default();
    let e = std::f32::consts::E;
    errors.add(&exp, one, e.to_bits().into());
    assert!(errors.wrong == 0 && errors.largest < 0.5, "{errors:?}");
    errors.add(&exp, one, e.next_up().to_bits().into());
    assert!(errors.wrong == 1 && errors.beyond == 0 && errors.largest < 1.5, "{errors:?}");
    errors.add(&exp, one, e.next_up().next_up().next_up().to_bits().into());
    assert!(errors.beyond == 1 && errors.largest > 2.0 && errors.witness == one, "{errors:?}");
    errors.add(&exp, one, f32::NAN.to_bits().into());
    assert!(errors.beyond == 2 && errors.largest.is_infinite() && errors.tried == 4, "{errors:?}");
}

#[test]
fn a_measurement_continues_where_it_was_stopped() {
    let function = functions().into_iter().find(|function| function.path == "fast_math::tanh").expect("it is there");
    let runner = FunctionRunner::new(function, SuiteTarget::Jit).expect("it is a kernel");
    let mut whole = AccuracyRun::new(function, AccuracyLevel::Full);
    whole.step(&runner, 2).expect("it runs");
    let stopped = AccuracyRun::new(function, AccuracyLevel::Full).continued(whole.done(), *whole.errors());
    let mut rest = stopped.clone();
    rest.step(&runner, 1).expect("it runs");
    assert_eq!(whole.done(), 8 << 17);
    assert_eq!((rest.done(), rest.errors().tried), (12 << 17, 12 << 17));
    assert!(!rest.is_complete() && rest.len() == 1 << 32);
}

#[test]
fn the_page_has_a_row_for_each_measurement() {
    let measured = MeasuredErrors {
        tried: 1 << 32,
        wrong: 3,
        largest: 0.75,
        witness: [0x3f80_0000, 0],
        ..MeasuredErrors::default()
    };
    let rows: Vec<_> = functions().into_iter().map(|function| (function, measured, 1.5)).collect();
    let text = page(SuiteTarget::Jit, &rows);
    assert_eq!(text.matches(" | 1.50 |").count(), rows.len());
    assert!(text.contains("| `tanh` | 2^32 | 3 | 0 | 0.750 | 1e0 (0x3f800000) | 1.50 |"), "{text}");
    assert!(text.contains("\nEach function was run on `jit` and"), "{text}");
    let other = page(SuiteTarget::Reference, &rows);
    assert!(other.contains("\nEach function was run on `reference` and"), "{other}");
}

#[test]
fn the_page_of_the_documentation_has_every_function_within_its_limit() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/accuracy.md");
    let written = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let none = page(SuiteTarget::Jit, &[]);
    let head = none.split("\n## ").next().expect("there is a head");
    assert!(written.starts_with(head), "{path} begins in another way than a new page");
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| `")).map(str::to_owned).collect::<Vec<_>>();
    let functions = in_the_order_of_the_page();
    assert_eq!(rows(&written).len(), functions.len(), "rows of {path}");
    for (row, function) in rows(&written).iter().zip(functions) {
        let row: Vec<_> = row.trim_matches(['|', ' ']).split(" | ").collect();
        let [name, tried, wrong, undecided, largest, ..] = row.as_slice() else { panic!("{row:?}") };
        assert_eq!(Some(name.trim_matches('`')), function.path.rsplit("::").next(), "the row after it is missing");
        let largest: f64 = largest.parse().unwrap_or_else(|why| panic!("{row:?}: {why}"));
        match function.is_exhaustible() {
            true => assert_eq!(*tried, "2^32", "{row:?}"),
            false => assert!(tried.parse::<u64>().is_ok_and(|tried| tried >= 200_000), "{row:?}"),
        }
        if function.path.starts_with("precise_math") && !function.oracle.is_double() {
            assert_eq!([*wrong, *undecided], ["0", "0"], "{row:?}");
        }
        // Of `lgamma` the largest error is that between its zeros.
        assert!(largest <= function.limit.max(0.5) || function.unbounded.is_some(), "{row:?}");
    }
}

/// The functions, in the order of the page.
fn in_the_order_of_the_page() -> Vec<AccuracyFunction> {
    let part = |library: &str, double| {
        let is_in = move |function: &AccuracyFunction| {
            function.path.starts_with(library) && function.oracle.is_double() == double
        };
        functions().into_iter().filter(is_in).collect::<Vec<_>>()
    };
    [part("precise_math", false), part("precise_math", true), part("fast_math", false)].concat()
}
