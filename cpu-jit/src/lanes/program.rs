//! The parts of a lane program, as plain data. The parent module's page says what they mean.

use std::fmt;
use std::mem;
use std::sync::Arc;

use smallvec::SmallVec;
use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::{Instance, Op};
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_block;
use tilewise_ir::types::{Scalar, Stored};

/// What one lane, or a scalar, holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elem {
    /// A truth value.
    Bool,
    /// 32 bits; signed or not as operations see it.
    I32,
    /// 64 bits; also a pointer.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Elem {
    /// What holds a scalar of the kernel language.
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
    /// One for all threads of the strip.
    Scalar(Elem),
    /// One for each thread of the strip. Of `Bool`: a mask.
    Lanes(Elem),
}

impl LaneType {
    /// What it holds.
    pub const fn elem(self) -> Elem {
        match self {
            LaneType::Scalar(elem) | LaneType::Lanes(elem) => elem,
        }
    }

    /// One for each thread?
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
    /// Its number, for tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A kernel as vector code of one width.
#[derive(Clone, Debug)]
pub struct LaneProgram {
    /// The kernel's name.
    pub name: Arc<str>,
    /// Lanes: 1, 4, 8 or 16.
    pub width: u32,
    /// The type of each value.
    pub types: Vec<LaneType>,
    /// What each word of the argument block is.
    pub inputs: Vec<ArgumentWord>,
    /// The four scalars that the caller gives.
    pub given: [LaneValue; 4],
    /// The code. Its results are empty.
    pub body: LaneBlock,
    /// How much of the worker's memory it takes.
    pub arena: ArenaSizes,
    /// For each buffer space, whether anything in this launch may write to it. Loads from one that nobody writes may be moved anywhere.
    pub writable: Vec<bool>,
    /// For each [`Effect::Copy`], the stored scalars that are copied: bytes from the address it goes to, bytes from the one it comes from, the format.
    pub copies: Vec<Vec<(u64, u64, Stored)>>,
    /// For each [`Effect::Message`]: where it stands and what it does.
    pub messages: Vec<(Pos, MessageKind)>,
    /// Where threads can stop; [`ExitStatus::Diverged`] says who stopped where.
    pub stops: Vec<ThreadStop>,
    /// Words of each thread in [`ArenaPart::Votes`].
    pub vote_words: u32,
    /// May a divergence that it tells of be none? Threads stop at a barrier if others are elsewhere; if all of those end by `error` or `abort` later on, nobody
    /// was missing. Then all that have not ended are on one side, and the launch is to be made again, from its beginning, by the interpreter.
    pub doubtful: bool,
    /// What became of branches and loops of the kernel, in the order of its text: for people to read.
    pub notes: Vec<(Pos, Note)>,
}

/// What became of a branch or a loop of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    /// An `if` or `switch`.
    Branch(LaneControl),
    /// A loop.
    Loop(LaneControl),
}

/// How lanes come through a branch or a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneControl {
    /// All the same way.
    Together,
    /// As [`LaneControl::Together`], the whole tile: there is a barrier inside.
    Tile,
    /// The lanes up to a limit one way: no mask where all are.
    Limit,
    /// Both ways are computed; each lane takes its own result.
    Both,
    /// Each way by a mask, if a lane goes it; a loop goes on until no lane does.
    Masked,
}

/// Where a thread can stop.
#[derive(Clone, PartialEq, Debug)]
pub struct ThreadStop {
    /// The barrier, or the `return`.
    pub pos: Pos,
    /// At a barrier: how many loops around it have a barrier inside. At a `return`: nothing.
    pub loops: Option<u32>,
}

impl LaneProgram {
    /// The type of a value.
    pub fn ty(&self, value: LaneValue) -> LaneType {
        self.types[value.index()]
    }

    /// All but the code.
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
            vote_words: self.vote_words,
            doubtful: self.doubtful,
            notes: self.notes.clone(),
        }
    }
}

