//! The test of the test: a row with a wrong meaning must be found.
//!
//! Three kinds of wrong meaning: that of any other row of the same shape; the right one but for a single special value in a single argument; and classical
//! mistakes, written by hand.

use tilewise_ir::ops::{Instance, Lanes, Op, OpRow, Oracle, SlotScalar, SlotWidth};
use tilewise_ir::types::Scalar;

use crate::judge::scalars;
use crate::{arguments, check, random_tuples, softfloat};

/// Rows that are the same function at a type.
fn twins(a: &OpRow, b: &OpRow, t: Scalar) -> bool {
    let either = |x: Op, y: Op| a.op == x && b.op == y || a.op == y && b.op == x;
    let unsigned = matches!(t, Scalar::U32 | Scalar::U64);
    either(Op::Trunc, Op::ModfWhole)
        || t.is_float() && either(Op::Fma, Op::Mad)
        || unsigned
            && [(Op::Div, Op::DivEuclid), (Op::Rem, Op::RemEuclid), (Op::SubOverflows, Op::Lt)]
                .iter()
                .any(|&(x, y)| either(x, y))
        || either(Op::ToI32, Op::BitcastI32) && t != Scalar::F32
        || either(Op::ToU32, Op::BitcastU32) && t != Scalar::F32
        || either(Op::ToF32, Op::BitcastF32) && t == Scalar::F32
        || either(Op::ToI64, Op::BitcastI64) && t != Scalar::F64
        || either(Op::ToU64, Op::BitcastU64) && t != Scalar::F64
        || either(Op::ToF64, Op::BitcastF64) && t == Scalar::F64
        || t == Scalar::Bool && (either(Op::Ne, Op::Xor))
}

/// The component types and widths of a row's slots at a scalar.
fn shape(row: &OpRow, t: Scalar) -> Vec<(Scalar, SlotWidth)> {
    let of = |scalar| match scalar {
        SlotScalar::T => t,
        SlotScalar::Fixed(fixed) => fixed,
    };
    row.args.iter().chain([&row.result]).map(|slot| (of(slot.scalar), slot.width)).collect()
}

#[test]
fn a_row_with_the_meaning_of_another_is_caught() {
    let (mut swaps, mut unnoticed) = (0, Vec::<String>::new());
    for row in Op::ROWS {
        for t in scalars(row) {
            for other in Op::ROWS {
                let fits = other.each == row.each && other.widths == row.widths && scalars(other).contains(&t);
                if other.op == row.op || !fits || shape(other, t) != shape(row, t) || twins(row, other, t) {
                    continue;
                }
                swaps += 1;
                let wrong = |instance: Instance, args: &[Lanes]| other.op.eval(instance, args);
                if check(row, t, &wrong, 256).is_ok() {
                    unnoticed.push(format!("{} in place of {} at {t}", other.name, row.name));
                }
            }
        }
    }
    assert!(unnoticed.is_empty(), "not noticed:\n{}", unnoticed.join("\n"));
    assert!(swaps > 500, "only {swaps} swaps were tried");
    println!("{swaps} swaps, each noticed");
}

/// Values that an implementation may treat differently.
fn special(t: Scalar) -> Vec<u64> {
    match softfloat::format(t) {
        Some(f) => {
            let sizes = [0, 1, f.one(), f.inf() - 1, f.inf(), f.nan()];
            sizes.into_iter().chain(sizes.map(|size| f.signed(true, size)).into_iter().take(5)).collect()
        }
        None if t == Scalar::Bool => vec![0, 1],
        None => {
            let top = 1 << (t.bits() - 1);
            vec![0, 1, top, top - 1, arguments::mask(t)]
        }
    }
}

#[test]
fn a_fault_at_one_special_value_of_one_argument_is_caught() {
    let (mut faults, mut unnoticed) = (0, Vec::<String>::new());
    for row in Op::ROWS {
        for t in scalars(row) {
            for (at, &of) in arguments::scalars(row, t).iter().enumerate() {
                for value in special(of) {
                    let wrong = |instance: Instance, args: &[Lanes]| {
                        let mut out = row.op.eval(instance, args);
                        let lanes = usize::from(if row.each { instance.width } else { 1 });
                        let met =
                            |lane: usize| if row.each { args[at][lane] == value } else { args[at].contains(&value) };
                        for lane in (0..lanes).filter(|&lane| met(lane)) {
                            let nan = softfloat::format(instance.result.scalar)
                                .is_some_and(|f| softfloat::is_nan(f, out[lane]));
                            out[lane] = if nan { 0 } else { out[lane] ^ 1 };
                        }
                        out
                    };
                    faults += 1;
                    // Without random tuples: the edges alone must bring each special value to each argument.
                    if check(row, t, &wrong, 0).is_ok() {
                        unnoticed.push(format!("{} at {t}: argument {at} = {value:#x}", row.name));
                    }
                }
            }
        }
    }
    assert!(unnoticed.is_empty(), "not noticed:\n{}", unnoticed.join("\n"));
    println!("{faults} faults at special values, each noticed");
}

