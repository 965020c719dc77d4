//! The five works: their sizes, their kernels in both languages, and how far results may differ.

use tilewise::AcceleratorView;
use tilewise_benches::pictures::{self, Picture};

/// A work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PictureWork {
    Blur,
    Gauss,
    Half,
    Double,
    Sobel,
}

impl PictureWork {
    pub(crate) const ALL: [PictureWork; 5] =
        [PictureWork::Blur, PictureWork::Gauss, PictureWork::Half, PictureWork::Double, PictureWork::Sobel];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            PictureWork::Blur => "blur 3x3",
            PictureWork::Gauss => "gauss 9 taps, separable",
            PictureWork::Half => "resize to half",
            PictureWork::Double => "resize to double",
            PictureWork::Sobel => "sobel",
        }
    }

    /// Width and height of the result, for a picture of that width and height.
    pub(crate) const fn result_size(self, size: u32) -> u32 {
        match self {
            PictureWork::Half => size / 2,
            PictureWork::Double => size * 2,
            PictureWork::Blur | PictureWork::Gauss | PictureWork::Sobel => size,
        }
    }

    /// The largest difference of two bytes. Where one texel is rounded to another byte than by the other, it is by 1. A
    /// texture unit may be off by 1/256 of the range beside that, and so is what is computed of bytes between.
    pub(crate) const fn tolerance(self) -> u8 {
        match self {
            PictureWork::Blur | PictureWork::Sobel => 1,
            PictureWork::Gauss | PictureWork::Half | PictureWork::Double => 2,
        }
    }

    /// The WGSL by hand and its entry points, one for each pass.
    pub(crate) const fn by_hand(self) -> (&'static str, &'static [&'static str]) {
        match self {
            PictureWork::Blur => (include_str!("by_hand/blur.wgsl"), &["main"]),
            PictureWork::Gauss => (include_str!("by_hand/gauss.wgsl"), &["across", "down"]),
            PictureWork::Half | PictureWork::Double => (include_str!("by_hand/resize.wgsl"), &["main"]),
            PictureWork::Sobel => (include_str!("by_hand/sobel.wgsl"), &["main"]),
        }
    }

    /// Launches the kernels. `between` is what the first of two passes writes.
    pub(crate) fn launch(
        self,
        on: &AcceleratorView,
        from: &Picture,
        between: &Picture,
        to: &Picture,
    ) -> tilewise::Result<()> {
        match self {
            PictureWork::Blur => pictures::blur(on, from, to),
            PictureWork::Gauss => pictures::gauss(on, from, between, to),
            PictureWork::Half | PictureWork::Double => pictures::resize(on, from, to),
            PictureWork::Sobel => pictures::sobel(on, from, to),
        }
    }
}
