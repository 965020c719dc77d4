//! The kernel: a tree of instructions, as plain data.
//!
//! A [`Kernel`] is what the macro lowers to, what `.kir` text says, what the checker judges and what every target compiles. It is made by
//! [`build`](crate::build) alone; from outside this crate it can only be read.
//!
//! - **Structure is never lost.** Control flow is a tree: [`If`](InstKind::If), [`Loop`](InstKind::Loop), [`Switch`](InstKind::Switch),
//!   [`Scope`](InstKind::Scope), left early by `break`, `continue` and `return`. There is no goto, so masks, barrier regions and WGSL fall out of it.
//! - **Values are computed once.** An instruction's result has a [`ValueId`] and is visible in the rest of its block and in the blocks inside. State
//!   that changes lives in **local variables** ([`Local`]), declared by an instruction where the source declares them. There are no phi nodes.
//! - **Places, not pointers.** A load, store or atomic names its [`Place`]: a variable, a view with an index, a buffer, then a path of fields and
//!   indices. Nothing takes an address that could outlive an instruction. A function may take places by reference, because functions are inlined
//!   ([`inline`](crate::inline)) before any target sees them.
//! - Constants and parameters are values without an instruction ([`ValueDef`]): operands are always a [`ValueId`].
//! - Operands are evaluated by their own instructions, earlier in the tree; so the order of instructions *is* the order of evaluation.
//! - Every instruction has its [`Pos`].
//!
//! A kernel need not be legal: types may clash, a `return` may be missing. Only [`check`](crate::check) turns it into a `Checked` one, and only that can
//! be launched.

mod visit;

use std::fmt;

use crate::ops::Op;
use crate::pos::{Pos, Sources};
use crate::types::{Access, Name, Scalar, TypeId, Types, ValueType};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// Its number, for tables indexed by it.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A value of one function: see [`Function::values`].
    ValueId;
    /// A local variable of one function: see [`Function::locals`].
    LocalId;
    /// A label of one function: see [`Function::labels`].
    LabelId;
    /// A parameter of the kernel: see [`Kernel::params`].
    ParamId;
    /// A `tile_static` variable: see [`Kernel::tile_vars`].
    TileVarId;
    /// A constant table: see [`Kernel::tables`].
    TableId;
    /// A function that the kernel calls: see [`Kernel::functions`].
    FunctionId;
}

/// A kernel: what runs once for every index of a domain.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    pub(crate) name: Name,
    pub(crate) rank: u32,
    pub(crate) tile: Option<Vec<u32>>,
    pub(crate) types: Types,
    pub(crate) params: Vec<Param>,
    pub(crate) tile_vars: Vec<TileVar>,
    pub(crate) tables: Vec<Table>,
    pub(crate) functions: Vec<Function>,
    pub(crate) entry: Function,
    pub(crate) sources: Sources,
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of dimensions of the domains it can be launched over.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// Dimensions of a tile, one for each dimension of the domain; nothing for an untiled kernel.
    pub fn tile(&self) -> Option<&[u32]> {
        self.tile.as_deref()
    }

    /// The memory types it speaks of.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// What a launch binds.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The `tile_static` variables.
    pub fn tile_vars(&self) -> &[TileVar] {
        &self.tile_vars
    }

    /// The constant tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The functions it may call, in the order of declaration.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The body, as a function without parameters and result.
    pub fn entry(&self) -> &Function {
        &self.entry
    }

    /// The texts that positions point into.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// What a launch binds to a kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The name.
    pub name: Name,
    /// What is bound.
    pub kind: ParamKind,
    /// Where it is declared.
    pub pos: Pos,
}

/// The kinds of [`Param`]. Textures and samplers will be further ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParamKind {
    /// A view: extents, strides and base come with the launch. Used as a value ([`ValueDef::Param`]).
    View(crate::types::ViewType),
    /// Bytes laid out as one object of a type, which may end in a runtime-sized array: WGSL's storage buffer. Used as a place.
    Buffer {
        /// Layout of the object.
        ty: TypeId,
        /// What the kernel may do with it.
        access: Access,
    },
    /// Bytes that travel with the launch itself: a captured scalar, vector or struct, WGSL's uniform block. A scalar or vector is used as a value
    /// ([`ValueDef::Param`]), anything else as a read-only place. A `bool` is given as one byte.
    Uniform(TypeId),
}

