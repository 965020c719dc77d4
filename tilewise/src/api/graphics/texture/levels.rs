//! Views of textures and of their levels; views made from views.

use std::fmt;

use crate::api::error::Result;
use crate::api::view::{Access, ReadOnly, ReadWrite};
use crate::{AcceleratorView, ArrayView, Element, Writable};

use super::format::{StoredAs, TexelBits};
use super::owned::Texture;
use super::view::TextureView;
use super::writeonly::WriteonlyTextureView;

/// The same elements with another access. To write, the caller must have been able to.
pub(in crate::api::graphics) fn with_access<'a, E: Element, const N: usize, A, C>(
    view: &ArrayView<'a, E, N, A>,
) -> ArrayView<'a, E, N, C> {
    // All of these are views of the array of a texture.
    ArrayView::of_allocation(view.handle.clone(), view.layout)
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> Texture<T, N, B> {
    /// A writable view of all levels; kernels write the most detailed one. Not of a staging texture.
    pub fn view(&self) -> Result<TextureView<'static, T, N, B, ReadWrite>> {
        self.refuse_staging("writable views")?;
        Ok(self.whole())
    }

    /// A read-only view of all levels.
    pub fn read_view(&self) -> TextureView<'static, T, N, B, ReadOnly> {
        self.whole().as_read_only()
    }

    /// A read-only view of some of the levels, from the most detailed one on. There the first of
    /// them is level 0.
    pub fn mips(&self, most_detailed: i32, levels: i32) -> Result<TextureView<'static, T, N, B, ReadOnly>> {
        Ok(self.whole().part(most_detailed, levels)?.as_read_only())
    }

    /// A writable view of one level. Not of a staging texture.
    pub fn level(&self, level: i32) -> Result<TextureView<'static, T, N, B, ReadWrite>> {
        self.refuse_staging("writable views")?;
        self.whole().part(level, 1)
    }

    /// A view of the most detailed level that kernels can only write. Not of a staging texture.
    pub fn writeonly_view(&self) -> Result<WriteonlyTextureView<'static, T, N, B>> {
        self.refuse_staging("writable views")?;
        self.whole().writeonly_view()
    }

    /// All levels, for use within the crate.
    pub(in crate::api::graphics) fn whole(&self) -> TextureView<'static, T, N, B, ReadWrite> {
        TextureView { texels: self.texels.view(), shape: self.shape }
    }
}

impl<'a, T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TextureView<'a, T, N, B, A> {
    /// The stored texels of the most detailed level.
    #[cfg(feature = "import")]
    pub(crate) fn stored_texels(&self) -> ArrayView<'a, T::Stored, N, A> {
        self.texels.view_as(self.shape.extent)
    }

    /// A read-only view of the same levels.
    pub fn as_read_only(&self) -> TextureView<'a, T, N, B, ReadOnly> {
        TextureView { texels: with_access(&self.texels), shape: self.shape }
    }

    /// A read-only view of some of these levels, from the most detailed one on: level 0 of this view
    /// is the first that it has.
    pub fn mips(&self, most_detailed: i32, levels: i32) -> Result<TextureView<'a, T, N, B, ReadOnly>> {
        Ok(self.part(most_detailed, levels)?.as_read_only())
    }

    /// A view of one of these levels, with the same access.
    pub fn level(&self, level: i32) -> Result<Self> {
        self.part(level, 1)
    }

    /// A view of the most detailed of these levels that kernels can only write.
    pub fn writeonly_view(&self) -> Result<WriteonlyTextureView<'a, T, N, B>>
    where
        A: Writable,
    {
        WriteonlyTextureView::of(self)
    }

    /// Some of the levels.
    pub(in crate::api::graphics) fn part(&self, first: i32, levels: i32) -> Result<Self> {
        self.shape.check(first, levels)?;
        let (start, len) = self.shape.span(first, levels);
        Ok(TextureView { texels: self.texels.try_section(start, len)?, shape: self.shape.part(first, levels) })
    }

    /// The stored texels of a level in its own extent.
    pub(in crate::api::graphics) fn rectangle(&self, level: i32) -> Result<ArrayView<'a, T::Stored, N, A>> {
        self.part(level, 1)?.texels.try_view_as(self.shape.level_extent(level))
    }

    /// The stored texels of all levels, with the gaps between them, and the number of levels.
    pub(in crate::api::graphics) fn stored(&self) -> (&ArrayView<'a, T::Stored, 1, A>, i32) {
        (&self.texels, self.shape.levels)
    }

    /// The accelerator view that owns the texture.
    #[doc(alias = "get_accelerator_view")]
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.texels.source_accelerator_view()
    }

    /// Bits of a channel.
    #[doc(alias = "get_bits_per_scalar_element")]
    pub fn bits_per_scalar_element(&self) -> u32 {
        B::BITS
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> fmt::Debug for TextureView<'_, T, N, B, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextureView")
            .field("extent", &self.shape.extent)
            .field("levels", &self.shape.levels)
            .finish_non_exhaustive()
    }
}

impl<'a, T: StoredAs<B>, const N: usize, B: TexelBits> From<TextureView<'a, T, N, B, ReadWrite>>
    for TextureView<'a, T, N, B, ReadOnly>
{
    fn from(view: TextureView<'a, T, N, B, ReadWrite>) -> Self {
        view.as_read_only()
    }
}
