//! `iter` and its like outside of the head of a loop. A type of the user's may have a method of such a name, which is
//! called as any other; those of arrays have no form in a kernel, and the error is the loop to write.

use super::{Called, FormLink, KernelFn, LinkedCall};
use crate::kernel::types::KernelValue;

/// The marker of `iter`, `iter_mut` and `into_iter` of an array.
#[derive(Debug)]
pub enum OfAnArray {}

/// The companions of what makes an iterator of an array.
#[allow(
    clippy::wrong_self_convention,
    clippy::iter_not_returning_iterator,
    reason = "the names are those of the methods"
)]
pub trait ArrayIterators {
    /// No companion of `iter`.
    fn iter_marked_amp(&self) -> Called<(), OfAnArray> {
        Called::new(())
    }

    /// No companion of `iter_mut`.
    fn iter_mut_marked_amp(&self) -> Called<(), OfAnArray> {
        Called::new(())
    }

    /// No companion of `into_iter`.
    fn into_iter_marked_amp(&self) -> Called<(), OfAnArray> {
        Called::new(())
    }
}

impl<T: KernelValue> ArrayIterators for [T] {}

/// What is called is not an array's.
#[derive(Debug)]
pub enum OwnKind {}

/// What is called is an array's.
#[derive(Debug)]
pub enum ArrayKind {}

/// The marker of a method with the name of an array's iterator.
pub trait CalledIterator: Sized {
    /// Whose it is.
    type Kind;

    /// The kernel form.
    fn link(_: LinkedCall<Self>) -> FormLink;
}

impl<M: KernelFn> CalledIterator for M {
    type Kind = OwnKind;

    fn link(_: LinkedCall<M>) -> FormLink {
        M::form
    }
}

impl CalledIterator for OfAnArray {
    type Kind = ArrayKind;

    fn link(_: LinkedCall<OfAnArray>) -> FormLink {
        unreachable!("no call of an array's iterator compiles")
    }
}

macro_rules! loops {
    ($($(#[$doc:meta])* $name:ident $call:ident, $help:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $help,
            label = "a method of an iterator"
        )]
        pub trait $name {
            /// The type itself. If the trait is missing, rustc reports no other mistake about this.
            type Result<R>;

            /// Itself.
            fn itself<R>(result: R) -> Self::Result<R>;
        }

        #[diagnostic::do_not_recommend]
        impl $name for OwnKind {
            type Result<R> = R;

            #[inline(always)]
            fn itself<R>(result: R) -> R {
                result
            }
        }

        impl<M: CalledIterator> LinkedCall<M> {
            /// Takes the marker of a call, and returns the call's result.
            #[inline(always)]
            pub fn $call<R>(self, called: Called<R, M>) -> <M::Kind as $name>::Result<R>
            where
                M::Kind: $name,
            {
                M::Kind::itself(called.0)
            }
        }
    )*};
}

loops! {
    /// The method is none of an array's.
    ItsOwnIterator call_iter,
        "in a kernel, iterators stand behind `for .. in`; write a loop: `let mut sum = 0; for x in &a {{ sum += *x; }}`";
}

loops! {
    /// The same, with `any` behind it.
    ItsOwnAny call_any,
        "in a kernel, iterators stand behind `for .. in`; write a loop: `let mut any = false; for x in &a {{ if *x == 3 {{ any = true; break; }} }}`";
}

loops! {
    /// The same, with `all` behind it.
    ItsOwnAll call_all,
        "in a kernel, iterators stand behind `for .. in`; write a loop: `let mut all = true; for x in &a {{ if !(*x == 3) {{ all = false; break; }} }}`";
}

loops! {
    /// The same, with `find` behind it.
    ItsOwnFind call_find,
        "in a kernel, iterators stand behind `for .. in`; write a loop: `let mut found = None; for x in &a {{ if *x == 3 {{ found = Some(*x); break; }} }}`";
}

loops! {
    /// The same, with `position` behind it.
    ItsOwnPosition call_position,
        "in a kernel, iterators stand behind `for .. in`; write a loop: `let mut at = None; for i in 0..a.len() {{ if a[i] == 3 {{ at = Some(i); break; }} }}`";
}

loops! {
    /// The same, with `count` behind it.
    ItsOwnCount call_count,
        "in a kernel, iterators stand behind `for .. in`; write a loop: `let mut count = 0; for x in &a {{ if *x == 3 {{ count += 1; }} }}`";
}

loops! {
    /// The same, in the head of a `for`.
    ItsOwnAdapted call_adapted,
        "in a kernel, `for` goes over ranges, `for i in 0..n`, and over arrays: `for x in array`, `&array` or `array.iter()`, with `.enumerate()` and `.rev()` behind that";
}
