//! Reports on kernels.

use expect_test::{Expect, expect};
use tilewise_ir::check::check;
use tilewise_ir::text::parse;

use super::{KernelReport, report};
use crate::emit::CodeForm;
use crate::vectorize::{CodeKey, vectorize};

#[track_caller]
fn is(text: &str, width: u32, expected: Expect) {
    expected.assert_eq(&reported(text, width, None).0);
}

/// The report of a kernel in a form of code as text, and itself.
#[track_caller]
fn reported(text: &str, width: u32, form: Option<CodeForm>) -> (String, KernelReport) {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    let key = CodeKey::apart(width, kernel.inlined().params().len());
    let program = vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0));
    let report = KernelReport { form, ..report(&kernel, &program) };
    (report.text(kernel.sources()), report)
}

#[test]
fn wide_code_moves_whole_vectors_for_lanes_a_few_elements_apart() {
    let text = "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>, back: i32) rank(1) {
    let i = global[0];
    b[i * 3] = a[back - i] + a[i * 5];
}";
    for (form, load, store, slow) in [
        (Some(CodeForm::Avx512), "whole vectors", "whole vectors", 1),
        (Some(CodeForm::Avx2), "whole vectors", "scalarised", 2),
        (Some(CodeForm::Cranelift), "scalarised", "scalarised", 3),
        (None, "scalarised", "scalarised", 3),
    ] {
        let (text, report) = reported(text, 16, form);
        for line in [
            format!("load: {load}, stride of -4 bytes"),
            "load: scalarised, stride of 20 bytes".to_owned(),
            format!("store: {store}, stride of 12 bytes"),
        ] {
            assert!(text.contains(&line), "{form:?}: {line}: {text}");
        }
        assert_eq!(report.one_by_one(), slow, "{form:?}");
    }
}

#[test]
fn accesses_that_together_are_rows_are_told() {
    let text = "kernel k(a: view<[f32; 6], 1, read>, b: view<[f32; 2], 1, read_write>) rank(1) {
    let i = global[0];
    b[i][0] = a[i][0];
    b[i][1] = a[i][5];
}";
    for (form, load, store) in [
        (Some(CodeForm::Avx512), "whole vectors, with others of rows of 24 bytes", "whole vectors, with others of"),
        (Some(CodeForm::Avx2), "scalarised, stride of 24 bytes", "whole vectors, with others of"),
        (Some(CodeForm::Cranelift), "scalarised, stride of 24 bytes", "scalarised, stride of"),
    ] {
        let (text, _) = reported(text, 16, form);
        for line in [format!("load: {load}"), format!("store: {store}")] {
            assert_eq!(text.matches(&line).count(), 2, "{form:?}: {line}: {text}");
        }
    }
}

#[test]
fn neighbours_at_edges_are_side_by_side_in_all_other_strips() {
    let text = "kernel k(v: view<i32, 2, read>, w: view<i32, 1, read_write>, n: i32) rank(2) {
    let y = global[0];
    let x = global[1];
    let last = extent(v, 1) - 1;
    w[x] = v[y, clamp(x - 1, 0, last)]
        + v[y, min(x + 1, last)]
        + v[y, select(x == 0, last, x - 1)]
        + v[x / n, x % n]
        + v[y, x & n];
}";
    let (text, report) = reported(text, 16, None);
    for (access, checked) in [
        ("v[y, clamp(x - 1, 0, last)]", "bounds check hoisted out of the loop"),
        ("v[y, min(x + 1, last)]", "bounds check hoisted out of the loop"),
        ("v[y, select(x == 0, last, x - 1)]", "bounds check hoisted out of the loop"),
        ("v[x / n, x % n]", "one bounds check for all lanes"),
        ("v[y, x & n]", "one bounds check for all lanes"),
    ] {
        let line = format!("load: unit stride, 16 lanes, {checked}");
        assert!(text.lines().any(|found| found.contains(access) && found.contains(&line)), "{access}: {text}");
    }
    assert_eq!(report.one_by_one(), 0);
}

