//! The kernel's tree: for each instruction, by id, its size and a summary of its contents.

use std::ops::Range;

use tilewise_ir::kernel::{Block, Inst, InstClass, InstId, InstKind, Jump, Kernel, LabelId, Place, Root};

use super::locals::Locals;

/// A summary of an instruction and its nested blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inside {
    /// The number of instructions, including itself.
    pub(super) size: u32,
    /// The number of instructions that compute something.
    pub(super) work: u32,
    /// Does it access memory, or send messages?
    pub(super) effects: bool,
    /// Does it contain a loop?
    pub(super) repeats: bool,
    /// Does it end a thread?
    pub(super) ends: bool,
    /// Does it end a thread by `error` or `abort`?
    pub(super) fails: bool,
    /// Does it declare a variable in memory?
    pub(super) declares: bool,
}

impl Inside {
    /// Adds the summary of another instruction. `declares` is not propagated.
    fn add(&mut self, other: Inside) {
        self.size += other.size;
        self.work += other.work;
        self.effects |= other.effects;
        self.repeats |= other.repeats;
        self.ends |= other.ends;
        self.fails |= other.fails;
    }
}

/// The summary of each instruction, and all jumps.
#[derive(Clone, Debug, Default)]
pub(super) struct InstTree {
    /// Summaries, by id.
    pub(super) inside: Vec<Inside>,
    /// Every jump in source order: its label, and whether it is a `continue`.
    pub(super) leaves: Vec<(InstId, LabelId, bool)>,
}

impl InstTree {
    /// Builds the tree of a kernel without calls.
    pub(super) fn of(kernel: &Kernel, locals: &Locals) -> InstTree {
        let mut tree = InstTree { inside: vec![Inside::default(); kernel.entry().inst_count()], leaves: Vec::new() };
        tree.block(kernel.entry().body(), &|place| locals.touched(kernel, place).is_none());
        tree
    }

    fn block(&mut self, block: &Block, in_memory: &dyn Fn(&Place) -> bool) -> Inside {
        let mut sum = Inside::default();
        for inst in &block.insts {
            let inside = self.inst(inst, in_memory);
            sum.add(inside);
        }
        sum
    }

    fn inst(&mut self, inst: &Inst, in_memory: &dyn Fn(&Place) -> bool) -> Inside {
        let work = matches!(inst.kind, InstKind::Op { .. } | InstKind::ComponentAt { .. });
        let mut inside = Inside { size: 1, work: work.into(), ..Inside::default() };
        match inst.kind.class() {
            InstClass::Read | InstClass::Write => inst.kind.places(&mut |place| inside.effects |= in_memory(place)),
            InstClass::Atomic | InstClass::Output => inside.effects = true,
            InstClass::Synchronize => inside.effects = inst.kind.barrier().is_none(),
            InstClass::Declare => {
                let place = inst.kind.declared().map(|local| Place { root: Root::Local(local), path: Vec::new() });
                inside.declares = place.is_some_and(|place| in_memory(&place));
            }
            InstClass::Stop => (inside.effects, inside.ends, inside.fails) = (true, true, true),
            InstClass::Structured => inside.repeats = matches!(inst.kind, InstKind::Loop { .. }),
            InstClass::Jump => match inst.kind.jump() {
                Some(Jump::Break { label, .. }) => self.leaves.push((inst.id, label, false)),
                Some(Jump::Continue { label }) => self.leaves.push((inst.id, label, true)),
                Some(Jump::Return(_)) | None => inside.ends = true,
            },
            InstClass::Compute | InstClass::Query | InstClass::MakeView | InstClass::Call => {}
        }
        inst.kind.each_block(&mut |block| {
            let sum = self.block(block, in_memory);
            inside.add(sum);
        });
        self.inside[inst.id.index()] = inside;
        inside
    }

    /// The summary of an instruction.
    pub(super) fn at(&self, inst: InstId) -> Inside {
        self.inside[inst.index()]
    }

    /// The summary of a block's instructions.
    pub(super) fn of_block(&self, block: &Block) -> Inside {
        let mut sum = Inside::default();
        block.insts.iter().for_each(|inst| sum.add(self.at(inst.id)));
        sum
    }

    /// The indices of an instruction and its contents.
    pub(super) fn span(&self, inst: InstId) -> Range<usize> {
        inst.index()..inst.index() + self.at(inst).size as usize
    }

    /// The indices of consecutive instructions, and of their contents.
    pub(super) fn span_of(&self, insts: &[Inst]) -> Range<usize> {
        match insts {
            [first, .., last] => first.id.index()..self.span(last.id).end,
            [one] => self.span(one.id),
            [] => 0..0,
        }
    }

    /// The jumps within a span.
    pub(super) fn leaves_in(&self, span: Range<usize>) -> &[(InstId, LabelId, bool)] {
        let at = |index: usize| self.leaves.partition_point(|leave| leave.0.index() < index);
        &self.leaves[at(span.start)..at(span.end)]
    }

    /// Does a span access memory, send messages, or end threads?
    pub(super) fn touches_in(&self, span: Range<usize>) -> bool {
        self.inside[span].iter().any(|inside| inside.effects || inside.ends || inside.declares)
    }

    /// Does an instruction contain a jump to the label?
    pub(super) fn leaves_to(&self, inst: InstId, label: LabelId, continues: bool) -> bool {
        self.leaves_of(inst, label, continues).next().is_some()
    }

    /// The jumps to the label inside an instruction.
    pub(super) fn leaves_of(&self, inst: InstId, label: LabelId, continues: bool) -> impl Iterator<Item = InstId> {
        let within = self.leaves_in(self.span(inst)).iter();
        within.filter(move |leave| (leave.1, leave.2) == (label, continues)).map(|leave| leave.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::samples::checked;

    #[test]
    fn spans_are_what_a_walk_meets() {
        let kernel = checked(
            "'out: while out[i] < 3 { if i < n { break 'out; } else { out[0] = 1; continue; } } continuing { out[i] = n; }
             if i < n { return; }",
        );
        let tree = InstTree::of(kernel.inlined(), &Locals::of(kernel.inlined(), kernel.facts()));
        let body = kernel.inlined().entry().body();
        let mut leaves = 0;
        body.walk(&mut |inst| {
            let (mut ids, mut labelled) = (Vec::new(), 0);
            let mut meet = |inst: &Inst| {
                ids.push(inst.id.index());
                labelled += usize::from(inst.kind.leaves() && inst.kind.label().is_some());
            };
            meet(inst);
            inst.kind.each_block(&mut |block| block.walk(&mut meet));
            assert_eq!(tree.span(inst.id).collect::<Vec<_>>(), ids);
            assert_eq!(tree.leaves_in(tree.span(inst.id)).len(), labelled);
            leaves += labelled;
        });
        assert_eq!(leaves, 6, "both leave the `if` and the loop");
        assert_eq!(tree.span_of(&body.insts), 0..kernel.inlined().entry().inst_count());
        assert_eq!(tree.span_of(&[]), 0..0);
    }
}
