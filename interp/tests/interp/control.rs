//! Control flow and values.

use crate::case::{Case, gives};

#[test]
fn arms_and_scopes_give_values() {
    gives(
        "let i = global[0];
        let a = if i == 0 { 5 } else { 7 };
        let b = 'found: {
            if i > 0 { break 'found 1; }
            if a == 5 { break 'found 2 + a; }
            3
        };
        let c = if i != 0 { f32x2(1.0, 2.0) } else { f32x2(3.0, 4.0) };
        out[0] = a * 100 + b * 10 + (c.x + c.y) as i32;",
        &[577],
    );
}

#[test]
fn and_and_or_evaluate_the_right_side_only_when_it_matters() {
    let text = "kernel k(n: view<i32, 1, read_write>, out: view<i32, 1, read_write>) rank(1) {
        let zero_ = n[1];
        if zero_ != 0 && atomic_inc(n[0]) == 0 { out[0] = 1; }
        if zero_ == 0 || atomic_inc(n[0]) == 0 { out[1] = 1; }
        if zero_ == 0 && atomic_inc(n[0]) == 0 { out[2] = 1; }
    }";
    let case = Case::new(text, &[1]).zeros(2).zeros(3).run();
    assert_eq!(case.as_ints(0)[0], 1);
    assert_eq!(case.as_ints(1), [0, 1, 1]);
}

#[test]
fn continue_goes_to_the_continuing_part() {
    gives(
        "var i: i32 = 0;
        var n: i32 = 0;
        loop {
            if i % 2 == 1 { continue; }
            n = n + i;
        } continuing {
            i = i + 1;
            break if i == 7
        }
        out[0] = n;
        out[1] = i;",
        &[12, 7],
    );
}

#[test]
fn a_while_loop_tests_before_each_round() {
    gives(
        "var i: i32 = 5;
        while i < 5 { out[0] = 1; }
        while { let next = i * 2; next < 30 } { i = i + 4; } continuing { out[1] = out[1] + 1; }
        out[2] = i;",
        &[0, 3, 17],
    );
}

#[test]
fn labels_leave_and_continue_outer_loops() {
    gives(
        "var i: i32 = 0;
        var n: i32 = 0;
        'outer: while i < 10 {
            var j: i32 = 0;
            while j < 10 {
                if i == 6 { break 'outer; }
                if j > i { continue 'outer; }
                n = n + 1;
                if j == 3 { break; }
                j = j + 1;
            }
            n = n + 100;
        } continuing { i = i + 1; }
        out[0] = n;
        out[1] = i;
        'done: {
            loop {
                out[2] = out[2] + 1;
                if out[2] == 4 { break 'done; }
            }
        }",
        // Rounds 0 to 2 leave at j > i after 1, 2 and 3 counts; rounds 3 to 5 break at j = 3.
        &[6 + 3 * 104, 6, 4],
    );
}

#[test]
fn a_switch_takes_one_case_or_the_default() {
    let text = "kernel k(out: view<i32, 1, read_write>) rank(1) {
        switch global[0] - 1 {
            case -1, 3: { out[global[0]] = 10; }
            case 0: { out[global[0]] = 20; }
            case 2: { }
            default: { out[global[0]] = 30; }
        }
        switch global[0] as u32 { case 4294967295u32, 1u32: { out[global[0]] = out[global[0]] + 1; } }
    }";
    let case = Case::new(text, &[6]).ints(&[7; 6]).run();
    assert_eq!(case.as_ints(0), [10, 21, 30, 7, 10, 30]);
}

#[test]
fn break_in_a_switch_leaves_the_loop_around() {
    gives(
        "var i: i32 = 0;
        loop {
            switch i { case 3: { break; } case 1: { continue; } default: { out[0] = out[0] + 10; } }
            out[0] = out[0] + 1;
        } continuing { i = i + 1; }",
        &[22],
    );
}

#[test]
fn return_ends_the_thread() {
    let text = "kernel k(out: view<i32, 1, read_write>) rank(1) {
        while true { if global[0] == 1 { return; } out[global[0]] = 1; break; }
        out[global[0]] = 2;
    }";
    let case = Case::new(text, &[3]).zeros(3).run();
    assert_eq!(case.as_ints(0), [2, 0, 2]);
}

#[test]
fn functions_return_early() {
    let text = "fn first(limit: i32) -> i32 {
        var i: i32 = 0;
        loop {
            if i * i > limit { return i; }
            i = i + 1;
        }
    }
    kernel k(out: view<i32, 1, read_write>) rank(1) { out[global[0]] = first(global[0] * 5) * 10 + first(0); }";
    let case = Case::new(text, &[4]).zeros(4).run();
    assert_eq!(case.as_ints(0), [11, 31, 41, 41]);
}

#[test]
fn vectors_are_taken_apart_and_put_together() {
    gives(
        "let v = i32x4(1, 2, 3, 4);
        let w = v.wzyx + splat(10, 4);
        out[0] = w.x * 1000 + w.w;
        out[1] = dot(v.xy, v.zw);
        let m = select(v > splat(2, 4), v, splat(0, 4));
        out[2] = m.x + m.y + m.z * 10 + m.w * 100;
        if any(v == splat(3, 4)) && !all(v == splat(3, 4)) { out[3] = 1; }",
        &[14011, 11, 430, 1],
    );
}

#[test]
fn integers_wrap_and_division_by_zero_is_defined() {
    gives(
        "let zero_ = global[0];
        let low = -2147483648 + zero_;
        let minus = zero_ - 1;
        out[0] = low - 1;
        out[1] = 7 / zero_;
        out[2] = 7 % zero_;
        out[3] = low / minus;
        out[4] = low % minus;
        out[5] = 1 << (zero_ as u32 + 33u32);
        out[6] = (1.0 / 0.0) as i32;",
        &[i32::MAX, 7, 0, i32::MIN, 0, 2, i32::MAX],
    );
}
