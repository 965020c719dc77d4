//! Rows that take whole vectors, lowered one result component at a time as formulas over
//! componentwise rows.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use tilewise_ir::ops::{Instance, Op};
use tilewise_ir::types::Scalar;

use super::super::pieces::Pieces;
use super::table::CallCondition;
use super::{Cx, each};
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WholeRow {
    Any,
    All,
    Dot,
    Geometry(Geometry),
    Packed(Packed),
}

/// Functions of vectors of floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Geometry {
    Cross,
    Length,
    Distance,
    Normalize,
    Reflect,
    Refract,
    FaceForward,
}

/// Operations on packed numbers. Normalised formats carry the number that represents 1, and the
/// width of a part in bits where the operation alone determines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packed {
    PackU64,
    UnpackU64,
    PackSnorm(u16),
    PackUnorm(u16),
    PackHalves,
    UnpackSnorm(u32, u16),
    UnpackUnorm(u32, u16),
    UnpackHalves,
    PackBytes,
    PackClampedSigned,
    PackClampedUnsigned,
    UnpackSigned,
    UnpackUnsigned,
    DotSigned,
    DotUnsigned,
    Msad4,
}

impl WholeRow {
    /// When it is a call.
    pub(super) const fn calls(self) -> CallCondition {
        match self {
            // They round to integers.
            WholeRow::Packed(Packed::PackSnorm(_) | Packed::PackUnorm(_)) => CallCondition::WithoutRounding,
            WholeRow::Packed(
                Packed::PackU64
                | Packed::UnpackU64
                | Packed::PackHalves
                | Packed::UnpackSnorm(..)
                | Packed::UnpackUnorm(..)
                | Packed::UnpackHalves
                | Packed::PackBytes
                | Packed::PackClampedSigned
                | Packed::PackClampedUnsigned
                | Packed::UnpackSigned
                | Packed::UnpackUnsigned
                | Packed::DotSigned
                | Packed::DotUnsigned
                | Packed::Msad4,
            )
            | WholeRow::Any
            | WholeRow::All
            | WholeRow::Dot
            | WholeRow::Geometry(_) => CallCondition::Never,
        }
    }
}

/// One component of an operation: `args` has the components of each argument.
pub(super) fn row(
    cx: &mut Cx<'_, '_>,
    row: WholeRow,
    instance: Instance,
    args: &[&[Pieces]],
    component: usize,
) -> Option<Pieces> {
    let x = *args.first()?;
    match row {
        WholeRow::Any => Some(fold(cx, x, Cx::or)),
        WholeRow::All => Some(fold(cx, x, Cx::and)),
        WholeRow::Dot => dot(cx, instance.scalar, x, args[1]),
        WholeRow::Geometry(op) => geometry(cx, op, instance.scalar, args, component),
        WholeRow::Packed(op) => packed(cx, op, args, component),
    }
}

fn fold<'a, 'f>(cx: &mut Cx<'a, 'f>, x: &[Pieces], step: impl Fn(&mut Cx<'a, 'f>, Pieces, Pieces) -> Pieces) -> Pieces {
    let mut all = x[0];
    for &next in &x[1..] {
        all = step(cx, all, next);
    }
    all
}

/// The sum of products, in order.
fn dot(cx: &mut Cx<'_, '_>, scalar: Scalar, a: &[Pieces], b: &[Pieces]) -> Option<Pieces> {
    let mut sum = each(cx, Op::Mul, scalar, &[a[0], b[0]])?;
    for (&a, &b) in a.iter().zip(b).skip(1) {
        let product = each(cx, Op::Mul, scalar, &[a, b])?;
        sum = each(cx, Op::Add, scalar, &[sum, product])?;
    }
    Some(sum)
}

