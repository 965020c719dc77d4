//! [`Texture`]: texels that an accelerator owns. Here: how it is made, and what it says of itself.
//! [`levels`](super::levels) has its views, [`host`](super::host) the host's access.

use std::fmt;

use crate::api::accelerator::{AcceleratorView, AccessType, DeviceKind};
use crate::api::error::{Error, Result};
use crate::api::graphics::copy::{self, TexelTarget};
use crate::api::view::ReadWrite;
use crate::kernel::capture::Capture;
use crate::memory::coherence::Traffic;
use crate::targets::on_gpu;
use crate::{Array, Extent, IntoExtent};

use super::builder::TextureBuilder;
use super::format::{StoredAs, TexelBits, texel_format};
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

    /// A builder with all options: levels, the accelerator, staging, sources of texels.
    pub fn builder(extent: impl IntoExtent<N>) -> TextureBuilder<T, N, B> {
        TextureBuilder::new(extent)
    }

    /// A deep copy with all levels, on the same accelerator view.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Texture { texels: self.texels.try_clone()?, shape: self.shape })
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

    /// The extent of a level: half of that of the level before in each dimension, rounded down, and
    /// at least 1.
    #[doc(alias = "get_mipmap_extent")]
    pub fn mip_extent(&self, level: i32) -> Result<Extent<N>> {
        self.shape.check(level, 1)?;
        Ok(self.shape.level_extent(level))
    }

    /// Bits of a channel.
    #[doc(alias = "get_bits_per_scalar_element")]
    pub fn bits_per_scalar_element(&self) -> u32 {
        B::BITS
    }

    /// The bytes of the texels of all levels, without the gaps between levels.
    #[doc(alias = "get_data_length")]
    pub fn data_length(&self) -> usize {
        let texels: i64 = (0..self.shape.levels).map(|level| self.shape.level_len(level)).sum();
        texels as usize * size_of::<T::Stored>()
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

    /// Whether it is a staging texture: on the `cpu`, for copies to and from an accelerator.
    pub fn is_staging(&self) -> bool {
        self.accelerator_view().accelerator().device() == DeviceKind::Cpu
    }

    /// The host access of a staging texture; of others, what their memory would allow.
    #[doc(alias = "get_cpu_access_type")]
    pub fn cpu_access_type(&self) -> AccessType {
        self.texels.cpu_access_type()
    }

    /// Whether the texture units of its accelerator view compute samples and gathers of it: on a GPU
    /// that has its format, in [`FloatMode::Relaxed`](crate::FloatMode). Otherwise
    /// the same text does as on all other accelerators, with the same results. `TILEWISE_TEXTURES=buffers` keeps
    /// a process from using texture units.
    pub fn is_native(&self) -> bool {
        let view = self.accelerator_view();
        match view.accelerator().device() {
            DeviceKind::Gpu(number) => {
                on_gpu::samples((number, view.float_mode()), texel_format::<T, B>(), &self.shape.extent.0)
            }
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => false,
        }
    }

    /// The bytes transferred for it between host and devices.
    pub fn traffic(&self) -> Traffic {
        self.texels.traffic()
    }

    /// [`graphics::copy(self, target)`](copy::copy).
    pub fn copy_to<D: TexelTarget<T, N, B>>(&self, target: D) -> Result<()> {
        copy::copy(self, target)
    }

    /// An error that says what a staging texture cannot have.
    pub(super) fn refuse_staging(&self, what: &str) -> Result<()> {
        if !self.is_staging() {
            return Ok(());
        }
        let text = format!(
            "a staging texture has no {what}: it is for copies; copy it to a texture on `{}`",
            self.associated_accelerator_view().accelerator()
        );
        Err(Error::Accelerator(text.into()))
    }
}

#[diagnostic::do_not_recommend]
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
