//! Dot products of integers of SPIR-V (`SPV_KHR_integer_dot_product`), which naga does not read: written out.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;

impl SpirvRewriter<'_> {
    /// Writes a dot product out; nothing of an instruction that is none. The error says what of it is refused.
    pub(crate) fn dot(&mut self, words: &[u32]) -> Result<bool, String> {
        let (are_signed, is_saturating) = match words[0] & 0xffff {
            op::S_DOT => ([true, true], false),
            op::U_DOT => ([false, false], false),
            op::SU_DOT => ([true, false], false),
            op::S_DOT_ACC_SAT => ([true, true], true),
            op::U_DOT_ACC_SAT => ([false, false], true),
            op::SU_DOT_ACC_SAT => ([true, false], true),
            _ => return Ok(false),
        };
        let &[_, ty, id, a, b, ref rest @ ..] = words else { return Ok(false) };
        let refused = || "a dot product of other than vectors of integers or packed bytes".to_owned();
        let Some(&PlainType::Int { width, .. }) = self.writer.types.plain.get(&ty) else { return Err(refused()) };
        let is_signed = are_signed[0];
        let result = self.writer.types.int(width, is_signed);
        let a = self.factors(a, are_signed[0], width).ok_or_else(refused)?;
        let b = self.factors(b, are_signed[1], width).ok_or_else(refused)?;
        let b: Vec<u32> = match are_signed[0] == are_signed[1] {
            true => b,
            false => b.into_iter().map(|factor| self.writer.add(op::BITCAST, result, &[factor])).collect(),
        };
        let mut sum: Option<u32> = None;
        for (a, b) in a.into_iter().zip(b) {
            let product = self.writer.add(op::I_MUL, result, &[a, b]);
            sum = Some(match sum {
                Some(sum) => self.writer.add(op::I_ADD, result, &[sum, product]),
                None => product,
            });
        }
        let mut sum = sum.ok_or_else(refused)?;
        if is_saturating {
            let &[accumulator, ..] = rest else { return Err(refused()) };
            let accumulator = match result == ty {
                true => accumulator,
                false => self.writer.add(op::BITCAST, result, &[accumulator]),
            };
            sum = self.saturating_sum(sum, accumulator, width, is_signed);
        }
        let opcode = if result == ty { op::COPY_OBJECT } else { op::BITCAST };
        self.writer.add_as(opcode, ty, id, &[sum]);
        Ok(true)
    }

    /// The numbers of a vector, or of the bytes of a word, as integers of the result's width and this signedness.
    fn factors(&mut self, vector: u32, is_signed: bool, width: u32) -> Option<Vec<u32>> {
        let ty = self.writer.types.of(vector)?;
        let (part, count) = self.writer.types.components(ty)?;
        let PlainType::Int { width: own, is_signed: own_signed } = part else { return None };
        let (own_id, wanted) = (self.writer.types.type_id(part), self.writer.types.int(own, is_signed));
        let wide = self.writer.types.int(width, is_signed);
        let parts: Vec<u32> = if count == 1 {
            if own != 32 {
                return None;
            }
            let value = if own_signed == is_signed { vector } else { self.writer.add(op::BITCAST, wanted, &[vector]) };
            let shift = if is_signed { op::SHIFT_RIGHT_ARITHMETIC } else { op::SHIFT_RIGHT_LOGICAL };
            let top = self.writer.types.number(24);
            (0..4)
                .map(|i| {
                    let up = self.writer.types.number(24 - 8 * i);
                    let at_top = self.writer.add(op::SHIFT_LEFT_LOGICAL, wanted, &[value, up]);
                    self.writer.add(shift, wanted, &[at_top, top])
                })
                .collect()
        } else {
            (0..count.min(4))
                .map(|i| {
                    let part = self.writer.add(op::COMPOSITE_EXTRACT, own_id, &[vector, i]);
                    if own_signed == is_signed { part } else { self.writer.add(op::BITCAST, wanted, &[part]) }
                })
                .collect()
        };
        let convert = if is_signed { op::S_CONVERT } else { op::U_CONVERT };
        Some(
            parts
                .into_iter()
                .map(|part| if own == width { part } else { self.writer.add(convert, wide, &[part]) })
                .collect(),
        )
    }

    /// A sum that stays at the greatest or the least number of its type.
    fn saturating_sum(&mut self, a: u32, b: u32, width: u32, is_signed: bool) -> u32 {
        let ty = self.writer.types.int(width, is_signed);
        let boolean = self.writer.types.type_id(PlainType::Bool);
        let sum = self.writer.add(op::I_ADD, ty, &[a, b]);
        let zero = self.writer.types.null(ty);
        let ones = self.writer.add(op::NOT, ty, &[zero]);
        let (is_over, most) = if is_signed {
            let signs = [a, b].map(|one| self.writer.add(op::BITWISE_XOR, ty, &[one, sum]));
            let both = self.writer.add(op::BITWISE_AND, ty, &signs);
            let is_over = self.writer.add(op::S_LESS_THAN, boolean, &[both, zero]);
            let (one, top) = (self.writer.types.number(1), self.writer.types.number(width - 1));
            let word = self.writer.types.int(width, false);
            let bits = self.writer.add(op::BITCAST, word, &[ones]);
            let greatest = self.writer.add(op::SHIFT_RIGHT_LOGICAL, word, &[bits, one]);
            let greatest = self.writer.add(op::BITCAST, ty, &[greatest]);
            let sign = self.writer.add(op::SHIFT_RIGHT_ARITHMETIC, ty, &[a, top]);
            (is_over, self.writer.add(op::BITWISE_XOR, ty, &[sign, greatest]))
        } else {
            (self.writer.add(op::U_LESS_THAN, boolean, &[sum, a]), ones)
        };
        self.writer.add(op::SELECT, ty, &[is_over, most, sum])
    }
}
