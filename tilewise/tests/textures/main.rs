//! Textures on `native`, `reference`, `jit` and the first GPU.

mod checks;
mod sampling;

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, Element, Launch};

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
