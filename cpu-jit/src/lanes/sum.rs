//! Scalars as sums: a constant, and other `i64` scalars times constants.
//!
//! All arithmetic is modulo 2^64, like addresses. `split` and `address` represent offsets as sums.

use smallvec::SmallVec;

use super::program::LaneValue;

/// Number of terms stored inline.
const USUAL: usize = 4;

/// Scalars, each times a constant: sorted by value, without duplicates or zero factors.
pub(super) type Terms = SmallVec<[(LaneValue, i64); USUAL]>;

/// A sum of terms and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    pub(super) terms: Terms,
    pub(super) constant: i64,
}

impl Sum {
    /// The sum of one opaque scalar.
    pub(super) fn of(value: LaneValue) -> Sum {
        Sum::term(value, 1)
    }

    /// A scalar times a constant.
    pub(super) fn term(value: LaneValue, times: i64) -> Sum {
        let mut terms = Terms::new();
        if times != 0 {
            terms.push((value, times));
        }
        Sum { terms, constant: 0 }
    }

    /// A number.
    pub(super) fn number(constant: i64) -> Sum {
        Sum { terms: Terms::new(), constant }
    }

    /// Adds `times` times another sum, if the result has at most `most` terms.
    pub(super) fn plus(&self, other: &Sum, times: i64, most: usize) -> Option<Sum> {
        let mut terms = self.terms.clone();
        for &(value, by) in &other.terms {
            let by = by.wrapping_mul(times);
            match terms.binary_search_by_key(&value, |term| term.0) {
                Ok(at) => terms[at].1 = terms[at].1.wrapping_add(by),
                Err(at) => terms.insert(at, (value, by)),
            }
        }
        terms.retain(|term| term.1 != 0);
        let constant = self.constant.wrapping_add(other.constant.wrapping_mul(times));
        (terms.len() <= most).then_some(Sum { terms, constant })
    }

    /// The sum times a constant.
    pub(super) fn times(&self, by: i64) -> Sum {
        let mut terms = self.terms.clone();
        terms.iter_mut().for_each(|term| term.1 = term.1.wrapping_mul(by));
        terms.retain(|term| term.1 != 0);
        Sum { terms, constant: self.constant.wrapping_mul(by) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_modulo_two_to_the_64th() {
        let (a, b) = (LaneValue(3), LaneValue(5));
        let x = Sum { constant: i64::MAX, ..Sum::term(a, 4) };
        let y = Sum::term(a, -4).plus(&Sum::of(b), 1, 4).and_then(|sum| sum.plus(&Sum::number(1), 1, 4));
        let y = y.expect("it is short");
        assert_eq!(x.plus(&y, 1, 4), Some(Sum { constant: i64::MIN, ..Sum::of(b) }));
        assert_eq!(y.times(1 << 62).terms.as_slice(), [(b, 1 << 62)]);
        assert_eq!(y.times(0), Sum::default());
    }

    #[test]
    fn a_sum_of_too_many_terms_is_none() {
        let sum = Sum::of(LaneValue(1)).plus(&Sum::of(LaneValue(2)), 7, 2).expect("two are no more than two");
        assert_eq!(sum.plus(&Sum::of(LaneValue(3)), 1, 2), None);
        assert_eq!(sum.plus(&Sum::of(LaneValue(2)), -7, 2), Some(Sum::of(LaneValue(1))));
    }
}
