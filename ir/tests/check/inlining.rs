//! Inlining: what the kernel becomes.

use expect_test::{Expect, expect};
use tilewise_ir::inline::{inline, inline_where};
use tilewise_ir::text::{parse, print};

use super::accept;

/// The inlined kernel as text; it is accepted too.
#[track_caller]
fn becomes(text: &str, expected: Expect) {
    let inlined = inline(accept(text).kernel());
    let printed = print(&inlined);
    expected.assert_eq(&printed);
    accept(&printed);
}

#[test]
fn a_function_that_returns_at_its_end_is_put_in_place() {
    becomes(
        r#"
fn square(x: i32) -> i32 { let y = x * x; return y; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let i = global[0];
    v[i] = square(v[i]) + square(3);
}
"#,
        expect![[r#"
            kernel k(v: view<i32, 1, read_write>) rank(1) {
                let i = global[0];
                let %2 = v[i];
                let y = %2 * %2;
                let y_2 = 3 * 3;
                v[i] = y + y_2;
            }
        "#]],
    );
}

#[test]
fn an_early_return_leaves_a_scope() {
    becomes(
        r#"
fn clip(x: i32) -> i32 { if x > 9 { return 9; } return x; }
fn note(v: view<i32, 1, read_write>, x: i32) { if x > 9 { return; } v[x] = 1; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = clip(v[1]);
    note(v, v[2]);
}
"#,
        expect![[r#"
            kernel k(v: view<i32, 1, read_write>) rank(1) {
                let %2 = v[1];
                v[0] = '%0: {
                    if %2 > 9 {
                        break '%0 9;
                    }
                    %2
                };
                let %8 = v[2];
                '%1: {
                    if %8 > 9 {
                        break '%1;
                    }
                    v[%8] = 1;
                }
            }
        "#]],
    );
}

#[test]
fn a_reference_is_the_callers_place_and_its_index_is_computed_once() {
    becomes(
        r#"
struct P { at: i32x2, list: [i32; 4] }
fn next(x: &mut i32) -> i32 { x = x + 1; return x; }
fn each(p: &mut P, i: i32) { p.list[i] = next(&mut p.at.y); p.at.x = i; }
kernel k(v: view<P, 1, read_write>) rank(1) {
    var count: i32 = 0;
    each(&mut v[next(&mut count)], next(&mut count));
}
"#,
        expect![[r#"
            struct P size(24) align(4) { at: i32x2 @ 0, list: [i32; 4] @ 8 }

            kernel k(v: view<P, 1, read_write>) rank(1) {
                var count: i32 = 0;
                count = count + 1;
                let %4 = count;
                count = count + 1;
                let %7 = count;
                v[%4].at.y = v[%4].at.y + 1;
                v[%4].list[%7] = v[%4].at.y;
                v[%4].at.x = %7;
            }
        "#]],
    );
}

#[test]
fn locals_and_labels_are_each_calls_own() {
    becomes(
        r#"
fn steps(n: i32) -> i32 {
    var i: i32 = 0;
    'search: loop {
        loop { if i > n { break 'search; } i = i + 1; if i == 3 { break; } }
        i = i * 2;
    }
    return i;
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = steps(1) + steps(2);
}
"#,
        expect![[r#"
            kernel k(v: view<i32, 1, read_write>) rank(1) {
                var i: i32 = 0;
                'search: loop {
                    loop {
                        if i > 1 {
                            break 'search;
                        }
                        i = i + 1;
                        if i == 3 {
                            break;
                        }
                    }
                    i = i * 2;
                }
                let %12 = i;
                var i_2: i32 = 0;
                'search: loop {
                    loop {
                        if i_2 > 2 {
                            break 'search;
                        }
                        i_2 = i_2 + 1;
                        if i_2 == 3 {
                            break;
                        }
                    }
                    i_2 = i_2 * 2;
                }
                v[0] = %12 + i_2;
            }
        "#]],
    );
}

#[test]
fn some_functions_may_stay_calls() {
    let kernel = parse(
        "k.kir",
        r#"
fn half(x: f32) -> f32 { return x * 0.5; }
fn quarter(x: f32) -> f32 { return half(half(x)); }
fn eighth(x: f32) -> f32 { return half(quarter(x)); }
kernel k(v: view<f32, 1, read_write>) rank(1) {
    v[0] = eighth(v[0]);
}
"#,
    )
    .unwrap();
    let inlined = inline_where(&kernel, &|function| function.name() == "quarter");
    expect![[r#"
        fn quarter(x: f32) -> f32 {
            return x * 0.5 * 0.5;
        }

        kernel k(v: view<f32, 1, read_write>) rank(1) {
            v[0] = quarter(v[0]) * 0.5;
        }
    "#]]
    .assert_eq(&print(&inlined));
}
