//! Blocks and statements.

use super::operand::Operand;
use super::scope::{Meaning, Open};
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Block, Case, Fence, Init, InstKind, LabelId, ValueId};
use crate::limits::MAX_NESTING;
use crate::pos::Pos;
use crate::text::lex::{Kind, Token};
use crate::text::number;
use crate::types::{Data, Scalar};

/// Words that begin a statement and stand nowhere else.
const STARTS: [&str; 12] =
    ["let", "var", "while", "loop", "switch", "continue", "return", "barrier", "fence", "print", "abort", "copy"];

pub(super) fn starts_statement(token: Token<'_>) -> bool {
    token.kind == Kind::Word
        && (STARTS.contains(&token.text) || matches!(token.text, "if" | "break" | "error" | "kernel" | "fn"))
}

/// The value that a block ends with.
pub(super) type Tail = Option<(ValueId, Pos)>;

impl<'t> Parser<'t, '_> {
    /// `{ .. }`, as a block of its own.
    pub(super) fn block(&mut self, what: &str) -> Parsed<Block> {
        self.block_with(what, Self::statements)
    }

    fn block_with(&mut self, what: &str, read: impl FnOnce(&mut Self, Pos) -> Tail) -> Parsed<Block> {
        if !self.is("{") {
            return Err(self.unexpected(&format!("`{{`, which begins {what}")));
        }
        let open = self.peek().pos;
        if self.blocks >= MAX_NESTING {
            self.skip_block();
            return Err(self.too_deep(open));
        }
        self.next();
        Ok(self.nested(|p| {
            p.scope.enter();
            let tail = read(p, open);
            p.scope.leave();
            tail.map(|(value, _)| value)
        }))
    }

    /// A block of the kernel, filled by `fill`.
    pub(super) fn nested(&mut self, fill: impl FnOnce(&mut Self) -> Option<ValueId>) -> Block {
        self.blocks += 1;
        self.b.begin_block();
        let value = fill(self);
        let block = self.b.end_block(value);
        self.blocks -= 1;
        block
    }

    pub(super) fn too_deep(&mut self, pos: Pos) -> super::Failed {
        let report = Diagnostic::new(Code::K0009, "this block is nested too deeply").at(pos, "");
        self.report(report.note(format!("blocks nest at most {MAX_NESTING} deep")))
    }

    /// Statements up to and with the `}` that closes the block, whose `{` stands at `open`.
    pub(super) fn statements(&mut self, open: Pos) -> Tail {
        loop {
            if self.eat("}") {
                return None;
            }
            let token = self.peek();
            if token.kind == Kind::End
                || token.pos.column == 1 && matches!(token.text, "kernel" | "fn" | "struct" | "const")
            {
                let report = Diagnostic::new(Code::K0001, "this block has no end").at(open, "begins here");
                self.report(report.and(token.pos, "expected `}` before this"));
                return None;
            }
            let at = self.at;
            match self.statement() {
                Ok(None) => {}
                Ok(Some(tail)) => {
                    self.next();
                    return Some(tail);
                }
                Err(_) => {
                    self.recover();
                    if self.at == at && !self.is("}") {
                        self.next();
                    }
                }
            }
        }
    }

    /// The continuing part of a loop, which may end in `break if condition`.
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

    /// One statement; a value if it is a block's last expression, before its `}`.
    fn statement(&mut self) -> Parsed<Tail> {
        let token = self.peek();
        match (token.kind, token.text) {
            // A library may be called like a keyword.
            (Kind::Word, _) if self.is_ahead(1, "::") => return self.expression_statement(),
            (Kind::Word, "let") => self.let_()?,
            (Kind::Word, "var") => self.var()?,
            (Kind::Word, "if") | (Kind::Label, _) => {
                return match self.construct()? {
                    Operand::Value(value) if self.is("}") => Ok(Some((value, token.pos))),
                    _ => {
                        self.eat(";");
                        Ok(None)
                    }
                };
            }
            (Kind::Word, "while" | "loop") => self.repeat(None)?,
            (Kind::Word, "switch") => self.switch()?,
            (Kind::Word, "break") => return self.break_(),
            (Kind::Word, "continue") => {
                self.next();
                let label = self.target("continue")?;
                self.b.emit(InstKind::Continue { label }, self.span(token.pos));
                self.semicolon("`continue`")?;
            }
            (Kind::Word, "return") => {
                self.next();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.b.emit(InstKind::Return(value), self.span(token.pos));
                self.semicolon("`return`")?;
            }
            (Kind::Word, "barrier" | "fence") => self.ordering(token)?,
            (Kind::Word, "print" | "error") => {
                self.next();
                let message = self.message()?;
                let kind = if token.text == "print" { InstKind::Print(message) } else { InstKind::Error(message) };
                self.b.emit(kind, self.span(token.pos));
                self.semicolon("the message")?;
            }
            (Kind::Word, "abort") => {
                self.next();
                self.b.emit(InstKind::Abort, token.pos);
                self.semicolon("`abort`")?;
            }
            (Kind::Word, "copy") => {
                self.next();
                self.expect("(")?;
                let to = self.place()?;
                self.expect(",")?;
                let from = self.place()?;
                self.eat(",");
                self.expect(")")?;
                self.b.emit(InstKind::Copy { to, from }, self.span(token.pos));
                self.semicolon("`copy`")?;
            }
            (Kind::Word, "tile_static") => {
                let report = Diagnostic::new(Code::K0001, "`tile_static` is declared at the top of a kernel's body");
                return Err(
                    self.report(report.at(token.pos, "too late here").help("move it up, before the first statement"))
                );
            }
            (Kind::Mark, "{") => {
                let report = Diagnostic::new(Code::K0001, "a block needs a label to stand alone").at(token.pos, "");
                return Err(self.report(report.help("write `'name: { .. }`; `break 'name;` leaves it")));
            }
            (Kind::Mark, ";") => {
                self.next();
            }
            _ => return self.expression_statement(),
        }
        Ok(None)
    }

    fn expression_statement(&mut self) -> Parsed<Tail> {
        let start = self.peek().pos;
        let operand = self.operators(0)?;
        if self.is("=") {
            let pos = self.span(start);
            let Operand::Place(place) = operand else {
                return Err(self.no_place(operand, pos, "a value can not be assigned to"));
            };
            self.next();
            let value = self.expression()?;
            self.b.emit(InstKind::Store { place, value }, self.span(start));
            self.semicolon("the assignment")?;
            return Ok(None);
        }
        if self.is("}") && !matches!(operand, Operand::Nothing(_)) {
            let value = self.value_of(operand, start)?;
            return Ok(Some((value, self.span(start))));
        }
        if !matches!(operand, Operand::Nothing(_)) {
            self.value_of(operand, start)?;
        }
        self.semicolon("the expression")?;
        Ok(None)
    }

    fn let_(&mut self) -> Parsed<()> {
        self.next();
        if self.is("(") {
            return self.let_both();
        }
        let (name, pos) = self.let_name()?;
        let before = self.b.context().values.len();
        let value = self.let_value();
        let known = match value {
            Ok(value) => value,
            Err(_) => self.b.invalid(),
        };
        self.bind(name, pos, known, before);
        value?;
        self.semicolon("the `let`")
    }

    fn let_value(&mut self) -> Parsed<ValueId> {
        if self.is(":") {
            let pos = self.peek().pos;
            let report =
                Diagnostic::new(Code::K0001, "a `let` has the type of its value").at(pos, "no type is written here");
            let failed = self.report(report.help("leave the type out; only `var` has one"));
            return Err(failed);
        }
        self.expect("=")?;
        if self.is("atomic_compare_exchange") {
            let pos = self.peek().pos;
            let report = Diagnostic::new(Code::K0001, "`atomic_compare_exchange` gives two values").at(pos, "");
            return Err(self.report(report.help("write `let (old, ok) = atomic_compare_exchange(..);`")));
        }
        self.expression()
    }

    /// Names a value that came into being just now; any other keeps its name, and the new one is only another word for it.
    fn bind(&mut self, name: &str, pos: Pos, value: ValueId, values_before: usize) {
        if !name.starts_with('%') && value.index() >= values_before {
            let values = self.b.context().values;
            if values[value.index()].def == crate::kernel::ValueDef::Inst && values[value.index()].name.is_none() {
                self.b.name(value, name);
            }
        }
        self.declare(name, Meaning::Value(value), pos);
    }

    fn let_name(&mut self) -> Parsed<(&'t str, Pos)> {
        let token = self.peek();
        if token.kind == Kind::Numbered {
            self.next();
            return Ok((token.text, token.pos));
        }
        self.name("a value")
    }

    /// `let (old, ok) = atomic_compare_exchange(..);`
    fn let_both(&mut self) -> Parsed<()> {
        self.next();
        let mut part = |close: &str| {
            let name = if self.eat("_") { None } else { Some(self.let_name()?) };
            self.expect(close)?;
            Ok(name)
        };
        let (old, ok) = (part(",")?, part(")")?);
        let before = self.b.context().values.len();
        let read = self.expect("=").and_then(|_| self.compare_exchange());
        let (old_value, ok_value) = match read {
            Ok(both) => both,
            Err(_) => (self.b.invalid(), self.b.invalid()),
        };
        for (name, value) in [(old, old_value), (ok, ok_value)] {
            if let Some((name, pos)) = name {
                self.bind(name, pos, value, before);
            }
        }
        read?;
        self.semicolon("the `let`")
    }

    fn var(&mut self) -> Parsed<()> {
        let start = self.next().pos;
        let (name, pos) = self.name("a variable")?;
        let read = self.var_value();
        let Ok((ty, init)) = read else {
            let invalid = self.b.invalid();
            self.declare(name, Meaning::Value(invalid), pos);
            return Err(super::Failed);
        };
        let local = self.b.local(name, ty);
        self.b.emit(InstKind::Declare { local, init }, self.span(start));
        self.declare(name, Meaning::Local(local), pos);
        self.semicolon("the `var`")
    }

    fn var_value(&mut self) -> Parsed<(crate::types::TypeId, Init)> {
        if self.is("=") {
            let report = self.unexpected_report("`:` and a type");
            return Err(self.report(report.help("a variable's type is written: `var name: f32 = 0.0;`")));
        }
        self.expect(":")?;
        let ty = self.ty()?;
        if !self.eat("=") {
            return Ok((ty, Init::Unset));
        }
        if self.eat("zero") {
            return Ok((ty, Init::Zero));
        }
        Ok((ty, Init::Value(self.expression()?)))
    }

    /// `if ..`, from the `if` on. Gives its value, if it has one.
    pub(super) fn if_(&mut self) -> Parsed<Option<ValueId>> {
        let pos = self.next().pos;
        let condition = self.expression()?;
        let then = self.block("what is done if the condition is true")?;
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
                return Err(super::Failed);
            }
            block
        } else {
            self.block("what is done if the condition is false, or `if`")?
        };
        Ok(self.b.emit(InstKind::If { condition, then, otherwise }, pos))
    }

    /// `if` or a label with what stands behind it.
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

    fn new_label(&mut self, label: Option<Token<'t>>, is_loop: bool, pos: Pos) -> LabelId {
        let named = label.and_then(|label| label.text.strip_prefix('\'')).filter(|name| !name.starts_with('%'));
        let id = self.b.label(named);
        self.labels.push(Open { name: label.map(|label| label.text.to_owned()), id, is_loop, pos });
        id
    }

    fn scope_(&mut self, label: Token<'t>) -> Parsed<Operand> {
        let id = self.new_label(Some(label), false, label.pos);
        let body = self.block("the scope");
        self.labels.pop();
        let result = self.b.emit(InstKind::Scope { label: id, body: body? }, label.pos);
        Ok(result.map_or(Operand::Nothing("this scope"), Operand::Value))
    }

    /// `loop` or `while`.
    fn repeat(&mut self, label: Option<Token<'t>>) -> Parsed<()> {
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
                let mut read = Err(super::Failed);
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

    fn break_(&mut self) -> Parsed<Tail> {
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
        let labelled = self.peek().kind == Kind::Label;
        let label = self.target("break")?;
        let value = if labelled && !self.is(";") && !self.is("}") { Some(self.expression()?) } else { None };
        self.b.emit(InstKind::Break { label, value }, self.span(word.pos));
        self.semicolon("`break`")?;
        Ok(None)
    }

    /// The label that `break` or `continue` names, or the innermost loop's.
    fn target(&mut self, what: &str) -> Parsed<LabelId> {
        let token = self.peek();
        if token.kind != Kind::Label {
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
        if let Some(near) = super::near::nearest(token.text, self.labels.names()) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        Err(self.report(report))
    }

    fn switch(&mut self) -> Parsed<()> {
        let pos = self.next().pos;
        let selector = self.expression()?;
        let unsigned = self.b.value_type(selector).data() == Some(Data::U32);
        if !self.is("{") {
            return Err(self.unexpected("`{`, which begins the cases"));
        }
        self.next();
        let mut cases = Vec::new();
        let mut default: Option<(Block, Pos)> = None;
        while !self.eat("}") {
            let token = self.peek();
            if self.eat("case") {
                let mut values = vec![self.case_value(unsigned)?];
                while self.eat(",") {
                    values.push(self.case_value(unsigned)?);
                }
                self.expect(":")?;
                let body = self.block("the case")?;
                cases.push(Case { values, body, pos: token.pos });
            } else if self.eat("default") {
                self.expect(":")?;
                let body = self.block("the default")?;
                if let Some((_, first)) = &default {
                    let report =
                        Diagnostic::new(Code::K0001, "a `switch` has one `default`").at(token.pos, "the second one");
                    let report = report.and(*first, "the first one");
                    self.report(report);
                }
                default = Some((body, token.pos));
            } else {
                return Err(self.unexpected("`case`, `default` or `}`"));
            }
        }
        let default = default.map(|(block, _)| block).unwrap_or_default();
        self.b.emit(InstKind::Switch { selector, cases, default }, pos);
        Ok(())
    }

    /// The bits of a case's value, which is of the selector's type.
    fn case_value(&mut self, unsigned: bool) -> Parsed<u32> {
        let scalar = if unsigned { Scalar::U32 } else { Scalar::I32 };
        let negative = self.eat("-");
        let token = self.peek();
        if token.kind != Kind::Number {
            return Err(self.unexpected("a number: the value of the case"));
        }
        self.next();
        match number::constant(token.text, negative, Some(scalar)) {
            Ok(constant) if constant.scalar == scalar => Ok(constant.bits as u32),
            Ok(constant) => {
                let message = format!("this is of type `{}`, where the selector is `{scalar}`", constant.scalar);
                Err(self.report(Diagnostic::new(Code::K0004, message).at(token.pos, "")))
            }
            Err(bad) => Err(self.bad_number(bad, token.pos)),
        }
    }

    fn ordering(&mut self, token: Token<'t>) -> Parsed<()> {
        self.next();
        let mut fence = Fence::All;
        if self.eat("(") {
            let word = self.word(&["all", "global", "tile_static"])?;
            fence = Fence::ALL.into_iter().find(|fence| fence.name() == word).unwrap_or(Fence::All);
            self.expect(")")?;
        }
        let kind = if token.text == "barrier" { InstKind::Barrier(fence) } else { InstKind::Fence(fence) };
        self.b.emit(kind, self.span(token.pos));
        self.semicolon(&format!("`{}`", token.text))
    }
}
