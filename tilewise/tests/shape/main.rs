//! What C++ AMP says of indices, extents, their tiled forms and barriers (sections 1 to 5 of the catalogue), and of short vectors. A test begins with the number of its item.
//!
//! The `checks!` are numbers that an `#[amp]` function gives. It is called on the host, and by one thread of a kernel on every target: all must agree (IDX-10).

mod extent;
mod host;
mod index;
mod launched;
mod tiled;
mod vector;

use tilewise::{Accelerator, AcceleratorView};

/// The accelerators that run kernels.
fn targets() -> impl Iterator<Item = (&'static str, AcceleratorView)> {
    [Accelerator::NATIVE, Accelerator::REFERENCE].into_iter().map(|path| {
        let accelerator = Accelerator::new(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        (path, accelerator.default_view())
    })
}

/// Tests of values: name, number of values, what they are, how they come about.
macro_rules! checks {
    ($($name:ident: [$t:ty; $n:literal] = $expected:expr; $body:block)*) => {$(
        #[test]
        fn $name() {
            #[tilewise::amp]
            fn values() -> [$t; $n] $body

            let expected: [$t; $n] = $expected;
            assert_eq!(values(), expected, "on the host");
            for (target, view) in crate::targets() {
                let mut found = [<$t>::default(); $n];
                let out = tilewise::ArrayView::of(&mut found);
                let kernel = tilewise::kernel!(|_: tilewise::Index<1>| {
                    let all = values();
                    for i in 0..$n {
                        out[i] = all[i];
                    }
                });
                let launched = view.parallel_for_each(tilewise::Extent::new(1), &kernel);
                drop(kernel);
                launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
                out.close().unwrap_or_else(|error| panic!("on {target}: {error}"));
                assert_eq!(found, expected, "on {target}");
            }
        }
    )*};
}

pub(crate) use checks;
