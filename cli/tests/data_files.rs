//! Files of numbers on the command line: inputs, saved results, results that are compared; of shaders and
//! of kernels. `tilewise verify` and `tilewise bench` with a launch on the command line.
#![cfg(feature = "import")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a shader and a kernel; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("data-files").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("scale.wgsl"), SHADER).expect("the file can be written");
    fs::write(folder.join("scale.kir"), KERNEL).expect("the file can be written");
    folder
}

const SHADER: &str = "@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<vec3f>;
@group(0) @binding(2) var<uniform> factor: f32;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&out)) { out[id.x] = vec3f(a[id.x]) * vec3f(1.0, 2.0, factor); }
}";

const KERNEL: &str = "//! domain 2x3
//! expect any b
kernel scale(a: view<i32, 2, read>, b: view<i32, 2, read_write>) rank(2) {
    b[global[0], global[1]] = a[global[0], global[1]] * 10;
}";

/// Exit code, standard output, standard error.
fn tilewise(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tilewise")).args(args).current_dir(folder).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A file of NumPy's.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A launch of the shader with this input, and with others for its other bindings.
fn with<'a>(command: &'a str, input: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let slot = input.split('=').next().unwrap_or_default();
    let others = ["0.1=[3] = zero", "0.2=0.5"].into_iter().filter(|other| !other.starts_with(slot));
    let bound = others.flat_map(|other| ["--bind", other]);
    [command, "scale.wgsl", "--dispatch", "1"]
        .into_iter()
        .chain(bound)
        .chain(["--bind", input])
        .chain(rest.iter().copied())
        .collect()
}

#[test]
fn numbers_come_from_files_and_go_to_files_of_each_format() {
    let folder = folder("formats");
    let numbers = [1.0, 2.0, -4.0];
    fs::write(folder.join("a.npy"), npy("<f4", "(3,)", &floats(&numbers))).expect("it is written");
    fs::write(folder.join("a.json"), "[1, 2.0, -4e0]").expect("it is written");
    fs::write(folder.join("a.bin"), floats(&numbers)).expect("it is written");
    for input in ["0.0=a.npy", "0.0=a.json", "0.0=a.bin", "0.0='[3] = 1 2 -4"] {
        let input = input.replace('\'', "");
        let saves = ["--save", "out=out.npy", "--save", "0.1=out.json", "--save", "0.1=out.bin"];
        let (code, out, err) = tilewise(&folder, &with("run", &input, &saves));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{input}: {out}");
        assert!(out.contains("out = "), "{out}");
        let json = fs::read_to_string(folder.join("out.json")).expect("it was saved");
        assert_eq!(json, "[[1.0, 2.0, 0.5], [2.0, 4.0, 1.0], [-4.0, -8.0, -2.0]]\n");
        // A vector of three numbers has the place of four: bytes have a gap, files of numbers none.
        let bytes = fs::read(folder.join("out.bin")).expect("it was saved");
        assert_eq!((bytes.len(), &bytes[16..28]), (48, &floats(&[2.0, 4.0, 1.0])[..]));
        let saved = fs::read(folder.join("out.npy")).expect("it was saved");
        assert!(String::from_utf8_lossy(&saved).contains("'shape': (3, 3,)"));
        assert!(saved.ends_with(&floats(&[-4.0, -8.0, -2.0])));
        let same = ["--expect", "out=out.npy", "--expect", "0.1=out.json", "--expect", "0.1=out.bin"];
        let (code, out, err) = tilewise(&folder, &with("run", &input, &same));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    }
}

