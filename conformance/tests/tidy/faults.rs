//! Planted faults: each has its place in the sources.

use tilewise_ir::fault::Fault;

use super::{files, read};

#[test]
fn each_fault_is_planted_somewhere() {
    let texts: Vec<String> = files(".", "rs")
        .into_iter()
        .filter(|path| !path.starts_with("ir/src/fault/"))
        .map(|path| read(&path))
        .collect();
    let named = |fault: &Fault| {
        let name = format!("Fault::{fault:?}");
        let is_whole = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
        texts.iter().any(|text| text.split(&name).skip(1).any(is_whole))
    };
    let missing: Vec<String> = Fault::ALL.iter().filter(|fault| !named(fault)).map(|fault| fault.name()).collect();
    assert!(missing.is_empty(), "these faults have no place: {missing:?}");
}
