//! The parser: converts tokens to instructions of a [`Builder`], in one pass without a syntax tree.
//!
//! A part that does not parse is reported at its position and gives [`ParseFailed`]; the enclosing
//! statement or item recovers after it, so that one run finds as many errors as possible. A name
//! whose declaration failed is still declared, so that its uses are not reported too. Well-formed
//! but ill-typed code is built unchanged: the checker reports types.
//!
//! This file has the shared parts: tokens, reports, recovery. [`file`] parses items, [`types`]
//! types and structs, [`table`] constant tables, [`statement`] blocks, [`control`] loops and
//! branches, [`expression`] operators, [`operand`] operands, [`call`] everything with arguments;
//! [`scope`] has the names and labels in scope, [`foreign`] and [`near`] the hints for misspelt
//! words and words of other languages.

mod call;
mod control;
mod expression;
mod file;
mod foreign;
mod near;
mod operand;
mod scope;
mod statement;
mod table;
mod types;

use std::collections::{HashMap, HashSet};

use super::lex::{TextToken, TokenKind};
use super::library::Library;
use crate::build::Builder;
use crate::diag::{Code, Diagnostic, MAX_SHOWN};
use crate::kernel::{FunctionId, ValueId};
use crate::limits::MAX_NESTING;
use crate::names;
use crate::pos::{Pos, Sources};
use crate::types::TypeId;

use scope::{Labels, NameScope};

pub(super) use file::LibraryEntry;

/// Limit on nested expressions, with room for those that enclose the innermost legal block.
const MAX_EXPRESSIONS: u32 = MAX_NESTING + 64;

/// A parse error that was already reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParseFailed;

pub(super) type Parsed<T> = Result<T, ParseFailed>;

/// Parses the tokens of one source into a builder.
pub(super) struct Parser<'t, 'b> {
    tokens: &'t [TextToken<'t>],
    at: usize,
    source: u32,
    pub(super) b: &'b mut Builder,
    pub(super) reports: Vec<Diagnostic>,
    unread: bool,
    scope: NameScope,
    functions: HashMap<String, (FunctionId, Pos)>,
    /// Functions and structs whose declarations have errors; their uses are not reported.
    broken: HashSet<String>,
    labels: Labels,
    /// Current nesting depth of blocks and of expressions.
    blocks: u32,
    expressions: u32,
    /// The block depth at which `break if` is legal, directly in the block.
    break_if: Option<u32>,
    structs: HashMap<String, TypeId>,
    /// The last value made from several components of a place, and the report for a store to it.
    no_step: Option<(ValueId, Diagnostic)>,
    /// Values of this function that are views by their instruction, and have no type for an error in it.
    views_in_error: HashSet<ValueId>,
    hints: near::HintFinder,
    /// The library being parsed, if it is one.
    library: Option<&'static Library>,
}

