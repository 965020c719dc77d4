//! Values known at build time, and definite assignment: `K04xx`.

use expect_test::expect;

use super::{accept, reject};

#[test]
fn divisions_by_zero() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = v[1] / 0;
    v[0] = v[1] % 0;
    let w = i32x2(1, 2) / i32x2(1, 0);
}
"#,
        expect![[r#"
            error[K0401]: a division by zero
             --> k.kir:3:12
              |
            3 |     v[0] = v[1] / 0;
              |            ^^^^^^^^ the right side of `/` is always zero

            error[K0401]: the remainder of a division by zero
             --> k.kir:4:12
              |
            4 |     v[0] = v[1] % 0;
              |            ^^^^^^^^ the right side of `%` is always zero

            error[K0401]: a division by zero
             --> k.kir:5:13
              |
            5 |     let w = i32x2(1, 2) / i32x2(1, 0);
              |             ^^^^^^^^^^^^^^^^^^^^^^^^^ the right side of `/` has a component that is always zero
        "#]],
    );
}

#[test]
fn floats_divide_by_zero() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = (1.0 / 0.0) as i32;
}
"#,
    );
}

#[test]
fn constant_indices() {
    reject(
        r#"
const table: [[i32; 4]; 2] = zero;
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var a: [i32; 4] = zero;
    a[4] = 1;
    v[0] = a[-1];
    v[-1] = 2;
    let p = i32x3(1, 2, 3);
    v[1] = p[3];
    v[2] = table[2][5];
}
"#,
        expect![[r#"
            error[K0402]: the index 4 is out of range
             --> k.kir:5:5
              |
            5 |     a[4] = 1;
              |     ^^^^^^^^ `a` is a `[i32; 4]`
              |
              = note: an access out of range reads zero and writes nothing
              = help: indices are 0 to 3

            error[K0402]: the index -1 is out of range
             --> k.kir:6:12
              |
            6 |     v[0] = a[-1];
              |            ^^^^^ `a` is a `[i32; 4]`
              |
              = note: an access out of range reads zero and writes nothing
              = help: indices are 0 to 3

            error[K0402]: the index -1 is out of range
             --> k.kir:7:5
              |
            7 |     v[-1] = 2;
              |     ^^^^^^^^^ indices begin at 0
              |
              = note: an access out of range reads zero and writes nothing

            error[K0402]: the index 3 is out of range
             --> k.kir:9:12
              |
            9 |     v[1] = p[3];
              |            ^^^^ `p` has 3 components
              |
              = note: an access out of range reads zero and writes nothing
              = help: indices are 0 to 2

            error[K0402]: the index 2 is out of range
              --> k.kir:10:12
               |
            10 |     v[2] = table[2][5];
               |            ^^^^^^^^^^^ `table` is a `[[i32; 4]; 2]`
               |
               = note: an access out of range reads zero and writes nothing
               = help: indices are 0 to 1

            error[K0402]: the index 5 is out of range
              --> k.kir:10:12
               |
            10 |     v[2] = table[2][5];
               |            ^^^^^^^^^^^ `table[2]` is a `[i32; 4]`
               |
               = note: an access out of range reads zero and writes nothing
               = help: indices are 0 to 3
        "#]],
    );
}

#[test]
fn dimensions() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = global[1] + extent(v, 1);
}
"#,
        expect![[r#"
            error[K0403]: `global[1]` in a kernel of rank 1
             --> k.kir:3:12
              |
            3 |     v[0] = global[1] + extent(v, 1);
              |            ^^^^^^^^^ the only dimension is 0

            error[K0403]: dimension 1 of a view of rank 1
             --> k.kir:3:24
              |
            3 |     v[0] = global[1] + extent(v, 1);
              |                        ^^^^^^^^^^^^ parameter `v` is a `view<i32, 1, read_write>`; the only dimension is 0
        "#]],
    );
}

