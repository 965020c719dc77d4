//! The functions that lowered code calls: rows of the op table that are more than an expression, in WGSL.
//!
//! They are templates, written once for 32 and 64 bits (`gpu/src/prelude/*.wgsl`); words in capitals stand for types and numbers of the format. naga's front end reads the text once
//! in a process. A kernel's module takes from that what it calls. Only steps that drivers compute exactly are used: comparison, bits, and
//! single float operations where the row itself is one.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use naga::{Arena, Expression, Function, Handle, Module, Span};

/// The functions, and their names.
pub(super) struct Prelude {
    /// All that the functions refer to, without them.
    pub(super) module: Module,
    all: Arena<Function>,
    pub(super) functions: HashMap<String, Handle<Function>>,
}

impl Prelude {
    /// The functions that a kernel calls, and those that they call, each at its number; in the place of others stand empty ones that nobody calls.
    pub(super) fn called(&self, from: &Function) -> Arena<Function> {
        let mut wanted: HashSet<Handle<Function>> = HashSet::new();
        let mut left: Vec<&Function> = vec![from];
        while let Some(function) = left.pop() {
            for (_, expression) in function.expressions.iter() {
                if let &Expression::CallResult(callee) = expression
                    && wanted.insert(callee)
                {
                    left.push(&self.all[callee]);
                }
            }
        }
        let mut out = Arena::new();
        for (handle, function) in self.all.iter() {
            let function = if wanted.contains(&handle) { function.clone() } else { Function::default() };
            out.append(function, Span::UNDEFINED);
        }
        out
    }
}

const FLOAT: &str = include_str!("../prelude/float.wgsl");
const TO64: &str = include_str!("../prelude/to64.wgsl");
const INTEGER: &str = include_str!("../prelude/integer.wgsl");
const SIGNED: &str = include_str!("../prelude/signed.wgsl");
const UNSIGNED: &str = include_str!("../prelude/unsigned.wgsl");
const WORDS: &str = include_str!("../prelude/words.wgsl");
const DOUBLES: &str = include_str!("../prelude/doubles.wgsl");

/// Puts words in the place of others: longer ones first, each only as a whole word or behind a number.
fn fill(template: &str, words: &[(&str, &str)]) -> String {
    let mut out = template.to_owned();
    for (from, to) in words {
        out = out.replace(from, to);
    }
    out
}

fn float(template: &str, wide: bool) -> String {
    let words: [(&str, &str); 26] = if wide {
        [
            ("TWO63", "0x43e0000000000000lu"),
            ("TWO64", "0x43f0000000000000lu"),
            ("ZEROI", "0li"),
            ("FBi", "52i"),
            ("RADIANS", "0x3f91df46a2529d39lu"),
            ("DEGREES", "0x404ca5dc1a63c1f8lu"),
            ("HALFBITS", "0x3fe0000000000000lu"),
            ("MAXFIELD", "2047i"),
            ("FRACTION", "0x000ffffffffffffflu"),
            ("HIDDEN", "0x0010000000000000lu"),
            ("QUIET", "0x7ff8000000000000lu"),
            ("SIGN", "0x8000000000000000lu"),
            ("WIDTHu", "64u"),
            ("WIDTHi", "64i"),
            ("BIASu", "1023u"),
            ("BIASi", "1023i"),
            ("TOPu", "63u"),
            ("TOPi", "63i"),
            ("INF", "0x7ff0000000000000lu"),
            ("FBu", "52u"),
            ("EBu", "11u"),
            ("SU", "lu"),
            ("SF", "lf"),
            ("_F", "_f64"),
            ("_U", "_u64"),
            ("", ""),
        ]
    } else {
        [
            ("TWO63", "0x5f000000u"),
            ("TWO64", "0x5f800000u"),
            ("ZEROI", "0i"),
            ("FBi", "23i"),
            ("RADIANS", "0x3c8efa35u"),
            ("DEGREES", "0x42652ee1u"),
            ("HALFBITS", "0x3f000000u"),
            ("MAXFIELD", "255i"),
            ("FRACTION", "0x007fffffu"),
            ("HIDDEN", "0x00800000u"),
            ("QUIET", "0x7fc00000u"),
            ("SIGN", "0x80000000u"),
            ("WIDTHu", "32u"),
            ("WIDTHi", "32i"),
            ("BIASu", "127u"),
            ("BIASi", "127i"),
            ("TOPu", "31u"),
            ("TOPi", "31i"),
            ("INF", "0x7f800000u"),
            ("FBu", "23u"),
            ("EBu", "8u"),
            ("SU", "u"),
            ("SF", "f"),
            ("_F", "_f32"),
            ("_U", "_u32"),
            ("", ""),
        ]
    };
    let text = fill(template, &words[..25]);
    let (float, bits, signed) = if wide { ("f64", "u64", "i64") } else { ("f32", "u32", "i32") };
    types(&text, &[('F', float), ('U', bits), ('I', signed)])
}

