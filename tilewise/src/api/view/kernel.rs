//! What the macros' code calls for elements of views. Inside of a launch: bounds-checked, reading zero and writing nothing out of range, straight to memory. On the host, where an
//! `#[amp]` function may be called too: through the lock, and a panic for what a kernel would let pass.

use super::shape::position;
use super::{Access, ArrayView, Writable};
use crate::IntoIndex;
use crate::api::element::{Element, ValueOf};
use crate::memory::launch::{holds, is_inside};
use crate::memory::lock::Intent;

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A> {
    /// The element at `index`, as a kernel reads it.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn kernel_read(&self, index: impl IntoIndex<N>) -> T::Value {
        let Some(at) = self.kernel_place(index, Intent::Read) else {
            return match is_inside() {
                true => T::Value::of_element(T::zeroed()),
                false => match self.get(index) {
                    Ok(element) => T::Value::of_element(element),
                    Err(error) => panic!("{error}"),
                },
            };
        };
        T::Value::of_element(self.handle.memory.load(at))
    }

    /// Writes the element at `index`, as a kernel does.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn kernel_write(&self, index: impl IntoIndex<N>, value: T::Value)
    where
        A: Writable,
    {
        match self.kernel_place(index, Intent::Write) {
            Some(at) => self.handle.memory.store(at, value.into_element()),
            None if is_inside() => {}
            None => {
                if let Err(error) = self.set(index, value.into_element()) {
                    panic!("{error}");
                }
            }
        }
    }

    /// The byte of an element that the launch around this call holds; nothing for one out of range, and outside of launches.
    ///
    /// # Panics
    /// Inside of a launch that does not hold the element: its kernel did not capture the view.
    #[inline]
    #[track_caller]
    pub(super) fn kernel_place(&self, index: impl IntoIndex<N>, intent: Intent) -> Option<u64> {
        let size = size_of::<T>() as u64;
        let at = self.layout.offset + self.layout.distance(position(index).ok()?)? * size;
        if holds(&self.handle, at, size, intent) {
            return Some(at);
        }
        assert!(!is_inside(), "a kernel can only use views that it has captured");
        None
    }
}
