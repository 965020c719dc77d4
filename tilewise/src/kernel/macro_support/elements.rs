//! Methods of elements of local arrays, `bodies[k].step(time)`, and references to elements as values, `Some(&a[k].x)`.
//!
//! The closure calls the method on the element itself, in its place in the array:
//! ```text
//! (*(&&element_base(&bodies)).lend_place(&mut bodies, k, link)).step_marked_amp(time)
//! Some(&(*(&&element_base(&a)).share_element(&a, k, link)).x)
//! ```
//! The base of an element of an element, `m[f()][k]`, has an index, which is evaluated once: so it gets a name by a
//! `match`, which keeps what is temporary in it as long as the whole expression does.
//!
//! If an argument is a closure that reads the array, that works for a method with `&self` alone, and only rustc knows
//! whether this is one; if an argument changes the array, it is one of a method by value, which has the element as it
//! was before; and a `move` closure copies its names before later arguments change them. So such a method is called on
//! a copy of the element. Where it takes `&mut self`, the copy is borrowed by `DerefMut`, and is then written back:
//! ```text
//! { let __i1 = k; let mut __e2 = (&&element_base(&bodies)).lend_element(&bodies, __i1, link);
//!   let __r3 = (*__e2).step_marked_amp(time);
//!   (&&element_base(&bodies)).put_element(&mut bodies, __e2); __r3 }
//! ```
//! An argument by value may read the array: it is evaluated before the element is borrowed, and behind the index. An
//! element of a view is copied there, as the argument may change the view by another name:
//! ```text
//! match ((&&element_base(&bodies)).hold_place(&bodies, k, link), bodies[0].mass) {
//!     (__i1, __a2) => (*(&&element_base(&bodies)).held_place(&mut bodies, __i1)).step_marked_amp(__a2),
//! }
//! ```
//! Of what is no array, there are only copies.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::place::{changing_element, shared_element};
use super::{HeldValue, LinkedCall, OwnIndex, Read};
use crate::api::shape::Int;

/// The type that is indexed.
#[derive(Debug)]
pub struct ElementBase<C>(PhantomData<C>);

/// The type of a place.
#[inline(always)]
pub const fn element_base<C>(_: &C) -> ElementBase<C> {
    ElementBase(PhantomData)
}

/// The copy of an element of an array.
#[derive(Debug)]
pub struct ChangingElement<T> {
    value: T,
    at: Option<usize>,
    changed: bool,
}

impl<T> Deref for ChangingElement<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for ChangingElement<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.changed = true;
        &mut self.value
    }
}

/// The copy of an element of anything else.
#[derive(Debug)]
pub struct FixedElement<T>(T);

impl<T> Deref for FixedElement<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The index of an element of an array, which is borrowed behind the arguments.
#[derive(Debug)]
pub struct HeldIndex<I>(I);

/// Elements of arrays.
pub trait ArrayElements<T, const N: usize> {
    /// The copy of an element.
    fn lend_element<I: Int>(&self, base: &[T; N], index: I, link: LinkedCall<OwnIndex>) -> ChangingElement<T>
    where
        [T; N]: Read<I, Out = T, Mark = OwnIndex>;
    /// Writes it back, if it was changed.
    fn put_element(&self, base: &mut [T; N], element: ChangingElement<T>);
    /// The element in its place, for a method that may change it.
    fn lend_place<'a, I: Int>(&self, base: &'a mut [T; N], index: I, link: LinkedCall<OwnIndex>) -> &'a mut T;
    /// The index for [`ArrayElements::held_place`], before the arguments are evaluated.
    fn hold_place<I: Int>(&self, base: &[T; N], index: I, link: LinkedCall<OwnIndex>) -> HeldIndex<I>;
    /// The element in its place, behind the arguments.
    fn held_place<'a, I: Int>(&self, base: &'a mut [T; N], held: HeldIndex<I>) -> &'a mut T;
    /// The element in its place.
    fn share_element<'a, I: Int>(&self, base: &'a [T; N], index: I, link: LinkedCall<OwnIndex>) -> &'a T;
}

