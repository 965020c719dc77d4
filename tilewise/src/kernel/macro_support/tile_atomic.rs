//! Atomic operations on `tile_static` variables: [`TileStatic::atomic`].

use super::{Called, RustBuiltin, TileStatic};
use crate::api::element::AtomicElement;
use crate::api::view::AtomicPlace;
use crate::kernel::companions::marks;
use crate::kernel::types::KernelValue;
use crate::{AtomicRef, IntoIndex};

impl<T: AtomicElement + KernelValue> TileStatic<T> {
    /// The atomic operations on the variable.
    pub fn atomic(&self) -> AtomicRef<'_, T> {
        AtomicRef::of_place(self, 0)
    }

    #[doc(hidden)]
    pub fn atomic_marked_amp(&self) -> Called<AtomicRef<'_, T>, mark::AtomicAt> {
        Called::new(self.atomic())
    }
}

impl<T: AtomicElement + KernelValue, const N: usize> TileStatic<[T; N]> {
    /// The atomic operations on one element; without effect if it is out of range.
    pub fn atomic(&self, index: impl IntoIndex<1>) -> AtomicRef<'_, T> {
        let index = index.try_into_index().and_then(|index| u64::try_from(index[0]).ok());
        AtomicRef::of_place(self, index.unwrap_or(u64::MAX))
    }

    #[doc(hidden)]
    pub fn atomic_marked_amp(&self, index: impl IntoIndex<1>) -> Called<AtomicRef<'_, T>, mark::AtomicAt> {
        Called::new(self.atomic(index))
    }
}

impl<T: AtomicElement + KernelValue, const M: usize, const N: usize> TileStatic<[[T; M]; N]> {
    /// The atomic operations on one element, `grid.atomic((row, column))`; without effect if it is
    /// out of range.
    pub fn atomic(&self, index: impl IntoIndex<2>) -> AtomicRef<'_, T> {
        let inside = |i: i32, length: usize| usize::try_from(i).ok().filter(|&i| i < length);
        let index = index.try_into_index().and_then(|i| Some(inside(i.0[0], N)? * M + inside(i.0[1], M)?));
        AtomicRef::of_place(self, index.map_or(u64::MAX, |index| index as u64))
    }

    #[doc(hidden)]
    pub fn atomic_marked_amp(&self, index: impl IntoIndex<2>) -> Called<AtomicRef<'_, T>, mark::AtomicAt> {
        Called::new(self.atomic(index))
    }
}

/// What `atomic` of a `tile_static` name is called on: the name itself, if it has atomic operations.
pub trait AtomicOfName {
    /// Itself.
    fn with_atomic(&self) -> &Self;
}

impl<T: AtomicElement> AtomicOfName for TileStatic<T> {
    #[inline(always)]
    fn with_atomic(&self) -> &Self {
        self
    }
}

impl<T: AtomicElement, const N: usize> AtomicOfName for TileStatic<[T; N]> {
    #[inline(always)]
    fn with_atomic(&self) -> &Self {
        self
    }
}

impl<T: AtomicElement, const M: usize, const N: usize> AtomicOfName for TileStatic<[[T; M]; N]> {
    #[inline(always)]
    fn with_atomic(&self) -> &Self {
        self
    }
}

/// The same for all others, whose value may have a method of this name.
pub trait AtomicOfValue<T> {
    /// The value.
    fn with_atomic(&self) -> T;
}

impl<T: KernelValue + 'static> AtomicOfValue<T> for &TileStatic<T> {
    #[inline]
    #[track_caller]
    fn with_atomic(&self) -> T {
        self.get()
    }
}

impl<T: AtomicElement + KernelValue> AtomicPlace<T> for TileStatic<T> {
    fn change(&self, _: u64, change: &mut dyn FnMut(T) -> T) -> Option<T> {
        Some(self.with(|value| replace(value, change)))
    }
}

impl<T: AtomicElement + KernelValue, const N: usize> AtomicPlace<T> for TileStatic<[T; N]> {
    fn change(&self, index: u64, change: &mut dyn FnMut(T) -> T) -> Option<T> {
        self.with(|values| Some(replace(values.get_mut(usize::try_from(index).ok()?)?, change)))
    }
}

impl<T: AtomicElement + KernelValue, const M: usize, const N: usize> AtomicPlace<T> for TileStatic<[[T; M]; N]> {
    fn change(&self, index: u64, change: &mut dyn FnMut(T) -> T) -> Option<T> {
        let index = usize::try_from(index).ok()?;
        self.with(|rows| Some(replace(rows.as_flattened_mut().get_mut(index)?, change)))
    }
}

/// Replaces a value and returns the previous one. `native` runs one thread of a tile at a time, so
/// no other access intervenes.
fn replace<T: Copy>(place: &mut T, change: &mut dyn FnMut(T) -> T) -> T {
    let old = *place;
    *place = change(old);
    old
}

#[doc(hidden)]
pub(crate) mod mark {
    //! The targets of the companions.

    use super::{RustBuiltin, marks};

    marks! {
        /// `name.atomic(i)`
        AtomicAt => RustBuiltin::AtomicAt;
    }
}
