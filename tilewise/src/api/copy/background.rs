//! Asynchronous copies. Background threads touch only storage that the library owns: memory that a
//! view borrows is read or written during the call itself.
//!
//! Each copy locks its elements from the call to its end, as a launch does; so copies of the same
//! elements happen in the order of the calls, and later accesses wait.

use super::{
    CopyPlace, CopySource, CopyTarget, FromSide, ToSide, count, pass_rows, read_rows, rows, size, some_elements, take,
};
use crate::api::array::Array;
use crate::api::completion::Completion;
use crate::api::element::Element;
use crate::api::error::Result;
use crate::api::view::ViewLayout;
use crate::memory::Handle;
use crate::memory::lock::Intent;
use crate::memory::region_copies::TakenRegions;
use crate::{Access, ArrayView};

/// `&Array` and `&ArrayView`: storage that outlives the call. Sealed.
///
/// ```
/// use tilewise::{Array, Completion, Result, Shared, copy_async_into};
/// fn snapshot(of: impl Shared<1, Elem = i32>) -> Result<Completion<Vec<i32>>> {
///     copy_async_into(of, Vec::new())
/// }
/// let array = Array::from_slice(3, &[1, 2, 3])?;
/// assert_eq!(snapshot(&array)?.get()?, [1, 2, 3]);
/// assert_eq!(snapshot(&array.view().section(1, 2))?.get()?, [2, 3]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub trait Shared<const N: usize>: CopySource<N> {
    /// Its location.
    #[doc(hidden)]
    fn shared(&self) -> CopyPlace<'_, N>;
}

impl<T: Element, const N: usize> Shared<N> for &Array<T, N> {
    fn shared(&self) -> CopyPlace<'_, N> {
        CopyPlace::of(self.whole())
    }
}

impl<T: Element, const N: usize, A: Access> Shared<N> for &ArrayView<'_, T, N, A> {
    fn shared(&self) -> CopyPlace<'_, N> {
        CopyPlace::of(self)
    }
}

/// One end of an asynchronous copy: its own handle to memory that the library owns.
struct CopyEnd<const N: usize> {
    handle: Handle,
    layout: ViewLayout<N>,
}

impl<const N: usize> CopyEnd<N> {
    /// `None` for borrowed memory: no other thread may follow the pointer to it.
    fn of(place: CopyPlace<'_, N>) -> Option<Self> {
        let owned = !place.handle.memory.is_borrowed();
        owned.then(|| CopyEnd { handle: place.handle.clone(), layout: place.layout })
    }

    fn place(&self) -> CopyPlace<'_, N> {
        CopyPlace { handle: &self.handle, layout: self.layout }
    }
}

/// Starts a copy, with the rules of [`copy`](super::copy). If an end is memory that a view borrows,
/// the copy is done during the call, and the returned completion is complete.
///
/// ```
/// use tilewise::{Array, copy_async};
/// let (from, to) = (Array::from_slice(4, &[1, 2, 3, 4])?, Array::<i32>::new(4)?);
/// let under_way = copy_async(&from, &to)?;
/// under_way.get()?;
/// assert_eq!(to.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub fn copy_async<const N: usize, T: Element>(
    source: impl Shared<N, Elem = T>,
    mut target: impl Shared<N, Elem = T> + CopyTarget<N, Elem = T>,
) -> Result<Completion> {
    let from = source.shared();
    let ToSide::Place(to) = target.target() else { unreachable!("what is shared is no slice") };
    let taken = take::<T, N>(from, to)?;
    let (Some(from), Some(to)) = (CopyEnd::of(from), CopyEnd::of(to)) else {
        pass_rows::<T, N>(from, to, taken)?;
        return Ok(Completion::ready(()));
    };
    Ok(Completion::of_work(move || pass_rows::<T, N>(from.place(), to.place(), taken)))
}

/// Starts a copy from a Vec, which the completion returns.
///
/// ```
/// use tilewise::{Array, copy_async_from};
/// let array = Array::<f32>::new(2)?;
/// let mut buffer = copy_async_from(vec![0.5, 1.5], &array)?.get()?;
/// assert_eq!(array.to_vec()?, [0.5, 1.5]);
/// buffer.clear(); // It is ours again.
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy_async")]
pub fn copy_async_from<const N: usize, T: Element>(
    source: Vec<T>,
    mut target: impl CopyTarget<N, Elem = T> + Shared<N, Elem = T>,
) -> Result<Completion<Vec<T>>> {
    let ToSide::Place(to) = target.target() else { unreachable!("what is shared is no slice") };
    count(source.len() as u64, to.layout.len(), "source")?;
    let region = to.layout.region(size::<T>());
    let taken = TakenRegions::new(&[(to.handle, &region, Intent::Write)])?;
    let fill = move |to: CopyPlace<'_, N>, source: Vec<T>| {
        to.handle.can_pass(&region)?;
        let rows = rows(&ViewLayout::dense(0, to.layout.extent), &to.layout, size::<T>());
        let filled = to.handle.fill_from(&region, &rows, bytemuck::cast_slice(&source));
        drop(taken);
        filled.map(|()| source)
    };
    match CopyEnd::of(to) {
        None => Ok(Completion::ready(fill(to, source)?)),
        Some(to) => Ok(Completion::of_work(move || fill(to.place(), source))),
    }
}

/// Starts a copy into a Vec, which the completion returns; `reuse` provides its allocation.
///
/// ```
/// use tilewise::{Array, copy_async_into};
/// let array = Array::from_slice(2, &[0.5f32, 1.5])?;
/// let lent = Vec::with_capacity(2);
/// assert_eq!(copy_async_into(&array, lent)?.get()?, [0.5, 1.5]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy_async")]
pub fn copy_async_into<const N: usize, T: Element>(
    source: impl Shared<N, Elem = T>,
    reuse: Vec<T>,
) -> Result<Completion<Vec<T>>> {
    let FromSide::Place(from) = source.source() else { unreachable!("what is shared is no slice") };
    let taken = TakenRegions::new(&[(from.handle, &from.layout.region(size::<T>()), Intent::Read)])?;
    let reuse = some_elements(reuse, from.layout.len())?;
    let read = move |from: CopyPlace<'_, N>, mut into: Vec<T>| read_rows(from, &mut into, taken).map(|()| into);
    match CopyEnd::of(from) {
        None => Ok(Completion::ready(read(from, reuse)?)),
        Some(from) => Ok(Completion::of_work(move || read(from.place(), reuse))),
    }
}
