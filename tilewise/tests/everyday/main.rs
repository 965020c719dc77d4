//! What a Rust programmer writes in a kernel: small programs, one module each, with the results that plain
//! Rust has, on `native`, `reference`, `jit` and the first GPU.
//!
//! What kernels refuse is in `tilewise/mistakes`, with its message.

#![allow(
    dead_code,
    unused_assignments,
    unused_doc_comments,
    unused_imports,
    unused_mut,
    unused_variables,
    clippy::all,
    clippy::cloned_instead_of_copied,
    clippy::redundant_closure_for_method_calls,
    reason = "the programs are written as users write them"
)]

/// A program of `i`, once as a function of plain Rust and once as a kernel.
macro_rules! same {
    ($($name:ident: $t:ty, |$i:ident| $body:block)*) => {$(
        #[test]
        fn $name() {
            fn plain($i: i32) -> $t $body
            let expected: Vec<$t> = (0..6).map(plain).collect();
            on_all(&expected, |launch, v: &ArrayView<'_, $t>| {
                parallel_for_each!(launch, |p| {
                    let $i = p[0];
                    v[p] = $body;
                })
            });
        }
    )*};
}

mod assignments;
mod bytes;
mod edges;
mod functions;
mod globs;
mod iterators;
mod letters;
mod loops;
mod newcomers;
mod options;
mod order;
mod patterns;
mod programs;
mod references;
mod types;

use tilewise::prelude::*;
use tilewise::{Accelerator, Array, ArrayView, Element, Launch};

/// Runs a kernel on each target, on zeros, and compares the elements with those that are expected.
fn on_all<T: Element + PartialEq + std::fmt::Debug>(
    expected: &[T],
    run: impl Fn(Launch<Extent<1>>, &ArrayView<'_, T>) -> tilewise::Result<()>,
) {
    let extent = Extent([expected.len() as i32]);
    let gpu = Accelerator::new("gpu").is_ok().then_some("gpu");
    for name in ["native", "reference", "jit"].into_iter().chain(gpu) {
        let target = Accelerator::new(name).expect("it is always there").default_view();
        let view = ArrayView::<T>::without_source(extent.0).expect("there is memory");
        match run(Launch::new(extent).on(&target), &view) {
            // Kernels with numbers that this GPU lacks.
            Err(tilewise::Error::UnsupportedFeature(_)) if name == "gpu" => continue,
            result => result.unwrap_or_else(|error| panic!("on {name}: {error}")),
        }
        assert_eq!(view.into_vec().expect("the elements can be read"), expected, "on {name}");
    }
}
