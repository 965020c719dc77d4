//! The tree: each value, local and label is defined once, and used in its scope. `K0210`, `K0305`,
//! `K0306`.
//!
//! The builder and the parser keep values within their blocks, so `K0306` occurs only for blocks
//! assembled by hand, for example the same block used twice. The other families assume that this
//! one passed.

use super::body::{Body, inner_blocks};
use super::report;
use crate::diag::Code;
use crate::kernel::{Block, Construct, Inst, InstKind, Jump, Kernel, LabelId, LocalId, Root, ValueDef, ValueId};
use crate::types::ValueType;

/// Checks the family. Returns false if the tree is malformed, so that no other family can run.
pub(super) fn check(body: &mut Body<'_>) -> bool {
    let function = body.function;
    let mut walk = TreeWalk {
        visible: function.values.iter().map(|value| !matches!(value.def, ValueDef::Inst)).collect(),
        defined: vec![false; function.values.len()],
        locals: vec![LocalLife::Before; function.locals.len()],
        opened: vec![false; function.labels.len()],
        open: Vec::new(),
        whole: true,
        body,
    };
    walk.block(&function.body);
    walk.whole
}

/// Whether every id in the kernel refers to an existing item. Ids come from the builder, but a
/// caller may mix those of two builders.
pub(super) fn all_exist(kernel: &Kernel) -> bool {
    let mut all = true;
    for function in kernel.functions.iter().chain([&kernel.entry]) {
        function.body.walk(&mut |inst| {
            if let InstKind::Call { function, .. } = &inst.kind {
                all &= function.index() < kernel.functions.len();
            }
            inst.kind.label().into_iter().for_each(|label| all &= label.index() < function.labels.len());
            inst.kind.places(&mut |place| {
                all &= match &place.root {
                    Root::View { .. } => true,
                    Root::Param(id) => id.index() < kernel.params.len(),
                    Root::Tile(id) => id.index() < kernel.tile_vars.len(),
                    Root::Table(id) => id.index() < kernel.tables.len(),
                    Root::Local(id) => id.index() < function.locals.len(),
                    Root::Ref(i) => (*i as usize) < function.params.len(),
                }
            });
        });
    }
    all
}

/// State of a local at a point of the walk.
#[derive(Clone, Copy, PartialEq)]
enum LocalLife {
    Before,
    During,
    After,
}

/// The part of a loop that the walk is in. A scope has only a body.
#[derive(Clone, Copy, PartialEq)]
enum LoopPart {
    Condition,
    Body,
    Continuing,
}

/// An enclosing loop or scope.
struct OpenLabel {
    label: LabelId,
    is_loop: bool,
    part: LoopPart,
}

struct TreeWalk<'w, 'a> {
    body: &'w mut Body<'a>,
    visible: Vec<bool>,
    defined: Vec<bool>,
    locals: Vec<LocalLife>,
    opened: Vec<bool>,
    open: Vec<OpenLabel>,
    whole: bool,
}

