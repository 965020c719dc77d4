//! Bytes of memory, in place: typed loads, stores and atomics at an address.
//! [`place`](super::place) has checked the bounds; an address that is still outside its space reads
//! zero and writes nothing, so nothing here can fail.

use tilewise_ir::bytes::{changed, decode, encode};
use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::launch::{BorrowedMemory, BorrowedRun};
use tilewise_ir::types::{Scalar, Stored};

/// Index of a space: an allocation of the launch, or one of the interpreter's own spaces after
/// them.
pub(super) type SpaceId = u32;

/// All spaces of a launch.
pub(super) type Spaces<'m> = Vec<ByteSpace<'m>>;

/// The bytes of a space.
pub(super) enum ByteSpace<'m> {
    /// Owned by the interpreter.
    Own(Vec<u8>),
    /// Borrowed, in a single run that begins at this offset: nearly every allocation.
    Lent(u64, BorrowedRun<'m>),
    /// Borrowed in several runs, sorted and disjoint.
    Runs(Vec<(u64, BorrowedRun<'m>)>),
}

impl<'m> ByteSpace<'m> {
    /// An allocation of the launch.
    pub(super) fn of(memory: BorrowedMemory<'m>) -> ByteSpace<'m> {
        let mut runs = memory.into_runs();
        match (runs.pop(), runs.is_empty()) {
            (Some((start, all)), true) => ByteSpace::Lent(start, all),
            (last, _) => {
                runs.extend(last);
                ByteSpace::Runs(runs)
            }
        }
    }

    /// The bytes, if the interpreter owns them.
    pub(super) fn own(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            ByteSpace::Own(bytes) => Some(bytes),
            ByteSpace::Lent(..) | ByteSpace::Runs(_) => None,
        }
    }

    /// The contiguous bytes from `at`.
    #[inline]
    fn rest(&self, at: u64) -> &[u8] {
        let (at, bytes) = match self {
            ByteSpace::Own(bytes) => (at, bytes.as_slice()),
            // An offset before the run wraps, and so lies beyond its end.
            ByteSpace::Lent(start, all) => (at.wrapping_sub(*start), all.bytes()),
            ByteSpace::Runs(runs) => run_at(runs, at).map_or((0, &[][..]), |i| (at - runs[i].0, runs[i].1.bytes())),
        };
        usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or(&[])
    }

    /// Like `rest`, mutably.
    #[inline]
    fn rest_mut(&mut self, at: u64) -> &mut [u8] {
        let (at, bytes) = match self {
            ByteSpace::Own(bytes) => (at, bytes.as_mut_slice()),
            ByteSpace::Lent(start, all) => (at.wrapping_sub(*start), all.bytes_mut()),
            ByteSpace::Runs(runs) => match run_at(runs, at) {
                Some(i) => (at - runs[i].0, runs[i].1.bytes_mut()),
                None => (0, &mut [][..]),
            },
        };
        usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..)).unwrap_or(&mut [])
    }

    /// Whether bytes may continue in another run.
    #[inline]
    fn is_in_runs(&self) -> bool {
        matches!(self, ByteSpace::Runs(_))
    }

    /// A byte.
    pub(super) fn byte(&self, at: u64) -> Option<u8> {
        self.rest(at).first().copied()
    }

    /// Appends `size` bytes from `at` to `to`. Missing bytes are zero.
    pub(super) fn append(&self, at: usize, size: usize, to: &mut Vec<u8>) {
        let end = to.len().saturating_add(size);
        if let Some(bytes) = self.rest(at as u64).get(..size) {
            to.extend_from_slice(bytes);
        } else if self.is_in_runs() {
            to.extend((at..at.saturating_add(size)).map(|at| self.byte(at as u64).unwrap_or(0)));
        }
        to.resize(end, 0);
    }

    /// Writes bytes, if that many contiguous writable bytes exist.
    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        if let Some(to) = self.rest_mut(at as u64).get_mut(..bytes.len()) {
            to.copy_from_slice(bytes);
        }
    }
}

