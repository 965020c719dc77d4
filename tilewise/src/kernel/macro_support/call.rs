//! The target of calls of functions without `#[amp]`, so that rustc reports them by our message.
//!
//! A function's companion is `marked_amp` of a struct of the function's name. If the call used that
//! path alone, rustc would report a function without `#[amp]` as "not a module". So a call `f(x)`
//! expands to
//! ```text
//! { use macro_support::call::{Callable as _, __tilewise_call}; { use f as __tilewise_call; __tilewise_call::marked_amp } } (x)
//! ```
//! The inner `use` imports `f` in every namespace that has it. If there is no struct `f`, the type
//! `__tilewise_call` resolves to the import of the enclosing block: the alias below. The name is
//! visible next to the user's names, as hygiene does not cover items, so no user code should use
//! it. The trait is imported without a name.

use std::marker::PhantomData;

mod plain {
    //! Names that the message shows.

    /// A function without `#[amp]`.
    #[derive(Debug)]
    pub struct UnmarkedFunction<T>(super::PhantomData<T>);

    /// Never implemented.
    #[diagnostic::on_unimplemented(
        message = "this function cannot be called in a kernel: it is not marked `#[amp]`",
        label = "not marked `#[amp]`",
        note = "write `#[amp]` on the line before the function, or look in docs/kernels.md for what kernels have in its place"
    )]
    pub trait MarkedAmp {}
}

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

/// The type of a function without a companion.
#[allow(non_camel_case_types, reason = "named after what it stands in for")]
pub type __tilewise_call = plain::UnmarkedFunction<()>;
