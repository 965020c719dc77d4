//! What users of Tilewise import: C++ AMP's programming model in Rust.

mod arithmetic;
mod both;
pub mod element;
mod error;
#[doc(hidden)]
pub mod form;
mod guard;
#[allow(dead_code, reason = "launches are not here yet")]
mod home;
pub mod prelude;
pub mod report;
mod shape;
pub mod types;
mod view;

#[doc(inline)]
pub use element::{AtomicElement, AtomicInteger, Element, Scalar};
pub use error::{Error, Result, set_error_hook};
pub use guard::{HostIndex, HostRead, HostWrite};

pub use shape::{
    Extent, Index, Int, IntoExtent, IntoIndex, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
    global_memory_fence, tile_static_memory_fence,
};

pub use view::{Above, Access, ArrayView, AtomicRef, Rank, ReadOnly, ReadView, ReadWrite, Writable};

/// What plain data is: [`Element`] builds on it, and `derive(AmpStruct)` implements it.
pub use bytemuck;

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;
