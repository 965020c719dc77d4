//! The memory that random programs access, and addresses in it.
//!
//! **NaN.** Its payload is unspecified, so its bits must not be observable: each float format has
//! memory of its own, which is never read as integers and is compared as floats.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::program::{AddressStep, ArenaPart, ArenaSizes, Elem, LaneAddress, LaneValue, MemorySpace};
use super::make::ProgramMaker;
use super::rng::ProgramRng;

/// Bytes of each piece.
pub(crate) const PIECE: usize = 4096;

/// The contents of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceContents {
    Integers,
    F16,
    F32,
    F64,
}

/// The contents of the pieces, in order; [`CONSTANT`] is the constant one, and the number of any
/// other is that of its buffer space.
pub(crate) const PIECES: [PieceContents; 10] = [
    PieceContents::Integers,
    PieceContents::Integers,
    PieceContents::F32,
    PieceContents::F64,
    PieceContents::F16,
    PieceContents::Integers,
    PieceContents::Integers,
    PieceContents::F32,
    PieceContents::F64,
    PieceContents::Integers,
];

/// The read-only piece.
pub(crate) const READ_ONLY: usize = 0;
/// The piece for atomics: 32-bit ones in the first half, 64-bit ones in the second.
pub(crate) const ATOMIC: usize = 5;
/// The pieces for results: integers, `f32`, `f64`.
pub(crate) const RESULTS: [usize; 3] = [6, 7, 8];
/// The piece of constants.
pub(crate) const CONSTANT: usize = 9;

/// Integers in `tile_static`, `f32` in private memory, `bool` in the context, `f64` in the votes.
pub(crate) const ARENA: ArenaSizes = ArenaSizes { tile_static: 4096, private: 4096, context: 4096, votes: 4096 };

/// The space of a piece.
pub(crate) fn space(piece: usize) -> MemorySpace {
    if piece == CONSTANT { MemorySpace::Constant } else { MemorySpace::Buffer(piece as u16) }
}

/// The initial contents of a piece.
pub(crate) fn contents(piece: usize, rng: &mut ProgramRng) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < PIECE {
        match PIECES[piece] {
            PieceContents::Integers => bytes.extend(number(Elem::I64, rng).to_le_bytes()),
            PieceContents::F16 => bytes.extend((rng.bits() as u16).to_le_bytes()),
            PieceContents::F32 => bytes.extend((number(Elem::F32, rng) as u32).to_le_bytes()),
            PieceContents::F64 => bytes.extend(number(Elem::F64, rng).to_le_bytes()),
        }
    }
    bytes
}

/// Bits of a number: arbitrary, or an edge case.
pub(crate) fn number(elem: Elem, rng: &mut ProgramRng) -> u64 {
    let any = rng.bits();
    let special = rng.one_in(3);
    match elem {
        Elem::Bool => any & 1,
        Elem::I32 if special => u64::from(rng.pick(&[0, 1, 2, 31, 32, u32::MAX, 1 << 31, i32::MAX as u32])),
        Elem::I32 => u64::from(any as u32 >> (any >> 59)),
        Elem::I64 if special => rng.pick(&[0, 1, 63, 64, u64::MAX, 1 << 63, i64::MAX as u64, 1 << 32]),
        Elem::I64 => any >> (any & 63),
        Elem::F32 if special => {
            let list = [0.0, -0.0, 1.0, -1.5, 0.5, f32::INFINITY, f32::NAN, 3e9, 1e-40, f32::MAX, -7.0];
            u64::from(rng.pick(&list).to_bits())
        }
        Elem::F32 => u64::from(((any as i32) as f32 / 65536.0).to_bits()),
        Elem::F64 if special => {
            let list = [0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NAN, 1e19, 1e-310, f64::MAX, 5e9];
            rng.pick(&list).to_bits()
        }
        Elem::F64 => ((any as i64) as f64 / (1u64 << 40) as f64).to_bits(),
    }
}

/// A location for scalars of a format: the pointer and the space.
fn home(maker: &mut ProgramMaker, stored: Stored, writes: bool) -> (LaneValue, MemorySpace) {
    let arena = maker.rng.one_in(3);
    let part = match stored {
        Stored::Bool => Some(ArenaPart::Context),
        Stored::F16 => None,
        Stored::F32 => Some(ArenaPart::Private),
        Stored::F64 => Some(ArenaPart::Votes),
        _ => Some(ArenaPart::TileStatic),
    };
    if let Some(part) = part.filter(|_| arena || stored == Stored::Bool) {
        return (maker.arena(part), MemorySpace::Arena(part));
    }
    let piece = match stored {
        Stored::F16 => 4,
        Stored::F32 => 2,
        Stored::F64 => 3,
        _ if writes => 1,
        _ => maker.rng.pick(&[READ_ONLY, 1, CONSTANT]),
    };
    (maker.piece(piece), space(piece))
}