fn geometry(cx: &mut Cx<'_, '_>, op: Geometry, scalar: Scalar, args: &[&[Pieces]], c: usize) -> Option<Pieces> {
    let x = args[0];
    Some(match op {
        Geometry::Cross => {
            let (a, b, j, k) = (x, args[1], (c + 1) % 3, (c + 2) % 3);
            let (first, second) = (cx.fmul(a[j], b[k]), cx.fmul(a[k], b[j]));
            cx.fsub(first, second)
        }
        Geometry::Length => length(cx, scalar, x)?,
        Geometry::Distance => {
            let between: Vec<Pieces> = x.iter().zip(args[1]).map(|(&a, &b)| cx.fsub(a, b)).collect();
            length(cx, scalar, &between)?
        }
        Geometry::Normalize => {
            let length = length(cx, scalar, x)?;
            cx.fdiv(x[c], length)
        }
        Geometry::Reflect => {
            let (two, normal) = (cx.float(x[0], 2.0), args[1]);
            let along = dot(cx, scalar, normal, x)?;
            let twice = cx.fmul(two, along);
            let back = cx.fmul(twice, normal[c]);
            cx.fsub(x[c], back)
        }
        Geometry::Refract => {
            let (normal, eta) = (args[1], args[2][0]);
            let (zero, one) = (cx.float(eta, 0.0), cx.float(eta, 1.0));
            let d = dot(cx, scalar, normal, x)?;
            let square = cx.fmul(d, d);
            let rest = cx.fsub(one, square);
            let eta_square = cx.fmul(eta, eta);
            let bent = cx.fmul(eta_square, rest);
            let k = cx.fsub(one, bent);
            let none = cx.fcmp(FloatCC::LessThan, k, zero);
            let root = each(cx, Op::Sqrt, scalar, &[k])?;
            let along = cx.fmul(eta, d);
            let along = cx.fadd(along, root);
            let (forward, back) = (cx.fmul(eta, x[c]), cx.fmul(along, normal[c]));
            let bent = cx.fsub(forward, back);
            cx.choose(none, zero, bent)
        }
        Geometry::FaceForward => {
            let d = dot(cx, scalar, args[2], args[1])?;
            let zero = cx.float(d, 0.0);
            let keeps = cx.fcmp(FloatCC::LessThan, d, zero);
            let turned = each(cx, Op::Neg, scalar, &[x[c]])?;
            cx.choose(keeps, x[c], turned)
        }
    })
}

fn length(cx: &mut Cx<'_, '_>, scalar: Scalar, x: &[Pieces]) -> Option<Pieces> {
    let square = dot(cx, scalar, x, x)?;
    each(cx, Op::Sqrt, scalar, &[square])
}

/// An operation on packed numbers.
fn packed(cx: &mut Cx<'_, '_>, op: Packed, args: &[&[Pieces]], c: usize) -> Option<Pieces> {
    let x = args[0];
    Some(match op {
        Packed::PackU64 => {
            let (low, high) = (each(cx, Op::ToU64, Scalar::U32, &[x[0]])?, each(cx, Op::ToU64, Scalar::U32, &[x[1]])?);
            let high = cx.up(high, 32);
            cx.or(low, high)
        }
        Packed::UnpackU64 => {
            let half = if c == 0 { x[0] } else { cx.down(x[0], 32) };
            cx.as_i32(half)
        }
        Packed::PackSnorm(one) => cx.normalised(x, one.into(), true)?,
        Packed::PackUnorm(one) => cx.normalised(x, one.into(), false)?,
        Packed::PackHalves => {
            let halves: Vec<Pieces> = x
                .iter()
                .map(|&x| {
                    // NaN loses its sign.
                    let half = cx.float_to_half(x);
                    let nan = cx.bits(half, 0x7e00);
                    let is_nan = cx.fcmp(FloatCC::Unordered, x, x);
                    cx.choose(is_nan, nan, half)
                })
                .collect();
            cx.together(&halves)
        }
        Packed::UnpackSnorm(bits, one) => cx.unnormalised(x[0], c, bits, true, one.into())?,
        Packed::UnpackUnorm(bits, one) => cx.unnormalised(x[0], c, bits, false, one.into())?,
        Packed::UnpackHalves => {
            let half = cx.part(x[0], c, 16, false);
            cx.half_to_float(half)
        }
        Packed::PackBytes => cx.together(x),
        Packed::PackClampedSigned => {
            let held: Vec<Pieces> = x.iter().map(|&x| cx.within(x, -128, 127)).collect();
            cx.together(&held)
        }
        Packed::PackClampedUnsigned => {
            let most = cx.bits(x[0], 255);
            let held: Vec<Pieces> = x.iter().map(|&x| cx.extreme(x, most, false, false)).collect();
            cx.together(&held)
        }
        Packed::UnpackSigned => cx.part(x[0], c, 8, true),
        Packed::UnpackUnsigned => cx.part(x[0], c, 8, false),
        Packed::DotSigned | Packed::DotUnsigned => {
            let signed = op == Packed::DotSigned;
            let products: Vec<Pieces> = (0..4)
                .map(|i| {
                    let (a, b) = (cx.part(x[0], i, 8, signed), cx.part(args[1][0], i, 8, signed));
                    cx.imul(a, b)
                })
                .collect();
            fold(cx, &products, Cx::iadd)
        }
        Packed::Msad4 => {
            let (source, mut sum) = (args[1], args[2][c]);
            let zero = cx.bits(sum, 0);
            for i in 0..4 {
                let byte = cx.part(x[0], i, 8, false);
                let other = cx.part(source[(i + c) / 4], (i + c) % 4, 8, false);
                let (large, small) = (cx.extreme(byte, other, false, true), cx.extreme(byte, other, false, false));
                let distance = cx.isub(large, small);
                let counts = cx.icmp(IntCC::NotEqual, byte, zero);
                let distance = cx.where_true(counts, distance);
                sum = cx.iadd(sum, distance);
            }
            sum
        }
    })
}

