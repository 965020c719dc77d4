//! Edges by the operator of Sobel: how steep brightness changes is how bright a texel is, and the direction of the
//! change is its hue.

use tilewise::graphics::{Bits8, Texture, TextureView, Unorm, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// A grey texel, held to the picture.
#[amp]
fn held(from: &TextureView<'_, Unorm, 2, Bits8, ReadWrite>, y: i32, x: i32) -> f32 {
    let extent = from.extent();
    from.get((y.clamp(0, extent[0] - 1), x.clamp(0, extent[1] - 1))).get()
}

/// How fast brightness changes to the right and downwards.
#[amp]
fn slope(from: &TextureView<'_, Unorm, 2, Bits8, ReadWrite>, y: i32, x: i32) -> Float2 {
    let mut slope = Float2::new(0.0, 0.0);
    for k in -1..2 {
        let weight = (2 - k * k) as f32;
        slope.x += weight * (held(from, y + k, x + 1) - held(from, y + k, x - 1));
        slope.y += weight * (held(from, y + 1, x + k) - held(from, y - 1, x + k));
    }
    slope
}

/// The colour of a hue from 0 to 1: red, yellow, green, cyan, blue, magenta and red again.
#[amp]
fn color_of_hue(hue: f32) -> Float3 {
    let ramp = |shift: f32| (((hue + shift).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    Float3::new(ramp(0.0), ramp(2.0 / 3.0), ramp(1.0 / 3.0))
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let picture = task.input()?;
    let extent = picture.extent();
    let grey = Texture::<Unorm, 2>::new(extent)?;
    let edges = Texture::<Unorm4, 2>::new(extent)?;

    parallel_for_each!(extent, |i| {
        let luminance = picture[i].as_float().dot(Float4::new(0.2126, 0.7152, 0.0722, 0.0));
        grey.set(i, Unorm::new(luminance));
    })?;
    parallel_for_each!(extent, |i| {
        let slope = slope(&grey, i[0], i[1]);
        // Slopes of a few of the 255 steps of grey are left out.
        let steep = (slope.length() * 1.4 - 0.07).clamp(0.0, 1.0);
        let hue = slope.y.atan2(slope.x) * 0.159_154_94 + 0.5;
        let color = (color_of_hue(hue) * 0.75 + Float3::splat(0.25)) * steep;
        edges.set(i, Float4::new(color.x, color.y, color.z, 1.0).as_unorm());
    })?;
    task.finish(&edges)
}
