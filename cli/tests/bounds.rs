//! Files of any size and shape are refused or run in bounded time and memory: the program runs with little
//! address space, and says what is too much.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tilewise::ir::limits::MAX_TEXT;
use tilewise_conformance::target::SuiteTarget;

/// An empty folder; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Address space of the program, in KiB: 3 GiB.
const SPACE: u32 = 3 << 20;

/// What any of these may take, on a machine with other things to do.
const TIME: Duration = Duration::from_secs(60);

/// Runs the program with little address space; gives its exit code and all that it says.
fn tilewise(folder: &Path, args: &[&str], input: Stdio) -> (i32, String) {
    let begin = Instant::now();
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v {SPACE}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_tilewise")])
        .args(args)
        .current_dir(folder)
        .stdin(input)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(begin.elapsed() < TIME, "{args:?} took {:?}", begin.elapsed());
    (output.status.code().unwrap_or(-1), said)
}

/// What `run` says of a file.
fn run(name: &str, text: &str) -> (i32, String) {
    let folder = folder(name);
    fs::write(folder.join("k.kir"), text).expect("the file can be written");
    tilewise(&folder, &["run", "k.kir"], Stdio::null())
}

#[test]
fn inputs_that_ask_for_more_memory_than_a_test_may_have_are_refused() {
    let view =
        |element: &str| format!("kernel k(v: view<{element}, 1, read>, w: view<{element}, 1, read>) rank(1) {{ }}\n");
    let many = |line: &dyn Fn(usize) -> String, n: usize| (0..n).map(line).collect::<String>();
    let params = |ty: &str, n: usize| (0..n).map(|i| format!("p{i}: {ty}")).collect::<Vec<_>>().join(", ");
    let views = format!("kernel k({}) rank(1) {{ }}\n", params("view<i32, 1, read>", 100));
    let cases = [
        ("extent", format!("//! v: [4000000000] = zero\n{}", view("i32")), "`4000000000` is no size"),
        ("large", format!("//! v: [2147483647] = zero\n{}", view("i32")), "`v` is too large"),
        (
            "product",
            "//! v: [65536, 65536] = iota\nkernel k(v: view<i32, 2, read>) rank(1) { }\n".into(),
            "`v` is too large",
        ),
        ("random", format!("//! v: [16777217] = random 1\n{}", view("u8")), "`v` is too large"),
        ("together", format!("//! v: [16777216] = fill 1\n//! w: [1] = zero\n{}", view("u8")), "`w` is too large"),
        ("wide", format!("//! v: [4096] = zero\n{}", view("[u8; 65536]")), "`v` is too large"),
        ("one element", format!("//! v: [1] = zero\n{}", view("[u8; 260000000]")), "`v` is too large"),
        ("memory", format!("//! memory m: u8 [300000000] = zero\n{}", view("u8")), "`m` is too large"),
        (
            "overlaid",
            format!("//! memory m: u8 [65536] = zero\n//! v: [4096] in m stride 0\n{}", view("[u8; 65536]")),
            "`v` is too large",
        ),
        (
            "many",
            "//! domain 1\n".to_owned() + &many(&|i| format!("//! p{i}: [1000000] = zero\n"), 100) + &views,
            "`p16` is too large",
        ),
        (
            "many overlaid",
            "//! domain 1\n//! memory m: i32 [1] = zero\n".to_owned()
                + &many(&|i| format!("//! p{i}: [1000000] in m stride 0\n"), 100)
                + &views,
            "is too large",
        ),
        (
            "bytes",
            "//! b: 18446744073709551615 bytes = zero\nkernel k(b: buffer<[u8], read>) rank(1) { }\n".into(),
            "`b` is too large",
        ),
        ("buffer", "//! b = zero\nkernel k(b: buffer<[u8; 250000000], read>) rank(1) { }\n".into(), "`b` is too large"),
        ("uniform", "//! b = zero\nkernel k(b: [u8; 250000000]) rank(1) { }\n".into(), "`b` is too large"),
        ("count", format!("//! v: [1] = 99999999999999999999*0\n{}", view("i32")), "this is no count"),
        ("negative", format!("//! v: [-1] = zero\n{}", view("i32")), "negative size"),
        ("rank", format!("//! v: [{}] = zero\n{}", "1,".repeat(200_000), view("i32")), "too many sizes"),
        ("domain rank", format!("//! domain {}1\n{}", "1x".repeat(200_000), view("i32")), "too many sizes"),
    ];
    for (name, text, expected) in cases {
        let text = if text.contains("domain") { text } else { format!("//! domain 1\n{text}") };
        let (code, said) = run(&format!("input {name}"), &text);
        assert!(code == 2 && said.contains(expected) && said.contains("help: "), "{name}: {code}\n{said:.1000}");
        assert!(said.starts_with("error: ") && said.contains("--> k.kir:"), "{name}: {said:.1000}");
    }
}

