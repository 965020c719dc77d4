//! Transfers to a device, from it, and within it, at any offset and length. Devices address words,
//! so partial words at the edges are merged on the device.

use std::collections::{BTreeMap, VecDeque};

use super::buffer::Buffer;
use super::bytes::{COPIERS, EDGES};
use super::device::DeviceShared;
use super::failed::{DeviceFailure, with_stack};
use super::in_flight::Submission;
use super::pool::Purpose;
use super::queue::{BoundResource, GpuQueue, QueueInner, RecordedDispatch, Recording};
use super::shared_copy;
use super::staging::Reading;
use super::thread_safe::ThreadSafe;
use crate::lower::HEAD;
use std::sync::Arc;
use tilewise_ir::fault::{self, Fault};
use tilewise_trace::{SpanKind, span};

/// Bytes recorded at once; longer transfers are split, so that the device copies one part while the
/// host fills the next.
const PART: usize = 8 << 20;
/// Limit on staging memory that the device has not read yet; beyond it the host waits.
const STAGED: u64 = 128 << 20;
/// Bytes per part of a read, and the number of parts in flight.
const READ: u64 = 8 << 20;
const AHEAD: usize = 4;
/// Maximum number of tiles along a dimension of a dispatch.
const ALONG: u32 = 65_535;

/// A transfer from a device to the host.
#[derive(Debug)]
pub struct Download {
    shared: ThreadSafe<Arc<DeviceShared>>,
    /// `None` if no bytes were requested.
    of: Option<ThreadSafe<(Reading, Arc<Submission>)>>,
    /// Start, length, and offset in the staging memory.
    ranges: Vec<(u64, u64, u64)>,
}

/// Checks that a range lies within a buffer. Ranges come from the caller, and one out of range
/// could overwrite bytes outside the user's part of the buffer.
fn within(bytes: u64, start: u64, length: u64) -> Result<(), DeviceFailure> {
    match start.checked_add(length) {
        Some(end) if end <= bytes => Ok(()),
        _ => Err(DeviceFailure::Unsupported(format!(
            "{length} bytes from byte {start} do not lie in a buffer of {bytes}"
        ))),
    }
}

/// A transfer in words, for its span.
fn moved(bytes: u64, direction: &str, device: &DeviceShared) -> String {
    format!("{bytes} bytes {direction} {}", device.adapter.name())
}

/// Groups ranges into parts of at most [`READ`] bytes; long ranges are split.
fn parts(ranges: &[(u64, u64)]) -> Vec<Vec<(u64, u64)>> {
    let mut parts: Vec<Vec<(u64, u64)>> = Vec::new();
    let mut room = 0;
    for &(mut start, mut length) in ranges {
        while length > 0 {
            if room == 0 {
                parts.push(Vec::new());
                room = READ;
            }
            let now = length.min(room);
            parts.last_mut().into_iter().for_each(|part| part.push((start, now)));
            (start, length, room) = (start + now, length - now, room - now);
        }
    }
    parts
}

impl GpuQueue {
    /// Writes pieces of bytes, each at its start offset; pieces must not overlap. The bytes are
    /// copied before this returns; bytes around them do not change.
    pub fn upload(&self, to: &Buffer, pieces: &[(u64, &[u8])]) -> Result<(), DeviceFailure> {
        with_stack(|| self.upload_here(to, pieces))
    }

    fn upload_here(&self, to: &Buffer, pieces: &[(u64, &[u8])]) -> Result<(), DeviceFailure> {
        self.of(&[to])?;
        for (start, bytes) in pieces {
            within(to.bytes(), *start, bytes.len() as u64)?;
        }
        let _transfer = span(SpanKind::Transfer, || {
            let bytes = pieces.iter().map(|(_, bytes)| bytes.len() as u64).sum();
            moved(bytes, "to", &self.0.shared)
        });
        let mut edges = BTreeMap::new();
        for (start, bytes) in pieces {
            self.upload_piece(to, u64::from(HEAD) + start, bytes, &mut edges)?;
        }
        let edges: Vec<(u32, (u32, u32))> = edges.into_iter().collect();
        edges.chunks(EDGES).try_for_each(|edges| self.0.record(|queue, recording| queue.merge(recording, to, edges)))
    }

