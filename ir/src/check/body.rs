//! Shared by the rule families: a function with its definitions looked up, and the list of reports.

use super::layout::TypeFacts;
use crate::diag::{Diagnostic, DiagnosticList};
use crate::kernel::{Block, Function, Inst, InstKind, Kernel, LabelId, LocalId, ValueDef, ValueId};
use crate::pos::Pos;
use crate::typing::Context;

/// A function under check.
pub(super) struct Body<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) function: &'a Function,
    pub(super) facts: &'a TypeFacts,
    pub(super) context: Context<'a>,
    pub(super) reports: DiagnosticList,
    /// For each value, the instruction that defines it.
    defs: Vec<Option<&'a Inst>>,
    /// For each label, the construct that it names.
    targets: Vec<Option<&'a Inst>>,
    /// For each label, whether a `break` names it.
    broken: Vec<bool>,
    /// For each local, its declaration.
    declarations: Vec<Option<&'a Inst>>,
}

impl<'a> Body<'a> {
    /// Looks up all definitions. Assumes nothing: the first of two definitions counts, and ids out
    /// of range are ignored.
    pub(super) fn new(kernel: &'a Kernel, function: &'a Function, facts: &'a TypeFacts) -> Body<'a> {
        let mut body = Body {
            kernel,
            function,
            facts,
            context: kernel.context(function),
            reports: DiagnosticList::default(),
            defs: vec![None; function.values.len()],
            targets: vec![None; function.labels.len()],
            broken: vec![false; function.labels.len()],
            declarations: vec![None; function.locals.len()],
        };
        body.gather(&function.body);
        body
    }

    fn gather(&mut self, block: &'a Block) {
        fn set<'a>(list: &mut [Option<&'a Inst>], at: usize, inst: &'a Inst) {
            if let Some(slot @ None) = list.get_mut(at) {
                *slot = Some(inst);
            }
        }
        for inst in &block.insts {
            for value in inst.results() {
                set(&mut self.defs, value.index(), inst);
            }
            if let InstKind::Declare { local, .. } = &inst.kind {
                set(&mut self.declarations, local.index(), inst);
            }
            if let Some(label) = inst.kind.opened_label() {
                set(&mut self.targets, label.index(), inst);
            }
            if let InstKind::Break { label, .. } = &inst.kind
                && let Some(broken) = self.broken.get_mut(label.index())
            {
                *broken = true;
            }
            for block in inner_blocks(inst) {
                self.gather(block);
            }
        }
    }

    /// Whether it is the kernel's own body.
    pub(super) fn is_entry(&self) -> bool {
        std::ptr::eq(self.function, &self.kernel.entry)
    }

    /// The instruction that defines a value; `None` for constants and parameters.
    pub(super) fn definition(&self, value: ValueId) -> Option<&'a Inst> {
        self.defs.get(value.index()).copied().flatten()
    }

    /// The construct that a label names.
    pub(super) fn target(&self, label: LabelId) -> Option<&'a Inst> {
        self.targets.get(label.index()).copied().flatten()
    }

    /// Whether a `break` names the label.
    pub(super) fn is_broken(&self, label: LabelId) -> bool {
        self.broken.get(label.index()).copied().unwrap_or(false)
    }

    /// The declaration of a local.
    pub(super) fn declaration(&self, local: LocalId) -> Option<&'a Inst> {
        self.declarations.get(local.index()).copied().flatten()
    }

    /// The position of a value's definition, if known.
    pub(super) fn origin(&self, value: ValueId) -> Option<Pos> {
        self.definition(value).map(|inst| inst.pos).filter(|pos| pos.is_known())
    }

    /// The integer value of a constant, or of a vector with the same constant in all components.
    pub(super) fn constant(&self, value: ValueId) -> Option<i128> {
        match self.function.values.get(value.index())?.def {
            ValueDef::Const(constant) => constant.integer(),
            ValueDef::Param(_) | ValueDef::Inst => None,
        }
    }

    /// Calls `f` on every instruction, in preorder.
    pub(super) fn each(&mut self, f: &mut dyn FnMut(&mut Body<'a>, &'a Inst)) {
        let function = self.function;
        self.each_in(&function.body, f);
    }

    fn each_in(&mut self, block: &'a Block, f: &mut dyn FnMut(&mut Body<'a>, &'a Inst)) {
        for inst in &block.insts {
            f(self, inst);
            for block in inner_blocks(inst) {
                self.each_in(block, f);
            }
        }
    }

    /// Adds a report.
    pub(super) fn report(&mut self, report: Diagnostic) {
        self.reports.push(report);
    }
}

/// The blocks directly inside an instruction; they borrow from the kernel.
pub(super) fn inner_blocks(inst: &Inst) -> Vec<&Block> {
    let mut blocks = Vec::new();
    inst.kind.each_block(&mut |block| blocks.push(block));
    blocks
}
