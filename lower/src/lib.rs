//! From Rust to a kernel: joins the syntax that the macros wrote with the types that rustc inferred.
//!
//! A kernel or an `#[amp]` function reaches this module as a [`RustFunction`]: the bytes of its
//! [`Tree`](tilewise_ast::SyntaxTree), and three tables that rustc filled in, once
//! for each monomorphisation: types ([`RustType`]), what each call and operator resolves to
//! ([`FormLink`]s to other [`Form`]s), and the values of constants.
//! Lowering gives the [`Kernel`], ready for the checker.
//!
//! # How values are held (`value`, `parts`, `variable`, `access`)
//! - A scalar, a vector, an enum or a view is a value of the kernel language.
//! - A struct, tuple, array, [`RustType::Index`] or [`RustType::Extent`] that does not change is
//!   held **part by part** while lowering ("scalar replacement by construction"): there is no
//!   aggregate
//!   in the kernel, and field access costs nothing. An array that is indexed by a computed number is put in memory once, where its name is bound: in a constant table if it is known, else in a
//!   local variable. `scan` finds those names beforehand.
//! - A name bound with `mut` is a local variable of the kernel: one for each part of a struct or tuple, one for a whole array (also of structs).
//! - A uniform aggregate (a captured struct) is a place; what is read of it is loaded where it is read. So is a large array that was copied.
//! - The thread's own index is asked for where it is used: `v[idx]` is `v[global[0]]`.
//! - An 8- or 16-bit number outside of memory is a number of 32 bits within its range.
//!
//! # Places (`place`)
//! A place expression is worked out to a `RustPlace`, its indices included, and read or written
//! later, only as far as is wanted: `v[i].pos.x = 1.0` stores one number. A component of a
//! variable index at a computed number is a `select`, so that indices stay numbers.
//!
//! # Control flow (`control`, `ranges`, `matching`, `join`)
//! - An expression gives a value, or says why there is none: control has left, the thread has ended, or there was a report. What follows in its block is dropped.
//! - Where ways meet, a number or a vector is the value of the `if` or scope itself; anything larger goes through local variables that are declared in front of it.
//! - A `match` on constants is a `switch`; any other a chain of `if`s. A `for` is a counted loop with a continuing part.
//! - Behind `abort!` and `error!` nothing has an effect, but for the checker the thread walks on: where a value is wanted of it, it is zero.
//!
//! # How calls are lowered (`call`, `builtin`, `shape`, `methods`)
//! **Every `#[amp]` function is inlined where it is called.** Targets inline all calls anyway; doing it here makes parameters of every kind simple: a `&mut` is the caller's place
//! itself, a view the caller's value, a struct its parts. What `&` refers to is the caller's place too, unless that is an element of a view: views may overlap, and so it is read at the call, as
//! the native form does. A `return` in the middle becomes a break out of a scope. A call within itself is a report with the chain of calls (K0702). Library
//! functions (`fast_math::exp`) stay calls ([`text::link`](tilewise_ir::text::link)).
//!
//! # What it keeps to
//! - **Rust's order of evaluation**: operands from left to right; in `place = value` the value first, then the place's base and indices; in `place += value` likewise, and the read of the
//!   place after that (for built-in types). `&&`, `||`, `if`, `match` evaluate what Rust does.
//! - **Every instruction has the position of the token it comes from**, in the file of the function that is inlined.
//! - Input is not trusted: bytes that are no tree, slots that name nothing, types that cannot be are reported (K0701), and nothing panics, takes time or memory without bound, or overflows the
//!   stack (`state` has the limits, K0705).
//! - What the type of an operation allows is decided by the checker, not here; here is reported only what has no form in the kernel language at all (K0703, K0704).

mod access;
mod builtin;
mod call;
mod control;
mod entry;
mod expression;
mod join;
mod matching;
pub mod methods;
mod operator;
mod parts;
mod pattern;
mod place;
mod ranges;
mod scan;
mod shape;
mod state;
mod types;
mod value;
mod variable;

use std::sync::Arc;

use tilewise_ir::check::Rejected;
use tilewise_ir::kernel::{AtomicOp, Fence, Kernel, LocalId, ParamId, Place, Root};
use tilewise_ir::ops::Op;
use tilewise_ir::stack::with_bytes;
use tilewise_ir::types::{Access, Data, Scalar, Stored};
use types::memory;

/// A kernel in the kernel language, not yet checked, and what a launch binds to it.
#[derive(Clone, Debug)]
pub struct LoweredKernel {
    /// The kernel.
    pub kernel: Kernel,
    /// For each captured name, in the tree's order, what it is to the kernel.
    pub bindings: Vec<Binding>,
}

