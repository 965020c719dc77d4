//! The values that the notations of a format string take, as in Rust.

use super::{PrintedType, RustConstant, printed, printed_bits, printed_exponent};
use crate::kernel::types::KernelValue;

/// Is written by `{:x}`, `{:X}`, `{:o}` and `{:b}`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not written by `{{:x}}`, `{{:X}}`, `{{:o}}` or `{{:b}}`",
    label = "not an integer",
    note = "these write the bits of integers; those of a float are `x.to_bits()`, and `{{:?}}` writes what consists of several parts"
)]
pub trait WrittenInBits: KernelValue {}

/// Is written by `{:e}` and `{:E}`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not written by `{{:e}}` or `{{:E}}`",
    label = "not a number",
    note = "these write numbers; `{{:?}}` writes what consists of several parts"
)]
pub trait WrittenWithExponent: KernelValue {}

macro_rules! written {
    ($kind:ident: $($t:ident)*) => { $(#[diagnostic::do_not_recommend] impl $kind for $t {})* };
}

written!(WrittenInBits: i8 u8 i16 u16 i32 u32 i64 u64 isize usize);
written!(WrittenWithExponent: i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64);

/// Items of iterators, and their parts: what they refer to is written, however many references there are. Methods, as
/// rustc looks for those behind references.
pub trait PrintedItem: PrintedType + Sized {
    /// As by `printed`.
    fn item_printed(&self) -> RustConstant {
        printed(self)
    }

    /// As by [`printed_bits`].
    fn item_printed_bits(&self) -> RustConstant
    where
        Self: WrittenInBits,
    {
        printed_bits(self)
    }

    /// As by [`printed_exponent`].
    fn item_printed_exponent(&self) -> RustConstant
    where
        Self: WrittenWithExponent,
    {
        printed_exponent(self)
    }
}

impl<T: PrintedType> PrintedItem for T {}
