//! `Norm` and `Unorm`, and what their short vectors have besides the parts of all short vectors
//! (`api::vector`): operators and conversions.
//!
//! In a kernel they are an `f32` and a vector of `f32`. All that computes is an `#[amp]` function
//! around operations on those, so host and kernels share one definition.

mod operators;
mod scalar;
mod vector;

use crate::api::vector::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
pub use scalar::{Norm, Unorm};

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use crate::kernel::companions::marks;
    use crate::kernel::macro_support::RustBuiltin;

    marks! {
        /// The `f32` in a `Norm` or a `Unorm`, or the other way: the same value in a kernel.
        SameNumber => RustBuiltin::Identity;
    }
}
