//! Types: `K01xx`.

use expect_test::expect;

use super::{accept, reject};

#[test]
fn operands_of_two_types() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let i = global[0];
    let x = sqrt(2.0);
    v[i] = (i + x) as i32;
}
"#,
        expect![[r#"
            error[K0101]: `+` on `i32` and `f32`
             --> k.kir:5:13
              |
            3 |     let i = global[0];
              |             --------- `i` is an `i32`
            4 |     let x = sqrt(2.0);
              |             --------- `x` is an `f32`
            5 |     v[i] = (i + x) as i32;
              |             ^^^^^ both sides must have the same type
              |
              = note: there are no implicit conversions
              = help: write `x as i32`
        "#]],
    );
}

#[test]
fn an_operation_outside_its_class() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let ok = v[0] < 3;
    v[0] = (ok + ok) as i32;
}
"#,
        expect![[r#"
            error[K0101]: `+` is not defined for `bool`
             --> k.kir:4:13
              |
            4 |     v[0] = (ok + ok) as i32;
              |             ^^^^^^^ `ok` is a `bool`
              |
              = note: it is defined for `i32`, `u32`, `i64`, `u64`, `f32` and `f64`, and vectors of them
              = help: a `bool` counts as 0 or 1 by `x as i32`
        "#]],
    );
}

#[test]
fn a_remainder_of_bools() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let ok = true % (v[0] == 1);
}
"#,
        expect![[r#"
            error[K0101]: `%` is not defined for `bool`
             --> k.kir:3:14
              |
            3 |     let ok = true % (v[0] == 1);
              |              ^^^^^^^^---------^
              |              |       |
              |              |       the result of `==` is a `bool`
              |              the constant `true` is a `bool`
              |
              = note: it is defined for `i32`, `u32`, `i64`, `u64`, `f32` and `f64`, and vectors of them
        "#]],
    );
}

#[test]
fn a_scalar_and_a_vector() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let p = f32x3(1.0, 2.0, 3.0);
    let half = sqrt(0.25);
    let q = p * half;
}
"#,
        expect![[r#"
            error[K0101]: `*` on `f32x3` and `f32`
             --> k.kir:5:13
              |
            3 |     let p = f32x3(1.0, 2.0, 3.0);
              |             -------------------- `p` is an `f32x3`
            4 |     let half = sqrt(0.25);
              |                ---------- `half` is an `f32`
            5 |     let q = p * half;
              |             ^^^^^^^^ the widths differ
              |
              = help: write `splat(half, 3)`
        "#]],
    );
}

#[test]
fn a_shift_by_a_signed_number() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let n = v[1];
    v[0] = v[0] << n;
}
"#,
        expect![[r#"
            error[K0101]: `<<` takes a `u32` on its right side, not `i32`
             --> k.kir:4:12
              |
            4 |     v[0] = v[0] << n;
              |            ----^^^^^
              |            |
              |            `n` is an `i32`
              |            `v[0]` is an `i32`
              |
              = note: there are no implicit conversions
              = help: write `n as u32`
        "#]],
    );
}

#[test]
fn a_width_without_the_operation() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let q = dot(1.0, 2.0);
}
"#,
        expect![[r#"
            error[K0101]: `dot` is not defined for `f32`
             --> k.kir:3:13
              |
            3 |     let q = dot(1.0, 2.0);
              |             ^^^^^^^^^^^^^ the width does not fit
              |
              = note: it takes vectors of 2 to 4 components
        "#]],
    );
}

#[test]
fn conditions() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let n = v[0];
    if n { v[1] = 1; }
    while v[2] { v[2] = 0; }
    if boolx2(true, false) { v[3] = 1; }
}
"#,
        expect![[r#"
            error[K0102]: the condition of `if` is an `i32`
             --> k.kir:4:5
              |
            3 |     let n = v[0];
              |             ---- `n` is an `i32`
            4 |     if n { v[1] = 1; }
              |     ^^ `n` is not a `bool`
              |
              = help: compare it: `n != 0`

            error[K0102]: the condition of `while` is an `i32`
             --> k.kir:5:5
              |
            5 |     while v[2] { v[2] = 0; }
              |     ^^^^^ ---- `v[2]` is an `i32`
              |     |
              |     `v[2]` is not a `bool`
              |
              = help: compare it: `v[2] != 0`

            error[K0102]: the condition of `if` is a `boolx2`
             --> k.kir:6:5
              |
            6 |     if boolx2(true, false) { v[3] = 1; }
              |     ^^ ------------------- the vector is a `boolx2`
              |     |
              |     the vector is not a `bool`
              |
              = help: reduce the vector: `any(..)` or `all(..)`
        "#]],
    );
}

