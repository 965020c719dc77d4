//! Whole kernels, from the macro to the memory they leave: the same on `native`, `reference` and `jit`, and what only a kernel form has (checks, diagnostics).

mod both;
mod diagnostics;
mod tile_atomics;
mod tile_atomics_everywhere;
mod types_that_lie;

use tilewise::{Accelerator, AcceleratorView};

/// The targets that run kernels.
const TARGETS: [&str; 3] = [Accelerator::NATIVE, Accelerator::REFERENCE, Accelerator::JIT];

fn view(path: &str) -> AcceleratorView {
    Accelerator::new(path).expect("it is everywhere").default_view()
}
