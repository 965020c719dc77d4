//! Iterators over parts of arrays.

use std::iter::{Skip, Take};

use super::super::Called;
use super::{Adapted, IteratedSource, marks};
use crate::targets::native::running;

/// Iterators over parts of arrays: `a[1..n].iter()` is `a.iter().tilewise_part_between(1, n)`. In a kernel, a part ends
/// where the array does; on the host, these panic as Rust does.
pub trait ArrayParts: ExactSizeIterator + IteratedSource + Sized {
    /// `a[low..]`
    #[inline(always)]
    #[track_caller]
    fn tilewise_part_from_marked_amp(self, low: usize) -> Called<Skip<Self>, Adapted<marks::PartFrom, Self::Kind>> {
        is_part(low, self.len(), self.len());
        Called::new(self.skip(low))
    }

    /// `a[..high]`
    #[inline(always)]
    #[track_caller]
    fn tilewise_part_to_marked_amp(self, high: usize) -> Called<Take<Self>, Adapted<marks::PartTo, Self::Kind>> {
        is_part(0, high, self.len());
        Called::new(self.take(high))
    }

    /// `a[low..high]`
    #[inline(always)]
    #[track_caller]
    fn tilewise_part_between_marked_amp(
        self,
        low: usize,
        high: usize,
    ) -> Called<Skip<Take<Self>>, Adapted<marks::PartBetween, Self::Kind>> {
        is_part(low, high, self.len());
        Called::new(self.take(high).skip(low))
    }
}

impl<I: ExactSizeIterator + IteratedSource> ArrayParts for I {}

/// A part that is not there: in a kernel there is less of it.
///
/// # Panics
/// On the host, with Rust's messages.
#[inline(always)]
#[track_caller]
fn is_part(low: usize, high: usize, length: usize) {
    if low > high || high > length {
        no_part(low, high, length);
    }
}

#[cold]
#[track_caller]
fn no_part(low: usize, high: usize, length: usize) {
    assert!(
        running::inside() || low > length || high <= length,
        "range end index {high} out of range for slice of length {length}"
    );
    assert!(running::inside() || low <= length, "range start index {low} out of range for slice of length {length}");
    assert!(running::inside(), "slice index starts at {low} but ends at {high}");
}
