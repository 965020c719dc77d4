//! The meaning of `view[i]` in a kernel: an element, or a row. The form of the subscript determines
//! the result type, so that rustc infers it without further context.

use super::{Access, ArrayView, Writable};
use crate::api::element::Element;
use crate::api::shape::sealed::ConvertedInKernels;
use crate::kernel::macro_support::{Called, OwnIndex};
use crate::{Index, Int, IntoIndex, TiledIndex};

/// A subscript of a view of rank `N`: a position selects an element; a single integer, where `N` is
/// more than 1, selects a row.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used to index a view or array of rank {N}",
    label = "wrong index type"
)]
pub trait Subscript<'a, T, const N: usize, A>: Copy + ConvertedInKernels {
    /// An element's value, or a view of one rank less.
    type Out;
    /// `view[self]`. (No method that a subscript has is called as one that the macros call: where this trait is in
    /// scope, `array.put_back(..)` would be that of an array as a subscript.)
    fn read_of(self, view: &ArrayView<'a, T, N, A>) -> Self::Out;
    /// Writes back a value that was read and changed; a row has been changed in place.
    fn put_back_into(self, view: &ArrayView<'a, T, N, A>, value: Self::Out)
    where
        A: Writable;
}

macro_rules! positions {
    ($(($($generics:tt)*) $n:tt: $t:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, T: Element, A: Access, $($generics)*> Subscript<'a, T, $n, A> for $t {
            type Out = T::Value;

            #[inline]
            #[track_caller]
            fn read_of(self, view: &ArrayView<'a, T, $n, A>) -> T::Value {
                view.kernel_read(self)
            }

            #[inline]
            #[track_caller]
            fn put_back_into(self, view: &ArrayView<'a, T, $n, A>, value: T::Value)
            where
                A: Writable,
            {
                view.kernel_write(self, value);
            }
        }
    )*};
}

positions! {
    (I: Int) 1: I;
    (I: Int, J: Int) 2: (I, J);
    (I: Int, J: Int, K: Int) 3: (I, J, K);
    (I: Int, const N: usize) N: [I; N];
    (const N: usize) N: Index<N>;
    (const N: usize, const D0: usize, const D1: usize, const D2: usize) N: TiledIndex<N, D0, D1, D2>;
}

impl<'a, T: Element, const N: usize, A: Access> ArrayView<'a, T, N, A> {
    /// `view[index] = value` in a kernel.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn write_element<I: IntoIndex<N>>(&self, index: I, value: T::Value) -> Called<(), OwnIndex>
    where
        A: Writable,
    {
        self.kernel_write(index, value);
        Called::new(())
    }

    /// Completes `view[index] += value`, `view[index].field = value` and `view[index][other] = value` in a
    /// kernel.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn put_back<I: Subscript<'a, T, N, A>, F>(&self, index: I, _: Option<F>, value: I::Out)
    where
        A: Writable,
    {
        index.put_back_into(self, value);
    }
}
