//! What C++ AMP says of indices, extents, their tiled forms and barriers (sections 1 to 5 of the catalogue), and of short vectors. A test begins with the number of its item.
//!
//! The `checks!` are numbers that an `#[amp]` function gives. It is called on the host, and by one thread of a kernel on every accelerator: all must agree (IDX-10).

#[path = "../accelerators/mod.rs"]
mod accelerators;
mod conversions;
mod extent;
mod host;
mod index;
mod launched;
mod norm;
mod norm_places;
mod norm_vector;
mod short_vector;
mod stored;
mod swizzles;
mod tiled;
mod vector;

use tilewise::{Accelerator, AcceleratorView};

/// The accelerators that run kernels, each with its path.
fn launchers() -> impl Iterator<Item = (String, AcceleratorView)> {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    accelerators::rounds(all.map(|accelerator| {
        let (path, view) = (accelerator.to_string(), accelerator.default_view());
        (accelerator, Ok((path, view)))
    }))
}

/// Tests of values: name, number of values, what they are, how they come about. A name in brackets is a 0 that the checker of kernels does not know.
macro_rules! checks {
    ($($name:ident $([$zero:ident])?: [$t:ty; $n:literal] = $expected:expr; $body:block)*) => {$(
        #[test]
        fn $name() {
            #[tilewise::amp]
            fn values($($zero: i32)?) -> [$t; $n] $body

            let captured = 0;
            let _ = captured;

            let expected: [$t; $n] = $expected;
            assert_eq!(values($({ let $zero = captured; $zero })?), expected, "on the host");
            for (target, view) in crate::launchers() {
                let mut found = [<$t>::default(); $n];
                let out = tilewise::ArrayView::of(&mut found);
                let launched = tilewise::parallel_for_each!((&view, tilewise::Extent::new(1)), |_| {
                    let all = values($({ let $zero = captured; $zero })?);
                    for i in 0..$n {
                        out[i] = all[i];
                    }
                });
                launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
                out.close().unwrap_or_else(|error| panic!("on {target}: {error}"));
                assert_eq!(found, expected, "on {target}");
            }
        }
    )*};
}

pub(crate) use checks;
