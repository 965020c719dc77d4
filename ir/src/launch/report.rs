//! Findings of the reference accelerator's checks, as plain data. Their text is in `wording`.

use crate::pos::Pos;
use crate::types::{Scalar, Stored};

/// An error that a kernel made at run time. The launch continued with the meaning that the language
/// defines.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckReport {
    /// The finding.
    pub finding: Finding,
    /// The access at fault; for a race, the second one.
    pub access: Touch,
    /// Number of repetitions: findings of the same kind at the same source positions.
    pub again: u64,
}

/// The kinds of [`CheckReport`].
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// An access outside a place's extent: it read zero or wrote nothing.
    OutOfRange(OutOf),
    /// Two threads accessed the same bytes without ordering, at least one of them writing.
    Race {
        /// The access that came first.
        first: Touch,
        /// The memory accessed.
        memory: Where,
        /// Whether both threads belong to one tile.
        same_tile: bool,
    },
    /// A read of bytes that were never written.
    ReadBeforeWrite(Where),
    /// A new view does not lie within its source view; the new view is empty.
    NotWithin {
        /// The source view.
        view: String,
        /// The mismatch.
        cut: Cut,
    },
    /// An atomic operation on a word whose address is not a multiple of its size; it changed
    /// nothing.
    Misaligned {
        /// Bytes of the word.
        size: u64,
        /// Offset of the word from the previous multiple of `size`.
        behind: u64,
    },
    /// Integer arithmetic or a conversion whose result is not the number that it would be without
    /// bounds.
    Arithmetic {
        /// The kind.
        slip: ArithmeticSlip,
        /// The operation, with numbers for its operands: `2147483647 + 1`.
        operation: String,
        /// The type of the operands.
        from: Scalar,
        /// The type of the result.
        to: Stored,
    },
}

/// The kinds of [`Finding::Arithmetic`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArithmeticSlip {
    /// An integer division or remainder by zero.
    DivisionByZero,
    /// A sum, difference, product, quotient or negative beyond the range of its type.
    Overflow,
    /// A shift by the width of the type or more, or by a negative amount.
    Shift,
    /// A conversion to an integer type that does not have the number.
    LossyConversion,
}

/// An index that is out of range.
#[derive(Clone, PartialEq, Debug)]
pub struct OutOf {
    /// The indexed object: `t`, or `particles[3].weights`.
    pub object: String,
    /// The dimension, for a view with more than one.
    pub dimension: Option<u32>,
    /// The index.
    pub index: i64,
    /// The number of elements.
    pub extent: u64,
    /// Of a texture's level that does not exist, how many levels the texture has.
    pub levels: Option<u32>,
}

/// The reason why a new view does not fit into its source view.
#[derive(Clone, PartialEq, Debug)]
pub enum Cut {
    /// A section exceeds a dimension.
    Section {
        /// The dimension.
        dimension: u32,
        /// Its origin there.
        origin: i32,
        /// Its extent there.
        length: i32,
        /// The extent of the source view there.
        extent: u64,
    },
    /// A projection at an index out of range.
    Project {
        /// The index.
        index: i64,
        /// The extent of the most significant dimension.
        extent: u64,
    },
    /// A reinterpretation as elements of another type.
    Reinterpret {
        /// Bytes of all elements.
        bytes: u64,
        /// Bytes of a new element.
        size: u64,
        /// Whether the elements are contiguous.
        dense: bool,
    },
    /// A view of another shape.
    ViewAs {
        /// The requested shape.
        shape: Vec<i32>,
        /// Number of elements of the source view.
        extent: u64,
        /// Whether the elements are contiguous.
        dense: bool,
    },
}

/// A kind of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Where {
    /// Views and buffers.
    Global,
    /// `tile_static` variables.
    TileStatic,
    /// Private variables of a thread.
    Local,
}

/// One access by one thread.
#[derive(Clone, PartialEq, Debug)]
pub struct Touch {
    /// The kind of access.
    pub did: MemoryAct,
    /// Its source position.
    pub pos: Pos,
    /// Linear index of the thread in the domain.
    pub thread: u64,
    /// The index of the thread.
    pub index: Vec<i32>,
    /// Position of its tile; empty in an untiled kernel.
    pub tile: Vec<i32>,
    /// The accessed place in source syntax, with numbers for indices: `t[4]`. For a view made in
    /// the kernel, the element of the parameter.
    pub place: String,
    /// The written value, if it is one scalar or vector.
    pub value: Option<String>,
}

/// The kinds of access to memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryAct {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic.
    Atomic,
    /// The creation of a view; no access.
    Cut,
    /// An operation on numbers; no access.
    Compute,
}
