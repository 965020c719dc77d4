//! Cuts the text of SPIR-V into tokens.

use tilewise_header::{Complaint, FilePlace};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AsmToken {
    pub(super) at: FilePlace,
    pub(super) form: TokenForm,
    /// As it is written; of a text, what stands between its quotes, without the escapes.
    pub(super) text: String,
}

/// Kinds of [`AsmToken`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenForm {
    /// `%name`.
    Id,
    Equals,
    Text,
    /// An opcode, an enumerant, a mask or a number.
    Word,
}

/// Is it the opcode of an instruction?
pub(super) fn is_opcode(token: &AsmToken) -> bool {
    token.form == TokenForm::Word
        && token.text.strip_prefix("Op").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The tokens of a text. A `;` begins a comment.
pub(super) fn tokens(text: &str, first_line: u32) -> Result<Vec<AsmToken>, Complaint> {
    let mut out = Vec::new();
    let (mut line, mut column) = (first_line, 1);
    let mut chars = text.chars().peekable();
    while let Some(&c) = chars.peek() {
        let at = FilePlace { line, column };
        let mut step = |line: &mut u32, column: &mut u32| {
            let c = chars.next();
            match c {
                Some('\n') => (*line, *column) = (*line + 1, 1),
                _ => *column += 1,
            }
            (c, chars.peek().copied())
        };
        if c.is_whitespace() {
            step(&mut line, &mut column);
        } else if c == ';' {
            while step(&mut line, &mut column).1.is_some_and(|next| next != '\n') {}
        } else if c == '"' {
            let mut content = String::new();
            step(&mut line, &mut column);
            loop {
                match step(&mut line, &mut column).0 {
                    Some('"') => break,
                    Some('\\') => content.extend(step(&mut line, &mut column).0),
                    Some(c) => content.push(c),
                    None => return Err(Complaint::new(at, "this text is not closed", "add the closing quote")),
                }
            }
            out.push(AsmToken { at, form: TokenForm::Text, text: content });
        } else {
            let mut word = String::from(c);
            while let (_, Some(next)) = step(&mut line, &mut column)
                && !next.is_whitespace()
                && next != ';'
            {
                word.push(next);
            }
            let form = match word.as_str() {
                "=" => TokenForm::Equals,
                word if word.starts_with('%') => TokenForm::Id,
                _ => TokenForm::Word,
            };
            out.push(AsmToken { at, form, text: word });
        }
    }
    Ok(out)
}
