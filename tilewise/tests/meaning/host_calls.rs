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

/// The same tokens as an `#[amp]` function and as plain Rust.
macro_rules! of_wide_numbers {
    ($($name:ident($n:ident: $t:ty) -> $r:ty $body:block)*) => {
        mod of_kernels {
            $(#[tilewise::amp]
            pub fn $name($n: $t) -> $r $body)*
        }
        mod of_rust {
            $(pub fn $name($n: $t) -> $r $body)*
        }

        #[test]
        fn methods_of_usize_have_the_width_of_the_host() {
            for shift in [0, 3, 16, 30, 31, 32, 40, 60] {
                for x in [0_usize, 1 << shift, (1 << shift) + 1, (3 << shift) - 1] {
                    $(assert_eq!(of_kernels::$name(x as $t), of_rust::$name(x as $t), "{} of {x}", stringify!($name));)*
                }
            }
        }
    };
}

of_wide_numbers! {
    bit_length(n: usize) -> u32 { usize::BITS - n.leading_zeros() }
    zeros(n: usize) -> (u32, u32, u32) { (n.count_zeros(), n.trailing_zeros(), n.leading_ones()) }
    turned(n: usize) -> (usize, usize) { (n.rotate_left(7), n.rotate_right(7)) }
    reversed(n: usize) -> (usize, usize) { (n.swap_bytes(), n.reverse_bits()) }
    product(n: usize) -> (usize, usize) { (n.wrapping_mul(n), n.wrapping_pow(3)) }
    difference(n: usize) -> (usize, usize, usize) { (n.wrapping_sub(9), n.saturating_mul(n), n.wrapping_neg()) }
    beyond(n: usize) -> ((usize, bool), (usize, bool)) { (n.overflowing_mul(n), n.overflowing_sub(5)) }
    shifted(n: usize) -> (usize, usize) { (n.unbounded_shl(20), n.wrapping_shl(35)) }
    with_sign(n: isize) -> (isize, isize, isize) { (n.wrapping_mul(n), n.saturating_sub(isize::MAX), n.rotate_left(40)) }
    to_a_sign(n: usize) -> (isize, usize) { (n.cast_signed(), n.wrapping_add_signed(-3)) }
    from_a_sign(n: isize) -> (usize, usize) { ((-n).unsigned_abs(), (-n).cast_unsigned()) }
    rounded_up(n: usize) -> (usize, usize) { ((n / 2).next_power_of_two(), n.next_multiple_of(1 << 31)) }
}

#[amp]
fn squared(n: usize) -> usize {
    n.pow(2)
}

#[test]
fn powers_of_usize_have_the_width_of_the_host() {
    assert_eq!(squared(70_000), 4_900_000_000);
    assert_eq!(squared(1 << 31), 1 << 62);
}

#[test]
fn methods_of_usize_have_32_bits_in_kernels() {
    let r = on_all([4], |l, out: &ArrayView<'_, u64>| {
        parallel_for_each!(l, |i| {
            let n = 70_000_usize << i[0];
            out[i] = (squared(n) as u64) << 8 | of_kernels::bit_length(n) as u64;
        })
    });
    let in_a_kernel = |i: u32| u64::from((70_000_u32 << i).wrapping_pow(2)) << 8 | u64::from(17 + i);
    assert_eq!(r, [0, 1, 2, 3].map(in_a_kernel));
}

/// Methods that panic in Rust for some numbers, each with its result in a kernel for those.
macro_rules! methods_that_panic {
    ($($name:ident($n:ident: $t:ty = $bad:expr) -> $r:ty { $body:expr } gives $in_a_kernel:expr;)*) => {
        $(
            #[amp]
            fn $name($n: $t) -> $r {
                $body
            }
        )*

        #[test]
        fn methods_panic_on_the_host_as_in_rust() {
            $(
                let told = panic_of(|| {
                    $name($bad);
                    0
                });
                let in_rust = panic_of(|| {
                    let $n: $t = $bad;
                    let _: $r = $body;
                    0
                });
                // The place is that of the library's method.
                let text = |told: &str| told.rsplit_once(" (").map(|(text, _)| text.to_owned());
                assert_eq!(text(&told), text(&in_rust), stringify!($name));
                assert!(text(&told).is_some(), "{told}");
            )*
        }

        #[test]
        fn methods_that_panic_on_the_host_have_results_in_kernels() {
            $({
                let bad: $t = $bad;
                let r = on_all([1], |l, out: &ArrayView<'_, $r>| parallel_for_each!(l, |i| out[i] = $name(bad)));
                assert_eq!(r, [$in_a_kernel], stringify!($name));
            })*
        }
    };
}

methods_that_panic! {
    logarithm(n: u32 = 0) -> u32 { n.ilog2() } gives u32::MAX;
    clamped(n: i32 = 5) -> i32 { n.clamp(9, 3) } gives 3;
    clamped_float(n: f32 = 5.0) -> f32 { n.clamp(9.0, 3.0) } gives 3.0;
    root(n: i32 = -4) -> i32 { n.isqrt() } gives 0;
    quotient(n: i32 = 0) -> i32 { 7i32.div_euclid(n) } gives 7;
    rest(n: u32 = 0) -> u32 { 7u32.rem_euclid(n) } gives 0;
    wrapping_quotient(n: i32 = 0) -> i32 { 7i32.wrapping_div(n) } gives 7;
    rounded_quotient(n: u32 = 0) -> u32 { 7u32.div_ceil(n) } gives 7;
    multiple(n: u32 = 0) -> u32 { 7u32.next_multiple_of(n) } gives 7;
}
