//! Rules that hold for the repository as a whole. Each failure says what to do.
//!
//! `manifests`: crates and dependencies. `sources`: Rust files. `matches`: catch-all arms.
//! `names`: one name, one type. `rustdoc`: examples and names of the library. `pages`: what documentation says and shows.
//! `book`: its table of contents and its links.
//! `coverage`: tests of each item of C++ AMP. `codes`: error codes, their pages and file
//! tests. `faults`: planted faults. Blocks of commands in documentation are run by the tests of `cli`, which has the program.

mod book;
mod codes;
mod coverage;
mod faults;
mod licences;
mod manifests;
mod mapping;
mod matches;
mod names;
mod pages;
mod rustdoc;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in a workspace")
}

/// A file of the repository.
fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files of the repository below `folder` that end in `.extension`, by their paths from the root; what is hidden or built is left out.
fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let path = path.strip_prefix(root()).expect("it was found below the root");
                out.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    out.sort();
    out
}

/// The pages of documentation.
fn documents() -> Vec<String> {
    let mut out = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "CHANGELOG.md".to_owned()];
    out.extend(files("docs", "md"));
    out
}

/// Fails with all breaches of a rule, and what to do about them.
fn no_breach(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}\n  {}\n", breaches.join("\n  "));
}
