//! The text of a shader before naga reads it: positions in it, extensions that naga refuses to be
//! asked for, and chains that are too long to be read.

use std::borrow::Cow;
use std::ops::Range;

use naga::Span;
use tilewise_ir::diag::Diagnostic;
use tilewise_ir::pos::{Pos, Source, Sources};

use crate::assembly::InstructionMap;
use crate::module::ShaderError;

/// The text that positions of a shader refer to.
#[derive(Clone, Debug)]
pub(crate) struct ShaderText {
    pub(crate) name: String,
    /// Empty for SPIR-V, whose instructions have no position, unless it was assembled from a text.
    pub(crate) text: String,
    index: TextIndex,
    /// Of SPIR-V that was assembled from a text: where each instruction stands.
    instructions: Option<InstructionMap>,
}

/// Bytes of a part of a text whose characters are counted once.
const PART: usize = 256;

/// Where lines and characters of a text are: each expression asks for its position.
#[derive(Clone, Debug)]
struct TextIndex {
    /// The byte at which each line begins.
    lines: Vec<u32>,
    /// The number of characters before each part of [`PART`] bytes.
    characters: Vec<u32>,
}

impl TextIndex {
    fn of(text: &str) -> TextIndex {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        let mut count = 0;
        let mut characters = vec![0];
        for part in text.as_bytes().chunks(PART) {
            count += starts_of_characters(part);
            characters.push(count);
        }
        TextIndex { lines, characters }
    }
}

/// The number of bytes that begin a character.
fn starts_of_characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32
}

impl ShaderText {
    pub(crate) fn new(name: &str, text: &str) -> ShaderText {
        ShaderText { name: name.to_owned(), text: text.to_owned(), index: TextIndex::of(text), instructions: None }
    }

    /// The text that SPIR-V was assembled from.
    pub(crate) fn of_assembly(name: &str, text: &str, instructions: InstructionMap) -> ShaderText {
        ShaderText { instructions: Some(instructions), ..ShaderText::new(name, text) }
    }

    /// The position of a span of naga's.
    pub(crate) fn pos(&self, span: Span) -> Pos {
        if let Some(instructions) = &self.instructions {
            return instructions.pos(span);
        }
        let text = self.text.as_str();
        let is_inside = |at: usize| at <= text.len() && text.is_char_boundary(at);
        let range = span.to_range().filter(|range| range.start <= range.end);
        let Some(range) = range.filter(|range| !text.is_empty() && is_inside(range.start) && range.end <= text.len())
        else {
            return Pos::NONE;
        };
        let lines = &self.index.lines;
        let number = lines.partition_point(|&start| start as usize <= range.start).max(1);
        let start = lines.get(number - 1).map_or(0, |&start| start as usize);
        // The part of the span in its first line, without the line's end.
        let line_end = lines.get(number).map_or(text.len(), |&next| next as usize);
        let end = if is_inside(range.end) { range.end.min(line_end) } else { range.start };
        let first_line = text[range.start..end].strip_suffix('\n').unwrap_or(&text[range.start..end]);
        let first_line = first_line.strip_suffix('\r').unwrap_or(first_line);
        let end = range.start + first_line.len();
        let at = self.characters(range.start);
        Pos {
            source: 0,
            line: number as u32,
            column: at - self.characters(start) + 1,
            length: (self.characters(end) - at).max(1),
        }
    }

    /// The number of characters before this byte.
    fn characters(&self, at: usize) -> u32 {
        let part = at / PART;
        let before = self.index.characters.get(part).copied().unwrap_or(0);
        let rest = self.text.as_bytes().get(part * PART..at).unwrap_or(&[]);
        before + starts_of_characters(rest)
    }

