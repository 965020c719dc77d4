//! The program as its users meet it: output, messages, exit codes.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use expect_test::{Expect, expect};

/// A folder of its own for one test.
/// An empty folder; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

fn tilewise_in(folder: &Path, args: &[&str], input: &[u8]) -> Done {
    tilewise_with(folder, args, input, &[])
}

fn tilewise_with(folder: &Path, args: &[&str], input: &[u8], variables: &[(&str, &str)]) -> Done {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tilewise"))
        // No desktop: of that nothing is to be heard.
        .env_remove("NODEVICE_SELECT")
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .envs(variables.iter().copied())
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be run");
    // A program that does not read its input closes it, which is none of this test's business.
    let _ = child.stdin.take().expect("it was asked for").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    Done {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the program on a file `k.kir` and compares exit code and output.
fn check(name: &str, kernel: &str, args: &[&str], expected: &Expect) {
    let folder = folder(name);
    fs::write(folder.join("k.kir"), kernel).expect("the file can be written");
    let done = tilewise_in(&folder, args, b"");
    expected.assert_eq(&format!("exit {}\n{}{}", done.code.unwrap_or(-1), done.out, done.err));
}

const DOUBLE: &str = "kernel double(a: view<i32, 2, read_write>, by: i32) rank(2) {
    let i = global[0];
    let j = global[1];
    if a[i, j] < 0 {
        error(\"{} is negative\", a[i, j]);
    }
    print(\"at {}, {}\", i, j);
    a[i, j] = a[i, j] * by;
}
";

#[test]
fn a_run_shows_output_memory_and_ending() {
    check(
        "run",
        DOUBLE,
        &["run", "k.kir", "--domain", "2x2", "--set", "a: [2, 2] = iota 1", "--set", "by = 2"],
        &expect![[r#"
            exit 0
            thread 0: at 0, 0
            thread 1: at 0, 1
            thread 2: at 1, 0
            thread 3: at 1, 1
            a [2, 2] =
              2 4
              6 8
            completed
        "#]],
    );
}

#[test]
fn a_failed_run_shows_the_line() {
    check(
        "failed",
        DOUBLE,
        &["run", "k.kir", "--domain", "1x3", "--set", "a: [1, 3] = 1 -2 -3", "--set", "by = 2"],
        &expect![[r#"
            exit 1
            thread 0: at 0, 0
            a [1, 3] =
              2 -2 -3
            error: -2 is negative
              --> k.kir:5:9
               |         error("{} is negative", a[i, j]);
               |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              = thread 1, and 1 thread more ended so
        "#]],
    );
}

#[test]
fn drivers_say_nothing_where_there_is_no_desktop() {
    let done = tilewise_in(&folder("quiet"), &["devices"], b"");
    assert!(done.out.contains("jit: Compiled code"), "{}", done.out);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
}

#[test]
fn a_refused_launch_says_why() {
    check(
        "refused",
        DOUBLE,
        &["run", "k.kir", "--domain", "4", "--set", "a: [1, 3] = zero", "--set", "by = 2"],
        &expect![[r#"
            exit 2
            error: `--domain` has 1 dimension, and the kernel `double` runs over 2 dimensions
              help: give a number of threads for each, as `--domain 4x6`
        "#]],
    );
}

#[test]
fn a_shader_over_a_domain_of_one_number_is_told_of_workgroups() {
    let text = "// Doubles.\n@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2u; }\n";
    let folder = folder("domain_of_a_shader");
    fs::write(folder.join("d.wgsl"), text).expect("the file can be written");
    let run = |domain: &str| {
        let args = ["run", "d.wgsl", "--target", "reference", "--domain", domain, "--bind", "0.0=[8] = fill 3"];
        let done = tilewise_in(&folder, &args, b"");
        (done.code, done.out + &done.err)
    };
    let (code, told) = run("8");
    assert_eq!(code, Some(2), "{told}");
    assert!(told.starts_with("error: `--domain` has 1 dimension, and the threads of the shader `d.wgsl` have 3\n"));
    assert!(told.contains("help: give workgroups by `--dispatch 8x8`, or threads by `--domain 1x8x512`"), "{told}");
    let (code, told) = run("1x1x8");
    assert!(code == Some(0) && told.contains("v = 8*6"), "{code:?}: {told}");
}

#[test]
fn an_input_that_is_missing_is_named() {
    check(
        "missing",
        DOUBLE,
        &["run", "k.kir", "--domain", "2x2", "--set", "by = 2"],
        &expect![[r#"
        exit 2
        error: the parameter `a` has no input
         --> k.kir
          |
          = help: add a line such as `//! a: [4, 4] = zero`; on the command line: `--domain 4x6`, `--set 'a: [4] = zero'`
    "#]],
    );
}

#[test]
fn parameters_of_a_kernel_that_are_called_like_a_shaders_texture_are_none() {
    const ALIKE: &str = "kernel k(a: view<u32, 1, read_write>, a_size: u32x4) rank(1) { a[0] = a_size.x; }";
    check(
        "alike",
        ALIKE,
        &["run", "k.kir", "--domain", "2", "--set", "a: [2, 3] = iota"],
        &expect![[r#"
        exit 2
        error: the parameter `a_size` has no input
         --> k.kir
          |
          = help: add a line such as `//! a_size = 1`; on the command line: `--domain 4x6`, `--set 'a: [4] = zero'`
    "#]],
    );
}

#[test]
fn an_input_that_is_not_understood_is_explained() {
    check(
        "input",
        DOUBLE,
        &["run", "k.kir", "--set", "a [4]"],
        &expect![[r#"
            exit 2
            error: in `--set 'a [4]'`: `a` is no entry of a header
              help: an entry begins with `domain`, `fuel`, `checks`, `targets`, `order-dependent`, `memory`, `run`, `expect`, or the name of a parameter and `:` or `=`; docs/tests.md lists them
        "#]],
    );
}

#[test]
fn without_a_domain_nothing_runs() {
    check(
        "domain",
        DOUBLE,
        &["run", "k.kir"],
        &expect![[r#"
        exit 2
        error: this run has no domain
         --> k.kir
          |
          = help: add a line such as `//! domain 4x6`; on the command line: `--domain 4x6`, `--set 'a: [4] = zero'`
    "#]],
    );
}

#[test]
fn check_reports_every_error() {
    let kernel = "kernel sum(out: view<f32, 1, read_write>, n: u32) rank(1) {\n    out[global[0]] = 1.0 + n;\n    out[0] = true;\n}\n";
    check(
        "errors",
        kernel,
        &["check", "k.kir"],
        &expect![[r#"
        exit 1
        error[K0101]: `+` on `f32` and `u32`
         --> k.kir:2:22
          |
        2 |     out[global[0]] = 1.0 + n;
          |                      ^^^^^^^ both sides must have the same type
          |
          = note: there are no implicit conversions
          = help: write `n as f32`

        error[K0107]: a `bool` is stored in `out[0]`, which holds an `f32`
         --> k.kir:3:5
          |
        3 |     out[0] = true;
          |     ^^^^^^^^^^^^^ expected `f32`, found `bool`
          |
          = help: write `true as f32`

        2 errors
    "#]],
    );
}

#[test]
fn check_is_content_with_a_good_kernel() {
    check(
        "good",
        DOUBLE,
        &["check", "k.kir"],
        &expect![[r#"
        exit 0
        1 file checked, no errors
    "#]],
    );
}

#[test]
fn print_gives_the_canonical_form() {
    check(
        "print",
        "// A comment.\nkernel  k ( ) rank ( 1 ) { let x=1+2 ; }\n",
        &["print", "k.kir"],
        &expect![[r#"
        exit 0
        kernel k() rank(1) {
            let x = 1 + 2;
        }
    "#]],
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let kernel = folder("unreadable");
    fs::write(kernel.join("binary.kir"), [0x6b, 0xff, 0xfe, 0x00]).expect("the file can be written");
    for (file, expected) in [
        (
            "nothing.kir",
            expect![[r#"
        error: cannot read `nothing.kir`: No such file or directory (os error 2)
          help: look at the spelling, and at the folder the command runs in; `-` reads standard input
    "#]],
        ),
        (
            ".",
            expect![[r#"
        error: `.` is a folder
          help: name a `.kir` file in it
    "#]],
        ),
        (
            "binary.kir",
            expect![[r#"
        error: `binary.kir` is no text: byte 1 is not UTF-8
          help: kernels are `.kir` files, and shaders `.wgsl` files, in UTF-8; SPIR-V begins with its magic number
    "#]],
        ),
    ] {
        for command in ["check", "run", "print"] {
            let done = tilewise_in(&kernel, &[command, file], b"");
            assert_eq!(done.code, Some(2), "{command} {file}");
            if command == "check" {
                expected.assert_eq(&done.err);
            }
        }
    }
}

#[test]
fn check_reports_what_is_wrong_with_a_header() {
    let text = "//! domain 4\n//! expct a = 1\nkernel k() rank(1) {}\n";
    let done = tilewise_in(&folder("wrong_header"), &["check", "-"], text.as_bytes());
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.out.contains("error: `expct` is no entry of a header\n --> <stdin>:2:5"), "{}", done.out);
    assert!(done.out.ends_with("1 error\n"), "{}", done.out);
}

#[test]
fn a_kernel_can_come_from_standard_input() {
    let done = tilewise_in(&folder("stdin"), &["check", "-"], b"kernel k() rank(1) {}\n");
    assert_eq!((done.code, done.out.as_str()), (Some(0), "1 file checked, no errors\n"));
    let offsets = b"struct Row size(20) { x: [i32; 2] @ 8, y: u8 @ 3 }\nkernel k(a: view<Row, 1, read>) rank(1) {}\n";
    for command in ["check", "print"] {
        let done = tilewise_in(&folder("stdin"), &[command, "-"], offsets);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    }
    let script = tilewise_in(&folder("stdin"), &["check", "-"], b"#!amber\nSHADER compute s WGSL\n@compute\nEND\n");
    assert!(
        script.code == Some(2) && script.err.contains("a script of Amber, which is read from a file"),
        "{}",
        script.err
    );
    let shader = b"// Nothing.\n@compute @workgroup_size(1) fn main() {}\n";
    let printed = tilewise_in(&folder("stdin"), &["print", "-"], shader);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert!(printed.out.contains("kernel main("), "{}", printed.out);
    let done = tilewise_in(&folder("stdin"), &["check", "-"], shader);
    assert_eq!((done.code, done.out.as_str()), (Some(0), "1 file checked, no errors\n"), "{}", done.err);
}

#[test]
fn no_input_makes_the_program_panic() {
    let folder = folder("hostile");
    let deep = format!("kernel k() rank(1) {{ let x = {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000));
    let long = "//! a: [99999999, 99999999] = zero\n//! domain 1\nkernel k(a: view<f32, 2, read>) rank(1) {}\n";
    let inputs: [&[u8]; 8] = [
        b"",
        b"\0\0\0",
        b"kernel",
        "ä\u{feff}//! \u{202e}".as_bytes(),
        b"//! expect\n//! x =\n//! x: [\n//!   {\n//! run\nkernel k() rank(1) {}",
        deep.as_bytes(),
        long.as_bytes(),
        b"//! domain 1\n//! b: 18446744073709551615 bytes = zero\nkernel k(b: buffer<[u8], read>) rank(1) {}",
    ];
    for (number, input) in inputs.iter().enumerate() {
        for command in ["check", "run", "print"] {
            let done = tilewise_in(&folder, &[command, "-"], input);
            assert!(matches!(done.code, Some(0..=2)), "input {number}, {command}: {:?}\n{}", done.code, done.err);
            assert!(!done.err.contains("panicked"), "input {number}, {command}:\n{}", done.err);
        }
    }
}

#[test]
fn verify_passes_from_any_folder_and_writes_its_reports() {
    let folder = folder("verify");
    // The test `kir` has every file on every target; here it is the program that is tested. Those of the
    // CPU run the whole suite, a GPU the group with barriers.
    let reports = ["--json", "r.json", "--html", "tilewise-report.html"];
    let done = tilewise_in(&folder, &[&["verify", "--target", "reference,jit"], &reports[..]].concat(), b"");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(done.err, "", "nothing moves where there is no terminal");
    assert!(done.out.contains("passed: "), "{}", done.out);
    assert!(done.out.ends_with("report: tilewise-report.html\n"), "{}", done.out);
    let json = fs::read_to_string(folder.join("r.json")).expect("the report was written");
    let json: serde_json::Value = serde_json::from_str(&json).expect("the report is JSON");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["total"]["fail"], 0);
    assert_eq!(json["cases"][0]["verdict"], "pass");
    let html = fs::read_to_string(folder.join("tilewise-report.html")).expect("the page was written");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(html.len() < 6_000_000, "{} bytes", html.len());
    for outside in [" src=", "<link rel=\"stylesheet\"", "url(", "@import", "href=\"http"] {
        assert!(!html.contains(outside), "the page needs nothing else: {outside}");
    }

    let all_targets = tilewise_in(&folder, &["verify", "sync/*", "--no-html", "--json", "all.json"], b"");
    assert_eq!((all_targets.code, &*all_targets.err), (Some(0), ""), "{}", all_targets.out);
    let json = fs::read_to_string(folder.join("all.json")).expect("the report was written");
    let json: serde_json::Value = serde_json::from_str(&json).expect("the report is JSON");
    let cases = json["cases"].as_array().expect("a report has cases");
    for target in ["reference", "lanes-8", "lanes-16", "jit", "gpu-wgsl", "gpu-module", "gpu-strict"] {
        assert!(cases.iter().any(|case| case["target"] == target), "{target} is not in the report");
    }
}

#[test]
fn a_page_is_written_where_it_is_asked_for_and_else_for_the_whole_suite_only() {
    let folder = folder("page");
    let verify = |arguments: &[&str]| {
        let done = tilewise_in(&folder, &[&["verify"], arguments].concat(), b"");
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        done.out
    };
    let named = verify(&["sync/*", "--target", "reference", "--html", "r.html"]);
    assert!(named.ends_with("report: r.html\n"), "{named}");
    let html = fs::read_to_string(folder.join("r.html")).expect("the report was written");
    assert!(html.starts_with("<!doctype html>"));
    let part = verify(&["sync/*", "--target", "reference"]);
    assert!(!part.contains("report:"), "a part of the suite writes none: {part}");
    assert!(!folder.join("tilewise-report.html").exists());
}

#[test]
fn verify_judges_a_file_of_the_users_by_its_own_expectations() {
    let folder = folder("verify_file");
    let right = "//! domain 2\n//! v: [2] = 1 2\n//! expect v = 2 4\n\
                 kernel k(v: view<i32, 1, read_write>) rank(1) { v[global[0]] = v[global[0]] * 2; }\n";
    fs::write(folder.join("right.kir"), right).expect("the file can be written");
    fs::write(folder.join("wrong.kir"), right.replace("= 2 4", "= 2 5")).expect("the file can be written");
    let targets = ["--target", "reference,jit"];
    let done = tilewise_in(&folder, &[&["verify", "right.kir"], &targets[..]].concat(), b"");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("passed: 2 pass, 0 fail"), "{}", done.out);
    let done = tilewise_in(&folder, &[&["verify", "wrong.kir"], &targets[..]].concat(), b"");
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.out.contains("wrong.kir:3:") && done.out.contains("2 fail"), "{}", done.out);
}

#[test]
fn verify_asks_every_accelerator_what_the_library_promises() {
    let folder = folder("verify_library");
    let done = tilewise_in(&folder, &["verify", "library/*", "--json", "r.json", "--html", "r.html"], b"");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let listed = tilewise_in(&folder, &["verify", "library/*", "--list"], b"");
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("r.json")).expect("it is there")).expect("it is JSON");
    let cases = report["cases"].as_array().expect("a list");
    assert_eq!(report["total"]["pass"], cases.len());
    assert_eq!(listed.out.lines().count(), cases.len());
    let page = fs::read_to_string(folder.join("r.html")).expect("it is there");
    for accelerator in ["native", "reference", "jit"] {
        let here = cases.iter().filter(|case| case["target"] == accelerator && case["verdict"] == "pass").count();
        assert!(here > 10, "{accelerator}: {}", done.out);
        let row = format!("library  {accelerator:<9}  {here:>6}       0");
        assert!(done.out.contains(&row), "`{row}` is not in\n{}", done.out);
        let cell = format!("<a class=\"pass\" href=\"#group-library\" data-on=\"{accelerator}\"");
        assert!(page.contains(&cell) && page.contains(&format!("library on {accelerator}: {here} pass, 0 fail")));
        assert!(page.contains("id=\"case-library/a_section_shares_the_elements_of_its_view\""));
    }
    // Targets are what kernels run on.
    let part = tilewise_in(&folder, &["verify", "library/*", "--target", "jit"], b"");
    assert_eq!(part.code, Some(2), "{}", part.out);
}

#[test]
fn verify_fails_if_nothing_matches() {
    let done = tilewise_in(&folder("nothing"), &["verify", "no/such/case"], b"");
    assert_eq!(done.code, Some(2));
    expect![[r#"
        error: no case matches `no/such/case`
          help: `tilewise verify --list` shows all cases
    "#]]
    .assert_eq(&done.err);
}

#[test]
fn an_unknown_target_is_refused_with_those_there_are() {
    let done = tilewise_in(&folder("target"), &["verify", "--target", "gpu"], b"");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("reference") && done.err.contains("jit"), "{}", done.err);
}

const SCALE: &str = "//! domain 8
//! v: [8] = iota
//! by = 2
//! expect v = 0 2 4 6 8 10 12 14
kernel scale(v: view<f32, 1, read_write>, by: f32) rank(1) {
    v[global[0]] = v[global[0]] * by;
}
";

#[test]
fn a_kernel_is_shown_at_every_stage() {
    let folder = folder("dump");
    fs::write(folder.join("k.kir"), SCALE).expect("the file can be written");
    for (stage, word) in [
        ("ir", "kernel scale(v: view<f32, 1, read_write>, by: f32) rank(1) {"),
        ("regions", "region  k.kir:"),
        ("lanes", "program scale, width 4"),
        ("clif", "f32x4"),
        ("asm", "v[global[0]] = v[global[0]] * by;"),
        ("report", " unit stride, "),
    ] {
        let done = tilewise_in(&folder, &["dump", "k.kir", "--stage", stage, "--width", "4"], b"");
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        assert!(done.out.contains(word), "{stage}: {}", done.out);
    }
    let has_wide_code = cfg!(all(target_arch = "x86_64", not(windows)));
    let forms = if has_wide_code { &["cranelift", "avx2", "avx512"][..] } else { &["cranelift"] };
    for form in forms {
        let args = ["dump", "k.kir", "--stage", "report", "--width", "4", "--code", form];
        let done = tilewise_in(&folder, &args, b"");
        assert!(done.out.contains(&format!("\ncode          {form}\n")), "{}", done.out);
    }
    let done = tilewise_in(&folder, &["dump", "k.kir", "--stage", "wasm"], b"");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("ir, regions, lanes, clif, asm, report, share, wgsl, wgsl-strict"), "{}", done.err);
    let done = tilewise_in(&folder, &["dump", "k.kir", "--run", "other"], b"");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("has no run called `other`"), "{}", done.err);
}

#[test]
fn what_a_gpu_is_given_is_shown_without_one_and_as_the_launch_has_it() {
    let folder = folder("dump_wgsl");
    let show = |text: &str, stage: &str| {
        fs::write(folder.join("k.kir"), text).expect("the file can be written");
        let done = tilewise_in(&folder, &["dump", "k.kir", "--stage", stage], b"");
        (done.code, done.out + &done.err)
    };
    let (code, text) = show(SCALE, "wgsl");
    if !cfg!(feature = "gpu") {
        assert_eq!((code, &text[..]), (Some(1), "no such form: this program was built without the feature `gpu`\n"));
        return;
    }
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("@compute @workgroup_size(") && text.contains("fn main("), "{text}");
    // The header's view is as large as the domain, so a thread's own index needs no test; without a header nobody knows that.
    let body = &SCALE[SCALE.find("kernel").expect("there is one")..];
    let (code, unknown) = show(body, "wgsl");
    assert_eq!(code, Some(0), "{unknown}");
    assert_ne!(text, unknown);
    let sum = "kernel k(v: view<f32, 1, read_write>) rank(1) { v[global[0]] = v[global[0]] + 0.0; }";
    let [(_, relaxed), (_, strict)] = ["wgsl", "wgsl-strict"].map(|stage| show(sum, stage));
    assert!(relaxed.contains("+ 0f") && strict.contains("fn main(") && !strict.contains("+ 0f"), "{relaxed}{strict}");
    let (code, text) =
        show("kernel k(v: view<u32, 1, read_write>) tile(4) { if v[global[0]] == 1u32 { fence; } }", "wgsl");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("no such form: WGSL has no fence without a barrier"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_profiler_finds_kernels_and_their_lines_if_it_is_asked_for() {
    let folder = folder("perf");
    fs::write(folder.join("k.kir"), SCALE).expect("the file can be written");
    for (asked, word) in [("lines", "tilewise::scale (width 8) k.kir:6"), ("1", "tilewise::scale (width 8)")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
        command.args(["run", "k.kir", "--target", "jit"]).current_dir(&folder).env("TILEWISE_PERF", asked);
        let child = command.stdout(Stdio::piped()).spawn().expect("the program can be run");
        let map = format!("/tmp/perf-{}.map", child.id());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success());
        let text = fs::read_to_string(&map).expect("there is a map");
        fs::remove_file(&map).expect("it is ours");
        assert!(text.lines().any(|line| line.ends_with(word)), "{text}");
    }
}

#[test]
fn what_a_target_does_not_have_is_refused() {
    for (args, expected) in [
        (&["--target", "jit", "--order", "shuffled:1"][..], "`jit` has no order `shuffled:1`"),
        (&["--order", "threads:2"], "`reference` has no order `threads:2`"),
        (&["--target", "jit", "--checks", "races"], "`jit` looks for nothing"),
        (&["--checks", "races,none"], "`none` stands beside other checks"),
        (&["--checks", "at-most-0"], "`at-most-0` is no check"),
        (&["--target", "jit", "--fuel", "10"], "`jit` does not count instructions"),
        (&["--target", "jit-clif", "--order", "lanes:64"], "`jit-clif` has no order `lanes:64`"),
    ] {
        let folder = folder("lacking");
        fs::write(folder.join("k.kir"), SCALE).expect("the file can be written");
        let done = tilewise_in(&folder, &[&["run", "k.kir"], args].concat(), b"");
        assert_eq!(done.code, Some(2));
        assert!(done.err.contains(expected), "{}", done.err);
    }
}

/// Runs a kernel of a 64-element view on a target.
fn run_large(folder: &Path, target: &str, fallback: &str) -> Done {
    let args = ["run", "k.kir", "--domain", "64", "--set", "a: [64] = iota", "--set", "b: [64] = iota", "--target"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    let output = program.env("TILEWISE_FALLBACK", fallback).args(args).arg(target).current_dir(folder).output();
    let output = output.expect("the program can be run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Done { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Runs a kernel that is too large on `jit`, and compares with `reference`; gives its folder and what is noted.
fn large(name: &str, body: &str) -> (PathBuf, String) {
    let folder = folder(name);
    let head = "kernel k(a: view<i32, 1, read_write>, b: view<i32, 1, read>) rank(1) {\n    let i = global[0];\n    let v = b[i];\n";
    fs::write(folder.join("k.kir"), format!("{head}{body}}}\n")).expect("the file can be written");
    let (jit, reference) = (run_large(&folder, "jit", "note"), run_large(&folder, "reference", "note"));
    assert_eq!((jit.code, reference.code), (Some(0), Some(0)), "{name}: {}{}", jit.err, reference.err);
    assert!(jit.out.starts_with("a [64] = ") && jit.out.ends_with("completed\n"), "{name}: {}", jit.out);
    assert_eq!(jit.out, reference.out, "{name}");
    (folder, jit.err)
}

#[test]
fn a_kernel_of_5000_variables_that_is_too_large_for_lanes_runs_one_thread_at_a_time() {
    let declared: String = (0..5000).map(|n| format!("    var v{n}: i32 = v + {n};\n")).collect();
    let used = |n: i32| {
        let (by, index) = (n * 7 % 5000, n * 3 % 5000);
        format!("    v{n} = v{n} / (v{by} + 1) + b[v{index} & 31];\n")
    };
    let used: String = (0..1800).map(used).collect();
    let stored: String = (0..5000).map(|n| format!("    a[i] = a[i] ^ v{n};\n")).collect();
    let (_, note) = large("large_variables", &format!("{declared}{used}{stored}"));
    assert!(note.starts_with("note: the kernel is compiled for one thread at a time"), "{note}");
    assert!(note.ends_with("at most 600000 are compiled\n"), "{note}");
}

#[test]
fn a_kernel_of_10000_ifs_that_is_too_large_for_lanes_runs_one_thread_at_a_time() {
    let body: String = (0..10_000).map(|n| format!("    if v > {n} {{ a[i] = b[v ^ {}]; }}\n", n % 8)).collect();
    let (folder, note) = large("large_ifs", &body);
    assert!(note.starts_with("note: the kernel is compiled for one thread at a time"), "{note}");
    assert_eq!(run_large(&folder, "jit", "quiet").err, "");
}

#[test]
fn a_kernel_of_a_switch_of_20000_cases_that_is_too_large_is_interpreted() {
    let cases: String = (0..20_000).map(|n| format!("        case {n}: {{ a[i] = b[v] / (i + {n}); }}\n")).collect();
    let body = format!("    switch v {{\n{cases}        default: {{ a[i] = 7; }}\n    }}\n");
    let (folder, note) = large("large_switch", &body);
    assert!(note.starts_with("note: the kernel is interpreted, as it cannot be compiled"), "{note}");
    let refused = run_large(&folder, "jit", "error");
    assert_eq!(refused.code, Some(1));
    assert!(refused.out.starts_with("refused: the kernel cannot be compiled"), "{}", refused.out);
}

#[test]
fn errors_of_an_input_of_the_command_line_name_it_and_no_line_of_the_file() {
    let folder = folder("set");
    fs::write(folder.join("k.kir"), SCALE).expect("the file can be written");
    for (set, why) in [
        ("v: [8] = 1 2", "8 values are needed here, and 2 are given"),
        ("by = x", "`x` is no number"),
        ("nothing = 1", "the kernel has no parameter `nothing`"),
        ("v: [-1] = zero", "`v` has a negative size"),
    ] {
        let other = if set.starts_with("by") { "v: [2] = 1 2" } else { "by = 1" };
        let done = tilewise_in(&folder, &["run", "k.kir", "--set", other, "--set", set], b"");
        assert_eq!(done.code, Some(2), "{}", done.err);
        assert!(done.err.starts_with(&format!("error: in `--set '{set}'`: {why}")), "{}", done.err);
    }
}

#[test]
fn a_target_named_twice_runs_once_and_standard_input_named_twice_is_an_error() {
    let folder = folder("twice");
    let args = ["verify", "sync/tile_sum.kir", "--target", "jit,jit", "--target", "jit"];
    let done = tilewise_in(&folder, &args, b"");
    assert!(done.code == Some(0) && done.out.contains("passed: 1 pass"), "{}", done.out);
    let done = tilewise_in(&folder, &["check", "-", "-"], b"kernel k() rank(1) { }");
    assert_eq!(done.code, Some(2));
    expect![[r#"
        error: standard input is named twice
          help: it can be read once; `./-` is a file of that name
    "#]]
    .assert_eq(&done.err);
}

#[test]
fn numbers_of_jobs_are_from_1_to_1024() {
    let folder = folder("jobs");
    for jobs in ["0", "1025", "-1", "99999999999999999999"] {
        let done = tilewise_in(&folder, &["fuzz", &format!("--jobs={jobs}")], b"");
        assert_eq!(done.code, Some(2), "{jobs}");
        assert!(done.err.contains("--jobs"), "{}", done.err);
    }
    let args = ["fuzz", "--jobs", "1024", "--kernels", "2", "--no-coverage", "--target", "reference"];
    let done = tilewise_in(&folder, &args, b"");
    assert!(done.code == Some(0) && done.out.contains("passed: 2 kernels"), "{}", done.out);
}

#[test]
fn jit_interprets_every_kernel_where_the_fallback_is_always_and_says_so() {
    let folder = folder("fallback_always");
    fs::write(
        folder.join("k.kir"),
        "kernel k(a: view<i32, 1, read_write>, b: view<i32, 1, read>) rank(1) { a[global[0]] = b[global[0]]; }\n",
    )
    .expect("the file can be written");
    let words = "note: the kernel is interpreted, as TILEWISE_FALLBACK is `always`\n";
    for target in ["jit", "jit-clif"] {
        let (always, note) = (run_large(&folder, target, "always"), run_large(&folder, target, "note"));
        assert_eq!((always.code, always.err.as_str()), (Some(0), words), "{target}");
        assert_eq!((note.code, note.err.as_str()), (Some(0), ""), "{target}");
        assert_eq!(always.out, note.out, "{target}");
    }
}

/// A kernel of one's own that is too large for vectors runs one thread at a time, and not on what has vectors only.
#[test]
fn a_kernel_that_is_too_large_for_vectors_is_no_failure() {
    let statements: String =
        (0..1300).map(|n| format!("    if x > {n} {{ x = x * {} + b[(i + {n}) % 64]; }}\n", n + 3)).collect();
    let kernel = format!(
        "// Many statements.\n//! domain 64\n//! a: [64] = iota\n//! b: [64] = iota\n//! expect any a\n\
         kernel k(a: view<i32, 1, read_write>, b: view<i32, 1, read>) rank(1) {{\n    let i = global[0];\n    \
         var x: i32 = a[i];\n{statements}    a[i] = x;\n}}\n"
    );
    let folder = folder("too_large_for_vectors");
    fs::write(folder.join("k.kir"), kernel).expect("the file can be written");
    let verify = |targets: &str| tilewise_in(&folder, &["verify", "k.kir", "--target", targets], b"");
    let done = verify("reference,jit,jit-clif");
    assert!(done.code == Some(0) && done.out.contains("3 pass, 0 fail"), "{}{}", done.out, done.err);
    // Of code that does not run nothing is said but why.
    let done = verify("jit-avx2,jit-avx512");
    assert!(done.out.contains("0 pass, 0 fail, 0 unsupported, 2 not run"), "{}{}", done.out, done.err);
}
