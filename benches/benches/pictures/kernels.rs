//! The work as kernels over textures.

use std::sync::Arc;

use tilewise::graphics::{Bits8, Bits16, Sampler, Texture, TextureView, Unorm4};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float4};
use tilewise::{AcceleratorView, Launch, ReadWrite, amp};

use super::Row;

/// The weights of nine taps, from the middle on: a Gaussian of standard deviation 2.
pub(crate) const WEIGHTS: [f32; 5] = [0.204_163_69, 0.180_173_82, 0.123_831_54, 0.066_282_25, 0.027_630_55];

/// A picture in colour and one in grey, as textures.
pub(crate) struct Pictures {
    target: AcceleratorView,
    /// Their width and height.
    pub(crate) size: usize,
    /// Four bytes a pixel.
    #[cfg_attr(not(feature = "pictures"), allow(dead_code, reason = "other crates take it"))]
    pub(crate) color: Vec<u8>,
    /// A byte a pixel.
    #[cfg_attr(not(feature = "pictures"), allow(dead_code, reason = "other crates take it"))]
    pub(crate) grey: Vec<u8>,
    color_texture: Arc<Texture<Unorm4, 2>>,
    grey_texture: Arc<Texture<u32, 2, Bits8>>,
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

/// A texel in grey, held to the texture.
#[amp]
fn grey(from: &TextureView<'_, u32, 2, Bits8, ReadWrite>, y: i32, x: i32) -> i32 {
    let extent = from.extent();
    from.get((y.clamp(0, extent[0] - 1), x.clamp(0, extent[1] - 1))) as i32
}

impl Pictures {
    pub(crate) fn new(target: &AcceleratorView, size: usize) -> Pictures {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        };
        let color: Vec<u8> = (0..size * size * 4).map(|_| next() as u8).collect();
        let grey: Vec<u8> = (0..size * size).map(|_| next() as u8).collect();
        let extent = (size as i32, size as i32);
        let texels = color.chunks_exact(4).map(|c| {
            let channel = |k: usize| f32::from(c[k]) / 255.0;
            Float4::new(channel(0), channel(1), channel(2), channel(3)).as_unorm()
        });
        let color_texture = Texture::builder(extent).on(target).build_from_iter(texels).expect("it fits");
        let texels = grey.iter().map(|&g| u32::from(g));
        let grey_texture = Texture::builder(extent).on(target).build_from_iter(texels).expect("it fits");
        Pictures {
            target: target.clone(),
            size,
            color,
            grey,
            color_texture: Arc::new(color_texture),
            grey_texture: Arc::new(grey_texture),
        }
    }

    fn texture(&self, size: usize) -> Texture<Unorm4, 2> {
        Texture::builder((size as i32, size as i32)).on(&self.target).build().expect("there is memory")
    }

    /// All work, with ours as the only contestant.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |name, run| Row { name, contestants: vec![("jit", run)] };
        vec![
            row("blur 3x3", self.blur()),
            row("gauss 9 taps, separable", self.gauss()),
            row("resize to half", self.resize(self.size / 2)),
            row("resize to double", self.resize(self.size * 2)),
            row("sobel", self.sobel()),
        ]
    }

    fn blur(&self) -> Box<dyn FnMut(bool) -> Vec<u8>> {
        let (target, from, to) = (self.target.clone(), Arc::clone(&self.color_texture), self.texture(self.size));
        Box::new(move |wanted| {
            let done = parallel_for_each!(Launch::new(to.extent()).on(&target), |i| {
                let (y, x) = (i[0], i[1]);
                let sum = three(&from, y - 1, x) + three(&from, y, x) * 2.0 + three(&from, y + 1, x);
                to.set(i, (sum * 0.0625).as_unorm());
            });
            done.expect("it runs");
            bytes(&to, wanted)
        })
    }

    fn gauss(&self) -> Box<dyn FnMut(bool) -> Vec<u8>> {
        let (target, from) = (self.target.clone(), Arc::clone(&self.color_texture));
        let (between, to) = (self.texture(self.size), self.texture(self.size));
        Box::new(move |wanted| {
            let across = parallel_for_each!(Launch::new(to.extent()).on(&target), |i| {
                between.set(i, nine(&from, i[0], i[1], 0, 1).as_unorm());
            });
            let down = parallel_for_each!(Launch::new(to.extent()).on(&target), |i| {
                to.set(i, nine(&between, i[0], i[1], 1, 0).as_unorm());
            });
            across.and(down).expect("it runs");
            bytes(&to, wanted)
        })
    }

    fn resize(&self, size: usize) -> Box<dyn FnMut(bool) -> Vec<u8>> {
        let (target, from, to) = (self.target.clone(), Arc::clone(&self.color_texture), self.texture(size));
        let step = 1.0 / size as f32;
        let sampler = Sampler::LINEAR;
        Box::new(move |wanted| {
            let done = parallel_for_each!(Launch::new(to.extent()).on(&target), |i| {
                let at = Float2::new((i[1] as f32 + 0.5) * step, (i[0] as f32 + 0.5) * step);
                to.set(i, from.sample(&sampler, at));
            });
            done.expect("it runs");
            bytes(&to, wanted)
        })
    }

    fn sobel(&self) -> Box<dyn FnMut(bool) -> Vec<u8>> {
        let (target, from) = (self.target.clone(), Arc::clone(&self.grey_texture));
        let extent = from.extent();
        let to = Texture::<u32, 2, Bits16>::builder(extent).on(&target).build().expect("there is memory");
        Box::new(move |wanted| {
            let done = parallel_for_each!(Launch::new(extent).on(&target), |i| {
                let (y, x) = (i[0], i[1]);
                let (a, b, c) = (grey(&from, y - 1, x - 1), grey(&from, y - 1, x), grey(&from, y - 1, x + 1));
                let (d, f) = (grey(&from, y, x - 1), grey(&from, y, x + 1));
                let (g, h, k) = (grey(&from, y + 1, x - 1), grey(&from, y + 1, x), grey(&from, y + 1, x + 1));
                let across = (c + 2 * f + k) - (a + 2 * d + g);
                let down = (g + 2 * h + k) - (a + 2 * b + c);
                to.set(i, ((across * across + down * down) as f32).sqrt() as u32);
            });
            done.expect("it runs");
            if !wanted {
                return Vec::new();
            }
            to.to_vec().expect("it can be read").into_iter().map(|g| (g / 8) as u8).collect()
        })
    }
}

/// The bytes of a texture, if they are wanted.
fn bytes(texture: &Texture<Unorm4, 2>, wanted: bool) -> Vec<u8> {
    if !wanted {
        return Vec::new();
    }
    let texels = texture.to_vec().expect("it can be read");
    texels.into_iter().flat_map(|c| [c.x, c.y, c.z, c.w]).map(|c| (c.get() * 255.0).round() as u8).collect()
}
