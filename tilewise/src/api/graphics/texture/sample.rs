//! Sampling and gathering, for kernels and the host. `docs/graphics.md` defines each step.
//!
//! The address mode is the same for all threads, so what only a border needs is an `if` of its own, which vector code
//! jumps over. A texel outside of a texture with a border is read as the first one of its row or column, so that the
//! read needs no condition, and then replaced.

use crate::api::vector::{Float2, Float3, Float4};
use crate::api::view::Access;
use crate::{ArrayView, amp};

use super::format::{StoredAs, TexelBits};
use super::sampler::{AddressMode, FilterMode, Sampler};
use super::texel::{FilteredTexel, WideTexel};
use super::view::TextureView;

/// The texel before the sampled place, and the weight of the next one, in 256ths: of a normalised
/// coordinate along `size` texels.
#[amp]
fn footprint(coordinate: f32, size: i32) -> (i32, f32) {
    let place = (finite(coordinate) * size as f32 - 0.5) * 256.0 + 0.5;
    let fixed = place.floor() as i32;
    (fixed >> 8, (fixed & 255) as f32 * 0.00390625)
}

/// The texel at the sampled place.
#[amp]
fn nearest(coordinate: f32, size: i32) -> i32 {
    (finite(coordinate) * size as f32).floor() as i32
}

/// NaN counts as 0.
#[amp]
fn finite(coordinate: f32) -> f32 {
    if coordinate.is_nan() { 0.0 } else { coordinate }
}

/// The number of a texel, of any integer; -1 for the border.
#[amp]
fn address(texel: i32, size: i32, mode: AddressMode) -> i32 {
    match mode {
        AddressMode::Clamp => texel.clamp(0, size - 1),
        AddressMode::Border => {
            if texel < 0 || texel >= size {
                -1
            } else {
                texel
            }
        }
        AddressMode::Wrap => remainder(texel, size),
        AddressMode::Mirror => {
            let along = remainder(texel, 2 * size);
            if along < size { along } else { 2 * size - 1 - along }
        }
    }
}

/// The remainder that is not negative.
#[amp]
fn remainder(value: i32, by: i32) -> i32 {
    let rest = value % by;
    if rest < 0 { rest + by } else { rest }
}

/// The two texels that a linear sample blends along a dimension, and the weight of the second.
#[amp]
fn neighbours(coordinate: f32, size: i32, mode: AddressMode) -> (i32, i32, f32) {
    let (texel, weight) = footprint(coordinate, size);
    (address(texel, size, mode), address(texel + 1, size, mode), weight)
}

/// The texel that a point sample takes along a dimension.
#[amp]
fn point(coordinate: f32, size: i32, mode: AddressMode) -> i32 {
    address(nearest(coordinate, size), size, mode)
}

/// The level before a level of detail, and the weight of the next one, in 256ths.
#[amp]
fn level_footprint(lod: f32, levels: i32) -> (i32, f32) {
    let held = finite(lod).max(0.0).min((levels - 1) as f32);
    let fixed = (held * 256.0 + 0.5).floor() as i32;
    (fixed >> 8, (fixed & 255) as f32 * 0.00390625)
}

/// The nearest level.
#[amp]
fn nearest_level(lod: f32, levels: i32) -> i32 {
    ((finite(lod) + 0.5).floor() as i32).clamp(0, levels - 1)
}

macro_rules! sampled {
    ($($n:literal $coordinate:ident;)*) => {$(
        #[amp(texture_unit)]
        impl<T: FilteredTexel + StoredAs<B>, B: TexelBits, A: Access> TextureView<'_, T, $n, B, A> {
            /// The texture at a normalised place of the most detailed level.
            #[track_caller]
            pub fn sample(&self, sampler: &Sampler, at: $coordinate) -> T {
                let texels = self.texels.view_as(self.shape.extent);
                let border = T::border(sampler.border);
                T::narrow(match sampler.filter {
                    FilterMode::Point => self.nearest_texel(&texels, sampler.address, border, at),
                    FilterMode::Linear => self.blended(&texels, sampler.address, border, at),
                })
            }

            /// The texture at a normalised place and a level of detail, which is held to the levels
            /// that there are.
            #[track_caller]
            pub fn sample_lod(&self, sampler: &Sampler, at: $coordinate, lod: f32) -> T {
                let border = T::border(sampler.border);
                T::narrow(match sampler.filter {
                    FilterMode::Point => {
                        let texels = self.stored_level(nearest_level(lod, self.shape.levels));
                        self.nearest_texel(&texels, sampler.address, border, at)
                    }
                    FilterMode::Linear => {
                        let (level, weight) = level_footprint(lod, self.shape.levels);
                        let texels = self.stored_level(level);
                        let detailed = self.blended(&texels, sampler.address, border, at);
                        if weight > 0.0 {
                            let texels = self.stored_level(level + 1);
                            detailed.blend(self.blended(&texels, sampler.address, border, at), weight)
                        } else {
                            detailed
                        }
                    }
                })
            }
        }
    )*};
}

