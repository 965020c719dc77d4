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
