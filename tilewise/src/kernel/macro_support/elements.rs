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
//! An argument may read the array: it is evaluated before the element is borrowed, and behind the index. A shared
//! borrow of the array lasts meanwhile, so that rustc refuses an argument that changes it:
//! ```text
//! match k {
//!     __i1 => match ((&&element_base(&bodies)).hold_place(&bodies, __i1, link), bodies[0].mass) {
//!         (__h2, __a3) => match __h2.released() {
//!             __i1 => (*(&&element_base(&bodies)).held_place(&mut bodies, __i1)).step_marked_amp(__a3),
//!         },
//!     },
//! }
//! ```
//! An element of a view is copied there, as the argument may change the view by another name.
//!
//! Three kinds of arguments need a copy of the element, on which the method is called: what may change the array, which
//! Rust allows for a method by value alone, and that has the element as it was before; a closure that reads the array,
//! which Rust allows for a method by value or with `&self`; and a `move` closure, which copies its names before later
//! arguments change them. The copy is borrowed together with the array, which rustc then takes for borrowed until the
//! call where the method takes `&self` or `&mut self`, and until the copy is read where it takes `self`. A method with
//! `&mut self` borrows it by `DerefMut`, and then it is written back:
//! ```text
//! { let __i1 = k; let mut __e2 = (&&element_base(&bodies)).lend_element(&bodies, __i1, link);
//!   let __r3 = (*__e2.changing(&bodies)).step_marked_amp(time);
//!   (&&element_base(&bodies)).put_element(&mut bodies, __e2); __r3 }
//! ```
//! Where an argument may keep a borrow of the array, `shared` stands in place of `changing`, and a method with
//! `&mut self` is refused. Where nothing but methods of elements may change the array, `bodies[k].step(bodies[j].time())`,
//! `&()` stands in its place: only rustc knows whether such a method takes `&mut self`, and while the array is borrowed,
//! it would refuse also those that do not.
//!
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

impl<T> ChangingElement<T> {
    /// The copy for a method that may change it. The array is borrowed as long as it.
    #[inline(always)]
    pub const fn changing<'a, C>(&'a mut self, _: &'a C) -> BorrowedElement<'a, T> {
        BorrowedElement(self)
    }

    /// The copy for a method that does not change it. The array is borrowed as long as it.
    #[inline(always)]
    pub const fn shared<'a, C>(&'a mut self, _: &'a C) -> &'a T {
        &self.value
    }
}

/// The copy of an element of an array, borrowed together with the array. It knows whether it was borrowed by `&mut`.
#[derive(Debug)]
pub struct BorrowedElement<'a, T>(&'a mut ChangingElement<T>);

impl<T> Deref for BorrowedElement<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> DerefMut for BorrowedElement<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.0.changed = true;
        &mut self.0.value
    }
}

/// The copy of an element of anything else.
#[derive(Debug)]
pub struct FixedElement<T>(T);

impl<T> FixedElement<T> {
    /// The copy, which is apart from the array.
    #[inline(always)]
    pub const fn changing<C>(&mut self, _: &C) -> &T {
        &self.0
    }

    /// The copy, which is apart from the array.
    #[inline(always)]
    pub const fn shared<C>(&mut self, _: &C) -> &T {
        &self.0
    }

    /// The copy.
    #[inline(always)]
    pub fn released(self) -> Self {
        self
    }
}

impl<T> Deref for FixedElement<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The index of an element of an array, while arguments are evaluated that may read the array.
#[derive(Debug)]
pub struct HeldIndex<'a, I>(I, PhantomData<&'a ()>);

impl<I> HeldIndex<'_, I> {
    /// The index, with which nothing is borrowed.
    #[inline(always)]
    pub fn released(self) -> I {
        self.0
    }
}

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
    fn hold_place<'a, I: Int>(&self, base: &'a [T; N], index: I, link: LinkedCall<OwnIndex>) -> HeldIndex<'a, I>;
    /// The element in its place, behind the arguments.
    fn held_place<'a, I: Int>(&self, base: &'a mut [T; N], index: I) -> &'a mut T;
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
    fn hold_place<'a, I: Int>(&self, _: &'a [T; N], index: I, _: LinkedCall<OwnIndex>) -> HeldIndex<'a, I> {
        HeldIndex(index, PhantomData)
    }

    #[inline(always)]
    #[track_caller]
    fn held_place<'a, I: Int>(&self, base: &'a mut [T; N], index: I) -> &'a mut T {
        changing_element(base, index)
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
