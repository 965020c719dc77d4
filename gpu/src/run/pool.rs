//! A pool of wgpu buffers, by size.
//!
//! A piece returns once no more work can be recorded with it. The device may still use it: later
//! recordings run later, in the order of submission. Staging memory for writing is the exception:
//! the host writes to it at once, so it returns when the device has read it. So do argument blocks,
//! where the adapter lets the host write to the memory that shaders read.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use wgpu::{BufferDescriptor, BufferUsages};

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;

/// The purpose of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Memory that kernels access.
    Storage,
    /// Messages of kernels; never used for anything else.
    Messages,
    /// Staging memory that the host writes.
    Up,
    /// Staging memory that the host reads.
    Down,
    /// Argument blocks, copied there on the device.
    Arguments,
    /// Argument blocks that the host writes.
    MappedArguments,
}

impl Purpose {
    pub(super) fn descriptor(self, size: u64) -> BufferDescriptor<'static> {
        let usage = match self {
            Purpose::Storage | Purpose::Messages => {
                BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST
            }
            Purpose::Up => BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC,
            Purpose::Down => BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            Purpose::Arguments => BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            Purpose::MappedArguments => BufferUsages::UNIFORM | BufferUsages::MAP_WRITE,
        };
        let mapped_at_creation = matches!(self, Purpose::Up | Purpose::MappedArguments);
        BufferDescriptor { label: None, size, usage, mapped_at_creation }
    }

    /// Whether queues hold it in bind groups, which have to let go of it. Those of mapped arguments
    /// are small, and return during submissions, when no queue may be dropped.
    const fn is_bound(self) -> bool {
        match self {
            Purpose::Storage | Purpose::Messages | Purpose::Arguments => true,
            Purpose::Up | Purpose::Down | Purpose::MappedArguments => false,
        }
    }

    /// Bytes that the pool keeps.
    const fn kept(self) -> u64 {
        match self {
            Purpose::Storage => 1 << 30,
            Purpose::Messages | Purpose::Up | Purpose::Down => 256 << 20,
            Purpose::Arguments => 1 << 20,
            Purpose::MappedArguments => 4 << 20,
        }
    }
}

/// A wgpu buffer lent by the pool. One for writing is mapped.
#[derive(Debug)]
pub(super) struct LentBuffer {
    pub(super) buffer: wgpu::Buffer,
    pub(super) size: u64,
    /// The piece's number, which no other piece has.
    pub(super) number: u64,
    pub(super) purpose: Purpose,
    /// Whether it was lent before. If not, wgpu makes it read as zero.
    pub(super) used: bool,
}

/// Pieces by size.
type Shelf = BTreeMap<u64, Vec<LentBuffer>>;

/// The pool of a device.
#[derive(Debug, Default)]
pub(super) struct BufferPool {
    shelves: [Mutex<(Shelf, u64)>; 6],
    in_use: AtomicU64,
}

/// Rounds a request up: to a power of two at first, then to an eighth of one.
fn bucket(size: u64, most: u64) -> u64 {
    const SMALL: u64 = 1 << 20;
    let size = size.max(256);
    let rounded = if size <= SMALL {
        size.next_power_of_two()
    } else {
        size.next_multiple_of((size.next_power_of_two() / 16).max(4))
    };
    if rounded <= most { rounded } else { size.next_multiple_of(4) }
}

impl BufferPool {
    fn shelf(&self, purpose: Purpose) -> &Mutex<(Shelf, u64)> {
        &self.shelves[purpose as usize]
    }

    pub(super) fn in_use(&self) -> u64 {
        self.in_use.load(Ordering::Relaxed)
    }

    pub(super) fn trim(&self) {
        self.shelves.iter().for_each(|shelf| *locked(shelf) = Default::default());
    }

    /// Takes a piece back. Returns true if the pool was full and the piece was dropped.
    pub(super) fn give(&self, mut piece: LentBuffer) -> bool {
        if piece.purpose == Purpose::Storage {
            self.in_use.fetch_sub(piece.size, Ordering::Relaxed);
        }
        piece.used = true;
        let mut shelf = locked(self.shelf(piece.purpose));
        if shelf.1 + piece.size > piece.purpose.kept() {
            return true;
        }
        shelf.1 += piece.size;
        shelf.0.entry(piece.size).or_default().push(piece);
        false
    }

    fn find(&self, purpose: Purpose, size: u64) -> Option<LentBuffer> {
        let mut shelf = locked(self.shelf(purpose));
        let found = shelf.0.get_mut(&size)?.pop()?;
        shelf.1 -= size;
        Some(found)
    }
}

impl DeviceShared {
    /// Lends a piece of at least that size. If there is no room, the pool's unused pieces are freed
    /// first.
    pub(super) fn lend(&self, purpose: Purpose, size: u64) -> Result<LentBuffer, DeviceFailure> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        self.alive()?;
        let most = if purpose == Purpose::Storage { self.most() } else { self.adapter.limits().max_buffer_size };
        let bucket = bucket(size, most);
        let piece = match self.pool.find(purpose, bucket) {
            Some(piece) => piece,
            None => {
                let buffer = match self.make(purpose, bucket, size) {
                    Err(DeviceFailure::OutOfMemory(_)) => {
                        self.trim();
                        self.make(purpose, bucket, size)?
                    }
                    made => made?,
                };
                let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
                LentBuffer { buffer, size: bucket, number, purpose, used: false }
            }
        };
        if purpose == Purpose::Storage {
            self.pool.in_use.fetch_add(piece.size, Ordering::Relaxed);
        }
        Ok(piece)
    }

    /// Takes a piece back.
    pub(super) fn give(&self, piece: LentBuffer) {
        let is_bound = piece.purpose.is_bound();
        // Only for pieces that queues bind: staging memory returns during a submission, and a
        // thread that then held the last reference to a queue would submit when it drops it.
        if self.lost.why().is_none() && self.pool.give(piece) && is_bound {
            // The piece was dropped, but bind groups of queues may still hold its buffer.
            self.forget_bound();
        }
    }
}
