//! What a call of a function without `#[amp]` resolves to, so that rustc says what is wrong with it in our words.
//!
//! A function's companion is `marked_amp` of a struct of the function's name. Were it called by that path alone, a function without `#[amp]` would be "not a module". So a call `f(x)` is
//! written as
//! ```text
//! { use macro_support::call::{Callable as _, __tilewise_call}; { use f as __tilewise_call; __tilewise_call::marked_amp } } (x)
//! ```
//! The inner `use` brings every name space in which there is an `f`. If there is no struct `f`, `__tilewise_call` as a type is found one block further out: here. The name
//! stands where the user's do, as hygiene does not protect items: so nobody else uses it. The trait has none there.

use std::marker::PhantomData;

mod plain {
    //! Names that the message shows.

    /// A function that is not marked.
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

/// Has the companion, for what is marked: never.
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

/// The type of a function that has none.
#[allow(non_camel_case_types, reason = "named after what it stands in for")]
pub type __tilewise_call = plain::UnmarkedFunction<()>;
