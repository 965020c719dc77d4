//! The program in a hostile environment: bad values of variables, small stacks, closed streams, missing folders,
//! signals.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tilewise_conformance::target::SuiteTarget;

/// A folder with a kernel `k.kir`; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("k.kir"), KERNEL).expect("the file can be written");
    folder
}

const KERNEL: &str = "//! domain 8
//! v: [8] = iota
//! by = 2
kernel scale(v: view<i32, 1, read_write>, by: i32) rank(1) {
    v[global[0]] = v[global[0]] * by;
}
";

/// The program as a shell calls it: `$0`, with the arguments that follow.
fn shell(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_tilewise")]).current_dir(folder).stdin(Stdio::null());
    command
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn done(folder: &Path, script: &str) -> (Option<i32>, String, String) {
    said(&shell(folder, script).output().expect("there is a shell"))
}

#[test]
fn a_timeline_is_of_the_command_and_not_of_the_processes_that_it_starts() {
    let folder = folder("timeline");
    let spans = |script: &str| {
        let (code, _, err) = done(&folder, script);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{script}");
        let text = fs::read_to_string(folder.join("t.json")).expect("the timeline was written");
        let events: Vec<serde_json::Value> = serde_json::from_str(&text).expect("it is JSON");
        let spans = events.into_iter().filter(|event| event["ph"] == "X");
        spans.map(|span| span["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let run = spans("TILEWISE_TRACE=t.json \"$0\" run k.kir --target jit");
    for (kind, count) in [("launch", 1), ("compile", 1), ("chunk", 1)] {
        assert_eq!(run.iter().filter(|name| *name == kind).count(), count, "{kind}: {run:?}");
    }
    // Its launches are in processes of their own.
    let verify = spans("TILEWISE_TRACE=t.json \"$0\" verify 'sync/*' --target jit --no-html");
    assert!(!verify.iter().any(|name| name == "chunk"), "{verify:?}");
    let (code, _, err) = done(&folder, "TILEWISE_TRACE=own-%p.json \"$0\" verify 'sync/*' --target jit --no-html");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let of_workers = fs::read_dir(&folder).expect("the folder is there").filter(|entry| {
        let path = entry.as_ref().expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("own-") && fs::read_to_string(path).is_ok_and(|text| text.contains("\"chunk\""))
    });
    assert!(of_workers.count() > 0, "each process that launches has a file of its own");
    let (code, out, err) = done(&folder, "TILEWISE_TRACE=no/t.json \"$0\" run k.kir --target jit");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("TILEWISE_TRACE is `no/t.json`, which cannot be written: "), "{err}");
}

#[test]
fn bad_values_of_variables_are_reported_and_ignored() {
    let folder = folder("variables");
    let compiled = "v [8] = 0 2 4 6 8 10 12 14\ncompleted\n";
    let (code, out, err) = done(&folder, "TILEWISE_DUMP=lanse \"$0\" run k.kir --target jit");
    assert_eq!((code, out.as_str()), (Some(0), compiled));
    assert!(
        err.starts_with(
            "tilewise: the environment variable TILEWISE_DUMP is `lanse`; `lanse` is ignored; it can list `regions`"
        ),
        "{err}"
    );
    assert_eq!(err.lines().count(), 1, "{err}");
    for (value, known) in [("share", true), ("", true), ("share, asm", true), ("share,x", false)] {
        let (code, _, err) = done(&folder, &format!("TILEWISE_DUMP='{value}' \"$0\" run k.kir --target jit"));
        assert_eq!((code, err.contains("the environment variable")), (Some(0), !known), "{err}");
    }
    let (code, out, err) = done(&folder, "TILEWISE_CODE=avx \"$0\" run k.kir --target jit");
    assert_eq!((code, out.as_str()), (Some(0), compiled));
    assert!(
        err.contains("TILEWISE_CODE is `avx`; `avx` is ignored; it can list `cranelift`, `avx2`, `avx512`"),
        "{err}"
    );
    let begin = Instant::now();
    let verify = "\"$0\" verify library/a_section* --no-html";
    for value in ["x", "0", "-1", "1.5", "99999999999"] {
        let (code, _, err) = done(&folder, &format!("TILEWISE_JIT_THREADS={value} {verify}"));
        assert_eq!(code, Some(0), "{err}");
        let why = format!("the environment variable TILEWISE_JIT_THREADS is `{value}`; it is ignored");
        assert!(err.contains(&why) && err.contains("a number of threads from 1 to 1024"), "{err}");
    }
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    for (value, known) in [("", true), ("0", true), ("1", true), ("lines", true), ("line", false), ("2", false)] {
        let (code, _, err) = done(&folder, &format!("TILEWISE_PERF='{value}' \"$0\" run k.kir --target jit"));
        assert_eq!((code, err.contains("it can be `0`, `1`, `lines`")), (Some(0), !known), "{err}");
    }
    for (value, known) in [("note", true), ("quiet", true), ("error", true), ("Error", false)] {
        let (code, _, err) = done(&folder, &format!("TILEWISE_FALLBACK={value} \"$0\" run k.kir --target jit"));
        assert_eq!((code, err.contains("`note`, `quiet`, `error` or `always`")), (Some(0), !known), "{err}");
    }
    let (code, _, err) = done(&folder, "TILEWISE_DEFAULT_ACCELERATOR=x \"$0\" devices");
    assert!(code == Some(2) && err.contains("there is no accelerator `x`") && err.contains("help: "), "{err}");
}

/// Kernels that nest as deep as they may.
fn deep() -> Vec<(&'static str, String)> {
    let kernel = |body: String| {
        format!("//! domain 1\n//! v: [1] = zero\nkernel k(v: view<i32, 1, read_write>) rank(1) {{\n{body}\n}}\n")
    };
    let within = |open: &str, n: usize, inside: &str, close: &str| open.repeat(n) + inside + &close.repeat(n);
    let scopes = (0..250).map(|i| format!("'l{i}: {{\n")).collect::<String>();
    vec![
        ("ifs", kernel(within("if v[0] == 0 {\n", 250, "v[0] = 1;\n", "}\n"))),
        ("values", kernel(format!("v[0] = {};", within("if v[0] == 0 { ", 250, "1", " } else { 2 }")))),
        ("brackets", kernel(format!("v[0] = {};", within("(", 300, "1", ")")))),
        ("scopes", kernel(scopes + "v[0] = 1;\n" + &"}\n".repeat(250))),
        ("switches", kernel(within("switch v[0] { case 0: {\n", 120, "v[0] = 1;\n", "} }\n"))),
        ("too deep", kernel(within("if v[0] == 0 {\n", 5000, "v[0] = 1;\n", "}\n"))),
    ]
}

#[test]
fn a_small_stack_suffices() {
    let folder = folder("stack");
    for (name, text) in deep() {
        fs::write(folder.join("k.kir"), text).expect("the file can be written");
        for command in ["check", "print", "run", "run --target jit", "run --target lanes-8", "dump --stage asm"] {
            let (code, _, err) = done(&folder, &format!("ulimit -s 256; \"$0\" {command} k.kir"));
            assert!(matches!(code, Some(0 | 1)) && err.is_empty(), "{name}, {command}: {code:?}\n{err:.1000}");
        }
    }
}

#[test]
fn closed_streams_are_no_error() {
    let folder = folder("closed");
    for command in ["run k.kir", "run k.kir --target jit", "check k.kir", "print k.kir", "devices", "--help"] {
        for closed in [">&-", "2>&-", "<&- >&- 2>&-"] {
            let (code, _, err) = done(&folder, &format!("\"$0\" {command} {closed}"));
            assert_eq!((code, err.as_str()), (Some(0), ""), "{command} {closed}");
        }
    }
    // Reports do not go where standard output was.
    let (code, ..) = done(&folder, "\"$0\" devices --json r.json >&- 2>&-");
    let report = fs::read_to_string(folder.join("r.json")).expect("it is there");
    assert!(code == Some(0) && report.starts_with("[\n") && report.ends_with("]\n"), "{report}");
}

#[test]
fn neither_variables_nor_folders_are_required() {
    let folder = folder("nothing");
    for variables in
        ["env -i", "HOME=/nonexistent XDG_CACHE_HOME=", "HOME=/dev/null XDG_CACHE_HOME=", "TILEWISE_CACHE=/dev/full"]
    {
        for command in ["devices", "run k.kir --target jit"] {
            let script = if variables.starts_with("env") { "env -i \"$0\"" } else { "env $VARIABLES \"$0\"" };
            let output = shell(&folder, &format!("{script} {command}")).env("VARIABLES", variables).output();
            let (code, out, err) = said(&output.expect("there is a shell"));
            assert!(code == Some(0) && !out.is_empty() && !err.contains("panicked"), "{variables} {command}: {err}");
        }
    }
}

/// Whether programs that are started here ignore the signal: a shell does so to what it runs in the
/// background. Known where there is `/proc`.
fn inherits_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (number - 1) & 1 == 1)
}

