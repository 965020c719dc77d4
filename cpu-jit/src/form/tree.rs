//! The kernel's tree, by numbers: how large each instruction is, and what is somewhere inside it.
//!
//! Instructions are numbered in text order, outer before inner, as [`Block::walk`] meets them and as the facts count them.

use tilewise_ir::kernel::{Block, Inst, InstClass, InstKind, Jump, Kernel, LabelId, Place, Root};

use super::locals::Locals;

/// What is in an instruction and the blocks inside it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inside {
    /// Instructions, itself included.
    pub(super) size: u32,
    /// Those of them that compute something.
    pub(super) work: u32,
    /// Is memory touched, or anything said?
    pub(super) effects: bool,
    /// Is there a loop?
    pub(super) repeats: bool,
    /// Is there a barrier?
    pub(super) barrier: bool,
    /// Does a thread end?
    pub(super) ends: bool,
    /// By `error` or `abort`?
    pub(super) fails: bool,
    /// Does a variable in memory begin?
    pub(super) declares: bool,
}

/// Of each instruction what is inside, and who leaves to where.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) inside: Vec<Inside>,
    /// Every leave: its number, its label, and whether it is a `continue`.
    pub(super) leaves: Vec<(usize, LabelId, bool)>,
}

impl Tree {
    /// Of the entry of a kernel without calls.
    pub(super) fn of(kernel: &Kernel, locals: &Locals) -> Tree {
        let mut tree = Tree::default();
        tree.block(kernel.entry().body(), &|place| locals.touched(kernel, place).is_none());
        tree
    }

    fn block(&mut self, block: &Block, in_memory: &dyn Fn(&Place) -> bool) -> Inside {
        let mut sum = Inside::default();
        for inst in &block.insts {
            let inside = self.inst(inst, in_memory);
            sum.size += inside.size;
            sum.work += inside.work;
            sum.effects |= inside.effects;
            sum.repeats |= inside.repeats;
            sum.barrier |= inside.barrier;
            sum.ends |= inside.ends;
            sum.fails |= inside.fails;
        }
        sum
    }

    fn inst(&mut self, inst: &Inst, in_memory: &dyn Fn(&Place) -> bool) -> Inside {
        let number = self.inside.len();
        self.inside.push(Inside::default());
        let work = matches!(inst.kind, InstKind::Op { .. } | InstKind::ComponentAt { .. });
        let mut inside = Inside { size: 1, work: work.into(), ..Inside::default() };
        match inst.kind.class() {
            InstClass::Read | InstClass::Write => inst.kind.places(&mut |place| inside.effects |= in_memory(place)),
            InstClass::Atomic | InstClass::Output => inside.effects = true,
            InstClass::Synchronize => {
                inside.barrier = inst.kind.barrier().is_some();
                inside.effects = !inside.barrier;
            }
            InstClass::Declare => {
                let place = inst.kind.declared().map(|local| Place { root: Root::Local(local), path: Vec::new() });
                inside.declares = place.is_some_and(|place| in_memory(&place));
            }
            InstClass::Stop => (inside.effects, inside.ends, inside.fails) = (true, true, true),
            InstClass::Structured => inside.repeats = matches!(inst.kind, InstKind::Loop { .. }),
            InstClass::Jump => match inst.kind.jump() {
                Some(Jump::Break { label, .. }) => self.leaves.push((number, label, false)),
                Some(Jump::Continue { label }) => self.leaves.push((number, label, true)),
                Some(Jump::Return(_)) | None => inside.ends = true,
            },
            InstClass::Compute | InstClass::Query | InstClass::MakeView | InstClass::Call => {}
        }
        inst.kind.each_block(&mut |block| {
            let sum = self.block(block, in_memory);
            inside.size += sum.size;
            inside.work += sum.work;
            inside.effects |= sum.effects;
            inside.repeats |= sum.repeats;
            inside.barrier |= sum.barrier;
            inside.ends |= sum.ends;
            inside.fails |= sum.fails;
        });
        self.inside[number] = inside;
        inside
    }

    /// Of instruction `number`.
    pub(super) fn at(&self, number: usize) -> Inside {
        self.inside[number]
    }

    /// Of the instructions of a block whose first has that number.
    pub(super) fn of_block(&self, block: &Block, first: usize) -> Inside {
        let mut sum = Inside::default();
        let mut number = first;
        for _ in &block.insts {
            let inside = self.inside[number];
            number += inside.size as usize;
            sum.size += inside.size;
            sum.work += inside.work;
            sum.effects |= inside.effects;
            sum.repeats |= inside.repeats;
            sum.barrier |= inside.barrier;
            sum.ends |= inside.ends;
            sum.fails |= inside.fails;
        }
        sum
    }

    /// Does anybody inside instruction `number` leave to the label?
    pub(super) fn leaves_to(&self, number: usize, label: LabelId, continues: bool) -> bool {
        self.leaves_between(number, number + self.inside[number].size as usize, label, continues)
    }

    /// The leaves inside instruction `number` to the label.
    pub(super) fn leaves_of(&self, number: usize, label: LabelId, continues: bool) -> impl Iterator<Item = usize> {
        let end = number + self.inside[number].size as usize;
        let from = self.leaves.partition_point(|leave| leave.0 < number);
        let within = self.leaves[from..].iter().take_while(move |leave| leave.0 < end);
        within.filter(move |leave| (leave.1, leave.2) == (label, continues)).map(|leave| leave.0)
    }

    /// Does anybody from instruction `first` on and before `end` leave to the label?
    pub(super) fn leaves_between(&self, first: usize, end: usize, label: LabelId, continues: bool) -> bool {
        let from = self.leaves.partition_point(|leave| leave.0 < first);
        let within = self.leaves[from..].iter().take_while(|leave| leave.0 < end);
        within.into_iter().any(|leave| (leave.1, leave.2) == (label, continues))
    }

    /// Is memory touched, or anything said, from instruction `first` on and before `end`?
    pub(super) fn touches_between(&self, first: usize, end: usize) -> bool {
        self.inside[first..end].iter().any(|inside| inside.effects || inside.ends || inside.declares)
    }

    /// Number of the first instruction behind a block.
    pub(super) fn behind(&self, block: &Block, first: usize) -> usize {
        first + self.of_block(block, first).size as usize
    }
}