/// What a message does besides adding a line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MessageKind {
    /// Adds a line: pieces of text, and between them values of these types (a vector's components are values of their own in [`Effect::Message`]).
    Print(tilewise_ir::kernel::Message, Vec<tilewise_ir::types::Data>),
    /// Notes that the thread ended with this message.
    Error(tilewise_ir::kernel::Message, Vec<tilewise_ir::types::Data>),
    /// Notes that the thread ended.
    Abort,
}

/// A word of the argument block. Numbers of 32 bits are zero-extended, `f32` by its bits, `bool` 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArgumentWord {
    /// Pointer to the first element of a view parameter. Of a view without elements: to 64 bytes that may be read.
    ViewBase(u32),
    /// Extent of a view parameter in a dimension: an `i32`.
    ViewExtent(u32, u32),
    /// Bytes from one index to the next of a view parameter in a dimension: an `i64`.
    ViewStride(u32, u32),
    /// Pointer to a buffer parameter, or to the bytes of a uniform aggregate.
    ParamBase(u32),
    /// Bytes of a buffer parameter: an `i64`.
    ParamSize(u32),
    /// A component of a uniform scalar or vector.
    Uniform(u32, u8, Elem),
    /// Pointer to a constant table, laid out as its type says.
    TableBase(u32),
    /// Extent of the domain: an `i32`.
    DomainExtent(u32),
    /// Pointer to 64 zero bytes that may be read.
    Zeros,
}

impl ArgumentWord {
    /// What the word holds.
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

/// Parts of the worker's memory; each begins at a multiple of 64 bytes, and 64 bytes before it and behind it may be touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArenaPart {
    /// `tile_static` variables.
    TileStatic,
    /// Local variables that are in memory.
    Private,
    /// What threads keep from one region to the next.
    Context,
    /// Where each thread of the tile stopped (see [`ExitStatus::Diverged`]).
    Votes,
    /// 64 bytes: where the program says why it ended.
    Report,
    /// 64 bytes: where stores go that are to have no effect.
    Sink,
}

impl ArenaPart {
    /// All of them, in the order in which they lie in an arena.
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
    /// Of `tile_static` variables.
    pub tile_static: u64,
    /// Of local variables in memory.
    pub private: u64,
    /// Of what is kept from region to region.
    pub context: u64,
    /// Of votes.
    pub votes: u64,
}

impl ArenaSizes {
    /// Size of a part.
    pub const fn size(&self, part: ArenaPart) -> u64 {
        match part {
            ArenaPart::TileStatic => self.tile_static,
            ArenaPart::Private => self.private,
            ArenaPart::Context => self.context,
            ArenaPart::Votes => self.votes,
            ArenaPart::Report | ArenaPart::Sink => 64,
        }
    }

    /// First byte of a part.
    pub fn offset(&self, part: ArenaPart) -> u64 {
        let before = ArenaPart::ALL.iter().take_while(|&&other| other != part);
        before.map(|&part| self.size(part).next_multiple_of(64) + 64).sum::<u64>() + 64
    }

    /// Bytes of all parts.
    pub fn total(&self) -> u64 {
        ArenaPart::ALL.iter().map(|&part| self.size(part).next_multiple_of(64) + 64).sum::<u64>() + 64
    }
}

/// Nodes in order, and the values it gives to the node around it.
#[derive(Default)]
pub struct LaneBlock {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// What it gives: of an arm one for each result, of a loop's body the next value of each parameter.
    pub results: Vec<LaneValue>,
}

// Blocks are nested in blocks: what would be derived recurses, on whatever stack it is called.
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
        if !self.nodes.is_empty() {
            with_block(|| self.nodes.clear());
        }
    }
}

impl LaneBlock {
    /// Its nodes and its results.
    pub(crate) fn into_parts(mut self) -> (Vec<Node>, Vec<LaneValue>) {
        (mem::take(&mut self.nodes), mem::take(&mut self.results))
    }

    /// The instruction at the top of the block that makes a value.
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