#[test]
fn a_signal_ends_the_program_and_leaves_no_report() {
    let folder = folder("signal");
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        if inherits_ignored(number) {
            eprintln!("not run for {name}: whoever started the tests has it ignored, and so has the program");
            continue;
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_tilewise"))
            .args(["fuzz", "--time", "1h", "--target", "reference", "--json", "r.json"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(Duration::from_secs(1));
        let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
        assert!(sent.expect("there is `kill`").success());
        assert_eq!(child.wait().expect("the program ends").signal(), Some(number as i32));
        let names = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file").file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["k.kir"], "{name}");
    }
}

#[test]
fn the_emitter_of_the_process_is_of_jit_and_not_of_a_target_that_names_its_own() {
    let folder = folder("code");
    let verify = "TILEWISE_CODE=cranelift \"$0\" verify sync/tile_sum.kir --no-html --target";
    let (code, out, _) = done(&folder, &format!("{verify} jit"));
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("emitters on jit, of 1 kernels: 1 cranelift\n"), "{out}");
    for (target, form) in [(SuiteTarget::JitAvx2, "avx2"), (SuiteTarget::JitAvx512, "avx512")] {
        let (code, out, _) = done(&folder, &format!("{verify} {target}"));
        let expected = match target.missing() {
            None => (Some(0), format!("emitters on {target}, of 1 kernels: 1 {form}\n")),
            Some(reason) => (Some(1), format!("nothing run: {target}: {reason}\n")),
        };
        assert!(code == expected.0 && out.contains(&expected.1), "{out}");
    }
}
