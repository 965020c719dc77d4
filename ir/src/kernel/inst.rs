//! Instructions and blocks of instructions.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::place::{CallArgument, Place};
use super::words::{AtomicOp, Builtin, Fence};
use super::{FunctionId, InstId, LabelId, LocalId, ValueId};
use crate::format::ValueFormat;
use crate::ops::Op;
use crate::pos::Pos;
use crate::stack::{try_with_block, with_block};
use crate::types::{Name, TypeId};

/// Instructions in order, and the value of the block if it is an arm, a condition or a scope with a
/// value.
#[derive(Eq, Default)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// The value that the block yields to the enclosing construct.
    pub value: Option<ValueId>,
}

// Blocks nest, so the derived impls would recurse without bound on the caller's stack.
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
        if !self.insts.is_empty() && try_with_block(|| self.insts.clear()).is_err() {
            std::mem::forget(std::mem::take(&mut self.insts));
        }
    }
}

impl Block {
    /// Nesting depth of blocks, this one included.
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
    /// The id of a function's first instruction.
    pub const FIRST: InstId = InstId(0);

    /// The id of an instruction that is not part of a finished kernel.
    pub(crate) const UNASSIGNED: InstId = InstId(u32::MAX);
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The operation.
    pub kind: InstKind,
    /// The value it defines.
    pub result: Option<ValueId>,
    /// Its source position.
    pub pos: Pos,
    /// Its id in the function; ignored by equality and hash.
    pub id: InstId,
}

impl Inst {
    /// An instruction for a block under construction.
    pub(crate) const fn new(kind: InstKind, result: Option<ValueId>, pos: Pos) -> Inst {
        Inst { kind, result, pos, id: InstId::UNASSIGNED }
    }

