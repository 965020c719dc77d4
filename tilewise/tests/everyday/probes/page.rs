//! `docs/language-probes.md` lists every program here once, and what is refused with its message.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository").to_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of the table behind a heading, each with its cells.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let page = read(&repository().join("docs/language-probes.md"));
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect("the page has this heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |row: &str| {
        let row = row.replace("\\|", "\0");
        row.trim_matches('|').split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
    };
    rows.map(cells).collect()
}

/// The programs of this folder by the names of their tests, `patterns::if_let`.
fn programs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/everyday/probes");
    let mut names = Vec::new();
    for file in fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("a folder can be read").path();
        let module = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        if module == "mod" || module == "page" {
            continue;
        }
        let text = read(&path);
        let mut before = "";
        for line in text.lines() {
            let compared =
                line.split_once(": ").filter(|(_, rest)| rest.contains(", |i| {")).map(|(name, _)| name.trim());
            let test = line.strip_prefix("fn ").filter(|_| before == "#[test]");
            let name = compared.or_else(|| test?.split('(').next());
            names.extend(name.map(|name| format!("{module}::{name}")));
            before = line;
        }
    }
    names.sort();
    names
}

#[test]
fn every_program_is_listed_once() {
    let mut listed: Vec<String> =
        rows("What runs").into_iter().map(|row| row[1].trim_matches('`').to_owned()).collect();
    listed.sort();
    assert_eq!(listed, programs());
    assert!(listed.len() >= 66, "{} programs", listed.len());
}

/// What a file of `tilewise/mistakes` says first, without the code of rustc.
fn message(name: &str) -> String {
    let path = repository().join(format!("tilewise/mistakes/tests/mistakes/{name}.stderr"));
    let text = read(&path);
    let first = text.lines().next().unwrap_or_default();
    first.split_once(": ").map_or(first, |(_, message)| message).to_owned()
}

#[test]
fn what_is_refused_has_the_message_that_the_page_shows() {
    for row in rows("What is refused") {
        let name = row[1].trim_matches('`');
        assert_eq!(row[2], message(name), "the message of {name}");
    }
}