#[test]
fn indices() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[1.5] = 1;
    v[0, 1] = 2;
    let s = section(v, [1u32], [2]);
}
"#,
        expect![[r#"
            error[K0103]: `v` is indexed by an `f32`
             --> k.kir:3:5
              |
            3 |     v[1.5] = 1;
              |     ^^^^^^^^^^ the constant `1.5` is neither `i32` nor `u32`
              |
              = help: write `1.5 as i32`

            error[K0104]: `v` has 1 dimension
             --> k.kir:4:5
              |
            4 |     v[0, 1] = 2;
              |     ^^^^^^^^^^^ 2 indices are given
              |
              = help: write `v[..]`

            error[K0103]: the origin of `section` takes `i32`, not `u32`
             --> k.kir:5:13
              |
            5 |     let s = section(v, [1u32], [2]);
              |             ^^^^^^^^^^^^^^^^^^^^^^^ the constant `1` is a `u32`
              |
              = help: write `1`
        "#]],
    );
}

#[test]
fn vectors() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let a = f32x2(1.0, 2.0);
    let b = splat(a, 2);
    let c = a.z;
}
"#,
        expect![[r#"
            error[K0105]: `splat` of an `f32x2`
             --> k.kir:4:13
              |
            4 |     let b = splat(a, 2);
              |             ^^^^^^^^^^^ only a scalar can be spread over a vector

            error[K0105]: `f32x2` has 2 components
             --> k.kir:5:13
              |
            5 |     let c = a.z;
              |             ^^^ there is no such component
        "#]],
    );
}

#[test]
fn views_and_numbers() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let n = v + 1;
    let m = extent(n, 0);
    let o = extent(v[0], 0);
}
"#,
        expect![[r#"
            error[K0106]: `+` on a view
             --> k.kir:3:13
              |
            3 |     let n = v + 1;
              |             ^^^^^ parameter `v` is a `view<i32, 1, read_write>`
              |
              = help: to read an element, index it: `v[..]`

            error[K0106]: `extent` needs a view
             --> k.kir:5:13
              |
            5 |     let o = extent(v[0], 0);
              |             ^^^^^^^^^^^^^^^ `v[0]` is an `i32`
        "#]],
    );
}

#[test]
fn stored_values() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = 1.5;
    var x: f32x3 = 1.0;
    var ok: bool = false;
    ok = v[0];
}
"#,
        expect![[r#"
            error[K0107]: an `f32` is stored in `v[0]`, which holds an `i32`
             --> k.kir:3:5
              |
            3 |     v[0] = 1.5;
              |     ^^^^^^^^^^ expected `i32`, found `f32`
              |
              = help: write `1.5 as i32`

            error[K0107]: an `f32` is stored in `x`, which holds an `f32x3`
             --> k.kir:4:5
              |
            4 |     var x: f32x3 = 1.0;
              |     ^^^^^^^^^^^^^^^^^^ expected `f32x3`, found `f32`
              |
              = help: write `splat(1.0, 3)`

            error[K0107]: an `i32` is stored in `ok`, which holds a `bool`
             --> k.kir:6:5
              |
            6 |     ok = v[0];
              |     ^^^^^----
              |     |    |
              |     |    `v[0]` is an `i32`
              |     expected `bool`, found `i32`
              |
              = help: compare it: `v[0] != 0`
        "#]],
    );
}

