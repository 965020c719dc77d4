//! Products of twice the width, sums with a carry and differences with a borrow of SPIR-V, which naga does not read:
//! written out for integers of 32 bits. Both results are the members of a struct.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;

impl SpirvRewriter<'_> {
    /// Writes such an instruction out; returns whether it was one.
    pub(crate) fn extended(&mut self, opcode: u32, [ty, id, a, b]: [u32; 4]) -> bool {
        let Some(&of) = self.writer.types.values.get(&a).filter(|_| self.writer.types.values.contains_key(&b)) else {
            return false;
        };
        let Some((32, is_signed)) = self.writer.types.integer(of) else { return false };
        let parts = match opcode {
            op::U_MUL_EXTENDED | op::S_MUL_EXTENDED => {
                let (convert, means_signed) = match opcode {
                    op::U_MUL_EXTENDED => (op::U_CONVERT, false),
                    _ => (op::S_CONVERT, true),
                };
                let operand =
                    self.writer.types.with_component(of, PlainType::Int { width: 32, is_signed: means_signed });
                let wide = self.writer.types.with_component(of, PlainType::Int { width: 64, is_signed: means_signed });
                let whole = [a, b].map(|value| {
                    let value = if self.writer.types.values[&value] == operand {
                        value
                    } else {
                        self.writer.add(op::BITCAST, operand, &[value])
                    };
                    self.writer.add(convert, wide, &[value])
                });
                let product = self.writer.add(op::I_MUL, wide, &whole);
                let bits = self.writer.types.with_component(of, PlainType::Int { width: 64, is_signed: false });
                let product = if bits == wide { product } else { self.writer.add(op::BITCAST, bits, &[product]) };
                let distance = self.splat(of, 32);
                let high = self.writer.add(op::SHIFT_RIGHT_LOGICAL, bits, &[product, distance]);
                let word = self.writer.types.with_component(of, PlainType::Int { width: 32, is_signed: false });
                [product, high].map(|part| {
                    let part = self.writer.add(op::U_CONVERT, word, &[part]);
                    if is_signed { self.writer.add(op::BITCAST, of, &[part]) } else { part }
                })
            }
            op::I_ADD_CARRY | op::I_SUB_BORROW if !is_signed => {
                let conditions = self.writer.types.with_component(of, PlainType::Bool);
                let (result, is_over) = match opcode {
                    op::I_ADD_CARRY => {
                        let sum = self.writer.add(op::I_ADD, of, &[a, b]);
                        (sum, self.writer.add(op::U_LESS_THAN, conditions, &[sum, a]))
                    }
                    _ => {
                        (self.writer.add(op::I_SUB, of, &[a, b]), self.writer.add(op::U_LESS_THAN, conditions, &[a, b]))
                    }
                };
                let (one, zero) = (self.splat(of, 1), self.writer.types.null(of));
                [result, self.writer.add(op::SELECT, of, &[is_over, one, zero])]
            }
            _ => return false,
        };
        self.writer.add_as(op::COMPOSITE_CONSTRUCT, ty, id, &parts);
        true
    }

    /// A number of 32 bits, or a vector of it if the type is one.
    pub(crate) fn splat(&mut self, like: u32, value: u32) -> u32 {
        let number = self.writer.types.number(value);
        let Some(&PlainType::Vector { count, .. }) = self.writer.types.plain.get(&like) else { return number };
        let ty = self.writer.types.with_component(like, PlainType::Int { width: 32, is_signed: false });
        self.writer.add(op::COMPOSITE_CONSTRUCT, ty, &vec![number; count.min(4) as usize])
    }
}
