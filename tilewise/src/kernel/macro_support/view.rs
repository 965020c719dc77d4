//! `view[i]` as a [`read`](super::read), and the methods of views that kernels lack. The result of each
//! kind of subscript is defined with the views.

use super::{Called, Form, KernelFn, OwnIndex, Read, ReadChanging, RustBuiltin};
use crate::api::view::{ArrayView, Subscript};

#[diagnostic::do_not_recommend]
impl<'a, T, const N: usize, A, I: Subscript<'a, T, N, A>> Read<I> for ArrayView<'a, T, N, A> {
    type Out = I::Out;
    type Mark = OwnIndex;

    #[inline]
    #[track_caller]
    fn read(&self, index: I) -> I::Out {
        index.read_of(self)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T, const N: usize, A, I: Subscript<'a, T, N, A>> ReadChanging<I> for ArrayView<'a, T, N, A> {
    type Place = OwnIndex;
    type Indexed = Self;
}

/// The companion of `clone` of views.
pub trait ViewHandles {
    /// One more handle of the same elements.
    fn clone_marked_amp(&self) -> Called<Self, SameHandle>
    where
        Self: Sized;
}

/// The meaning of `clone` of a view.
#[derive(Debug)]
pub enum SameHandle {}

impl KernelFn for SameHandle {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Identity)
    }
}

impl<T, const N: usize, A> ViewHandles for ArrayView<'_, T, N, A> {
    #[inline(always)]
    fn clone_marked_amp(&self) -> Called<Self, SameHandle> {
        Called::new(self.clone())
    }
}

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method of a view, and do not iterate over one",
    label = "for the host only",
    note = "in a kernel, `view[i]` reads and writes an element, and `view.extent()` is the size: write a loop over indices, `for k in from..to {{ .. view[k] .. }}`"
)]
pub trait OnTheHost {
    /// What the method gives: of a missing trait's type, rustc reports nothing more.
    type Nothing;
}

macro_rules! on_the_host {
    ($($companion:ident($($g:ident),*) -> $result:ty;)*) => {
        /// Methods of views that only the host has: no companion can be called.
        #[allow(clippy::wrong_self_convention, reason = "the names are those of the methods")]
        pub trait HostMethods<T>: Sized {$(
            /// No companion.
            fn $companion<$($g),*>(&self, $(_: $g),*) -> Called<$result, OwnIndex>
            where
                Self: OnTheHost,
            {
                unreachable!()
            }
        )*}
    };
}

on_the_host! {
    get_marked_amp(I) -> T;
    set_marked_amp(I, V) -> ();
    fill_marked_amp(V) -> ();
    host_marked_amp() -> ();
    host_mut_marked_amp() -> ();
    to_vec_marked_amp() -> ();
    len_marked_amp() -> usize;
    is_empty_marked_amp() -> bool;
    close_marked_amp() -> ();
    iter_marked_amp() -> Self::Nothing;
    iter_mut_marked_amp() -> Self::Nothing;
    into_iter_marked_amp() -> Self::Nothing;
}

impl<T, const N: usize, A> HostMethods<T> for ArrayView<'_, T, N, A> {}
