//! Determines the last use of each value, so that its slots can be reused.
//!
//! A value lives from its instruction to the end of the instruction *of the same block* that
//! contains its last use: a loop that uses a value from outside keeps it alive in all iterations.
//! Blocks are numbered in the same walk order as in [`compile`](super::compile).

use tilewise_ir::kernel::{Block, Function, InstKind, ValueId};

/// For each block, the values that die after each of its instructions, in order. The number of
/// instructions stands for the end of the block.
pub(super) struct Deaths {
    blocks: Vec<Vec<(u32, ValueId)>>,
    /// Number of uses of each value.
    uses: Vec<u32>,
}

impl Deaths {
    /// Analyses a function.
    pub(super) fn new(function: &Function) -> Deaths {
        let mut walk = LifetimeWalk {
            lives: vec![None; function.values().len()],
            uses: vec![0; function.values().len()],
            open: Vec::new(),
            blocks: 0,
        };
        walk.block(function.body());
        let mut blocks = vec![Vec::new(); walk.blocks];
        for life in walk.lives.into_iter().flatten() {
            blocks[life.block].push((life.last, life.value));
        }
        blocks.iter_mut().for_each(|block| block.sort_unstable_by_key(|&(last, id)| (last, id.index())));
        Deaths { blocks, uses: walk.uses }
    }

    /// Whether the value has exactly one use.
    pub(super) fn used_once(&self, value: ValueId) -> bool {
        self.uses.get(value.index()) == Some(&1)
    }

    /// Whether the value has any use.
    pub(super) fn is_used(&self, value: ValueId) -> bool {
        self.uses.get(value.index()).is_some_and(|&uses| uses > 0)
    }

    /// The values that die after instruction `inst` of block `block`.
    pub(super) fn behind(&self, block: usize, inst: usize) -> impl Iterator<Item = ValueId> + '_ {
        let deaths = self.blocks.get(block).map_or(&[][..], Vec::as_slice);
        let first = deaths.partition_point(|&(last, _)| (last as usize) < inst);
        deaths[first..].iter().take_while(move |&&(last, _)| last as usize == inst).map(|&(_, id)| id)
    }
}

#[derive(Clone, Copy)]
struct ValueLife {
    value: ValueId,
    block: usize,
    depth: usize,
    last: u32,
}

struct LifetimeWalk {
    lives: Vec<Option<ValueLife>>,
    uses: Vec<u32>,
    /// Number of each open block, and the index of its current instruction.
    open: Vec<(usize, u32)>,
    blocks: usize,
}

impl LifetimeWalk {
    fn block(&mut self, block: &Block) {
        self.open.push((self.blocks, 0));
        self.blocks += 1;
        for (i, inst) in block.insts.iter().enumerate() {
            self.at(i as u32);
            // The result's slots are allocated before the nested blocks are compiled.
            self.define(inst.result);
            if let InstKind::CompareExchange { equal, .. } = inst.kind {
                self.define(Some(equal));
            }
            inst.kind.operands(&mut |&value| self.used(value));
            inst.kind.blocks(&mut |inner| self.block(inner));
        }
        self.at(block.insts.len() as u32);
        if let Some(value) = block.value {
            self.used(value);
        }
        self.open.pop();
    }

    fn at(&mut self, inst: u32) {
        if let Some(open) = self.open.last_mut() {
            open.1 = inst;
        }
    }

    fn define(&mut self, value: Option<ValueId>) {
        let (Some(value), Some(&(block, last))) = (value, self.open.last()) else { return };
        self.lives[value.index()] = Some(ValueLife { value, block, depth: self.open.len() - 1, last });
    }

    fn used(&mut self, value: ValueId) {
        self.uses[value.index()] += 1;
        if let Some(life) = &mut self.lives[value.index()]
            && let Some(&(block, inst)) = self.open.get(life.depth)
            && block == life.block
        {
            life.last = inst;
        }
    }
}
