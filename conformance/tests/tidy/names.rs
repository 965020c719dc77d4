//! Names of types: one name, one type. A reader who searches for a name finds what it means.

use std::collections::BTreeMap;

use crate::{files, no_breach, read};

/// Names that several types of one crate may have, because each is the same idea in its place: the
/// private trait that seals a public one, the width of a type on the host, the work of two benchmarks.
const SHARED: [&str; 4] = ["Sealed", "HostWidth", "Sums", "Matrices"];

/// Types of the workspace, in per cent, whose name a type of another crate has too.
const MOST_SHARED: usize = 10;

/// The name of the type that a line declares.
fn declared_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => line,
    };
    let name = ["struct ", "enum ", "trait ", "union "].iter().find_map(|keyword| line.strip_prefix(keyword))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    (end > 0 && name.starts_with(|c: char| c.is_uppercase())).then_some(&name[..end])
}

/// The types of each crate but those of tests, with the files that declare them.
fn declared_types() -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let mut out: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for file in files("", "rs") {
        // In the place of another file, in a build without a feature: the same types once more.
        let stands_in = file.ends_with("absent.rs");
        let Some((member, _)) = file.split_once("/src/").filter(|_| !stands_in) else { continue };
        if file.contains("/tests/") || file.ends_with("tests.rs") {
            continue;
        }
        let source = read(&file);
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for name in code.lines().filter_map(declared_type) {
            let of_member = out.entry(member.to_owned()).or_default();
            of_member.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    out
}

#[test]
fn a_declaration_is_found_in_a_line() {
    assert_eq!(declared_type("pub(crate) struct KernelHead {"), Some("KernelHead"));
    assert_eq!(declared_type("    pub trait Pod: Copy {"), Some("Pod"));
    assert_eq!(declared_type("enum CodeKind<T> {"), Some("CodeKind"));
    assert_eq!(declared_type("    structure: u32,"), None);
    assert_eq!(declared_type("/// struct Kernel"), None);
}

#[test]
fn a_types_name_is_unique_in_its_crate() {
    let mut breaches = Vec::new();
    for (member, types) in declared_types() {
        for (name, places) in types.iter().filter(|(name, places)| places.len() > 1 && !SHARED.contains(&name.as_str()))
        {
            breaches.push(format!("{member}: `{name}` is declared in {}", places.join(" and ")));
        }
    }
    no_breach("A type's name is unique in its crate: give the others names of two words that grep:", &breaches);
}

#[test]
fn few_types_of_two_crates_share_a_name() {
    let all = declared_types();
    let mut members: BTreeMap<&str, usize> = BTreeMap::new();
    for name in all.values().flat_map(BTreeMap::keys) {
        *members.entry(name).or_default() += 1;
    }
    let total: usize = members.values().sum();
    let shared: Vec<(&str, usize)> = members.into_iter().filter(|(_, members)| *members > 1).collect();
    let count: usize = shared.iter().map(|(_, members)| members).sum();
    assert!(total > 900, "only {total} types are found");
    assert!(
        count * 100 <= total * MOST_SHARED,
        "{count} of {total} types share their name with a type of another crate, more than {MOST_SHARED} %: {}",
        shared.iter().map(|(name, members)| format!("{name} ({members})")).collect::<Vec<_>>().join(", ")
    );
}
