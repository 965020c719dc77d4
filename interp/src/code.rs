//! The bytecode: what [`compile`](super::compile) writes and [`exec`](super::exec) runs. Data only.
//!
//! An instruction names its operands by [`FrameSlot`]. Those too long for a few words keep their parts in a table of [`Bytecode`] and carry its index.

use super::copy::ScalarBytes;
use super::fast::{Binary, Unary};
use super::memory::SpaceId;
use super::place::PlaceCode;
use super::words::{AccessSite, PlaceWords};
use tilewise_ir::kernel::{AtomicOp, Fence, InstId, LabelId, ValueId};
use tilewise_ir::ops::{Each, WholeMeaning};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Name, Scalar, Stored};

/// A lane of the frame: where a component of a value lies. A value of several components has as many slots in a row.
pub(super) type FrameSlot = u32;

/// A place in [`Bytecode::instrs`].
pub(super) type JumpTarget = u32;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    /// Burns fuel for the straight run of kernel instructions that begins here.
    Count(u32),
    /// Copies a lane.
    Copy { to: FrameSlot, from: FrameSlot },
    /// Copies several lanes.
    CopyLanes { to: FrameSlot, from: FrameSlot, count: u32 },
    /// Sets a lane to a number.
    Set { to: FrameSlot, value: u32 },
    /// Clears lanes.
    Zero { to: FrameSlot, count: u32 },
    /// A scalar operation of two arguments that has a direct way.
    Binary { op: Binary, to: FrameSlot, a: FrameSlot, b: FrameSlot },
    /// A scalar operation of one argument that has a direct way.
    Unary { op: Unary, to: FrameSlot, a: FrameSlot },
    /// `to = condition ? a : b` on one lane.
    Select { to: FrameSlot, condition: FrameSlot, a: FrameSlot, b: FrameSlot },
    /// Any other operation: an index into [`Bytecode::applies`].
    Apply(u32),
    /// `to = from[index]`, zero out of range: a vector's component.
    Component { to: FrameSlot, from: FrameSlot, index: FrameSlot, width: u8 },
    /// `to[index] = from`, nothing out of range: a component of a vector variable.
    SetComponent { to: FrameSlot, from: FrameSlot, index: FrameSlot, width: u8 },
    /// Brings lanes into the range of a narrow format, as storing and loading them would.
    Narrow { at: FrameSlot, stored: Stored, width: u8 },
    /// Makes a view: an index into [`Bytecode::views`].
    View(u32),
    /// Loads a 32-bit scalar element of a view of rank 1.
    LoadWord { to: FrameSlot, view: FrameSlot, index: FrameSlot },
    /// Stores one.
    StoreWord { from: FrameSlot, view: FrameSlot, index: FrameSlot },
    /// Loads a scalar or vector from a place: an index into [`Bytecode::places`].
    Load { to: FrameSlot, place: u32, stored: Stored, width: u8 },
    /// Stores one.
    Store { from: FrameSlot, place: u32, stored: Stored, width: u8 },
    /// Clears bytes of private memory; `unset` if the variable was declared without a value.
    ClearPrivate { at: u32, size: u32, unset: bool },
    /// Copies an aggregate: an index into [`Bytecode::copies`].
    CopyPlace(u32),
    /// An index into [`Bytecode::atomics`].
    Atomic(u32),
    /// An index into [`Bytecode::exchanges`].
    CompareExchange(u32),
    /// Goes on elsewhere.
    Jump(JumpTarget),
    /// Goes on elsewhere if the lane is true.
    JumpIf { condition: FrameSlot, to: JumpTarget },
    /// Goes on elsewhere if the lane is false.
    JumpUnless { condition: FrameSlot, to: JumpTarget },
    /// Compares, and goes on elsewhere if the answer is false: a condition that nothing else uses.
    JumpUnlessBinary { op: Binary, a: FrameSlot, b: FrameSlot, to: JumpTarget },
    /// Goes where [`Bytecode::switches`] says.
    Switch { selector: FrameSlot, table: u32 },
    /// Begins another round of a loop that has a barrier inside.
    Round { counter: FrameSlot },
    /// Stops at a barrier: an index into [`Bytecode::barriers`].
    Barrier(u32),
    /// Prints: an index into [`Bytecode::messages`].
    Print(u32),
    /// Ends the thread with a message: an index into [`Bytecode::messages`].
    Error(u32),
    /// Ends the thread.
    Abort,
    /// Tells the observer: an index into [`Bytecode::watches`].
    Watch(u32),
    /// Comes to the end of the kernel.
    Return,
}