/// Fails unless the harness finds `wrong` at the row's scalar `t`. `wrong` works on single components.
fn assert_caught(name: &str, t: Scalar, fault: &str, wrong: fn([u64; 4]) -> u64) {
    let row = Op::by_name(name).expect("the row exists").row();
    let meaning = |instance: Instance, args: &[Lanes]| {
        let mut four = [[0; 4]; 4];
        four[..args.len()].copy_from_slice(args);
        let mut out = [0; 4];
        (0..usize::from(instance.width)).for_each(|i| out[i] = wrong(four.map(|arg| arg[i])));
        out
    };
    let report = check(row, t, &meaning, random_tuples()).expect_err(fault);
    assert!(report.contains(name) && report.contains("row:"), "the report names the row and both results: {report}");
}

#[test]
fn subtly_wrong_meanings_are_caught() {
    fn f32_of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn to_bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }
    assert_caught("fma", Scalar::F32, "rounds twice", |[a, b, c, _]| to_bits(f32_of(a) * f32_of(b) + f32_of(c)));
    assert_caught("fma", Scalar::F32, "goes through f64", |[a, b, c, _]| {
        to_bits((f64::from(f32_of(a)) * f64::from(f32_of(b)) + f64::from(f32_of(c))) as f32)
    });
    assert_caught("min", Scalar::F32, "ignores the sign of zero", |[a, b, ..]| {
        if f32_of(a).is_nan() || f32_of(b) < f32_of(a) { b } else { a }
    });
    assert_caught("round", Scalar::F32, "adds a half", |[a, ..]| {
        to_bits((f32_of(a).abs() + 0.5).floor().copysign(f32_of(a)))
    });
    assert_caught("add", Scalar::F32, "flushes denormals", |[a, b, ..]| {
        let sum = f32_of(a) + f32_of(b);
        to_bits(if sum.is_subnormal() { 0.0 } else { sum })
    });
    assert_caught("div", Scalar::F32, "multiplies by the reciprocal", |[a, b, ..]| {
        to_bits(f32_of(a) * (1.0 / f32_of(b)))
    });
    assert_caught("ldexp", Scalar::F64, "rounds twice into denormals", |[a, e, ..]| {
        let half = (e as u32 as i32).clamp(-2200, 2200) / 2;
        let rest = (e as u32 as i32).clamp(-2200, 2200) - half;
        (f64::from_bits(a) * 2f64.powi(half) * 2f64.powi(rest)).to_bits()
    });
    assert_caught("to_f32", Scalar::I64, "goes through f64", |[a, ..]| to_bits(a as i64 as f64 as f32));
    assert_caught("quantize_f16", Scalar::F32, "cuts off", |[a, ..]| a & !0x1fff);
    assert_caught("shl", Scalar::I32, "loses the sign of the amount", |[a, n, ..]| {
        if n >= 32 { 0 } else { u64::from((a as u32) << n) }
    });
    assert_caught("div", Scalar::I32, "traps in its own way", |[a, b, ..]| {
        u64::from((a as i32).checked_div(b as i32).unwrap_or(0) as u32)
    });
    assert_caught("extract_bits", Scalar::I32, "does not extend the sign", |[e, offset, count, _]| {
        if offset >= 32 { 0 } else { e >> offset & ((1u64 << count.min(32 - offset)) - 1) }
    });
    assert_caught("smoothstep", Scalar::F32, "groups the other way", |[lo, hi, x, _]| {
        let t = ((f32_of(x) - f32_of(lo)) / (f32_of(hi) - f32_of(lo))).clamp(0.0, 1.0);
        to_bits(t * (t * (3.0 - 2.0 * t)))
    });
}

#[test]
fn a_row_that_no_oracle_judges_fails() {
    let mut row = *Op::Add.row();
    row.oracles = &[Oracle::CoreMath];
    assert!(check(&row, Scalar::I32, &|_, _| [0; 4], 1).is_err_and(|report| report.contains("no oracle")));
}
