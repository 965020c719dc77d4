//! Prints instructions with blocks.

use super::super::operators::{AND, OR};
use super::body::{BlockLines, Expression, IndentedLine, MAX_LENGTH, Printer};
use crate::kernel::{Block, Const, Construct, Inst, InstKind, LabelId, SwitchCase, ValueDef, ValueId};
use crate::types::Data;

/// Limit on the instructions before the `if` of an `else if` that are tried as its condition. They
/// are printed twice if the attempt fails.
const MAX_TRIED: usize = 32;

impl Printer<'_> {
    pub(super) fn if_(
        &mut self,
        result: Option<ValueId>,
        condition: ValueId,
        then: &Block,
        otherwise: &Block,
        lines: &mut BlockLines,
    ) {
        let condition = self.take(&[condition], &|_| false, lines).pop().unwrap_or_else(|| self.name(condition));
        let text = self.if_text(condition, then, otherwise, result.is_some(), lines.indent);
        match result {
            Some(_) => self.place_value(result, text, lines),
            None => self.statement(text, lines),
        }
    }

    /// Whether the block consists of the constant alone.
    fn is_constant(&self, block: &Block, constant: bool) -> bool {
        let is = |value: ValueId| self.function.values[value.index()].def == ValueDef::Const(Const::bool(constant));
        block.insts.is_empty() && block.value.is_some_and(is)
    }

    fn if_text(
        &mut self,
        condition: Expression,
        then: &Block,
        otherwise: &Block,
        valued: bool,
        indent: usize,
    ) -> Expression {
        let and = valued && self.is_constant(otherwise, false);
        let or = valued && !and && self.is_constant(then, true);
        let then = self.block(then, indent + 1);
        if and
            && then.lines.is_empty()
            && let Some(tail) = &then.tail
            && !tail.blocky
        {
            return short(&condition, AND, "&&", tail);
        }
        let chained = if or { None } else { self.else_if(otherwise, indent) };
        let mut text = Expression::blocky(format!("if {} ", condition.at(OR)));
        if let Some(chained) = chained {
            text.braces(then, indent);
            text.add(" else ");
            text.join(chained);
            return text;
        }
        let empty = otherwise.insts.is_empty() && otherwise.value.is_none();
        let otherwise = self.block(otherwise, indent + 1);
        if or
            && otherwise.lines.is_empty()
            && let Some(tail) = &otherwise.tail
            && !tail.blocky
        {
            return short(&condition, OR, "||", tail);
        }
        if valued
            && then.lines.is_empty()
            && otherwise.lines.is_empty()
            && let (Some(a), Some(b)) = (&then.tail, &otherwise.tail)
            && !a.blocky
            && !b.blocky
        {
            let text = format!("if {} {{ {} }} else {{ {} }}", condition.at(OR), a.text, b.text);
            if text.len() <= MAX_LENGTH {
                let depth = condition.depth.max(a.depth).max(b.depth) + 1;
                return Expression { level: 0, depth, ..Expression::atom(text) };
            }
        }
        text.braces(then, indent);
        if !empty {
            text.add(" else ");
            text.braces(otherwise, indent);
        }
        text
    }

    /// Prints an `else` block that consists of one `if` and yields its value, as `if ..`.
    fn else_if(&mut self, block: &Block, indent: usize) -> Option<Expression> {
        let (last, before) = block.insts.split_last()?;
        let InstKind::If { condition, then, otherwise } = &last.kind else { return None };
        let short = last.result.is_some() && (self.is_constant(otherwise, false) || self.is_constant(then, true));
        if !self.passes_on(block) || short || size(before, MAX_TRIED) >= MAX_TRIED {
            return None;
        }
        if !before.iter().all(|inst| self.is_inline(inst)) {
            return None;
        }
        let mut lines = BlockLines::new(indent);
        for inst in before {
            self.inst(inst, &mut lines);
        }
        let condition = self.only(*condition, &mut lines)?;
        Some(self.if_text(condition, then, otherwise, false, indent))
    }

    /// Whether the block yields what its last instruction does.
    fn passes_on(&self, block: &Block) -> bool {
        match block.insts.last().and_then(|last| last.result) {
            Some(result) => block.value == Some(result) && self.can_wait(result),
            None => block.value.is_none(),
        }
    }

    /// Whether the instruction may be printed within a line. Others are not tried as part of a condition:
    /// those with blocks would be printed again, and theirs too, so that each level doubled the work.
    fn is_inline(&self, inst: &Inst) -> bool {
        if !inst.result.is_some_and(|result| self.can_wait(result)) {
            return false;
        }
        let inline = |block: &Block| block.value.is_some() && block.insts.iter().all(|inst| self.is_inline(inst));
        let InstKind::If { then, otherwise, .. } = &inst.kind else { return !inst.kind.is_structured() };
        let short = self.is_constant(then, true) || self.is_constant(otherwise, false);
        // Otherwise it is an `else if`, which has lines of its own.
        let ends_in_if = otherwise.insts.last().is_some_and(|last| self.is_chained(otherwise, last));
        (short || !ends_in_if) && inline(then) && inline(otherwise)
    }

    /// Whether the block ends in an `if` that is no `&&` or `||`, and yields its value.
    fn is_chained(&self, block: &Block, last: &Inst) -> bool {
        let InstKind::If { then, otherwise, .. } = &last.kind else { return false };
        self.passes_on(block) && !self.is_constant(otherwise, false) && !self.is_constant(then, true)
    }

    /// Prints an instruction with nested blocks; ignores any other.
    pub(super) fn construct(&mut self, inst: &Inst, lines: &mut BlockLines) {
        let indent = lines.indent;
        match inst.kind.construct() {
            Some(Construct::If { condition, then, otherwise }) => {
                self.if_(inst.result, condition, then, otherwise, lines);
            }
            Some(Construct::Loop { label, condition, body, continuing }) => {
                let text = self.repeat(label, condition, body, continuing, indent);
                self.statement(text, lines);
            }
            Some(Construct::Switch { selector, cases, default }) => {
                let text = self.take(&[selector], &|_| false, lines).pop().unwrap_or_else(|| self.name(selector));
                let unsigned = self.kernel.context(self.function).data(selector) == Some(Data::U32);
                let text = self.switch(&text, unsigned, cases, default, indent);
                self.statement(text, lines);
            }
            Some(Construct::Scope { label, body }) => {
                let body = self.block(body, indent + 1);
                let mut text = Expression::blocky(format!("{}: ", self.label(label)));
                text.braces(body, indent);
                match inst.result {
                    Some(_) => self.place_value(inst.result, text, lines),
                    None => self.statement(text, lines),
                }
            }
            None => {}
        }
    }

    fn repeat(
        &mut self,
        label: LabelId,
        condition: Option<&Block>,
        body: &Block,
        continuing: &Block,
        indent: usize,
    ) -> Expression {
        let mut text = Expression::blocky("");
        if self.labelled[label.index()] {
            text.add(&format!("{}: ", self.label(label)));
        }
        self.loops.push(label);
        match condition {
            Some(condition) => {
                text.add("while ");
                let condition = self.block(condition, indent + 1);
                match &condition.tail {
                    Some(tail) if condition.lines.is_empty() && !tail.blocky => text.add(&tail.at(OR)),
                    _ => text.braces(condition, indent),
                }
            }
            None => text.add("loop"),
        }
        text.add(" ");
        let body = self.block(body, indent + 1);
        text.braces(body, indent);
        let mut after = self.block(continuing, indent + 1);
        self.loops.pop();
        if let Some(mut tail) = after.tail.take() {
            tail.text.insert_str(0, "break if ");
            after.tail = Some(tail);
        }
        if !after.lines.is_empty() || after.tail.is_some() {
            text.add(" continuing ");
            text.braces(after, indent);
        }
        text
    }

    fn switch(
        &mut self,
        selector: &Expression,
        unsigned: bool,
        cases: &[SwitchCase],
        default: &Block,
        indent: usize,
    ) -> Expression {
        let mut text = Expression::blocky(format!("switch {} {{", selector.at(OR)));
        let line = |text: String| vec![IndentedLine { indent: indent + 1, text }];
        for case in cases {
            let show = |value: &u32| if unsigned { value.to_string() } else { (*value as i32).to_string() };
            let values: Vec<String> = case.values.iter().map(show).collect();
            let body = self.block(&case.body, indent + 2);
            text.add_lines(line(format!("case {}: ", values.join(", "))));
            text.braces(body, indent + 1);
        }
        if !default.insts.is_empty() || default.value.is_some() {
            let body = self.block(default, indent + 2);
            text.add_lines(line("default: ".to_owned()));
            text.braces(body, indent + 1);
        }
        text.add_lines(vec![IndentedLine { indent, text: "}".to_owned() }]);
        text
    }
}

fn short(condition: &Expression, level: u8, mark: &str, tail: &Expression) -> Expression {
    let text = format!("{} {mark} {}", condition.at(level), tail.at(level + 1));
    Expression { level, depth: condition.depth.max(tail.depth) + 1, ..Expression::atom(text) }
}

/// Number of instructions, including nested ones, counted up to `limit`.
fn size(insts: &[Inst], limit: usize) -> usize {
    let mut count = 0;
    for inst in insts {
        count += 1;
        if count < limit {
            inst.kind.blocks(&mut |block| count += size(&block.insts, limit - count.min(limit)));
        }
        if count >= limit {
            return limit;
        }
    }
    count
}
