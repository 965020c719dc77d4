//! [`PeerOutput`]: results, and how two of them are compared.

use std::fmt;

use approx::relative_eq;

use crate::Tolerance;

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum PeerOutput {
    /// Floats.
    Floats(Vec<f32>),
    /// Whole numbers.
    Words(Vec<u32>),
}

/// The first difference between two results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl PeerOutput {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            PeerOutput::Floats(all) => all.len(),
            PeerOutput::Words(all) => all.len(),
        }
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this is the expected result: the same bits (any NaN for a NaN), or within the
    /// tolerance.
    ///
    /// # Errors
    /// The first element that differs, and the number of such elements.
    pub fn compare(&self, expected: &PeerOutput, tolerance: Option<Tolerance>) -> Result<(), Mismatch> {
        if self.len() != expected.len() {
            return Err(Mismatch { message: format!("{} elements, expected {}", self.len(), expected.len()) });
        }
        match (self, expected) {
            (PeerOutput::Floats(found), PeerOutput::Floats(expected)) => {
                first(found, expected, |x, y| same_float(*x, *y, tolerance))
            }
            (PeerOutput::Words(found), PeerOutput::Words(expected)) => first(found, expected, |x, y| x == y),
            _ => Err(Mismatch { message: "floats on one side, whole numbers on the other".into() }),
        }
    }
}

fn same_float(found: f32, expected: f32, tolerance: Option<Tolerance>) -> bool {
    let close = |t: Tolerance| relative_eq!(found, expected, epsilon = t.absolute, max_relative = t.relative);
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()) || tolerance.is_some_and(close)
}

fn first<T: fmt::Display>(found: &[T], expected: &[T], same: impl Fn(&T, &T) -> bool) -> Result<(), Mismatch> {
    let mut wrong = found.iter().zip(expected).enumerate().filter(|(_, (x, y))| !same(x, y));
    let Some((at, (x, y))) = wrong.next() else { return Ok(()) };
    let more = wrong.count();
    let message = format!("element {at} is {x}, expected {y}; {more} more of {} differ", found.len());
    Err(Mismatch { message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_by_bits_but_for_nan() {
        let one = PeerOutput::Floats(vec![1.0, f32::NAN]);
        assert!(one.compare(&PeerOutput::Floats(vec![1.0, -f32::NAN]), None).is_ok());
        let zero = PeerOutput::Floats(vec![0.0]);
        let wrong = zero.compare(&PeerOutput::Floats(vec![-0.0]), None);
        assert_eq!(
            wrong.expect_err("their bits differ").to_string(),
            "element 0 is 0, expected -0; 0 more of 1 differ"
        );
    }

    #[test]
    fn a_tolerance_is_relative_or_absolute() {
        let tolerance = Some(Tolerance { relative: 0.01, absolute: 0.5, why: "a test" });
        let is_close = |found: f32, expected: f32| {
            PeerOutput::Floats(vec![found]).compare(&PeerOutput::Floats(vec![expected]), tolerance).is_ok()
        };
        assert!(is_close(101.0, 100.0) && !is_close(101.1, 100.0));
        assert!(is_close(1.4, 1.0) && !is_close(1.6, 1.0));
        assert!(!is_close(f32::NAN, 100.0) && !is_close(100.0, f32::NAN));
        assert!(is_close(f32::INFINITY, f32::INFINITY) && !is_close(f32::MAX, f32::INFINITY));
    }
}
