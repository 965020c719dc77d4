//! `v[i]` on views: an element, or a row of a view of rank 2 and more. Which of the two depends on the form of the subscript, so it is the subscript that says what is read:
//! inference then knows the type of `v[i]` as soon as it knows the rank.

use super::Read;
use crate::Element;
use crate::shape::{Index, Int, IntoIndex, TiledIndex};
use crate::view::{Access, ArrayView, Writable};

/// A subscript of a view of rank `N`: an index of all dimensions, or an integer for a row.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used to index a view of rank {N}",
    label = "wrong index type",
    note = "an index of rank {N}, a tuple of {N} integers, or an integer: an element of a view of rank 1, a row of one of a higher rank"
)]
pub trait Subscript<'a, T, const N: usize, A>: Copy {
    /// What it names: an element's value, or a view of one rank less.
    type Out;
    /// Reads it.
    fn read_in(self, view: &ArrayView<'a, T, N, A>) -> Self::Out;
    /// Writes back what was read and changed; nothing for a row, whose elements are those of the view.
    fn put_back_in(self, view: &ArrayView<'a, T, N, A>, value: Self::Out)
    where
        A: Writable;
}

macro_rules! elements {
    ($([$($generics:tt)*] $n:tt $t:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, T: Element, A: Access, $($generics)*> Subscript<'a, T, $n, A> for $t {
            type Out = T::Value;

            #[inline]
            #[track_caller]
            fn read_in(self, view: &ArrayView<'a, T, $n, A>) -> T::Value {
                view.kernel_read(self)
            }

            #[inline]
            #[track_caller]
            fn put_back_in(self, view: &ArrayView<'a, T, $n, A>, value: T::Value)
            where
                A: Writable,
            {
                view.kernel_write(self, value);
            }
        }
    )*};
}

elements! {
    [I: Int] 1 I;
    [I: Int, J: Int] 2 (I, J);
    [I: Int, J: Int, K: Int] 3 (I, J, K);
    [I: Int, const N: usize] N [I; N];
    [const N: usize] N Index<N>;
    [const N: usize, const D0: usize, const D1: usize, const D2: usize] N TiledIndex<N, D0, D1, D2>;
}

macro_rules! rows {
    ($($n:literal: $m:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, T: Element, A: Access, I: Int> Subscript<'a, T, $n, A> for I {
            type Out = ArrayView<'a, T, $m, A>;

            #[inline]
            #[track_caller]
            fn read_in(self, view: &ArrayView<'a, T, $n, A>) -> Self::Out {
                view.project(self)
            }

            #[inline]
            fn put_back_in(self, _: &ArrayView<'a, T, $n, A>, _: Self::Out) {}
        }
    )*};
}

rows! {
    2: 1;
    3: 2;
    4: 3;
    5: 4;
    6: 5;
    7: 6;
    8: 7;
}

#[diagnostic::do_not_recommend]
impl<'a, T, const N: usize, A, I: Subscript<'a, T, N, A>> Read<I> for ArrayView<'a, T, N, A> {
    type Out = I::Out;

    #[inline]
    #[track_caller]
    fn read(&self, index: I) -> I::Out {
        index.read_in(self)
    }
}

impl<'a, T: Element, const N: usize, A: Access> ArrayView<'a, T, N, A> {
    /// `v[i] = x` in a kernel.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn write_element(&self, index: impl IntoIndex<N>, value: T::Value)
    where
        A: Writable,
    {
        self.kernel_write(index, value);
    }

    /// The end of `v[i].field = x` and of `v[i][j] = x` in a kernel.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn put_back<I: Subscript<'a, T, N, A>>(&self, index: I, value: I::Out)
    where
        A: Writable,
    {
        index.put_back_in(self, value);
    }
}