/// An address for plain accesses by every lane that `mask` does not turn off. Lanes that write do
/// not overlap.
pub(crate) fn address(maker: &mut ProgramMaker, stored: Stored, mask: Option<LaneValue>, writes: bool) -> LaneAddress {
    let (base, space) = home(maker, stored, writes);
    let size = i64::from(stored.size());
    // Floats and `bool`s are accessed only as whole elements.
    let whole = matches!(stored, Stored::Bool | Stored::F16 | Stored::F32 | Stored::F64);
    let grain = if whole || maker.rng.one_in(2) { size } else { 1 };
    let below = |maker: &mut ProgramMaker, n: i64| maker.rng.below((n / grain) as usize) as i64 * grain;
    let offset = maker.rng.one_in(2).then(|| {
        let number = maker.value(Elem::I64, false);
        let bits = maker.b.number(511 & -size);
        maker.b.op(Op::And, Scalar::I64, &[number, bits])
    });
    let mut displacement = 1100 / 8 * 8 + below(maker, 400);
    let along = match maker.rng.below(5) {
        0 | 1 => AddressStep::Step(size),
        2 => {
            let least = if writes { size } else { 0 };
            let step = least + below(maker, 64 - size);
            AddressStep::Step(if maker.rng.one_in(2) { step } else { -step })
        }
        _ => {
            displacement -= 1096;
            AddressStep::Each(each(maker, size, mask))
        }
    };
    LaneAddress { space, base, offset, displacement, along, stored }
}

/// The first element of a row in each lane, and the number of elements; they may be written.
pub(crate) fn row(maker: &mut ProgramMaker, stored: Stored) -> (LaneAddress, i64) {
    let (base, space) = home(maker, stored, true);
    let (size, width) = (i64::from(stored.size()), i64::from(maker.b.width()));
    let most = (2048 / size / width).clamp(2, 17);
    let elements = 2 + maker.rng.below(most as usize - 1) as i64;
    let offset = maker.rng.one_in(2).then(|| {
        let number = maker.value(Elem::I64, false);
        let bits = maker.b.number(511 & -size);
        maker.b.op(Op::And, Scalar::I64, &[number, bits])
    });
    let along = AddressStep::Step(elements * size);
    (LaneAddress { space, base, offset, displacement: size * maker.rng.below(32) as i64, along, stored }, elements)
}

/// Offsets of lanes, each with 128 bytes of its own; arbitrary in masked-off lanes.
fn each(maker: &mut ProgramMaker, size: i64, mask: Option<LaneValue>) -> LaneValue {
    let number = maker.value(Elem::I32, true);
    let bits = maker.lanes_of(Elem::I32, (127 & -size) as u64);
    let within = maker.b.op(Op::And, Scalar::U32, &[number, bits]);
    let lane = maker.lane();
    let apart = maker.lanes_of(Elem::I32, 128);
    let own = maker.b.op(Op::Mul, Scalar::U32, &[lane, apart]);
    let mut at = maker.b.op(Op::Add, Scalar::U32, &[own, within]);
    if let Some(mask) = mask {
        let other = maker.value(Elem::I32, true);
        at = maker.b.select(mask, at, other);
    }
    if !maker.rng.one_in(3) {
        return at;
    }
    let wide = maker.b.op(Op::ToI64, Scalar::U32, &[at]);
    match mask {
        Some(mask) => {
            let other = maker.value(Elem::I64, true);
            maker.b.select(mask, wide, other)
        }
        None => wide,
    }
}

/// An address for atomics on a scalar type; lanes may overlap.
pub(crate) fn atomic_address(maker: &mut ProgramMaker, scalar: Scalar, mask: Option<LaneValue>) -> LaneAddress {
    let stored = scalar.stored();
    let size = i64::from(stored.size());
    let arena = maker.rng.one_in(2);
    let (base, space) = match (scalar, arena) {
        (Scalar::F32, true) => (maker.arena(ArenaPart::Private), MemorySpace::Arena(ArenaPart::Private)),
        (Scalar::F32, false) => (maker.piece(2), space(2)),
        (_, true) => (maker.arena(ArenaPart::TileStatic), MemorySpace::Arena(ArenaPart::TileStatic)),
        (_, false) => (maker.piece(ATOMIC), space(ATOMIC)),
    };
    let displacement = (if size == 8 { 2048 } else { 0 }) + maker.rng.below(16) as i64 * size;
    let along = match maker.rng.below(4) {
        0 => AddressStep::Uniform,
        1 => AddressStep::Step(size),
        _ => {
            let number = maker.value(Elem::I32, true);
            let bits = maker.lanes_of(Elem::I32, (255 & -size) as u64);
            let mut at = maker.b.op(Op::And, Scalar::U32, &[number, bits]);
            if let Some(mask) = mask {
                let other = maker.value(Elem::I32, true);
                at = maker.b.select(mask, at, other);
            }
            AddressStep::Each(at)
        }
    };
    LaneAddress { space, base, offset: None, displacement, along, stored }
}

/// An address for 16-byte aggregates. Written ones lie apart from read ones.
pub(crate) fn aggregate(maker: &mut ProgramMaker, mask: Option<LaneValue>, writes: bool) -> LaneAddress {
    let (base, space) = if writes {
        (maker.piece(1), space(1))
    } else if maker.rng.one_in(2) {
        (maker.arena(ArenaPart::TileStatic), MemorySpace::Arena(ArenaPart::TileStatic))
    } else {
        let piece = maker.rng.pick(&[READ_ONLY, CONSTANT]);
        (maker.piece(piece), space(piece))
    };
    let displacement = maker.rng.below(500) as i64;
    let along = match maker.rng.below(3) {
        0 => AddressStep::Step(16),
        1 => AddressStep::Step(16 + maker.rng.below(64) as i64),
        _ => AddressStep::Each(each(maker, 16, mask)),
    };
    LaneAddress { space, base, offset: None, displacement, along, stored: Stored::I32 }
}
