//! Arrays, copies, completions and coherence, on every accelerator of this machine: the GPU's parts run where there is a driver, in software or real. A test's name begins with the number of
//! what it checks in the catalogue of C++ AMP.

#[path = "../accelerators/mod.rs"]
mod accelerators;
mod arrays;
mod atomics;
mod coherence;
mod completions;
mod copies;
mod devices;
mod faults;
mod handles;
mod launches;
mod staging;
mod targets;
mod views;

use tilewise::{Accelerator, AcceleratorView, Result};

/// A view of each accelerator that can run kernels; under Miri, which cannot run compiled code, without `jit`.
fn launchers() -> impl Iterator<Item = AcceleratorView> {
    launchers_where(|_| Ok(()))
}

/// Those that a test is about; of the others it says why not, and they do not count as passed.
fn launchers_where(about: impl Fn(&Accelerator) -> Result<(), &'static str>) -> impl Iterator<Item = AcceleratorView> {
    let without = [Accelerator::CPU, if cfg!(miri) { Accelerator::JIT } else { Accelerator::CPU }];
    let all = Accelerator::all().into_iter().filter(|a| !without.contains(&a.path()));
    let all = all.map(|accelerator| {
        let view = about(&accelerator).map(|()| accelerator.default_view());
        (accelerator, view)
    });
    accelerators::rounds(all.collect::<Vec<_>>())
}

/// The queue of an accelerator.
fn on(path: &str) -> Result<AcceleratorView> {
    Ok(Accelerator::new(path)?.default_view())
}

/// The text of an error.
fn text<T>(result: Result<T>) -> String {
    match result {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it is accepted"),
    }
}
