//! The examples of `docs/ir.md` are kernels.

use tilewise_ir::text;

#[test]
fn every_kir_block_of_the_language_page_parses_and_comes_back() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/ir.md");
    let page = std::fs::read_to_string(page).expect("docs/ir.md is there");
    let mut blocks = 0;
    for block in page.split("```kir\n").skip(1) {
        let code = block.split("```").next().unwrap_or("");
        let kernels = text::parse_all("docs/ir.md", code).unwrap_or_else(|failure| panic!("{failure}\nin\n{code}"));
        for kernel in kernels {
            let printed = text::print(&kernel);
            let again = text::parse("printed", &printed).unwrap_or_else(|failure| panic!("{failure}\nin\n{printed}"));
            assert_eq!(kernel, again, "reading back\n{printed}");
        }
        blocks += 1;
    }
    assert!(blocks >= 2, "the page has examples");
}
