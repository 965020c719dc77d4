//! The nesting depth of a kernel's program, from which passes reserve their stack.
//!
//! It can be larger than that of the kernel: where some lanes may leave, the code behind is nested
//! in a branch for those that stay.

use std::collections::BTreeSet;

use tilewise_ir::kernel::{Block, InstClass, Jump, Kernel, LabelId};
use tilewise_ir::stack::with_levels;

/// Maximum nesting depth of a program.
pub(super) const MOST_LEVELS: u32 = 2048;

/// The stack levels for passes over the program of a kernel.
pub(crate) fn pass_levels(kernel: &Kernel) -> u32 {
    program_levels(kernel).min(MOST_LEVELS)
}

/// The nesting depth of a kernel's program.
pub(super) fn program_levels(kernel: &Kernel) -> u32 {
    with_levels(kernel.levels(), || BlockDepth::of(kernel.entry().body()).levels)
}

/// The depth of a block's program, and where lanes go that leave the block.
#[derive(Default)]
struct BlockDepth {
    levels: u32,
    /// `None` is the end of the thread.
    exits: BTreeSet<Option<LabelId>>,
}

impl BlockDepth {
    fn of(block: &Block) -> BlockDepth {
        let mut all = BlockDepth::default();
        let mut left = 0_u32;
        for inst in &block.insts {
            let mut inside = BlockDepth::default();
            if matches!(inst.kind.class(), InstClass::Jump | InstClass::Stop) {
                inside.exits.insert(inst.kind.jump().and_then(Jump::label));
            }
            inst.kind.each_block(&mut |block| {
                let mut nested = BlockDepth::of(block);
                inside.levels = inside.levels.max(nested.levels);
                inside.exits.append(&mut nested.exits);
            });
            if let Some(own) = inst.kind.opened_label() {
                inside.exits.remove(&Some(own));
            }
            all.levels = all.levels.max(left.saturating_add(inside.levels));
            left = left.saturating_add(u32::from(!inside.exits.is_empty()));
            all.exits.append(&mut inside.exits);
        }
        all.levels = all.levels.saturating_add(1);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::samples::checked;

    #[test]
    fn code_behind_an_exit_is_a_level_deeper() {
        let levels = |text: &str| program_levels(checked(text).inlined());
        let plain = levels("out[i] = 1;");
        assert_eq!(levels("if i < n { out[i] = 1; }"), plain + 1);
        assert_eq!(levels(&"if i < n { return; } out[i] = 1; ".repeat(5)), plain + 5);
        assert_eq!(levels(&"if i < n { abort; } out[i] = 1; ".repeat(5)), plain + 5);
        // Lanes that leave a loop are back behind it.
        let alone = "while out[i] < 3 { if i < n { break; } out[i] = 4; } ";
        assert_eq!(levels(alone), levels(&alone.repeat(5)));
    }
}
