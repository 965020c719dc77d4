//! `OpQuantizeToF16`, by conversions: a number that is no normal one of 16 bits is zero.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;

/// The bits of 2^-14, the least normal number of 16 bits.
const LEAST_NORMAL: u32 = 0x3880_0000;
const SIGN: u32 = 1 << 31;

impl SpirvRewriter<'_> {
    /// Writes the instruction out.
    pub(crate) fn quantize(&mut self, ty: u32, id: u32, value: u32) {
        let half = self.writer.types.with_component(ty, PlainType::Float { width: 16 });
        let bits_ty = self.writer.types.with_component(ty, PlainType::Int { width: 32, is_signed: false });
        let condition = self.writer.types.with_component(ty, PlainType::Bool);
        let rounded = self.writer.add(op::F_CONVERT, half, &[value]);
        let rounded = self.writer.add(op::F_CONVERT, ty, &[rounded]);
        let bits = self.writer.add(op::BITCAST, bits_ty, &[rounded]);
        let [sign, rest, least] = [SIGN, !SIGN, LEAST_NORMAL].map(|word| self.splat(ty, word));
        let zero = self.writer.add(op::BITWISE_AND, bits_ty, &[bits, sign]);
        let magnitude = self.writer.add(op::BITWISE_AND, bits_ty, &[bits, rest]);
        let is_small = self.writer.add(op::U_LESS_THAN, condition, &[magnitude, least]);
        let result = self.writer.add(op::SELECT, bits_ty, &[is_small, zero, bits]);
        self.writer.add_as(op::BITCAST, ty, id, &[result]);
    }
}
