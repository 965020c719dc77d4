//! Copies between allocations, from slices into allocations and out of them: whole regions, on the
//! shortest path between the place of the newest contents and the home of the target.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use super::coherence::{DeviceCopies, suits_devices};
use super::lock::{self, Intent, Ticket, Wanted};
use super::pending::Pending;
use super::region::ByteRegion;
use super::rows::CopiedRows;
use super::state::CopyHolder;
use super::storage::OWN_ALIGNMENT;
use super::{Allocation, AllocationSource, Handle};
use crate::api::accelerator::AcceleratorView;
use crate::api::copy::make_room;
use crate::api::error::{Error, Result};
use crate::targets::gpu::{GpuDevice, GpuQueue, failed};
use tilewise_ir::fault::{self, Fault};

/// Regions of allocations, locked as by a launch, until this is dropped.
pub(crate) struct TakenRegions(Vec<(Handle, Ticket)>);

impl TakenRegions {
    /// Takes these regions of distinct allocations, or of one, all or none. Waits for launches;
    /// fails if a host guard blocks one, with the place where it was taken.
    pub(crate) fn new(wanted: &[(&Handle, &ByteRegion, Intent)]) -> Result<TakenRegions> {
        let mut allocations: Vec<(&Handle, Vec<Wanted<'_>>)> = Vec::new();
        for &(handle, region, intent) in wanted {
            handle.refuse_own(region, intent)?;
            let want = Wanted { region, intent };
            match allocations.iter_mut().find(|(allocation, _)| allocation.same_allocation(handle)) {
                Some((_, wants)) => wants.push(want),
                None => allocations.push((handle, vec![want])),
            }
        }
        let locks: Vec<_> = allocations.iter().map(|(handle, wants)| (&handle.lock, wants.clone())).collect();
        let tickets = lock::take(&locks).map_err(Error::Borrowed)?;
        Ok(TakenRegions(
            allocations.iter().zip(tickets).map(|((handle, _), ticket)| ((*handle).clone(), ticket)).collect(),
        ))
    }
}

impl Drop for TakenRegions {
    fn drop(&mut self) {
        for (handle, ticket) in &self.0 {
            handle.lock.release(*ticket);
        }
    }
}

impl Allocation {
    /// The device that owns the array, with its queue, if there is one.
    fn lives_on(&self) -> Result<Option<(&AcceleratorView, &GpuDevice, &GpuQueue)>> {
        let AllocationSource::Array(placement) = &self.source else { return Ok(None) };
        Ok(placement.view.gpu()?.map(|(device, queue)| (&placement.view, device, queue)))
    }

    /// Fails if a copy of this region meets a device, for which it has too many rows.
    pub(crate) fn can_pass(&self, region: &ByteRegion) -> Result<()> {
        if self.is_away() || self.lives_on()?.is_some() { suits_devices(region) } else { Ok(()) }
    }

    /// Fills a region, row by row, from contiguous bytes. The caller holds the region to write.
    pub(crate) fn fill_from(&self, region: &ByteRegion, rows: &CopiedRows, bytes: &[u8]) -> Result<()> {
        let row = |from: u64, len: u64| {
            let from = fault::choose(Fault::RowsOfCopy, from, 0);
            &bytes[from as usize..(from + len) as usize]
        };
        if let Some((_, device, queue)) = self.lives_on()? {
            return self.on_its_device(device, queue, region, |away, low| {
                let mut pieces: Vec<(u64, &[u8])> = Vec::new();
                make_room(&mut pieces, rows.count())?;
                rows.each(|from, to, len| pieces.push((to - low, row(from, len))));
                self.coherence.uploaded.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                queue.upload(&away.copy(device.number()).buffer, &pieces).map_err(failed)
            });
        }
        self.touched_by_host();
        self.memory.provide()?;
        self.wrote(region);
        rows.each(|from, to, len| self.memory.write_bytes(to, row(from, len)));
        Ok(())
    }

    /// Writes all of a region in the memory of a device, without transferring its old contents
    /// there.
    fn on_its_device(
        &self,
        device: &GpuDevice,
        queue: &GpuQueue,
        region: &ByteRegion,
        write: impl FnOnce(&mut DeviceCopies, u64) -> Result<()>,
    ) -> Result<()> {
        let bytes = region.bytes();
        let mut slot = self.away_on_a_device();
        let away = slot.get_or_insert_with(|| DeviceCopies::new(self));
        let at = away.make_room(self, device, queue, &bytes)?;
        let low = away.low(at);
        write(away, low)?;
        self.set_fresh(false);
        away.wrote(CopyHolder::Device(device.number()), &bytes);
        Ok(())
    }