    fn upload_piece(
        &self,
        to: &Buffer,
        start: u64,
        bytes: &[u8],
        edges: &mut BTreeMap<u32, (u32, u32)>,
    ) -> Result<(), DeviceFailure> {
        let mut edge = |at: u64, byte: u8| {
            let (bits, value) = edges.entry((at / 4) as u32).or_insert((0, 0));
            let shift = at % 4 * 8;
            *bits |= fault::choose(Fault::EdgeOverwrites, 0xff << shift, u32::MAX);
            *value = *value & !(0xff << shift) | u32::from(byte) << shift;
        };
        let before = ((start.next_multiple_of(4) - start) as usize).min(bytes.len());
        let (head, rest) = bytes.split_at(before);
        let (whole, tail) = rest.split_at(rest.len() / 4 * 4);
        (start..).zip(head).for_each(|(at, &byte)| edge(at, byte));
        let first = start + before as u64;
        if !fault::planted(Fault::TailOfUpload) {
            (first + whole.len() as u64..).zip(tail).for_each(|(at, &byte)| edge(at, byte));
        }
        for (part, at) in whole.chunks(PART).zip((first..).step_by(PART)) {
            self.0.record(|queue, recording| {
                let (from, offset) = recording.open.staging.write(&queue.shared, part)?;
                recording.open.keep.push(to.clone());
                to.textures().changed();
                recording.open.moved += part.len() as u64;
                let encoder = recording.open.encoder(&queue.shared);
                encoder.copy_buffer_to_buffer(&from, offset, to.wgpu(), at, part.len() as u64);
                recording.open.copies += 1;
                if recording.open.moved >= PART as u64 {
                    queue.submit(recording).map(drop)
                } else {
                    queue.submit_many(recording)
                }
            })?;
            self.0.shared.keep_up()?;
        }
        Ok(())
    }

    /// Requests ranges of bytes, each a start and a length, as they are once everything queued
    /// before is done. Submits.
    pub fn download(&self, from: &Buffer, ranges: &[(u64, u64)]) -> Result<Download, DeviceFailure> {
        with_stack(|| self.download_here(from, ranges))
    }

    fn download_here(&self, from: &Buffer, ranges: &[(u64, u64)]) -> Result<Download, DeviceFailure> {
        self.of(&[from])?;
        let shared = ThreadSafe::new(Arc::clone(&self.0.shared));
        let mut copies = Vec::new();
        let mut places = Vec::new();
        let mut size = 0;
        for &(start, length) in ranges {
            within(from.bytes(), start, length)?;
            let first = (u64::from(HEAD) + start) / 4 * 4
                + 4 * u64::from(fault::planted(Fault::UnalignedDownload) && start % 4 != 0);
            let end = (u64::from(HEAD) + start + length).next_multiple_of(4);
            places.push((start, length, size + (u64::from(HEAD) + start - first)));
            if length > 0 {
                copies.push((first, size, end - first));
                size += (end - first).next_multiple_of(8);
            }
        }
        if size == 0 {
            return Ok(Download { shared, of: None, ranges: places });
        }
        let of = self.0.record(|queue, recording| {
            let staging = shared.lend(Purpose::Down, size)?;
            recording.open.keep.push(from.clone());
            recording.open.moved += size;
            let encoder = recording.open.encoder(&shared);
            for (first, to, size) in copies {
                encoder.copy_buffer_to_buffer(from.wgpu(), first, &staging.buffer, to, size);
            }
            let submission = queue.submit(recording)?;
            let submission = submission.ok_or_else(|| DeviceFailure::Lost("a download was not recorded".into()))?;
            Ok((Reading::new(staging), submission))
        })?;
        Ok(Download { shared, of: Some(ThreadSafe::new(of)), ranges: places })
    }

