//! `for` over every kind of range: the numbers are those that Rust gives, and every loop ends.

use expect_test::expect;
use tilewise_ast::{Binary, ExprKind, Mode, RangeAdapter};
use tilewise_ir::types::Scalar;
use tilewise_lower::{RustFunction, RustType};

use crate::case::{Bind, ints, prints, run_ints};
use crate::dsl::{I32, Src, U32, block, does, scalar, view};

/// How a range is turned.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Rev,
    Step(u32),
}

/// A kernel that writes the numbers of a range one after the other, at most 20 of them, and how many there were last. The ends are captured, or literals.
fn writes(of: Scalar, low: i64, high: i64, inclusive: bool, turns: &[Turn], literal: bool) -> RustFunction {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let ends = [("low", low), ("high", high)].map(|(name, end)| match literal {
        true => None.ok_or(end),
        false => Ok(s.capture(name, scalar(of))),
    });
    s.param("idx", RustType::Index(1), Mode::Value);
    let (n, i) = (s.mutable("n"), s.local("i"));
    let [low, high] = ends.map(|end| match end {
        Ok(capture) => s.cap(capture),
        Err(end) => s.lit(end as u64, scalar(of)),
    });
    let mut head = s.head(i, scalar(of), (low, high));
    head.inclusive = inclusive;
    for turn in turns {
        head.adapters.push(match turn {
            Turn::Rev => RangeAdapter::Rev,
            Turn::Step(n) => RangeAdapter::StepBy(s.lit(u64::from(*n), U32)),
        });
    }
    let body = block([
        s.set(s.index(s.cap(out), s.get(n)), s.cast(s.get(i), I32)),
        s.set_op(Binary::Add, s.get(n), s.int(1)),
        does(s.if_(s.bin(Binary::Ge, s.get(n), s.int(20)), block([does(s.break_(0, None))]), None)),
    ]);
    let body = block([
        s.let_(n, s.int(0)),
        does(s.expr(ExprKind::For(Box::new(head), body, 0))),
        s.set(s.index(s.cap(out), s.int(20)), s.get(n)),
    ]);
    s.finish("kernel", body)
}

/// The numbers as Rust gives them.
fn expected(mut all: Vec<i128>, turns: &[Turn]) -> Vec<i128> {
    for turn in turns {
        match turn {
            Turn::Rev => all.reverse(),
            Turn::Step(n) => all = all.into_iter().step_by(*n as usize).collect(),
        }
    }
    all
}

fn check(of: Scalar, low: i64, high: i64, inclusive: bool, turns: &[Turn]) {
    let number = |end: i64| if of == Scalar::U64 { i128::from(end as u64) } else { i128::from(end) };
    let last = number(high) - i128::from(!inclusive);
    let count = (last - number(low) + 1).clamp(0, 60) as usize;
    // Of a longer range its first numbers, or its last if it is turned around.
    let reversed = turns.iter().filter(|turn| matches!(turn, Turn::Rev)).count() % 2 == 1;
    assert!(last - number(low) < 60 || turns.is_empty() || !reversed, "the test knows 60 numbers of a range");
    let all = (0..count).map(|i| number(low) + i as i128).collect();
    let mut wanted: Vec<i32> = expected(all, turns).into_iter().take(20).map(|n| n as i32).collect();
    let n = wanted.len() as i32;
    wanted.resize(20, 0);
    wanted.push(n);
    for literal in [false, true] {
        // A negative literal is written with a minus sign; these are covered by captured ends.
        if literal && (low < 0 || high < 0) {
            continue;
        }
        let function = writes(of, low, high, inclusive, turns, literal);
        let (low, high) = ([low as u64], [high as u64]);
        let mut binds = vec![ints(&[0; 21])];
        if !literal {
            binds.extend([Bind::Leaves(&low), Bind::Leaves(&high)]);
        }
        let found = run_ints(&function, &[1], binds);
        assert_eq!(found, wanted, "{of} {low:?} {high:?} inclusive {inclusive} {turns:?} literal {literal}");
    }
}