    /// Where the innermost bracket of WGSL opens; the first of several.
    pub(crate) fn deepest(&self) -> Pos {
        let (mut depth, mut deepest, mut place) = (0_u32, 0, Span::UNDEFINED);
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > deepest {
                (deepest, place) = (depth, Span::new(at as u32, at as u32 + 1));
            }
        }
        self.pos(place)
    }

    /// The name of a function of WGSL where it is declared.
    pub(crate) fn function_pos(&self, name: &str) -> Pos {
        let is_inside = |c: char| c.is_alphanumeric() || c == '_';
        let declared = self.text.match_indices(name).find(|(at, _)| {
            let before = self.text[..*at].trim_end();
            let is_apart = !self.text[at + name.len()..].starts_with(is_inside);
            is_apart && before.len() < *at && before.strip_suffix("fn").is_some_and(|rest| !rest.ends_with(is_inside))
        });
        declared.map_or(Pos::NONE, |(at, _)| self.pos(Span::new(at as u32, (at + name.len()) as u32)))
    }

    /// The source as kernels and reports have it.
    pub(crate) fn source(&self) -> Source {
        let text = (!self.text.is_empty()).then(|| self.text.as_str().into());
        Source { name: self.name.as_str().into(), text }
    }

    pub(crate) fn error(&self, report: Diagnostic) -> ShaderError {
        self.errors(vec![report])
    }

    pub(crate) fn errors(&self, diagnostics: Vec<Diagnostic>) -> ShaderError {
        ShaderError { diagnostics, sources: Sources { list: vec![self.source()] } }
    }
}

/// Extensions of WGSL that naga reads without being asked for.
const KNOWN_EXTENSIONS: [&str; 2] = ["subgroups", "subgroups_f16"];

/// Features of the language that naga reads, or [`pointer_parameters`](crate::pointer_parameters) adds.
const KNOWN_FEATURES: [&str; 3] = ["unrestricted_pointer_parameters", "subgroup_id", "subgroup_uniformity"];

/// The text without the names of extensions and features that are there, and that naga refuses to be asked for: blanks
/// stand in their place, so that positions stay. Directives stand before all else.
pub(crate) fn without_known_extensions(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    let mut begin = after_blanks(text, 0);
    while let Some(word) = ["enable", "requires", "diagnostic"].into_iter().find(|word| text[begin..].starts_with(word))
    {
        let from = begin + word.len();
        let Some(length) = text[from..].find(';') else { break };
        let end = from + length + 1;
        let list = &text[from..from + length];
        let is_names = list.chars().all(|c| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "_,".contains(c));
        let known: &[&str] = match word {
            "enable" => &KNOWN_EXTENSIONS,
            "requires" => &KNOWN_FEATURES,
            _ => &[],
        };
        if is_names && list.starts_with([' ', '\t', '\n', '\r']) {
            let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
            let kept: Vec<&str> = names.iter().copied().filter(|name| !known.contains(name)).collect();
            if kept.len() < names.len() {
                let directive = if kept.is_empty() { String::new() } else { format!("{word} {};", kept.join(",")) };
                let lines = text[begin..end].matches('\n').count();
                let width = (end - begin).saturating_sub(directive.len() + lines);
                let blanks = format!("{directive}{}{}", " ".repeat(width), "\n".repeat(lines));
                out.to_mut().replace_range(begin..end, &blanks);
            }
        }
        begin = after_blanks(text, end);
    }
    out
}

/// The end of the blanks, comments and `;` that begin at a byte.
fn after_blanks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let blanks =
            rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == ';').len();
        at += blanks;
        match comment_length(&text.as_bytes()[at..]) {
            Some(length) => at += length,
            None => return at,
        }
    }
}

/// Whether a line ends here, as WGSL has it: behind a carriage return alone too.
fn ends_line(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\n'..=b'\r', ..] | [0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

/// The length of the blank of WGSL that begins here, if one does.
fn blank_length(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b' ' | b'\t'..=b'\r', ..] => Some(1),
        [0xc2, 0x85, ..] => Some(2),
        [0xe2, 0x80, 0x8e | 0x8f | 0xa8 | 0xa9, ..] => Some(3),
        _ => None,
    }
}

