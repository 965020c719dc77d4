//! The lexer: converts text to [`TextToken`]s with positions. It knows no grammar, except that `%`
//! after an operand is the operator.

use std::collections::HashSet;

use super::number;
use crate::diag::{Code, Diagnostic, DiagnosticList};
use crate::limits::{MAX_NAME, MAX_NUMBER};
use crate::names;
use crate::pos::Pos;

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// Letters, digits and `_`: a name or a keyword.
    Word,
    /// `%7`.
    Numbered,
    /// `'name` or `'%3`.
    Label,
    /// A number, without its sign.
    Number,
    /// A string with its quotes.
    Text,
    /// A mark such as `+` or `->`.
    Mark,
    /// An illegal token, already reported: characters, or a word with non-ASCII letters.
    Stray,
    /// The end of the text.
    End,
}

/// One word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextToken<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// Its position; the parser fills in the index of the source.
    pub(super) pos: Pos,
    /// Whether it follows the previous token without space.
    pub(super) adjacent: bool,
}

impl TextToken<'_> {
    /// Whether it is a word that would be a name if its letters were ASCII.
    pub(super) fn is_name(&self) -> bool {
        self.kind == TokenKind::Stray && self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// Marks of two characters; every other mark has one.
const PAIRS: &[&str] = &["::", "->", "<<", ">>", "==", "!=", "<=", ">=", "&&", "||"];
const SINGLES: &str = "(){}[]<>,;:.=+-*/%&|^!@";

/// Splits a text into tokens; the last is always [`TokenKind::End`].
pub(super) fn lex(text: &str) -> (Vec<TextToken<'_>>, DiagnosticList) {
    lex_lines(text, 1)
}

/// Splits lines of a text into tokens; `line` is the number of the first line.
pub(super) fn lex_lines(text: &str, line: u32) -> (Vec<TextToken<'_>>, DiagnosticList) {
    let mut lexer = Lexer {
        text,
        stray: HashSet::new(),
        at: 0,
        line,
        column: 1,
        tokens: Vec::new(),
        reports: DiagnosticList::default(),
        spaced: true,
    };
    while lexer.at < text.len() {
        lexer.next();
    }
    let pos = Pos { source: 0, line: lexer.line, column: lexer.column, length: 1 };
    lexer.tokens.push(TextToken { kind: TokenKind::End, text: "", pos, adjacent: false });
    (lexer.tokens, lexer.reports)
}

struct Lexer<'t> {
    text: &'t str,
    /// Illegal words already reported.
    stray: HashSet<&'t str>,
    at: usize,
    line: u32,
    column: u32,
    tokens: Vec<TextToken<'t>>,
    reports: DiagnosticList,
    spaced: bool,
}

