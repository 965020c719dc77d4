//! The host's access to textures and views: single texels, all texels of a level, bytes, and the
//! memory of staging textures.

use std::ops::Range;
use std::panic::Location;

use crate::api::copy::{read_bytes, some_elements};
use crate::api::error::{Error, Result};
use crate::api::guard::{HostRead, HostWrite};
use crate::api::view::Access;
use crate::{AccessType, IntoIndex};

use super::format::{StoredAs, TexelBits, all_decoded, decoded, encoded};
use super::owned::Texture;
use super::view::TextureView;

impl<T: StoredAs<B>, const N: usize, B: TexelBits> Texture<T, N, B> {
    /// A texel of the most detailed level, read by the host.
    pub fn get(&self, index: impl IntoIndex<N>) -> Result<T> {
        self.get_level(index, 0)
    }

    /// A texel of a level, read by the host.
    pub fn get_level(&self, index: impl IntoIndex<N>, level: i32) -> Result<T> {
        Ok(decoded::<T, B>(self.whole().rectangle(level)?.get(index)?))
    }

    /// Writes a texel of the most detailed level from the host.
    pub fn set(&self, index: impl IntoIndex<N>, texel: T) -> Result<()> {
        self.set_level(index, 0, texel)
    }

    /// Writes a texel of a level from the host.
    pub fn set_level(&self, index: impl IntoIndex<N>, level: i32, texel: T) -> Result<()> {
        self.whole().rectangle(level)?.set(index, encoded::<T, B>(texel))
    }

    /// The texels of the most detailed level, row after row.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.to_vec_level(0)
    }

    /// The texels of a level, row after row.
    pub fn to_vec_level(&self, level: i32) -> Result<Vec<T>> {
        self.whole().to_vec_level(level)
    }

    /// The bytes of the most detailed level: its stored texels, row after row, without gaps.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.to_bytes_level(0)
    }

    /// The bytes of a level.
    pub fn to_bytes_level(&self, level: i32) -> Result<Vec<u8>> {
        self.whole().to_bytes_level(level)
    }

    /// The bytes of all levels, one behind the other, without gaps: [`data_length`](Self::data_length)
    /// of them.
    pub fn to_bytes_of_all_levels(&self) -> Result<Vec<u8>> {
        self.whole().to_bytes_of_all_levels()
    }

    /// The stored texels of a staging texture's most detailed level, shared with other readers.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host(&self) -> Result<HostRead<'_, T::Stored, N>> {
        self.host_level(0)
    }

    /// The stored texels of a level of a staging texture, shared with other readers.
    #[track_caller]
    pub fn host_level(&self, level: i32) -> Result<HostRead<'_, T::Stored, N>> {
        self.host_has(AccessType::Read)?;
        let layout = self.whole().rectangle(level)?.layout;
        HostRead::new(&self.texels.whole().handle, layout, Location::caller())
    }

    /// The stored texels of a staging texture's most detailed level, to write.
    #[doc(alias = "data")]
    #[track_caller]
    pub fn host_mut(&self) -> Result<HostWrite<'_, T::Stored, N>> {
        self.host_level_mut(0)
    }

    /// The stored texels of a level of a staging texture, to write.
    #[track_caller]
    pub fn host_level_mut(&self, level: i32) -> Result<HostWrite<'_, T::Stored, N>> {
        self.host_has(AccessType::Write)?;
        let layout = self.whole().rectangle(level)?.layout;
        HostWrite::new(&self.texels.whole().handle, layout, Location::caller())
    }

    fn only_staging(&self, what: &str) -> Result<()> {
        if self.is_staging() {
            return Ok(());
        }
        let lives = self.accelerator_view().accelerator();
        let text = format!(
            "only a staging texture has {what}, and this one lives on `{lives}`: copy it to one that is made with `staging_for`, or use `to_vec`, `to_bytes`, `get` and `set`"
        );
        Err(Error::Accelerator(text.into()))
    }

    fn host_has(&self, wanted: AccessType) -> Result<()> {
        self.only_staging("memory of the host")?;
        let access = self.cpu_access_type();
        if access == wanted || access == AccessType::ReadWrite {
            return Ok(());
        }
        let word = if wanted == AccessType::Read { "read" } else { "written" };
        let text = format!(
            "the staging texture was made with `AccessType::{access:?}` and cannot be {word}: leave `cpu_access` out, or give `AccessType::ReadWrite`"
        );
        Err(Error::Accelerator(text.into()))
    }

    fn row_bytes(&self) -> usize {
        self.shape.extent[N - 1] as usize * size_of::<T::Stored>()
    }
}

impl<T: StoredAs<B>, B: TexelBits> Texture<T, 2, B> {
    /// The bytes from a row of a staging texture to the next.
    #[doc(alias = "get_row_pitch")]
    pub fn row_pitch(&self) -> Result<usize> {
        self.only_staging("a pitch")?;
        Ok(self.row_bytes())
    }
}

impl<T: StoredAs<B>, B: TexelBits> Texture<T, 3, B> {
    /// The bytes from a row of a staging texture to the next.
    #[doc(alias = "get_row_pitch")]
    pub fn row_pitch(&self) -> Result<usize> {
        self.only_staging("a pitch")?;
        Ok(self.row_bytes())
    }

    /// The bytes from a slice of a staging texture to the next.
    #[doc(alias = "get_depth_pitch")]
    pub fn depth_pitch(&self) -> Result<usize> {
        self.only_staging("a pitch")?;
        Ok(self.row_bytes() * self.shape.extent[1] as usize)
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TextureView<'_, T, N, B, A> {
    /// The texels of the most detailed level, row after row.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.to_vec_level(0)
    }

    /// The texels of a level, row after row.
    pub fn to_vec_level(&self, level: i32) -> Result<Vec<T>> {
        all_decoded::<T, B>(self.part(level, 1)?.texels.to_vec()?)
    }

    /// The bytes of the most detailed level: its stored texels, row after row, without gaps.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.to_bytes_level(0)
    }

    /// The bytes of a level.
    pub fn to_bytes_level(&self, level: i32) -> Result<Vec<u8>> {
        self.shape.check(level, 1)?;
        self.bytes_of_levels(level..level + 1)
    }

    /// The bytes of all levels, one behind the other, without gaps.
    pub fn to_bytes_of_all_levels(&self) -> Result<Vec<u8>> {
        self.bytes_of_levels(0..self.mip_levels())
    }

    /// The bytes of some levels. They may be more than a view can have elements.
    fn bytes_of_levels(&self, levels: Range<i32>) -> Result<Vec<u8>> {
        let length = |level| self.shape.level_len(level) as u64 * size_of::<T::Stored>() as u64;
        let mut bytes = some_elements(Vec::new(), levels.clone().map(length).sum())?;
        let mut rest = &mut bytes[..];
        for level in levels {
            let (there, behind) = rest.split_at_mut(length(level) as usize);
            read_bytes(&self.part(level, 1)?.texels, there)?;
            rest = behind;
        }
        Ok(bytes)
    }
}
