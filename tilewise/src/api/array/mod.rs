//! [`Array`]: elements that an accelerator owns. [`builder`] creates arrays.

use std::fmt;

use crate::api::accelerator::{AcceleratorView, AccessType};
use crate::api::copy::{CopyTarget, copy};
use crate::api::element::{Element, Proved};
use crate::api::error::{Error, Result};
use crate::api::guard::{HostRead, HostWrite};
use crate::api::view::{ViewLayout, reinterpreted, reshaped, usable};
use crate::kernel::capture::Capture;
use crate::memory::coherence::Traffic;
use crate::memory::{AllocationSource, Handle, Placement};
use crate::{Above, ArrayView, Extent, Int, IntoExtent, IntoIndex, Rank, ReadView};

mod builder;

pub use builder::ArrayBuilder;

/// Elements in one accelerator's memory, initially zero. Captured by reference; `try_clone` is the
/// deep copy. `Send + Sync`. C++ AMP's `array<T, N>`.
///
/// A kernel that captures arrays runs on their accelerator view, if the launch names none. A view
/// that the launch names may be any view of the same accelerator. Views of an array keep its
/// elements alive.
///
/// ```
/// # fn main() -> tilewise::Result<()> {
/// use tilewise::{Array, copy, parallel_for_each};
/// let squares = Array::<i32>::new(5)?;
/// parallel_for_each!(squares.extent(), |i| squares[i] = i[0] * i[0])?;
/// assert_eq!(squares.to_vec()?, [0, 1, 4, 9, 16]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "array")]
pub struct Array<T, const N: usize = 1> {
    view: ArrayView<'static, T, N>,
}

