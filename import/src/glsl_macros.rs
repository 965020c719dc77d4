//! Macros of a shader in GLSL, expanded as naga's preprocessor does: what naga reads otherwise than it is meant is
//! looked for in what they make.
//!
//! Of several definitions of one name all are taken, one behind the other, and of conditions all branches: so nothing
//! is missed, and a branch that opens a bracket without closing it is refused.

use std::collections::HashMap;

use crate::glsl_limits::{END_OF_MACRO, GlslToken, MisreadConstruct};

/// Tokens that macros may make, with the macros themselves, and macros in macros.
const MOST_TOKENS: usize = 1 << 18;
const MOST_MACROS: usize = 64;

/// A definition.
struct GlslMacro<'t> {
    /// Nothing of one without brackets.
    parameters: Option<Vec<&'t str>>,
    body: Vec<GlslToken<'t>>,
}

/// Where a macro is used, and so what all that it makes stands for.
type MacroPlace = Option<(usize, usize)>;

struct MacroExpander<'t> {
    macros: HashMap<&'t str, Vec<GlslMacro<'t>>>,
    out: Vec<GlslToken<'t>>,
    /// The tokens that macros may still make.
    left: usize,
}

/// There is no room for what a macro makes.
struct NoRoom;

/// The tokens of a text without its definitions, and with what their macros make. The error is what is refused.
pub(crate) fn expanded<'t>(tokens: &[GlslToken<'t>]) -> Result<Vec<GlslToken<'t>>, MisreadConstruct> {
    let (macros, rest) = divided(tokens);
    let rest = without_conditions(rest)?;
    if macros.is_empty() {
        return Ok(rest);
    }
    let mut expander = MacroExpander { macros, out: Vec::with_capacity(rest.len()), left: MOST_TOKENS };
    let mut i = 0;
    while i < rest.len() {
        match expander.one(&rest, i, &mut Vec::new(), None) {
            Ok(next) => i = next,
            Err(NoRoom) => {
                return Err(MisreadConstruct {
                    place: rest[i].place(),
                    what: "macros that expand to more than 262144 words, or more than 64 deep",
                    help: "write functions",
                });
            }
        }
    }
    Ok(expander.out)
}

/// The definitions of a text, and the rest.
fn divided<'t>(tokens: &[GlslToken<'t>]) -> (HashMap<&'t str, Vec<GlslMacro<'t>>>, Vec<GlslToken<'t>>) {
    let mut macros: HashMap<&str, Vec<GlslMacro<'_>>> = HashMap::new();
    let mut rest = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let is_definition = tokens[i].text == "#" && tokens.get(i + 1).is_some_and(|next| next.text == "define");
        if !is_definition {
            rest.push(tokens[i]);
            i += 1;
            continue;
        }
        let end = tokens[i..].iter().position(|token| token.text == END_OF_MACRO).map_or(tokens.len(), |at| i + at);
        if let Some(name) = tokens[i..end].get(2).filter(|name| name.is_word()) {
            let mut behind = i + 3;
            // Brackets of parameters stand right behind the name.
            let has_parameters =
                behind < end && tokens[behind].text == "(" && tokens[behind].at == name.at + name.length;
            let parameters = has_parameters.then(|| {
                let close =
                    tokens[behind..end].iter().position(|token| token.text == ")").map_or(end, |at| behind + at);
                let words = tokens[behind..close].iter().filter(|token| token.is_word()).map(|token| token.text);
                let words = words.collect();
                behind = (close + 1).min(end);
                words
            });
            let body = tokens[behind..end].to_vec();
            macros.entry(name.text).or_default().push(GlslMacro { parameters, body });
        }
        i = end + 1;
    }
    (macros, rest)
}

/// The tokens without the marks of conditions, none of whose branches leaves a bracket open.
fn without_conditions<'t>(tokens: Vec<GlslToken<'t>>) -> Result<Vec<GlslToken<'t>>, MisreadConstruct> {
    let (mut open, mut depth) = (Vec::new(), 0_i64);
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        match token.text {
            "#if" => open.push(depth),
            "#else" | "#endif" => {
                if open.last().is_some_and(|before| *before != depth) {
                    return Err(MisreadConstruct {
                        place: token.place(),
                        what: "a condition of the preprocessor with brackets that open in one branch and close behind it",
                        help: "put whole statements or functions into each branch",
                    });
                }
                if token.text == "#endif" {
                    open.pop();
                }
            }
            text => {
                match text {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    _ => {}
                }
                out.push(token);
            }
        }
    }
    Ok(out)
}

impl<'t> MacroExpander<'t> {
    /// Appends a token, or what the macro makes that it names; returns the place of the next one. `active` are the
    /// macros around.
    fn one(
        &mut self,
        tokens: &[GlslToken<'t>],
        i: usize,
        active: &mut Vec<&'t str>,
        place: MacroPlace,
    ) -> Result<usize, NoRoom> {
        let mut token = tokens[i];
        if let Some((at, length)) = place {
            (token.at, token.length) = (at, length);
            self.left = self.left.checked_sub(1).ok_or(NoRoom)?;
        }
        let is_macro = token.is_word() && self.macros.contains_key(token.text) && !active.contains(&token.text);
        if !is_macro {
            self.out.push(token);
            return Ok(i + 1);
        }
        if active.len() >= MOST_MACROS {
            return Err(NoRoom);
        }
        self.left = self.left.checked_sub(1).ok_or(NoRoom)?;
        let place = Some((token.at, token.length));
        let takes_any = self.macros[token.text].iter().any(|one| one.parameters.is_some());
        let given = if takes_any { arguments(tokens, i + 1) } else { None };
        let mut next = i + 1;
        // What each definition makes of the arguments.
        let mut made: Vec<Vec<GlslToken<'t>>> = Vec::new();
        let mut is_left = true;
        for definition in &self.macros[token.text] {
            match (&definition.parameters, &given) {
                (None, _) => made.push(definition.body.clone()),
                (Some(parameters), Some((arguments, end))) => {
                    next = *end;
                    let mut body = Vec::new();
                    for one in &definition.body {
                        let number = parameters.iter().position(|parameter| *parameter == one.text);
                        match number.and_then(|number| arguments.get(number)) {
                            Some(argument) => body.extend_from_slice(argument),
                            None => body.push(*one),
                        }
                        if body.len() > self.left {
                            return Err(NoRoom);
                        }
                    }
                    made.push(body);
                }
                // Without arguments it is a name like others.
                (Some(_), None) => continue,
            }
            is_left = false;
        }
        if is_left {
            self.out.push(token);
            return Ok(i + 1);
        }
        active.push(token.text);
        for body in made {
            let mut at = 0;
            while at < body.len() {
                at = self.one(&body, at, active, place)?;
            }
        }
        active.pop();
        Ok(next)
    }
}

/// The arguments behind the name of a macro, and the place behind their bracket.
fn arguments<'t>(tokens: &[GlslToken<'t>], open: usize) -> Option<(Vec<Vec<GlslToken<'t>>>, usize)> {
    if tokens.get(open)?.text != "(" {
        return None;
    }
    let mut depth = 0usize;
    let (mut out, mut one) = (Vec::new(), Vec::new());
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            out.push(one);
            return Some((out, i + 1));
        }
        match token.text {
            "," if depth == 1 => out.push(std::mem::take(&mut one)),
            _ if i == open => {}
            _ => one.push(*token),
        }
    }
    None
}
