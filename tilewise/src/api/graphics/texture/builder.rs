//! [`TextureBuilder`]: creates a texture with options.

use std::fmt;
use std::marker::PhantomData;

use crate::api::accelerator::AcceleratorView;
use crate::api::error::{Error, Result};
use crate::api::view::usable;
use crate::{Array, Extent, IntoExtent};

use super::format::{StoredAs, TexelBits, encoded};
use super::owned::Texture;
use super::shape::TextureShape;

/// Creates a texture with options: `Texture::<f32, 2>::builder((4, 4)).mip_levels(0).build()?`.
#[must_use = "a texture is made by `build` or `build_from_iter`"]
pub struct TextureBuilder<T, const N: usize, B> {
    extent: Result<[i32; N]>,
    levels: i32,
    view: Option<AcceleratorView>,
    associated: Option<AcceleratorView>,
    texel: PhantomData<(T, B)>,
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> TextureBuilder<T, N, B> {
    pub(super) fn new(extent: impl IntoExtent<N>) -> Self {
        TextureBuilder {
            extent: usable(extent, "a texture"),
            levels: 1,
            view: None,
            associated: None,
            texel: PhantomData,
        }
    }

    /// The number of levels of detail: 1 by default, 0 for as many as there can be.
    pub fn mip_levels(self, levels: i32) -> Self {
        TextureBuilder { levels, ..self }
    }

    /// The accelerator view that owns it; by default the default accelerator's default view.
    pub fn on(self, view: &AcceleratorView) -> Self {
        TextureBuilder { view: Some(view.clone()), ..self }
    }

    /// Makes it a staging texture for copies to and from `view`.
    #[doc(alias = "staging_texture")]
    pub fn staging_for(self, view: &AcceleratorView) -> Self {
        TextureBuilder { associated: Some(view.clone()), ..self }
    }

    /// Creates a texture of zeros.
    pub fn build(self) -> Result<Texture<T, N, B>> {
        let shape = TextureShape::new(Extent(self.extent?), self.levels, size_of::<T::Stored>())?;
        let (_, texels) = shape.span(0, shape.levels);
        let mut array = Array::<T::Stored>::builder(texels);
        if let Some(view) = &self.view {
            array = array.on(view);
        }
        if let Some(view) = &self.associated {
            array = array.staging_for(view);
        }
        Ok(Texture { texels: array.build()?, shape })
    }

    /// Creates a texture whose most detailed level has exactly these texels.
    pub fn build_from_iter(self, texels: impl IntoIterator<Item = T>) -> Result<Texture<T, N, B>> {
        let texture = self.build()?;
        let (_, count) = texture.shape.span(0, 1);
        let mut stored = Vec::with_capacity(count as usize);
        stored.extend(texels.into_iter().take(count as usize + 1).map(encoded::<T, B>));
        if stored.len() != count as usize {
            let (extent, many) = (texture.shape.extent, stored.len());
            let how = if many < count as usize { format!("only {many}") } else { "more".to_owned() };
            let text = format!("a texture of extent {extent} has {count} texels, and {how} were given");
            return Err(Error::shape(None, text));
        }
        crate::copy(&stored[..], &texture.texels.try_section(0, count)?)?;
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