#[test]
fn every_turn_of_every_integer_type() {
    let turns: &[&[Turn]] = &[
        &[],
        &[Turn::Rev],
        &[Turn::Step(3)],
        &[Turn::Rev, Turn::Step(3)],
        &[Turn::Step(3), Turn::Rev],
        &[Turn::Step(2), Turn::Step(2)],
        &[Turn::Rev, Turn::Rev],
        &[Turn::Step(100)],
    ];
    for of in [Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64] {
        for turns in turns {
            for inclusive in [false, true] {
                for (low, high) in [(0, 0), (2, 12), (0, 13), (5, 3), (7, 8)] {
                    check(of, low, high, inclusive, turns);
                }
            }
        }
    }
}

#[test]
fn signed_ranges_cross_zero() {
    for of in [Scalar::I32, Scalar::I64] {
        for turns in [&[][..], &[Turn::Rev], &[Turn::Step(2)], &[Turn::Rev, Turn::Step(4)]] {
            check(of, -5, 5, false, turns);
            check(of, -5, -1, true, turns);
        }
    }
}

#[test]
fn ranges_up_to_the_largest_number_end() {
    let ends = [
        (Scalar::I32, i64::from(i32::MAX)),
        (Scalar::U32, i64::from(u32::MAX)),
        (Scalar::I64, i64::MAX),
        (Scalar::U64, u64::MAX as i64),
    ];
    for (of, end) in ends {
        for turns in [&[][..], &[Turn::Rev], &[Turn::Step(2)], &[Turn::Step(3)], &[Turn::Rev, Turn::Step(2)]] {
            check(of, end.wrapping_sub(4), end, true, turns);
            check(of, end.wrapping_sub(4), end, false, turns);
        }
    }
}

#[test]
fn ranges_down_to_the_smallest_number_end() {
    let ends = [(Scalar::I32, i64::from(i32::MIN)), (Scalar::U32, 0), (Scalar::I64, i64::MIN), (Scalar::U64, 0)];
    for (of, end) in ends {
        for turns in [&[][..], &[Turn::Rev], &[Turn::Rev, Turn::Step(2)], &[Turn::Step(2), Turn::Rev]] {
            check(of, end, end + 4, true, turns);
            check(of, end, end + 4, false, turns);
        }
    }
}

#[test]
fn a_step_that_is_wider_than_half_the_type() {
    check(Scalar::I32, i64::from(i32::MIN), i64::from(i32::MAX), false, &[]);
    let function = writes(Scalar::I32, 0, 0, true, &[Turn::Step(3_000_000_000)], false);
    let (low, high) = ([i32::MIN as u32 as u64], [i32::MAX as u64]);
    let found = run_ints(&function, &[1], vec![ints(&[0; 21]), Bind::Leaves(&low), Bind::Leaves(&high)]);
    assert_eq!(found[..2], [i32::MIN, i32::MIN.wrapping_add(3_000_000_000u32 as i32)]);
    assert_eq!(found[20], 2);
}

#[test]
fn the_shape_of_a_counted_loop() {
    prints(
        &writes(Scalar::I32, 0, 10, false, &[], true),
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var n: i32 = 0;
            var i_counter: i32 = 0;
            while i_counter < 10 {
                let i = i_counter;
                out[n] = i;
                n = n + 1;
                if n >= 20 {
                    break;
                }
            } continuing {
                i_counter = i_counter + 1;
            }
            out[20] = n;
        }
    "#]],
    );
}

#[test]
fn the_shape_of_a_loop_whose_end_is_included() {
    prints(
        &writes(Scalar::I32, 0, 10, true, &[], false),
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>, low: i32, high: i32) rank(1) {
            var n: i32 = 0;
            var i_counter: i32 = low;
            while i_counter <= high {
                let i = i_counter;
                out[n] = i;
                n = n + 1;
                if n >= 20 {
                    break;
                }
            } continuing {
                let %14 = i_counter;
                let %15 = %14 == high;
                i_counter = %14 + 1;
                break if %15
            }
            out[20] = n;
        }
    "#]],
    );
}
