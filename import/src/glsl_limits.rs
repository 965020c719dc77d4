//! What naga's reader of GLSL reads otherwise than it is meant, found in the text before naga reads it: the right side
//! of `&&` and `||` is always computed, `continue` in `do` leaves the condition out, and of two pairs of brackets
//! behind a name or a type the dimensions are exchanged.

use std::collections::HashSet;
use std::ops::Range;

use crate::glsl::{MAX_DEPTH, MAX_ELSES, MAX_OPERATORS};
use crate::glsl_effects;
use crate::glsl_macros::expanded;
use crate::large_constants::large_constant;

/// A construct that is refused: where, what it is, and what to write instead.
pub(crate) struct MisreadConstruct {
    pub(crate) place: Range<usize>,
    pub(crate) what: &'static str,
    pub(crate) help: &'static str,
}

/// A word, a number or an operator, and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct GlslToken<'t> {
    pub(crate) at: usize,
    /// Bytes of the text that it stands for. Of what a macro makes they are those of the macro's name.
    pub(crate) length: usize,
    pub(crate) text: &'t str,
}

impl GlslToken<'_> {
    pub(crate) fn is_word(self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    pub(crate) fn place(self) -> Range<usize> {
        self.at..self.at + self.length
    }
}

/// Operators that matter here as one token.
const OPERATORS: [&str; 16] =
    ["<<=", ">>=", "&&", "||", "^^", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "=="];
const COMPARED: [&str; 3] = ["!=", "<=", ">="];
pub(crate) const ASSIGNMENTS: [&str; 13] =
    ["=", "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];
/// Words before an expression: what follows is no declaration.
pub(crate) const BEFORE_EXPRESSIONS: [&str; 4] = ["return", "else", "case", "do"];
/// Functions of the language that write to an argument or to memory.
pub(crate) const WRITING: [&str; 5] = ["modf", "frexp", "uaddCarry", "usubBorrow", "imageAtomic"];

/// What of a text is needed to judge the module that naga makes of it.
pub(crate) struct GlslFacts<'t> {
    /// The global variables that get a value where they are declared, and where.
    pub(crate) initialized: Vec<(&'t str, Range<usize>)>,
    /// The names of the buffers that are declared as `std140`.
    pub(crate) std140: HashSet<&'t str>,
}

impl<'t> GlslFacts<'t> {
    pub(crate) fn of(text: &'t str) -> GlslFacts<'t> {
        // What has too many macros is refused already.
        let tokens = expanded(&tokens(text)).unwrap_or_default();
        let mut facts = GlslFacts { initialized: Vec::new(), std140: HashSet::new() };
        let (mut depth, mut begin) = (0usize, 0);
        for (i, token) in tokens.iter().enumerate() {
            let declaration = || tokens[begin..i].iter().map(|one| one.text);
            match token.text {
                "buffer" if depth == 0 && declaration().any(|word| word == "std140") => {
                    facts.std140.extend(tokens.get(i + 1).map(|name| name.text));
                }
                "=" if depth == 0 && !declaration().any(|word| word == "const") => {
                    // The name stands before its brackets.
                    let mut at = i;
                    while at > begin && !tokens[at - 1].is_word() {
                        let is_length = tokens[at - 1].text == "]";
                        let open = tokens[begin..at].iter().rposition(|one| one.text == "[").filter(|_| is_length);
                        let Some(open) = open else { break };
                        at = begin + open;
                    }
                    if at > begin && tokens[at - 1].is_word() {
                        facts.initialized.push((tokens[at - 1].text, tokens[at - 1].place()));
                    }
                }
                "(" | "[" | "{" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        begin = i + 1;
                    }
                }
                ";" if depth == 0 => begin = i + 1,
                _ => {}
            }
        }
        facts
    }
}