impl<'t, 'b> Parser<'t, 'b> {
    pub(super) fn new(
        tokens: &'t [TextToken<'t>],
        source: u32,
        b: &'b mut Builder,
        library: Option<&'static Library>,
    ) -> Parser<'t, 'b> {
        Parser {
            tokens,
            at: 0,
            source,
            b,
            reports: Vec::new(),
            unread: false,
            scope: NameScope::default(),
            functions: HashMap::new(),
            broken: HashSet::new(),
            labels: Labels::default(),
            blocks: 0,
            expressions: 0,
            break_if: None,
            structs: HashMap::new(),
            no_step: None,
            views_in_error: HashSet::new(),
            hints: near::HintFinder::default(),
            library,
        }
    }

    /// The sources that reports refer to.
    pub(super) fn sources(&self) -> Sources {
        self.b.so_far().sources().clone()
    }

    // Tokens.

    fn peek(&self) -> TextToken<'t> {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> TextToken<'t> {
        let i = (self.at + n).min(self.tokens.len() - 1);
        let mut token = self.tokens[i];
        token.pos.source = self.source;
        token
    }

    fn next(&mut self) -> TextToken<'t> {
        let token = self.peek();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this mark or word.
    fn is(&self, text: &str) -> bool {
        self.is_ahead(0, text)
    }

    fn is_ahead(&self, n: usize, text: &str) -> bool {
        let token = self.ahead(n);
        token.text == text && matches!(token.kind, TokenKind::Mark | TokenKind::Word)
    }

    /// Consumes this mark or word if it is next.
    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.next();
        }
        found
    }

    /// The position from `start` to the last consumed token, if on one line.
    fn span(&self, start: Pos) -> Pos {
        let Some(last) = self.at.checked_sub(1).map(|i| self.tokens[i].pos) else { return start };
        if last.line == start.line && last.column >= start.column {
            Pos { length: last.column + last.length - start.column, ..start }
        } else {
            start
        }
    }

    /// The position directly after the last consumed token.
    fn behind(&self) -> Pos {
        let Some(last) = self.at.checked_sub(1).map(|i| self.tokens[i].pos) else { return self.peek().pos };
        Pos { source: self.source, line: last.line, column: last.column + last.length, length: 1 }
    }

    // Reports.

    fn report(&mut self, report: Diagnostic) -> ParseFailed {
        if self.reports.len() < MAX_SHOWN {
            self.reports.push(report);
        } else {
            self.unread = true;
            self.at = self.tokens.len() - 1;
        }
        ParseFailed
    }

    /// Whether a part of the text was not parsed, because there were too many reports.
    pub(super) fn left_unread(&self) -> bool {
        self.unread
    }

    /// Whether there were too many reports. Then the rest is neither parsed nor searched.
    fn gave_up(&self) -> bool {
        self.reports.len() >= MAX_SHOWN
    }

    /// Ensures that a [`ParseFailed`] has a report; without one a part of the text would be lost
    /// silently.
    fn reported(&mut self, what: &str) {
        if self.reports.is_empty() {
            debug_assert!(false, "{what} failed without a report");
            self.unexpected(what);
        }
    }

    /// Reports that the next token is not `expected`.
    fn unexpected(&mut self, expected: &str) -> ParseFailed {
        if self.peek().kind == TokenKind::Stray && !self.reports.is_empty() {
            return ParseFailed;
        }
        let report = self.unexpected_report(expected);
        self.report(report)
    }

    fn unexpected_report(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found = shown(token);
        let report = Diagnostic::new(Code::K0001, format!("expected {expected}, found {found}"))
            .at(token.pos, format!("expected {expected}"));
        match token.text {
            "=" if expected.contains("`{`") => report.help("`==` compares"),
            _ => report,
        }
    }

    fn expect(&mut self, text: &str) -> Parsed<Pos> {
        if self.is(text) { Ok(self.next().pos) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// The `;` after a statement. If it is missing, parsing continues as if it were there.
    fn semicolon(&mut self, what: &str) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let last = self.behind();
        let token = self.peek();
        let starts = token.kind == TokenKind::End
            || token.pos.line > last.line
            || token.text == "}"
            || statement::starts_statement(token);
        if !starts {
            if token.kind == TokenKind::Stray && !self.reports.is_empty() {
                return Err(ParseFailed);
            }
            let mut report = self.unexpected_report(&format!("`;` behind {what}"));
            if token.kind == TokenKind::Numbered {
                report = report.help("as the operator, `%` stands apart from the number behind it");
            }
            return Err(self.report(report));
        }
        let report = Diagnostic::new(Code::K0001, format!("expected `;` behind {what}"));
        self.report(report.at(last, "a `;` is missing here"));
        Ok(())
    }

    /// The name in a declaration.
    fn name(&mut self, what: &str) -> Parsed<(&'t str, Pos)> {
        let token = self.peek();
        if token.is_name() {
            self.next();
            return Ok((token.text, token.pos));
        }
        if token.kind != TokenKind::Word {
            return Err(self.unexpected(&format!("the name of {what}")));
        }
        if !names::is_name(token.text) {
            let report = if token.text == "mut" {
                Diagnostic::new(Code::K0016, "`let mut` is not of this language")
                    .at(token.pos, "")
                    .help("a variable that changes is declared with `var name: type = value;`")
            } else {
                Diagnostic::new(
                    Code::K0016,
                    format!("`{}` has a meaning of its own and can not name {what}", token.text),
                )
                .at(token.pos, "choose another name")
            };
            self.report(report);
            if token.text == "mut" || !names::is_word(token.text) || names::KEYWORDS.contains(&token.text) {
                return Err(ParseFailed);
            }
        }
        self.next();
        Ok((token.text, token.pos))
    }

    /// A word that is a keyword in this position only.
    fn word(&mut self, words: &[&str]) -> Parsed<&'t str> {
        let token = self.peek();
        if token.kind == TokenKind::Word && words.contains(&token.text) {
            return Ok(self.next().text);
        }
        let expected: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let mut report = self.unexpected_report(&expected.join(" or "));
        if let Some(near) = self.hints.nearest(token.text, &mut words.iter().copied()) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        Err(self.report(report))
    }

    /// Items in brackets: `item , item ,` up to and including `close`.
    fn list<T>(&mut self, close: &str, what: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            if self.eat(close) {
                return Ok(items);
            }
            items.push(item(self)?);
            if !self.is(close) && !self.eat(",") {
                return Err(self.unexpected(&format!("`,` or `{close}` behind {what}")));
            }
        }
    }

    /// Parameters or fields in brackets, up to and including `close`. Continues after an item with
    /// an error.
    fn list_of_all(&mut self, close: &str, what: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        let mut failed = Ok(());
        loop {
            if self.eat(close) {
                return failed;
            }
            let at = self.at;
            if item(self).is_err() {
                failed = Err(ParseFailed);
                if self.gave_up() {
                    return failed;
                }
                self.at = at;
                if !self.skip_item(close) {
                    return failed;
                }
            }
            if !self.is(close) && !self.eat(",") {
                return Err(self.unexpected(&format!("`,` or `{close}` behind {what}")));
            }
        }
    }

    // Recovery.

    /// Skips to the `,` or `close` after an item of a list. Returns false if a token that begins
    /// something else comes first.
    fn skip_item(&mut self, close: &str) -> bool {
        let mut open = 0_i32;
        loop {
            let token = self.peek();
            match token.text {
                _ if token.kind == TokenKind::End => return false,
                text if open <= 0 && (text == "," || text == close) => return true,
                "{" | "}" | "kernel" | "fn" | "struct" => return false,
                "(" | "[" | "<" => open += 1,
                ")" | "]" | ">" => open -= 1,
                ">>" => open -= 2,
                _ => {}
            }
            self.next();
        }
    }

    /// Skips past the `]` that closes the current bracket, if it is on this line.
    fn skip_bracket(&mut self) {
        let line = self.peek().pos.line;
        let mut open = 1_i32;
        for (i, token) in self.tokens[self.at..].iter().enumerate().take_while(|(_, token)| token.pos.line == line) {
            match token.text {
                "[" => open += 1,
                "]" => open -= 1,
                "{" | "}" | "=" => return,
                _ => {}
            }
            if open == 0 {
                self.at += i + 1;
                return;
            }
        }
    }

    /// Skips past the next `;`, or to the `}` that closes the current block, or to a token that
    /// begins a statement on a new line.
    fn recover(&mut self) {
        let mut open = 0_u32;
        loop {
            let token = self.peek();
            if token.kind == TokenKind::End {
                return;
            }
            match token.text {
                "}" if open == 0 => return,
                ";" if open == 0 => {
                    self.next();
                    return;
                }
                "{" => open += 1,
                "}" => {
                    open -= 1;
                    if open == 0 {
                        self.next();
                        if !self.is("else") && !self.is("continuing") && !self.is(";") {
                            return;
                        }
                        continue;
                    }
                }
                _ if open == 0 && statement::starts_statement(token) && token.pos.line > self.behind().line => return,
                _ => {}
            }
            self.next();
        }
    }

    /// Skips a block, including its braces.
    fn skip_block(&mut self) {
        let mut open = 0_u32;
        while self.peek().kind != TokenKind::End {
            match self.next().text {
                "{" => open += 1,
                "}" => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Parses one nested expression.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.expressions >= MAX_EXPRESSIONS {
            let pos = self.peek().pos;
            let report = Diagnostic::new(Code::K0009, "this is nested too deeply").at(pos, "");
            return Err(self.report(report.note(format!("expressions and types nest at most {MAX_EXPRESSIONS} deep"))));
        }
        self.expressions += 1;
        let result = read(self);
        self.expressions -= 1;
        result
    }
}

/// The description of a token in messages.
fn shown(token: TextToken<'_>) -> String {
    match token.kind {
        TokenKind::End => "the end of the text".to_owned(),
        TokenKind::Text => "a string".to_owned(),
        _ if token.text.len() > 40 => "a long word".to_owned(),
        _ => format!("`{}`", token.text),
    }
}