/// A compiled kernel, bound to a launch.
#[derive(Debug)]
pub(super) struct Bytecode {
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
    /// For each instruction, its number in [`Bytecode::sites`] if it has one.
    pub(super) site_of: Vec<u32>,
    /// The instructions that access memory or could be out of range.
    pub(super) sites: Vec<AccessSite>,
    pub(super) watches: Vec<WatchCode>,
    /// The lanes that are alike in all threads; the frame begins with them.
    pub(super) shared: Vec<u64>,
    /// What of a thread's position lies where in the frame, behind the shared lanes.
    pub(super) positions: Vec<(Position, FrameSlot)>,
    /// The first lane of a thread's own.
    pub(super) own: FrameSlot,
    /// All lanes of a frame.
    pub(super) lanes: FrameSlot,
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
    pub(super) meaning: OpMeaning,
    pub(super) to: FrameSlot,
    /// Lanes of the result.
    pub(super) result_width: u8,
    /// The common width.
    pub(super) width: u8,
    /// First lane and width of each argument.
    pub(super) args: Vec<(FrameSlot, u8)>,
}

/// What a row gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpMeaning {
    Each(Each),
    Whole(WholeMeaning),
}

/// An instruction that makes a view.
#[derive(Debug)]
pub(super) struct ViewCode {
    pub(super) kind: ViewKind,
    pub(super) to: FrameSlot,
    pub(super) from: FrameSlot,
    /// Rank of the view it is made from.
    pub(super) rank: u32,
    /// Bytes from one element to the next in a dense view of the one it is made from.
    pub(super) size: u64,
}

/// The ways to make a view from another.
#[derive(Debug)]
pub(super) enum ViewKind {
    Section { origin: Vec<FrameSlot>, extent: Vec<FrameSlot> },
    Project { index: FrameSlot },
    Reinterpret { size: u64 },
    ViewAs { extent: Vec<FrameSlot> },
}

/// A copy of an aggregate.
#[derive(Debug)]
pub(super) struct CopyCode {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) shape: ScalarBytes,
}

/// An atomic.
#[derive(Debug)]
pub(super) struct AtomicCode {
    pub(super) op: AtomicOp,
    pub(super) scalar: Scalar,
    pub(super) place: u32,
    pub(super) value: Option<FrameSlot>,
    pub(super) to: Option<FrameSlot>,
}

/// A compare-exchange.
#[derive(Debug)]
pub(super) struct ExchangeCode {
    pub(super) scalar: Scalar,
    pub(super) place: u32,
    pub(super) expected: FrameSlot,
    pub(super) new: FrameSlot,
    pub(super) to: Option<FrameSlot>,
    pub(super) equal: FrameSlot,
}

/// Where a switch goes.
#[derive(Debug)]
pub(super) struct SwitchCode {
    /// Sorted by value.
    pub(super) cases: Vec<(u32, JumpTarget)>,
    pub(super) default: JumpTarget,
}

/// A barrier.
#[derive(Debug)]
pub(super) struct BarrierCode {
    pub(super) pos: Pos,
    pub(super) fence: Fence,
    /// Where threads go on behind it.
    pub(super) resume: JumpTarget,
    /// The round counters of the loops around it, the outermost first.
    pub(super) counters: Vec<FrameSlot>,
}

/// The text of a print or an error.
#[derive(Debug)]
pub(super) struct MessageCode {
    pub(super) pieces: Vec<Name>,
    pub(super) values: Vec<(FrameSlot, Data)>,
}

/// What the observer is told.
#[derive(Clone, Copy, Debug)]
pub(super) enum WatchCode {
    /// The instruction begins.
    Begins(InstId),
    /// A value was computed, so many lanes from a slot on.
    Value(ValueId, FrameSlot, u32),
    /// A loop begins, or a round of it.
    Loop(LabelId),
    Round(LabelId),
}
