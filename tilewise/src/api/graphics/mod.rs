//! Textures, and the numbers and short vectors that they consist of: C++ AMP's `concurrency::graphics`.
//!
//! A texture is memory with a format: texels lie in an allocation as packed scalars, and reading
//! with conversion, addressing, filtering and the choice of a level are functions in Rust that
//! kernels call like a program's own. So they give the same bits on every target.
//!
//! ```
//! use tilewise::graphics::{Sampler, Texture};
//! use tilewise::prelude::*;
//! use tilewise::vector::Float2;
//!
//! let small = Texture::<f32, 2>::from_iter((2, 2), [0.0, 1.0, 2.0, 3.0])?;
//! let sampler = Sampler::LINEAR;
//! let out = ArrayView::from_vec((4, 4), vec![0.0_f32; 16])?;
//! parallel_for_each!(out.extent(), |i| {
//!     let at = Float2::new(i[1] as f32 + 0.5, i[0] as f32 + 0.5) / 4.0;
//!     out[i] = small.sample(&sampler, at);
//! })?;
//! assert_eq!(out.to_vec()?[..4], [0.0, 0.25, 0.75, 1.0]);
//! # Ok::<(), tilewise::Error>(())
//! ```
//!
//! # `Norm` and `Unorm`
//! A [`Norm`] is an `f32` from -1 to 1, a [`Unorm`] one from 0 to 1. They are made of numbers, and
//! computed with, in `f32`, and each result is clamped. A result of NaN becomes the least value, -1 or
//! 0; a `Unorm` of -0 is +0. The vectors [`Norm2`] to [`Unorm4`] have the operators, conversions and
//! swizzles of the other [short vectors](crate::vector), component by component.
//!
//! ```
//! use tilewise::graphics::{Norm, Unorm, Unorm3};
//! let grey = Unorm3::splat(Unorm::new(0.5));
//! let sum = grey + Unorm3::new(Unorm::new(0.25), Unorm::MAX, Unorm::ZERO);
//! assert_eq!(sum.as_float().to_array(), [0.75, 1.0, 0.5]);
//! assert_eq!((Unorm::new(0.25) - Unorm::MAX, -Norm::new(2.5)), (Unorm::ZERO, Norm::MIN));
//! assert_eq!(f32::from(Norm::new(f32::NAN)), -1.0);
//! ```
//!
//! In kernels they are elements of views, fields of structs, captured values and all else that an
//! `f32` can be, with the same operations and the same bits.
//!
//! ```
//! use tilewise::graphics::{Unorm, Unorm4};
//! use tilewise::{ArrayView, parallel_for_each};
//! let picture = ArrayView::from_vec((2, 2), vec![Unorm4::ZERO; 4])?;
//! let light = Unorm::new(0.75);
//! parallel_for_each!(picture.extent(), |i| {
//!     let mut color = picture[i];
//!     color += light;
//!     color.set_gr(color.rb() * Unorm::from(i[0]));
//!     picture[i] = color;
//! })?;
//! assert_eq!(picture.get((1, 0))?.to_array(), [light; 4]);
//! assert_eq!(picture.get((0, 1))?.to_array(), [Unorm::ZERO, Unorm::ZERO, light, light]);
//! # Ok::<(), tilewise::Error>(())
//! ```
//!
//! - `Norm::new(0.5)` takes an `f32`. `Norm::from(x)` takes `f32`, `f64`, `i32` and `u32`, each
//!   converted to `f32` first; in `Norm::from(0.5)` the number is an `f64`, which not every GPU has.
//! - From a `Norm` and a `Unorm`: `get()`, `f32::from`, and of vectors `as_float()`. `Norm::from` and
//!   `as_norm()` of a `Unorm` keep the number; `as_unorm()` of a `Norm` makes 0 of a negative one.
//! - Vectors of numbers have `as_norm()` and `as_unorm()`, and the vectors here `as_int()`, `as_uint()`
//!   and `as_double()`.
//! - Memory may hold any bits, also those of other numbers, as after `reinterpret_as::<Norm>()`. Such
//!   an element is read, copied, swizzled and compared as it is; the first operation that computes
//!   with it gives a result in range.
//! - `print!` in a kernel writes them as the `f32`s that they are there, and by `{:?}` a vector by the
//!   name of that of floats: `Float3 { .. }`.
//!
//! [`ShortVector`] is the short vector of a scalar and a length, and [`ShortVectorTraits`] says what a
//! short vector consists of, for code that is generic over them.

mod copy;
mod norm;
mod short_vector;
mod texture;

#[doc(inline)]
pub use crate::api::vector::types::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
pub use copy::{
    HostTexel, SharedTexels, TexelSource, TexelTarget, copy, copy_async, copy_async_from, copy_async_into, copy_extend,
    copy_iter,
};
pub use norm::{Norm, Unorm};
pub use short_vector::{ShortVector, ShortVectorScalar, ShortVectorTraits};
pub use texture::*;