/// What a captured name is to a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// A view.
    View(ParamId),
    /// A value that travels with the launch: see [`uniform_bytes`].
    Uniform(ParamId),
    /// Nothing is bound: its type has no scalars.
    Nothing,
}

/// Bytes of stack that dropping a tree takes at most.
const TREES: usize = 768 << 10;

/// Lowers a kernel that is called `name`. Rank and tile are those of its parameter.
pub fn kernel(name: &str, function: &RustFunction) -> Result<LoweredKernel, Rejected> {
    // The trees of all functions are dropped at its end.
    with_bytes(TREES, || entry::kernel(name, function))
}

/// The bytes of a [uniform](tilewise_ir::kernel::ParamKind::Uniform) parameter as a launch binds
/// them, from the scalars of the captured value (as [`RustConstant::leaves`] has them).
/// Missing scalars are zero. Nothing for a parameter of another kind.
pub fn uniform_bytes(kernel: &Kernel, param: ParamId, leaves: &[u64]) -> Vec<u8> {
    entry::uniform_bytes(kernel, param, leaves)
}

/// The whole of a local variable.
const fn local(id: LocalId) -> Place {
    Place { root: Root::Local(id), path: Vec::new() }
}

/// What a name in Rust stands for, as the macros' code hands it over.
#[derive(Clone, Debug)]
pub enum Form {
    /// A function or kernel in Rust.
    Function(RustFunction),
    /// Something that lowering knows.
    Builtin(RustBuiltin),
}

/// How one form refers to another: it is made when it is needed, so that recursion is no trouble until it is found.
pub type FormLink = fn() -> Form;

/// A function or kernel in Rust: its syntax and what rustc knows of it.
#[derive(Clone, Debug)]
pub struct RustFunction {
    /// The bytes of its [`Tree`](tilewise_ast::SyntaxTree), at an address that is this function's own.
    pub tree: &'static [u8],
    /// The file it stands in.
    pub file: &'static str,
    /// The types that the tree's slots name.
    pub types: Vec<RustType>,
    /// The functions and operators that the tree's slots name.
    pub links: Vec<FormLink>,
    /// The constants that the tree's slots name.
    pub constants: Vec<RustConstant>,
    /// The types of what a kernel captures, in the tree's order; empty for a function.
    pub captures: Vec<RustType>,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Debug)]
pub struct RustConstant {
    /// Its type.
    pub ty: RustType,
    /// Its scalars, in order, as [`Const`](tilewise_ir::kernel::Const) has them; a variant of an
    /// enum is as [`EnumTy`] says.
    pub leaves: Vec<u64>,
    /// A `usize` or `isize` in it that does not fit the 32 bits which it has in a kernel: there is no such constant.
    pub too_wide: Option<i128>,
}

/// The type of a value in Rust, as far as kernels have it.
#[derive(Clone, PartialEq, Debug)]
pub enum RustType {
    /// `()`
    Unit,
    /// A number, a `bool`, a short vector. `usize` is a `u32`, `isize` an `i32`.
    Data(Data),
    /// An 8- or 16-bit number: only as an element, or as a part of one.
    Small(Stored),
    /// `(A, B)`
    Tuple(Vec<RustType>),
    /// `[T; N]`
    Array(Arc<RustType>, u32),
    /// A struct with `derive(AmpStruct)`.
    Struct(Arc<StructTy>),
    /// An enum without fields, with `derive(AmpStruct)`.
    Enum(Arc<EnumTy>),
    /// `Index<N>`: in memory, an array of `i32`.
    Index(u32),
    /// `Extent<N>`: in memory, an array of `i32`.
    Extent(u32),
    /// `TiledIndex`, with the dimensions of its tile. Fields: `global`, `local`, `tile`, `tile_origin` (each an `Index`), `barrier`.
    TiledIndex(Vec<u32>),
    /// `TiledExtent`, with the dimensions of its tile: in memory, its extent.
    TiledExtent(Vec<u32>),
    /// `TileBarrier`
    Barrier,
    /// `ArrayView`
    View {
        /// Type of an element.
        element: Arc<RustType>,
        /// Number of dimensions.
        rank: u32,
        /// What may be done with it.
        access: Access,
    },
    /// `TileStatic<T>`: what a `#[tile_static]` name is when it is handed to a function. A parameter of this type is the caller's place, however it is handed over.
    TileStatic(Arc<RustType>),
    /// `AtomicRef<T>`
    Atomic(Scalar),
}

