//! The parts of the macros' expansions. Internal: not stable, not to be used by hand.
//!
//! The macros write a kernel twice. The **closure** is the user's, nearly verbatim, so rustc checks
//! it and reports errors in the user's types; it runs on `native`. The **tree**
//! ([`tilewise_ast::SyntaxTree`]) is its syntax as bytes. Zero-sized values in the closure, whose
//! type parameters rustc infers, connect the two:
//!
//! - [`Witness`]: the type of a literal, a cast, a name; read as data by `KernelType::ty_of`.
//! - [`LinkedCall`]: the target of a call. Each `#[amp]` function has a companion that does the
//!   same and returns [`Called`] with a marker of the function; the marker's [`KernelFn`] is its
//!   kernel form.
//! - [`methods`]: the companions of the methods of numbers (`x.min_marked_amp(y)`,
//!   `f32::from_bits_marked_amp(u)`), which generated code imports all at once:
//!   `use ::tilewise::macro_support::methods::*`.
//! - [`Operates`], [`Compares`]: the meaning of an operator, selected by the witnesses of operands
//!   and result; their `link` returns the kernel form.
//!
//! # Names in error messages
//! A missing companion is the one internal name that rustc shows to users: "no method named
//! `energy_marked_amp` found for struct `Particle`". So a companion has a telling name: that of the
//! function with `_marked_amp` appended. A free function's companion is `f::marked_amp`, where `f`
//! is a struct of the function's name. The traits of this module have error messages of their own.
//!
//! # Why operators resolve by their result
//! `Operates` is implemented by an operator's *result*. If rustc has refused `a + b` for the
//! operands' own reasons, that result is unknown and it checks no further: one mistake, one error.

use std::marker::PhantomData;

pub use tilewise_ir::kernel::{AtomicOp, Fence};
pub use tilewise_ir::ops::Op;
pub use tilewise_ir::types::{Access, Data, Scalar, Stored};
pub use tilewise_lower::{
    EnumTy, FieldTy, Form, FormLink, OptionMethod, OrderingMethod, RustBuiltin, RustConstant, RustFunction, RustType,
    StructTy, VariantTy, VariantsTy,
};

pub use crate::api::view::{AtomicPlace, Subscript};
pub use crate::kernel::numbers::{FromMethod, methods};
pub use crate::kernel::options::{CheckedMethods, IntoMethod, OptionMethods};
pub use crate::kernel::orders::{
    ChoiceMethods, ChosenByOrder, ChosenValue, CmpMethod, ComparedTotalVariants, ComparedVariants, OrderingMethods,
    PartialCmpMethod, ReferenceChoices, TotalCmpMethod,
};
pub use crate::kernel::registered::registered;
use crate::kernel::types::{KernelType, KernelValue};
pub use crate::kernel::written::{
    AbsentOfOptions, AbsentOfSlices, AbsentOfTuples, ArrayMap, AskedLength, ByteMethods, CharFunctions, CharMethods,
    CopiedOptions, Copies, IntegerResults, LengthOfArgument, NestedOption, NoLogarithm, NoRadix, NumberedChar,
    OptionChanges, PanickingOfResults, PartsOfSlices, ReferenceOptions, ResultMethods, SignedResults, SliceMethods,
    SortedElement, TruthMethods, UnsignedResults, Zeros, ZerosOf, derived_choice, derived_total_order,
};
use crate::targets::native::running;

mod arrays;
mod asked;
pub mod call;
mod dual;
mod elements;
pub mod handed;
mod heap;
mod iterators;
mod kernel;
mod names;
mod native;
pub mod op;
mod part;
mod patterns;
mod place;
mod plain;
mod printed;
mod ranges;
pub mod std_functions;
mod tile_atomic;
mod tile_static;
mod view;
mod width;

