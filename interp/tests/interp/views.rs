//! Views made in kernels.

use tilewise_ir::launch::{Argument, ViewArgument};

use crate::case::{Case, float_bytes, int_bytes};

/// Runs a body with `v: view<i32, 2, read_write>` of 3 rows `0..12`, `w: view<i32, 1, read_write>` of `0..8`, and `out`.
fn views(body: &str, expected: &[i32]) -> Case {
    let text = format!(
        "kernel k(v: view<i32, 2, read_write>, w: view<i32, 1, read_write>, out: view<i32, 1, read_write>) rank(1) {{ {body} }}"
    );
    let case = Case::new(&text, &[1])
        .shaped(&int_bytes(&(0..12).collect::<Vec<_>>()), &[3, 4])
        .ints(&[0, 1, 2, 3, 4, 5, 6, 7])
        .zeros(expected.len() as i32)
        .run();
    assert_eq!(case.as_ints(2), expected, "{body}");
    case
}

#[test]
fn a_section_is_a_rectangle_of_its_parent() {
    let case = views(
        "let s = section(v, [1, 1], [2, 2]);
        out[0] = extent(s, 0) * 10 + extent(s, 1);
        out[1] = s[0, 0];
        out[2] = s[1, 1];
        out[3] = s[0, 2];
        out[4] = s[2, 0];
        let inner = section(s, [1, 0], [1, 2]);
        inner[0, 1] = 100;
        inner[0, 2] = 200;",
        &[22, 5, 10, 0, 0],
    );
    assert_eq!(case.as_ints(0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 11]);
}

#[test]
fn a_section_that_does_not_fit_is_empty() {
    for request in
        ["[1, 1], [3, 2]", "[-1, 0], [1, 1]", "[0, 0], [1, -1]", "[0, 5], [1, 0]", "[1, 2147483647], [1, 2147483647]"]
    {
        let case = views(
            &format!(
                "let s = section(v, {request});
                out[0] = extent(s, 0) * 10 + extent(s, 1);
                out[1] = s[0, 0];
                s[0, 0] = 5;
                out[2] = atomic_add(s[0, 0], 1);
                let again = section(s, [0, 0], [0, 0]);
                out[3] = extent(again, 0);"
            ),
            &[0, 0, 0, 0],
        );
        assert_eq!(case.as_ints(0), (0..12).collect::<Vec<_>>());
    }
}

#[test]
fn a_section_without_elements_that_fits_keeps_its_extent() {
    views("let s = section(v, [3, 0], [0, 4]); out[0] = extent(s, 0) * 10 + extent(s, 1) + s[0, 0];", &[4]);
}

#[test]
fn a_projection_is_a_row() {
    let case = views(
        "let row = project(v, 2);
        out[0] = extent(row, 0);
        out[1] = row[3];
        out[2] = row[4];
        row[0] = 50;
        let none = project(v, 3);
        out[3] = extent(none, 0);
        out[4] = none[0];
        out[5] = extent(project(v, -1), 0);
        out[6] = project(section(v, [1, 1], [2, 3]), 1)[2];
        none[0] = 60;",
        &[4, 11, 0, 0, 0, 0, 11],
    );
    assert_eq!(case.as_ints(0), [0, 1, 2, 3, 4, 5, 6, 7, 50, 9, 10, 11]);
}

#[test]
fn view_as_shapes_a_contiguous_view() {
    let case = views(
        "let s = view_as(w, [2, 3]);
        out[0] = extent(s, 0) * 10 + extent(s, 1);
        out[1] = s[1, 2];
        out[2] = s[0, 3];
        s[1, 0] = 30;
        out[3] = extent(view_as(w, [3, 3]), 0);
        out[4] = extent(view_as(w, [-2, -2]), 1);
        out[5] = extent(view_as(w, [2147483647, 2147483647, 2147483647, 0]), 1);
        out[6] = extent(view_as(w, [65536, 65536, 65536, 65536]), 0);",
        &[23, 5, 0, 0, 0, 2147483647, 0],
    );
    assert_eq!(case.as_ints(1), [0, 1, 2, 30, 4, 5, 6, 7]);
}

