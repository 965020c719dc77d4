//! What the program does when its output cannot be written: standard output, standard error, reports.

use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("output").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("k.kir"), KERNEL).expect("the file can be written");
    fs::write(folder.join("wrong.kir"), "kernel k() rank(1) { x; }").expect("the file can be written");
    folder
}

const KERNEL: &str = "//! domain 8
//! v: [8] = iota
kernel k(v: view<i32, 1, read_write>) rank(1) {
    v[global[0]] = v[global[0]] * 2;
}
";

fn tilewise(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn done(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = tilewise(folder, args).output().expect("the program runs");
    (status.code(), text(&stdout), text(&stderr))
}

/// One call of each command that prints, and its exit code.
const COMMANDS: [(&[&str], i32); 13] = [
    (&["run", "k.kir"], 0),
    (&["run", "k.kir", "--set", "v: [4, 4] = zero"], 1),
    (&["print", "k.kir"], 0),
    (&["print", "wrong.kir"], 1),
    (&["check", "k.kir"], 0),
    (&["check", "wrong.kir"], 1),
    (&["dump", "k.kir", "--stage", "asm"], 0),
    (&["devices"], 0),
    (&["verify", "sync/tile_sum.kir", "--target", "reference"], 0),
    (&["verify", "sync/tile_sum.kir", "--target", "reference", "--list"], 0),
    (&["fuzz", "--seed", "1", "--print"], 0),
    (&["fuzz", "--kernels", "1", "--no-coverage", "--target", "reference"], 0),
    (&["--help"], 0),
];

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_cannot_be_written_is_an_error() {
    let folder = folder("full");
    for (args, code) in COMMANDS {
        assert_eq!(done(&folder, args).0, Some(code), "{args:?}");
        let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = tilewise(&folder, args).stdout(full).output().expect("the program runs");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.starts_with("error: cannot write to standard output: "), "{args:?}: {error}");
        assert!(error.contains("\n  help: "), "{args:?}: {error}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder("closed");
    for (args, code) in COMMANDS {
        let mut child =
            tilewise(&folder, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(code), ""), "{args:?}");
    }
}

#[test]
fn reports_are_written_although_nobody_reads_what_is_printed() {
    let folder = folder("closed_reports");
    let args = ["verify", "sync/tile_sum.kir", "--target", "reference", "--json", "r.json", "--html", "r.html"];
    let mut child = tilewise(&folder, &args).stdout(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("the program ends").success());
    assert!(fs::read_to_string(folder.join("r.json")).expect("it is there").ends_with("}\n"));
    assert!(fs::read_to_string(folder.join("r.html")).expect("it is there").ends_with("</html>\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn standard_error_that_cannot_be_written_changes_no_exit_code() {
    let folder = folder("full_error");
    let wrong: [(&[&str], i32); 4] =
        [(&["check", "nothing.kir"], 2), (&["no-such-command"], 2), (&[], 2), (&["run", "k.kir", "--set", "?"], 2)];
    for (args, code) in COMMANDS.into_iter().chain(wrong) {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = tilewise(&folder, args).stderr(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
    }
    // What is asked to be shown there is lost, and not the program.
    for stage in ["lanes", "asm", "report"] {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let mut command = tilewise(&folder, &["run", "k.kir", "--target", "jit"]);
        let output = command.env("TILEWISE_DUMP", stage).stderr(full).output().expect("the program runs");
        assert_eq!((output.status.code(), text(&output.stdout).contains("completed")), (Some(0), true), "{stage}");
    }
}

/// Commands that write reports; what takes a file comes last.
const REPORTS: [&[&str]; 4] = [
    &["devices", "--json"],
    &["verify", "--no-html", "--json"],
    &["verify", "--html"],
    &["fuzz", "--time", "1h", "--save", "saved", "--json"],
];

/// Paths that no report can be written to: what leads there, and what is said.
fn bad_paths(folder: &Path) -> Vec<(String, &'static str)> {
    fs::create_dir(folder.join("taken")).expect("the folder can be made");
    let mut paths = vec![
        ("no/such/folder/r".to_owned(), "name a file in a folder that exists"),
        ("taken".to_owned(), "it is a folder"),
        ("taken/".to_owned(), "it is a folder"),
        ("new/".to_owned(), "name a file in a folder that exists"),
        ("k.kir/r".to_owned(), "name a file in a folder that exists"),
        ("n".repeat(300), "name a file in a folder that exists"),
        ("-".to_owned(), "names no file"),
    ];
    if cfg!(target_os = "linux") {
        paths.push(("/proc/self/r".to_owned(), "name a file in a folder that exists"));
    }
    paths
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_before_the_work_begins() {
    let folder = folder("bad_reports");
    for (path, why) in bad_paths(&folder) {
        for command in REPORTS {
            let args = [command, &[path.as_str()]].concat();
            // An hour of random kernels would not end in time.
            let (code, out, err) = done(&folder, &args);
            assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}: {err}");
            assert!(err.starts_with("error: ") && err.contains(why), "{args:?}: {err}");
        }
    }
    let (code, out, err) = done(&folder, &["fuzz", "--time", "1h", "--save", "k.kir"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    if cfg!(target_os = "linux") {
        let (code, out, err) = done(&folder, &["fuzz", "--time", "1h", "--save", "/proc/self"]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains("takes no files"), "{err}");
    }
}

#[test]
fn two_reports_do_not_go_to_one_file() {
    let folder = folder("twice");
    for (json, html) in [("r", "r"), ("r", "./r"), ("r", "../twice/r"), ("k.kir", "k.kir")] {
        let (code, out, err) = done(&folder, &["verify", "--json", json, "--html", html]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{json} {html}");
        assert!(err.contains("`--json` and `--html` both write to "), "{err}");
    }
    // The page that a run of the whole suite writes without being asked.
    let (code, out, err) = done(&folder, &["verify", "--json", "tilewise-report.html"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert_eq!(fs::read_to_string(folder.join("k.kir")).expect("it is there"), KERNEL);
}

#[test]
fn a_report_does_not_replace_what_the_command_reads() {
    let folder = folder("spared");
    let shader = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n@compute @workgroup_size(1) fn main() { o[0] = 1; }\n";
    let files = [("s.wgsl", shader), ("devices.json", "[]"), ("cases.txt", "amber/bound_twice.amber@jit\n")];
    files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).expect("the file can be written"));
    let commands: &[&[&str]] = &[
        &["verify", "k.kir", "--json", "./k.kir"],
        &["verify", "k.kir", "--html", "k.kir"],
        &["verify", "k.kir", "--junit", "../spared/k.kir"],
        &["verify", "--cases", "cases.txt", "--json", "cases.txt"],
        &["verify", "sweep/**", "--resume", "new.txt", "--json", "new.txt"],
        &["corpus", "s.wgsl", "--json", "s.wgsl"],
        &["corpus", ".", "--json", "s.wgsl"],
        &["accuracy", "--quick", "--state", "new.json", "--page", "new.json"],
        &["accuracy", "--device", "--include", "devices.json", "--page", "devices.json"],
        &["litmus", "--include", "devices.json", "--page", "devices.json"],
    ];
    for command in commands {
        let (code, out, err) = done(&folder, command);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{command:?}: {err}");
        assert!(err.contains("would replace") && err.contains("name another file"), "{command:?}: {err}");
    }
    for (name, text) in files {
        assert_eq!(fs::read_to_string(folder.join(name)).expect("it is there"), text);
    }
    assert_eq!(fs::read_to_string(folder.join("k.kir")).expect("it is there"), KERNEL);
    assert!(!folder.join("new.txt").exists() && !folder.join("new.json").exists(), "nothing is begun");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = folder("nothing");
    let shader = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n@compute @workgroup_size(1) fn main() { o[0] = 1; }\n";
    fs::write(folder.join("s.wgsl"), shader).expect("the file can be written");
    for (command, why) in [
        (&["bench", "s.wgsl", "--bind", "0.0=[1] = zero", "--dispatch", "0"][..], "runs nothing that could be timed"),
        (&["bench", "k.kir", "--launches", "0"], "0 is not in 1.."),
        (&["corpus", "s.wgsl", "--dispatch", "0x1x1"], "runs nothing that could be compared"),
        (&["corpus", "s.wgsl", "--jobs", "0"], "0 is not in 1..=1024"),
        (&["dump", "k.kir", "--stage", "clif", "--code", "avx2"], "the stage `clif` is Cranelift's"),
        // What an option needs is not asked for where another option excludes it.
        (&["accuracy", "--function", "::sinf", "--quick", "--level", "full"], "cannot be used with"),
        (&["check", "k.kir", "--manifest-path", "none/Cargo.toml"], "cannot be used with"),
        (&["check", "--package", "none", "--entry", "main"], "`--entry` is of shaders, and `--package` checks"),
        (&["litmus", "--list", "--include", "none.json"], "cannot be used with"),
        (&["faults", "--list", "--page", "p.md"], "cannot be used with"),
    ] {
        let (code, out, err) = done(&folder, command);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{command:?}: {err}");
        assert!(err.contains(why), "{command:?}: {err}");
    }
}

#[test]
fn a_report_takes_the_place_of_the_last_one_and_nothing_lies_beside_it() {
    let folder = folder("replaced");
    fs::write(folder.join("r.json"), "old").expect("the file can be written");
    for _ in 0..2 {
        assert_eq!(done(&folder, &["devices", "--json", "r.json"]).0, Some(0));
        assert!(fs::read_to_string(folder.join("r.json")).expect("it is there").starts_with("[\n"));
    }
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["k.kir", "r.json", "wrong.kir"]);
}

#[cfg(unix)]
#[test]
fn a_report_goes_where_a_link_points_and_into_pipes_and_devices() {
    let folder = folder("links");
    fs::create_dir(folder.join("real")).expect("the folder can be made");
    std::os::unix::fs::symlink("real/r.json", folder.join("link")).expect("a link can be made");
    for _ in 0..2 {
        assert_eq!(done(&folder, &["devices", "--json", "link"]).0, Some(0));
        assert!(folder.join("link").is_symlink());
        assert!(fs::read_to_string(folder.join("real/r.json")).expect("it is there").starts_with("[\n"));
    }
    assert_eq!(done(&folder, &["devices", "--json", "/dev/null"]).0, Some(0));
    assert!(!Path::new("/dev/null").is_file());
    let (code, out, _) = done(&folder, &["devices", "--json", "/dev/stdout"]);
    assert!(code == Some(0) && out.ends_with("]\n"), "{out}");
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status().expect("there is mkfifo");
    assert!(made.success());
    let mut child = tilewise(&folder, &["devices", "--json", "pipe"]).stdout(Stdio::null()).spawn().expect("it runs");
    let mut read = String::new();
    File::open(folder.join("pipe")).expect("a pipe").read_to_string(&mut read).expect("text");
    assert!(child.wait().expect("it ends").success() && read.ends_with("]\n"), "{read}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_into_a_full_device_is_an_error() {
    let folder = folder("full_reports");
    let (code, _, err) = done(&folder, &["devices", "--json", "/dev/full"]);
    assert!(code == Some(2) && err.contains("cannot write `/dev/full`"), "{err}");
    // The other report is written.
    let verify = ["verify", "sync/tile_sum.kir", "--target", "reference"];
    let (code, _, err) = done(&folder, &[&verify[..], &["--json", "/dev/full", "--html", "r.html"]].concat());
    assert!(code == Some(2) && err.contains("cannot write `/dev/full`"), "{err}");
    assert!(folder.join("r.html").exists());
    let (code, _, err) = done(&folder, &[&verify[..], &["--json", "r.json", "--html", "/dev/full"]].concat());
    assert!(code == Some(2) && err.contains("cannot write `/dev/full`"), "{err}");
    assert!(folder.join("r.json").exists());
}