pub use arrays::{ArrayIsEmpty, ArrayLength, ArrayMethods, ArrayType, IteratedArray, array_length, iterated_length};
pub use asked::{Asked, Otherwise};
pub use dual::{Dual, Host, InKernel, InKernelsOnly};
pub use elements::{
    ArrayElements, ChangingElement, ElementBase, FixedElement, HeldIndex, OtherElements, ReferredElements, element_base,
};
pub use heap::{FilledMethods, HeapConversion, HeapMethods, OnTheHeap};
pub use iterators::AskedRanges;
pub(crate) use iterators::kept_in_options;
pub use iterators::{
    AbsentCollections, AbsentOfIterators, Adapted, AdaptedWith, ArrayIterators, ArrayParts, ByRef, CollectedItems,
    CopiedChoices, EndlessRange, FilteredItems, FlatIterators, FlattenedSource, Gathered, GatheredByKey,
    HandedIterator, HeldValue, IntoIterMethod, ItemOfOption, IteratedSource, IteratorMethods, IteratorOf, LoopedOver,
    MissingOfIterators, MultipliedNumber, OrderedItem, PeekedItems, SequenceCall, SequenceMark, SequenceMethod,
    SequenceSource, SliceRuns, SourceKind, SummedNumber, TriedValue, endless, kinds, marks,
};
pub(crate) use kernel::BoundItem;
pub use kernel::{BindAll, Bindings, KernelWithForm, LaunchBinder, capture, kernel, kernel_of, launch};
pub use names::{HidingName, NameApart, NameItself, apart};
pub use native::{WatchedLoops, abort, error, iteration, native_barrier, native_fence, print, with_tile_static};
pub use part::Part;
pub use patterns::{
    BehindReferences, PartBehindTwo, PartOfReference, PatternBehindTwo, PatternConstant, PatternMismatch, PatternOf,
    PatternOfReference, PatternPart, other_form,
};
pub use place::{
    FoundElement, FoundPlace, IndexMeaning, LocalElement, NoIndexMut, OwnIndex, Read, ReadChanging, SharedPlace,
    WriteElement, WrittenByIndex, find, local_element, read, read_before, read_changing, runs_code, shared,
    value_for_good,
};
pub use plain::{
    Copied, ElementField, StructField, VariantField, copied, derived_name, field, is_type_of, name_of,
    struct_on_the_host, type_of, variant_field, variants_on_the_host,
};
pub use printed::{PrintedItem, WrittenInBits, WrittenWithExponent};
pub use ranges::{StdRange, is_range};
pub use tile_atomic::{AtomicOfName, AtomicOfValue};
pub use tile_static::{Declared, TileStatic, tile_static, type_id_of};
pub use view::{HostMethods, OnTheHost, SameHandle, ViewHandles};
pub use width::{
    ConstantOf, ConstantType, HostWidth, Narrowing, NoConstant, SameWidth, bits_here, bits_in_a_kernel, literal_under,
    same_width,
};

/// A type that rustc infers.
#[derive(Debug)]
pub struct Witness<T: ?Sized>(PhantomData<fn() -> PhantomData<T>>);

impl<T: ?Sized> Clone for Witness<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Witness<T> {}

impl<T: ?Sized> Default for Witness<T> {
    fn default() -> Self {
        Witness::NEW
    }
}

impl<T: ?Sized> Witness<T> {
    /// A new witness. (A constant, not a function: rustc compiles it faster, and there are many.)
    pub const NEW: Self = Witness(PhantomData);

    /// Unifies the type with that of `x`.
    #[inline(always)]
    pub const fn is(self, _: &T) {}

    /// Size in bytes of a value of the type.
    pub const fn size(self) -> usize
    where
        T: Sized,
    {
        size_of::<T>()
    }

    /// Unifies the type with that of the target of `x`, and returns `x`.
    #[inline(always)]
    pub const fn shared(self, x: &T) -> &T {
        x
    }

    /// Unifies the type with that of the target of `x`, and returns `x`.
    #[inline(always)]
    pub const fn exclusive(self, x: &mut T) -> &mut T {
        x
    }

    /// Unifies the type with that of the value in `x`, and returns `x`.
    #[inline(always)]
    pub fn asked<Q: QuestionedValue<Value = T>>(self, x: Q) -> Q::Itself
    where
        T: Sized,
    {
        x.itself()
    }

    /// Unifies the type with that of `x`, and returns `x`.
    #[inline(always)]
    pub fn of(self, x: T) -> T
    where
        T: Sized,
    {
        x
    }
}

/// The value of a constant, as data. The limits of `usize` and `isize` become those of 32 bits.
pub fn constant<T: KernelValue>(value: &T) -> RustConstant {
    let value = match T::HOST_WIDTH {
        HostWidth::Same | HostWidth::Float => *value,
        HostWidth::Wider => value.end_in_a_kernel(),
    };
    pattern_constant(&value)
}

