//! From Rust to a kernel: joins the syntax that the macros wrote with the types that rustc
//! inferred.
//!
//! A kernel or an `#[amp]` function reaches this crate as a [`RustFunction`]: the bytes of its
//! [`SyntaxTree`](tilewise_ast::SyntaxTree), and three tables that rustc filled in, once for each
//! monomorphisation: types ([`RustType`]), the targets of calls and operators ([`FormLink`]s to
//! other [`Form`]s), and the values of constants. The result of lowering is the [`Kernel`], ready
//! for the checker.
//!
//! # Representation of values (`value`, `parts`, `variable`, `access`)
//! - A scalar, a vector, an enum or a view is a value of the kernel language.
//! - An immutable struct, tuple, array, [`RustType::Index`] or [`RustType::Extent`] is held **part
//!   by part** while lowering ("scalar replacement by construction"): the kernel has no aggregate,
//!   and field access costs nothing. An array that is indexed by a computed number is put in memory
//!   once, where its name is bound: in a constant table if it is constant, otherwise in a local
//!   variable. `scan` finds those names beforehand.
//! - A name bound with `mut` is a local variable of the kernel: one for each part of a struct or
//!   tuple, one for a whole array (also of structs).
//! - A uniform aggregate (a captured struct) is a place; its parts are loaded where they are read.
//!   So is a large array that was copied.
//! - The thread's own index is queried where it is used: `v[idx]` is `v[global[0]]`.
//! - An 8- or 16-bit number outside memory is a 32-bit number within its range.
//!
//! # Places (`place`)
//! A place expression is evaluated to a `RustPlace`, its indices included, and loaded or stored
//! later, only as far as necessary: `v[i].pos.x = 1.0` stores one number. A component of a variable
//! index at a computed number is a `select`, so that indices stay numbers.
//!
//! # Patterns (`pattern`, `fitting`, `matching`)
//! A pattern is a condition and bindings, both without effects. The fields of all variants of an
//! enum are there whatever its variant is, so bindings need not stand behind the condition.
//!
//! # Control flow (`control`, `ranges`, `matching`, `join`)
//! - An expression has a value, or a reason why it has none: control has left, the thread has
//!   ended, or an error was reported. The rest of its block is dropped.
//! - At a control-flow join, a number or a vector is the value of the `if` or scope itself; larger
//!   data is brought through local variables that are declared before it.
//! - A `match` on constants is a `switch`; any other is a chain of `if`s. A `for` is a counted loop
//!   with a continuing part.
//! - After `abort!` and `error!` nothing has an effect, but for the checker the thread continues: a
//!   value that it must provide is zero.
//!
//! # Calls (`call`, `closure`, `builtin`, `shape`, `methods`)
//! **Every `#[amp]` function is inlined at each call.** Targets inline all calls anyway; to do it
//! here makes parameters of every kind simple: a `&mut` is the caller's place itself, a view the
//! caller's value, a struct its parts. A `&` is the caller's place too, unless that is an element
//! of a view: views may overlap, so the element is loaded at the call, as in the native form. An
//! early `return` becomes a break out of a scope. A function that calls itself is reported with the
//! chain of calls (K0702). Functions of libraries (`fast_math::exp`) stay calls
//! ([`text::link`](tilewise_ir::text::link)).
//!
//! # Guarantees
//! - **Rust's order of evaluation**: operands from left to right; in `place = value` the value
//!   first, then the place's base and indices; in `place += value` likewise, then the load of the
//!   place (for built-in types). `&&`, `||`, `if` and `match` evaluate the operands that Rust
//!   evaluates.
//! - **Every instruction has the position of its token**, in the file of the inlined function.
//! - Input is not trusted: bytes that are no tree, slots out of range and impossible types are
//!   reported (K0701); no input causes a panic, unbounded time or memory, or a stack overflow
//!   (`state` has the limits, K0705).
//! - The checker decides which types an operation allows. Lowering reports only constructs that
//!   have no form in the kernel language at all (K0703, K0704).

mod access;
mod atomics;
mod builtin;
mod bytes;
mod call;
mod closure;
mod control;
mod effects;
mod entry;
mod expression;
mod fitting;
mod item_count;
mod item_rule;
mod join;
mod loan;
mod matching;
mod message;
pub mod methods;
mod operator;
mod options;
mod orders;
mod parts;
mod pattern;
mod place;
mod ranges;
mod scan;
mod sequence;
mod sequence_loop;
mod sequence_methods;
mod sequence_name;
mod sequence_stages;
mod shape;
mod small;
mod state;
mod texture_call;
mod types;
mod value;
mod variable;

