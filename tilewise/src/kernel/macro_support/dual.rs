//! The expansion of `#[amp]` on a function: one hidden function that either runs the body or
//! returns its kernel form, so that both share the types that rustc has inferred.

use super::{Form, RustFunction};

/// The result of a function's dual.
#[derive(Debug)]
pub enum Dual<R> {
    /// Of a call with arguments.
    Result(R),
    /// Of a call without arguments.
    Form(RustFunction),
}

impl<R> Dual<R> {
    /// The result of a call without arguments. The code that makes the form is a function of its
    /// own, so that a dual is hardly larger than the function that the user has written, and is
    /// inlined where that would be.
    #[cold]
    #[inline(never)]
    pub fn of_form(form: impl FnOnce() -> RustFunction) -> Dual<R> {
        Dual::Form(form())
    }

    /// The result of a call with arguments.
    #[inline(always)]
    pub fn result(self) -> R {
        match self {
            Dual::Result(result) => result,
            Dual::Form(_) => unreachable!("a call with arguments gives a result"),
        }
    }

    /// The kernel form.
    pub fn form(self) -> Form {
        match self {
            Dual::Form(function) => Form::Function(function),
            Dual::Result(_) => unreachable!("a call without arguments gives the form"),
        }
    }
}

/// Stands for a call on the host.
#[derive(Debug)]
pub struct Host;

/// Stands for an argument in a kernel.
#[derive(Debug)]
pub struct InKernel(());

/// The bound of a function with `#[amp(device_only)]` on its callers on the host, or on its first
/// argument. Nothing on the host has it.
#[diagnostic::on_unimplemented(
    message = "this function can be called in kernels only",
    label = "marked `#[amp(device_only)]`",
    note = "write `#[amp]` without `device_only` for a function that the host calls as well"
)]
pub trait InKernelsOnly {}

#[diagnostic::do_not_recommend]
impl InKernelsOnly for InKernel {}