#[test]
fn a_reinterpretation_has_the_same_bytes() {
    let text = "struct Pair { a: i32, b: f32 }
    kernel k(w: view<i32, 1, read_write>, out: view<i32, 1, read_write>) rank(1) {
        let f = reinterpret<f32>(w);
        f[0] = 1.0;
        out[0] = w[0];
        let b = reinterpret<u8>(section(w, [1], [2]));
        out[1] = extent(b, 0);
        b[1] = 1u32;
        out[2] = w[1];
        let p = reinterpret<Pair>(w);
        out[3] = extent(p, 0);
        p[1].b = 2.0;
        out[4] = w[3];
        out[5] = extent(reinterpret<f32x3>(w), 0);
        out[6] = extent(reinterpret<f32x4>(w), 0);
    }";
    let case = Case::new(text, &[1]).ints(&[5, 0, 7, 8]).zeros(7).run();
    assert_eq!(case.as_ints(1), [0x3f80_0000, 8, 0x100, 2, 0x4000_0000, 0, 1]);
}

#[test]
fn only_a_contiguous_view_is_reinterpreted_or_shaped() {
    let text = "kernel k(w: view<i32, 1, read>, out: view<i32, 1, read_write>) rank(1) {
        out[0] = extent(reinterpret<u32>(w), 0);
        out[1] = extent(view_as(w, [1]), 0);
        out[2] = w[2];
    }";
    for (stride, expected) in [(1, [3, 1, 2]), (2, [0, 0, 4])] {
        let mut case = Case::new(text, &[1]);
        let allocation = case.allocation(int_bytes(&[0, 1, 2, 3, 4]));
        let view = ViewArgument::new(allocation, 0, vec![3], vec![stride]);
        let case = case.bind(Argument::View(view)).zeros(3).run();
        assert_eq!(case.as_ints(1), expected);
    }
}

#[test]
fn a_reinterpreted_view_need_not_be_aligned() {
    let text = "kernel k(b: view<u8, 1, read_write>, out: view<f32, 1, read_write>) rank(1) {
        let f = reinterpret<f32>(section(b, [3], [8]));
        out[0] = f[0] + f[1];
        f[1] = 4.0;
    }";
    let bytes = [vec![7; 3], float_bytes(&[1.5, 2.0]), vec![7]].concat();
    let case = Case::new(text, &[1]).bytes(&bytes, 12).zeros(1).run();
    assert_eq!(case.as_floats(1), [3.5]);
    assert_eq!(case.memory.allocations[0], [vec![7; 3], float_bytes(&[1.5, 4.0]), vec![7]].concat());
}

#[test]
fn views_go_through_functions() {
    let text = "fn sum(v: view<i32, 1, read>) -> i32 {
        var s: i32 = 0;
        var i: i32 = 0;
        while i < extent(v, 0) { s = s + v[i]; i = i + 1; }
        return s;
    }
    fn bump(x: &mut i32, row: &mut [i32; 2]) { x = x + 1; row[1] = row[1] + x; }
    kernel k(v: view<i32, 2, read>, out: view<i32, 1, read_write>) rank(1) {
        out[0] = sum(project(v, 1));
        out[1] = sum(section(project(v, 0), [1], [2]));
        var row: [i32; 2] = zero;
        var n: i32 = 5;
        bump(&mut n, &mut row);
        bump(&mut out[2], &mut row);
        out[3] = n * 100 + row[1];
    }";
    let case = Case::new(text, &[1]).shaped(&int_bytes(&[1, 2, 3, 4, 5, 6]), &[2, 3]).ints(&[0, 0, 7, 0]).run();
    assert_eq!(case.as_ints(1), [15, 5, 8, 614]);
}

#[test]
fn offsets_do_not_wrap_at_32_bits() {
    // A stride that would be 0 in 32 bits reaches beyond the memory and is refused; an empty dimension makes it harmless.
    let text = "kernel k(v: view<i32, 2, read_write>, out: view<i32, 1, read_write>) rank(1) {
        out[0] = v[0, 0];
        v[0, 0] = 1;
        out[1] = extent(section(v, [1, 0], [1, 0]), 0);
        out[2] = extent(project(v, 1), 0);
    }";
    let mut case = Case::new(text, &[1]);
    let allocation = case.allocation(int_bytes(&[7]));
    let view = ViewArgument::new(allocation, 0, vec![2, 0], vec![1 << 62, 1]);
    let case = case.bind(Argument::View(view)).zeros(3).run();
    assert_eq!(case.as_ints(0), [7]);
    assert_eq!(case.as_ints(1), [0, 1, 0]);
}