#[test]
fn neighbours_are_side_by_side_and_uniforms_one_for_all() {
    let text = "kernel saxpy(x: view<f32, 1, read>, y: view<f32, 1, read_write>, by: view<f32, 1, read>) rank(1) {
    let i = global[0];
    y[i] = by[0] * x[i] + y[i];
}";
    is(
        text,
        16,
        expect![[r#"
            k.kir:3  y[i] = by[0] * x[i] + y[i];
                y[i] = by[0] * x[i] + y[i]            store: unit stride, 16 lanes, bounds check hoisted out of the loop
                by[0]                                 load: uniform, bounds check hoisted out of the loop
                by[0] * x[i] + y[i]                   two roundings; `mad` may take one
                x[i]                                  load: unit stride, 16 lanes, bounds check hoisted out of the loop
                y[i]                                  load: unit stride, 16 lanes, bounds check hoisted out of the loop
            line 3        a thread loads 8.2 bytes and stores 4; 2 operations on vectors and 3 on scalars for 16 threads; limited by memory, within the caches by loads
        "#]],
    );
    is(
        text,
        1,
        expect![[r#"
            k.kir:3  y[i] = by[0] * x[i] + y[i];
                y[i] = by[0] * x[i] + y[i]            store: one thread at a time, bounds check hoisted out of the loop
                by[0]                                 load: one thread at a time, bounds check hoisted out of the loop
                by[0] * x[i] + y[i]                   two roundings; `mad` may take one
                x[i]                                  load: one thread at a time, bounds check hoisted out of the loop
                y[i]                                  load: one thread at a time, bounds check hoisted out of the loop
            line 3        a thread loads 12 bytes and stores 4; 0 operations on vectors and 5 on scalars for 1 thread; limited by memory, within the caches by loads
        "#]],
    );
}

#[test]
fn a_product_of_matrices_asks_ranges_before_its_loop() {
    let text = "kernel matmul(a: view<f32, 2, read>, b: view<f32, 2, read>, c: view<f32, 2, read_write>) rank(2) {
    var sum: f32 = 0.0;
    var k: i32 = 0;
    while k < extent(a, 1) {
        sum = sum + a[global[0], k] * b[k, global[1]];
        k = k + 1;
    }
    c[global[0], global[1]] = sum;
}";
    is(
        text,
        16,
        expect![[r#"
            k.kir:4  while k < extent(a, 1) {
                while                                 loop: uniform
            k.kir:5  sum = sum + a[global[0], k] * b[k, global[1]];
                sum + a[global[0], k] * b[k, globa..  two roundings; `mad` may take one
                a[global[0], k]                       load: uniform, bounds check hoisted out of the loop
                b[k, global[1]]                       load: unit stride, 16 lanes, bounds check hoisted out of the loop
            k.kir:8  c[global[0], global[1]] = sum;
                c[global[0], global[1]] = sum         store: unit stride, 16 lanes, one bounds check for all lanes
            lines 5-6     a thread loads 4.2 bytes and stores 0; 2 operations on vectors and 7 on scalars for 16 threads; limited by memory, within the caches by operations on scalars
        "#]],
    );
}

#[test]
fn lanes_that_leave_a_loop_one_by_one_make_it_a_masked_one() {
    let text = "kernel escape(out: view<i32, 2, read_write>) rank(2) {
    let x0 = to_f32(global[1]) / 100.0;
    var x: f32 = x0;
    var n: i32 = 0;
    while x < 4.0 && n < 100 {
        x = x * x + x0;
        n = n + 1;
    }
    out[global[0], global[1]] = select(n == 100, 0, n);
}";
    is(
        text,
        8,
        expect![[r#"
            k.kir:5  while x < 4.0 && n < 100 {
                while                                 loop: masked, until no lane is active
                &&                                    both arms computed, no branch
            k.kir:6  x = x * x + x0;
                x * x + x0                            two roundings; `mad` may take one
            k.kir:9  out[global[0], global[1]] = select(n == 100, 0, n);
                out[global[0], global[1]] = select..  store: unit stride, 8 lanes, one bounds check for all lanes
            lines 5-7     a thread loads 0 bytes and stores 0; 6 operations on vectors and 4 on scalars for 8 threads; limited by operations on vectors
        "#]],
    );
}

#[test]
fn a_histogram_goes_lane_by_lane() {
    let text = "kernel histogram(values: view<u32, 1, read>, bins: view<u32, 1, read_write>) rank(1) {
    let v = values[global[0]];
    if v < 256u32 {
        atomic_add(bins[to_i32(v)], 1u32);
    }
}";
    is(
        text,
        16,
        expect![[r#"
            k.kir:2  let v = values[global[0]];
                values[global[0]]                     load: unit stride, 16 lanes, bounds check hoisted out of the loop
            k.kir:3  if v < 256u32 {
                if                                    masked, an arm that no lane takes is skipped
            k.kir:4  atomic_add(bins[to_i32(v)], 1u32);
                atomic_add(bins[to_i32(v)], 1u32)     atomic: scalarised, masked
            lines 2-4     a thread loads 4 bytes and stores 4; 4 operations on vectors and 4 on scalars for 16 threads; limited by scalarised accesses
        "#]],
    );
}

#[test]
fn a_tree_of_sums_goes_by_limits_between_barriers() {
    let text = "kernel tree(input: view<f32, 1, read>, sums: view<f32, 1, read_write>) tile(256) {
    tile_static partial: [f32; 256];
    let i = local[0];
    partial[i] = input[global[0]];
    barrier;
    var half: i32 = 128;
    while half > 0 {
        if i < half {
            partial[i] = partial[i] + partial[i + half];
        }
        barrier;
        half = half / 2;
    }
    if i == 0 {
        sums[tile[0]] = partial[0];
    }
}";
    is(
        text,
        16,
        expect![[r#"
            k.kir:4  partial[i] = input[global[0]];
                partial[i] = input[global[0]]         store: unit stride, 16 lanes
                input[global[0]]                      load: unit stride, 16 lanes, bounds check hoisted out of the loop
            k.kir:7  while half > 0 {
                while                                 loop: uniform in the tile, for a barrier
            k.kir:8  if i < half {
                if                                    lanes below a limit: masked only where it cuts a vector
            k.kir:9  partial[i] = partial[i] + partial[i + half];
                partial[i] = partial[i] + partial[..  store: unit stride, 16 lanes, masked
                partial[i]                            load: unit stride, 16 lanes
                partial[i + half]                     load: unit stride, 16 lanes
            k.kir:14  if i == 0 {
                if                                    lanes below a limit: masked only where it cuts a vector
            k.kir:15  sums[tile[0]] = partial[0];
                sums[tile[0]] = partial[0]            store: uniform, bounds check hoisted out of the loop
                partial[0]                            load: uniform
            line 4        a thread loads 4 bytes and stores 0; 0 operations on vectors and 5 on scalars for 16 threads; limited by memory, within the caches by operations on scalars
            line 9        a thread loads 0 bytes and stores 0; 1 operations on vectors and 3 on scalars for 16 threads; limited by loads
            lines 14-15   a thread loads 0 bytes and stores 0.2; 0 operations on vectors and 5 on scalars for 16 threads; limited by operations on scalars
        "#]],
    );
}

#[test]
fn what_differs_from_lane_to_lane_is_gathered_and_branches_are_masks_or_choices() {
    let text = "struct P { x: f32, y: f32 }
kernel pick(from: view<P, 1, read>, at: view<i32, 1, read>, to: view<f32, 1, read_write>) rank(1) {
    let i = global[0];
    let j = at[i];
    let p = from[j].x;
    var q: f32 = from[i].y;
    if p > q {
        q = p * 2.0;
    }
    if j > 3 {
        to[i] = q;
    } else {
        to[j] = p;
    }
}";
    is(
        text,
        8,
        expect![[r#"
            k.kir:4  let j = at[i];
                at[i]                                 load: unit stride, 8 lanes, bounds check hoisted out of the loop
            k.kir:5  let p = from[j].x;
                from[j].x                             load: scalarised, any address, masked
            k.kir:6  var q: f32 = from[i].y;
                from[i].y                             load: scalarised, stride of 8 bytes, bounds check hoisted out of the loop
            k.kir:7  if p > q {
                if                                    both arms computed, no branch
            k.kir:10  if j > 3 {
                if                                    masked, an arm that no lane takes is skipped
            k.kir:11  to[i] = q;
                to[i] = q                             store: unit stride, 8 lanes, masked, bounds check hoisted out of the loop
            k.kir:13  to[j] = p;
                to[j] = p                             store: scalarised, any address, masked
            lines 4-13    a thread loads 12 bytes and stores 8; 10 operations on vectors and 6 on scalars for 8 threads; limited by memory, within the caches by scalarised accesses
        "#]],
    );
}
