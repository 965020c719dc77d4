//! The body of the fuzz target `run`, on texts that crashed once and on one that is a kernel: what
//! changes here must not leave it behind.

#[path = "../../ir/fuzz/run_text.rs"]
mod run_text;

use std::fs;
use std::path::Path;

use run_text::run_text;

#[test]
fn texts_that_crashed_once_are_refused_or_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/tests/crashes");
    let texts: Vec<String> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| fs::read_to_string(entry.expect("it can be read").path()).expect("it is text"))
        .collect();
    assert!(!texts.is_empty(), "the folder holds at least one text");
    for text in texts {
        run_text(&text);
    }
}

#[test]
fn a_kernel_with_each_kind_of_parameter_is_run() {
    let kernel = "kernel k(v: view<i32, 2, read_write>, b: buffer<u32, read>, n: i32) rank(1) {
        v[global[0], 0] = n + bitcast_i32(b);
    }";
    assert!(!run_text("kernel"), "it is no kernel");
    assert!(run_text(kernel), "it is one");
}
