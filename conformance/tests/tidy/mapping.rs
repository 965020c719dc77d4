//! `docs/amp-mapping.md` tells the truth about which Rust names exist, and leaves none out.
//!
//! A name is looked up by text: `Type::member` exists if a file of the library that speaks of `Type` declares `member`. That is enough to notice what was renamed, removed or added.

use crate::{files, no_breach, read};

/// The sources that a user of the library sees, each without its tests.
fn sources() -> Vec<String> {
    let paths = files("tilewise/src", "rs").into_iter().chain(files("macros/src", "rs"));
    paths.map(|path| read(&path)).collect()
}

/// Is `word` in `text`, as a whole?
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part) && !text[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// Does `text` declare `name`: as an item, a field, a variant, or by a macro that is handed names?
fn declares(text: &str, name: &str, kinds: &[&str]) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter().any(|line| kinds.iter().any(|kind| has_word(line, &format!("{kind} {name}"))))
}

/// Types, modules and functions at the head of a path.
const ITEMS: [&str; 8] = ["struct", "enum", "trait", "type", "mod", "fn", "macro_rules!", "const"];

/// Does a path such as `Index::new`, `amp` or `kernel!` name something in the sources?
fn exists(path: &str, sources: &[String]) -> bool {
    if let Some(name) = path.strip_suffix('!') {
        // What kernels say is read by the macros and declared nowhere.
        return ["print", "error", "abort"].contains(&name)
            || sources.iter().any(|text| declares(text, name, &["pub fn"]));
    }
    match path.rsplit_once("::") {
        None => {
            let listed =
                |text: &String| text.lines().any(|line| line.trim_start().starts_with(name_in_a_list(path).as_str()));
            sources.iter().any(|text| declares(text, path, &ITEMS) || listed(text))
        }
        Some((holder, member)) => {
            let holder = holder.rsplit("::").next().unwrap_or(holder);
            sources.iter().any(|text| {
                let member_here = declares(text, member, &["fn", "const"]) || as_a_field(text, member);
                has_word(text, holder) && member_here
            })
        }
    }
}

/// How a list that a macro of our own is handed begins with a name.
fn name_in_a_list(name: &str) -> String {
    format!("{name} ")
}

/// Is `name` a field, a variant or an entry of a list that a macro is handed?
fn as_a_field(text: &str, name: &str) -> bool {
    let begins = [format!("{name}:"), format!("{name},"), format!("{name}("), format!("{name} ")];
    text.lines().any(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("pub ").unwrap_or(line);
        begins.iter().any(|begin| line.starts_with(begin.as_str()))
    })
}

/// Names that Rust itself has, and expressions, are not looked up.
fn is_ours(code: &str) -> bool {
    let path = code.strip_suffix('!').unwrap_or(code);
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let primitive = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool", "usize", "const", "T"];
    path.split("::").all(word) && !primitive.contains(&path)
}

#[test]
fn names_of_the_mapping_exist_or_are_said_not_to() {
    let sources = sources();
    let mut breaches = Vec::new();
    let mut names = 0;
    for (line, number) in read("docs/amp-mapping.md").lines().zip(1..) {
        // A `|` within code is written `\|` in a table.
        let row = line.replace("\\|", " ");
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, rust, difference] = cells[..] else { continue };
        let paths: Vec<&str> = rust.split('`').skip(1).step_by(2).filter(|code| is_ours(code)).collect();
        let missing: Vec<&str> = paths.iter().copied().filter(|path| !exists(path, &sources)).collect();
        let later = difference.to_lowercase().contains("not there yet");
        names += paths.len();
        if !later {
            breaches
                .extend(missing.iter().map(|path| format!("docs/amp-mapping.md:{number}: `{path}` does not exist")));
        } else if missing.is_empty() {
            breaches.push(format!("docs/amp-mapping.md:{number}: {rust} exists by now"));
        }
    }
    assert!(names > 100, "the page names much of the library");
    no_breach("The second column of docs/amp-mapping.md is true:", &breaches);
}

#[test]
fn every_name_at_the_top_is_on_the_page() {
    let page = read("docs/amp-mapping.md");
    // Modules of other crates, for tools.
    let for_tools = ["bytemuck", "interp", "ir", "element", "types", "prelude"];
    let missing: Vec<String> = crate::rustdoc::top()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !for_tools.contains(&name.as_str()) && !name.contains(" as "))
        .filter(|name| !has_word(&page, name))
        .map(|name| format!("`{name}` is not on the page"))
        .collect();
    no_breach(
        "docs/amp-mapping.md names everything at the top of `tilewise`, also what C++ AMP does not have:",
        &missing,
    );
}
