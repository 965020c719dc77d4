//! Cuts a script into statements: the words of a line, without comments. A `\` at the end of a line continues it.

use std::str::FromStr;

use tilewise_header::{Complaint, FilePlace};

/// A word, and where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScriptWord {
    pub(crate) at: FilePlace,
    pub(crate) text: String,
}

/// The lines of a script, read one after another.
pub(crate) struct ScriptLines<'s> {
    lines: Vec<&'s str>,
    next: usize,
}

impl<'s> ScriptLines<'s> {
    pub(crate) fn new(text: &'s str) -> ScriptLines<'s> {
        ScriptLines { lines: text.lines().collect(), next: 0 }
    }

    /// The next statement; empty lines are left out.
    pub(crate) fn statement(&mut self) -> Option<ScriptStatement> {
        loop {
            let mut words = self.line()?;
            while words.last().is_some_and(|word| word.text == "\\") {
                words.pop();
                words.extend(self.line().unwrap_or_default());
            }
            if !words.is_empty() {
                let last = &words[words.len() - 1];
                let column = last.at.column + last.text.chars().count() as u32;
                let end = FilePlace { line: last.at.line, column };
                return Some(ScriptStatement { words, next: 0, end });
            }
        }
    }

    /// The words of the next line.
    fn line(&mut self) -> Option<Vec<ScriptWord>> {
        let line = self.lines.get(self.next)?;
        self.next += 1;
        Some(words(line, self.next as u32))
    }

    /// The lines up to one whose first word is `END`, and the number of the first of them. That line is read too.
    pub(crate) fn raw_block(&mut self) -> Option<(String, u32)> {
        let first = self.next;
        let is_end = |line: &&str| line.split_whitespace().next() == Some("END");
        let length = self.lines[first.min(self.lines.len())..].iter().position(is_end)?;
        self.next = first + length + 1;
        let mut text = self.lines[first..first + length].join("\n");
        text.push('\n');
        Some((text, first as u32 + 1))
    }

    /// The place after the last line that was read.
    pub(crate) fn place(&self) -> FilePlace {
        FilePlace { line: self.next.max(1) as u32, column: 1 }
    }
}

fn words(line: &str, number: u32) -> Vec<ScriptWord> {
    let mut out = Vec::new();
    let mut word: Option<ScriptWord> = None;
    for (c, column) in line.chars().zip(1u32..) {
        if c.is_whitespace() {
            out.extend(word.take());
            continue;
        }
        match &mut word {
            None if c == '#' => break,
            None => word = Some(ScriptWord { at: FilePlace { line: number, column }, text: c.to_string() }),
            Some(word) => word.text.push(c),
        }
    }
    out.extend(word);
    out
}

/// The words of a statement, taken one after another.
#[derive(Clone, Debug)]
pub(crate) struct ScriptStatement {
    words: Vec<ScriptWord>,
    next: usize,
    end: FilePlace,
}

impl ScriptStatement {
    /// Where the next word stands, or the end of the statement.
    pub(crate) fn at(&self) -> FilePlace {
        self.peek().map_or(self.end, |word| word.at)
    }

    /// Where the statement begins.
    pub(crate) fn begin(&self) -> FilePlace {
        self.words.first().map_or(self.end, |word| word.at)
    }

    pub(crate) fn peek(&self) -> Option<&ScriptWord> {
        self.words.get(self.next)
    }

    pub(crate) fn peek_is(&self, keyword: &str) -> bool {
        self.peek().is_some_and(|word| word.text == keyword)
    }

    pub(crate) fn next(&mut self) -> Option<ScriptWord> {
        let word = self.words.get(self.next).cloned();
        self.next += usize::from(word.is_some());
        word
    }

    /// The next word; `what` says what it is.
    pub(crate) fn word(&mut self, what: &str) -> Result<ScriptWord, Complaint> {
        self.next().ok_or_else(|| self.wrong(what))
    }

    pub(crate) fn skip(&mut self, keyword: &str) -> bool {
        let is_there = self.peek_is(keyword);
        self.next += usize::from(is_there);
        is_there
    }

    pub(crate) fn expect(&mut self, keyword: &str) -> Result<(), Complaint> {
        if self.skip(keyword) { Ok(()) } else { Err(self.wrong(&format!("`{keyword}`"))) }
    }

    /// The next word as a number, in digits or as `0x..`.
    pub(crate) fn number<T: TryFrom<i128>>(&mut self, what: &str) -> Result<T, Complaint> {
        let number = self.peek().and_then(|word| tilewise_header::value::integer(&word.text.to_ascii_lowercase()));
        let number = number.and_then(|number| T::try_from(number).ok());
        match number {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => Err(self.wrong(what)),
        }
    }

    /// The next word as a number with a fraction.
    pub(crate) fn float(&mut self, what: &str) -> Result<f64, Complaint> {
        match self.peek().and_then(|word| f64::from_str(&word.text).ok()).filter(|number| number.is_finite()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => Err(self.wrong(what)),
        }
    }

    /// That a word which stands at `at` is not said again.
    pub(crate) fn once(at: FilePlace, is_said: bool, keyword: &str) -> Result<(), Complaint> {
        if is_said {
            return Err(Complaint::new(at, format!("`{keyword}` is said twice"), "remove one of the two"));
        }
        Ok(())
    }

    /// That nothing is left; `form` is the form of the whole statement.
    pub(crate) fn end(&self, form: &str) -> Result<(), Complaint> {
        match self.peek() {
            None => Ok(()),
            Some(word) => {
                let message = format!("expected the end of the line, found `{}`", word.text);
                Err(Complaint::new(word.at, message, format!("the form is `{form}`")))
            }
        }
    }

    /// A complaint that the next word is not what it should be.
    pub(crate) fn wrong(&self, what: &str) -> Complaint {
        let found = self.peek().map_or("the end of the line".to_owned(), |word| format!("`{}`", word.text));
        Complaint::new(self.at(), format!("expected {what}, found {found}"), "docs/import.md lists the statements")
    }
}
