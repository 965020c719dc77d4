//! Programs with one mistake each, and what rustc says of them: `mistakes/NAME.rs` and `NAME.stderr`. A file is named after its mistake.
//!
//! What is expected is written with `TRYBUILD=overwrite cargo test -p tilewise-mistakes`, and then *read*: it must be one error, at the word that is wrong, that says what to do.
//! The wording is that of the compiler in `rust-toolchain.toml`. `mistakes/evaluated` holds what is found when constants are evaluated: `cargo build` reports it, `cargo check` does not.

use std::fs;
use std::path::PathBuf;

/// What the macros' code is made of, which no message may speak of.
const INTERNALS: [&str; 7] = ["macro_support::", "Witness", "Operates", "Compares", "Linked", "Called", "KernelFn"];

/// What a text says of the mistake itself: the error and its labels, without what rustc adds from the library's sources and about traits.
fn said(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .take_while(|line| !["note:", "help:", "= ", ":::"].iter().any(|start| line.trim_start().starts_with(start)))
}

/// The first name of the macros' own in a line.
fn internal(line: &str) -> Option<&str> {
    let hidden = line.match_indices("__").find(|(at, _)| line[at + 2..].starts_with(|c: char| c.is_alphabetic()));
    hidden.map(|(_, name)| name).or_else(|| INTERNALS.into_iter().find(|name| line.contains(name)))
}

#[test]
fn each_mistake_gets_its_message() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}

#[test]
fn mistakes_in_constants_get_their_message_when_built() {
    let cases = trybuild::TestCases::new();
    // With a program that passes in the set, programs are built rather than checked.
    cases.pass("tests/mistakes/evaluated/no_mistake.rs");
    cases.compile_fail("tests/mistakes/evaluated/t*.rs");
    cases.compile_fail("tests/mistakes/evaluated/e*.rs");
}

/// Every expected text, by the name of its mistake.
fn expected() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut out = Vec::new();
    for folder in [folder.join("evaluated"), folder] {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("a folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                out.push((name, fs::read_to_string(&path).expect("the file can be read")));
            }
        }
    }
    out.sort();
    out
}

#[test]
fn each_mistake_is_one_error_in_the_words_of_the_user() {
    let mut breaches = Vec::new();
    let expected = expected();
    for (name, text) in &expected {
        let errors =
            text.lines().filter(|line| line.starts_with("error") && !line.starts_with("error: aborting")).count();
        if errors != 1 {
            breaches.push(format!("{name}: {errors} errors for one mistake"));
        }
        if text.lines().any(|line| line.starts_with("warning")) {
            breaches.push(format!("{name}: a warning beside the error"));
        }
        for line in said(text) {
            breaches.extend(internal(line).map(|internal| format!("{name}: speaks of `{internal}`: {}", line.trim())));
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
    assert!(expected.len() >= 200, "{} mistakes are shown", expected.len());
}

#[test]
fn each_mistake_has_its_text() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut breaches = Vec::new();
    for folder in [folder.join("evaluated"), folder] {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("a folder can be read").path();
            let other = path.with_extension(match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => "stderr",
                Some("stderr") => "rs",
                _ => continue,
            });
            if !other.exists() && !path.ends_with("no_mistake.rs") {
                breaches.push(format!("{} stands alone", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}
