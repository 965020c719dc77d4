//! Conditions, loops, labels, and what leaves them.

use expect_test::expect;
use tilewise_ast::{Binary, Expr, ExprKind, Mode};
use tilewise_lower::{Form, RustBuiltin, RustType};

use crate::case::{ints, prints, run_ints};
use crate::dsl::{I32, Src, block, does, gives, view};

/// A kernel over a view of `i32`s.
struct Start {
    s: Src,
    out: u32,
    i: u32,
}

fn start() -> Start {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    Start { s, out, i }
}

impl Start {
    /// The element at the thread's index.
    fn here(&self) -> Expr {
        self.s.index(self.s.cap(self.out), self.s.get(self.i))
    }

    /// The thread's number.
    fn me(&self) -> Expr {
        self.s.index(self.s.get(self.i), self.s.int(0))
    }
}

#[test]
fn an_if_gives_a_value_and_a_name_may_shadow_another() {
    let it = start();
    let s = &it.s;
    let (x, again) = (s.local("x"), s.local("x"));
    let then = gives([], s.int(100));
    let otherwise = gives([s.let_(again, s.mul(s.get(x), s.int(2)))], s.add(s.get(again), s.int(1)));
    let value = s.if_(s.lt(s.get(x), s.int(2)), then, Some(otherwise));
    let body = block([s.let_(x, it.me()), s.set(it.here(), value)]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let x = global[0];
            let %7 = if x < 2 {
                100
            } else {
                let x_2 = x * 2;
                x_2 + 1
            };
            out[global[0]] = %7;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[4], vec![ints(&[0; 4])]), [100, 100, 5, 7]);
}

#[test]
fn an_if_gives_a_tuple_through_variables() {
    let it = start();
    let s = &it.s;
    let (a, b) = (s.local("a"), s.local("b"));
    let then = gives([], s.tuple([s.int(1), s.int(2)]));
    let otherwise = gives([], s.tuple([it.me(), s.int(3)]));
    let value = s.if_(s.lt(it.me(), s.int(2)), then, Some(otherwise));
    let pattern = tilewise_ast::Pattern::Tuple(vec![tilewise_ast::Pattern::Bind(a), tilewise_ast::Pattern::Bind(b)]);
    let body = block([s.let_pattern(pattern, value), s.set(it.here(), s.add(s.mul(s.get(a), s.int(10)), s.get(b)))]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %2 = global[0] < 2;
            var result_0: i32;
            var result_1: i32;
            if %2 {
                result_0 = 1;
                result_1 = 2;
            } else {
                result_0 = global[0];
                result_1 = 3;
            }
            let a = result_0;
            let b = result_1;
            let %10 = a * 10 + b;
            out[global[0]] = %10;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[4], vec![ints(&[0; 4])]), [12, 12, 23, 33]);
}

#[test]
fn code_behind_a_leave_is_dropped() {
    let it = start();
    let s = &it.s;
    let leave = block([s.set(it.here(), s.int(-1)), does(s.return_(None)), s.set(it.here(), s.int(5))]);
    let body = block([does(s.if_(s.lt(it.me(), s.int(1)), leave, None)), s.set(it.here(), s.int(7))]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            if global[0] < 1 {
                out[global[0]] = -1;
                return;
            }
            out[global[0]] = 7;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[3], vec![ints(&[0; 3])]), [-1, 7, 7]);
}

#[test]
fn a_value_that_leaves_gives_its_type_to_no_one() {
    // let x = if i < 1 { return } else { 4 };
    let it = start();
    let s = &it.s;
    let x = s.local("x");
    let then = gives([], s.return_(None));
    let value = s.if_(s.lt(it.me(), s.int(1)), then, Some(gives([], s.int(4))));
    let body = block([s.let_(x, value), s.set(it.here(), s.get(x))]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let x = if global[0] < 1 {
                return;
            } else {
                4
            };
            out[global[0]] = x;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[9; 2])]), [9, 4]);
}

#[test]
fn and_and_or_ask_no_more_than_they_must() {
    // The right side counts how often it is asked.
    for (and, expected) in [(true, [0, 1]), (false, [1, 0])] {
        let it = start();
        let s = &it.s;
        let n = s.mutable("n");
        let asked = s.inner(gives([s.set_op(Binary::Add, s.get(n), s.int(1))], s.truth(true)));
        let left = s.bin(Binary::Gt, it.me(), s.int(0));
        let condition = if and { s.and(left, asked) } else { s.or(left, asked) };
        let body = block([s.let_(n, s.int(0)), does(s.if_(condition, block([]), None)), s.set(it.here(), s.get(n))]);
        let function = it.s.finish("kernel", body);
        assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), expected);
    }
}

