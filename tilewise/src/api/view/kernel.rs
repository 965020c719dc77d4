//! Element access in code that the macros generate. Inside a launch it is bounds-checked and goes
//! directly to memory: out of range, a read yields zero and a write does nothing. On the host,
//! where an `#[amp]` function may be called too, it takes the lock, and panics where a kernel would
//! ignore the error.

use std::thread::panicking;

use super::shape::position;
use super::{Access, ArrayView, Writable};
use crate::IntoIndex;
use crate::api::element::{Element, ValueOf};
use crate::memory::launch::{holds, is_inside, refuse_uncaptured};
use crate::memory::lock::Intent;

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A> {
    /// Reads the element at `index`, as a kernel does.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn kernel_read(&self, index: impl IntoIndex<N>) -> T::Value {
        let Some(at) = self.kernel_place(index, Intent::Read) else {
            let is_inside = is_inside();
            // A panic hook that a kernel enters may use other views.
            return match if is_inside && !panicking() { Ok(T::zeroed()) } else { self.get(index) } {
                Ok(element) => T::Value::of_element(element),
                Err(_) if is_inside => T::Value::of_element(T::zeroed()),
                Err(error) => panic!("{error}"),
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
            None => {
                let is_inside = is_inside();
                let written = if is_inside && !panicking() { Ok(()) } else { self.set(index, value.into_element()) };
                if let (Err(error), false) = (written, is_inside) {
                    panic!("{error}");
                }
            }
        }
    }

    /// The first byte of an element that the enclosing launch holds; `None` if it is out of range,
    /// and outside of launches.
    ///
    /// # Panics
    /// Inside a launch that does not hold the element, as its kernel did not capture the view.
    #[inline]
    #[track_caller]
    pub(super) fn kernel_place(&self, index: impl IntoIndex<N>, intent: Intent) -> Option<u64> {
        let size = size_of::<T>() as u64;
        let at = self.layout.offset + self.layout.distance(position(index).ok()?)? * size;
        if holds(&self.handle, at, size, intent) {
            return Some(at);
        }
        refuse_uncaptured();
        None
    }
}
