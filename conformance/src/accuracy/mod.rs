//! How exact the functions of the math libraries are: each is run on a target over many arguments,
//! for `f32` over all of them, and compared with CORE-MATH's correctly rounded results and with
//! exact values.
//!
//! [`functions`] lists what is measured, [`AccuracyRun`] measures one function in steps, so that a
//! run can be shown, stopped and continued, [`MeasuredErrors`] is what it found, and [`page`] makes
//! `docs/accuracy.md` of it. [`differing_rows`] compares the bits of any library function with the
//! reference's.

mod arguments;
mod equality;
mod exact;
mod functions;
mod hard_cases;
mod inverse;
mod measure;
mod page;
mod run;
#[cfg(test)]
mod tests;

pub(crate) use arguments::mixed;
pub use equality::{differing_rows, library_functions};
pub use functions::{AccuracyFunction, functions};
pub use measure::{AccuracyRun, MeasuredErrors};
pub use page::page;
pub use run::{FunctionRunner, speed};

/// How many arguments of a function are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccuracyLevel {
    /// Special values and some ten thousand others.
    Quick,
    /// All 2^32 arguments of a function of one `f32`; 10^9 random ones of two `f32`, 10^8 of `f64`
    /// (2 * 10^5 where each result needs its exact value), and special values.
    Full,
}
