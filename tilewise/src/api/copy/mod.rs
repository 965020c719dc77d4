//! Copies: [`copy`] in every pairing of arrays, views and slices, from iterators and into
//! collections; and the same [in the background](background).

use crate::api::array::Array;
use crate::api::element::{Element, Proved};
use crate::api::error::{Error, Result};
use crate::api::view::ViewLayout;
use crate::memory::Handle;
use crate::memory::lock::Intent;
use crate::memory::region_copies::{PassedCopy, TakenRegions, pass};
use crate::memory::rows::{CopiedRows, RowStep};
use crate::{Access, ArrayView, Extent, Writable};

mod background;

pub use background::{Shared, copy_async, copy_async_from, copy_async_into};

/// A source of a copy: `&Array`, `&ArrayView`, `&[T]`, `&Vec<T>`, `&[T; K]`. Slices have every
/// rank. Sealed.
///
/// ```
/// use tilewise::{Array, CopySource, Result};
/// fn on_device<S: CopySource<1, Elem = f32>>(extent: usize, from: S) -> Result<Array<f32>> {
///     Array::builder(extent).build_from(from)
/// }
/// assert_eq!(on_device(2, &[1.0, 2.0])?.to_vec()?, [1.0, 2.0]);
/// assert_eq!(on_device(2, &vec![3.0, 4.0])?.to_vec()?, [3.0, 4.0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot copy from `{Self}` with rank {N}",
    label = "not a source of that rank",
    note = "sources are `&Array`, `&ArrayView`, `&[T]`, `&Vec<T>` and `&[T; K]`; rank and elements of source and target are the same"
)]
pub trait CopySource<const N: usize>: Sized {
    /// The element type.
    type Elem: Element;
    /// Its location.
    #[doc(hidden)]
    fn source(&self) -> FromSide<'_, Self::Elem, N>;
}

/// A target of a copy: `&Array`, a writable `&ArrayView`, `&mut [T]`, `&mut Vec<T>` (its length
/// must fit), `&mut [T; K]`. Sealed.
///
/// ```
/// use tilewise::{ArrayView, CopyTarget, Result, copy};
/// fn first_row<D: CopyTarget<1, Elem = i32>>(table: &ArrayView<'_, i32, 2>, into: D) -> Result<()> {
///     copy(&table.project::<1>(0), into)
/// }
/// let table = ArrayView::from_vec((2, 2), vec![1, 2, 3, 4])?;
/// let mut row = [0; 2];
/// first_row(&table, &mut row)?;
/// assert_eq!(row, [1, 2]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot copy into `{Self}` with rank {N}",
    label = "not a target of that rank",
    note = "the target must be writable and have the source's rank and elements: `&Array`, a writable `&ArrayView`, `&mut [T]`, `&mut Vec<T>` or `&mut [T; K]`"
)]
pub trait CopyTarget<const N: usize>: Sized {
    /// The element type.
    type Elem: Element;
    /// Its location.
    #[doc(hidden)]
    fn target(&mut self) -> ToSide<'_, Self::Elem, N>;
}

/// The location of a source.
#[doc(hidden)]
#[derive(Debug)]
pub enum FromSide<'s, T, const N: usize> {
    Slice(&'s [T]),
    Place(CopyPlace<'s, N>),
}

/// The location of a target.
#[doc(hidden)]
#[derive(Debug)]
pub enum ToSide<'s, T, const N: usize> {
    Slice(&'s mut [T]),
    Place(CopyPlace<'s, N>),
}

/// Elements of an allocation.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct CopyPlace<'s, const N: usize> {
    handle: &'s Handle,
    layout: ViewLayout<N>,
}

impl<const N: usize> std::fmt::Debug for CopyPlace<'_, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Place({})", Extent(self.layout.extent))
    }
}

impl<'s, const N: usize> CopyPlace<'s, N> {
    fn of<T, A>(view: &'s ArrayView<'_, T, N, A>) -> Self {
        CopyPlace { handle: &view.handle, layout: view.layout }
    }
}

impl<T: Element, const N: usize> CopySource<N> for &Array<T, N> {
    type Elem = T;

    fn source(&self) -> FromSide<'_, T, N> {
        FromSide::Place(CopyPlace::of(self.whole()))
    }
}

