//! Textures: texels in memory, and the functions that read, write and sample them.
//!
//! - [`owned`], [`builder`]: textures that own their texels
//! - [`texel`]: the types of texels; [`format`], [`norm_format`]: how they are stored
//! - [`shape`]: levels of detail, and where they lie
//! - [`view`]: textures in kernels; [`sample`]: sampling and gathering; [`sampler`]: its options

mod builder;
mod format;
mod norm_format;
mod owned;
mod sample;
mod sampler;
mod shape;
mod texel;
mod view;

pub use builder::TextureBuilder;
pub use format::{Bits8, Bits16, Bits32, Bits64, StoredAs, TexelBits};
pub use owned::Texture;
pub use sampler::{AddressMode, FilterMode, Sampler};
pub use texel::{FilteredTexel, Texel, WideTexel};
pub use view::TextureView;
