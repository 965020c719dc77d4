//! The nesting depth of a kernel once a target has taken its early exits apart.
//!
//! It can be larger than that of the kernel: where some threads may leave, the code behind is nested
//! in a branch for those that stay. In a kernel whose threads vote, they may also be stopped at each
//! barrier. Passes over such code reserve their stack by this number.

use std::collections::BTreeSet;

use crate::check::Checked;
use crate::kernel::{Block, InstClass, Jump, Kernel, LabelId};
use crate::stack::with_levels;

/// Maximum nesting depth of the code that a target makes.
const MOST_LEVELS: u32 = 2048;

/// The nesting depth of the code that targets make of a kernel, its functions inlined; the reason why
/// it is too deep.
pub fn exit_levels(kernel: &Checked<Kernel>) -> Result<u32, String> {
    let stops = !kernel.facts().uniformity().proves_barriers();
    let kernel = kernel.inlined();
    let levels = with_levels(kernel.levels(), || BlockDepth::of(kernel.entry().body(), stops).levels);
    if levels <= MOST_LEVELS {
        return Ok(levels);
    }
    let early = match stops {
        true => "each early exit nests the code behind it, and each barrier for which threads vote",
        false => "each early exit nests the code behind it",
    };
    Err(format!("its program would have {levels} levels, at most {MOST_LEVELS}: {early}"))
}

/// The stack levels for passes over that code.
pub fn pass_levels(kernel: &Checked<Kernel>) -> u32 {
    exit_levels(kernel).unwrap_or(MOST_LEVELS)
}

/// The depth of a block's program, and where lanes go that leave the block.
#[derive(Default)]
struct BlockDepth {
    levels: u32,
    /// `None` is the end of the thread.
    exits: BTreeSet<Option<LabelId>>,
}

impl BlockDepth {
    /// `stops`: threads may be stopped at barriers.
    fn of(block: &Block, stops: bool) -> BlockDepth {
        let mut all = BlockDepth::default();
        let mut left = 0_u32;
        for inst in &block.insts {
            let mut inside = BlockDepth::default();
            if matches!(inst.kind.class(), InstClass::Jump | InstClass::Stop) {
                inside.exits.insert(inst.kind.jump().and_then(Jump::label));
            }
            if stops && inst.kind.barrier().is_some() {
                inside.exits.insert(None);
            }
            inst.kind.each_block(&mut |block| {
                let mut nested = BlockDepth::of(block, stops);
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
    use crate::check::check;
    use crate::text::parse;

    #[test]
    fn code_behind_an_exit_is_a_level_deeper() {
        let levels_in = |tile: &str, body: &str| {
            let text = format!("kernel k(a: view<i32, 1, read_write>) {tile} {{ let i = global[0]; {body} }}");
            let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
            exit_levels(&check(kernel).unwrap_or_else(|failure| panic!("{failure}")))
        };
        let levels = |body: &str| levels_in("rank(1)", body);
        assert_eq!(levels("a[i] = 1;"), Ok(1));
        assert_eq!(levels("if i < 3 { a[i] = 1; }"), Ok(2));
        assert_eq!(levels(&"if i < 3 { return; } a[i] = 1; ".repeat(5)), Ok(6));
        assert_eq!(levels(&"if i < 3 { abort; } a[i] = 1; ".repeat(5)), Ok(6));
        // Threads that leave a loop are back behind it.
        let alone = "while a[i] < 3 { if i < 3 { break; } a[i] = 4; } ";
        assert_eq!(levels(alone), levels(&alone.repeat(5)));
        let reason = levels(&"if i < 3 { return; } a[i] = 1; ".repeat(3000));
        assert!(reason.is_err_and(|reason| reason.contains("3001 levels, at most 2048")));

        let tiled = |body: &str| levels_in("tile(64)", body);
        assert_eq!(tiled(&"barrier; ".repeat(5)), Ok(1));
        assert_eq!(tiled(&"if a[i] > 3 { a[i] = 1; barrier; } ".repeat(5)), Ok(6));
        let reason = tiled(&"if a[i] > 3 { barrier; } ".repeat(2100));
        assert!(reason.is_err_and(|reason| reason.contains("and each barrier for which threads vote")));
    }
}