impl<T: Element, const N: usize, A: Access> CopySource<N> for &ArrayView<'_, T, N, A> {
    type Elem = T;

    fn source(&self) -> FromSide<'_, T, N> {
        FromSide::Place(CopyPlace::of(self))
    }
}

impl<T: Element, const N: usize> CopyTarget<N> for &Array<T, N> {
    type Elem = T;

    fn target(&mut self) -> ToSide<'_, T, N> {
        ToSide::Place(CopyPlace::of(self.whole()))
    }
}

impl<T: Element, const N: usize, A: Writable> CopyTarget<N> for &ArrayView<'_, T, N, A> {
    type Elem = T;

    fn target(&mut self) -> ToSide<'_, T, N> {
        ToSide::Place(CopyPlace::of(self))
    }
}

macro_rules! slices {
    ($(($($k:tt)*) $source:ty, $target:ty;)*) => {$(
        impl<T: Element, const N: usize, $($k)*> CopySource<N> for $source {
            type Elem = T;

            fn source(&self) -> FromSide<'_, T, N> {
                FromSide::Slice(&self[..])
            }
        }

        impl<T: Element, const N: usize, $($k)*> CopyTarget<N> for $target {
            type Elem = T;

            fn target(&mut self) -> ToSide<'_, T, N> {
                ToSide::Slice(&mut self[..])
            }
        }
    )*};
}

slices! {
    () &[T], &mut [T];
    () &Vec<T>, &mut Vec<T>;
    (const K: usize) &[T; K], &mut [T; K];
}

/// Copies every element. Source and target have the same rank and type (checked at compile time)
/// and the same extent ([`Error::Shape`]). It is an error if they share elements.
///
/// ```
/// # fn main() -> tilewise::Result<()> {
/// use tilewise::{Array, ArrayView, copy};
/// let array = Array::<i32, 2>::from_slice((2, 2), &[1, 2, 3, 4])?;
/// let view = ArrayView::from_vec((4, 4), vec![0; 16])?;
/// copy(&array, &view.section((1, 1), (2, 2)))?;
/// assert_eq!(view.to_vec()?[5..7], [1, 2]);
/// let mut slice = [0; 4];
/// copy(&array, &mut slice)?;
/// assert_eq!(slice, [1, 2, 3, 4]);
/// # Ok(())
/// # }
/// ```
pub fn copy<const N: usize, S: CopySource<N>, D: CopyTarget<N, Elem = S::Elem>>(
    source: S,
    mut target: D,
) -> Result<()> {
    let () = Proved::<S::Elem>::OK;
    match (source.source(), target.target()) {
        (FromSide::Slice(from), ToSide::Slice(to)) => {
            count(from.len() as u64, to.len() as u64, "slice")?;
            to.copy_from_slice(from);
            Ok(())
        }
        (FromSide::Slice(from), ToSide::Place(to)) => fill(from, to),
        (FromSide::Place(from), ToSide::Slice(to)) => read(from, to),
        (FromSide::Place(from), ToSide::Place(to)) => {
            let taken = take::<S::Elem, N>(from, to)?;
            pass_rows::<S::Elem, N>(from, to, taken)
        }
    }
}

/// Checks that both sides have the same number of elements.
fn count(have: u64, want: u64, what: &str) -> Result<()> {
    if have == want {
        return Ok(());
    }
    Err(Error::shape(
        None,
        format!("{have} elements cannot be copied to {want}: the {what} must have exactly as many as the other side"),
    ))
}

/// Reserves room for `more` elements in a Vec; an error if the host has no room.
pub(crate) fn make_room<T>(elements: &mut Vec<T>, more: u64) -> Result<()> {
    let full = || Error::OutOfMemory(more.saturating_mul(size::<T>()));
    let more = usize::try_from(more).map_err(|_| full())?;
    elements.try_reserve(more).map_err(|_| full())
}

