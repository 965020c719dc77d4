//! [`Coherence`]: transfers contents to the place where they are used, when they are used.
//! [`state`](super::state) determines the transfers; this module executes them.
//!
//! # When
//! - **The host** is about to access bytes (a guard, a single element, a launch that works in
//!   place): [`Allocation::at_home`] fetches those that are newer on a device. A write by the host
//!   invalidates the copies on devices: [`Allocation::wrote`].
//! - **A device** is about to run a kernel: [`on_device`] uploads the missing bytes of the regions
//!   that the launch holds, queues the launch, and records that the bytes it writes are newest
//!   there. It does not wait.
//!
//! For an allocation that no device has used, all this costs the check of one flag.
//!
//! # Why fetching is sound
//! Only this module writes bytes into host memory while they are not valid there, under the mutex
//! of the allocation's coherence. There are no references to such bytes: code that takes one calls
//! [`Allocation::at_home`] first, and holds the region in the [lock](super::lock), so that no
//! launch makes them newer elsewhere. The threads that fetch hold a [`Handle`](super::Handle), so
//! the memory is alive.
//!
//! # Lock order
//! First the allocation's lock (its mutex, or regions of it), then the coherence of one allocation,
//! or of several in the order of their addresses. After that only the stage of a launch is locked,
//! for a moment or while the device is waited for. Hooks of the program are called under none of
//! these: [`device_writers`](super::device_writers) delivers the output and errors of launches
//! separately.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::launch::{Argument, Ranges};

use super::device_writers::DeviceWriter;
use super::launch::Locked;
use super::lock::Intent;
use super::region::ByteRegion;
use super::state::{ContentsState, CopyHolder};
use super::storage::OWN_ALIGNMENT;
use super::{Allocation, AllocationSource, Handle};
use crate::api::copy::make_room;
use crate::memory::pending::Pending;
use crate::targets::gpu::{Buffer, Download, GpuDevice, GpuQueue, failed};
use crate::{Error, Result};

/// The copies of an allocation in the memories of devices.
#[derive(Default)]
pub(crate) struct Coherence {
    /// Whether a device has used it.
    away: AtomicBool,
    inner: Mutex<Option<DeviceCopies>>,
    pub(super) uploaded: AtomicU64,
    pub(super) downloaded: AtomicU64,
}

/// The state once a device has used it.
pub(super) struct DeviceCopies {
    state: ContentsState,
    copies: Vec<DeviceCopy>,
    /// Downloads in progress.
    arriving: Vec<Arriving>,
    /// Launches whose outcome has not been requested, and the bytes they write:
    /// [`device_writers`](super::device_writers).
    pub(super) pending: Vec<DeviceWriter>,
    /// The bytes that launches and copies wrote on devices, and the device, the latest last.
    written: Vec<(u64, Ranges)>,
    /// Contents that were lost with their device, which nobody was told.
    lost: LostContents,
}

/// Maximum number of writes on devices that an allocation knows apart.
const MOST_WRITES: usize = 64;

/// Bytes whose newest contents were lost with their device, until that is reported. Host memory has
/// older contents of them.
#[derive(Default)]
struct LostContents {
    why: String,
    /// The bytes that one use had written: reported together, once, to whoever uses any of them.
    by_use: Vec<Ranges>,
    /// Bytes whose writer is not known any more: each is reported to who uses it.
    others: Ranges,
}

impl LostContents {
    /// The error for an access to these bytes, if any of them were lost and not reported.
    fn report(&mut self, bytes: &Ranges) -> Result<()> {
        let is_meant = |lost: &Ranges| !lost.and(bytes).is_empty();
        if !self.by_use.iter().any(is_meant) && !is_meant(&self.others) {
            return Ok(());
        }
        self.by_use.retain(|lost| !is_meant(lost));
        self.others = self.others.without(bytes);
        Err(Error::AcceleratorViewRemoved(self.why.clone().into()))
    }

    /// The bytes get new contents, or need none.
    fn forget(&mut self, bytes: &Ranges) {
        self.by_use.iter_mut().for_each(|lost| *lost = lost.without(bytes));
        self.by_use.retain(|lost| !lost.is_empty());
        self.others = self.others.without(bytes);
    }
}