/// A type whose values are written in messages.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data, which a kernel needs here",
    label = "not plain data"
)]
pub trait PrintedType {
    /// The value in a message. In a kernel it is a [`constant`]; on the host, as Rust prints it.
    fn written(&self) -> RustConstant;
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> PrintedType for T {
    fn written(&self) -> RustConstant {
        if running::inside() { constant(self) } else { self.on_the_host() }
    }
}

/// Of text, which no value of a kernel is: a constant text is reported as such, and not once more where it is written.
#[diagnostic::do_not_recommend]
impl PrintedType for &str {
    fn written(&self) -> RustConstant {
        RustConstant { ty: u32::ty(), leaves: Vec::new(), too_wide: None }
    }
}

/// A value in a message.
pub fn printed<T: PrintedType>(value: &T) -> RustConstant {
    value.written()
}

/// A value that is written by `{:x}`, `{:X}`, `{:o}` or `{:b}`.
pub fn printed_bits<T: WrittenInBits>(value: &T) -> RustConstant {
    printed(value)
}

/// A value that is written by `{:e}` or `{:E}`.
pub fn printed_exponent<T: WrittenWithExponent>(value: &T) -> RustConstant {
    printed(value)
}

/// The value of a constant in a pattern, as data. rustc compares it as it is on the host.
pub fn pattern_constant<T: KernelValue>(value: &T) -> RustConstant {
    let mut leaves = Vec::new();
    value.leaves(&mut leaves);
    RustConstant { ty: T::ty(), leaves, too_wide: value.beyond() }
}

/// The result of a companion: the function's result, with a marker of the called function.
#[derive(Debug)]
pub struct Called<R, M>(R, PhantomData<fn() -> M>);

impl<R, M> Called<R, M> {
    /// The result of a call.
    #[inline(always)]
    pub const fn new(result: R) -> Self {
        Called(result, PhantomData)
    }
}

/// The target of a call, for rustc to infer.
#[derive(Debug)]
pub struct LinkedCall<M>(PhantomData<fn() -> M>);

impl<M> Clone for LinkedCall<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for LinkedCall<M> {}

impl<M> Default for LinkedCall<M> {
    fn default() -> Self {
        LinkedCall::NEW
    }
}

impl<M> LinkedCall<M> {
    /// A new link. (A constant, not a function: rustc compiles it faster, and there are many.)
    pub const NEW: Self = LinkedCall(PhantomData);

    /// Proves that the called function is the marked one.
    #[inline(always)]
    pub fn called<P: call::ItselfMarked>(self, _: call::Named<M, P>) {}

    /// Takes the marker of a call, and returns the call's result.
    #[inline(always)]
    pub fn call<R>(self, called: Called<R, M>) -> R {
        called.0
    }

    /// The same for an argument. The type of the result does not come from the parameter, so that `&mut T` becomes `&T`.
    #[inline(always)]
    pub fn call_handed<C: HandedResult<M>>(self, called: C) -> C::Result {
        called.result()
    }
}

/// The result of a companion that is an argument.
pub trait HandedResult<M> {
    /// Its type.
    type Result;

    /// The result itself.
    fn result(self) -> Self::Result;
}

impl<R, M> HandedResult<M> for Called<R, M> {
    type Result = R;

    #[inline(always)]
    fn result(self) -> R {
        self.0
    }
}

/// What stands before `?` in a kernel.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `?` stands behind an `Option` or a `Result`, and this is a `{Self}`",
    label = "neither an `Option` nor a `Result`"
)]
pub trait QuestionedValue {
    /// The value in it.
    type Value;
    /// The type itself. If the trait is missing, rustc reports no other mistake about this.
    type Itself;

    /// Itself.
    fn itself(self) -> Self::Itself;
}

impl<T> QuestionedValue for Option<T> {
    type Value = T;
    type Itself = Option<T>;

    #[inline(always)]
    fn itself(self) -> Option<T> {
        self
    }
}

impl<T, E> QuestionedValue for Result<T, E> {
    type Value = T;
    type Itself = Result<T, E>;