impl<'a> TreeWalk<'_, 'a> {
    fn block(&mut self, block: &'a Block) {
        let mut values = Vec::new();
        let mut locals = Vec::new();
        for inst in &block.insts {
            self.inst(inst, &mut values, &mut locals);
        }
        if let Some(value) = block.value
            && !self.is_visible(value)
        {
            self.broken(block.insts.last(), "a block gives a value that is not known in it");
        }
        for value in values {
            self.visible[value.index()] = false;
        }
        for local in locals {
            self.locals[local.index()] = LocalLife::After;
        }
    }

    fn inst(&mut self, inst: &'a Inst, values: &mut Vec<ValueId>, locals: &mut Vec<LocalId>) {
        inst.kind.operands(&mut |&value| {
            if !self.is_visible(value) {
                self.broken(Some(inst), "a value is used where it is not known");
            }
        });
        inst.kind.places(&mut |place| {
            if let Root::Local(local) = place.root {
                self.use_local(inst, local);
            }
        });
        let label = inst.kind.opened_label();
        if let Some(label) = label {
            match self.opened.get_mut(label.index()) {
                Some(opened @ false) => *opened = true,
                _ => self.broken(Some(inst), "two constructs have the same label"),
            }
            let is_loop = matches!(inst.kind, InstKind::Loop { .. });
            self.open.push(OpenLabel { label, is_loop, part: LoopPart::Body });
        }
        self.own_rules(inst, locals);
        if let InstKind::Loop { condition, body, continuing, .. } = &inst.kind {
            self.in_part(LoopPart::Condition);
            condition.iter().for_each(|block| self.block(block));
            self.in_part(LoopPart::Body);
            self.block(body);
            self.in_part(LoopPart::Continuing);
            self.block(continuing);
        } else {
            inner_blocks(inst).into_iter().for_each(|block| self.block(block));
        }
        if label.is_some() {
            self.open.pop();
        }
        for value in inst.results() {
            match self.defined.get_mut(value.index()) {
                Some(defined @ false) => {
                    *defined = true;
                    self.visible[value.index()] = true;
                    values.push(value);
                }
                _ => self.broken(Some(inst), "a value is defined twice"),
            }
        }
    }

    /// Checks the rules of an instruction besides those for operands and nested blocks.
    fn own_rules(&mut self, inst: &'a Inst, locals: &mut Vec<LocalId>) {
        if let Some(local) = inst.kind.declared() {
            self.declare(inst, local, locals);
        }
        match inst.kind.jump() {
            Some(Jump::Break { label, .. }) => self.leave(inst, label, false),
            Some(Jump::Continue { label }) => self.leave(inst, label, true),
            Some(Jump::Return(_)) | None => {}
        }
        match inst.kind.construct() {
            Some(Construct::Loop { body, .. }) => {
                if body.value.is_some() {
                    self.broken(Some(inst), "a loop's body gives a value that nothing takes");
                }
            }
            Some(Construct::Switch { cases, default, .. }) => {
                if cases.iter().map(|case| &case.body).chain([default]).any(|block| block.value.is_some()) {
                    self.broken(Some(inst), "a switch's case gives a value that nothing takes");
                }
            }
            Some(Construct::If { .. } | Construct::Scope { .. }) | None => {}
        }
    }

    fn declare(&mut self, inst: &'a Inst, local: LocalId, locals: &mut Vec<LocalId>) {
        match self.locals.get(local.index()) {
            Some(LocalLife::Before) => {
                self.locals[local.index()] = LocalLife::During;
                locals.push(local);
            }
            Some(LocalLife::During | LocalLife::After) => {
                let name = &self.body.function.locals[local.index()].name;
                self.body.report(
                    report(Code::K0210, format!("`{name}` is declared twice")).at(inst.pos, "declared here again"),
                );
            }
            None => self.broken(Some(inst), "a declaration names no local variable"),
        }
    }

    fn in_part(&mut self, part: LoopPart) {
        if let Some(open) = self.open.last_mut() {
            open.part = part;
        }
    }

    /// The builder's invalid value is visible everywhere.
    fn is_visible(&self, value: ValueId) -> bool {
        self.visible.get(value.index()).copied().unwrap_or(false)
            || self.body.context.value(value) == ValueType::Invalid && value.index() < self.visible.len()
    }

    fn use_local(&mut self, inst: &Inst, local: LocalId) {
        let Some(life) = self.locals.get(local.index()) else {
            return self.broken(Some(inst), "a place names no local variable");
        };
        let name = &self.body.function.locals[local.index()].name;
        let text = match life {
            LocalLife::During => return,
            LocalLife::Before => "used before its declaration",
            LocalLife::After => "its block has ended",
        };
        let mut out = report(Code::K0210, format!("`{name}` is not known here")).at(inst.pos, text);
        if let Some(declaration) = self.body.declaration(local) {
            out = out.and(declaration.pos, "declared here");
        }
        self.body.report(out.note("a local variable lives from its declaration to the end of its block"));
    }

    fn leave(&mut self, inst: &Inst, label: LabelId, goes_on: bool) {
        let word = if goes_on { "continue" } else { "break" };
        let name = match self.body.function.labels.get(label.index()).and_then(|label| label.name.as_ref()) {
            Some(name) => format!("`{word} '{name}`"),
            None => format!("`{word}`"),
        };
        let out = match self.open.iter().rev().find(|open| open.label == label) {
            None => report(Code::K0305, format!("{name} stands outside of what it names"))
                .at(inst.pos, "not inside that loop or scope"),
            Some(open) if goes_on && !open.is_loop => report(Code::K0305, format!("{name} names a scope"))
                .at(inst.pos, "only a loop can be continued")
                .help("leave a scope by `break`"),
            Some(open) if !goes_on && open.part == LoopPart::Condition => {
                report(Code::K0305, format!("{name} stands in the condition of the loop that it names"))
                    .at(inst.pos, "a condition ends its loop by its value")
                    .help("give `false`, or write `loop { .. }` with the `break` in its body")
            }
            Some(open) if goes_on && open.part != LoopPart::Body => {
                report(Code::K0305, format!("{name} stands outside of the loop's body"))
                    .at(inst.pos, "this part runs between iterations")
                    .note("`continue` goes from a loop's body to its continuing part")
            }
            Some(_) => return,
        };
        self.body.report(out);
    }

    fn broken(&mut self, inst: Option<&Inst>, text: &str) {
        self.whole = false;
        let out = report(Code::K0306, text);
        self.body.report(match inst {
            Some(inst) => out.at(inst.pos, ""),
            None => out,
        });
    }
}
