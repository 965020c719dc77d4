//! Places that are indexed: what `base[index]` reads and writes in the closure of a kernel. What the parts of a view are is with the views; indices, extents and short vectors
//! implement [`Read`] beside their own types.
//!
//! Reading outside gives zero and writing outside does nothing, as everywhere in the kernel language.

use crate::shape::Int;
use crate::types::KernelValue;

/// What can be read by `base[index]` in a kernel: views, arrays, `#[tile_static]` names, indices, extents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be indexed by `{I}` in a kernel",
    label = "neither an element nor a row has this index"
)]
pub trait Read<I> {
    /// What is read: an element, or a row (a view of one rank less).
    type Out;
    /// Reads it.
    fn read(&self, index: I) -> Self::Out;
}

/// `base[index]` as a value.
#[inline(always)]
#[track_caller]
pub fn read<C: Read<I> + ?Sized, I>(base: &C, index: I) -> C::Out {
    base.read(index)
}

#[diagnostic::do_not_recommend]
impl<C: Read<I> + ?Sized, I> Read<I> for &C {
    type Out = C::Out;

    #[inline(always)]
    #[track_caller]
    fn read(&self, index: I) -> C::Out {
        (**self).read(index)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Read<I> + ?Sized, I> Read<I> for &mut C {
    type Out = C::Out;

    #[inline(always)]
    #[track_caller]
    fn read(&self, index: I) -> C::Out {
        (**self).read(index)
    }
}

/// `base[index] = value` where the base is a variable. Views have an inherent method of this name, so that a view need not be `mut`.
pub trait WriteElement<I>: Read<I> {
    /// Writes it.
    fn write_element(&mut self, index: I, value: Self::Out);

    /// Writes back what was read and changed: the end of `base[index].field = value` and of `base[index][other] = value`. For a row of a view there is nothing to write back.
    #[inline(always)]
    fn put_back(&mut self, index: I, value: Self::Out) {
        self.write_element(index, value);
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, I: Int, const N: usize> Read<I> for [T; N] {
    type Out = T;

    #[inline(always)]
    fn read(&self, index: I) -> T {
        place(index).and_then(|at| self.get(at)).copied().unwrap_or_else(T::zero)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, I: Int, const N: usize> WriteElement<I> for [T; N] {
    #[inline(always)]
    fn write_element(&mut self, index: I, value: T) {
        if let Some(slot) = place(index).and_then(|at| self.get_mut(at)) {
            *slot = value;
        }
    }
}

/// An index that is not negative.
fn place(index: impl Int) -> Option<usize> {
    index.to_i32().and_then(|at| usize::try_from(at).ok())
}
