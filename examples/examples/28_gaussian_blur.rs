//! A Gaussian blur in two passes, along the rows and then along the columns: 2 * 25 texels instead of 625.
//! Between them the texels have 16 bits, so that they are rounded to 8 once. The upper left part stays sharp.

use tilewise::graphics::{Bits8, Bits16, StoredAs, TexelBits, Texture, TextureView, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// Texels to each side.
const RADIUS: usize = 12;
/// The standard deviation, in texels.
const DEVIATION: f64 = 5.0;

/// The weight of the middle, and of the texels at each distance from it. Their sum is 1.
fn weights() -> [f32; RADIUS + 1] {
    let bell = |distance: usize| (-((distance * distance) as f64) / (2.0 * DEVIATION * DEVIATION)).exp();
    let sum: f64 = bell(0) + 2.0 * (1..=RADIUS).map(bell).sum::<f64>();
    std::array::from_fn(|distance| (bell(distance) / sum) as f32)
}

/// A texel, held to the picture.
#[amp]
fn held<B: TexelBits>(from: &TextureView<'_, Unorm4, 2, B, ReadWrite>, y: i32, x: i32) -> Float4
where
    Unorm4: StoredAs<B>,
{
    let extent = from.extent();
    from.get((y.clamp(0, extent[0] - 1), x.clamp(0, extent[1] - 1))).as_float()
}

/// The weighted sum of the texels in a direction and in the opposite one.
#[amp]
fn blurred<B: TexelBits>(
    from: &TextureView<'_, Unorm4, 2, B, ReadWrite>,
    weights: [f32; RADIUS + 1],
    (y, x): (i32, i32),
    (down, across): (i32, i32),
) -> Unorm4
where
    Unorm4: StoredAs<B>,
{
    let mut sum = held(from, y, x) * weights[0];
    for k in 1..RADIUS as i32 + 1 {
        sum += (held(from, y - k * down, x - k * across) + held(from, y + k * down, x + k * across)) * weights[k];
    }
    sum.as_unorm()
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let sharp: Texture<Unorm4, 2, Bits8> = task.input()?;
    let extent = sharp.extent();
    let rows = Texture::<Unorm4, 2, Bits16>::new(extent)?;
    let picture = Texture::<Unorm4, 2, Bits8>::new(extent)?;

    let weights = weights();
    parallel_for_each!(extent, |i| rows.set(i, blurred(&sharp, weights, (i[0], i[1]), (0, 1))))?;
    parallel_for_each!(extent, |i| {
        // How far beyond the diagonal, from the lower left to the upper right.
        let beyond = i[0] * extent[1] + i[1] * extent[0] - extent[0] * extent[1];
        if beyond < 0 {
            picture.set(i, sharp[i]);
        } else {
            picture.set(i, blurred(&rows, weights, (i[0], i[1]), (1, 0)));
        }
    })?;
    task.finish(&picture)
}
