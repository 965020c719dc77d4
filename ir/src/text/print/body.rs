//! Decides which instructions are printed nested in others as expressions.
//!
//! Parsing an expression emits its parts in text order. So an instruction may be nested in its user
//! only if no other instruction comes between: pending values form a stack, and a user takes its
//! operands from the top of the stack, in order. A value deeper in the stack that is needed, or
//! still pending at the next statement, is bound by a `let` first. (WebAssembly's "stackification"
//! is the same idea.)
//!
//! A value can be pending if it has no name and exactly one use, in its own block.

use super::super::operators::ATOM;
use super::WIDTH;
use crate::kernel::{Block, Function, InstClass, InstKind, Kernel, LabelId, ValueDef, ValueId};
use crate::text::number;

/// A `let` splits deeper or longer expressions.
const MAX_DEPTH: u32 = 12;
pub(super) const MAX_LENGTH: usize = WIDTH - 12;

/// A line of text, without the spaces before it: the depth of its indentation instead. Lines of inner blocks
/// are moved to outer ones and never copied.
#[derive(Clone, Debug)]
pub(super) struct IndentedLine {
    pub(super) indent: usize,
    pub(super) text: String,
}

/// The text of a value, or of an instruction with blocks.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    /// Its first line.
    pub(super) text: String,
    /// The other lines.
    pub(super) rest: Vec<IndentedLine>,
    /// Precedence of its outermost operator.
    pub(super) level: u8,
    pub(super) depth: u32,
    /// Whether it is the text of a place that is loaded: a postfix operator would become part of
    /// the place.
    pub(super) place: bool,
    /// Whether it has several lines, or blocks that are more readable as separate statements.
    pub(super) blocky: bool,
}

impl Expression {
    pub(super) fn atom(text: impl Into<String>) -> Expression {
        Expression { text: text.into(), rest: Vec::new(), level: ATOM, depth: 0, place: false, blocky: false }
    }

    /// Text that has blocks in it, or will have.
    pub(super) fn blocky(text: impl Into<String>) -> Expression {
        Expression { level: 0, blocky: true, ..Expression::atom(text) }
    }

    /// Adds text to its last line.
    pub(super) fn add(&mut self, text: &str) {
        *self.rest.last_mut().map_or(&mut self.text, |line| &mut line.text) += text;
    }

    /// Adds lines behind its last one.
    pub(super) fn add_lines(&mut self, mut lines: Vec<IndentedLine>) {
        if self.rest.is_empty() {
            self.rest = lines;
        } else {
            self.rest.append(&mut lines);
        }
    }

    /// Continues its last line with another text.
    pub(super) fn join(&mut self, other: Expression) {
        self.add(&other.text);
        self.add_lines(other.rest);
    }

    /// Adds a block in braces to its last line, which is at depth `indent`.
    pub(super) fn braces(&mut self, block: PrintedBlock, indent: usize) {
        self.add("{");
        let mut lines = block.lines;
        if let Some(tail) = block.tail {
            lines.push(IndentedLine { indent: indent + 1, text: tail.text });
            lines.extend(tail.rest);
        }
        if !lines.is_empty() {
            lines.push(IndentedLine { indent, text: String::new() });
        }
        self.add_lines(lines);
        self.add("}");
    }

    /// A statement: this behind the text `before`, and a semicolon.
    fn statement(mut self, before: &str) -> Expression {
        self.text.insert_str(0, before);
        self.add(";");
        self
    }

    /// Its text, in parentheses if its precedence is below `level`. Only for one line.
    pub(super) fn at(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// A pending value, to be nested in its user.
struct WaitingValue {
    value: ValueId,
    expression: Expression,
}

/// The statements of a block under construction, at a depth of indentation.
pub(super) struct BlockLines {
    pub(super) indent: usize,
    pub(super) done: Vec<IndentedLine>,
    waiting: Vec<WaitingValue>,
}

impl BlockLines {
    pub(super) fn new(indent: usize) -> BlockLines {
        BlockLines { indent, done: Vec::new(), waiting: Vec::new() }
    }

    /// Adds a statement.
    fn push(&mut self, statement: Expression) {
        self.done.push(IndentedLine { indent: self.indent, text: statement.text });
        self.done.extend(statement.rest);
    }
}

/// A block: its statements, and its value.
pub(super) struct PrintedBlock {
    pub(super) lines: Vec<IndentedLine>,
    pub(super) tail: Option<Expression>,
}

/// The state of printing a function.
pub(super) struct Printer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) function: &'k Function,
    uses: Vec<ValueUses>,
    /// The enclosing loops, the innermost last.
    pub(super) loops: Vec<LabelId>,
    /// For each label, whether it is printed: a jump other than the innermost loop's `break` or
    /// `continue` needs it.
    pub(super) labelled: Vec<bool>,
}