/// The first construct of a text that naga would read otherwise.
pub(crate) fn misread(text: &str) -> Option<MisreadConstruct> {
    if let Some(found) = joined_lines(text) {
        return Some(found);
    }
    let tokens = match expanded(&tokens(text)) {
        Ok(tokens) => tokens,
        Err(found) => return Some(found),
    };
    if let Some(place) = large_constant(&|each| tokens.iter().for_each(|token| each(token.place(), token.text))) {
        return Some(MisreadConstruct {
            place,
            what: "constants of more than 4194304 parts, counted wherever they are named",
            help: "put a large table into a buffer, or name it in one function",
        });
    }
    let functions = glsl_effects::functions_with_effects(&tokens);
    let found = [
        too_deep(&tokens),
        short_circuit(&tokens, &functions),
        computed_twice(&tokens, &functions),
        continue_in_do(&tokens),
        dropped_operand(&tokens),
        two_dimensions(&tokens),
    ];
    found.into_iter().flatten().min_by_key(|one| one.place.start)
}

/// A word or an operator of which a `\` at the end of a line makes one with the line behind, and which is not seen
/// here.
fn joined_lines(text: &str) -> Option<MisreadConstruct> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_of_operator = |c: char| "/*&|^+-<>=!%#".contains(c);
    let mut from = 0;
    while let Some(found) = text[from..].find('\\') {
        let at = from + found;
        // Of several such ends in a row each is followed by the next.
        let mut behind = at;
        while let Some(rest) = text[behind..].strip_prefix("\\\n").or_else(|| text[behind..].strip_prefix("\\\r\n")) {
            // Both orders of the two are one end of a line.
            behind = text.len() - rest.strip_prefix('\r').unwrap_or(rest).len();
        }
        let ends = [text[..at].chars().next_back(), text[behind..].chars().next()];
        if behind > at
            && let [Some(before), Some(next)] = ends
            && (is_of_word(before) && (is_of_word(next) || next == '(')
                || is_of_operator(before) && is_of_operator(next))
        {
            return Some(MisreadConstruct {
                place: at..at + 1,
                what: "a word or an operator that goes on in the next line",
                help: "write it in one line",
            });
        }
        from = behind.max(at + 1);
    }
    None
}

/// What naga would recurse over too deep, where macros are expanded.
fn too_deep(tokens: &[GlslToken<'_>]) -> Option<MisreadConstruct> {
    let (mut depth, mut operators, mut elses) = (0usize, 0, 0);
    for token in tokens {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "else" => elses += 1,
            "." | "," | ";" | ":" => {}
            text if !text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') => operators += 1,
            _ => {}
        }
        if matches!(token.text, ";" | "{" | "}") {
            operators = 0;
        }
        let what = if depth > MAX_DEPTH {
            "brackets that nest more than 200 deep where macros are expanded"
        } else if operators > MAX_OPERATORS {
            "more than 2000 operators in one statement where macros are expanded"
        } else if elses > MAX_ELSES {
            "more than 1000 times `else` where macros are expanded"
        } else {
            continue;
        };
        let help = "divide the expression, or move blocks to functions";
        return Some(MisreadConstruct { place: token.place(), what, help });
    }
    None
}

/// Where the definition of a macro ends.
pub(crate) const END_OF_MACRO: &str = "\n";

/// What stands for the conditions of the preprocessor, each by the words that it begins with.
const CONDITIONS: [(&str, &str); 6] =
    [("ifdef", "#if"), ("ifndef", "#if"), ("if", "#if"), ("elif", "#else"), ("else", "#else"), ("endif", "#endif")];