sampled! {
    1 f32;
    2 Float2;
    3 Float3;
}

#[amp]
impl<T: FilteredTexel + StoredAs<B>, B: TexelBits, A: Access> TextureView<'_, T, 1, B, A> {
    #[track_caller]
    fn nearest_texel(
        &self,
        texels: &ArrayView<'_, T::Stored, 1, A>,
        mode: AddressMode,
        border: T::Wide,
        at: f32,
    ) -> T::Wide {
        let size = texels.extent()[0];
        self.fetch(texels, point(at, size, mode), mode, border)
    }

    #[track_caller]
    fn blended(&self, texels: &ArrayView<'_, T::Stored, 1, A>, mode: AddressMode, border: T::Wide, at: f32) -> T::Wide {
        let size = texels.extent()[0];
        let (x0, x1, weight) = neighbours(at, size, mode);
        self.fetch(texels, x0, mode, border).blend(self.fetch(texels, x1, mode, border), weight)
    }

    #[track_caller]
    fn fetch(&self, texels: &ArrayView<'_, T::Stored, 1, A>, x: i32, mode: AddressMode, border: T::Wide) -> T::Wide {
        let texel = T::decode(texels[x.max(0)]).widen();
        if mode == AddressMode::Border { if x < 0 { border } else { texel } } else { texel }
    }
}

#[amp]
impl<T: FilteredTexel + StoredAs<B>, B: TexelBits, A: Access> TextureView<'_, T, 2, B, A> {
    #[track_caller]
    fn nearest_texel(
        &self,
        texels: &ArrayView<'_, T::Stored, 2, A>,
        mode: AddressMode,
        border: T::Wide,
        at: Float2,
    ) -> T::Wide {
        let extent = texels.extent();
        let x = point(at.x, extent[1], mode);
        let y = point(at.y, extent[0], mode);
        self.fetch(texels, y, x, mode, border)
    }

    #[track_caller]
    fn blended(
        &self,
        texels: &ArrayView<'_, T::Stored, 2, A>,
        mode: AddressMode,
        border: T::Wide,
        at: Float2,
    ) -> T::Wide {
        let extent = texels.extent();
        let (x0, x1, across) = neighbours(at.x, extent[1], mode);
        let (y0, y1, down) = neighbours(at.y, extent[0], mode);
        let upper = self.fetch(texels, y0, x0, mode, border).blend(self.fetch(texels, y0, x1, mode, border), across);
        let lower = self.fetch(texels, y1, x0, mode, border).blend(self.fetch(texels, y1, x1, mode, border), across);
        upper.blend(lower, down)
    }

    #[track_caller]
    fn fetch(
        &self,
        texels: &ArrayView<'_, T::Stored, 2, A>,
        y: i32,
        x: i32,
        mode: AddressMode,
        border: T::Wide,
    ) -> T::Wide {
        let texel = T::decode(texels[(y.max(0), x.max(0))]).widen();
        if mode == AddressMode::Border { if x < 0 || y < 0 { border } else { texel } } else { texel }
    }

    /// The colours of the four texels that a linear sample at this place blends: from the lower left
    /// counter-clockwise.
    #[track_caller]
    fn gathered(&self, sampler: &Sampler, at: Float2) -> (Float4, Float4, Float4, Float4) {
        let texels = self.texels.view_as(self.shape.extent);
        let (mode, border) = (sampler.address, T::border(sampler.border));
        let extent = self.shape.extent;
        let (x0, x1, _) = neighbours(at.x, extent[1], mode);
        let (y0, y1, _) = neighbours(at.y, extent[0], mode);
        (
            self.fetch(&texels, y1, x0, mode, border).color(),
            self.fetch(&texels, y1, x1, mode, border).color(),
            self.fetch(&texels, y0, x1, mode, border).color(),
            self.fetch(&texels, y0, x0, mode, border).color(),
        )
    }
}

macro_rules! gathers {
    ($($name:ident $doc:literal $channel:ident;)*) => {
        #[amp(texture_unit)]
        impl<T: FilteredTexel + StoredAs<B>, B: TexelBits, A: Access> TextureView<'_, T, 2, B, A> {$(
            #[doc = concat!("The ", $doc, " channel of the four texels that a linear sample at this place blends.")]
            /// They come from the lower left counter-clockwise; only the sampler's address mode counts.
            #[track_caller]
            pub fn $name(&self, sampler: &Sampler, at: Float2) -> T::Gathered {
                let (a, b, c, d) = self.gathered(sampler, at);
                <T::Gathered as FilteredTexel>::narrow(Float4::new(a.$channel, b.$channel, c.$channel, d.$channel))
            }
        )*}
    };
}