#[test]
fn headers_of_many_entries_are_refused_or_read() {
    let kernel = "kernel k(a: i32) rank(1) { }\n";
    let many = |line: &dyn Fn(usize) -> String, n: usize| (0..n).map(line).collect::<String>();
    let inputs = many(&|i| format!("//! a{i} = 1\n"), 100_000);
    let runs = many(&|i| format!("//! run r{i}\n"), 100_000);
    for (name, text) in [
        ("inputs", inputs.clone()),
        ("runs", format!("//! a = 1\n//! domain 1\n{runs}")),
        ("both", format!("{inputs}{runs}")),
        ("expectations", many(&|i| format!("//! expect print \"{i}\"\n"), 100_000)),
        ("bad entries", many(&|i| format!("//! nothing {i}\n"), 100_000)),
    ] {
        let (code, said) = run(&format!("header {name}"), &format!("{text}{kernel}"));
        assert!(code == 2 && said.contains("at most 4096"), "{name}: {code}\n{said:.1000}");
    }
    // As many as there may be.
    let list = "1 ".repeat(500_000);
    let text = format!("//! domain 1\n//! a = {list}\n{}", many(&|i| format!("//! run r{i}\n"), 4000));
    let (code, said) = run("header shared", &format!("{text}{kernel}"));
    assert!(code == 2 && said.contains("1 values are needed here, and 500000 are given"), "{code}\n{said:.1000}");
    for (name, line) in
        [("quotes", "//! \"\n"), ("below", "x\n//! a\n"), ("annotations", "// ^x\n"), ("marks", "// ^^ #a\n")]
    {
        let (code, said) = run(&format!("header {name}"), &(line.repeat(300_000) + kernel));
        assert!(matches!(code, 1 | 2) && said.len() < 100_000, "{name}: {code}\n{said:.1000}");
    }
}

#[test]
fn what_does_not_end_is_not_read_to_its_end() {
    let folder = folder("endless");
    let bytes = |n: usize| vec![b' '; n];
    fs::write(folder.join("long.kir"), bytes(MAX_TEXT + 1)).expect("the file can be written");
    fs::write(folder.join("longest.kir"), bytes(MAX_TEXT)).expect("the file can be written");
    for command in ["check", "run", "print", "dump"] {
        for (file, input) in [("/dev/zero", None), ("-", Some("/dev/zero")), ("long.kir", None)] {
            let input = input.map_or_else(Stdio::null, |path| File::open(path).expect("Linux has it").into());
            let (code, said) = tilewise(&folder, &[command, file], input);
            assert_eq!(code, 2, "{command} {file}: {said}");
            assert!(
                said.contains("has more than 4194304 bytes") && said.contains("help: "),
                "{command} {file}: {said}"
            );
        }
        let (code, said) = tilewise(&folder, &[command, "longest.kir"], Stdio::null());
        assert!(code == 1 && said.contains("this text has no kernel"), "{command}: {said}");
        let (code, said) = tilewise(&folder, &[command, "/dev/null"], Stdio::null());
        assert!(code == 1 && said.contains("this text has no kernel"), "{command}: {said}");
        let (code, said) = tilewise(&folder, &[command, "."], Stdio::null());
        assert!(code == 2 && said.contains("is a folder"), "{command}: {said}");
        let (code, said) = tilewise(&folder, &[command, "-"], File::open(&folder).expect("a folder").into());
        assert!(code == 2 && said.contains("cannot read `<stdin>`"), "{command}: {said}");
    }
}