#[test]
fn a_file_of_bytes_has_the_size_of_the_binding() {
    let folder = folder("binding-size");
    let fields = "struct Gaps { a: vec3f, b: vec3f }\nstruct Tail { a: vec3f, b: f32, c: f32 }\n\
                  struct Wide { @size(64) m: vec2f }\nstruct Late { n: u32, v: array<vec2f> }\n";
    let main = "@compute @workgroup_size(1) fn main()";
    for (ty, store, length, size) in [
        ("array<Gaps>", "o[1].b.z = 2.5;", "[2] = ", 64),
        ("array<Tail>", "o[3].c = 2.5;", "[4] = ", 128),
        ("array<vec3f>", "o[2].z = 2.5;", "[3] = ", 48),
        ("array<mat3x3f>", "o[1][2].z = 2.5;", "[2] = ", 96),
        ("array<Wide, 2>", "o[1].m.y = 2.5;", "", 128),
        ("array<Wide>", "o[1].m.y = 2.5;", "[2] = ", 128),
        ("Tail", "o.c = 2.5;", "", 32),
        ("vec3f", "o.z = 2.5;", "", 12),
        ("Late", "o.v[2].y = 2.5;", "[3] = ", 32),
    ] {
        let text = format!("{fields}@group(0) @binding(0) var<storage, read_write> o: {ty};\n{main} {{ {store} }}\n");
        fs::write(folder.join("o.wgsl"), text).expect("it can be written");
        let run = |input: &str, rest: &[&str]| {
            let input = format!("0.0={input}");
            let launch = ["run", "o.wgsl", "--dispatch", "1", "--bind", &input];
            let (code, out, err) = tilewise(&folder, &[&launch, rest].concat());
            assert_eq!((code, err.as_str()), (Some(0), ""), "{ty} of {input}: {out}");
        };
        run(&format!("{length}zero"), &["--save", "o=first.bin"]);
        let first = fs::read(folder.join("first.bin")).expect("it was saved");
        assert_eq!(first.len(), size, "{ty}");
        // It is an input of the same variable, and what its contents are compared with.
        run("first.bin", &["--save", "o=again.bin", "--expect", "o=first.bin"]);
        assert_eq!(fs::read(folder.join("again.bin")).expect("it was saved"), first, "{ty}");
    }
    let uniform = "struct Wide { @size(64) m: vec2f }\n@group(0) @binding(0) var<uniform> a: array<Wide, 2>;\n\
                   @group(0) @binding(1) var<storage, read_write> o: array<f32>;\n";
    fs::write(folder.join("uniform.wgsl"), format!("{uniform}{main} {{ o[0] = a[1].m.y; }}\n")).expect("it is written");
    let mut bytes = [0; 128];
    bytes[68..72].copy_from_slice(&2.5f32.to_le_bytes());
    let run = |bytes: &[u8]| {
        fs::write(folder.join("a.bin"), bytes).expect("it can be written");
        let bind = ["--bind", "0.0=a.bin", "--bind", "0.1=[1] = zero"];
        tilewise(&folder, &[&["run", "uniform.wgsl", "--dispatch", "1"][..], &bind].concat())
    };
    for length in [128, 72] {
        let (code, out, err) = run(&bytes[..length]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert!(out.contains("o = 2.5"), "{length} bytes: {out}");
    }
    for length in [71, 129, 192] {
        let (code, _, err) = run(&[&bytes[..], &bytes[..]].concat()[..length]);
        assert_eq!(code, Some(2), "{length} bytes: {err}");
        assert!(err.contains(&format!("`a.bin` holds {length} bytes, which do not fit `a`")), "{err}");
        assert!(err.contains("`a` has 128 bytes"), "{err}");
    }
}

#[test]
fn nothing_is_compared_with_a_reference_that_does_not_complete() {
    let folder = folder("endless");
    let shader = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n@compute @workgroup_size(4)\n\
                  fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n    var sum = 0u;\n    \
                  for (var i = 0u; i < 4000000u; i++) { sum += i ^ id.x; }\n    out[id.x] = sum;\n}\n";
    fs::write(folder.join("long.wgsl"), shader).expect("it can be written");
    let bind = ["verify", "long.wgsl", "--dispatch", "1", "--bind", "0.0=[4] = zero", "--target", "reference,jit"];
    let (code, out, _) = tilewise(&folder, &bind);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("fail: reference: the launch does not complete"), "{out}");
    assert!(out.contains("not-run: jit: there is nothing to compare with"), "{out}");
}

