//! Places and access: `K02xx`.

use expect_test::expect;

use super::{accept, reject};

#[test]
fn read_only_places() {
    reject(
        r#"
struct B { a: i32 }
const t: [i32; 2] = [1, 2];
fn set(y: &mut i32) { y = 1; }
fn keep(y: & i32) { y = 1; }
kernel k(r: view<i32, 1, read>, b: buffer<B, read>, u: [i32; 4]) rank(1) {
    r[0] = 1;
    b.a = 1;
    u[0] = 1;
    t[0] = 1;
    set(&mut r[0]);
    let old = atomic_add(b.a, 1);
}
"#,
        expect![[""]],
    );
}

#[test]
fn copies() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var a: [i32; 4];
    var b: [i32; 5];
    copy(a, b);
    var x: i32 = 1;
    var y: i32 = 2;
    copy(x, y);
}
"#,
        expect![[""]],
    );
}

#[test]
fn bools_that_the_host_sees() {
    reject(
        r#"
struct U { ok: boolx2 }
kernel k(v: view<i32, 1, read_write>, w: view<bool, 1, read>, u: U, b: buffer<U, read>, fine: bool) rank(1) {
    v[0] = u.ok as i32;
}
"#,
        expect![[""]],
    );
}

#[test]
fn runtime_sized_variables() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>, u: [f32]) rank(1) {
    v[0] = 1;
}
"#,
        expect![[""]],
    );
}

#[test]
fn atomics_on_private_memory() {
    reject(
        r#"
fn bump(y: &mut i32) -> i32 { return atomic_add(y, 1); }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var x: i32 = 0;
    let old = atomic_add(x, 1);
    let older = bump(&mut x);
}
"#,
        expect![[""]],
    );
}

#[test]
fn atomics_on_private_memory_through_a_reference() {
    reject(
        r#"
fn bump(y: &mut i32) -> i32 {
    return atomic_add(y, 1);
}
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var count: i32 = 0;
    let older = bump(&mut count);
    v[0] = bump(&mut v[1]);
}
"#,
        expect![[""]],
    );
}

#[test]
fn atomics_on_other_scalars() {
    reject(
        r#"
kernel k(f: view<f32, 1, read_write>, b: view<i8, 1, read_write>, p: view<i32x2, 1, read_write>, d: view<f64, 1, read_write>) rank(1) {
    let a = atomic_max(f[0], 1.0);
    let e = atomic_add(b[0], 1);
    let c = atomic_add(p[0], 1);
    let g = atomic_add(d[0], 1.0f64);
}
"#,
        expect![[""]],
    );
}

#[test]
fn tiles_in_an_untiled_kernel() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    tile_static s: [i32; 4];
    v[0] = local[0];
    barrier;
    fence;
}
"#,
        expect![[""]],
    );
}

#[test]
fn places_that_fit() {
    accept(
        r#"
struct P { at: f32x2, list: [i32; 4] }
fn bump(y: &mut i32) -> i32 { return atomic_add(y, 1); }
kernel k(b: view<P, 1, read_write>, ok_too: bool) tile(64) {
    tile_static s: [i32; 64];
    var p: P = zero;
    p.at.y = 1.0;
    p.list[local[0]] = 3;
    copy(b[global[0]], p);
    s[local[0]] = atomic_add(b[0].list[1], 1);
    let old = atomic_exchange(b[0].at.x, 1.0);
    let (a, done) = atomic_compare_exchange(s[0], 1, 2);
    let n = bump(&mut s[1]);
}
"#,
    );
}