/// The bytes of an allocation in the memory of a device.
pub(super) struct DeviceCopy {
    device: GpuDevice,
    /// The queue that used it last.
    queue: GpuQueue,
    pub(super) buffer: Buffer,
    /// The byte of the allocation that is the buffer's first.
    pub(super) low: u64,
}

/// A download that was started before its bytes were needed.
struct Arriving {
    number: u64,
    /// The bytes of it that are still the newest.
    bytes: Ranges,
    low: u64,
    download: Download,
}

/// An allocation of at most so many bytes is copied to a device whole; of a larger one only the
/// used bytes.
const WHOLE: u64 = 64 << 20;

/// The number of bytes of a view's memory that were transferred between host and devices since it
/// was made. For tests, and to find unnecessary transfers.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, Traffic, parallel_for_each};
/// let jit = Accelerator::new("jit")?.default_view();
/// let view = ArrayView::from_vec(1000, vec![1; 1000])?;
/// parallel_for_each!(&jit, view.extent(), |i| view[i] += i[0])?;
/// assert_eq!(view.get(999)?, 1000);
/// assert_eq!(view.traffic(), Traffic::default()); // `jit` works in the program's memory.
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Traffic {
    /// To devices.
    pub uploaded: u64,
    /// From devices.
    pub downloaded: u64,
}

impl DeviceCopies {
    pub(super) fn new(allocation: &Allocation) -> DeviceCopies {
        let clear = allocation.is_fresh();
        let mut state = ContentsState::new(allocation.memory.bytes(), clear);
        if allocation.memory.is_provided() && clear {
            state.moved(CopyHolder::Host, &Ranges::solid(0, allocation.memory.bytes()));
        }
        DeviceCopies {
            state,
            copies: Vec::new(),
            arriving: Vec::new(),
            pending: Vec::new(),
            written: Vec::new(),
            lost: LostContents::default(),
        }
    }

    pub(super) fn copy(&self, number: u64) -> &DeviceCopy {
        let found = self.copies.iter().find(|copy| copy.device.number() == number);
        found.expect("what is valid at a device is in its copy")
    }

    /// The byte of the allocation at which a copy begins.
    pub(super) fn low(&self, at: usize) -> u64 {
        self.copies[at].low
    }

    /// Whether there is a copy on that device.
    pub(super) fn has(&self, number: u64) -> bool {
        self.copies.iter().any(|copy| copy.device.number() == number)
    }

    /// Whether the bytes are valid at a place.
    pub(super) fn is_valid(&self, place: CopyHolder, bytes: &Ranges) -> bool {
        self.state.is_valid(place, bytes)
    }

    /// The devices at which all of the bytes are valid, with the queues that used them last.
    pub(super) fn devices_with(&self, bytes: &Ranges) -> Vec<(GpuDevice, GpuQueue)> {
        let valid = |copy: &&DeviceCopy| self.state.is_valid(CopyHolder::Device(copy.device.number()), bytes);
        self.copies.iter().filter(valid).map(|copy| (copy.device.clone(), copy.queue.clone())).collect()
    }

    /// The bytes are written at a place: downloads of them are superseded.
    pub(super) fn wrote(&mut self, place: CopyHolder, bytes: &Ranges) {
        self.lost.forget(bytes);
        if let CopyHolder::Device(number) = place {
            self.note_write(number, bytes);
        }
        self.state.written(place, bytes);
        if !fault::planted(Fault::SupersededDownloadLands) {
            self.superseded(bytes);
        }
    }

    /// Notes the bytes of a write on a device, for the report if they are lost.
    fn note_write(&mut self, device: u64, bytes: &Ranges) {
        if self.written.last().is_some_and(|(last, written)| *last == device && written == bytes) {
            return;
        }
        self.written.retain(|(other, written)| *other != device || written != bytes);
        if self.written.len() >= MOST_WRITES {
            self.written.remove(0);
        }
        self.written.push((device, bytes.clone()));
    }

    /// The contents of the bytes need not be kept.
    fn discard(&mut self, bytes: &Ranges) {
        self.lost.forget(bytes);
        self.state.discard(bytes);
        self.superseded(bytes);
    }

    fn superseded(&mut self, bytes: &Ranges) {
        self.arriving.iter_mut().for_each(|arriving| arriving.bytes = arriving.bytes.without(bytes));
        self.arriving.retain(|arriving| !arriving.bytes.is_empty());
    }

