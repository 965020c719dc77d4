//! The runner of file tests, tested: what it says about wrong headers and wrong results, and what blessing writes.

use expect_test::{Expect, expect};
use tilewise_conformance::kir::case;
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::{CaseOutcome, Verdict};

fn judge(text: &str) -> String {
    let verdict = case::run("t.kir", text, SuiteTarget::Reference);
    // Builds with the feature `gpu` have targets that others do not have.
    let few = |reason: &str| reason.replace(", gpu-wgsl, gpu-module, gpu-strict", "");
    format!("{}\n{}", verdict.name(), verdict.reason().map_or(String::new(), |reason| few(&reason) + "\n"))
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&judge(text));
}

/// Blesses, and sees to it that the result passes and is not changed by blessing again.
fn bless(text: &str, expected: &Expect) {
    let (verdict, blessed) = case::run_and_bless("t.kir", text, SuiteTarget::Reference);
    let blessed = blessed.unwrap_or_else(|| panic!("not blessed: {}", verdict.reason().unwrap_or_default()));
    expected.assert_eq(&blessed);
    assert_eq!(verdict, Verdict::Pass, "a blessed file passes: {}", verdict.reason().unwrap_or_default());
    assert_eq!(case::run_and_bless("t.kir", &blessed, SuiteTarget::Reference).1, None);
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
    check(
        &double("//! domain 3\n//! a: [3] = 1 2 3\n//! by = 2\n//! expect a = 2 5 6"),
        &expect![[r#"
        fail
        t.kir:4:5: `a` differs in 1 of 3 scalars
          a[1]: expected 5.0 (0x40a00000), got 4.0 (0x40800000)
    "#]],
    );
}

#[test]
fn a_file_that_expects_nothing_fails() {
    check(
        DOUBLE,
        &expect![[r#"
        fail
        t.kir: the file checks nothing
          help: add inputs and expectations (docs/tests.md shows how), or `//! expect accepted`
    "#]],
    );
    check(
        "//! domain 1\nkernel k() rank(1) {}\n",
        &expect![[r#"
        fail
        t.kir:1:5: the run checks nothing
          help: add an expectation: `//! expect completed` at the least
    "#]],
    );
}

#[test]
fn every_writable_parameter_is_spoken_of() {
    check(
        &double("//! domain 3\n//! a: [3] = 1 2 3\n//! by = 2\n//! expect completed"),
        &expect![[r#"
        fail
        t.kir:1:5: the kernel may write `a`, and the file does not say what it holds after the run
          help: add `//! expect a = ..` (in the suite, `BLESS=1 cargo test --test kir` writes it), `//! expect unchanged a` or `//! expect any a`
    "#]],
    );
}

#[test]
fn wrong_headers_are_explained() {
    for (header, expected) in [
        (
            "//! domian 3",
            expect![[r#"
                fail
                t.kir:1:5: `domian` is no entry of a header
                  help: an entry begins with `domain`, `fuel`, `checks`, `targets`, `order-dependent`, `memory`, `run`, `expect`, or the name of a parameter and `:` or `=`; docs/tests.md lists them
            "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = 1 2 3\n//! expect any a",
            expect![[r#"
            fail
            t.kir:1:5: the parameter `by` has no input
              help: add a line such as `//! by = 1`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = 1 2 3\n//! b = 1\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:3:5: the kernel has no parameter `b`
              help: the parameters of the kernel `double` are: `a`, `by`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = 1 2\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:2:14: 3 values are needed here, and 2 are given
              help: give all of them, or write `zero`, `fill`, `iota` or `random`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = 1 2 x\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:2:18: `x` is no number
              help: values are the literals of the text form, without suffix
        "#]],
        ),
        (
            "//! domain 3\n//! a = 1 2 3\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:2:5: `a` is a view, and its extent is not said
              help: write `//! a: [4] ..`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = (1 2\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:2:18: `(` is not closed
              help: close it; long entries go on in lines that begin with two spaces
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] in b\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:2:5: there is no memory called `b`
              help: name a parameter that has an input, or declare it: `//! memory b: f32 [16] = zero`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] in a\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:2:5: `a` lies in itself
              help: one of them needs memory of its own: `= DATA`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = zero\n//! by = 1\n//! expect any b",
            expect![[r#"
            fail
            t.kir:4:5: there is no memory called `b`
              help: contents have: `a`
            t.kir:1:5: the kernel may write `a`, and the file does not say what it holds after the run
              help: add `//! expect a = ..` (in the suite, `BLESS=1 cargo test --test kir` writes it), `//! expect unchanged a` or `//! expect any a`
        "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = zero\n//! by = 1\n//! expect failure",
            expect![[r#"
                fail
                t.kir:4:12: `failure` is nothing that can be expected
                  help: `expect` is followed by NAME `=`, `unchanged`, `any`, `print`, `lost`, `completed`, `error`, `abort`, `divergence`, `fuel`, `stopped`, `report`, `reports`, `refused` or `accepted`
            "#]],
        ),
        (
            "//! domain 3\n//! a: [3] = zero\n//! by = 1\n//! expect any a\n//! expect a = zero",
            expect![[r#"
            fail
            t.kir:5:5: line 4 says already what is expected of this
              help: remove one of the two entries
        "#]],
        ),
        (
            "//! targets gpu because it is fast",
            expect![[r#"
            fail
            t.kir:1:13: `gpu` is no target
              help: the targets are: reference, lanes-8, lanes-16, jit, jit-clif, jit-avx2, jit-avx512
        "#]],
        ),
        (
            "//! targets reference",
            expect![[r#"
            fail
            t.kir:1:22: expected `because`, and the entry ends here
              help: docs/tests.md shows every form of entry
        "#]],
        ),
        (
            "//!   domain 3",
            expect![[r#"
            fail
            t.kir:1:4: this line continues an entry, and there is none above it
              help: an entry begins with one space after `//!`
        "#]],
        ),
        (
            "//! a: [3] = zero\n//! by = 1\n//! expect any a",
            expect![[r#"
            fail
            t.kir:1:5: this run has no domain
              help: add a line such as `//! domain 4x6`
        "#]],
        ),
        (
            "//! a: [99999999] = zero\n//! by = 1\n//! expect any a\n//! domain 1",
            expect![[r#"
                fail
                t.kir:1:5: `a` is too large for a test
                  help: the inputs of a run have at most 16777216 scalars and 268435456 bytes together
            "#]],
        ),
    ] {
        check(&double(header), &expected);
    }
}

#[test]
fn results_that_depend_on_the_order_of_threads_are_found() {
    let kernel = "kernel last(a: view<i32, 1, read_write>) rank(1) {\n    a[0] = global[0];\n}\n";
    let header = "//! domain 8\n//! checks none\n//! a: [1] = zero\n//! expect a = 7\n";
    check(
        &format!("{header}{kernel}"),
        &expect![[r#"
        fail
        t.kir:4:5: with threads in the order shuffled:1 (the linear order gives the expected results): `a` differs in 1 of 1 scalars
          a[0]: expected 7 (0x00000007), got 0 (0x00000000)
    "#]],
    );
    check(
        &format!("{header}//! order-dependent because the last thread wins\n{kernel}"),
        &expect![[r#"
        pass
    "#]],
    );
}

#[test]
fn blessing_writes_contents() {
    bless(
        &double("// Doubles.\n//! domain 3\n//! a: [3] = 1 nan 0.1\n//! by = 2"),
        &expect![[r#"
        // Doubles.
        //! domain 3
        //! a: [3] = 1 nan 0.1
        //! by = 2
        //! expect a = 2.0 nan 0.2
        kernel double(a: view<f32, 1, read_write>, by: f32) rank(1) {
            a[global[0]] = a[global[0]] * by;
        }
    "#]],
    );
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
    bless(
        &format!("{header}{kernel}"),
        &expect![[r#"
        //! domain 2x3
        //! a: [6] = zero
        //! b: [2, 3] = zero
        //! expect a = (0, 1) 2, 3, 4 0x5
        //! expect b =
        //!   0 1 4
        //!   9 16 25
        //! expect error "four" thread 4 at #a
        //! expect print "0" thread 0
        //! expect print "1" thread 1
        //! expect print "2" thread 2
        //! expect print "3" thread 3
        //! expect print "5" thread 5
        kernel two(a: view<i32, 1, read_write>, b: view<i32, 2, read_write>) rank(2) {
            let i = global[0] * 3 + global[1];
            a[i] = i;
            b[global[0], global[1]] = i * i;
            if i == 4 {
                error("four");
        //      ^^^^^^^^^^^^^ #a
            }
            print("{}", i);
        }
    "#]],
    );
}

#[test]
fn blessing_marks_the_sides_of_a_divergence() {
    let kernel = "kernel some(flags: view<i32, 1, read_write>) tile(4) {
    if flags[global[0]] != 0 {
        barrier;
    }
}
";
    bless(
        &format!("//! domain 8\n//! flags: [8] = 1 1 1 1 1 1 0 1\n{kernel}"),
        &expect![[r#"
        //! domain 8
        //! flags: [8] = 1 1 1 1 1 1 0 1
        //! expect divergence tile (1) threads 0 1 3 at #a threads 2 returned
        kernel some(flags: view<i32, 1, read_write>) tile(4) {
            if flags[global[0]] != 0 {
                barrier;
        //      ^^^^^^^ #a
            }
        }
    "#]],
    );
}

#[test]
fn blessing_writes_errors() {
    let text = "// Wrong twice.\nkernel sum(out: view<f32, 1, read_write>, n: u32) rank(1) {
    out[global[0]] = 1.0 + n;
    out[0] = true;
//  ^^^ error[K0001]: stale
}
";
    bless(
        text,
        &expect![[r#"
        // Wrong twice.
        kernel sum(out: view<f32, 1, read_write>, n: u32) rank(1) {
            out[global[0]] = 1.0 + n;
        //                   ^^^^^^^ error[K0101]: `+` on `f32` and `u32`
            out[0] = true;
        //  ^^^^^^^^^^^^^ error[K0107]: a `bool` is stored in `out[0]`, which holds an `f32`
        }
    "#]],
    );
}

#[test]
fn blessing_writes_an_error_at_the_end_of_the_file() {
    bless(
        "kernel k() rank(1) {\n",
        &expect![[r#"
        kernel k() rank(1) {
        //                 ^ error[K0001]: this block has no end
    "#]],
    );
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
    bless(
        text,
        &expect![[r#"
        kernel sum(out: view<f32, 1, read_write>, n: u32) rank(1) {
            out[global[0]] = 1.0 + n;
        //                   ^^^^^^^ error[K0101]: `+` on `f32` and `u32`
        //     = note: there are no implicit conversions
        //     = help: write `n as f32`
        //                   ^^^^^^^ both sides must have the same type
        }
    "#]],
    );
}

/// A kernel of so many sums over a row of so many threads.
fn sums(count: usize, threads: u32) -> String {
    let steps: String = (0..count).map(|n| format!("    x = (x ^ v) + {n};\n")).collect();
    let head = format!("// Adds.\n//! domain {threads}\n//! a: [{threads}] = fill 5\n//! expect any a\n");
    let kernel = "kernel k(a: view<i32, 1, read_write>) rank(1) {\n    let v = a[global[0]];\n    var x: i32 = v;\n";
    format!("{head}{kernel}{steps}    a[global[0]] = x;\n}}\n")
}

#[test]
fn a_target_of_one_emitter_runs_its_code_and_no_other() {
    let few = sums(4, 16);
    for target in [SuiteTarget::JitClif, SuiteTarget::JitAvx2, SuiteTarget::JitAvx512] {
        let CaseOutcome { verdict, forms, .. } = case::run_in_forms("t.kir", &few, target);
        match target.missing() {
            Some(reason) => assert_eq!((verdict, forms.len()), (Verdict::NotRun(reason), 0)),
            None => assert_eq!((verdict, forms), (Verdict::Pass, target.form().into_iter().collect())),
        }
    }
}

#[test]
fn a_kernel_that_wide_code_does_not_take_fails_and_a_row_of_one_thread_is_not_run() {
    let targets = [SuiteTarget::JitAvx2, SuiteTarget::JitAvx512];
    for target in targets.into_iter().filter(|target| target.missing().is_none()) {
        let large = case::run("t.kir", &sums(24_000, 16), target);
        let reason = large.reason().unwrap_or_default();
        assert!(matches!(large, Verdict::Fail(_)), "{large:?}");
        assert!(reason.contains("lanes are cranelift code: ") && reason.contains("instructions, at most "), "{reason}");
        let verdict = case::run("t.kir", &sums(4, 1), target);
        assert!(matches!(&verdict, Verdict::NotRun(reason) if reason.contains("4 threads in a row")), "{verdict:?}");
    }
}
