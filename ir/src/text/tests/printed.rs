//! Kernels as they are printed.

use expect_test::{Expect, expect};

use super::super::{parse, print};

fn prints(statements: &str, expected: Expect) {
    let text = format!(
        "struct P {{ pos: f32x3, mass: f32 }}\nkernel k(v: view<i32, 1, read_write>, w: view<P, 2, read>, x: i32, c: bool) rank(1) {{\n{statements}\n}}\n"
    );
    let kernel = parse("a.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
    let printed = print(&kernel);
    let again = parse("printed", &printed).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(kernel, again, "{printed}");
    let (_, body) = printed.split_once("rank(1) {\n").unwrap_or_default();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn operands_nest_in_the_order_of_evaluation() {
    prints(
        "v[0] = v[1] + v[2] * (v[3] - -1) % 7;",
        expect![[r#"
                v[0] = v[1] + v[2] * (v[3] - -1) % 7;
        "#]],
    );
    prints(
        "let %1 = v[1];\nlet %2 = v[2];\nv[0] = %2 - %1;",
        expect![[r#"
                let %2 = v[1];
                v[0] = v[2] - %2;
        "#]],
    );
    prints(
        "let %1 = v[1];\nv[5] = 1;\nv[0] = %1;",
        expect![[r#"
                let %2 = v[1];
                v[5] = 1;
                v[0] = %2;
        "#]],
    );
    prints(
        "let %1 = v[1];\nv[0] = %1 * %1;",
        expect![[r#"
                let %2 = v[1];
                v[0] = %2 * %2;
        "#]],
    );
    prints(
        "let y = v[1];\nv[0] = y;",
        expect![[r#"
                let y = v[1];
                v[0] = y;
        "#]],
    );
}

#[test]
fn operators_have_as_few_parentheses_as_they_need() {
    prints(
        "v[0] = ((1 + x) * 2 - (3 - x)) << (1u32 + 2u32) & -x | -(3) ^ !(x as u32 as i32);",
        expect![[r#"
                v[0] = (1 + x) * 2 - (3 - x) << 1u32 + 2u32 & -x | -(3) ^ !(x as u32 as i32);
        "#]],
    );
    prints(
        "let y = (1 < x) == (x <= 3) && !c || (c || c) && c;",
        expect![[r#"
                let y = (1 < x) == (x <= 3) && !c || (c || c) && c;
        "#]],
    );
    prints(
        "let y = (w[0, 1].pos).x + w[2, 3].pos.x + w[1, 1].pos.zyx.y + (w[1, 1].pos)[x] + w[1, 1].pos[x];",
        expect![[r#"
                let y = (w[0, 1].pos).x + w[2, 3].pos.x + w[1, 1].pos.zyx.y + (w[1, 1].pos)[x] + w[1, 1].pos[x];
        "#]],
    );
}

#[test]
fn constructs_with_values_stand_where_there_is_room() {
    prints(
        "v[0] = if c { let y = v[1]; y * 2 } else if x == 3 && c { 4 } else { 5 };\nv[1] = (if c { 1 } else { 2 }) + 3;",
        expect![[r#"
                v[0] = if c {
                    let y = v[1];
                    y * 2
                } else if x == 3 && c {
                    4
                } else {
                    5
                };
                v[1] = (if c { 1 } else { 2 }) + 3;
        "#]],
    );
    prints(
        "v[0] = 's: { if c { break 's 1; } 2 } + 3;",
        expect![[r#"
                let %3 = 's: {
                    if c {
                        break 's 1;
                    }
                    2
                };
                v[0] = %3 + 3;
        "#]],
    );
    prints(
        "if c { } else { if c { abort; } else { v[0] = 1; } }\nif c { 1 } else { 2 };",
        expect![[r#"
                if c {} else if c {
                    abort;
                } else {
                    v[0] = 1;
                }
                if c { 1 } else { 2 };
        "#]],
    );
    prints(
        "while { let y = v[0]; y < 3 } { continue; }\nloop { break; } continuing { break if v[0] == 1 }",
        expect![[r#"
                while {
                    let y = v[0];
                    y < 3
                } {
                    continue;
                }
                loop {
                    break;
                } continuing {
                    break if v[0] == 1
                }
        "#]],
    );
}

#[test]
fn deep_expressions_are_cut() {
    prints(
        "v[0] = v[1 + v[2 + v[3 + v[4 + v[5 + v[6 + v[7 + v[8 + v[9]]]]]]]]];",
        expect![[r#"
                let %19 = 3 + v[4 + v[5 + v[6 + v[7 + v[8 + v[9]]]]]];
                v[0] = v[1 + v[2 + v[%19]]];
        "#]],
    );
}

#[test]
fn a_stride_is_printed_if_the_natural_one_is_4_gib() {
    let text = "struct S size(4294967295) align(2147483648) { x: i32 }
        kernel k(a: view<u8, 1, read>, out: view<i32, 1, read_write>) rank(1) {
            let r = reinterpret<[S; 1 stride 4294967295]>(a);
            out[0] = r[0][0].x;
        }";
    let kernel = parse("a.kir", text).expect("it parses");
    let printed = print(&kernel);
    assert!(printed.contains("[S; 1 stride 4294967295]"), "{printed}");
    assert_eq!(parse("printed", &printed).map_err(|failure| failure.to_string()), Ok(kernel));
}

/// Prints the kernel, which takes little time, and reads it back.
fn prints_quickly(text: &str) -> String {
    let kernel = parse("a.kir", text).expect("it parses");
    let start = std::time::Instant::now();
    let printed = print(&kernel);
    assert!(start.elapsed().as_millis() < 1000, "{:?}", start.elapsed());
    assert!(parse("printed", &printed).is_ok_and(|again| again == kernel));
    printed
}

#[test]
fn blocks_of_an_else_that_ends_in_an_if_are_printed_once_each() {
    let nest =
        (0..14).fold("if c {} else {}".to_owned(), |inner, _| format!("if c {} else {{ {inner} if c {{}} }}", "{}"));
    let text = format!("kernel k(c: bool, out: view<i32, 1, read_write>) rank(1) {{ {} }}", nest.repeat(30));
    let printed = prints_quickly(&text);
    assert_eq!(printed.matches("if c").count(), 30 * (1 + 2 * 14), "{printed}");
}

#[test]
fn lines_in_deep_blocks_are_not_copied_at_each_level() {
    let (open, close) = ("if c { ".repeat(240), "}".repeat(240));
    let text = format!("kernel k(c: bool, n: i32) rank(1) {{ {open} {} {close} }}", "-n; ".repeat(4000));
    let printed = prints_quickly(&text);
    // As far as lines are indented.
    let line = format!("\n{}-n;", "    ".repeat(40));
    assert_eq!(printed.matches(&line).count(), 4000);
}

#[test]
fn deep_blocks_do_not_make_a_text_that_is_too_long_to_be_read() {
    for (nesting, count) in [(250, 20_000), (250, 95_000), (60, 60_000)] {
        let (open, close) = ("if c { ".repeat(nesting), "}".repeat(nesting));
        let text = format!("kernel k(c: bool, n: i32) rank(1) {{ {open} {} {close} }}", "-n; ".repeat(count));
        let kernel = parse("a.kir", &text).expect("it parses");
        let printed = print(&kernel);
        assert!(printed.len() < 3 << 20, "{} bytes", printed.len());
        assert!(parse("printed", &printed).is_ok_and(|again| again == kernel));
    }
}
