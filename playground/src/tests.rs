//! What the page gets for the examples, for wrong texts and for endless kernels.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tilewise_header::scan;

use crate::answer::{PageMessage, RunVerdict};
use crate::{EXAMPLES, FUEL, MAX_BYTES, TextAnswer, TextLanguage, border, run_text};

fn example(path: &str) -> (&'static str, TextAnswer) {
    let example = EXAMPLES.iter().find(|example| example.path == path).expect("it is an example");
    (example.text, run_text(example.language(), example.text))
}

/// The places of the errors, of all runs.
fn places(answer: &TextAnswer) -> Vec<(&str, u32)> {
    let reports = answer.runs.iter().flat_map(|run| &run.reports);
    let errors = answer.diagnostics.iter().chain(reports).filter(|message| message.severity == "error");
    errors.map(|message| (message.code.as_str(), message.place.line)).collect()
}

/// The line above the annotation of a name or error.
fn marked(text: &str, words: &str) -> u32 {
    let line = text.lines().position(|line| line.starts_with("//") && line.contains('^') && line.contains(words));
    line.expect("the text has this mark") as u32
}

#[test]
fn every_example_gives_what_its_file_expects() {
    for example in EXAMPLES {
        let answer = run_text(example.language(), example.text);
        let (scanned, complaints) = scan::scan(example.text);
        assert_eq!(complaints, [], "{}", example.path);
        let wrong: Vec<_> = answer.runs.iter().flat_map(|run| &run.results).flat_map(|table| &table.wrong).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", example.path);
        let expects_error = scanned.annotations.iter().any(|annotation| annotation.text.starts_with("error["));
        assert_eq!(answer.outcome == RunVerdict::Rejected, expects_error, "{}: {answer:?}", example.path);
        for run in &answer.runs {
            let expected = example.text.lines().filter(|line| line.starts_with("//! expect report")).count();
            // Files that do not list the checks expect reports of races only, and the page has all checks.
            assert!(run.reports.len() >= expected, "{}: {:?}", example.path, run.reports);
        }
    }
    assert!(EXAMPLES.len() >= 12, "the list of examples is complete");
}

/// The files of the suite below a folder.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

#[test]
fn every_file_of_the_suite_runs_unchanged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/kernels");
    let mut all = Vec::new();
    files(&root, &mut all);
    let mut count = 0;
    for path in all {
        let language = match path.extension().and_then(|extension| extension.to_str()) {
            Some("kir") => TextLanguage::Kir,
            Some("wgsl") => TextLanguage::Wgsl,
            _ => continue,
        };
        let text = fs::read_to_string(&path).expect("it is a text");
        let answer = run_text(language, &text);
        let wrong: Vec<_> = answer.runs.iter().flat_map(|run| &run.results).flat_map(|table| &table.wrong).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        let expects_error = text.contains("error[");
        assert_eq!(answer.outcome == RunVerdict::Rejected, expects_error, "{}: {answer:?}", path.display());
        count += 1;
    }
    assert!(count > 700, "only {count} files are found");
}

#[test]
fn an_example_without_mistakes_is_clean_and_has_its_results() {
    let (_, answer) = example("sync/tile_sum.kir");
    assert_eq!((answer.outcome, answer.diagnostics.len()), (RunVerdict::Clean, 0));
    let sums = answer.runs[0].results.iter().find(|table| table.name == "sums").expect("it has sums");
    assert_eq!((sums.values.as_slice(), sums.shape.as_slice()), (&["36".to_owned(), "100".to_owned()][..], &[2][..]));
    assert!(sums.writable && sums.expected && sums.wrong.is_empty());
    assert_eq!(sums.changed, [0, 1]);
    let (_, answer) = example("shaders/sync/reduction.wgsl");
    assert_eq!(answer.outcome, RunVerdict::Clean);
}

#[test]
fn a_race_is_reported_at_both_its_lines() {
    for path in ["checks/race_without_a_barrier.kir", "shaders/sync/missing_barrier.wgsl"] {
        let (text, answer) = example(path);
        assert_eq!(answer.outcome, RunVerdict::Reported, "{path}");
        let race = &answer.runs[0].reports[0];
        let lines: Vec<u32> = race.labels.iter().map(|label| label.place.line).collect();
        assert_eq!(lines, [marked(text, "#a"), marked(text, "#b")], "{path}");
        assert_eq!((race.code.as_str(), race.place.line), ("K0802", marked(text, "#a")), "{path}");
        assert!(race.rendered.starts_with("error[K0802]: a data race on"), "{}", race.rendered);
    }
}

