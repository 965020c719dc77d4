//! Arrays: `for` over their elements, and their length.

use super::{Called, Form, FormLink, KernelFn, RustBuiltin, Witness};
use crate::kernel::types::{KernelType, in_32_bits};

/// A type whose elements a `for` of a kernel goes over.
#[diagnostic::on_unimplemented(
    message = "`for` in a kernel does not go over a `{Self}`",
    label = "neither a range nor an array",
    note = "it goes over ranges, `for i in 0..n`, and over local arrays: the elements of a view are `view[i]`; a parameter is a range by its whole path, `r: std::ops::Range<i32>`",
    note = "an iterator has a name of its own, `let it = a.iter();`, and is no part of a tuple or a struct"
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
        let length = const { in_32_bits(N, "an array in a kernel has at most 4294967295 elements") };
        Form::Builtin(RustBuiltin::Count(length))
    }
}

/// A type whose elements a `for` of a kernel goes over by `iter` or its like.
#[diagnostic::on_unimplemented(
    message = "behind `for .. in` of a kernel, `iter` and its like are those of an array, and this is a `{Self}`",
    label = "no array",
    note = "the elements of a view are `view[i]`, with `for i in 0..n`; what a method of a type of your own gives has a name first: `let all = x.iter();`, `for y in all`"
)]
pub trait IteratedArray: Sized {
    /// The type itself, as above.
    type Same: ArrayType;

    /// Itself.
    fn same(self) -> Self::Same;

    /// Itself.
    fn same_ref(&self) -> &Self::Same;

    /// Itself.
    fn same_mut(&mut self) -> &mut Self::Same;
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> IteratedArray for [T; N] {
    type Same = [T; N];

    #[inline(always)]
    fn same(self) -> [T; N] {
        self
    }

    #[inline(always)]
    fn same_ref(&self) -> &[T; N] {
        self
    }

    #[inline(always)]
    fn same_mut(&mut self) -> &mut [T; N] {
        self
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

    /// The same where a method stands behind the array.
    #[inline(always)]
    pub fn iterated(self, array: A) -> A::Same
    where
        A: IteratedArray,
    {
        array.same()
    }

    /// The same where a method stands behind the array.
    #[inline(always)]
    pub fn iterated_ref(self, array: &A) -> &A::Same
    where
        A: IteratedArray,
    {
        array.same_ref()
    }

    /// The same where a method stands behind the array.
    #[inline(always)]
    pub fn iterated_mut(self, array: &mut A) -> &mut A::Same
    where
        A: IteratedArray,
    {
        array.same_mut()
    }
}

/// The kernel form of an array's length.
pub fn array_length<A: ArrayType>(_: Witness<A>) -> FormLink {
    A::length
}

/// The same where a method stands behind the array.
pub fn iterated_length<A: IteratedArray>(_: Witness<A>) -> FormLink {
    <A::Same as ArrayType>::length
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
        <[T; N] as ArrayType>::length()
    }
}

impl<T, const N: usize> KernelFn for ArrayIsEmpty<[T; N]> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Truth(N == 0))
    }
}
