//! [`TileStatic`]: the type of a `#[tile_static]` name.

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use std::sync::Arc;

use super::{Called, FoundElement, Read, ReadChanging, RustType, Witness, WriteElement, with_tile_static};
use crate::kernel::types::{KernelType, KernelValue};

/// A variable that the threads of a tile share, declared in a kernel by
/// `#[tile_static] let sums: [f32; 64];`. Zero when the tile begins.
///
/// The name stands for the value: `sums[i]`, `sums[i] = x`. This type is needed to pass the
/// variable to a function: `fn sum(of: &TileStatic<[f32; 64]>)`.
///
/// ```
/// use tilewise::{ArrayView, TileStatic, amp, parallel_for_each};
/// #[amp]
/// fn first(of: &TileStatic<[i32; 4]>) -> i32 {
///     of[0]
/// }
/// let view = ArrayView::from_vec(8, (0..8).collect())?;
/// parallel_for_each!(view.extent().tile::<4>(), |t| {
///     #[tile_static]
///     let copies: [i32; 4];
///     copies[t.local[0]] = view[t];
///     t.barrier.wait();
///     view[t] = first(&copies);
/// })?;
/// assert_eq!(view.to_vec()?, [0, 0, 0, 0, 4, 4, 4, 4]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "tile_static")]
pub struct TileStatic<T> {
    declared: &'static Declared,
    at: &'static Location<'static>,
    value: PhantomData<fn() -> T>,
}

/// Identifies a declaration, as a static: its address differs from all others. A source position
/// would not do, as a macro can declare several variables at one position.
#[derive(Debug)]
pub struct Declared(
    // Not zero-sized, so that it has an address of its own.
    #[allow(dead_code, reason = "only the address counts")] u8,
);

impl Declared {
    /// A new declaration.
    pub const NEW: Self = Declared(0);
}

impl<T> fmt::Debug for TileStatic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileStatic({})", self.at)
    }
}

/// `#[tile_static] let name: T;`
#[inline]
#[track_caller]
pub fn tile_static<T: KernelValue + 'static>(declared: &'static Declared) -> TileStatic<T> {
    TileStatic { declared, at: Location::caller(), value: PhantomData }
}

/// The identity of the type of a `#[tile_static]` variable.
pub fn type_id_of<T: 'static>(_: Witness<T>) -> TypeId {
    TypeId::of::<T>()
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
        with_tile_static(self.declared, T::zero, access)
    }

    /// Changes it by `[]`. Code of the user's changes a copy: it may access such variables itself.
    #[inline]
    #[track_caller]
    fn changed<I, R>(&self, access: impl FnOnce(&mut T) -> R) -> R
    where
        T: WriteElement<I>,
    {
        if !T::RUNS_CODE {
            return self.with(access);
        }
        let mut copy = self.get();
        let result = access(&mut copy);
        self.set(copy);
        result
    }

    /// Writes an element: `sums[i] = x`.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn write_element<I>(&self, index: I, value: T::Out) -> Called<(), T::Place>
    where
        T: WriteElement<I>,
    {
        self.changed::<I, _>(|place| place.write_element(index, value))
    }

    /// Writes back an element that was found, read and changed: `sums[i] += x`.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn put_back<I, F: FoundElement<T::Indexed, T::Out>>(&self, index: I, found: Option<F>, value: T::Out)
    where
        T: WriteElement<I>,
    {
        self.changed::<I, _>(|place| place.put_back(index, found, value));
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue + Read<I> + 'static, I> Read<I> for TileStatic<T> {
    type Out = T::Out;
    type Mark = T::Mark;

    #[inline]
    #[track_caller]
    fn read(&self, index: I) -> T::Out {
        if T::RUNS_CODE { self.get().read(index) } else { self.with(|place| place.read(index)) }
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue + ReadChanging<I> + 'static, I> ReadChanging<I> for TileStatic<T> {
    type Place = T::Place;
    type Indexed = T::Indexed;

    #[inline]
    #[track_caller]
    #[allow(refining_impl_trait, reason = "what is found borrows nothing")]
    fn find(&self, index: I) -> Option<impl FoundElement<T::Indexed, T::Out> + use<T, I>> {
        if T::RUNS_CODE { self.get().find(index) } else { self.with(|place| T::find(place, index)) }
    }

    #[inline]
    #[track_caller]
    fn read_changing<F: FoundElement<T::Indexed, T::Out>>(&self, index: I, found: Option<F>) -> T::Out {
        let read = |place: &T| place.read_changing(index, found);
        if T::RUNS_CODE { read(&self.get()) } else { self.with(|place| read(place)) }
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelType> KernelType for TileStatic<T> {
    fn ty() -> RustType {
        RustType::TileStatic(Arc::new(T::ty()))
    }
}
