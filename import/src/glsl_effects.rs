//! Functions of a shader in GLSL that change more than their own variables, or may not end.

use std::collections::HashSet;

use crate::glsl_limits::{ASSIGNMENTS, BEFORE_EXPRESSIONS, GlslToken, WRITING};

/// The beginnings of the names of the language's functions that do something.
const DOING: [&str; 6] = ["atomic", "imageStore", "barrier", "memoryBarrier", "groupMemoryBarrier", "subgroup"];

/// A function of the text: its name, its parameters and its body.
struct GlslFunction<'t, 'a> {
    name: &'t str,
    parameters: &'a [GlslToken<'t>],
    body: &'a [GlslToken<'t>],
    /// The places of its tokens from its parameters on.
    range: std::ops::Range<usize>,
}

/// The functions of a text that do something. One that is declared before it is defined counts if any of its bodies does;
/// one without a body does.
pub(crate) fn functions_with_effects<'t>(tokens: &[GlslToken<'t>]) -> HashSet<&'t str> {
    let all = functions(tokens);
    // The words outside of all functions: variables of all are among them.
    let (mut outside, mut at) = (HashSet::new(), 0);
    for function in &all {
        outside.extend(tokens[at..function.range.start].iter().map(|token| token.text));
        at = function.range.end;
    }
    outside.extend(tokens[at..].iter().map(|token| token.text));
    let mut doing: HashSet<&str> = HashSet::new();
    for function in &all {
        let has_body = all.iter().any(|other| other.name == function.name && !other.body.is_empty());
        if !has_body || does_something(function, &outside) {
            doing.insert(function.name);
        }
    }
    // What calls one of these does something too.
    loop {
        let calls = |function: &&GlslFunction<'t, '_>| {
            let is_call = |pair: &[GlslToken<'t>]| pair[1].text == "(" && doing.contains(pair[0].text);
            !doing.contains(function.name) && function.body.windows(2).any(is_call)
        };
        let Some(caller) = all.iter().find(calls) else { return doing };
        doing.insert(caller.name);
    }
}

/// The functions of a text that change one of their arguments.
pub(crate) fn functions_that_change_arguments<'t>(tokens: &[GlslToken<'t>]) -> HashSet<&'t str> {
    let changes =
        |function: &GlslFunction<'t, '_>| function.parameters.iter().any(|token| matches!(token.text, "out" | "inout"));
    functions(tokens).iter().filter(|function| changes(function)).map(|function| function.name).collect()
}

/// A type, a name and a bracket, outside of all braces.
fn functions<'t, 'a>(tokens: &'a [GlslToken<'t>]) -> Vec<GlslFunction<'t, 'a>> {
    let mut out = Vec::new();
    let (mut depth, mut i) = (0usize, 0);
    while i < tokens.len() {
        match tokens[i].text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "(" if depth == 0 && i > 1 && tokens[i - 1].is_word() => {
                let is_declared = tokens[i - 2].is_word() || tokens[i - 2].text == "]";
                if is_declared && tokens[i - 2].text != "define" {
                    let name = tokens[i - 1].text;
                    let end = closing(tokens, i);
                    let last = match tokens.get(end + 1) {
                        Some(token) if token.text == "{" => closing(tokens, end + 1),
                        _ => end,
                    };
                    let (parameters, body) = (&tokens[i..end], &tokens[end..last]);
                    out.push(GlslFunction { name, parameters, body, range: i..last });
                    i = last;
                }
            }
            _ => {}
        }
        i += 1;
    }
    out
}

/// The place of the bracket that closes the one at `open`; the last place if none does.
pub(crate) fn closing(tokens: &[GlslToken<'_>], open: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i;
                }
            }
            _ => {}
        }
    }
    tokens.len().saturating_sub(1)
}

/// Does a function itself do something, whatever it calls?
fn does_something(function: &GlslFunction<'_, '_>, outside: &HashSet<&str>) -> bool {
    let body = function.body;
    if function.parameters.iter().any(|token| matches!(token.text, "out" | "inout")) {
        return true;
    }
    // A variable of the function: a type and a name; those behind a comma are not known, and count as others.
    let declared = [function.parameters, body].into_iter().flat_map(|part| part.windows(2)).filter_map(|pair| {
        let is_type = pair[0].is_word() && !BEFORE_EXPRESSIONS.contains(&pair[0].text) || pair[0].text == "]";
        (is_type && pair[1].is_word()).then_some(pair[1].text)
    });
    let own: HashSet<&str> = declared.filter(|name| !outside.contains(name)).collect();
    body.iter().enumerate().any(|(i, token)| {
        let is_doing = |name: &&str| token.text.starts_with(*name);
        let is_called = body.get(i + 1).is_some_and(|next| next.text == "(");
        if matches!(token.text, "while" | "for" | "do" | "discard") {
            return true;
        }
        if is_called && (WRITING.iter().any(is_doing) || DOING.iter().any(is_doing)) {
            return true;
        }
        ASSIGNMENTS.contains(&token.text) && !changed(body, i).is_some_and(|name| own.contains(name))
    })
}

/// The variable that the assignment at a place changes.
fn changed<'t>(body: &[GlslToken<'t>], at: usize) -> Option<&'t str> {
    let mut i = at.checked_sub(1)?;
    loop {
        let token = body[i];
        if token.text == "]" {
            let mut depth = 0usize;
            loop {
                match body[i].text {
                    "]" => depth += 1,
                    "[" => depth -= 1,
                    _ => {}
                }
                i = i.checked_sub(1)?;
                if depth == 0 {
                    break;
                }
            }
        } else if token.is_word() {
            // A member belongs to what stands before the point.
            match i.checked_sub(2) {
                Some(before) if body[i - 1].text == "." => i = before,
                _ => return Some(token.text),
            }
        } else {
            // `++x`: what is changed stands behind.
            return body.get(at + 1).filter(|next| next.is_word()).map(|next| next.text);
        }
    }
}
