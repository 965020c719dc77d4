//! `tilewise fuzz` as its users meet it.

use std::path::Path;
use std::process::Command;

fn fuzz(args: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tilewise")).arg("fuzz").args(args).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_run_ends_with_a_table_and_writes_its_report() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz.json");
    let path = file.to_string_lossy().into_owned();
    let (code, out, err) = fuzz(&["--kernels", "20", "--seed", "5", "--target", "reference", "--json", &path]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("operation") && out.contains("passed: 20 kernels (seeds 5 to 24) on reference, "), "{out}");
    let last = out.lines().last().unwrap_or_default();
    assert!(last.contains(": 0 failures, 0 refused by drivers, 0 unfinished, 0 not run, in "), "{last}");
    assert!(last.ends_with(" s; continue: tilewise fuzz --seed 25 --kernels 20 --target reference"), "{last}");
    let report = std::fs::read_to_string(&file).expect("the report was written");
    assert!(report.contains("\"kernels\": 20") && report.contains("\"failures\": []"), "{report}");
}

#[test]
fn all_targets_are_compared_unless_some_are_named_and_the_share_in_lanes_is_told() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-all.json");
    let path = file.to_string_lossy().into_owned();
    let (code, out, err) = fuzz(&["--kernels", "60", "--jobs", "2", "--json", &path]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("passed: 60 kernels") && out.contains("in lanes: ") && out.contains(" completed, "), "{out}");
    let report = std::fs::read_to_string(&file).expect("the report was written");
    for target in ["reference", "lanes-8", "lanes-16", "jit"] {
        assert!(report.contains(&format!("\"{target}\"")), "{report}");
    }
    assert!(report.contains("\"not_run\": []"), "{report}");
}

#[test]
fn the_case_of_a_seed_can_be_printed() {
    let (code, out, _) = fuzz(&["--seed", "3", "--print"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("// Seed 3\n//! domain ") && out.contains("\nkernel fuzzed("), "{out}");
}

#[test]
fn with_once_each_target_launches_a_kernel_in_one_variant() {
    let args = ["--kernels", "10", "--size", "small", "--once", "--no-coverage", "--target", "reference,jit,lanes-8"];
    let (code, out, err) = fuzz(&args);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    // The reference runs each a second time, with its checks.
    assert!(out.contains("passed: 10 kernels") && out.contains(" 40 launches"), "{out}");
    assert!(!out.contains("in lanes"), "{out}");
}

#[test]
fn a_result_that_is_compared_with_no_other_is_no_success() {
    let args = ["--kernels", "2", "--size", "small", "--no-coverage", "--target"];
    let (code, out, _) = fuzz(&[&args[..], &["lanes-8", "--once"]].concat());
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("nothing run: lanes-8 took no kernel whose result could be compared"), "{out}");
    // All its variants are compared.
    assert_eq!(fuzz(&[&args[..], &["lanes-8"]].concat()).0, Some(0));
}

#[test]
fn small_kernels_take_turns_and_nothing_is_left_behind() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-saved");
    drop(std::fs::remove_dir_all(&folder));
    let path = folder.to_string_lossy().into_owned();
    let file = folder.with_extension("json");
    let targets = "reference,lanes-8,jit";
    let args = ["--kernels", "30", "--size", "small", "--alternate", "--no-coverage", "--target", targets];
    let (code, out, err) = fuzz(&[&args[..], &["--save", &path, "--json", &file.to_string_lossy()]].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("passed: 30 kernels") && out.contains("0 refused by drivers"), "{out}");
    assert_eq!(std::fs::read_dir(&folder).expect("the folder was made").count(), 0);
    let report = std::fs::read_to_string(&file).expect("the report was written");
    assert!(report.contains("\"size\": \"small\"") && report.contains("\"refused\": []"), "{report}");
}