/// The length of the comment that begins here, if one does.
fn comment_length(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(b"//") {
        return Some((2..bytes.len()).find(|&at| ends_line(&bytes[at..])).unwrap_or(bytes.len()));
    }
    if !bytes.starts_with(b"/*") {
        return None;
    }
    let (mut at, mut depth) = (2, 1_u32);
    while depth > 0 && at < bytes.len() {
        match bytes[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    Some(at)
}

/// Operators in an expression, with those of the expressions around it. naga recurses over them on a
/// stack of fixed size; so many are far more than a program has.
pub(crate) const MAX_OPERATORS: u32 = 10_000;

/// `else if`s behind one `if`, with those around it, for the same reason. Kernels nest 256 deep.
pub(crate) const MAX_ELSE_IFS: u32 = 1_000;

/// Declarations of a text. naga recurses over those that name one another.
pub(crate) const MAX_DECLARATIONS: u32 = 50_000;

/// The words that begin them.
const DECLARATIONS: [&[u8]; 7] = [b"alias", b"const", b"const_assert", b"fn", b"override", b"struct", b"var"];

/// A chain that is too long to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LongChain {
    Operators,
    ElseIfs,
    Declarations,
}

/// Calls `each` with the words and marks of WGSL, without its comments.
pub(crate) fn words_and_marks<'t>(text: &'t str, each: &mut dyn FnMut(Range<usize>, &'t str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        if let Some(length) = blank_length(&bytes[at..]).or_else(|| comment_length(&bytes[at..])) {
            at += length;
            continue;
        }
        let is_word = |at: usize| {
            bytes.get(at).is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80)
                && blank_length(&bytes[at..]).is_none()
        };
        at += 1;
        while is_word(begin) && is_word(at) {
            at += 1;
        }
        each(begin..at, &text[begin..at]);
    }
}

