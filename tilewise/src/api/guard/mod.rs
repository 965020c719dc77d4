//! Host guards: while one exists, the host accesses its elements as references and slices.
//! [`index`] has the indices of a guard, [`iter`] iteration, [`span`] the pointers.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

use crate::api::element::Element;
use crate::api::error::Result;
use crate::api::view::ViewLayout;
use crate::memory::Handle;
use crate::{Extent, IntoIndex};

mod index;
mod iter;
pub(crate) mod span;

pub use index::HostIndex;
use iter::{Iter, IterMut};
use span::{Span, SpanMut};

/// Shared host access to a view; other readers may have access too. Leaking it keeps the elements
/// read-locked, nothing worse.
///
/// ```
/// use tilewise::ArrayView;
/// let table = ArrayView::from_vec((2, 3), vec![1, 2, 3, 4, 5, 6])?;
/// let guard = table.host()?;
/// assert_eq!(guard.row((1, 0)), [4, 5, 6]);
/// assert_eq!(guard.iter().sum::<i32>(), 21);
/// assert!(table.set((0, 0), 7).is_err(), "the guard must be dropped first");
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use = "the elements are the host's as long as the guard is kept"]
pub struct HostRead<'g, T, const N: usize> {
    span: Span<'g, T, N>,
}

/// Exclusive host access. Leaking it locks the elements permanently: later uses return
/// `Error::Borrowed`.
///
/// ```
/// use tilewise::ArrayView;
/// let mut data = [3, 1, 2];
/// let view = ArrayView::of(&mut data);
/// view.host_mut()?.sort(); // In rank 1 it is a slice.
/// view.close()?;
/// assert_eq!(data, [1, 2, 3]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use = "the elements are the host's as long as the guard is kept"]
pub struct HostWrite<'g, T, const N: usize> {
    span: SpanMut<'g, T, N>,
}

macro_rules! reading {
    ($guard:ident, $self:ident => $span:expr) => {
        impl<T: Element, const N: usize> $guard<'_, T, N> {
            /// The view's extent.
            pub fn extent(&$self) -> Extent<N> {
                Extent($span.layout().extent)
            }

            /// A row of the least significant dimension, from the given position to its end:
            /// `row((i, 0))` is all of row `i`.
            ///
            /// # Panics
            /// If the position is out of range.
            #[track_caller]
            pub fn row(&$self, from: impl IntoIndex<N>) -> &[T] {
                index::in_range($span.layout(), from, |index| $span.row(index))
            }

            /// All elements, in order.
            pub fn iter(&$self) -> impl ExactSizeIterator<Item = &T> + '_ {
                Iter::new($span.rows())
            }

            /// All elements as one slice, if they are contiguous (always, for rank 1 and whole
            /// views).
            pub fn as_slice(&$self) -> Option<&[T]> {
                $span.slice()
            }
        }

        impl<T: Element> Deref for $guard<'_, T, 1> {
            type Target = [T];

            #[inline]
            fn deref(&$self) -> &[T] {
                $span.slice().expect("a view of rank 1 is in one piece")
            }
        }
    };
}

reading!(HostRead, self => self.span);
reading!(HostWrite, self => self.span.span());

impl<'g, T: Element, const N: usize> HostRead<'g, T, N> {
    pub(crate) fn new(handle: &'g Handle, layout: ViewLayout<N>, at: &'static Location<'static>) -> Result<Self> {
        Ok(HostRead { span: Span::new(handle, layout, at)? })
    }
}

impl<'g, T: Element, const N: usize> HostWrite<'g, T, N> {
    pub(crate) fn new(handle: &'g Handle, layout: ViewLayout<N>, at: &'static Location<'static>) -> Result<Self> {
        Ok(HostWrite { span: SpanMut::new(handle, layout, at)? })
    }

    /// A row of the least significant dimension, from the given position to its end:
    /// `row_mut((i, 0))` is all of row `i`.
    ///
    /// # Panics
    /// If the position is out of range.
    #[track_caller]
    pub fn row_mut(&mut self, from: impl IntoIndex<N>) -> &mut [T] {
        let layout = *self.span.span().layout();
        index::in_range(&layout, from, |index| self.span.row_mut(index))
    }

    /// All elements, in order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> + '_ {
        IterMut::new(self.span.rows_mut())
    }

    /// All elements as one slice, if they are contiguous.
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        self.span.slice_mut()
    }
}

impl<T: Element> DerefMut for HostWrite<'_, T, 1> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.span.slice_mut().expect("a view of rank 1 is in one piece")
    }
}

impl<T: Element, const N: usize> fmt::Debug for HostRead<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostRead").field("extent", &self.extent()).finish_non_exhaustive()
    }
}

impl<T: Element, const N: usize> fmt::Debug for HostWrite<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostWrite").field("extent", &self.extent()).finish_non_exhaustive()
    }
}
