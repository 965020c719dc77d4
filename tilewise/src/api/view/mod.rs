//! [`ArrayView`]: a shared handle to a rectangle of elements. The memory itself belongs to
//! [`memory`](crate::memory).
//!
//! - [`shape`]: sections, projections, reshapes; [`rank`]: the rank of a projection
//! - [`host`]: access from the host; [`synchronize`]: contents at the place of their next use
//! - [`kernel`]: access from kernels; [`subscript`] and [`marked`]: the functions that kernels call
//! - [`atomic`]: atomic operations on an element
//! - [`access`]: the access markers

use std::fmt;
use std::marker::PhantomData;
use std::panic::UnwindSafe;
use std::sync::{Arc, OnceLock};

use tilewise_ir::launch::{ViewArgument, ViewClaim};

use crate::api::element::{Element, Proved};
use crate::api::error::{Error, Result};
use crate::kernel::macro_support::RustType;
use crate::kernel::types::KernelType;
use crate::memory::launch::BoundView;
use crate::memory::region::ByteRegion;
use crate::memory::storage::HostBytes;
use crate::memory::{AllocationSource, Handle};
use crate::{Accelerator, AcceleratorView, AccessType, Extent, IntoExtent};

mod access;
mod atomic;
mod host;
mod kernel;
mod marked;
mod rank;
mod shape;
mod subscript;
mod synchronize;

pub use access::{Access, ReadOnly, ReadWrite, Writable};
pub use atomic::{AtomicPlace, AtomicRef};
pub use rank::{Above, Rank};
pub(crate) use shape::{reinterpreted, reshaped};
pub use subscript::Subscript;

/// A shared handle to a rectangle of elements, which are stored in a borrowed slice, in a Vec that
/// the view owns, in an array, or in an allocation without a source. C++ AMP's `array_view<T, N>`.
///
/// Copies and sections of the handle refer to the same elements. Dropping the last handle to a
/// borrowed allocation ends the borrow. `Send + Sync`.
///
/// ```
/// # fn main() -> tilewise::Result<()> {
/// use tilewise::ArrayView;
/// let mut data = vec![1, 2, 3, 4, 5, 6];
/// let table = ArrayView::new((2, 3), &mut data)?;
/// table.set((1, 0), 40)?;
/// assert_eq!(table.section((0, 0), (2, 1)).to_vec()?, [1, 40]);
/// table.close()?;
/// assert_eq!(data[3], 40);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "array_view")]
pub struct ArrayView<'a, T, const N: usize = 1, A = ReadWrite> {
    pub(crate) handle: Handle,
    pub(crate) layout: ViewLayout<N>,
    borrow: Borrow<'a, T, A>,
}

/// The exclusive borrow of its memory, the element type, the access.
type Borrow<'a, T, A> = PhantomData<(&'a mut (), T, A)>;

/// A read-only view. C++ AMP's `array_view<const T, N>`.
///
/// ```
/// use tilewise::{ArrayView, ReadView, Result, parallel_for_each};
/// fn doubled(of: &ReadView<'_, i32>) -> Result<Vec<i32>> {
///     let out = ArrayView::without_source(of.extent())?;
///     parallel_for_each!(out.extent(), |i| out[i] = of[i] * 2)?;
///     out.to_vec()
/// }
/// assert_eq!(doubled(&ArrayView::read_only(3, &[1, 2, 3])?)?, [2, 4, 6]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub type ReadView<'a, T, const N: usize = 1> = ArrayView<'a, T, N, ReadOnly>;

/// The layout of a view's elements in their allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ViewLayout<const N: usize> {
    /// First byte of the first element.
    pub(crate) offset: u64,
    /// Size of each dimension: positive, or all 0 for an empty view, which only kernels can make.
    pub(crate) extent: [i32; N],
    /// Elements from one index to the next in each dimension; 1 in the last.
    pub(crate) strides: [u64; N],
}

