//! `testing::check_all` and `check_program`: a kernel of this program that is never launched has a
//! mistake.

#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use tilewise::prelude::*;
use tilewise::{Error, testing};

/// A kernel that breaks a rule. It is never launched.
fn parts_its_tile(view: &ArrayView<'_, i32, 1>) -> tilewise::Result<()> {
    parallel_for_each!(view.extent().tile::<16>(), |t| {
        if t.local[0] < 8 {
            t.barrier.wait();
        }
        view[t.global] = 1;
    })
}

#[test]
fn a_kernel_that_was_never_launched_is_reported_with_its_line() {
    // It is not called, but could be.
    std::hint::black_box(parts_its_tile as fn(&_) -> _);
    let Err(Error::Kernel(found)) = testing::check_program() else { panic!("there is a mistake in this file") };
    assert_eq!(found.codes, ["K0501"], "{found}");
    assert!(found.text.contains("tests/check_all.rs:13:"), "{found}");
    assert!(found.text.contains("t.barrier.wait()"), "{found}");
    let panicked = std::panic::catch_unwind(testing::check_all).expect_err("it panics");
    let text = panicked.downcast_ref::<String>().expect("it has a text");
    assert!(text.contains("K0501") && text.contains("tests/check_all.rs:13:"), "{text}");
}
