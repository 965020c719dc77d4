//! Cuts a `.kir` file into header entries, annotations and kernel lines, and the entries into
//! tokens. [`header`](crate::header) interprets the entries.

use crate::{Complaint, FilePlace};

/// A file, cut into its parts.
#[derive(Debug)]
pub struct Scanned {
    /// The entries of the header.
    pub entries: Vec<HeaderEntry>,
    /// The annotations below lines of the kernel.
    pub annotations: Vec<Annotation>,
    /// For each line of the file: is it an annotation?
    pub is_annotation: Vec<bool>,
    /// The line number of the last header line, or of the comment that the file begins with; 0 if
    /// there is none.
    pub header_end: u32,
}

/// One entry of the header: a line and its continuation lines.
#[derive(Debug)]
pub struct HeaderEntry {
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// Its tokens.
    pub tokens: Vec<EntryToken>,
    /// The place after its last character.
    pub end: FilePlace,
}

/// A token of an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct EntryToken {
    /// Where it begins.
    pub at: FilePlace,
    /// Its kind.
    pub kind: TokenKind,
    /// Does it follow the previous token without space?
    pub glued: bool,
}

/// Kinds of [`EntryToken`].
#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    /// A word: anything without space, quotes and the marks below.
    Word(String),
    /// A quoted text, its escapes resolved.
    Text(String),
    /// One of `( ) [ ] { } , : = *`.
    Mark(char),
}

impl TokenKind {
    /// The form in messages.
    pub fn show(&self) -> String {
        match self {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Mark(mark) => format!("`{mark}`"),
        }
    }
}

/// A comment about the line above it.
#[derive(Clone, PartialEq, Debug)]
pub struct Annotation {
    /// The line it stands in.
    pub line: u32,
    /// Column of its `^` or `-`.
    pub column: u32,
    /// The place it is about.
    pub spot: AnnotatedPlace,
    /// Is the sign `^`, not `-`?
    pub primary: bool,
    /// Its text.
    pub text: String,
}

/// A place in the kernel, as annotations name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AnnotatedPlace {
    /// A range of columns of a line.
    Stretch {
        /// Line number.
        line: u32,
        /// First column.
        column: u32,
        /// Number of columns.
        length: u32,
    },
    /// The end of the file.
    End,
    /// No place at all.
    Nowhere,
    /// The annotation or `=` line belongs to the annotation above.
    Above,
}

/// The maximum number of complaints that are kept for a file.
const MAX_COMPLAINTS: usize = 60;

/// Cuts `text`. The list of complaints is empty if there are none; of very many it has the first.
pub fn scan(text: &str) -> (Scanned, Vec<Complaint>) {
    let mut out = Scanned { entries: Vec::new(), annotations: Vec::new(), is_annotation: Vec::new(), header_end: 0 };
    let mut complaints = Vec::new();
    let mut code_seen = false;
    let mut code_line = 0;
    for (line, number) in text.lines().zip(1u32..) {
        let trimmed = line.trim_start();
        let indent = (line.chars().count() - trimmed.chars().count()) as u32;
        let annotation = annotation(trimmed, number, indent, code_line, &mut complaints);
        complaints.truncate(MAX_COMPLAINTS);
        out.is_annotation.push(annotation.is_some());
        if let Some(annotation) = annotation {
            out.annotations.push(annotation);
            continue;
        }
        code_line = number;
        if let Some(rest) = trimmed.strip_prefix("//!") {
            if code_seen {
                let help = "move it above the kernel: the header is one block at the top of the file".to_owned();
                complaints.push(Complaint::new(
                    FilePlace { line: number, column: indent + 1 },
                    "a header line below the kernel's first line",
                    help,
                ));
                continue;
            }
            out.header_end = number;
            header_line(rest, number, indent + 4, &mut out.entries, &mut complaints);
            complaints.truncate(MAX_COMPLAINTS);
        } else if trimmed.starts_with("//") {
            if !code_seen && out.entries.is_empty() && out.header_end + 1 == number {
                out.header_end = number;
            }
        } else if !trimmed.is_empty() {
            code_seen = true;
        }
    }
    (out, complaints)
}

fn header_line(rest: &str, line: u32, column: u32, entries: &mut Vec<HeaderEntry>, complaints: &mut Vec<Complaint>) {
    if rest.trim().is_empty() {
        return;
    }
    let (tokens, faults) = words(rest, line, column);
    complaints.extend(faults);
    let end = FilePlace { line, column: column + rest.trim_end().chars().count() as u32 };
    let continues = rest.starts_with("  ") || rest.starts_with('\t');
    match entries.last_mut().filter(|_| continues) {
        Some(entry) => {
            entry.tokens.extend(tokens);
            entry.last = line;
            entry.end = end;
        }
        None if continues => complaints.push(Complaint::new(
            FilePlace { line, column },
            "this line continues an entry, and there is none above it",
            "an entry begins with one space after `//!`".to_owned(),
        )),
        None => entries.push(HeaderEntry { first: line, last: line, tokens, end }),
    }
}

const MARKS: &str = "()[]{},:=*";