#[test]
fn editors_of_other_systems_may_be_used() {
    let text =
        "//! domain 2\n//! a: [2] = 1 2\nkernel k(a: view<i32, 1, read_write>) rank(1) {\n    a[global[0]] = 3;\n}\n";
    let windows = text.replace('\n', "\r\n");
    for (name, text) in
        [("bom", format!("\u{feff}{text}")), ("crlf", windows.clone()), ("both", format!("\u{feff}{windows}"))]
    {
        let (code, said) = run(&format!("editor {name}"), &text);
        assert_eq!((code, said.as_str()), (0, "a [2] = 3 3\ncompleted\n"), "{name}");
    }
    let folder = folder("utf16");
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.join("k.kir"), [&[0xff, 0xfe][..], &utf16].concat()).expect("the file can be written");
    let (code, said) = tilewise(&folder, &["run", "k.kir"], Stdio::null());
    assert!(code == 2 && said.contains("is no text: byte 0 is not UTF-8"), "{said}");
}

#[test]
fn texts_at_the_limit_are_read_with_little_memory() {
    let folder = folder("limit");
    let kernel = |line: &dyn Fn(usize) -> String, most: usize| {
        let mut text = "kernel k(v: view<i32, 1, read_write>) rank(1) {\n".to_owned();
        let mut i = 0;
        while text.len() < most {
            let _ = write!(text, "{}", line(i));
            i += 1;
        }
        text.truncate(text[..most].rfind('\n').unwrap_or(most));
        text + "\n}\n"
    };
    let most = MAX_TEXT - 10;
    for (name, text, code) in [
        ("stores", kernel(&|i| format!("v[{i}] = {i};\n"), most), 1),
        ("names", kernel(&|i| format!("let a{i} = v[{i}];\n"), most), 1),
        ("unknown", kernel(&|i| format!("v[{i}] = a{i};\n"), most), 1),
        ("wrong", kernel(&|_| "v[0] = true;\n".to_owned(), most), 1),
        ("comments", kernel(&|_| "// x\n".to_owned(), most), 0),
    ] {
        fs::write(folder.join("k.kir"), text).expect("the file can be written");
        let (found, said) = tilewise(&folder, &["check", "k.kir"], Stdio::null());
        assert_eq!(found, code, "{name}: {said:.1000}");
        assert!(said.len() < 1 << 20, "{name}: {} bytes", said.len());
    }
}

#[test]
fn blocks_deeper_than_the_parser_of_wgsl_takes_are_unsupported_there() {
    let folder = folder("deep");
    let mut text = "//! domain 4\n//! a: [4] = iota\nkernel k(a: view<i32, 1, read_write>) rank(1) {\n".to_owned();
    for depth in 1..=130 {
        let _ = writeln!(text, "if a[global[0]] < {depth} {{");
    }
    text += "a[global[0]] = a[global[0]] + 1;\n";
    text += &"}".repeat(131);
    fs::write(folder.join("deep.kir"), text).expect("the file can be written");
    for target in [SuiteTarget::Reference, SuiteTarget::Jit, SuiteTarget::GpuStrict, SuiteTarget::GpuWgsl] {
        if let Some(reason) = target.missing() {
            println!("not run: {target}: {reason}");
            continue;
        }
        // A driver wants more address space than the others get.
        let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
            .args(["run", "deep.kir", "--target", target.name()])
            .current_dir(&folder)
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        if target == SuiteTarget::GpuWgsl {
            let wanted = "its WGSL text nests expressions or blocks deeper than the parser of WGSL takes";
            assert!(said.contains(wanted) && !said.contains("refuses"), "{said}");
        } else {
            assert!(output.status.success() && said.contains("a [4] = 1 1 2 3"), "{target}: {said}");
        }
    }
}
