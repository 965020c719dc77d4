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
        expect![[r#"
            error[K0301]: `f` can end without a value
             --> k.kir:2:4
              |
            2 | fn f(x: i32) -> i32 {
              |    ^ gives an `i32`
            3 |     if x > 0 {
              |     -- the end can be reached from here
              |
              = help: end every way with `return value;`
        "#]],
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
        expect![[r#"
            error[K0301]: `f` can end without a value
             --> k.kir:2:4
              |
            2 | fn f(x: i32) -> i32 {
              |    ^ gives an `i32`
            ...
            6 |     abort;
              |     ----- a thread that ends here walks on without effect
              |
              = help: write `return` behind it all the same; the value is never seen
        "#]],
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
        expect![[r#"
            error[K0302]: unreachable code
             --> k.kir:8:5
              |
            3 |     if v[0] > 1 {
              |     -- both arms leave
            ...
            8 |     v[0] = 1;
              |     ^^^^^^^^ never runs
              |
              = help: remove it, or make the way before it conditional
        "#]],
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
        expect![[r#"
            error[K0302]: unreachable code
             --> k.kir:5:9
              |
            4 |         break;
              |         ----- always leaves here
            5 |         v[0] = 1;
              |         ^^^^^^^^ never runs
              |
              = help: remove it, or make the way before it conditional
        "#]],
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
        expect![[r#"
            error[K0303]: a loop without a way out
             --> k.kir:4:9
              |
            4 |         loop { v[1] = 1; }
              |         ^^^^ its threads never come to an end
              |
              = help: leave it by `break`, `return` or a condition

            error[K0303]: a loop without a way out
             --> k.kir:7:9
              |
            7 |         while true { v[1] = 1; }
              |         ^^^^^ its threads never come to an end
              |
              = help: leave it by `break`, `return` or a condition
        "#]],
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
        expect![[r#"
            error[K0303]: a loop without a way out
             --> k.kir:3:9
              |
            3 |     'l: loop { 'm: loop { continue 'm; } }
              |         ^^^^ its threads never come to an end
              |
              = help: leave it by `break`, `return` or a condition

            error[K0303]: a loop without a way out
             --> k.kir:3:20
              |
            3 |     'l: loop { 'm: loop { continue 'm; } }
              |                    ^^^^ its threads never come to an end
              |
              = help: leave it by `break`, `return` or a condition
        "#]],
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
        expect![[r#"
            error[K0304]: `even` calls itself through 1 other function
             --> k.kir:6:35
              |
            3 |     return if n == 0 { 1 } else { odd(n - 1) };
              |                                   ---------- calls `odd`
            ...
            6 |     return if n == 0 { 0 } else { even(n - 1) };
              |                                   ^^^^^^^^^^^ calls `even` again
              |
              = note: functions are inlined, so that none can call itself
              = help: use a loop

            error[K0304]: `selfish` calls itself
             --> k.kir:9:12
              |
            9 |     return selfish(n);
              |            ^^^^^^^^^^ calls `selfish` again
              |
              = note: functions are inlined, so that none can call itself
              = help: use a loop
        "#]],
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
fn a_loop_left_by_functions_that_end_the_thread() {
    accept(
        r#"
fn stop(x: i32) { if x > 3 { abort; } }
fn fail(x: i32) -> i32 { if x > 3 { error("too much"); } return x; }
fn either(x: i32) -> i32 { stop(x); return fail(x); }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    if v[0] == 0 { loop { stop(v[1]); } }
    if v[0] == 1 { loop { v[1] = fail(v[1] + 1); } }
    while true { v[1] = either(v[1] + 1); }
}
"#,
    );
}

#[test]
fn an_endless_loop_that_calls() {
    reject(
        r#"
fn next(x: i32) -> i32 { if x > 3 { return 0; } return x + 1; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    loop { v[0] = next(v[0]); }
}
"#,
        expect![[r#"
            error[K0303]: a loop without a way out
             --> k.kir:4:5
              |
            4 |     loop { v[0] = next(v[0]); }
              |     ^^^^ its threads never come to an end
              |
              = help: leave it by `break`, `return` or a condition
        "#]],
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