    /// Id of the last instruction nested in it, in text order; its own id if there is none.
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

// Positions are always equal, and ids would distinguish instructions with the same content.
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

/// The kinds of instructions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstKind {
    /// A pure operation of the op table on scalars and vectors.
    Op {
        /// The row.
        op: Op,
        /// Its arguments.
        args: Vec<ValueId>,
    },
    /// A vector made of 2 to 4 scalars of one type.
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
    /// The component of a vector at a dynamic index; zero out of range.
    ComponentAt {
        /// The vector.
        value: ValueId,
        /// `i32` or `u32`.
        index: ValueId,
    },
    /// An `i32` property of the thread or the launch, such as the thread's index.
    Builtin(Builtin),
    /// Extent of a view in one dimension: an `i32`.
    ViewExtent {
        /// The view.
        view: ValueId,
        /// The dimension, 0 the most significant.
        dimension: u32,
    },
    /// A rectangle of a view: `extent` elements from `origin`. A rectangle that is not within the
    /// view, or a negative extent, gives an empty view.
    Section {
        /// The view.
        view: ValueId,
        /// First index, an `i32` for each dimension.
        origin: Vec<ValueId>,
        /// Size, an `i32` for each dimension.
        extent: Vec<ValueId>,
    },
    /// The view of rank one lower at an index of the most significant dimension. Out of range gives
    /// an empty view.
    Project {
        /// The view, of rank 2 or more.
        view: ValueId,
        /// An `i32`.
        index: ValueId,
    },
    /// A view of rank 1 as a view of another element type over the same bytes. The view must be
    /// contiguous (stride 1) and its size in bytes a multiple of the new element's size; otherwise
    /// the result is empty.
    Reinterpret {
        /// The view, of rank 1.
        view: ValueId,
        /// The new element.
        element: TypeId,
    },
    /// A contiguous view of rank 1 as a row-major rectangle of another rank. A product of extents
    /// above the view's extent, or a negative component, gives an empty view.
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
        /// The place to write.
        place: Place,
        /// The value to write.
        value: ValueId,
    },
    /// Copies an aggregate, scalar by scalar: all are read before any is written. Padding is not
    /// touched.
    Copy {
        /// The destination.
        to: Place,
        /// The source, a place of the same type.
        from: Place,
    },
    /// Changes a scalar in memory atomically; the result is the old value. A place out of range is
    /// not changed and gives 0.
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The scalar: in a view, a buffer or a `tile_static` variable.
        place: Place,
        /// The operand; `Inc` and `Dec` have none.
        value: Option<ValueId>,
    },
    /// Stores `new` if the scalar at `place` equals `expected`. The result is the old value;
    /// `equal` reports whether `new` was stored. Never fails spuriously. Out of range: (0, false).
    CompareExchange {
        /// The scalar.
        place: Place,
        /// The value to compare with.
        expected: ValueId,
        /// The value to store.
        new: ValueId,
        /// A second result, a `bool`.
        equal: ValueId,
    },
    /// Begins the lifetime of a local variable.
    Declare {
        /// The variable.
        local: LocalId,
        /// Its initial contents.
        init: Init,
    },
    /// Waits for all threads of the tile, then orders memory as the fence specifies.
    Barrier(Fence),
    /// Orders this thread's memory accesses as seen by the other threads of its tile, without
    /// waiting.
    Fence(Fence),
    /// Adds a line to the launch's output.
    Print(Message),
    /// Ends the thread with a message; the thread still counts as arrived at every barrier.
    Error(Message),
    /// Ends the thread; it still counts as arrived at every barrier.
    Abort,
    /// Calls a function.
    Call {
        /// The callee.
        function: FunctionId,
        /// The arguments, one for each parameter.
        args: Vec<CallArgument>,
    },
    /// Runs one of two blocks. If it has a result, that is the value of the block that ran (a block
    /// that always exits early needs none).
    If {
        /// A `bool`.
        condition: ValueId,
        /// If it is true.
        then: Block,
        /// If it is false; may be empty.
        otherwise: Block,
    },
    /// Repeats: condition, body, continuing block. `continue` jumps to the continuing block,
    /// `break` out of the loop.
    Loop {
        /// The label for `break` and `continue`.
        label: LabelId,
        /// Runs before each iteration; its value is a `bool`, and false ends the loop. `while` has
        /// a condition, `loop` has none.
        condition: Option<Box<Block>>,
        /// The body.
        body: Block,
        /// Runs after each iteration. Its value, if it has one, is a `bool`, and true ends the
        /// loop.
        continuing: Block,
    },
    /// Runs the block of the case that lists the selector's value, else the default. There is no
    /// fallthrough.
    Switch {
        /// An `i32` or `u32`.
        selector: ValueId,
        /// The cases.
        cases: Vec<SwitchCase>,
        /// The block for all other values.
        default: Block,
    },
    /// Runs a block that `break 'label` exits. If it has a result, that is the block's value or
    /// that of the `break`.
    Scope {
        /// The label for `break`.
        label: LabelId,
        /// The block.
        body: Block,
    },
    /// Exits a loop or a scope.
    Break {
        /// The label of the loop or scope.
        label: LabelId,
        /// The scope's value, if it has one.
        value: Option<ValueId>,
    },
    /// Jumps to the continuing block of a loop.
    Continue {
        /// The label of the loop.
        label: LabelId,
    },
    /// Returns from the function; in the kernel's body, ends the thread.
    Return(Option<ValueId>),
}

/// One case of a [`Switch`](InstKind::Switch).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SwitchCase {
    /// The values that select it, at least one: bits of the selector's type.
    pub values: Vec<u32>,
    /// The block.
    pub body: Block,
    /// Its source position.
    pub pos: Pos,
}

/// The initial contents of a local variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Init {
    /// Unset: the checker requires that a scalar or vector is written before it is read; aggregates
    /// are zero, and the reference accelerator reports a read before a write.
    Unset,
    /// Zero in every part.
    Zero,
    /// A value, for a scalar or vector.
    Value(ValueId),
}

/// The text of `print` and `error`: alternating pieces and values, beginning and ending with a
/// piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// The literal pieces, one more than there are values.
    pub pieces: Vec<Name>,
    /// Scalars or vectors.
    pub values: Vec<ValueId>,
    /// How they are written, in order. Values beyond its end are written plainly.
    pub formats: Vec<ValueFormat>,
}
