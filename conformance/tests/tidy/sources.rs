//! What holds for every Rust file.

use crate::{files, no_breach, read};

#[test]
fn every_file_says_what_lives_in_it() {
    let silent = files("", "rs").into_iter().filter(|path| !read(path).starts_with("//!"));
    let breaches: Vec<String> = silent.map(|path| format!("{path}: begin with `//!` and a sentence")).collect();
    no_breach("Every file opens with a page that says what lives in it:", &breaches);
}

/// Does a line of code make something unsafe? Lints' names and comments do not.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    let word = concat!("un", "safe");
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].trim_start();
        let spaced = after.len() < code.len() - at - word.len() || after.is_empty() || after.starts_with(['{', '(']);
        let alone = before.is_none_or(|c| !c.is_alphanumeric() && !"_\"`".contains(c));
        let kind = ["{", "(", "fn", "impl", "trait", "extern"].iter().any(|start| after.starts_with(start));
        alone && spaced && (kind || after.is_empty())
    })
}

#[test]
fn unsafe_code_is_where_the_page_says() {
    let page = read("docs/unsafe.md");
    let listed: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`')).map(|row| row.0).collect();
    // Programs that must not compile make nothing unsafe.
    let compiled = files("", "rs").into_iter().filter(|path| !path.contains("/tests/mistakes/"));
    let using: Vec<String> = compiled.filter(|path| read(path).lines().any(is_unsafe)).collect();
    let missing = using
        .iter()
        .filter(|path| !listed.contains(&path.as_str()))
        .map(|path| format!("{path}: do without, or list the file in docs/unsafe.md with the invariant it owns"));
    let stale = listed
        .iter()
        .filter(|path| using.iter().all(|using| using != *path))
        .map(|path| format!("{path}: remove it from docs/unsafe.md, it has no such code"));
    no_breach(
        "Unsafe code is confined to the files that docs/unsafe.md lists:",
        &missing.chain(stale).collect::<Vec<_>>(),
    );
}

#[test]
fn unsafe_code_is_recognised() {
    let word = concat!("un", "safe");
    for (line, is) in [
        (format!("let x = {word} {{ y() }};"), true),
        (format!("{word} impl Pod for X {{}}"), true),
        (format!("#[{word}(no_mangle)]"), true),
        (format!("pub {word} fn f() {{}}"), true),
        (format!("    {word}"), true),
        (format!("{word}_code = \"deny\""), false),
        (format!("// {word} {{"), false),
        (format!("let {word}ty = 1;"), false),
    ] {
        assert_eq!(is_unsafe(&line), is, "{line}");
    }
}
