//! Conversions between types, and bitcasts.
//!
//! Conversions between 64-bit integers and floats are scalarised where x86-64 has no vector
//! instruction.

use cranelift_codegen::ir::{InstBuilder, types};
use tilewise_ir::types::Scalar;

use super::super::pieces::{MOST, Pieces};
use super::Cx;
use super::steps::LOWS;
use super::table::Lanewise;
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConvertRow {
    /// To the integer type of an element; signed?
    ToInteger(Elem, bool),
    ToF32,
    ToF64,
    /// The low bits, sign-extended: their number.
    WrapSigned(u32),
    /// The low bits, zero-extended: their number.
    WrapUnsigned(u32),
    QuantizeF16,
    /// Bitcast.
    Bitcast(Elem),
}

impl ConvertRow {
    /// When its lanes are scalarised, converting from a scalar.
    pub(super) const fn lanewise(self, from: Scalar) -> Lanewise {
        let lanewise = match self {
            ConvertRow::ToInteger(elem, _) => from.is_float() && matches!(elem, Elem::I64),
            ConvertRow::ToF32 => matches!(from, Scalar::I64 | Scalar::U64),
            ConvertRow::ToF64
            | ConvertRow::WrapSigned(_)
            | ConvertRow::WrapUnsigned(_)
            | ConvertRow::QuantizeF16
            | ConvertRow::Bitcast(_) => false,
        };
        if lanewise { Lanewise::Always } else { Lanewise::Never }
    }
}

/// Lowers a conversion.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: ConvertRow, from: Scalar, args: &[Pieces]) -> Pieces {
    let a = args[0];
    match row {
        ConvertRow::ToInteger(elem, to_signed) => cx.integer(from, a, elem, to_signed),
        ConvertRow::ToF32 => cx.single(from, a),
        ConvertRow::ToF64 => cx.double(from, a),
        ConvertRow::WrapSigned(bits) => cx.wrapped(a, 32 - bits),
        ConvertRow::WrapUnsigned(bits) => {
            let mask = cx.bits(a, (1 << bits) - 1);
            cx.and(a, mask)
        }
        ConvertRow::QuantizeF16 => {
            let half = cx.float_to_half(a);
            cx.half_to_float(half)
        }
        ConvertRow::Bitcast(elem) => cx.seen_as(elem, a),
    }
}

impl Cx<'_, '_> {
    /// Sign-extends the bits that remain after removing the upper `cut`.
    fn wrapped(&mut self, a: Pieces, cut: u32) -> Pieces {
        let high = self.up(a, cut);
        self.down_signed(high, cut)
    }

    fn integer(&mut self, from: Scalar, a: Pieces, elem: Elem, to_signed: bool) -> Pieces {
        match from {
            Scalar::Bool => {
                let condition = self.condition(a, elem);
                self.number_of(condition, elem)
            }
            Scalar::I32 if elem == Elem::I64 => self.widened(a, elem),
            Scalar::U32 if elem == Elem::I64 && a.is_vector() => self.parted(elem, a, &|at, a| at.uwiden_low(a)),
            Scalar::U32 if elem == Elem::I64 => self.one(elem, a, &|at, a| at.uextend(types::I64, a)),
            Scalar::I32 | Scalar::U32 => a,
            Scalar::I64 | Scalar::U64 if elem == Elem::I64 => a,
            Scalar::I64 | Scalar::U64 => self.as_i32(a),
            Scalar::F32 | Scalar::F64 => self.float_to_integer(a, elem, to_signed),
        }
    }