/// A struct: its name and its layout as rustc has it.
#[derive(Clone, PartialEq, Debug)]
pub struct StructTy {
    /// The name, without its path; with its arguments, if it is generic.
    pub name: String,
    /// The fields in the order of declaration; "0", "1" for a tuple struct.
    pub fields: Vec<FieldTy>,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A field of a struct.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldTy {
    /// The name.
    pub name: &'static str,
    /// The first byte.
    pub offset: u32,
    /// The type.
    pub ty: RustType,
}

/// An enum without fields. A value of it is its discriminant, less the
/// [one that stands for zero](EnumTy::zero): what is not there reads as zero, and is a variant.
#[derive(Clone, PartialEq, Debug)]
pub struct EnumTy {
    /// The name, without its path.
    pub name: String,
    /// `I32` or `U32`.
    pub scalar: Scalar,
    /// The variants: name and discriminant (as bits).
    pub variants: Vec<(&'static str, u32)>,
}

impl EnumTy {
    /// The discriminant of the variant that zero is: 0, or the first variant's if none has 0.
    pub fn zero(&self) -> u32 {
        let has_zero = self.variants.iter().any(|(_, discriminant)| *discriminant == 0);
        self.variants.first().filter(|_| !has_zero).map_or(0, |(_, discriminant)| *discriminant)
    }
}

/// What lowering knows how to write. Receivers come first among the arguments.
#[derive(Clone, PartialEq, Debug)]
pub enum RustBuiltin {
    /// `==` and `!=` of an enum of this name whose own comparison is not that of its variants: an error.
    OtherEquality(String),
    /// The operator's own meaning, which goes by the operands: numbers, `bool`, enums (`==`, `!=`),
    /// vectors, [`RustType::Index`] and [`RustType::Extent`] part by part, each also with a scalar
    /// on one side.
    /// A shift's amount may be signed. `==` and `!=` of what has parts ([`RustType::TiledExtent`]
    /// too) give one `bool`: all parts are equal, or not.
    Operator,
    /// A row of the op table on numbers and vectors. A scalar beside a vector is spread.
    Op(Op),
    /// A method of numbers by Rust's name.
    Method(&'static str),
    /// A function of a library: `fast_math::exp`.
    Library(&'static str),
    /// A vector out of its components, or of smaller vectors.
    Compose(Data),
    /// A vector with the one argument in each component.
    Splat(Data),
    /// Components of a vector in a given order.
    Swizzle(&'static [u8]),
    /// The zero of a type.
    Zero(RustType),
    /// The argument itself.
    Identity,
    /// `Index::new`: of an integer, a tuple, an array, an index, a tiled index (its `global`).
    ToIndex(u32),
    /// `Extent::new`: likewise; of a tiled extent, the whole domain.
    ToExtent(u32),
    /// `to_array` of an index, an extent or a vector.
    ToArray,
    /// `Extent::size`
    ExtentSize,
    /// `Extent::contains`
    ExtentContains,
    /// `extent.tile::<..>()`
    Tile(Vec<u32>),
    /// `TiledExtent::extent`
    TiledExtentWhole,
    /// `tile_extent` of a tiled extent or index.
    TileExtent,
    /// `TiledExtent::pad`: each component `e` of a tile's `d` becomes `(e + (d - 1)) / d * d`, wrapping, the division towards 0.
    Pad,
    /// `TiledExtent::truncate`: `e / d * d`, likewise.
    Truncate,
    /// `TiledIndex::from_parts`: global, local, tile, tile origin, barrier.
    TiledIndexFromParts(Vec<u32>),
    /// `view.extent()`
    ViewExtent,
    /// `view.section(origin, extent)`
    Section,
    /// `view.section_from(origin)`
    SectionFrom,
    /// `view.section_to(extent)`
    SectionTo,
    /// `view.project(i)`
    Project,
    /// `view.reinterpret_as::<T>()`, with the new element.
    Reinterpret(RustType),
    /// `view.view_as(extent)`, with the new rank.
    ViewAs(u32),
    /// `view.as_read_only()`
    AsReadOnly,
    /// `view.atomic(i)`, `tile.atomic(i)`: a place for atomic operations.
    AtomicAt,
    /// `atomic.fetch_add(x)` and the like: gives the value before.
    Atomic(AtomicOp),
    /// `atomic.compare_exchange(current, new)`: the value before, and whether it was replaced, as a tuple.
    CompareExchange,
    /// `barrier.wait()` of that flavour.
    Barrier(Fence),
    /// A fence of that flavour; its argument, the barrier, is dropped.
    Fence(Fence),
}
