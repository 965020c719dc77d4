//! Programs that give the same as kernels as in plain Rust, on every accelerator.

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, ArrayView, Element, Launch};

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

/// The accelerators that run kernels, each with its path.
pub(crate) fn launchers() -> impl Iterator<Item = (String, AcceleratorView)> {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    crate::accelerators::rounds(all.map(|accelerator| {
        let round = (accelerator.path().to_owned(), accelerator.default_view());
        (accelerator, Ok(round))
    }))
}

/// Runs a kernel on each target, on zeros, and compares the elements with those that are expected.
pub(crate) fn on_all<T: Element + PartialEq + std::fmt::Debug>(
    expected: &[T],
    run: impl Fn(Launch<Extent<1>>, &ArrayView<'_, T>) -> tilewise::Result<()>,
) {
    on_each(expected, |target, view| run(Launch::new(view.extent()).on(target), view));
}

/// The same for kernels whose domain is not that of the elements.
pub(crate) fn on_each<T: Element + PartialEq + std::fmt::Debug>(
    expected: &[T],
    run: impl Fn(&AcceleratorView, &ArrayView<'_, T>) -> tilewise::Result<()>,
) {
    for (name, target) in launchers() {
        let view = ArrayView::<T>::without_source(expected.len()).expect("there is memory");
        match run(&target, &view) {
            // Kernels with numbers that this GPU lacks.
            Err(tilewise::Error::UnsupportedFeature(why)) if name.starts_with("gpu/") => {
                crate::accelerators::left_out(&name, &why.to_string());
                continue;
            }
            result => result.unwrap_or_else(|error| panic!("on {name}: {error}")),
        }
        assert_eq!(view.into_vec().expect("the elements can be read"), expected, "on {name}");
    }
}
