//! Scripts of Amber through the program: what `check`, `run`, `verify` and `corpus` say, and their exit codes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// An empty folder; what an earlier run of the tests left is gone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("amber").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Runs the program; gives its exit code and what it says.
fn tilewise(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program can be run");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}

const RIGHT: &str = "#!amber
SHADER compute double WGSL
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2u; }
END
BUFFER v DATA_TYPE uint32 DATA 1 2 3 4 END
PIPELINE compute p
  ATTACH double
  BIND BUFFER v AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN p 1 1 1
EXPECT v IDX 0 EQ 2 4 6 8
";

/// The same, with one number that is not as expected.
fn unexpected() -> String {
    RIGHT.replace("EQ 2 4 6 8", "EQ 2 4 6 9")
}

/// The same, with a statement that is refused, and with one that is none.
fn refused() -> String {
    RIGHT.replace("RUN p", "SAMPLER s\nRUN p")
}

fn wrong() -> String {
    RIGHT.replace("RUN p", "RAN p")
}

#[test]
fn check_and_run_say_what_is_wrong_with_a_script() {
    let folder = folder("run");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the file can be written");
    write("right.amber", RIGHT);
    write("unexpected.amber", &unexpected());
    write("refused.amber", &refused());
    write("wrong.amber", &wrong());
    let is = |args: &[&str], code: i32, says: &str| {
        let (got, said) = tilewise(&folder, args);
        assert!(got == code && said.contains(says), "{args:?}: exit {got}\n{said}");
    };
    is(&["check", "right.amber"], 0, "1 file checked, no errors");
    is(&["check", "refused.amber"], 1, "refused: refused.amber:11:1: samplers are not supported\n  help: load texels");
    is(&["check", "wrong.amber"], 1, "error: wrong.amber:11:1: `RAN` is no statement\n  help: ");
    is(&["check", "wrong.amber", "right.amber"], 1, "1 error");
    for target in ["reference", "jit", "lanes-8"] {
        is(&["run", "right.amber", "--target", target], 0, "completed: 1 of 1 expectations hold");
    }
    let differs = "wrong: unexpected.amber:12:1: `v` differs in 1 of 4 values\n  byte 12: expected 9, got 8";
    is(&["run", "unexpected.amber"], 1, differs);
    is(&["run", "unexpected.amber"], 1, "FAILED: 0 of 1 expectations hold");
    is(&["run", "refused.amber"], 1, "samplers are not supported");
    is(&["run", "right.amber", "--set", "v: [4] = zero"], 2, "`--set` is of kernels and shaders");
    is(&["print", "right.amber"], 2, "`right.amber` is a script of Amber, and no kernel");
}

#[test]
fn verify_and_corpus_judge_scripts_on_targets() {
    let folder = folder("judged");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the file can be written");
    let verify = |name: &str| tilewise(&folder, &["verify", name, "--target", "reference,jit", "--no-html"]);
    write("right.amber", RIGHT);
    let (code, said) = verify("right.amber");
    assert!(code == 0 && said.contains("passed"), "{said}");
    let (code, said) = tilewise(&folder, &["corpus", "."]);
    assert!(code == 0 && said.contains("1 100.0 %  agreed") && said.contains("1 entry points"), "{said}");
    write("unexpected.amber", &unexpected());
    let (code, said) = verify("unexpected.amber");
    assert!(code == 1 && said.contains("byte 12: expected 9, got 8"), "{said}");
    write("refused.amber", &refused());
    let (code, said) = verify("refused.amber");
    assert!(code == 1 && said.contains("not-run: 1 on jit: line 11: samplers are not supported"), "{said}");
    write("wrong.amber", &wrong());
    let (code, said) = tilewise(&folder, &["corpus", ".", "--json", "report.json"]);
    for part in [
        "4 files: 1 not read as shaders",
        "1  33.3 %  not-imported",
        "1  33.3 %  not-as-expected",
        "1 amber: samplers are not supported",
        "not-as-expected: ./unexpected.amber script: ./unexpected.amber:12:1: `v` differs",
        "./wrong.amber: line 11: `RAN` is no statement",
    ] {
        assert!(code == 1 && said.contains(part), "`{part}` is not in\n{said}");
    }
    let report = fs::read_to_string(folder.join("report.json")).expect("the report is written");
    assert!(report.contains("\"entry\": \"script\""), "{report}");
}

