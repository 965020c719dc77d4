//! Memory of wgpu's that is lent again and again, by size.
//!
//! A piece comes back when nobody can record more work with it. The device need not be done with it: what is recorded later runs later, in the order of submission. Staging memory for
//! writing is the exception: the host writes to it at once, so it comes back when the device has read it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use wgpu::{BufferDescriptor, BufferUsages};

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;

/// What memory is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// For kernels.
    Storage,
    /// For what kernels say: nobody else leaves anything in it.
    Messages,
    /// For the host to write.
    Up,
    /// For the host to read.
    Down,
    /// For the argument blocks of a queue.
    Arguments,
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
        };
        BufferDescriptor { label: None, size, usage, mapped_at_creation: self == Purpose::Up }
    }

    /// Is it bound, and kept by queues as such?
    const fn is_bound(self) -> bool {
        match self {
            Purpose::Storage | Purpose::Messages | Purpose::Arguments => true,
            Purpose::Up | Purpose::Down => false,
        }
    }

    /// Bytes that are kept for later.
    const fn kept(self) -> u64 {
        match self {
            Purpose::Storage => 1 << 30,
            Purpose::Messages | Purpose::Up | Purpose::Down => 256 << 20,
            Purpose::Arguments => 1 << 20,
        }
    }
}

/// A buffer of wgpu's that was lent. One for writing is mapped.
#[derive(Debug)]
pub(super) struct LentBuffer {
    pub(super) buffer: wgpu::Buffer,
    pub(super) size: u64,
    /// Its number, which no other piece has.
    pub(super) number: u64,
    purpose: Purpose,
    /// Was it lent before? If not, wgpu sees to it that it reads as zero.
    pub(super) used: bool,
}

/// Pieces by size.
type Shelf = BTreeMap<u64, Vec<LentBuffer>>;

/// The pool of a device.
#[derive(Debug, Default)]
pub(super) struct BufferPool {
    shelves: [Mutex<(Shelf, u64)>; 5],
    in_use: AtomicU64,
}

/// The size that a request is rounded up to: powers of two at first, then eighths between them.
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

    /// Takes a piece back. Was it too much to keep?
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
    /// A piece of at least that size, lent. Where there is no room, what the pool keeps is given back first.
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
        // Queues are not asked for nothing: staging memory comes back while something is submitted, and who holds the last of a queue submits.
        if self.lost.why().is_none() && self.pool.give(piece) && is_bound {
            // It is dropped, but for what queues have bound.
            self.forget_bound();
        }
    }
}
