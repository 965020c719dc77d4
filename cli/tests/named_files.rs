//! Files that people name on the command line, whatever is there: nothing that is not the program's is
//! changed, what has no end is refused, and commands that are printed can be copied.
#![cfg(feature = "import")]

mod program_runs;

use std::fs;
use std::path::{Path, PathBuf};

use program_runs::tilewise;

const KERNEL: &str = "//! domain 4\n//! a: [4] = iota\n//! expect a = 1 2 3 4\n\
                      kernel next(a: view<i32, 1, read_write>) rank(1) { a[global[0]] = a[global[0]] + 1; }\n";

fn folder(name: &str) -> PathBuf {
    let folder = program_runs::folder("named-files", name);
    fs::write(folder.join("next.kir"), KERNEL).expect("the file can be written");
    folder
}

/// Runs a command that cannot do what it is asked, and gives its complaint.
fn complaint(folder: &Path, arguments: &[&str]) -> String {
    let (code, _, error) = tilewise(folder, arguments);
    assert_eq!(code, Some(2), "{arguments:?}: {error}");
    assert!(error.starts_with("error: ") && error.contains("help: "), "{arguments:?}: {error}");
    error
}

const CELL: [&str; 5] = ["verify", "sweep/not/bool", "--target", "jit", "--no-html"];

#[test]
fn a_file_of_progress_takes_no_other_file_and_is_refused_before_the_work() {
    let folder = folder("resume");
    for (name, text) in [("both.new", "mine"), ("letter", "my letter, without a line end"), ("note", "one\ntwo\n")] {
        fs::write(folder.join(name), text).expect("the file can be written");
    }
    let resume = |file| [&CELL[..], &["--resume", file]].concat();
    for file in ["both.txt", "both.json", "both.txt"] {
        let (code, out, error) = tilewise(&folder, &resume(file));
        assert_eq!(code, Some(0), "{out}{error}");
    }
    assert_eq!(fs::read_to_string(folder.join("both.new")).expect("it is still there"), "mine");
    let progress = fs::read_to_string(folder.join("both.txt")).expect("it is written");
    assert!(progress.lines().nth(1).is_some_and(|line| line.ends_with(" finished")), "{progress}");
    for (file, why) in [
        ("letter", "it does not begin with"),
        ("note", "it does not begin with"),
        ("no/such/folder", "No such file or directory"),
        (".", "it is no ordinary file"),
    ] {
        let error = complaint(&folder, &resume(file));
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(fs::read_to_string(folder.join("letter")).expect("it is there"), "my letter, without a line end");
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_refused() {
    let folder = folder("endless");
    let verify = |option| [&CELL[..], &[option, "/dev/zero"]].concat();
    for (arguments, why) in [
        (verify("--resume"), "it is no ordinary file"),
        (vec!["verify", "--no-html", "--cases", "/dev/zero"], "it has more than"),
        (vec!["verify", "sweep/not/bool", "--include", "/dev/zero"], "it has more than"),
        (vec!["diff", "/dev/zero", "/dev/zero"], "it has more than"),
        (vec!["litmus", "--page", "page.md", "--include", "/dev/zero"], "it has more than"),
    ] {
        let error = complaint(&folder, &arguments);
        assert!(error.contains(why), "{error}");
    }
    // A pipe that nobody writes into, in a folder.
    fs::create_dir(folder.join("shaders")).expect("the folder can be made");
    let made = std::process::Command::new("mkfifo").arg(folder.join("shaders/pipe.wgsl")).status();
    assert!(made.expect("`mkfifo` runs").success());
    for path in ["/dev/zero", "shaders"] {
        let (code, out, error) = tilewise(&folder, &["corpus", path, "--time", "2s"]);
        assert_eq!(code, Some(1), "{out}{error}");
        assert!(out.contains("it is no ordinary file") && out.contains("no entry point was judged"), "{out}");
    }
}

#[test]
fn a_list_of_cases_may_begin_with_a_byte_order_mark() {
    let folder = folder("mark");
    fs::write(folder.join("cases"), "\u{feff}sync/tile_sum.kir@jit\n").expect("the file can be written");
    let (code, out, error) = tilewise(&folder, &["verify", "--no-html", "--cases", "cases"]);
    assert_eq!(code, Some(0), "{out}{error}");
}

#[cfg(unix)]
#[test]
fn results_go_where_links_point_and_nowhere_twice() {
    let folder = folder("saved");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, folder.join(name)).expect("the link can be made");
    };
    link("real.json", "link.json");
    link("/dev/full", "full.json");
    let (code, out, error) = tilewise(&folder, &["run", "next.kir", "--save", "a=link.json"]);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(fs::symlink_metadata(folder.join("link.json")).expect("it is there").is_symlink());
    assert_eq!(fs::read_to_string(folder.join("real.json")).expect("it is written").trim(), "[1, 2, 3, 4]");
    let error = complaint(&folder, &["run", "next.kir", "--save", "a=full.json"]);
    assert!(error.contains("cannot write `full.json`: No space left on device"), "{error}");
    assert!(fs::symlink_metadata(folder.join("full.json")).expect("it is there").is_symlink());
    let error = complaint(&folder, &["run", "next.kir", "--save", "a=link.json", "--save", "a=real.json"]);
    assert!(error.contains("`--save` writes to `") && error.contains("twice"), "{error}");
}

