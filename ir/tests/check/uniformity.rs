//! What the threads of a tile agree on.

use expect_test::{Expect, expect};

use super::accept;

/// The facts about the inlined kernel of a text.
#[track_caller]
fn facts(text: &str, expected: Expect) {
    let checked = accept(text);
    expected.assert_eq(&checked.uniformity().show(checked.inlined()));
}

#[test]
fn sources() {
    facts(
        r#"
const table: [i32; 4] = [1, 2, 3, 4];
kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {
    tile_static s: [i32; 16];
    let own = local[0];
    let whole = global[0];
    let ours = tile[0] + n;
    let datum = v[0];
    let fixed = table[n];
    let looked_up = table[own];
    let mixed = own * datum;
    let known = min(own, 0);
    let old = atomic_add(v[0], 1);
    let size = extent(v, 0);
    let part = extent(section(v, [own], [1]), 0);
    if own > 3 { v[1] = 1; }
    switch datum { case 1: { v[2] = 1; } }
}
"#,
        expect![[r#"
            let own: divergent
            let whole: divergent
            let ours: uniform
            let datum: unproven
            let fixed: uniform
            let looked_up: unproven
            let mixed: unproven
            let known: uniform
            let old: unproven
            let size: uniform
            let part: unproven
            if: divergent
            switch: unproven
        "#]],
    );
}

#[test]
fn tile_static_is_settled_between_barriers() {
    facts(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    tile_static s: [i32; 16];
    tile_static total: i32;
    let zero_still = total;
    s[local[0]] = 1;
    let racing = s[0];
    barrier;
    let settled = s[0];
    let own = s[local[0]];
    total = settled;
    let racing_too = total;
    barrier(global);
    let no_order = total;
    barrier(tile_static);
    let after = total;
    let last = s[15];
    s[0] = 5;
}
"#,
        expect![[r#"
            let zero_still: uniform
            let racing: unproven
            barrier: uniform
            let settled: uniform
            let own: unproven
            let racing_too: unproven
            barrier: uniform
            let no_order: unproven
            barrier: uniform
            let after: uniform
            let last: unproven
        "#]],
    );
}

#[test]
fn a_store_later_in_the_loop_races_with_the_load() {
    facts(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    tile_static s: i32;
    var i: i32 = 0;
    while i < 4 {
        let bad = s;
        if local[0] == 0 { s = i; }
        barrier;
        let good = s;
        barrier;
        i = i + 1;
    }
}
"#,
        expect![[r#"
            var i: uniform
            while: uniform
                let bad: unproven
                if: divergent
                barrier: uniform
                let good: uniform
                barrier: uniform
        "#]],
    );
}

#[test]
fn views_are_uniform_if_nothing_is_written() {
    facts(
        r#"
kernel k(v: view<i32, 1, read>) tile(16) {
    let a = v[0];
    let b = v[local[0]];
    print("{} {}", a, b);
}
"#,
        expect![[r#"
            let a: uniform
            let b: unproven
        "#]],
    );
}

#[test]
fn locals_along_the_flow() {
    facts(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var same: i32 = 0;
    var own: i32 = 0;
    var by_some: i32 = 0;
    var by_data: i32 = 0;
    v[1] = 1;
    same = tile[0];
    own = local[0];
    if local[0] > 3 { by_some = 1; }
    if v[0] > 3 { by_data = 1; }
    let first = same;
    own = 2;
    let second = own;
    let third = by_some;
    let fourth = by_data;
    var rounds: i32 = 0;
    loop { rounds = rounds + 1; if rounds > local[0] { break; } }
    let fifth = rounds;
    's: { if v[1] > 1 { break 's; } same = 1; }
    let sixth = same;
    var seven: i32 = 7;
    if local[0] > 3 { seven = 7; } else { seven = 7; }
    let seventh = seven;
}
"#,
        expect![[r#"
            var same: unproven
            var own: divergent
            var by_some: divergent
            var by_data: unproven
            if: divergent
            if: unproven
            let first: uniform
            let second: uniform
            let third: divergent
            let fourth: unproven
            var rounds: divergent
            loop: divergent
                if: divergent
            let fifth: divergent
            scope: unproven
                if: unproven
            let sixth: unproven
            var seven: divergent
            if: divergent
            let seventh: uniform
        "#]],
    );
}

#[test]
fn values_of_constructs() {
    facts(
        r#"
kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {
    let a = if local[0] > 1 { 1 } else { 2 };
    let b = if local[0] > 1 { 1 } else { 1 };
    let c = if n > 1 { 1 } else { 2 };
    let d = 's: { if local[0] > 3 { break 's 1; } 2 };
    let e = 't: { if n > 3 { break 't local[0]; } 2 };
    let f = 'u: { if n > 3 { break 'u n; } 2 };
}
"#,
        expect![[r#"
            if: divergent
            let a: divergent
            if: divergent
            let b: uniform
            if: uniform
            let c: uniform
            scope: divergent
                if: divergent
            let d: divergent
            scope: uniform
                if: uniform
            let e: divergent
            scope: uniform
                if: uniform
            let f: uniform
        "#]],
    );
}