    /// Waits for ranges of bytes as they are once everything queued before is done, and passes them
    /// to `read`, long ones in several pieces, each with its start, perhaps from several threads at
    /// once. Until this returns, nothing that writes there may be queued: long transfers are
    /// requested part by part.
    pub fn read(
        &self,
        from: &Buffer,
        ranges: &[(u64, u64)],
        read: impl Fn(u64, &[u8]) + Sync,
    ) -> Result<(), DeviceFailure> {
        with_stack(|| {
            let mut coming = VecDeque::new();
            for part in parts(ranges) {
                if coming.len() >= AHEAD
                    && let Some(first) = coming.pop_front()
                {
                    Download::wait_shared(first, &read)?;
                }
                coming.push_back(self.download(from, &part)?);
            }
            coming.into_iter().try_for_each(|download| download.wait_shared(&read))
        })
    }

    /// Copies ranges on the device, each a source, a destination and a number of bytes. Every
    /// source is read as it was before the first copy.
    pub fn copy(&self, from: &Buffer, to: &Buffer, ranges: &[(u64, u64, u64)]) -> Result<(), DeviceFailure> {
        with_stack(|| self.copy_here(from, to, ranges))
    }

    fn copy_here(&self, from: &Buffer, to: &Buffer, ranges: &[(u64, u64, u64)]) -> Result<(), DeviceFailure> {
        self.of(&[from, to])?;
        for &(first, start, length) in ranges {
            within(from.bytes(), first, length)?;
            within(to.bytes(), start, length)?;
        }
        if from.number() != to.number() {
            return ranges
                .iter()
                .try_for_each(|range| self.0.record(|queue, recording| queue.copy(recording, from, to, *range)));
        }
        // Devices cannot copy within one buffer, so the bytes pass through another.
        let size = ranges.iter().map(|(_, _, length)| length.next_multiple_of(4)).sum();
        let between = Buffer::allocate(&self.0.shared, size, false)?;
        let mut at = 0;
        let mut steps = Vec::new();
        for &(first, start, length) in ranges {
            // Every range starts at a whole word of the other buffer, so a step whose own start and
            // length are whole words needs no kernel.
            steps.push(((first, at, length), (at, start, length)));
            at += length.next_multiple_of(4);
        }
        for (step, _) in &steps {
            self.0.record(|queue, recording| queue.copy(recording, from, &between, *step))?;
        }
        steps
            .iter()
            .try_for_each(|(_, step)| self.0.record(|queue, recording| queue.copy(recording, &between, to, *step)))
    }

    /// Checks that the buffers belong to the queue's device.
    fn of(&self, buffers: &[&Buffer]) -> Result<(), DeviceFailure> {
        if buffers.iter().all(|buffer| buffer.is_of(&self.0.shared)) {
            return Ok(());
        }
        Err(DeviceFailure::Unsupported("a buffer is of another device than the queue".into()))
    }
}

impl QueueInner {
    /// Records a dispatch that changes some bits of some words.
    fn merge(&self, recording: &mut Recording, to: &Buffer, edges: &[(u32, (u32, u32))]) -> Result<(), DeviceFailure> {
        let mut block = [0; 4 * EDGES];
        for (words, &(word, (bits, value))) in block.chunks_exact_mut(4).zip(edges) {
            words.copy_from_slice(&[word, bits, value, 0]);
        }
        let bound = [(1, BoundResource::Buffer(to.wgpu()), to.number())];
        let dispatch = RecordedDispatch { program: self.shared.merge()?, block: &block, bound: &bound, tiles: (1, 1) };
        self.dispatch(recording, &dispatch)?;
        to.textures().changed();
        recording.open.keep.push(to.clone());
        self.submit_many(recording)
    }