#[test]
fn arguments() {
    reject(
        r#"
fn f(x: i32, y: & i32) -> i32 { return x + y; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var n: i32 = 0;
    let a = f(1);
    let b = f(1, 2);
    let c = f(n, n);
    let d = f(1.5, &n);
}
"#,
        expect![[r#"
            error[K0108]: `f` takes 2 arguments
             --> k.kir:5:13
              |
            2 | fn f(x: i32, y: & i32) -> i32 { return x + y; }
              |    - declared here
            ...
            5 |     let a = f(1);
              |             ^^^^ 1 given

            error[K0109]: `y` is a reference to `i32`
             --> k.kir:6:13
              |
            2 | fn f(x: i32, y: & i32) -> i32 { return x + y; }
              |              - declared here
            ...
            6 |     let b = f(1, 2);
              |             ^^^^^^^ the constant `2` is a value
              |
              = help: hand over a place: `&..`

            error[K0109]: `y` is a reference to `i32`
             --> k.kir:7:13
              |
            2 | fn f(x: i32, y: & i32) -> i32 { return x + y; }
              |              - declared here
            ...
            7 |     let c = f(n, n);
              |             ^^^^^^^ `n` is a value
              |
              = help: hand over a place: `&..`

            error[K0109]: `x` takes an `i32`, not an `f32`
             --> k.kir:8:13
              |
            2 | fn f(x: i32, y: & i32) -> i32 { return x + y; }
              |      - `x` is an `i32`
            ...
            8 |     let d = f(1.5, &n);
              |             ^^^^^^^^^^ the constant `1.5` is an `f32`
              |
              = help: write `1.5 as i32`
        "#]],
    );
}

#[test]
fn a_reference_to_another_type() {
    reject(
        r#"
fn set(y: &mut i32) { y = 1; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var n: f32 = 0.0;
    set(&mut n);
}
"#,
        expect![[r#"
            error[K0109]: `y` refers to `i32`, not to `f32`
             --> k.kir:5:5
              |
            2 | fn set(y: &mut i32) { y = 1; }
              |        - declared here
            ...
            5 |     set(&mut n);
              |     ^^^^^^^^^^^ `n` is an `f32`
        "#]],
    );
}

#[test]
fn returned_values() {
    reject(
        r#"
fn f(x: i32) -> i32 { return 1.5; }
fn g(x: i32) -> f32 { return; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let a = f(1);
    let b = g(1);
    g(2);
    return 3;
}
"#,
        expect![[r#"
            error[K0110]: `return` brings an `f32`, `f` gives an `i32`
             --> k.kir:2:23
              |
            2 | fn f(x: i32) -> i32 { return 1.5; }
              |    - declared here    ^^^^^^^^^^ the constant `1.5` is an `f32`
              |
              = help: write `1.5 as i32`

            error[K0110]: `return` without a value
             --> k.kir:3:23
              |
            3 | fn g(x: i32) -> f32 { return; }
              |    - declared here    ^^^^^^ `g` gives an `f32`

            error[K0110]: a kernel gives no value
             --> k.kir:8:5
              |
            8 |     return 3;
              |     ^^^^^^^^ `return` brings one
              |
              = help: store results in a view
        "#]],
    );
}

#[test]
fn arms() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let a = if v[0] < 1 { 1 } else { 2.0 };
}
"#,
        expect![[r#"
            error[K0111]: the arms of the `if` give different types
             --> k.kir:3:13
              |
            3 |     let a = if v[0] < 1 { 1 } else { 2.0 };
              |             ^^ an `i32` and an `f32`
        "#]],
    );
}

#[test]
fn breaks() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let a = 's: { if v[0] < 1 { break 's 1.5; } 2 };
    'l: loop { break 'l; }
}
"#,
        expect![[r#"
            error[K0112]: `break` brings an `f32`, the scope gives an `i32`
             --> k.kir:3:33
              |
            3 |     let a = 's: { if v[0] < 1 { break 's 1.5; } 2 };
              |             -- the scope        ^^^^^^^^^^^^ the constant `1.5` is an `f32`
        "#]],
    );
}

#[test]
fn messages() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    print("{}", v);
}
"#,
        expect![[r#"
            error[K0106]: `print` on a view
             --> k.kir:3:5
              |
            3 |     print("{}", v);
              |     ^^^^^^^^^^^^^^ parameter `v` is a `view<i32, 1, read_write>`
              |
              = help: to read an element, index it: `v[..]`
        "#]],
    );
}