    /// Starts downloads of the bytes that are not valid in host memory. Returns the queues that
    /// execute them.
    fn begin(&mut self, allocation: &Allocation, bytes: &Ranges) -> Result<Vec<GpuQueue>> {
        self.lost.report(bytes)?;
        let mut queues = Vec::new();
        for (number, ranges) in self.state.moves(CopyHolder::Host, bytes).download {
            let coming = self.arriving.iter().fold(Ranges::NONE, |all, arriving| all.with(&arriving.bytes));
            let ranges = ranges.without(&coming);
            let copy = self.copy(number);
            queues.push(copy.queue.clone());
            if ranges.is_empty() {
                continue;
            }
            let wanted: Vec<(u64, u64)> = ranges.runs().map(|(start, len)| (start - copy.low, len)).collect();
            let download = copy.queue.download(&copy.buffer, &wanted).map_err(failed)?;
            let low = copy.low;
            allocation.coherence.downloaded.fetch_add(ranges.bytes(), Ordering::Relaxed);
            self.arriving.push(Arriving { number, bytes: ranges, low, download });
        }
        Ok(queues)
    }

    /// Completes the downloads from a device into host memory.
    fn land(&mut self, allocation: &Allocation, number: u64) -> Result<()> {
        let (landing, rest) =
            std::mem::take(&mut self.arriving).into_iter().partition(|a: &Arriving| a.number == number);
        self.arriving = rest;
        let landing: Vec<Arriving> = landing;
        for Arriving { bytes, low, download, .. } in landing {
            let write = |at: u64, piece: &[u8]| {
                let here = Ranges::solid(low + at, low + at + piece.len() as u64);
                for (start, len) in bytes.and(&here).runs() {
                    let from = (start - low - at) as usize;
                    allocation.memory.write_bytes(start, &piece[from..from + len as usize]);
                }
            };
            download.wait_shared(write).map_err(failed)?;
            self.state.moved(CopyHolder::Host, &bytes);
        }
        Ok(())
    }

