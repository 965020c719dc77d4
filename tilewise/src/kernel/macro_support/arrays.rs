//! Arrays: `for` over their elements, and their length.

use super::{Called, Form, FormLink, KernelFn, RustBuiltin, Witness};
use crate::kernel::types::KernelType;

/// A type whose elements a `for` of a kernel goes over.
#[diagnostic::on_unimplemented(
    message = "`for` in a kernel does not go over a `{Self}`",
    label = "neither a range nor an array",
    note = "it goes over ranges, `for i in 0..n`, and over local arrays: the elements of a view are `view[i]`"
)]
pub trait ArrayType: Sized {
    /// The type itself. If the trait is missing, rustc reports no other mistake about this.
    type Array;

    /// Itself.
    fn itself(self) -> Self::Array;

    /// Itself.
    fn itself_ref(&self) -> &Self::Array;

    /// Itself.
    fn itself_mut(&mut self) -> &mut Self::Array;

    /// The kernel form of its length.
    fn length() -> Form;
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> ArrayType for [T; N] {
    type Array = [T; N];

    #[inline(always)]
    fn itself(self) -> [T; N] {
        self
    }

    #[inline(always)]
    fn itself_ref(&self) -> &[T; N] {
        self
    }

    #[inline(always)]
    fn itself_mut(&mut self) -> &mut [T; N] {
        self
    }

    fn length() -> Form {
        Form::Builtin(RustBuiltin::Count(N as u32))
    }
}

impl<A> Witness<A> {
    /// Unifies the type with that of the array, and returns it.
    #[inline(always)]
    pub fn array(self, array: A) -> A::Array
    where
        A: ArrayType,
    {
        array.itself()
    }

    /// Unifies the type with that of the array, and returns it.
    #[inline(always)]
    pub fn array_ref(self, array: &A) -> &A::Array
    where
        A: ArrayType,
    {
        array.itself_ref()
    }

    /// Unifies the type with that of the array, and returns it.
    #[inline(always)]
    pub fn array_mut(self, array: &mut A) -> &mut A::Array
    where
        A: ArrayType,
    {
        array.itself_mut()
    }
}

/// The kernel form of an array's length.
pub fn array_length<A: ArrayType>(_: Witness<A>) -> FormLink {
    A::length
}

/// The companions of the methods of arrays.
pub trait ArrayMethods {
    /// The companion of `len`.
    fn len_marked_amp(&self) -> Called<usize, ArrayLength<Self>>;
    /// The companion of `is_empty`.
    fn is_empty_marked_amp(&self) -> Called<bool, ArrayIsEmpty<Self>>;
}

/// `array.len()`
#[derive(Debug)]
pub struct ArrayLength<A: ?Sized>(std::marker::PhantomData<A>);

/// `array.is_empty()`
#[derive(Debug)]
pub struct ArrayIsEmpty<A: ?Sized>(std::marker::PhantomData<A>);

impl<T: KernelType, const N: usize> ArrayMethods for [T; N] {
    #[inline(always)]
    fn len_marked_amp(&self) -> Called<usize, ArrayLength<Self>> {
        Called::new(N)
    }

    #[inline(always)]
    fn is_empty_marked_amp(&self) -> Called<bool, ArrayIsEmpty<Self>> {
        Called::new(N == 0)
    }
}

impl<T, const N: usize> KernelFn for ArrayLength<[T; N]> {
    fn form() -> Form {
        <[T; N]>::length()
    }
}

impl<T, const N: usize> KernelFn for ArrayIsEmpty<[T; N]> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Truth(N == 0))
    }
}
