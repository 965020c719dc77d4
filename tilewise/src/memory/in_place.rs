//! Lends the memory that a launch holds to the interpreter, in place: exactly the views' bytes,
//! never the gaps between rows.
//!
//! # Invariants
//! The launch has the lock of all its regions, to write if a view writes. So bytes that it may
//! write belong to it alone until it ends, and become `&mut [u8]`; others, guards and other
//! launches, may read the bytes that it only reads, and these become `&[u8]`. No byte is lent
//! twice: bytes that are both read and written are lent as written. They are lent by a `&mut
//! Locked`, so once at a time, and never while closures run inside the launch.
#![allow(unsafe_code, reason = "makes slices of what a launch holds; the page says what makes it sound")]

use tilewise_ir::launch::{BorrowedMemory, BorrowedRun, Ranges, room_for_runs};

use super::launch::{HeldAllocation, Locked};
use super::lock::Intent;
use super::region::ByteRegion;
use crate::api::error::{Error, Result};

impl Locked<'_> {
    /// The allocations by number, with the bytes of each that are held. Host memory has their
    /// newest contents after [`Locked::at_home`].
    ///
    /// `unwritten`: memory that is zero because nothing has written it counts as fresh, as does
    /// that whose contents were discarded.
    pub(crate) fn lend(&mut self, unwritten: bool) -> Result<Vec<BorrowedMemory<'_>>> {
        self.has_room_for_runs()?;
        Ok(self.allocations().iter().map(|allocation| lend(allocation, unwritten)).collect())
    }

    /// Fails if the lists of the runs of bytes that the launch holds have no room: a section may have many rows.
    pub(super) fn has_room_for_runs(&self) -> Result<()> {
        let regions = self.allocations().iter().flat_map(|allocation| &allocation.regions);
        let runs = regions.fold(0, |runs: u64, (region, _)| runs.saturating_add(region.run_count()));
        room_for_runs(runs).map_err(Error::OutOfMemory)
    }
}

/// The bytes of an allocation that are held with some intents.
fn bytes(allocation: &HeldAllocation, of: impl Fn(Intent) -> bool) -> Ranges {
    ByteRegion::bytes_of_all(allocation.regions.iter().filter(|(_, intent)| of(*intent)).map(|(region, _)| region))
}

fn lend(allocation: &HeldAllocation, unwritten: bool) -> BorrowedMemory<'_> {
    let written = bytes(allocation, |intent| intent == Intent::Write);
    let read = bytes(allocation, |_| true).without(&written);
    let memory = &allocation.handle.memory;
    // SAFETY: the launch holds these bytes to read, so nothing writes them; and they are
    // initialised, in host memory, and not lent for writing.
    let read = read.runs().map(|(start, len)| (start, BorrowedRun::Read(unsafe { memory.slice(start, len) })));
    // SAFETY: the launch holds these bytes alone, and they are lent once: runs of one set have no
    // byte in common, and `read` is without them.
    let written =
        written.runs().map(|(start, len)| (start, BorrowedRun::Write(unsafe { memory.slice_mut(start, len) })));
    let mut runs: Vec<(u64, BorrowedRun<'_>)> = read.chain(written).collect();
    runs.sort_by_key(|(start, _)| *start);
    let handle = &allocation.handle;
    BorrowedMemory::new(memory.bytes(), runs, handle.is_unspecified() || unwritten && handle.is_fresh())
}
