//! Filters and resizes of a picture in colour, as kernels over textures: of the benchmarks `pictures` and
//! `gpu_pictures`.

use tilewise::graphics::{Bits8, Sampler, Texture, TextureView, Unorm4};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float4};
use tilewise::{AcceleratorView, ReadWrite, Result, amp};

/// A picture: four bytes a pixel.
pub type Picture = Texture<Unorm4, 2>;

/// The weights of nine taps, from the middle on: a Gaussian of standard deviation 2.
pub const WEIGHTS: [f32; 5] = [0.204_163_69, 0.180_173_82, 0.123_831_54, 0.066_282_25, 0.027_630_55];

/// The bytes of `count` pixels of noise, `channels` for each.
pub fn noise(count: usize, channels: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count * channels).map(|_| next()).collect()
}

/// The colour of a texel, held to the texture.
#[amp]
fn held(from: &TextureView<'_, Unorm4, 2, Bits8, ReadWrite>, y: i32, x: i32) -> Float4 {
    let extent = from.extent();
    from.get((y.clamp(0, extent[0] - 1), x.clamp(0, extent[1] - 1))).as_float()
}

/// Three texels of a row, weighted 1, 2, 1.
#[amp]
fn three(from: &TextureView<'_, Unorm4, 2, Bits8, ReadWrite>, y: i32, x: i32) -> Float4 {
    held(from, y, x - 1) + held(from, y, x) * 2.0 + held(from, y, x + 1)
}

/// Two texels at the same distance to both sides.
#[amp]
fn pair(from: &TextureView<'_, Unorm4, 2, Bits8, ReadWrite>, y: i32, x: i32, dy: i32, dx: i32) -> Float4 {
    held(from, y - dy, x - dx) + held(from, y + dy, x + dx)
}

/// A texel of nine taps along a direction.
#[amp]
fn nine(from: &TextureView<'_, Unorm4, 2, Bits8, ReadWrite>, y: i32, x: i32, dy: i32, dx: i32) -> Float4 {
    held(from, y, x) * WEIGHTS[0]
        + pair(from, y, x, dy, dx) * WEIGHTS[1]
        + pair(from, y, x, 2 * dy, 2 * dx) * WEIGHTS[2]
        + pair(from, y, x, 3 * dy, 3 * dx) * WEIGHTS[3]
        + pair(from, y, x, 4 * dy, 4 * dx) * WEIGHTS[4]
}

/// The length of what two gradients are in each channel.
#[amp]
fn steepness(across: Float4, down: Float4) -> Float4 {
    let square = across * across + down * down;
    Float4::new(square.x.sqrt(), square.y.sqrt(), square.z.sqrt(), square.w.sqrt())
}

/// Three by three, weighted 1, 2, 1 in both directions.
///
/// # Errors
/// The error of Tilewise.
pub fn blur(on: &AcceleratorView, from: &Picture, to: &Picture) -> Result<()> {
    parallel_for_each!((on, to.extent()), |i| {
        let (y, x) = (i[0], i[1]);
        let sum = three(&from, y - 1, x) + three(&from, y, x) * 2.0 + three(&from, y + 1, x);
        to.set(i, (sum * 0.0625).as_unorm());
    })
}

/// A Gaussian of nine taps along rows and then along columns, with a picture between.
///
/// # Errors
/// The error of Tilewise.
pub fn gauss(on: &AcceleratorView, from: &Picture, between: &Picture, to: &Picture) -> Result<()> {
    parallel_for_each!((on, to.extent()), |i| {
        between.set(i, nine(&from, i[0], i[1], 0, 1).as_unorm());
    })?;
    parallel_for_each!((on, to.extent()), |i| {
        to.set(i, nine(&between, i[0], i[1], 1, 0).as_unorm());
    })
}

/// A bilinear resize.
///
/// # Errors
/// The error of Tilewise.
pub fn resize(on: &AcceleratorView, from: &Picture, to: &Picture) -> Result<()> {
    let (across, down) = (1.0 / to.extent()[1] as f32, 1.0 / to.extent()[0] as f32);
    let sampler = Sampler::LINEAR;
    parallel_for_each!((on, to.extent()), |i| {
        let at = Float2::new((i[1] as f32 + 0.5) * across, (i[0] as f32 + 0.5) * down);
        to.set(i, from.sample(&sampler, at));
    })
}

/// The operator of Sobel in each channel: a quarter of the gradient's length.
///
/// # Errors
/// The error of Tilewise.
pub fn sobel(on: &AcceleratorView, from: &Picture, to: &Picture) -> Result<()> {
    parallel_for_each!((on, to.extent()), |i| {
        let (y, x) = (i[0], i[1]);
        let (a, b, c) = (held(&from, y - 1, x - 1), held(&from, y - 1, x), held(&from, y - 1, x + 1));
        let (d, f) = (held(&from, y, x - 1), held(&from, y, x + 1));
        let (g, h, k) = (held(&from, y + 1, x - 1), held(&from, y + 1, x), held(&from, y + 1, x + 1));
        let across = (c - a) + (f - d) * 2.0 + (k - g);
        let down = (g - a) + (h - b) * 2.0 + (k - c);
        to.set(i, (steepness(across, down) * 0.25).as_unorm());
    })
}