/// The length of a line, which goes on behind a `\`.
fn line_length(rest: &str) -> usize {
    let mut from = 0;
    while let Some(end) = rest[from..].find('\n') {
        let end = from + end;
        if !rest[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        from = end + 1;
    }
    rest.len()
}

/// The text from the word of a directive, which begins with a `#`: comments and ends of lines may stand before it.
fn directive(rest: &str) -> &str {
    let mut word = &rest[1..];
    loop {
        word = word.trim_start_matches([' ', '\t']);
        let comment = word.strip_prefix("/*").and_then(|inside| Some(inside.split_once("*/")?.1));
        let end_of_line = || word.strip_prefix("\\\n").or_else(|| word.strip_prefix("\\\r\n"));
        match comment.or_else(end_of_line) {
            Some(behind) => word = behind,
            None => return word,
        }
    }
}

fn tokens(text: &str) -> Vec<GlslToken<'_>> {
    let mut out = Vec::new();
    let (mut at, mut is_macro) = (0, false);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if c == '#' && !is_macro && !directive(rest).starts_with("define") {
            // Of conditions only the places count.
            let word = directive(rest);
            if let Some((_, mark)) = CONDITIONS.iter().find(|(begin, _)| word.starts_with(begin)) {
                out.push(GlslToken { at, length: 1, text: mark });
            }
            line_length(rest)
        } else if c == '\n' && is_macro && !text[..at].trim_end_matches('\r').ends_with('\\') {
            is_macro = false;
            out.push(GlslToken { at, length: 1, text: END_OF_MACRO });
            1
        } else if rest.starts_with("//") {
            line_length(rest)
        } else if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else if c.is_ascii_alphanumeric() || c == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            out.push(GlslToken { at, length, text: &rest[..length] });
            length
        } else if c.is_whitespace() || c == '\\' {
            c.len_utf8()
        } else {
            let known = OPERATORS.iter().chain(&COMPARED).find(|operator| rest.starts_with(**operator));
            let length = known.map_or(c.len_utf8(), |operator| operator.len());
            out.push(GlslToken { at, length, text: &rest[..length] });
            length
        };
        is_macro |= c == '#' && length == 1;
        at += length;
    }
    out
}

