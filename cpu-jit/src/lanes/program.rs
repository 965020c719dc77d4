//! The data types of a lane program. The parent module's page defines their meaning.

use std::fmt;
use std::mem;
use std::sync::Arc;

use smallvec::SmallVec;
use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::math::promise::Promise;
use tilewise_ir::ops::{Instance, Op};
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::{try_with_block, with_block};
use tilewise_ir::types::{Scalar, Stored};

use crate::hash::HashMap;

/// The type of one lane, or of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elem {
    /// A truth value.
    Bool,
    /// 32 bits; operations determine the signedness.
    I32,
    /// 64 bits; also a pointer.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Elem {
    /// The element that holds a scalar of the kernel language.
    pub const fn of(scalar: Scalar) -> Elem {
        match scalar {
            Scalar::Bool => Elem::Bool,
            Scalar::I32 | Scalar::U32 => Elem::I32,
            Scalar::I64 | Scalar::U64 => Elem::I64,
            Scalar::F32 => Elem::F32,
            Scalar::F64 => Elem::F64,
        }
    }

    /// The name in dumps.
    pub const fn name(self) -> &'static str {
        match self {
            Elem::Bool => "bool",
            Elem::I32 => "i32",
            Elem::I64 => "i64",
            Elem::F32 => "f32",
            Elem::F64 => "f64",
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneType {
    /// One value for all threads of the strip.
    Scalar(Elem),
    /// One value for each thread of the strip. Lanes of `Bool` are a mask.
    Lanes(Elem),
}

impl LaneType {
    /// The element type.
    pub const fn elem(self) -> Elem {
        match self {
            LaneType::Scalar(elem) | LaneType::Lanes(elem) => elem,
        }
    }

    /// Does it hold one value per thread?
    pub const fn is_lanes(self) -> bool {
        matches!(self, LaneType::Lanes(_))
    }

    /// A mask.
    pub const MASK: LaneType = LaneType::Lanes(Elem::Bool);
}

/// A value of a program; its type is in [`LaneProgram::types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LaneValue(pub u32);

impl LaneValue {
    /// Its index, for tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A kernel as vector code of one width.
#[derive(Clone, Debug)]
pub struct LaneProgram {
    /// The kernel's name.
    pub name: Arc<str>,
    /// Lanes: 1, 4, 8, 16, 32 or 64.
    pub width: u32,
    /// The type of each value.
    pub types: Vec<LaneType>,
    /// The meaning of each word of the argument block.
    pub inputs: Vec<ArgumentWord>,
    /// The four scalars that the caller passes.
    pub given: [LaneValue; 4],
    /// The code. Its results are empty.
    pub body: LaneBlock,
    /// The sizes of its arena, the worker's memory.
    pub arena: ArenaSizes,
    /// For each buffer space, whether anything in this launch may write to it. Loads from a space
    /// without writers may be moved anywhere.
    pub writable: Vec<bool>,
    /// For each [`Effect::Copy`], the stored scalars that are copied: byte offset from the
    /// destination address, byte offset from the source address, format.
    pub copies: Vec<Vec<(u64, u64, Stored)>>,
    /// For each [`Effect::Message`]: its position and kind.
    pub messages: Vec<(Pos, MessageKind)>,
    /// Where threads can stop; [`ExitStatus::Diverged`] reports which thread stopped where.
    pub stops: Vec<ThreadStop>,
    /// Words per thread in [`ArenaPart::Votes`].
    pub vote_words: u32,
    /// May a reported divergence be spurious? Threads stop at a barrier if others are elsewhere; if
    /// all of those later end by `error` or `abort`, no thread was missing. Then all threads that
    /// have not ended are on one side, and the interpreter must repeat the launch from its
    /// beginning.
    pub doubtful: bool,
    /// How branches and loops of the kernel were vectorised, in source order: for the report.
    pub notes: Vec<(Pos, Note)>,
    /// Sources whose sums, products and quotients stay as they are written, also where the launch
    /// permits other roundings: numbers of [`Pos::source`].
    pub precise_sources: Vec<u32>,
    /// Where functions of the math libraries promise something, by [`Pos::key`].
    pub(crate) promises: HashMap<(u32, u32, u32, u32), Promise>,
    /// Should stores of whole vectors to memory that the program does not read bypass the caches?
    /// An emitter may ignore it.
    pub streams: bool,
    /// Are loops of few iterations unrolled?
    pub short_loops: ShortLoops,
    /// Are loops in which threads write runs of their own, or read such that the launch knows how far they
    /// are apart, executed in blocks ([`read_own_runs`](super::read_own_runs))?
    pub own_runs: OwnRuns,
    /// Where in [`ArenaPart::Private`] the elements of such loops are, those of launch memory: from there
    /// to its end.
    pub run_elements: Option<u64>,
    /// Are tiles kept in registers ([`promote`](super::promote))?
    pub promoted: bool,
    /// Are rows of an untiled kernel executed together ([`jam_rows`](super::jam_rows))?
    pub rows: Option<RowGroup>,
}

/// Rows that are executed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowGroup {
    /// How many.
    pub count: u32,
    /// Does a load in a loop serve all of them?
    pub shares: bool,
    /// Its position.
    pub pos: Pos,
}

/// How a branch or a loop of the kernel was vectorised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    /// An `if` or `switch`.
    Branch(LaneControl),
    /// A loop.
    Loop(LaneControl),
    /// A loop whose iterations are written one after another.
    Unrolled,
}

