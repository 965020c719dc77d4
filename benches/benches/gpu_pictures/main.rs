//! Pictures through textures on a GPU, beside WGSL by hand that uses the textures of the hardware: what it costs that
//! textures are memory with a format and functions of the library.
//! `cargo bench --workspace --bench gpu_pictures`.
//!
//! Each work runs on four bytes a pixel. Ours are Relaxed kernels over `Texture`; `by_hand/*.wgsl` loads from a
//! `texture_2d<f32>` of `rgba8unorm` or samples it with a linear sampler, and stores to a storage texture, in
//! workgroups of 8 x 8 and of 16 x 16. Results are compared first: [`PictureWork::tolerance`]. Then many launches are
//! queued and waited for once, in turns; a figure is the median of milliseconds for a launch, and the ratio is to the
//! faster of the two by hand.
//!
//! [`works`] is what is computed, [`ours`] the library's side, [`by_hand`] wgpu.

mod by_hand;
mod ours;
mod works;

use std::path::PathBuf;

use by_hand::{HandDevice, HandPicture};
use clap::Parser;
use clap::builder::RangedU64ValueParser;
use ours::OurPicture;
use serde::Serialize;
use tilewise_benches::{output, pictures};
use tilewise_peers::time;
use works::PictureWork;

/// Pictures through textures, beside WGSL by hand with the hardware's.
#[derive(Parser)]
struct Options {
    /// Width and height of the picture.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(2..=16384))]
    size: u32,
    /// Works to measure: a part of their name.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// Measurements of each contestant; the median counts.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    runs: usize,
    /// Milliseconds that a measurement takes, or one launch if that takes longer.
    #[arg(long, value_name = "MS", default_value_t = 50.0)]
    each: f64,
    /// Which adapter.
    #[arg(long, value_name = "N", default_value_t = 0)]
    adapter: usize,
    /// Writes the results there.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

/// Everything, for programs.
#[derive(Serialize)]
struct Report<'a> {
    adapter: &'a str,
    driver: &'a str,
    size: u32,
    rows: &'a [Row],
}

/// A work: the medians in milliseconds, and how far the results are apart.
#[derive(Serialize)]
struct Row {
    work: &'static str,
    ours: f64,
    hand_8: f64,
    hand_16: f64,
    ratio: f64,
    largest_difference: u8,
    /// In the order of `ours`, `hand_8`, `hand_16`.
    all_ms: [Vec<f64>; 3],
}

fn main() -> Result<(), String> {
    let mut options = Options::parse();
    // A run by `cargo test` only shows that it works.
    if options.test {
        (options.size, options.runs, options.each) = (64, 1, 0.0);
    }
    let device = match HandDevice::open(options.adapter) {
        Ok(device) => device,
        Err(reason) => {
            output::result(&format!("gpu_pictures: not run: {reason}"));
            return Ok(());
        }
    };
    let (name, size) = (&device.name, options.size);
    output::result(&format!("{name}, {}: {size} x {size}, milliseconds for a launch", device.driver));
    output::result(&format!(
        "{:<26}{:>10}{:>16}{:>16}{:>9}{:>12}",
        "work", "ours", "by hand 8 x 8", "by hand 16 x 16", "ratio", "difference"
    ));
    let bytes = pictures::noise((size * size) as usize, 4);
    let mut rows = Vec::new();
    for work in PictureWork::ALL.into_iter().filter(|work| work.name().contains(&options.only)) {
        let row = measure(&device, work, &bytes, &options)?;
        let Row { work, ours, hand_8, hand_16, ratio, largest_difference, .. } = &row;
        output::result(&format!(
            "{work:<26}{ours:>10.4}{hand_8:>16.4}{hand_16:>16.4}{ratio:>8.3}x{largest_difference:>12}"
        ));
        rows.push(row);
    }
    let Some(path) = &options.json else { return Ok(()) };
    let report = Report { adapter: name, driver: &device.driver, size, rows: &rows };
    let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Compares the contestants of a work, then times them in turns.
fn measure(device: &HandDevice, work: PictureWork, bytes: &[u8], options: &Options) -> Result<Row, String> {
    let ours = OurPicture::new(options.adapter, work, options.size, bytes).map_err(|error| error.to_string())?;
    let small = HandPicture::new(device, work, options.size, bytes, 8)?;
    let large = HandPicture::new(device, work, options.size, bytes, 16)?;
    let expected = ours.once().map_err(|error| error.to_string())?;
    let mut largest_difference = 0;
    for hand in [&small, &large] {
        largest_difference = largest_difference.max(difference(&expected, &hand.once(device)?)?);
    }
    if largest_difference > work.tolerance() {
        return Err(format!("{}: bytes differ by {largest_difference}; {} is allowed", work.name(), work.tolerance()));
    }
    let mut counts = [1_u32; 3];
    let mut all_ms = [const { Vec::new() }; 3];
    for run in 0..=options.runs {
        for (contestant, (count, all)) in counts.iter_mut().zip(&mut all_ms).enumerate() {
            let ms = match contestant {
                0 => ours.time(*count).map_err(|error| error.to_string())?,
                1 => small.time(device, *count)?,
                _ => large.time(device, *count)?,
            };
            // The first measurement says how many launches the others have.
            match run {
                0 => *count = (options.each / ms.max(1e-4)).clamp(1.0, 4000.0) as u32,
                _ => all.push(ms),
            }
        }
    }
    let [our_ms, hand_8, hand_16] = all_ms.each_ref().map(|all| time::median(&mut all.clone()));
    let ratio = our_ms / hand_8.min(hand_16);
    Ok(Row { work: work.name(), ours: our_ms, hand_8, hand_16, ratio, largest_difference, all_ms })
}

/// The largest difference of two bytes.
fn difference(a: &[u8], b: &[u8]) -> Result<u8, String> {
    if a.len() != b.len() {
        return Err(format!("{} bytes and {} bytes", a.len(), b.len()));
    }
    Ok(a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0))
}
