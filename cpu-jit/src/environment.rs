//! The JIT's environment variables. An invalid value is reported on stderr, once, and ignored.

use std::env;
use std::ffi::OsStr;
use std::io::Write as _;

use crate::run::MOST_THREADS;

/// Reports an invalid value.
fn complain(name: &str, value: &OsStr, why: &str) {
    // A closed stderr is no error of the program.
    _ = writeln!(
        std::io::stderr().lock(),
        "tilewise: the environment variable {name} is `{}`; {why}",
        value.to_string_lossy()
    );
}

/// The number of threads set by `TILEWISE_JIT_THREADS`, if any.
pub(crate) fn threads() -> Option<usize> {
    const NAME: &str = "TILEWISE_JIT_THREADS";
    let value = env::var_os(NAME).filter(|value| !value.is_empty())?;
    let threads = thread_count(&value);
    if threads.is_none() {
        let why = format!("it is ignored, as it is not a number of threads from 1 to {MOST_THREADS}");
        complain(NAME, &value, &why);
    }
    threads
}

/// Parses a valid number of threads.
fn thread_count(value: &OsStr) -> Option<usize> {
    value.to_str()?.trim().parse().ok().filter(|number| (1..=MOST_THREADS).contains(number))
}

/// The names from a fixed set that a variable lists, separated by `,`.
pub(crate) fn words(name: &str, known: &[&'static str]) -> Vec<&'static str> {
    let value = env::var_os(name).unwrap_or_default();
    let list = value.to_string_lossy();
    let (words, unknown) = listed(&list, known);
    if !unknown.is_empty() {
        let (unknown, known) = (quoted(&unknown), quoted(known));
        complain(name, &value, &format!("{unknown} is ignored; it can list {known}, separated by `,`"));
    }
    words
}

/// Splits a list into known words and others.
fn listed<'a>(list: &'a str, known: &[&'static str]) -> (Vec<&'static str>, Vec<&'a str>) {
    let (mut words, mut unknown) = (Vec::new(), Vec::new());
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match known.iter().find(|known| **known == word) {
            Some(known) => words.push(*known),
            None => unknown.push(word),
        }
    }
    (words, unknown)
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// The value of a variable that is neither empty nor `off`; an unknown one is reported.
pub(crate) fn word(name: &str, off: &str, known: &[&'static str]) -> Option<&'static str> {
    let value = env::var_os(name)?;
    let text = value.to_string_lossy();
    let text = text.trim();
    if text.is_empty() || text == off {
        return None;
    }
    let found = known.iter().find(|known| **known == text).copied();
    if found.is_none() {
        complain(name, &value, &format!("it is ignored; it can be `{off}`, {}", quoted(known)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_are_from_1_to_the_most() {
        let most = MOST_THREADS.to_string();
        let too_many = (MOST_THREADS + 1).to_string();
        for (text, expected) in [
            ("1", Some(1)),
            (" 12 ", Some(12)),
            (most.as_str(), Some(MOST_THREADS)),
            (too_many.as_str(), None),
            ("99999999999999999999", None),
            ("0", None),
            ("-1", None),
            ("x", None),
            ("1.5", None),
        ] {
            assert_eq!(thread_count(OsStr::new(text)), expected, "{text}");
        }
    }

    #[test]
    fn words_are_known_or_not() {
        let known = ["lanes", "asm"];
        assert_eq!(listed("", &known), (vec![], vec![]));
        assert_eq!(listed("asm, lanes,", &known), (vec!["asm", "lanes"], vec![]));
        assert_eq!(listed("asm;lanes,ASM", &known), (vec![], vec!["asm;lanes", "ASM"]));
    }
}