/// What becomes of loops with few iterations, whose number is constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ShortLoops {
    /// There may be none.
    #[default]
    None,
    /// They stay loops: code is to be short.
    Kept,
    /// At least one is unrolled.
    Unrolled,
}

/// What becomes of loops in which threads access runs of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OwnRuns {
    /// There are none.
    #[default]
    None,
    /// They stay as they are: code is to be short, or has too many lanes.
    Kept,
    /// At least one is executed in blocks.
    Blocks,
}

/// How lanes execute a branch or a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneControl {
    /// Uniform: all lanes take the same path.
    Together,
    /// As [`LaneControl::Together`], for the whole tile: there is a barrier inside.
    Tile,
    /// Lanes below a limit take one path: no mask where all do.
    Limit,
    /// Both paths are computed; each lane selects its own result.
    Both,
    /// Each path runs under a mask, if any lane takes it; a loop runs until no lane is active.
    Masked,
}

/// Where a thread can stop.
#[derive(Clone, PartialEq, Debug)]
pub struct ThreadStop {
    /// The barrier, or the `return`.
    pub pos: Pos,
    /// At a barrier: how many loops around it contain a barrier. At a `return`: `None`.
    pub loops: Option<u32>,
}

impl LaneProgram {
    /// The type of a value.
    pub fn ty(&self, value: LaneValue) -> LaneType {
        self.types[value.index()]
    }

    /// Must code at the position be computed as it is written, in every launch?
    pub fn is_precise_at(&self, pos: Pos) -> bool {
        self.precise_sources.contains(&pos.source)
    }

    /// What a math library promises about the operation at a position.
    pub fn promise_at(&self, pos: Pos) -> Option<Promise> {
        self.promises.get(&pos.key()).copied()
    }

    /// Is it where elements of threads' runs are kept for a block of iterations?
    pub fn is_of_runs(&self, at: &LaneAddress) -> bool {
        let private = at.space == MemorySpace::Arena(ArenaPart::Private);
        private && self.run_elements.is_some_and(|from| at.displacement >= from as i64)
    }

    /// A copy without the code.
    pub fn without_body(&self) -> LaneProgram {
        let LaneProgram { name, width, types, inputs, given, arena, writable, copies, messages, stops, .. } = self;
        LaneProgram {
            name: Arc::clone(name),
            width: *width,
            types: types.clone(),
            inputs: inputs.clone(),
            given: *given,
            body: LaneBlock::default(),
            arena: *arena,
            writable: writable.clone(),
            copies: copies.clone(),
            messages: messages.clone(),
            stops: stops.clone(),
            precise_sources: self.precise_sources.clone(),
            promises: self.promises.clone(),
            vote_words: self.vote_words,
            doubtful: self.doubtful,
            notes: self.notes.clone(),
            streams: self.streams,
            short_loops: self.short_loops,
            own_runs: self.own_runs,
            run_elements: self.run_elements,
            promoted: self.promoted,
            rows: self.rows,
        }
    }
}

