//! `low..`: an iterator of its own, as the standard library's goes on behind the largest `usize` of a kernel.

use std::ops::RangeFrom;

use super::super::width::{Narrowing, narrowed};
use crate::kernel::types::KernelType;

/// The numbers from one on. In a kernel, the smallest comes behind the largest.
#[derive(Clone, Debug)]
pub struct EndlessRange<T>(RangeFrom<T>);

/// Makes one of the range that the user wrote.
#[inline(always)]
pub const fn endless<T>(range: RangeFrom<T>) -> EndlessRange<T> {
    EndlessRange(range)
}

impl<T: KernelType> Iterator for EndlessRange<T>
where
    RangeFrom<T>: Iterator<Item = T>,
{
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        self.0.next().map(|number| narrowed(number, Narrowing::Wrap))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<T> {
        self.0.nth(n).map(|number| narrowed(number, Narrowing::Wrap))
    }
}
