//! A bilinear resize with mips. Each pixel of the result is a sample of the picture at its place. A sample blends four
//! texels: enough to enlarge a picture, too few for one that is eight times as wide as its copy. `generate_mips` makes
//! smaller levels, and a copy samples the two whose texels are about as large as its pixels.
//!
//! Above: the picture at half its size, and its middle at twice. Below: an eighth of its size, its pixels as squares,
//! from the picture itself on the left and from its levels on the right.

use tilewise::graphics::{Sampler, Texture, Unorm4, copy};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

type Picture = Texture<Unorm4, 2>;

/// A part of a picture in normalised coordinates: where it begins, and its width and height.
type Part = (Float2, f32);

/// All of a picture, and its middle.
const WHOLE: Part = (Float2::new(0.0, 0.0), 1.0);
const MIDDLE: Part = (Float2::new(0.375, 0.375), 0.25);

/// The picture with all its levels.
fn with_levels(picture: &Picture) -> tilewise::Result<Picture> {
    let levels = Texture::builder(picture.extent()).mip_levels(0).build()?;
    copy(picture, &levels.level(0)?)?;
    levels.generate_mips()?;
    Ok(levels)
}

/// Resizes a part of a picture to `extent` pixels of the result, which begin at `corner`. Where the picture has
/// levels, those are sampled that have about a texel for each pixel.
fn resize(
    from: &Picture,
    (begin, size): Part,
    sampler: Sampler,
    to: &Picture,
    corner: (i32, i32),
    extent: Extent<2>,
) -> tilewise::Result<()> {
    let lod = (from.extent()[1] as f32 * size / extent[1] as f32).log2();
    parallel_for_each!(extent, |i| {
        let (x, y) = ((i[1] as f32 + 0.5) / extent[1] as f32, (i[0] as f32 + 0.5) / extent[0] as f32);
        let color = from.sample_lod(&sampler, begin + Float2::new(x, y) * size, lod);
        to.set((corner.0 + i[0], corner.1 + i[1]), color);
    })
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let picture = task.input()?;
    let levels = with_levels(&picture)?;
    let extent = picture.extent();
    let result = Picture::new(extent)?;

    let (linear, squares) = (Sampler::LINEAR, Sampler::POINT);
    let half = Extent([extent[0] / 2, extent[1] / 2]);
    resize(&levels, WHOLE, linear, &result, (0, 0), half)?;
    resize(&picture, MIDDLE, linear, &result, (0, half[1]), half)?;
    for (from, column) in [(&picture, 0), (&levels, half[1])] {
        let small = Picture::new((extent[0] / 8, extent[1] / 8))?;
        resize(from, WHOLE, linear, &small, (0, 0), small.extent())?;
        resize(&small, WHOLE, squares, &result, (half[0], column), half)?;
    }
    task.finish(&result)
}
