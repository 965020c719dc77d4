//! Statements with nested blocks, and labels.

use super::operand::Operand;
use super::scope::OpenConstruct;
use super::statement::Tail;
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Block, InstKind, LabelId, SwitchCase, ValueId};
use crate::limits::MAX_NESTING;
use crate::pos::Pos;
use crate::text::lex::{TextToken, TokenKind};
use crate::text::number;
use crate::types::{Data, Scalar};

impl<'t> Parser<'t, '_> {
    /// `if ..`, from the `if`. Returns its value, if it has one.
    pub(super) fn if_(&mut self) -> Parsed<Option<ValueId>> {
        let pos = self.next().pos;
        let condition = self.expression()?;
        let then = self.block("the block of the `if`")?;
        let otherwise = if !self.eat("else") {
            Block::default()
        } else if self.is("if") {
            let at = self.peek().pos;
            if self.blocks >= MAX_NESTING {
                return Err(self.too_deep(at));
            }
            let mut failed = false;
            let block = self.nested(|p| match p.if_() {
                Ok(value) => value,
                Err(_) => {
                    failed = true;
                    None
                }
            });
            if failed {
                return Err(super::ParseFailed);
            }
            block
        } else {
            self.block("the block of the `else`, or `if`")?
        };
        Ok(self.b.emit(InstKind::If { condition, then, otherwise }, pos))
    }

    /// An `if`, or a labelled construct.
    pub(super) fn construct(&mut self) -> Parsed<Operand> {
        if self.is("if") {
            return Ok(self.if_()?.map_or(Operand::Nothing("this `if`"), Operand::Value));
        }
        let label = self.next();
        self.expect(":")?;
        let first = self.labels.find(label.text).map(|open| open.pos);
        if let Some(first) = first {
            let report = Diagnostic::new(Code::K0003, format!("the label `{}` is taken", label.text))
                .at(label.pos, "used again inside")
                .and(first, "first used here");
            self.report(report);
        }
        if self.is("{") {
            return self.scope_(label);
        }
        if !self.is("loop") && !self.is("while") {
            return Err(self.unexpected("`loop`, `while` or `{` behind the label"));
        }
        self.repeat(Some(label))?;
        Ok(Operand::Nothing("a loop"))
    }

    fn new_label(&mut self, label: Option<TextToken<'t>>, is_loop: bool, pos: Pos) -> LabelId {
        let named = label.and_then(|label| label.text.strip_prefix('\'')).filter(|name| !name.starts_with('%'));
        let id = self.b.label(named);
        self.labels.push(OpenConstruct { name: label.map(|label| label.text.to_owned()), id, is_loop, pos });
        id
    }

    fn scope_(&mut self, label: TextToken<'t>) -> Parsed<Operand> {
        let id = self.new_label(Some(label), false, label.pos);
        let body = self.block("the scope");
        self.labels.pop();
        let result = self.b.emit(InstKind::Scope { label: id, body: body? }, label.pos);
        Ok(result.map_or(Operand::Nothing("this scope"), Operand::Value))
    }

    /// `loop` or `while`.
    pub(super) fn repeat(&mut self, label: Option<TextToken<'t>>) -> Parsed<()> {
        let word = self.next();
        let id = self.new_label(label, true, label.map_or(word.pos, |label| label.pos));
        let read = self.repeat_parts(word.text == "while");
        self.labels.pop();
        let (condition, body, continuing) = read?;
        self.b.emit(InstKind::Loop { label: id, condition, body, continuing }, word.pos);
        Ok(())
    }

    fn repeat_parts(&mut self, has_condition: bool) -> Parsed<(Option<Box<Block>>, Block, Block)> {
        let condition = match has_condition {
            true if self.is("{") => Some(Box::new(self.block("the condition")?)),
            true if self.blocks >= MAX_NESTING => {
                let pos = self.peek().pos;
                return Err(self.too_deep(pos));
            }
            true => {
                let mut read = Err(super::ParseFailed);
                let block = self.nested(|p| {
                    read = p.expression();
                    read.ok()
                });
                read?;
                Some(Box::new(block))
            }
            false => None,
        };
        let body = self.block("the loop's body")?;
        let continuing = match self.eat("continuing") {
            true => {
                let outer = self.break_if.take();
                let block = self.block_with("the continuing part", Self::continuing);
                self.break_if = outer;
                block?
            }
            false => Block::default(),
        };
        Ok((condition, body, continuing))
    }

    pub(super) fn break_(&mut self) -> Parsed<Tail> {
        let word = self.next();
        if self.is("if") {
            if self.break_if != Some(self.blocks) {
                let report = Diagnostic::new(Code::K0001, "`break if` is the last line of a continuing part");
                return Err(self.report(report.at(word.pos, "").help("write `if condition { break; }`")));
            }
            self.next();
            let start = self.peek().pos;
            let value = self.expression()?;
            self.eat(";");
            if !self.is("}") {
                return Err(self.unexpected("`}`: `break if` is the last line of a continuing part"));
            }
            self.break_if = None;
            return Ok(Some((value, self.span(start))));
        }
        let labelled = self.peek().kind == TokenKind::Label;
        let label = self.target("break")?;
        let value = if labelled && !self.is(";") && !self.is("}") { Some(self.expression()?) } else { None };
        self.b.emit(InstKind::Break { label, value }, self.span(word.pos));
        self.semicolon("`break`")?;
        Ok(None)
    }

    /// The label that `break` or `continue` names, or the innermost loop's.
    pub(super) fn target(&mut self, what: &str) -> Parsed<LabelId> {
        let token = self.peek();
        if token.kind != TokenKind::Label {
            let id = self.labels.innermost_loop().map(|open| open.id);
            return match id {
                Some(id) => Ok(id),
                None => {
                    let pos = self.span(self.tokens[self.at - 1].pos);
                    let pos = Pos { source: self.source, ..pos };
                    let report = Diagnostic::new(Code::K0007, format!("`{what}` outside of a loop"))
                        .at(pos, "no loop is around this");
                    Err(self.report(report))
                }
            };
        }
        self.next();
        if let Some(open) = self.labels.find(token.text) {
            return Ok(open.id);
        }
        let mut report =
            Diagnostic::new(Code::K0007, format!("no loop or scope around this has the label `{}`", token.text));
        report = report.at(token.pos, "not known here");
        if let Some(near) = self.hints.nearest(token.text, &mut self.labels.names()) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        Err(self.report(report))
    }

    pub(super) fn switch(&mut self) -> Parsed<()> {
        let pos = self.next().pos;
        let selector = self.expression()?;
        let unsigned = self.b.value_type(selector).data() == Some(Data::U32);
        if !self.is("{") {
            return Err(self.unexpected("`{`, which begins the cases"));
        }
        let open = self.next().pos;
        let mut cases = Vec::new();
        let mut default: Option<(Block, Pos)> = None;
        while !self.eat("}") {
            let token = self.peek();
            if token.kind == TokenKind::End {
                let report = self.unexpected_report("`}` behind the last case").and(open, "the cases begin here");
                return Err(self.report(report));
            }
            let at = self.at;
            if self.case(unsigned, &mut cases, &mut default).is_err() {
                self.recover();
                if self.at == at {
                    self.next();
                }
            }
        }
        let default = default.map(|(block, _)| block).unwrap_or_default();
        self.b.emit(InstKind::Switch { selector, cases, default }, pos);
        Ok(())
    }

    /// One case, or the default.
    fn case(&mut self, unsigned: bool, cases: &mut Vec<SwitchCase>, default: &mut Option<(Block, Pos)>) -> Parsed<()> {
        let pos = self.peek().pos;
        if self.eat("case") {
            // An invalid value is omitted; its block is parsed nevertheless.
            let mut values: Vec<u32> = self.case_value(unsigned)?.into_iter().collect();
            while self.eat(",") {
                values.extend(self.case_value(unsigned)?);
            }
            self.expect(":")?;
            let body = self.block("the case")?;
            cases.push(SwitchCase { values, body, pos });
        } else if self.eat("default") {
            self.expect(":")?;
            let body = self.block("the default")?;
            if let Some((_, first)) = default {
                let report = Diagnostic::new(Code::K0001, "a `switch` has one `default`").at(pos, "the second one");
                let report = report.and(*first, "the first one");
                self.report(report);
            }
            *default = Some((body, pos));
        } else {
            return Err(self.unexpected("`case`, `default` or `}`"));
        }
        Ok(())
    }

    /// The bits of a case's value in the selector's type; reports a number that is not of that type
    /// and returns `None`.
    fn case_value(&mut self, unsigned: bool) -> Parsed<Option<u32>> {
        let scalar = if unsigned { Scalar::U32 } else { Scalar::I32 };
        let negative = self.eat("-");
        let token = self.peek();
        if token.kind != TokenKind::Number {
            return Err(self.unexpected("a number: the value of the case"));
        }
        self.next();
        match number::constant(token.text, negative, Some(scalar)) {
            Ok(constant) if constant.scalar == scalar => Ok(Some(constant.bits as u32)),
            Ok(constant) => {
                let message = format!("this is of type `{}`, where the selector is `{scalar}`", constant.scalar);
                self.report(Diagnostic::new(Code::K0004, message).at(token.pos, ""));
                Ok(None)
            }
            Err(bad) => {
                self.bad_number(bad, token.pos);
                Ok(None)
            }
        }
    }

    /// The continuing block of a loop, which may end in `break if condition`.
    fn continuing(&mut self, open: Pos) -> Tail {
        let end = self.statements_then_break_if(open);
        if let Some((_, pos)) = end.0
            && !end.1
        {
            let report =
                Diagnostic::new(Code::K0001, "a continuing part gives no value").at(pos, "expected `;` behind this");
            self.report(report.help("to end the loop, write `break if condition`"));
        }
        end.0
    }

    /// The tail, and whether it was a `break if`.
    fn statements_then_break_if(&mut self, open: Pos) -> (Tail, bool) {
        // `break if` can only be the last line, so everything before it is an ordinary statement.
        self.break_if = Some(self.blocks);
        let tail = self.statements(open);
        let found = self.break_if.is_none();
        self.break_if = None;
        (tail, found)
    }
}