    /// Reads a region, row by row, into contiguous bytes. The caller holds the region. An array on
    /// a device is read without a copy in host memory.
    pub(crate) fn read_into(&self, region: &ByteRegion, rows: &CopiedRows, bytes: &mut [u8]) -> Result<()> {
        if !self.memory.is_provided() && self.lives_on()?.is_some() {
            self.is_there()?;
            let mut slot = self.away_on_a_device();
            // Another reader may have had the contents brought to host memory meanwhile.
            if !self.memory.is_provided() {
                let away = slot.get_or_insert_with(|| DeviceCopies::new(self));
                let wanted = region.bytes();
                if away.found_on_devices(&wanted) < wanted.bytes() {
                    // Bytes that were never written are zero.
                    bytes.fill(0);
                }
                let rows = RowTargets::new(rows, bytes)?;
                return away.read(self, &wanted, |at, piece| rows.write(at, piece));
            }
        }
        self.at_home(region)?;
        self.touched_by_host();
        rows.each(|from, to, len| self.memory.read_bytes(from, &mut bytes[to as usize..(to + len) as usize]));
        Ok(())
    }
}

/// Rows of a slice with the places of their bytes in an allocation. Several threads may write them.
struct RowTargets<'a> {
    /// By their first byte in the allocation.
    rows: Vec<(u64, usize, Mutex<&'a mut [u8]>)>,
    longest: u64,
}

/// Bytes of a row under one lock.
const ROW_PART: usize = 1 << 20;

impl<'a> RowTargets<'a> {
    /// The rows fill the slice one after the other.
    fn new(rows: &CopiedRows, bytes: &'a mut [u8]) -> Result<RowTargets<'a>> {
        let mut rest = bytes;
        let mut parts = Vec::new();
        make_room(&mut parts, rows.count() * rows.length().div_ceil(ROW_PART as u64))?;
        rows.each(|from, _, len| {
            let (row, behind) = std::mem::take(&mut rest).split_at_mut(len as usize);
            rest = behind;
            let parted = row.chunks_mut(ROW_PART).zip((from..).step_by(ROW_PART));
            parts.extend(parted.map(|(part, at)| (at, part.len(), Mutex::new(part))));
        });
        parts.sort_by_key(|(at, ..)| *at);
        let longest = parts.iter().map(|(_, len, _)| *len as u64).max().unwrap_or(0);
        Ok(RowTargets { rows: parts, longest })
    }

    /// Writes bytes of the allocation to each row that has some of them.
    fn write(&self, at: u64, piece: &[u8]) {
        let end = at + piece.len() as u64;
        let first = self.rows.partition_point(|(from, ..)| from + self.longest <= at);
        for (from, len, row) in self.rows[first..].iter().take_while(|(from, ..)| *from < end) {
            let (start, end) = (at.max(*from), end.min(from + *len as u64));
            if start < end {
                let mut row = row.lock().unwrap_or_else(PoisonError::into_inner);
                row[(start - from) as usize..(end - from) as usize]
                    .copy_from_slice(&piece[(start - at) as usize..(end - at) as usize]);
            }
        }
    }
}

/// Copies a region of one allocation to a region of another, or to one of the same allocation
/// without a common byte. The caller holds both.
pub(crate) fn pass(from: (&Handle, &ByteRegion), to: (&Handle, &ByteRegion), rows: &CopiedRows) -> Result<PassedCopy> {
    let ((source, read), (target, written)) = (from, to);
    // A device binds one buffer for both regions of one allocation.
    let binds_both = |device: &GpuDevice| {
        let bounds = read.bytes().with(&written.bytes()).bounds();
        !source.same_allocation(target)
            || bounds.is_none_or(|(low, high)| high - low + OWN_ALIGNMENT as u64 <= device.largest())
    };
    let meeting = meeting_place(source, read, target)?.filter(|(device, _)| binds_both(device));
    if let Some((device, queue)) = meeting {
        return on_device(&device, &queue, from, to, rows).map(PassedCopy::OnDevice);
    }
    source.at_home(read)?;
    source.touched_by_host();
    let lives = target.lives_on()?.map(|(_, device, queue)| (device, queue));
    if let Some((device, queue)) = lives {
        let list = rows.list(0, 0)?;
        source.memory.with_bytes(list.iter().map(|&(from, _, len)| (from, len)), |pieces| {
            target.on_its_device(device, queue, written, |away, low| {
                let mut shifted: Vec<(u64, &[u8])> = Vec::new();
                make_room(&mut shifted, rows.count())?;
                shifted.extend(pieces.iter().zip(&list).map(|((_, bytes), &(_, to, _))| (to - low, *bytes)));
                target.coherence.uploaded.fetch_add(rows.bytes(), Ordering::Relaxed);
                queue.upload(&away.copy(device.number()).buffer, &shifted).map_err(failed)
            })
        })?;
        return Ok(PassedCopy::OnHost);
    }
    target.memory.provide()?;
    target.wrote(written);
    rows.each(|from, to, len| source.memory.copy_to(from, &target.memory, to, len));
    Ok(PassedCopy::OnHost)
}

/// Where a copy between two allocations was made.
pub(crate) enum PassedCopy {
    /// The source was read on the host: the outcomes of the launches that wrote it are known.
    OnHost,
    /// On a device. What is left of launches that are beyond the limit of those that are remembered;
    /// it must be dropped while nothing is locked.
    OnDevice(Vec<Arc<Pending>>),
}

/// The device on which a copy needs no transfer: all newest contents of the source are there, and
/// the target belongs there or has a copy there.
fn meeting_place(source: &Handle, read: &ByteRegion, target: &Handle) -> Result<Option<(GpuDevice, GpuQueue)>> {
    if !source.is_away() {
        return Ok(None);
    }
    let bytes = read.bytes();
    let there: Vec<(GpuDevice, GpuQueue)> = match source.away().as_ref() {
        Some(away) if !away.is_valid(CopyHolder::Host, &bytes) => away.devices_with(&bytes),
        _ => return Ok(None),
    };
    if let Some((_, device, queue)) = target.lives_on()? {
        let same = there.iter().any(|(other, _)| other.number() == device.number());
        return Ok(same.then(|| (device.clone(), queue.clone())));
    }
    let been = |(device, _): &&(GpuDevice, GpuQueue)| {
        target.is_away() && target.away().as_ref().is_some_and(|away| away.has(device.number()))
    };
    Ok(there.iter().find(been).cloned())
}

fn on_device(
    device: &GpuDevice,
    queue: &GpuQueue,
    (source, read): (&Handle, &ByteRegion),
    (target, written): (&Handle, &ByteRegion),
    rows: &CopiedRows,
) -> Result<Vec<Arc<Pending>>> {
    let (read, written) = (read.bytes(), written.bytes());
    let place = CopyHolder::Device(device.number());
    if source.same_allocation(target) {
        let mut slot = source.away_on_a_device();
        let away = slot.get_or_insert_with(|| DeviceCopies::new(source));
        let all = read.with(&written);
        // Room for all bytes first: making room may move other bytes off the device.
        away.make_room(source, device, queue, &all)?;
        away.send(source, device, queue, &read)?;
        let at = away.make_room(source, device, queue, &all)?;
        let (low, buffer) = (away.low(at), away.copy(device.number()).buffer.clone());
        // Bytes read and bytes written may share a word of the buffer, so the copy passes through
        // another buffer.
        let between = device.allocate(rows.bytes(), false).map_err(failed)?;
        let (mut out, mut back) = (rows.list(low, low)?, rows.list(low, low)?);
        for (number, (out, back)) in out.iter_mut().zip(&mut back).enumerate() {
            let place = number as u64 * rows.length();
            (out.1, back.0) = (place, place);
        }
        queue.copy(&buffer, &between, &out).map_err(failed)?;
        queue.copy(&between, &buffer, &back).map_err(failed)?;
        let surplus = away.pass_writers(&read, None, &written);
        away.wrote(place, &written);
        return Ok(surplus);
    }
    // The allocation with the lower number is locked first, as everywhere.
    let (mut first, mut second);
    let (away, other) = if source.number() < target.number() {
        first = source.away_on_a_device();
        second = target.away_on_a_device();
        (&mut first, &mut second)
    } else {
        second = target.away_on_a_device();
        first = source.away_on_a_device();
        (&mut first, &mut second)
    };
    let away = away.get_or_insert_with(|| DeviceCopies::new(source));
    let other = other.get_or_insert_with(|| DeviceCopies::new(target));
    away.send(source, device, queue, &read)?;
    let from = away.copy(device.number());
    let at = other.make_room(target, device, queue, &written)?;
    let to = other.copy(device.number());
    queue.copy(&from.buffer, &to.buffer, &rows.list(from.low, other.low(at))?).map_err(failed)?;
    target.set_fresh(false);
    other.wrote(place, &written);
    Ok(away.pass_writers(&read, Some(other), &written))
}