/// The command behind `repeat:` is one that a shell runs.
#[cfg(unix)]
#[test]
fn commands_to_repeat_can_be_copied() {
    let folder = folder("repeat");
    let wrong = KERNEL.replace("expect a = 1", "expect a = 7");
    let name = "it's 'mine' $(now) \u{1b}[31m.kir";
    fs::write(folder.join(name), wrong).expect("the file can be written");
    let arguments = ["verify", name, "--target", "jit", "--no-html", "--tolerance", "0.5", "--relative", "1e-3"];
    let (code, out, error) = tilewise(&folder, &arguments);
    assert_eq!(code, Some(1), "{out}{error}");
    let command = out.lines().find_map(|line| line.trim().strip_prefix("repeat: tilewise ")).expect("it says how");
    assert!(!command.contains('\u{1b}'), "{command}");
    assert!(command.ends_with(" --target jit --tolerance 5e-1 --relative 1e-3"), "{command}");
    // POSIX has `$'..'` since 2024, and not every `sh` knows it.
    let script = format!("exec {} {command} --no-html", env!("CARGO_BIN_EXE_tilewise"));
    let again = std::process::Command::new("bash").args(["-c", &script]).current_dir(&folder).output();
    let again = again.expect("a shell runs");
    assert_eq!(again.status.code(), Some(1), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(String::from_utf8_lossy(&again.stdout).contains("repeat: "));
}

#[test]
fn inputs_are_named_as_the_command_line_has_them() {
    let folder = folder("inputs");
    let shader = "@group(0) @binding(0) var<storage, read_write> données: array<f32>;\n\
                  @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { données[id.x] += 1.0; }";
    fs::write(folder.join("next.wgsl"), shader).expect("the file can be written");
    let run = |bind| ["run", "next.wgsl", "--dispatch", "1", "--bind", bind, "--save", "0.0=out.json"];
    let (code, out, error) = tilewise(&folder, &run("0.0=[4] = iota"));
    assert_eq!(code, Some(0), "{out}{error}");
    assert_eq!(fs::read_to_string(folder.join("out.json")).expect("it is written").trim(), "[1.0, 2.0, 3.0, 4.0]");
    let error = complaint(&folder, &run("0.0=[4] = iotta"));
    assert!(error.starts_with("error: in `--bind '0.0=[4] = iotta'`: "), "{error}");
    let error = complaint(&folder, &["run", "next.kir", "--expect", "a = 1 2 x"]);
    assert!(error.starts_with("error: in `--expect 'a = 1 2 x'`: ") && !error.contains("--set '"), "{error}");
}

#[test]
fn what_is_wrong_with_a_whole_shader_names_the_file() {
    let folder = folder("shaders");
    let nested =
        format!("@compute @workgroup_size(1) fn main() {{\n  let a = {}1{};\n}}", "(".repeat(500), ")".repeat(500));
    for (name, text, message, place) in [
        ("cut.spv", "\u{3}\u{2}#\u{7}", "the SPIR-V cannot be read", "--> cut.spv"),
        (
            "wide.wgsl",
            "\n@compute @workgroup_size(99999)\nfn main() {}",
            "Workgroup size is out of range",
            "--> wide.wgsl:3:4",
        ),
        ("nested.wgsl", &nested, "the shader nests too deep", "--> nested.wgsl:2:510"),
        ("none.wgsl", "fn main() {}", "no entry point for compute", "--> none.wgsl"),
    ] {
        fs::write(folder.join(name), text).expect("the file can be written");
        let (code, out, error) = tilewise(&folder, &["check", name]);
        assert_eq!(code, Some(1), "{out}{error}");
        let all = out + &error;
        assert!(all.contains(message) && all.contains(place) && all.contains("help: "), "{all}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_not_utf_8_is_a_file() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder("not-utf-8");
    let shader = "//! dispatch 1\n//! o: [1] = zero\n//! expect o = 1\n\
                  @group(0) @binding(0) var<storage, read_write> o: array<u32>;\n\
                  @compute @workgroup_size(1) fn main() { o[0] = 1u; }\n";
    let script = "#!amber\nSHADER compute one WGSL\n@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n\
                  @compute @workgroup_size(1) fn main() { o[0] = 1u; }\nEND\n\
                  BUFFER o DATA_TYPE uint32 DATA 0 END\nPIPELINE compute p\n  ATTACH one\n  \
                  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\nEXPECT o IDX 0 EQ 1\n";
    let name = |bytes: &[u8]| std::ffi::OsStr::from_bytes(bytes).to_owned();
    let run = |arguments: &[&std::ffi::OsStr]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilewise"));
        let output = command.args(arguments).current_dir(&folder).output().expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let word = |text: &'static str| std::ffi::OsStr::new(text);
    for (file, text) in [(&b"k\xff.kir"[..], KERNEL), (b"s\xff.wgsl", shader), (b"a\xff.amber", script)] {
        let file = name(file);
        fs::write(folder.join(&file), text).expect("the file can be written");
        for command in ["check", "run", "verify"] {
            let mut arguments = vec![word(command), &file];
            if command == "verify" {
                arguments.extend(["--target", "reference,jit"].map(word));
            }
            let (code, out, error) = run(&arguments);
            assert_eq!((code, error.as_str()), (Some(0), ""), "{command} {}: {out}", file.display());
        }
    }
    let launch = ["--dispatch", "1", "--bind", "0.0=[1] = zero", "--expect", "o=1"].map(word);
    let (code, out, error) = run(&[&[word("verify"), &name(b"s\xff.wgsl")], &launch[..]].concat());
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    // It is the file of these bytes, and not one whose name looks the same.
    let (code, _, error) = run(&[word("verify"), &name(b"s\xfe.wgsl")]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.starts_with("error: cannot read `s\u{fffd}.wgsl`"), "{error}");
}

#[test]
fn a_panic_of_naga_is_told_once() {
    let folder = folder("naga-panics");
    // An `OpSwitch` that selects by a float, which SPIR-V forbids.
    let words: [u32; 50] = [
        0x0723_0203,
        0x0001_0300,
        0,
        9,
        0, // head
        0x2_0011,
        1,
        0x3_000e,
        0,
        1, // OpCapability, OpMemoryModel
        0x5_000f,
        5,
        4,
        0x6e69_616d,
        0,
        0x6_0010,
        4,
        17,
        1,
        1,
        1, // OpEntryPoint "main", OpExecutionMode
        0x2_0013,
        2,
        0x3_0021,
        3,
        2,
        0x3_0016,
        5,
        32,
        0x4_002b,
        5,
        6,
        0x3f80_0000, // types, OpConstant
        0x5_0036,
        2,
        4,
        0,
        3,
        0x2_00f8,
        7,
        0x3_00f7,
        8,
        0,
        0x3_00fb,
        6,
        8,
        0x2_00f8,
        8,
        0x1_00fd,
        0x1_0038,
    ];
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    fs::write(folder.join("switch.spv"), bytes).expect("the file can be written");
    let (code, out, error) = tilewise(&folder, &["check", "switch.spv"]);
    assert_eq!(code, Some(1), "{out}{error}");
    assert!(out.starts_with("error[K0901]: naga panicked, which reads shaders: "), "{out}");
    // The hook of the program has left the panic to the error.
    assert_eq!(error, "", "{out}");
}

/// Two buffers whose names no parameter can have as they are, or has already.
const LIKE_NAMES: &str = "@group(0) @binding(0) var<storage, read_write> copy: array<u32>;
@group(0) @binding(1) var<storage, read_write> copy_: array<u32>;
@compute @workgroup_size(1) fn main() { copy[0] += 10u * copy_[0]; }
";

#[test]
fn a_variable_is_its_own_where_another_has_the_name_of_its_parameter() {
    let folder = folder("like-names");
    fs::write(folder.join("like.wgsl"), LIKE_NAMES).expect("the file can be written");
    fs::write(folder.join("one.json"), "[1]").expect("the file can be written");
    fs::write(folder.join("two.json"), "[2]").expect("the file can be written");
    for (one, two) in [
        (["--set", "copy: [1] = 1"], ["--set", "copy_: [1] = 2"]),
        (["--bind", "0.0=[1] = 1"], ["--bind", "0.1=[1] = 2"]),
        (["--set", "copy = one.json"], ["--set", "copy_ = two.json"]),
        (["--bind", "0.0=one.json"], ["--bind", "0.1=two.json"]),
        (["--bind", "0.0=[1] = 1"], ["--set", "copy_: [1] = 2"]),
    ] {
        for expect in [["--expect", "copy=21"], ["--expect", "0.0=21"], ["--expect", "copy_=2"]] {
            let arguments = [&["run", "like.wgsl", "--dispatch", "1"][..], &one, &two, &expect].concat();
            let (code, out, error) = tilewise(&folder, &arguments);
            assert_eq!(code, Some(0), "{arguments:?}: {out}{error}");
        }
    }
}

#[test]
fn a_name_that_variables_of_several_bindings_have_is_refused() {
    let folder = folder("several");
    let text = "
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main \"main\"
               OpExecutionMode %main LocalSize 1 1 1
               OpName %first \"\"
               OpName %second \"\"
               OpName %B \"B\"
               OpDecorate %words ArrayStride 4
               OpMemberDecorate %B 0 Offset 0
               OpDecorate %B BufferBlock
               OpDecorate %first DescriptorSet 0
               OpDecorate %first Binding 0
               OpDecorate %second DescriptorSet 0
               OpDecorate %second Binding 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %words = OpTypeRuntimeArray %uint
          %B = OpTypeStruct %words
      %b_ptr = OpTypePointer Uniform %B
      %first = OpVariable %b_ptr Uniform
     %second = OpVariable %b_ptr Uniform
   %word_ptr = OpTypePointer Uniform %uint
       %zero = OpConstant %uint 0
       %main = OpFunction %void None %function
      %entry = OpLabel
       %from = OpAccessChain %word_ptr %first %zero %zero
         %to = OpAccessChain %word_ptr %second %zero %zero
          %x = OpLoad %uint %from
               OpStore %to %x
               OpReturn
               OpFunctionEnd
";
    let bytes = tilewise_amber::assemble::assemble(text, 1, 0x0001_0300).expect("it is SPIR-V").bytes();
    fs::write(folder.join("several.spv"), bytes).expect("the file can be written");
    let first = "--bind=0.0=[1] = 7";
    for option in [["--set", "B: [1] = zero"], ["--set", "B: [1] = zero.json"]] {
        let error = complaint(&folder, &["run", "several.spv", "--dispatch", "1", first, option[0], option[1]]);
        assert!(error.contains("several variables of the shader are called `B`: 0.0, 0.1"), "{error}");
    }
    let second = "--bind=0.1=[1] = zero";
    let error = complaint(&folder, &["run", "several.spv", "--dispatch", "1", first, second, "--expect", "B=7"]);
    assert!(error.contains("several variables of the shader are called `B`: 0.0, 0.1"), "{error}");
    for expect in ["0.0=7", "0.1=7"] {
        let arguments = ["run", "several.spv", "--dispatch", "1", first, second, "--expect", expect];
        let (code, out, error) = tilewise(&folder, &arguments);
        assert_eq!(code, Some(0), "{out}{error}");
    }
}