#[test]
fn a_script_shows_a_few_of_many_differences() {
    let folder = folder("many");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the file can be written");
    let checks = "REPEAT 500\nRUN p 1 1 1\nEXPECT v IDX 0 EQ 5\nEND\n";
    let outside = RIGHT.replace("v[id.x] *= 2u;", "v[id.x] = 7u; v[id.x + 4u] = 1u;");
    let outside = outside.split("RUN p").next().unwrap().to_owned() + checks;
    write("repeated.amber", &outside);
    let (code, said) = tilewise(&folder, &["run", "repeated.amber", "--target", "reference"]);
    assert_eq!(code, 1, "{said}");
    assert_eq!(said.matches("wrong: repeated.amber:13:1: `v` differs in 1 of 1 values").count(), 10, "{said}");
    assert!(said.contains("\nand 490 more expectations that do not hold\n"), "{said}");
    assert!(said.contains("\nand 490 more runs with reports\n"), "{said}");
    assert!(said.ends_with("FAILED: 0 of 500 expectations hold\n"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn buffers_that_differ_everywhere_take_no_more_memory_than_buffers() {
    let folder = folder("memory");
    let buffers = "BUFFER a DATA_TYPE uint8 SIZE 30000000 FILL 1\nBUFFER b DATA_TYPE uint8 SIZE 30000000 FILL 2\n\
        IMAGE c FORMAT R8_UNORM DIM_2D WIDTH 5000 HEIGHT 6000\n";
    let expects = "EXPECT a EQ_BUFFER b\nEXPECT c IDX 0 0 SIZE 5000 6000 EQ_RGBA 255 0 0 0\n";
    fs::write(folder.join("all.amber"), format!("#!amber\n{buffers}{expects}")).expect("the file can be written");
    let command = format!("ulimit -v 1500000 && {} run all.amber --target reference", env!("CARGO_BIN_EXE_tilewise"));
    let output = Command::new("sh").args(["-c", &command]).current_dir(&folder).output().expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`a` differs in 30000000 of 30000000 values\n"), "{said}");
    assert!(said.contains("`c` differs in 30000000 of 30000000 values\n"), "{said}");
    assert!(said.contains("\n  and 29999992 more\n"), "{said}");
}

#[test]
fn a_dispatch_of_more_threads_than_the_reference_runs_is_an_error_at_its_line() {
    let folder = folder("threads");
    let idle = RIGHT.replace("v[id.x] *= 2u;", "").replace(
        "RUN p 1 1 1\nEXPECT v IDX 0 EQ 2 4 6 8",
        "RUN p 1 1 1\nRUN p 536870911 1 1\nEXPECT v IDX 0 EQ 1 2 3 4",
    );
    fs::write(folder.join("many.amber"), idle).expect("the file can be written");
    let line = "many.amber:12:1: the dispatch has 2147483644 threads, and the reference runs 200000000 at most";
    for (args, code) in [
        (&["run", "many.amber"][..], 1),
        (&["verify", "many.amber", "--target", "reference,jit"], 1),
        (&["corpus", "many.amber"], 0),
    ] {
        let (found, said) = tilewise(&folder, args);
        assert!(found == code && said.contains(line), "{args:?}: {found}\n{said}");
    }
    let (code, said) = tilewise(&folder, &["run", "many.amber", "--target", "jit"]);
    assert_eq!((code, said.as_str()), (0, "completed: 1 of 1 expectations hold\n"));
}

#[test]
fn corpus_does_not_read_what_is_no_text() {
    let folder = folder("latin1");
    fs::write(folder.join("right.amber"), RIGHT).expect("the file can be written");
    for name in ["a.wgsl", "b.amber"] {
        fs::write(folder.join(name), [b"// \xe9 ", name.as_bytes()].concat()).expect("the file can be written");
    }
    let (code, said) = tilewise(&folder, &["corpus", "."]);
    assert_eq!(code, 0, "{said}");
    for part in [
        "3 files: 2 not read as shaders",
        "`./a.wgsl` is no text: byte 3 is not UTF-8",
        "`./b.amber` is no text: byte 3 is not UTF-8",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("crashed"), "{said}");
}

#[test]
fn an_option_of_kernels_is_named_as_it_is_written() {
    let folder = folder("options");
    fs::write(folder.join("right.amber"), RIGHT).expect("the file can be written");
    for option in [["--bind", "0.0=zero"], ["--set", "v = zero"], ["--domain", "4"], ["--dispatch", "4"]] {
        let (code, said) = tilewise(&folder, &["run", "right.amber", option[0], option[1]]);
        assert!(code == 2 && said.contains(&format!("`{}` is of kernels and shaders", option[0])), "{said}");
    }
}

#[test]
fn warnings_about_the_shaders_of_a_script_count() {
    let folder = folder("warnings");
    let text = "#!amber\nSHADER compute s WGSL\n@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
                @compute @workgroup_size(4) fn main(@builtin(local_invocation_id) id: vec3u) {\n\
                if (id.x == b[1]) { workgroupBarrier(); }\nb[0] = 1u;\n}\nEND\nBUFFER b DATA_TYPE uint32 SIZE 4 FILL 0\n\
                PIPELINE compute p\nATTACH s\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\n";
    fs::write(folder.join("vote.amber"), text).expect("the file can be written");
    let (code, said) = tilewise(&folder, &["check", "vote.amber"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("warning[K0503]") && said.contains("1 file checked, no errors, 1 warning"), "{said}");
    assert_eq!(tilewise(&folder, &["check", "--deny-warnings", "vote.amber"]).0, 1);
    let (code, said) = tilewise(&folder, &["check", "vote.amber", "--entry", "main"]);
    assert!(code == 2 && said.contains("`--entry` is of shaders, and `vote.amber` is a script"), "{said}");
    let (code, said) = tilewise(&folder, &["run", "vote.amber", "--tolerance", "1"]);
    assert!(code == 2 && said.contains("`--tolerance` is of kernels and shaders"), "{said}");
}

#[test]
fn a_script_that_does_nothing_passes_nowhere() {
    let folder = folder("nothing");
    let idle = RIGHT.replace("RUN p 1 1 1\nEXPECT v IDX 0 EQ 2 4 6 8\n", "RUN p 0 1 1\nRUN p 1 1 0\n");
    for (name, text) in [("empty.amber", "#!amber\n"), ("idle.amber", idle.as_str())] {
        fs::write(folder.join(name), text).expect("the file can be written");
        let (code, said) = tilewise(&folder, &["verify", name, "--target", "reference,jit"]);
        assert!(
            code == 1 && said.contains("not-run: 1 on jit: the script runs nothing, and expects nothing"),
            "{said}"
        );
    }
    // What a run leaves is compared also without expectations.
    fs::write(folder.join("runs.amber"), RIGHT.replace("EXPECT v IDX 0 EQ 2 4 6 8\n", "")).expect("it can be written");
    assert_eq!(tilewise(&folder, &["verify", "runs.amber", "--target", "jit"]).0, 0);
}

#[test]
fn what_is_bound_of_a_buffer_has_bytes() {
    let folder = folder("no_bytes");
    let text = RIGHT.replace("BINDING 0", "BINDING 0 DESCRIPTOR_OFFSET 16").replace("EQ 2 4 6 8", "EQ 1 2 3 4");
    fs::write(folder.join("end.amber"), text).expect("the file can be written");
    let (code, said) = tilewise(&folder, &["run", "end.amber"]);
    assert!(code == 1 && said.contains("what is bound of `v` lies not within it"), "{said}");
}

#[test]
fn a_buffer_holds_all_that_a_block_of_the_shader_has() {
    let folder = folder("small_blocks");
    let script = |block: &str, bound: &str, read: &str, data: &str| {
        format!(
            "#!amber\nSHADER compute s WGSL\nstruct U {{ a: vec4u, b: vec3u }}\n@group(0) @binding(0) {block}\n\
             @group(0) @binding(1) var<storage, read_write> o: array<u32>;\n\
             @compute @workgroup_size(1) fn main() {{ o[0] = {read}; }}\nEND\nBUFFER b DATA_TYPE uint32 DATA {data} END\n\
             BUFFER out DATA_TYPE uint32 DATA 0 END\nPIPELINE compute p\nATTACH s\n\
             BIND BUFFER b AS {bound} DESCRIPTOR_SET 0 BINDING 0\nBIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1\n\
             END\nRUN p 1 1 1\nEXPECT out IDX 0 EQ 7\n"
        )
    };
    let uniform = |data: &str| script("var<uniform> u: U;", "uniform", "u.b.z", data);
    let storage = |data: &str| script("var<storage, read_write> u: U;", "storage", "u.b.z", data);
    for (number, text) in
        [uniform("7"), uniform("7 7 7 7 7 7"), storage("7"), storage("7 7 7 7 7 7")].iter().enumerate()
    {
        let name = format!("small{number}.amber");
        fs::write(folder.join(&name), text).expect("the file can be written");
        let (code, said) = tilewise(&folder, &["run", &name]);
        assert!(code == 1 && said.contains("and `u` of the shader has 28"), "{said}");
    }
    // Only the padding behind the last number is missing.
    for (number, text) in [uniform("1 2 3 4 5 6 7"), storage("1 2 3 4 5 6 7")].iter().enumerate() {
        let name = format!("whole{number}.amber");
        fs::write(folder.join(&name), text).expect("the file can be written");
        let (code, said) = tilewise(&folder, &["run", &name]);
        assert_eq!(code, 0, "{said}");
    }
}

#[test]
fn texels_are_of_the_kind_that_the_shader_reads() {
    let folder = folder("texels");
    let script = |format: &str, ty: &str, data: &str| {
        format!(
            "#!amber\nSHADER compute s WGSL\n@group(0) @binding(0) var t: texture_2d<{ty}>;\n\
             @group(0) @binding(1) var<storage, read_write> o: array<{ty}>;\n\
             @compute @workgroup_size(1) fn main() {{ o[0] = textureLoad(t, vec2i(0, 0), 0).x; }}\nEND\n\
             IMAGE i FORMAT {format} DIM_2D WIDTH 1 HEIGHT 1 DATA {data} END\nBUFFER o DATA_TYPE uint32 DATA 0 END\n\
             PIPELINE compute p\nATTACH s\nBIND BUFFER i AS sampled_image DESCRIPTOR_SET 0 BINDING 0\n\
             BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\nRUN p 1 1 1\nEXPECT o IDX 0 EQ 1065353216\n"
        )
    };
    for (number, (format, ty, data, words)) in [
        ("R32_UINT", "f32", "1065353216", "the texels of `i` are integers, and `t` of the shader has floats"),
        ("R8_UNORM", "u32", "255", "the texels of `i` are floats, and `t` of the shader has integers"),
        ("R8_UNORM", "f32", "255", "1 of 1 expectations hold"),
        ("R32_UINT", "u32", "1065353216", "1 of 1 expectations hold"),
    ]
    .iter()
    .enumerate()
    {
        let name = format!("texels{number}.amber");
        fs::write(folder.join(&name), script(format, ty, data)).expect("the file can be written");
        let (code, said) = tilewise(&folder, &["run", &name]);
        assert!(said.contains(words) && code == i32::from(number < 2), "{format} {ty}: {said}");
    }
}

#[test]
fn a_script_has_its_own_tolerances() {
    let folder = folder("tolerance");
    fs::write(folder.join("right.amber"), RIGHT).expect("the file can be written");
    for option in ["--tolerance", "--relative"] {
        let (code, said) = tilewise(&folder, &["verify", "right.amber", "--target", "reference", option, "0.5"]);
        assert!(code == 2 && said.contains("are of kernels and shaders, and this is a script of Amber"), "{said}");
    }
}
