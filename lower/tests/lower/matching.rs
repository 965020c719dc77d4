//! `match`: the arm that Rust takes, and a `switch` where one fits.

use std::sync::Arc;

use expect_test::expect;
use tilewise_ast::{Binary, Expr, Mode, Pattern, SyntaxLiteral};
use tilewise_ir::types::Scalar;
use tilewise_lower::{EnumTy, RustFunction, RustType};

use crate::case::{ints, prints, run_ints};
use crate::dsl::{I32, Src, block, view};

/// A kernel that matches the thread's number.
fn matches(arms: impl FnOnce(&Src, &dyn Fn() -> Expr) -> Expr) -> RustFunction {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let value = arms(&s, &|| s.index(s.get(i), s.int(0)));
    let body = block([s.set(s.index(s.cap(out), s.get(i)), value)]);
    s.finish("kernel", body)
}

fn run(function: &RustFunction) -> Vec<i32> {
    run_ints(function, &[6], vec![ints(&[-1; 6])])
}

#[test]
fn numbers_become_a_switch() {
    let function = matches(|s, me| {
        s.match_(
            me(),
            [
                (s.number(0), None, s.int(10)),
                (Pattern::Or(vec![s.number(1), s.number(3), s.number(0)]), None, s.int(20)),
                (s.number(3), None, s.int(99)),
                (Pattern::Wild, None, s.int(30)),
            ],
        )
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %0 = global[0];
            var result: i32;
            switch %0 {
                case 0: {
                    result = 10;
                }
                case 1, 3: {
                    result = 20;
                }
                default: {
                    result = 30;
                }
            }
            let %4 = result;
            out[global[0]] = %4;
        }
    "#]],
    );
    assert_eq!(run(&function), [10, 20, 30, 20, 30, 30]);
}

#[test]
fn an_enum_needs_no_arm_for_the_rest() {
    let color = || {
        RustType::Enum(Arc::new(EnumTy {
            name: "Color".to_owned(),
            scalar: Scalar::I32,
            variants: vec![("Red", 0), ("Green", 1), ("Blue", 7)],
        }))
    };
    let function = matches(|s, me| {
        let at = || s.at();
        let variant = |bits: u64| Pattern::Const(s.constant(color(), &[bits]), at());
        let picked = s.if_(
            s.lt(me(), s.int(2)),
            crate::dsl::gives([], s.konst(color(), &[0])),
            Some(crate::dsl::gives([], s.konst(color(), &[7]))),
        );
        s.match_(picked, [(variant(0), None, s.int(1)), (variant(1), None, s.int(2)), (variant(7), None, s.int(3))])
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %5 = if global[0] < 2 { 0 } else { 7 };
            var result: i32;
            switch %5 {
                case 0: {
                    result = 1;
                }
                case 1: {
                    result = 2;
                }
                default: {
                    result = 3;
                }
            }
            let %8 = result;
            out[global[0]] = %8;
        }
    "#]],
    );
    assert_eq!(run(&function), [1, 1, 3, 3, 3, 3]);
}

#[test]
fn ranges_and_bindings_are_a_chain() {
    let function = matches(|s, me| {
        let x = s.local("x");
        s.match_(
            me(),
            [
                (s.span(None, Some(s.number(1)), false), None, s.int(100)),
                (s.span(Some(s.number(1)), Some(s.number(3)), true), None, s.int(200)),
                (Pattern::Bind(x), None, s.mul(s.get(x), s.int(2))),
            ],
        )
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let x = global[0];
            let %12 = if x < 1 {
                100
            } else if (x >= 1) & (x <= 3) {
                200
            } else {
                x * 2
            };
            out[global[0]] = %12;
        }
    "#]],
    );
    assert_eq!(run(&function), [100, 200, 200, 200, 8, 10]);
}

