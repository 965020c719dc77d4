//! Methods of ranges with a `mut` name, which are iterators in kernels: what is left of one.

use std::ops::{Range, RangeInclusive};

use super::super::Called;
use super::{Adapted, kinds, marks};

/// The companions of the methods of ranges.
pub trait AskedRanges<T> {
    /// The companion of `contains`.
    fn contains_marked_amp(&self, item: &T) -> Called<bool, Adapted<marks::Contains, kinds::Range>>
    where
        T: PartialOrd;

    /// The companion of `is_empty`.
    fn is_empty_marked_amp(&self) -> Called<bool, Adapted<marks::IsEmpty, kinds::Range>>
    where
        T: PartialOrd;
}

macro_rules! ranges {
    ($($range:ident)*) => {$(
        impl<T> AskedRanges<T> for $range<T> {
            #[inline(always)]
            fn contains_marked_amp(&self, item: &T) -> Called<bool, Adapted<marks::Contains, kinds::Range>>
            where
                T: PartialOrd,
            {
                Called::new(self.contains(item))
            }

            #[inline(always)]
            fn is_empty_marked_amp(&self) -> Called<bool, Adapted<marks::IsEmpty, kinds::Range>>
            where
                T: PartialOrd,
            {
                Called::new(self.is_empty())
            }
        }
    )*};
}

ranges!(Range RangeInclusive);