impl<T: HeldValue, const N: usize> ArrayElements<T, N> for &ElementBase<[T; N]> {
    #[inline(always)]
    #[track_caller]
    fn lend_element<I: Int>(&self, base: &[T; N], index: I, _: LinkedCall<OwnIndex>) -> ChangingElement<T>
    where
        [T; N]: Read<I, Out = T, Mark = OwnIndex>,
    {
        let at = index.to_i32().and_then(|at| usize::try_from(at).ok());
        ChangingElement { value: base.read(index), at, changed: false }
    }

    #[inline(always)]
    fn put_element(&self, base: &mut [T; N], element: ChangingElement<T>) {
        if element.changed
            && let Some(place) = element.at.and_then(|at| base.get_mut(at))
        {
            *place = element.value;
        }
    }

    #[inline(always)]
    #[track_caller]
    fn lend_place<'a, I: Int>(&self, base: &'a mut [T; N], index: I, _: LinkedCall<OwnIndex>) -> &'a mut T {
        changing_element(base, index)
    }

    #[inline(always)]
    fn hold_place<I: Int>(&self, _: &[T; N], index: I, _: LinkedCall<OwnIndex>) -> HeldIndex<I> {
        HeldIndex(index)
    }

    #[inline(always)]
    #[track_caller]
    fn held_place<'a, I: Int>(&self, base: &'a mut [T; N], held: HeldIndex<I>) -> &'a mut T {
        changing_element(base, held.0)
    }

    #[inline(always)]
    #[track_caller]
    fn share_element<'a, I: Int>(&self, base: &'a [T; N], index: I, _: LinkedCall<OwnIndex>) -> &'a T {
        shared_element(base, index)
    }
}

/// Elements of what a reference to an array refers to.
pub trait ReferredElements<'b, T, const N: usize> {
    /// The element in its place.
    fn share_element<I: Int>(&self, base: &&'b [T; N], index: I, link: LinkedCall<OwnIndex>) -> &'b T;
}

impl<'b, T: HeldValue, const N: usize> ReferredElements<'b, T, N> for &ElementBase<&'b [T; N]> {
    #[inline(always)]
    #[track_caller]
    fn share_element<I: Int>(&self, base: &&'b [T; N], index: I, _: LinkedCall<OwnIndex>) -> &'b T {
        shared_element(base, index)
    }
}

/// Elements of anything else.
pub trait OtherElements<C> {
    /// The copy of an element.
    fn lend_element<I, O, M>(&self, base: &C, index: I, link: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>;
    /// Nothing was changed.
    fn put_element<O>(&self, base: &mut C, element: FixedElement<O>);
    /// The copy of an element.
    fn lend_place<I, O, M>(&self, base: &mut C, index: I, link: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>;
    /// The copy of an element, before the arguments are evaluated.
    fn hold_place<I, O, M>(&self, base: &C, index: I, link: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>;
    /// That copy.
    fn held_place<O>(&self, base: &mut C, held: FixedElement<O>) -> FixedElement<O>;
    /// The copy of an element.
    fn share_element<I, O, M>(&self, base: &C, index: I, link: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>;
}

impl<C> OtherElements<C> for ElementBase<C> {
    #[inline(always)]
    #[track_caller]
    fn lend_element<I, O, M>(&self, base: &C, index: I, _: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>,
    {
        FixedElement(base.read(index))
    }

    #[inline(always)]
    fn put_element<O>(&self, _: &mut C, _: FixedElement<O>) {}

    #[inline(always)]
    #[track_caller]
    fn lend_place<I, O, M>(&self, base: &mut C, index: I, _: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>,
    {
        FixedElement(base.read(index))
    }

    #[inline(always)]
    #[track_caller]
    fn hold_place<I, O, M>(&self, base: &C, index: I, _: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>,
    {
        FixedElement(base.read(index))
    }

    #[inline(always)]
    fn held_place<O>(&self, _: &mut C, held: FixedElement<O>) -> FixedElement<O> {
        held
    }

    #[inline(always)]
    #[track_caller]
    fn share_element<I, O, M>(&self, base: &C, index: I, _: LinkedCall<M>) -> FixedElement<O>
    where
        C: Read<I, Out = O, Mark = M>,
    {
        FixedElement(base.read(index))
    }
}
