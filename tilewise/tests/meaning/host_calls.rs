//! `#[amp]` functions that the host calls are Rust functions: they panic and print as Rust does.

use std::cell::RefCell;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Once;

use tilewise::prelude::*;
use tilewise::{ArrayView, amp, parallel_for_each};

use crate::on_all;

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The message of the panic of `run`, and its line in this file: that of the `#[amp]`, or of the macro
/// that the function comes from.
fn panic_of(run: impl FnOnce() -> i32 + std::panic::UnwindSafe) -> String {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let (message, at) = (info.payload_as_str().unwrap_or(""), info.location().unwrap());
            let file = at.file().rsplit(['/', '\\']).next().unwrap();
            LAST_PANIC.set(format!("{message} ({file}:{})", at.line()));
            before(info);
        }));
    });
    match catch_unwind(run) {
        Ok(value) => format!("returned {value}"),
        Err(_) => LAST_PANIC.take(),
    }
}

macro_rules! subscripts {
    ($($name:ident($at:ident) $body:block)*) => {$(
        #[amp]
        fn $name($at: i32) -> i32 $body
    )*};
}

const LINE: u32 = line!();
#[rustfmt::skip]
subscripts! {
    array_read(at) { let a = [1, 2, 3]; a[at] }
    array_written(at) { let mut a = [1, 2, 3]; a[at] = 7; a[1] }
    array_added_to(at) { let mut a = [1, 2, 3]; a[at] += 7; a[1] }
    row_read(at) { let a = [[1, 2], [3, 4], [5, 6]]; a[at][1] }
    row_written(at) { let mut a = [[1, 2], [3, 4], [5, 6]]; a[at][1] = 7; a[1][1] }
    field_written(at) { let mut a = [crate::P { x: 1, y: 2 }; 3]; a[at].x = 7; a[1].x }
    index_read(at) { let i = Index([1, 2, 3]); i[at] }
    extent_read(at) { let e = Extent([1, 2, 3]); e[at] }
    vector_read(at) { let v = Int3::new(1, 2, 3); v[at] }
    vector_written(at) { let mut v = Int3::new(1, 2, 3); v[at] = 7; v.y }
    array_by_usize(at) { let a = [1, 2, 3]; a[at as usize] }
}

const READ: u32 = line!() + 1;
#[amp]
fn reads_at(at: i32) -> i32 {
    let a = [1, 2, 3];
    let before = a[0];
    a[at] + before
}

const WRITTEN: u32 = line!() + 1;
#[amp]
fn writes_at(at: i32) -> i32 {
    let mut a = [1, 2, 3];
    a[0] = 5;
    a[at] = 6;
    a[at] += 7;
    a[0]
}

#[test]
fn subscripts_out_of_range_panic_on_the_host() {
    let functions = [
        array_read,
        array_written,
        array_added_to,
        row_read,
        row_written,
        field_written,
        index_read,
        extent_read,
        vector_read,
        vector_written,
        array_by_usize,
    ];
    let expected = format!("index out of bounds: the len is 3 but the index is 3 (host_calls.rs:{})", LINE + 2);
    for (number, function) in functions.into_iter().enumerate() {
        assert_eq!(panic_of(|| function(3)), expected);
        assert!(panic_of(|| function(1)).starts_with("returned"), "function {number}");
    }
    let negative = panic_of(|| array_read(-1));
    assert!(negative.starts_with("index out of bounds: the len is 3 but the index is -1"), "{negative}");
}

#[test]
fn a_panic_on_the_host_is_at_the_function() {
    let expected = |line: u32| format!("index out of bounds: the len is 3 but the index is 9 (host_calls.rs:{line})");
    assert_eq!(panic_of(|| reads_at(9)), expected(READ));
    assert_eq!(panic_of(|| writes_at(9)), expected(WRITTEN));
}

#[test]
fn subscripts_out_of_range_give_zero_in_kernels() {
    let r = on_all([5], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let at = i[0] - 1;
            out[i] = array_read(at) * 1000 + array_written(at) * 100 + index_read(at) * 10 + vector_read(at);
        })
    });
    assert_eq!(r, [200, 1211, 2722, 3233, 200]);
}

#[amp]
fn prints(x: usize, y: isize) {
    print!("wide {x} {} {}", y, (x, [y; 2]));
    print!("wide {}", usize::MAX);
}

#[amp]
fn fails(x: usize) -> i32 {
    error!("wide {x}");
    1
}

#[test]
fn wide_numbers_are_printed_on_the_host() {
    let lines = crate::print::lines_of(|| {
        prints(1 << 40, -(1 << 40));
        prints(usize::MAX, isize::MIN);
    });
    let limits = [usize::MAX.to_string(), isize::MIN.to_string()];
    let expected = [
        "wide 1099511627776 -1099511627776 (1099511627776, [-1099511627776, -1099511627776])".to_owned(),
        format!("wide {}", limits[0]),
        format!("wide {} {} ({}, [{}, {}])", limits[0], limits[1], limits[0], limits[1], limits[1]),
        format!("wide {}", limits[0]),
    ];
    assert_eq!(lines, expected);
    assert!(panic_of(|| fails(1 << 40)).starts_with("wide 1099511627776"));
}
