//! Prints instructions with blocks.

use super::super::operators::{AND, OR};
use super::body::{BlockLines, Expression, MAX_LENGTH, Printer};
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
        indent: usize,
        lines: &mut BlockLines,
    ) {
        let condition = self.take(&[condition], |_| false, lines).pop().unwrap_or_else(|| self.name(condition));
        let text = self.if_text(condition, then, otherwise, result.is_some(), indent);
        match result {
            Some(_) => self.place_value(result, text, lines),
            None => self.statement(text.text, lines),
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
            && let (true, Some(tail)) = (then.0.is_empty(), &then.1)
            && !tail.blocky
        {
            return short(&condition, AND, "&&", tail);
        }
        let chained = if or { None } else { self.else_if(otherwise, indent) };
        let head = format!("if {} {}", condition.at(OR), braces(&then, indent));
        if let Some(chained) = chained {
            return blocky(format!("{head} else {chained}"));
        }
        let empty = otherwise.insts.is_empty() && otherwise.value.is_none();
        let otherwise = self.block(otherwise, indent + 1);
        if or
            && let (true, Some(tail)) = (otherwise.0.is_empty(), &otherwise.1)
            && !tail.blocky
        {
            return short(&condition, OR, "||", tail);
        }
        if valued
            && then.0.is_empty()
            && otherwise.0.is_empty()
            && let (Some(a), Some(b)) = (&then.1, &otherwise.1)
            && !a.blocky
            && !b.blocky
        {
            let text = format!("if {} {{ {} }} else {{ {} }}", condition.at(OR), a.text, b.text);
            if text.len() <= MAX_LENGTH {
                let depth = condition.depth.max(a.depth).max(b.depth) + 1;
                return Expression { level: 0, depth, ..Expression::atom(text) };
            }
        }
        blocky(if empty { head } else { format!("{head} else {}", braces(&otherwise, indent)) })
    }

    /// Prints an `else` block that consists of one `if` and yields its value, as `if ..`.
    fn else_if(&mut self, block: &Block, indent: usize) -> Option<String> {
        let (last, before) = block.insts.split_last()?;
        let InstKind::If { condition, then, otherwise } = &last.kind else { return None };
        let passes_on = match last.result {
            Some(result) => block.value == Some(result) && self.can_wait(result),
            None => block.value.is_none(),
        };
        let short = last.result.is_some() && (self.is_constant(otherwise, false) || self.is_constant(then, true));
        if !passes_on || short || size(before, MAX_TRIED) >= MAX_TRIED {
            return None;
        }
        let mut lines = BlockLines::default();
        for inst in before {
            self.inst(inst, indent, &mut lines);
        }
        let condition = self.only(*condition, &mut lines)?;
        let text = self.if_text(condition, then, otherwise, false, indent);
        Some(text.text)
    }

    /// Prints an instruction with nested blocks; ignores any other.
    pub(super) fn construct(&mut self, inst: &Inst, indent: usize, lines: &mut BlockLines) {
        match inst.kind.construct() {
            Some(Construct::If { condition, then, otherwise }) => {
                self.if_(inst.result, condition, then, otherwise, indent, lines);
            }
            Some(Construct::Loop { label, condition, body, continuing }) => {
                let text = self.repeat(label, condition, body, continuing, indent);
                self.statement(text, lines);
            }
            Some(Construct::Switch { selector, cases, default }) => {
                let text = self.take(&[selector], |_| false, lines).pop().unwrap_or_else(|| self.name(selector));
                let unsigned = self.kernel.context(self.function).data(selector) == Some(Data::U32);
                let text = self.switch(&text, unsigned, cases, default, indent);
                self.statement(text, lines);
            }
            Some(Construct::Scope { label, body }) => {
                let body = self.block(body, indent + 1);
                let text = format!("{}: {}", self.label(label), braces(&body, indent));
                match inst.result {
                    Some(_) => self.place_value(inst.result, blocky(text), lines),
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
    ) -> String {
        let mut text = if self.labelled[label.index()] { format!("{}: ", self.label(label)) } else { String::new() };
        self.loops.push(label);
        match condition {
            Some(condition) => {
                let condition = self.block(condition, indent + 1);
                match &condition {
                    (before, Some(tail)) if before.is_empty() && !tail.blocky => {
                        text += &format!("while {} ", tail.at(OR));
                    }
                    _ => text += &format!("while {} ", braces(&condition, indent)),
                }
            }
            None => text += "loop ",
        }
        let body = self.block(body, indent + 1);
        text += &braces(&body, indent);
        let mut after = self.block(continuing, indent + 1);
        self.loops.pop();
        if let Some(tail) = after.1.take() {
            after.0.push(format!("break if {}", tail.text));
        }
        if !after.0.is_empty() {
            text += &format!(" continuing {}", braces(&after, indent));
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
    ) -> String {
        let pad = "    ".repeat(indent);
        let mut text = format!("switch {} {{\n", selector.at(OR));
        for case in cases {
            let show = |value: &u32| if unsigned { value.to_string() } else { (*value as i32).to_string() };
            let values: Vec<String> = case.values.iter().map(show).collect();
            let body = self.block(&case.body, indent + 2);
            text += &format!("{pad}    case {}: {}\n", values.join(", "), braces(&body, indent + 1));
        }
        if !default.insts.is_empty() || default.value.is_some() {
            let body = self.block(default, indent + 2);
            text += &format!("{pad}    default: {}\n", braces(&body, indent + 1));
        }
        text + &pad + "}"
    }
}

fn blocky(text: String) -> Expression {
    Expression { level: 0, blocky: true, ..Expression::atom(text) }
}

fn short(condition: &Expression, level: u8, mark: &str, tail: &Expression) -> Expression {
    let text = format!("{} {mark} {}", condition.at(level), tail.at(level + 1));
    Expression { level, depth: condition.depth.max(tail.depth) + 1, ..Expression::atom(text) }
}

/// A block in braces that open in a line at depth `indent`.
fn braces((lines, tail): &(Vec<String>, Option<Expression>), indent: usize) -> String {
    let pad = "    ".repeat(indent);
    let mut text = String::from("{");
    for line in lines.iter().chain(tail.as_ref().map(|tail| &tail.text)) {
        text += &format!("\n{pad}    {line}");
    }
    if text.len() > 1 {
        text += &format!("\n{pad}");
    }
    text + "}"
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
