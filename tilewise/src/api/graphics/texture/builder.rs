//! [`TextureBuilder`]: creates a texture with options.

use std::fmt;
use std::marker::PhantomData;

use crate::api::accelerator::{AcceleratorView, AccessType, DeviceKind};
use crate::api::error::{Error, Result};
use crate::api::graphics::copy::{self, HostSlice, TexelSource, TextureEnd};
use crate::{Array, Extent, IntoExtent};

use super::format::{StoredAs, TexelBits};
use super::owned::Texture;
use super::shape::{MAX_SIZE, TextureShape};

/// Creates a texture with options: `Texture::<f32, 2>::builder((4, 4)).mip_levels(0).build()?`.
///
/// ```
/// use tilewise::Accelerator;
/// use tilewise::graphics::{Bits8, Texture};
/// use tilewise::vector::UInt4;
/// let jit = Accelerator::new("jit")?.default_view();
/// let rgba = [255, 0, 0, 255, 0, 255, 0, 255];
/// let pair = Texture::<UInt4, 2, Bits8>::builder((1, 2)).on(&jit).build_from_bytes(&rgba)?;
/// assert_eq!(pair.get((0, 1))?, UInt4::new(0, 255, 0, 255));
/// let staging = Texture::<UInt4, 2, Bits8>::builder((1, 2)).staging_for(&jit).build_from(&pair)?;
/// assert_eq!(staging.host()?.iter().count(), 2);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use = "a texture is made by `build` or its like"]
pub struct TextureBuilder<T, const N: usize, B> {
    extent: Result<[i32; N]>,
    levels: Option<i32>,
    view: Option<AcceleratorView>,
    associated: Option<AcceleratorView>,
    access: AccessType,
    texel: PhantomData<(T, B)>,
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> TextureBuilder<T, N, B> {
    pub(super) fn new(extent: impl IntoExtent<N>) -> Self {
        const { assert!(N == 1 || N == 2 || N == 3, "a texture has one, two or three dimensions") };
        // The shape of the texture checks what fits.
        let extent = match extent.try_into_extent() {
            Some(Extent(extent)) => Ok(extent),
            None => {
                let text =
                    format!("a dimension of a texture does not fit 32 bits; each dimension has 1 to {MAX_SIZE} texels");
                Err(Error::shape(None, text))
            }
        };
        TextureBuilder {
            extent,
            levels: None,
            view: None,
            associated: None,
            access: AccessType::Auto,
            texel: PhantomData,
        }
    }

    /// The number of levels of detail, 0 for as many as there can be. By default 1, or as many as
    /// the texture has that it is made from.
    pub fn mip_levels(self, levels: i32) -> Self {
        TextureBuilder { levels: Some(levels), ..self }
    }

    /// The accelerator view that owns it; by default the default accelerator's default view.
    pub fn on(self, view: &AcceleratorView) -> Self {
        TextureBuilder { view: Some(view.clone()), ..self }
    }

    /// Makes it a staging texture for copies to and from `view`. It is on the `cpu` unless
    /// [`on`](Self::on) sets another view; a texture that is not on the `cpu` is associated with its
    /// own view.
    #[doc(alias = "staging_texture")]
    pub fn staging_for(self, view: &AcceleratorView) -> Self {
        TextureBuilder { associated: Some(view.clone()), ..self }
    }

    /// The host access of a staging texture: by default both.
    pub fn cpu_access(self, access: AccessType) -> Self {
        TextureBuilder { access, ..self }
    }

    /// Creates a texture of zeros.
    pub fn build(self) -> Result<Texture<T, N, B>> {
        let shape = TextureShape::new(Extent(self.extent?), self.levels.unwrap_or(1), size_of::<T::Stored>())?;
        let on_cpu = |view: &AcceleratorView| view.accelerator().device() == DeviceKind::Cpu;
        if self.associated.is_none() && self.view.as_ref().is_some_and(on_cpu) {
            let text = "the accelerator `cpu` has staging textures only: make the texture on another accelerator, or name the one that it is copied to and from by `staging_for`";
            return Err(Error::UnsupportedFeature(text.into()));
        }
        let (_, texels) = shape.span(0, shape.levels);
        let mut array = Array::<T::Stored>::builder(texels).cpu_access(self.access);
        if let Some(view) = &self.view {
            array = array.on(view);
        }
        if let Some(view) = &self.associated {
            array = array.staging_for(view);
        }
        Ok(Texture { texels: array.build()?, shape })
    }

    /// Creates a texture from a slice of exactly the texels of its most detailed level, or from a
    /// texture or a view of one with the same extent and levels.
    pub fn build_from<S: TexelSource<T, N, B>>(mut self, source: S) -> Result<Texture<T, N, B>> {
        self.levels = self.levels.or(source.levels());
        let texture = self.build()?;
        copy::copy(source, &texture)?;
        Ok(texture)
    }

    /// Creates a texture whose most detailed level has exactly these texels.
    pub fn build_from_iter(self, texels: impl IntoIterator<Item = T>) -> Result<Texture<T, N, B>> {
        let texture = self.build()?;
        copy::copy_iter(texels, &texture)?;
        Ok(texture)
    }

    /// Creates a texture whose most detailed level has exactly these bytes: its stored texels, row
    /// after row, without gaps.
    pub fn build_from_bytes(self, bytes: &[u8]) -> Result<Texture<T, N, B>> {
        let texture = self.build()?;
        copy::fill::<T, N, B>(HostSlice::Bytes(bytes), &TextureEnd::of(&texture.whole())?)?;
        Ok(texture)
    }

    /// Creates a texture from exactly the bytes of all its levels, the most detailed one first,
    /// without gaps.
    pub fn build_from_bytes_of_all_levels(self, bytes: &[u8]) -> Result<Texture<T, N, B>> {
        let texture = self.build()?;
        let need = texture.data_length();
        if bytes.len() != need {
            let (extent, levels, have) = (texture.extent(), texture.mip_levels(), bytes.len());
            let text = format!(
                "the {levels} levels of a texture of extent {extent} have {need} bytes, and {have} were given: give exactly as many"
            );
            return Err(Error::shape(None, text));
        }
        let mut rest = bytes;
        for level in 0..texture.mip_levels() {
            let (bytes, behind) = rest.split_at(texture.shape.level_len(level) as usize * size_of::<T::Stored>());
            rest = behind;
            copy::fill::<T, N, B>(HostSlice::Bytes(bytes), &TextureEnd::of(&texture.whole().part(level, 1)?)?)?;
        }
        Ok(texture)
    }
}

impl<T, const N: usize, B> fmt::Debug for TextureBuilder<T, N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextureBuilder")
            .field("extent", &self.extent)
            .field("levels", &self.levels)
            .finish_non_exhaustive()
    }
}
