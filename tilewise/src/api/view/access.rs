//! The access markers, `ArrayView`'s last parameter, and the error for indexing a view on the host.

use std::ops;

use super::ArrayView;
use crate::IntoIndex;
use crate::api::element::Element;
use crate::kernel::macro_support;

/// Access marker of a view that may write (the default).
///
/// ```
/// use tilewise::{ArrayView, ReadWrite, Result};
/// fn clear(view: &ArrayView<'_, i32, 1, ReadWrite>) -> Result<()> {
///     view.fill(0)
/// }
/// let view = ArrayView::from_vec(2, vec![1, 2])?;
/// clear(&view)?;
/// assert_eq!(view.to_vec()?, [0, 0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Debug)]
pub enum ReadWrite {}

/// Access marker of a view that only reads: `array_view<const T, N>`.
///
/// ```
/// use tilewise::{ArrayView, ReadOnly};
/// let data = [1, 2, 3];
/// let view: ArrayView<'_, i32, 1, ReadOnly> = ArrayView::read_only(3, &data)?;
/// assert_eq!(view.get(1)?, data[1]); // The program still reads it too.
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Debug)]
pub enum ReadOnly {}

/// `ReadWrite` or `ReadOnly`. Sealed.
///
/// ```
/// use tilewise::{Access, ArrayView, Result};
/// fn total<A: Access>(view: &ArrayView<'_, i32, 1, A>) -> Result<i32> {
///     Ok(view.host()?.iter().sum())
/// }
/// let view = ArrayView::from_vec(3, vec![1, 2, 3])?;
/// assert_eq!(total(&view)?, 6);
/// assert_eq!(total(&view.as_read_only())?, 6);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub trait Access: Send + Sync + 'static + sealed::Sealed {
    /// The access in the kernel language.
    #[doc(hidden)]
    const ACCESS: macro_support::Access;
    /// Whether it permits writes.
    #[doc(hidden)]
    const WRITABLE: bool;
}

/// A marker that permits writes: `ReadWrite` only.
///
/// ```
/// use tilewise::{ArrayView, Result, Writable};
/// fn ones<A: Writable>(view: &ArrayView<'_, f32, 2, A>) -> Result<()> {
///     view.fill(1.0)
/// }
/// let table = ArrayView::from_vec((2, 2), vec![0.0; 4])?;
/// ones(&table.section((0, 1), (2, 1)))?;
/// assert_eq!(table.to_vec()?, [0.0, 1.0, 0.0, 1.0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this view is read-only",
    label = "needs a writable view",
    note = "make it with `ArrayView::new(extent, &mut data)`"
)]
pub trait Writable: Access {}

impl Access for ReadWrite {
    const ACCESS: macro_support::Access = macro_support::Access::ReadWrite;
    const WRITABLE: bool = true;
}

impl Access for ReadOnly {
    const ACCESS: macro_support::Access = macro_support::Access::Read;
    const WRITABLE: bool = false;
}

#[diagnostic::do_not_recommend]
impl Writable for ReadWrite {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::ReadWrite {}
    impl Sealed for super::ReadOnly {}

    #[diagnostic::on_unimplemented(
        message = "a view is not indexed on the host",
        label = "take a guard: `let h = view.host()?;` then `h[i]`",
        note = "or `view.get(i)?` and `view.set(i, x)?` for one element; in a kernel `view[i]` is fine"
    )]
    pub trait InKernelOnly {}
}

/// `v[i]` exists in kernels only. On the host it would return a reference to data that a launch
/// through another handle could write, so this impl never applies; it exists for its error message.
impl<T: Element, const N: usize, A: Access, I: IntoIndex<N> + sealed::InKernelOnly> ops::Index<I>
    for ArrayView<'_, T, N, A>
{
    type Output = T;

    fn index(&self, _: I) -> &T {
        unreachable!("no type is `InKernelOnly`")
    }
}