/// Index of the run that contains byte `at`, or that precedes it.
#[inline]
fn run_at(runs: &[(u64, BorrowedRun<'_>)], at: u64) -> Option<usize> {
    runs.partition_point(|(start, _)| *start <= at).checked_sub(1)
}

/// A byte of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SpaceAddress {
    pub(super) space: SpaceId,
    pub(super) at: u64,
}

/// The bytes of a space from an address.
#[inline]
fn from<'s>(spaces: &'s [ByteSpace<'_>], address: SpaceAddress) -> &'s [u8] {
    spaces.get(address.space as usize).map_or(&[], |space| space.rest(address.at))
}

/// Like `from`, mutably.
#[inline]
fn from_mut<'s>(spaces: &'s mut [ByteSpace<'_>], address: SpaceAddress) -> &'s mut [u8] {
    spaces.get_mut(address.space as usize).map_or(&mut [], |space| space.rest_mut(address.at))
}

/// Reads 32 bits.
#[inline]
pub(super) fn load_word(spaces: &[ByteSpace<'_>], address: SpaceAddress) -> u64 {
    match from(spaces, address).first_chunk() {
        Some(&b) => u64::from(u32::from_le_bytes(b)),
        None => {
            let mut word = [0];
            load_across(spaces, address, Stored::U32, &mut word);
            word[0]
        }
    }
}

/// Writes 32 bits.
#[inline]
pub(super) fn store_word(spaces: &mut [ByteSpace<'_>], address: SpaceAddress, value: u64) {
    if let Some(to) = from_mut(spaces, address).first_chunk_mut() {
        *to = (value as u32).to_le_bytes();
    }
}

/// Reads `to.len()` contiguous scalars.
#[inline]
pub(super) fn load(spaces: &[ByteSpace<'_>], address: SpaceAddress, stored: Stored, to: &mut [u64]) {
    let mut bytes = from(spaces, address);
    if bytes.len() < stored.size() as usize * to.len() {
        return load_across(spaces, address, stored, to);
    }
    for lane in to {
        *lane = decode(bytes, stored);
        bytes = bytes.get(stored.size() as usize..).unwrap_or(&[]);
    }
}

/// Like `load`, for scalars that are not within one run, or not within the space: an element of a
/// read-only view may begin in bytes that another view writes.
#[cold]
fn load_across(spaces: &[ByteSpace<'_>], address: SpaceAddress, stored: Stored, to: &mut [u64]) {
    let mut bytes = Vec::new();
    if let (Some(space), Ok(at)) = (spaces.get(address.space as usize), usize::try_from(address.at)) {
        space.append(at, stored.size() as usize * to.len(), &mut bytes);
    }
    for (i, lane) in to.iter_mut().enumerate() {
        *lane = decode(bytes.get(i * stored.size() as usize..).unwrap_or(&[]), stored);
    }
}

/// Writes contiguous scalars.
#[inline]
pub(super) fn store(spaces: &mut [ByteSpace<'_>], address: SpaceAddress, stored: Stored, values: &[u64]) {
    let mut bytes = from_mut(spaces, address);
    for &value in values {
        encode(bytes, stored, value);
        bytes = bytes.get_mut(stored.size() as usize..).unwrap_or(&mut []);
    }
}

/// Changes a scalar atomically; returns the old value.
pub(super) fn atomic(
    spaces: &mut [ByteSpace<'_>],
    address: SpaceAddress,
    op: AtomicOp,
    scalar: Scalar,
    value: u64,
) -> u64 {
    let stored = scalar.stored();
    let old = decode(from(spaces, address), stored);
    encode(from_mut(spaces, address), stored, changed(op, scalar, old, value));
    old
}

/// Stores `new` if the bits equal `expected`; returns the old value and whether it stored.
pub(super) fn compare_exchange(
    spaces: &mut [ByteSpace<'_>],
    address: SpaceAddress,
    scalar: Scalar,
    expected: u64,
    new: u64,
) -> (u64, bool) {
    let stored = scalar.stored();
    let bytes = from(spaces, address);
    let old = decode(bytes, stored);
    let equal = old == expected && !bytes.is_empty();
    if equal {
        encode(from_mut(spaces, address), stored, new);
    }
    (old, equal)
}
