//! What a Rust programmer writes in a kernel: small programs, one module each, with the results that plain
//! Rust has, on `native`, `reference`, `jit` and each GPU.
//!
//! What kernels refuse is in `tilewise/mistakes`, with its message.

#![allow(
    dead_code,
    unused_assignments,
    unused_doc_comments,
    unused_imports,
    unused_mut,
    unused_variables,
    unreachable_pub,
    clippy::all,
    clippy::cloned_instead_of_copied,
    clippy::explicit_iter_loop,
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

#[path = "../accelerators/mod.rs"]
mod accelerators;
mod array_methods;
mod asked_iterators;
mod assertions;
mod assignments;
mod builders;
mod bytes;
mod conversions;
mod edges;
mod flat_iterators;
mod functions;
mod further;
mod globs;
mod handed_iterators;
mod host_panics;
mod integers;
mod item_references;
mod iterator_effects;
mod iterators;
mod letters;
mod loops;
mod nested_arrays;
mod newcomers;
mod options;
mod order;
mod own_methods;
mod patterns;
mod peeked_iterators;
mod programs;
mod ranges;
mod references;
mod results;
mod second_week;
mod sorting;
mod types;
mod unit_structs;

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, Array, ArrayView, Element, Launch};

/// The accelerators that run kernels, each with its path.
fn launchers() -> impl Iterator<Item = (String, AcceleratorView)> {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    accelerators::rounds(all.map(|accelerator| {
        let round = (accelerator.path().to_owned(), accelerator.default_view());
        (accelerator, Ok(round))
    }))
}

/// Runs a kernel on each target, on zeros, and compares the elements with those that are expected.
fn on_all<T: Element + PartialEq + std::fmt::Debug>(
    expected: &[T],
    run: impl Fn(Launch<Extent<1>>, &ArrayView<'_, T>) -> tilewise::Result<()>,
) {
    let extent = Extent([expected.len() as i32]);
    for (name, target) in launchers() {
        let view = ArrayView::<T>::without_source(extent.0).expect("there is memory");
        match run(Launch::new(extent).on(&target), &view) {
            // Kernels with numbers that this GPU lacks.
            Err(tilewise::Error::UnsupportedFeature(why)) if name.starts_with("gpu/") => {
                accelerators::left_out(&name, &why.to_string());
                continue;
            }
            result => result.unwrap_or_else(|error| panic!("on {name}: {error}")),
        }
        assert_eq!(view.into_vec().expect("the elements can be read"), expected, "on {name}");
    }
}
