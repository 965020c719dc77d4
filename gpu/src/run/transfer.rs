//! Bytes to a device, from it, and within it. Any offset and length will do: the device knows only words, so the words at the edges are merged there.

use std::collections::{BTreeMap, VecDeque};

use super::buffer::Buffer;
use super::bytes::{COPIERS, EDGES};
use super::device::DeviceShared;
use super::failed::DeviceFailure;
use super::in_flight::Submission;
use super::pool::Purpose;
use super::queue::{GpuQueue, QueueInner, RecordedDispatch, Recording};
use super::staging::Reading;
use crate::lower::HEAD;
use std::sync::Arc;

/// Bytes that are handed over at once: more come in several parts, so that staging memory stays small.
const PART: usize = 32 << 20;
/// Staging memory that the device may not have read yet before the host waits.
const STAGED: u64 = 128 << 20;
/// Bytes that are read at once, while the next are on their way, and how many such parts are on their way.
const READ: u64 = 16 << 20;
const AHEAD: usize = 3;
/// Most tiles along a dimension of a dispatch.
const ALONG: u32 = 65_535;

/// Bytes on their way from a device.
#[derive(Debug)]
pub struct Download {
    shared: Arc<DeviceShared>,
    /// Nothing where nothing was asked for.
    of: Option<(Reading, Arc<Submission>)>,
    /// Start, length, where in the staging memory.
    ranges: Vec<(u64, u64, u64)>,
}

/// Do ranges lie within a buffer? They are the caller's, who else would write what is not theirs.
fn within(bytes: u64, start: u64, length: u64) -> Result<(), DeviceFailure> {
    match start.checked_add(length) {
        Some(end) if end <= bytes => Ok(()),
        _ => Err(DeviceFailure::Unsupported(format!(
            "{length} bytes from byte {start} do not lie in a buffer of {bytes}"
        ))),
    }
}

/// Ranges in groups of so many bytes at most; long ones are cut.
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
    /// Writes pieces of bytes, each to where it begins, which lie apart from each other. They are copied before this returns; bytes beside them stay as they are.
    pub fn upload(&self, to: &Buffer, pieces: &[(u64, &[u8])]) -> Result<(), DeviceFailure> {
        self.of(&[to])?;
        for (start, bytes) in pieces {
            within(to.bytes(), *start, bytes.len() as u64)?;
        }
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
            *bits |= 0xff << shift;
            *value = *value & !(0xff << shift) | u32::from(byte) << shift;
        };
        let before = ((start.next_multiple_of(4) - start) as usize).min(bytes.len());
        let (head, rest) = bytes.split_at(before);
        let (whole, tail) = rest.split_at(rest.len() / 4 * 4);
        (start..).zip(head).for_each(|(at, &byte)| edge(at, byte));
        let first = start + before as u64;
        (first + whole.len() as u64..).zip(tail).for_each(|(at, &byte)| edge(at, byte));
        for (part, at) in whole.chunks(PART).zip((first..).step_by(PART)) {
            self.0.record(|queue, recording| {
                let (from, offset) = recording.open.staging.write(&queue.shared, part)?;
                recording.open.keep.push(to.clone());
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

    /// Asks for ranges of bytes, each a start and a length, as they are when all that was queued before is done. Submits.
    pub fn download(&self, from: &Buffer, ranges: &[(u64, u64)]) -> Result<Download, DeviceFailure> {
        self.of(&[from])?;
        let shared = Arc::clone(&self.0.shared);
        let mut copies = Vec::new();
        let mut places = Vec::new();
        let mut size = 0;
        for &(start, length) in ranges {
            within(from.bytes(), start, length)?;
            let first = (u64::from(HEAD) + start) / 4 * 4;
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
        Ok(Download { shared, of: Some(of), ranges: places })
    }

    /// Waits for ranges of bytes as they are when all that was queued before is done, and hands them over, long ones in several pieces, each with its start. Nothing else may be queued that
    /// writes there before this returns: what is much is fetched part by part.
    pub fn read(
        &self,
        from: &Buffer,
        ranges: &[(u64, u64)],
        mut read: impl FnMut(u64, &[u8]),
    ) -> Result<(), DeviceFailure> {
        let mut coming = VecDeque::new();
        for part in parts(ranges) {
            if coming.len() >= AHEAD
                && let Some(first) = coming.pop_front()
            {
                Download::wait(first, &mut read)?;
            }
            coming.push_back(self.download(from, &part)?);
        }
        coming.into_iter().try_for_each(|download| download.wait(&mut read))
    }

    /// Copies ranges, each from where, to where, how many bytes, on the device. What is read is what was there before all of them.
    pub fn copy(&self, from: &Buffer, to: &Buffer, ranges: &[(u64, u64, u64)]) -> Result<(), DeviceFailure> {
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
        // The device does not copy within a buffer, so all goes through another.
        let size = ranges.iter().map(|(_, _, length)| length.next_multiple_of(4)).sum();
        let between = Buffer::allocate(&self.0.shared, size, false)?;
        let mut at = 0;
        let mut steps = Vec::new();
        for &(first, start, length) in ranges {
            // Bytes stay alike to words as they were, where that makes them words for the second step.
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

    /// Are the buffers of this queue's device?
    fn of(&self, buffers: &[&Buffer]) -> Result<(), DeviceFailure> {
        if buffers.iter().all(|buffer| buffer.is_of(&self.0.shared)) {
            return Ok(());
        }
        Err(DeviceFailure::Unsupported("a buffer is of another device than the queue".into()))
    }
}

impl QueueInner {
    /// Changes some bits of some words.
    fn merge(&self, recording: &mut Recording, to: &Buffer, edges: &[(u32, (u32, u32))]) -> Result<(), DeviceFailure> {
        let mut block = [0; 4 * EDGES];
        for (words, &(word, (bits, value))) in block.chunks_exact_mut(4).zip(edges) {
            words.copy_from_slice(&[word, bits, value, 0]);
        }
        let bound = [(1, to.wgpu(), to.number())];
        let dispatch = RecordedDispatch { program: self.shared.merge()?, block: &block, bound: &bound, tiles: (1, 1) };
        self.dispatch(recording, &dispatch)?;
        recording.open.keep.push(to.clone());
        self.submit_many(recording)
    }

    /// Copies a range between two buffers.
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
        let bound = [(1, from.wgpu(), from.number()), (2, to.wgpu(), to.number())];
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
    /// Waits while the device has too much staging memory to read.
    fn keep_up(&self) -> Result<(), DeviceFailure> {
        while let (STAGED.., Some(first)) = self.in_flight.staged() {
            self.wait_for(&first)?;
        }
        Ok(())
    }
}

impl Download {
    /// Is it there? If the device is lost it is, and waiting says so.
    pub fn is_done(&self) -> bool {
        self.of.as_ref().is_none_or(|(_, submission)| self.shared.look(submission).unwrap_or(true))
    }

    /// Waits, and hands each range over, with its start.
    pub fn wait(mut self, mut read: impl FnMut(u64, &[u8])) -> Result<(), DeviceFailure> {
        let ranges = std::mem::take(&mut self.ranges);
        let Some((reading, submission)) = self.of.take() else {
            ranges.iter().for_each(|(start, ..)| read(*start, &[]));
            return Ok(());
        };
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
        if let Some((reading, _)) = self.of.take() {
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
