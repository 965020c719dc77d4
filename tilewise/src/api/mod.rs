//! The public interface: views and arrays, shapes, short vectors, accelerators, launches, errors.
//! The root of the crate exports everything except the contents of the public modules.
//!
//! - `array`, `view`: storage and views of it; `guard`: host access to elements; `copy`: copies
//! - `shape`: extents, indices, tiles; `domain`: compute domains; `launch`: launches
//! - `element`, `vector`: element types and short vectors; `graphics`: textures and their texels
//! - `accelerator`: devices and queues; `completion`: asynchronous results
//! - `shader`: compute shaders in WGSL and SPIR-V
//! - `error`, `report`: errors and their details; `printed`, `hook`: output and callbacks

pub(crate) mod accelerator;
pub(crate) mod array;
pub(crate) mod completion;
pub(crate) mod completion_state;
pub(crate) mod copy;
pub(crate) mod domain;
pub mod element;
pub(crate) mod error;
pub mod graphics;
pub(crate) mod guard;
pub(crate) mod hook;
pub(crate) mod launch;
pub mod prelude;
pub(crate) mod printed;
pub mod report;
#[cfg(feature = "import")]
pub(crate) mod shader;
pub(crate) mod shape;
pub mod vector;
pub(crate) mod view;

// Not in the file that it tests: `tests/loom.rs` includes that file.
#[cfg(test)]
#[path = "completion/tests.rs"]
mod completion_tests;
