//! The target of calls of functions without `#[amp]`, so that rustc reports them by our message.
//!
//! A function's companion is `marked_amp` of a struct of the function's name. If the call used that
//! path alone, rustc would report a function without `#[amp]` as "not a module". So a call `f(x)`
//! expands to
//! ```text
//! {
//!     use macro_support::call::{Callable as _, UnmarkedInKernel as __tilewise_call};
//!     let __called = f;
//!     {
//!         macro_rules! f { () => {} }
//!         use f as __tilewise_call;
//!         link.called(__tilewise_call::named_amp(__called));
//!         __tilewise_call::marked_amp
//!     }
//! } (x)
//! ```
//! The inner `use` imports `f` in every namespace that has it. If there is no struct `f`, the type
//! `__tilewise_call` resolves to the import of the enclosing block: the alias below. The name is
//! visible next to the user's names, as hygiene does not cover items, so no user code should use
//! it. The trait is imported without a name.
//!
//! A variable `f`, a closure from outside of the kernel, is nothing that an import finds. Then it finds
//! the macro `f`, so that rustc reports the missing companion and no import. Hygiene does cover names of
//! macros: the user's `f!(..)` is another one.
//!
//! # The struct belongs to the function
//! The import finds function and struct separately: a function without `#[amp]`, or a variable, may
//! hide a function `f` and leave its struct. So `named_amp` of the struct is given what Rust calls
//! by `f`, and its result tells whether that is the struct's function. The types of functions have
//! no names; but [`Pair`] is `UnwindSafe` only for two functions of one type, and rustc looks through
//! `impl Sized` for `UnwindSafe`, as for every auto trait.

use std::marker::PhantomData;
use std::panic::UnwindSafe;

mod plain {
    //! Names that the message shows.

    /// A function without `#[amp]`.
    #[derive(Debug)]
    pub struct UnmarkedFunction<T>(super::PhantomData<T>);

    /// Never implemented.
    #[diagnostic::on_unimplemented(
        message = "this function cannot be called in a kernel: it is not marked `#[amp]`",
        label = "not marked `#[amp]`",
        note = "write `#[amp]` on the line before the function, or look in docs/kernels.md for what kernels have in its place; of std, kernels have `swap`, `replace`, `take`, `min` and `max` by these names"
    )]
    pub trait MarkedAmp {}

    /// What a kernel calls by a single name: a function without `#[amp]`, or a captured variable.
    #[derive(Debug)]
    pub struct UnmarkedName<T>(super::PhantomData<T>);

    /// Never implemented.
    #[diagnostic::on_unimplemented(
        message = "this cannot be called in a kernel: it is no function that is marked `#[amp]`, and no closure of the kernel",
        label = "not marked `#[amp]`, and not of the kernel",
        note = "write `#[amp]` on the line before the function, or look in docs/kernels.md for what kernels have in its place; of std, kernels have `swap`, `replace`, `take`, `min` and `max` by these names",
        note = "a kernel cannot capture a closure: write it inside of the kernel, `let f = |x| ..;`, or make it an `#[amp]` function; an `#[amp]` function takes one as an argument, `fn apply<F: Fn(f32) -> f32>(f: F, x: f32)`"
    )]
    pub trait MarkedName {}
}

/// Never implemented: the traits that macros write for methods without a companion require it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no method or function of this name in a kernel",
    label = "not there, or not marked `#[amp]`",
    note = "write `#[amp]` on the `impl`, and on the trait if there is one, or on the line before `#[derive(PartialEq, Eq, PartialOrd, Ord)]`; docs/methods.md lists the methods of numbers, and docs/kernels.md what kernels have in the place of others"
)]
pub trait MarkedMethod {}

/// Has the companion for marked functions, so never.
pub trait Callable {
    /// The companion.
    fn marked_amp();
}

impl<T> Callable for plain::UnmarkedFunction<T>
where
    plain::UnmarkedFunction<T>: plain::MarkedAmp,
{
    fn marked_amp() {}
}

// The bound is one on what Rust calls by the name. If nothing has the name, rustc says that, and no more of its type.
impl<T> plain::UnmarkedName<T> {
    /// In the place of a companion. Of its type, which nothing determines, rustc reports nothing behind another error.
    #[allow(non_upper_case_globals, reason = "it has the name of a companion")]
    pub const marked_amp: T = panic!();

    /// What is called has no companion, which is the error.
    #[inline(always)]
    pub fn named_amp<F: plain::MarkedName, M>(_: F) -> Named<M, ()> {
        Named(PhantomData, PhantomData)
    }
}

/// The type of a function without a companion.
#[allow(non_camel_case_types, reason = "named after what it stands in for")]
pub type __tilewise_call = plain::UnmarkedFunction<()>;

/// The same, where a kernel calls it by a single name.
pub type UnmarkedInKernel<T> = plain::UnmarkedName<T>;

macro_rules! unmarked {
    ($($(#[$doc:meta])* $name:ident $($t:ident)*;)*) => {$(
        $(#[$doc])*
        pub type $name<$($t),*> = plain::UnmarkedFunction<fn($($t),*)>;
    )*};
}

unmarked! {
    /// The same, where the call writes a type argument.
    UnmarkedOf1 A;
    /// Two of them.
    UnmarkedOf2 A B;
    /// Three of them.
    UnmarkedOf3 A B C;
    /// Four of them.
    UnmarkedOf4 A B C D;
    /// Five of them.
    UnmarkedOf5 A B C D E;
    /// Six of them.
    UnmarkedOf6 A B C D E F;
}

impl<T> plain::UnmarkedFunction<T> {
    /// For any marker: the missing companion is the error.
    #[inline(always)]
    pub fn named_amp<F, M>(_: F) -> Named<M, ()> {
        Named(PhantomData, PhantomData)
    }
}

/// The types of two functions.
#[derive(Debug)]
pub struct Pair<A, B>(PhantomData<(A, B)>);

/// A type with an `impl` of an auto trait has it by that only.
impl<A> UnwindSafe for Pair<A, A> {}

/// What Rust calls by the name of a function with the marker `M`; `P` is a [`Pair`], hidden.
#[derive(Debug)]
pub struct Named<M, P>(PhantomData<fn() -> M>, PhantomData<P>);

impl<M, A, B> Named<M, Pair<A, B>> {
    /// The function itself, and what is called by its name.
    #[inline(always)]
    pub fn new(_: A, _: B) -> Self {
        Named(PhantomData, PhantomData)
    }
}

impl<M> Named<M, ()> {
    /// Of a name whose companion is an error.
    #[inline(always)]
    pub const fn of_another_name() -> Self {
        Named(PhantomData, PhantomData)
    }
}

/// The function that is called is the one that is marked.
#[diagnostic::on_unimplemented(
    message = "this function cannot be called in a kernel: it is not marked `#[amp]`",
    label = "not marked `#[amp]`",
    note = "another function of this name is marked, and hidden by this one: write `#[amp]` on the line before this one, or give it another name"
)]
pub trait ItselfMarked {}

#[diagnostic::do_not_recommend]
impl<P: UnwindSafe> ItselfMarked for P {}
