//! The small closed sets of keywords in instructions: built-ins, kinds of fences, atomic
//! operations.

use crate::types::Scalar;

/// A property of the thread or the launch. Each is an `i32` and has a dimension, 0 the most
/// significant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Builtin {
    /// Position in the domain.
    Global(u32),
    /// Position in the tile.
    Local(u32),
    /// Position of the tile.
    Tile(u32),
    /// Position of the tile's first thread in the domain.
    TileOrigin(u32),
    /// Size of the domain.
    DomainExtent(u32),
    /// Size of a tile: a constant of the kernel.
    TileExtent(u32),
    /// Number of tiles.
    TileCount(u32),
}

/// The name of a kind of [`Builtin`], and its constructor from a dimension.
pub type BuiltinKind = (&'static str, fn(u32) -> Builtin);

impl Builtin {
    /// Every kind: its name and its constructor.
    pub const KINDS: [BuiltinKind; 7] = [
        ("global", Builtin::Global),
        ("local", Builtin::Local),
        ("tile", Builtin::Tile),
        ("tile_origin", Builtin::TileOrigin),
        ("domain_extent", Builtin::DomainExtent),
        ("tile_extent", Builtin::TileExtent),
        ("tile_count", Builtin::TileCount),
    ];

    /// The name in the text form, without the dimension.
    pub const fn name(self) -> &'static str {
        match self {
            Builtin::Global(_) => "global",
            Builtin::Local(_) => "local",
            Builtin::Tile(_) => "tile",
            Builtin::TileOrigin(_) => "tile_origin",
            Builtin::DomainExtent(_) => "domain_extent",
            Builtin::TileExtent(_) => "tile_extent",
            Builtin::TileCount(_) => "tile_count",
        }
    }

    /// The dimension.
    pub const fn dimension(self) -> u32 {
        match self {
            Builtin::Global(d)
            | Builtin::Local(d)
            | Builtin::Tile(d)
            | Builtin::TileOrigin(d)
            | Builtin::DomainExtent(d)
            | Builtin::TileExtent(d)
            | Builtin::TileCount(d) => d,
        }
    }

    /// Whether it exists only in a tiled kernel.
    pub const fn needs_tile(self) -> bool {
        !matches!(self, Builtin::Global(_) | Builtin::DomainExtent(_))
    }
}

/// The memory that a barrier or a fence orders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fence {
    /// Views, buffers and `tile_static`.
    All,
    /// Views and buffers.
    Global,
    /// `tile_static`.
    TileStatic,
}

impl Fence {
    /// All of them.
    pub const ALL: [Fence; 3] = [Fence::All, Fence::Global, Fence::TileStatic];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Fence::All => "all",
            Fence::Global => "global",
            Fence::TileStatic => "tile_static",
        }
    }
}

/// The operation of an [`Atomic`](super::InstKind::Atomic).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicOp {
    /// Adds, wrapping; on `f32` with one rounding.
    Add,
    /// Subtracts, wrapping.
    Sub,
    /// Keeps the smaller.
    Min,
    /// Keeps the larger.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Adds 1, wrapping; has no operand.
    Inc,
    /// Subtracts 1, wrapping; has no operand.
    Dec,
    /// Stores the operand.
    Exchange,
}

impl AtomicOp {
    /// All of them.
    pub const ALL: [AtomicOp; 10] = [
        AtomicOp::Add,
        AtomicOp::Sub,
        AtomicOp::Min,
        AtomicOp::Max,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Inc,
        AtomicOp::Dec,
        AtomicOp::Exchange,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Sub => "atomic_sub",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max => "atomic_max",
            AtomicOp::And => "atomic_and",
            AtomicOp::Or => "atomic_or",
            AtomicOp::Xor => "atomic_xor",
            AtomicOp::Inc => "atomic_inc",
            AtomicOp::Dec => "atomic_dec",
            AtomicOp::Exchange => "atomic_exchange",
        }
    }

    /// Whether it has an operand.
    pub const fn takes_operand(self) -> bool {
        match self {
            AtomicOp::Inc | AtomicOp::Dec => false,
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Min
            | AtomicOp::Max
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Exchange => true,
        }
    }

    /// Whether it exists for this scalar.
    pub const fn accepts(self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => true,
            Scalar::F32 => matches!(self, AtomicOp::Add | AtomicOp::Exchange),
            Scalar::Bool | Scalar::F64 => false,
        }
    }
}