fn integer(template: &str, ty: &str, bits: &str) -> String {
    let wide = bits == "u64";
    let signed = ty.starts_with('i');
    let words = [
        ("SIGNED", if signed { "true" } else { "false" }),
        ("HALFu", if wide { "32u" } else { "16u" }),
        ("TOPu", if wide { "63u" } else { "31u" }),
        ("SU", if wide { "lu" } else { "u" }),
        (
            "ST",
            match (signed, wide) {
                (true, true) => "li",
                (true, false) => "i",
                (false, true) => "lu",
                (false, false) => "u",
            },
        ),
    ];
    let text = fill(template, &words);
    let text = text.replace("_T(", &format!("_{ty}(")).replace("_U(", &format!("_{bits}("));
    types(&text, &[('T', ty), ('U', bits)])
}

/// Replaces single capital letters that stand alone.
fn types(text: &str, names: &[(char, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    let word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
    for (i, c) in chars.iter().enumerate() {
        let alone = !word(i.checked_sub(1).and_then(|i| chars.get(i))) && !word(chars.get(i + 1));
        match names.iter().find(|(name, _)| alone && name == c) {
            Some((_, name)) => out.push_str(name),
            None => out.push(*c),
        }
    }
    out
}

/// The text of all functions.
fn text() -> String {
    let mut out = String::new();
    out += WORDS;
    out += DOUBLES;
    for bits in ["u32", "u64"] {
        let ty = if bits == "u32" { "i32" } else { "i64" };
        out += &integer(UNSIGNED, bits, bits);
        out += &integer(INTEGER, bits, bits);
        out += &integer(SIGNED, ty, bits);
        out += &integer(INTEGER, ty, bits);
    }
    for wide in [false, true] {
        out += &float(FLOAT, wide);
        out += &float(TO64, wide);
    }
    out
}

/// All functions. The text is the program's own, so that it can be read is a matter for the tests.
pub(super) fn prelude() -> Result<&'static Prelude, String> {
    static PRELUDE: OnceLock<Result<Prelude, String>> = OnceLock::new();
    let made = PRELUDE.get_or_init(|| {
        let text = text();
        let mut module = naga::front::wgsl::parse_str(&text).map_err(|error| error.emit_to_string(&text))?;
        let all = std::mem::take(&mut module.functions);
        let names = all.iter().filter_map(|(handle, function)| Some((function.name.clone()?, handle)));
        let functions = names.collect();
        Ok(Prelude { module, all, functions })
    });
    made.as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_read_and_valid() {
        let prelude = prelude().unwrap_or_else(|error| panic!("{error}"));
        let capabilities = naga::valid::Capabilities::all();
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
        let whole = Module { functions: prelude.all.clone(), ..prelude.module.clone() };
        if let Err(error) = validator.validate(&whole) {
            panic!("{}", error.emit_to_string(&text()));
        }
    }
}