/// The tokens of `text`, whose first character stands at `line` and `column`.
pub fn words(text: &str, line: u32, column: u32) -> (Vec<EntryToken>, Vec<Complaint>) {
    let mut tokens = Vec::new();
    let mut complaints = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let mut i = 0;
    let mut glued = false;
    while let Some(&c) = chars.get(i) {
        let at = FilePlace { line, column: column + i as u32 };
        if c.is_whitespace() {
            glued = false;
            i += 1;
            continue;
        }
        let kind = if MARKS.contains(c) {
            i += 1;
            TokenKind::Mark(c)
        } else if c == '"' {
            match quoted(&chars[i..]) {
                Ok((text, length)) => {
                    i += length;
                    TokenKind::Text(text)
                }
                Err((message, help)) => {
                    complaints.push(Complaint::new(at, message, help.to_owned()));
                    break;
                }
            }
        } else {
            let start = i;
            while chars.get(i).is_some_and(|&c| !c.is_whitespace() && !MARKS.contains(c) && c != '"') {
                i += 1;
            }
            TokenKind::Word(chars[start..i].iter().collect())
        };
        tokens.push(EntryToken { at, kind, glued });
        glued = true;
    }
    (tokens, complaints)
}

/// A quoted text and the number of characters it takes, or an error and its fix.
fn quoted(chars: &[char]) -> Result<(String, usize), (&'static str, &'static str)> {
    const ESCAPES: &str = "the escapes are \\n \\t \\\\ \\\" and \\u{..} with a hexadecimal number";
    let mut out = String::new();
    let mut i = 1;
    loop {
        match chars.get(i) {
            None => return Err(("this quoted text does not end", "close it with `\"` in the same line")),
            Some('"') => return Ok((out, i + 1)),
            Some('\\') => {
                i += 1;
                match chars.get(i) {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('\\') => out.push('\\'),
                    Some('"') => out.push('"'),
                    Some('u') => {
                        let body: String = chars[i + 1..].iter().take_while(|&&c| c != '}').collect();
                        let digits = body.strip_prefix('{').unwrap_or("");
                        let Some(c) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) else {
                            return Err(("this escape names no character", ESCAPES));
                        };
                        out.push(c);
                        i += body.chars().count() + 1;
                    }
                    _ => return Err(("unknown escape in a quoted text", ESCAPES)),
                }
                i += 1;
            }
            Some(&c) => {
                out.push(c);
                i += 1;
            }
        }
    }
}

/// `text` as a quoted text.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\\' => out += "\\\\",
            '"' => out += "\\\"",
            c if c.is_control() => out += &format!("\\u{{{:x}}}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Parses a line as an annotation. `above` is the line it is about.
fn annotation(
    trimmed: &str,
    line: u32,
    indent: u32,
    above: u32,
    complaints: &mut Vec<Complaint>,
) -> Option<Annotation> {
    let rest = trimmed.strip_prefix("//")?;
    let body = rest.trim_start();
    let column = indent + 3 + (rest.chars().count() - body.chars().count()) as u32;
    let first = body.chars().next()?;
    if first == '=' {
        let text = body[1..].trim().to_owned();
        return Some(Annotation { line, column, spot: AnnotatedPlace::Above, primary: false, text });
    }
    if first != '^' && first != '-' {
        return None;
    }
    let primary = first == '^';
    let run = body.chars().take_while(|&c| c == first).count();
    let (spot, text) = if run > 1 || body[1..].starts_with([' ', '\t']) || body.len() == 1 {
        (AnnotatedPlace::Stretch { line: above, column, length: run as u32 }, &body[run..])
    } else {
        let (word, text) = body[1..].split_once(char::is_whitespace).unwrap_or((&body[1..], ""));
        let spot = match word {
            "end" => Some(AnnotatedPlace::End),
            "none" => Some(AnnotatedPlace::Nowhere),
            _ => word.split_once(':').and_then(|(column, length)| {
                Some(AnnotatedPlace::Stretch {
                    line: above,
                    column: column.parse().ok()?,
                    length: length.parse().ok()?,
                })
            }),
        };
        let Some(spot) = spot else {
            complaints.push(Complaint::new(
                FilePlace { line, column },
                format!("`{first}{word}` is no place"),
                "write `^^^` below the characters, or `^COLUMN:LENGTH`, `^end`, `^none`; ordinary comments do not begin with `^`, `-` or `=`".to_owned(),
            ));
            return None;
        };
        (spot, text)
    };
    Some(Annotation { line, column, spot, primary, text: text.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_and_reading_a_text_gives_it_back() {
        for text in ["", "plain", "a \"b\" \\ \n\t \u{1} ä", "{}"] {
            let chars: Vec<char> = quote(text).chars().collect();
            assert_eq!(quoted(&chars), Ok((text.to_owned(), chars.len())));
        }
    }

    #[test]
    fn a_header_line_is_cut_at_marks_and_space() {
        let (tokens, faults) = words(" a: [2] = 3*nan(0x1)", 1, 4);
        assert!(faults.is_empty());
        let shown: Vec<String> = tokens.iter().map(|t| t.kind.show().replace('`', "")).collect();
        assert_eq!(shown.join(" "), "a : [ 2 ] = 3 * nan ( 0x1 )");
        assert_eq!(tokens[0].at, FilePlace { line: 1, column: 5 });
    }

    #[test]
    fn annotations_belong_to_the_line_above_them() {
        let text = "kernel\n  let x\n//    ^ error[K0001]: a\n//  --- b\n// ^1:2 c\n// ^end d\n// = help: e\n";
        let (scanned, faults) = scan(text);
        assert!(faults.is_empty());
        let spots: Vec<AnnotatedPlace> = scanned.annotations.iter().map(|a| a.spot).collect();
        let at = |column, length| AnnotatedPlace::Stretch { line: 2, column, length };
        assert_eq!(spots, [at(7, 1), at(5, 3), at(1, 2), AnnotatedPlace::End, AnnotatedPlace::Above]);
    }
}