gathers! {
    gather_red "first" x;
    gather_green "second" y;
    gather_blue "third" z;
    gather_alpha "fourth" w;
}

#[amp]
impl<T: FilteredTexel + StoredAs<B>, B: TexelBits, A: Access> TextureView<'_, T, 3, B, A> {
    #[track_caller]
    fn nearest_texel(
        &self,
        texels: &ArrayView<'_, T::Stored, 3, A>,
        mode: AddressMode,
        border: T::Wide,
        at: Float3,
    ) -> T::Wide {
        let extent = texels.extent();
        let x = point(at.x, extent[2], mode);
        let y = point(at.y, extent[1], mode);
        let z = point(at.z, extent[0], mode);
        self.fetch(texels, (z, y, x), mode, border)
    }

    #[track_caller]
    fn blended(
        &self,
        texels: &ArrayView<'_, T::Stored, 3, A>,
        mode: AddressMode,
        border: T::Wide,
        at: Float3,
    ) -> T::Wide {
        let extent = texels.extent();
        let across = neighbours(at.x, extent[2], mode);
        let down = neighbours(at.y, extent[1], mode);
        let (z0, z1, deep) = neighbours(at.z, extent[0], mode);
        let near = self.blended_slice(texels, z0, down, across, mode, border);
        let far = self.blended_slice(texels, z1, down, across, mode, border);
        near.blend(far, deep)
    }

    #[track_caller]
    fn blended_slice(
        &self,
        texels: &ArrayView<'_, T::Stored, 3, A>,
        z: i32,
        (y0, y1, down): (i32, i32, f32),
        (x0, x1, across): (i32, i32, f32),
        mode: AddressMode,
        border: T::Wide,
    ) -> T::Wide {
        let upper = self.fetch(texels, (z, y0, x0), mode, border);
        let upper = upper.blend(self.fetch(texels, (z, y0, x1), mode, border), across);
        let lower = self.fetch(texels, (z, y1, x0), mode, border);
        let lower = lower.blend(self.fetch(texels, (z, y1, x1), mode, border), across);
        upper.blend(lower, down)
    }

    #[track_caller]
    fn fetch(
        &self,
        texels: &ArrayView<'_, T::Stored, 3, A>,
        (z, y, x): (i32, i32, i32),
        mode: AddressMode,
        border: T::Wide,
    ) -> T::Wide {
        let texel = T::decode(texels[(z.max(0), y.max(0), x.max(0))]).widen();
        if mode == AddressMode::Border { if x < 0 || y < 0 || z < 0 { border } else { texel } } else { texel }
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::analysis::captured::CapturedNumber;
    use tilewise_ir::analysis::texture_calls::{TextureOperation, texture_calls};

    use super::*;
    use crate::api::graphics::{Norm2, Texture, Unorm4};
    use crate::kernel::program::LoweredProgram;
    use crate::{ArrayView, Index, Result, kernel};

    /// Without this, all tests of texture units would pass by the library alone.
    #[test]
    fn samples_gathers_and_reads_stay_calls_that_a_target_finds() -> Result<()> {
        let (flat, line) = (Texture::<Unorm4, 2>::new((4, 4))?, Texture::<Norm2, 1>::new(8)?);
        let (out, captured) = (ArrayView::<Float4>::without_source(8)?, Sampler::POINT);
        let kernel = kernel!(|i: Index<1>| {
            let at = Float2::new(i[0] as f32, 0.5);
            let mut sum = flat.sample(&Sampler::LINEAR, at).as_float() + flat.gather_blue(&captured, at).as_float();
            for x in 0..3 {
                sum += flat.get((i[0], x)).as_float();
            }
            let chosen = if i[0] > 2 { captured } else { Sampler::LINEAR };
            let ends = line.sample_lod(&chosen, 0.5, 0.25).as_float() + line[i].as_float();
            out[i] = sum + Float4::new(ends.x, ends.y, 0.0, 0.0);
        });
        let program = LoweredProgram::of(kernel.parts())?;
        let calls = texture_calls(program.kernel().kernel());
        let found: Vec<_> = calls.iter().map(|call| (call.operation, call.rank, call.floats, call.repeated)).collect();
        // The sampler of the row is chosen by the thread, so no target can know it.
        let expected = [
            (TextureOperation::Sample, 2, 4, false),
            (TextureOperation::Gather(2), 2, 4, false),
            (TextureOperation::Load, 2, 4, true),
            (TextureOperation::Load, 1, 2, false),
        ];
        assert_eq!(found, expected);
        let filters: Vec<_> = calls.iter().filter_map(|call| call.sampler).map(|modes| modes.filter).collect();
        assert!(matches!(filters[..], [CapturedNumber::Constant(1), CapturedNumber::Captured { .. }]), "{filters:?}");
        Ok(())
    }
}