/// The kind of a message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MessageKind {
    /// Prints a line: pieces of text, and between them values of these types (a vector's components
    /// are separate values in [`Effect::Message`]).
    Print(tilewise_ir::kernel::Message, Vec<tilewise_ir::types::Data>),
    /// Records that the thread ended with this message.
    Error(tilewise_ir::kernel::Message, Vec<tilewise_ir::types::Data>),
    /// Records that the thread ended.
    Abort,
}

/// A word of the argument block. 32-bit numbers are zero-extended, `f32` is stored by its bits,
/// `bool` as 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArgumentWord {
    /// Pointer to the first element of a view parameter. For a view without elements: to 64
    /// readable bytes.
    ViewBase(u32),
    /// Extent of a view parameter in a dimension: an `i32`.
    ViewExtent(u32, u32),
    /// Stride in bytes of a view parameter in a dimension: an `i64`.
    ViewStride(u32, u32),
    /// Pointer to a buffer parameter, or to the bytes of a uniform aggregate.
    ParamBase(u32),
    /// Size in bytes of a buffer parameter: an `i64`.
    ParamSize(u32),
    /// A component of a uniform scalar or vector.
    Uniform(u32, u8, Elem),
    /// Pointer to a constant table, laid out by its type.
    TableBase(u32),
    /// Extent of the domain: an `i32`.
    DomainExtent(u32),
    /// Pointer to 64 readable zero bytes.
    Zeros,
}

impl ArgumentWord {
    /// The element type of the word.
    pub const fn elem(self) -> Elem {
        match self {
            ArgumentWord::ViewExtent(..) | ArgumentWord::DomainExtent(_) => Elem::I32,
            ArgumentWord::Uniform(_, _, elem) => elem,
            ArgumentWord::ViewBase(_)
            | ArgumentWord::ViewStride(..)
            | ArgumentWord::ParamBase(_)
            | ArgumentWord::ParamSize(_)
            | ArgumentWord::TableBase(_)
            | ArgumentWord::Zeros => Elem::I64,
        }
    }
}

/// Parts of the worker's memory; each begins at a multiple of 64 bytes, and the 64 bytes before and
/// after it may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArenaPart {
    /// `tile_static` variables.
    TileStatic,
    /// Local variables that are kept in memory.
    Private,
    /// Values that threads keep from one barrier region to the next.
    Context,
    /// Where each thread of the tile stopped (see [`ExitStatus::Diverged`]).
    Votes,
    /// 64 bytes: the program's exit details.
    Report,
    /// 64 bytes: the target of stores that must have no effect.
    Sink,
}

impl ArenaPart {
    /// All parts, in arena order.
    pub const ALL: [ArenaPart; 6] = [
        ArenaPart::TileStatic,
        ArenaPart::Private,
        ArenaPart::Context,
        ArenaPart::Votes,
        ArenaPart::Report,
        ArenaPart::Sink,
    ];
}

/// Sizes of an arena's parts in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArenaSizes {
    /// Size of the `tile_static` variables.
    pub tile_static: u64,
    /// Size of the local variables in memory.
    pub private: u64,
    /// Size of the values kept between barrier regions.
    pub context: u64,
    /// Size of the votes.
    pub votes: u64,
}

impl ArenaSizes {
    /// Size of a part in bytes.
    pub const fn size(&self, part: ArenaPart) -> u64 {
        match part {
            ArenaPart::TileStatic => self.tile_static,
            ArenaPart::Private => self.private,
            ArenaPart::Context => self.context,
            ArenaPart::Votes => self.votes,
            ArenaPart::Report | ArenaPart::Sink => 64,
        }
    }

