//! Indexed places: reads and writes of `base[index]` in the closure of a kernel. The subscripts of
//! views are with the views; indices, extents and short vectors implement [`Read`] below.
//!
//! In a kernel, an out-of-range read gives zero and an out-of-range write does nothing, as everywhere
//! in the kernel language. In an `#[amp]` function that the host calls, both panic, as in Rust.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use super::{Called, Form, HeldValue, KernelFn, LinkedCall, op};
use crate::api::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use crate::api::shape::{Extent, Index, Int};
use crate::api::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::types::KernelValue;
use crate::targets::native::running;

/// Can be read by `base[index]` in a kernel: views, arrays, `#[tile_static]` names, indices,
/// extents, short vectors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be indexed by `{I}` in a kernel",
    label = "neither an element nor a row has this index"
)]
pub trait Read<I> {
    /// The result: an element, or a row (a view of one rank less).
    type Out;
    /// Stands for the meaning of `[]` here.
    type Mark;
    /// Does `[]` run code of the user's?
    const RUNS_CODE: bool = false;
    /// Reads it.
    fn read(&self, index: I) -> Self::Out;
}

/// The meaning of `[]` of views, arrays, indices and vectors.
#[derive(Debug)]
pub struct OwnIndex;

impl KernelFn for OwnIndex {
    fn form() -> Form {
        op::OWN
    }
}

/// `base[index]` as a value.
#[inline(always)]
#[track_caller]
pub fn read<C, I, O, M>(base: &C, index: I, _: LinkedCall<M>) -> O
where
    // The result is a type parameter of its own: with `C::Out` in its place, rustc reports a wrong
    // index twice.
    C: Read<I, Out = O, Mark = M> + ?Sized,
{
    base.read(index)
}

/// What the code of the user's behind `[]` has found: the way to one element. It runs once, however often the
/// element is then read and written.
pub trait FoundElement<C: ?Sized, O>: Copy {
    /// The element's value.
    fn element(self, of: &C) -> O;
    /// Gives the element a value.
    fn replace(self, of: &mut C, value: O);
}

/// The way to an element as two functions, of which each goes it.
#[derive(Clone, Copy, Debug)]
pub struct FoundPlace<R, W>(pub R, pub W);

impl<C: ?Sized, O, R: Fn(&C) -> O + Copy, W: Fn(&mut C, O) + Copy> FoundElement<C, O> for FoundPlace<R, W> {
    #[inline(always)]
    fn element(self, of: &C) -> O {
        self.0(of)
    }

    #[inline(always)]
    fn replace(self, of: &mut C, value: O) {
        self.1(of, value);
    }
}

/// Of what has no code of the user's: there is nothing to find.
impl<C: ?Sized, O> FoundElement<C, O> for Infallible {
    fn element(self, _: &C) -> O {
        match self {}
    }

    fn replace(self, _: &mut C, _: O) {
        match self {}
    }
}

/// Stands for the meaning of `[]` of a type.
pub trait IndexMeaning {
    /// Does `[]` run code of the user's?
    const RUNS_CODE: bool;
}

impl IndexMeaning for OwnIndex {
    const RUNS_CODE: bool = false;
}

/// Does this `[]` run code of the user's?
#[inline(always)]
pub const fn runs_code<M: IndexMeaning>(_: LinkedCall<M>) -> bool {
    M::RUNS_CODE
}

/// An element that has been read where code of the user's ran, or else what reads it.
#[inline(always)]
pub fn read_before<O: Clone>(before: &Option<O>, read: impl FnOnce() -> O) -> O {
    before.clone().unwrap_or_else(read)
}

/// Finds `base[index]`, of an element that is then changed: `base[index] += x`.
#[inline(always)]
#[track_caller]
pub fn find<C, I, O, X: ?Sized, M>(
    base: &C,
    index: I,
    _: LinkedCall<M>,
) -> Option<impl FoundElement<X, O> + use<C, I, O, X, M>>
where
    // As with `read`.
    C: ReadChanging<I, Out = O, Indexed = X, Place = M> + ?Sized,
{
    base.find(index)
}