impl<T, const N: usize> Array<T, N> {
    /// An array of zeros on the default accelerator.
    pub fn new(extent: impl IntoExtent<N>) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        Self::builder(extent).build()
    }

    /// A copy of a slice with exactly as many elements as the extent, on the default accelerator.
    pub fn from_slice(extent: impl IntoExtent<N>, data: &[T]) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        Self::builder(extent).build_from(data)
    }

    /// An array on the default accelerator from an iterator with exactly as many elements as the
    /// extent; fewer or more is an error.
    pub fn from_iter(extent: impl IntoExtent<N>, elements: impl IntoIterator<Item = T>) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        Self::builder(extent).build_from_iter(elements)
    }

    /// A builder with all options: the accelerator, staging, access type.
    pub fn builder(extent: impl IntoExtent<N>) -> ArrayBuilder<T, N>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        ArrayBuilder::new(usable(extent, "an array"))
    }

    /// The array of an allocation.
    fn of(handle: Handle, layout: ViewLayout<N>) -> Self {
        Array { view: ArrayView::of_allocation(handle, layout) }
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    fn placement(&self) -> &Placement {
        match &self.view.handle.source {
            AllocationSource::Array(placement) => placement,
            AllocationSource::Host | AllocationSource::Anyone(_) => {
                unreachable!("the allocation of an array is an array's")
            }
        }
    }

    /// A writable view of the whole array; it keeps the elements alive.
    pub fn view(&self) -> ArrayView<'static, T, N> {
        self.view.clone()
    }

    /// A read-only view of the whole array.
    pub fn read_view(&self) -> ReadView<'static, T, N> {
        self.view.as_read_only()
    }

    /// A deep copy on the same accelerator view.
    pub fn try_clone(&self) -> Result<Self> {
        let Placement { view, associated, access } = self.placement();
        Self::builder(self.extent()).on(view).staging_for(associated).cpu_access(*access).build_from(self)
    }

    /// Number of elements in each dimension.
    #[doc(alias = "get_extent")]
    pub fn extent(&self) -> Extent<N> {
        self.view.extent()
    }

    /// The accelerator view that owns it.
    #[doc(alias = "get_accelerator_view")]
    pub fn accelerator_view(&self) -> &AcceleratorView {
        &self.placement().view
    }

    /// For a staging array, the accelerator view that it is copied to and from; otherwise its
    /// owner.
    #[doc(alias = "get_associated_accelerator_view")]
    pub fn associated_accelerator_view(&self) -> &AcceleratorView {
        &self.placement().associated
    }

    /// Its actual host access.
    #[doc(alias = "get_cpu_access_type")]
    pub fn cpu_access_type(&self) -> AccessType {
        self.placement().access
    }

    fn accessible(&self, wanted: AccessType) -> Result<()> {
        let access = self.placement().access;
        if access == wanted || access == AccessType::ReadWrite {
            return Ok(());
        }
        let lives = self.accelerator_view().accelerator();
        let text = format!(
            "The array is not accessible on CPU. It lives on `{lives}` with the access type {access:?}; take a view of it, copy it, or make it with `cpu_access`"
        );
        Err(Error::Accelerator(text.into()))
    }

    /// Shared host access, if the array is a staging array or has CPU access; otherwise an error
    /// that names the alternatives.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host(&self) -> Result<HostRead<'_, T, N>> {
        self.accessible(AccessType::Read)?;
        self.view.host()
    }

    /// Exclusive host access, under the same conditions.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host_mut(&self) -> Result<HostWrite<'_, T, N>> {
        self.accessible(AccessType::Write)?;
        self.view.host_mut()
    }

    /// All elements, in row-major order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.view.to_vec()
    }

    /// `copy(self, target)`.
    pub fn copy_to<D: CopyTarget<N, Elem = T>>(&self, target: D) -> Result<()> {
        copy(self, target)
    }

    /// The bytes transferred for it between host and devices.
    pub fn traffic(&self) -> Traffic {
        self.view.traffic()
    }

    /// `self.view().section(..)`.
    ///
    /// # Panics
    /// If it does not fit or is empty.
    #[track_caller]
    pub fn section(&self, origin: impl IntoIndex<N>, extent: impl IntoExtent<N>) -> ArrayView<'static, T, N> {
        self.view.section(origin, extent)
    }

    /// As [`section`](Self::section), with an error instead of a panic.
    pub fn try_section(
        &self,
        origin: impl IntoIndex<N>,
        extent: impl IntoExtent<N>,
    ) -> Result<ArrayView<'static, T, N>> {
        self.view.try_section(origin, extent)
    }

    /// The elements from `origin` to the end of each dimension.
    ///
    /// # Panics
    /// If none are left.
    #[track_caller]
    pub fn section_from(&self, origin: impl IntoIndex<N>) -> ArrayView<'static, T, N> {
        self.view.section_from(origin)
    }

    /// The first `extent` elements.
    ///
    /// # Panics
    /// If there are fewer, or `extent` is empty.
    #[track_caller]
    pub fn section_to(&self, extent: impl IntoExtent<N>) -> ArrayView<'static, T, N> {
        self.view.section_to(extent)
    }

    /// Row `i` of the most significant dimension, one rank lower.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn project<const M: usize>(&self, i: impl Int) -> ArrayView<'static, T, M>
    where
        Rank<N>: Above<M>,
    {
        self.view.project(i)
    }

    /// As [`project`](Self::project), with an error instead of a panic.
    pub fn try_project<const M: usize>(&self, i: impl Int) -> Result<ArrayView<'static, T, M>>
    where
        Rank<N>: Above<M>,
    {
        self.view.try_project(i)
    }

    /// The same bytes as elements of another type, in rank 1.
    ///
    /// # Panics
    /// If the total size is not a multiple of the new element's size.
    #[track_caller]
    pub fn reinterpret_as<U: Element>(&self) -> ArrayView<'static, U> {
        let () = Proved::<U>::OK;
        self.try_reinterpret_as().unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`reinterpret_as`](Self::reinterpret_as), with an error instead of a panic.
    pub fn try_reinterpret_as<U: Element>(&self) -> Result<ArrayView<'static, U>> {
        let () = Proved::<U>::OK;
        // An array is contiguous, whatever its rank.
        Ok(self.view.with_layout(reinterpreted::<T, U>(0, self.view.layout.len())?))
    }

    /// The first elements in another shape.
    ///
    /// # Panics
    /// If there are too few.
    #[track_caller]
    pub fn view_as<const M: usize>(&self, extent: impl IntoExtent<M>) -> ArrayView<'static, T, M> {
        self.try_view_as(extent).unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`view_as`](Self::view_as), with an error instead of a panic.
    pub fn try_view_as<const M: usize>(&self, extent: impl IntoExtent<M>) -> Result<ArrayView<'static, T, M>> {
        Ok(self.view.with_layout(reshaped(0, self.view.layout.len(), usable(extent, "a view")?)?))
    }

    /// The view of the whole array, for use within the crate.
    pub(crate) fn whole(&self) -> &ArrayView<'static, T, N> {
        &self.view
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const N: usize> Capture for Array<T, N> {
    type Value = ArrayView<'static, T::Itself, N>;

    #[inline]
    fn capture(&self) -> ArrayView<'static, T, N> {
        ArrayView::of_allocation(self.view.handle.of_array(), self.view.layout)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const N: usize> From<&Array<T, N>> for ArrayView<'static, T, N> {
    fn from(array: &Array<T, N>) -> Self {
        array.view()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const N: usize> From<&Array<T, N>> for ReadView<'static, T, N> {
    fn from(array: &Array<T, N>) -> Self {
        array.read_view()
    }
}

impl<T, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("extent", &Extent(self.view.layout.extent)).finish_non_exhaustive()
    }
}
