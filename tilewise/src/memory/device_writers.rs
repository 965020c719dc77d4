//! How launches on devices ended that wrote to an allocation: told to who touches what they wrote,
//! while nothing is locked, as hooks of the program are called.
//!
//! So an access is done in three steps: it tells what there is to tell ([`Allocation::tell`]),
//! takes the region, and looks whether a launch has come between that failed
//! ([`Allocation::has_failed`]); if so it gives the region back and begins again.

use std::sync::Arc;

use tilewise_ir::launch::Ranges;

use super::Allocation;
use super::coherence::DeviceCopies;
use super::region::ByteRegion;
use crate::memory::pending::Pending;
use crate::{Error, Result};

/// Launches that may run and have something to say, of those that wrote to one allocation: each has
/// a buffer for it on the device.
const MOST_OPEN: usize = 64;

/// Launches that are over, whose errors nobody has asked for.
const MOST_OVER: usize = 1024;

/// A launch that nobody has asked for.
pub(super) struct DeviceWriter {
    /// The number of its device.
    pub(super) device: u64,
    /// The bytes that it writes.
    written: Ranges,
    pub(super) pending: Arc<Pending>,
}

impl DeviceCopies {
    /// Notes a launch on a device that writes these bytes. Of those before, the oldest may be waited
    /// for. Gives those that are too many, which are to be dropped while nothing is locked: the last
    /// who holds one tells the hooks.
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

    /// The launches that wrote to these bytes, the oldest first.
    fn writers(&self, bytes: &Ranges) -> impl Iterator<Item = &Arc<Pending>> {
        self.pending.iter().filter(|writer| !writer.written.and(bytes).is_empty()).map(|writer| &writer.pending)
    }
}

impl Allocation {
    /// Tells what launches printed that wrote to a region, and gives the first error that nobody was given. The caller holds no lock.
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
            // If it was lost with its device, so was what it wrote, and that is said by this.
            _ = away.forget_lost();
        }
        told
    }

    /// Whether a launch that wrote to a region failed, and nobody was given its error. The caller holds the region.
    #[inline]
    pub(crate) fn has_failed(&self, region: &ByteRegion) -> bool {
        self.is_away() && self.has_failed_at(&region.bytes())
    }

    #[cold]
    fn has_failed_at(&self, bytes: &Ranges) -> bool {
        self.away().as_ref().is_some_and(|away| away.writers(bytes).any(|pending| pending.has_failed()))
    }
}
