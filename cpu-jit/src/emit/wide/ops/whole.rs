//! Rows that take whole vectors, lowered one result component at a time as formulas over
//! componentwise rows.

use iced_x86::Code;
use tilewise_ir::ops::{Instance, Op};
use tilewise_ir::types::Scalar;

use super::super::vectors::{FloatOrder, IntOrder, WideValue};
use super::super::writer::CodeWriter;
use super::each;
use super::float::most;
use crate::emit::op::whole::{Geometry, Packed, WholeRow};
use crate::lanes::Elem;

/// One component of an operation: `args` has the components of each argument.
pub(super) fn row(
    writer: &mut CodeWriter,
    row: WholeRow,
    instance: Instance,
    args: &[&[WideValue]],
    component: usize,
) -> Option<WideValue> {
    let x = *args.first()?;
    match row {
        WholeRow::Any => Some(fold(writer, x, CodeWriter::mask_or)),
        WholeRow::All => Some(fold(writer, x, CodeWriter::mask_and)),
        WholeRow::Dot => dot(writer, instance.scalar, x, args[1]),
        WholeRow::Geometry(op) => geometry(writer, op, instance.scalar, args, component),
        WholeRow::Packed(op) => packed(writer, op, args, component),
    }
}

fn fold(
    writer: &mut CodeWriter,
    x: &[WideValue],
    step: impl Fn(&mut CodeWriter, &WideValue, &WideValue) -> WideValue,
) -> WideValue {
    let mut all = x[0].clone();
    for next in &x[1..] {
        all = step(writer, &all, next);
    }
    all
}

/// The sum of products, in order.
fn dot(writer: &mut CodeWriter, scalar: Scalar, a: &[WideValue], b: &[WideValue]) -> Option<WideValue> {
    let mut sum = each(writer, Op::Mul, scalar, &[a[0].clone(), b[0].clone()])?;
    for (a, b) in a.iter().zip(b).skip(1) {
        let product = each(writer, Op::Mul, scalar, &[a.clone(), b.clone()])?;
        sum = each(writer, Op::Add, scalar, &[sum, product])?;
    }
    Some(sum)
}

fn geometry(
    writer: &mut CodeWriter,
    op: Geometry,
    scalar: Scalar,
    args: &[&[WideValue]],
    c: usize,
) -> Option<WideValue> {
    let x = args[0];
    Some(match op {
        Geometry::Cross => {
            let (a, b, j, k) = (x, args[1], (c + 1) % 3, (c + 2) % 3);
            let (first, second) = (writer.fmul(&a[j], &b[k]), writer.fmul(&a[k], &b[j]));
            writer.fsub(&first, &second)
        }
        Geometry::Length => length(writer, scalar, x)?,
        Geometry::Distance => {
            let between: Vec<WideValue> = x.iter().zip(args[1]).map(|(a, b)| writer.fsub(a, b)).collect();
            length(writer, scalar, &between)?
        }
        Geometry::Normalize => {
            let length = length(writer, scalar, x)?;
            writer.fdiv(&x[c], &length)
        }
        Geometry::Reflect => {
            let (two, normal) = (writer.float(&x[0], 2.0), args[1]);
            let along = dot(writer, scalar, normal, x)?;
            let twice = writer.fmul(&along, &two);
            let back = writer.fmul(&twice, &normal[c]);
            writer.fsub(&x[c], &back)
        }
        Geometry::Refract => {
            let (normal, eta) = (args[1], &args[2][0]);
            let (zero, one) = (writer.float(eta, 0.0), writer.float(eta, 1.0));
            let d = dot(writer, scalar, normal, x)?;
            let square = writer.fmul(&d, &d);
            let rest = writer.fsub(&one, &square);
            let eta_square = writer.fmul(eta, eta);
            let bent = writer.fmul(&eta_square, &rest);
            let k = writer.fsub(&one, &bent);
            let none = writer.compare_floats(FloatOrder::Less, &k, &zero);
            let root = super::float::sqrt(writer, &k);
            let along = writer.fmul(eta, &d);
            let along = writer.fadd(&along, &root);
            let (forward, back) = (writer.fmul(eta, &x[c]), writer.fmul(&along, &normal[c]));
            let bent = writer.fsub(&forward, &back);
            writer.select(&none, &zero, &bent)
        }
        Geometry::FaceForward => {
            let d = dot(writer, scalar, args[2], args[1])?;
            let zero = writer.float(&d, 0.0);
            let keeps = writer.compare_floats(FloatOrder::Less, &d, &zero);
            let turned = each(writer, Op::Neg, scalar, &[x[c].clone()])?;
            writer.select(&keeps, &x[c], &turned)
        }
    })
}

fn length(writer: &mut CodeWriter, scalar: Scalar, x: &[WideValue]) -> Option<WideValue> {
    let square = dot(writer, scalar, x, x)?;
    Some(super::float::sqrt(writer, &square))
}

