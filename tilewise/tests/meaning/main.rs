//! What the text of a kernel means: `native`, `reference` and `jit` agree to the bit, and with plain Rust where that has the same text.
#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    unused_qualifications,
    double_negations,
    non_upper_case_globals,
    non_camel_case_types,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    reason = "kernels that are written in odd ways, which is what is tested"
)]

use std::sync::Mutex;
use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Element, Error, Launch, ReadView, TileStatic, amp, kernel, parallel_for_each};

/// Runs a kernel on all targets, each on zeros, and gives the results. The reference may report what is out of range, or read before it is written: both have a meaning.
fn on_all<const N: usize, T: Element + PartialEq + std::fmt::Debug>(
    extent: [i32; N],
    run: impl Fn(Launch<Extent<N>>, &ArrayView<'_, T, N>) -> tilewise::Result<()>,
) -> Vec<T> {
    on_each_of(extent, |on, view| run(Launch::new(Extent(extent)).on(on), view))
}

fn on_each<T: Element + PartialEq + std::fmt::Debug>(
    n: i32,
    run: impl Fn(&tilewise::AcceleratorView, &ArrayView<'_, T>) -> tilewise::Result<()>,
) -> Vec<T> {
    on_each_of([n], run)
}

fn on_each_of<const N: usize, T: Element + PartialEq + std::fmt::Debug>(
    extent: [i32; N],
    run: impl Fn(&tilewise::AcceleratorView, &ArrayView<'_, T, N>) -> tilewise::Result<()>,
) -> Vec<T> {
    let [native, reference, jit] = ["native", "reference", "jit"].map(|target| {
        let on = Accelerator::new(target).unwrap().default_view();
        let count = Extent(extent).size() as usize;
        let view = ArrayView::from_vec(extent, vec![tilewise::bytemuck::Zeroable::zeroed(); count]).unwrap();
        match run(&on, &view) {
            Ok(()) => {}
            Err(Error::OutOfBounds(_) | Error::UninitializedRead(_)) if target == "reference" => {}
            Err(error) => panic!("on {target}: {error}"),
        }
        view.into_vec().unwrap()
    });
    assert_eq!(native, reference, "native, then reference");
    assert_eq!(jit, reference, "jit, then reference");
    native
}

/// The same tokens as an amp function and as plain Rust; compares plain, native, reference, jit.
macro_rules! oracle {
    ($($name:ident ($n:ident) -> $r:ty { $($body:tt)* })*) => {$(
        #[test]
        fn $name() {
            #[amp]
            fn inner($n: i32) -> $r { $($body)* }
            fn plain($n: i32) -> $r { $($body)* }
            let got = on_all([12], |launch, v: &ArrayView<'_, $r>| parallel_for_each!(launch, |i| { v[i] = inner(i[0]); }));
            let want: Vec<$r> = (0..12).map(plain).collect();
            assert_eq!(got, want, "kernel, then Rust");
        }
    )*};
}

mod assignments;
mod attacks;
mod captures;
mod characters;
mod closures;
mod control;
mod edges;
mod element_methods;
mod float_atomics;
mod function_items;
mod host_calls;
mod indexing;
mod iteration;
mod loans;
mod macro_names;
mod names;
mod options;
mod orders;
mod patterns;
mod print;
mod references;
mod resolution;
mod small_numbers;
mod tiles;
mod values;
mod views;

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
pub(crate) struct P {
    x: i32,
    y: i32,
}

#[amp]
impl P {
    fn bump(&mut self, by: i32) -> i32 {
        self.x += by;
        self.x
    }
    fn after_view(&self, a: &ArrayView<'_, P>, at: i32) -> i32 {
        a[at].x = 100;
        self.x
    }
    fn after_tile(&self, a: &TileStatic<[P; 4]>) -> i32 {
        a[0].x = 100;
        self.x
    }
    fn sqrt(self) -> i32 {
        self.x * 1000 + self.y
    }
    fn min(self, o: i32) -> i32 {
        self.x - o
    }
    fn abs(&self) -> i32 {
        77
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
pub(crate) struct Q {
    p: P,
    a: [P; 3],
}
