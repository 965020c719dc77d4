//! `tilewise run` of files whose header does not fit their kernel: each is one error at the word of the header that is
//! wrong, with the cause and the help.

use std::fs;
use std::path::Path;
use std::process::Command;

const KERNEL: &str =
    "kernel k(a: view<f32, 2, read_write>, n: u32, b: buffer<[f32; 4], read>) rank(2) {\n    a[0, 0] = b[n];\n}\n";

/// Output and errors of a run of a kernel below a header, and its exit code.
fn run(name: &str, header: &str, kernel: &str, args: &[&str]) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header-{name}"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("k.kir"), format!("// A kernel.\n{header}\n{kernel}")).expect("the file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
        .current_dir(&folder)
        .args(["run", "k.kir"])
        .args(args)
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// Asserts that a header has this one error: the message, the place as `line:column`, and the word there.
#[track_caller]
fn refused(name: &str, header: &str, message: &str, place: &str, word: &str) {
    let (code, out) = run(name, header, KERNEL, &[]);
    assert!(matches!(code, Some(1 | 2)), "{code:?}\n{out}");
    let first = out.lines().next().unwrap_or_default();
    let titles = out.lines().filter(|line| line.starts_with("error") || line.starts_with("refused")).count();
    assert!(titles == 1 && first.contains(message), "{out}");
    assert!(out.contains(&format!(" --> k.kir:{place}\n")), "{out}");
    let carets = out.lines().find(|line| line.trim_start().starts_with('|') && line.contains('^')).unwrap_or_default();
    let marked = carets.chars().filter(|c| *c == '^').count();
    assert_eq!(marked, word.chars().count(), "{out}");
    let line = place.split(':').next().and_then(|line| line.parse::<usize>().ok()).unwrap_or(0);
    let shown = out.lines().find(|shown| shown.starts_with(&format!("{line} | "))).unwrap_or_default();
    let start = carets.find('^').unwrap_or(0);
    assert_eq!(shown.get(start..start + word.len()), Some(word), "{out}");
    assert!(out.contains(" = help: "), "{out}");
}

#[test]
fn a_header_that_fits_is_run() {
    let header = "//! domain 2x2\n//! a: [2, 2] = zero\n//! n = 1\n//! b = 1 2 3 4";
    let (code, out) = run("fits", header, KERNEL, &[]);
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn ten_mistakes_are_shown_where_they_are() {
    let rest = "//! n = 1\n//! b = 1 2 3 4";
    refused(
        "domain-rank",
        &format!("//! domain 4\n//! a: [2, 2] = zero\n{rest}"),
        "runs over domains of rank 2, this one has rank 1",
        "2:12",
        "4",
    );
    refused(
        "domain-empty",
        &format!("//! domain 4x0\n//! a: [2, 2] = zero\n{rest}"),
        "dimension 1 of the domain is 0",
        "2:12",
        "4x0",
    );
    refused(
        "view-rank",
        &format!("//! domain 2x2\n//! a: [4] = zero\n{rest}"),
        "`a` is a view of rank 2, the one bound has rank 1",
        "3:5",
        "a",
    );
    refused("too-few", &format!("//! domain 2x2\n//! a: [2, 2] = 1 2 3\n{rest}"), "3", "3:17", "1");
    refused("wrong-type", "//! domain 2x2\n//! a: [2, 2] = zero\n//! n = 1.5\n//! b = 1 2 3 4", "1.5", "4:9", "1.5");
    refused(
        "unknown",
        &format!("//! domain 2x2\n//! a: [2, 2] = zero\n//! c: [4] = zero\n{rest}"),
        "the kernel has no parameter `c`",
        "4:5",
        "c",
    );
    refused(
        "missing-input",
        "//! domain 2x2\n//! n = 1\n//! b = 1 2 3 4",
        "the parameter `a` has no input",
        "2:5",
        "domain",
    );
    refused("no-domain", &format!("//! a: [2, 2] = zero\n{rest}"), "this run has no domain", "2:5", "a");
    refused(
        "no-extent",
        &format!("//! domain 2x2\n//! a = zero\n{rest}"),
        "`a` is a view, and its extent is not said",
        "3:5",
        "a",
    );
    refused(
        "value-with-an-extent",
        "//! domain 2x2\n//! a: [2, 2] = zero\n//! n: [4] = iota\n//! b = 1 2 3 4",
        "`n` is a value and has no extent",
        "4:5",
        "n",
    );
    refused(
        "beyond-memory",
        &format!("//! domain 2x2\n//! memory m: f32 [3] = zero\n//! a: [2, 2] in m\n{rest}"),
        "`a` reaches beyond the 12 bytes of its memory",
        "4:5",
        "a",
    );
    refused(
        "twice",
        &format!("//! domain 2x2\n//! a: [2, 2] = zero\n//! domain 2x2\n{rest}"),
        "`domain` is said twice",
        "4:5",
        "domain",
    );
}

#[test]
fn tiles_that_do_not_divide_the_domain_are_shown_in_the_header() {
    let kernel = "kernel k(a: view<f32, 1, read_write>) tile(16) {\n    a[0] = 1.0;\n}\n";
    let (code, out) = run("tile", "//! domain 20\n//! a: [20] = zero", kernel, &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(
        out.starts_with("refused: dimension 0 of the domain is 20, which the tile's 16 does not divide\n"),
        "{out}"
    );
    assert!(out.contains(" --> k.kir:2:12\n") && out.contains("multiples of the tile's, 16"), "{out}");
}

#[test]
fn what_the_command_line_says_is_not_shown_in_the_header() {
    let header = "//! domain 2x2\n//! a: [2, 2] = zero\n//! n = 1\n//! b = 1 2 3 4";
    let (code, out) = run("command", header, KERNEL, &["--domain", "4"]);
    assert!(code == Some(2) && out.starts_with("error: `--domain` has 1 dimension") && !out.contains("-->"), "{out}");
    let (code, out) = run("command", header, KERNEL, &["--set", "a: [4] = zero"]);
    assert!(code == Some(1) && out.starts_with("refused: ") && !out.contains("-->"), "{out}");
    let (code, out) = run("command", header, KERNEL, &["--set", "c = 4"]);
    assert!(code == Some(2) && out.contains("in `--set 'c = 4'`"), "{out}");
}
