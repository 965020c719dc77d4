//! Textures on `native`, `reference`, `jit` and each GPU.

#[path = "../accelerators/mod.rs"]
mod accelerators;
mod checks;
mod coherence;
mod copies;
mod formats;
mod gathers;
mod making;
mod mips;
mod norms;
mod sampling;
mod staging;
mod views;

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, Checks, Element, Launch};

/// Every target that runs kernels, with its path.
fn targets() -> Vec<(String, AcceleratorView)> {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    let rounds = accelerators::rounds(all.map(|accelerator| {
        let round = (accelerator.path().to_owned(), accelerator.default_view());
        (accelerator, Ok(round))
    }));
    rounds.collect()
}

/// The elements that a kernel writes into a view of zeros, with the target's name.
fn on_all<T: Element>(
    extent: Extent<2>,
    run: impl Fn(Launch<Extent<2>>, &AcceleratorView, &ArrayView<'_, T, 2>) -> tilewise::Result<()>,
) -> Vec<(String, Vec<T>)> {
    let mut all = Vec::new();
    for (name, target) in targets() {
        let view = ArrayView::<T, 2>::without_source(extent).expect("there is memory");
        let result = run(Launch::new(extent).on(&target), &target, &view);
        result.unwrap_or_else(|error| panic!("on {name}: {error}"));
        all.push((name, view.to_vec().expect("the elements can be read")));
    }
    all
}

/// The same targets without checks, for kernels that leave a texture.
fn unchecked_targets() -> tilewise::Result<Vec<(String, AcceleratorView)>> {
    let unchecked = |(name, target): (String, AcceleratorView)| {
        let view = target.accelerator().view_builder().checks(Checks::NONE).create()?;
        Ok((name, view))
    };
    targets().into_iter().map(unchecked).collect()
}

/// The text of an error.
fn text<T>(result: tilewise::Result<T>) -> String {
    match result {
        Ok(_) => panic!("this is no error"),
        Err(error) => error.to_string(),
    }
}
