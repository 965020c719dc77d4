//! What users of Tilewise import: C++ AMP's programming model in Rust.
//!
//! # Features
//! - `gpu`, on by default: accelerators that are GPUs.
//! - `approx`: the traits of the crate `approx` for the [short vectors](vector) of floats, so that `assert_relative_eq!` and its like compare them within a tolerance.

#![cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "some things only devices with memories of their own use"))]

extern crate self as tilewise;

mod accelerator;
mod arithmetic;
mod array;
mod both;
mod capture;
mod completion;
mod copy;
mod domain;
pub mod element;
mod error;
mod fault;
mod fit;
#[doc(hidden)]
pub mod form;
#[cfg_attr(not(feature = "gpu"), path = "gpu/absent.rs")]
mod gpu;
mod guard;
mod home;
mod hook;
mod jit;
mod kernel;
mod launch;
mod math;
mod native;
#[doc(hidden)]
pub mod numbers;
#[cfg_attr(not(feature = "gpu"), path = "gpu/no_launch.rs")]
mod on_gpu;
mod pending;
pub mod prelude;
mod printed;
mod program;
mod reference;
pub mod report;
mod shape;
pub mod types;
mod user_code;
pub mod vector;
mod view;
mod workers;

// Not in the files that they test: `tests/loom.rs` includes those.
#[cfg(test)]
#[path = "completion/tests.rs"]
mod completion_tests;
#[cfg(test)]
#[path = "pending/tests.rs"]
mod pending_tests;
#[cfg(test)]
#[path = "user_code/tests.rs"]
mod user_code_tests;

/// What threads share by; a model checker puts its own in the place of these.
mod sync {
    pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
}

pub use accelerator::{
    Accelerator, AcceleratorView, AcceleratorViewBuilder, AccessType, Checks, FloatMode, QueuingMode, ReplacedFloats,
};
pub use array::{Array, ArrayBuilder};
pub use capture::{Bind, Capture};
pub use completion::Completion;
pub use copy::{
    CopySource, CopyTarget, Shared, copy, copy_async, copy_async_from, copy_async_into, copy_extend, copy_iter,
};
pub use domain::Domain;
#[doc(inline)]
pub use element::{AtomicElement, AtomicInteger, Element, Scalar};
pub use error::{Error, Result, set_error_hook};
pub use form::TileStatic;
pub use guard::{HostIndex, HostRead, HostWrite};
pub use home::coherence::Traffic;
pub use kernel::Kernel;
pub use launch::{IntoLaunch, Launch, parallel_for_each};
pub use math::fast_math;
pub use printed::set_print_hook;
pub use shape::{
    Extent, Index, Int, IntoExtent, IntoIndex, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
    global_memory_fence, tile_static_memory_fence,
};
pub use view::{Above, Access, ArrayView, AtomicRef, Rank, ReadOnly, ReadView, ReadWrite, Writable};
#[doc(hidden)]
pub use view::{AtomicPlace, Subscript};

/// What plain data is: [`Element`] builds on it, and `derive(AmpStruct)` implements it.
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

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;

/// The examples of the page on kernels, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/kernels.md")]
mod kernels_page {}

/// The examples of the guide, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide.md")]
mod guide {}