    /// Byte offset of a part.
    pub fn offset(&self, part: ArenaPart) -> u64 {
        let before = ArenaPart::ALL.iter().take_while(|&&other| other != part);
        before.map(|&part| self.size(part).next_multiple_of(64) + 64).sum::<u64>() + 64
    }

    /// Total size in bytes.
    pub fn total(&self) -> u64 {
        ArenaPart::ALL.iter().map(|&part| self.size(part).next_multiple_of(64) + 64).sum::<u64>() + 64
    }
}

/// Nodes in order, and the results they yield to the enclosing node.
#[derive(Default)]
pub struct LaneBlock {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The results: of an arm one for each result of the `If`, of a loop's body the next value of
    /// each parameter.
    pub results: Vec<LaneValue>,
}

// Blocks nest, so derived implementations would recurse on the caller's stack; these run
// `with_block`.
impl Clone for LaneBlock {
    fn clone(&self) -> LaneBlock {
        with_block(|| LaneBlock { nodes: self.nodes.clone(), results: self.results.clone() })
    }
}

impl PartialEq for LaneBlock {
    fn eq(&self, other: &LaneBlock) -> bool {
        self.results == other.results && with_block(|| self.nodes == other.nodes)
    }
}

impl fmt::Debug for LaneBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = || f.debug_struct("Block").field("nodes", &self.nodes).field("results", &self.results).finish();
        with_block(show)
    }
}

impl Drop for LaneBlock {
    fn drop(&mut self) {
        if !self.nodes.is_empty() && try_with_block(|| self.nodes.clear()).is_err() {
            mem::forget(mem::take(&mut self.nodes));
        }
    }
}

impl LaneBlock {
    /// The nodes and the results.
    pub(crate) fn into_parts(mut self) -> (Vec<Node>, Vec<LaneValue>) {
        (mem::take(&mut self.nodes), mem::take(&mut self.results))
    }

    /// The instruction at the top level of the block that defines a value.
    pub(crate) fn made(&self, value: LaneValue) -> Option<&LaneInst> {
        self.nodes.iter().find_map(|node| {
            if let Node::Let { value: made, inst, .. } = node
                && *made == value
            {
                return Some(inst);
            }
            None
        })
    }

    /// The nesting depth of blocks, this one included.
    pub fn depth(&self) -> u32 {
        let (mut deepest, mut rest) = (0, vec![(self, 1)]);
        while let Some((block, depth)) = rest.pop() {
            deepest = deepest.max(depth);
            for node in &block.nodes {
                match node {
                    Node::If { then, otherwise, .. } => rest.extend([(then, depth + 1), (otherwise, depth + 1)]),
                    Node::Loop { body, .. } => rest.push((body, depth + 1)),
                    Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
                }
            }
        }
        deepest
    }
}

/// Branch probability.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Likely {
    /// Unknown.
    Either,
    /// The second arm is cold: it handles out-of-range accesses and the like.
    Then,
    /// The same; the first arm is the second without what the condition decides, so that the second
    /// is right in either case.
    Version,
}

impl Likely {
    /// Is the second arm cold?
    pub const fn is_then(self) -> bool {
        match self {
            Likely::Then | Likely::Version => true,
            Likely::Either => false,
        }
    }
}

/// One step of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// Computes a value.
    Let {
        /// The value.
        value: LaneValue,
        /// The instruction.
        inst: LaneInst,
        /// Position in the source; [`Pos::NONE`] if there is none.
        pos: Pos,
    },
    /// Performs an effect.
    Do {
        /// The effect.
        effect: Effect,
        /// Position in the source.
        pos: Pos,
    },
    /// Runs one of two blocks.
    If {
        /// A scalar `bool`.
        condition: LaneValue,
        /// The arm for true.
        then: LaneBlock,
        /// The arm for false.
        otherwise: LaneBlock,
        /// One for each result of either block, of the same type.
        results: Vec<LaneValue>,
        /// Which arm is the usual one.
        likely: Likely,
    },
    /// Runs the body, and repeats it while `again` is true. The body's last results become
    /// `results`.
    Loop {
        /// Loop-carried values.
        params: Vec<LaneValue>,
        /// Their initial values.
        init: Vec<LaneValue>,
        /// The body; its results are the parameters' next values.
        body: LaneBlock,
        /// A scalar `bool`, computed in the body.
        again: LaneValue,
        /// One for each parameter: its next value when the loop is left.
        results: Vec<LaneValue>,
    },
    /// Ends the program if a scalar `bool` is true.
    Exit {
        /// The condition.
        condition: LaneValue,
        /// The status that the program returns.
        status: ExitStatus,
    },
    /// Ends the program with [`ExitStatus::Interrupted`] if the launch is to end; polled once in
    /// each iteration of a loop that may be long.
    Poll,
}

