//! Ranges as parameters of `#[amp]` functions: in a kernel, the pair of their ends.

use std::ops::{Range, RangeInclusive};

use super::RustType;
use crate::kernel::types::KernelType;

#[diagnostic::do_not_recommend]
impl<T: KernelType> KernelType for Range<T> {
    fn ty() -> RustType {
        <(T, T)>::ty()
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelType> KernelType for RangeInclusive<T> {
    fn ty() -> RustType {
        <(T, T)>::ty()
    }
}

/// Implemented by the ranges of the standard library.
#[diagnostic::on_unimplemented(
    message = "`#[amp]` takes this type for `std::ops::Range`, and it is another one",
    label = "a type of another name is needed here",
    note = "a parameter `ops::Range<T>` or `ops::RangeInclusive<T>` is a range of numbers: name a type of your own by another path"
)]
pub trait StdRange {}

impl<T> StdRange for Range<T> {}
impl<T> StdRange for RangeInclusive<T> {}

/// Proves that a type named like a range is one.
#[inline(always)]
pub const fn is_range<R: StdRange>() {}