    /// How many blocks are inside one another, this one included.
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

/// How often an arm runs, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Likely {
    /// Nothing is known.
    Either,
    /// The second arm is for accesses out of range and the like: keep it out of the way.
    Then,
}

/// One step of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// Computes a value.
    Let {
        /// The value.
        value: LaneValue,
        /// How.
        inst: LaneInst,
        /// For which place of the source; [`Pos::NONE`] if for none.
        pos: Pos,
    },
    /// Does something.
    Do {
        /// What.
        effect: Effect,
        /// For which place of the source.
        pos: Pos,
    },
    /// Runs one of two blocks.
    If {
        /// A scalar `bool`.
        condition: LaneValue,
        /// If it is true.
        then: LaneBlock,
        /// If it is false.
        otherwise: LaneBlock,
        /// One for each result of either block, of the same type.
        results: Vec<LaneValue>,
        /// Which is the usual one.
        likely: Likely,
    },
    /// Runs the body, again and again while `again` is true. What the body gave last is what `results` are.
    Loop {
        /// Values that go round.
        params: Vec<LaneValue>,
        /// What they are at first.
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
        /// What the program returns.
        status: ExitStatus,
    },
    /// Ends the program with [`ExitStatus::Interrupted`] if the launch is to end; asked about once in each round of a loop that may be long.
    Poll,
}

/// What a program returns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(i64)]
pub enum ExitStatus {
    /// All that it was given is done.
    Done = 0,
    /// The threads of a tile did not meet at a barrier. [`ArenaPart::Report`] begins with the tile's linear number, 64 bits. [`ArenaPart::Votes`] has
    /// [`LaneProgram::vote_words`] words of 32 bits for each thread, strip by strip (rows end with threads that do not exist if the width does not divide them).
    /// The first word: 0, the thread came to the end of the kernel; `n`, it stopped at number `n - 1` of [`LaneProgram::stops`]; all ones, `error` or `abort` ended
    /// it. Of a barrier, the words behind say in which rounds of the loops around it, the outermost first.
    Diverged = 1,
    /// It was to end.
    Interrupted = 2,
}

/// Arguments of a row of the op table: seldom more than a few.
pub type Args = SmallVec<[LaneValue; 4]>;

/// How a value is computed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LaneInst {
    /// A constant: the bits of a scalar, zero-extended.
    Const(u64),
    /// Word of that number of the argument block.
    Input(u32),
    /// Pointer to a part of the worker's memory.
    Arena(ArenaPart),
    /// The numbers of the lanes: `i32` lanes 0, 1, ..
    Lane,
    /// A scalar in every lane; of a `bool`: all lanes or none.
    Splat(LaneValue),
    /// A row of the op table that goes component by component. Arguments are all scalars, or all lanes; so is the result.
    Op {
        /// The row.
        op: Op,
        /// What its type variable is.
        scalar: Scalar,
        /// The arguments.
        args: Args,
    },
    /// One component of the result of a row that takes whole vectors. The arguments' components one after the other, all scalars or all lanes.
    Whole {
        /// The row.
        op: Op,
        /// As what it is used.
        instance: Instance,
        /// Components of all arguments.
        args: Args,
        /// Number of components of each argument.
        widths: Vec<u8>,
        /// Which component of the result.
        component: u8,
    },
    /// Of two lanes values of one type (masks too), by a mask. Scalars are selected by [`Op::Select`].
    Select {
        /// The mask.
        mask: LaneValue,
        /// Where it is set.
        yes: LaneValue,
        /// Where it is not.
        no: LaneValue,
    },
    /// The mask of the lanes whose number is below an `i64` scalar, which may be negative.
    FirstLanes(LaneValue),
    /// Is a lane set? A scalar.
    Any(LaneValue),
    /// Are all lanes set? A scalar.
    All(LaneValue),
    /// What the lowest lane that is set holds, as a scalar; any number if none is.
    LowestLane {
        /// The lanes.
        lanes: LaneValue,
        /// The mask.
        mask: LaneValue,
    },
    /// Reads. A scalar if the address is [`AddressStep::Uniform`] (which takes no mask), else lanes. Narrow formats are widened as the kernel language says; a
    /// stored `bool` gives a `bool`.
    Load {
        /// Where.
        at: LaneAddress,
        /// Which lanes.
        mask: Option<LaneValue>,
    },
    /// Changes memory in one step for each lane, lowest first; gives lanes: what was there before, zero where masked off. Plain code will do in the
    /// worker's memory.
    Atomic {
        /// How.
        op: AtomicOp,
        /// The type of what is there.
        scalar: Scalar,
        /// Where.
        at: LaneAddress,
        /// The operand, lanes; `Inc` and `Dec` have none.
        operand: Option<LaneValue>,
        /// Which lanes.
        mask: Option<LaneValue>,
    },
    /// For each lane, lowest first: stores `new` if the bits there are those of `expected`. Gives lanes: what was there before, zero where masked off.
    CompareExchange {
        /// The type of what is there.
        scalar: Scalar,
        /// Where.
        at: LaneAddress,
        /// What must be there, lanes.
        expected: LaneValue,
        /// What is stored, lanes.
        new: LaneValue,
        /// Which lanes.
        mask: Option<LaneValue>,
    },
}

