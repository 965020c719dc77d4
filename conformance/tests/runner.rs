//! The runner of file tests, tested: what it says about wrong headers and wrong results, and what blessing writes.

use expect_test::{Expect, expect};
use tilewise_conformance::kir::case;
use tilewise_conformance::target::Target;
use tilewise_conformance::verdict::Verdict;

fn judge(text: &str) -> String {
    let verdict = case::run("t.kir", text, Target::Reference);
    format!("{}\n{}", verdict.name(), verdict.reason().map_or(String::new(), |reason| reason + "\n"))
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&judge(text));
}

/// Blesses, and sees to it that the result passes and is not changed by blessing again.
fn bless(text: &str, expected: &Expect) {
    let (verdict, blessed) = case::run_and_bless("t.kir", text, Target::Reference);
    let blessed = blessed.unwrap_or_else(|| panic!("not blessed: {}", verdict.reason().unwrap_or_default()));
    expected.assert_eq(&blessed);
    assert_eq!(verdict, Verdict::Pass, "a blessed file passes: {}", verdict.reason().unwrap_or_default());
    assert_eq!(case::run_and_bless("t.kir", &blessed, Target::Reference).1, None);
}

const DOUBLE: &str = "kernel double(a: view<f32, 1, read_write>, by: f32) rank(1) {
    a[global[0]] = a[global[0]] * by;
}
";

fn double(header: &str) -> String {
    format!("{header}\n{DOUBLE}")
}

#[test]
fn differences_are_shown_with_value_and_bits() {
    check(&double("//! domain 3\n//! a: [3] = 1 2 3\n//! by = 2\n//! expect a = 2 5 6"), &expect![[""]]);
}

#[test]
fn a_file_that_expects_nothing_fails() {
    check(DOUBLE, &expect![[""]]);
    check("//! domain 1\nkernel k() rank(1) {}\n", &expect![[""]]);
}

#[test]
fn every_writable_parameter_is_spoken_of() {
    check(&double("//! domain 3\n//! a: [3] = 1 2 3\n//! by = 2\n//! expect completed"), &expect![[""]]);
}

#[test]
fn wrong_headers_are_explained() {
    for (header, expected) in [
        ("//! domian 3", expect![[""]]),
        ("//! domain 3\n//! a: [3] = 1 2 3\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] = 1 2 3\n//! b = 1\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] = 1 2\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] = 1 2 x\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a = 1 2 3\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] = (1 2\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] in b\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] in a\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! domain 3\n//! a: [3] = zero\n//! by = 1\n//! expect any b", expect![[""]]),
        ("//! domain 3\n//! a: [3] = zero\n//! by = 1\n//! expect failure", expect![[""]]),
        ("//! domain 3\n//! a: [3] = zero\n//! by = 1\n//! expect any a\n//! expect a = zero", expect![[""]]),
        ("//! targets gpu because it is fast", expect![[""]]),
        ("//! targets reference", expect![[""]]),
        ("//!   domain 3", expect![[""]]),
        ("//! a: [3] = zero\n//! by = 1\n//! expect any a", expect![[""]]),
        ("//! a: [99999999] = zero\n//! by = 1\n//! expect any a\n//! domain 1", expect![[""]]),
    ] {
        check(&double(header), &expected);
    }
}

#[test]
fn results_that_depend_on_the_order_of_threads_are_found() {
    let kernel = "kernel last(a: view<i32, 1, read_write>) rank(1) {\n    a[0] = global[0];\n}\n";
    let header = "//! domain 8\n//! a: [1] = zero\n//! expect a = 7\n";
    check(&format!("{header}{kernel}"), &expect![[""]]);
    check(&format!("{header}//! order-dependent because the last thread wins\n{kernel}"), &expect![[""]]);
}

#[test]
fn blessing_writes_contents() {
    bless(&double("// Doubles.\n//! domain 3\n//! a: [3] = 1 nan 0.1\n//! by = 2"), &expect![[""]]);
}

#[test]
fn blessing_leaves_alone_what_holds() {
    let kernel = "kernel two(a: view<i32, 1, read_write>, b: view<i32, 2, read_write>) rank(2) {
    let i = global[0] * 3 + global[1];
    a[i] = i;
    b[global[0], global[1]] = i * i;
    if i == 4 {
        error(\"four\");
    }
    print(\"{}\", i);
}
";
    let header = "//! domain 2x3\n//! a: [6] = zero\n//! b: [2, 3] = zero\n//! expect a = (0, 1) 2, 3, 4 0x5\n//! expect b = zero\n";
    bless(&format!("{header}{kernel}"), &expect![[""]]);
}

#[test]
fn blessing_marks_the_sides_of_a_divergence() {
    let kernel = "kernel some(flags: view<i32, 1, read_write>) tile(4) {
    if flags[global[0]] != 0 {
        barrier;
    }
}
";
    bless(&format!("//! domain 8\n//! flags: [8] = 1 1 1 1 1 1 0 1\n{kernel}"), &expect![[""]]);
}

#[test]
fn blessing_writes_errors() {
    let text = "// Wrong twice.\nkernel sum(out: view<f32, 1, read_write>, n: u32) rank(1) {
    out[global[0]] = 1.0 + n;
    out[0] = true;
//  ^^^ error[K0001]: stale
}
";
    bless(text, &expect![[""]]);
}

#[test]
fn blessing_writes_an_error_at_the_end_of_the_file() {
    bless("kernel k() rank(1) {\n", &expect![[""]]);
}

#[test]
fn blessing_keeps_all_labels_and_notes_where_there_are_some() {
    let text = "kernel sum(out: view<f32, 1, read_write>, n: u32) rank(1) {
    out[global[0]] = 1.0 + n;
//  --- stale
// ^1:1 error[K0001]: stale
//     = help: stale
}
";
    bless(text, &expect![[""]]);
}
