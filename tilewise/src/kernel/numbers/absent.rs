//! Methods of Rust's numbers that kernels do not have, so that the error message names the
//! alternative.
//!
//! Each is a companion with a bound that no type satisfies, and the bound carries the message.
//! Methods without an alternative are in `others`. They are written out because rustc shows the line
//! of the bound; in a macro, it would show the macro too.

pub use conditions::MissingFunctions;
use conditions::OptionalResults;

use crate::kernel::macro_support::{Called, Form, KernelFn};

mod conditions {
    //! The bounds. Their names state what they would mean.

    /// Functions of no library are methods.
    #[diagnostic::on_unimplemented(
        message = "kernels do not have this function",
        label = "not a function of kernels",
        note = "what there is: the methods that docs/methods.md lists, and the functions of `precise_math`, `fast_math` and `direct3d`"
    )]
    pub trait MissingFunctions {}

    /// Methods may return an `Option`.
    #[diagnostic::on_unimplemented(
        message = "kernels do not have this method: it gives an `Option`",
        label = "not a method in kernels",
        note = "`checked_add`, `checked_sub`, `checked_mul`, `checked_div` and `checked_rem` are there; `wrapping_..` and `saturating_..` give a result that fits"
    )]
    pub trait OptionalResults {}
}

/// The marker of a call that does not compile.
#[derive(Debug)]
pub enum Absent {}

impl KernelFn for Absent {
    fn form() -> Form {
        unreachable!("no type meets the conditions of the companions with this mark")
    }
}

// No call of these companions compiles, so their results matter only for what is done with them.

/// Methods of integers that kernels do not have.
pub trait AbsentOfIntegers: Copy {
    /// No companion of `checked_div_euclid`.
    fn checked_div_euclid_marked_amp(self, _: Self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_rem_euclid`.
    fn checked_rem_euclid_marked_amp(self, _: Self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_neg`.
    fn checked_neg_marked_amp(self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_shl`.
    fn checked_shl_marked_amp(self, _: u32) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_shr`.
    fn checked_shr_marked_amp(self, _: u32) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_pow`.
    fn checked_pow_marked_amp(self, _: u32) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_abs`.
    fn checked_abs_marked_amp(self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_isqrt`.
    fn checked_isqrt_marked_amp(self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_ilog2`.
    fn checked_ilog2_marked_amp(self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_next_power_of_two`.
    fn checked_next_power_of_two_marked_amp(self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }

    /// No companion of `checked_next_multiple_of`.
    fn checked_next_multiple_of_marked_amp(self, _: Self) -> Called<Option<Self>, Absent>
    where
        Self: OptionalResults,
    {
        unreachable!()
    }
}

impl AbsentOfIntegers for i8 {}
impl AbsentOfIntegers for u8 {}
impl AbsentOfIntegers for i16 {}
impl AbsentOfIntegers for u16 {}
impl AbsentOfIntegers for i32 {}
impl AbsentOfIntegers for u32 {}
impl AbsentOfIntegers for i64 {}
impl AbsentOfIntegers for u64 {}
impl AbsentOfIntegers for usize {}
impl AbsentOfIntegers for isize {}