#[test]
fn reports_of_shaders_are_in_words_of_shaders() {
    let (_, answer) = example("shaders/sync/missing_barrier.wgsl");
    let PageMessage { message, help, .. } = &answer.runs[0].reports[0];
    assert_eq!(message, "a data race on `row[4]` between invocations of a workgroup");
    assert!(help[0].contains("workgroupBarrier"), "{help:?}");
}

#[test]
fn each_kind_of_mistake_is_reported_at_its_line() {
    let (text, answer) = example("checks/uninitialised_tile_static.kir");
    assert_eq!(places(&answer), [("K0804", marked(text, "#a"))]);
    let (text, answer) = example("sync/divergence_reported.kir");
    assert_eq!((answer.outcome, places(&answer)), (RunVerdict::Diverged, vec![("K0803", marked(text, "#a"))]));
    let (text, answer) = example("checks/out_of_range_of_each_kind.kir");
    assert_eq!(places(&answer)[0], ("K0801", marked(text, "#a")));
    let (text, answer) = example("shaders/errors/type_mismatch.wgsl");
    assert_eq!((answer.outcome, places(&answer)), (RunVerdict::Rejected, vec![("K0901", marked(text, "error["))]));
    let (_, answer) = example("shaders/memory/out_of_range.wgsl");
    assert_eq!(answer.outcome, RunVerdict::Reported);
    assert!(places(&answer).iter().all(|&(code, line)| (code, line) == ("K0801", 10)), "{:?}", places(&answer));
}

#[test]
fn printed_lines_come_with_their_threads() {
    let (_, answer) = example("endings/print_lines.kir");
    let printed = &answer.runs[0].printed;
    assert_eq!((printed.len(), printed[3].thread, printed[3].text.as_str()), (4, 1, "{1} 1.5"));
}

#[test]
fn a_wrong_text_gives_its_line() {
    let broken = "//! domain 1\n\nkernel f(out: view<i32, 1 read_write>) rank(1) { }\n";
    let answer = run_text(TextLanguage::Kir, broken);
    assert_eq!((answer.outcome, places(&answer)), (RunVerdict::Rejected, vec![("K0001", 3)]));
    let header = "//! domain 1\n//! nobody = 3\nkernel f() rank(1) { }\n";
    assert_eq!(places(&run_text(TextLanguage::Kir, header)), [("", 2)]);
    let entry = "//! domain 1\n//! sometimes\nkernel f() rank(1) { }\n";
    assert_eq!(places(&run_text(TextLanguage::Kir, entry)), [("", 2)]);
    let shader = "// A comment.\nfn f() { let x = 1 }\n";
    assert_eq!(places(&run_text(TextLanguage::Wgsl, shader)), [("K0901", 2)]);
    for language in [TextLanguage::Kir, TextLanguage::Wgsl] {
        assert_eq!(run_text(language, "").outcome, RunVerdict::Rejected);
        assert_eq!(run_text(language, "\0\u{feff}😀 \r\n").outcome, RunVerdict::Rejected);
    }
}

#[test]
fn a_place_counts_characters_with_line_ends_of_windows_too() {
    let text = "//! domain 1\n//! v: [2] = zero\nkernel f(v: view<i32, 1, read_write>) rank(1) {\n    v[2] = 1;\n}\n";
    let text = &text.replace('\n', "\r\n");
    let report = &run_text(TextLanguage::Kir, text).runs[0].reports[0];
    assert_eq!((report.place.line, report.place.column, report.place.length), (4, 5, 8));
}

#[test]
fn a_text_without_a_launch_gets_lines_that_launch_it() {
    let kernel = "kernel scale(v: view<f32, 2, read_write>, by: view<f32, 1, read>, n: f32) tile(2, 4) {
    v[global[0], global[1]] = v[global[0], global[1]] * by[global[0]] * n;
}
";
    let answer = run_text(TextLanguage::Kir, kernel);
    assert_eq!((answer.outcome, answer.diagnostics.len()), (RunVerdict::Unlaunched, 0));
    let lines = answer.suggestion.expect("there is one");
    assert_eq!(lines, "//! domain 16x4\n//! v: [8, 8] = zero\n//! by: [64] = iota\n//! n = 1\n");
    assert_eq!(run_text(TextLanguage::Kir, &(lines + kernel)).runs.len(), 1);
    // Every shader of the suite that is an example.
    for example in EXAMPLES.iter().filter(|example| example.language() == TextLanguage::Wgsl) {
        let bare: String =
            example.text.lines().filter(|line| !line.starts_with("//!")).map(|line| format!("{line}\n")).collect();
        let answer = run_text(TextLanguage::Wgsl, &bare);
        let Some(lines) = answer.suggestion else {
            assert_eq!(answer.outcome, RunVerdict::Rejected, "{}", example.path);
            continue;
        };
        let again = run_text(TextLanguage::Wgsl, &format!("{lines}{bare}"));
        assert!(matches!(again.outcome, RunVerdict::Clean | RunVerdict::Reported), "{}: {again:?}", example.path);
    }
}

