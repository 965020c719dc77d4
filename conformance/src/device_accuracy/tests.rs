//! Model devices that keep promises, break them or are off by a known error.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::builtin::{DeviceBuiltin, WordKind};
use super::measure::{BuiltinRunner, DeviceMeasurement, MeasuredBuiltin};
use super::page::{MeasuredDevice, page};
use super::range::FloatWidth;
use super::table::builtins;
use crate::sweep::SweepLevel;

/// A device that gives the nearest numbers, but for one change.
struct ModelDevice<'a> {
    builtin: &'a DeviceBuiltin,
    change: fn(given: &[u32], exact: f64) -> f64,
}

impl BuiltinRunner for ModelDevice<'_> {
    fn run(&mut self, shader: &str, given: &[u32], rows: usize, results: usize) -> Result<Vec<u32>, String> {
        assert!(shader.contains("@compute") && given.len() == rows * self.builtin.arguments.len());
        let mut got = vec![0; rows * results];
        for row in 0..rows {
            let words: Vec<u32> = (0..self.builtin.arguments.len()).map(|at| given[at * rows + row]).collect();
            let exact = (self.builtin.exact)(&words);
            for (at, kind) in self.builtin.results.iter().enumerate() {
                let found = (self.change)(&words, exact[at]);
                got[at * rows + row] = match kind {
                    WordKind::Float => self.builtin.width.word(found),
                    WordKind::Int => found as i32 as u32,
                    WordKind::Uint => found as u32,
                };
            }
        }
        Ok(got)
    }
}

fn measured(builtin: &DeviceBuiltin, change: fn(&[u32], f64) -> f64) -> MeasuredBuiltin {
    let mut run = DeviceMeasurement::new(*builtin, SweepLevel::Quick);
    run.step(&mut ModelDevice { builtin, change }, 2).unwrap();
    assert_eq!(run.done(), run.len());
    run.found().clone()
}

fn named(name: &str) -> DeviceBuiltin {
    builtins().into_iter().find(|builtin| builtin.label() == name).unwrap()
}

#[test]
fn the_nearest_results_keep_every_promise() {
    for builtin in builtins() {
        let found = measured(&builtin, |_, exact| exact);
        assert!(found.is_kept(), "{}: {:?} {:?}", builtin.label(), found.wgsl, found.vulkan);
        assert!(found.tried > 10_000 && found.largest.size <= 0.500_001, "{}: {:?}", builtin.label(), found.largest);
    }
}

#[test]
fn zeros_for_subnormal_results_keep_every_promise() {
    let flushed = |_: &[u32], exact: f64| if exact.abs() < FloatWidth::Single.least() { 0.0 } else { exact };
    let flushed_half = |_: &[u32], exact: f64| if exact.abs() < FloatWidth::Half.least() { 0.0 } else { exact };
    for builtin in builtins() {
        let found = measured(&builtin, if builtin.width == FloatWidth::Single { flushed } else { flushed_half });
        assert!(found.is_kept(), "{}: {:?} {:?}", builtin.label(), found.wgsl, found.vulkan);
    }
    assert!(measured(&named("x * y"), flushed).flushed > 100);
    assert!(measured(&named("f16 x * y"), flushed_half).flushed > 100);
}

#[test]
fn zeros_for_subnormal_arguments_keep_every_promise() {
    for builtin in builtins() {
        let mut run = DeviceMeasurement::new(builtin, SweepLevel::Quick);
        run.step(&mut FlushingDevice { builtin: &builtin }, 2).unwrap();
        let found = run.found();
        assert!(found.is_kept(), "{}: {:?} {:?}", builtin.label(), found.wgsl, found.vulkan);
    }
}

/// A device that gives the nearest results of arguments whose subnormal ones are zeros.
struct FlushingDevice<'a> {
    builtin: &'a DeviceBuiltin,
}

impl BuiltinRunner for FlushingDevice<'_> {
    fn run(&mut self, shader: &str, given: &[u32], rows: usize, results: usize) -> Result<Vec<u32>, String> {
        let kinds = self.builtin.arguments;
        let flushed = |(at, &word): (usize, &u32)| match kinds[at / rows] {
            WordKind::Float => {
                let (width, x) = (self.builtin.width, self.builtin.width.number(word));
                if x.abs() < width.least() { width.word(0.0_f64.copysign(x)) } else { word }
            }
            WordKind::Int | WordKind::Uint => word,
        };
        let given: Vec<u32> = given.iter().enumerate().map(flushed).collect();
        ModelDevice { builtin: self.builtin, change: |_, exact| exact }.run(shader, &given, rows, results)
    }
}