/// A `tile_static` variable: one instance a tile, zero when the tile begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileVar {
    /// The name.
    pub name: Name,
    /// Its type, of fixed size.
    pub ty: TypeId,
    /// Where it is declared.
    pub pos: Pos,
}

/// A constant table: a read-only place, the same in every thread and launch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    /// The name.
    pub name: Name,
    /// Its type, of fixed size: an array, mostly.
    pub ty: TypeId,
    /// The bits of its scalars as [`Types::leaves`] lists them, each as the bits of its *value* (see [`Const`]).
    pub leaves: Vec<u64>,
    /// Where it is declared.
    pub pos: Pos,
}

/// A function: parameters, a result, a body. The kernel's own body is one too.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub(crate) name: Name,
    pub(crate) params: Vec<FnParam>,
    pub(crate) result: Option<ValueType>,
    pub(crate) values: Vec<Value>,
    pub(crate) locals: Vec<Local>,
    pub(crate) labels: Vec<Label>,
    pub(crate) body: Block,
    pub(crate) pos: Pos,
}

impl Function {
    /// Its name; library functions have a path: `fast_math::exp`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a call hands over.
    pub fn params(&self) -> &[FnParam] {
        &self.params
    }

    /// What a call gives back.
    pub fn result(&self) -> Option<ValueType> {
        self.result
    }

    /// All values, by number.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// One value.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// All local variables, by number.
    pub fn locals(&self) -> &[Local] {
        &self.locals
    }

    /// All labels, by number.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The instructions.
    pub fn body(&self) -> &Block {
        &self.body
    }

    /// Where its name stands.
    pub fn pos(&self) -> Pos {
        self.pos
    }
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnParam {
    /// The name.
    pub name: Name,
    /// What is handed over.
    pub kind: FnParamKind,
    /// Where it is declared.
    pub pos: Pos,
}

/// The kinds of [`FnParam`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FnParamKind {
    /// A scalar, a vector or a view: a value in the function ([`ValueDef::Param`]).
    Value(ValueType),
    /// A place of the caller: a root in the function ([`Root::Ref`]).
    Ref {
        /// Type of the place.
        ty: TypeId,
        /// What the function may do with it.
        access: Access,
    },
}

/// A value: its type, where it comes from, and its name if the source gave one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The type.
    pub ty: ValueType,
    /// Where it comes from.
    pub def: ValueDef,
    /// The name of the `let` that binds it.
    pub name: Option<Name>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueDef {
    /// A constant scalar.
    Const(Const),
    /// In the kernel's body: its parameter of that number (a view, or a uniform scalar or vector). In a function: the function's.
    Param(u32),
    /// The result of the one instruction that names it.
    Inst,
}

/// A constant scalar. `bits` is the two's complement or IEEE pattern of its type, zero-extended to 64 bits; a `bool` is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// The type.
    pub scalar: Scalar,
    /// The pattern.
    pub bits: u64,
}

impl Const {
    /// A truth value.
    pub const fn bool(value: bool) -> Const {
        Const { scalar: Scalar::Bool, bits: value as u64 }
    }

    /// An `i32`.
    pub const fn i32(value: i32) -> Const {
        Const { scalar: Scalar::I32, bits: value as u32 as u64 }
    }

    /// A `u32`.
    pub const fn u32(value: u32) -> Const {
        Const { scalar: Scalar::U32, bits: value as u64 }
    }

    /// An `i64`.
    pub const fn i64(value: i64) -> Const {
        Const { scalar: Scalar::I64, bits: value as u64 }
    }

    /// A `u64`.
    pub const fn u64(value: u64) -> Const {
        Const { scalar: Scalar::U64, bits: value }
    }

