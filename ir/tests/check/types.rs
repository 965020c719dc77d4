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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn vectors() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    let a = f32x2(1.0, 2);
    let b = splat(a, 2);
    let c = a.z;
}
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn messages() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    print("{} {}", v[0]);
    print("none", v[0]);
    print("{}", v);
}
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