#[test]
fn while_with_continue_and_break() {
    let it = start();
    let s = &it.s;
    let (k, sum) = (s.mutable("k"), s.mutable("sum"));
    let body = block([
        s.let_(k, s.int(0)),
        s.let_(sum, s.int(0)),
        s.while_(
            s.lt(s.get(k), s.int(100)),
            block([
                s.set_op(Binary::Add, s.get(k), s.int(1)),
                does(s.if_(
                    s.bin(Binary::Eq, s.bin(Binary::Rem, s.get(k), s.int(2)), s.int(0)),
                    block([does(s.continue_(0))]),
                    None,
                )),
                does(s.if_(s.bin(Binary::Gt, s.get(k), s.int(7)), block([does(s.break_(0, None))]), None)),
                s.set_op(Binary::Add, s.get(sum), s.get(k)),
            ]),
            0,
        ),
        s.set(it.here(), s.get(sum)),
    ]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var k: i32 = 0;
            var sum: i32 = 0;
            while k < 100 {
                k = k + 1;
                if k % 2 == 0 {
                    continue;
                }
                if k > 7 {
                    break;
                }
                let %14 = k;
                sum = sum + %14;
            }
            let %17 = sum;
            out[global[0]] = %17;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0])]), [1 + 3 + 5 + 7]);
}

#[test]
fn a_loop_gives_what_break_brings() {
    let it = start();
    let s = &it.s;
    let k = s.mutable("k");
    let found = s.loop_(
        block([
            s.set_op(Binary::Add, s.get(k), s.int(1)),
            does(s.if_(
                s.bin(Binary::Ge, s.mul(s.get(k), s.get(k)), s.int(50)),
                block([does(s.break_(0, Some(s.tuple([s.get(k), s.int(5)]))))]),
                None,
            )),
        ]),
        0,
    );
    let p = s.local("p");
    let body = block([
        s.let_(k, it.me()),
        s.let_(p, found),
        s.set(it.here(), s.add(s.field(s.get(p), "0"), s.field(s.get(p), "1"))),
    ]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var k: i32 = global[0];
            var result_0: i32;
            var result_1: i32;
            loop {
                k = k + 1;
                if k * k >= 50 {
                    result_0 = k;
                    result_1 = 5;
                    break;
                }
            }
            let p_0 = result_0;
            let p_1 = result_1;
            let %13 = p_0 + p_1;
            out[global[0]] = %13;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [13, 13]);
}

#[test]
fn labels_reach_outer_loops_and_blocks() {
    // 'a: loop { loop { if k > 3 { break 'a } k += 1; if k > 2 { continue 'a } } }, in a block that is left with a value
    let it = start();
    let s = &it.s;
    let k = s.mutable("k");
    let inner = s.loop_(
        block([
            does(s.if_(s.bin(Binary::Gt, s.get(k), s.int(3)), block([does(s.break_(1, None))]), None)),
            s.set_op(Binary::Add, s.get(k), s.int(1)),
            does(s.if_(s.bin(Binary::Gt, s.get(k), s.int(2)), block([does(s.continue_(1))]), None)),
        ]),
        2,
    );
    let outer = s.loop_(block([does(inner)]), 1);
    let scope = s.labelled(
        gives(
            [does(s.if_(s.lt(it.me(), s.int(1)), block([does(s.break_(7, Some(s.int(40))))]), None)), does(outer)],
            s.get(k),
        ),
        7,
    );
    let body = block([s.let_(k, s.int(0)), s.set(it.here(), scope)]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var k: i32 = 0;
            let %14 = '%0: {
                if global[0] < 1 {
                    break '%0 40;
                }
                '%1: loop {
                    loop {
                        if k > 3 {
                            break '%1;
                        }
                        k = k + 1;
                        if k > 2 {
                            continue '%1;
                        }
                    }
                }
                k
            };
            out[global[0]] = %14;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [40, 4]);
}

#[test]
fn a_loop_without_an_end_ends_its_block() {
    // loop { if n > 3 { return } n += 1 } behind which nothing comes
    let it = start();
    let s = &it.s;
    let n = s.mutable("n");
    let leave = block([s.set(it.here(), s.get(n)), does(s.return_(None))]);
    let body = block([
        s.let_(n, s.int(0)),
        does(s.loop_(
            block([
                does(s.if_(s.bin(Binary::Gt, s.get(n), s.int(3)), leave, None)),
                s.set_op(Binary::Add, s.get(n), s.int(1)),
            ]),
            0,
        )),
        s.set(it.here(), s.int(-1)),
    ]);
    let function = it.s.finish("kernel", body);
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0])]), [4]);
}

