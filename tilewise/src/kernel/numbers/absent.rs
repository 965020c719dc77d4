//! Methods of Rust's numbers that kernels do not have, so that the error message names the
//! alternative.
//!
//! Each is a companion with a bound that no type satisfies, and the bound carries the message.
//! Methods without an alternative are in `others`. They are written out because rustc shows the line
//! of the bound; in a macro, it would show the macro too.

pub use conditions::MissingFunctions;

use crate::kernel::macro_support::{Form, KernelFn};

mod conditions {
    //! The bounds. Their names state what they would mean.

    /// Functions of no library are methods.
    #[diagnostic::on_unimplemented(
        message = "kernels do not have this function",
        label = "not a function of kernels",
        note = "what there is: the methods that docs/methods.md lists, and the functions of `precise_math`, `fast_math` and `direct3d`"
    )]
    pub trait MissingFunctions {}
}

/// The marker of a call that does not compile.
#[derive(Debug)]
pub enum Absent {}

impl KernelFn for Absent {
    fn form() -> Form {
        unreachable!("no type meets the conditions of the companions with this mark")
    }
}
