//! The memory of the lane interpreter: pieces of bytes, and pointers that encode a piece and a
//! byte. Every access is checked.

use super::super::program::{ArenaPart, ArenaSizes, MemorySpace};

/// Bits of a pointer that number bytes. Pieces lie that far apart, so an access beyond one hits no
/// other.
const BYTES: u32 = 40;

/// Numbers of the arena's parts among pieces.
const ARENA: u64 = 1 << 20;

/// Bytes before and after a part of the arena that may be read.
const SLACK: u64 = 64;

/// The contents of the arena when a program begins.
const UNSET: u8 = 0xa5;

/// The pieces of memory that a program accesses, and its arena.
#[derive(Clone, Debug, Default)]
pub struct PieceMemory {
    /// The pieces.
    pub pieces: Vec<MemoryPiece>,
    /// The bytes of each part, with the slack around it.
    arena: Vec<Vec<u8>>,
    sizes: ArenaSizes,
}

/// A piece of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPiece {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The space of accesses that may touch it.
    pub space: MemorySpace,
}

/// The pointer to a byte of a piece.
pub const fn pointer(piece: usize, byte: u64) -> u64 {
    (piece as u64 + 1) << BYTES | byte
}

/// The pointer to a part of the arena.
pub(super) fn arena_pointer(part: ArenaPart) -> u64 {
    pointer(ARENA as usize + part as usize, SLACK)
}

/// A kind of access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PieceAccess {
    Read,
    Write,
}

impl PieceMemory {
    /// Memory of these pieces. [`PieceMemory::arm`] gives it an arena.
    pub fn new(pieces: Vec<MemoryPiece>) -> PieceMemory {
        PieceMemory { pieces, arena: Vec::new(), sizes: ArenaSizes::default() }
    }

    /// Lays out an arena, filled with garbage.
    pub fn arm(&mut self, sizes: ArenaSizes) {
        self.sizes = sizes;
        let part = |part: &ArenaPart| vec![UNSET; (sizes.size(*part).next_multiple_of(64) + 2 * SLACK) as usize];
        self.arena = ArenaPart::ALL.iter().map(part).collect();
    }

    /// The bytes of a part of the arena.
    pub fn part(&self, part: ArenaPart) -> &[u8] {
        self.arena
            .get(part as usize)
            .map_or(&[], |bytes| &bytes[SLACK as usize..(SLACK + self.sizes.size(part)) as usize])
    }

    /// The bytes of an access if it is legal, otherwise the reason.
    pub(super) fn at(
        &mut self,
        address: u64,
        size: u64,
        space: MemorySpace,
        access: PieceAccess,
    ) -> Result<&mut [u8], String> {
        let byte = address & ((1 << BYTES) - 1);
        let number = (address >> BYTES).wrapping_sub(1);
        let range = |room: u64| (byte + size <= room).then_some(byte as usize..(byte + size) as usize);
        if let MemorySpace::Arena(part) = space {
            let own = number == ARENA + part as u64;
            let overhang = access == PieceAccess::Read || part == ArenaPart::Sink;
            let room = SLACK + self.sizes.size(part) + if overhang { SLACK } else { 0 };
            let bytes = self.arena.get_mut(part as usize).filter(|_| own);
            let range = range(room).filter(|_| overhang || byte >= SLACK);
            return match (bytes, range) {
                (Some(bytes), Some(range)) => Ok(&mut bytes[range]),
                (None, _) => Err("the address lies in other memory than the worker's".into()),
                (Some(_), None) => {
                    let first = byte as i64 - SLACK as i64;
                    let end = first + size as i64;
                    Err(format!("bytes {first} to {end} of {} are accessed", self.sizes.size(part)))
                }
            };
        }
        let Some(piece) = usize::try_from(number).ok().and_then(|number| self.pieces.get_mut(number)) else {
            return Err("the address lies in no memory".into());
        };
        // A view without elements points to zeros.
        let zeros = piece.space == MemorySpace::Constant && access == PieceAccess::Read && byte + size <= 64;
        if piece.space != space && !zeros {
            return Err("the address lies in memory of another space".into());
        }
        match range(piece.bytes.len() as u64) {
            Some(range) => Ok(&mut piece.bytes[range]),
            None => Err(format!("bytes {byte} to {} of {} are accessed", byte + size, piece.bytes.len())),
        }
    }

    /// Zeroes bytes of the arena; may extend into the slack after a part.
    pub(super) fn clear(&mut self, address: u64, size: u64) -> Result<(), String> {
        let byte = address & ((1 << BYTES) - 1);
        let part = (address >> BYTES).wrapping_sub(1).wrapping_sub(ARENA);
        let bytes = usize::try_from(part).ok().and_then(|part| self.arena.get_mut(part));
        let bytes = bytes.ok_or("the address lies in other memory than the worker's")?;
        let room = bytes.len();
        match bytes.get_mut(byte as usize..byte.saturating_add(size) as usize) {
            Some(bytes) => {
                bytes.fill(0);
                Ok(())
            }
            None => Err(format!("bytes {byte} to {} of {room} are cleared", byte + size)),
        }
    }
}