pub use message::{WrittenLeaf, WrittenValue};

use std::any::TypeId;
use std::sync::Arc;

use tilewise_ast::TypeSlot;
use tilewise_ir::check::Rejected;
use tilewise_ir::kernel::{AtomicOp, Fence, Kernel, LocalId, ParamId, Place, Root};
use tilewise_ir::ops::Op;
use tilewise_ir::stack::with_bytes;
use tilewise_ir::types::{Access, Data, Scalar, Stored};
use types::memory;

/// A kernel in the kernel language, not yet checked, and the values that a launch binds to it.
#[derive(Clone, Debug)]
pub struct LoweredKernel {
    /// The kernel.
    pub kernel: Kernel,
    /// For each captured name, in the tree's order, its role in the kernel; for each field of a
    /// captured struct that holds views.
    pub bindings: Vec<Binding>,
}

/// The role of a captured name in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// A view.
    View(ParamId),
    /// A value that is passed with each launch: see [`uniform_bytes`].
    Uniform(ParamId),
    /// A buffer: the bytes of a view without gaps. Kernels in Rust have none; imported shaders do.
    Buffer(ParamId),
    /// Nothing is bound: its type has no scalars.
    Nothing,
}

/// Maximum stack, in bytes, for dropping a tree.
const TREES: usize = 768 << 10;

/// Lowers a kernel with the name `name`. Rank and tile are those of its parameter.
pub fn kernel(name: &str, function: &RustFunction) -> Result<LoweredKernel, Rejected> {
    // The trees of all functions are dropped when it returns.
    with_bytes(TREES, || entry::kernel(name, function))
}

/// The bytes that a launch binds to a [uniform](tilewise_ir::kernel::ParamKind::Uniform) parameter,
/// from the scalars of the captured value (in the order of [`RustConstant::leaves`]). Missing
/// scalars are zero. Empty for a parameter of another kind.
pub fn uniform_bytes(kernel: &Kernel, param: ParamId, leaves: &[u64]) -> Vec<u8> {
    entry::uniform_bytes(kernel, param, leaves)
}

/// The place of a whole local variable.
const fn local(id: LocalId) -> Place {
    Place { root: Root::Local(id), path: Vec::new() }
}

/// The target of a name in Rust, as the macros' code passes it.
#[derive(Clone, Debug)]
pub enum Form {
    /// A function or kernel in Rust.
    Function(RustFunction),
    /// A built-in function.
    Builtin(RustBuiltin),
}

/// A reference from one form to another. The form is made on demand, so that recursion does no harm
/// before it is found.
pub type FormLink = fn() -> Form;

/// A function or kernel in Rust: its syntax, and the facts that rustc inferred about it.
#[derive(Clone, Debug)]
pub struct RustFunction {
    /// The bytes of its [`SyntaxTree`](tilewise_ast::SyntaxTree), at an address that is this
    /// function's own.
    pub tree: &'static [u8],
    /// Its source file.
    pub file: &'static str,
    /// The types that the tree's slots name.
    pub types: Vec<RustType>,
    /// The functions and operators that the tree's slots name.
    pub links: Vec<FormLink>,
    /// The types of `#[tile_static]` variables, by their slots. Types of the same memory are types
    /// of different variables, where a generic function is instantiated for each.
    pub shared: Vec<(TypeSlot, TypeId)>,
    /// The constants that the tree's slots name.
    pub constants: Vec<RustConstant>,
    /// The types of a kernel's captures, in the tree's order; empty for a function.
    pub captures: Vec<RustType>,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Debug)]
pub struct RustConstant {
    /// Its type.
    pub ty: RustType,
    /// Its scalars, in order, in the representation of [`Const`](tilewise_ir::kernel::Const); a
    /// variant of an enum as in [`EnumTy`].
    pub leaves: Vec<u64>,
    /// A `usize` or `isize` in it that does not fit in the 32 bits that it has in a kernel: the
    /// constant is then an error.
    pub too_wide: Option<i128>,
}

