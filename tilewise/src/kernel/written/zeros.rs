//! Zero in every part, and characters of numbers: what methods that are written in the kernel language begin with.

use std::marker::PhantomData;

use crate::kernel::macro_support::{Called, Form, KernelFn, RustBuiltin};
use crate::kernel::numbers::From;
use crate::kernel::types::{KernelType, KernelValue};

/// The zero of a type.
#[derive(Debug)]
pub struct ZerosOf<T>(PhantomData<T>);

impl<T: KernelType> KernelFn for ZerosOf<T> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Zero(T::ty()))
    }
}

/// Plain data as zeros.
pub trait Zeros: KernelValue {
    /// The companion of the zero of the type.
    #[inline(always)]
    fn zeros_marked_amp() -> Called<Self, ZerosOf<Self>> {
        Called::new(Self::zero())
    }
}

impl<T: KernelValue> Zeros for T {}

/// A character from its number, which is known to be one.
pub trait NumberedChar: Sized {
    /// The companion.
    fn of_number_marked_amp(number: u32) -> Called<Self, From<Self>>;
}

impl NumberedChar for char {
    #[inline(always)]
    fn of_number_marked_amp(number: u32) -> Called<char, From<char>> {
        Called::new(char::from_u32(number).unwrap_or_default())
    }
}
