//! The reaction and diffusion of Gray and Scott: two substances in a texture of two floats, stepped some thousand
//! times between two textures. What is shown is sampled at twice the size and lit from the side.

use tilewise::graphics::{AddressMode, Sampler, Texture, TextureView, Unorm4};
use tilewise::prelude::*;
use tilewise_examples::pictures::PictureTask;

/// How much of the first substance is fed, and how much more of the second one is removed.
const FEED: f32 = 0.037;
const KILL: f32 = 0.0615;

/// A number in few steps, of which the eye sees nothing: the file is a quarter smaller.
#[amp]
fn stepped(number: f32) -> f32 {
    (number * 24.0).round() / 24.0
}

/// A texel, on a torus, of a place at most one texel outside.
#[amp]
fn around(from: &TextureView<'_, Float2, 2>, y: i32, x: i32) -> Float2 {
    let extent = from.extent();
    from.get(((y + extent[0]) % extent[0], (x + extent[1]) % extent[1]))
}

/// A texel after a step.
#[amp]
fn step(from: &TextureView<'_, Float2, 2>, y: i32, x: i32) -> Float2 {
    let own = from.get((y, x));
    let neighbours = around(from, y - 1, x) + around(from, y + 1, x) + around(from, y, x - 1) + around(from, y, x + 1);
    let spread = neighbours - own * 4.0;
    let reaction = own.x * own.y * own.y;
    Float2::new(
        own.x + 0.16 * spread.x - reaction + FEED * (1.0 - own.x),
        own.y + 0.08 * spread.y + reaction - (FEED + KILL) * own.y,
    )
}

/// Drops of the second substance in the first one, at places that look random.
fn drops(extent: Extent<2>) -> Vec<Float2> {
    let mut state = 5_u32;
    let mut below = |limit: i32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as i32 % limit
    };
    let drops: Vec<(i32, i32)> = (0..14).map(|_| (below(extent[0]), below(extent[1]))).collect();
    let texel = |place: usize| {
        let (y, x) = (place as i32 / extent[1], place as i32 % extent[1]);
        let wet = drops.iter().any(|drop| (y - drop.0).abs() < 4 && (x - drop.1).abs() < 4);
        if wet { Float2::new(0.5, 0.25) } else { Float2::new(1.0, 0.0) }
    };
    (0..extent.size() as usize).map(texel).collect()
}

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let (extent, steps) = (task.extent(), if task.is_saved() { 6000 } else { 40 });
    let grid = Extent::new((extent[0] / 2, extent[1] / 2));
    let mut now = Texture::<Float2, 2>::from_iter(grid, drops(grid))?;
    let mut next = Texture::<Float2, 2>::new(grid)?;
    for _ in 0..steps {
        let from = now.read_view();
        parallel_for_each!(grid, |i| next.set(i, step(&from, i[0], i[1])))?;
        std::mem::swap(&mut now, &mut next);
    }

    let picture = Texture::<Unorm4, 2>::new(extent)?;
    let sampler = Sampler::LINEAR.address(AddressMode::Wrap);
    parallel_for_each!(extent, |i| {
        let (width, height) = (extent[1] as f32, extent[0] as f32);
        let at = Float2::new((i[1] as f32 + 0.5) / width, (i[0] as f32 + 0.5) / height);
        let much = now.sample(&sampler, at).y;
        let right = now.sample(&sampler, at + Float2::new(2.0 / width, 0.0)).y;
        let below = now.sample(&sampler, at + Float2::new(0.0, 2.0 / height)).y;
        let rise = ((much - 0.1) * 6.0).clamp(0.0, 1.0);
        let share = stepped(rise * rise * (3.0 - 2.0 * rise));
        let light = stepped(1.0 + ((right - much) + (below - much)) * 3.2);
        let (deep, high) = (Float3::new(0.03, 0.09, 0.2), Float3::new(0.98, 0.72, 0.42));
        let color = (deep * (1.0 - share) + high * share) * light;
        picture.set(i, Float4::new(color.x, color.y, color.z, 1.0).as_unorm());
    })?;
    task.finish(&picture)
}
