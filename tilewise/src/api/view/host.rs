//! Host access to a view: guards, single elements, bulk operations.

use std::panic::Location;

use super::shape::position;
use super::{Access, ArrayView, Writable};
use crate::api::copy::{CopyTarget, copy, make_room};
use crate::api::element::Element;
use crate::api::error::{Error, Result};
use crate::api::guard::{HostRead, HostWrite};
use crate::memory::lock::Intent;
use crate::memory::region::ByteRegion;
use crate::{Array, Extent, Index, IntoIndex};

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A> {
    /// Shared host access: `let h = v.host()?; h[(1, 2)]`. Waits for kernels; fails if another
    /// guard has exclusive access.
    #[doc(alias = "get_ref")]
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host(&self) -> Result<HostRead<'_, T, N>> {
        HostRead::new(&self.handle, self.layout, Location::caller())
    }

    /// Exclusive host access: `v.host_mut()?[(1, 2)] = 5`. Waits for kernels; fails if there is
    /// another guard.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host_mut(&self) -> Result<HostWrite<'_, T, N>>
    where
        A: Writable,
    {
        HostWrite::new(&self.handle, self.layout, Location::caller())
    }

    /// Reads one element from the host.
    pub fn get(&self, index: impl IntoIndex<N>) -> Result<T> {
        let at = self.place(index)?;
        let region = ByteRegion::solid(at, size_of::<T>() as u64);
        self.handle.briefly(&region, Intent::Read, || self.handle.memory.read(at))
    }

    /// Writes one element from the host.
    pub fn set(&self, index: impl IntoIndex<N>, value: T) -> Result<()>
    where
        A: Writable,
    {
        let at = self.place(index)?;
        let region = ByteRegion::solid(at, size_of::<T>() as u64);
        self.handle.briefly(&region, Intent::Write, || self.handle.memory.write(at, value))
    }

    /// The first byte of an element.
    pub(super) fn place(&self, index: impl IntoIndex<N>) -> Result<u64> {
        let index = position(index)?;
        match self.layout.distance(index) {
            Some(distance) => Ok(self.layout.offset + distance * size_of::<T>() as u64),
            None => Err(self.out_of_range(index)),
        }
    }

    /// The error for the component of `index` that is out of range.
    fn out_of_range(&self, index: [i32; N]) -> Error {
        let extent = self.layout.extent;
        let outside = |d: &usize| !(0..extent[*d]).contains(&index[*d]);
        let d = (0..N).find(outside).unwrap_or(0);
        let (component, last) = (index[d], extent[d] - 1);
        let text = format!(
            "index {} is outside of the extent {}: dimension {d} has the indices 0 to {last}, not {component}",
            Index(index),
            Extent(extent)
        );
        Error::shape(d, text)
    }

    /// Sets every element.
    pub fn fill(&self, value: T) -> Result<()>
    where
        A: Writable,
    {
        // Rows are written in parts, as a whole row may be as large as the view.
        const PART: usize = 64 << 10;
        let row = self.layout.extent[N - 1] as usize;
        let part = vec![value; row.min(PART / size_of::<T>()).max(1)];
        let write = self.each_row(|at| {
            for from in (0..row).step_by(part.len()) {
                let values = &part[..part.len().min(row - from)];
                let at = at + (from * size_of::<T>()) as u64;
                self.handle.memory.write_bytes(at, bytemuck::cast_slice(values));
            }
        });
        self.handle.overwrite(&self.region(), write)
    }

    /// Copies all elements to a Vec, in row-major order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut all = Vec::new();
        make_room(&mut all, self.layout.len())?;
        let row = self.layout.extent[N - 1] as usize;
        let read = self.each_row(|at| self.handle.memory.append(at, row, &mut all));
        self.handle.briefly(&self.region(), Intent::Read, read)?;
        Ok(all)
    }

    /// Calls `each` with the first byte of each row of the least significant dimension. To be
    /// called while the view's bytes are locked.
    fn each_row(&self, mut each: impl FnMut(u64)) -> impl FnOnce() {
        let layout = self.layout;
        let mut leading = Extent(layout.extent);
        leading.0[N - 1] = 1;
        move || {
            for row in leading.indices() {
                let distance: u64 = row.0.iter().zip(layout.strides).map(|(&i, stride)| i as u64 * stride).sum();
                each(layout.offset + distance * size_of::<T>() as u64);
            }
        }
    }

    /// All elements; without a copy if this is the last handle to a `from_vec` allocation and the
    /// view covers the Vec from its beginning.
    pub fn into_vec(self) -> Result<Vec<T>> {
        let whole =
            self.layout.offset == 0 && self.region() == ByteRegion::solid(0, self.layout.len() * size_of::<T>() as u64);
        if whole && self.handle.is_last() {
            // A leaked guard keeps its elements locked permanently.
            let all = ByteRegion::solid(0, self.handle.memory.bytes());
            let taken = self.handle.briefly(&all, Intent::Write, || self.handle.memory.take_vec())?;
            if let Some(mut elements) = taken {
                elements.truncate(self.layout.len() as usize);
                return Ok(elements);
            }
        }
        self.to_vec()
    }

    /// `copy(self, target)`.
    pub fn copy_to<D: CopyTarget<N, Elem = T>>(&self, target: D) -> Result<()> {
        copy(self, target)
    }

    /// A new array with the same contents on the default accelerator.
    pub fn to_array(&self) -> Result<Array<T, N>> {
        Array::builder(self.extent()).build_from(self)
    }
}
