//! Views made from views: sections, projections, other element types, other shapes. An invalid one
//! is an error on the host; in a kernel it is a view without elements.

use super::{Above, Access, ArrayView, Rank, ViewLayout, usable};
use crate::api::element::{Element, Proved};
use crate::api::error::{Error, Result};
use crate::memory::launch::is_inside;
use crate::{Extent, Index, Int, IntoExtent, IntoIndex};

/// Handles an invalid request: a panic on the host, a view without elements in a kernel.
#[track_caller]
fn or_empty<'a, T: Element, const N: usize, A: Access, const M: usize, U: Element>(
    view: &ArrayView<'a, U, N, A>,
    made: Result<ArrayView<'a, T, M, A>>,
) -> ArrayView<'a, T, M, A> {
    match made {
        Ok(made) => made,
        Err(_) if is_inside() => view.with_layout(ViewLayout::empty()),
        Err(error) => panic!("{error}"),
    }
}

impl<'a, T: Element, const N: usize, A: Access> ArrayView<'a, T, N, A> {
    /// `extent` elements from `origin`. A kernel does not fail here: a section that does not fit
    /// has no elements.
    ///
    /// # Panics
    /// If it does not fit or is empty.
    #[track_caller]
    pub fn section(&self, origin: impl IntoIndex<N>, extent: impl IntoExtent<N>) -> Self {
        or_empty(self, asked_position(origin).and_then(|origin| self.cut(origin, asked(extent, "a section")?)))
    }

    /// As [`section`](Self::section), with an error instead of a panic; host only.
    pub fn try_section(&self, origin: impl IntoIndex<N>, extent: impl IntoExtent<N>) -> Result<Self> {
        self.cut(position(origin)?, usable(extent, "a section")?)
    }

    /// The elements from `origin` to the end of each dimension.
    ///
    /// # Panics
    /// If none are left.
    #[track_caller]
    pub fn section_from(&self, origin: impl IntoIndex<N>) -> Self {
        let made = asked_position(origin).and_then(|origin| {
            let mut rest = self.layout.extent;
            for (d, (rest, &from)) in rest.iter_mut().zip(&origin).enumerate() {
                let have = *rest;
                if from < 0 {
                    let text = format!(
                        "a section from {from} on begins before dimension {d} of the view, whose first index is 0"
                    );
                    return Err(Error::shape(d, text));
                }
                *rest = have.saturating_sub(from);
                if *rest < i32::from(!is_inside()) {
                    return Err(Error::shape(
                        d,
                        format!("a section from {from} on has no elements in dimension {d}, which has only {have}"),
                    ));
                }
            }
            self.cut(origin, rest)
        });
        or_empty(self, made)
    }

    /// The first `extent` elements.
    ///
    /// # Panics
    /// If there are fewer, or `extent` is empty.
    #[track_caller]
    pub fn section_to(&self, extent: impl IntoExtent<N>) -> Self {
        or_empty(self, asked(extent, "a section").and_then(|extent| self.cut([0; N], extent)))
    }

    /// The section at `origin`, which may be empty in kernels only.
    fn cut(&self, origin: [i32; N], extent: [i32; N]) -> Result<Self> {
        let mut offset = 0;
        for d in 0..N {
            let (from, want, have) = (origin[d], extent[d], self.layout.extent[d]);
            if from < 0 || want < 0 || i64::from(from) + i64::from(want) > i64::from(have) {
                return Err(Error::shape(
                    d,
                    format!(
                        "a section of {want} from {from} on does not fit into dimension {d} of the view, which has {have}"
                    ),
                ));
            }
            offset += from as u64 * self.layout.strides[d];
        }
        let offset = self.layout.offset + offset * size_of::<T>() as u64;
        Ok(self.with_layout(ViewLayout { offset, extent, strides: self.layout.strides }))
    }

    /// Row `i` of the most significant dimension, one rank lower; `v[i]` in a kernel.
    ///
    /// # Panics
    /// If there is no such row.
    #[doc(alias = "projection")]
    #[track_caller]
    pub fn project<const M: usize>(&self, i: impl Int) -> ArrayView<'a, T, M, A>
    where
        Rank<N>: Above<M>,
    {
        or_empty(self, self.try_project(i))
    }

    /// As [`project`](Self::project), with an error instead of a panic; host only.
    pub fn try_project<const M: usize>(&self, i: impl Int) -> Result<ArrayView<'a, T, M, A>>
    where
        Rank<N>: Above<M>,
    {
        const { assert!(M + 1 == N, "a projection has one rank less") };
        let have = self.layout.extent[0];
        let Some(row) = i.to_i32().filter(|row| (0..have).contains(row)) else {
            let asked = i.to_i32().map_or("a number outside of 32 bits".to_owned(), |row| row.to_string());
            return Err(Error::shape(
                0,
                format!("a projection at {asked} is not in dimension 0 of the view, which has {have}"),
            ));
        };
        let offset = self.layout.offset + row as u64 * self.layout.strides[0] * size_of::<T>() as u64;
        let (mut extent, mut strides) = ([0; M], [0; M]);
        extent.copy_from_slice(&self.layout.extent[1..]);
        strides.copy_from_slice(&self.layout.strides[1..]);
        Ok(self.with_layout(ViewLayout { offset, extent, strides }))
    }
}

