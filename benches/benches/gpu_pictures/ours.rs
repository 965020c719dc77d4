//! [`OurPicture`]: a work as kernels over textures, in Relaxed.

use std::time::Instant;

use tilewise::graphics::Texture;
use tilewise::{Accelerator, AcceleratorView, FloatMode};
use tilewise_benches::pictures::Picture;

use crate::works::PictureWork;

/// A work that is ready: its textures, filled.
pub(crate) struct OurPicture {
    work: PictureWork,
    on: AcceleratorView,
    from: Picture,
    between: Picture,
    to: Picture,
}

impl OurPicture {
    /// On the adapter with that number, for a picture of that width and height.
    pub(crate) fn new(adapter: usize, work: PictureWork, size: u32, bytes: &[u8]) -> tilewise::Result<OurPicture> {
        let accelerator = Accelerator::new(&format!("gpu/{adapter}"))?;
        let on = accelerator.view_builder().float_mode(FloatMode::Relaxed).create()?;
        let square = |size: u32| (size as i32, size as i32);
        let between = if work == PictureWork::Gauss { size } else { 1 };
        Ok(OurPicture {
            work,
            from: Texture::builder(square(size)).on(&on).build_from_bytes(bytes)?,
            between: Texture::builder(square(between)).on(&on).build()?,
            to: Texture::builder(square(work.result_size(size))).on(&on).build()?,
            on,
        })
    }

    fn launch(&self) -> tilewise::Result<()> {
        self.work.launch(&self.on, &self.from, &self.between, &self.to)
    }

    /// The bytes of the result.
    pub(crate) fn once(&self) -> tilewise::Result<Vec<u8>> {
        self.launch()?;
        self.to.to_bytes()
    }

    /// Milliseconds of one launch, out of `count` that are queued.
    pub(crate) fn time(&self, count: u32) -> tilewise::Result<f64> {
        let begin = Instant::now();
        for _ in 0..count {
            self.launch()?;
        }
        self.on.wait()?;
        Ok(begin.elapsed().as_secs_f64() * 1e3 / f64::from(count))
    }
}
