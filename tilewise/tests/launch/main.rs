//! Launches: domains, targets, errors, what `native` makes of closures. Kernels here are closures without a kernel form, made by hand as the macros make them; what whole kernels
//! give on every target is tested with the macros.

mod domains;
mod native;
mod targets;

use tilewise::macro_support::{self, BindAll, Bindings, RustFunction, Witness};
use tilewise::{Accelerator, AcceleratorView, Kernel};

/// A kernel value without a kernel form.
#[track_caller]
fn by_hand<'k, I>(closure: impl Fn(I) + Send + Sync + 'k, bindings: Bindings<impl BindAll + 'k>) -> Kernel<'k, I> {
    macro_support::kernel(Witness::NEW, closure, bindings, || RustFunction {
        tree: b"",
        file: file!(),
        types: Vec::new(),
        links: Vec::new(),
        shared: Vec::new(),
        constants: Vec::new(),
        captures: Vec::new(),
    })
    .unregistered()
}

fn native() -> AcceleratorView {
    Accelerator::new(Accelerator::NATIVE).expect("native is everywhere").default_view()
}