/// The type of a value in Rust, as far as kernels support it.
#[derive(Clone, PartialEq, Debug)]
pub enum RustType {
    /// `()`
    Unit,
    /// A number, a `bool`, a short vector. `usize` is a `u32`, `isize` an `i32`.
    Data(Data),
    /// `char`: the number of a character, as a `u32`.
    Char,
    /// An 8- or 16-bit integer; `f16` is only an element, or a part of one, and reads as an `f32`.
    Small(Stored),
    /// `(A, B)`
    Tuple(Vec<RustType>),
    /// `[T; N]`
    Array(Arc<RustType>, u32),
    /// A struct with `derive(AmpStruct)`.
    Struct(Arc<StructTy>),
    /// An enum without fields, with `derive(AmpStruct)`.
    Enum(Arc<EnumTy>),
    /// An enum with fields in its variants, with `derive(AmpStruct)`, or an `Option`.
    Variants(Arc<VariantsTy>),
    /// `Index<N>`: in memory, an array of `i32`.
    Index(u32),
    /// `Extent<N>`: in memory, an array of `i32`.
    Extent(u32),
    /// `TiledIndex`, with the dimensions of its tile. Fields: `global`, `local`, `tile`,
    /// `tile_origin` (each an `Index`), `barrier`.
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
        /// The permitted accesses.
        access: Access,
    },
    /// `TileStatic<T>`: the type of a `#[tile_static]` name passed to a function. A parameter of
    /// this type is the caller's place, in whichever mode it is passed.
    TileStatic(Arc<RustType>),
    /// `AtomicRef<T>`
    Atomic(Scalar),
}

/// A struct: its name, and its layout in rustc.
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
    /// Offset of the first byte.
    pub offset: u32,
    /// The type.
    pub ty: RustType,
}

/// An enum with fields. Its value in a kernel has the number of the variant as its first part, a
/// `u32`, and behind it the fields of all variants in order. Those of other variants than its own
/// are zero, so that two values are equal if all their parts are. Zero is the first variant with
/// zeros in its fields.
#[derive(Clone, PartialEq, Debug)]
pub struct VariantsTy {
    /// The name, without its path; with its arguments, if it is generic.
    pub name: String,
    /// The variants in the order of declaration.
    pub variants: Vec<VariantTy>,
}

/// A variant of an enum with fields.
#[derive(Clone, PartialEq, Debug)]
pub struct VariantTy {
    /// The name.
    pub name: &'static str,
    /// The names and types of its fields, in order; "0", "1" for a tuple variant.
    pub fields: Vec<(&'static str, RustType)>,
}

impl VariantsTy {
    /// The types of all fields, in order: the parts behind the number of the variant.
    pub fn fields(&self) -> impl Iterator<Item = &RustType> {
        self.variants.iter().flat_map(|variant| variant.fields.iter().map(|(_, ty)| ty))
    }

    /// The positions of the fields of a variant among the parts.
    fn parts_of(&self, variant: usize) -> std::ops::Range<usize> {
        let before: usize = self.variants.iter().take(variant).map(|variant| variant.fields.len()).sum();
        let count = self.variants.get(variant).map_or(0, |variant| variant.fields.len());
        1 + before..1 + before + count
    }
}

/// An enum without fields. Its value in a kernel is its discriminant minus the [one that stands for
/// zero](EnumTy::zero): an out-of-range read gives zero, and so a valid variant.
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
    /// The discriminant that zero stands for: 0, or the first variant's if none has 0.
    pub fn zero(&self) -> u32 {
        let has_zero = self.variants.iter().any(|(_, discriminant)| *discriminant == 0);
        self.variants.first().filter(|_| !has_zero).map_or(0, |(_, discriminant)| *discriminant)
    }
}

/// The methods of `Option`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionMethod {
    /// `is_some`
    IsSome,
    /// `is_none`
    IsNone,
    /// `unwrap_or`
    UnwrapOr,
    /// `unwrap_or_else`
    UnwrapOrElse,
    /// `or`
    Or,
    /// `map`
    Map,
    /// `and_then`
    AndThen,
    /// `is_some_and`
    IsSomeAnd,
    /// `map_or`
    MapOr,
}

/// What is iterated over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceSource {
    /// An iterator, which methods have made.
    Made,
    /// The elements of an array, as values.
    Values,
    /// References to the elements of an array.
    Shared,
    /// `&mut` references to the elements of an array.
    Exclusive,
    /// `low..high`
    Range,
    /// `low..=high`
    RangeInclusive,
    /// `low..`
    RangeFrom,
    /// An `Option`, which `flatten` takes for none or one item.
    Optional,
}

