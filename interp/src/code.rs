//! The bytecode that [`compile`](super::compile) generates and [`exec`](super::exec) runs, as plain
//! data.
//!
//! An instruction names its operands by [`FrameSlot`]. The parts of a long instruction are in a
//! table of [`Bytecode`], and the instruction has the index.

use super::copy::ScalarBytes;
use super::detect::arithmetic::ArithmeticRule;
use super::fast::{Binary, Unary};
use super::memory::SpaceId;
use super::place::PlaceCode;
use super::words::{AccessSite, PlaceWords};
use tilewise_ir::kernel::{AtomicOp, Fence, InstId, LabelId, Message, ValueId};
use tilewise_ir::ops::{Each, Op, WholeMeaning};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, Stored};

/// Index of a lane of the frame, which stores one component of a value. The components of a value
/// have consecutive slots.
pub(super) type FrameSlot = u32;

/// An index into [`Bytecode::instrs`].
pub(super) type JumpTarget = u32;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    /// Consumes fuel for the straight-line run of kernel instructions that begins here.
    Count(u32),
    /// Copies a lane.
    Copy { to: FrameSlot, from: FrameSlot },
    /// Copies several lanes.
    CopyLanes { to: FrameSlot, from: FrameSlot, count: u32 },
    /// Sets a lane to a number.
    Set { to: FrameSlot, value: u32 },
    /// Clears lanes.
    Zero { to: FrameSlot, count: u32 },
    /// A scalar operation of two arguments that has a fast implementation.
    Binary { op: Binary, to: FrameSlot, a: FrameSlot, b: FrameSlot },
    /// A scalar operation of one argument that has a fast implementation.
    Unary { op: Unary, to: FrameSlot, a: FrameSlot },
    /// `to = condition ? a : b` on one lane.
    Select { to: FrameSlot, condition: FrameSlot, a: FrameSlot, b: FrameSlot },
    /// Any other operation: an index into [`Bytecode::applies`].
    Apply(u32),
    /// `to = from[index]`, zero out of range: a vector's component.
    Component { to: FrameSlot, from: FrameSlot, index: FrameSlot, width: u8 },
    /// `to[index] = from`, nothing out of range: a component of a vector variable.
    SetComponent { to: FrameSlot, from: FrameSlot, index: FrameSlot, width: u8 },
    /// Truncates lanes to a narrow format, as a store and a load would.
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
    /// Jumps.
    Jump(JumpTarget),
    /// Jumps if the lane is true.
    JumpIf { condition: FrameSlot, to: JumpTarget },
    /// Jumps if the lane is false.
    JumpUnless { condition: FrameSlot, to: JumpTarget },
    /// Compares, and jumps if the result is false: fused from a condition without other uses.
    JumpUnlessBinary { op: Binary, a: FrameSlot, b: FrameSlot, to: JumpTarget },
    /// Jumps to a target in [`Bytecode::switches`].
    Switch { selector: FrameSlot, table: u32 },
    /// Begins another iteration of a loop that contains a barrier.
    Round { counter: FrameSlot },
    /// Stops at a barrier: an index into [`Bytecode::barriers`].
    Barrier(u32),
    /// Prints: an index into [`Bytecode::messages`].
    Print(u32),
    /// Ends the thread with a message: an index into [`Bytecode::messages`].
    Error(u32),
    /// Ends the thread.
    Abort,
    /// Notifies the observer: an index into [`Bytecode::watches`].
    Watch(u32),
    /// Shows the operands of the operation behind it to the watcher: an index into
    /// [`Bytecode::arithmetic`].
    Arithmetic(u32),
    /// Ends the kernel.
    Return,
}

/// A compiled kernel, bound to a launch.
#[derive(Debug)]
pub(super) struct Bytecode {
    pub(super) instrs: Vec<Instr>,
    pub(super) applies: Vec<Apply>,
    pub(super) views: Vec<ViewCode>,
    pub(super) places: Vec<PlaceCode>,
    pub(super) copies: Vec<CopyCode>,
    pub(super) atomics: Vec<AtomicCode>,
    pub(super) exchanges: Vec<ExchangeCode>,
    pub(super) switches: Vec<SwitchCode>,
    pub(super) barriers: Vec<BarrierCode>,
    pub(super) messages: Vec<MessageCode>,
    pub(super) watches: Vec<WatchCode>,
    pub(super) arithmetic: Vec<ArithmeticCode>,
    pub(super) report: ReportTables,
    pub(super) frame: FrameLayout,
    pub(super) launch: DomainBinding,
}

/// An operation whose operands are checked.
#[derive(Clone, Debug)]
pub(super) struct ArithmeticCode {
    pub(super) op: Op,
    pub(super) rule: ArithmeticRule,
    /// The type of the operands.
    pub(super) scalar: Scalar,
    /// The type of the result.
    pub(super) result: Stored,
    /// The number of components.
    pub(super) width: u8,
    /// The operands.
    pub(super) args: Vec<FrameSlot>,
}

/// What reports tell about instructions and places in terms of the source.
#[derive(Default, Debug)]
pub(super) struct ReportTables {
    /// For each instruction, its source position.
    pub(super) pos: Vec<Pos>,
    /// For each place, its description in source terms.
    pub(super) words: Vec<PlaceWords>,
    /// For each instruction, its index in [`ReportTables::sites`] if it has one.
    pub(super) site_of: Vec<u32>,
    /// The instructions that access memory or could be out of range.
    pub(super) sites: Vec<AccessSite>,
}

/// The layout of a thread's frame and private memory.
#[derive(Debug)]
pub(super) struct FrameLayout {
    /// The initial lanes of every frame, uniform over all threads.
    pub(super) shared: Vec<u64>,
    /// The slots of the parts of a thread's position, after the shared lanes.
    pub(super) positions: Vec<(Position, FrameSlot)>,
    /// The first lane private to a thread.
    pub(super) own: FrameSlot,
    /// Number of lanes of a frame.
    pub(super) lanes: FrameSlot,
    /// Bytes of private memory of a thread.
    pub(super) private: u64,
}

/// The part of a launch that the code depends on.
#[derive(Debug)]
pub(super) struct DomainBinding {
    /// The domain, and the tile (all ones for an untiled kernel).
    pub(super) domain: Vec<u32>,
    pub(super) tile: Vec<u32>,
    /// The spaces of the memory private to a tile and to a thread.
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

/// An operation, evaluated by the meaning of its row.
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

/// The meaning of a row.
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
    /// Rank of the source view.
    pub(super) rank: u32,
    /// Bytes between consecutive elements of a dense view with the source's element type.
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
    /// Is it only a store: an exchange whose result nobody uses?
    pub(super) stores: bool,
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

/// The targets of a switch.
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
    /// Where threads resume after it.
    pub(super) resume: JumpTarget,
    /// The iteration counters of the enclosing loops, the outermost first.
    pub(super) counters: Vec<FrameSlot>,
}

/// The text of a print or an error.
#[derive(Debug)]
pub(super) struct MessageCode {
    pub(super) message: Message,
    pub(super) values: Vec<(FrameSlot, Data)>,
}

/// An event for the observer.
#[derive(Clone, Copy, Debug)]
pub(super) enum WatchCode {
    /// The instruction begins.
    Begins(InstId),
    /// A value was computed; its first slot and number of lanes.
    Value(ValueId, FrameSlot, u32),
    /// A loop begins, or an iteration of it.
    Loop(LabelId),
    Round(LabelId),
}