impl<const N: usize> ViewLayout<N> {
    /// Row-major, without gaps.
    pub(crate) fn dense(offset: u64, extent: [i32; N]) -> Self {
        let mut strides = [1; N];
        for d in (1..N).rev() {
            strides[d - 1] = strides[d] * extent[d] as u64;
        }
        ViewLayout { offset, extent, strides }
    }

    /// The layout of a view without elements.
    pub(crate) fn empty() -> Self {
        ViewLayout { offset: 0, extent: [0; N], strides: [1; N] }
    }

    /// Whether the elements are contiguous.
    #[inline]
    pub(crate) fn is_dense(&self) -> bool {
        if N == 1 {
            return true;
        }
        let mut next = 1;
        for d in (0..N).rev() {
            if self.extent[d] != 1 && self.strides[d] != next {
                return false;
            }
            next *= self.extent[d] as u64;
        }
        true
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> u64 {
        self.extent.iter().map(|&e| e.max(0) as u64).product()
    }

    /// The distance from the first element to the one at `index`, in elements, if that is in range.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "three arrays side by side, and the last place is another")]
    pub(crate) fn distance(&self, index: [i32; N]) -> Option<u64> {
        let mut distance = 0;
        for d in 0..N {
            // Negative components are large as `u32`; `max` lets the compiler assume that sizes are
            // not negative.
            if index[d] as u32 >= self.extent[d].max(0) as u32 {
                return None;
            }
            // The last stride is 1.
            distance += u64::from(index[d] as u32) * if d == N - 1 { 1 } else { self.strides[d] };
        }
        Some(distance)
    }

    /// The bytes of the elements, of `size` bytes each.
    pub(crate) fn region(&self, size: u64) -> ByteRegion {
        ByteRegion::of_view(self.offset, size, &self.extent, &self.strides)
    }
}

impl<'a, T, const N: usize> ArrayView<'a, T, N> {
    /// A view of a slice, which it borrows exclusively until the last handle is dropped. The slice
    /// may be longer than the extent, as in C++ AMP: the view has its first elements. (Copies are
    /// stricter: both sides have as many elements.)
    pub fn new(extent: impl IntoExtent<N>, data: &'a mut [T]) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        let extent = usable(extent, "a view")?;
        enough(extent, data.len(), "slice")?;
        Ok(Self::whole(Handle::new(HostBytes::borrowed(data)), extent))
    }

    /// A read-only view of the same elements; also `From`, by value and by reference.
    pub fn as_read_only(&self) -> ReadView<'a, T, N>
    where
        T: Element,
    {
        ArrayView { handle: self.handle.clone(), layout: self.layout, borrow: PhantomData }
    }
}

impl<'a, T> ArrayView<'a, T, 1> {
    /// A view of a whole slice, of rank 1.
    ///
    /// # Panics
    /// If the slice is empty, or has more than `i32::MAX` elements.
    #[track_caller]
    pub fn of(data: &'a mut [T]) -> Self
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        match ArrayView::new(data.len(), data) {
            Ok(view) => view,
            Err(error) => panic!("{error}"),
        }
    }
}

impl<T, const N: usize> ArrayView<'static, T, N> {
    /// A view of a Vec that it owns, so it has no lifetime. The Vec may be longer than the extent:
    /// the view has its first elements. [`into_vec`](ArrayView::into_vec) returns the Vec, shortened
    /// to these.
    pub fn from_vec(extent: impl IntoExtent<N>, data: Vec<T>) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        let extent = usable(extent, "a view")?;
        enough(extent, data.len(), "Vec")?;
        Ok(Self::whole(Handle::new(HostBytes::of_vec(data)), extent))
    }

    /// A view without a source: zeros, stored on the accelerator that first uses them.
    pub fn without_source(extent: impl IntoExtent<N>) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        let extent = usable(extent, "a view")?;
        let elements = ViewLayout::dense(0, extent).len();
        let bytes = elements.checked_mul(size_of::<T>() as u64).ok_or(Error::OutOfMemory(u64::MAX))?;
        let source = AllocationSource::Anyone(OnceLock::new());
        Ok(Self::whole(Handle::with(HostBytes::zeroed(bytes)?, true, source), extent))
    }
}

