//! Blocks, and statements without nested blocks.

use super::operand::Operand;
use super::scope::NameMeaning;
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Block, Fence, Init, InstKind, ValueId};
use crate::limits::MAX_NESTING;
use crate::pos::Pos;
use crate::text::lex::{TextToken, TokenKind};

/// Words that begin a statement and occur nowhere else.
const STARTS: [&str; 12] =
    ["let", "var", "while", "loop", "switch", "continue", "return", "barrier", "fence", "print", "abort", "copy"];

pub(super) fn starts_statement(token: TextToken<'_>) -> bool {
    token.kind == TokenKind::Word
        && (STARTS.contains(&token.text) || matches!(token.text, "if" | "break" | "error" | "kernel" | "fn"))
}

/// The value of a block.
pub(super) type Tail = Option<(ValueId, Pos)>;

impl<'t> Parser<'t, '_> {
    /// `{ .. }`, as a separate block.
    pub(super) fn block(&mut self, what: &str) -> Parsed<Block> {
        self.block_with(what, Self::statements)
    }

    pub(super) fn block_with(&mut self, what: &str, read: impl FnOnce(&mut Self, Pos) -> Tail) -> Parsed<Block> {
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

    pub(super) fn too_deep(&mut self, pos: Pos) -> super::ParseFailed {
        let report = Diagnostic::new(Code::K0009, "this block is nested too deeply").at(pos, "");
        self.report(report.note(format!("blocks nest at most {MAX_NESTING} deep")))
    }

    /// Statements up to and including the `}` that closes the block; its `{` is at `open`.
    pub(super) fn statements(&mut self, open: Pos) -> Tail {
        loop {
            if self.eat("}") {
                return None;
            }
            let token = self.peek();
            if token.kind == TokenKind::End
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
                    self.reported("a statement");
                    self.recover();
                    if self.at == at && !self.is("}") {
                        self.next();
                    }
                }
            }
        }
    }

    /// One statement; returns a value if it is a block's last expression, before its `}`.
    fn statement(&mut self) -> Parsed<Tail> {
        let token = self.peek();
        if self.foreign_statement(token)? {
            return Ok(None);
        }
        match (token.kind, token.text) {
            // The name of a library may be a keyword.
            (TokenKind::Word, _) if self.is_ahead(1, "::") => return self.expression_statement(),
            (TokenKind::Word, "let") => self.let_()?,
            (TokenKind::Word, "var") => self.var()?,
            (TokenKind::Word, "if") | (TokenKind::Label, _) => {
                return match self.construct()? {
                    Operand::Value(value) if self.is("}") => Ok(Some((value, token.pos))),
                    _ => {
                        self.eat(";");
                        Ok(None)
                    }
                };
            }
            (TokenKind::Word, "while" | "loop") => self.repeat(None)?,
            (TokenKind::Word, "switch") => self.switch()?,
            (TokenKind::Word, "break") => return self.break_(),
            (TokenKind::Word, "continue") => {
                self.next();
                let label = self.target("continue")?;
                self.b.emit(InstKind::Continue { label }, self.span(token.pos));
                self.semicolon("`continue`")?;
            }
            (TokenKind::Word, "return") => {
                self.next();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.b.emit(InstKind::Return(value), self.span(token.pos));
                self.semicolon("`return`")?;
            }
            (TokenKind::Word, "barrier" | "fence") => self.ordering(token)?,
            (TokenKind::Word, "print" | "error") => {
                self.next();
                let message = self.message()?;
                let kind = if token.text == "print" { InstKind::Print(message) } else { InstKind::Error(message) };
                self.b.emit(kind, self.span(token.pos));
                self.semicolon("the message")?;
            }
            (TokenKind::Word, "abort") => {
                self.next();
                self.b.emit(InstKind::Abort, token.pos);
                self.semicolon("`abort`")?;
            }
            (TokenKind::Word, "copy") => {
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
            (TokenKind::Word, "tile_static") => {
                let report = Diagnostic::new(Code::K0001, "`tile_static` is declared at the top of a kernel's body");
                return Err(
                    self.report(report.at(token.pos, "too late here").help("move it up, before the first statement"))
                );
            }
            (TokenKind::Mark, "{") => {
                let report = Diagnostic::new(Code::K0001, "a block needs a label to stand alone").at(token.pos, "");
                return Err(self.report(report.help("write `'name: { .. }`; `break 'name;` leaves it")));
            }
            (TokenKind::Mark, ";") => {
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

    /// Names a value that was just created; an older value keeps its name, and the new name is only
    /// an alias.
    fn bind(&mut self, name: &str, pos: Pos, value: ValueId, values_before: usize) {
        if !name.starts_with('%') && value.index() >= values_before {
            let values = self.b.context().values;
            if values[value.index()].def == crate::kernel::ValueDef::Inst && values[value.index()].name.is_none() {
                self.b.name(value, name);
            }
        }
        self.declare(name, NameMeaning::Value(value), pos);
    }

    fn let_name(&mut self) -> Parsed<(&'t str, Pos)> {
        let token = self.peek();
        if token.kind == TokenKind::Numbered {
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
            self.declare_broken(name, pos);
            return Err(super::ParseFailed);
        };
        let local = self.b.local(name, ty);
        self.b.emit(InstKind::Declare { local, init }, self.span(start));
        self.declare(name, NameMeaning::Local(local), pos);
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

    fn ordering(&mut self, token: TextToken<'t>) -> Parsed<()> {
        self.next();
        let mut fence = Fence::All;
        if self.eat("(") {
            if self.is(")") {
                let report = self.unexpected_report("`all`, `global` or `tile_static`");
                return Err(self.report(report.help(format!("for all memory write `{};`", token.text))));
            }
            let word = self.word(&["all", "global", "tile_static"])?;
            fence = Fence::ALL.into_iter().find(|fence| fence.name() == word).unwrap_or(Fence::All);
            self.expect(")")?;
        }
        let kind = if token.text == "barrier" { InstKind::Barrier(fence) } else { InstKind::Fence(fence) };
        self.b.emit(kind, self.span(token.pos));
        self.semicolon(&format!("`{}`", token.text))
    }
}
