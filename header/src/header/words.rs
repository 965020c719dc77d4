//! A cursor over the tokens of one entry.

use crate::data::{DataForm, DataLiteral, HeaderData, MOST, RepeatedItem};
use crate::scan::{EntryToken, HeaderEntry, TokenKind};
use crate::{Complaint, FilePlace, value};
use tilewise_ir::limits::MAX_RANK;

/// The remaining tokens of an entry.
pub(super) struct EntryWords<'e> {
    tokens: &'e [EntryToken],
    next: usize,
    end: FilePlace,
}

impl<'e> EntryWords<'e> {
    pub(super) fn new(entry: &'e HeaderEntry) -> EntryWords<'e> {
        EntryWords { tokens: &entry.tokens, next: 0, end: entry.end }
    }

    fn peek(&self) -> Option<&'e EntryToken> {
        self.tokens.get(self.next)
    }

    /// The place of the next token, or the end of the entry.
    pub(super) fn at(&self) -> FilePlace {
        self.peek().map_or(self.end, |token| token.at)
    }

    pub(super) fn second_is_mark(&self, marks: &[char]) -> bool {
        matches!(self.tokens.first(), Some(EntryToken { kind: TokenKind::Word(_), .. }))
            && matches!(self.tokens.get(1), Some(EntryToken { kind: TokenKind::Mark(m), .. }) if marks.contains(m))
    }

    pub(super) fn is_end(&self) -> bool {
        self.peek().is_none()
    }

    fn wrong(&self, what: &str) -> Complaint {
        let message = match self.peek() {
            Some(token) => format!("expected {what}, found {}", token.kind.show()),
            None => format!("expected {what}, and the entry ends here"),
        };
        Complaint::new(self.at(), message, "docs/tests.md shows every form of entry")
    }

    pub(super) fn word(&mut self, what: &str) -> Result<String, Complaint> {
        match self.peek() {
            Some(EntryToken { kind: TokenKind::Word(word), .. }) => {
                self.next += 1;
                Ok(word.clone())
            }
            _ => Err(self.wrong(what)),
        }
    }

    pub(super) fn text(&mut self, what: &str) -> Result<String, Complaint> {
        match self.peek() {
            Some(EntryToken { kind: TokenKind::Text(text), .. }) => {
                self.next += 1;
                Ok(text.clone())
            }
            _ => Err(self.wrong(what)),
        }
    }

    pub(super) fn peek_text(&self) -> bool {
        matches!(self.peek(), Some(EntryToken { kind: TokenKind::Text(_), .. }))
    }

