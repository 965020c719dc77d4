//! `tilewise list`, `repro` and `diff`, and the report for continuous integration.

mod program_runs;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;

use program_runs::tilewise;

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    program_runs::folder("suite_commands", name)
}

#[test]
fn cases_are_listed_with_targets_and_descriptions() {
    let folder = folder("list");
    let (code, out, _) = tilewise(&folder, &["list", "sync/tile_sum.kir"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("sync/tile_sum.kir: A reduction over a tile"), "{out}");
    assert!(out.contains("\n  on reference, lanes-8, lanes-16, jit,"), "{out}");
    let (_, out, _) = tilewise(&folder, &["list", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let all = all.as_array().expect("a list");
    assert!(all.len() > 700, "{}", all.len());
    for test in all {
        assert!(test["description"].as_str().is_some_and(|text| !text.is_empty()), "{test}");
        assert!(test["targets"].as_array().is_some_and(|targets| !targets.is_empty()), "{test}");
    }
    let (code, _, err) = tilewise(&folder, &["list", "no/such"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("no case matches `no/such`"), "{err}");
}

#[test]
fn one_case_is_repeated_with_its_kernel() {
    let folder = folder("repro");
    let (code, out, _) = tilewise(&folder, &["repro", "sync/tile_sum.kir@jit"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("//! input: [16] = iota 1\n") && out.contains("\npass: all results"), "{out}");
    let check = "library/a_section_shares_the_elements_of_its_view@native";
    assert_eq!(tilewise(&folder, &["repro", check]).0, Some(0));
    for wrong in ["sync/tile_sum.kir", "sync/tile_sum.kir@gpu", "sync/none.kir@jit", "library/none@jit"] {
        let (code, _, err) = tilewise(&folder, &["repro", wrong]);
        assert_eq!(code, Some(2), "{wrong}");
        assert!(err.contains(wrong) && err.contains("`tilewise list` shows all cases"), "{err}");
    }
}

#[test]
fn the_cases_of_a_list_run_and_no_others() {
    let folder = folder("cases");
    let run = |text: &str| {
        fs::write(folder.join("cases.txt"), text).expect("the list can be written");
        tilewise(&folder, &["verify", "--no-html", "--cases", "cases.txt"])
    };
    let check = "library/a_section_shares_the_elements_of_its_view@native";
    let (code, out, err) = run(&format!("# two\nsync/tile_sum.kir@jit # a file test\n\n{check}\n"));
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("passed: 2 pass, 0 fail,"), "{out}");
    for (text, told) in [
        ("sync/tile_sum.kir@jit\nsync/none.kir@jit\n", "line 2 of `cases.txt`: there is no such case"),
        ("\n\nsync/tile_sum.kir\n", "line 3 of `cases.txt`: there is no `@`: `sync/tile_sum.kir`"),
        ("# nothing\n", "`cases.txt` lists no case"),
    ] {
        let (code, _, err) = run(text);
        assert_eq!(code, Some(2), "{text}: {err}");
        assert!(err.contains(told), "{err}");
    }
    let (code, _, err) = tilewise(&folder, &["verify", "--no-html", "--cases", "none.txt"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("cannot read `none.txt`"), "{err}");
}

#[test]
fn the_page_of_litmus_tests_has_columns_of_other_machines() {
    let folder = folder("litmus");
    let run = |more: &[&str]| {
        tilewise(&folder, &[&["litmus", "mp/tile/global/none", "--time", "1s", "--target", "jit"], more].concat())
    };
    let (code, out, err) = run(&["--json", "other.json"]);
    assert_eq!(code, Some(0), "{out}{err}");
    let other = fs::read_to_string(folder.join("other.json")).expect("the report was written");
    let other: serde_json::Value = serde_json::from_str(&other).expect("it is JSON");
    let instances = &other["tests"][0]["instances"];
    assert_eq!(run(&["--page", "page.md", "--include", "other.json"]).0, Some(0));
    let page = fs::read_to_string(folder.join("page.md")).expect("the page was written");
    let row = page.lines().find(|line| line.starts_with("| `mp/tile/global/none` |")).expect("a row");
    let title = format!("| jit | jit, {} |", other["host"]["cpu"].as_str().expect("a name"));
    assert!(page.contains(&title) && page.contains("Columns behind them are of other machines."), "{page}");
    assert!(row.contains(&format!("| {instances}: ")) && row.ends_with("0 forbidden |"), "{row}");
    fs::write(folder.join("wrong.json"), "{}").expect("it can be written");
    let (code, _, err) = run(&["--page", "page.md", "--include", "wrong.json"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`--include`: `wrong.json` is no report of litmus tests: missing field `host`"), "{err}");
}

/// A report with these cases: name, verdict, seconds.
fn report(path: &Path, cases: &[(&str, &str, f64)]) {
    let cases: Vec<serde_json::Value> = cases
        .iter()
        .map(|(name, verdict, seconds)| {
            serde_json::json!({"name": name, "group": "g", "target": "jit", "verdict": verdict, "seconds": seconds})
        })
        .collect();
    fs::write(path, serde_json::json!({"schema": 1, "cases": cases}).to_string()).expect("it can be written");
}

#[test]
fn changes_between_reports_are_told_by_kind() {
    let folder = folder("diff");
    let old = [("a", "pass", 0.1), ("b", "fail", 0.1), ("c", "pass", 0.1), ("d", "pass", 0.1), ("e", "pass", 0.1)];
    report(&folder.join("old.json"), &old);
    let new = [("a", "fail", 0.1), ("b", "pass", 0.1), ("c", "not-run", 0.0), ("e", "pass", 2.0), ("f", "pass", 0.1)];
    report(&folder.join("new.json"), &new);
    let (code, out, _) = tilewise(&folder, &["diff", "old.json", "new.json"]);
    assert_eq!(code, Some(1));
    expect![[r"
        newly failing: 1
          a@jit: fail, was pass
        removed: 1
          d@jit: was pass
        newly not run: 1
          c@jit: not-run, was pass
        fixed: 1
          b@jit: pass, was fail
        added: 1
          f@jit: pass
        slower by a lot: 1
          e@jit: 2.00 s, was 0.10 s
        worse: 5 cases before, 5 now
    "]]
    .assert_eq(&out);
    let (code, out, _) = tilewise(&folder, &["diff", "old.json", "old.json"]);
    assert_eq!((code, out.as_str()), (Some(0), "same: 5 cases before, 5 now\n"));
    report(&folder.join("better.json"), &[old[0], ("b", "pass", 0.1), old[2], old[3], old[4]]);
    assert_eq!(tilewise(&folder, &["diff", "old.json", "better.json"]).0, Some(0));
    fs::write(folder.join("other.json"), "{\"schema\": 9, \"cases\": []}").expect("it can be written");
    fs::write(folder.join("none.json"), "[]").expect("it can be written");
    for (wrong, why) in [("other.json", "version 9"), ("none.json", "is no report"), ("missing.json", "cannot read")] {
        let (code, _, err) = tilewise(&folder, &["diff", "old.json", wrong]);
        assert_eq!(code, Some(2), "{wrong}");
        assert!(err.contains(why) && err.contains("help: "), "{err}");
    }
}

#[test]
fn a_case_that_is_only_near_now_is_worse_than_an_exact_one() {
    let folder = folder("diff_near");
    let write = |name: &str, near: bool, tolerance: serde_json::Value| {
        let case = serde_json::json!({
            "name": "a", "group": "g", "target": "jit", "verdict": "pass", "within_tolerance": near, "seconds": 0.1
        });
        let report = serde_json::json!({"schema": 1, "tolerance": tolerance, "cases": [case]});
        fs::write(folder.join(name), report.to_string()).expect("it can be written");
    };
    write("exact.json", false, serde_json::Value::Null);
    write("near.json", true, serde_json::json!({"absolute": 0.001, "relative": 0.0}));
    let (code, out, _) = tilewise(&folder, &["diff", "exact.json", "near.json"]);
    assert_eq!(code, Some(1));
    expect![[r"
        other tolerance: 0.001 and 0 of the number, was no tolerance
        newly only within the tolerance: 1
          a@jit
        worse: 1 cases before, 1 now
    "]]
    .assert_eq(&out);
    let (code, out, _) = tilewise(&folder, &["diff", "near.json", "exact.json"]);
    assert!(code == Some(0) && out.contains("newly exact: 1\n  a@jit\n"), "{out}");
}

#[test]
fn verify_writes_reports_that_diff_and_continuous_integration_read() {
    let folder = folder("reports");
    let arguments = ["verify", "sync/*", "--target", "reference,jit", "--json", "r.json", "--junit", "r.xml"];
    assert_eq!(tilewise(&folder, &arguments).0, Some(0));
    assert_eq!(tilewise(&folder, &["diff", "r.json", "r.json"]).0, Some(0));
    let xml = fs::read_to_string(folder.join("r.xml")).expect("it was written");
    assert!(xml.contains("<testsuite name=\"jit\" tests=\"") && xml.ends_with("</testsuites>\n"), "{xml}");
    assert!(xml.contains("<testcase classname=\"reference.sync\" name=\"sync/tile_sum.kir\""), "{xml}");
    let (code, _, err) = tilewise(&folder, &["verify", "sync/*", "--json", "r", "--junit", "r"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`--json` and `--junit` both write to "), "{err}");
    // A terminal obeys some characters, which a report of somebody else's may have.
    let text = fs::read_to_string(folder.join("r.json")).expect("it was written");
    let foreign = text.replacen("sync/tile_sum.kir", "sync/\\u001b[2Jsum.kir", 1);
    fs::write(folder.join("foreign.json"), foreign).expect("the folder can be written");
    let (_, out, err) = tilewise(&folder, &["diff", "r.json", "foreign.json"]);
    assert!(out.contains("sync/\u{fffd}[2Jsum.kir@"), "{out}{err}");
    assert!(!out.contains(|c: char| c.is_control() && c != '\n'), "{out:?}");
    // A file that was meant, and is not there.
    let (code, _, err) = tilewise(&folder, &["verify", "none.kir"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("cannot read `none.kir`"), "{err}");
}

#[test]
fn what_is_no_file_is_told_and_no_case_of_the_suite_runs_instead() {
    let folder = folder("no_files");
    fs::create_dir_all(folder.join("folder.kir")).expect("a folder can be made");
    #[cfg(unix)]
    if !folder.join("loop.kir").is_symlink() {
        std::os::unix::fs::symlink("loop.kir", folder.join("loop.kir")).expect("a link can be made");
    }
    let mut wrong =
        vec![("folder.kir", "`folder.kir` is a folder"), (".", "`.` is a folder"), ("..", "`..` is a folder")];
    if cfg!(unix) {
        wrong.push(("loop.kir", "cannot read `loop.kir`"));
    }
    for (name, told) in wrong {
        let (code, out, err) = tilewise(&folder, &["verify", "--target", "jit", name]);
        assert_eq!((code, &*out), (Some(2), ""), "{name}: {err}");
        assert!(err.contains(told), "{name}: {err}");
    }
    fs::write(folder.join("kernel.kir"), "kernel k() over (i: index<1>) {}\n").expect("a file can be written");
    let (code, out, _) = tilewise(&folder, &["corpus", "kernel.kir"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`tilewise verify kernel.kir` runs it") && !out.contains("global item"), "{out}");
}

#[test]
fn the_workflow_of_the_page_on_drivers_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in a workspace");
    let page = fs::read_to_string(root.join("docs/test-your-driver.md")).expect("the page can be read");
    let workflow = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it has a workflow");
    assert!(workflow.starts_with("name: ") && !workflow.contains('\t'), "{workflow}");
    let command = workflow.split("target/release/tilewise ").nth(1).and_then(|rest| rest.split("- uses").next());
    let mut arguments: Vec<&str> = command.expect("it runs the program").split_whitespace().collect();
    assert_eq!(arguments[0], "verify");
    arguments.insert(1, "sync/*");
    let folder = folder("workflow");
    // A machine may lack the GPU that the command names.
    let (code, out, err) = tilewise(&folder, &arguments);
    assert!(matches!(code, Some(0 | 1)) && out.contains(", 0 fail,"), "{out}{err}");
    for report in ["report.html", "report.json", "report.xml"] {
        assert!(folder.join(report).is_file(), "{report}");
    }
}

#[test]
fn floats_of_the_suite_may_differ_by_a_tolerance_and_integers_may_not() {
    let folder = folder("tolerance");
    let kernel = |wrong: &str, number: u32| {
        format!(
            "// A sum.\n//! domain 1\n//! f: [2] = 1.0 2.0\n//! n: [1] = 7\n//! expect f = 1.5 {wrong}\n\
             //! expect n = {number}\nkernel k(f: view<f32, 1, read_write>, n: view<u32, 1, read_write>) rank(1) {{\n    \
             f[0] = f[0] + 0.5;\n    n[0] = n[0] + 1u32;\n}}\n"
        )
    };
    fs::write(folder.join("near.kir"), kernel("2.001", 8)).expect("it can be written");
    fs::write(folder.join("integer.kir"), kernel("2.0", 9)).expect("it can be written");
    let verify = |file: &str, options: &[&str]| {
        let all = ["verify", file, "--target", "reference,jit", "--json", "r.json", "--html", "r.html"];
        let (code, out, _) = tilewise(&folder, &[&all[..], options].concat());
        let report = fs::read_to_string(folder.join("r.json")).expect("the report was written");
        let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
        (code, out, report)
    };
    let (code, out, report) = verify("near.kir", &[]);
    assert_eq!((code, report["total"]["fail"].as_u64()), (Some(1), Some(2)), "{out}");
    assert!(!out.contains("tolerance") && report.get("tolerance").is_none(), "{out}");
    for options in [&["--tolerance", "0.01"][..], &["--relative", "1e-3"], &["--relative", "1e-3", "--no-isolate"]] {
        let (code, out, report) = verify("near.kir", options);
        assert_eq!(code, Some(0), "{out}");
        assert!(
            out.contains("2 pass (2 of them only within the tolerance)") && out.contains("not-run  within"),
            "{out}"
        );
        assert_eq!(report["total"]["within_tolerance"], 2);
        assert_eq!(report["cases"][1]["within_tolerance"], true);
        let page = fs::read_to_string(folder.join("r.html")).expect("the page was written");
        assert!(page.contains("2 cases pass only within that"), "{page}");
    }
    assert_eq!(verify("near.kir", &["--tolerance", "1e-5"]).0, Some(1));
    let (code, out, _) = verify("integer.kir", &["--tolerance", "10", "--relative", "1"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`n` differs in 1 of 1 scalars"), "{out}");
    let (code, _, err) = tilewise(&folder, &["verify", "sweep/**", "--tolerance", "1", "--resume", "p.txt"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("--resume") && err.contains("--tolerance"), "{err}");
}
