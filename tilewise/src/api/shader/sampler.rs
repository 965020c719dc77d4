//! [`ShaderSampler`]: the settings of a shader's sampler.

use tilewise_import::BindingKind;

use super::{ShaderEntry, ShaderItem, shown};
use crate::graphics::{AddressMode, FilterMode, Sampler};
use crate::{Error, Result};

/// What a comparison sampler asks of the reference: is it less than the texel, and so on.
///
/// ```
/// use tilewise::{ShaderComparison, ShaderSampler};
/// let shadow = ShaderSampler::LINEAR.compare(ShaderComparison::LessEqual);
/// assert_ne!(shadow, ShaderSampler::LINEAR);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShaderComparison {
    /// It never holds.
    Never,
    /// The reference is less.
    Less,
    /// They are equal.
    Equal,
    /// The reference is less or equal.
    LessEqual,
    /// The reference is greater.
    Greater,
    /// They differ.
    NotEqual,
    /// The reference is greater or equal.
    GreaterEqual,
    /// It always holds.
    Always,
}

/// A sampler for [`ShaderEntry::sampler`](crate::ShaderEntry::sampler): filters, address modes,
/// comparison and limits of the level of detail, as WebGPU has them. Made from a
/// [`Sampler`] of kernels or from [`LINEAR`](Self::LINEAR) or [`POINT`](Self::POINT).
///
/// ```
/// use tilewise::ShaderSampler;
/// use tilewise::graphics::{AddressMode, FilterMode, Sampler};
/// let tiled = ShaderSampler::LINEAR.addresses([AddressMode::Wrap; 3]).between_levels(FilterMode::Point);
/// assert_eq!(ShaderSampler::from(Sampler::POINT), ShaderSampler::POINT);
/// assert_ne!(tiled, ShaderSampler::LINEAR);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShaderSampler {
    magnify: FilterMode,
    minify: FilterMode,
    levels: FilterMode,
    addresses: [AddressMode; 3],
    comparison: ShaderComparison,
    least_level: f32,
    most_level: f32,
}

impl ShaderSampler {
    /// Linear between texels and levels, clamped, all levels.
    pub const LINEAR: ShaderSampler = ShaderSampler {
        magnify: FilterMode::Linear,
        minify: FilterMode::Linear,
        levels: FilterMode::Linear,
        addresses: [AddressMode::Clamp; 3],
        comparison: ShaderComparison::Never,
        least_level: 0.0,
        most_level: 32.0,
    };

    /// The nearest texel of the nearest level, clamped.
    pub const POINT: ShaderSampler = ShaderSampler {
        magnify: FilterMode::Point,
        minify: FilterMode::Point,
        levels: FilterMode::Point,
        ..ShaderSampler::LINEAR
    };

    /// The same with other filters where the texture is enlarged and where it is reduced.
    #[must_use]
    pub const fn filters(self, magnify: FilterMode, minify: FilterMode) -> ShaderSampler {
        ShaderSampler { magnify, minify, ..self }
    }

    /// The same with another filter between levels.
    #[must_use]
    pub const fn between_levels(self, levels: FilterMode) -> ShaderSampler {
        ShaderSampler { levels, ..self }
    }

    /// The same with other address modes along x, y and z. Shaders have no
    /// [`Border`](AddressMode::Border).
    #[must_use]
    pub const fn addresses(self, addresses: [AddressMode; 3]) -> ShaderSampler {
        ShaderSampler { addresses, ..self }
    }

    /// The same with a comparison, for a `sampler_comparison`.
    #[must_use]
    pub const fn compare(self, comparison: ShaderComparison) -> ShaderSampler {
        ShaderSampler { comparison, ..self }
    }

    /// The same with limits of the level of detail.
    #[must_use]
    pub const fn level_limits(self, least: f32, most: f32) -> ShaderSampler {
        ShaderSampler { least_level: least, most_level: most, ..self }
    }

    /// The bytes of the uniform struct that a kernel has; `None` with a border.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        let filter = |mode: FilterMode| u32::from(mode == FilterMode::Linear);
        let mut words = vec![filter(self.magnify), filter(self.minify), filter(self.levels)];
        for mode in self.addresses {
            words.push(match mode {
                AddressMode::Clamp => 0,
                AddressMode::Wrap => 1,
                AddressMode::Mirror => 2,
                AddressMode::Border => return None,
            });
        }
        words.extend([self.comparison as u32, self.least_level.to_bits(), self.most_level.to_bits()]);
        Some(words.into_iter().flat_map(u32::to_le_bytes).collect())
    }
}

impl From<Sampler> for ShaderSampler {
    fn from(sampler: Sampler) -> ShaderSampler {
        let filter = sampler.filter_mode();
        let addresses = [sampler.address_mode(); 3];
        ShaderSampler { magnify: filter, minify: filter, levels: filter, addresses, ..ShaderSampler::LINEAR }
    }
}

impl ShaderEntry<'_> {
    /// Sets a sampler.
    pub fn sampler(self, group: u32, binding: u32, sampler: impl Into<ShaderSampler>) -> Result<Self> {
        let number = self.resource(group, binding)?;
        self.set_sampler(number, &sampler.into())
    }

    /// Sets the sampler of this name.
    pub fn sampler_named(self, name: &str, sampler: impl Into<ShaderSampler>) -> Result<Self> {
        let number = self.named(name)?;
        self.set_sampler(number, &sampler.into())
    }

    fn set_sampler(mut self, number: usize, sampler: &ShaderSampler) -> Result<Self> {
        let slot = shown(&self.slots[number]);
        let BindingKind::Sampler { .. } = self.slots[number].kind else {
            return Err(Error::shape(None, format!("{slot} is no sampler")));
        };
        let Some(bytes) = sampler.bytes() else {
            return Err(Error::shape(None, format!("{slot}: samplers of shaders have no border")));
        };
        self.items[number] = Some(ShaderItem::Bytes(bytes));
        Ok(self)
    }
}