    pub(super) fn peek_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(EntryToken { kind: TokenKind::Word(found), .. }) if found == word)
    }

    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let found = self.peek_word(word);
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), Complaint> {
        if self.skip_word(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    pub(super) fn peek_mark(&self, mark: char) -> bool {
        matches!(self.peek(), Some(EntryToken { kind: TokenKind::Mark(found), .. }) if *found == mark)
    }

    pub(super) fn skip_mark(&mut self, mark: char) -> bool {
        let found = self.peek_mark(mark);
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect_mark(&mut self, mark: char) -> Result<(), Complaint> {
        if self.skip_mark(mark) { Ok(()) } else { Err(self.wrong(&format!("`{mark}`"))) }
    }

    pub(super) fn end(&self) -> Result<(), Complaint> {
        if self.peek().is_some() { Err(self.wrong("the end of the entry")) } else { Ok(()) }
    }

    /// The next token, if it is a number.
    pub(super) fn maybe_number(&mut self) -> Option<u64> {
        let Some(EntryToken { kind: TokenKind::Word(word), .. }) = self.peek() else { return None };
        let number = value::integer(word).and_then(|number| u64::try_from(number).ok())?;
        self.next += 1;
        Some(number)
    }

    pub(super) fn number(&mut self, what: &str) -> Result<u64, Complaint> {
        self.maybe_number().ok_or_else(|| self.wrong(what))
    }

    /// One number or more.
    pub(super) fn numbers(&mut self, what: &str) -> Result<Vec<u64>, Complaint> {
        let mut out = vec![self.number(what)?];
        loop {
            self.skip_mark(',');
            match self.maybe_number() {
                Some(number) => out.push(number),
                None => return Ok(out),
            }
        }
    }

    /// Parses `4x6`.
    pub(super) fn extent_word(&mut self) -> Result<Vec<i32>, Complaint> {
        let at = self.at();
        let what = "an extent such as `4x6`";
        let word = self.word(what)?;
        if word.split('x').count() > MAX_RANK as usize {
            return Err(Complaint::new(at, "these are too many sizes", rank_help()));
        }
        extent(&word).ok_or_else(|| {
            Complaint::new(
                at,
                format!("expected {what}, found `{word}`"),
                "write the sizes with `x` between them, the most significant first",
            )
        })
    }

    /// Parses `[4, 6]`, or the same with other brackets.
    fn integers(&mut self, open: char, close: char) -> Result<Vec<i32>, Complaint> {
        self.expect_mark(open)?;
        let mut out = Vec::new();
        while !self.skip_mark(close) {
            let at = self.at();
            let word = self.word("a number")?;
            let number = value::integer(&word).and_then(|number| i32::try_from(number).ok());
            out.push(
                number.ok_or_else(|| {
                    Complaint::new(at, format!("`{word}` is no size"), "a size is at most 2147483647")
                })?,
            );
            self.skip_mark(',');
            if out.len() > MAX_RANK as usize {
                return Err(Complaint::new(at, "these are too many sizes", rank_help()));
            }
        }
        Ok(out)
    }

    pub(super) fn extent_list(&mut self) -> Result<Vec<i32>, Complaint> {
        self.integers('[', ']')
    }

    pub(super) fn index(&mut self) -> Result<Vec<i32>, Complaint> {
        self.integers('(', ')')
    }

    /// Parses `because ..`: the rest of the entry.
    pub(super) fn reason(&mut self) -> Result<String, Complaint> {
        self.expect_word("because")?;
        let mut out = String::new();
        if self.peek().is_none() {
            return Err(self.wrong("the reason"));
        }
        for token in &self.tokens[self.next..] {
            if !token.glued && !out.is_empty() {
                out.push(' ');
            }
            match &token.kind {
                TokenKind::Word(word) => out += word,
                TokenKind::Text(text) => out += &format!("\"{text}\""),
                TokenKind::Mark(mark) => out.push(*mark),
            }
        }
        self.next = self.tokens.len();
        Ok(out)
    }

    /// Parses the rest of the entry as data.
    pub(super) fn data(&mut self) -> Result<HeaderData, Complaint> {
        let at = self.at();
        let form = if self.skip_word("zero") {
            DataForm::Zero
        } else if self.skip_word("fill") {
            let items = self.items()?;
            if items.is_empty() {
                return Err(self.wrong("the values to fill with"));
            }
            DataForm::Fill(items)
        } else if self.skip_word("iota") {
            let literal = |at, word: &str| DataLiteral { at, word: word.to_owned(), bits: false };
            let start =
                if self.peek().is_some() && !self.peek_word("step") { self.literal()? } else { literal(at, "0") };
            let step = if self.skip_word("step") { self.literal()? } else { literal(at, "1") };
            DataForm::Iota { start, step }
        } else if self.skip_word("sampler") {
            super::sampler::read(self)?
        } else if self.skip_word("random") {
            let seed = self.number("the seed, a number")?;
            let range = if self.peek().is_some() { Some(self.range()?) } else { None };
            DataForm::Random { seed, range }
        } else {
            DataForm::List(self.items()?)
        };
        self.end()?;
        Ok(HeaderData { at, form })
    }

    fn range(&mut self) -> Result<(DataLiteral, DataLiteral), Complaint> {
        let at = self.at();
        let word = self.word("a range such as `-1..1`")?;
        let literal = |word: &str| DataLiteral { at, word: word.to_owned(), bits: false };
        match word.split_once("..") {
            Some((low, high)) if !low.is_empty() && !high.is_empty() => Ok((literal(low), literal(high))),
            _ => Err(Complaint::new(at, format!("`{word}` is no range"), "write `LO..HI`, as in `-1..1`")),
        }
    }

    fn items(&mut self) -> Result<Vec<RepeatedItem>, Complaint> {
        let mut items = Vec::new();
        let mut open: Vec<char> = Vec::new();
        while let Some(token) = self.peek() {
            match &token.kind {
                TokenKind::Mark(mark @ ('(' | '[' | '{')) => {
                    open.push(*mark);
                    self.next += 1;
                }
                TokenKind::Mark(mark @ (')' | ']' | '}')) => {
                    let fits = matches!((open.pop(), mark), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                    if !fits {
                        return Err(Complaint::new(
                            token.at,
                            format!("`{mark}` closes nothing"),
                            "remove it, or open it before",
                        ));
                    }
                    self.next += 1;
                }
                TokenKind::Mark(',') => self.next += 1,
                _ => items.push(self.item()?),
            }
        }
        match open.last() {
            Some(mark) => Err(Complaint::new(
                self.end,
                format!("`{mark}` is not closed"),
                "close it; long entries go on in lines that begin with two spaces",
            )),
            None => Ok(items),
        }
    }

    fn item(&mut self) -> Result<RepeatedItem, Complaint> {
        let at = self.at();
        let literal = self.literal()?;
        if !self.skip_mark('*') {
            return Ok(RepeatedItem { count: 1, literal });
        }
        let count = value::integer(&literal.word).and_then(|count| u64::try_from(count).ok());
        let count = count.filter(|&count| (1..=MOST).contains(&count) && !literal.bits);
        let count = count.ok_or_else(|| {
            Complaint::new(at, "this is no count", format!("write `3*0` for `0 0 0`; at most {MOST} times"))
        })?;
        Ok(RepeatedItem { count, literal: self.literal()? })
    }

    fn literal(&mut self) -> Result<DataLiteral, Complaint> {
        let at = self.at();
        let word = self.word("a value")?;
        let opens = self.peek_mark('(') && self.peek().is_some_and(|token| token.glued);
        if opens && (word == "bits" || word == "nan") {
            self.expect_mark('(')?;
            let bits = self.word("the bits, such as `0x7fc00001`")?;
            self.expect_mark(')')?;
            return Ok(DataLiteral { at, word: bits, bits: true });
        }
        Ok(DataLiteral { at, word, bits: false })
    }
}

fn rank_help() -> String {
    format!("a domain and a view have at most {MAX_RANK} dimensions")
}

/// `4x6` as numbers.
pub fn extent(word: &str) -> Option<Vec<i32>> {
    word.split('x').map(|size| size.parse().ok()).collect()
}
