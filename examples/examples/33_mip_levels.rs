//! A chequered plane that goes to the horizon. On the left each pixel is a sample of the texture itself, which has
//! many texels for a pixel far away, so that squares flicker. On the right it is a sample of the levels whose texels
//! are as large as the pixel: smaller copies, each a resize of the one before, which `generate_mips` makes.

use tilewise::graphics::{AddressMode, Sampler, Texture, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// Rows and columns of the texture, and of a square in it.
const SIZE: i32 = 256;
const SQUARE: i32 = 32;

#[amp]
fn opaque(color: Float3) -> Unorm4 {
    Float4::new(color.x, color.y, color.z, 1.0).as_unorm()
}

/// The texture: squares in light and dark, with a thin line around.
#[amp]
fn pattern(y: i32, x: i32) -> Unorm4 {
    let (row, column) = (y / SQUARE, x / SQUARE);
    let (down, across) = (y % SQUARE, x % SQUARE);
    let color = if down < 2 || across < 2 {
        Float3::new(0.85, 0.68, 0.3)
    } else if (row + column) % 2 == 0 {
        Float3::new(0.94, 0.92, 0.86)
    } else {
        let tint = (row * 3 + column * 5) % 8;
        Float3::new(0.1 + 0.05 * tint as f32, 0.14, 0.42 - 0.03 * tint as f32)
    };
    opaque(color)
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let extent = task.extent();
    let tiles = Texture::<Unorm4, 2>::builder((SIZE, SIZE)).mip_levels(0).build()?;
    let whole = tiles.level(0)?;
    parallel_for_each!(whole.extent(), |i| whole.set(i, pattern(i[0], i[1])))?;
    tiles.generate_mips()?;

    let picture = Texture::<Unorm4, 2>::new(extent)?;
    let sampler = Sampler::LINEAR.address(AddressMode::Wrap);
    parallel_for_each!(extent, |i| {
        let (width, height) = (extent[1] as f32, extent[0] as f32);
        let (x, y) = ((i[1] as f32 + 0.5 - width * 0.5) / height, (i[0] as f32 + 0.5) / height);
        // The plane lies below the horizon; a row of pixels has one distance.
        let below = y - 0.12;
        let color = if below <= 0.0 {
            let haze = y / 0.12;
            Float3::new(0.45, 0.62, 0.86) * (1.0 - haze) + Float3::new(0.93, 0.9, 0.86) * haze
        } else {
            let distance = 0.42 / below;
            let at = Float2::new(x * distance * 0.75 + 0.06 * distance, distance * 0.75);
            // Texels from this row of pixels to the next, and from this pixel to the next.
            let (down, across) = (distance * distance * 0.75 / 0.42, distance * 0.75);
            let texels = down.max(across) * SIZE as f32 / height;
            let lod = texels.log2();
            let sampled =
                if i[1] * 2 < extent[1] { tiles.sample(&sampler, at) } else { tiles.sample_lod(&sampler, at, lod) };
            let haze = (distance * 0.03).min(1.0);
            sampled.as_float().xyz() * (1.0 - haze) + Float3::new(0.93, 0.9, 0.86) * haze
        };
        let seam = (2 * i[1] - extent[1]).abs() < 2;
        picture.set(i, opaque(if seam { Float3::splat(1.0) } else { color }));
    })?;
    task.finish(&picture)
}