#[test]
fn results_that_are_too_far_off_break_each_promise() {
    // A hundredth off is beyond all that is promised of anything; determinants have no promise.
    for builtin in builtins().iter().filter(|builtin| builtin.wgsl.allowed.is_some()) {
        let found = measured(builtin, |_, exact| exact * 1.01 + 1.0);
        assert!(found.wgsl.count > 100 && found.vulkan.count > 100, "{}: {found:?}", builtin.label());
        assert!(found.wgsl.worst.size > 1.0 && found.wgsl.worst.given.len() == builtin.arguments.len());
    }
}

#[test]
fn errors_are_told_in_units_with_the_arguments_that_have_them() {
    // One argument is three units off, which an inverse square root may not be.
    let found = measured(&named("inverseSqrt(x)"), |given, exact| {
        let off = if given[0] == 1.0_f32.to_bits() { 3.0 * 2_f64.powi(-23) } else { 0.0 };
        exact + off
    });
    assert_eq!((found.largest.size, found.largest.given.as_slice()), (3.0, &[1.0_f32.to_bits()][..]));
    assert!(found.wgsl.count > 0 && found.wgsl.worst.got == (1.0_f32 + 3.0 * f32::EPSILON).to_bits());
    // Absolute errors.
    let found = measured(&named("sin(x)"), |_, exact| exact + 0.000_4);
    assert!(found.is_kept() && (found.absolute.size - 0.000_4).abs() < 1e-6, "{found:?}");
    assert!(!measured(&named("sin(x)"), |_, exact| exact + 0.000_5).is_kept());
}

#[test]
fn wgsl_promises_the_ends_of_integers_for_numbers_beyond_them() {
    fn is_beyond(given: &[u32]) -> bool {
        f32::from_bits(given[0]).abs() >= 4_294_967_296.0
    }
    for name in ["i32(f32)", "u32(f32)"] {
        let zero = measured(&named(name), |given, exact| if is_beyond(given) { 0.0 } else { exact });
        assert!(zero.wgsl.count > 100 && zero.vulkan.count == 0, "{name}: {zero:?}");
        // Model devices take numbers beyond an end for the end itself.
        let end = measured(&named(name), |given, exact| if is_beyond(given) { exact * 2.0 } else { exact });
        assert!(end.is_kept() && end.elsewhere.size == 0.0, "{name}: {end:?}");
    }
}

#[test]
fn infinities_are_counted_apart() {
    let found = measured(&named("exp(x)"), |_, exact| if exact.is_finite() { exact } else { 0.0 });
    assert!(found.is_kept() && found.special > 0 && 0 < found.special_wrong && found.special_wrong < found.special);
}

#[test]
fn names_are_unique_and_shaders_are_wgsl() {
    let mut names: Vec<_> = builtins().iter().map(DeviceBuiltin::label).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), builtins().len());
    for builtin in builtins() {
        let shader = builtin.shader();
        let module =
            naga::front::wgsl::parse_str(&shader).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&shader)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        validator.validate(&module).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&shader)));
    }
}

#[test]
fn the_page_has_a_row_for_each_builtin_that_was_measured() {
    let table = [named("sin(x)"), named("exp(x)")];
    let found = |name: &str| (name.to_owned(), measured(&named(name), |_, exact| exact + 0.1));
    let device = MeasuredDevice {
        name: "Model".to_owned(),
        driver: "none 1.0".to_owned(),
        level: "quick".to_owned(),
        builtins: vec![found("sin(x)")],
    };
    let page = page(&table, &[device]);
    assert!(page.contains("## Model\nDriver: none 1.0. Level: quick. 1 of 2 built-ins were measured. It breaks promises of `sin(x)`.\n"), "{page}");
    assert!(page.contains("| `sin(x)` | 2^-11 absolute in -pi .. pi | the same |") && !page.contains("| `exp(x)`"));
}

#[test]
fn a_device_of_which_nothing_was_measured_keeps_nothing() {
    let [name, driver, level] = ["Model", "none 1.0", "quick"].map(str::to_owned);
    let page = page(&[named("sin(x)")], &[MeasuredDevice { name, driver, level, builtins: Vec::new() }]);
    assert!(page.contains("0 of 1 built-ins were measured. Nothing is known of its promises.\n"), "{page}");
}
