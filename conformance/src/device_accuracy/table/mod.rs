//! The table of built-ins: the sections "Floating Point Accuracy" of the WGSL specification and "Precision of
//! Individual Operations" of Vulkan's, an appendix on SPIR-V, as ranges.
//!
//! [`scalars`], [`vectors`] and [`packing`] have the rows, each with the formulas that its promises inherit;
//! [`words`] what they share. Rows of floats are those of `f32` and of `f16`. A new row is an expression of WGSL, its exact results, and the two promises.

mod packing;
mod scalars;
mod vectors;
mod words;

use super::builtin::DeviceBuiltin;
use super::range::{FloatFormat, HalfFormat, SingleFormat};

/// All built-ins that are measured, in the order of the page: those of `f32`, then those of `f16`.
pub fn builtins() -> Vec<DeviceBuiltin> {
    let parts = [of_floats::<SingleFormat>(), packing::packing(), packing::conversions(), of_floats::<HalfFormat>()];
    parts.into_iter().flatten().collect()
}

/// The built-ins that each format of floats has.
fn of_floats<F: FloatFormat>() -> Vec<DeviceBuiltin> {
    let parts = [scalars::operators::<F>(), scalars::simple::<F>(), scalars::functions::<F>(), vectors::vectors::<F>()];
    parts.into_iter().flatten().collect()
}
