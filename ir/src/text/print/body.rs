//! Which instructions are written inside others.
//!
//! Reading an expression emits its parts in the order of the text. So an instruction may be written inside the one that uses it only if nothing else
//! comes between: the values that wait to be written form a stack, and a user takes its operands from the top of that stack, in order. Whatever lies
//! deeper and is needed, or is still there when a statement comes, is bound by a `let` first. (WebAssembly's "stackification" is the same idea.)
//!
//! A value can wait if it has no name, is used once, and in the block that makes it.

use super::super::operators::ATOM;
use super::WIDTH;
use crate::kernel::{Block, Function, InstClass, InstKind, Kernel, LabelId, ValueDef, ValueId};
use crate::text::number;

/// Deeper or longer expressions are cut by a `let`.
const MAX_DEPTH: u32 = 12;
pub(super) const MAX_LENGTH: usize = WIDTH - 12;

/// A piece of text that gives a value.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) text: String,
    /// How tight its outermost operator binds.
    pub(super) level: u8,
    pub(super) depth: u32,
    /// It is the text of a place that is loaded: what hangs behind it would become part of the place.
    pub(super) place: bool,
    /// Are there lines in it, or blocks that are better read on their own?
    pub(super) blocky: bool,
}

impl Expression {
    pub(super) fn atom(text: impl Into<String>) -> Expression {
        Expression { text: text.into(), level: ATOM, depth: 0, place: false, blocky: false }
    }

    /// Its text, in parentheses if it binds less tight than `level`.
    pub(super) fn at(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// A value that waits to be written inside its user.
struct WaitingValue {
    value: ValueId,
    expression: Expression,
}

/// Statements of a block as they come about.
#[derive(Default)]
pub(super) struct BlockLines {
    pub(super) done: Vec<String>,
    waiting: Vec<WaitingValue>,
}

/// What is known of a function while it is printed.
pub(super) struct Printer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) function: &'k Function,
    uses: Vec<ValueUses>,
    /// Loops that are open, the innermost last.
    pub(super) loops: Vec<LabelId>,
    /// Is the label written, because something other than the innermost loop's `break` or `continue` needs it?
    pub(super) labelled: Vec<bool>,
}

#[derive(Clone, Copy, Default)]
struct ValueUses {
    count: u32,
    /// The block that makes it, and the one that uses it; blocks are numbered from 1.
    made: u32,
    used: u32,
}

/// Writes the body of a function, indented once.
pub(super) fn write(kernel: &Kernel, function: &Function, out: &mut String) {
    let mut printer = Printer {
        kernel,
        function,
        uses: vec![ValueUses::default(); function.values.len()],
        loops: Vec::new(),
        labelled: function.labels.iter().map(|label| label.name.is_some()).collect(),
    };
    printer.count(&function.body, &mut 0);
    printer.find_labelled(&function.body, &mut Vec::new());
    let (lines, _) = printer.block(&function.body, 1);
    for line in lines {
        *out += &format!("    {line}\n");
    }
}