#[test]
fn guards_see_the_names_and_fall_through() {
    let function = matches(|s, me| {
        let (x, y) = (s.local("x"), s.local("y"));
        let odd = s.bin(Binary::Eq, s.bin(Binary::Rem, s.get(x), s.int(2)), s.int(1));
        s.match_(
            me(),
            [
                (s.number(3), Some(s.truth(false)), s.int(-3)),
                (Pattern::Bind(x), Some(odd), s.add(s.get(x), s.int(100))),
                (Pattern::Bind(y), None, s.get(y)),
            ],
        )
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let x = global[0];
            let %13 = if x == 3 && false {
                -3
            } else if x % 2 == 1 {
                x + 100
            } else {
                x
            };
            out[global[0]] = %13;
        }
    "#]],
    );
    assert_eq!(run(&function), [0, 101, 2, 103, 4, 105]);
}

#[test]
fn tuples_are_matched_part_by_part() {
    let function = matches(|s, me| {
        let x = s.local("x");
        let even = s.bin(Binary::Eq, s.bin(Binary::Rem, me(), s.int(2)), s.int(0));
        let truth = |value| Pattern::Literal(SyntaxLiteral::Bool(value), false, s.at());
        let pair = |a, b| Pattern::Tuple(vec![a, b]);
        s.match_(
            s.tuple([me(), even]),
            [
                (pair(s.number(0), Pattern::Wild), None, s.int(-1)),
                (pair(s.span(Some(s.number(4)), None, false), truth(true)), None, s.int(-4)),
                (
                    Pattern::Or(vec![pair(Pattern::Bind(x), truth(true)), pair(Pattern::Bind(x), truth(false))]),
                    None,
                    s.get(x),
                ),
            ],
        )
    });
    assert_eq!(run(&function), [-1, 1, 2, 3, -4, 5]);
}

#[test]
fn arms_may_give_structures_and_leave() {
    let function = matches(|s, me| {
        let (a, b) = (s.local("a"), s.local("b"));
        let value = s.match_(
            me(),
            [
                (s.number(0), None, s.return_(None)),
                (s.number(1), None, s.tuple([s.int(1), s.int(2)])),
                (s.number(2), None, s.tuple([s.int(3), s.int(4)])),
                (Pattern::Wild, None, s.tuple([me(), s.int(0)])),
            ],
        );
        let pattern = Pattern::Tuple(vec![Pattern::Bind(a), Pattern::Bind(b)]);
        s.inner(crate::dsl::gives([s.let_pattern(pattern, value)], s.add(s.mul(s.get(a), s.int(10)), s.get(b))))
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %0 = global[0];
            var result_0: i32;
            var result_1: i32;
            switch %0 {
                case 0: {
                    return;
                }
                case 1: {
                    result_0 = 1;
                    result_1 = 2;
                }
                case 2: {
                    result_0 = 3;
                    result_1 = 4;
                }
                default: {
                    result_0 = global[0];
                    result_1 = 0;
                }
            }
            let a = result_0;
            let b = result_1;
            let %11 = a * 10 + b;
            out[global[0]] = %11;
        }
    "#]],
    );
    assert_eq!(run(&function), [-1, 12, 34, 30, 40, 50]);
}

#[test]
fn a_single_arm_only_binds() {
    let function = matches(|s, me| {
        let (a, b, c, d) = (s.local("a"), s.local("b"), s.local("c"), s.local("d"));
        let pair = |a, b| Pattern::Tuple(vec![Pattern::Bind(a), Pattern::Bind(b)]);
        let swapped = s.match_(s.tuple([me(), s.int(7)]), [(pair(a, b), None, s.tuple([s.get(b), s.get(a)]))]);
        s.match_(swapped, [(pair(c, d), None, s.add(s.mul(s.get(c), s.int(10)), s.get(d)))])
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let a = global[0];
            let %4 = 7 * 10 + a;
            out[global[0]] = %4;
        }
    "#]],
    );
    assert_eq!(run(&function), [70, 71, 72, 73, 74, 75]);
}
