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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn a_large_table() {
    reject(
        r#"
const t: [[i32; 1000]; 1000] = zero;
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[0] = t[1000][v[0]];
}
"#,
        expect![[""]],
    );
}
