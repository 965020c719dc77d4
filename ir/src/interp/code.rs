//! The bytecode: what [`compile`](super::compile) writes and [`exec`](super::exec) runs. Data only.
//!
//! An instruction names its operands by [`Slot`]. Those too long for a few words keep their parts in a table of [`Code`] and carry its index.

use super::copy::Shape;
use super::fast::{Binary, Unary};
use super::memory::SpaceId;
use super::place::PlaceCode;
use super::words::{PlaceWords, Site};
use crate::kernel::{AtomicOp, Fence, InstId, LabelId, ValueId};
use crate::ops::{Each, Whole};
use crate::pos::Pos;
use crate::types::{Data, Name, Scalar, Stored};

/// A lane of the frame: where a component of a value lies. A value of several components has as many slots in a row.
pub(super) type Slot = u32;

/// A place in [`Code::instrs`].
pub(super) type Target = u32;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    /// Burns fuel for the straight run of kernel instructions that begins here.
    Count(u32),
    /// Copies a lane.
    Copy { to: Slot, from: Slot },
    /// Copies several lanes.
    CopyLanes { to: Slot, from: Slot, count: u32 },
    /// Sets a lane to a number.
    Set { to: Slot, value: u32 },
    /// Clears lanes.
    Zero { to: Slot, count: u32 },
    /// A scalar operation of two arguments that has a direct way.
    Binary { op: Binary, to: Slot, a: Slot, b: Slot },
    /// A scalar operation of one argument that has a direct way.
    Unary { op: Unary, to: Slot, a: Slot },
    /// `to = condition ? a : b` on one lane.
    Select { to: Slot, condition: Slot, a: Slot, b: Slot },
    /// Any other operation: an index into [`Code::applies`].
    Apply(u32),
    /// `to = from[index]`, zero out of range: a vector's component.
    Component { to: Slot, from: Slot, index: Slot, width: u8 },
    /// `to[index] = from`, nothing out of range: a component of a vector variable.
    SetComponent { to: Slot, from: Slot, index: Slot, width: u8 },
    /// Brings lanes into the range of a narrow format, as storing and loading them would.
    Narrow { at: Slot, stored: Stored, width: u8 },
    /// Makes a view: an index into [`Code::views`].
    View(u32),
    /// Loads a 32-bit scalar element of a view of rank 1.
    LoadWord { to: Slot, view: Slot, index: Slot },
    /// Stores one.
    StoreWord { from: Slot, view: Slot, index: Slot },
    /// Loads a scalar or vector from a place: an index into [`Code::places`].
    Load { to: Slot, place: u32, stored: Stored, width: u8 },
    /// Stores one.
    Store { from: Slot, place: u32, stored: Stored, width: u8 },
    /// Clears bytes of private memory; `unset` if the variable was declared without a value.
    ClearPrivate { at: u32, size: u32, unset: bool },
    /// Copies an aggregate: an index into [`Code::copies`].
    CopyPlace(u32),
    /// An index into [`Code::atomics`].
    Atomic(u32),
    /// An index into [`Code::exchanges`].
    CompareExchange(u32),
    /// Goes on elsewhere.
    Jump(Target),
    /// Goes on elsewhere if the lane is true.
    JumpIf { condition: Slot, to: Target },
    /// Goes on elsewhere if the lane is false.
    JumpUnless { condition: Slot, to: Target },
    /// Compares, and goes on elsewhere if the answer is false: a condition that nothing else uses.
    JumpUnlessBinary { op: Binary, a: Slot, b: Slot, to: Target },
    /// Goes where [`Code::switches`] says.
    Switch { selector: Slot, table: u32 },
    /// Begins another round of a loop that has a barrier inside.
    Round { counter: Slot },
    /// Stops at a barrier: an index into [`Code::barriers`].
    Barrier(u32),
    /// Prints: an index into [`Code::messages`].
    Print(u32),
    /// Ends the thread with a message: an index into [`Code::messages`].
    Error(u32),
    /// Ends the thread.
    Abort,
    /// Tells the observer: an index into [`Code::watches`].
    Watch(u32),
    /// Comes to the end of the kernel.
    Return,
}