/// `base[index]` of an element that is then changed and written back, as it has been found.
#[inline(always)]
#[track_caller]
pub fn read_changing<C, I, O, X: ?Sized, F>(base: &C, index: I, found: Option<F>) -> O
where
    C: ReadChanging<I, Out = O, Indexed = X> + ?Sized,
    F: FoundElement<X, O>,
{
    base.read_changing(index, found)
}

/// Can be changed through `base[index]` in a kernel: what is written back has been read by this.
#[diagnostic::on_unimplemented(
    message = "an element of `{Self}` cannot be changed at an index of type `{I}` in a kernel",
    label = "neither an element nor a row has this index",
    note = "arrays and views of rank 1 take one number, `v[i]`; views take an `Index` too, and of rank 2 a pair, `v[(i, j)]`; a type of your own needs an `#[amp] impl IndexMut`"
)]
pub trait ReadChanging<I>: Read<I> {
    /// Stands for the meaning of `[]` here.
    type Place;
    /// The type itself, or what it refers to.
    type Indexed: ?Sized;

    /// Runs the code of the user's that names the element, if `[]` has any.
    #[inline(always)]
    #[track_caller]
    fn find(&self, _: I) -> Option<impl FoundElement<Self::Indexed, Self::Out> + use<Self, I>> {
        None::<Infallible>
    }

