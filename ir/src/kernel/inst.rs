//! Instructions: blocks of them, and what each does.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::place::{CallArgument, Place};
use super::words::{AtomicOp, Builtin, Fence};
use super::{FunctionId, InstId, LabelId, LocalId, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::stack::with_block;
use crate::types::{Name, TypeId};

/// Instructions in order, and the value that the block stands for where it is an arm, a condition or a scope with a value.
#[derive(Eq, Default)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// What the block gives to the construct around it.
    pub value: Option<ValueId>,
}

// Blocks are nested in blocks: what would be derived recurses, on whatever stack it is called.
impl Clone for Block {
    fn clone(&self) -> Block {
        with_block(|| Block { insts: self.insts.clone(), value: self.value })
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        self.value == other.value && with_block(|| self.insts == other.insts)
    }
}

impl Hash for Block {
    fn hash<H: Hasher>(&self, state: &mut H) {
        with_block(|| self.insts.hash(state));
        self.value.hash(state);
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = || f.debug_struct("Block").field("insts", &self.insts).field("value", &self.value).finish();
        with_block(show)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if !self.insts.is_empty() {
            with_block(|| self.insts.clear());
        }
    }
}

impl Block {
    /// How many blocks are inside one another, this one included.
    pub fn depth(&self) -> u32 {
        let (mut deepest, mut rest) = (0, vec![(self, 1)]);
        while let Some((block, depth)) = rest.pop() {
            deepest = deepest.max(depth);
            for inst in &block.insts {
                inst.kind.each_block(&mut |inner| rest.push((inner, depth + 1)));
            }
        }
        deepest
    }
}

impl InstId {
    /// That of a function's first instruction.
    pub const FIRST: InstId = InstId(0);

    /// Of an instruction that is not part of a finished kernel.
    pub(crate) const UNASSIGNED: InstId = InstId(u32::MAX);
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// The value it defines.
    pub result: Option<ValueId>,
    /// Where it stands.
    pub pos: Pos,
    /// Its number in the function; left out where instructions are compared.
    pub id: InstId,
}

impl Inst {
    /// An instruction for a block that is being built.
    pub(crate) const fn new(kind: InstKind, result: Option<ValueId>, pos: Pos) -> Inst {
        Inst { kind, result, pos, id: InstId::UNASSIGNED }
    }

    /// The last instruction inside it, in text order; itself if there is none.
    pub fn last_inside(&self) -> InstId {
        let mut last = self;
        loop {
            let mut inner = None;
            last.kind.each_block(&mut |block| inner = block.insts.last().or(inner));
            match inner {
                Some(inst) => last = inst,
                None => return last.id,
            }
        }
    }
}

// Positions are all equal, and ids tell instructions apart that say the same.
impl PartialEq for Inst {
    fn eq(&self, other: &Inst) -> bool {
        self.result == other.result && self.kind == other.kind
    }
}

impl Eq for Inst {}

impl Hash for Inst {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.result.hash(state);
    }
}

