//! The Gauss of the pictures on GPUs: what the first pass writes is not copied for the second one's texture unit, once
//! that is known to sample it. Without a GPU the test is ignored, and says so.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use tilewise::graphics::Texture;
use tilewise::{Accelerator, AcceleratorView, FloatMode};
use tilewise_benches::pictures::{self, Picture};
use tilewise_gpu::run::texture_copies;

/// Accelerator views of all GPUs, in Relaxed.
fn relaxed() -> Vec<AcceleratorView> {
    let gpus = Accelerator::all().into_iter().filter(|accelerator| accelerator.path().starts_with("gpu/"));
    let view = |gpu: Accelerator| gpu.view_builder().float_mode(FloatMode::Relaxed).create().expect("it has queues");
    gpus.map(view).collect()
}

fn picture(on: &AcceleratorView) -> tilewise::Result<Picture> {
    Texture::builder((40, 72)).on(on).build()
}

fn a_picture_between_two_passes_is_not_copied() -> tilewise::Result<()> {
    for on in relaxed() {
        let bytes = pictures::noise(40 * 72, 4);
        let from: Picture = Texture::builder((40, 72)).on(&on).build_from_bytes(&bytes)?;
        let (between, to, expected) = (picture(&on)?, picture(&on)?, picture(&on)?);
        pictures::gauss(&on, &from, &between, &expected)?;
        let expected = expected.to_bytes()?;
        for _ in 0..10 {
            pictures::gauss(&on, &from, &between, &to)?;
        }
        let before = texture_copies();
        for _ in 0..5 {
            pictures::gauss(&on, &from, &between, &to)?;
            assert_eq!(to.to_bytes()?, expected, "{}", on.accelerator());
        }
        assert_eq!(texture_copies(), before, "{}", on.accelerator());
    }
    Ok(())
}

fn main() -> ExitCode {
    let is_missing = relaxed().is_empty();
    let name = "a_picture_between_two_passes_is_not_copied";
    let name = if is_missing { format!("{name} (no GPU: not run)") } else { name.to_owned() };
    let run = || a_picture_between_two_passes_is_not_copied().map_err(|error| Failed::from(error.to_string()));
    let trial = Trial::test(name, run).with_ignored_flag(is_missing);
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}
