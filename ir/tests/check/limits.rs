//! Limits: `K06xx`.

use expect_test::expect;

use super::reject;

#[test]
fn tiles() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(2048) {
    v[0] = 1;
}
"#,
        expect![[r#"
            error[K0601]: `tile(2048)` has 2048 threads
             --> k.kir:2:8
              |
            2 | kernel k(v: view<i32, 1, read_write>) tile(2048) {
              |        ^ a tile has at most 1024
        "#]],
    );
}

#[test]
fn a_deep_tile() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(128, 2, 2) {
    v[0] = 1;
}
"#,
        expect![[r#"
            error[K0601]: `tile(128, 2, 2)` is 128 deep
             --> k.kir:2:8
              |
            2 | kernel k(v: view<i32, 1, read_write>) tile(128, 2, 2) {
              |        ^ the first of three dimensions is at most 64
        "#]],
    );
}

#[test]
fn a_tile_of_four_dimensions() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(2, 2, 2, 2) {
    v[0] = 1;
}
"#,
        expect![[r#"
            error[K0601]: `tile(2, 2, 2, 2)` has 4 dimensions
             --> k.kir:2:8
              |
            2 | kernel k(v: view<i32, 1, read_write>) tile(2, 2, 2, 2) {
              |        ^ a tile has 1 to 3
        "#]],
    );
}

#[test]
fn tile_static_memory() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(64) {
    tile_static a: [f32; 8000];
    tile_static b: [f32; 400];
    a[local[0]] = 1.0;
    b[local[0]] = 1.0;
}
"#,
        expect![[r#"
            error[K0603]: 33600 bytes of `tile_static`
             --> k.kir:4:17
              |
            4 |     tile_static b: [f32; 400];
              |                 ^ with `b`, which takes 1600
              |
              = note: a tile has 32768 bytes
        "#]],
    );
}

#[test]
fn private_memory() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var a: [f32; 20000];
    var b: i32 = 1;
    a[v[0]] = 1.0;
    v[0] = a[v[1]] as i32 + b;
}
"#,
        expect![[r#"
            error[K0604]: the local variables of a thread take 80004 bytes
             --> k.kir:3:5
              |
            3 |     var a: [f32; 20000];
              |     ^^^^^^^^^^^^^^^^^^^ `a` is the largest: 80000 bytes
              |
              = note: a thread has 65536 bytes, shared by all functions it calls
              = help: keep large arrays in a view or in `tile_static`
        "#]],
    );
}