/// The methods of iterators. Those up to `Zip` make another iterator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceMethod {
    /// `iter`, `iter_mut`, `into_iter`
    Itself,
    /// `by_ref`
    ByRef,
    /// `clone`
    Clone,
    /// `rev`
    Rev,
    /// `skip`
    Skip,
    /// `take`
    Take,
    /// `step_by`
    StepBy,
    /// Of an array, the part from an element on.
    PartFrom,
    /// Of an array, the part up to an element.
    PartTo,
    /// Of an array, the part between two elements.
    PartBetween,
    /// `windows`, of an array.
    Windows,
    /// `chunks` and `chunks_exact`, of an array; true: the exact ones.
    Chunks(bool),
    /// `enumerate`
    Enumerate,
    /// `copied`, `cloned`
    Copied,
    /// `map`
    Map,
    /// `filter`
    Filter,
    /// `filter_map`
    FilterMap,
    /// `take_while`
    TakeWhile,
    /// `skip_while`
    SkipWhile,
    /// `map_while`
    MapWhile,
    /// `inspect`
    Inspect,
    /// `chain`
    Chain,
    /// `zip`
    Zip,
    /// `scan`
    Scan,
    /// `cycle`
    Cycle,
    /// `flat_map`
    FlatMap,
    /// `flatten`
    Flatten,
    /// `peekable`
    Peekable,
    /// `peek`, with what takes the value
    Peek,
    /// `next_if`
    NextIf,
    /// `next_if_eq`
    NextIfEq,
    /// `next`
    Next,
    /// `for_each`
    ForEach,
    /// `count`
    Count,
    /// `len`
    Len,
    /// `sum`
    Sum,
    /// `product`
    Product,
    /// `fold`
    Fold,
    /// `reduce`
    Reduce,
    /// `min`
    Min,
    /// `max`
    Max,
    /// `min_by_key`
    MinByKey,
    /// `max_by_key`
    MaxByKey,
    /// `min_by`
    MinBy,
    /// `max_by`
    MaxBy,
    /// `any`
    Any,
    /// `all`
    All,
    /// `position`
    Position,
    /// `find`
    Find,
    /// `find_map`
    FindMap,
    /// `last`
    Last,
    /// `nth`
    Nth,
    /// `is_sorted`
    IsSorted,
    /// `contains`, of a range
    Contains,
    /// `is_empty`, of a range
    IsEmpty,
    /// `try_fold`
    TryFold,
    /// `rfind`
    RFind,
    /// `rfold`
    RFold,
    /// `rposition`
    RPosition,
}

impl SequenceMethod {
    /// Does it make another iterator?
    pub const fn makes_iterator(self) -> bool {
        match self {
            SequenceMethod::Itself
            | SequenceMethod::ByRef
            | SequenceMethod::Clone
            | SequenceMethod::Rev
            | SequenceMethod::Skip
            | SequenceMethod::Take
            | SequenceMethod::StepBy
            | SequenceMethod::PartFrom
            | SequenceMethod::PartTo
            | SequenceMethod::PartBetween
            | SequenceMethod::Windows
            | SequenceMethod::Chunks(_)
            | SequenceMethod::Enumerate
            | SequenceMethod::Copied
            | SequenceMethod::Map
            | SequenceMethod::Filter
            | SequenceMethod::FilterMap
            | SequenceMethod::TakeWhile
            | SequenceMethod::SkipWhile
            | SequenceMethod::MapWhile
            | SequenceMethod::Inspect
            | SequenceMethod::Chain
            | SequenceMethod::Zip
            | SequenceMethod::Scan
            | SequenceMethod::FlatMap
            | SequenceMethod::Flatten
            | SequenceMethod::Peekable
            | SequenceMethod::Cycle => true,
            SequenceMethod::Peek | SequenceMethod::NextIf | SequenceMethod::NextIfEq => false,
            SequenceMethod::Next
            | SequenceMethod::ForEach
            | SequenceMethod::Count
            | SequenceMethod::Len
            | SequenceMethod::Sum
            | SequenceMethod::Product
            | SequenceMethod::Fold
            | SequenceMethod::Reduce
            | SequenceMethod::Min
            | SequenceMethod::Max
            | SequenceMethod::MinByKey
            | SequenceMethod::MaxByKey
            | SequenceMethod::MinBy
            | SequenceMethod::MaxBy
            | SequenceMethod::Any
            | SequenceMethod::All
            | SequenceMethod::Position
            | SequenceMethod::Find
            | SequenceMethod::FindMap
            | SequenceMethod::Last
            | SequenceMethod::Nth
            | SequenceMethod::IsSorted
            | SequenceMethod::Contains
            | SequenceMethod::IsEmpty
            | SequenceMethod::TryFold
            | SequenceMethod::RFind
            | SequenceMethod::RFold
            | SequenceMethod::RPosition => false,
        }
    }
}

/// A call of a method of an iterator.
#[derive(Clone, PartialEq, Debug)]
pub struct SequenceCall {
    /// The method.
    pub method: SequenceMethod,
    /// What it is a method of.
    pub receiver: SequenceSource,
    /// Of `zip` and `chain`, what the argument is.
    pub argument: Option<SequenceSource>,
    /// The type of the result, if that is no iterator and is named by no argument.
    pub result: Option<RustType>,
    /// Of `min_by_key` and `max_by_key`, the type of the keys.
    pub key: Option<RustType>,
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The lowest first.
    Little,
    /// The highest first.
    Big,
}