    fn float_to_integer(&mut self, a: Pieces, elem: Elem, signed: bool) -> Pieces {
        let ty = Cx::ty(elem, a);
        match (a.is_vector(), a.elem(), elem) {
            (true, _, Elem::I64) => {
                self.by_lanes(elem, &[a], &mut |cx, args| cx.float_to_integer(args[0], elem, signed))
            }
            (true, Elem::F64, _) => {
                // Cranelift matches these two instructions together. Each pair yields two lanes,
                // the upper ones zero.
                let zero = self.bits_as(Elem::I64, a, 0).first();
                let mut parts = [zero; MOST];
                for (to, &part) in parts.iter_mut().zip(a.parts()) {
                    *to = if signed {
                        let wide = self.at().fcvt_to_sint_sat(types::I64X2, part);
                        self.at().snarrow(wide, zero)
                    } else {
                        let wide = self.at().fcvt_to_uint_sat(types::I64X2, part);
                        self.at().uunarrow(wide, zero)
                    };
                }
                let halves = Pieces::from_parts(Elem::I32, &parts[..a.parts().len()]);
                self.merged(Elem::I32, halves, LOWS)
            }
            _ if signed => self.one(elem, a, &|at, a| at.fcvt_to_sint_sat(ty, a)),
            _ => self.one(elem, a, &|at, a| at.fcvt_to_uint_sat(ty, a)),
        }
    }

    fn single(&mut self, from: Scalar, a: Pieces) -> Pieces {
        let ty = Cx::ty(Elem::F32, a);
        match from {
            Scalar::Bool => {
                let one = self.bits_as(Elem::F32, a, 1.0_f32.to_bits().into());
                self.where_true(a, one)
            }
            Scalar::I32 => self.one(Elem::F32, a, &|at, a| at.fcvt_from_sint(ty, a)),
            Scalar::U32 => self.one(Elem::F32, a, &|at, a| at.fcvt_from_uint(ty, a)),
            Scalar::I64 | Scalar::U64 if a.is_vector() => {
                self.by_lanes(Elem::F32, &[a], &mut |cx, args| cx.single(from, args[0]))
            }
            Scalar::I64 => self.one(Elem::F32, a, &|at, a| at.fcvt_from_sint(types::F32, a)),
            Scalar::U64 => self.one(Elem::F32, a, &|at, a| at.fcvt_from_uint(types::F32, a)),
            Scalar::F32 => a,
            Scalar::F64 if a.is_vector() => {
                let halves = self.one(Elem::F32, a, &|at, a| at.fvdemote(a));
                self.merged(Elem::F32, halves, LOWS)
            }
            Scalar::F64 => self.one(Elem::F32, a, &|at, a| at.fdemote(types::F32, a)),
        }
    }

    fn double(&mut self, from: Scalar, a: Pieces) -> Pieces {
        let ty = Cx::ty(Elem::F64, a);
        match from {
            Scalar::Bool if a.is_vector() => {
                let condition = self.condition(a, Elem::F64);
                let one = self.bits_as(Elem::F64, a, 1.0_f64.to_bits());
                self.where_true(condition, one)
            }
            Scalar::Bool => {
                let one = self.bits_as(Elem::F64, a, 1.0_f64.to_bits());
                self.where_true(a, one)
            }
            Scalar::I32 => self.double_of_int(a, true),
            Scalar::U32 => self.double_of_int(a, false),
            Scalar::I64 => self.one(Elem::F64, a, &|at, a| at.fcvt_from_sint(ty, a)),
            Scalar::U64 => self.one(Elem::F64, a, &|at, a| at.fcvt_from_uint(ty, a)),
            Scalar::F32 if a.is_vector() => self.parted(Elem::F64, a, &|at, a| at.fvpromote_low(a)),
            Scalar::F32 => self.one(Elem::F64, a, &|at, a| at.fpromote(types::F64, a)),
            Scalar::F64 => a,
        }
    }

    /// Converts 32-bit integers to `f64`, which is exact.
    pub(super) fn double_of_int(&mut self, a: Pieces, signed: bool) -> Pieces {
        let ty = Cx::ty(Elem::F64, a);
        match (a.is_vector(), signed) {
            (false, true) => self.one(Elem::F64, a, &|at, a| at.fcvt_from_sint(types::F64, a)),
            (false, false) => self.one(Elem::F64, a, &|at, a| at.fcvt_from_uint(types::F64, a)),
            (true, _) => {
                let wide = self.parted(Elem::I64, a, &|at, a| if signed { at.swiden_low(a) } else { at.uwiden_low(a) });
                self.one(Elem::F64, wide, &|at, a| match signed {
                    true => at.fcvt_from_sint(ty, a),
                    false => at.fcvt_from_uint(ty, a),
                })
            }
        }
    }
}