impl<'a, T, const N: usize> ReadView<'a, T, N> {
    /// A view of a shared slice; any number of these may exist. The slice may be longer than the
    /// extent: the view has its first elements.
    pub fn read_only(extent: impl IntoExtent<N>, data: &'a [T]) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        let extent = usable(extent, "a view")?;
        enough(extent, data.len(), "slice")?;
        Ok(Self::whole(Handle::new(HostBytes::shared(data)), extent))
    }
}

impl<T, const N: usize, A> ArrayView<'_, T, N, A> {
    /// A view of an allocation that the library owns.
    pub(crate) fn of_allocation(handle: Handle, layout: ViewLayout<N>) -> Self {
        debug_assert!(!handle.memory.is_borrowed(), "who makes a view of borrowed memory says for how long");
        ArrayView { handle, layout, borrow: PhantomData }
    }

    /// The first view of a new allocation. The caller must ensure that its lifetime is right.
    fn whole(handle: Handle, extent: [i32; N]) -> Self {
        const { assert!(N > 0, "a view has at least one dimension") };
        ArrayView { handle, layout: ViewLayout::dense(0, extent), borrow: PhantomData }
    }
}

// Without a bound, so that a view of what cannot be an element is reported where it is made, and not once more here.
impl<T, const N: usize, A> ArrayView<'_, T, N, A> {
    /// Number of elements in each dimension.
    #[doc(alias = "get_extent")]
    pub fn extent(&self) -> Extent<N> {
        Extent(self.layout.extent)
    }
}

impl<'a, T: Element, const N: usize, A: Access> ArrayView<'a, T, N, A> {
    /// The accelerator view that stores the elements: the cpu's for host memory, the array's for an
    /// array. A view without a source adopts the one that accesses it first.
    #[doc(alias = "get_source_accelerator_view")]
    pub fn source_accelerator_view(&self) -> AcceleratorView {
        let cpu = || Accelerator::new(Accelerator::CPU).expect("every machine has a cpu").default_view();
        match &self.handle.source {
            AllocationSource::Host => cpu(),
            AllocationSource::Anyone(first) => first.get().cloned().unwrap_or_else(cpu),
            AllocationSource::Array(placement) => placement.view.clone(),
        }
    }

    /// The host access of the allocation: read for a shared slice, the array's for an array, else
    /// read and write.
    #[doc(alias = "get_cpu_access_type")]
    pub fn cpu_access_type(&self) -> AccessType {
        match &self.handle.source {
            AllocationSource::Host if self.handle.memory.is_shared() => AccessType::Read,
            AllocationSource::Host => AccessType::ReadWrite,
            AllocationSource::Anyone(first) => {
                first.get().map_or(AccessType::ReadWrite, |view| view.accelerator().default_cpu_access_type())
            }
            AllocationSource::Array(placement) => placement.access,
        }
    }

    /// Another view of the same allocation.
    pub(crate) fn with_layout<U, const M: usize>(&self, layout: ViewLayout<M>) -> ArrayView<'a, U, M, A> {
        ArrayView { handle: self.handle.clone(), layout, borrow: PhantomData }
    }

    /// The bytes of its elements.
    pub(crate) fn region(&self) -> ByteRegion {
        self.layout.region(size_of::<T>() as u64)
    }

    /// The view as the argument of a launch.
    pub(crate) fn bound(&self) -> BoundView<'_> {
        let ViewLayout { offset, extent, strides } = self.layout;
        let claim = ViewClaim { element_size: size_of::<T>() as u64, writable: A::WRITABLE };
        BoundView {
            handle: self.handle.clone(),
            argument: ViewArgument { claim: Some(claim), ..ViewArgument::new(0, offset, extent, strides) },
            writes: A::WRITABLE,
            region: self.region(),
            borrow: PhantomData,
        }
    }

    /// The view as the argument of a launch that may outlive this handle.
    #[cfg(feature = "import")]
    pub(crate) fn into_bound(self) -> BoundView<'a> {
        let bound = self.bound();
        BoundView {
            handle: bound.handle.clone(),
            argument: bound.argument.clone(),
            writes: bound.writes,
            region: bound.region.clone(),
            borrow: PhantomData,
        }
    }

    /// Whether two views have an element in common.
    pub fn overlaps<U: Element, const M: usize, B: Access>(&self, other: &ArrayView<'_, U, M, B>) -> bool {
        self.handle.same_allocation(&other.handle) && self.region().overlaps(&other.region())
    }
}

