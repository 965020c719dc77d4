//! Planted faults: what the program makes of `TILEWISE_FAULT`, and `tilewise faults`.

use std::process::{Command, Output};

fn run(arguments: &[&str], fault: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.args(arguments).env_remove("TILEWISE_FAULT");
    if let Some(fault) = fault {
        command.env("TILEWISE_FAULT", fault);
    }
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn text_of(output: &Output) -> String {
    text(&output.stdout)
}

/// One case of each part of the system that finds a fault there.
const FOUND: [(&str, &str, &str); 5] = [
    ("vectorizing/region-runs-once", "atomics/histogram_in_tiles.kir", "jit"),
    ("versions/last-round-one-early", "barriers/chosen_by_a_value", "lanes-8"),
    ("cranelift/atomic-max-as-min-in-tiles", "atomics/in_tile_static.kir", "jit-clif"),
    ("running/rest-one-column-short", "atomics/adding_floats.kir", "jit"),
    ("importer/carried-stale", "continuing_uses_values", "reference"),
];

#[test]
fn verify_finds_a_planted_fault_and_nothing_without_one() {
    for (fault, pattern, target) in FOUND {
        let arguments = ["verify", pattern, "--no-isolate", "--no-html", "--target", target];
        let clean = run(&arguments, None);
        assert_eq!(clean.status.code(), Some(0), "{}", text(&clean.stdout));
        let planted = run(&arguments, Some(fault));
        assert_ne!(planted.status.code(), Some(0), "{fault}: {}", text(&planted.stdout));
        let told = text(&planted.stderr);
        let reached = told
            .lines()
            .find_map(|line| line.split_once("times that code of this process came to the planted fault: "));
        // A process that crashes tells nothing.
        assert!(planted.status.code() != Some(1) || reached.is_some_and(|(_, count)| count != "0"), "{fault}: {told}");
    }
}

/// A launch on the command line runs in all ways of a target, so in the code of later launches too.
#[test]
fn verify_of_a_file_finds_faults_of_the_optimised_tier() {
    #[cfg(target_arch = "x86_64")]
    let has_wide_code = std::arch::is_x86_feature_detected!("avx2") && cfg!(not(windows));
    #[cfg(not(target_arch = "x86_64"))]
    let has_wide_code = false;
    let directory = std::env::temp_dir().join(format!("tilewise-faults-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("rows.kir");
    let text = "//! domain 32\n//! v: [32, 40] = zero\n
        kernel rows(v: view<i32, 2, read_write>) rank(1) {
            var k: i32 = 0;
            while k < extent(v, 1) {
                v[global[0], k] = v[global[0], k] * 3;
                k = k + 1;
            }
        }";
    std::fs::write(&file, text).unwrap();
    let arguments = ["verify", file.to_str().unwrap(), "--no-isolate", "--no-html", "--target", "reference,jit"];
    // With its inputs on the command line the file needs no expectation.
    let arguments = [&arguments[..], &["--set", "v: [32, 40] = iota"]].concat();
    let clean = run(&arguments, None);
    assert_eq!(clean.status.code(), Some(0), "{}", text_of(&clean));
    let planted = run(&arguments, Some("passes/own-run-last-lane-unwritten"));
    assert_eq!(planted.status.code(), Some(if has_wide_code { 1 } else { 0 }), "{}", text_of(&planted));
    assert!(
        !has_wide_code || text_of(&planted).contains("fail: jit: with `threads:4`: not as on the reference"),
        "{}",
        text_of(&planted)
    );
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_name_that_no_fault_has_is_refused() {
    let refused = run(&["devices"], Some("versions/nothing"));
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(told.contains("names no fault: `versions/nothing`"), "{told}");
    let none = run(&["faults", "nothing/of-the-kind"], None);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no fault matches `nothing/of-the-kind`"));
}

#[test]
fn faults_are_listed_with_their_mistakes() {
    let both = run(&["faults", "versions/*", "--list", "--json", "f.json"], None);
    assert!(
        both.status.code() == Some(2) && text(&both.stderr).contains("cannot be used with"),
        "{}",
        text(&both.stderr)
    );
    let listed = run(&["faults", "versions/*", "--list"], None);
    assert_eq!(listed.status.code(), Some(0));
    let lines = text(&listed.stdout);
    assert!(lines.lines().count() > 10, "{lines}");
    assert!(lines.lines().all(|line| line.starts_with("versions/") && line.contains(": ") && line.ends_with('.')));
    let drawn = |seed: &str| text(&run(&["faults", "--list", "--draw", "5", "--seed", seed], None).stdout);
    assert_eq!(drawn("7").lines().count(), 5);
    assert_eq!(drawn("7"), drawn("7"));
    assert_ne!(drawn("7"), drawn("8"));
}

/// The processes that a process has started, by the system's list.
#[cfg(target_os = "linux")]
fn started_by(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("the system lists its processes");
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let is_of_parent = |number: &u32| {
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{number}/stat")) else { return false };
        // Behind the name, which may have any characters: the state, then the parent.
        let behind = stat.rsplit(')').next().unwrap_or_default();
        behind.split_whitespace().nth(1).is_some_and(|number| number == parent.to_string())
    };
    numbers.filter(is_of_parent).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_suite_too_and_leaves_no_files() {
    use std::time::{Duration, Instant};
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.args(["faults", "region-runs-once"]).env_remove("TILEWISE_FAULT");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let id = child.id();
    let waits = |what: &str, is: &dyn Fn() -> bool| {
        let begin = Instant::now();
        while !is() {
            assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    // The suite, and the processes in which cases are judged.
    waits("the suite has started", &|| started_by(id).iter().any(|&suite| !started_by(suite).is_empty()));
    let suite = started_by(id);
    let workers: Vec<u32> = suite.iter().flat_map(|&suite| started_by(suite)).collect();
    let killed = Command::new("kill").args(["-TERM", &id.to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{}", text_of(&output));
    let complaint = text(&output.stderr);
    assert!(complaint.contains("error: interrupted") && complaint.contains("`--state FILE`"), "{complaint}");
    let is_gone = |number: &u32| !std::path::Path::new(&format!("/proc/{number}")).exists();
    waits("the suite has ended", &|| suite.iter().chain(&workers).all(is_gone));
    let files = std::fs::read_dir(std::env::temp_dir()).expect("there is a folder for temporary files");
    let own = format!("tilewise-faults-{id}-");
    let left: Vec<_> = files.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(&own)), "{left:?}");
}