#[test]
fn a_read_before_a_write() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32;
    if v[0] > 1 {
        x = 1;
    }
    v[1] = x;
}
"#,
        expect![[r#"
            error[K0404]: `x` may be read before it is written
             --> k.kir:7:12
              |
            3 |     var x: i32;
              |     ---------- declared without a value
            ...
            7 |     v[1] = x;
              |            ^ not written on every way to here
              |
              = help: give it a value: `var x: i32 = zero;`
        "#]],
    );
}

#[test]
fn a_component_is_missing() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var p: f32x2;
    p.x = 1.0;
    let a = p.x;
    let b = p.y;
}
"#,
        expect![[r#"
            error[K0404]: `p` may be read before it is written
             --> k.kir:6:13
              |
            3 |     var p: f32x2;
              |     ------------ declared without a value
            ...
            6 |     let b = p.y;
              |             ^^^ not written on every way to here
              |
              = help: give it a value: `var p: f32x2 = zero;`
        "#]],
    );
}

#[test]
fn a_loop_may_not_run() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32;
    while v[0] > 1 { x = 1; v[0] = 0; }
    v[1] = x;
}
"#,
        expect![[r#"
            error[K0404]: `x` may be read before it is written
             --> k.kir:5:12
              |
            3 |     var x: i32;
              |     ---------- declared without a value
            4 |     while v[0] > 1 { x = 1; v[0] = 0; }
            5 |     v[1] = x;
              |            ^ not written on every way to here
              |
              = help: give it a value: `var x: i32 = zero;`
        "#]],
    );
}

#[test]
fn each_round_declares_anew() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var i: i32 = 0;
    while i < 4 {
        var x: i32;
        if i > 0 { v[i] = x; }
        x = i;
        i = i + 1;
    }
}
"#,
        expect![[r#"
            error[K0404]: `x` may be read before it is written
             --> k.kir:6:27
              |
            5 |         var x: i32;
              |         ---------- declared without a value
            6 |         if i > 0 { v[i] = x; }
              |                           ^ not written on every way to here
              |
              = help: give it a value: `var x: i32 = zero;`
        "#]],
    );
}

#[test]
fn a_function_reads_what_it_should_write() {
    reject(
        r#"
fn bump(y: &mut i32) {
    y = y + 1;
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32;
    bump(&mut x);
    v[0] = x;
}
"#,
        expect![[r#"
            error[K0404]: `x` may be read before it is written
             --> k.kir:3:9
              |
            3 |     y = y + 1;
              |         ^ not written on every way to here
            ...
            6 |     var x: i32;
              |     ---------- declared without a value
              |
              = help: give it a value: `var x: i32 = zero;`
        "#]],
    );
}

#[test]
fn a_break_skips_the_write() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32;
    loop {
        if v[0] == 3 { break; }
        x = 1;
        break;
    }
    v[1] = x;
}
"#,
        expect![[r#"
            error[K0404]: `x` may be read before it is written
             --> k.kir:9:12
              |
            3 |     var x: i32;
              |     ---------- declared without a value
            ...
            9 |     v[1] = x;
              |            ^ not written on every way to here
              |
              = help: give it a value: `var x: i32 = zero;`
        "#]],
    );
}

#[test]
fn written_on_every_path() {
    accept(
        r#"
fn both(x: f32, s: &mut f32, c: &mut f32) { s = x; c = x; }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32;
    var y: i32;
    var z: i32;
    var p: f32x2;
    var unused: i32;
    var aggregate: [i32; 4];
    if v[0] > 1 { x = 1; } else { x = 2; }
    switch v[0] { case 1: { y = 1; } case 2: { return; } default: { y = 2; } }
    loop { z = 3; if v[0] > 1 { break; } continue; }
    p.x = 1.0;
    p.y = 2.0;
    let q = p;
    v[1] = x + y + z + aggregate[1];
    var s: f32;
    var c: f32;
    both(1.0, &mut s, &mut c);
    v[2] = (s + c) as i32;
}
"#,
    );
}

#[test]
fn written_in_a_continuing_part() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32;
    loop { v[0] = v[0] + 1; } continuing { x = 1; break if v[0] > 3; }
    v[1] = x;
}
"#,
    );
}