    /// Passes the newest contents of bytes that are not in host memory to `show`, without storing
    /// them there; perhaps from several threads at once.
    pub(super) fn read(
        &mut self,
        allocation: &Allocation,
        bytes: &Ranges,
        show: impl Fn(u64, &[u8]) + Sync,
    ) -> Result<()> {
        self.lost.report(bytes)?;
        for (number, ranges) in self.state.moves(CopyHolder::Host, bytes).download {
            let copy = self.copy(number);
            let (low, wanted) = (copy.low, ranges.runs().map(|(start, len)| (start - copy.low, len)));
            let wanted: Vec<(u64, u64)> = wanted.collect();
            let read = copy.queue.read(&copy.buffer, &wanted, |at, piece| show(low + at, piece)).map_err(failed);
            if let Err(error) = read {
                self.reported(bytes);
                return Err(error);
            }
            allocation.coherence.downloaded.fetch_add(ranges.bytes(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// The number of those of the bytes that [`DeviceCopies::read`] finds on devices.
    pub(super) fn found_on_devices(&self, bytes: &Ranges) -> u64 {
        self.state.moves(CopyHolder::Host, bytes).download.iter().map(|(_, ranges)| ranges.bytes()).sum()
    }

    /// Fetches those of the bytes that are not valid in host memory.
    fn bring(&mut self, allocation: &Allocation, bytes: &Ranges) -> Result<()> {
        self.lost.report(bytes)?;
        let moves = self.state.moves(CopyHolder::Host, bytes);
        allocation.memory.provide()?;
        for (number, ranges) in &moves.download {
            if let Err(error) = self.fetch(allocation, *number, ranges) {
                self.reported(bytes);
                return Err(error);
            }
        }
        self.state.moved(CopyHolder::Host, bytes);
        Ok(())
    }

    /// Fetches these bytes from a device into host memory, which is allocated if needed.
    fn fetch(&mut self, allocation: &Allocation, number: u64, ranges: &Ranges) -> Result<()> {
        allocation.memory.provide()?;
        self.land(allocation, number)?;
        let ranges = &self.state.moves(CopyHolder::Host, ranges).download.into_iter().find(|(n, _)| *n == number);
        let Some((_, ranges)) = ranges else { return Ok(()) };
        let copy = self.copy(number);
        let wanted: Vec<(u64, u64)> = ranges.runs().map(|(start, len)| (start - copy.low, len)).collect();
        let low = copy.low;
        let write = |at: u64, bytes: &[u8]| allocation.memory.write_bytes(low + at, bytes);
        copy.queue.read(&copy.buffer, &wanted, write).map_err(failed)?;
        self.state.moved(CopyHolder::Host, ranges);
        allocation.coherence.downloaded.fetch_add(ranges.bytes(), Ordering::Relaxed);
        Ok(())
    }

    /// Drops the copies on lost devices; host memory replaces contents that were newest there, which
    /// is an error for the next access to each of them.
    fn forget_lost(&mut self) {
        let gone = |copy: &DeviceCopy| copy.device.lost().map(|why| (copy.device.number(), why));
        for (number, why) in self.copies.iter().filter_map(gone).collect::<Vec<_>>() {
            let mut lost = self.state.lose(number);
            self.arriving.retain(|arriving| arriving.number != number);
            self.copies.retain(|copy| copy.device.number() != number);
            // The newest write of a byte is the one whose contents were lost.
            let writes: Vec<(u64, Ranges)> = self.written.extract_if(.., |(device, _)| *device == number).collect();
            for (_, written) in writes.iter().rev() {
                let of_this = lost.and(written);
                lost = lost.without(&of_this);
                if !of_this.is_empty() {
                    self.lost.by_use.push(of_this);
                }
            }
            let there = |writer: &&DeviceWriter| writer.device == number;
            self.pending.iter().filter(there).for_each(|writer| writer.pending.lost_with_its_device());
            self.lost.others = self.lost.others.with(&lost);
            self.lost.why = why;
        }
    }

    /// As [`DeviceCopies::forget_lost`], for the caller of an access to these bytes that already has
    /// an error which says so.
    pub(super) fn reported(&mut self, bytes: &Ranges) {
        self.forget_lost();
        _ = self.lost.report(bytes);
    }

    /// The copy on a device, with room for `bytes`, to be used by `queue` from now on. Other bytes
    /// may move to the host and leave the device, so callers make room for all bytes of an
    /// operation at once.
    pub(super) fn make_room(
        &mut self,
        allocation: &Allocation,
        device: &GpuDevice,
        queue: &GpuQueue,
        bytes: &Ranges,
    ) -> Result<usize> {
        allocation.is_there()?;
        let (low, high) = match bytes.bounds() {
            _ if allocation.memory.bytes() <= WHOLE => (0, allocation.memory.bytes()),
            // Elements are aligned in the buffer as they are in the allocation, on which kernels
            // rely.
            Some((low, high)) => (low - low % OWN_ALIGNMENT as u64, high),
            None => (0, 0),
        };
        let number = device.number();
        let Some(at) = self.copies.iter().position(|copy| copy.device.number() == number) else {
            let buffer = self.allocate(device, (low, high), bytes)?;
            self.copies.push(DeviceCopy { device: device.clone(), queue: queue.clone(), buffer, low });
            return Ok(self.copies.len() - 1);
        };
        let copy = &mut self.copies[at];
        if !copy.queue.is_same(queue) {
            // Work of the other queue comes first.
            copy.queue.flush().map_err(failed)?;
            copy.queue = queue.clone();
        }
        let (old_low, old_high) = (copy.low, copy.low + copy.buffer.bytes());
        if low < old_low || high > old_high {
            let (own_low, own_high) = (low, high);
            let (low, high) = (low.min(old_low), high.max(old_high));
            if high - low > device.largest() {
                let buffer = self.allocate(device, (own_low, own_high), bytes)?;
                return self.replace(allocation, at, buffer, own_low).map(|()| at);
            }
            let buffer = self.allocate(device, (low, high), bytes)?;
            let copy = &mut self.copies[at];
            let to = fault::choose(Fault::GrownCopyShifted, old_low - low, 0);
            queue.copy(&copy.buffer, &buffer, &[(0, to, old_high - old_low)]).map_err(failed)?;
            (copy.buffer, copy.low) = (buffer, low);
        }
        Ok(at)
    }

    /// A buffer for a span of bytes of the allocation, of which `used` are needed.
    fn allocate(&self, device: &GpuDevice, (low, high): (u64, u64), used: &Ranges) -> Result<Buffer> {
        let (span, most) = (high - low, device.largest());
        if span > most && used.bytes() <= most {
            let text = format!(
                "what is used at once of the memory of one view spans {span} bytes, and the device binds {most} \
                 at most: use sections that lie nearer to each other, or copy them to views of their own"
            );
            return Err(Error::UnsupportedFeature(text.into()));
        }
        device.allocate(span, self.state.is_any_clear()).map_err(failed)
    }

    /// Replaces a copy that would grow beyond the device's binding limit: its newest contents move
    /// to the host first.
    fn replace(&mut self, allocation: &Allocation, at: usize, buffer: Buffer, low: u64) -> Result<()> {
        let copy = &self.copies[at];
        let number = copy.device.number();
        let held = Ranges::solid(copy.low, copy.low + copy.buffer.bytes());
        self.fetch(allocation, number, &held)?;
        let lost = self.state.lose(number);
        debug_assert!(lost.is_empty(), "it was brought home");
        let copy = &mut self.copies[at];
        (copy.buffer, copy.low) = (buffer, low);
        Ok(())
    }

    /// Makes the bytes valid on a device.
    pub(super) fn send(
        &mut self,
        allocation: &Allocation,
        device: &GpuDevice,
        queue: &GpuQueue,
        bytes: &Ranges,
    ) -> Result<()> {
        self.forget_lost();
        self.lost.report(bytes)?;
        let at = self.make_room(allocation, device, queue, bytes)?;
        let place = CopyHolder::Device(device.number());
        let moves = self.state.moves(place, bytes);
        for (number, ranges) in &moves.download {
            self.fetch(allocation, *number, ranges)?;
        }
        let copy = &self.copies[at];
        if !moves.upload.is_empty() {
            allocation.memory.with_bytes(moves.upload.runs(), |pieces| {
                let mut shifted: Vec<(u64, &[u8])> = Vec::new();
                make_room(&mut shifted, pieces.len() as u64)?;
                shifted.extend(pieces.iter().map(|(start, bytes)| (start - copy.low, *bytes)));
                copy.queue.upload(&copy.buffer, &shifted).map_err(failed)
            })?;
            allocation.coherence.uploaded.fetch_add(moves.upload.bytes(), Ordering::Relaxed);
        }
        self.state.moved(place, bytes);
        Ok(())
    }
}

/// The maximum number of runs of a region that a device uses: 16 bytes each, in several lists.
const MAX_RUNS: u64 = 1 << 24;

/// Fails if a region has too many runs for devices: each is a transfer, and is written down with its bounds.
pub(super) fn suits_devices(region: &ByteRegion) -> Result<()> {
    match region.run_count() {
        ..=MAX_RUNS => Ok(()),
        count => {
            let bytes = region.runs().next().map_or(0, |run| run.1);
            let text = format!(
                "a device is to use {count} runs of {bytes} bytes with gaps between, and takes at most {MAX_RUNS}: use \
                 the whole view there, or copy the section into an array on the host first"
            );
            Err(Error::UnsupportedFeature(text.into()))
        }
    }
}

impl Allocation {
    pub(super) fn away(&self) -> MutexGuard<'_, Option<DeviceCopies>> {
        self.coherence.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Allocation::away`], for a caller that is about to use the allocation on a device.
    pub(super) fn away_on_a_device(&self) -> MutexGuard<'_, Option<DeviceCopies>> {
        let away = self.away();
        self.coherence.away.store(true, Ordering::SeqCst);
        away
    }

    /// Whether a device has ever used it.
    #[inline]
    pub(crate) fn is_away(&self) -> bool {
        self.coherence.away.load(Ordering::SeqCst)
    }

    /// Fails if the allocation is lost: an array is lost with the device that owns it.
    pub(super) fn is_there(&self) -> Result<()> {
        match &self.source {
            AllocationSource::Array(placement) => placement.view.still_there(),
            AllocationSource::Host | AllocationSource::Anyone(_) => Ok(()),
        }
    }

    /// Makes sure that host memory has the newest contents of a region, before it is accessed. The
    /// caller holds the region in the lock.
    #[inline]
    pub(crate) fn at_home(&self, region: &ByteRegion) -> Result<()> {
        if !self.is_away() { self.memory.provide() } else { self.fetched(region) }
    }

    #[cold]
    fn fetched(&self, region: &ByteRegion) -> Result<()> {
        self.is_there()?;
        suits_devices(region)?;
        let bytes = &region.bytes();
        let mut away = self.away();
        match away.as_mut() {
            Some(away) => away.bring(self, bytes),
            None => self.memory.provide(),
        }
    }

    /// Fails if the contents of a region cannot be replaced from the host: they are lost, or in too many runs to be
    /// written down as replaced.
    #[inline]
    pub(super) fn can_be_overwritten(&self, region: &ByteRegion) -> Result<()> {
        if !self.is_away() {
            return Ok(());
        }
        self.is_there()?;
        suits_devices(region)
    }

    /// The host has written a region, or is about to, while it holds the region alone.
    #[inline]
    pub(crate) fn wrote(&self, region: &ByteRegion) {
        self.set_fresh(false);
        if self.is_away() {
            self.took(region, |away, bytes| away.wrote(CopyHolder::Host, bytes));
        }
    }

    #[cold]
    fn took(&self, region: &ByteRegion, what: impl FnOnce(&mut DeviceCopies, &Ranges)) {
        if let Some(away) = self.away().as_mut() {
            what(away, &region.bytes());
        }
    }

    /// The contents of a region need not be kept.
    pub(crate) fn discard(&self, region: &ByteRegion) {
        if *region == ByteRegion::solid(0, self.memory.bytes()) {
            self.set_discarded();
        }
        if self.is_away() {
            self.took(region, DeviceCopies::discard);
        }
    }

    /// Drops the copies on devices: the contents of host memory count, which somebody wrote.
    pub(crate) fn refresh(&self, region: &ByteRegion) {
        self.wrote(region);
    }

    /// Makes sure that a device has the newest contents of a region. The caller holds the region.
    pub(crate) fn at_device(&self, device: &GpuDevice, queue: &GpuQueue, region: &ByteRegion) -> Result<()> {
        self.is_there()?;
        suits_devices(region)?;
        let mut away = self.away_on_a_device();
        away.get_or_insert_with(|| DeviceCopies::new(self)).send(self, device, queue, &region.bytes())
    }

    /// Makes sure that a device has the newest contents of a region, and that they are valid nowhere
    /// else. The caller holds the region to write.
    pub(crate) fn at_device_alone(&self, device: &GpuDevice, queue: &GpuQueue, region: &ByteRegion) -> Result<()> {
        self.is_there()?;
        suits_devices(region)?;
        let bytes = region.bytes();
        let mut slot = self.away_on_a_device();
        let away = slot.get_or_insert_with(|| DeviceCopies::new(self));
        away.send(self, device, queue, &bytes)?;
        self.set_fresh(false);
        away.wrote(CopyHolder::Device(device.number()), &bytes);
        Ok(())
    }

    /// Allocates the memory of a region on a device, which is about to overwrite it: the contents
    /// are given up. The caller holds the region to write.
    pub(crate) fn room_at_device(&self, device: &GpuDevice, queue: &GpuQueue, region: &ByteRegion) -> Result<()> {
        self.is_there()?;
        suits_devices(region)?;
        let bytes = region.bytes();
        let mut slot = self.away_on_a_device();
        let away = slot.get_or_insert_with(|| DeviceCopies::new(self));
        away.discard(&bytes);
        away.send(self, device, queue, &bytes)
    }

    /// Starts the download of a region; returns the queues that execute it. The caller holds the
    /// region.
    pub(crate) fn begin_home(&self, region: &ByteRegion) -> Result<Vec<GpuQueue>> {
        self.is_there()?;
        match self.away().as_mut() {
            Some(_) if let Err(error) = suits_devices(region) => Err(error),
            Some(away) => away.begin(self, &region.bytes()).inspect_err(|_| away.reported(&region.bytes())),
            None => Ok(Vec::new()),
        }
    }

    /// The number of bytes transferred.
    pub(crate) fn traffic(&self) -> Traffic {
        let Coherence { uploaded, downloaded, .. } = &self.coherence;
        Traffic { uploaded: uploaded.load(Ordering::Relaxed), downloaded: downloaded.load(Ordering::Relaxed) }
    }

    /// Fetches everything for the last time if the memory is borrowed.
    #[cold]
    pub(super) fn end(&self) -> Result<()> {
        let all = Ranges::solid(0, self.memory.bytes());
        let mut slot = self.away();
        let Some(away) = slot.as_mut() else { return Ok(()) };
        let allocation = if self.memory.is_borrowed() { away.bring(self, &all) } else { Ok(()) };
        let pending = std::mem::take(&mut away.pending);
        drop(slot);
        // The outcomes can no longer be requested; each launch delivers its own when it is dropped,
        // while nothing is locked.
        drop(pending);
        allocation
    }
}

/// The memory of a launch on a device.
pub(crate) struct OnDevice {
    /// The buffer of each allocation of the launch, by number.
    pub(crate) buffers: Vec<Buffer>,
    /// The byte of the allocation at which its buffer begins.
    lows: Vec<u64>,
}

impl OnDevice {
    /// Converts arguments from bytes of allocations to bytes of their buffers.
    pub(crate) fn shift(&self, arguments: &mut [Argument]) {
        for argument in arguments {
            match argument {
                Argument::View(view) if view.is_empty() => view.offset = 0,
                Argument::View(view) => view.offset -= self.lows[view.allocation],
                Argument::Buffer { allocation, offset, .. } => *offset -= self.lows[*allocation],
                Argument::Uniform(_) => {}
            }
        }
    }
}

/// A queued launch.
pub(crate) struct QueuedOnDevice {
    /// Its pending outcome, if it can have output or errors.
    pub(crate) pending: Option<Arc<Pending>>,
    /// Earlier launches whose outcomes are no longer kept for accesses to the bytes they wrote.
    /// They must be dropped while nothing is locked, as the drop may call hooks.
    pub(crate) surplus: Vec<Arc<Pending>>,
}

/// Transfers the regions that a launch holds to a device, queues the launch, and records its
/// writes. Launches on the same allocations are serialised here, so they are queued in the order of
/// the records.
pub(crate) fn on_device(
    locked: &Locked<'_>,
    device: &GpuDevice,
    queue: &GpuQueue,
    launch: impl FnOnce(&OnDevice) -> Result<Option<Arc<Pending>>>,
) -> Result<QueuedOnDevice> {
    for allocation in locked.allocations() {
        allocation.regions.iter().try_for_each(|(region, _)| suits_devices(region))?;
    }
    locked.has_room_for_runs()?;
    let mut order: Vec<(usize, &Handle, Ranges, Ranges)> = Vec::new();
    for (number, allocation) in locked.allocations().iter().enumerate() {
        let of = |writes: bool| {
            let regions = allocation.regions.iter().filter(|(_, intent)| !writes || *intent == Intent::Write);
            ByteRegion::bytes_of_all(regions.map(|(region, _)| region))
        };
        order.push((number, &allocation.handle, of(false), of(true)));
    }
    order.sort_by_key(|(_, handle, ..)| handle.number());
    let mut allocations: Vec<MutexGuard<'_, Option<DeviceCopies>>> =
        order.iter().map(|(_, handle, ..)| handle.away_on_a_device()).collect();
    let mut copies: Vec<(usize, Buffer, u64)> = Vec::new();
    for (away, (number, handle, used, _)) in allocations.iter_mut().zip(&order) {
        let away = away.get_or_insert_with(|| DeviceCopies::new(handle));
        away.send(handle, device, queue, used)?;
        let copy = away.copy(device.number());
        copies.push((*number, copy.buffer.clone(), copy.low));
    }
    copies.sort_by_key(|(number, ..)| *number);
    let (buffers, lows) = copies.into_iter().map(|(_, buffer, low)| (buffer, low)).unzip();
    let there = OnDevice { buffers, lows };
    let pending = launch(&there)?;
    let mut surplus = Vec::new();
    for (away, (_, handle, _, written)) in allocations.iter_mut().zip(&order) {
        let Some(away) = away.as_mut() else { continue };
        if written.is_empty() {
            // No access to these bytes depends on the launch.
            continue;
        }
        handle.set_fresh(false);
        away.wrote(CopyHolder::Device(device.number()), written);
        if let Some(pending) = &pending {
            surplus.extend(away.expect(device.number(), written, pending));
        }
    }
    Ok(QueuedOnDevice { pending, surplus })
}
