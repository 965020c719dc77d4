//! `testing::check_all` and `check_program`: a kernel of this program that is never launched has a
//! mistake.

#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use std::sync::atomic::{AtomicBool, Ordering};

use tilewise::macro_support::{self, Bindings, RustFunction, Witness};
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
    assert!(found.text.contains("tests/check_all.rs:16:"), "{found}");
    assert!(found.text.contains("t.barrier.wait()"), "{found}");
    let panicked = std::panic::catch_unwind(testing::check_all).expect_err("it panics");
    let text = panicked.downcast_ref::<String>().expect("it has a text");
    assert!(text.contains("K0501") && text.contains("tests/check_all.rs:16:"), "{text}");
}

/// A value without bytes that nobody makes.
struct NeverMade(());

static FORMED: AtomicBool = AtomicBool::new(false);

impl NeverMade {
    fn form(&self) -> RustFunction {
        FORMED.store(true, Ordering::Relaxed);
        RustFunction {
            tree: b"",
            file: "",
            types: Vec::new(),
            links: Vec::new(),
            shared: Vec::new(),
            constants: Vec::new(),
            captures: Vec::new(),
        }
    }
}

fn with_a_form_of_its_own(token: Option<NeverMade>) {
    if let Some(token) = token {
        let kernel = macro_support::kernel(Witness::<Index<1>>::NEW, |_| {}, Bindings::NEW, move || token.form());
        let _ = std::hint::black_box(kernel.unregistered());
    }
}

#[test]
fn a_form_is_called_only_where_the_macros_promise_what_it_captures() {
    with_a_form_of_its_own(std::hint::black_box(None));
    assert!(testing::check_program().is_err(), "there is a mistake in this file");
    assert!(!FORMED.load(Ordering::Relaxed), "a form that was never made is called");
}