/// Checks the extent of a container and returns its components.
///
/// ```compile_fail,E0080
/// use tilewise::{Array, Extent};
/// let array = Array::<i32, 0>::new(Extent([]))?;
/// # Ok::<(), tilewise::Error>(())
/// ```
pub(crate) fn usable<const N: usize>(extent: impl IntoExtent<N>, what: &str) -> Result<[i32; N]> {
    const { assert!(N > 0, "views and arrays have at least one dimension") };
    let Some(Extent(extent)) = extent.try_into_extent() else {
        return Err(Error::shape(
            None,
            format!("a dimension of {what} does not fit 32 bits; at most {} is possible", i32::MAX),
        ));
    };
    if let Some(d) = extent.iter().position(|&e| e <= 0) {
        let (e, extent) = (extent[d], Extent(extent));
        return Err(Error::shape(
            d,
            format!("dimension {d} of the extent {extent} is {e}; {what} needs at least 1 in every dimension"),
        ));
    }
    if Extent(extent).checked_size().is_none() {
        let (extent, most) = (Extent(extent), u32::MAX);
        return Err(Error::shape(None, format!("the extent {extent} has too many elements; {what} can have {most}")));
    }
    Ok(extent)
}

/// Checks that `have` elements suffice.
fn enough<const N: usize>(extent: [i32; N], have: usize, what: &str) -> Result<()> {
    let need = ViewLayout::dense(0, extent).len();
    if (have as u64) < need {
        let extent = Extent(extent);
        return Err(Error::shape(
            None,
            format!(
                "the extent {extent} needs {need} elements, the {what} has {have}; give a longer {what} or a smaller extent"
            ),
        ));
    }
    Ok(())
}

#[diagnostic::do_not_recommend]
impl<T: Element, const N: usize, A: Access> KernelType for ArrayView<'_, T, N, A> {
    fn ty() -> RustType {
        RustType::View { element: Arc::new(T::ty()), rank: N as u32, access: A::ACCESS }
    }
}

/// It is a handle; the lock guards the mutable borrow that it represents.
impl<T, const N: usize, A> UnwindSafe for ArrayView<'_, T, N, A> {}

impl<T, const N: usize, A> Clone for ArrayView<'_, T, N, A> {
    fn clone(&self) -> Self {
        ArrayView { handle: self.handle.clone(), layout: self.layout, borrow: PhantomData }
    }
}

/// Ends the borrow if it is the last handle. This impl is explicit so that rustc extends the borrow
/// to the drop.
impl<T, const N: usize, A> Drop for ArrayView<'_, T, N, A> {
    fn drop(&mut self) {}
}

impl<T, const N: usize, A> fmt::Debug for ArrayView<'_, T, N, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayView").field("extent", &Extent(self.layout.extent)).finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element, const N: usize> From<ArrayView<'a, T, N>> for ReadView<'a, T, N> {
    fn from(view: ArrayView<'a, T, N>) -> Self {
        view.as_read_only()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element, const N: usize> From<&ArrayView<'a, T, N>> for ReadView<'a, T, N> {
    fn from(view: &ArrayView<'a, T, N>) -> Self {
        view.as_read_only()
    }
}
