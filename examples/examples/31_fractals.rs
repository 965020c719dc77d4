//! A Mandelbrot set, and the Julia set of a point of it, in colours: how long a point stays near the origin, as a
//! number without steps, is a place in a palette, which is a texture of rank 1 that repeats.

use tilewise::graphics::{AddressMode, Sampler, Texture, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// Steps after which a point counts as inside.
const LIMIT: i32 = 400;
/// Points of a pixel in each direction.
const POINTS: i32 = 3;
/// The point whose Julia set is shown.
const SEED: Float2 = Float2::new(-0.744, 0.148);

/// Steps until the point `z` leaves; negative if it stays.
#[amp]
fn steps(z: Float2, c: Float2) -> f32 {
    let mut z = z;
    for count in 0..LIMIT {
        let square = z.dot(z);
        if square > 256.0 {
            // The part of the last step behind which the circle lies.
            return count as f32 + 4.0 - square.log2().log2();
        }
        z = Float2::new(z.x * z.x - z.y * z.y + c.x, 2.0 * z.x * z.y + c.y);
    }
    -1.0
}

fn palette() -> tilewise::Result<Texture<Unorm4, 1>> {
    let colors =
        [(4, 10, 60), (20, 90, 190), (160, 220, 250), (255, 250, 225), (255, 175, 40), (150, 40, 20), (40, 8, 50)];
    let texel = |(r, g, b): (u8, u8, u8)| {
        let color = Float3::new(f32::from(r), f32::from(g), f32::from(b)) / 255.0;
        Float4::new(color.x, color.y, color.z, 1.0).as_unorm()
    };
    Texture::from_iter(colors.len() as i32, colors.map(texel))
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let extent = task.extent();
    let picture = Texture::<Unorm4, 2>::new(extent)?;
    let palette = palette()?;
    let repeated = Sampler::LINEAR.address(AddressMode::Wrap);

    parallel_for_each!(extent, |i| {
        let (height, half) = (extent[0] as f32, extent[1] / 2);
        let mut sum = Float4::splat(0.0);
        for point in 0..POINTS * POINTS {
            let down = i[0] as f32 + ((point / POINTS) as f32 + 0.5) / POINTS as f32;
            let across = (i[1] % half) as f32 + ((point % POINTS) as f32 + 0.5) / POINTS as f32;
            let place = Float2::new(across - half as f32 * 0.5, down - height * 0.5) / height;
            let count = if i[1] < half {
                steps(Float2::new(0.0, 0.0), place * 3.1 - Float2::new(0.62, 0.0))
            } else {
                steps(Float2::new(place.y, place.x) * 3.0, SEED)
            };
            if count >= 0.0 {
                sum += palette.sample(&repeated, (count + 2.0).max(1.0).log2() * 0.31).as_float();
            } else {
                sum += Float4::new(0.0, 0.0, 0.02, 1.0);
            }
        }
        picture.set(i, (sum * (1.0 / (POINTS * POINTS) as f32)).as_unorm());
    })?;
    task.finish(&picture)
}
