//! Textures: texels in memory, and the functions that read, write and sample them.
//!
//! - [`owned`], [`builder`]: textures that own their texels; [`host`]: the host's access
//! - [`levels`]: views of levels; [`section`]: rectangles for copies; [`mips`]: levels by kernels
//! - [`texel`]: the types of texels; [`format`], [`norm_format`]: how they are stored
//! - `picture`: files of pictures, by a feature
//! - [`shape`]: levels of detail, and where they lie
//! - [`view`], [`writeonly`]: textures in kernels; [`sample`]: sampling and gathering; [`sampler`]: its options

mod builder;
mod format;
mod host;
mod levels;
mod mips;
mod norm_format;
mod owned;
#[cfg(feature = "pictures")]
mod picture;
mod sample;
mod sampler;
mod section;
mod shape;
mod texel;
mod view;
mod writeonly;

pub use builder::TextureBuilder;
pub use format::{Bits8, Bits16, Bits32, Bits64, StoredAs, TexelBits};
pub(super) use format::{decoded, encoded};
pub(super) use levels::with_access;
pub use owned::Texture;
#[cfg(feature = "pictures")]
pub use picture::PictureTexel;
pub use sampler::{AddressMode, FilterMode, Sampler};
pub use section::TextureSection;
pub(super) use shape::counted;
pub use texel::{FilteredTexel, Texel, WideTexel};
pub use view::TextureView;
pub use writeonly::WriteonlyTextureView;
