//! [`Texture`]: texels that an accelerator owns.

use std::fmt;

use crate::api::accelerator::AcceleratorView;
use crate::api::error::{Error, Result};
use crate::api::view::{ReadOnly, ReadWrite};
use crate::kernel::capture::Capture;
use crate::memory::coherence::Traffic;
use crate::{Array, ArrayView, Extent, IntoExtent};

use super::builder::TextureBuilder;
use super::format::{StoredAs, TexelBits};
use super::shape::TextureShape;
use super::texel::Texel;
use super::view::TextureView;

/// Texels in one accelerator's memory, initially zero, with levels of detail. C++ AMP's
/// `texture<T, N>`; `B` is its `bits_per_scalar_element`.
///
/// A kernel that captures it reads and writes its most detailed level and samples all of them. As
/// for an array, the kernel runs on the texture's accelerator view, if the launch names none.
///
/// ```
/// use tilewise::graphics::{Bits8, Texture};
/// use tilewise::prelude::*;
/// use tilewise::vector::UInt4;
/// let picture = Texture::<UInt4, 2, Bits8>::new((2, 3))?;
/// parallel_for_each!(picture.extent(), |i| picture.set(i, UInt4::new(i[0] as u32, i[1] as u32, 0, 300)))?;
/// assert_eq!(picture.to_vec()?[5], UInt4::new(1, 2, 0, 255));
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "texture")]
pub struct Texture<T, const N: usize, B = <T as Texel>::Natural>
where
    T: Texel + StoredAs<B>,
    B: TexelBits,
{
    pub(super) texels: Array<T::Stored>,
    pub(super) shape: TextureShape<N>,
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> Texture<T, N, B> {
    /// A texture of zeros with one level on the default accelerator.
    pub fn new(extent: impl IntoExtent<N>) -> Result<Self> {
        Self::builder(extent).build()
    }

    /// A texture with one level from exactly as many texels as it has, on the default accelerator.
    pub fn from_iter(extent: impl IntoExtent<N>, texels: impl IntoIterator<Item = T>) -> Result<Self> {
        Self::builder(extent).build_from_iter(texels)
    }

    /// A builder with all options: levels, the accelerator, staging.
    pub fn builder(extent: impl IntoExtent<N>) -> TextureBuilder<T, N, B> {
        TextureBuilder::new(extent)
    }

    /// A writable view of all levels; kernels write the most detailed one.
    pub fn view(&self) -> TextureView<'static, T, N, B, ReadWrite> {
        TextureView { texels: self.texels.view(), shape: self.shape }
    }

    /// A read-only view of all levels.
    pub fn read_view(&self) -> TextureView<'static, T, N, B, ReadOnly> {
        TextureView { texels: self.texels.read_view(), shape: self.shape }
    }

    /// A read-only view of some of the levels, from the most detailed one on.
    pub fn mips(&self, most_detailed: i32, levels: i32) -> Result<TextureView<'static, T, N, B, ReadOnly>> {
        let (texels, shape) = self.part(most_detailed, levels)?;
        Ok(TextureView { texels: texels.as_read_only(), shape })
    }

    /// A writable view of one level.
    pub fn level(&self, level: i32) -> Result<TextureView<'static, T, N, B, ReadWrite>> {
        let (texels, shape) = self.part(level, 1)?;
        Ok(TextureView { texels, shape })
    }

    /// The texels of some of the levels, and their shape.
    fn part(&self, first: i32, levels: i32) -> Result<(ArrayView<'static, T::Stored>, TextureShape<N>)> {
        if !self.shape.has(first, levels) {
            return Err(self.no_level(if self.shape.has(first, 1) { first.saturating_add(levels - 1) } else { first }));
        }
        let (start, len) = self.shape.span(first, levels);
        Ok((self.texels.try_section(start, len)?, self.shape.part(first, levels)))
    }

    /// The extent of the most detailed level.
    #[doc(alias = "get_extent")]
    pub fn extent(&self) -> Extent<N> {
        self.shape.extent
    }

    /// The number of levels.
    #[doc(alias = "get_mipmap_levels")]
    pub fn mip_levels(&self) -> i32 {
        self.shape.levels
    }

    /// The extent of a level.
    #[doc(alias = "get_mipmap_extent")]
    pub fn mip_extent(&self, level: i32) -> Result<Extent<N>> {
        if self.shape.has(level, 1) { Ok(self.shape.level_extent(level)) } else { Err(self.no_level(level)) }
    }

    /// Bits of a channel.
    #[doc(alias = "get_bits_per_scalar_element")]
    pub fn bits_per_scalar_element(&self) -> u32 {
        B::BITS
    }

    /// The accelerator view that owns it.
    #[doc(alias = "get_accelerator_view")]
    pub fn accelerator_view(&self) -> &AcceleratorView {
        self.texels.accelerator_view()
    }

    /// For a staging texture, the accelerator view that it is copied to and from; otherwise its
    /// owner.
    #[doc(alias = "get_associated_accelerator_view")]
    pub fn associated_accelerator_view(&self) -> &AcceleratorView {
        self.texels.associated_accelerator_view()
    }

    /// The bytes transferred for it between host and devices.
    pub fn traffic(&self) -> Traffic {
        self.texels.traffic()
    }

    /// The texels of the most detailed level, row after row.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.to_vec_level(0)
    }

    /// The texels of a level, row after row.
    pub fn to_vec_level(&self, level: i32) -> Result<Vec<T>> {
        let stored = self.part(level, 1)?.0.to_vec()?;
        Ok(stored.into_iter().map(super::format::decoded::<T, B>).collect())
    }

    pub(super) fn no_level(&self, level: i32) -> Error {
        let last = self.shape.levels - 1;
        let text = format!("level {level} of a texture of {} levels: levels are 0 to {last}", self.shape.levels);
        Error::shape(None, text)
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> Capture for Texture<T, N, B> {
    type Value = TextureView<'static, T, N, B, ReadWrite>;

    #[inline]
    fn capture(&self) -> Self::Value {
        TextureView { texels: self.texels.capture(), shape: self.shape }
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> fmt::Debug for Texture<T, N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texture")
            .field("extent", &self.shape.extent)
            .field("levels", &self.shape.levels)
            .finish_non_exhaustive()
    }
}
