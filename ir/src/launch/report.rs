//! What the checks of the reference accelerator find, as plain data. How it reads is in [`say`](super::say).

use crate::pos::Pos;

/// Something that a kernel did and should not have done. The launch went on with the meaning that the language gives it.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckReport {
    /// What was found.
    pub finding: Finding,
    /// The access at fault; of a race, the one that came second.
    pub access: Touch,
    /// How often the same was found again: the same kind at the same places of the source.
    pub again: u64,
}

/// The kinds of [`CheckReport`].
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// An access outside a place's extent: it read zero or wrote nothing.
    OutOfRange(OutOf),
    /// Two threads accessed the same bytes, one of them writing, and nothing ordered them.
    Race {
        /// The access that came first.
        first: Touch,
        /// Which memory.
        memory: Where,
        /// Do both threads belong to one tile?
        same_tile: bool,
    },
    /// A read of bytes that nothing had written.
    ReadBeforeWrite(Where),
    /// A view that was to be made does not lie within the one it is made from: it is empty.
    NotWithin {
        /// The view it was to be made from.
        view: String,
        /// How it does not fit.
        cut: Cut,
    },
    /// An atomic operation on a word that does not lie at a multiple of its size: it changed nothing.
    Misaligned {
        /// Bytes of the word.
        size: u64,
        /// Bytes from the last multiple of that to the word.
        behind: u64,
    },
}

/// An index that is out of range.
#[derive(Clone, PartialEq, Debug)]
pub struct OutOf {
    /// What was indexed: `t`, or `particles[3].weights`.
    pub object: String,
    /// The dimension, of a view with more than one.
    pub dimension: Option<u32>,
    /// The index.
    pub index: i64,
    /// How many there are.
    pub extent: u64,
}

/// A view that does not fit into the one it is made from.
#[derive(Clone, PartialEq, Debug)]
pub enum Cut {
    /// A section reaches out in a dimension.
    Section {
        /// The dimension.
        dimension: u32,
        /// Its origin there.
        origin: i32,
        /// Its extent there.
        length: i32,
        /// The extent of the view it is cut from.
        extent: u64,
    },
    /// A projection at an index out of range.
    Project {
        /// The index.
        index: i64,
        /// The extent of the most significant dimension.
        extent: u64,
    },
    /// Elements of another type.
    Reinterpret {
        /// Bytes of all elements.
        bytes: u64,
        /// Bytes of a new one.
        size: u64,
        /// Do the elements lie side by side?
        dense: bool,
    },
    /// Another shape.
    ViewAs {
        /// The shape that was asked for.
        shape: Vec<i32>,
        /// Elements that there are.
        extent: u64,
        /// Do the elements lie side by side?
        dense: bool,
    },
}

/// A kind of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Where {
    /// Views and buffers.
    Global,
    /// The tile's.
    TileStatic,
    /// A thread's own.
    Local,
}

/// One access by one thread.
#[derive(Clone, PartialEq, Debug)]
pub struct Touch {
    /// What the thread did.
    pub did: MemoryAct,
    /// Where the source says so.
    pub pos: Pos,
    /// Linear index of the thread in the domain.
    pub thread: u64,
    /// Its index.
    pub index: Vec<i32>,
    /// Position of its tile; empty in an untiled kernel.
    pub tile: Vec<i32>,
    /// What it accessed, in the words of the source and with numbers for indices: `t[4]`. Of views made in the kernel, the element of the parameter.
    pub place: String,
    /// What it wrote, if that is one scalar or vector.
    pub value: Option<String>,
}

/// What a thread does to memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryAct {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic.
    Atomic,
    /// No access: it made a view.
    Cut,
}
