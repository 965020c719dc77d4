//! Staging memory between host and device, for both directions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use super::device::DeviceShared;
use super::failed::DeviceFailure;
use super::pool::{LentBuffer, Purpose};
use super::shared_copy;

/// Minimum size of a piece for writing, so that many small uploads share one.
const LEAST: u64 = 256 << 10;

/// Pieces that the host writes and an encoder reads.
#[derive(Debug, Default)]
pub(super) struct Staging {
    pieces: Vec<LentBuffer>,
    /// Bytes written in the last piece.
    used: u64,
}

impl Staging {
    /// Writes bytes, rounded up to words, and returns their buffer and offset.
    pub(super) fn write(&mut self, shared: &DeviceShared, bytes: &[u8]) -> Result<(wgpu::Buffer, u64), DeviceFailure> {
        let size = (bytes.len() as u64).next_multiple_of(4);
        let at = self.used.next_multiple_of(8);
        if self.pieces.last().is_none_or(|last| at + size > last.size) {
            self.pieces.push(shared.lend(Purpose::Up, size.max(LEAST))?);
            self.used = 0;
        }
        let at = self.used.next_multiple_of(8);
        let lost = || DeviceFailure::Lost("staging memory cannot be written".into());
        let piece = self.pieces.last().ok_or_else(lost)?;
        let mut view = piece.buffer.get_mapped_range_mut(at..at + size).map_err(|_| lost())?;
        shared_copy::fill(view.slice(..bytes.len()), bytes);
        self.used = at + size;
        Ok((piece.buffer.clone(), at))
    }

    /// Unmaps the pieces for the device and returns their total size.
    pub(super) fn unmap(&self) -> u64 {
        self.pieces.iter().for_each(|piece| piece.buffer.unmap());
        self.pieces.iter().map(|piece| piece.size).sum()
    }

    /// To be called after submission: each piece returns to the pool when the device has read it.
    pub(super) fn come_back(&mut self, shared: &Arc<DeviceShared>) {
        self.pieces.drain(..).for_each(|piece| come_back(shared, piece));
        self.used = 0;
    }
}

/// Maps a piece that the host writes, and returns it to the pool when the device has read it.
pub(super) fn come_back(shared: &Arc<DeviceShared>, piece: LentBuffer) {
    let shared = Arc::downgrade(shared);
    let buffer = piece.buffer.clone();
    buffer.map_async(wgpu::MapMode::Write, .., move |mapped| {
        if let (Ok(()), Some(shared)) = (mapped, shared.upgrade()) {
            shared.give(piece);
        }
    });
}

/// A piece that the device writes and the host reads.
#[derive(Debug)]
pub(super) struct Reading {
    piece: LentBuffer,
    mapped: Arc<AtomicU8>,
}

const PENDING: u8 = 0;
const MAPPED: u8 = 1;
const REFUSED: u8 = 2;

impl Reading {
    /// To be called after the submission that fills the piece.
    pub(super) fn new(piece: LentBuffer) -> Reading {
        let mapped = Arc::new(AtomicU8::new(PENDING));
        let flag = Arc::clone(&mapped);
        piece.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            flag.store(if result.is_ok() { MAPPED } else { REFUSED }, Ordering::Release);
        });
        Reading { piece, mapped }
    }

    /// Reads it; the work that fills it must be known to be done.
    pub(super) fn read(&self, shared: &DeviceShared, mut read: impl FnMut(&[u8])) -> Result<(), DeviceFailure> {
        let begin = Instant::now();
        // Another thread may be about to report that it is mapped.
        while self.mapped.load(Ordering::Acquire) == PENDING && begin.elapsed() < Duration::from_secs(2) {
            shared.alive()?;
            shared.gpu.nudge().unwrap_or_else(|why| shared.lost.note(why));
            std::thread::yield_now();
        }
        let refused = || shared.alive().err().unwrap_or_else(|| DeviceFailure::Lost("a buffer cannot be read".into()));
        if self.mapped.load(Ordering::Acquire) != MAPPED {
            return Err(refused());
        }
        let view = self.piece.buffer.get_mapped_range(..).map_err(|_| refused())?;
        read(&view);
        Ok(())
    }

    /// Returns the piece to the pool if it was mapped. A piece whose mapping is pending, perhaps
    /// completed by another thread at this moment, must not be unmapped: wgpu would report that it
    /// is not mapped, an error that no scope catches and that would lose the device. Such a piece
    /// is dropped, and freed when the mapping is over.
    pub(super) fn give(self, shared: &DeviceShared) {
        if self.mapped.load(Ordering::Acquire) == MAPPED {
            self.piece.buffer.unmap();
            shared.give(self.piece);
        }
    }
}
