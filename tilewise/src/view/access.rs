//! What may be done with a view: the markers behind `ArrayView`'s last parameter, and why a view is not indexed on the host.

use std::ops;

use super::ArrayView;
use crate::IntoIndex;
use crate::element::Element;
use crate::form;

/// Access marker of a view that may write (the default).
#[derive(Debug)]
pub enum ReadWrite {}

/// Access marker of a view that only reads: `array_view<const T, N>`.
#[derive(Debug)]
pub enum ReadOnly {}

/// `ReadWrite` or `ReadOnly`. Sealed.
pub trait Access: Send + Sync + 'static + sealed::Sealed {
    /// As the kernel language has it.
    #[doc(hidden)]
    const ACCESS: form::Access;
    /// Whether it writes.
    #[doc(hidden)]
    const WRITABLE: bool;
}

/// Only `ReadWrite`.
#[diagnostic::on_unimplemented(
    message = "this view is read-only",
    label = "needs a writable view",
    note = "make it with `ArrayView::new(extent, &mut data)`"
)]
pub trait Writable: Access {}

impl Access for ReadWrite {
    const ACCESS: form::Access = form::Access::ReadWrite;
    const WRITABLE: bool = true;
}

impl Access for ReadOnly {
    const ACCESS: form::Access = form::Access::Read;
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

/// `v[i]` exists in kernels only. On the host it would hand out a reference that a launch through another handle could write under,
/// so this impl is never applicable; it is there for its message.
impl<T: Element, const N: usize, A: Access, I: IntoIndex<N> + sealed::InKernelOnly> ops::Index<I>
    for ArrayView<'_, T, N, A>
{
    type Output = T;

    fn index(&self, _: I) -> &T {
        unreachable!("no type is `InKernelOnly`")
    }
}
