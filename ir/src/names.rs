//! The rule for identifiers, which the parser enforces and the builder establishes; and the
//! reserved words.

use crate::kernel::{AtomicOp, Builtin};
use crate::limits::MAX_NAME;
use crate::ops::Op;
use crate::types::{Scalar, Stored};

/// Reserved words besides types, built-ins, atomics and operations.
pub const KEYWORDS: &[&str] = &[
    "kernel",
    "fn",
    "struct",
    "const",
    "tile_static",
    "let",
    "var",
    "if",
    "else",
    "while",
    "loop",
    "continuing",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "barrier",
    "fence",
    "print",
    "error",
    "abort",
    "copy",
    "as",
    "true",
    "false",
    "zero",
    "inf",
    "nan",
    "inf_f64",
    "nan_f64",
    "mut",
    "_",
];

/// Reserved words with call syntax.
pub const CALLS: &[&str] =
    &["extent", "array_length", "section", "project", "reinterpret", "view_as", "splat", "atomic_compare_exchange"];

/// Whether the word is reserved.
pub fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word)
        || CALLS.contains(&word)
        || Builtin::KINDS.iter().any(|(name, _)| *name == word)
        || AtomicOp::ALL.iter().any(|op| op.name() == word)
        || is_type(word)
        || Op::by_name(word).is_some()
}

/// The type called `word`, if it is a scalar or vector type: `f32`, `u8x4`.
pub fn type_by_name(word: &str) -> Option<(Stored, u8)> {
    let (scalar, width) = match word.as_bytes() {
        [.., b'x', n @ b'2'..=b'4'] => (&word[..word.len() - 2], n - b'0'),
        _ => (word, 1),
    };
    Stored::ALL.iter().find(|stored| stored.name() == scalar).map(|&stored| (stored, width))
}

fn is_type(word: &str) -> bool {
    type_by_name(word).is_some()
}

/// The scalar called `word`.
pub fn scalar_by_name(word: &str) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|scalar| scalar.name() == word)
}

/// Whether it has the form of an identifier: ASCII letters, digits and `_`, not beginning with a
/// digit.
pub fn is_word(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a variable, value, parameter, struct or field may have this name.
pub fn is_name(word: &str) -> bool {
    is_word(word) && !is_reserved(word)
}

/// The characters that are kept of a name that is too long for a text: a number behind it has room.
const KEPT: usize = MAX_NAME - 24;

/// The name in ASCII letters, digits and `_`, as many as a text may have.
fn ascii(wanted: &str) -> String {
    let mut name: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.len() > MAX_NAME {
        name.truncate(KEPT);
    }
    name
}

/// Makes `wanted` a legal name with few changes.
pub fn clean(wanted: &str) -> String {
    let mut name = ascii(wanted);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    if is_reserved(&name) {
        name.push('_');
    }
    name
}

/// Makes `wanted` a legal label with few changes. The quote mark distinguishes a label from all
/// other words, so no word is reserved.
pub fn clean_label(wanted: &str) -> String {
    clean_part(wanted)
}

/// Makes `wanted` a legal path of a function with few changes.
pub fn clean_path(wanted: &str) -> String {
    let parts: Vec<String> = wanted.split("::").map(clean_part).collect();
    match parts.as_slice() {
        [one] => clean(one),
        parts => parts.join("::"),
    }
}

// In a path, the parts beside `::` are never looked up as operations or built-ins, so none is
// reserved.
fn clean_part(part: &str) -> String {
    let name = ascii(part);
    if is_word(&name) { name } else { format!("_{name}") }
}
