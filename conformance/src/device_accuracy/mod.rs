//! How exact the built-in functions of a device are: those that a driver makes of WGSL, not those of our
//! libraries (the module `accuracy` measures these).
//!
//! [`builtins`] is the table: for each built-in the shader, its exact results, and the accuracies that the
//! specifications of WGSL and Vulkan promise, as ranges of allowed results ([`FloatRange`]). A
//! [`BuiltinRunner`] runs a shader on words. [`DeviceMeasurement`] measures a built-in in steps, so that a run
//! can be shown and stopped; [`MeasuredBuiltin`] is what it found, and [`page`] makes a table of several
//! devices of that.

mod arguments;
mod builtin;
#[cfg(feature = "gpu")]
mod gpu;
mod measure;
mod page;
mod range;
mod table;
#[cfg(test)]
mod tests;

pub use builtin::{AccuracyPromise, DeviceBuiltin, WordKind};
#[cfg(feature = "gpu")]
pub use gpu::GpuRunner;
pub use measure::{BuiltinRunner, DeviceMeasurement, MeasuredBuiltin, MeasuredError, PromiseBreach};
pub use page::{MeasuredDevice, arguments_text, number, page, percent, result_text};
pub use range::{AllowedRange, FloatFormat, FloatRange, FloatWidth, HalfFormat, SingleFormat};
pub use table::builtins;
