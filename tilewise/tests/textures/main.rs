//! Textures on `native`, `reference`, `jit` and the first GPU.

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

/// Every target with its name; the GPU only where there is one.
fn targets() -> Vec<(&'static str, AcceleratorView)> {
    let gpu = Accelerator::new("gpu").is_ok().then_some("gpu");
    let names = ["native", "reference", "jit"].into_iter().chain(gpu);
    names.map(|name| (name, Accelerator::new(name).expect("it is always there").default_view())).collect()
}

/// The elements that a kernel writes into a view of zeros, with the target's name.
fn on_all<T: Element>(
    extent: Extent<2>,
    run: impl Fn(Launch<Extent<2>>, &AcceleratorView, &ArrayView<'_, T, 2>) -> tilewise::Result<()>,
) -> Vec<(&'static str, Vec<T>)> {
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
fn unchecked_targets() -> tilewise::Result<Vec<(&'static str, AcceleratorView)>> {
    let unchecked = |(name, target): (&'static str, AcceleratorView)| {
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
