//! Operations of SPIR-V whose opcode says whether they are signed. naga takes that from the types of their operands: so
//! operands of the other type are bitcast here, and results back.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;

/// What an instruction needs of the types of its integers.
pub(crate) struct SignedOperands {
    /// The signedness that its opcode means; `None` if it means none.
    is_signed: Option<bool>,
    /// Its operands, as places among its words.
    operands: std::ops::Range<usize>,
    result: NagaResult,
}

/// The type that naga gives the result of an instruction, where the module declares another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NagaResult {
    /// The declared one, whose signedness changes nothing.
    Declared,
    /// The declared one, and its signedness is taken for the opcode's.
    Signed,
    /// That of the first operand.
    Operand,
}

/// The needs of an instruction whose words begin with its head; nothing of most.
pub(crate) fn signed_operands(words: &[u32]) -> Option<SignedOperands> {
    use NagaResult::{Declared, Operand, Signed};
    let needs = |is_signed, operands, result| Some(SignedOperands { is_signed, operands, result });
    match (words[0] & 0xffff, words.get(4)) {
        (op::CONVERT_S_TO_F | op::S_CONVERT, _) => needs(Some(true), 3..4, Declared),
        (op::CONVERT_U_TO_F | op::U_CONVERT, _) => needs(Some(false), 3..4, Declared),
        // Their operands are floats.
        (op::CONVERT_F_TO_S, _) => needs(Some(true), 3..3, Signed),
        (op::CONVERT_F_TO_U, _) => needs(Some(false), 3..3, Signed),
        (op::S_NEGATE, _) => needs(Some(true), 3..4, Signed),
        (op::S_DIV | op::S_REM | op::S_MOD, _) => needs(Some(true), 3..5, Signed),
        (op::U_DIV | op::U_MOD, _) => needs(Some(false), 3..5, Operand),
        (op::SHIFT_RIGHT_ARITHMETIC | op::BIT_FIELD_S_EXTRACT, _) => needs(Some(true), 3..4, Operand),
        (op::SHIFT_RIGHT_LOGICAL | op::BIT_FIELD_U_EXTRACT, _) => needs(Some(false), 3..4, Operand),
        (op::SHIFT_LEFT_LOGICAL | op::BIT_FIELD_INSERT | op::BIT_REVERSE | op::BIT_COUNT, _) => {
            needs(None, 3..4, Operand)
        }
        (op::GROUP_S_MIN | op::GROUP_S_MAX, _) => needs(Some(true), 5..6, Operand),
        (op::GROUP_U_MIN | op::GROUP_U_MAX, _) => needs(Some(false), 5..6, Operand),
        // Of GLSL.std.450: SAbs, SSign, SMin, SMax, SClamp, FindSMsb; UMin, UMax, UClamp, FindUMsb; FindILsb.
        (op::EXT_INST, Some(5 | 7 | 39 | 42 | 45 | 74)) => needs(Some(true), 5..words.len(), Operand),
        (op::EXT_INST, Some(38 | 41 | 44 | 75)) => needs(Some(false), 5..words.len(), Operand),
        (op::EXT_INST, Some(73)) => needs(None, 5..words.len(), Operand),
        _ => None,
    }
}

/// The signedness that an opcode means, also that of comparisons, which naga reads rightly.
pub(crate) fn opcode_sign(words: &[u32]) -> Option<bool> {
    match words[0] & 0xffff {
        op::S_GREATER_THAN | op::S_GREATER_THAN_EQUAL | op::S_LESS_THAN | op::S_LESS_THAN_EQUAL => Some(true),
        op::S_DOT | op::S_DOT_ACC_SAT => Some(true),
        op::U_GREATER_THAN | op::U_GREATER_THAN_EQUAL | op::U_LESS_THAN | op::U_LESS_THAN_EQUAL => Some(false),
        _ => signed_operands(words)?.is_signed,
    }
}

impl SpirvRewriter<'_> {
    /// The negation of a comparison.
    pub(crate) fn not(&mut self, opcode: u32, ty: u32, id: u32, operands: [u32; 2]) {
        let opposite = self.writer.add(opcode, ty, &operands);
        self.writer.add_as(op::LOGICAL_NOT, ty, id, &[opposite]);
    }

    /// An instruction whose operands get types of its signedness; its result is brought to the declared
    /// type.
    pub(crate) fn of_signs(&mut self, mut words: Vec<u32>, needs: &SignedOperands) {
        let opcode = words[0] & 0xffff;
        for at in needs.operands.clone() {
            let Some(&ty) = words.get(at).and_then(|operand| self.writer.types.values.get(operand)) else { continue };
            if let Some(other) = needs.is_signed.and_then(|is_signed| self.of_other_sign(ty, is_signed)) {
                words[at] = self.writer.add(op::BITCAST, other, &[words[at]]);
            }
        }
        let &[_, ty, id, ..] = words.as_slice() else {
            return self.writer.push(words);
        };
        let found = match needs.result {
            NagaResult::Declared => None,
            NagaResult::Signed => needs.is_signed.and_then(|is_signed| self.of_other_sign(ty, is_signed)),
            NagaResult::Operand => {
                words.get(needs.operands.start).and_then(|operand| self.writer.types.of(*operand)).filter(|&found| {
                    found != ty && self.writer.types.integer(found).is_some() && self.writer.types.integer(ty).is_some()
                })
            }
        };
        let (result_ty, result) = match found {
            Some(found) => (found, self.writer.types.fresh()),
            None => (ty, id),
        };
        match words.as_slice() {
            &[_, _, _, a, b] if opcode == op::S_MOD => self.modulo(result_ty, result, a, b),
            _ => {
                (words[1], words[2]) = (result_ty, result);
                self.writer.push(words);
            }
        }
        if result != id {
            // A count of bits may be wider than what was counted.
            let width = |of: u32| self.writer.types.integer(of).map(|(width, _)| width);
            let same_bits = width(result_ty) == width(ty);
            self.writer.add_as(if same_bits { op::BITCAST } else { op::U_CONVERT }, ty, id, &[result]);
        }
    }

    /// The type with the other signedness, if it is not of this one.
    fn of_other_sign(&mut self, ty: u32, is_signed: bool) -> Option<u32> {
        let (width, signed) = self.writer.types.integer(ty)?;
        (signed != is_signed).then(|| self.writer.types.with_component(ty, PlainType::Int { width, is_signed }))
    }

    /// The remainder with the sign of the divisor.
    fn modulo(&mut self, ty: u32, id: u32, a: u32, b: u32) {
        let (conditions, zero) = (self.writer.types.with_component(ty, PlainType::Bool), self.writer.types.null(ty));
        let rest = self.writer.add(op::S_REM, ty, &[a, b]);
        let is_some = self.writer.add(op::I_NOT_EQUAL, conditions, &[rest, zero]);
        let signs = self.writer.add(op::BITWISE_XOR, ty, &[rest, b]);
        let differ = self.writer.add(op::S_LESS_THAN, conditions, &[signs, zero]);
        let other = self.writer.add(op::LOGICAL_AND, conditions, &[is_some, differ]);
        let sum = self.writer.add(op::I_ADD, ty, &[rest, b]);
        self.writer.add_as(op::SELECT, ty, id, &[other, sum, rest]);
    }
}