/// A Vec of so many elements, whatever they are, in the allocation of `elements` if that is large enough. No element
/// passes through the stack, which a large one does not fit on.
pub(crate) fn some_elements<T: Element>(mut elements: Vec<T>, count: u64) -> Result<Vec<T>> {
    let full = || Error::OutOfMemory(count.saturating_mul(size::<T>()));
    let length = usize::try_from(count).map_err(|_| full())?;
    elements.truncate(length);
    let missing = length - elements.len();
    make_room(&mut elements, missing as u64)?;
    let size = size_of::<T>();
    if missing == 0 {
        return Ok(elements);
    }
    if size == 0 {
        add_without_bytes(&mut elements, missing);
        return Ok(elements);
    }
    let mut zeros: Vec<u8> = Vec::new();
    let bytes = ZEROS.min(missing.saturating_mul(size)).max(size);
    let bytes = bytes.checked_add(align_of::<T>()).ok_or_else(full)?;
    zeros.try_reserve_exact(bytes).map_err(|_| full())?;
    zeros.resize(bytes, 0);
    // An element may be aligned to more than any number is, and so to more than the allocator gives.
    let first = zeros.as_ptr().addr();
    let zeros = &zeros[first.next_multiple_of(align_of::<T>()) - first..];
    let zeros: &[T] = bytemuck::cast_slice(&zeros[..zeros.len() / size * size]);
    while elements.len() < length {
        elements.extend_from_slice(&zeros[..zeros.len().min(length - elements.len())]);
    }
    Ok(elements)
}

/// Adds elements without bytes. Apart from its caller, as each frame of this function has room for an element.
#[inline(never)]
fn add_without_bytes<T: Element>(elements: &mut Vec<T>, more: usize) {
    elements.extend(std::iter::repeat_n(T::zeroed(), more));
}

/// Bytes of zeros that are copied at once.
const ZEROS: usize = 64 << 10;

fn size<T>() -> u64 {
    size_of::<T>() as u64
}

fn fill<T: Element, const N: usize>(from: &[T], to: CopyPlace<'_, N>) -> Result<()> {
    count(from.len() as u64, to.layout.len(), "source")?;
    let region = to.layout.region(size::<T>());
    let _taken = TakenRegions::new(&[(to.handle, &region, Intent::Write)])?;
    to.handle.can_pass(&region)?;
    let rows = rows(&ViewLayout::dense(0, to.layout.extent), &to.layout, size::<T>());
    to.handle.fill_from(&region, &rows, bytemuck::cast_slice(from))
}

fn read<T: Element, const N: usize>(from: CopyPlace<'_, N>, to: &mut [T]) -> Result<()> {
    count(from.layout.len(), to.len() as u64, "target")?;
    let taken = TakenRegions::new(&[(from.handle, &from.layout.region(size::<T>()), Intent::Read)])?;
    read_rows(from, to, taken)
}

/// Reads all elements of a view into as many bytes as they have.
pub(crate) fn read_bytes<T: Element, const N: usize, A: Access>(
    view: &ArrayView<'_, T, N, A>,
    to: &mut [u8],
) -> Result<()> {
    let from = CopyPlace::of(view);
    let taken = TakenRegions::new(&[(from.handle, &from.layout.region(size::<T>()), Intent::Read)])?;
    read_row_bytes(from, size::<T>(), to, taken)
}

/// Reads all elements. Releases its locks before hooks are called for launches.
fn read_rows<T: Element, const N: usize>(from: CopyPlace<'_, N>, to: &mut [T], taken: TakenRegions) -> Result<()> {
    read_row_bytes(from, size::<T>(), bytemuck::cast_slice_mut(to), taken)
}

/// As [`read_rows`], of elements of `size` bytes.
fn read_row_bytes<const N: usize>(from: CopyPlace<'_, N>, size: u64, to: &mut [u8], taken: TakenRegions) -> Result<()> {
    let region = from.layout.region(size);
    from.handle.can_pass(&region)?;
    let rows = rows(&from.layout, &ViewLayout::dense(0, from.layout.extent), size);
    from.handle.read_into(&region, &rows, to)?;
    drop(taken);
    from.handle.tell(&region)
}

/// Locks both ends of a copy, which must have the same extent and no element in common.
fn take<T: Element, const N: usize>(from: CopyPlace<'_, N>, to: CopyPlace<'_, N>) -> Result<TakenRegions> {
    if from.layout.extent != to.layout.extent {
        let (source, target) = (Extent(from.layout.extent), Extent(to.layout.extent));
        let d = (0..N).find(|&d| from.layout.extent[d] != to.layout.extent[d]);
        return Err(Error::shape(
            d,
            format!("a source of the extent {source} cannot be copied to a target of the extent {target}"),
        ));
    }
    let (read, written) = (from.layout.region(size::<T>()), to.layout.region(size::<T>()));
    if from.handle.same_allocation(to.handle) && read.overlaps(&written) {
        let text = "source and target of a copy have elements in common; copy to memory of its own first";
        return Err(Error::shape(None, text));
    }
    if to.handle.memory.is_shared() {
        return Err(Error::shape(None, "the target of a copy is a shared slice, which nothing may write"));
    }
    TakenRegions::new(&[(from.handle, &read, Intent::Read), (to.handle, &written, Intent::Write)])
}

