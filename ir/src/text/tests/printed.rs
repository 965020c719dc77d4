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
