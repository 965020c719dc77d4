//! How long instructions of SPIR-V are at least, and which have a result with a type. No pass over the words of a module meets one that is cut short: such
//! a module is left to naga, which says what is wrong with it.

/// The fewest words of each instruction of the core of SPIR-V by its opcode, its head counted; 1 where there is no
/// such opcode. The numbers are those of SPIR-V's grammar.
const FEWEST: [u8; 404] = [
    1, 3, 2, 3, 2, 3, 4, 3, 4, 1, 2, 3, 5, 1, 3, 4, 3, 2, 1, 2, 2, 4, 3, 4, 4, 9, 2, 3, 4, 3, 2, 3, 4, 3, 2, 2, 2, 2,
    3, 3, 1, 3, 3, 4, 3, 6, 3, 1, 3, 3, 4, 3, 4, 1, 5, 3, 1, 4, 1, 4, 6, 4, 3, 3, 4, 4, 4, 5, 5, 4, 5, 3, 4, 2, 2, 2,
    1, 5, 6, 5, 3, 4, 5, 4, 4, 1, 5, 5, 6, 6, 7, 5, 6, 6, 7, 5, 6, 6, 5, 4, 4, 4, 4, 5, 4, 5, 4, 4, 1, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 4, 1, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
    5, 1, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 4, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
    5, 5, 1, 1, 5, 5, 5, 5, 5, 5, 4, 7, 6, 6, 4, 4, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1, 1, 1, 2, 2, 1, 1, 4, 3, 1, 6,
    5, 7, 9, 9, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 3, 4, 3, 2, 2, 4, 3, 1, 1, 2, 1, 3, 3, 1, 9, 4, 5, 5, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 1, 1, 7, 7, 9, 9, 7, 7, 5, 5, 4, 6, 6, 8, 8, 6, 6, 1, 1, 7, 13, 8, 8, 7, 7, 2, 2, 3, 4, 3, 4, 3,
    6, 5, 6, 6, 7, 5, 6, 6, 7, 5, 6, 6, 4, 1, 6, 4, 5, 4, 2, 6, 4, 8, 7, 2, 4, 4, 2, 3, 3, 4, 5, 5, 5, 6, 5, 5, 5, 6,
    6, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 5, 5, 5,
];

/// The opcodes of the core whose second and third word are the type and the number of a result, one bit each.
const WITH_RESULT: [u64; 7] = [
    0x3adf_7e00_0000_1002,
    0xdfff_eff7_ffdf_e07e,
    0xffff_ffff_fdff_ffff,
    0x0027_ffe8_00ff_bffc,
    0x5fff_99f8_7cfc_ffe8,
    0x0000_7fff_ffff_e17b,
    0x0000_0000_000f_0000,
];

/// The opcodes `OpSDot` to `OpSUDotAccSat`: behind the core, and read here.
const DOT: std::ops::RangeInclusive<u32> = spirv::Op::SDot as u32..=spirv::Op::SUDotAccSat as u32;

/// The words that an instruction has at least.
pub(crate) fn fewest_words(opcode: u32) -> usize {
    match opcode {
        // Type, result, and two vectors; the last three add to a number.
        _ if DOT.contains(&opcode) => {
            if opcode > spirv::Op::SUDot as u32 {
                6
            } else {
                5
            }
        }
        _ => FEWEST.get(opcode as usize).copied().unwrap_or(1).into(),
    }
}

/// Do the second and the third word of an instruction give type and number of a result? Of those that are not listed
/// here it is what they look like: `None`.
pub(crate) fn has_result(opcode: u32) -> Option<bool> {
    if DOT.contains(&opcode) {
        return Some(true);
    }
    let word = WITH_RESULT.get(opcode as usize / 64)?;
    Some(word >> (opcode % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};

    use super::*;

    #[test]
    fn the_table_is_that_of_the_grammar() {
        let mut seen = 0;
        for instruction in INSTRUCTION_TABLE.iter() {
            let opcode = instruction.opcode as u32;
            let needed = |operand: &&LogicalOperand| operand.quantifier == OperandQuantifier::One;
            let fewest = 1 + instruction.operands.iter().filter(needed).count();
            let is_known = (opcode as usize) < FEWEST.len() || DOT.contains(&opcode);
            seen += u32::from(is_known);
            assert_eq!(fewest_words(opcode), if is_known { fewest } else { 1 }, "{}", instruction.opname);
            let is_typed = instruction.operands.iter().any(|operand| operand.kind == OperandKind::IdResultType);
            assert!(has_result(opcode).is_none_or(|has_result| has_result == is_typed), "{}", instruction.opname);
        }
        assert!(seen > 300, "{seen}");
    }
}
