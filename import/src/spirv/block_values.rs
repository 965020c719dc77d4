//! Operands of operations between the threads of a subgroup that another block has made, such as a phi of a loop before.
//! naga ends what it is writing in such an operation, and fails if it then has to fetch a value of another block: so a copy
//! stands before the operation.

use std::collections::HashSet;

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;

/// The values of a function.
#[derive(Default)]
pub(crate) struct BlockValues {
    /// All of them so far.
    all: HashSet<u32>,
    /// Those of the block that is being rewritten.
    own: HashSet<u32>,
}

impl SpirvRewriter<'_> {
    /// Notes the value of an instruction, and where a block begins.
    pub(crate) fn note_in_block(&mut self, instruction: &[u32]) {
        match (instruction[0] & 0xffff, instruction) {
            (op::FUNCTION, _) => self.of_blocks = BlockValues::default(),
            (op::LABEL, _) => self.of_blocks.own.clear(),
            (_, &[_, ty, id, ..]) if self.writer.types.of(id) == Some(ty) => {
                self.of_blocks.all.insert(id);
                self.of_blocks.own.insert(id);
            }
            _ => {}
        }
    }

    /// Gives a subgroup operation copies of values of other blocks.
    pub(crate) fn copy_operands(&mut self, instruction: &mut [u32]) {
        let Some((first, literal)) = operands_of(instruction[0] & 0xffff) else { return };
        for (at, operand) in instruction.iter_mut().enumerate().skip(first) {
            let value = *operand;
            if Some(at) == literal || !self.of_blocks.all.contains(&value) || self.of_blocks.own.contains(&value) {
                continue;
            }
            let Some(ty) = self.writer.types.of(value) else { continue };
            *operand = match self.writer.types.components(ty) {
                Some((_, 1)) => {
                    let boolean = self.writer.types.type_id(PlainType::Bool);
                    let yes = self.writer.types.constant(op::CONSTANT_TRUE, boolean, &[]);
                    self.writer.add(op::SELECT, ty, &[yes, value, value])
                }
                Some((_, count @ 2..=4)) => {
                    let picks = [value, value, 0, 1, 2, 3];
                    self.writer.add(op::VECTOR_SHUFFLE, ty, &picks[..2 + count as usize])
                }
                _ => continue,
            };
        }
    }
}

/// Of a subgroup operation: where its values begin, and which word of those is none.
fn operands_of(opcode: u32) -> Option<(usize, Option<usize>)> {
    Some(match opcode {
        op::GROUP_BALLOT_BIT_COUNT | op::GROUP_I_ADD..=op::GROUP_LOGICAL_XOR => (4, Some(4)),
        op::GROUP_ELECT..=op::GROUP_QUAD_SWAP | op::GROUP_ROTATE => (4, None),
        op::SUBGROUP_BALLOT
        | op::SUBGROUP_FIRST
        | op::SUBGROUP_ALL
        | op::SUBGROUP_ANY
        | op::SUBGROUP_ALL_EQUAL
        | op::SUBGROUP_READ
        | op::GROUP_QUAD_ALL
        | op::GROUP_QUAD_ANY => (3, None),
        _ => return None,
    })
}
