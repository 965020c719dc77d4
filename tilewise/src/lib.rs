//! What users of Tilewise import: C++ AMP's programming model in Rust.

mod arithmetic;
mod both;
mod capture;
mod domain;
#[doc(hidden)]
pub mod form;
mod kernel;
mod native;
#[doc(hidden)]
pub mod numbers;
pub mod prelude;
mod printed;
mod shape;
pub mod types;
pub mod vector;

pub use capture::{Bind, Capture};
pub use domain::Domain;
pub use kernel::Kernel;
pub use printed::set_print_hook;
pub use shape::{
    Extent, Index, Int, IntoExtent, IntoIndex, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
    global_memory_fence, tile_static_memory_fence,
};

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;

/// The examples of the page on kernels, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/kernels.md")]
mod kernels_page {}