#[test]
fn fewer_kernels_than_were_asked_for_are_no_success() {
    let (code, out, _) = fuzz(&["--kernels", "100000000", "--time", "1s", "--no-coverage", "--target", "reference"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("out of time:") && out.contains(" of 100000000 kernels were run"), "{out}");
}

#[test]
fn a_time_without_unit_is_explained() {
    let (code, _, err) = fuzz(&["--time", "60"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("as in 60s"), "{err}");
}

#[test]
fn a_run_of_no_kernels_is_no_success() {
    assert_eq!(fuzz(&["--kernels", "0"]).0, Some(1));
}

#[test]
fn a_report_is_written_also_when_kernels_cannot_be_saved() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-unsaved");
    drop(std::fs::remove_dir_all(&folder));
    // Something is in the way of the second kernel's file.
    std::fs::create_dir_all(folder.join("running-1.kir")).expect("the folder can be made");
    let file = folder.join("fuzz.json");
    let args = ["--kernels", "3", "--no-coverage", "--target", "reference", "--save", &folder.to_string_lossy()];
    let (code, out, err) = fuzz(&[&args[..], &["--json", &file.to_string_lossy()]].concat());
    assert!(code == Some(2) && err.contains("not all could be saved") && err.contains("running-1.kir"), "{out}{err}");
    assert!(std::fs::read_to_string(&file).is_ok_and(|report| report.contains("\"kernels\": 3")), "{out}{err}");
}

#[test]
fn what_prints_a_kernel_writes_no_report() {
    for option in ["--json", "--save"] {
        let (code, _, err) = fuzz(&["--seed", "3", "--print", option, "report"]);
        assert!(code == Some(2) && err.contains("cannot be used with"), "{err}");
    }
}

/// A machine without GPUs, or a program without the feature: neither may look like a run on one.
/// Elsewhere than on Linux a GPU cannot be hidden from a program.
#[cfg(any(target_os = "linux", not(feature = "gpu")))]
#[test]
fn a_named_target_that_is_not_there_fails_the_run() {
    for (command, rest) in
        [("fuzz", &["--kernels", "5", "--no-coverage"][..]), ("verify", &["types/wide_elements", "--no-html"])]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
            .env("VK_DRIVER_FILES", "/dev/null")
            .env("VK_ICD_FILENAMES", "/dev/null")
            .args([command, "--target", "reference,gpu-module"])
            .args(rest)
            .output()
            .expect("the program runs");
        let out = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(out.contains("nothing run: gpu-module") && out.contains("FAILED: "), "{out}");
    }
}

