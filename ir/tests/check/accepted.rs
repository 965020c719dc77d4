//! Whole kernels that are accepted, among them all of the language page.

use super::accept;

#[test]
fn the_kernels_of_the_language_page() {
    let page = include_str!("../../../docs/ir.md");
    let mut kernels = 0;
    let mut structs = String::new();
    for block in page.split("```kir\n").skip(1) {
        let text = block.split("```").next().unwrap();
        accept(&format!("{structs}{text}"));
        kernels += 1;
        structs.clear();
    }
    assert!(kernels >= 2, "{kernels} kernels on the page");
}
