//! The oracles, the judgement of results, and a quick level of every function on this machine's
//! targets.

use super::functions::{OracleValue, functions};
use super::{AccuracyLevel, AccuracyRun, FunctionRunner, MeasuredErrors, inverse, page};
use crate::target::SuiteTarget;

#[test]
fn every_function_keeps_its_limit_on_every_target_of_this_cpu() {
    let functions = functions();
    // 71 of precise_math and 17 of fast_math; the others are exact, and rows of the op table.
    assert_eq!(functions.len(), 88);
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
        assert!((core_math::erf(value(inverse::erfinv(x))) - x).abs() <= 2e-15 * x.abs(), "erfinv({x})");
    }
    for exponent in 1..148 {
        let x = 2.0_f64.powi(-exponent) * 1.25;
        let found = core_math::erfc(value(inverse::erfcinv(x)));
        assert!((found / x - 1.0).abs() < 1e-12, "erfcinv({x:e}): {found:e}");
        let phi = value(inverse::phi(value(inverse::probit(x))));
        assert!((phi / x - 1.0).abs() < 1e-12, "probit({x:e}): {phi:e}");
    }
    assert_eq!(value(inverse::probit(0.5)).to_bits(), 0);
    assert_eq!(value(inverse::probit(0.0)), f64::NEG_INFINITY);
    assert!((value(inverse::probit(0.975)) - 1.959_963_984_540_054).abs() < 1e-15);
    assert_eq!(value(inverse::rcbrt(8.0)), 0.5);
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
    let text = page(&rows);
    assert_eq!(text.matches(" | 1.50 |").count(), rows.len());
    assert!(text.contains("| `tanh` | 2^32 | 3 | 0 | 0.750 | 1e0 (0x3f800000) | 1.50 |"), "{text}");
}
