//! Methods of the standard library's types that are written in the kernel language: each is a trait with
//! `#[amp]`, whose companions kernels call, and which do on every target what Rust's methods do.
//!
//! The traits have Rust's names of the methods, so that rustc's errors show those; on the host, Rust's
//! own methods come first.

mod absent;
mod containers;
mod integers;
mod letters;
mod order;
mod slices;
mod zeros;

pub use absent::{AbsentOfOptions, AbsentOfSlices, AbsentOfTuples, PanickingOfResults, PartsOfSlices};
pub(crate) use containers::ArrayMade_tilewise_made_marked_amp;
pub use containers::{
    ArrayMap, CopiedOptions, Copies, NestedOption, OptionChanges, ReferenceOptions, ResultMethods, TruthMethods,
};
pub use integers::{IntegerResults, NoLogarithm, SignedResults, UnsignedResults};
pub use letters::{ByteMethods, CharFunctions, CharMethods, NoRadix};
pub use order::{SortedElement, derived_choice, derived_total_order};
pub use slices::{AskedLength, LengthOfArgument, SliceMethods};
pub use zeros::{NumberedChar, Zeros, ZerosOf};
