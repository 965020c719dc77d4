//! Control flow: `K03xx`.

use expect_test::expect;

use super::{accept, reject};

#[test]
fn a_missing_return() {
    reject(
        r#"
fn f(x: i32) -> i32 {
    if x > 0 {
        return 1;
    }
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = f(1);
}
"#,
        expect![[""]],
    );
}

#[test]
fn an_abort_is_no_return() {
    reject(
        r#"
fn f(x: i32) -> i32 {
    if x > 0 {
        return 1;
    }
    abort;
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = f(1);
}
"#,
        expect![[""]],
    );
}

#[test]
fn unreachable_code() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    if v[0] > 1 {
        return;
    } else {
        return;
    }
    v[0] = 1;
}
"#,
        expect![[""]],
    );
}

#[test]
fn code_behind_a_break() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    loop {
        break;
        v[0] = 1;
    }
}
"#,
        expect![[""]],
    );
}

#[test]
fn endless_loops() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    if v[0] == 0 {
        loop { v[1] = 1; }
    }
    if v[0] == 1 {
        while true { v[1] = 1; }
    }
}
"#,
        expect![[""]],
    );
}

#[test]
fn a_loop_that_only_continues() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    'l: loop { 'm: loop { continue 'm; } }
}
"#,
        expect![[""]],
    );
}

#[test]
fn recursion() {
    reject(
        r#"
fn even(n: i32) -> i32 {
    return if n == 0 { 1 } else { odd(n - 1) };
}
fn odd(n: i32) -> i32 {
    return if n == 0 { 0 } else { even(n - 1) };
}
fn selfish(n: i32) -> i32 {
    return selfish(n);
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = even(v[0]);
}
"#,
        expect![[""]],
    );
}

#[test]
fn ways_out_of_loops() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    loop { if v[0] > 1 { break; } v[0] = v[0] + 1; }
    loop { abort; }
}
"#,
    );
}

#[test]
fn an_endless_loop_that_breaks_to_a_place_further_out() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    'out: loop {
        loop { v[0] = v[0] + 1; if v[0] > 5 { break 'out; } }
    }
    v[1] = 1;
}
"#,
    );
}

#[test]
fn all_ways_return() {
    accept(
        r#"
fn f(x: i32) -> i32 {
    switch x { case 1: { return 1; } default: { loop { if x > 3 { return 2; } } } }
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = f(1);
}
"#,
    );
}
