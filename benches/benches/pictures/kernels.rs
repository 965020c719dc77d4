//! The work as kernels over textures.

use std::sync::Arc;

use tilewise::graphics::{Bits8, Bits16, Texture, TextureView};
use tilewise::prelude::*;
use tilewise::{AcceleratorView, Launch, ReadWrite, amp};
use tilewise_benches::pictures::{self, Picture};

use super::{Contestant, PictureRun, Row};

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
    color_texture: Arc<Picture>,
    grey_texture: Arc<Texture<u32, 2, Bits8>>,
}

/// A texel in grey, held to the texture.
#[amp]
fn grey(from: &TextureView<'_, u32, 2, Bits8, ReadWrite>, y: i32, x: i32) -> i32 {
    let extent = from.extent();
    from.get((y.clamp(0, extent[0] - 1), x.clamp(0, extent[1] - 1))) as i32
}

impl Pictures {
    pub(crate) fn new(target: &AcceleratorView, size: usize) -> Pictures {
        let (color, grey) = (pictures::noise(size * size, 4), pictures::noise(size * size, 1));
        let extent = (size as i32, size as i32);
        let color_texture = Texture::builder(extent).on(target).build_from_bytes(&color).expect("it fits");
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

    fn texture(&self, size: usize) -> Picture {
        Texture::builder((size as i32, size as i32)).on(&self.target).build().expect("there is memory")
    }

    /// All work, with ours as the only contestant.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |name, run| Row { name, contestants: vec![Contestant { name: "jit", tolerance: Some(0), run }] };
        vec![
            row("blur 3x3", self.blur()),
            row("gauss 9 taps, separable", self.gauss()),
            row("resize to half", self.resize(self.size / 2)),
            row("resize to double", self.resize(self.size * 2)),
            row("sobel", self.sobel()),
        ]
    }

    fn blur(&self) -> PictureRun {
        let (target, from, to) = (self.target.clone(), Arc::clone(&self.color_texture), self.texture(self.size));
        Box::new(move |wanted| {
            pictures::blur(&target, &from, &to).expect("it runs");
            bytes(&to, wanted)
        })
    }

    fn gauss(&self) -> PictureRun {
        let (target, from) = (self.target.clone(), Arc::clone(&self.color_texture));
        let (between, to) = (self.texture(self.size), self.texture(self.size));
        Box::new(move |wanted| {
            pictures::gauss(&target, &from, &between, &to).expect("it runs");
            bytes(&to, wanted)
        })
    }

    fn resize(&self, size: usize) -> PictureRun {
        let (target, from, to) = (self.target.clone(), Arc::clone(&self.color_texture), self.texture(size));
        Box::new(move |wanted| {
            pictures::resize(&target, &from, &to).expect("it runs");
            bytes(&to, wanted)
        })
    }

    fn sobel(&self) -> PictureRun {
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
fn bytes(texture: &Picture, wanted: bool) -> Vec<u8> {
    if wanted { texture.to_bytes().expect("it can be read") } else { Vec::new() }
}
