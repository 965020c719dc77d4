//! [`Ranges`]: a set of bytes as sorted runs of offsets.

use std::hint::black_box;

use crate::fault::{self, Fault};

/// Bytes of the lists that sets of bytes and what borrows them take for each run: sets are united, and grow.
const RUN_BYTES: u64 = 256;

/// Asks for room for the lists of so many runs, before they are made: a section may have many rows. Gives the bytes
/// that there is no room for.
pub fn room_for_runs(runs: u64) -> Result<(), u64> {
    let bytes = runs.saturating_mul(RUN_BYTES);
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(usize::try_from(bytes).map_err(|_| bytes)?).map_err(|_| bytes)?;
    // Seen from outside, or the compiler would leave it out.
    drop(black_box(room));
    Ok(())
}

/// A set of bytes: half-open runs, sorted and separated by gaps.
///
/// ```
/// use tilewise_ir::launch::Ranges;
/// let rows = Ranges::from_iter([(100, 8), (0, 8), (4, 8)]);
/// assert_eq!(rows.runs().collect::<Vec<_>>(), [(0, 12), (100, 8)]);
/// assert_eq!(rows.without(&Ranges::solid(2, 101)).runs().collect::<Vec<_>>(), [(0, 2), (101, 7)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u64, u64)>);

/// From runs (first byte, number of bytes), in any order; they may overlap.
impl FromIterator<(u64, u64)> for Ranges {
    fn from_iter<R: IntoIterator<Item = (u64, u64)>>(runs: R) -> Ranges {
        let mut ranges = Ranges::NONE;
        let mut late = Vec::new();
        for (start, bytes) in runs {
            match ranges.0.last() {
                Some(last) if start < last.0 => late.push((start, start + bytes)),
                _ => ranges.push(start, start + bytes),
            }
        }
        late.sort_unstable();
        let mut rest = Ranges::NONE;
        late.into_iter().for_each(|(start, end)| rest.push(start, end));
        ranges.with(&rest)
    }
}

impl Ranges {
    /// The empty set.
    pub const NONE: Ranges = Ranges(Vec::new());

    /// The bytes `start..end`.
    pub fn solid(start: u64, end: u64) -> Ranges {
        if start < end { Ranges(vec![(start, end)]) } else { Ranges::NONE }
    }

    /// Adds a run that does not begin before the last one.
    fn push(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        match self.0.last_mut() {
            Some(last) if start <= last.1 + 4 * u64::from(fault::planted(Fault::RangesJoinTooFar)) => {
                last.1 = last.1.max(end);
            }
            _ => self.0.push((start, end)),
        }
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of bytes.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// The runs: first byte and number of bytes.
    pub fn runs(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().map(|(start, end)| (*start, end - start))
    }

    /// The first byte and the end (exclusive) of the last run; `None` if empty.
    pub fn bounds(&self) -> Option<(u64, u64)> {
        Some((self.0.first()?.0, self.0.last()?.1))
    }

    /// Union.
    pub fn with(&self, other: &Ranges) -> Ranges {
        if self.contains(other) {
            return self.clone();
        }
        let mut out = Ranges::NONE;
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.0 <= y.0 => a.next(),
                (Some(_), None) => a.next(),
                (_, Some(_)) => b.next(),
                (None, None) => return out,
            };
            if let Some(&(start, end)) = next {
                out.push(start, end);
            }
        }
    }

    /// Difference: the bytes in `self` and not in `other`.
    pub fn without(&self, other: &Ranges) -> Ranges {
        let mut out = Ranges::NONE;
        let mut cuts = other.0.iter().peekable();
        for &(mut start, end) in &self.0 {
            // A cut that ends before this run ends before all later runs too.
            while cuts.next_if(|cut| cut.1 <= start).is_some() {}
            let mut ahead = cuts.clone();
            while let Some(&(from, to)) = ahead.next_if(|cut| cut.0 < end) {
                out.push(start, from.max(start));
                start = start.max(to);
            }
            out.push(start, end);
        }
        out
    }

    /// Intersection.
    pub fn and(&self, other: &Ranges) -> Ranges {
        let mut out = Ranges::NONE;
        let (mut i, mut j) = (0, 0);
        while let (Some(&(a, a_end)), Some(&(b, b_end))) = (self.0.get(i), other.0.get(j)) {
            out.push(a.max(b), a_end.min(b_end));
            if a_end <= b_end {
                i += 1;
            } else {
                j += 1;
            }
        }
        out
    }

    /// Whether `other` is a subset.
    pub fn contains(&self, other: &Ranges) -> bool {
        other.0.iter().all(|&(start, end)| {
            let after = self.0.partition_point(|run| run.0 <= start);
            after > 0 && self.0[after - 1].1 >= end
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(bytes: &[bool]) -> Ranges {
        let mut ranges = Ranges::NONE;
        for (at, _) in bytes.iter().enumerate().filter(|(_, here)| **here) {
            ranges.push(at as u64, at as u64 + 1);
        }
        ranges
    }

    fn each(a: &[bool], b: &[bool], what: impl Fn(bool, bool) -> bool) -> Ranges {
        of(&a.iter().zip(b).map(|(&a, &b)| what(a, b)).collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 20 } else { 256 }) })]

        #[test]
        fn sets_are_as_those_of_single_bytes(
            a in prop::collection::vec(any::<bool>(), 24),
            b in prop::collection::vec(any::<bool>(), 24),
        ) {
            let (x, y) = (of(&a), of(&b));
            prop_assert_eq!(x.with(&y), each(&a, &b, |a, b| a || b));
            prop_assert_eq!(x.without(&y), each(&a, &b, |a, b| a && !b));
            prop_assert_eq!(x.and(&y), each(&a, &b, |a, b| a && b));
            prop_assert_eq!(x.contains(&y), a.iter().zip(&b).all(|(&a, &b)| a || !b));
            prop_assert_eq!(x.bytes(), a.iter().filter(|a| **a).count() as u64);
        }
    }

    #[test]
    fn runs_may_come_in_any_order_and_have_bytes_in_common() {
        let of = |runs: &[(u64, u64)]| Ranges::from_iter(runs.iter().copied());
        assert_eq!(of(&[(4, 3), (14, 3)]).runs().collect::<Vec<_>>(), [(4, 3), (14, 3)]);
        assert_eq!(
            of(&[(14, 3), (4, 3), (0, 2), (6, 2), (9, 0)]).runs().collect::<Vec<_>>(),
            [(0, 2), (4, 4), (14, 3)]
        );
        assert_eq!(of(&[(0, 9), (3, 2), (1, 1), (9, 1)]).runs().collect::<Vec<_>>(), [(0, 10)]);
        let all = of(&[(4, 3), (14, 3)]).with(&Ranges::solid(7, 14));
        assert_eq!((all.bounds(), all.bytes()), (Some((4, 17)), 13));
        assert_eq!(of(&[]).bounds(), None);
    }
}
