//! Measures a built-in, in steps.

use std::thread;

use super::arguments;
use super::builtin::{AccuracyPromise, DeviceBuiltin, WordKind, Words};
use super::range::FloatWidth;
use crate::sweep::SweepLevel;

/// What runs shaders.
pub trait BuiltinRunner {
    /// Runs the compute shader of a [`DeviceBuiltin`], in tiles of 64 threads: words of arguments, one column
    /// after the other, and the number of columns of results. The error is the driver's.
    fn run(&mut self, shader: &str, given: &[u32], rows: usize, results: usize) -> Result<Vec<u32>, String>;
}

/// An error, and where it is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeasuredError {
    /// In units of the last place of the exact result, or absolute.
    pub size: f64,
    /// The arguments, as words.
    pub given: Vec<u32>,
    /// The result that it is of: 0 but for vectors and pairs.
    pub component: usize,
    /// The exact result.
    pub exact: f64,
    /// The word that the device gave.
    pub got: u32,
}

/// Results beyond a promise.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PromiseBreach {
    /// How many.
    pub count: u64,
    /// The worst of them, in units of the last place.
    pub worst: MeasuredError,
}

/// What was found of a built-in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeasuredBuiltin {
    /// Rows of arguments that were tried.
    pub tried: u64,
    /// The largest error where WGSL promises an accuracy (if it promises none, anywhere), in units of the
    /// last place.
    pub largest: MeasuredError,
    /// The largest absolute error there.
    pub absolute: MeasuredError,
    /// The largest error where nothing is promised, in units of the last place.
    pub elsewhere: MeasuredError,
    /// The largest part of the error that WGSL allows which a result has; 1 is all of it.
    pub used_of_wgsl: f64,
    /// The same of Vulkan.
    pub used_of_vulkan: f64,
    /// Results beyond what WGSL promises.
    pub wgsl: PromiseBreach,
    /// Results beyond what Vulkan promises.
    pub vulkan: PromiseBreach,
    /// Zeros in place of subnormal results.
    pub flushed: u64,
    /// Results of infinite arguments and NaN, or that are infinite or NaN.
    pub special: u64,
    /// Those of them that are not what IEEE 754 has; nothing is promised of them.
    pub special_wrong: u64,
}

/// Keeps the larger of two.
fn keep(kept: &mut MeasuredError, other: &MeasuredError) {
    if other.size > kept.size {
        kept.clone_from(other);
    }
}

impl PromiseBreach {
    fn merge(&mut self, other: &PromiseBreach) {
        self.count += other.count;
        keep(&mut self.worst, &other.worst);
    }
}

impl MeasuredBuiltin {
    /// Does the device keep all promises?
    pub fn is_kept(&self) -> bool {
        self.wgsl.count == 0 && self.vulkan.count == 0
    }

    /// These and those together.
    pub fn merge(&mut self, other: &MeasuredBuiltin) {
        self.tried += other.tried;
        keep(&mut self.largest, &other.largest);
        keep(&mut self.absolute, &other.absolute);
        keep(&mut self.elsewhere, &other.elsewhere);
        self.used_of_wgsl = self.used_of_wgsl.max(other.used_of_wgsl);
        self.used_of_vulkan = self.used_of_vulkan.max(other.used_of_vulkan);
        self.wgsl.merge(&other.wgsl);
        self.vulkan.merge(&other.vulkan);
        self.flushed += other.flushed;
        self.special += other.special;
        self.special_wrong += other.special_wrong;
    }

    /// Adds the results of a row of arguments.
    fn add(&mut self, builtin: &DeviceBuiltin, given: Words<'_>, got: &[u32]) {
        self.tried += 1;
        let exact = (builtin.exact)(given);
        let allowed = |promise: &AccuracyPromise| promise.allowed.map(|allowed| allowed(given));
        let (wgsl, vulkan) = (allowed(&builtin.wgsl), allowed(&builtin.vulkan));
        let mut is_finite =
            builtin.arguments.iter().zip(given).all(|(kind, &word)| number(*kind, builtin.width, word).is_finite());
        is_finite &= exact[..got.len()].iter().all(|exact| exact.abs() <= builtin.width.most());
        for (component, (&word, &kind)) in got.iter().zip(builtin.results).enumerate() {
            let (exact, found) = (exact[component], number(kind, builtin.width, word));
            if !is_finite {
                self.special += 1;
                self.special_wrong += u64::from(!is_ieee(exact, found, kind, builtin.width));
                continue;
            }
            let by = if found.is_finite() { (found - exact).abs() } else { f64::INFINITY };
            let found_error = |size| MeasuredError { size, given: given.to_vec(), component, exact, got: word };
            let units = by / if kind == WordKind::Float { builtin.width.unit(exact) } else { 1.0 };
            let breaks = |ranges: &Option<super::builtin::AllowedResults>| {
                ranges.is_some_and(|ranges| !ranges[component].is_any() && !ranges[component].contains(found))
            };
            for (breach, breaks) in [(&mut self.wgsl, breaks(&wgsl)), (&mut self.vulkan, breaks(&vulkan))] {
                if breaks {
                    breach.count += 1;
                    if units > breach.worst.size || breach.count == 1 {
                        breach.worst = found_error(units);
                    }
                }
            }
            if found == 0.0 && exact != 0.0 && exact.abs() < builtin.width.least() && kind == WordKind::Float {
                self.flushed += 1;
                continue;
            }
            // Of a subnormal argument that is taken for zero, no error can be told.
            let is_normal =
                builtin.arguments.iter().zip(given).all(|(kind, &word)| is_plain(*kind, builtin.width, word));
            if !is_normal {
                continue;
            }
            let share = |ranges: &Option<super::builtin::AllowedResults>| {
                ranges.and_then(|ranges| ranges[component].share(exact, found)).unwrap_or(0.0)
            };
            self.used_of_wgsl = self.used_of_wgsl.max(share(&wgsl));
            self.used_of_vulkan = self.used_of_vulkan.max(share(&vulkan));
            let is_promised = wgsl.is_none_or(|ranges| !ranges[component].is_any());
            let kept = if is_promised { &mut self.largest } else { &mut self.elsewhere };
            if units > kept.size {
                *kept = found_error(units);
            }
            if is_promised && by > self.absolute.size {
                self.absolute = found_error(by);
            }
        }
    }
}