#[derive(Clone, Copy, Default)]
struct ValueUses {
    count: u32,
    /// The numbers of the blocks of its definition and of its use, from 1.
    made: u32,
    used: u32,
}

/// The space before a line, once for each block around it.
const INDENT: &str = "    ";
/// Lines in deeper blocks are not indented further.
const MAX_INDENT: usize = 40;
/// Bytes of indentation of a function: many lines in deep blocks have less of it, so that a text of a kernel within the
/// limits is not too long to be read for its spaces.
const MAX_INDENTATION: usize = 1 << 20;

/// The number of times that the most indented line of these is indented.
fn deepest_indent(lines: &[IndentedLine]) -> usize {
    let fits = |deepest: &usize| {
        let levels: usize = lines.iter().map(|line| line.indent.min(*deepest)).sum();
        levels * INDENT.len() <= MAX_INDENTATION
    };
    (1..=MAX_INDENT).rev().find(fits).unwrap_or(1)
}

/// Prints the body of a function, indented once.
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
    let lines = printer.block(&function.body, 1).lines;
    let deepest = deepest_indent(&lines);
    for line in lines {
        out.extend(std::iter::repeat_n(INDENT, line.indent.min(deepest)));
        *out += &line.text;
        out.push('\n');
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

    /// Finds the labels that must be printed.
    fn find_labelled(&mut self, block: &Block, loops: &mut Vec<LabelId>) {
        for inst in &block.insts {
            // A jump to a label other than the innermost loop's, or with a value.
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

    /// Whether the value can be pending until its use.
    pub(super) fn can_wait(&self, value: ValueId) -> bool {
        let uses = self.uses[value.index()];
        uses.count == 1 && uses.made == uses.used && self.function.values[value.index()].name.is_none()
    }

    pub(super) fn is_used(&self, value: ValueId) -> bool {
        self.uses[value.index()].count > 0
    }

    /// The text of a value that is not nested: its name or literal.
    pub(super) fn name(&self, value: ValueId) -> Expression {
        let known = &self.function.values[value.index()];
        Expression::atom(match (known.def, &known.name) {
            (ValueDef::Const(constant), _) => {
                let text = number::show(constant, false);
                // A minus sign has the precedence of the operator, but needs parentheses only
                // before a postfix.
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

    /// A block whose lines are at depth `indent`.
    pub(super) fn block(&mut self, block: &Block, indent: usize) -> PrintedBlock {
        let mut lines = BlockLines::new(indent);
        for inst in &block.insts {
            self.inst(inst, &mut lines);
        }
        let tail = block.value.map(|value| {
            let mut tail = self.take(&[value], &|_| true, &mut lines);
            tail.pop().unwrap_or_else(|| self.name(value))
        });
        self.settle(&mut lines);
        PrintedBlock { lines: lines.done, tail }
    }

    /// The operands of an instruction: nested as far as the order allows, otherwise by name.
    /// Operands with blocks are nested only where `whole` returns true.
    pub(super) fn take(
        &mut self,
        operands: &[ValueId],
        whole: &dyn Fn(usize) -> bool,
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

    /// Binds all pending values by `let`.
    pub(super) fn settle(&self, lines: &mut BlockLines) {
        for WaitingValue { value, expression } in std::mem::take(&mut lines.waiting) {
            lines.push(self.let_(value, expression));
        }
    }

    fn let_(&self, value: ValueId, expression: Expression) -> Expression {
        expression.statement(&format!("let {} = ", self.name(value).text))
    }

    /// Handles an instruction printed as `expression`: it becomes pending, is bound by `let`, or is
    /// a statement.
    pub(super) fn place_value(&mut self, result: Option<ValueId>, expression: Expression, lines: &mut BlockLines) {
        let Some(value) = result else { return self.statement(expression.statement(""), lines) };
        if self.can_wait(value)
            && expression.depth < MAX_DEPTH
            && (expression.blocky || expression.text.len() <= MAX_LENGTH)
        {
            lines.waiting.push(WaitingValue { value, expression });
            return;
        }
        if !self.is_used(value) && self.function.values[value.index()].name.is_none() {
            return self.statement(expression.statement(""), lines);
        }
        self.statement(self.let_(value, expression), lines);
    }

    /// Adds a statement, after binding all pending values.
    pub(super) fn statement(&mut self, statement: Expression, lines: &mut BlockLines) {
        self.settle(lines);
        lines.push(statement);
    }

    /// The text of `condition`, if there are no statements and no other pending values.
    pub(super) fn only(&mut self, condition: ValueId, lines: &mut BlockLines) -> Option<Expression> {
        let all = match lines.waiting.as_slice() {
            [] => true,
            [one] => one.value == condition && !one.expression.blocky,
            _ => false,
        };
        if !all || !lines.done.is_empty() {
            return None;
        }
        self.take(&[condition], &|_| false, lines).pop()
    }
}
