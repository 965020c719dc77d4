//! The table of built-ins: the sections "Floating Point Accuracy" of the WGSL specification and "Precision of
//! Individual Operations" of Vulkan's, an appendix on SPIR-V, as ranges.
//!
//! [`scalars`], [`vectors`] and [`packing`] have the rows, each with the formulas that its promises inherit;
//! [`words`] what they share. A new row is an expression of WGSL, its exact results, and the two promises.

mod packing;
mod scalars;
mod vectors;
mod words;

use super::builtin::DeviceBuiltin;

/// All built-ins that are measured, in the order of the page.
pub fn builtins() -> Vec<DeviceBuiltin> {
    let parts = [
        scalars::operators(),
        scalars::simple(),
        scalars::functions(),
        vectors::vectors(),
        packing::packing(),
        packing::conversions(),
    ];
    parts.into_iter().flatten().collect()
}