#[test]
fn numbers_that_ask_for_nothing_or_for_more_than_there_is_are_refused() {
    for (args, words) in [
        (["--kernels", "18446744073709551615"], "18446744073709551615 is not in "),
        (["--time", "0s"], "there is no time for a kernel"),
    ] {
        let (code, _, err) = fuzz(&args);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(words), "{err}");
    }
    let (code, out, _) = fuzz(&["--kernels", "0"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("nothing run: `--kernels` asks for none"), "{out}");
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
        .args(["run", "k.kir", "--domain", "4x2147483648"])
        .output()
        .expect("the program runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("a size is at most 2147483647"));
}

#[test]
#[cfg(all(feature = "gpu", feature = "import"))]
fn kernels_come_back_from_shaders() {
    let (code, out, err) = fuzz(&["--round-trip", "--kernels", "8", "--size", "small", "--seed", "40"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("wgsl on reference: ") && out.contains("spirv on reference: "), "{out}");
    assert!(out.contains("passed: 8 kernels (seeds 40 to 47): 0 come back otherwise, 0 unfinished, in "), "{out}");
    for option in [&["--target", "jit"][..], &["--limit", "5"], &["--no-isolate"], &["--no-coverage"]] {
        let (code, _, err) = fuzz(&[&["--round-trip"], option].concat());
        assert_eq!(code, Some(2), "{option:?}");
        assert!(err.contains("cannot be used with"), "{err}");
    }
}

/// A run in a process with a planted fault.
#[cfg(debug_assertions)]
fn faulty(fault: &str, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    let output = command.arg("fuzz").args(args).env("TILEWISE_FAULT", fault).output().expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A mistake that random kernels find within seconds, also where lane programs are interpreted.
#[cfg(debug_assertions)]
const FAULT: &str = "vectorizing/continue-forgets-others";

#[cfg(debug_assertions)]
#[test]
fn until_failure_ends_at_the_first_failure_with_a_small_kernel_and_the_command() {
    let args =
        ["--until-failure", "--seed", "20775", "--size", "small", "--no-coverage", "--target", "reference,lanes-8"];
    let (code, out) = faulty(FAULT, &args);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("mismatch: seed "), "{out}");
    let seed = out.split("repeat: tilewise fuzz --seed ").nth(1).and_then(|rest| rest.split(' ').next());
    let seed: u64 = seed.and_then(|seed| seed.parse().ok()).expect("the command names the seed");
    // What is shrunk is smaller than what was generated.
    let (_, generated, _) = fuzz(&["--seed", &seed.to_string(), "--size", "small", "--print"]);
    let shown = out.split("// Found by seed ").nth(1).and_then(|rest| rest.split("\nrepeat: ").next());
    assert!(shown.is_some_and(|shrunk| shrunk.len() < generated.len() / 2), "{out}\n{generated}");
    let last = out.lines().last().unwrap_or_default();
    let command =
        format!(" s; repeat: tilewise fuzz --seed {seed} --kernels 1 --size small --target reference,lanes-8");
    assert!(last.starts_with("FAILED: ") && last.contains(": 1 failure, ") && last.ends_with(&command), "{last}");
    // The command fails again.
    let again = ["--seed", &seed.to_string(), "--kernels", "1", "--size", "small", "--target", "reference,lanes-8"];
    assert_eq!(faulty(FAULT, &again).0, Some(1));
}

#[test]
fn until_failure_goes_on_as_long_as_all_is_well_and_knows_no_number_of_kernels() {
    let args = ["--until-failure", "--time", "1s", "--size", "small", "--no-coverage", "--target", "reference"];
    let (code, out, err) = fuzz(&args);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("continue: tilewise fuzz --seed "), "{out}");
    let (code, _, err) = fuzz(&["--until-failure", "--kernels", "5"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("'--until-failure' cannot be used with '--kernels <N>'"), "{err}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_with_its_summary_and_the_seed_to_go_on_from() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    let args = ["fuzz", "--until-failure", "--size", "small", "--target", "reference", "--seed", "100"];
    let child = command.args(args).stdout(std::process::Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains("interrupted: after ") && out.contains("passed: "), "{out}");
    let seed = out.split("continue: tilewise fuzz --seed ").nth(1).and_then(|rest| rest.split(' ').next());
    assert!(seed.and_then(|seed| seed.parse::<u64>().ok()).is_some_and(|seed| seed > 100), "{out}");
    assert!(out.trim_end().ends_with("--until-failure --size small --target reference"), "{out}");
}

#[cfg(all(unix, feature = "gpu"))]
#[test]
fn an_interrupt_of_a_terminal_lets_launches_on_gpus_finish() {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.args(["fuzz", "--until-failure", "--size", "small", "--no-coverage", "--target", "reference,gpu-strict"]);
    let child = command.process_group(0).stdout(std::process::Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    let group = format!("-{}", child.id());
    let killed = Command::new("kill").args(["-INT", "--", &group]).status().expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("interrupted: after ") && out.contains("0 failures, 0 refused by drivers"), "{out}");
}

/// Runs the program with ends of processes that are provoked: `HOW:TARGET`.
#[cfg(all(debug_assertions, feature = "gpu"))]
fn fuzz_provoked(provoked: &str, args: &[&str]) -> (Option<i32>, String, std::time::Duration) {
    let begin = std::time::Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.args(["fuzz", "--size", "small", "--no-coverage", "--target", "reference,gpu-strict"]).args(args);
    let output = command.env("TILEWISE_PROVOKE", provoked).output().expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), begin.elapsed())
}

#[cfg(all(debug_assertions, feature = "gpu"))]
#[test]
fn a_driver_that_ends_its_process_has_refused_that_kernel() {
    let (code, out, _) = fuzz_provoked("abort:gpu-strict", &["--kernels", "3", "--seed", "11", "--time", "2s"]);
    assert_eq!(code, Some(1), "{out}");
    let ending = if cfg!(unix) { "SIGABRT" } else { "process" };
    for seed in [11, 12, 13] {
        let line = out.lines().find(|line| line.contains(&format!("seed {seed} on gpu-strict"))).unwrap_or_default();
        assert!(line.starts_with("refused by the driver:") && line.contains(ending), "{out}");
    }
    assert!(
        out.contains("3 kernels (seeds 11 to 13) on reference, gpu-strict")
            && out.contains("0 failures, 3 refused by drivers"),
        "{out}"
    );
}

#[cfg(all(debug_assertions, feature = "gpu"))]
#[test]
fn a_driver_that_does_not_answer_has_refused_that_kernel_and_the_run_ends() {
    let (code, out, time) =
        fuzz_provoked("hang:gpu-strict", &["--kernels", "2", "--time", "1s", "--limit", "2", "--jobs", "2"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("seed 0 on gpu-strict: it did not end within 2 s") && out.contains("--limit"), "{out}");
    assert!(out.contains("0 failures, 2 refused by drivers"), "{out}");
    assert!(time < std::time::Duration::from_secs(15), "{time:?}");
}
