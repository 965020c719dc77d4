//! A cartoon of a picture, as a sample of C++ AMP made it: texels take the mean of the neighbours that look like
//! them, again and again, so that surfaces become flat and edges stay; then few shades, and outlines in ink.

use tilewise::graphics::{Bits8, Texture, TextureView, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

const RADIUS: i32 = 3;
const PASSES: usize = 5;
/// Shades from black to white.
const SHADES: f32 = 7.0;

type PictureView<'a> = TextureView<'a, Unorm4, 2, Bits8, ReadWrite>;

/// A colour, held to the picture.
#[amp]
fn held(from: &PictureView<'_>, y: i32, x: i32) -> Float3 {
    let extent = from.extent();
    from.get((y.clamp(0, extent[0] - 1), x.clamp(0, extent[1] - 1))).as_float().xyz()
}

#[amp]
fn opaque(color: Float3) -> Unorm4 {
    Float4::new(color.x, color.y, color.z, 1.0).as_unorm()
}

/// Luminance.
#[amp]
fn luma(color: Float3) -> f32 {
    color.dot(Float3::new(0.2126, 0.7152, 0.0722))
}

/// The mean of the neighbours, each with less weight the farther and the less alike it is.
#[amp]
fn smoothed(from: &PictureView<'_>, y: i32, x: i32) -> Float3 {
    let own = held(from, y, x);
    let (mut sum, mut weights) = (Float3::splat(0.0), 0.0);
    for dy in -RADIUS..RADIUS + 1 {
        for dx in -RADIUS..RADIUS + 1 {
            let color = held(from, y + dy, x + dx);
            let unlike = (color - own).dot(color - own) * 150.0;
            let weight = 1.0 / ((1.0 + unlike * unlike) * (1.0 + (dx * dx + dy * dy) as f32 * 0.15));
            sum += color * weight;
            weights += weight;
        }
    }
    sum / weights
}

/// A colour in one of the shades; between two of them the change is steep and not a step.
#[amp]
fn shaded(color: Float3) -> Float3 {
    let bright = luma(color).max(1e-3);
    let level = bright * SHADES;
    let rest = level - level.floor();
    let steep = ((rest - 0.5) * 6.0 + 0.5).clamp(0.0, 1.0);
    let shade = (level.floor() + steep) / SHADES;
    // More colour than there was.
    let vivid = (color - Float3::splat(bright)) * 1.35 + Float3::splat(bright);
    vivid * (shade / bright)
}

/// How much ink an edge of the picture takes, from 0 to 1.
#[amp]
fn ink(from: &PictureView<'_>, y: i32, x: i32) -> f32 {
    let mut across = Float3::splat(0.0);
    let mut down = Float3::splat(0.0);
    for k in -1..2 {
        let weight = (2 - k * k) as f32;
        across += (held(from, y + k, x + 1) - held(from, y + k, x - 1)) * weight;
        down += (held(from, y + 1, x + k) - held(from, y - 1, x + k)) * weight;
    }
    let steep = (across.dot(across) + down.dot(down)).sqrt();
    ((steep - 0.45) * 1.6).clamp(0.0, 1.0)
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let mut from = task.input()?;
    let extent = from.extent();
    let mut to = Texture::<Unorm4, 2>::new(extent)?;
    for _ in 0..PASSES {
        parallel_for_each!(extent, |i| to.set(i, opaque(smoothed(&from, i[0], i[1]))))?;
        std::mem::swap(&mut from, &mut to);
    }
    parallel_for_each!(extent, |i| {
        let paper = shaded(held(&from, i[0], i[1]));
        to.set(i, opaque(paper * (1.0 - 0.9 * ink(&from, i[0], i[1]))));
    })?;
    task.finish(&to)
}