/// What is done besides computing.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Writes. A value that is a scalar is written at a uniform address, without a mask; lanes at any other, or (all to one place, any of them
    /// staying) at a uniform one.
    Store {
        /// Where.
        at: LaneAddress,
        /// What.
        value: LaneValue,
        /// Which lanes.
        mask: Option<LaneValue>,
    },
    /// Copies an aggregate for each lane: all its scalars are read before any is written, gaps are not touched.
    Copy {
        /// Which of [`LaneProgram::copies`].
        shape: u32,
        /// Where to; the format is not meant.
        to: LaneAddress,
        /// Where from.
        from: LaneAddress,
        /// Which lanes have something to read there: the others read zeros.
        read: Option<LaneValue>,
        /// Which lanes.
        mask: Option<LaneValue>,
    },
    /// Sets bytes of the worker's memory to zero: `bytes` from a scalar pointer on, both multiples of 4.
    Clear {
        /// The pointer.
        from: LaneValue,
        /// How many bytes.
        bytes: u64,
    },
    /// Tells the launch's host side what threads say.
    Message {
        /// Which of [`LaneProgram::messages`].
        message: u32,
        /// Linear index of lane 0's thread in the domain, an `i64` scalar; lane `n` is `n` further.
        thread: LaneValue,
        /// The values: lanes, or scalars that are the same in all of them.
        values: Vec<LaneValue>,
        /// Which lanes; always given.
        mask: LaneValue,
    },
    /// Orders this thread's accesses of shared memory for other threads.
    Fence,
}

/// Where an access goes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaneAddress {
    /// Which memory.
    pub space: MemorySpace,
    /// A pointer: a scalar.
    pub base: LaneValue,
    /// Bytes from there, an `i64` scalar.
    pub offset: Option<LaneValue>,
    /// Bytes from there.
    pub displacement: i64,
    /// How it goes on from lane to lane.
    pub along: AddressStep,
    /// What lies there.
    pub stored: Stored,
}

/// How an address goes on from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressStep {
    /// The same for all lanes.
    Uniform,
    /// So many bytes further from each lane to the next. Equal to the size of what lies there: the lanes lie side by side.
    Step(i64),
    /// So many bytes further for each lane: `i32` lanes, seen as unsigned, or `i64` lanes.
    Each(LaneValue),
}

/// Which memory an access touches. Those of different spaces never overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemorySpace {
    /// Memory of the launch: bindings that may overlap have the same number.
    Buffer(u16),
    /// Tables and uniforms: nobody writes there.
    Constant,
    /// A part of the worker's memory. What overhangs by up to 64 bytes before or behind may be read, and written back as it was.
    Arena(ArenaPart),
}
