//! [`TileStatic`]: what a `#[tile_static]` name is.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use std::sync::Arc;

use super::{Builtin, Called, Form, KernelFn, Read, Ty, WriteElement, with_tile_static};
use crate::element::AtomicElement;
use crate::types::{KernelType, KernelValue};
use crate::view::{AtomicPlace, AtomicRef};
use crate::{Int, IntoIndex};

/// A variable that the threads of a tile share, declared in a kernel by `#[tile_static] let sums: [f32; 64];`. Zero when the tile begins.
///
/// The name stands for the value: `sums[i]`, `sums[i] = x`. This type is met where the variable is handed to a function: `fn sum(of: &TileStatic<[f32; 64]>)`.
pub struct TileStatic<T> {
    /// Its number among those declared at one place.
    id: u32,
    declared: &'static Location<'static>,
    value: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for TileStatic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileStatic({})", self.declared)
    }
}

/// `#[tile_static] let name: T;`
#[inline]
#[track_caller]
pub fn tile_static<T: KernelValue + 'static>(id: u32) -> TileStatic<T> {
    TileStatic { id, declared: Location::caller(), value: PhantomData }
}

impl<T: KernelValue + 'static> TileStatic<T> {
    /// Its value.
    #[inline]
    #[track_caller]
    pub fn get(&self) -> T {
        self.with(|value| *value)
    }

    /// Replaces its value.
    #[inline]
    #[track_caller]
    pub fn set(&self, value: T) {
        self.with(|place| *place = value);
    }

    #[inline]
    #[track_caller]
    pub(super) fn with<R>(&self, access: impl FnOnce(&mut T) -> R) -> R {
        with_tile_static(self.id, self.declared, T::zero, access)
    }

    /// Writes an element: `sums[i] = x`.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn write_element<I>(&self, index: I, value: T::Out)
    where
        T: WriteElement<I>,
    {
        self.with(|place| place.write_element(index, value));
    }

    /// Writes back what was read and changed.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn put_back<I>(&self, index: I, value: T::Out)
    where
        T: WriteElement<I>,
    {
        self.with(|place| place.put_back(index, value));
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue + Read<I> + 'static, I> Read<I> for TileStatic<T> {
    type Out = T::Out;

    #[inline]
    #[track_caller]
    fn read(&self, index: I) -> T::Out {
        self.with(|place| place.read(index))
    }
}

/// The marker of `atomic`.
#[doc(hidden)]
#[derive(Debug)]
pub struct AtomicOfTile;

impl KernelFn for AtomicOfTile {
    fn form() -> Form {
        Form::Builtin(Builtin::AtomicAt)
    }
}

/// The number of an element that no array has: atomic operations on it do nothing.
const NOWHERE: u64 = u64::MAX;

impl<T: AtomicElement + KernelValue> TileStatic<T> {
    /// The atomic operations on the variable: `total.atomic().fetch_add(1)`.
    pub fn atomic(&self) -> AtomicRef<'_, T> {
        AtomicRef::of_place(self, 0)
    }

    #[doc(hidden)]
    pub fn atomic_marked_amp(&self) -> Called<AtomicRef<'_, T>, AtomicOfTile> {
        Called::new(self.atomic())
    }
}

impl<T: AtomicElement + KernelValue, const N: usize> TileStatic<[T; N]> {
    /// The atomic operations on an element: `counts.atomic(i).fetch_add(1)`.
    pub fn atomic(&self, index: impl Int) -> AtomicRef<'_, T> {
        let at = index.to_i32().and_then(|i| u64::try_from(i).ok());
        AtomicRef::of_place(self, at.unwrap_or(NOWHERE))
    }

    #[doc(hidden)]
    pub fn atomic_marked_amp(&self, index: impl Int) -> Called<AtomicRef<'_, T>, AtomicOfTile> {
        Called::new(self.atomic(index))
    }
}

impl<T: AtomicElement + KernelValue, const M: usize, const N: usize> TileStatic<[[T; M]; N]> {
    /// The atomic operations on an element: `counts.atomic((row, column)).fetch_add(1)`.
    pub fn atomic(&self, index: impl IntoIndex<2>) -> AtomicRef<'_, T> {
        let inside = |i: i32, length: usize| usize::try_from(i).ok().filter(|&i| i < length);
        let at = index.try_into_index().and_then(|i| Some(inside(i.0[0], N)? * M + inside(i.0[1], M)?));
        AtomicRef::of_place(self, at.map_or(NOWHERE, |at| at as u64))
    }

    #[doc(hidden)]
    pub fn atomic_marked_amp(&self, index: impl IntoIndex<2>) -> Called<AtomicRef<'_, T>, AtomicOfTile> {
        Called::new(self.atomic(index))
    }
}

/// Changes an element, if there is one, and gives what it was.
fn replace<T: Copy>(slot: Option<&mut T>, change: &mut dyn FnMut(T) -> T) -> Option<T> {
    let slot = slot?;
    let old = *slot;
    *slot = change(old);
    Some(old)
}

impl<T: AtomicElement + KernelValue> AtomicPlace<T> for TileStatic<T> {
    fn change(&self, _: u64, change: &mut dyn FnMut(T) -> T) -> Option<T> {
        self.with(|value| replace(Some(value), change))
    }
}

impl<T: AtomicElement + KernelValue, const N: usize> AtomicPlace<T> for TileStatic<[T; N]> {
    fn change(&self, index: u64, change: &mut dyn FnMut(T) -> T) -> Option<T> {
        self.with(|value| replace(usize::try_from(index).ok().and_then(|i| value.get_mut(i)), change))
    }
}

impl<T: AtomicElement + KernelValue, const M: usize, const N: usize> AtomicPlace<T> for TileStatic<[[T; M]; N]> {
    fn change(&self, index: u64, change: &mut dyn FnMut(T) -> T) -> Option<T> {
        self.with(|value| {
            replace(usize::try_from(index).ok().and_then(|i| value.as_flattened_mut().get_mut(i)), change)
        })
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelType> KernelType for TileStatic<T> {
    fn ty() -> Ty {
        Ty::TileStatic(Arc::new(T::ty()))
    }
}