#[test]
fn switches() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    switch 1.5 { case 1: { v[0] = 1; } }
    switch v[0] { case 1, 2: { v[0] = 1; } case 2: { v[1] = 1; } }
}
"#,
        expect![[r#"
            error[K0114]: a switch by an `f32`
             --> k.kir:3:5
              |
            3 |     switch 1.5 { case 1: { v[0] = 1; } }
              |     ^^^^^^ the constant `1.5` is neither `i32` nor `u32`
              |
              = help: convert it: `switch x as i32 { .. }`

            error[K0115]: two cases for `2`
             --> k.kir:4:44
              |
            4 |     switch v[0] { case 1, 2: { v[0] = 1; } case 2: { v[1] = 1; } }
              |                   ---- the first           ^^^^ the second is never taken
        "#]],
    );
}

#[test]
fn cut_views() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>, w: view<i32, 2, read>) rank(1) {
    let a = project(v, 0);
    let b = reinterpret<u32>(w);
    let c = view_as(w, [4, 4]);
}
"#,
        expect![[r#"
            error[K0116]: parameter `v` has rank 1
             --> k.kir:3:13
              |
            3 |     let a = project(v, 0);
              |             ^^^^^^^^^^^^^ `project` takes a dimension away, and none would be left
              |
              = help: index it: `v[..]`

            error[K0116]: `reinterpret` of a view of rank 2
             --> k.kir:4:13
              |
            4 |     let b = reinterpret<u32>(w);
              |             ^^^^^^^^^^^^^^^^^^^ parameter `w` is a `view<i32, 2, read>`
              |
              = note: only a view of rank 1 can be seen as something else

            error[K0116]: `view_as` of a view of rank 2
             --> k.kir:5:13
              |
            5 |     let c = view_as(w, [4, 4]);
              |             ^^^^^^^^^^^^^^^^^^ parameter `w` is a `view<i32, 2, read>`
              |
              = note: only a view of rank 1 can be seen as something else
        "#]],
    );
}

#[test]
fn operands_of_atomics() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let a = atomic_add(v[0], 1u32);
    let (old, ok) = atomic_compare_exchange(v[0], 1.0, 2);
}
"#,
        expect![[r#"
            error[K0117]: `atomic_add` of an `i32` with a `u32`
             --> k.kir:3:13
              |
            3 |     let a = atomic_add(v[0], 1u32);
              |             ^^^^^^^^^^^^^^^^^^^^^^ the place holds an `i32`
              |
              = help: write `1`

            error[K0117]: `atomic_compare_exchange` of an `i32` with an `f32`
             --> k.kir:4:21
              |
            4 |     let (old, ok) = atomic_compare_exchange(v[0], 1.0, 2);
              |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the place holds an `i32`
              |
              = help: write `1`
        "#]],
    );
}

#[test]
fn lengths() {
    reject(
        r#"
kernel k(b: buffer<[f32; 4], read>) rank(1) {
    let n = array_length(b);
}
"#,
        expect![[r#"
            error[K0118]: `array_length` of a `[f32; 4]`
             --> k.kir:3:13
              |
            3 |     let n = array_length(b);
              |             ^^^^^^^^^^^^^^^ `b` is not runtime-sized
              |
              = help: its length is 4
        "#]],
    );
}

#[test]
fn a_writable_view_serves_for_a_read_only_one() {
    accept(
        r#"
fn f(w: view<i32, 1, read>) -> i32 { return w[0]; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[1] = f(v);
}
"#,
    );
}

#[test]
fn what_fits() {
    accept(
        r#"
struct B { head: f32, tail: [i32] }
kernel k(v: view<i32, 1, read_write>, b: buffer<B, read_write>) rank(1) {
    let p = f32x3(1.0, 2.0, 3.0);
    let q = p * splat(0.5, 3);
    v[0] = dot(p, q) as i32 << 3u32;
    let n = array_length(b.tail);
    v[n] = if n > 3u32 { 1 } else { 2 };
    switch v[0] { case 1, -2: { v[0] = 1; } default: { print("{} {}", n, p); } }
}
"#,
    );
}