/// A right side of `&&` or `||` that does something.
fn short_circuit(tokens: &[GlslToken<'_>], functions: &HashSet<&str>) -> Option<MisreadConstruct> {
    // From the end: whether something is done from here to the end of an operand, at each depth of brackets.
    let mut does = vec![[false; 2]];
    let mut found = None;
    for (i, token) in tokens.iter().enumerate().rev() {
        let top = does.last_mut().expect("one for the text itself");
        match token.text {
            ")" | "]" | "}" => does.push([false; 2]),
            "(" | "[" | "{" => {
                let inside = if does.len() > 1 { does.pop() } else { None };
                let top = does.last_mut().expect("one for the text itself");
                let name = i.checked_sub(1).map(|before| tokens[before].text);
                let is_call = token.text == "("
                    && name.is_some_and(|name| {
                        functions.contains(name) || WRITING.iter().any(|writing| name.starts_with(writing))
                    });
                let does_inside = inside.is_some_and(|inside| inside[1]);
                if token.text == "{" {
                    *top = [false; 2];
                } else if is_call || does_inside {
                    *top = [true; 2];
                }
            }
            ";" | "," | "?" | ":" => {
                // What was done behind stays known to the brackets around, not to the operand before.
                top[0] = false;
                if token.text == ";" {
                    top[1] = false;
                }
            }
            "&&" | "||" => {
                if top[0] {
                    found = Some(token.place());
                }
                // The right side of `&&` ends at `||`.
                top[0] = token.text == "&&" && top[0];
            }
            other if ASSIGNMENTS.contains(&other) => *top = [true; 2],
            _ => {}
        }
    }
    found.map(|place| MisreadConstruct {
        place,
        what: "an operator whose right side changes something or calls a function that may: naga computes it always",
        help: "write an `if`: `bool both = a; if (both) { both = b(); }`",
    })
}

/// A call of a built-in function one of whose arguments naga drops.
fn dropped_operand(tokens: &[GlslToken<'_>]) -> Option<MisreadConstruct> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text);
    for (i, token) in tokens.iter().enumerate().filter(|(i, _)| text(i + 1) == "(") {
        if token.text == "texelFetchOffset" {
            return Some(MisreadConstruct {
                place: token.place(),
                what: "`texelFetchOffset`: naga drops the offset",
                help: "add it to the place: `texelFetch(t, at + offset, level)`",
            });
        }
        let is_sample = ["textureLod", "textureGrad", "textureProjLod", "textureProjGrad"]
            .iter()
            .any(|name| token.text.starts_with(name));
        if !is_sample || !text(i + 2).ends_with("Shadow") {
            continue;
        }
        let end = glsl_effects::closing(tokens, i + 1);
        let last = (i + 2..end).rev().find(|at| text(*at) == ",").map_or(i + 2, |at| at + 1);
        let level: String = tokens[last..end].iter().map(|token| token.text).collect();
        if !token.text.ends_with("Lod") || !matches!(level.as_str(), "0" | "0." | ".0" | "0.0" | "0f" | "0.0f") {
            return Some(MisreadConstruct {
                place: token.place(),
                what: "a comparison with a level or a gradient: naga takes the level 0",
                help: "compare at the level 0: `textureLod(s, p, 0.0)`",
            });
        }
    }
    None
}

/// Assignments that compute with what they change.
const COMPOUND: [&str; 10] = ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];

/// An index that changes something, in an assignment that computes with what it changes, or in an argument that the
/// function changes.
fn computed_twice(tokens: &[GlslToken<'_>], functions: &HashSet<&str>) -> Option<MisreadConstruct> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text);
    let does = |i: usize| {
        let is_call = text(i + 1) == "("
            && (functions.contains(text(i)) || WRITING.iter().any(|writing| text(i).starts_with(writing)));
        is_call || ASSIGNMENTS.contains(&text(i))
    };
    let lending = glsl_effects::functions_that_change_arguments(tokens);
    for (i, token) in tokens.iter().enumerate() {
        let is_found = if COMPOUND.contains(&token.text) {
            changed_from(tokens, i).is_some_and(|begin| (begin..i).any(does))
        } else if token.is_word() && lending.contains(token.text) && text(i + 1) == "(" {
            let end = glsl_effects::closing(tokens, i + 1);
            let mut depth = 0usize;
            (i + 2..end).any(|at| {
                match text(at) {
                    "[" => depth += 1,
                    "]" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth > 0 && does(at)
            })
        } else {
            false
        };
        if is_found {
            return Some(MisreadConstruct {
                place: token.place(),
                what: "an index that changes something, of what is computed with and changed: naga computes it twice",
                help: "compute the index before: `uint at = i++; a[at] += x;`",
            });
        }
    }
    None
}

/// Where the place begins that an assignment changes.
fn changed_from(tokens: &[GlslToken<'_>], assignment: usize) -> Option<usize> {
    let mut i = assignment.checked_sub(1)?;
    loop {
        match tokens[i].text {
            "]" | ")" => {
                let mut depth = 0usize;
                loop {
                    match tokens[i].text {
                        "]" | ")" => depth += 1,
                        "[" | "(" => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    i = i.checked_sub(1)?;
                }
                // The array stands before its brackets; brackets around a place are all of it.
                if tokens[i].text == "(" {
                    return Some(i);
                }
                i = i.checked_sub(1)?;
            }
            _ => match i.checked_sub(2) {
                Some(before) if tokens[i - 1].text == "." => i = before,
                _ => return Some(i),
            },
        }
    }
}

/// What a statement is inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopKind {
    Do,
    Loop,
    /// Braces that are no loop's.
    Other,
}

/// Ends the loops without braces whose statement ends before `next`. Returns whether that is the `while` of a `do`.
fn ended(around: &mut Vec<(LoopKind, bool)>, next: &str) -> bool {
    if next == "else" {
        return false;
    }
    while let Some(&(kind, true)) = around.last() {
        around.pop();
        if kind == LoopKind::Do {
            return next == "while";
        }
    }
    false
}

/// A `continue` whose loop is a `do`.
fn continue_in_do(tokens: &[GlslToken<'_>]) -> Option<MisreadConstruct> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text);
    // The loops and braces around, each with whether it has no braces: such a loop ends with its statement.
    let mut around: Vec<(LoopKind, bool)> = Vec::new();
    // The loop whose body begins here, and the place of the `while` that ends a `do`.
    let (mut begun, mut tail): (Option<LoopKind>, Option<usize>) = (None, None);
    let mut i = 0;
    while i < tokens.len() {
        let has_braces = text(i) == "{";
        match begun.take() {
            Some(kind) => around.push((kind, !has_braces)),
            None if has_braces => around.push((LoopKind::Other, false)),
            None => {}
        }
        match text(i) {
            "do" => begun = Some(LoopKind::Do),
            "for" | "while" if text(i + 1) == "(" => {
                if tail != Some(i) {
                    begun = Some(LoopKind::Loop);
                }
                // No statement stands in its brackets.
                i = glsl_effects::closing(tokens, i + 1);
            }
            ";" if ended(&mut around, text(i + 1)) => tail = Some(i + 1),
            "}" => {
                while around.last().is_some_and(|(_, is_short)| *is_short) {
                    around.pop();
                }
                let is_do = matches!(around.pop(), Some((LoopKind::Do, _)));
                if is_do || ended(&mut around, text(i + 1)) {
                    tail = Some(i + 1);
                }
            }
            "continue" => {
                let innermost = around.iter().rev().find(|(kind, _)| *kind != LoopKind::Other);
                if let Some((LoopKind::Do, _)) = innermost {
                    return Some(MisreadConstruct {
                        place: tokens[i].place(),
                        what: "`continue` in `do { } while`: naga leaves the condition out",
                        help: "write `for (;;) { .. if (!condition) break; }`, or put the rest of the round in an `if`",
                    });
                }
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// Two pairs of brackets behind a declared name or a type.
fn two_dimensions(tokens: &[GlslToken<'_>]) -> Option<MisreadConstruct> {
    // The token behind the brackets that begin at one.
    let behind = |open: usize| {
        let mut depth = 0usize;
        for (i, token) in tokens.iter().enumerate().skip(open) {
            match token.text {
                "[" => depth += 1,
                "]" if depth == 1 => return Some(i + 1),
                "]" => depth -= 1,
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    };
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text);
    let (mut is_declaration, mut depth) = (false, 0usize);
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            ";" | "{" | "}" => (is_declaration, depth) = (false, 0),
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !token.is_word() {
            continue;
        }
        let before = i.checked_sub(1).map(|before| tokens[before]);
        let is_declared = before.is_some_and(|before| {
            (before.is_word() && !BEFORE_EXPRESSIONS.contains(&before.text)) || before.text == "]"
        });
        is_declaration |= is_declared && depth == 0;
        let is_listed = is_declaration && depth == 0 && before.is_some_and(|before| before.text == ",");
        if text(i + 1) != "[" {
            continue;
        }
        let Some(second) = behind(i + 1).filter(|&second| text(second) == "[") else { continue };
        let Some(end) = behind(second) else { continue };
        let is_type = tokens.get(end).is_some_and(|after| after.is_word() || after.text == "(");
        // A name of a block is behind its brace, as is a statement, but that is no mere name.
        let is_block = before.is_some_and(|before| before.text == "}") && text(end) == ";";
        if is_declared || is_listed || is_block || is_type {
            return Some(MisreadConstruct {
                place: token.place(),
                what: "an array of arrays with both lengths in one place: naga exchanges its dimensions",
                help: "write one length behind the type and one behind the name: `uint[3] a[2]` for `uint a[2][3]`",
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        misread(text).map(|one| &text[one.place])
    }

    #[test]
    fn right_sides_that_do_something_are_found() {
        let head = "bool g(int i, bool b) { return i > 1 && b; }\nbool f(uint x) { done += x; return x > 1u; }\n\
                    bool h(uint x) { return f(x); }\nbool k(inout uint x) { x = 1u; return true; }\n\
                    bool l(uint x) { uint y = x; y += 2u; uint z[2]; z[0] = y; y++; return g(1, z[0] == y); }\n\
                    bool m(uint x) { while (x != 1u) { x /= 2u; } return true; }\n";
        for wrong in [
            "if (a && f(1u)) {}",
            "if (a || (c += 2u) < 9u) {}",
            "while (c < 3u && c++ < 9u) {}",
            "b = a && x == 1u && (f(2u) || a);",
            "b = a || c && f(1u);",
            "b = g(1, a && f(2u));",
            "for (int i = 0; a && f(1u); i++) {}",
            "b = a && max(--c, 1) > 2;",
            "b = a && h(1u);",
            "b = a && k(c);",
            "b = a && m(c);",
        ] {
            assert!(misread(&format!("{head}void main() {{ {wrong} }}")).is_some(), "{wrong}");
        }
        for right in [
            "if (f(1u) && a) { c = 2u; }",
            "b = a && c >= 2u && max(c, 3u) == 3u;",
            "for (int i = 0; a && i < 2; i++) { c += 1u; }",
            "b = a && c == 1u ? f(1u) : f(2u);",
            "b = a && (c != 1u), c = 2u;",
            "if (a && uint(c) < 2u) f(1u);",
            "b = a && l(1u) || g(2, b);",
            "if (a) { c = 1u; } b = a || !b;",
            "\n#if defined(X) && X > 2\nc = 1u;\n#endif\n",
            "\n#define BOTH a && b\nc = 1u;",
            "// a && f(1u)\n/* b || c++ */",
        ] {
            assert_eq!(found(&format!("{head}void main() {{ {right} }}")), None, "{right}");
        }
    }

    #[test]
    fn continue_is_found_where_its_loop_is_a_do() {
        for wrong in [
            "do { if (a) continue; } while (b);",
            "do { if (a) { c = 1; continue; } } while (b);",
            "do { for (;;) { continue; } continue; } while (b);",
            "do { for (;;) c++; continue; } while (b);",
            "do if (a) continue; while (b);",
            "for (;;) { do { continue; } while (b); }",
            "for (int i = 0; i < 3; i++) do { if (a) continue; c++; } while (b);",
            "do do c++; while (a); while (b); do { for (;;) if (a) c++; else break; continue; } while (b);",
        ] {
            assert_eq!(found(wrong), Some("continue"), "{wrong}");
        }
        for right in [
            "do { for (int i = 0; i < 3; i++) { if (a) continue; } } while (b);",
            "do { while (c) continue; } while (b);",
            "while (a) { do { c++; } while (b); continue; }",
            "do { c++; } while (b); for (;;) { continue; }",
            "do { for (;;) if (a) { c++; } else continue; } while (b);",
            "do { for (;;) if (a) c++; else if (b) c--; else continue; } while (b);",
            "do c++; while (a); while (b) continue;",
        ] {
            assert_eq!(found(right), None, "{right}");
        }
    }

    #[test]
    fn indices_that_are_computed_twice_are_found() {
        let head = "uint n; uint next() { n += 1u; return n; } uint one() { return 1u; } void f(inout uint x, uint y) { x = y; }\n";
        for wrong in [
            "a[i++] += 1u;",
            "b.c[next()].d[2].x |= 4u;",
            "(a[i = 2]) <<= 1;",
            "f(a[i++], 2u);",
            "f(b.c[next()].d, 1u);",
        ] {
            assert!(misread(&format!("{head}void main() {{ {wrong} }}")).is_some(), "{wrong}");
        }
        for right in
            ["a[i++] = 1u;", "a[one()] += next();", "f(a[i], i++);", "a[i] += b[i++];", "g(a[i++]);", "a[next()]++;"]
        {
            assert_eq!(found(&format!("{head}void main() {{ {right} }}")), None, "{right}");
        }
    }

    #[test]
    fn calls_whose_arguments_are_dropped_are_found() {
        for wrong in [
            "x = texelFetchOffset(t, p, 0, ivec2(1, 0));",
            "x = textureLod(sampler2DShadow(t, s), p, 1.0);",
            "x = textureGrad(sampler2DShadow(t, s), p, d, d);",
        ] {
            assert!(misread(wrong).is_some(), "{wrong}");
        }
        for right in [
            "x = texelFetch(t, p, 0);",
            "x = textureLod(sampler2DShadow(t, s), p, 0.0);",
            "x = textureLod(sampler2D(t, s), p, 1.0);",
        ] {
            assert_eq!(found(right), None, "{right}");
        }
    }

    #[test]
    fn macros_are_expanded_before() {
        let head = "uint n; bool f(uint x) { return x > 1u; }\n";
        for wrong in [
            "#define INC (n++ > 5u)\nvoid main() { b = a && INC; }",
            "#define INC(x) (x++ > 5u)\nvoid main() { b = a && INC(n); }",
            "#define AND &&\nvoid main() { b = a AND n++ > 5u; }",
            "#define EITHER(a, b) a || b\nvoid main() { b = EITHER(a, n++ > 5u); }",
            "#define SET n = 4u; \\\n n = 5u\nbool g() { SET; return true; }\nvoid main() { b = a && g(); }",
            "#define NEXT continue\nvoid main() { do { if (a) NEXT; } while (b); }",
            "#define D [2][3]\nuint a D;",
            "#define A0\n#define A1 A0 A0 A0 A0 A0 A0 A0 A0\n#define A2 A1 A1 A1 A1 A1 A1 A1 A1\n\
             #define A3 A2 A2 A2 A2 A2 A2 A2 A2\n#define A4 A3 A3 A3 A3 A3 A3 A3 A3\n#define A5 A4 A4 A4 A4 A4 A4 A4 A4\n\
             #define A6 A5 A5 A5 A5 A5 A5 A5 A5\nvoid main() { A6 A6 }",
            "#define A0 +1u+1u+1u+1u+1u+1u+1u+1u\n#define A1 A0 A0 A0 A0 A0 A0 A0 A0\n\
             #define A2 A1 A1 A1 A1 A1 A1 A1 A1\nvoid main() { n = 1u A2 A2 A2 A2; }",
            "#ifdef X\nbool g(uint x) {\n#else\nbool g(uint x) {\n#endif\nreturn x > 1u; }\nvoid main() {}",
        ] {
            assert!(misread(&format!("{head}{wrong}")).is_some(), "{wrong}");
        }
        for right in [
            "#define BOTH(a, b) ((a) && (b) > 1u)\nvoid main() { b = BOTH(a, n); }",
            "#define n n\n#define INC(x) (x++)\nuint INC;\nvoid main() { INC(n); b = a && INC == 1u; }",
            "#if A\nvoid g() { n = 1u; }\n#elif defined(B) \\\n && C\nvoid g() { }\n#endif\nvoid main() { g(); }",
            "// a \\\n && n++\nvoid main() {}",
        ] {
            assert_eq!(found(&format!("{head}{right}")), None, "{right}");
        }
    }

    #[test]
    fn a_name_that_is_global_too_is_no_own_variable() {
        let text = "uint n = 0u; bool f() { n = 1u; { uint n = 2u; } return true; }\nvoid main() { b = a && f(); }";
        assert_eq!(found(text), Some("&&"));
    }

    #[test]
    fn two_lengths_in_one_place_are_found() {
        for wrong in [
            "shared uint w[2][3];",
            "buffer B { uint a[2][3]; };",
            "uint a[2][3] = x;",
            "uint x, a[2][3];",
            "uint[2][3] a;",
            "x = uint[2][3](y, z);",
            "void f(in uint a[2][3]) {}",
            "buffer B { uint v[]; } b[2][3];",
            "uint[4] a[2][3];",
        ] {
            assert!(misread(wrong).is_some(), "{wrong}");
        }
        for right in [
            "uint[3] a[2];",
            "x = a[1][2];",
            "return a[1][2];",
            "f(x, a[1][2]);",
            "if (x) { y = z; } a[1][2] = 3;",
            "else a[1][2] = 3;",
            "uint x = b[1], y = c[1][2];",
        ] {
            assert_eq!(found(right), None, "{right}");
        }
    }
}
