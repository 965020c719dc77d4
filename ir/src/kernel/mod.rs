//! The kernel: a tree of instructions, as plain data.
//!
//! A [`Kernel`] is what the macro lowers to, what `.kir` text says, what the checker judges and what every target compiles. It is made by
//! [`build`](crate::build) alone; from outside this crate it can only be read.
//!
//! - **Structure is never lost.** Control flow is a tree: [`If`](InstKind::If), [`Loop`](InstKind::Loop), [`Switch`](InstKind::Switch),
//!   [`NameScope`](InstKind::Scope), left early by `break`, `continue` and `return`. There is no goto, so masks, barrier regions and WGSL fall out of it.
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

mod class;
mod inst;
mod place;
mod visit;
mod words;

pub use class::{Construct, InstClass, Jump};
pub use inst::{Block, Init, Inst, InstKind, Message, SwitchCase};
pub use place::{CallArgument, Place, Root, Step};
pub use words::{AtomicOp, Builtin, BuiltinKind, Fence};

use crate::limits::MAX_NESTING;
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
    /// An instruction of one function, for tables of what a pass knows about instructions.
    ///
    /// The last step of building ([`build`](crate::build)) assigns the ids and nothing changes them
    /// after it; [`inline`](crate::inline) ends with the same step. So in every function of every
    /// kernel that is finished, and thus in [`inlined`](crate::check::Checked::inlined) too:
    ///
    /// - ids are dense: from 0 up to [`Function::inst_count`], which they leave out;
    /// - they are in preorder, that of [`Block::walk`]: in text order, an instruction before those in
    ///   its blocks. So a construct, and all that is inside it, have the ids from the construct's own
    ///   up to that of what stands behind it.
    ///
    /// An instruction in a block that is still being built has no id yet. Equal kernels have equal
    /// ids; comparing and hashing instructions leaves ids out.
    InstId;
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

    /// The parameters with their numbers.
    pub fn numbered_params(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        (0..).map(ParamId).zip(&self.params)
    }

    /// The parameter that a value of the entry is.
    pub fn param_of(&self, value: ValueId) -> Option<ParamId> {
        match self.entry.values.get(value.index())?.def {
            ValueDef::Param(param) => Some(ParamId(param)),
            ValueDef::Const(_) | ValueDef::Inst => None,
        }
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

    /// How many blocks are at most inside one another when calls are inlined: an upper bound.
    pub fn levels(&self) -> u32 {
        let functions = self.functions.iter().map(|function| function.body.depth().saturating_add(1));
        // What is nested deeper the checker refuses, having looked at one function at a time.
        functions.fold(self.entry.body.depth(), u32::saturating_add).min(MAX_NESTING + 8)
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

impl ParamKind {
    /// Whether its type lets the kernel write through it.
    pub fn is_writable(self) -> bool {
        match self {
            ParamKind::View(view) => view.access == Access::ReadWrite,
            ParamKind::Buffer { access, .. } => access == Access::ReadWrite,
            ParamKind::Uniform(_) => false,
        }
    }
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
    /// Instructions, those in blocks inside included.
    pub(crate) inst_count: u32,
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

    /// Number of instructions, those in blocks inside included: all have an [`InstId`] below it.
    pub fn inst_count(&self) -> usize {
        self.inst_count as usize
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
