//! `testing::check_program` in a program whose kernels have a warning and no errors.

#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use tilewise::prelude::*;
use tilewise::{Error, testing};

/// A kernel with a warning, generic in its element.
fn perhaps_parts_its_tile<T: Scalar>(view: &ArrayView<'_, T, 1>, n: i32, value: T) -> tilewise::Result<()> {
    parallel_for_each!(view.extent().tile::<16>(), |t| {
        if t.global[0] < n {
            t.barrier.wait();
        }
        view[t.global] = value;
    })
}

fn both_instances(ints: &ArrayView<'_, i32, 1>, floats: &ArrayView<'_, f32, 1>) -> tilewise::Result<()> {
    perhaps_parts_its_tile(ints, 3, 1)?;
    perhaps_parts_its_tile(floats, 3, 1.0)
}

/// A right kernel.
fn fills(view: &ArrayView<'_, i32, 1>) -> tilewise::Result<()> {
    parallel_for_each!(view.extent(), |i| view[i] = i[0])
}

#[test]
fn each_kernel_is_known_and_a_warning_is_an_error_on_request() {
    // They are not called, but could be.
    std::hint::black_box((both_instances as fn(&_, &_) -> _, fills as fn(&_) -> _));
    let checked = testing::check_all();
    // The generic kernel is there for each of its types.
    assert_eq!(checked.kernels(), 3, "{checked}");
    assert_eq!(checked.warnings().codes, ["K0503"], "{}", checked.warnings());
    assert_eq!(checked.to_string(), "3 kernels checked, no errors, 1 warning");
    let denied = checked.deny_warnings();
    assert!(matches!(&denied, Err(Error::Kernel(found)) if found.codes == ["K0503"]), "{denied:?}");
}