    /// Reads it.
    #[inline(always)]
    #[track_caller]
    fn read_changing<F: FoundElement<Self::Indexed, Self::Out>>(&self, index: I, _: Option<F>) -> Self::Out {
        self.read(index)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ReadChanging<I> + ?Sized, I> ReadChanging<I> for &C {
    type Place = C::Place;
    type Indexed = C::Indexed;

    #[inline(always)]
    #[track_caller]
    #[allow(refining_impl_trait, reason = "what is found borrows nothing")]
    fn find(&self, index: I) -> Option<impl FoundElement<C::Indexed, C::Out> + use<C, I>> {
        (**self).find(index)
    }

    #[inline(always)]
    #[track_caller]
    fn read_changing<F: FoundElement<C::Indexed, C::Out>>(&self, index: I, found: Option<F>) -> C::Out {
        (**self).read_changing(index, found)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ReadChanging<I> + ?Sized, I> ReadChanging<I> for &mut C {
    type Place = C::Place;
    type Indexed = C::Indexed;

    #[inline(always)]
    #[track_caller]
    #[allow(refining_impl_trait, reason = "what is found borrows nothing")]
    fn find(&self, index: I) -> Option<impl FoundElement<C::Indexed, C::Out> + use<C, I>> {
        (**self).find(index)
    }

    #[inline(always)]
    #[track_caller]
    fn read_changing<F: FoundElement<C::Indexed, C::Out>>(&self, index: I, found: Option<F>) -> C::Out {
        (**self).read_changing(index, found)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Read<I> + ?Sized, I> Read<I> for &C {
    type Out = C::Out;
    type Mark = C::Mark;

    #[inline(always)]
    #[track_caller]
    fn read(&self, index: I) -> C::Out {
        (**self).read(index)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Read<I> + ?Sized, I> Read<I> for &mut C {
    type Out = C::Out;
    type Mark = C::Mark;

    #[inline(always)]
    #[track_caller]
    fn read(&self, index: I) -> C::Out {
        (**self).read(index)
    }
}

/// The writes of types without an `#[amp] impl IndexMut`: none.
pub trait NoIndexMut {
    /// Never there.
    fn write_element(&self);
    /// Never there.
    fn put_back(&self);
}

impl<T: ?Sized + WrittenByIndex> NoIndexMut for T {
    fn write_element(&self) {}

    fn put_back(&self) {}
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "an element of `{Self}` cannot be written in a kernel",
    label = "not an array, not a view, and no `#[amp] impl IndexMut`",
    note = "write `#[amp] impl IndexMut` for a type of your own"
)]
pub trait WrittenByIndex {}

/// `&mut base[index]` that gets a name.
#[inline(always)]
#[track_caller]
pub fn local_element<C, I, O, M>(base: &mut C, index: I, _: LinkedCall<M>) -> &mut O
where
    C: LocalElement<I, Out = O, Mark = M>,
{
    base.local_element(index)
}

/// An element of a local array; out of range, in a kernel, a zero.
///
/// # Panics
/// If it is out of range where the host calls it.
#[inline(always)]
#[track_caller]
pub(super) fn shared_element<T: HeldValue, const N: usize>(array: &[T; N], index: impl Int) -> &T {
    match place(index) {
        Some(at) if at < N => &array[at],
        _ if running::inside() => T::held_zero().for_good(),
        _ => panic!("index out of bounds: the len is {N} but the index is {}", index.wide()),
    }
}

/// The same for a method that may change it; out of range, in a kernel, it changes what nothing reads.
///
/// # Panics
/// If it is out of range where the host calls it.
#[inline(always)]
#[track_caller]
pub(super) fn changing_element<T: HeldValue, const N: usize>(array: &mut [T; N], index: impl Int) -> &mut T {
    match place(index) {
        Some(at) if at < N => &mut array[at],
        _ if running::inside() => Box::leak(Box::new(T::held_zero())),
        _ => panic!("index out of bounds: the len is {N} but the index is {}", index.wide()),
    }
}

/// The same value for as long as the program runs, each once.
#[cold]
pub fn value_for_good<T: KernelValue>(value: T) -> &'static T {
    let mut leaves = Vec::new();
    value.leaves(&mut leaves);
    // A `usize` may be one that no kernel has.
    let key = (TypeId::of::<T>(), leaves, value.beyond());
    kept_for_good(key, Box::new(value)).downcast_ref().expect("it is a value of the type")
}

/// A value of any type; the first one with this key stays.
fn kept_for_good(key: ValueKey, value: Box<dyn Any + Send + Sync>) -> &'static (dyn Any + Send + Sync) {
    static VALUES: Mutex<BTreeMap<ValueKey, &'static (dyn Any + Send + Sync)>> = Mutex::new(BTreeMap::new());
    let mut values = VALUES.lock().unwrap_or_else(PoisonError::into_inner);
    *values.entry(key).or_insert_with(|| Box::leak(value))
}

/// A type, the data of a value, and a number that is wider than those of kernels.
type ValueKey = (TypeId, Vec<u64>, Option<i128>);

/// Its elements can be borrowed: local arrays.
#[diagnostic::on_unimplemented(
    message = "an element of `{Self}` cannot get a name by `&mut` in a kernel",
    label = "not a local array with this index",
    note = "copy it, change the copy, and write it back: `let mut x = v[i]; x.n += 1; v[i] = x;`"
)]
pub trait LocalElement<I>: Read<I> {
    /// The element.
    fn local_element(&mut self, index: I) -> &mut Self::Out;
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, I: Int, const N: usize> LocalElement<I> for [T; N] {
    /// # Panics
    /// If it is out of range, also in a kernel: there is no place that a reference could name.
    #[inline(always)]
    #[track_caller]
    fn local_element(&mut self, index: I) -> &mut T {
        match place(index) {
            Some(at) if at < N => &mut self[at],
            _ => panic!("index out of bounds: the len is {N} but the index is {}", index.wide()),
        }
    }
}

/// Can be written although it is captured: a view, which is a handle.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot change the `{Self}` that it captured: it has a copy",
    label = "captured by value",
    note = "results go into a view; to reckon with a copy, write `let mut a = ..;` in the kernel"
)]
pub trait SharedPlace {}

#[diagnostic::do_not_recommend]
impl<T, const N: usize, A> SharedPlace for crate::ArrayView<'_, T, N, A> {}

/// `captured[index] = ..`: a compile error unless the captured value is a view.
#[inline(always)]
pub const fn shared<C: SharedPlace + ?Sized>(_: &C) {}

/// `base[index] = value` for a variable as base. Views have an inherent method of this name, so
/// that a view need not be `mut`.
#[diagnostic::on_unimplemented(
    message = "an element of `{Self}` cannot be written at an index of type `{I}` in a kernel",
    label = "not an index of it",
    note = "arrays and `#[tile_static]` arrays take one number, `a[t.local[0]]`; views take an `Index` too; a type of your own needs an `#[amp] impl IndexMut`"
)]
pub trait WriteElement<I>: ReadChanging<I> {
    /// Writes it.
    fn write_element(&mut self, index: I, value: Self::Out) -> Called<(), Self::Place>;