impl Cx<'_, '_> {
    /// A part of a word, counted from the lowest bits.
    fn part(&mut self, word: Pieces, index: usize, bits: u32, signed: bool) -> Pieces {
        let above = 32 - bits * (index as u32 + 1);
        let high = if above == 0 { word } else { self.up(word, above) };
        if signed { self.down_signed(high, 32 - bits) } else { self.down(high, 32 - bits) }
    }

    /// Packs the low bits of 2 or 4 words into one.
    fn together(&mut self, x: &[Pieces]) -> Pieces {
        let bits = 32 / x.len() as u32;
        let mask = self.bits(x[0], (1 << bits) - 1);
        let parts: Vec<Pieces> = (0..)
            .zip(x)
            .map(|(i, &part)| {
                let low = if i + 1 == x.len() as u32 { part } else { self.and(part, mask) };
                if i == 0 { low } else { self.up(low, bits * i) }
            })
            .collect();
        fold(self, &parts, Cx::or)
    }

    fn within(&mut self, a: Pieces, low: i32, high: i32) -> Pieces {
        let (low, high) = (self.bits(a, low as u32 as u64), self.bits(a, high as u32 as u64));
        let held = self.extreme(a, low, true, true);
        self.extreme(held, high, true, false)
    }

    /// Converts floats to integers of a normalised format, and packs them.
    fn normalised(&mut self, x: &[Pieces], scale: f64, signed: bool) -> Option<Pieces> {
        let (low, high) = (self.float(x[0], if signed { -1.0 } else { 0.0 }), self.float(x[0], 1.0));
        let (half, scale) = (self.float(x[0], 0.5), self.float(x[0], scale));
        let ty = Cx::ty(Elem::I32, x[0]);
        let mut parts = Vec::new();
        for &x in x {
            let held = each(self, Op::Clamp, Scalar::F32, &[x, low, high])?;
            let moved = self.fmul(scale, held);
            let moved = self.fadd(half, moved);
            let floor = each(self, Op::Floor, Scalar::F32, &[moved])?;
            let number = self.one(Elem::I32, floor, &|at, a| at.fcvt_to_sint_sat(ty, a));
            // NaN becomes 0.
            let is_number = self.fcmp(FloatCC::Ordered, x, x);
            parts.push(self.where_true(is_number, number));
        }
        Some(self.together(&parts))
    }

    /// Converts a part of a word from a normalised format to a float.
    fn unnormalised(&mut self, word: Pieces, index: usize, bits: u32, signed: bool, scale: f64) -> Option<Pieces> {
        let part = self.part(word, index, bits, signed);
        let ty = Cx::ty(Elem::F32, word);
        let float = self.one(Elem::F32, part, &|at, a| at.fcvt_from_sint(ty, a));
        let scale = self.float(float, scale);
        let quotient = self.fdiv(float, scale);
        if !signed {
            return Some(quotient);
        }
        let least = self.float(quotient, -1.0);
        each(self, Op::Max, Scalar::F32, &[quotient, least])
    }
}
