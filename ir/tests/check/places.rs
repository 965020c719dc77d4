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
        expect![[r#"
            error[K0201]: `y` can not be written
             --> k.kir:5:21
              |
            5 | fn keep(y: & i32) { y = 1; }
              |         -           ^^^^^ the reference is read-only
              |         |
              |         `y` is declared here
              |
              = help: declare the parameter `&mut`

            error[K0201]: `r[0]` can not be written
             --> k.kir:7:5
              |
            7 |     r[0] = 1;
              |     ^^^^^^^^ parameter `r` is a `view<i32, 1, read>`
              |
              = help: declare the view `read_write`

            error[K0201]: `b.a` can not be written
             --> k.kir:8:5
              |
            6 | kernel k(r: view<i32, 1, read>, b: buffer<B, read>, u: [i32; 4]) rank(1) {
              |                                 - `b` is declared `read`
            7 |     r[0] = 1;
            8 |     b.a = 1;
              |     ^^^^^^^ the buffer is read-only
              |
              = help: declare the buffer `read_write`

            error[K0201]: `u[0]` can not be written
             --> k.kir:9:5
              |
            6 | kernel k(r: view<i32, 1, read>, b: buffer<B, read>, u: [i32; 4]) rank(1) {
              |                                                     - `u` travels with the launch
            ...
            9 |     u[0] = 1;
              |     ^^^^^^^^ a captured value is read-only
              |
              = help: copy it to a `var` first

            error[K0201]: `t[0]` can not be written
              --> k.kir:10:5
               |
             3 | const t: [i32; 2] = [1, 2];
               |       - declared here
            ...
            10 |     t[0] = 1;
               |     ^^^^^^^^ a table is constant

            error[K0201]: `r[0]` can not be handed over by `&mut`
              --> k.kir:11:5
               |
            11 |     set(&mut r[0]);
               |     ^^^^^^^^^^^^^^ parameter `r` is a `view<i32, 1, read>`
               |
               = help: declare the view `read_write`

            error[K0201]: `b.a` can not be changed by an atomic
              --> k.kir:12:15
               |
             6 | kernel k(r: view<i32, 1, read>, b: buffer<B, read>, u: [i32; 4]) rank(1) {
               |                                 - `b` is declared `read`
            ...
            12 |     let old = atomic_add(b.a, 1);
               |               ^^^^^^^^^^^^^^^^^^ the buffer is read-only
               |
               = help: declare the buffer `read_write`
        "#]],
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
        expect![[r#"
            error[K0203]: `copy` from `[i32; 5]` to `[i32; 4]`
             --> k.kir:5:5
              |
            5 |     copy(a, b);
              |     ^^^^^^^^^^ both places must have the same type

            error[K0204]: `copy` of an `i32`
             --> k.kir:8:5
              |
            8 |     copy(x, y);
              |     ^^^^^^^^^^ `copy` is for arrays and structs
              |
              = help: write `x = y;`
        "#]],
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
        expect![[r#"
            error[K0205]: `w` holds `bool`
             --> k.kir:3:39
              |
            3 | kernel k(v: view<i32, 1, read_write>, w: view<bool, 1, read>, u: U, b: buffer<U, read>, fine: bool) rank(1) {
              |                                       ^ the host sees this memory
              |
              = note: `bool` may be captured and computed with; memory shared with the host has none, as most bytes are neither true nor false
              = help: store 0 or 1 as `u32`

            error[K0205]: `U`, which `u` holds, has a `bool` in it
             --> k.kir:3:63
              |
            3 | kernel k(v: view<i32, 1, read_write>, w: view<bool, 1, read>, u: U, b: buffer<U, read>, fine: bool) rank(1) {
              |                                                               ^ the host sees this memory
              |
              = note: `bool` may be captured and computed with; memory shared with the host has none, as most bytes are neither true nor false
              = help: store 0 or 1 as `u32`

            error[K0205]: `U`, which `b` holds, has a `bool` in it
             --> k.kir:3:69
              |
            3 | kernel k(v: view<i32, 1, read_write>, w: view<bool, 1, read>, u: U, b: buffer<U, read>, fine: bool) rank(1) {
              |                                                                     ^ the host sees this memory
              |
              = note: `bool` may be captured and computed with; memory shared with the host has none, as most bytes are neither true nor false
              = help: store 0 or 1 as `u32`

            error[K0107]: an `i32x2` is stored in `v[0]`, which holds an `i32`
             --> k.kir:4:5
              |
            4 |     v[0] = u.ok as i32;
              |     ^^^^^^^-----------
              |     |      |
              |     |      the result of `as i32` is an `i32x2`
              |     expected `i32`, found `i32x2`
        "#]],
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
        expect![[r#"
            error[K0206]: `[f32]` is runtime-sized
             --> k.kir:2:39
              |
            2 | kernel k(v: view<i32, 1, read_write>, u: [f32]) rank(1) {
              |                                       ^ `u` needs a fixed size
              |
              = note: a runtime-sized array is a buffer, or the last field of a buffer's struct
        "#]],
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
        expect![[r#"
            error[K0207]: `atomic_add` on the local variable `x`
             --> k.kir:5:15
              |
            4 |     var x: i32 = 0;
              |     -------------- declared here
            5 |     let old = atomic_add(x, 1);
              |               ^^^^^^^^^^^^^^^^ no other thread can see this memory
              |
              = note: atomics work on views, buffers and `tile_static`
              = help: read and write `x` as usual
        "#]],
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
        expect![[r#"
            error[K0207]: `atomic_add` on the local variable `count`
             --> k.kir:3:12
              |
            3 |     return atomic_add(y, 1);
              |            ^^^^^^^^^^^^^^^^ no other thread can see this memory
            ...
            6 |     var count: i32 = 0;
              |     ------------------ declared here
              |
              = note: atomics work on views, buffers and `tile_static`
              = help: read and write `count` as usual
        "#]],
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
        expect![[r#"
            error[K0208]: `atomic_max` on an `f32`
             --> k.kir:3:13
              |
            3 |     let a = atomic_max(f[0], 1.0);
              |             ^^^^^^^^^^^^^^^^^^^^^ not defined for this type
              |
              = note: atomics exist for `i32`, `u32`, `i64` and `u64`; for `f32` only `atomic_add` and `atomic_exchange`; for both floats `atomic_compare_exchange`, by their bits

            error[K0208]: `atomic_add` on an `i8`
             --> k.kir:4:13
              |
            4 |     let e = atomic_add(b[0], 1);
              |             ^^^^^^^^^^^^^^^^^^^ 8- and 16-bit memory has no atomics
              |
              = note: atomics exist for `i32`, `u32`, `i64` and `u64`; for `f32` only `atomic_add` and `atomic_exchange`; for both floats `atomic_compare_exchange`, by their bits

            error[K0208]: `atomic_add` on an `i32x2`
             --> k.kir:5:13
              |
            5 |     let c = atomic_add(p[0], 1);
              |             ^^^^^^^^^^^^^^^^^^^ an atomic works on one scalar
              |
              = note: atomics exist for `i32`, `u32`, `i64` and `u64`; for `f32` only `atomic_add` and `atomic_exchange`; for both floats `atomic_compare_exchange`, by their bits
              = help: name a component: `p[0].x`

            error[K0208]: `atomic_add` on an `f64`
             --> k.kir:6:13
              |
            6 |     let g = atomic_add(d[0], 1.0f64);
              |             ^^^^^^^^^^^^^^^^^^^^^^^^ not defined for this type
              |
              = note: atomics exist for `i32`, `u32`, `i64` and `u64`; for `f32` only `atomic_add` and `atomic_exchange`; for both floats `atomic_compare_exchange`, by their bits
        "#]],
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
        expect![[r#"
            error[K0209]: `tile_static s` in an untiled kernel
             --> k.kir:3:17
              |
            3 |     tile_static s: [i32; 4];
              |                 ^ there is no tile whose threads could share it

            error[K0209]: `local[0]` in an untiled kernel
             --> k.kir:4:12
              |
            4 |     v[0] = local[0];
              |            ^^^^^^^^ there is no tile whose threads it could mean
              |
              = help: launch in tiles: declare `tile(64)` for `rank(1)`

            error[K0209]: a barrier in an untiled kernel
             --> k.kir:5:5
              |
            5 |     barrier;
              |     ^^^^^^^ there is no tile whose threads it could mean
              |
              = help: launch in tiles: declare `tile(64)` for `rank(1)`

            error[K0209]: a fence in an untiled kernel
             --> k.kir:6:5
              |
            6 |     fence;
              |     ^^^^^ there is no tile whose threads it could mean
              |
              = help: launch in tiles: declare `tile(64)` for `rank(1)`
        "#]],
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
