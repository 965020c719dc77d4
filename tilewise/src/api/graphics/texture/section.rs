//! [`TextureSection`]: a rectangle of a level, for copies.

use std::fmt;

use crate::api::error::{Error, Result};
use crate::api::graphics::copy::{self, TexelTarget};
use crate::api::view::{Access, ReadOnly, ReadWrite};
use crate::{ArrayView, Extent, IntoExtent, IntoIndex};

use super::format::{StoredAs, TexelBits, all_decoded};
use super::owned::Texture;
use super::texel::Texel;
use super::view::TextureView;

/// A rectangle of a level of a texture: a source or a target of [`graphics::copy`](copy::copy).
///
/// ```
/// use tilewise::graphics::{Texture, copy};
/// let texture = Texture::<f32, 2>::new((4, 4))?;
/// copy(&[1.0, 2.0, 3.0, 4.0], &texture.section((1, 1), (2, 2))?)?;
/// assert_eq!(texture.to_vec()?[4..12], [0.0, 1.0, 2.0, 0.0, 0.0, 3.0, 4.0, 0.0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub struct TextureSection<'a, T, const N: usize, B = <T as Texel>::Natural, A = ReadOnly>
where
    T: Texel + StoredAs<B>,
    B: TexelBits,
{
    pub(in crate::api::graphics) texels: ArrayView<'a, T::Stored, N, A>,
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> Texture<T, N, B> {
    /// The texels from `offset` on. A texture of several levels has them by
    /// [`section_of`](Self::section_of) a level.
    pub fn section(
        &self,
        offset: impl IntoIndex<N>,
        extent: impl IntoExtent<N>,
    ) -> Result<TextureSection<'static, T, N, B, ReadWrite>> {
        self.whole().section(offset, extent)
    }

    /// The texels of a level from `offset` on.
    pub fn section_of(
        &self,
        level: i32,
        offset: impl IntoIndex<N>,
        extent: impl IntoExtent<N>,
    ) -> Result<TextureSection<'static, T, N, B, ReadWrite>> {
        self.whole().section_of(level, offset, extent)
    }
}

impl<'a, T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TextureView<'a, T, N, B, A> {
    /// The texels from `offset` on. A view of several levels has them by
    /// [`section_of`](Self::section_of) a level.
    pub fn section(
        &self,
        offset: impl IntoIndex<N>,
        extent: impl IntoExtent<N>,
    ) -> Result<TextureSection<'a, T, N, B, A>> {
        let (_, levels) = self.stored();
        if levels != 1 {
            let text = format!(
                "a section is one of a single level, and the texture has {levels}: name one with `section_of(level, offset, extent)`"
            );
            return Err(Error::shape(None, text));
        }
        self.section_of(0, offset, extent)
    }

    /// The texels of a level from `offset` on.
    pub fn section_of(
        &self,
        level: i32,
        offset: impl IntoIndex<N>,
        extent: impl IntoExtent<N>,
    ) -> Result<TextureSection<'a, T, N, B, A>> {
        Ok(TextureSection { texels: self.rectangle(level)?.try_section(offset, extent)? })
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TextureSection<'_, T, N, B, A> {
    /// Its extent.
    pub fn extent(&self) -> Extent<N> {
        self.texels.extent()
    }

    /// Its texels, row after row.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        all_decoded::<T, B>(self.texels.to_vec()?)
    }

    /// [`graphics::copy(self, target)`](copy::copy).
    pub fn copy_to<D: TexelTarget<T, N, B>>(&self, target: D) -> Result<()> {
        copy::copy(self, target)
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> Clone for TextureSection<'_, T, N, B, A> {
    fn clone(&self) -> Self {
        TextureSection { texels: self.texels.clone() }
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> fmt::Debug for TextureSection<'_, T, N, B, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextureSection").field("extent", &self.texels.extent()).finish_non_exhaustive()
    }
}