/// An operation on packed numbers.
fn packed(writer: &mut CodeWriter, op: Packed, args: &[&[WideValue]], c: usize) -> Option<WideValue> {
    let x = args[0];
    Some(match op {
        Packed::PackU64 => {
            let (low, high) = (writer.extended(&x[0], Elem::I64, false), writer.extended(&x[1], Elem::I64, false));
            let high = writer.up(&high, 32);
            writer.or(&low, &high)
        }
        Packed::UnpackU64 => {
            let half = if c == 0 { x[0].clone() } else { writer.down(&x[0], 32) };
            writer.low_words(&half)
        }
        Packed::PackSnorm(one) => normalised(writer, x, one.into(), true)?,
        Packed::PackUnorm(one) => normalised(writer, x, one.into(), false)?,
        Packed::PackHalves => {
            let halves: Vec<WideValue> = x
                .iter()
                .map(|x| {
                    // NaN loses its sign.
                    let half = writer.float_to_half(x);
                    let nan = writer.bits(&half, 0x7e00);
                    let is_nan = writer.compare_floats(FloatOrder::Unordered, x, x);
                    writer.select(&is_nan, &nan, &half)
                })
                .collect();
            together(writer, &halves)
        }
        Packed::UnpackSnorm(bits, one) => unnormalised(writer, &x[0], c, bits, true, one.into())?,
        Packed::UnpackUnorm(bits, one) => unnormalised(writer, &x[0], c, bits, false, one.into())?,
        Packed::UnpackHalves => {
            let half = part(writer, &x[0], c, 16, false);
            writer.half_to_float(&half)
        }
        Packed::PackBytes => together(writer, x),
        Packed::PackClampedSigned => {
            let (low, high) = (writer.bits(&x[0], -128_i64 as u64), writer.bits(&x[0], 127));
            let held: Vec<WideValue> = x
                .iter()
                .map(|x| {
                    let held = writer.extreme(x, &low, true, true);
                    writer.extreme(&held, &high, true, false)
                })
                .collect();
            together(writer, &held)
        }
        Packed::PackClampedUnsigned => {
            let most = writer.bits(&x[0], 255);
            let held: Vec<WideValue> = x.iter().map(|x| writer.extreme(x, &most, false, false)).collect();
            together(writer, &held)
        }
        Packed::UnpackSigned => part(writer, &x[0], c, 8, true),
        Packed::UnpackUnsigned => part(writer, &x[0], c, 8, false),
        Packed::DotSigned | Packed::DotUnsigned => {
            let signed = op == Packed::DotSigned;
            let products: Vec<WideValue> = (0..4)
                .map(|i| {
                    let (a, b) = (part(writer, &x[0], i, 8, signed), part(writer, &args[1][0], i, 8, signed));
                    writer.imul(&a, &b)
                })
                .collect();
            fold(writer, &products, CodeWriter::iadd)
        }
        Packed::Msad4 => {
            let source = args[1];
            let mut sum = args[2][c].clone();
            let zero = writer.bits(&sum, 0);
            for i in 0..4 {
                let byte = part(writer, &x[0], i, 8, false);
                let other = part(writer, &source[(i + c) / 4], (i + c) % 4, 8, false);
                let large = writer.extreme(&byte, &other, false, true);
                let small = writer.extreme(&byte, &other, false, false);
                let distance = writer.isub(&large, &small);
                let counts = writer.compare_ints(IntOrder::NotEqual, false, &byte, &zero);
                let distance = writer.where_set(&counts, &distance);
                sum = writer.iadd(&sum, &distance);
            }
            sum
        }
    })
}

/// A part of a word, counted from the lowest bits.
fn part(writer: &mut CodeWriter, word: &WideValue, index: usize, bits: u32, signed: bool) -> WideValue {
    let above = 32 - bits * (index as u32 + 1);
    let high = if above == 0 { word.clone() } else { writer.up(word, above) };
    if signed { writer.down_signed(&high, 32 - bits) } else { writer.down(&high, 32 - bits) }
}

/// Packs the low bits of 2 or 4 words into one.
fn together(writer: &mut CodeWriter, x: &[WideValue]) -> WideValue {
    let bits = 32 / x.len() as u32;
    let mask = writer.bits(&x[0], (1 << bits) - 1);
    let parts: Vec<WideValue> = (0..)
        .zip(x)
        .map(|(i, part)| {
            let low = if i + 1 == x.len() as u32 { part.clone() } else { writer.and(part, &mask) };
            if i == 0 { low } else { writer.up(&low, bits * i) }
        })
        .collect();
    fold(writer, &parts, CodeWriter::or)
}

/// Converts floats to integers of a normalised format, and packs them.
fn normalised(writer: &mut CodeWriter, x: &[WideValue], scale: f64, signed: bool) -> Option<WideValue> {
    let (low, high) = (writer.float(&x[0], if signed { -1.0 } else { 0.0 }), writer.float(&x[0], 1.0));
    let (half, scale) = (writer.float(&x[0], 0.5), writer.float(&x[0], scale));
    let mut parts = Vec::new();
    for x in x {
        let held = each(writer, Op::Clamp, Scalar::F32, &[x.clone(), low.clone(), high.clone()])?;
        let moved = writer.fmul(&held, &scale);
        let moved = writer.fadd(&moved, &half);
        let floor = super::round::rounded(writer, &moved, super::round::Rounding::Floor);
        let number = writer.unary(Code::EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32, Elem::I32, &floor, None);
        // NaN becomes 0.
        let is_number = writer.compare_floats(FloatOrder::Ordered, x, x);
        parts.push(writer.where_set(&is_number, &number));
    }
    Some(together(writer, &parts))
}

/// Converts a part of a word from a normalised format to a float.
fn unnormalised(
    writer: &mut CodeWriter,
    word: &WideValue,
    index: usize,
    bits: u32,
    signed: bool,
    scale: f64,
) -> Option<WideValue> {
    let part = part(writer, word, index, bits, signed);
    let float = writer.unary(Code::EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32, Elem::F32, &part, None);
    let scale = writer.float(&float, scale);
    let quotient = writer.fdiv(&float, &scale);
    if !signed {
        return Some(quotient);
    }
    let least = writer.float(&quotient, -1.0);
    Some(most(writer, &quotient, &least))
}
