//! The values that the notations of a format string take, as in Rust.

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