    /// Records a copy of a range between two buffers.
    fn copy(
        &self,
        recording: &mut Recording,
        from: &Buffer,
        to: &Buffer,
        (first, start, length): (u64, u64, u64),
    ) -> Result<(), DeviceFailure> {
        if length == 0 {
            return Ok(());
        }
        to.textures().changed();
        let (first, start) = (u64::from(HEAD) + first, u64::from(HEAD) + start);
        if (first | start | length).is_multiple_of(4) {
            recording.open.encoder(&self.shared).copy_buffer_to_buffer(from.wgpu(), first, to.wgpu(), start, length);
            recording.open.keep.extend([from.clone(), to.clone()]);
            recording.open.moved += length;
            recording.open.copies += 1;
            return self.submit_many(recording);
        }
        let words = (start + length).div_ceil(4) - start / 4;
        let tiles = words.div_ceil(u64::from(COPIERS)) as u32;
        let row = tiles.min(ALONG);
        let block = [first as u32, start as u32, length as u32, row];
        let bound =
            [(1, from), (2, to)].map(|(at, buffer)| (at, BoundResource::Buffer(buffer.wgpu()), buffer.number()));
        let tiles = (row, tiles.div_ceil(row));
        self.dispatch(
            recording,
            &RecordedDispatch { program: self.shared.copier()?, block: &block, bound: &bound, tiles },
        )?;
        recording.open.keep.extend([from.clone(), to.clone()]);
        recording.open.moved += length;
        self.submit_many(recording)
    }
}

impl DeviceShared {
    /// Waits while the device has too much staging memory left to read.
    fn keep_up(&self) -> Result<(), DeviceFailure> {
        while let (STAGED.., Some(first)) = self.in_flight.staged() {
            self.wait_for(&first)?;
        }
        Ok(())
    }
}

impl Download {
    /// Whether the bytes have arrived. Also true if the device is lost, which waiting reports.
    pub fn is_done(&self) -> bool {
        self.of.as_ref().is_none_or(|of| with_stack(|| self.shared.look(&of.1)).unwrap_or(true))
    }

    /// As [`Download::wait`]; long ranges come in several pieces, perhaps from several threads at
    /// once.
    pub fn wait_shared(self, read: impl Fn(u64, &[u8]) + Sync) -> Result<(), DeviceFailure> {
        self.wait(|start, bytes| shared_copy::empty(bytes, &|at, piece| read(start + at, piece)))
    }

    /// Waits, and passes each range with its start to `read`.
    pub fn wait(self, read: impl FnMut(u64, &[u8])) -> Result<(), DeviceFailure> {
        with_stack(|| self.wait_here(read))
    }

    fn wait_here(mut self, mut read: impl FnMut(u64, &[u8])) -> Result<(), DeviceFailure> {
        let ranges = std::mem::take(&mut self.ranges);
        let Some((reading, submission)) = self.of.take().map(ThreadSafe::into_inner) else {
            ranges.iter().for_each(|(start, ..)| read(*start, &[]));
            return Ok(());
        };
        let _transfer =
            span(SpanKind::Transfer, || moved(ranges.iter().map(|(_, length, _)| length).sum(), "from", &self.shared));
        self.shared.wait_for(&submission)?;
        reading.read(&self.shared, |bytes| {
            for &(start, length, at) in &ranges {
                let range = if length == 0 { 0..0 } else { at as usize..(at + length) as usize };
                read(start, bytes.get(range).unwrap_or(&[]));
            }
        })?;
        reading.give(&self.shared);
        Ok(())
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        if let Some((reading, _)) = self.of.take().map(ThreadSafe::into_inner) {
            reading.give(&self.shared);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_byte_once_and_in_order() {
        for ranges in
            [vec![], vec![(5, 0), (7, 3)], vec![(0, 3 * READ + 1)], vec![(1, READ - 2), (9 * READ, 5), (4, 2 * READ)]]
        {
            let parts = parts(&ranges);
            assert!(parts.iter().all(|part| part.iter().map(|(_, length)| length).sum::<u64>() <= READ));
            let mut joined: Vec<(u64, u64)> = Vec::new();
            for &(start, length) in parts.iter().flatten() {
                assert!(length > 0);
                match joined.last_mut() {
                    Some(last) if last.0 + last.1 == start && ranges.iter().any(|r| r.0 == last.0 && r.1 > last.1) => {
                        last.1 += length;
                    }
                    _ => joined.push((start, length)),
                }
            }
            assert_eq!(joined, ranges.iter().copied().filter(|(_, length)| *length > 0).collect::<Vec<_>>());
        }
    }
}