    #[inline(always)]
    fn itself(self) -> Result<T, E> {
        self
    }
}

/// What keeps a type that rustc infers: a [`Witness`], a [`LinkedCall`], and a tuple of such.
pub trait InferredType: Copy {
    /// One of any type.
    const ANY: Self;
}

impl<T: ?Sized> InferredType for Witness<T> {
    const ANY: Self = Witness::NEW;
}

impl<M> InferredType for LinkedCall<M> {
    const ANY: Self = LinkedCall::NEW;
}

macro_rules! inferred_tuples {
    ($($first:ident $($t:ident)*;)*) => {$(
        impl<$first: InferredType, $($t: InferredType),*> InferredType for ($first, $($t,)*) {
            const ANY: Self = ($first::ANY, $($t::ANY,)*);
        }
    )*};
}

inferred_tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

impl<T: InferredType> Witness<T> {
    /// The witnesses and links whose types it keeps.
    #[inline(always)]
    pub const fn kept(self) -> T {
        T::ANY
    }
}

/// Itself: what a method is called on, as an expression of its own.
#[inline(always)]
pub fn itself<T>(value: T) -> T {
    value
}

/// The kernel form of the called function.
pub fn link<M: KernelFn>(_: LinkedCall<M>) -> FormLink {
    M::form
}

/// The marker of a function that has a kernel form.
pub trait KernelFn {
    /// The kernel form.
    fn form() -> Form;
}

/// The meaning of an operator `K` with the operands `L` and `R` in a kernel; implemented by its
/// result. A unary operator has `()` as `R`; an operator with `=` is an [`op::Assign`], and has `()` as its
/// result.
#[diagnostic::on_unimplemented(
    message = "there is no such operator for `{L}` and `{R}` in a kernel",
    label = "not an operator of the kernel language",
    note = "for a type of your own, write `#[amp]` on the `impl` of the operator; in a generic function, `T: Scalar` has the operators of numbers"
)]
pub trait Operates<K, L, R> {
    /// Does Rust take this one for numbers without a suffix too, or another one with `#[amp]`?
    const LITERALS_AGREE: bool = true;

    /// The kernel form.
    fn form() -> Form;

    /// The kernel form for the inferred types. (A method of the trait: a function with a bound
    /// would be named in error messages.)
    fn link(_: Witness<L>, _: Witness<R>, _: Witness<Self>) -> FormLink {
        const {
            assert!(
                Self::LITERALS_AGREE,
                "Rust takes a number without a suffix for an `i32` or an `f64`, and a kernel would take this operator of another number for it: write `#[amp]` on the operator of `i32` or `f64` as well"
            );
        }
        Self::form
    }
}

/// The meaning of a comparison `K` (`==` and `!=`: [`op::Equal`]; `<`, `<=`, `>`, `>=`:
/// [`op::Order`]) of a value with one of the type `R` in a kernel.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` and `{R}` cannot be compared in a kernel",
    label = "not a comparison of the kernel language",
    note = "for a type of your own, write `#[amp]` on the line before its `#[derive(PartialEq, PartialOrd)]`, or on the `impl` of `PartialEq` or `PartialOrd` for these two types",
    note = "where an `Option`, a tuple or an array has a type of your own in it, compare the parts, `a.0 == b.0`, or `match (a, b) {{ (Some(x), Some(y)) => x == y, .. }}`"
)]
pub trait Compares<K, R = Self> {
    /// Does Rust take this one for numbers without a suffix too, or another one with `#[amp]`?
    const LITERALS_AGREE: bool = true;

    /// The kernel form: for [`op::Equal`], of `==`.
    fn form() -> Form;

    /// For [`op::Order`], the refusal of what goes by the type's `Ord`, if that is known to be another order.
    fn other_order() -> Option<Form> {
        None
    }

    /// The kernel form for the inferred types. The left operand comes last: if its type has only one
    /// `impl`, rustc would otherwise infer the right operand from that.
    fn link(_: Witness<R>, _: Witness<Self>) -> FormLink {
        const {
            assert!(
                Self::LITERALS_AGREE,
                "Rust takes a number without a suffix for an `i32` or an `f64`, and a kernel would take this operator of another number for it: write `#[amp]` on the operator of `i32` or `f64` as well"
            );
        }
        Self::form
    }
}