/// The methods of `Ordering`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderingMethod {
    /// `is_eq`
    IsEq,
    /// `is_ne`
    IsNe,
    /// `is_lt`
    IsLt,
    /// `is_gt`
    IsGt,
    /// `is_le`
    IsLe,
    /// `is_ge`
    IsGe,
    /// `reverse`
    Reverse,
    /// `then`
    Then,
}

/// The built-in functions of lowering. Receivers come first among the arguments.
#[derive(Clone, PartialEq, Debug)]
pub enum RustBuiltin {
    /// `==` and `!=` of an enum of this name whose `PartialEq` does not compare the variants: an
    /// error.
    OtherEquality(String),
    /// `<` and its like of an enum of this name whose `PartialOrd` does not compare the numbers of
    /// its variants: an error.
    OtherOrder(String),
    /// `partial_cmp` and `cmp` of numbers, with the type of the result.
    Compare(RustType),
    /// `total_cmp` of floats, with the type of the result.
    TotalOrder(RustType),
    /// A method of an `Ordering`.
    OfOrdering(OrderingMethod),
    /// The operator's built-in meaning, which depends on the operands: numbers, `bool`, enums
    /// (`==`, `!=`), vectors, [`RustType::Index`] and [`RustType::Extent`] part by part, each also
    /// with a scalar on one side. A shift amount may be signed. `==` and `!=` of types with parts
    /// ([`RustType::TiledExtent`] too) give one `bool`: all parts are equal, or not.
    Operator,
    /// A row of the op table on numbers and vectors. A scalar beside a vector is splatted.
    Op(Op),
    /// A method of numbers, by Rust's name.
    Method(&'static str),
    /// `cmp::min`, `cmp::max` of enums without fields and of `bool`s. True: the greatest.
    Chosen(bool),
    /// A function of a library: `fast_math::exp`.
    Library(&'static str),
    /// A tuple of what each of these gives for the same arguments.
    Tuple(Vec<RustBuiltin>),
    /// A tuple of the components of the vector that this gives.
    Components(Box<RustBuiltin>),
    /// A tuple struct, or the variant with this number of an enum, from its fields.
    Construct(RustType, usize),
    /// The constructor of a type of this name that kernels do not construct: an error.
    NoConstructor(String),
    /// A vector from its components, or from smaller vectors.
    Compose(Data),
    /// A vector with its argument in each component.
    Splat(Data),
    /// Components of a vector in a given order.
    Swizzle(&'static [u8]),
    /// Sets components of a vector, in a given order, to those of a vector, or to a scalar.
    SetSwizzle(&'static [u8]),
    /// The zero of a type.
    Zero(RustType),
    /// This value.
    Value(RustConstant),
    /// The `default` of a type of this name, which panicked: an error.
    NoDefault(String),
    /// `mem::take`, with the value that stays.
    Take(Box<RustBuiltin>),
    /// A method of an iterator.
    Sequence(SequenceCall),
    /// A method of an `Option`, and the type of its result.
    OfOption(OptionMethod, RustType),
    /// A method of integers that returns an `Option`, by Rust's name, and the type of that.
    Checked(&'static str, RustType),
    /// `try_from` of integers and characters, with the type of its result.
    Fitted(RustType),
    /// `mem::swap`
    Swap,
    /// `mem::replace`
    Replace,
    /// This number, a `u32`: the length of an array.
    Count(u32),
    /// The length of the array that is the argument.
    Length,
    /// This `bool`.
    Truth(bool),
    /// The argument itself.
    Identity,
    /// The argument as a number of this type, like `as`.
    Cast(RustType),
    /// The bytes of a number: `to_le_bytes`.
    ToBytes(ByteOrder),
    /// A number of this type from its bytes: `from_le_bytes`.
    FromBytes(ByteOrder, RustType),
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
    /// `TiledExtent::pad`: each component `e`, for the tile's dimension `d`, becomes
    /// `(e + (d - 1)) / d * d`, wrapping, with division towards 0.
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
    /// `atomic.fetch_add(x)` and the like: returns the previous value.
    Atomic(AtomicOp),
    /// `atomic.compare_exchange(current, new)`: the previous value, and whether it was replaced, as
    /// a tuple.
    CompareExchange,
    /// `barrier.wait()` with this fence.
    Barrier(Fence),
    /// A fence of this kind; its argument, the barrier, is dropped.
    Fence(Fence),
}
