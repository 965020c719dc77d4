//! Measures the errors of a function, in steps.

use std::cmp::Ordering;
use std::thread;

use super::AccuracyLevel;
use super::arguments;
use super::exact::{ExactValue, exact_value};
use super::functions::{AccuracyFunction, OracleValue};
use super::run::FunctionRunner;

/// The errors that were found.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeasuredErrors {
    /// Arguments that were tried.
    pub tried: u64,
    /// Results that are not the nearest number.
    pub wrong: u64,
    /// Results further from the exact one than the function may be.
    pub beyond: u64,
    /// Results of which not even the exact value tells whether they are the nearest number: it is
    /// the middle of two, as far as 200 bits show.
    pub undecided: u64,
    /// The largest error of a result that is not the nearest number, in units of the last place of
    /// the exact one; in `fast_math`, of any result.
    pub largest: f64,
    /// The arguments that have it, as bits.
    pub witness: [u64; 2],
}

impl MeasuredErrors {
    /// These and those together.
    pub fn merge(&mut self, other: &MeasuredErrors) {
        self.tried += other.tried;
        self.wrong += other.wrong;
        self.beyond += other.beyond;
        self.undecided += other.undecided;
        if other.largest > self.largest {
            (self.largest, self.witness) = (other.largest, other.witness);
        }
    }

    /// Adds one result, as bits.
    pub(super) fn add(&mut self, function: &AccuracyFunction, row: [u64; 2], found: u64) {
        let exact = function.oracle.of(row[0], row[1]);
        let judged = match function.oracle.is_double() {
            true => double(function, row, f64::from_bits(found), exact),
            false => single(function, row, f32::from_bits(found as u32), exact),
        };
        self.tried += 1;
        self.wrong += u64::from(judged.wrong);
        self.undecided += u64::from(judged.undecided);
        let beyond = if function.limit <= 0.5 { judged.wrong } else { judged.error > function.limit };
        let held = |(from, to)| !(from..=to).contains(&f64::from_bits(row[0]));
        self.beyond += u64::from(beyond && function.unbounded.is_none_or(held));
        if judged.error > self.largest {
            (self.largest, self.witness) = (judged.error, row);
        }
    }
}

/// One result beside the exact one.
struct Judged {
    wrong: bool,
    undecided: bool,
    error: f64,
}

impl Judged {
    const RIGHT: Judged = Judged { wrong: false, undecided: false, error: 0.0 };
    const FAR: Judged = Judged { wrong: true, undecided: false, error: f64::INFINITY };
}

fn single(function: &AccuracyFunction, row: [u64; 2], found: f32, exact: OracleValue) -> Judged {
    match exact {
        OracleValue::Rounded(exact) => {
            let nearest = exact as f32;
            if nearest.is_nan() || found.is_nan() {
                return if nearest.is_nan() && found.is_nan() { Judged::RIGHT } else { Judged::FAR };
            }
            if found.to_bits() == nearest.to_bits() {
                return Judged::RIGHT;
            }
            if found == nearest {
                return Judged::FAR;
            }
            let steps = ordered(found.to_bits()).abs_diff(ordered(nearest.to_bits()));
            Judged { wrong: true, undecided: false, error: f64::from(steps) }
        }
        OracleValue::Near(exact, error) => {
            if found.is_nan() {
                return Judged::FAR;
            }
            let ends = [(exact * (1.0 - error)) as f32, (exact * (1.0 + error)) as f32];
            let nearest = match ends[0].to_bits() == ends[1].to_bits() {
                true => Some(ends[0]),
                false => nearer(function, row, ends),
            };
            let off = match (found.is_finite(), ends[0].is_finite()) {
                (true, true) => (f64::from(found) - exact).abs() / unit(ends[0]),
                (false, false) if found == ends[0] => 0.0,
                _ if ends.contains(&found) => 0.5,
                _ => f64::INFINITY,
            };
            let right = nearest.is_some_and(|nearest| nearest.to_bits() == found.to_bits());
            let undecided = nearest.is_none() && ends.iter().any(|end| end.to_bits() == found.to_bits());
            let error = if right && function.limit <= 0.5 { 0.0 } else { off };
            Judged { wrong: !right && !undecided, undecided, error }
        }
    }
}

/// The one of two neighbours that is nearer to the exact result, unless that is their middle.
fn nearer(function: &AccuracyFunction, row: [u64; 2], [a, b]: [f32; 2]) -> Option<f32> {
    let exact = exact_of(function, row)?;
    // An infinity stands for the next power of two.
    let number = |x: f32| if x.is_infinite() { f64::from(x.signum()) * 2.0_f64.powi(128) } else { f64::from(x) };
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let middle = number(low) / 2.0 + number(high) / 2.0;
    match exact.order(&ExactValue::from(middle))? {
        Ordering::Less => Some(low),
        Ordering::Greater => Some(high),
        Ordering::Equal => None,
    }
}

/// The exact result for arguments as bits.
fn exact_of(function: &AccuracyFunction, row: [u64; 2]) -> Option<ExactValue> {
    let number = |bits: u64| match function.oracle.is_double() {
        true => f64::from_bits(bits),
        false => f64::from(f32::from_bits(bits as u32)),
    };
    exact_value(function.name(), number(row[0]), number(row[1]))
}

