//! The same work by other crates, on all cores where they can.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::{GrayImage, Rgba, RgbaImage, imageops};
use imageproc::filter::{filter_clamped_parallel, separable_filter};
use imageproc::gradients::sobel_gradients;
use imageproc::kernel::Kernel;

use tilewise_benches::pictures::WEIGHTS;

use super::kernels::Pictures;
use super::{Contestant, Row};

/// The weights of three by three.
const THREE: [f32; 9] = [0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625];

/// Adds the crates to the rows.
pub(crate) fn add(rows: &mut [Row], pictures: &Pictures) {
    let size = pictures.size as u32;
    let color = RgbaImage::from_raw(size, size, pictures.color.clone()).expect("it has as many bytes");
    let grey = GrayImage::from_raw(size, size, pictures.grey.clone()).expect("it has as many bytes");
    for row in rows {
        let (color, grey) = (color.clone(), grey.clone());
        match row.name {
            "blur 3x3" => {
                let run =
                    move |_| filter_clamped_parallel::<Rgba<u8>, f32, u8>(&color, Kernel::new(&THREE, 3, 3)).into_raw();
                contend(row, "imageproc", Some(1), run);
            }
            "gauss 9 taps, separable" => {
                let weights: Vec<f32> = (0..9_usize).map(|k| WEIGHTS[k.abs_diff(4)]).collect();
                let run = move |_| separable_filter(&color, &weights, &weights).into_raw();
                // It cuts off the fraction after each of the two passes; we round.
                contend(row, "imageproc", Some(2), run);
            }
            "resize to half" => resizers(row, color, size / 2),
            "resize to double" => resizers(row, color, size * 2),
            _ => {
                let run = move |_| sobel_gradients(&grey).pixels().map(|p| (p.0[0] / 8) as u8).collect();
                contend(row, "imageproc", Some(1), run);
            }
        }
    }
}

fn contend(row: &mut Row, name: &'static str, tolerance: Option<u8>, run: impl FnMut(bool) -> Vec<u8> + 'static) {
    row.contestants.push(Contestant { name, tolerance, run: Box::new(run) });
}

fn resizers(row: &mut Row, color: RgbaImage, size: u32) {
    let bytes = color.as_raw().clone();
    let from = color.width();
    let mut resizer = Resizer::new();
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Interpolation(FilterType::Bilinear)).use_alpha(false);
    let mut to = Image::new(size, size, PixelType::U8x4);
    contend(row, "fast_image_resize", Some(1), move |wanted| {
        let source = ImageRef::new(from, from, &bytes, PixelType::U8x4).expect("it has as many bytes");
        resizer.resize(&source, &mut to, &options).expect("both have the same pixels");
        if wanted { to.buffer().to_vec() } else { Vec::new() }
    });
    // Its filter grows with the step: to half, it blends 16 texels where a sampler blends 4.
    let tolerance = (size > from).then_some(1);
    let run = move |_| imageops::resize(&color, size, size, imageops::FilterType::Triangle).into_raw();
    contend(row, "image", tolerance, run);
}
