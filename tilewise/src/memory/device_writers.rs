//! Launches on devices that wrote to an allocation: their output and errors are delivered to
//! accesses of the bytes that they wrote, while nothing is locked, as delivery calls hooks of the
//! program.
//!
//! So an access has three steps: it delivers pending output and errors ([`Allocation::tell`]),
//! takes the region, and checks whether a launch failed in between ([`Allocation::has_failed`]); if
//! so, it releases the region and starts again.

use std::sync::Arc;

use tilewise_ir::launch::Ranges;

use super::Allocation;
use super::coherence::DeviceCopies;
use super::region::ByteRegion;
use crate::memory::pending::Pending;
use crate::{Error, Result};

/// Maximum number of launches in flight that wrote to one allocation and can have output: each has
/// a message buffer on the device.
const MOST_OPEN: usize = 64;

/// Maximum number of ended launches whose errors have not been requested.
const MOST_OVER: usize = 1024;

/// A launch whose outcome has not been requested.
pub(super) struct DeviceWriter {
    /// The number of its device.
    pub(super) device: u64,
    /// The bytes that it writes.
    written: Ranges,
    pub(super) pending: Arc<Pending>,
}

impl DeviceCopies {
    /// Records a launch on a device that writes these bytes. May wait for the oldest of the earlier
    /// launches. Returns launches beyond the limit, which must be dropped while nothing is locked:
    /// the last reference to one calls hooks when dropped.
    #[must_use]
    pub(super) fn expect(&mut self, device: u64, written: &Ranges, launch: &Arc<Pending>) -> Vec<Arc<Pending>> {
        self.pending.retain(|writer| !writer.pending.is_well());
        let mut surplus = Vec::new();
        if self.pending.len() >= MOST_OPEN {
            let open: Vec<_> = self.pending.iter().filter(|writer| writer.pending.is_open()).collect();
            open.iter().rev().skip(MOST_OPEN - 1).for_each(|writer| writer.pending.know());
            let over = self.pending.len() - open.len();
            let gone = self.pending.extract_if(.., |writer| !writer.pending.is_open());
            surplus.extend(gone.take(over.saturating_sub(MOST_OVER)).map(|writer| writer.pending));
        }
        self.pending.push(DeviceWriter { device, written: written.clone(), pending: Arc::clone(launch) });
        surplus
    }

    /// Makes the launches that wrote to these bytes, which were copied, writers of the bytes they
    /// were copied to, in another allocation or in this one: who reads the copy hears of their
    /// errors. Returns launches as [`expect`](DeviceCopies::expect) does.
    #[must_use]
    pub(super) fn pass_writers(
        &mut self,
        read: &Ranges,
        target: Option<&mut DeviceCopies>,
        written: &Ranges,
    ) -> Vec<Arc<Pending>> {
        let of_read = self.pending.iter().filter(|writer| !writer.written.and(read).is_empty());
        let writers: Vec<_> = of_read.map(|writer| (writer.device, Arc::clone(&writer.pending))).collect();
        let target = target.unwrap_or(self);
        writers.iter().flat_map(|(device, pending)| target.expect(*device, written, pending)).collect()
    }

    /// The launches that wrote to these bytes, the oldest first.
    fn writers(&self, bytes: &Ranges) -> impl Iterator<Item = &Arc<Pending>> {
        self.pending.iter().filter(|writer| !writer.written.and(bytes).is_empty()).map(|writer| &writer.pending)
    }
}

impl Allocation {
    /// Delivers the output of the launches that wrote to a region, and returns the first error not
    /// delivered before. The caller holds no lock.
    #[inline]
    pub(crate) fn tell(&self, region: &ByteRegion) -> Result<()> {
        if self.is_away() { self.tell_of(&region.bytes()) } else { Ok(()) }
    }

    #[cold]
    fn tell_of(&self, bytes: &Ranges) -> Result<()> {
        let mut writers: Vec<Arc<Pending>> = Vec::new();
        if let Some(away) = self.away().as_mut() {
            away.pending.retain(|writer| !writer.pending.is_well());
            writers.extend(away.writers(bytes).cloned());
        }
        let told = writers.iter().try_for_each(|pending| pending.take());
        if let (Err(Error::AcceleratorViewRemoved(_)), Some(away)) = (&told, self.away().as_mut()) {
            // A launch that was lost with its device lost the bytes it wrote too, which this error
            // reports.
            away.reported(bytes);
        }
        told
    }

    /// Whether a launch that wrote to a region failed with an error that was not delivered yet. The
    /// caller holds the region.
    #[inline]
    pub(crate) fn has_failed(&self, region: &ByteRegion) -> bool {
        self.is_away() && self.has_failed_at(&region.bytes())
    }

    #[cold]
    fn has_failed_at(&self, bytes: &Ranges) -> bool {
        self.away().as_ref().is_some_and(|away| away.writers(bytes).any(|pending| pending.has_failed()))
    }
}
