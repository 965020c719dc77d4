//! The functions that lowered code calls: rows of the op table that take more than one expression,
//! in WGSL.
//!
//! They are templates, written once for 32 and 64 bits (`gpu/src/prelude/*.wgsl`); words in
//! capitals stand for types and constants of the format. naga's front end parses the text once per
//! process for each set of [exact](Exact) operations, and a kernel's module takes the functions
//! that it calls. The text uses only operations that the driver computes exactly: sums, differences
//! and products of floats, bit operations, and the functions that [`native_ops`] selects.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use naga::{Arena, Expression, Function, Handle, Module, Span};
use tilewise_ir::types::Scalar;

use super::native_ops;
use crate::exact::Exact;

/// The functions, by name.
#[derive(Debug)]
pub(super) struct Prelude {
    /// The module without its functions: types and constants to which they refer.
    pub(super) module: Module,
    all: Arena<Function>,
    pub(super) functions: HashMap<String, Handle<Function>>,
}

impl Prelude {
    /// The functions that a kernel calls, directly or not, each under its own handle; the others
    /// are replaced by empty ones, which nothing calls.
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
const INTEGER: &str = include_str!("../prelude/integer.wgsl");
const SIGNED: &str = include_str!("../prelude/signed.wgsl");
const UNSIGNED: &str = include_str!("../prelude/unsigned.wgsl");
const WORDS: &str = include_str!("../prelude/words.wgsl");
const DOUBLES: &str = include_str!("../prelude/doubles.wgsl");

/// Replaces words of a template in the given order, longer ones first, so that a word that ends
/// another one does not match in it.
fn fill(template: &str, words: &[(&str, &str)]) -> String {
    let mut out = template.to_owned();
    for (from, to) in words {
        out = out.replace(from, to);
    }
    out
}

fn float(template: &str, wide: bool) -> String {
    let words: [(&str, &str); 34] = if wide {
        [
            ("TWO31", "0x41e0000000000000lu"),
            ("TWO32", "0x41f0000000000000lu"),
            ("TINY", "0x07b0000000000000lu"),
            ("LIFT", "0x4c70000000000000lu"),
            ("DROP", "0x39b0000000000000lu"),
            ("GAIN", "0x4630000000000000lu"),
            ("ONELESS", "0x3feffffffffffffflu"),
            ("LOWSIZE", "0x3c30000000000000lu"),
            ("HIGHSIZE", "0x43b0000000000000lu"),
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
        ]
    } else {
        [
            ("TWO31", "0x4f000000u"),
            ("TWO32", "0x4f800000u"),
            ("TINY", "0x1f800000u"),
            ("LIFT", "0x6a800000u"),
            ("DROP", "0x2a000000u"),
            ("GAIN", "0x55000000u"),
            ("ONELESS", "0x3f7fffffu"),
            ("LOWSIZE", "0x21800000u"),
            ("HIGHSIZE", "0x5d800000u"),
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
        ]
    };
    let text = fill(template, &words);
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

/// The text of all functions for a driver with these exact operations.
pub(crate) fn text(exact: Exact) -> String {
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
    for scalar in [Scalar::F32, Scalar::F64] {
        let wide = scalar == Scalar::F64;
        out += &float(FLOAT, wide);
        native_ops::texts(exact, scalar).for_each(|template| out += &float(template, wide));
    }
    out
}

/// All functions, parsed once per process for each set of exact operations. The text is built in,
/// so tests ensure that it parses.
pub(super) fn prelude(exact: Exact) -> Result<Arc<Prelude>, String> {
    type Read = HashMap<Exact, Result<Arc<Prelude>, String>>;
    static PRELUDES: OnceLock<Mutex<Read>> = OnceLock::new();
    let mut preludes = PRELUDES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    preludes.entry(exact).or_insert_with(|| read(exact)).clone()
}

fn read(exact: Exact) -> Result<Arc<Prelude>, String> {
    let text = text(exact);
    let mut module = naga::front::wgsl::parse_str(&text).map_err(|error| error.emit_to_string(&text))?;
    let all = std::mem::take(&mut module.functions);
    let names = all.iter().filter_map(|(handle, function)| Some((function.name.clone()?, handle)));
    let functions = names.collect();
    Ok(Arc::new(Prelude { module, all, functions }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::NativeOp;

    fn is_valid(exact: Exact) {
        let prelude = prelude(exact).unwrap_or_else(|error| panic!("{error}"));
        let capabilities = naga::valid::Capabilities::all();
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
        let whole = Module { functions: prelude.all.clone(), ..prelude.module.clone() };
        if let Err(error) = validator.validate(&whole) {
            panic!("{}", error.emit_to_string(&text(exact)));
        }
    }

    #[test]
    fn the_text_is_read_and_valid_whatever_is_exact() {
        for exact in [Exact::ALL, Exact::RELAXED, Exact::NONE, Exact::LEAST] {
            is_valid(exact);
        }
        for own in NativeOp::ALL {
            for scalar in [Scalar::F32, Scalar::F64] {
                is_valid(Exact::ALL.without(own, scalar));
                is_valid(Exact::LEAST.with(own, scalar));
            }
        }
        let steps = Exact::ALL.without(NativeOp::Sqrt, Scalar::F32).without(NativeOp::RootByStep, Scalar::F32);
        let steps = steps.without(NativeOp::Sqrt, Scalar::F64).without(NativeOp::RootByStep, Scalar::F64);
        is_valid(steps);
        is_valid(steps.without(NativeOp::StepNear, Scalar::F32).without(NativeOp::StepNear, Scalar::F64));
        is_valid(Exact::ALL.without(NativeOp::Compare, Scalar::F32).without(NativeOp::CompareNormal, Scalar::F32));
    }

    #[test]
    fn the_same_functions_are_there_whatever_is_exact() {
        let names = |exact| {
            let prelude = prelude(exact).unwrap_or_else(|error| panic!("{error}"));
            let mut names: Vec<String> = prelude.functions.keys().cloned().collect();
            names.sort();
            names
        };
        // Besides the functions that lowering calls, there are helpers of replacements that compute
        // by bits.
        // The steps of a root's inverse are called only where they are exact.
        let steps = NativeOp::InverseBySteps;
        let all = names(Exact::ALL.without(steps, Scalar::F32).without(steps, Scalar::F64));
        let least = names(Exact::LEAST);
        let missing: Vec<&String> = all.iter().filter(|name| !least.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