#[test]
fn while_true_is_a_loop() {
    let it = start();
    let s = &it.s;
    let n = s.mutable("n");
    let body = block([
        s.let_(n, s.int(0)),
        s.while_(
            s.truth(true),
            block([
                s.set_op(Binary::Add, s.get(n), s.int(1)),
                does(s.if_(
                    s.bin(Binary::Gt, s.get(n), s.int(3)),
                    block([s.set(it.here(), s.get(n)), does(s.return_(None))]),
                    None,
                )),
            ]),
            0,
        ),
        s.set(it.here(), s.int(-1)),
    ]);
    let function = it.s.finish("kernel", body);
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0])]), [4]);
}

#[test]
fn a_name_declared_first_is_written_later() {
    let it = start();
    let s = &it.s;
    let x = s.mutable("x");
    let body = block([
        s.declare(x, I32),
        does(s.if_(
            s.lt(it.me(), s.int(1)),
            block([s.set(s.get(x), s.int(3))]),
            Some(block([s.set(s.get(x), s.int(4))])),
        )),
        s.set(it.here(), s.get(x)),
    ]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var x: i32 = zero;
            if global[0] < 1 {
                x = 3;
            } else {
                x = 4;
            }
            let %5 = x;
            out[global[0]] = %5;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [3, 4]);
}

#[test]
fn an_assignment_computes_its_value_before_its_place() {
    // out[{ n += 1; n }] = { n += 1; n * 10 };
    let it = start();
    let s = &it.s;
    let n = s.mutable("n");
    let index = s.inner(gives([s.set_op(Binary::Add, s.get(n), s.int(1))], s.get(n)));
    let value = s.inner(gives([s.set_op(Binary::Add, s.get(n), s.int(1))], s.mul(s.get(n), s.int(10))));
    let body = block([s.let_(n, s.int(0)), s.set(s.index(s.cap(it.out), index), value)]);
    let function = it.s.finish("kernel", body);
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0; 4])]), [0, 0, 10, 0]);
}

#[test]
fn an_operator_assigns_the_value_the_place_and_then_reads_it() {
    // out[i] += { out[i] = 5; 2 };   reads 5
    let it = start();
    let s = &it.s;
    let value = s.inner(gives([s.set(it.here(), s.int(5))], s.int(2)));
    let body = block([s.set_op(Binary::Add, it.here(), value)]);
    let function = it.s.finish("kernel", body);
    assert_eq!(run_ints(&function, &[1], vec![ints(&[100])]), [7]);
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    // n + { n = 10; n } * { n += 1; n }
    let it = start();
    let s = &it.s;
    let n = s.mutable("n");
    let ten = s.inner(gives([s.set(s.get(n), s.int(10))], s.get(n)));
    let more = s.inner(gives([s.set_op(Binary::Add, s.get(n), s.int(1))], s.get(n)));
    let body = block([s.let_(n, s.int(1)), s.set(it.here(), s.add(s.get(n), s.mul(ten, more)))]);
    let function = it.s.finish("kernel", body);
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0])]), [111]);
}

#[test]
fn an_arm_that_aborts_needs_no_value() {
    let it = start();
    let s = &it.s;
    let x = s.local("x");
    let then = gives([], s.expr(ExprKind::Abort));
    let value = s.if_(s.lt(it.me(), s.int(0)), then, Some(gives([], s.tuple([it.me(), s.int(1)]))));
    let y = s.local("y");
    let then = gives([], s.expr(ExprKind::Abort));
    let single = s.if_(s.lt(it.me(), s.int(0)), then, Some(gives([], s.int(5))));
    let sum = s.add(s.add(s.field(s.get(x), "0"), s.field(s.get(x), "1")), s.get(y));
    let body = block([s.let_(x, value), s.let_(y, single), s.set(it.here(), sum)]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %2 = global[0] < 0;
            var result_0: i32 = zero;
            var result_1: i32 = zero;
            if %2 {
                abort;
            } else {
                result_0 = global[0];
                result_1 = 1;
            }
            let x_0 = result_0;
            let x_1 = result_1;
            let y = if global[0] < 0 {
                abort;
                0
            } else {
                5
            };
            let %12 = x_0 + x_1 + y;
            out[global[0]] = %12;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [6, 7]);
}