/// The result of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(i64)]
pub enum ExitStatus {
    /// All the work it was given is done.
    Done = 0,
    /// The threads of a tile did not meet at a barrier. [`ArenaPart::Report`] begins with the
    /// tile's linear number, 64 bits. [`ArenaPart::Votes`] has [`LaneProgram::vote_words`] 32-bit
    /// words for each thread, strip by strip (rows end with padding threads if the width does not
    /// divide them). The first word is 0 if the thread reached the end of the kernel; `n` if it
    /// stopped at entry `n - 1` of [`LaneProgram::stops`]; all ones if `error` or `abort` ended it.
    /// For a barrier, the following words are the iterations of the loops around it, outermost
    /// first.
    Diverged = 1,
    /// The launch was interrupted.
    Interrupted = 2,
}

/// Arguments of a row of the op table: rarely more than a few.
pub type Args = SmallVec<[LaneValue; 4]>;

/// An instruction that computes a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LaneInst {
    /// A constant: the bits of a scalar, zero-extended.
    Const(u64),
    /// A word of the argument block, by index.
    Input(u32),
    /// Pointer to a part of the worker's memory.
    Arena(ArenaPart),
    /// The lane indices: `i32` lanes 0, 1, ..
    Lane,
    /// A scalar in every lane; of a `bool`: a mask of all lanes or none.
    Splat(LaneValue),
    /// A componentwise row of the op table. Arguments are all scalars, or all lanes; so is the
    /// result.
    Op {
        /// The row.
        op: Op,
        /// The instance of its type variable.
        scalar: Scalar,
        /// The arguments.
        args: Args,
    },
    /// One component of the result of a row that takes whole vectors. The arguments' components
    /// follow one another, all scalars or all lanes.
    Whole {
        /// The row.
        op: Op,
        /// The type instance.
        instance: Instance,
        /// Components of all arguments.
        args: Args,
        /// Number of components of each argument.
        widths: Vec<u8>,
        /// Index of the result component.
        component: u8,
    },
    /// Selects between two lanes values of one type (masks too) by a mask. Scalars are selected by
    /// [`Op::Select`].
    Select {
        /// The mask.
        mask: LaneValue,
        /// The value where the mask is set.
        yes: LaneValue,
        /// The value where it is clear.
        no: LaneValue,
    },
    /// The mask of the lanes whose index is below an `i64` scalar, which may be negative.
    FirstLanes(LaneValue),
    /// Is any lane set? A scalar.
    Any(LaneValue),
    /// Are all lanes set? A scalar.
    All(LaneValue),
    /// The value of the lowest set lane, as a scalar; arbitrary if no lane is set.
    LowestLane {
        /// The lanes.
        lanes: LaneValue,
        /// The mask.
        mask: LaneValue,
    },
    /// Lanes of two values in sequence, of one type that is no mask: lane `n` is lane `n + by` of
    /// `low`, or past its end of `high`. `by` is above 0 and below the width.
    Slide {
        /// The lower lanes.
        low: LaneValue,
        /// The lanes that follow.
        high: LaneValue,
        /// The lanes of `low` that are left out.
        by: u32,
    },
    /// One over the square root of `f32` lanes, within 2 units in the last place of the correctly
    /// rounded quotient by the correctly rounded root; exact for zeros, infinities and NaN. Relaxed
    /// launches alone have it.
    ReciprocalRoot(LaneValue),
    /// Reads. The result is a scalar if the address is [`AddressStep::Uniform`] (which takes no
    /// mask), otherwise lanes. Narrow formats are widened as in the kernel language; a stored
    /// `bool` yields a `bool`.
    Load {
        /// The address.
        at: LaneAddress,
        /// The active lanes.
        mask: Option<LaneValue>,
    },
    /// Read-modify-write in each lane, lowest first; yields lanes: the previous contents, zero
    /// where masked off. In the worker's memory, non-atomic code suffices.
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The type in memory.
        scalar: Scalar,
        /// The address.
        at: LaneAddress,
        /// The operand, lanes; `Inc` and `Dec` have none.
        operand: Option<LaneValue>,
        /// The active lanes.
        mask: Option<LaneValue>,
    },
    /// For each lane, lowest first: stores `new` if the bits in memory equal those of `expected`.
    /// Yields lanes: the previous contents, zero where masked off.
    CompareExchange {
        /// The type in memory.
        scalar: Scalar,
        /// The address.
        at: LaneAddress,
        /// The expected value, lanes.
        expected: LaneValue,
        /// The new value, lanes.
        new: LaneValue,
        /// The active lanes.
        mask: Option<LaneValue>,
    },
}