    /// An `f32`.
    pub const fn f32(value: f32) -> Const {
        Const { scalar: Scalar::F32, bits: value.to_bits() as u64 }
    }

    /// An `f64`.
    pub const fn f64(value: f64) -> Const {
        Const { scalar: Scalar::F64, bits: value.to_bits() }
    }

    /// The value of an integer constant.
    pub fn integer(self) -> Option<i128> {
        match self.scalar {
            Scalar::I32 => Some(i128::from(self.bits as u32 as i32)),
            Scalar::U32 => Some(i128::from(self.bits as u32)),
            Scalar::I64 => Some(i128::from(self.bits as i64)),
            Scalar::U64 => Some(i128::from(self.bits)),
            Scalar::Bool | Scalar::F32 | Scalar::F64 => None,
        }
    }
}

/// A local variable: each thread has its own. Its life begins at its [`Declare`](InstKind::Declare).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    /// The name.
    pub name: Name,
    /// Its type, of fixed size.
    pub ty: TypeId,
}

/// The target of `break` and `continue`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The name, without the quote mark, if the source gave one.
    pub name: Option<Name>,
}

/// Instructions in order, and the value that the block stands for where it is an arm, a condition or a scope with a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// What the block gives to the construct around it.
    pub value: Option<ValueId>,
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// The value it defines.
    pub result: Option<ValueId>,
    /// Where it stands.
    pub pos: Pos,
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
        args: Vec<Arg>,
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
        cases: Vec<Case>,
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

impl InstKind {
    /// The block ends here: what follows in it can not be reached.
    pub const fn leaves(&self) -> bool {
        matches!(self, InstKind::Break { .. } | InstKind::Continue { .. } | InstKind::Return(_))
    }
}

/// One case of a [`Switch`](InstKind::Switch).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
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

/// What is handed over for a parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// For [`FnParamKind::Value`].
    Value(ValueId),
    /// For [`FnParamKind::Ref`].
    Place(Place),
}

/// A place in memory: a root and the way from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where the way begins.
    pub root: Root,
    /// The way.
    pub path: Vec<Step>,
}

/// Where a [`Place`] begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// An element of a view.
    View {
        /// The view.
        view: ValueId,
        /// An `i32` or `u32` for each dimension, the most significant first.
        index: Vec<ValueId>,
    },
    /// A parameter of the kernel: a buffer, or a uniform aggregate. Only in the kernel's own body.
    Param(ParamId),
    /// A `tile_static` variable.
    Tile(TileVarId),
    /// A constant table.
    Table(TableId),
    /// A local variable.
    Local(LocalId),
    /// What the parameter of that number refers to. Only in a function.
    Ref(u32),
}

/// One step of a [`Place`]'s way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A field of a struct, by position.
    Field(u32),
    /// A component of a vector, by position.
    Component(u8),
    /// An element of an array or a component of a vector, at an `i32` or `u32`. Out of range reads zero and writes nothing.
    Index(ValueId),
}

/// What a thread knows about itself and its launch. Each is an `i32` and has a dimension, 0 the most significant.
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

/// The name of a kind of [`Builtin`], and what makes one for a dimension.
pub type BuiltinKind = (&'static str, fn(u32) -> Builtin);

impl Builtin {
    /// Every kind, made for a dimension.
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

    /// Has it a meaning only in a tiled kernel?
    pub const fn needs_tile(self) -> bool {
        !matches!(self, Builtin::Global(_) | Builtin::DomainExtent(_))
    }
}

/// Which memory a barrier or a fence orders.
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

/// How an [`Atomic`](InstKind::Atomic) changes its place.
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

    /// Does it exist for this scalar?
    pub const fn accepts(self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => true,
            Scalar::F32 => matches!(self, AtomicOp::Add | AtomicOp::Exchange),
            Scalar::Bool | Scalar::F64 => false,
        }
    }
}

/// The text of `print` and `error`: pieces and values in turn, beginning and ending with a piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// One more than there are values.
    pub pieces: Vec<Name>,
    /// Scalars or vectors.
    pub values: Vec<ValueId>,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
