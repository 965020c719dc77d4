//! `tilewise verify` with cases that crash or do not end: each is a failure of its own, and the others
//! are judged.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

/// An empty folder; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("isolation").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Exit code, standard output, and the report for programs.
fn verify(name: &str, provoked: &str, arguments: &[&str]) -> (Option<i32>, String, serde_json::Value) {
    let folder = folder(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.arg("verify").args(arguments).args(["--no-html", "--json", "r.json"]);
    let output = command.current_dir(&folder).env("TILEWISE_PROVOKE", provoked).output().expect("the program runs");
    let report = fs::read_to_string(folder.join("r.json")).expect("the report was written");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), out, serde_json::from_str(&report).expect("it is JSON"))
}

const CASE: &str = "barriers/aborted_threads_in_a_loop.kir";

/// The cases of a report that do not pass.
fn not_passed(report: &serde_json::Value) -> Vec<(String, String)> {
    let text = |case: &serde_json::Value, key: &str| case[key].as_str().unwrap_or_default().to_owned();
    let cases = report["cases"].as_array().expect("a list").iter();
    let wrong = cases.filter(|case| case["verdict"] != "pass");
    wrong.map(|case| (format!("{}@{}", text(case, "name"), text(case, "target")), text(case, "reason"))).collect()
}

#[cfg(debug_assertions)]
#[test]
fn a_case_that_ends_its_process_fails_alone() {
    for (how, ending) in [
        ("abort", if cfg!(unix) { "SIGABRT" } else { "process" }),
        ("exit", "its process ended with exit code 7"),
        ("overflow", if cfg!(unix) { "has overflowed its stack" } else { "stack overflow" }),
    ] {
        let provoked = format!("{how}:{CASE}@jit");
        let (code, out, report) = verify(how, &provoked, &["barriers/*", "--target", "reference,jit"]);
        assert_eq!(code, Some(1), "{out}");
        let wrong = not_passed(&report);
        assert_eq!(wrong.len(), 1, "{how}: {wrong:?}");
        assert_eq!(wrong[0].0, format!("{CASE}@jit"));
        assert!(wrong[0].1.contains(ending) && wrong[0].1.contains("process"), "{how}: {}", wrong[0].1);
        assert!(out.contains(&format!("repeat: tilewise verify {CASE} --target jit")), "{out}");
        let (pass, cases) = (&report["total"]["pass"], report["cases"].as_array().expect("a list").len());
        assert_eq!(pass, cases - 1, "the others are judged");
        assert!(cases > 8, "{cases}");
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_case_that_does_not_end_fails_at_its_limit() {
    let begin = Instant::now();
    let arguments = ["barriers/a*", "--target", "reference", "--limit", "3"];
    let (code, out, report) = verify("hang", &format!("hang:{CASE}@reference"), &arguments);
    assert_eq!(code, Some(1), "{out}");
    let wrong = not_passed(&report);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].1.contains("it did not end within 3 s"), "{}", wrong[0].1);
    assert!(report["total"]["pass"].as_u64() > Some(1), "the others are judged: {out}");
    assert!(begin.elapsed() > Duration::from_secs(3));
}

#[cfg(debug_assertions)]
#[test]
fn a_crash_ends_a_run_that_stops_at_the_first_failure() {
    let arguments = ["barriers/*", "--target", "reference", "--fail-fast"];
    let all = verify("all", "", &arguments).2;
    let first = all["cases"][0]["name"].as_str().expect("a name").to_owned();
    let (code, out, report) = verify("fail_fast", &format!("abort:{first}@reference"), &arguments);
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(not_passed(&report).len(), 1, "{out}");
    let [judged, all] = [&report, &all].map(|report| report["cases"].as_array().expect("a list").len());
    assert!(judged < all, "{judged} of {all} were judged");
}

#[cfg(debug_assertions)]
#[test]
fn a_check_of_the_library_that_crashes_fails_alone() {
    let check = "library/a_section_shares_the_elements_of_its_view";
    let (code, out, report) = verify("library", &format!("abort:{check}@native"), &["library/a_*"]);
    assert_eq!(code, Some(1), "{out}");
    let wrong = not_passed(&report);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!(wrong[0].0, format!("{check}@native"));
    assert!(report["total"]["pass"].as_u64() > Some(1), "{out}");
}

#[test]
fn verdicts_are_the_same_with_and_without_processes() {
    let arguments = ["divergence/*", "--target", "reference,jit-avx512,gpu-strict"];
    let (code, _, isolated) = verify("processes", "", &arguments);
    let (same_code, _, here) = verify("no_processes", "", &[&arguments[..], &["--no-isolate"]].concat());
    assert_eq!(code, same_code);
    let cases = |mut report: serde_json::Value| {
        let cases = report["cases"].as_array_mut().expect("a list");
        cases.iter_mut().for_each(|case| case["seconds"] = 0.into());
        report["cases"].take()
    };
    assert_eq!(cases(isolated), cases(here));
}
