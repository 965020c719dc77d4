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
