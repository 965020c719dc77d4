//! [`Array`]: elements that an accelerator owns. How one is made is in [`builder`].

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

/// Elements owned by one accelerator's memory, zero at first. Captured by reference; `try_clone` is the deep copy. `Send + Sync`. C++ AMP's `array<T, N>`.
///
/// A kernel that captures arrays runs on their accelerator view, if the launch names none; where it names one, that may be any view of the same accelerator. Views of an array keep its elements alive by
/// themselves.
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
    /// Zeros, on the default accelerator.
    pub fn new(extent: impl IntoExtent<N>) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        Self::builder(extent).build()
    }

    /// A copy of a slice of exactly that many elements, on the default accelerator.
    pub fn from_slice(extent: impl IntoExtent<N>, data: &[T]) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        Self::builder(extent).build_from(data)
    }

    /// From as many elements as the extent asks for, on the default accelerator; fewer or more is an error.
    pub fn from_iter(extent: impl IntoExtent<N>, elements: impl IntoIterator<Item = T>) -> Result<Self>
    where
        T: Element,
    {
        let () = Proved::<T>::OK;
        Self::builder(extent).build_from_iter(elements)
    }

    /// Everything else: the accelerator, staging, access type.
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

    /// A writable view of the whole; it keeps the elements alive by itself.
    pub fn view(&self) -> ArrayView<'static, T, N> {
        self.view.clone()
    }

    /// A view that only reads.
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

    /// Where it lives.
    #[doc(alias = "get_accelerator_view")]
    pub fn accelerator_view(&self) -> &AcceleratorView {
        &self.placement().view
    }

    /// Where a staging array is meant to be copied to; otherwise where it lives.
    #[doc(alias = "get_associated_accelerator_view")]
    pub fn associated_accelerator_view(&self) -> &AcceleratorView {
        &self.placement().associated
    }

    /// The host access it really has.
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

    /// Host access, where the array is staging or has cpu access; otherwise an error that says what to do.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host(&self) -> Result<HostRead<'_, T, N>> {
        self.accessible(AccessType::Read)?;
        self.view.host()
    }

    /// Exclusive host access, likewise.
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

    /// How many bytes were moved for it between host and devices.
    pub fn traffic(&self) -> Traffic {
        self.view.traffic()
    }

    /// `self.view().section(..)`.
    ///
    /// # Panics
    /// When it does not fit or is empty.
    #[track_caller]
    pub fn section(&self, origin: impl IntoIndex<N>, extent: impl IntoExtent<N>) -> ArrayView<'static, T, N> {
        self.view.section(origin, extent)
    }

    /// As [`section`](Self::section), an error instead of a panic.
    pub fn try_section(
        &self,
        origin: impl IntoIndex<N>,
        extent: impl IntoExtent<N>,
    ) -> Result<ArrayView<'static, T, N>> {
        self.view.try_section(origin, extent)
    }

    /// Everything from `origin` on.
    ///
    /// # Panics
    /// When nothing is left.
    #[track_caller]
    pub fn section_from(&self, origin: impl IntoIndex<N>) -> ArrayView<'static, T, N> {
        self.view.section_from(origin)
    }

    /// The first `extent` elements.
    ///
    /// # Panics
    /// When there are not so many, or they are none.
    #[track_caller]
    pub fn section_to(&self, extent: impl IntoExtent<N>) -> ArrayView<'static, T, N> {
        self.view.section_to(extent)
    }

    /// Row `i` of the most significant dimension, one rank lower.
    ///
    /// # Panics
    /// When there is no such row.
    #[track_caller]
    pub fn project<const M: usize>(&self, i: impl Int) -> ArrayView<'static, T, M>
    where
        Rank<N>: Above<M>,
    {
        self.view.project(i)
    }

    /// As [`project`](Self::project), an error instead of a panic.
    pub fn try_project<const M: usize>(&self, i: impl Int) -> Result<ArrayView<'static, T, M>>
    where
        Rank<N>: Above<M>,
    {
        self.view.try_project(i)
    }

    /// The same bytes as elements of another type, in one row.
    ///
    /// # Panics
    /// When they do not divide evenly.
    #[track_caller]
    pub fn reinterpret_as<U: Element>(&self) -> ArrayView<'static, U> {
        let () = Proved::<U>::OK;
        self.try_reinterpret_as().unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`reinterpret_as`](Self::reinterpret_as), an error instead of a panic.
    pub fn try_reinterpret_as<U: Element>(&self) -> Result<ArrayView<'static, U>> {
        let () = Proved::<U>::OK;
        // An array lies in one piece, whatever its rank.
        Ok(self.view.with_layout(reinterpreted::<T, U>(0, self.view.layout.len())?))
    }

    /// The first elements in another shape.
    ///
    /// # Panics
    /// When there are too few.
    #[track_caller]
    pub fn view_as<const M: usize>(&self, extent: impl IntoExtent<M>) -> ArrayView<'static, T, M> {
        self.try_view_as(extent).unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`view_as`](Self::view_as), an error instead of a panic.
    pub fn try_view_as<const M: usize>(&self, extent: impl IntoExtent<M>) -> Result<ArrayView<'static, T, M>> {
        Ok(self.view.with_layout(reshaped(0, self.view.layout.len(), usable(extent, "a view")?)?))
    }

    /// The view of the whole, to be used within the crate.
    pub(crate) fn whole(&self) -> &ArrayView<'static, T, N> {
        &self.view
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const N: usize> Capture for Array<T, N> {
    type Value = ArrayView<'static, T, N>;

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
