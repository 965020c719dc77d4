//! A compute shader in WGSL, tested as one tests a function: views are bound to its variables, and the accelerator
//! `reference` runs it with all checks. It finds a missing barrier and a store past the end, each at its line of
//! `43_blur.wgsl`. The entry point without bugs gives the bits of plain Rust on every accelerator that runs shaders.

use tilewise::prelude::*;
use tilewise::{Checks, Error, Shader};

const COUNT: usize = 64;

/// What an entry point of the shader makes of the numbers.
fn run(shader: &Shader, entry: &str, on: &AcceleratorView, numbers: &[f32]) -> tilewise::Result<Vec<f32>> {
    let input = ArrayView::read_only(numbers.len(), numbers)?;
    let output = ArrayView::<f32>::without_source(numbers.len())?;
    let entry = shader.entry(entry)?.bind_named("input", &input)?.bind_named("output", &output)?;
    let workgroups = numbers.len() as u32 / entry.workgroup_size()[0];
    entry.dispatch(on, [workgroups, 1, 1])?;
    output.to_vec()
}

/// The same in plain Rust.
fn plain(numbers: &[f32]) -> Vec<f32> {
    let last = numbers.len() - 1;
    let near = |i: usize| (numbers[i.saturating_sub(1)] + numbers[i] + numbers[(i + 1).min(last)]) / 3.0;
    (0..=last).map(near).collect()
}

fn main() -> tilewise::Result<()> {
    let shader = tilewise::shader!("43_blur.wgsl")?;
    let numbers: Vec<f32> = (0..COUNT).map(|i| (i * 37 % 64) as f32 / 8.0).collect();
    let careful = Accelerator::new(Accelerator::REFERENCE)?.view_builder().checks(Checks::ALL).create()?;

    let found = run(&shader, "without_a_barrier", &careful, &numbers);
    let Err(Error::DataRace(race)) = found else { panic!("there is a race") };
    println!("{}\n", race.text.trim_end());

    let found = run(&shader, "one_too_far", &careful, &numbers);
    let Err(Error::OutOfBounds(store)) = found else { panic!("there is a store out of range") };
    println!("{}\n", store.text.trim_end());

    let expected = plain(&numbers);
    assert_eq!(run(&shader, "blur", &careful, &numbers)?, expected);
    // Shaders run on all accelerators but two: `native` runs closures, and `cpu` runs nothing.
    for accelerator in Accelerator::all() {
        if accelerator.path() != Accelerator::NATIVE && accelerator.path() != Accelerator::CPU {
            assert_eq!(run(&shader, "blur", &accelerator.default_view(), &numbers)?, expected, "{accelerator}");
        }
    }
    println!("`blur` gives the bits of plain Rust on every accelerator that runs shaders");
    tilewise_examples::record("blurred", &expected);
    Ok(())
}
