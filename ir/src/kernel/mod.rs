//! Defines the [`Kernel`]: a tree of typed instructions, as plain data.
//!
//! The macro lowers a closure to a kernel, the parser reads one from `.kir` text, the checker
//! checks it and every target compiles it. Only [`build`](crate::build) makes kernels; outside this
//! crate a kernel is read-only.
//!
//! | module | contents |
//! |---|---|
//! | `inst` | [`Block`], [`Inst`], [`InstKind`] |
//! | `place` | [`Place`], [`CallArgument`] |
//! | `words` | [`Builtin`], [`Fence`], [`AtomicOp`] |
//! | `class` | [`InstKind::class`] and other queries on instructions |
//! | `visit` | traversal of operands, places and blocks |
//!
//! - **Control flow stays structured.** It is a tree: [`If`](InstKind::If),
//!   [`Loop`](InstKind::Loop), [`Switch`](InstKind::Switch), [`NameScope`](InstKind::Scope), with
//!   early exits by `break`, `continue` and `return`. There is no goto, so masks, barrier regions
//!   and WGSL follow from the structure.
//! - **Values are immutable.** An instruction's result has a [`ValueId`] and is visible in the rest
//!   of its block and in nested blocks. Mutable state lives in **local variables** ([`Local`]),
//!   declared by an instruction where the source declares them. There are no phi nodes.
//! - **Places, not pointers.** A load, store or atomic names its [`Place`]: a variable, a view with
//!   an index, or a buffer, then a path of fields and indices. No address outlives an instruction.
//!   A function may take places by reference, because functions are inlined
//!   ([`inline`](crate::inline)) before a target sees them.
//! - Constants and parameters are values without an instruction ([`ValueDef`]), so an operand is
//!   always a [`ValueId`].
//! - Operands are computed by their own instructions, earlier in the tree, so the order of
//!   instructions *is* the order of evaluation.
//! - Every instruction has its [`Pos`].
//!
//! A kernel may be ill-formed: types may clash, a `return` may be missing. [`check`](crate::check)
//! alone turns it into a `Checked` kernel, and only a `Checked` kernel can be launched.

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
use crate::math::LIBRARIES;
use crate::math::promise::{Promise, promises_of};
use crate::pos::{Pos, Sources};
use crate::types::{Access, Name, Scalar, TypeId, Types, ValueType};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The id as an index into tables.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A value of one function: see [`Function::values`].
    ValueId;
    /// An instruction of one function; indexes a pass's tables of facts about instructions.
    ///
    /// The last step of building ([`build`](crate::build)) assigns the ids, and nothing changes
    /// them afterwards; [`inline`](crate::inline) ends with the same step. So in every function of
    /// every finished kernel, and thus in [`inlined`](crate::check::Checked::inlined) too:
    ///
    /// - ids are dense: `0..inst_count` (see [`Function::inst_count`]);
    /// - ids are in preorder, that of [`Block::walk`]: text order, an instruction before the ones
    ///   in its blocks. So a construct and everything nested in it have the ids from the
    ///   construct's own up to, but not including, the id of the next instruction after it.
    ///
    /// An instruction in a block under construction has no id yet. Equal kernels have equal ids;
    /// equality and hash of instructions ignore ids.
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

