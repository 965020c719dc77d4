//! `tilewise bench` without a file: the race of all kernels, its reports, and comparisons with earlier ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench_race").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// The exit code, the output and the complaints.
fn tilewise(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program can be run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A race that takes no time.
const QUICK: [&str; 9] = ["bench", "--small", "--quick", "--only", "vadd", "--on", "jit", "--threads", "1"];

fn race(folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    tilewise(folder, &[&QUICK[..], more].concat())
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("it was written");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Writes a report whose times are those of another one, multiplied.
fn scaled(folder: &Path, from: &str, to: &str, by: f64) {
    let mut report = json(&folder.join(from));
    let rows = report["rows"].as_array_mut().expect("it has rows");
    for entry in rows.iter_mut().flat_map(|row| row["contestants"].as_array_mut().expect("they are a list")) {
        for member in ["median_ms", "min_ms", "max_ms"] {
            entry[member] = Value::from(entry[member].as_f64().expect("a time") * by);
        }
    }
    fs::write(folder.join(to), report.to_string()).expect("it can be written");
}

#[test]
fn a_race_shows_a_row_and_writes_both_reports() {
    let folder = folder("reports");
    let (code, out, err) = race(&folder, &["--json", "r.json", "--html", "r.html"]);
    assert_eq!(code, Some(0), "{out}{err}");
    let row = out.lines().find(|line| line.starts_with("vadd ")).expect("it has a row");
    assert!(row.contains('x'), "{row}");
    for part in
        ["geometric mean", "  jit: Tilewise: kernels in Rust", "  rust: plain Rust with rayon", "he machine was "]
    {
        assert!(out.contains(part), "{part} is not in {out}");
    }
    let report = json(&folder.join("r.json"));
    assert_eq!((&report["schema"], &report["report"]), (&Value::from(1), &Value::from("tilewise bench")));
    assert_eq!(report["rows"][0]["work"], "vadd");
    assert!(report["rows"][0]["contestants"][0]["median_ms"].as_f64().is_some_and(|ms| ms > 0.0), "{report}");
    assert!(report["noise"]["loop_spread"].as_f64().is_some_and(|spread| spread >= 1.0), "{report}");
    let page = fs::read_to_string(folder.join("r.html")).expect("it was written");
    assert!(page.contains("id=\"kernel-vadd\"") && page.contains("Shorter is faster"), "{page}");
}

#[test]
fn a_comparison_fails_if_something_is_slower_and_names_it() {
    let folder = folder("compare");
    assert_eq!(race(&folder, &["--json", "r.json"]).0, Some(0));
    let (code, out, err) = tilewise(&folder, &["diff", "r.json", "r.json"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("2 times compared: 0 slower, 0 faster, 2 within the noise; no regression"), "{out}");

    scaled(&folder, "r.json", "ten_times_as_fast.json", 0.1);
    let (code, out, _) = tilewise(&folder, &["diff", "ten_times_as_fast.json", "r.json"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("SLOWER") && out.contains("REGRESSED: vadd on jit (10.00 times)"), "{out}");

    // A race of a thousand elements takes microseconds, which vary: only much is certain.
    scaled(&folder, "r.json", "fast.json", 1e-4);
    let (code, out, err) = race(&folder, &["--compare", "fast.json", "--html", "r.html"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("REGRESSED: vadd on jit") && out.contains("worse than in the earlier race"), "{out}");
    let page = fs::read_to_string(folder.join("r.html")).expect("it was written");
    assert!(page.contains("id=\"changes\"") && page.contains(">SLOWER<"), "{page}");
    scaled(&folder, "r.json", "slow.json", 1e4);
    let (code, out, err) = race(&folder, &["--compare", "slow.json"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("faster") && out.contains("no regression"), "{out}");
}

#[test]
fn what_cannot_be_compared_is_refused_before_the_race() {
    let folder = folder("refused");
    assert_eq!(race(&folder, &["--json", "r.json"]).0, Some(0));
    let text = fs::read_to_string(folder.join("r.json")).expect("it was written");
    fs::write(folder.join("version.json"), text.replace("\"schema\": 1", "\"schema\": 99")).expect("it is written");
    fs::write(folder.join("other.json"), "{\"schema\": 1, \"cases\": []}").expect("it is written");
    fs::write(folder.join("machine.json"), text.replace("\"processor\": \"", "\"processor\": \"Another "))
        .expect("it is written");
    fs::write(folder.join("threads.json"), text.replace("\"threads\": 1,", "\"threads\": 3,")).expect("it is written");
    for (file, message) in [
        ("none.json", "cannot read `none.json`"),
        ("version.json", "`version.json` has version 99 of this report, and this program reads 1"),
        ("other.json", "`other.json` is no report of `tilewise bench --json`"),
        ("machine.json", "the earlier race had another machine, Another "),
        ("threads.json", "the earlier race had threads: 3, this one has 1"),
    ] {
        let (code, out, err) = race(&folder, &["--compare", file]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{file}: {err}");
        assert!(err.contains(message) && err.contains("help: "), "{file}: {err}");
    }
}

#[test]
fn options_of_the_race_and_of_a_file_do_not_mix() {
    let folder = folder("mixed");
    for (arguments, message, help) in [
        (
            &["bench", "k.kir", "--html", "p.html"][..],
            "`--html` is about the race of all kernels",
            "`tilewise bench --html ..`",
        ),
        (
            &["bench", "k.kir", "--on", "jit"],
            "`--on` is about the race of all kernels, and `k.kir` is one file",
            "leave out",
        ),
        (
            &["bench", "--target", "jit"],
            "`--target` is about the launches of a file",
            "`tilewise bench FILE --target ..`",
        ),
        (&["bench", "--dispatch", "8x8", "--quick"], "`--dispatch` is about the launches of a file", "`--on`"),
        (&["bench", "--small", "--on", "gpu/99"], "`--on gpu/99`", "`tilewise devices` lists them"),
        (&["bench", "--json", "r", "--html", "r"], "`--json` and `--html` both write to", "name two files"),
    ] {
        let (code, out, err) = tilewise(&folder, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains(message) && err.contains(help), "{arguments:?}: {err}");
    }
    let (code, _, err) = tilewise(&folder, &["bench", "--only", "skan"]);
    assert!(code == Some(2) && err.contains("possible values: vadd") && err.contains("'scan'"), "{err}");
}