/// Where a chain of WGSL is too long to be read: before naga reads it, as its recursion follows these.
pub(crate) fn long_chain(text: &str) -> Option<(Span, LongChain)> {
    let bytes = text.as_bytes();
    // Operators in the expression at hand and in each one around it, and their sum.
    let (mut around, mut own, mut all) = (Vec::new(), 0, 0);
    // The same of `else if`s, by blocks.
    let (mut blocks, mut chain, mut chains) = (Vec::new(), 0, 0);
    // Was the last word an `else`, and is a block just closed?
    let (mut is_else, mut has_closed) = (false, false);
    let mut declarations = 0;
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let byte = bytes[at];
        if let Some(length) = blank_length(&bytes[at..]).or_else(|| comment_length(&bytes[at..])) {
            at += length;
            continue;
        }
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let was_else = std::mem::take(&mut is_else);
        let had_closed = std::mem::take(&mut has_closed);
        let goes_on =
            |at: usize| bytes.get(at).is_some_and(|&byte| is_word(byte)) && blank_length(&bytes[at..]).is_none();
        let is_at_else = bytes[at..].starts_with(b"else") && !goes_on(at + 4);
        if had_closed && !is_at_else {
            // Another statement.
            (chains, chain) = (chains - chain, 0);
        }
        if is_word(byte) {
            let is_number = byte.is_ascii_digit();
            while goes_on(at) || is_number && bytes.get(at) == Some(&b'.') {
                at += 1;
            }
            is_else = is_at_else;
            if blocks.is_empty() && DECLARATIONS.contains(&&bytes[begin..at]) {
                declarations += 1;
                if declarations > MAX_DECLARATIONS {
                    return Some((Span::new(begin as u32, at as u32), LongChain::Declarations));
                }
            }
            if was_else && bytes[begin..at] == *b"if" {
                (chain, chains) = (chain + 1, chains + 1);
            }
            if chains > MAX_ELSE_IFS {
                return Some((Span::new(begin as u32, at as u32), LongChain::ElseIfs));
            }
            continue;
        }
        at += 1;
        match byte {
            b'(' => around.push(std::mem::take(&mut own)),
            b'[' => {
                around.push(own + 1);
                (own, all) = (0, all + 1);
            }
            b')' | b']' => {
                all -= own;
                own = around.pop().unwrap_or(0);
            }
            b',' => (all, own) = (all - own, 0),
            b';' | b'{' | b'}' => {
                around.clear();
                (own, all) = (0, 0);
                if byte == b'{' {
                    // The chain goes on behind this block.
                    blocks.push(std::mem::take(&mut chain));
                } else if byte == b'}' {
                    chains -= chain;
                    chain = blocks.pop().unwrap_or(0);
                    has_closed = true;
                }
            }
            _ => {
                let is_pair = matches!(
                    bytes.get(begin..begin + 2),
                    Some(b"&&" | b"||" | b"<<" | b">>" | b"==" | b"!=" | b"<=" | b">=")
                );
                at += usize::from(is_pair);
                (own, all) = (own + 1, all + 1);
            }
        }
        if all > MAX_OPERATORS {
            return Some((Span::new(begin as u32, at as u32), LongChain::Operators));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_in_lines() {
        let text = format!("// größe\r\nlet ä = 1;\n\n{}x", "ö".repeat(1000));
        let source = ShaderText::new("t.wgsl", &text);
        let pos = |begin: &str, length: usize| {
            let at = text.find(begin).expect("it is there");
            let pos = source.pos(Span::new(at as u32, (at + length) as u32));
            (pos.line, pos.column, pos.length)
        };
        assert_eq!(pos("//", 2), (1, 1, 2));
        assert_eq!(pos("größe", 200), (1, 4, 5));
        assert_eq!(pos("ä = 1", 6), (2, 5, 5));
        assert_eq!(pos("= 1;", 6), (2, 7, 4));
        assert_eq!(pos("x", 1), (4, 1001, 1));
        assert_eq!(source.pos(Span::new(0, text.len() as u32 + 1)), Pos::NONE);
        assert_eq!(ShaderText::new("t.spv", "").pos(Span::new(0, 0)), Pos::NONE);
    }

    #[test]
    fn directives_are_read_and_nothing_behind_them() {
        let read = |text| without_known_extensions(text).into_owned();
        assert_eq!(read("enable subgroups;\nfn f() {}"), "                 \nfn f() {}");
        let text = "\u{feff}/* enable a; */ enable f16, subgroups; // enable\n;diagnostic(off, a);enable\nsubgroups;";
        let left = read(text);
        assert_eq!(left.len(), text.len());
        assert!(left.contains("enable f16;") && !left.contains("subgroups"), "{left}");
        assert_eq!(read("requires subgroup_id,a;\nfn f() {}"), "requires a;            \nfn f() {}");
        assert_eq!(read("requires unrestricted_pointer_parameters;"), " ".repeat(41));
        assert_eq!(read("requires subgroups;"), "requires subgroups;");
        let behind = "const a = 1; enable subgroups;";
        assert_eq!(read(behind), behind);
        for open in ["enable subgroups", "/* /* */ enable subgroups;", "enable"] {
            assert_eq!(read(open), open);
        }
    }

    #[test]
    fn chains_are_counted_where_one_follows_the_other() {
        let found = |text: &str| long_chain(text).map(|(_, chain)| chain);
        let many = MAX_OPERATORS as usize;
        for link in ["+a", ".x", "[0]", "<< 1", "&& b", "+(1+1)"] {
            assert_eq!(found(&format!("v = a{};", link.repeat(many + 1))), Some(LongChain::Operators), "{link}");
            assert_eq!(found(&format!("v = a{};", link.repeat(many / 2 - 1))), None, "{link}");
        }
        let list = "vec2<f32>(-1.5e-3, a[1] * 2), /* + */ ".repeat(many);
        assert_eq!(found(&format!("const t = array({list}); const u = array({list});")), None);
        assert_eq!(found(&"f(a + b); ".repeat(many)), None);
        let links = "else if a == 1 { v = 1; if c { } else if d { } } ".repeat(MAX_ELSE_IFS as usize - 1);
        assert_eq!(found(&format!("if a {{ }} {links}")), None);
        assert_eq!(
            found(&format!("if a {{ }} {links} else /* a */ if c {{ }} else if d {{ }}")),
            Some(LongChain::ElseIfs)
        );
        assert_eq!(found(&format!("if a {{ }} {links} v = 2; if a {{ }} else if c {{ }} else if d {{ }}")), None);
        let many = "if a { } else if b { } *p = 1; ".repeat(MAX_ELSE_IFS as usize + 1);
        assert_eq!(found(&many), None);
        assert_eq!(found("))]]}}} else if"), None);
        for end in ["\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = format!("// a{end}v = a{};", "+a".repeat(MAX_OPERATORS as usize + 1));
            assert_eq!(found(&text), Some(LongChain::Operators), "{end:?}");
        }
        let aliases = "alias a = b; ".repeat(MAX_DECLARATIONS as usize);
        assert_eq!(
            found(&format!("fn f() {{ var x = 1; {} }} {aliases}", "const c = 2; ".repeat(10))),
            Some(LongChain::Declarations)
        );
        assert_eq!(found(&aliases), None);
        assert_eq!(found(&"alias\u{200e}a = b;".repeat(MAX_DECLARATIONS as usize + 1)), Some(LongChain::Declarations));
    }
}