impl Printer<'_> {
    fn count(&mut self, block: &Block, blocks: &mut u32) {
        *blocks += 1;
        let here = *blocks;
        for inst in &block.insts {
            inst.kind.operands(&mut |value| self.use_(*value, here));
            inst.kind.blocks(&mut |block| self.count(block, blocks));
            if let Some(result) = inst.result {
                self.uses[result.index()].made = here;
            }
        }
        if let Some(value) = block.value {
            self.use_(value, here);
        }
    }

    fn use_(&mut self, value: ValueId, block: u32) {
        let uses = &mut self.uses[value.index()];
        uses.count += 1;
        uses.used = block;
    }

    /// Finds the labels that must be written.
    fn find_labelled(&mut self, block: &Block, loops: &mut Vec<LabelId>) {
        for inst in &block.insts {
            // A jump that does not speak of the innermost loop, or brings a value.
            let with_value = matches!(inst.kind, InstKind::Break { value: Some(_), .. });
            if let (InstClass::Jump, Some(label)) = (inst.kind.class(), inst.kind.label())
                && (with_value || loops.last() != Some(&label))
            {
                self.labelled[label.index()] = true;
            }
            let is_loop = matches!(inst.kind, InstKind::Loop { .. });
            if let InstKind::Loop { label, .. } = inst.kind {
                loops.push(label);
            }
            inst.kind.blocks(&mut |block| self.find_labelled(block, loops));
            if is_loop {
                loops.pop();
            }
        }
    }

    pub(super) fn label(&self, label: LabelId) -> String {
        match &self.function.labels[label.index()].name {
            Some(name) => format!("'{name}"),
            None => format!("'%{}", label.index()),
        }
    }

    /// Can the value wait for its user?
    pub(super) fn can_wait(&self, value: ValueId) -> bool {
        let uses = self.uses[value.index()];
        uses.count == 1 && uses.made == uses.used && self.function.values[value.index()].name.is_none()
    }

    pub(super) fn is_used(&self, value: ValueId) -> bool {
        self.uses[value.index()].count > 0
    }

    /// The word by which a value is used where it is not written in place.
    pub(super) fn name(&self, value: ValueId) -> Expression {
        let known = &self.function.values[value.index()];
        Expression::atom(match (known.def, &known.name) {
            (ValueDef::Const(constant), _) => {
                let text = number::show(constant, false);
                // A minus sign binds like the operator, but needs parentheses only before what hangs behind.
                let level = if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
                    super::super::operators::UNARY
                } else {
                    ATOM
                };
                return Expression { level, ..Expression::atom(text) };
            }
            (ValueDef::Param(i), _) if std::ptr::eq(self.function, &raw const self.kernel.entry) => {
                self.kernel.params.get(i as usize).map_or_else(String::new, |param| param.name.to_string())
            }
            (ValueDef::Param(i), _) => {
                self.function.params.get(i as usize).map_or_else(String::new, |param| param.name.to_string())
            }
            (ValueDef::Inst, Some(name)) => name.to_string(),
            (ValueDef::Inst, None) => format!("%{}", value.index()),
        })
    }

    /// A block: its statements, and what it ends with. Lines inside statements are indented for a block at depth `indent`.
    pub(super) fn block(&mut self, block: &Block, indent: usize) -> (Vec<String>, Option<Expression>) {
        let mut lines = BlockLines::default();
        for inst in &block.insts {
            self.inst(inst, indent, &mut lines);
        }
        let tail = block.value.map(|value| {
            let mut tail = self.take(&[value], |_| true, &mut lines);
            tail.pop().unwrap_or_else(|| self.name(value))
        });
        self.settle(&mut lines);
        (lines.done, tail)
    }

    /// The operands of an instruction: written in place as far as the order allows, else named. Operands that are blocks are written in place only
    /// where `whole` says so.
    pub(super) fn take(
        &mut self,
        operands: &[ValueId],
        whole: impl Fn(usize) -> bool,
        lines: &mut BlockLines,
    ) -> Vec<Expression> {
        let mut taken: Vec<Option<Expression>> = vec![None; operands.len()];
        let mut settle = 0;
        for (i, operand) in operands.iter().enumerate().rev() {
            let top =
                lines.waiting.last().is_some_and(|top| top.value == *operand && (whole(i) || !top.expression.blocky));
            if top {
                taken[i] = lines.waiting.pop().map(|waiting| waiting.expression);
            } else if let Some(deep) = lines.waiting.iter().position(|waiting| waiting.value == *operand) {
                settle = settle.max(deep + 1);
            }
        }
        let rest = lines.waiting.split_off(settle);
        self.settle(lines);
        lines.waiting = rest;
        taken.into_iter().zip(operands).map(|(taken, operand)| taken.unwrap_or_else(|| self.name(*operand))).collect()
    }

    /// Binds everything that waits.
    pub(super) fn settle(&self, lines: &mut BlockLines) {
        for WaitingValue { value, expression } in lines.waiting.drain(..) {
            lines.done.push(format!("let {} = {};", self.name(value).text, expression.text));
        }
    }

    /// An instruction has been written as `expression`: it waits for its user, is bound, or stands alone.
    pub(super) fn place_value(&mut self, result: Option<ValueId>, expression: Expression, lines: &mut BlockLines) {
        let Some(value) = result else { return self.statement(format!("{};", expression.text), lines) };
        if self.can_wait(value)
            && expression.depth < MAX_DEPTH
            && (expression.blocky || expression.text.len() <= MAX_LENGTH)
        {
            lines.waiting.push(WaitingValue { value, expression });
            return;
        }
        if !self.is_used(value) && self.function.values[value.index()].name.is_none() {
            return self.statement(format!("{};", expression.text), lines);
        }
        self.statement(format!("let {} = {};", self.name(value).text, expression.text), lines);
    }

    /// Adds a statement, behind everything that waits.
    pub(super) fn statement(&mut self, text: String, lines: &mut BlockLines) {
        self.settle(lines);
        lines.done.push(text);
    }

    /// Does nothing wait, and is nothing done, except what `condition` needs? Then this is its text.
    pub(super) fn only(&mut self, condition: ValueId, lines: &mut BlockLines) -> Option<Expression> {
        let all = match lines.waiting.as_slice() {
            [] => true,
            [one] => one.value == condition && !one.expression.blocky,
            _ => false,
        };
        if !all || !lines.done.is_empty() {
            return None;
        }
        self.take(&[condition], |_| false, lines).pop()
    }
}
