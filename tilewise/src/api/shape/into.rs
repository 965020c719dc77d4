//! Types that convert to a position or a size of a given rank.
//!
//! The blanket implementations for integers are hidden from error messages: an error about a wrong
//! rank must mention the rank, not [`Int`].

use super::{Extent, Index, Int, TiledExtent, TiledIndex};
use crate::kernel::types::KernelType;
use crate::targets::native;

pub(crate) mod sealed {
    /// Prevents implementations outside of this crate: kernels know the conversions of these types
    /// and run no others.
    #[diagnostic::on_unimplemented(
        message = "kernels have no conversion of `{Self}` to a position or an extent",
        label = "neither numbers nor an `Index` or `Extent`",
        note = "give it an `#[amp]` method that returns an `Index` or an `Extent`, and call that"
    )]
    pub trait ConvertedInKernels {}
}

/// A position of rank `N`: an integer (rank 1), a tuple, an array of integers, an `Index<N>`, a
/// `TiledIndex` (its `global`). Sealed: a kernel knows how these are converted, and has no call
/// where it could run another conversion.
///
/// ```
/// use tilewise::{ArrayView, Index, IntoIndex, Result};
/// fn swap<I: IntoIndex<2>>(table: &ArrayView<'_, i32, 2>, a: I, b: I) -> Result<()> {
///     let (x, y) = (table.get(a)?, table.get(b)?);
///     table.set(a, y)?;
///     table.set(b, x)
/// }
/// let table = ArrayView::from_vec((2, 2), vec![1, 2, 3, 4])?;
/// swap(&table, (0, 0), (1, 1))?;
/// swap(&table, [0, 1], [1, 0])?;
/// swap(&table, Index([0, 0]), Index([0, 1]))?;
/// assert_eq!(table.to_vec()?, [3, 4, 2, 1]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used to index a view or array of rank {N}",
    label = "wrong index type"
)]
pub trait IntoIndex<const N: usize>: KernelType + Copy + sealed::ConvertedInKernels {
    /// `None` if a component does not fit 32 bits.
    fn try_into_index(self) -> Option<Index<N>>;
    /// The components as a kernel has them.
    #[doc(hidden)]
    fn cut_to_index(self) -> Index<N> {
        self.try_into_index().expect("its components have 32 bits")
    }
}

/// A size of rank `N`: an integer (rank 1), a tuple, an array of integers, an `Extent<N>`, a
/// `TiledExtent` (the whole domain). Sealed, as [`IntoIndex`] is.
///
/// ```
/// use tilewise::{Array, Extent, IntoExtent, Result};
/// fn grid(extent: impl IntoExtent<2>) -> Result<Array<f32, 2>> {
///     Array::new(extent)
/// }
/// assert_eq!(grid((2, 3))?.extent(), grid([2usize, 3])?.extent());
/// assert_eq!(grid(Extent([4, 4]))?.extent().size(), 16);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is not an extent of rank {N}", label = "wrong extent type")]
pub trait IntoExtent<const N: usize>: KernelType + Copy + sealed::ConvertedInKernels {
    /// `None` if a component does not fit 32 bits.
    fn try_into_extent(self) -> Option<Extent<N>>;
    /// The components as a kernel has them.
    #[doc(hidden)]
    fn cut_to_extent(self) -> Extent<N> {
        self.try_into_extent().expect("its components have 32 bits")
    }
}

#[diagnostic::do_not_recommend]
impl<I: Int> sealed::ConvertedInKernels for I {}
#[diagnostic::do_not_recommend]
impl<A: Int, B: Int> sealed::ConvertedInKernels for (A, B) {}
#[diagnostic::do_not_recommend]
impl<A: Int, B: Int, C: Int> sealed::ConvertedInKernels for (A, B, C) {}
#[diagnostic::do_not_recommend]
impl<I: Int, const N: usize> sealed::ConvertedInKernels for [I; N] {}
impl<const N: usize> sealed::ConvertedInKernels for Index<N> {}
impl<const N: usize> sealed::ConvertedInKernels for Extent<N> {}
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> sealed::ConvertedInKernels
    for TiledIndex<N, D0, D1, D2>
{
}
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> sealed::ConvertedInKernels
    for TiledExtent<N, D0, D1, D2>
{
}

macro_rules! integers {
    ($trait:ident $method:ident $cut:ident $to:ident) => {
        #[diagnostic::do_not_recommend]
        impl<I: Int> $trait<1> for I {
            #[inline(always)]
            fn $method(self) -> Option<$to<1>> {
                Some($to([self.to_i32()?]))
            }

            fn $cut(self) -> $to<1> {
                $to([self.in_a_kernel()])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: Int, B: Int> $trait<2> for (A, B) {
            #[inline(always)]
            fn $method(self) -> Option<$to<2>> {
                Some($to([self.0.to_i32()?, self.1.to_i32()?]))
            }

            fn $cut(self) -> $to<2> {
                $to([self.0.in_a_kernel(), self.1.in_a_kernel()])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: Int, B: Int, C: Int> $trait<3> for (A, B, C) {
            #[inline(always)]
            fn $method(self) -> Option<$to<3>> {
                Some($to([self.0.to_i32()?, self.1.to_i32()?, self.2.to_i32()?]))
            }

            fn $cut(self) -> $to<3> {
                $to([self.0.in_a_kernel(), self.1.in_a_kernel(), self.2.in_a_kernel()])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<I: Int, const N: usize> $trait<N> for [I; N] {
            #[inline(always)]
            fn $method(self) -> Option<$to<N>> {
                let mut components = [0; N];
                for (component, given) in components.iter_mut().zip(self) {
                    *component = given.to_i32()?;
                }
                Some($to(components))
            }

            fn $cut(self) -> $to<N> {
                $to(self.map(Int::in_a_kernel))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> $trait<N> for $to<N> {
            #[inline(always)]
            fn $method(self) -> Option<$to<N>> {
                Some(self)
            }
        }
    };
}

integers!(IntoIndex try_into_index cut_to_index Index);
integers!(IntoExtent try_into_extent cut_to_extent Extent);

/// `new` of components of which one does not fit 32 bits: a kernel has numbers for them, also where its
/// closure itself runs.
#[cold]
#[track_caller]
pub(super) fn cut_in_kernels<T>(what: &str, cut: impl FnOnce() -> T) -> T {
    assert!(native::running::inside(), "a component of an {what} does not fit 32 bits");
    cut()
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> IntoIndex<N> for TiledIndex<N, D0, D1, D2> {
    #[inline(always)]
    fn try_into_index(self) -> Option<Index<N>> {
        Some(self.global)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> IntoExtent<N> for TiledExtent<N, D0, D1, D2> {
    #[inline(always)]
    fn try_into_extent(self) -> Option<Extent<N>> {
        Some(self.extent())
    }
}
