//! C++ AMP's programming model in Rust: kernels are closures, run on all cores or on GPUs.
//!
//! This is the crate that users import.
//!
//! # Features
//! - `gpu`, on by default: accelerators that are GPUs.
//! - `import`: compute shaders in WGSL and SPIR-V, which naga reads.
//! - `pictures`: textures from PNG and JPEG files, and PNG files from textures.
//! - `approx`: the traits of the crate `approx` for the [short vectors](vector) of floats, [`Norm`](graphics::Norm)
//!   and its like, so that `assert_relative_eq!` and similar macros compare them within a tolerance.
//! - `ndarray`, `glam`, `mint`, `serde`: conversions from and to the types of these crates:
//!   [`interop`].

#![cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "some things only devices with memories of their own use"))]

extern crate self as tilewise;

mod api;
pub mod interop;
mod kernel;
mod memory;
mod targets;
pub mod testing;
mod user_code;
mod workers;

// Not in the file that it tests: `tests/loom.rs` includes that file.
#[cfg(test)]
#[path = "user_code/tests.rs"]
mod user_code_tests;

/// Synchronisation primitives, which a model checker replaces by its own.
mod sync {
    pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread::{ThreadId, current};
}

pub use api::accelerator::{
    Accelerator, AcceleratorView, AcceleratorViewBuilder, AccessType, Checks, FloatMode, QueuingMode, ReplacedFloats,
};
pub use api::array::{Array, ArrayBuilder};
pub use api::completion::Completion;
pub use api::copy::{
    CopySource, CopyTarget, Shared, copy, copy_async, copy_async_from, copy_async_into, copy_extend, copy_iter,
};
pub use api::domain::Domain;
#[doc(inline)]
pub use api::element::{AtomicElement, AtomicInteger, Element, Scalar};
pub use api::error::{Error, Result, set_error_hook};
pub use api::guard::{HostIndex, HostRead, HostWrite};
pub use api::launch::{IntoLaunch, Launch, parallel_for_each};
pub use api::printed::set_print_hook;
#[cfg(feature = "import")]
pub use api::shader::{Shader, ShaderComparison, ShaderEntry, ShaderSampler, ShaderTexel};
pub use api::shape::{
    Extent, Index, Int, IntoExtent, IntoIndex, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
    global_memory_fence, tile_static_memory_fence,
};
pub use api::view::{Above, Access, ArrayView, AtomicRef, Rank, ReadOnly, ReadView, ReadWrite, Writable};
#[doc(inline)]
pub use api::{element, graphics, prelude, report, vector};
pub use kernel::capture::{Bind, Capture};
pub use kernel::macro_support::TileStatic;
pub use kernel::math::float::Float;
pub use kernel::math::{direct3d, fast_math, precise_math};
#[doc(inline)]
pub use kernel::types;
pub use kernel::value::Kernel;
#[doc(hidden)]
pub use kernel::{macro_support, numbers};
pub use memory::coherence::Traffic;

/// The traits of plain data: [`Element`] builds on them, and `derive(AmpStruct)` implements them.
pub use bytemuck;

#[doc(inline)]
/// # Example
/// ```
/// use tilewise::vector::Float2;
/// use tilewise::{AmpStruct, ArrayView, parallel_for_each};
/// #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
/// struct Circle {
///     middle: Float2,
///     radius: f32,
/// }
/// let circles = ArrayView::from_vec(2, vec![Circle { middle: Float2::ZERO, radius: 1.0 }; 2])?;
/// parallel_for_each!(circles.extent(), |i| circles[i].radius = i[0] as f32)?;
/// assert_eq!(circles.get(1)?, Circle { middle: Float2::ZERO, radius: 1.0 });
/// # Ok::<(), tilewise::Error>(())
/// ```
pub use tilewise_macros::AmpStruct;
#[doc(inline)]
/// # Example
/// ```
/// use tilewise::{ArrayView, amp, parallel_for_each};
/// #[amp]
/// fn triangle(n: i32) -> i32 {
///     n * (n + 1) / 2
/// }
/// let view = ArrayView::from_vec(4, vec![0; 4])?;
/// parallel_for_each!(view.extent(), |i| view[i] = triangle(i[0]))?;
/// assert_eq!(view.get(3)?, triangle(3));
/// # Ok::<(), tilewise::Error>(())
/// ```
pub use tilewise_macros::amp;
#[doc(inline)]
/// # Example
/// ```
/// use tilewise::{Accelerator, ArrayView, Index, kernel};
/// let view = ArrayView::from_vec(3, vec![1, 2, 3])?;
/// let increment = kernel!(|i: Index<1>| view[i] += 1);
/// let jit = Accelerator::new("jit")?.default_view();
/// increment.prepare(&jit)?; // What is wrong with it would be said here.
/// jit.parallel_for_each(view.extent(), &increment)?;
/// assert_eq!(view.to_vec()?, [2, 3, 4]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub use tilewise_macros::kernel;
#[doc(inline)]
/// # Example
/// ```
/// use tilewise::{ArrayView, parallel_for_each};
/// let (a, b) = (ArrayView::from_vec(3, vec![1, 2, 3])?, ArrayView::from_vec(3, vec![10, 20, 30])?);
/// let sum = ArrayView::<i32>::without_source(3)?;
/// parallel_for_each!(sum.extent(), |i| sum[i] = a[i] + b[i])?;
/// assert_eq!(sum.to_vec()?, [11, 22, 33]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub use tilewise_macros::parallel_for_each;

/// The importer of shaders. For tools and tests.
#[cfg(feature = "import")]
pub use tilewise_import as import;
/// The interpreter of kernels, which defines their meaning. For tools and tests.
pub use tilewise_interp as interp;
/// The kernel language: its parts, its text form, the checker. For tools and tests.
pub use tilewise_ir as ir;

/// The examples of the page on kernels, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/kernels.md")]
mod kernels_page {}

/// The examples of the page on textures, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/graphics.md")]
mod graphics_page {}

/// The examples of the page on shaders, compiled and run.
#[cfg(all(doctest, feature = "import"))]
#[doc = include_str!("../../docs/import.md")]
mod import_page {}

/// The examples of the guide, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide.md")]
mod guide {}

/// The examples of the performance guide, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/performance.md")]
mod performance_page {}

/// The examples of the debugging guide, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/debugging.md")]
mod debugging_page {}

/// The examples of the page for programmers of other systems, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/coming-from.md")]
mod coming_from_page {}