fn double(function: &AccuracyFunction, row: [u64; 2], found: f64, oracle: OracleValue) -> Judged {
    let (OracleValue::Rounded(known) | OracleValue::Near(known, _)) = oracle;
    if known.is_nan() || found.is_nan() {
        return if known.is_nan() && found.is_nan() { Judged::RIGHT } else { Judged::FAR };
    }
    if matches!(oracle, OracleValue::Rounded(_)) {
        if found.to_bits() == known.to_bits() {
            return Judged::RIGHT;
        }
        if found == known {
            return Judged::FAR;
        }
    }
    let Some(exact) = exact_of(function, row).filter(|_| found.is_finite()) else {
        let steps = ordered_double(found.to_bits()).abs_diff(ordered_double(known.to_bits()));
        return Judged { wrong: true, undecided: false, error: steps as f64 };
    };
    let error = exact.units_from(found);
    if function.oracle.needs_exact_values() && error <= 0.5 {
        return Judged { undecided: error == 0.5, ..Judged::RIGHT };
    }
    Judged { wrong: true, undecided: false, error }
}

/// The unit of the last place of an `f32`.
fn unit(x: f32) -> f64 {
    let exponent = (x.to_bits() >> 23 & 0xff).max(1) as i32;
    2.0_f64.powi(exponent - 150)
}

/// A number for the bits of an `f32` that counts the steps between floats.
fn ordered(bits: u32) -> i32 {
    if bits >> 31 == 0 { bits as i32 } else { -((bits & 0x7fff_ffff) as i32) }
}

fn ordered_double(bits: u64) -> i64 {
    if bits >> 63 == 0 { bits as i64 } else { -((bits & (u64::MAX >> 1)) as i64) }
}

/// A measurement that is under way.
#[derive(Clone, Debug)]
pub struct AccuracyRun {
    function: AccuracyFunction,
    /// The arguments: special ones, then those by number up to `total`.
    special: Vec<[u64; 2]>,
    exhaustive: bool,
    total: u64,
    next: u64,
    errors: MeasuredErrors,
}

/// Arguments of a launch.
const CHUNK: u64 = 1 << 17;

impl AccuracyRun {
    /// A measurement from its beginning.
    pub fn new(function: AccuracyFunction, level: AccuracyLevel) -> AccuracyRun {
        let exhaustive = level == AccuracyLevel::Full && function.is_exhaustible();
        let total = match level {
            AccuracyLevel::Quick if function.oracle.needs_exact_values() => 1_000,
            AccuracyLevel::Quick => 20_000,
            AccuracyLevel::Full if exhaustive => 1 << 32,
            AccuracyLevel::Full if function.oracle.needs_exact_values() => 200_000,
            AccuracyLevel::Full if function.oracle.is_double() => 100_000_000,
            AccuracyLevel::Full => 1_000_000_000,
        };
        let special = if exhaustive { Vec::new() } else { arguments::special(&function) };
        AccuracyRun { function, special, exhaustive, total, next: 0, errors: MeasuredErrors::default() }
    }

    /// A measurement that was stopped when `next` arguments were done, with these errors.
    #[must_use]
    pub fn continued(self, next: u64, errors: MeasuredErrors) -> AccuracyRun {
        AccuracyRun { next: next.min(self.len()), errors, ..self }
    }

    /// The number of arguments.
    pub fn len(&self) -> u64 {
        self.special.len() as u64 + self.total
    }

    /// Whether there is nothing to measure: never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of arguments that are done.
    pub const fn done(&self) -> u64 {
        self.next
    }

    /// Are all arguments done?
    pub fn is_complete(&self) -> bool {
        self.next >= self.len()
    }

    /// What was found so far.
    pub const fn errors(&self) -> &MeasuredErrors {
        &self.errors
    }

    fn row(&self, number: u64) -> [u64; 2] {
        match (self.special.get(number as usize), number.wrapping_sub(self.special.len() as u64)) {
            (Some(&row), _) => row,
            (None, bits) if self.exhaustive => [bits, 0],
            (None, index) => arguments::random(&self.function, index),
        }
    }

    /// Measures the next arguments, with that many threads. The error is the reason why the target
    /// did not run the function.
    pub fn step(&mut self, runner: &FunctionRunner, threads: usize) -> Result<(), String> {
        let chunks = (0..threads.max(1) as u64 * 4).map(|i| self.next + i * CHUNK);
        let chunks: Vec<(u64, u64)> =
            chunks.map(|from| (from, (from + CHUNK).min(self.len()))).filter(|(from, to)| from < to).collect();
        let Some(&(_, end)) = chunks.last() else { return Ok(()) };
        let measured = |(from, to): (u64, u64)| {
            let rows: Vec<_> = (from..to).map(|number| self.row(number)).collect();
            let mut errors = MeasuredErrors::default();
            for (&row, found) in rows.iter().zip(runner.run(&rows)?) {
                errors.add(&self.function, row, found);
            }
            Ok::<_, String>(errors)
        };
        let parts: Vec<Result<MeasuredErrors, String>> = thread::scope(|scope| {
            let shares = chunks.chunks(chunks.len().div_ceil(threads.max(1)));
            let work = |share: &[(u64, u64)]| -> Result<MeasuredErrors, String> {
                let mut errors = MeasuredErrors::default();
                for &chunk in share {
                    errors.merge(&measured(chunk)?);
                }
                Ok(errors)
            };
            let handles: Vec<_> = shares.map(|share| scope.spawn(move || work(share))).collect();
            let ended = |handle: thread::ScopedJoinHandle<'_, _>| {
                handle.join().unwrap_or_else(|_| Err("a thread of the measurement ended early".to_owned()))
            };
            handles.into_iter().map(ended).collect()
        });
        for part in parts {
            self.errors.merge(&part?);
        }
        self.next = end;
        Ok(())
    }
}