/// Copies between the locked ends. Releases its locks before hooks are called for launches.
fn pass_rows<T: Element, const N: usize>(
    from: CopyPlace<'_, N>,
    to: CopyPlace<'_, N>,
    taken: TakenRegions,
) -> Result<()> {
    let (read, written) = (from.layout.region(size::<T>()), to.layout.region(size::<T>()));
    from.handle.can_pass(&read)?;
    to.handle.can_pass(&written)?;
    let passed = pass((from.handle, &read), (to.handle, &written), &rows(&from.layout, &to.layout, size::<T>()))?;
    drop(taken);
    match passed {
        PassedCopy::OnHost => from.handle.tell(&read),
        PassedCopy::OnDevice(surplus) => {
            drop(surplus);
            Ok(())
        }
    }
}

/// The rows of two layouts with the same extent.
fn rows<const N: usize>(from: &ViewLayout<N>, to: &ViewLayout<N>, size: u64) -> CopiedRows {
    let step =
        |d: usize| RowStep { count: from.extent[d] as u64, from: from.strides[d] * size, to: to.strides[d] * size };
    // The stride of the last dimension is 1.
    CopiedRows::new((from.offset, to.offset), from.extent[N - 1] as u64 * size, (0..N - 1).rev().map(step))
}

/// Copies from any iterator with exactly as many elements as the target.
///
/// ```
/// use tilewise::{Array, copy_iter};
/// let squares = Array::<i32>::new(4)?;
/// copy_iter((0..4).map(|x| x * x), &squares)?;
/// assert_eq!(squares.to_vec()?, [0, 1, 4, 9]);
/// assert!(copy_iter(0..5, &squares).is_err(), "there is one too many");
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy")]
pub fn copy_iter<const N: usize, T: Element>(
    source: impl IntoIterator<Item = T>,
    mut target: impl CopyTarget<N, Elem = T>,
) -> Result<()> {
    let want = match target.target() {
        ToSide::Slice(to) => to.len() as u64,
        ToSide::Place(to) => to.layout.len(),
    };
    // Reading one more element than needed detects a longer source, even an endless one.
    let elements = gather(source.into_iter(), (want as usize).saturating_add(1))?;
    if elements.len() as u64 > want {
        return Err(Error::shape(
            None,
            format!("the iterator has more than the {want} elements of the target; give it exactly as many"),
        ));
    }
    count(elements.len() as u64, want, "iterator")?;
    copy(elements.as_slice(), target)
}

/// The elements of an iterator, at most `most`.
fn gather<T>(mut source: impl Iterator<Item = T>, most: usize) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    while elements.len() < most {
        let left = most - elements.len();
        make_room(&mut elements, source.size_hint().0.clamp(1, left) as u64)?;
        let (before, room) = (elements.len(), (elements.capacity() - elements.len()).min(left));
        elements.extend(source.by_ref().take(room));
        if elements.len() < before + room {
            break;
        }
    }
    Ok(elements)
}

/// Appends to any collection.
///
/// ```
/// use std::collections::BTreeSet;
/// use tilewise::{Array, copy_extend};
/// let array = Array::from_slice(4, &[3, 1, 3, 2])?;
/// let mut found = BTreeSet::from([7]);
/// copy_extend(&array, &mut found)?;
/// assert_eq!(found, BTreeSet::from([1, 2, 3, 7]));
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy")]
pub fn copy_extend<const N: usize, T: Element>(
    source: impl CopySource<N, Elem = T>,
    target: &mut impl Extend<T>,
) -> Result<()> {
    match source.source() {
        FromSide::Slice(from) => target.extend(from.iter().copied()),
        FromSide::Place(from) => {
            let mut elements = some_elements(Vec::new(), from.layout.len())?;
            read(from, &mut elements)?;
            target.extend(elements);
        }
    }
    Ok(())
}
