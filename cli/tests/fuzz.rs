//! `tilewise fuzz` as its users meet it.

use std::path::Path;
use std::process::Command;

fn fuzz(args: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tilewise")).arg("fuzz").args(args).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_run_ends_with_a_table_and_writes_its_report() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz.json");
    let path = file.to_string_lossy().into_owned();
    let (code, out, err) = fuzz(&["--kernels", "20", "--seed", "5", "--target", "reference", "--json", &path]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("operation") && out.contains("passed: 20 kernels"), "{out}");
    let report = std::fs::read_to_string(&file).expect("the report was written");
    assert!(report.contains("\"kernels\": 20") && report.contains("\"failures\": []"), "{report}");
}

#[test]
fn all_targets_are_compared_unless_some_are_named_and_the_share_in_lanes_is_told() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-all.json");
    let path = file.to_string_lossy().into_owned();
    let (code, out, err) = fuzz(&["--kernels", "60", "--no-coverage", "--jobs", "2", "--json", &path]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("passed: 60 kernels") && out.contains("in lanes: ") && out.contains(" completed, "), "{out}");
    let report = std::fs::read_to_string(&file).expect("the report was written");
    for target in ["reference", "lanes-8", "lanes-16", "jit"] {
        assert!(report.contains(&format!("\"{target}\"")), "{report}");
    }
    assert!(report.contains("\"not_run\": []"), "{report}");
}

#[test]
fn the_case_of_a_seed_can_be_printed() {
    let (code, out, _) = fuzz(&["--seed", "3", "--print"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("// Seed 3\n//! domain ") && out.contains("\nkernel fuzzed("), "{out}");
}

#[test]
fn a_time_without_unit_is_explained() {
    let (code, _, err) = fuzz(&["--time", "60"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("as in 60s"), "{err}");
}

#[test]
fn a_run_of_no_kernels_is_no_success() {
    assert_eq!(fuzz(&["--kernels", "0"]).0, Some(1));
}
