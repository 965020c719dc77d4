//! The licences of what a program with Tilewise is built of: all permit to be part of any program, and
//! `docs/licences.md` lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::process::Command;

use crate::{no_breach, read, root};

const PAGE: &str = "docs/licences.md";

/// Licences that ask for no more than their own text beside a program.
const PERMITTED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "Unicode-3.0",
];

const HEAD: &str = "# Licences

Tilewise is licensed under the MIT licence or the Apache licence 2.0 (`LICENSE-MIT`, `LICENSE-APACHE`), at
your choice. These are the licences of the crates that the program `tilewise` is built of with all its features,
on Linux for x86-64; a program with the library is built of fewer. `OR` and `/` are your choice, `AND` is not. A
test fails if a crate has another licence than these, and writes this page: `BLESS=1 cargo test --workspace --test
tidy`.

| licence | crates |
|---|---|
";

/// The licence of each crate that `tilewise` is built of.
fn licences() -> BTreeMap<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"])
        .args(["--package", "tilewise-cli", "--features", "import,accuracy,pictures,gpu", "--format", "{l}|{p}"])
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("cargo: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let of_line = |line: &str| {
        let (licence, package) = line.split_once('|').unwrap_or_else(|| panic!("no licence and package: {line}"));
        let name = package.split_whitespace().next().unwrap_or_default();
        (name.to_owned(), licence.to_owned())
    };
    text.lines().filter(|line| !line.is_empty()).map(of_line).collect()
}

/// May a program have it: is there a choice of which every part is permitted?
fn is_permitted(licence: &str) -> bool {
    let all =
        |choice: &str| choice.split(" AND ").all(|part| PERMITTED.contains(&part.trim().trim_matches(['(', ')'])));
    if let Some((choices, rest)) = licence.strip_prefix('(').and_then(|licence| licence.split_once(") AND ")) {
        return is_permitted(choices) && is_permitted(rest);
    }
    licence.split(" OR ").flat_map(|choice| choice.split('/')).any(all)
}

#[test]
fn each_dependency_may_be_part_of_any_program() {
    let refused: Vec<String> = licences()
        .iter()
        .filter(|(_, licence)| !is_permitted(licence))
        .map(|(name, licence)| format!("`{name}`: its licence is `{licence}`"))
        .collect();
    no_breach("A dependency whose licence is not permitted is replaced, or permitted in `PERMITTED`:", &refused);
    for other in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND MPL-2.0", ""] {
        assert!(!is_permitted(other), "{other}");
    }
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn the_page_lists_the_licence_of_each_dependency() {
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, licence) in licences() {
        if name != "tilewise" && !name.starts_with("tilewise-") {
            crates.entry(licence.replace('/', " OR ").replace("  ", " ")).or_default().insert(name);
        }
    }
    let row = |(licence, names): (&String, &BTreeSet<String>)| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        format!("| {licence} | {} |\n", names.join(" "))
    };
    let page = HEAD.to_owned() + &crates.iter().map(row).collect::<String>();
    if env::var_os("BLESS").is_some() {
        fs::write(root().join(PAGE), &page).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
    }
    assert!(
        read(PAGE) == page,
        "{PAGE} is not what the dependencies say: `BLESS=1 cargo test --workspace --test tidy`"
    );
}
