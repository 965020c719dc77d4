//! What analysis knows about kernels that people write: shapes along x, ranges, and who comes to an access together.

use expect_test::{Expect, expect};

use super::accept;

/// The facts about the inlined kernel of a text.
#[track_caller]
fn facts(text: &str, expected: Expect) {
    let checked = accept(text);
    expected.assert_eq(&checked.facts().show(checked.inlined()));
}

#[test]
fn vector_add() {
    facts(
        r#"
kernel k(a: view<f32, 1, read>, b: view<f32, 1, read>, c: view<f32, 1, read_write>) rank(1) {
    let i = global[0];
    if i < extent(c, 0) { c[i] = a[i] + b[i]; }
}
"#,
        expect![[r#"
            let i: affine 1, 0 to 2147483646
            if by tile
                load [affine 1, 0 to 2147483646] below extent(c, 0) by some
                load [affine 1, 0 to 2147483646] below extent(c, 0) by some
                store [affine 1, 0 to 2147483646] below extent(c, 0) by some
        "#]],
    );
}

#[test]
fn tiled_matmul() {
    facts(
        r#"
kernel k(a: view<f32, 2, read>, b: view<f32, 2, read>, c: view<f32, 2, read_write>) tile(16, 16) {
    tile_static ta: [[f32; 16]; 16];
    tile_static tb: [[f32; 16]; 16];
    let row = local[0];
    let col = local[1];
    var sum: f32 = 0.0;
    var at: i32 = 0;
    while at < extent(a, 1) {
        ta[row][col] = a[global[0], at + col];
        tb[row][col] = b[at + row, global[1]];
        barrier;
        var k: i32 = 0;
        while k < 16 {
            let here = k;
            sum = sum + ta[row][here] * tb[here][col];
            k = k + 1;
        }
        let behind = k;
        barrier;
        at = at + 16;
    }
    c[global[0], global[1]] = sum;
}
"#,
        expect![[r#"
            let row: group, 0 to 15
            let col: affine 1, 0 to 15
            while by tile
                load [group, 0 to 2147483631; affine 1 modulo, i32::MIN to i32::MAX] by tile
                store [group, 0 to 15; affine 1, 0 to 15] by tile
                load [group, i32::MIN to i32::MAX; affine 1, 0 to 2147483631] by tile
                store [group, 0 to 15; affine 1, 0 to 15] by tile
                barrier by tile
                while by tile
                    let here: tile, 0 to 15
                    load [group, 0 to 15; tile, 0 to 15] by tile
                    load [tile, 0 to 15; affine 1, 0 to 15] by tile
                let behind: const 16
                barrier by tile
            store [group, 0 to 2147483631; affine 1, 0 to 2147483631] by tile
        "#]],
    );
}

#[test]
fn reduction() {
    facts(
        r#"
kernel k(input: view<f32, 1, read>, sums: view<f32, 1, read_write>) tile(256) {
    tile_static partial: [f32; 256];
    let lane = local[0];
    partial[lane] = input[global[0]];
    barrier;
    var half: i32 = 128;
    while half > 0 {
        let stride = half;
        if lane < stride { partial[lane] = partial[lane] + partial[lane + stride]; }
        barrier;
        half = half / 2;
    }
    let done = half;
    if lane == 0 { sums[tile[0]] = partial[0]; }
}
"#,
        expect![[r#"
            let lane: affine 1, 0 to 255
            load [affine 1, 0 to 2147483391] by tile
            store [affine 1, 0 to 255] by tile
            barrier by tile
            while by tile
                let stride: tile, 1 to 128
                if by tile
                    load [affine 1, 0 to 127] by some
                    load [affine 1, 1 to 255] by some
                    store [affine 1, 0 to 127] by some
                barrier by tile
            let done: const 0
            if by tile
                store [tile, 0 to 8388606] by some
        "#]],
    );
}

#[test]
fn stencil_behind_guards() {
    facts(
        r#"
kernel k(a: view<f32, 2, read>, b: view<f32, 2, read_write>) rank(2) {
    let y = global[0];
    let x = global[1];
    if y == 0 || x == 0 { return; }
    let left = x - 1;
    if y + 1 < extent(a, 0) && x + 1 < extent(a, 1) {
        b[y, x] = a[y - 1, x] + a[y + 1, x] + a[y, left] + a[y, x + 1];
    }
}
"#,
        expect![[r#"
            let y: group, 0 to 2147483646
            let x: affine 1, 0 to 2147483646
            if by tile
            if by tile
            let left: affine 1, 0 to 2147483645
            if by some
            if by some
                load [group, 0 to 2147483644; affine 1, 1 to 2147483645] by some
                load [group, 2 to 2147483646; affine 1, 1 to 2147483645] by some
                load [group, 1 to 2147483645; affine 1, 0 to 2147483645] by some
                load [group, 1 to 2147483645; affine 1, 2 to 2147483646] by some
                store [group, 1 to 2147483645; affine 1, 1 to 2147483645] by some
        "#]],
    );
}

#[test]
fn gather() {
    facts(
        r#"
kernel k(index: view<u32, 1, read>, from: view<f32, 1, read>, to: view<f32, 1, read_write>) tile(64) {
    let i = global[0];
    let where_ = index[i];
    let masked = where_ & 1023u32;
    let bucket = where_ % 10u32;
    let shifted = where_ >> 24u32;
    to[i] = from[where_] + from[masked] + from[bucket] + from[shifted];
}
"#,
        expect![[r#"
            let i: affine 1, 0 to 2147483583
            load [affine 1, 0 to 2147483583] by tile
            let where_: varying, 0 to u32::MAX
            let masked: varying, 0 to 1023
            let bucket: varying, 0 to 9
            let shifted: varying, 0 to 255
            load [varying, 0 to u32::MAX] by tile
            load [varying, 0 to 1023] by tile
            load [varying, 0 to 9] by tile
            load [varying, 0 to 255] by tile
            store [affine 1, 0 to 2147483583] by tile
        "#]],
    );
}

#[test]
fn mandelbrot() {
    facts(
        r#"
kernel k(out: view<u32, 2, read_write>, scale: f32) rank(2) {
    let cx = global[1] as f32 * scale;
    let cy = global[0] as f32 * scale;
    var x: f32 = 0.0;
    var y: f32 = 0.0;
    var n: u32 = 0u32;
    while n < 256u32 && x * x + y * y < 4.0 {
        let at = n;
        let t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        n = n + 1u32;
    }
    let count = n;
    out[global[0], global[1]] = count;
}
"#,
        expect![[r#"
            let cx: varying
            let cy: group
            while by tile
                if by some
                let at: group, 0 to 255
                let t: varying
            let count: varying, 0 to 256
            store [group, 0 to 2147483646; affine 1, 0 to 2147483646] by tile
        "#]],
    );
}

#[test]
fn strided_loops() {
    facts(
        r#"
kernel k(input: view<f32, 2, read>, sums: view<f32, 1, read_write>) tile(1, 64) {
    var sum: f32 = 0.0;
    var column: i32 = local[1];
    while column < 1000 {
        let c = column;
        sum = sum + input[global[0], c];
        column = column + 64;
    }
    let left_at = column;
    var down: u32 = 100u32;
    loop {
        let d = down;
        if d == 0u32 { break; }
        down = d - 1u32;
    }
    let nothing = down;
    sums[global[0]] = sum;
}
"#,
        expect![[r#"
            while by tile
                let c: affine 1, 0 to 999
                load [tile, 0 to 2147483646; affine 1, 0 to 999] by some
            let left_at: varying, 1000 to 1063
            loop by tile
                let d: tile, 0 to 100
                if by tile
            let nothing: const 0
            store [tile, 0 to 2147483646] by tile
        "#]],
    );
}

#[test]
fn wrapping_near_two_to_the_31() {
    facts(
        r#"
kernel k(out: view<i32, 1, read_write>, n: i32) tile(16) {
    let i = local[0];
    let seam = i * 286331153;
    let safe = i * 143165576;
    let over = i * 143165577;
    let round_trip = seam as u32;
    let wide = safe as i64;
    let unknown_wide = seam as i64;
    let offset = n + i;
    let whole = n * 2;
    let twice_around = i * 65536 * 65536;
    let backwards = 15 - i;
    out[global[0]] = seam;
}
"#,
        expect![[r#"
            let i: affine 1, 0 to 15
            let seam: affine 286331153 modulo, i32::MIN to i32::MAX
            let safe: affine 143165576, 0 to 2147483640
            let over: affine 143165577 modulo, i32::MIN to i32::MAX
            let round_trip: affine 286331153 modulo, 0 to u32::MAX
            let wide: affine 143165576, 0 to 2147483640
            let unknown_wide: varying, i32::MIN to i32::MAX
            let offset: affine 1 modulo, i32::MIN to i32::MAX
            let whole: tile, i32::MIN to i32::MAX
            let twice_around: group, i32::MIN to i32::MAX
            let backwards: affine -1, 0 to 15
            store [affine 1, 0 to 2147483631] by tile
        "#]],
    );
}

#[test]
fn masks_and_choices() {
    facts(
        r#"
kernel k(out: view<i32, 1, read_write>, n: u32, s: i32) tile(8, 8) {
    let row = local[0];
    let col = local[1];
    let kept = col & 7;
    let cut = col & 3;
    let both = col % 8;
    let pair = col / 2;
    let bits = n | 1u32;
    let clamped = clamp(s, 0, 63);
    let small = min(n, 100u32);
    let picked = if row < 4 { col } else { col + 8 };
    let mixed = if col < 4 { col } else { col + 8 };
    let chosen = select(row < 4, col, col + 1);
    let doubled = col << 1u32;
    let many = i32x2(col, row);
    var kind: i32 = 0;
    switch s { case 3, 5: { let inside = s; kind = inside; } default: { kind = 9; } }
    let k = kind;
    out[row] = picked;
}
"#,
        expect![[r#"
            let row: group, 0 to 7
            let col: affine 1, 0 to 7
            let kept: affine 1, 0 to 7
            let cut: varying, 0 to 3
            let both: affine 1, 0 to 7
            let pair: varying, 0 to 3
            let bits: tile, 1 to u32::MAX
            let clamped: tile, 0 to 63
            let small: tile, 0 to 100
            if by tile
            let picked: affine 1, 0 to 15
            if by tile
            let mixed: varying, 0 to 15
            let chosen: affine 1, 0 to 8
            let doubled: affine 2, 0 to 14
            let many: affine 1, 0 to 7; group, 0 to 7
            switch by tile
            let k: tile, 3 to 9
            store [group, 0 to 7] by tile
        "#]],
    );
}

#[test]
fn three_dimensions() {
    facts(
        r#"
kernel k(out: view<f32, 1, read_write>, h: i32, w: i32) tile(4, 4, 8) {
    let z = global[0];
    let y = global[1];
    let x = global[2];
    let flat = (z * h + y) * w + x;
    let local_flat = (local[0] * 4 + local[1]) * 8 + local[2];
    let transposed = (local[2] * 4 + local[1]) * 4 + local[0];
    let origin = tile_origin[2];
    var t: i32 = local[0];
    if y > 3 { t = x; }
    let by_rows = t;
    if x > 3 { t = 1; }
    let by_threads = t;
    out[flat] = 1.0;
}
"#,
        expect![[r#"
            let z: group, 0 to 2147483643
            let y: group, 0 to 2147483643
            let x: affine 1, 0 to 2147483639
            let flat: affine 1 modulo, i32::MIN to i32::MAX
            let local_flat: affine 1, 0 to 127
            let transposed: affine 16, 0 to 127
            let origin: tile, 0 to 2147483632
            if by tile
            let by_rows: varying, 0 to 2147483639
            if by tile
            let by_threads: varying, 0 to 2147483639
            store [affine 1 modulo, i32::MIN to i32::MAX] by tile
        "#]],
    );
}

#[test]
fn formats_that_keep_the_low_bits() {
    facts(
        r#"
kernel k(out: view<i32, 1, read_write>) tile(16) {
    var small: u8 = 300u32;
    let cut = small;
    small = (local[0] as u32) + 1u32;
    let fits = small;
    out[global[0]] = 0;
}
"#,
        expect![[r#"
            let cut: tile, 0 to 255
            let fits: affine 1, 1 to 16
            store [affine 1, 0 to 2147483631] by tile
        "#]],
    );
}

#[test]
fn indices_that_a_condition_keeps_below_a_number_of_the_launch() {
    facts(
        r#"
kernel k(a: view<f32, 1, read>, b: view<f32, 2, read>, out: view<f32, 1, read_write>, n: i32, m: i32) rank(1) {
    var k: i32 = 0;
    while k < n {
        out[k] = a[k];
        if k < extent(b, 1) && m > k {
            out[k] = b[0, k];
        }
        k = k + 1;
        out[k] = 1.0;
    }
    out[k] = 2.0;
}
"#,
        expect![[r#"
            while by tile
                load [tile, 0 to 2147483646] below n by tile
                store [tile, 0 to 2147483646] below n by tile
                if by tile
                if by tile
                    load [tile, 0 to 2147483646] below n, extent(b, 1), m by tile
                    store [tile, 0 to 2147483646] below n, extent(b, 1), m by tile
                store [tile, 1 to i32::MAX] by tile
            store [tile, 0 to i32::MAX] by tile
        "#]],
    );
}

#[test]
fn a_difference_of_which_a_condition_knows_the_larger_is_not_negative() {
    facts(
        r#"
kernel k(out: view<i32, 1, read_write>) tile(64) {
    let l = local[0];
    var reach: i32 = 1;
    while reach < 64 {
        if l >= reach {
            let back = l - reach;
            out[back] = 1;
        }
        if l > reach {
            let more = l - reach;
            out[more] = 1;
        } else {
            let other = reach - l;
            out[other] = 1;
            let wrong = l - reach;
            out[wrong] = 1;
        }
        reach = reach * 2;
    }
}
"#,
        expect![[r#"
            let l: affine 1, 0 to 63
            while by tile
                if by tile
                    let back: affine 1, 0 to 62
                    store [affine 1, 0 to 62] by some
                if by tile
                    let more: affine 1, 1 to 62
                    store [affine 1, 1 to 62] by some
                    let other: affine -1, 0 to 63
                    store [affine -1, 0 to 63] by some
                    let wrong: affine 1, -63 to 62
                    store [affine 1, -63 to 62] by some
        "#]],
    );
}
