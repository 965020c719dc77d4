//! Whole kernels, from the macro to the memory they leave: the same on `native` and `reference`, and what only a kernel form has (checks, diagnostics).

mod both;
mod diagnostics;
mod tile_atomics;
mod tile_atomics_everywhere;

use tilewise::{Accelerator, AcceleratorView};

/// The targets that run kernels.
const TARGETS: [&str; 2] = [Accelerator::NATIVE, Accelerator::REFERENCE];

fn view(path: &str) -> AcceleratorView {
    Accelerator::new(path).expect("it is everywhere").default_view()
}
