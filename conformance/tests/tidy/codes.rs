//! Error codes, their paragraphs in `docs/errors.md`, and the file tests that show them belong together.

use std::collections::BTreeSet;

use tilewise_ir::diag::Code;

use crate::{files, no_breach, read};

/// A code that no text can lead to, only a kernel that is built by other means, says so in its paragraph by these words.
const UNSHOWN: &str = "No text leads to this error";

/// Code and text of every paragraph of the page.
fn paragraphs() -> Vec<(String, String)> {
    let page = read("docs/errors.md");
    let mut out: Vec<(String, String)> = Vec::new();
    for line in page.lines() {
        match line.strip_prefix("## ") {
            Some(title) => out.push((title.split([' ', ':']).next().unwrap_or("").to_owned(), String::new())),
            None => {
                if let Some(last) = out.last_mut() {
                    last.1 += line;
                    last.1.push('\n');
                }
            }
        }
    }
    out
}

#[test]
fn every_code_has_its_paragraph() {
    let written: BTreeSet<String> = paragraphs().into_iter().map(|paragraph| paragraph.0).collect();
    let codes: BTreeSet<String> = Code::ALL.iter().map(|code| code.name().to_owned()).collect();
    let missing = codes
        .difference(&written)
        .map(|code| format!("add `## {code}` to docs/errors.md: the rule, an example, what to do"));
    let stale =
        written.difference(&codes).map(|code| format!("remove `## {code}` from docs/errors.md: there is no such code"));
    no_breach(
        "docs/errors.md has a paragraph for each code, and for nothing else:",
        &missing.chain(stale).collect::<Vec<_>>(),
    );
}

#[test]
fn every_code_is_shown_by_a_file_test() {
    let kernels = files("conformance/kernels", "kir");
    let shaders = files("conformance/kernels", "wgsl");
    let tests: Vec<String> = kernels.iter().chain(&shaders).map(|path| read(path)).collect();
    let paragraphs = paragraphs();
    let unshown: Vec<&String> =
        paragraphs.iter().filter(|(_, text)| text.contains(UNSHOWN)).map(|(code, _)| code).collect();
    // An error stands below its line; what is found while a kernel runs stands in the header.
    let is_shown = |code: &Code| {
        let shown = match code {
            Code::K0803 => "//! expect divergence tile".to_owned(),
            code if code.name().starts_with("K08") => format!("//! expect report {code} "),
            Code::K0503 => format!(" warning[{code}]: "),
            code => format!(" error[{code}]: "),
        };
        tests.iter().any(|text| text.contains(&shown))
    };
    let mut breaches = Vec::new();
    for code in Code::ALL {
        let exempt = unshown.iter().any(|name| **name == code.name());
        match (is_shown(code), exempt) {
            (false, false) => breaches
                .push(format!("{code} ({}): add a file to conformance/kernels/errors that expects it", code.title())),
            (true, true) => breaches.push(format!("{code}: a file shows it; remove \"{UNSHOWN}\" from docs/errors.md")),
            (true, false) | (false, true) => {}
        }
    }
    no_breach("Every error code is shown by a file test:", &breaches);
}
