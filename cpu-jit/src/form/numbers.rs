//! The numbers of instructions: text order, outer before inner, as `Block::walk` meets them and `Facts::insts` lists them.

use tilewise_ir::kernel::{Block, Inst, Kernel};

/// Where the instructions inside an instruction end.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    ends: Vec<usize>,
}

impl Numbers {
    /// Those of a kernel's body.
    pub(super) fn of(kernel: &Kernel) -> Numbers {
        let mut numbers = Numbers { ends: Vec::new() };
        numbers.block(kernel.entry().body());
        numbers
    }

    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            let number = self.ends.len();
            self.ends.push(0);
            inst.kind.blocks(&mut |inner| self.block(inner));
            self.ends[number] = self.ends.len();
        }
    }

    /// Number of instructions.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The number behind an instruction and all inside it: that of the next one in its block, if there is one.
    #[cfg(test)]
    pub(super) fn end(&self, number: usize) -> usize {
        self.ends[number]
    }

    /// The numbers of a block's instructions, of which the first would have the number `first`; then the number behind the block.
    pub(super) fn in_block(&self, block: &Block, first: usize) -> Vec<usize> {
        let mut at = first;
        let mut list = Vec::with_capacity(block.insts.len() + 1);
        for _ in &block.insts {
            list.push(at);
            at = self.ends[at];
        }
        list.push(at);
        list
    }

    /// For each block inside an instruction, in text order: the block, and the number of its first instruction, had it one.
    pub(super) fn blocks<'a>(&self, inst: &'a Inst, number: usize) -> Vec<(&'a Block, usize)> {
        let mut list = Vec::new();
        let mut at = number + 1;
        inst.kind.each_block(&mut |block| {
            list.push((block, at));
            for _ in &block.insts {
                at = self.ends[at];
            }
        });
        list
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;
    use crate::form::samples::checked;

    #[test]
    fn numbers_are_those_of_the_walk() {
        let kernel = checked("if i < n { out[i] = 1; } else { while out[i] < 3 { out[i] = n; } } out[0] = 2;");
        let kernel = kernel.inlined();
        let numbers = Numbers::of(kernel);
        let mut positions = Vec::new();
        kernel.entry().body().walk(&mut |inst| positions.push(inst.pos));
        assert_eq!(numbers.count(), positions.len());
        let mut stack = vec![(kernel.entry().body(), 0)];
        while let Some((block, first)) = stack.pop() {
            let list = numbers.in_block(block, first);
            for (inst, &number) in block.insts.iter().zip(&list) {
                assert_eq!(inst.pos, positions[number]);
                assert!(numbers.end(number) > number);
                stack.extend(numbers.blocks(inst, number));
            }
        }
    }
}
