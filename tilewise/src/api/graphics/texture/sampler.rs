//! [`Sampler`]: how a texture is sampled.

use crate::AmpStruct;
use crate::api::vector::Float4;

/// How texels between centres are chosen. C++ AMP's `filter_mode`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, AmpStruct)]
pub enum FilterMode {
    /// The nearest texel of the nearest level.
    Point,
    /// The texels around, by their distance, of the two levels around.
    #[default]
    Linear,
}

/// What coordinates outside of 0 to 1 mean, in each dimension. C++ AMP's `address_mode`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, AmpStruct)]
pub enum AddressMode {
    /// The texture is repeated.
    Wrap,
    /// The texture is repeated, every second time mirrored.
    Mirror,
    /// The texels at the edge go on.
    #[default]
    Clamp,
    /// The colour of the border.
    Border,
}

/// The options of sampling. C++ AMP's `sampler`; by default linear and clamped. A kernel captures
/// it as a value.
///
/// ```
/// use tilewise::graphics::{AddressMode, Sampler};
/// let tiled = Sampler::LINEAR.address(AddressMode::Wrap);
/// assert_eq!(tiled.address_mode(), AddressMode::Wrap);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
pub struct Sampler {
    pub(super) filter: FilterMode,
    pub(super) address: AddressMode,
    pub(super) border: Float4,
}

impl Sampler {
    /// Linear, clamped.
    pub const LINEAR: Sampler =
        Sampler { filter: FilterMode::Linear, address: AddressMode::Clamp, border: Float4::ZERO };
    /// The nearest texel, clamped.
    pub const POINT: Sampler = Sampler { filter: FilterMode::Point, ..Sampler::LINEAR };

    /// A sampler with these modes, and a border of zeros.
    pub const fn new(filter: FilterMode, address: AddressMode) -> Sampler {
        Sampler { filter, address, border: Float4::ZERO }
    }

    /// The same with another address mode.
    #[must_use]
    pub const fn address(self, address: AddressMode) -> Sampler {
        Sampler { address, ..self }
    }

    /// The same with [`AddressMode::Border`], and this colour. A texture clamps it to the range of
    /// its channels, and drops the channels that it does not have.
    #[must_use]
    pub const fn with_border(self, color: Float4) -> Sampler {
        Sampler { address: AddressMode::Border, border: color, ..self }
    }

    /// How texels are chosen.
    #[doc(alias = "get_filter_mode")]
    pub const fn filter_mode(&self) -> FilterMode {
        self.filter
    }

    /// What coordinates outside mean.
    #[doc(alias = "get_address_mode")]
    pub const fn address_mode(&self) -> AddressMode {
        self.address
    }

    /// The colour of the border.
    #[doc(alias = "get_border_color")]
    pub const fn border_color(&self) -> Float4 {
        self.border
    }
}

impl Default for Sampler {
    fn default() -> Sampler {
        Sampler::LINEAR
    }
}