/// A kernel: the program that runs once for each index of a domain.
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

    /// Size of a tile in each dimension of the domain; `None` for an untiled kernel.
    pub fn tile(&self) -> Option<&[u32]> {
        self.tile.as_deref()
    }

    /// The memory types that the kernel uses.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// The parameters, which a launch binds.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The parameters with their ids.
    pub fn numbered_params(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        (0..).map(ParamId).zip(&self.params)
    }

    /// The parameter that defines a value of the entry function, if one does.
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

    /// The functions that the kernel may call, in order of declaration.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Whether it has a precise function ([`Function::is_precise`]).
    pub fn is_precise(&self) -> bool {
        self.functions.iter().any(Function::is_precise)
    }

    /// The sources ([`Pos::source`]) of its precise functions. Inlined code keeps its positions, so
    /// these tell it apart; whatever else is in such a source is computed as written, too.
    pub fn precise_sources(&self) -> Vec<u32> {
        self.sources_of(Function::is_precise)
    }

    /// The sources of its functions of the math libraries ([`Function::is_of_library`]).
    pub fn library_sources(&self) -> Vec<u32> {
        self.sources_of(Function::is_of_library)
    }

    /// The positions of operations about which its functions of the math libraries promise something.
    /// Inlined code keeps its positions.
    pub fn promises(&self) -> Vec<(Pos, Promise)> {
        let source = |function: &Function| self.sources.list.get(function.pos.source as usize);
        self.functions.iter().flat_map(|function| promises_of(function, source(function))).collect()
    }

    fn sources_of(&self, wanted: impl Fn(&Function) -> bool) -> Vec<u32> {
        let wanted = self.functions.iter().filter(|&function| wanted(function));
        let mut sources: Vec<u32> = wanted.map(|function| function.pos.source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// The body, as a function without parameters or result.
    pub fn entry(&self) -> &Function {
        &self.entry
    }

    /// Upper bound on the nesting depth of blocks after inlining.
    pub fn levels(&self) -> u32 {
        let functions = self.functions.iter().map(|function| function.body.depth().saturating_add(1));
        // The checker refuses deeper nesting, after it has looked at one function at a time.
        functions.fold(self.entry.body.depth(), u32::saturating_add).min(MAX_NESTING + 8)
    }

    /// The source texts that positions refer to.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// A parameter of a kernel, which a launch binds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The name.
    pub name: Name,
    /// The kind.
    pub kind: ParamKind,
    /// Where it is declared.
    pub pos: Pos,
}

/// The kinds of [`Param`]. Textures and samplers are future kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParamKind {
    /// A view: the launch supplies extents, strides and base. Used as a value
    /// ([`ValueDef::Param`]).
    View(crate::types::ViewType),
    /// Bytes laid out as one object of a type, which may end in a runtime-sized array: WGSL's
    /// storage buffer. Used as a place.
    Buffer {
        /// Layout of the object.
        ty: TypeId,
        /// Whether the kernel may write it.
        access: Access,
    },
    /// Bytes passed with the launch itself: a captured scalar, vector or struct; WGSL's uniform
    /// block. A scalar or vector is used as a value ([`ValueDef::Param`]), any other type as a
    /// read-only place. A `bool` takes one byte.
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

/// A `tile_static` variable: one instance per tile, zero when the tile begins.
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
    /// Its type, of fixed size; usually an array.
    pub ty: TypeId,
    /// The bits of its scalars in the order of [`Types::leaves`], each as the bits of its *value*
    /// (see [`Const`]).
    pub leaves: Vec<u64>,
    /// Where it is declared.
    pub pos: Pos,
}

/// A function: parameters, a result, a body. The kernel's own body is a function too.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub(crate) name: Name,
    pub(crate) params: Vec<FnParam>,
    pub(crate) result: Option<ValueType>,
    pub(crate) values: Vec<Value>,
    pub(crate) locals: Vec<Local>,
    pub(crate) labels: Vec<Label>,
    pub(crate) body: Block,
    /// Number of instructions, including those in nested blocks.
    pub(crate) inst_count: u32,
    pub(crate) pos: Pos,
}

impl Function {
    /// Its name; that of a library function is a path: `fast_math::exp`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether every launch computes it as Strict does, whatever the launch permits: functions of
    /// the library `precise_math` and their helpers, which rely on the error of each sum and
    /// product.
    pub fn is_precise(&self) -> bool {
        self.name.starts_with("precise_math::")
    }

    /// Whether it is a function of a math library, or a helper of one.
    pub fn is_of_library(&self) -> bool {
        let path = self.name.split_once("::");
        path.is_some_and(|(library, _)| LIBRARIES.iter().any(|known| known.name == library))
    }

    /// The parameters.
    pub fn params(&self) -> &[FnParam] {
        &self.params
    }

    /// Type of the result.
    pub fn result(&self) -> Option<ValueType> {
        self.result
    }

    /// All values, indexed by [`ValueId`].
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The ids of all values, in order.
    pub fn value_ids(&self) -> impl Iterator<Item = ValueId> + use<> {
        (0..self.values.len() as u32).map(ValueId)
    }

    /// One value.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// All local variables, indexed by [`LocalId`].
    pub fn locals(&self) -> &[Local] {
        &self.locals
    }

    /// All labels, indexed by [`LabelId`].
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The instructions.
    pub fn body(&self) -> &Block {
        &self.body
    }

    /// Number of instructions, including those in nested blocks; every [`InstId`] is below it.
    pub fn inst_count(&self) -> usize {
        self.inst_count as usize
    }

    /// Position of its name.
    pub fn pos(&self) -> Pos {
        self.pos
    }
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnParam {
    /// The name.
    pub name: Name,
    /// The kind.
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
        /// Whether the function may write it.
        access: Access,
    },
}

/// A value: its type, its definition, and its name if the source gave one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The type.
    pub ty: ValueType,
    /// Its definition.
    pub def: ValueDef,
    /// The name of the `let` that binds it.
    pub name: Option<Name>,
}

/// How a value is defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueDef {
    /// A constant scalar.
    Const(Const),
    /// The parameter with this number: of the kernel in its body (a view, or a uniform scalar or
    /// vector), of the function in a function.
    Param(u32),
    /// The result of the one instruction that names it.
    Inst,
}

/// A constant scalar. `bits` is the two's complement or IEEE pattern of its type, zero-extended to
/// 64 bits; a `bool` is 0 or 1.
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

/// A local variable, private to each thread. Its lifetime begins at its
/// [`Declare`](InstKind::Declare).
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