#[test]
fn an_endless_kernel_ends_by_fuel() {
    let (_, answer) = example("control/infinite_loop_runs_out_of_fuel.kir");
    assert_eq!(answer.outcome, RunVerdict::OutOfFuel);
    assert_eq!(answer.runs[0].summary, "stopped after 10000 instructions; results are those written until then");
    // A header may lower the limit, not raise it; runs share it.
    let text = "//! domain 1\n//! fuel 1000000000000\n//! run a\n//! run b\n\
        kernel f() rank(1) { var i: i32 = 0; while i >= 0 { i = (i + 1) & 7; } }\n";
    let answer = run_text(TextLanguage::Kir, text);
    assert_eq!(answer.outcome, RunVerdict::OutOfFuel);
    let instructions: u64 = answer.runs.iter().map(|run| run.instructions).sum();
    assert!(answer.runs.len() == 2 && instructions <= FUEL, "{instructions}");
}

#[test]
fn what_is_too_large_is_refused() {
    let long = " ".repeat(MAX_BYTES + 1);
    let answer = run_text(TextLanguage::Kir, &long);
    assert!(answer.diagnostics[0].message.contains("262144"), "{answer:?}");
    let wide = "//! domain 1\n//! v: [2000, 2000] = zero\nkernel f(v: view<i32, 2, read>) rank(1) { }\n";
    assert_eq!(places(&run_text(TextLanguage::Kir, wide)), [("", 2)]);
}

#[test]
fn results_beyond_what_is_shown_are_counted() {
    let text = "//! domain 2000\n//! v: [2000] = iota\nkernel f(v: view<i32, 1, read_write>) rank(1) {
    v[global[0]] = v[global[0]] + 1;
    print(\"{}\", global[0]);
}
";
    let run = &run_text(TextLanguage::Kir, text).runs[0];
    let table = &run.results[0];
    assert_eq!((table.values.len(), table.more), (1024, 976));
    assert_eq!((table.changed.len(), table.changed_count), (1024, 2000));
    assert!(run.printed.len() == 1000 && run.lost > 0);
}

#[test]
fn contents_that_are_not_as_expected_are_named() {
    let text = "//! domain 2\n//! v: [2] = 1 2\n//! expect v = 2 5\nkernel f(v: view<f32, 1, read_write>) rank(1) {
    v[global[0]] = v[global[0]] * 2.0;
}
";
    let answer = run_text(TextLanguage::Kir, text);
    let wrong = &answer.runs[0].results[0].wrong;
    assert_eq!(answer.outcome, RunVerdict::Different);
    assert_eq!((wrong.len(), wrong[0].index, wrong[0].expected.as_str()), (1, 1, "5.0"));
    // Behind those that are shown, too.
    let text = "//! domain 1\n//! v: [3000] = zero\n//! expect v = 2998*0 7 0\n\
        kernel f(v: view<i32, 1, read_write>) rank(1) { v[2998] = 8; }\n";
    let answer = run_text(TextLanguage::Kir, text);
    let table = &answer.runs[0].results[0];
    assert_eq!((answer.outcome, table.changed_count, table.wrong_count), (RunVerdict::Different, 1, 1));
    assert_eq!((table.wrong[0].index, table.wrong[0].expected.as_str()), (2998, "7"));
}

#[test]
fn answers_are_json_with_the_fields_that_the_page_reads() {
    for example in EXAMPLES {
        let answer = run_text(example.language(), example.text);
        let text = serde_json::to_string(&answer).expect("it is JSON");
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        let mut messages = value["diagnostics"].as_array().expect("a list").clone();
        for run in value["runs"].as_array().expect("a list") {
            messages.extend(run["reports"].as_array().expect("a list").iter().cloned());
            assert!(run["summary"].is_string() && run["printed"].is_array() && run["results"].is_array());
        }
        for message in messages {
            assert!(message["line"].is_u64() && message["column"].is_u64() && message["length"].is_u64());
            assert!(message["labels"].is_array() && message["help"].is_array() && message["rendered"].is_string());
        }
        assert!(value["outcome"].is_string());
    }
}

#[test]
fn the_examples_cross_the_border() {
    border::tilewise_examples();
    assert!(border::tilewise_answer_length() > 1000);
    assert_eq!(border::tilewise_longest(), MAX_BYTES);
    // An empty request is an empty text.
    border::tilewise_request(0);
    border::tilewise_run(0);
    assert!(border::tilewise_answer_length() > 100);
}
