//! Access to a view from the host: guards, single elements, everything at once, and the end of a view.

use std::panic::Location;

use super::shape::position;
use super::{Access, ArrayView, Writable};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::guard::{HostRead, HostWrite};
use crate::home::lock::Intent;
use crate::home::region::Region;
use crate::{Extent, Index, IntoIndex};

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A> {
    /// Shared host access: `let h = v.host()?; h[(1, 2)]`. Waits for kernels, fails on another's guard that writes.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host(&self) -> Result<HostRead<'_, T, N>> {
        HostRead::new(&self.handle, self.layout, Location::caller())
    }

    /// Exclusive host access: `v.host_mut()?[(1, 2)] = 5`. Waits for kernels, fails on another's guard.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host_mut(&self) -> Result<HostWrite<'_, T, N>>
    where
        A: Writable,
    {
        HostWrite::new(&self.handle, self.layout, Location::caller())
    }

    /// One element.
    pub fn get(&self, index: impl IntoIndex<N>) -> Result<T> {
        let at = self.place(index)?;
        let region = Region::solid(at, size_of::<T>() as u64);
        let read = || self.handle.memory.read(at);
        self.handle.lock.briefly(&region, Intent::Read, read).map_err(Error::Borrowed)
    }

    /// Stores one element from the host.
    pub fn set(&self, index: impl IntoIndex<N>, value: T) -> Result<()>
    where
        A: Writable,
    {
        let at = self.place(index)?;
        let region = Region::solid(at, size_of::<T>() as u64);
        let write = || {
            self.handle.memory.write(at, value);
            self.handle.set_fresh(false);
        };
        self.handle.lock.briefly(&region, Intent::Write, write).map_err(Error::Borrowed)
    }

    /// The byte of an element.
    pub(super) fn place(&self, index: impl IntoIndex<N>) -> Result<u64> {
        let index = position(index)?;
        match self.layout.distance(index) {
            Some(distance) => Ok(self.layout.offset + distance * size_of::<T>() as u64),
            None => Err(self.out_of_range(index)),
        }
    }

    /// Which component of `index` is wrong.
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
        let row = vec![value; self.layout.extent[N - 1] as usize];
        let bytes: &[u8] = bytemuck::cast_slice(&row);
        self.rows(Intent::Write, |at| self.handle.memory.write_bytes(at, bytes))?;
        self.handle.set_fresh(false);
        Ok(())
    }

    /// All elements, copied out in row-major order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut all = vec![T::zeroed(); self.layout.len() as usize];
        let row = self.layout.extent[N - 1] as usize;
        let mut rest = all.as_mut_slice();
        self.rows(Intent::Read, |at| {
            let (this, others) = std::mem::take(&mut rest).split_at_mut(row);
            self.handle.memory.read_bytes(at, bytemuck::cast_slice_mut(this));
            rest = others;
        })?;
        Ok(all)
    }

    /// Does something with each row of the least significant dimension, by its first byte, while the view's bytes are locked.
    fn rows(&self, intent: Intent, mut each: impl FnMut(u64)) -> Result<()> {
        let mut leading = Extent(self.layout.extent);
        leading.0[N - 1] = 1;
        let access = || {
            for row in leading.indices() {
                let distance: u64 = row.0.iter().zip(self.layout.strides).map(|(&i, stride)| i as u64 * stride).sum();
                each(self.layout.offset + distance * size_of::<T>() as u64);
            }
        };
        self.handle.lock.briefly(&self.region(), intent, access).map_err(Error::Borrowed)
    }

    /// All elements; no copy when this is the last handle to a `from_vec` home and names the Vec from its beginning.
    pub fn into_vec(self) -> Result<Vec<T>> {
        let whole =
            self.layout.offset == 0 && self.region() == Region::solid(0, self.layout.len() * size_of::<T>() as u64);
        if whole && self.handle.is_last() {
            // A guard that was leaked keeps its elements locked for good.
            let all = Region::solid(0, self.handle.memory.bytes());
            let taken = self.handle.lock.briefly(&all, Intent::Write, || self.handle.memory.take_vec());
            if let Some(mut elements) = taken.map_err(Error::Borrowed)? {
                elements.truncate(self.layout.len() as usize);
                return Ok(elements);
            }
        }
        self.to_vec()
    }

    /// Tells that the present contents need not be kept or moved. A hint.
    pub fn discard_data(&self)
    where
        A: Writable,
    {
        if self.region() == Region::solid(0, self.handle.memory.bytes()) {
            self.handle.set_fresh(true);
        }
    }

    /// Waits for pending work and brings the newest contents home, reporting errors that dropping would swallow.
    pub fn synchronize(&self) -> Result<()> {
        // A launch on host memory works in place and is over when it returns; another thread's is waited for.
        self.handle.lock.briefly(&self.region(), Intent::Read, || ()).map_err(Error::Borrowed)
    }

    /// Forgets cached copies: the home was changed behind the view's back (mapped or foreign memory).
    pub fn refresh(&self) -> Result<()> {
        // Host memory has no copies.
        self.synchronize()
    }

    /// [`synchronize`](Self::synchronize), then drops this handle; the borrow ends here when it is the last one.
    pub fn close(self) -> Result<()> {
        self.synchronize()
    }
}