/// A side effect.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Writes. A scalar value is written at a uniform address, without a mask; lanes are written at
    /// any other, or (all to one place, of which an arbitrary one remains) at a uniform one.
    Store {
        /// The address.
        at: LaneAddress,
        /// The value.
        value: LaneValue,
        /// The active lanes.
        mask: Option<LaneValue>,
    },
    /// Copies an aggregate for each lane: all its scalars are read before any is written; padding
    /// is not touched.
    Copy {
        /// Index into [`LaneProgram::copies`].
        shape: u32,
        /// The destination; its format is ignored.
        to: LaneAddress,
        /// The source.
        from: LaneAddress,
        /// Lanes with a readable source: the others read zeros.
        read: Option<LaneValue>,
        /// The active lanes.
        mask: Option<LaneValue>,
    },
    /// Zeroes `bytes` bytes of the worker's memory from a scalar pointer on, both multiples of 4.
    Clear {
        /// The pointer.
        from: LaneValue,
        /// The number of bytes.
        bytes: u64,
    },
    /// Reports a thread's message to the host side of the launch.
    Message {
        /// Index into [`LaneProgram::messages`].
        message: u32,
        /// Linear index of lane 0's thread in the domain, an `i64` scalar; lane `n` is `n` further.
        thread: LaneValue,
        /// The values: lanes, or scalars that are uniform.
        values: Vec<LaneValue>,
        /// The active lanes; always given.
        mask: LaneValue,
    },
    /// Requests the memory of a load that follows later. It is no access: the address may be
    /// anywhere.
    Prefetch {
        /// The address of lanes side by side, or a constant number of bytes apart.
        at: LaneAddress,
    },
    /// Orders this thread's accesses to shared memory with respect to other threads.
    Fence,
}

/// The address of an access.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaneAddress {
    /// The memory it refers to.
    pub space: MemorySpace,
    /// The base pointer: a scalar.
    pub base: LaneValue,
    /// Byte offset, an `i64` scalar.
    pub offset: Option<LaneValue>,
    /// Constant byte offset.
    pub displacement: i64,
    /// The step from lane to lane.
    pub along: AddressStep,
    /// The format in memory.
    pub stored: Stored,
}

/// The step of an address from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressStep {
    /// None: all lanes share one address.
    Uniform,
    /// A constant step in bytes from each lane to the next. If it equals the element size, the
    /// access has unit stride.
    Step(i64),
    /// A byte offset for each lane: `i32` lanes, zero-extended, or `i64` lanes.
    Each(LaneValue),
}

/// The memory an access refers to. Accesses of different spaces never overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemorySpace {
    /// Memory of the launch: bindings that may overlap have the same number.
    Buffer(u16),
    /// Tables and uniforms: read-only.
    Constant,
    /// A part of the worker's memory. An access may read up to 64 bytes before or after it, and
    /// write them back unchanged.
    Arena(ArenaPart),
}
