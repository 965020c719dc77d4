//! What naga's reader of GLSL reads otherwise than it is meant, found in the text before naga reads it: the right side
//! of `&&` and `||` is always computed, `continue` in `do` leaves the condition out, and of two pairs of brackets
//! behind a name or a type the dimensions are exchanged.

use std::ops::Range;

use crate::glsl_effects;

/// A construct that is refused: where, what it is, and what to write instead.
pub(crate) struct MisreadConstruct {
    pub(crate) place: Range<usize>,
    pub(crate) what: &'static str,
    pub(crate) help: &'static str,
}

/// A word, a number or an operator, and where it begins.
#[derive(Clone, Copy)]
pub(crate) struct GlslToken<'t> {
    at: usize,
    pub(crate) text: &'t str,
}

impl GlslToken<'_> {
    pub(crate) fn is_word(self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    fn place(self) -> Range<usize> {
        self.at..self.at + self.text.len()
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

/// The first construct of a text that naga would read otherwise.
pub(crate) fn misread(text: &str) -> Option<MisreadConstruct> {
    let tokens = tokens(text);
    let found = [short_circuit(&tokens), continue_in_do(&tokens), two_dimensions(&tokens)];
    found.into_iter().flatten().min_by_key(|one| one.place.start)
}

fn tokens(text: &str) -> Vec<GlslToken<'_>> {
    let mut out = Vec::new();
    let (mut at, mut is_macro) = (0, false);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if c == '#' && !rest[1..].trim_start().starts_with("define") {
            // Conditions of the preprocessor are its own.
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '\n' && is_macro && !text[..at].trim_end_matches('\r').ends_with('\\') {
            // A macro ends with its line.
            is_macro = false;
            out.push(GlslToken { at, text: ";" });
            1
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c.is_ascii_alphanumeric() || c == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            out.push(GlslToken { at, text: &rest[..length] });
            length
        } else if c.is_whitespace() {
            c.len_utf8()
        } else {
            let known = OPERATORS.iter().chain(&COMPARED).find(|operator| rest.starts_with(**operator));
            let length = known.map_or(c.len_utf8(), |operator| operator.len());
            out.push(GlslToken { at, text: &rest[..length] });
            length
        };
        is_macro |= c == '#' && length == 1;
        at += length;
    }
    out
}

/// A right side of `&&` or `||` that does something.
fn short_circuit(tokens: &[GlslToken<'_>]) -> Option<MisreadConstruct> {
    let functions = glsl_effects::functions_with_effects(tokens);
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

/// A `continue` whose loop is a `do`.
fn continue_in_do(tokens: &[GlslToken<'_>]) -> Option<MisreadConstruct> {
    #[derive(Clone, Copy, PartialEq)]
    enum Braces {
        Do,
        Loop,
        Other,
    }
    let mut braces: Vec<Braces> = Vec::new();
    // A loop without braces ends with its statement; so does a `do`, at its `while`.
    let (mut is_in_short_loop, mut is_in_short_do) = (false, false);
    let mut header: Option<usize> = None;
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map_or("", |next| next.text);
        match token.text {
            "for" | "while" => {
                is_in_short_do = false;
                header = Some(depth);
            }
            "(" => depth += 1,
            ")" => {
                depth = depth.saturating_sub(1);
                if header == Some(depth) && next != "{" {
                    header = None;
                    is_in_short_loop = true;
                }
            }
            "do" if next != "{" => is_in_short_do = true,
            "{" => {
                let is_do = i > 0 && tokens[i - 1].text == "do";
                let is_loop = header.take().is_some() && !is_do;
                braces.push(if is_do {
                    Braces::Do
                } else if is_loop {
                    Braces::Loop
                } else {
                    Braces::Other
                });
            }
            "}" => {
                braces.pop();
                is_in_short_loop = false;
            }
            ";" if header.is_none() => is_in_short_loop = false,
            "continue" => {
                let innermost = braces.iter().rev().find(|kind| **kind != Braces::Other);
                if is_in_short_do || (!is_in_short_loop && innermost == Some(&Braces::Do)) {
                    return Some(MisreadConstruct {
                        place: token.place(),
                        what: "`continue` in `do { } while`: naga leaves the condition out",
                        help: "write `for (;;) { .. if (!condition) break; }`, or put the rest of the round in an `if`",
                    });
                }
            }
            _ => {}
        }
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
        ] {
            assert_eq!(found(wrong), Some("continue"), "{wrong}");
        }
        for right in [
            "do { for (int i = 0; i < 3; i++) { if (a) continue; } } while (b);",
            "do { while (c) continue; } while (b);",
            "while (a) { do { c++; } while (b); continue; }",
            "do { c++; } while (b); for (;;) { continue; }",
        ] {
            assert_eq!(found(right), None, "{right}");
        }
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
