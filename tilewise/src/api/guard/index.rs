//! The indices of a guard: a position, or in rank 1 a range.

use std::ops;

use super::span::{Span, SpanMut};
use super::{HostRead, HostWrite};
use crate::api::element::Element;
use crate::api::view::ViewLayout;
use crate::{Extent, Index, IntoIndex};

/// An index of a guard: a position (an element), or for rank 1 a range (a slice). Sealed by its
/// blanket impl.
///
/// ```
/// use tilewise::ArrayView;
/// let line = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
/// assert_eq!(line.host()?[1..3], [2, 3]);
/// let table = line.view_as::<2>((2, 2));
/// assert_eq!(table.host()?[(1, 0)], 3);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used to index a guard of rank {N}",
    label = "neither a position nor, for rank 1, a range of `usize`"
)]
pub trait HostIndex<T, const N: usize> {
    /// `T` or `[T]`.
    type Output: ?Sized;
    #[doc(hidden)]
    fn of<'s>(self, span: &'s Span<'_, T, N>) -> &'s Self::Output;
    #[doc(hidden)]
    fn of_mut<'s>(self, span: &'s mut SpanMut<'_, T, N>) -> &'s mut Self::Output;
}

/// The result of `access` for a position.
#[inline(always)]
#[track_caller]
pub(super) fn in_range<R, const N: usize>(
    layout: &ViewLayout<N>,
    index: impl IntoIndex<N>,
    access: impl FnOnce([i32; N]) -> Option<R>,
) -> R {
    match index.try_into_index() {
        Some(Index(index)) => match access(index) {
            Some(found) => found,
            None => outside(layout.extent, index),
        },
        None => panic!("a component of the index does not fit 32 bits"),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside<const N: usize>(extent: [i32; N], index: [i32; N]) -> ! {
    panic!("index {} is outside of the extent {} of the guard", Index(index), Extent(extent))
}

#[diagnostic::do_not_recommend]
impl<T: Element, const N: usize, I: IntoIndex<N>> HostIndex<T, N> for I {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn of<'s>(self, span: &'s Span<'_, T, N>) -> &'s T {
        in_range(span.layout(), self, |index| span.element(index))
    }

    #[inline(always)]
    #[track_caller]
    fn of_mut<'s>(self, span: &'s mut SpanMut<'_, T, N>) -> &'s mut T {
        let extent = span.span().layout().extent;
        let Some(Index(index)) = self.try_into_index() else { panic!("a component of the index does not fit 32 bits") };
        match span.element_mut(index) {
            Some(element) => element,
            None => outside(extent, index),
        }
    }
}

macro_rules! ranges {
    ($($range:ty)*) => {$(
        impl<T: Element> HostIndex<T, 1> for $range {
            type Output = [T];

            #[inline]
            #[track_caller]
            fn of<'s>(self, span: &'s Span<'_, T, 1>) -> &'s [T] {
                &span.slice().expect("a view of rank 1 is in one piece")[self]
            }

            #[inline]
            #[track_caller]
            fn of_mut<'s>(self, span: &'s mut SpanMut<'_, T, 1>) -> &'s mut [T] {
                &mut span.slice_mut().expect("a view of rank 1 is in one piece")[self]
            }
        }
    )*};
}

ranges! {
    ops::Range<usize>
    ops::RangeTo<usize>
    ops::RangeFrom<usize>
    ops::RangeFull
    ops::RangeInclusive<usize>
    ops::RangeToInclusive<usize>
}

impl<T: Element, const N: usize, I: HostIndex<T, N>> ops::Index<I> for HostRead<'_, T, N> {
    type Output = I::Output;

    #[inline(always)]
    #[track_caller]
    fn index(&self, i: I) -> &I::Output {
        i.of(&self.span)
    }
}

impl<T: Element, const N: usize, I: HostIndex<T, N>> ops::Index<I> for HostWrite<'_, T, N> {
    type Output = I::Output;

    #[inline(always)]
    #[track_caller]
    fn index(&self, i: I) -> &I::Output {
        i.of(self.span.span())
    }
}

impl<T: Element, const N: usize, I: HostIndex<T, N>> ops::IndexMut<I> for HostWrite<'_, T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, i: I) -> &mut I::Output {
        i.of_mut(&mut self.span)
    }
}
