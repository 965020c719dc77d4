//! The blocks of a function of SPIR-V.

use crate::spirv::op;
use crate::spirv::words::{PlacedWords, opcode};

/// A block: its label, what stands before that, and the rest up to its terminator.
pub(super) struct FlowBlock {
    pub(super) label: u32,
    pub(super) instructions: Vec<PlacedWords>,
    /// Those that are inserted before its terminator, and before the merge instruction that may stand there.
    pub(super) inserted: Vec<Vec<u32>>,
    /// Blocks that are inserted before it, and behind it.
    pub(super) before: Vec<Vec<u32>>,
    pub(super) behind: Vec<Vec<u32>>,
    pub(super) is_dead: bool,
}

impl FlowBlock {
    pub(super) fn terminator(&self) -> &PlacedWords {
        self.instructions.last().expect("a block has its label at least")
    }

    pub(super) fn byte(&self) -> u32 {
        self.terminator().0
    }

    /// The place of the merge instruction, which may stand before others.
    pub(super) fn merge_at(&self) -> Option<usize> {
        let is_merge =
            |one: &PlacedWords| matches!(one.1[0] & 0xffff, op::LOOP_MERGE | op::SELECTION_MERGE) && one.1.len() > 2;
        self.instructions.iter().rposition(is_merge)
    }

    pub(super) fn merge(&self) -> Option<&[u32]> {
        self.merge_at().map(|at| self.instructions[at].1.as_slice())
    }

    /// The places of labels among the words of its terminator. `literal`: the words of a literal of an `OpSwitch`.
    pub(super) fn targets(&self, literal: usize) -> Vec<usize> {
        let words = &self.terminator().1;
        match words[0] & 0xffff {
            op::BRANCH if words.len() == 2 => vec![1],
            op::BRANCH_CONDITIONAL if words.len() >= 4 => vec![2, 3],
            op::SWITCH if words.len() >= 3 => {
                std::iter::once(2).chain((3 + literal..words.len()).step_by(literal + 1)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The instructions before a function's first block, its blocks, and those behind the last.
pub(super) type DividedFunction<'w> = (&'w [PlacedWords], Vec<FlowBlock>, &'w [PlacedWords]);

/// Nothing if it has no blocks or a block is not whole: naga says what is wrong with it.
pub(super) fn divided(function: &[PlacedWords]) -> Option<DividedFunction<'_>> {
    let is_label = |one: &PlacedWords| opcode(one) == op::LABEL && one.1.len() == 2;
    let first = function.iter().position(is_label)?;
    let last = function.iter().rposition(|one| is_end(opcode(one)))? + 1;
    let mut blocks = Vec::new();
    for part in function.get(first..last)?.split_inclusive(|one| is_end(opcode(one))) {
        let mut labels = part.iter().filter(|one| is_label(one));
        let (Some((_, label)), None) = (labels.next(), labels.next()) else { return None };
        blocks.push(FlowBlock {
            label: label[1],
            instructions: part.to_vec(),
            inserted: Vec::new(),
            before: Vec::new(),
            behind: Vec::new(),
            is_dead: false,
        });
    }
    // A terminator may stand before the first label, and none behind it.
    if blocks.is_empty() {
        return None;
    }
    Some((&function[..first], blocks, &function[last..]))
}

/// Does an instruction end a block?
fn is_end(opcode: u32) -> bool {
    use spirv::Op;
    const OTHERS: [u32; 5] = [
        Op::Kill as u32,
        Op::Return as u32,
        Op::ReturnValue as u32,
        Op::Unreachable as u32,
        Op::TerminateInvocation as u32,
    ];
    matches!(opcode, op::BRANCH | op::BRANCH_CONDITIONAL | op::SWITCH) || OTHERS.contains(&opcode)
}
