//! `docs/ops.md` is what the op table says.

use std::fs;
use std::path::Path;

#[test]
fn the_page_of_operations_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ops.md");
    let wanted = tilewise_ir::ops::markdown();
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, wanted).expect("docs/ops.md can be written");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let line = found.lines().zip(wanted.lines()).take_while(|(found, wanted)| found == wanted).count() + 1;
    assert!(
        found == wanted,
        "docs/ops.md differs from the op table from line {line} on; run `BLESS=1 cargo test -p tilewise-ir --test ops_page` to write it anew"
    );
}
