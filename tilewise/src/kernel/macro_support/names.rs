//! Two names of one text that the macros take for two variables: rustc decides whether they are.
//!
//! Generated code binds the first name to a [`NameItself`], then the second to an [`HidingName`], and
//! passes the first to [`apart`]. If Rust takes both for one name, that is the `HidingName`.

/// The value of the name in question.
#[derive(Clone, Copy, Debug)]
pub struct NameItself;

/// The value of the name that hides it if Rust takes them for one.
#[derive(Clone, Copy, Debug)]
pub struct HidingName;

/// A name that is not hidden by the other.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot use this name: a procedural macro wrote one of the same text with `Span::call_site()`",
    label = "Rust takes both for one name, which the macros of a kernel cannot see",
    note = "in that procedural macro, give all names of a kernel the span of one token, such as that of its input, or `Span::mixed_site()`"
)]
pub trait NameApart {}

impl NameApart for NameItself {}

/// Compiles if the name is not hidden.
pub fn apart<T: NameApart>(_: T) {}