/// A compiled kernel, bound to a launch.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) instrs: Vec<Instr>,
    /// For each instruction, where the source says it.
    pub(super) pos: Vec<Pos>,
    pub(super) applies: Vec<Apply>,
    pub(super) views: Vec<ViewCode>,
    pub(super) places: Vec<PlaceCode>,
    pub(super) copies: Vec<CopyCode>,
    pub(super) atomics: Vec<AtomicCode>,
    pub(super) exchanges: Vec<ExchangeCode>,
    pub(super) switches: Vec<SwitchCode>,
    pub(super) barriers: Vec<BarrierCode>,
    pub(super) messages: Vec<MessageCode>,
    /// For each place, how the source calls it.
    pub(super) words: Vec<PlaceWords>,
    /// For each instruction, its number in [`Code::sites`] if it has one.
    pub(super) site_of: Vec<u32>,
    /// The instructions that access memory or could be out of range.
    pub(super) sites: Vec<Site>,
    pub(super) watches: Vec<WatchCode>,
    /// The lanes that are alike in all threads; the frame begins with them.
    pub(super) shared: Vec<u64>,
    /// What of a thread's position lies where in the frame, behind the shared lanes.
    pub(super) positions: Vec<(Position, Slot)>,
    /// The first lane of a thread's own.
    pub(super) own: Slot,
    /// All lanes of a frame.
    pub(super) lanes: Slot,
    /// Bytes of private memory of a thread.
    pub(super) private: u64,
    /// The domain, and the tile (all ones for an untiled kernel).
    pub(super) domain: Vec<u32>,
    pub(super) tile: Vec<u32>,
    /// The spaces that a thread's own memory lies in.
    pub(super) tile_space: SpaceId,
    pub(super) private_space: SpaceId,
}

/// A part of a thread's position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Position {
    Global(usize),
    Local(usize),
    Tile(usize),
    TileOrigin(usize),
}

/// An operation by its row.
#[derive(Debug)]
pub(super) struct Apply {
    pub(super) meaning: Meaning,
    pub(super) to: Slot,
    /// Lanes of the result.
    pub(super) result_width: u8,
    /// The common width.
    pub(super) width: u8,
    /// First lane and width of each argument.
    pub(super) args: Vec<(Slot, u8)>,
}

/// What a row gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Each(Each),
    Whole(Whole),
}

/// An instruction that makes a view.
#[derive(Debug)]
pub(super) struct ViewCode {
    pub(super) kind: ViewKind,
    pub(super) to: Slot,
    pub(super) from: Slot,
    /// Rank of the view it is made from.
    pub(super) rank: u32,
    /// Bytes from one element to the next in a dense view of the one it is made from.
    pub(super) size: u64,
}

/// The ways to make a view from another.
#[derive(Debug)]
pub(super) enum ViewKind {
    Section { origin: Vec<Slot>, extent: Vec<Slot> },
    Project { index: Slot },
    Reinterpret { size: u64 },
    ViewAs { extent: Vec<Slot> },
}

/// A copy of an aggregate.
#[derive(Debug)]
pub(super) struct CopyCode {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) shape: Shape,
}

/// An atomic.
#[derive(Debug)]
pub(super) struct AtomicCode {
    pub(super) op: AtomicOp,
    pub(super) scalar: Scalar,
    pub(super) place: u32,
    pub(super) value: Option<Slot>,
    pub(super) to: Option<Slot>,
}

/// A compare-exchange.
#[derive(Debug)]
pub(super) struct ExchangeCode {
    pub(super) scalar: Scalar,
    pub(super) place: u32,
    pub(super) expected: Slot,
    pub(super) new: Slot,
    pub(super) to: Option<Slot>,
    pub(super) equal: Slot,
}

/// Where a switch goes.
#[derive(Debug)]
pub(super) struct SwitchCode {
    /// Sorted by value.
    pub(super) cases: Vec<(u32, Target)>,
    pub(super) default: Target,
}

/// A barrier.
#[derive(Debug)]
pub(super) struct BarrierCode {
    pub(super) pos: Pos,
    pub(super) fence: Fence,
    /// Where threads go on behind it.
    pub(super) resume: Target,
    /// The round counters of the loops around it, the outermost first.
    pub(super) counters: Vec<Slot>,
}

/// The text of a print or an error.
#[derive(Debug)]
pub(super) struct MessageCode {
    pub(super) pieces: Vec<Name>,
    pub(super) values: Vec<(Slot, Data)>,
}

/// What the observer is told.
#[derive(Clone, Copy, Debug)]
pub(super) enum WatchCode {
    /// The instruction begins.
    Begins(InstId),
    /// A value was computed, so many lanes from a slot on.
    Value(ValueId, Slot, u32),
    /// A loop begins, or a round of it.
    Loop(LabelId),
    Round(LabelId),
}
