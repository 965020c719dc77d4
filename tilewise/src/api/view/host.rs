//! Host access to a view: guards, single elements, bulk operations, synchronization.

use std::panic::Location;

use super::shape::position;
use super::{Access, ArrayView, Writable};
use crate::api::accelerator::marker;
use crate::api::copy::{CopyTarget, copy, make_room};
use crate::api::element::Element;
use crate::api::error::{Error, Result};
use crate::api::guard::{HostRead, HostWrite};
use crate::memory::coherence::Traffic;
use crate::memory::lock::Intent;
use crate::memory::region::ByteRegion;
use crate::memory::region_copies::TakenRegions;
use crate::{AcceleratorView, Array, Completion, Extent, Index, IntoIndex};

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
        let (component, size) = (index[d], extent[d]);
        Error::shape(
            d,
            format!("index {} is outside of the view: dimension {d} has {size}, not {component}", Index(index)),
        )
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

    /// A hint that the present contents need not be kept or transferred. Data that is in host
    /// memory now stays readable there until it is overwritten.
    pub fn discard_data(&self)
    where
        A: Writable,
    {
        // An asynchronous copy may still read them. If a guard holds them, it must keep showing
        // them.
        let region = self.region();
        if self.handle.refuse_own(&region, Intent::Write).is_ok() {
            _ = self.handle.lock.briefly(&region, Intent::Write, || self.handle.discard(&region));
        }
    }

    /// Waits for pending work and brings the newest contents to host memory. Returns errors that
    /// dropping the view does not return.
    pub fn synchronize(&self) -> Result<()> {
        // A launch on host memory works in place and is complete when it returns; one of another
        // thread is waited for.
        self.handle.briefly(&self.region(), Intent::Read, || ())
    }

    /// Starts [`synchronize`](Self::synchronize). After its completion, at most a copy within host
    /// memory remains, at the next access.
    pub fn synchronize_async(&self) -> Result<Completion> {
        let region = self.region();
        let taken = TakenRegions::new(&[(&self.handle, &region, Intent::Read)])?;
        let queues = self.handle.begin_home(&region)?;
        drop(taken);
        Ok(Completion::of_all(queues.iter().map(marker).collect::<Vec<_>>()))
    }

    /// Brings the newest contents to an accelerator before they are needed there; to host memory,
    /// for an accelerator that works in it.
    pub fn synchronize_to(&self, view: &AcceleratorView) -> Result<()> {
        match view.chosen()?.gpu()? {
            None => self.synchronize(),
            Some((device, queue)) => {
                let region = self.region();
                let _taken = TakenRegions::new(&[(&self.handle, &region, Intent::Read)])?;
                self.handle.at_device(device, queue, &region)
            }
        }
    }

    /// Starts [`synchronize_to`](Self::synchronize_to). The completion completes when the contents
    /// have arrived.
    pub fn synchronize_to_async(&self, view: &AcceleratorView) -> Result<Completion> {
        let view = view.chosen()?;
        if view.gpu()?.is_none() {
            return self.synchronize_async();
        }
        // The data to upload is read during the call, which does not wait for the device.
        self.synchronize_to(&view)?;
        view.create_marker()
    }

    /// `copy(self, target)`.
    pub fn copy_to<D: CopyTarget<N, Elem = T>>(&self, target: D) -> Result<()> {
        copy(self, target)
    }

    /// A new array with the same contents on the default accelerator.
    pub fn to_array(&self) -> Result<Array<T, N>> {
        Array::builder(self.extent()).build_from(self)
    }

    /// Invalidates copies on devices, after host memory was changed outside of the library (it is
    /// mapped, or foreign code writes it). Data that devices have written is brought to host memory
    /// first.
    pub fn refresh(&self) -> Result<()> {
        self.handle.briefly(&self.region(), Intent::Read, || self.handle.refresh(&self.region()))
    }

    /// The bytes transferred for this view's memory, by all views of it.
    pub fn traffic(&self) -> Traffic {
        self.handle.traffic()
    }

    /// [`synchronize`](Self::synchronize), then drops this handle; the borrow ends here if it is
    /// the last one.
    pub fn close(self) -> Result<()> {
        self.synchronize()
    }
}
