//! [`Texture::generate_mips`]: levels of detail by kernels.

use crate::api::error::Result;
use crate::api::vector::{Float2, Float3};
use crate::{Launch, parallel_for_each};

use super::format::{StoredAs, TexelBits};
use super::owned::Texture;
use super::sampler::Sampler;
use super::texel::FilteredTexel;

macro_rules! generated {
    ($($n:literal |$i:ident, $size:ident| $at:expr;)*) => {$(
        impl<T: FilteredTexel + StoredAs<B>, B: TexelBits> Texture<T, $n, B> {
            /// Computes each level from the one before: a texel is a linear sample of that level at
            /// the texel's centre. Kernels on the texture's accelerator do it. Where a dimension is
            /// even, this is the average of two texels in it.
            ///
            /// ```
            /// use tilewise::graphics::Texture;
            /// let texture = Texture::<f32, 1>::builder(4).mip_levels(0).build_from_iter([1.0, 3.0, 5.0, 9.0])?;
            /// texture.generate_mips()?;
            /// assert_eq!(texture.to_vec_level(1)?, [2.0, 7.0]);
            /// assert_eq!(texture.to_vec_level(2)?, [4.5]);
            /// # Ok::<(), tilewise::Error>(())
            /// ```
            pub fn generate_mips(&self) -> Result<()> {
                self.refuse_staging("kernels that generate its levels")?;
                let sampler = Sampler::LINEAR;
                for level in 1..self.mip_levels() {
                    let (from, to) = (self.mips(level - 1, 1)?, self.level(level)?);
                    let $size = to.extent();
                    let launch = Launch::new($size).on(self.accelerator_view());
                    parallel_for_each!(launch, |$i| to.set($i, from.sample(&sampler, $at)))?;
                }
                Ok(())
            }
        }
    )*};
}

generated! {
    1 |i, size| (i[0] as f32 + 0.5) / size[0] as f32;
    2 |i, size| Float2::new((i[1] as f32 + 0.5) / size[1] as f32, (i[0] as f32 + 0.5) / size[0] as f32);
    3 |i, size| Float3::new(
        (i[2] as f32 + 0.5) / size[2] as f32,
        (i[1] as f32 + 0.5) / size[1] as f32,
        (i[0] as f32 + 0.5) / size[0] as f32
    );
}