#[test]
fn results_are_held_against_what_is_expected_within_a_tolerance() {
    let folder = folder("expect");
    fs::write(folder.join("right.json"), "[1, 2, 0.5, 2, 4, 1, -4, -8.001, -2]").expect("it is written");
    let launch = |rest: &[&str]| tilewise(&folder, &with("run", "0.0=[3] = 1 2 -4", rest));
    let (code, out, _) = launch(&["--expect", "out=right.json"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("wrong: from `right.json`, `out` differs in 1 of 9 numbers, most at [2].1"), "{out}");
    assert!(out.contains("out[2].1: expected -8.001, got -8.0"), "{out}");
    for (rest, code) in [
        (&["--tolerance", "0.01"][..], 0),
        (&["--tolerance", "0.0001"], 1),
        (&["--relative", "0.001"], 0),
        (&["--relative", "0.0001"], 1),
    ] {
        let (found, out, _) = launch(&[&["--expect", "0.1=right.json"], rest].concat());
        assert_eq!(found, Some(code), "{rest:?}: {out}");
    }
    assert_eq!(launch(&["--expect", "out = fill 1"]).0, Some(1));
    let (code, _, err) = launch(&["--tolerance", "-1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("not negative"), "{err}");
}

/// wgpu's own compiler fails over both, so no driver can judge them and they are none of the suite's files.
#[test]
fn lengths_by_overrides_and_columns_by_arguments_are_what_they_say() {
    let folder = folder("lengths");
    let lengths = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\noverride n: u32 = 3;\n\
                   var<workgroup> a: array<u32, n * 2>;\noverride m: u32 = 4;\noverride k: u32 = m + 2;\n\
                   var<workgroup> b: array<u32, n + m + 5>;\n@compute @workgroup_size(1) fn main() {\n\
                   for (var i = 0u; i < n * 2; i++) { a[i] = i + 1; }\nb[n + m + 4] = a[n + 2] + k;\n\
                   o[0] = a[n * 2 - 1]; o[1] = m; o[2] = k; o[3] = b[12];\n}\n";
    let columns = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n\
                   fn column(m: mat2x2f, n: i32) -> f32 { if n < 2 { return m[n].y; } return 9.0; }\n\
                   @compute @workgroup_size(1) fn main() {\nlet m = mat2x2f(1.0, 2.0, 3.0, 4.0);\n\
                   o[0] = u32(column(m, 0)); o[1] = u32(column(m, 1)); o[2] = u32(column(m, 5)); o[3] = 7;\n}\n";
    for (text, more, result) in
        [(lengths, &["--override", "m=5"][..], "[6, 5, 7, 13]\n"), (columns, &[], "[2, 4, 9, 7]\n")]
    {
        fs::write(folder.join("shader.wgsl"), text).expect("it can be written");
        let run = ["run", "shader.wgsl", "--dispatch", "1", "--bind", "0.0=[4] = zero", "--save", "o=o.json"];
        let (code, out, err) = tilewise(&folder, &[&run, more].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert_eq!(fs::read_to_string(folder.join("o.json")).expect("it was saved"), result);
    }
}

#[test]
fn an_override_may_be_a_truth() {
    let folder = folder("truth");
    let shader = "override C: bool = false;\n@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n\
                  @compute @workgroup_size(1) fn main() { o[0] = select(1u, 2u, C); }\n";
    fs::write(folder.join("truth.wgsl"), shader).expect("it can be written");
    for (value, result) in [("true", "[2]\n"), ("false", "[1]\n"), ("1", "[2]\n")] {
        let with = format!("C={value}");
        let run = [
            "run",
            "truth.wgsl",
            "--dispatch",
            "1",
            "--bind",
            "0.0=[1] = zero",
            "--save",
            "o=o.json",
            "--override",
            &with,
        ];
        let (code, out, err) = tilewise(&folder, &run);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert_eq!(fs::read_to_string(folder.join("o.json")).expect("it was saved"), result, "{value}");
    }
    let (code, _, err) = tilewise(&folder, &["run", "truth.wgsl", "--override", "C=yes"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`yes` is neither a number nor `true` or `false`"), "{err}");
}

#[test]
fn what_does_not_fit_is_one_clear_error() {
    let folder = folder("errors");
    fs::write(folder.join("ints.npy"), npy("<i4", "(3,)", &[0; 12])).expect("it is written");
    fs::write(folder.join("cut.npy"), npy("<f4", "(4,)", &[0; 12])).expect("it is written");
    fs::write(folder.join("two.json"), "[1, 2]").expect("it is written");
    fs::write(folder.join("odd.bin"), [0; 6]).expect("it is written");
    fs::write(folder.join("words.json"), "[1, \"two\"]").expect("it is written");
    fs::write(folder.join("flat.npy"), npy("<i4", "(6,)", &[0; 24])).expect("it is written");
    for (input, rest, words) in [
        ("0.0=ints.npy", &[][..], &["holds `i32`, and `a` has `f32`", "astype('float32')"][..]),
        ("0.0=cut.npy", &[], &["4 numbers of 4 bytes, and 12 bytes follow"]),
        ("0.0=none.npy", &[], &["cannot read `none.npy`"]),
        ("0.0=words.json", &[], &["`two` is no number"]),
        ("0.7=two.json", &[], &["no binding 0.7", "0.0 (`a`), 0.1 (`out`), 0.2 (`factor`)"]),
        ("0.2=two.json", &[], &["2 numbers, which do not fit `factor`", "`factor` has 1 numbers"]),
        ("0.1=two.json", &[], &["do not fit `out`", "3 numbers for each element"]),
        ("0.0=two.json", &["--expect", "out=two.json"], &["holds 2 numbers, and `out` has 9 numbers"]),
        ("0.0=two.json", &["--expect", "far=two.json"], &["no memory called `far`", "`a`, `out`"]),
        ("0.0=two.json", &["--save", "out=out.txt"], &["`out.txt` is no name of a file for numbers", ".npy"]),
        ("0.0=two.json", &["--save", "out"], &["has no `=`"]),
        // Before the launch, which may take long.
        ("0.0=[3] = zero", &["--save", "out=out.png"], &["`out` is no picture", "`.npy`"]),
        ("0.0=[3] = zero", &["--bind", "0.0=[4] = zero"], &["`a` has an input already", "each input once"]),
        ("0.0=[3] = zero", &["--dispatch", "9999999999"], &["cannot be used multiple times"]),
    ] {
        let (code, out, err) = tilewise(&folder, &with("run", input, rest));
        assert_eq!(code, Some(2), "{input}: {out}{err}");
        words.iter().for_each(|word| assert!(err.contains(word), "{input} {rest:?}: {err}"));
    }
    for (dispatch, words) in [
        ("9999999999", "`9999999999` is too large"),
        ("1x2x3x4", "write 1 to 3 numbers"),
        ("-1", "unexpected argument"),
        ("1x", "write 1 to 3 numbers"),
    ] {
        let (code, _, err) = tilewise(&folder, &["run", "scale.wgsl", "--dispatch", dispatch]);
        assert_eq!(code, Some(2), "{dispatch}");
        assert!(err.contains(words), "{dispatch}: {err}");
    }
    let (code, _, err) = tilewise(&folder, &["run", "scale.wgsl", "--dispatch", "1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--bind 0.1=") && !err.contains("--set"), "{err}");
    let kernel = |set: &str| tilewise(&folder, &["run", "scale.kir", "--set", "b: [2, 3] = zero", "--set", set]);
    let (code, _, err) = kernel("a = flat.npy");
    assert_eq!(code, Some(2));
    assert!(err.contains("has the shape (6), and `a` has 2 dimensions"), "{err}");
    let (code, out, err) = kernel("a: [2, 3] = flat.npy");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let (code, _, err) = kernel("a: [2, 4] = flat.npy");
    assert_eq!(code, Some(2));
    assert!(err.contains("holds 6 elements"), "{err}");
}

#[test]
fn the_shape_of_a_file_is_that_of_a_view() {
    let folder = folder("shape");
    fs::write(folder.join("a.json"), "[[1, 2, 3], [4, 5, 6]]").expect("it is written");
    let args = ["run", "scale.kir", "--set", "a=a.json", "--set", "b: [2, 3] = zero", "--save", "b=b.json"];
    let (code, out, err) = tilewise(&folder, &args);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let saved = fs::read_to_string(folder.join("b.json")).expect("it was saved");
    assert_eq!(saved, "[[10, 20, 30], [40, 50, 60]]\n");
}

#[test]
fn what_is_expected_of_a_view_has_its_shape() {
    let folder = folder("expected_shape");
    let integers = |numbers: [i32; 6]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let numbers = integers([10, 20, 30, 40, 50, 60]);
    let launch = |shape: &str| {
        fs::write(folder.join("right.npy"), npy("<i4", shape, &numbers)).expect("it is written");
        let set = ["--set", "a: [2, 3] = 1 2 3 4 5 6", "--set", "b: [2, 3] = zero", "--expect", "b=right.npy"];
        tilewise(&folder, &[&["run", "scale.kir"], &set[..]].concat())
    };
    for shape in ["(2, 3)", "(6,)", "(2, 3, 1)"] {
        let (code, out, err) = launch(shape);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{shape}: {out}");
    }
    for shape in ["(3, 2)", "(1, 6)"] {
        let (code, _, err) = launch(shape);
        assert_eq!(code, Some(2), "{shape}");
        assert!(err.contains(&format!("has the shape {shape}, and `b` has the extent [2, 3]")), "{err}");
    }
}

#[test]
fn verify_has_the_entry_point_and_the_overrides_of_the_command_line() {
    let folder = folder("verify_entry");
    let shader = "//! dispatch 1\n//! v: [4] = zero\n//! expect v = 7 7 7 7\n\
        @group(0) @binding(0) var<storage, read_write> v: array<u32>;\noverride n: u32 = 7u;\n\
        @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = n; }\n";
    fs::write(folder.join("seven.wgsl"), shader).expect("the file can be written");
    let verify = |options: &[&str]| {
        let (code, out, err) =
            tilewise(&folder, &[&["verify", "seven.wgsl", "--target", "reference"], options].concat());
        (code, out + &err)
    };
    assert_eq!(verify(&["--entry", "main", "--override", "n=7"]).0, Some(0));
    let (code, said) = verify(&["--override", "n=9"]);
    assert!(code == Some(1) && said.contains("expected 7") && said.contains("got 9"), "{said}");
    let (code, said) = verify(&["--entry", "none"]);
    assert!(code == Some(1) && said.contains("no entry point `none`"), "{said}");
    let (code, _, err) = tilewise(&folder, &["verify", "scale.kir", "--entry", "main"]);
    assert!(code == Some(2) && err.contains("`--entry` and `--override` are of shaders"), "{err}");
    fs::write(folder.join("s.amber"), "#!amber\n").expect("the file can be written");
    let (code, _, err) = tilewise(&folder, &["verify", "s.amber", "--dispatch", "2"]);
    assert!(code == Some(2) && err.contains("`--dispatch` is of kernels and shaders"), "{err}");
    let (code, _, err) = tilewise(&folder, &["verify", "sync/tile_sum.kir", "--entry", "main"]);
    assert!(code == Some(2) && err.contains("`--entry`: such options are of a file, and none is named"), "{err}");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = folder("options_of_nothing");
    fs::write(folder.join("k.kir"), "kernel k(a: view<f32, 1, read>) rank(1) {}\n").expect("the file can be written");
    for (args, words) in [
        (&["print", "k.kir", "--entry", "main"][..], "`--entry` and `--override` are of shaders, and `k.kir` is none"),
        (&["dump", "k.kir", "--dispatch", "8"], "`--dispatch` is of shaders, and `k.kir` is none"),
        (&["dump", "k.kir", "--stage", "wgsl-strict", "--width", "4"], "and the stage `wgsl-strict` is a GPU's"),
        (&["dump", "k.kir", "--stage", "wgsl", "--code", "avx2"], "`--code` is of the code of `jit`"),
        (
            &["run", "scale.kir", "--tolerance", "1"],
            "`--tolerance` says how far results may be from those of `--expect`",
        ),
        (&["check", "--package", "p", "--override", "n=1"], "`--override` is of shaders, and `--package` checks"),
    ] {
        let (code, out, err) = tilewise(&folder, args);
        assert!(code == Some(2) && err.contains(words), "{args:?}: {out}{err}");
    }
    let few = format!("//! a: [2, 3] = 1 2\n//! b: [2, 3] = zero\n{KERNEL}");
    fs::write(folder.join("few.kir"), few).expect("the file can be written");
    let (code, _, err) = tilewise(&folder, &["dump", "few.kir", "--stage", "ir"]);
    assert!(code == Some(0) && err.contains("note: compiled for no launch"), "{err}");
}

#[test]
fn a_file_of_numbers_may_be_called_after_its_bytes() {
    let folder = folder("bytes");
    for name in ["bytes.json", "12bytes.json"] {
        fs::write(folder.join(name), "[1, 2, 3]").expect("the file can be written");
        let bind = [&format!("0.0={name}"), "0.1=[3] = zero", "0.2=2"].map(str::to_owned);
        let args = ["run", "scale.wgsl", "--dispatch", "1", "--bind", &bind[0], "--bind", &bind[1], "--bind", &bind[2]];
        let (code, out, err) = tilewise(&folder, &args);
        assert_eq!(code, Some(0), "{out}{err}");
    }
}

#[test]
fn an_extent_beside_a_file_is_that_of_the_file() {
    let folder = folder("extent_beside");
    fs::write(folder.join("three.json"), "[1, 2, 3]").expect("the file can be written");
    fs::write(folder.join("two.json"), "2").expect("the file can be written");
    let run = |first: &str, third: &str| {
        let (first, third) = (format!("0.0={first}"), format!("0.2={third}"));
        let args =
            ["run", "scale.wgsl", "--dispatch", "1", "--bind", &first, "--bind", "0.1=[3] = zero", "--bind", &third];
        let (code, out, err) = tilewise(&folder, &args);
        (code, out + &err)
    };
    assert_eq!(run("[3] = three.json", "two.json").0, Some(0));
    let (code, said) = run("[100] = three.json", "two.json");
    assert!(code == Some(2) && said.contains("holds 3 elements, which are no `[100]` of `a`"), "{said}");
    let (code, said) = run("three.json", "[5] = two.json");
    assert!(code == Some(2) && said.contains("`factor` has no extent, and `[5]` stands beside `two.json`"), "{said}");
}

#[test]
fn verify_of_spirv_asks_for_a_launch() {
    let folder = folder("verify_spirv");
    fs::write(folder.join("m.spv"), [3, 2, 0x23, 7, 0xff, 0xff]).expect("the file can be written");
    let (code, out, err) = tilewise(&folder, &["verify", "m.spv"]);
    assert!(code == Some(2) && err.contains("`m.spv` does not say how it is launched"), "{out}{err}");
}

#[test]
fn an_override_is_given_once() {
    let folder = folder("override_twice");
    let shader = "//! override n = 4\n//! override n = 8\n//! dispatch 1\n//! expect completed\n\
        override n: u32;\n@compute @workgroup_size(1) fn main() { let m = n; }\n";
    fs::write(folder.join("twice.wgsl"), shader).expect("it is written");
    let (_, out, err) = tilewise(&folder, &["verify", "twice.wgsl", "--target", "reference"]);
    assert!(format!("{out}{err}").contains("`override n` is said twice"), "{out}{err}");
    let twice = ["run", "scale.wgsl", "--dispatch", "1", "--override", "n=4", "--override", "n=8"];
    let (code, _, err) = tilewise(&folder, &twice);
    assert_eq!(code, Some(2));
    assert!(err.contains("`--override n=..` is given twice"), "{err}");
}

/// A Relaxed target computes floats as its driver does, so floats that differ are not judged.
#[test]
fn verify_judges_no_floats_of_a_relaxed_target_by_the_command_line() {
    let folder = folder("verify_relaxed");
    let kernel = "//! domain 2\n//! a: [2] = 3 5\n//! o: [2] = zero\n//! c: [2] = zero\n\
        kernel k(a: view<f32, 1, read>, o: view<f32, 1, read_write>, c: view<i32, 1, read_write>) rank(1) {\n\
        o[global[0]] = 1.0 / a[global[0]];\nc[global[0]] = global[0];\n}\n";
    fs::write(folder.join("k.kir"), kernel).expect("it is written");
    let verify = |expected: &str| {
        let (_, out, _) = tilewise(&folder, &["verify", "k.kir", "--target", "jit,gpu-module", "--expect", expected]);
        out
    };
    // Without a GPU nothing runs there, which is said in the same words.
    let floats = verify("o = 7 8");
    assert!(floats.contains("fail: jit: `o` differs in 2 of 2 numbers"), "{floats}");
    assert!(floats.contains("not-run: gpu-module") && !floats.contains("fail: gpu-module"), "{floats}");
    let integers = verify("c = 7 8");
    assert!(integers.contains("fail: jit: `c` differs in 2 of 2 numbers"), "{integers}");
    assert!(
        integers.contains("fail: gpu-module: `c` differs") || integers.contains("nothing run: gpu-module"),
        "{integers}"
    );
}

#[test]
fn verify_runs_a_launch_of_the_command_line_on_every_target() {
    let folder = folder("verify");
    let targets = ["--target", "reference,lanes-8,jit"];
    let (code, out, err) = tilewise(&folder, &with("verify", "0.0=[3] = 1 2 -4", &targets));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("pass: jit") && out.contains("passed: 2 pass, 0 fail, 0 not run"), "{out}");
    assert!(out.contains("compared with: reference: the launch completes"), "{out}");
    // The reference alone is compared with nothing.
    let alone = tilewise(&folder, &with("verify", "0.0=[3] = 1 2 -4", &["--target", "reference"]));
    assert_eq!(alone.0, Some(1));
    assert!(alone.1.contains("FAILED: 0 pass, 0 fail, 0 not run, nothing was compared"), "{}", alone.1);
    let wrong = [&targets[..], &["--expect", "0.1 = fill 2"]].concat();
    let (code, out, _) = tilewise(&folder, &with("verify", "0.0=[3] = 1 2 -4", &wrong));
    assert_eq!(code, Some(1));
    assert!(out.contains("fail: reference: `out` differs in 7 of 9 numbers"), "{out}");
    assert!(out.contains("FAILED: 0 pass, 3 fail"), "{out}");
    let (code, _, err) = tilewise(&folder, &["verify", "--dispatch", "1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("are of a file, and none is named"), "{err}");
}

#[test]
fn what_a_header_expects_holds_beside_the_command_line_unless_its_inputs_are_replaced() {
    let folder = folder("header_expects");
    let kernel = "// Adds.\n//! domain 2\n//! a: [2] = 1 2\n//! b: [2] = zero\n//! expect a = 1 2\n//! expect b = 1 3\n\
        kernel k(a: view<i32, 1, read_write>, b: view<i32, 1, read_write>) rank(1) { b[global[0]] = a[global[0]]; }\n";
    fs::write(folder.join("own.kir"), kernel).expect("it is written");
    let verify =
        |rest: &[&str]| tilewise(&folder, &[&["verify", "own.kir", "--target", "reference,jit"], rest].concat());
    let (code, out, err) = verify(&["--expect", "a = 1 2"]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert!(out.contains("fail: reference: `b` differs in 1 of 2 scalars") && out.contains("2 fail"), "{out}");
    let (code, out, _) = verify(&["--expect", "b = 3 4", "--set", "a: [2] = 3 4"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("left out: what the header expects, as its inputs are replaced"), "{out}");
    // What the header leaves open the command line may say.
    fs::write(folder.join("own.kir"), kernel.replace("//! expect b = 1 3\n", "")).expect("it is written");
    assert_eq!(verify(&["--expect", "b = 1 2"]).0, Some(0));
}

#[test]
fn a_named_target_that_is_missing_fails_a_launch_of_the_command_line() {
    let folder = folder("missing");
    let all = ["--target", "reference,jit,jit-avx2,jit-avx512,gpu-strict"];
    let (code, out, _) = tilewise(&folder, &with("verify", "0.0=[3] = 1 2 -4", &all));
    assert!(out.contains("pass: jit\n"), "{out}");
    assert_eq!(code == Some(1), out.contains("nothing run: "), "{out}");
}

#[test]
fn a_named_target_that_ran_nothing_fails() {
    let folder = folder("idle");
    let kernel = "// Adds.\n//! domain 2\n//! a: [2] = 1 2\n//! targets reference because this is about a target that is left out\n\
        //! expect a = 2 3\nkernel k(a: view<i32, 1, read_write>) rank(1) { a[global[0]] = a[global[0]] + 1; }\n";
    fs::write(folder.join("only.kir"), kernel).expect("it is written");
    let verify = |rest: &[&str]| tilewise(&folder, &[&["verify", "only.kir", "--no-html"], rest].concat());
    let (code, out, err) = verify(&["--target", "reference"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let (code, out, _) = verify(&["--target", "reference,jit"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("nothing run: jit: ") && out.contains("this is about a target that is left out"), "{out}");
    // Where no target is named, each runs what it can.
    let (code, out, _) = verify(&[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(!out.contains("nothing run: "), "{out}");
}

#[test]
fn bench_shows_a_row_for_each_target() {
    let folder = folder("bench");
    let rest = ["--target", "jit,reference", "--time", "1s", "--launches", "5"];
    let (code, out, err) = tilewise(&folder, &with("bench", "0.0=[3] = 1 2 -4", &rest));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["target", "median", "least", "launches", "ratio"]);
    assert_eq!((rows[1][0], rows[1][5], rows[1][6]), ("jit", "5", "1.00"), "{out}");
    assert_eq!((rows[2][0], rows[2][5]), ("reference", "5"), "{out}");
    let sets = ["--set", "a: [2, 3] = iota", "--set", "b: [2, 3] = zero", "--target", "jit", "--launches", "2"];
    let (code, out, err) = tilewise(&folder, &[&["bench", "scale.kir"][..], &sets].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("jit"), "{out}");
}

const PICTURES: &str = "@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var out: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = (vec2f(id.xy) + 0.5) / vec2f(textureDimensions(out));
    textureStore(out, id.xy, textureSampleLevel(t, s, at, f32(id.z)));
}";

/// The launch of that shader, with its texture from a file.
fn of_picture<'a>(input: &'a str, save: &'a str) -> [&'a str; 12] {
    let [s, out] = ["0.1=sampler linear", "0.2=[1, 4] = zero"];
    ["run", "wide.wgsl", "--dispatch", "2", "--bind", input, "--bind", s, "--bind", out, "--save", save]
}

#[test]
fn a_texture_with_levels_comes_from_a_file_and_a_storage_texture_goes_to_one() {
    let folder = folder("textures");
    fs::write(folder.join("wide.wgsl"), PICTURES).expect("the file can be written");
    let texels = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    fs::write(folder.join("t.npy"), npy("<f4", "(1, 2, 4)", &floats(&texels))).expect("it is written");
    let (code, _, err) = tilewise(&folder, &of_picture("0.0=t.npy", "0.2=out.npy"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let pixels = [255, 0, 0, 255, 191, 0, 64, 255, 64, 0, 191, 255, 0, 0, 255, 255];
    let saved = fs::read(folder.join("out.npy")).expect("it was written");
    assert!(saved.ends_with(&pixels), "{saved:?}");
    let (code, _, err) = tilewise(&folder, &of_picture("0.0=[8] = zero", "0.2=out.npy"));
    assert!(code != Some(0) && err.contains("`t_size` has no input"), "{err}");
}

#[cfg(feature = "pictures")]
#[test]
fn a_picture_is_a_texture_and_a_texture_becomes_a_picture() {
    let folder = folder("pictures");
    fs::write(folder.join("wide.wgsl"), PICTURES).expect("the file can be written");
    let texels = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    fs::write(folder.join("t.npy"), npy("<f4", "(1, 2, 4)", &floats(&texels))).expect("it is written");
    // A picture of four pixels; from its own centres a linear sample takes them as they are.
    let (code, _, err) = tilewise(&folder, &of_picture("0.0=t.npy", "0.2=first.png"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (code, _, err) = tilewise(&folder, &of_picture("0.0=first.png", "0.2=second.png"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let [first, second] = ["first.png", "second.png"].map(|name| fs::read(folder.join(name)).expect("it was written"));
    assert_eq!(first, second);
    let (code, _, err) = tilewise(&folder, &of_picture("0.2=first.png", "0.2=no.png"));
    assert!(code != Some(0) && !err.is_empty(), "`t` has no input");
}

#[cfg(not(feature = "pictures"))]
#[test]
fn a_program_without_pictures_says_so() {
    let folder = folder("no-pictures");
    fs::write(folder.join("wide.wgsl"), PICTURES).expect("the file can be written");
    fs::write(folder.join("t.png"), b"anything").expect("it is written");
    let (code, _, err) = tilewise(&folder, &of_picture("0.0=t.png", "0.2=out.npy"));
    assert!(code != Some(0) && err.contains("feature `pictures`"), "{err}");
}

/// Its variables have names that the text of a kernel keeps for itself.
const RESERVED: &str = "@group(0) @binding(0) var<storage, read_write> copy: array<u32>;
@group(0) @binding(1) var<storage, read_write> loop_: array<u32>;
var<workgroup> kernel: array<u32, 4>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    kernel[id.x] = copy[id.x];
    loop_[id.x] = kernel[3 - id.x];
}
";

#[test]
fn variables_of_a_shader_have_its_names_in_results_and_reports() {
    let folder = folder("reserved");
    fs::write(folder.join("own.wgsl"), RESERVED).expect("it is written");
    let bind = ["--bind", "0.0=[4] = 5 6 7 8", "--bind", "0.1=[4] = zero"];
    let with = |command: &'static str, rest: &[&'static str]| {
        tilewise(&folder, &[&[command, "own.wgsl", "--dispatch", "1"], rest].concat())
    };
    let (code, out, err) = with("run", &[&bind[..], &["--target", "jit"]].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("copy = 5 6 7 8\n") && out.contains("loop_ = "), "{out}");
    let (_, out, err) = with("run", &bind);
    let told = out + &err;
    assert!(told.contains("a data race on `kernel[") && !told.contains("kernel_"), "{told}");
    let (_, _, err) = with("run", &bind[..2]);
    assert!(err.contains("the parameter `loop_` has no input"), "{err}");
    let (_, _, err) = with("run", &bind[2..]);
    assert!(err.contains("the parameter `copy` has no input") && err.contains("`//! copy = 1`"), "{err}");
    let (code, out, _) = with("verify", &[&bind[..], &["--expect", "copy = 5 6 7 9", "--target", "jit"]].concat());
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`copy` differs in 1 of 4"), "{out}");
}

#[test]
fn a_workgroup_that_overrides_make_too_large_is_reported_at_its_entry_point() {
    let folder = folder("workgroup");
    let shader = "override n: u32 = 4;\n@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                  @compute @workgroup_size(n, 2)\nfn main(@builtin(local_invocation_id) id: vec3u) { v[id.x] = 1u; }\n";
    fs::write(folder.join("n.wgsl"), shader).expect("it is written");
    for (value, word) in [("0", "out of range"), ("100000", "out of range"), ("10000", "20000 invocations")] {
        let (code, out, err) = tilewise(&folder, &["check", "n.wgsl", "--override", &format!("n={value}")]);
        assert_eq!(code, Some(1), "{out}{err}");
        let told = out + &err;
        assert!(told.contains("n.wgsl:4:4") && told.contains(word), "{told}");
    }
}

#[test]
fn a_target_that_compared_no_shader_of_a_corpus_fails() {
    let folder = folder("corpus");
    let head = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                @group(0) @binding(1) var<storage, read_write> n: atomic<u32>;\n\
                @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) ";
    let shaders = folder.join("shaders");
    fs::create_dir(&shaders).expect("the folder can be made");
    fs::write(shaders.join("ordered.wgsl"), format!("{head}{{ v[id.x] = atomicAdd(&n, 1u); }}"))
        .expect("it is written");
    let corpus = |targets| tilewise(&folder, &["corpus", "shaders", "--target", targets]);
    let (code, out, err) = corpus("jit-clif,lanes-16");
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("nothing run: lanes-16: the result depends on the order of threads"), "{out}");
    assert!(!out.contains("nothing run: jit-clif"), "{out}");
    let (code, out, err) = corpus("jit-clif");
    assert_eq!(code, Some(0), "{out}{err}");
    fs::write(shaders.join("plain.wgsl"), format!("{head}{{ v[id.x] = id.x; }}")).expect("it is written");
    let (code, out, err) = corpus("jit-clif,lanes-16");
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(!out.contains("nothing run: "), "{out}");
}

#[test]
fn equal_files_of_a_corpus_are_judged_once_if_they_are_of_one_kind() {
    let folder = folder("equal_files");
    let shaders = folder.join("shaders");
    fs::create_dir_all(&shaders).expect("it is made");
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = 7u; }\n";
    // Read as a script, the first is none.
    for name in ["a.amber", "b.wgsl", "c.wgsl"] {
        fs::write(shaders.join(name), text).expect("it is written");
    }
    let (code, out, err) = tilewise(&folder, &["corpus", "shaders", "--target", "jit-clif"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("3 files: 1 not read as shaders, 1 repeated") && out.contains("1 entry points"), "{out}");
}

#[test]
fn a_dispatch_of_no_workgroups_runs_nothing() {
    let folder = folder("no_workgroups");
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = 7u; }\n";
    fs::write(folder.join("seven.wgsl"), text).unwrap();
    let bind = ["--bind", "0.0=[4] = iota"];
    for dispatch in ["0", "0x1x1", "2x1x0"] {
        let run = ["run", "seven.wgsl", "--dispatch", dispatch, "--expect", "0.0=0 1 2 3"];
        let (code, out, err) = tilewise(&folder, &[&run[..], &bind].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert!(out.contains("nothing runs") && out.contains("v = 0 1 2 3"), "{out}");
        let verify = ["verify", "seven.wgsl", "--dispatch", dispatch, "--target", "reference,jit"];
        let (code, out, err) = tilewise(&folder, &[&verify[..], &bind].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert!(out.contains("nothing runs"), "{out}");
    }
    // A target that is named is there.
    let missing = ["verify", "seven.wgsl", "--dispatch", "0", "--bind", "0.0=[4] = iota", "--target", "gpu-strict"];
    let (code, out, _) = tilewise(&folder, &missing);
    let is_there = tilewise_conformance::target::SuiteTarget::GpuStrict.missing().is_none();
    assert!(code == Some(i32::from(!is_there)) && out.contains("nothing run: gpu-strict") != is_there, "{out}");
    let both = ["run", "seven.wgsl", "--dispatch", "1", "--domain", "9x9x9"];
    let (code, _, err) = tilewise(&folder, &[&both[..], &bind].concat());
    assert_eq!(code, Some(2));
    assert!(err.contains("`--domain` and `--dispatch` both say"), "{err}");
}

#[test]
fn a_shader_that_is_too_large_for_the_code_of_a_target_is_not_run_there() {
    let folder = folder("large");
    // Wide code ends at 40,000 instructions, and a line comes to three or four.
    let lines: String = (0..16_000).map(|i| format!("    x = (x * {}u) ^ (x >> {}u);\n", 2 * i + 3, i % 31)).collect();
    let head = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {\n    var x = v[id.x];\n";
    fs::write(folder.join("large.wgsl"), format!("{head}{lines}    v[id.x] = x;\n}}\n")).expect("it is written");
    let launch = ["large.wgsl", "--dispatch", "4", "--bind", "0.0=[16] = iota", "--target", "reference,jit-avx2"];
    let (code, out, err) = tilewise(&folder, &[&["verify"], &launch[..]].concat());
    assert_ne!(code, Some(101), "{out}{err}");
    assert!(out.contains("jit-avx2") && out.contains("1 not run"), "{out}{err}");
}

#[test]
fn views_without_elements_are_saved_and_read_back() {
    let folder = folder("empty");
    let kernel = "//! domain 1
//! wide: [2147483647, 0] = zero
//! huge: [0, 2147483647, 2147483647, 2147483647] = zero
//! small: [3, 0, 5] = zero
kernel none(wide: view<i32, 2, read_write>, huge: view<f32, 4, read_write>, small: view<f32x2, 3, read_write>) rank(1) {}";
    fs::write(folder.join("none.kir"), kernel).expect("the file can be written");
    let (code, said, error) = tilewise(&folder, &["run", "none.kir", "--save", "wide=wide.json"]);
    assert_eq!(code, Some(2), "{said}{error}");
    let message =
        "`wide` has no numbers, and JSON would have more than 16777216 empty lists for its extent [2147483647, 0]";
    assert!(error.contains(message) && error.contains("save it as `.npy`"), "{error}");
    for name in ["wide", "huge", "small"] {
        for end in ["npy", "json"].into_iter().filter(|end| (name, *end) != ("wide", "json")) {
            let file = format!("{name}={name}.{end}");
            let (code, said, error) = tilewise(&folder, &["run", "none.kir", "--save", &file]);
            assert_eq!(code, Some(0), "{file}: {said}{error}");
            let (code, said, error) = tilewise(&folder, &["run", "none.kir", "--expect", &file]);
            assert_eq!(code, Some(0), "{file}: {said}{error}");
            let extent = match (name, end) {
                ("huge", "json") => "huge: [0, 2147483647, 2147483647, 2147483647]",
                ("small", "json") => "small: [3, 0, 5]",
                _ => name,
            };
            let input = format!("{extent} = {name}.{end}");
            let (code, said, error) = tilewise(&folder, &["run", "none.kir", "--set", &input]);
            assert_eq!(code, Some(0), "{input}: {said}{error}");
        }
    }
    let shown = fs::read_to_string(folder.join("small.json")).expect("it is written");
    assert_eq!(shown, "[[], [], []]\n");
    fs::write(folder.join("long.npy"), npy("<i4", "(2147483648, 0)", &[])).expect("the file can be written");
    let (code, said, error) = tilewise(&folder, &["run", "none.kir", "--set", "wide = long.npy"]);
    assert_eq!(code, Some(2), "{said}{error}");
    assert!(error.contains("has the shape (2147483648, 0), which is no extent of `wide`"), "{error}");
}

#[test]
fn a_binding_of_a_kernel_is_an_error_that_says_so() {
    let folder = folder("no-bindings");
    for (option, value) in
        [("--bind", "0.0=zero"), ("--bind", "0.0"), ("--save", "0.0=x.npy"), ("--expect", "0.0 = 1 2 3")]
    {
        let args = ["run", "scale.kir", "--set", "a: [2, 3] = iota", "--set", "b: [2, 3] = zero", option, value];
        let (code, said, error) = tilewise(&folder, &args);
        assert_eq!(code, Some(2), "{said}{error}");
        let message = format!("`{option} 0.0` names a binding of a shader, and `scale.kir` is none");
        assert!(error.contains(&message) && error.contains("a kernel's parameters have names"), "{error}");
    }
}

#[test]
fn the_results_of_one_run_are_not_saved_over_those_of_another() {
    let folder = folder("several_runs");
    let text = "//! domain 2\n//! v: [2] = zero\n//! run one\n//! n = 1\n//! expect any v\n//! run two\n//! n = 2\n\
                //! expect any v\nkernel k(v: view<i32, 1, read_write>, n: i32) rank(1) { v[global[0]] = n; }\n";
    fs::write(folder.join("runs.kir"), text).expect("it is written");
    let (code, out, err) = tilewise(&folder, &["run", "runs.kir", "--save", "v=v.json"]);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains("`runs.kir` has 2") && err.contains("`--run`: one, two"), "{err}");
    assert!(!folder.join("v.json").exists());
    let (code, out, err) = tilewise(&folder, &["run", "runs.kir", "--run", "one", "--save", "v=v.json"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(fs::read_to_string(folder.join("v.json")).expect("it was saved"), "[1, 1]\n");
}

#[test]
fn shaders_of_a_corpus_may_have_names_that_begin_as_options_do() {
    let folder = folder("corpus_options");
    for name in ["-x.wgsl", "--help.wgsl"] {
        let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n\
                    @compute @workgroup_size(1) fn main() { v[0] = 1u; }";
        fs::write(folder.join(name), text).expect("it is written");
        let (code, out, err) = tilewise(&folder, &["corpus", "--target", "jit-clif", "--", name]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    }
}