impl Lexer<'_> {
    fn next(&mut self) {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return };
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            self.skip(length);
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.push(TokenKind::Word, word_length(rest));
        } else if first.is_ascii_digit() {
            self.push(TokenKind::Number, number::length(rest));
        } else if first == '"' {
            self.string(rest);
        } else if first == '\'' {
            self.label(rest);
        } else if first == '%' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) && !self.after_operand() {
            self.push(TokenKind::Numbered, 1 + word_length(&rest[1..]));
        } else if let Some(pair) = PAIRS.iter().find(|pair| rest.starts_with(**pair)) {
            self.push(TokenKind::Mark, pair.len());
        } else if SINGLES.contains(first) {
            self.push(TokenKind::Mark, 1);
        } else {
            self.stray(rest, first);
        }
    }

    /// Whether the last token ends an operand, so that a `%` is the operator.
    fn after_operand(&self) -> bool {
        self.tokens.last().is_some_and(|last| match last.kind {
            TokenKind::Number | TokenKind::Numbered => true,
            TokenKind::Word => {
                !names::KEYWORDS.contains(&last.text) || matches!(last.text, "inf" | "nan" | "true" | "false")
            }
            TokenKind::Mark => matches!(last.text, ")" | "]"),
            TokenKind::Stray => last.is_name(),
            TokenKind::Label | TokenKind::Text | TokenKind::End => false,
        })
    }

    fn string(&mut self, rest: &str) {
        let mut escaped = false;
        for (i, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                '"' if !escaped => return self.push(TokenKind::Text, i + 1),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        let report = Diagnostic::new(Code::K0011, "this string has no end").at(self.pos(1), "begins here");
        self.reports.push(report.help("end it with `\"` on the same line; a line break in it is written `\\n`"));
        self.push(TokenKind::Text, length);
    }

    fn label(&mut self, rest: &str) {
        let numbered = usize::from(rest[1..].starts_with('%'));
        let length = word_length(&rest[1 + numbered..]);
        if length == 0 {
            return self.stray(rest, '\'');
        }
        self.push(TokenKind::Label, 1 + numbered + length);
    }

    fn stray(&mut self, rest: &str, first: char) {
        if first.is_alphabetic() {
            return self.stray_word(rest);
        }
        // Adjacent characters give one report, so that a text in another language does not give
        // hundreds.
        let known = |c: char| c.is_alphanumeric() || c.is_whitespace() || c == '_' || SINGLES.contains(c);
        let length = rest[first.len_utf8()..].find(known).map_or(rest.len(), |n| n + first.len_utf8());
        let stray = &rest[..length];
        let pos = self.pos(stray.chars().count() as u32);
        let shown: String = stray.chars().take(20).flat_map(char::escape_debug).collect();
        let mut report = Diagnostic::new(Code::K0012, format!("`{shown}` has no meaning here")).at(pos, "");
        if first == '#' {
            report = report.help("a comment begins with `//`");
        } else if first == '?' {
            report = report.help("for `c ? a : b` write `if c { a } else { b }`");
        } else if first == '~' {
            report = report.help("bits are inverted by `!x`");
        } else if first == '\'' {
            report = report.help("a label is written `'name`");
        }
        self.reports.push(report);
        self.push(TokenKind::Stray, length);
    }

    /// A word with non-ASCII letters, the beginning of which may already be a token. Reported once,
    /// however often it occurs.
    fn stray_word(&mut self, rest: &str) {
        let mut length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if !self.spaced && self.tokens.last().is_some_and(|last| last.kind == TokenKind::Word) {
            // The ASCII beginning of the word is already a token.
            let Some(begin) = self.tokens.pop() else { return };
            self.at -= begin.text.len();
            (self.line, self.column) = (begin.pos.line, begin.pos.column);
            self.spaced = !begin.adjacent;
            length += begin.text.len();
        }
        let text = self.text;
        let word = &text[self.at..self.at + length];
        if self.stray.insert(word) {
            let shown: String = word.chars().take(20).collect();
            let pos = self.pos(word.chars().count() as u32);
            let report = Diagnostic::new(Code::K0012, format!("`{shown}` is no name")).at(pos, "");
            self.reports.push(report.note("names consist of ASCII letters, digits and `_`"));
        }
        self.push(TokenKind::Stray, length);
    }

    fn pos(&self, length: u32) -> Pos {
        Pos { source: 0, line: self.line, column: self.column, length }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let text = &self.text[self.at..self.at + length];
        let pos = self.pos(text.chars().count() as u32);
        let (kind, text) = self.bounded(kind, text, pos);
        let adjacent = !self.spaced;
        self.skip(length);
        self.spaced = false;
        self.tokens.push(TextToken { kind, text, pos, adjacent });
    }

    /// Reports a token that exceeds its maximum length, and replaces it by an illegal one of the
    /// maximum length, so that no later stage or message processes all of it.
    fn bounded<'t>(&mut self, kind: TokenKind, text: &'t str, pos: Pos) -> (TokenKind, &'t str) {
        let (most, what) = match kind {
            TokenKind::Word | TokenKind::Numbered | TokenKind::Label => (MAX_NAME, "name"),
            TokenKind::Number => (MAX_NUMBER, "number"),
            // Already reported.
            TokenKind::Stray => return (kind, &text[..text.floor_char_boundary(MAX_NAME)]),
            TokenKind::Text | TokenKind::Mark | TokenKind::End => return (kind, text),
        };
        if text.len() <= most {
            return (kind, text);
        }
        let report = Diagnostic::new(Code::K0018, format!("a {what} of {} characters", text.len()));
        let report = report.at(pos, "too long").note(format!("a {what} has at most {most} characters"));
        self.reports.push(report.help(match kind {
            TokenKind::Number => {
                "leave out digits that make no difference; an exponent says how large it is: `1.5e300`"
            }
            _ => "choose a shorter one",
        }));
        (TokenKind::Stray, &text[..most])
    }

    fn skip(&mut self, length: usize) {
        for c in self.text[self.at..self.at + length].chars() {
            if c == '\n' {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
        self.at += length;
        self.spaced = true;
    }
}

fn word_length(text: &str) -> usize {
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        lex(text).0.iter().map(|token| token.text).filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn words_are_cut_as_the_page_says() {
        assert_eq!(texts("a%7 % %7"), ["a", "%", "7", "%", "%7"]);
        assert_eq!(texts("return %7;"), ["return", "%7", ";"]);
        assert_eq!(
            texts("'l: 'm 1.5.x 0x1.8p+3f64-1e-3"),
            ["'l", ":", "'m", "1.5", ".", "x", "0x1.8p+3f64", "-", "1e-3"]
        );
        assert_eq!(texts("a<<=b->c // d\ne"), ["a", "<<", "=", "b", "->", "c", "e"]);
        assert_eq!(texts(r#"print("a\"b")"#), ["print", "(", r#""a\"b""#, ")"]);
        assert_eq!(texts("'%3: loop"), ["'%3", ":", "loop"]);
    }
}