#[test]
fn an_arm_that_aborts_needs_no_vector() {
    use tilewise_ir::types::{Data, Scalar};
    const V: Data = Data { scalar: Scalar::I32, width: 2 };
    let it = start();
    let s = &it.s;
    let x = s.local("x");
    let first = gives([], s.expr(ExprKind::Abort));
    let two = s.call(|| Form::Builtin(RustBuiltin::Splat(V)), [it.me()]);
    let value = s.if_(s.lt(it.me(), s.int(0)), first, Some(gives([], two)));
    let body = block([s.let_(x, value), s.set(it.here(), s.field(s.get(x), "y"))]);
    let function = it.s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let x = if global[0] < 0 {
                abort;
                splat(0, 2)
            } else {
                splat(global[0], 2)
            };
            let %7 = x.y;
            out[global[0]] = %7;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [0, 1]);
}

/// A kernel in tiles of 8, whose body meets at barriers.
fn tiled(body: impl FnOnce(&Src, u32, u32) -> Vec<tilewise_ast::Statement>) -> tilewise_lower::RustFunction {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let t = s.param("t", RustType::TiledIndex(vec![8]), Mode::Value);
    let body = block(body(&s, out, t));
    s.finish("kernel", body)
}

fn wait(s: &Src, t: u32) -> tilewise_ast::Statement {
    use tilewise_ir::kernel::Fence;
    does(s.call(|| Form::Builtin(RustBuiltin::Barrier(Fence::All)), [s.field(s.get(t), "barrier")]))
}

#[test]
fn a_reduction_meets_in_a_loop() {
    let function = tiled(|s, out, t| {
        let (sums, half) = (s.local("sums"), s.mutable("half"));
        let me = || s.index(s.field(s.get(t), "local"), s.int(0));
        let at = |n| s.index(s.get(sums), n);
        let fold = block([s.set_op(Binary::Add, at(me()), at(s.add(me(), s.get(half))))]);
        vec![
            s.tile_static(sums, crate::dsl::array(I32, 8)),
            s.set(at(me()), s.index(s.cap(out), s.get(t))),
            s.let_(half, s.int(4)),
            wait(s, t),
            s.while_(
                s.bin(Binary::Gt, s.get(half), s.int(0)),
                block([
                    does(s.if_(s.lt(me(), s.get(half)), fold, None)),
                    wait(s, t),
                    s.set_op(Binary::Div, s.get(half), s.int(2)),
                ]),
                0,
            ),
            s.set(s.index(s.cap(out), s.get(t)), at(s.int(0))),
        ]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) tile(8) {
            tile_static sums: [i32; 8];
            let %2 = out[global[0]];
            sums[local[0]] = %2;
            var half: i32 = 4;
            barrier;
            while half > 0 {
                if local[0] < half {
                    let %14 = sums[local[0] + half];
                    let %15 = local[0];
                    sums[%15] = sums[%15] + %14;
                }
                barrier;
                half = half / 2;
            }
            let %21 = sums[0];
            out[global[0]] = %21;
        }
    "#]],
    );
    let values: Vec<i32> = (0..16).collect();
    assert_eq!(run_ints(&function, &[16], vec![ints(&values)]), [[28; 8], [92; 8]].concat());
}

#[test]
fn every_for_loop_may_contain_a_barrier() {
    use tilewise_ast::RangeAdapter;
    for (inclusive, turns) in [(false, 0), (true, 0), (false, 1), (true, 1), (false, 2), (false, 3)] {
        for captured in [false, true] {
            let s = Src::new();
            let out = s.capture("out", view(I32, 1));
            let n = s.capture("n", I32);
            let t = s.param("t", RustType::TiledIndex(vec![8]), Mode::Value);
            let (k, sum) = (s.local("k"), s.mutable("sum"));
            let end = if captured { s.cap(n) } else { s.int(5) };
            let mut head = s.head(k, I32, (s.int(0), end));
            head.inclusive = inclusive;
            let step = || RangeAdapter::StepBy(s.lit(2, crate::dsl::U32));
            head.adapters = match turns {
                0 => vec![],
                1 => vec![RangeAdapter::Rev],
                2 => vec![step()],
                _ => vec![RangeAdapter::Rev, step()],
            };
            let body = block([wait(&s, t), s.set_op(Binary::Add, s.get(sum), s.get(k))]);
            let body = block([
                s.let_(sum, s.int(0)),
                does(s.expr(ExprKind::For(Box::new(head), body, 0))),
                s.set(s.index(s.cap(out), s.get(t)), s.get(sum)),
            ]);
            let function = s.finish("kernel", body);
            let expected = match (inclusive, turns) {
                (true, _) => 15,
                (false, 2) => 2 + 4,
                (false, 3) => 4 + 2,
                _ => 10,
            };
            let five = crate::case::Bind::Leaves(&[5]);
            assert_eq!(run_ints(&function, &[8], vec![ints(&[0; 8]), five]), [expected; 8]);
        }
    }
}
