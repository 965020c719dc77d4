//! Functions of the standard library that kernels call by their own paths.

use super::{Form, RustBuiltin};

/// Proves that two functions are one.
#[inline(always)]
pub fn same_function<F>(_: F, _: F) {}

/// `mem::swap`
pub const fn swap() -> Form {
    Form::Builtin(RustBuiltin::Swap)
}

/// `mem::replace`
pub const fn replace() -> Form {
    Form::Builtin(RustBuiltin::Replace)
}

/// `cmp::min`
pub const fn min() -> Form {
    Form::Builtin(RustBuiltin::Method("min"))
}

/// `cmp::max`
pub const fn max() -> Form {
    Form::Builtin(RustBuiltin::Method("max"))
}
