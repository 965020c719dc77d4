//! What users of Tilewise import: C++ AMP's programming model in Rust.

mod accelerator;
mod arithmetic;
mod both;
mod capture;
mod domain;
mod element;
mod error;
mod fault;
#[doc(hidden)]
pub mod form;
mod home;
mod kernel;
mod launch;
mod native;
pub mod prelude;
mod printed;
mod program;
mod reference;
pub mod report;
mod shape;
pub mod types;
pub mod vector;

pub use accelerator::{Accelerator, AcceleratorView, AcceleratorViewBuilder, AccessType, Checks, FloatMode, QueuingMode};
pub use capture::{Bind, Capture};
pub use domain::Domain;
pub use error::{Error, Result, set_error_hook};
pub use kernel::Kernel;
pub use launch::{IntoLaunch, Launch, parallel_for_each};
pub use printed::set_print_hook;
pub use shape::{
    Extent, Index, Int, IntoExtent, IntoIndex, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
    global_memory_fence, tile_static_memory_fence,
};

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;