/// A word as a number.
fn number(kind: WordKind, width: FloatWidth, word: u32) -> f64 {
    match kind {
        WordKind::Float => width.number(word),
        WordKind::Int => f64::from(word as i32),
        WordKind::Uint => f64::from(word),
    }
}

/// Is it no subnormal float?
fn is_plain(kind: WordKind, width: FloatWidth, word: u32) -> bool {
    let x = width.number(word);
    kind != WordKind::Float || x == 0.0 || x.abs() >= width.least() || x.is_nan()
}

/// Is it the infinity or NaN that the exact result is, or the largest number for a result beyond all?
fn is_ieee(exact: f64, found: f64, kind: WordKind, width: FloatWidth) -> bool {
    match kind {
        WordKind::Float if exact.is_nan() => found.is_nan(),
        WordKind::Float => found == width.number(width.word(exact)),
        WordKind::Int | WordKind::Uint => true,
    }
}

/// Rows of arguments in a launch.
const ROWS: u64 = 1 << 17;

/// A measurement of one built-in on one device.
#[derive(Debug)]
pub struct DeviceMeasurement {
    builtin: DeviceBuiltin,
    /// Rows that are tried; of a `full` measurement of one word, and of each of one `f16`, all words.
    rows: u64,
    is_exhaustive: bool,
    next: u64,
    found: MeasuredBuiltin,
}

impl DeviceMeasurement {
    /// Begins a measurement.
    pub fn new(builtin: DeviceBuiltin, level: SweepLevel) -> DeviceMeasurement {
        // There are few `f16`.
        let is_half = builtin.arguments == [WordKind::Float] && builtin.width == FloatWidth::Half;
        let is_exhaustive = is_half || level == SweepLevel::Full && builtin.arguments.len() == 1;
        let rows = match level {
            _ if is_half => 1 << 16,
            SweepLevel::Quick => 1 << 14,
            SweepLevel::Std => 1 << 20,
            SweepLevel::Full if is_exhaustive => 1 << 32,
            SweepLevel::Full => 1 << 26,
        };
        DeviceMeasurement { builtin, rows, is_exhaustive, next: 0, found: MeasuredBuiltin::default() }
    }

    /// The rows to try.
    pub const fn len(&self) -> u64 {
        self.rows
    }

    /// Is there nothing to try?
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The rows that were tried.
    pub const fn done(&self) -> u64 {
        self.next
    }

    /// What was found up to now.
    pub const fn found(&self) -> &MeasuredBuiltin {
        &self.found
    }

    /// Tries some more rows, judged by so many threads.
    pub fn step(&mut self, runner: &mut dyn BuiltinRunner, threads: usize) -> Result<(), String> {
        let end = self.rows.min(self.next + ROWS);
        let (count, builtin) = ((end - self.next) as usize, &self.builtin);
        let arity = builtin.arguments.len();
        let mut rows = Vec::with_capacity(count * arity);
        for index in self.next..end {
            if self.is_exhaustive {
                rows.push(index as u32);
            } else {
                arguments::random(builtin, index, &mut rows);
            }
        }
        let column = |at: usize| rows.iter().skip(at).step_by(arity);
        let given: Vec<u32> = (0..arity).flat_map(column).copied().collect();
        let results = builtin.results.len();
        let got = runner.run(&builtin.shader(), &given, count, results)?;
        if got.len() != count * results {
            return Err(format!("the device gave {} words in place of {}", got.len(), count * results));
        }
        let judge = |part: std::ops::Range<usize>| {
            let mut found = MeasuredBuiltin::default();
            for row in part {
                let words: [u32; super::builtin::MOST_RESULTS] =
                    std::array::from_fn(|at| if at < results { got[at * count + row] } else { 0 });
                found.add(builtin, &rows[row * arity..(row + 1) * arity], &words[..results]);
            }
            found
        };
        let share = count.div_ceil(threads.max(1)).max(1);
        let parts: Vec<Option<MeasuredBuiltin>> = thread::scope(|scope| {
            let starts = (0..count).step_by(share);
            let handles: Vec<_> =
                starts.map(|from| scope.spawn(move || judge(from..count.min(from + share)))).collect();
            handles.into_iter().map(|handle| handle.join().ok()).collect()
        });
        for part in parts {
            self.found.merge(&part.ok_or("a thread that judges results ended early")?);
        }
        self.next = end;
        Ok(())
    }
}
