//! 16-bit floats, their bits in the low half of an `i32`.

use iced_x86::Code;

use super::super::vcode::{RegisterView, VECTOR, VectorLength};
use super::super::vectors::WideValue;
use super::super::writer::{CodeWriter, InstOperand, at_length, vector};
use super::float::classes;
use crate::lanes::Elem;

impl CodeWriter {
    /// The value of halves whose bits are the low 16 of each lane, the others zero. Exact.
    pub(in super::super) fn half_to_float(&mut self, half: &WideValue) -> WideValue {
        let length = half.length();
        let packed_length = VectorLength::of_bytes(length.bytes() / 2);
        let registers: Vec<_> = (0..half.parts.len())
            .map(|part| {
                let whole = self.in_register(half, part);
                let packed = if self.machine.has_masks {
                    let code = at_length(Code::EVEX_Vpmovdw_xmmm64_k1z_xmm, length);
                    self.def(code, VECTOR, RegisterView::Vector(packed_length), &[vector(whole, length)])
                } else {
                    self.packed_words(whole, length)
                };
                let code = at_length(Code::EVEX_Vcvtph2ps_xmm_k1z_xmmm64, length);
                self.def(code, VECTOR, RegisterView::Vector(length), &[vector(packed, packed_length)])
            })
            .collect();
        WideValue::of(Elem::F32, half.width, registers)
    }

    /// The bits of the nearest halves, ties to even, in integers whose other bits are zero. Any NaN
    /// becomes 0x7e00, or that with a sign.
    pub(in super::super) fn float_to_half(&mut self, float: &WideValue) -> WideValue {
        let length = float.length();
        let packed_length = VectorLength::of_bytes(length.bytes() / 2);
        let registers: Vec<_> = (0..float.parts.len())
            .map(|part| {
                let whole = self.in_register(float, part);
                let sources = [vector(whole, length), InstOperand::Imm8(0)];
                let code = at_length(Code::EVEX_Vcvtps2ph_xmmm64_k1z_xmm_imm8, length);
                let packed = self.def(code, VECTOR, RegisterView::Vector(packed_length), &sources);
                let code = at_length(Code::EVEX_Vpmovzxwd_xmm_k1z_xmmm64, length);
                self.def(code, VECTOR, RegisterView::Vector(length), &[vector(packed, packed_length)])
            })
            .collect();
        let half = WideValue::of(Elem::I32, float.width, registers);
        let nan = self.class_of(float, classes::NAN);
        let sign = self.bits(&half, 0x8000);
        let sign = self.and(&half, &sign);
        let quiet = self.bits(&half, 0x7e00);
        let quiet = self.or(&sign, &quiet);
        self.select(&nan, &quiet, &half)
    }
}