impl<'a, T: Element, A: Access> ArrayView<'a, T, 1, A> {
    /// The same bytes as elements of another type.
    ///
    /// # Panics
    /// If the total size is not a multiple of the new element's size.
    #[track_caller]
    pub fn reinterpret_as<U: Element>(&self) -> ArrayView<'a, U, 1, A> {
        let () = Proved::<U>::OK;
        or_empty(self, self.try_reinterpret_as())
    }

    /// As [`reinterpret_as`](Self::reinterpret_as), with an error instead of a panic.
    pub fn try_reinterpret_as<U: Element>(&self) -> Result<ArrayView<'a, U, 1, A>> {
        let () = Proved::<U>::OK;
        Ok(self.with_layout(reinterpreted::<T, U>(self.layout.offset, self.layout.len())?))
    }

    /// The first elements in another shape.
    ///
    /// # Panics
    /// If there are too few.
    #[track_caller]
    pub fn view_as<const M: usize>(&self, extent: impl IntoExtent<M>) -> ArrayView<'a, T, M, A> {
        or_empty(self, asked(extent, "a view").and_then(|extent| self.in_shape(extent)))
    }

    /// As [`view_as`](Self::view_as), with an error instead of a panic.
    pub fn try_view_as<const M: usize>(&self, extent: impl IntoExtent<M>) -> Result<ArrayView<'a, T, M, A>> {
        self.in_shape(usable(extent, "a view")?)
    }

    fn in_shape<const M: usize>(&self, extent: [i32; M]) -> Result<ArrayView<'a, T, M, A>> {
        Ok(self.with_layout(reshaped(self.layout.offset, self.layout.len(), extent)?))
    }
}

/// Reinterprets `len` contiguous elements from the byte `offset` on as another type. An array may
/// have more elements than a dimension of a view can.
pub(crate) fn reinterpreted<T: Element, U: Element>(offset: u64, len: u64) -> Result<ViewLayout<1>> {
    let (bytes, size) = (len * size_of::<T>() as u64, size_of::<U>() as u64);
    if !bytes.is_multiple_of(size) {
        return Err(Error::shape(
            0,
            format!(
                "the {bytes} bytes of the view are not a whole number of elements of {size} bytes; {} are left over",
                bytes % size
            ),
        ));
    }
    let count = bytes / size;
    let Ok(extent) = i32::try_from(count) else {
        let most = i32::MAX;
        return Err(Error::shape(
            0,
            format!("reinterpreted, the view has {count} elements; a dimension can have {most}"),
        ));
    };
    Ok(ViewLayout::dense(offset, [extent]))
}

/// The first of `len` elements in another shape, which may be empty in kernels only.
pub(crate) fn reshaped<const M: usize>(offset: u64, len: u64, extent: [i32; M]) -> Result<ViewLayout<M>> {
    if let Some(d) = extent.iter().position(|&e| e < 0) {
        return Err(Error::shape(d, format!("dimension {d} of the extent {} is negative", Extent(extent))));
    }
    if extent.contains(&0) {
        // Without elements, strides have no meaning, and their product could overflow.
        return Ok(ViewLayout { extent, ..ViewLayout::empty() });
    }
    let need = extent.iter().fold(1, |n: u64, &e| n.saturating_mul(e as u64));
    if need > len {
        let extent = Extent(extent);
        return Err(Error::shape(None, format!("the extent {extent} needs {need} elements, the view has {len}")));
    }
    Ok(ViewLayout::dense(offset, extent))
}

/// The extent of a part. On the host it must be valid and not empty; in a kernel the caller checks
/// whether it fits, of the components as the kernel has them.
fn asked<const N: usize>(extent: impl IntoExtent<N>, what: &str) -> Result<[i32; N]> {
    if !is_inside() {
        return usable(extent, what);
    }
    let Extent(extent) = extent.try_into_extent().unwrap_or_else(|| extent.cut_to_extent());
    Ok(extent)
}

/// The first position of a part: in a kernel, the components as it has them.
fn asked_position<const N: usize>(index: impl IntoIndex<N>) -> Result<[i32; N]> {
    position(index).or_else(|error| if is_inside() { Ok(index.cut_to_index().0) } else { Err(error) })
}

/// The components of a position.
pub(super) fn position<const N: usize>(index: impl IntoIndex<N>) -> Result<[i32; N]> {
    match index.try_into_index() {
        Some(Index(index)) => Ok(index),
        None => Err(Error::shape(None, "a component of the index does not fit 32 bits")),
    }
}
