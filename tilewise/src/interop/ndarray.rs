//! Arrays of the crate `ndarray`: as views, without a copy, where they are in standard layout; and
//! back.

use ndarray::{Array as NdArray, ArrayBase, ArrayView as NdView, ArrayViewMut as NdViewMut};
use ndarray::{Data, DataMut, Dim, Dimension};

use crate::{Access, Array, ArrayView, Element, Error, Extent, HostRead, HostWrite, ReadView, Result};

/// The dimensions of rank `N`.
type Rank<const N: usize> = Dim<[usize; N]>;

/// An extent as dimensions. Those of views and arrays are positive.
fn dimensions<const N: usize>(extent: Extent<N>) -> Rank<N>
where
    Rank<N>: Dimension,
{
    let mut dimensions = Rank::<N>::zeros(N);
    for (to, from) in dimensions.slice_mut().iter_mut().zip(extent.0) {
        *to = from.max(0) as usize;
    }
    dimensions
}

/// The lengths of an array's dimensions, of which there are `N`.
fn lengths<const N: usize>(shape: &[usize]) -> [usize; N] {
    let mut lengths = [0; N];
    lengths.iter_mut().zip(shape).for_each(|(to, from)| *to = *from);
    lengths
}

/// The error of an array whose elements do not lie in order.
#[cold]
fn other_layout(shape: &[usize], strides: &[isize]) -> Error {
    let list = |numbers: Vec<String>| numbers.join(", ");
    let shape = list(shape.iter().map(ToString::to_string).collect());
    let strides = list(strides.iter().map(ToString::to_string).collect());
    let text = format!(
        "the array of shape [{shape}] is not in standard layout, row-major without gaps: its strides are \
         [{strides}]; `as_standard_layout()` makes a copy that is"
    );
    Error::shape(None, text)
}

/// The error of elements that cannot be shown as an array.
#[cold]
fn no_shape(error: &ndarray::ShapeError) -> Error {
    Error::shape(None, format!("the elements are no array of `ndarray`: {error}"))
}

impl<'a, T: Element, const N: usize> TryFrom<NdView<'a, T, Rank<N>>> for ReadView<'a, T, N>
where
    Rank<N>: Dimension,
{
    type Error = Error;

    fn try_from(array: NdView<'a, T, Rank<N>>) -> Result<Self> {
        match array.to_slice() {
            Some(elements) => ReadView::read_only(lengths(array.shape()), elements),
            None => Err(other_layout(array.shape(), array.strides())),
        }
    }
}

impl<'a, T: Element, S: Data<Elem = T>, const N: usize> TryFrom<&'a ArrayBase<S, Rank<N>>> for ReadView<'a, T, N>
where
    Rank<N>: Dimension,
{
    type Error = Error;

    fn try_from(array: &'a ArrayBase<S, Rank<N>>) -> Result<Self> {
        ReadView::try_from(array.view())
    }
}

impl<'a, T: Element, const N: usize> TryFrom<NdViewMut<'a, T, Rank<N>>> for ArrayView<'a, T, N>
where
    Rank<N>: Dimension,
{
    type Error = Error;

    fn try_from(array: NdViewMut<'a, T, Rank<N>>) -> Result<Self> {
        if !array.is_standard_layout() {
            return Err(other_layout(array.shape(), array.strides()));
        }
        let extent = lengths(array.shape());
        // An array in standard layout is a slice.
        ArrayView::new(extent, array.into_slice().unwrap_or_default())
    }
}

impl<'a, T: Element, S: DataMut<Elem = T>, const N: usize> TryFrom<&'a mut ArrayBase<S, Rank<N>>>
    for ArrayView<'a, T, N>
where
    Rank<N>: Dimension,
{
    type Error = Error;

    fn try_from(array: &'a mut ArrayBase<S, Rank<N>>) -> Result<Self> {
        ArrayView::try_from(array.view_mut())
    }
}

impl<T: Element, const N: usize> TryFrom<NdArray<T, Rank<N>>> for ArrayView<'static, T, N>
where
    Rank<N>: Dimension,
{
    type Error = Error;

    fn try_from(array: NdArray<T, Rank<N>>) -> Result<Self> {
        if !array.is_standard_layout() {
            return Err(other_layout(array.shape(), array.strides()));
        }
        let extent = lengths(array.shape());
        let (mut elements, first) = array.into_raw_vec_and_offset();
        // Of an array that was cut, what lies before it.
        elements.drain(..first.unwrap_or(0));
        ArrayView::from_vec(extent, elements)
    }
}

impl<T: Element, S: Data<Elem = T>, const N: usize> TryFrom<&ArrayBase<S, Rank<N>>> for Array<T, N>
where
    Rank<N>: Dimension,
{
    type Error = Error;

    fn try_from(array: &ArrayBase<S, Rank<N>>) -> Result<Self> {
        ReadView::try_from(array)?.to_array()
    }
}

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A>
where
    Rank<N>: Dimension,
{
    /// All elements as an array of `ndarray`: a copy. With the feature `ndarray`.
    pub fn to_ndarray(&self) -> Result<NdArray<T, Rank<N>>> {
        NdArray::from_shape_vec(dimensions(self.extent()), self.to_vec()?).map_err(|error| no_shape(&error))
    }

    /// All elements as an array of `ndarray`, without a copy where
    /// [`into_vec`](ArrayView::into_vec) needs none. With the feature `ndarray`.
    pub fn into_ndarray(self) -> Result<NdArray<T, Rank<N>>> {
        let dimensions = dimensions(self.extent());
        NdArray::from_shape_vec(dimensions, self.into_vec()?).map_err(|error| no_shape(&error))
    }
}

impl<T: Element, const N: usize> Array<T, N>
where
    Rank<N>: Dimension,
{
    /// All elements as an array of `ndarray`: a copy. With the feature `ndarray`.
    pub fn to_ndarray(&self) -> Result<NdArray<T, Rank<N>>> {
        NdArray::from_shape_vec(dimensions(self.extent()), self.to_vec()?).map_err(|error| no_shape(&error))
    }
}

/// The error of a guard whose rows are apart.
#[cold]
fn apart<const N: usize>(extent: Extent<N>) -> Error {
    let text = format!(
        "the rows of the section {extent} do not lie side by side in its view, so they are no array of `ndarray`; \
         `to_ndarray()` of the section makes a copy"
    );
    Error::shape(None, text)
}

macro_rules! guards {
    ($($guard:ident)*) => {$(
        impl<T: Element, const N: usize> $guard<'_, T, N>
        where
            Rank<N>: Dimension,
        {
            /// The elements as a view of `ndarray`; an error for a section whose rows do not lie
            /// side by side. With the feature `ndarray`.
            pub fn as_ndarray(&self) -> Result<NdView<'_, T, Rank<N>>> {
                let elements = self.as_slice().ok_or_else(|| apart(self.extent()))?;
                NdView::from_shape(dimensions(self.extent()), elements).map_err(|error| no_shape(&error))
            }
        }
    )*};
}

guards!(HostRead HostWrite);

impl<T: Element, const N: usize> HostWrite<'_, T, N>
where
    Rank<N>: Dimension,
{
    /// The elements as a mutable view of `ndarray`; an error for a section whose rows do not lie
    /// side by side. With the feature `ndarray`.
    pub fn as_ndarray_mut(&mut self) -> Result<NdViewMut<'_, T, Rank<N>>> {
        let extent = self.extent();
        let elements = self.as_mut_slice().ok_or_else(|| apart(extent))?;
        NdViewMut::from_shape(dimensions(extent), elements).map_err(|error| no_shape(&error))
    }
}