    /// Writes an element that was found and read for this: the end of `base[index] += value`, of
    /// `base[index].field = value` and of `base[index][other] = value`. For a row of a view there is nothing to
    /// write back.
    #[inline(always)]
    #[track_caller]
    fn put_back<F: FoundElement<Self::Indexed, Self::Out>>(&mut self, index: I, _: Option<F>, value: Self::Out) {
        let _ = self.write_element(index, value);
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, I: Int, const N: usize> ReadChanging<I> for [T; N] {
    type Place = OwnIndex;
    type Indexed = Self;
}

#[diagnostic::do_not_recommend]
impl<T: HeldValue, I: Int, const N: usize> Read<I> for [T; N] {
    type Out = T;
    type Mark = OwnIndex;

    #[inline(always)]
    #[track_caller]
    fn read(&self, index: I) -> T {
        match place(index).and_then(|at| self.get(at)) {
            Some(element) => *element,
            None => {
                out_of_range(index, N);
                T::held_zero()
            }
        }
    }
}

/// Of a slice, which no value of a kernel is: where the program has one, that is the mistake, and `[]` is no second one.
#[diagnostic::do_not_recommend]
impl<T: KernelValue, I: Int> Read<I> for [T] {
    type Out = T;
    type Mark = OwnIndex;

    #[inline(always)]
    fn read(&self, index: I) -> T {
        place(index).and_then(|at| self.get(at)).copied().unwrap_or_else(T::zero)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, I: Int, const N: usize> WriteElement<I> for [T; N] {
    #[inline(always)]
    #[track_caller]
    fn write_element(&mut self, index: I, value: T) -> Called<(), OwnIndex> {
        match place(index).and_then(|at| self.get_mut(at)) {
            Some(slot) => *slot = value,
            None => out_of_range(index, N),
        }
        Called::new(())
    }
}

macro_rules! components {
    ($(($($generics:tt)*) $t:ty: $component:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I: Int, $($generics)*> Read<I> for $t {
            type Out = $component;
            type Mark = OwnIndex;

            #[inline(always)]
            #[track_caller]
            fn read(&self, index: I) -> $component {
                self.0.read(index)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<I: Int, $($generics)*> ReadChanging<I> for $t {
            type Place = OwnIndex;
            type Indexed = Self;
        }

        #[diagnostic::do_not_recommend]
        impl<I: Int, $($generics)*> WriteElement<I> for $t {
            #[inline(always)]
            #[track_caller]
            fn write_element(&mut self, index: I, value: $component) -> Called<(), OwnIndex> {
                self.0.write_element(index, value)
            }
        }
    )*};
}

components! {
    (const N: usize) Index<N>: i32;
    (const N: usize) Extent<N>: i32;
}

macro_rules! vectors {
    ($($t:ident: $component:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I: Int> Read<I> for $t {
            type Out = $component;
            type Mark = OwnIndex;

            #[inline(always)]
            #[track_caller]
            fn read(&self, index: I) -> $component {
                self.to_array().read(index)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<I: Int> ReadChanging<I> for $t {
            type Place = OwnIndex;
            type Indexed = Self;
        }

        #[diagnostic::do_not_recommend]
        impl<I: Int> WriteElement<I> for $t {
            #[inline(always)]
            #[track_caller]
            fn write_element(&mut self, index: I, value: $component) -> Called<(), OwnIndex> {
                let mut parts = self.to_array();
                let written = parts.write_element(index, value);
                *self = parts.into();
                written
            }
        }
    )*};
}

vectors! {
    Int2: i32;
    Int3: i32;
    Int4: i32;
    UInt2: u32;
    UInt3: u32;
    UInt4: u32;
    Float2: f32;
    Float3: f32;
    Float4: f32;
    Double2: f64;
    Double3: f64;
    Double4: f64;
    Norm2: Norm;
    Norm3: Norm;
    Norm4: Norm;
    Unorm2: Unorm;
    Unorm3: Unorm;
    Unorm4: Unorm;
}

/// An index as `usize`, if it is not negative.
#[inline(always)]
fn place(index: impl Int) -> Option<usize> {
    index.to_i32().and_then(|at| usize::try_from(at).ok())
}

/// An access out of range: in a kernel it has no effect.
///
/// # Panics
/// On the host, with Rust's message.
#[cold]
#[inline(never)]
#[track_caller]
fn out_of_range(index: impl Int, length: usize) {
    assert!(running::inside(), "index out of bounds: the len is {length} but the index is {}", index.wide());
}
