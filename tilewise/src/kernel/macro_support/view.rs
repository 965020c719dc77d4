//! `view[i]` as a [`read`](super::read). The result of each kind of subscript is defined with the
//! views.

use super::{OwnIndex, Read, ReadChanging};
use crate::api::view::{ArrayView, Subscript};

#[diagnostic::do_not_recommend]
impl<'a, T, const N: usize, A, I: Subscript<'a, T, N, A>> Read<I> for ArrayView<'a, T, N, A> {
    type Out = I::Out;
    type Mark = OwnIndex;

    #[inline]
    #[track_caller]
    fn read(&self, index: I) -> I::Out {
        index.read(self)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T, const N: usize, A, I: Subscript<'a, T, N, A>> ReadChanging<I> for ArrayView<'a, T, N, A> {
    type Place = OwnIndex;
}