/// What an instruction does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstKind {
    /// A pure operation of the op table on scalars and vectors.
    Op {
        /// The row.
        op: Op,
        /// Its arguments.
        args: Vec<ValueId>,
    },
    /// A vector out of 2 to 4 scalars of one type.
    Compose(Vec<ValueId>),
    /// A vector with the same scalar in each component.
    Splat {
        /// The scalar.
        value: ValueId,
        /// Number of components.
        width: u8,
    },
    /// One component of a vector, or several in a given order: `v.x`, `v.zyx`.
    Swizzle {
        /// The vector.
        value: ValueId,
        /// Which components, 1 to 4 of them, each below the vector's width.
        components: Vec<u8>,
    },
    /// The component of a vector at a computed index; zero out of range.
    ComponentAt {
        /// The vector.
        value: ValueId,
        /// `i32` or `u32`.
        index: ValueId,
    },
    /// What the thread knows about itself and its launch: an `i32`.
    Builtin(Builtin),
    /// Extent of a view in one dimension: an `i32`.
    ViewExtent {
        /// The view.
        view: ValueId,
        /// The dimension, 0 the most significant.
        dimension: u32,
    },
    /// A rectangle of a view: `extent` elements from `origin`. Not within the view, or a negative extent: an empty view.
    Section {
        /// The view.
        view: ValueId,
        /// First index, an `i32` for each dimension.
        origin: Vec<ValueId>,
        /// Size, an `i32` for each dimension.
        extent: Vec<ValueId>,
    },
    /// The view of one rank less at an index of the most significant dimension. Out of range: an empty view.
    Project {
        /// The view, of rank 2 or more.
        view: ValueId,
        /// An `i32`.
        index: ValueId,
    },
    /// A view of rank 1 as a view of another element type over the same bytes: as many whole elements as fit. The view must be contiguous (stride 1),
    /// else the result is empty. Its bytes must divide evenly by the new element's size, else empty.
    Reinterpret {
        /// The view, of rank 1.
        view: ValueId,
        /// The new element.
        element: TypeId,
    },
    /// A contiguous view of rank 1 as a rectangle of other rank, row-major. A product above the view's extent, or a negative component: an empty view.
    ViewAs {
        /// The view, of rank 1.
        view: ValueId,
        /// Size, an `i32` for each dimension.
        extent: Vec<ValueId>,
    },
    /// Number of elements of a runtime-sized array: a `u32`.
    Length(Place),
    /// The value of a scalar or vector place.
    Load(Place),
    /// Sets a scalar or vector place.
    Store {
        /// Where.
        place: Place,
        /// What.
        value: ValueId,
    },
    /// Copies an aggregate, scalar by scalar: all are read before any is written. Gaps between fields are not touched.
    Copy {
        /// Where to.
        to: Place,
        /// Where from, a place of the same type.
        from: Place,
    },
    /// Changes a scalar in memory in one step; gives the value before. A place out of range is not changed and gives 0.
    Atomic {
        /// How.
        op: AtomicOp,
        /// Where: in a view, a buffer or a `tile_static` variable.
        place: Place,
        /// The operand; `Inc` and `Dec` have none.
        value: Option<ValueId>,
    },
    /// Stores `new` if the scalar at `place` equals `expected`. The result is the value before; `equal` says whether it was stored. Never fails when
    /// they are equal. Out of range: (0, false).
    CompareExchange {
        /// Where.
        place: Place,
        /// The value that must be there.
        expected: ValueId,
        /// The value to store.
        new: ValueId,
        /// A second result, a `bool`.
        equal: ValueId,
    },
    /// Begins the life of a local variable.
    Declare {
        /// Which.
        local: LocalId,
        /// What it holds.
        init: Init,
    },
    /// All threads of the tile meet; then memory is as the fence says.
    Barrier(Fence),
    /// Orders this thread's accesses for the other threads of its tile, without meeting.
    Fence(Fence),
    /// Adds a line to the launch's output.
    Print(Message),
    /// Ends the thread with a message; the thread still counts as arrived at every barrier.
    Error(Message),
    /// Ends the thread; it still counts as arrived at every barrier.
    Abort,
    /// Calls a function.
    Call {
        /// Which.
        function: FunctionId,
        /// What is handed over, one for each parameter.
        args: Vec<CallArgument>,
    },
    /// Runs one of two blocks. With a result, each block's value is it (a block that always leaves needs none).
    If {
        /// A `bool`.
        condition: ValueId,
        /// If it is true.
        then: Block,
        /// If it is false; may be empty.
        otherwise: Block,
    },
    /// Repeats: condition, body, continuing part. `continue` goes to the continuing part, `break` behind the loop.
    Loop {
        /// What `break` and `continue` name.
        label: LabelId,
        /// Run before each round; its value, a `bool`, must be true to go on. `while` has one, `loop` has none.
        condition: Option<Box<Block>>,
        /// The round.
        body: Block,
        /// Run after each round. Its value, if it has one, is a `bool` that ends the loop when it is true.
        continuing: Block,
    },
    /// Runs the block of the case that has the selector's value, else the default. Nothing falls through.
    Switch {
        /// An `i32` or `u32`.
        selector: ValueId,
        /// The cases.
        cases: Vec<SwitchCase>,
        /// If no case fits.
        default: Block,
    },
    /// Runs a block that `break 'label` leaves. With a result, the block's value or that of the `break` is it.
    Scope {
        /// What `break` names.
        label: LabelId,
        /// The block.
        body: Block,
    },
    /// Leaves a loop or a scope.
    Break {
        /// Which.
        label: LabelId,
        /// The scope's value, if it has one.
        value: Option<ValueId>,
    },
    /// Goes to the continuing part of a loop.
    Continue {
        /// Which.
        label: LabelId,
    },
    /// Leaves the function; in the kernel's body, ends the thread.
    Return(Option<ValueId>),
}

/// One case of a [`Switch`](InstKind::Switch).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SwitchCase {
    /// The values it stands for, at least one: bits of the selector's type.
    pub values: Vec<u32>,
    /// The block.
    pub body: Block,
    /// Where it stands.
    pub pos: Pos,
}

/// What a newly declared local variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Init {
    /// Nothing that may be read: the checker demands that a scalar or vector is written first; aggregates are zero, and the reference accelerator
    /// reports a read before a write.
    Unset,
    /// Zero in every part.
    Zero,
    /// A value, for a scalar or vector.
    Value(ValueId),
}

/// The text of `print` and `error`: pieces and values in turn, beginning and ending with a piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// One more than there are values.
    pub pieces: Vec<Name>,
    /// Scalars or vectors.
    pub values: Vec<ValueId>,
}
