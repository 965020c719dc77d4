//! The timeline that `TILEWISE_TRACE` asks for, as a program of the user's writes it. The variable
//! is read once in a process, so this program is started again with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;
use tilewise::prelude::*;

/// Launches on each accelerator; a GPU also moves bytes and is waited for.
#[test]
fn launches_on_all_accelerators() -> tilewise::Result<()> {
    for accelerator in Accelerator::all() {
        if accelerator.path() == Accelerator::CPU {
            continue;
        }
        let queue = accelerator.default_view();
        let view = ArrayView::from_vec(2048, vec![1_i32; 2048])?;
        for _ in 0..2 {
            parallel_for_each!((&queue, view.extent()), |i| view[i] += i[0])?;
        }
        assert_eq!(view.to_vec()?[2047], 1 + 2 * 2047, "{accelerator}");
        queue.wait()?;
    }
    Ok(())
}

/// The test above in a process with this value of the variable.
fn started(value: &str, folder: &Path) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program has a path"));
    command.args(["--exact", "launches_on_all_accelerators", "--nocapture"]).env("TILEWISE_TRACE", value);
    command.current_dir(folder);
    command
}

/// Runs it; returns what it says on standard error.
fn traced(value: &str, folder: &Path) -> String {
    let output = started(value, folder).output().expect("this program starts");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{err}");
    err
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tracing").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// The spans of a file: kind, detail, thread, begin and end.
fn spans(path: &Path) -> Vec<(String, String, u64, f64, f64)> {
    let text = fs::read_to_string(path).expect("the timeline was written");
    let events: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    events
        .iter()
        .filter(|event| event["ph"] == "X")
        .map(|event| {
            let begin = event["ts"].as_f64().expect("a time");
            let end = begin + event["dur"].as_f64().expect("a length");
            let thread = event["tid"].as_u64().expect("a number");
            (text(&event["name"]), text(&event["args"]["detail"]), thread, begin, end)
        })
        .collect()
}

#[test]
fn the_timeline_has_launches_and_what_they_consist_of() {
    let folder = folder("spans");
    traced("out.json", &folder);
    let spans = spans(&folder.join("out.json"));
    let of = |kind: &str| spans.iter().filter(|span| span.0 == kind).collect::<Vec<_>>();
    let launches = of("launch");
    for accelerator in Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU) {
        let end = format!(" on {accelerator}");
        let named = launches.iter().filter(|launch| launch.1.contains("tests/tracing.rs:") && launch.1.ends_with(&end));
        assert_eq!(named.count(), 2, "{end}: {launches:?}");
    }
    // The kernel is lowered once, and compiled once for the CPU and once for each GPU.
    assert_eq!(of("lower").len(), 1);
    let gpus = Accelerator::all().iter().filter(|accelerator| accelerator.path().starts_with("gpu/")).count();
    let first = of("compile").into_iter().filter(|compile| !compile.1.ends_with(", optimised"));
    assert_eq!(first.count(), 1 + gpus, "{spans:?}");
    let inside = |kind: &str, path: &str| {
        let launch =
            launches.iter().find(|launch| launch.1.ends_with(&format!(" on {path}"))).expect("it was launched");
        of(kind).iter().any(|span| span.3 >= launch.3 && span.4 <= launch.4)
    };
    assert!(inside("compile", Accelerator::JIT) && inside("chunk", Accelerator::JIT));
    if gpus == 0 {
        println!("not run: transfers and waits, as there is no GPU");
        return;
    }
    let transfers = of("transfer");
    for direction in ["8192 bytes to ", "8192 bytes from "] {
        let moved = transfers.iter().filter(|transfer| transfer.1.starts_with(direction)).count();
        assert_eq!(moved, gpus, "{direction}: {transfers:?}");
    }
}

#[test]
fn a_kernel_that_is_interpreted_is_an_event() {
    let folder = folder("interpreted");
    let output = started("out.json", &folder).env("TILEWISE_FALLBACK", "always").output();
    assert!(output.expect("this program starts").status.success());
    let text = fs::read_to_string(folder.join("out.json")).expect("the timeline was written");
    let events: Vec<Value> = serde_json::from_str(&text).expect("it is JSON");
    let interpreted = events.iter().filter(|event| event["ph"] == "i" && event["name"] == "interpreted");
    // The kernel is launched twice on `jit`.
    assert_eq!(interpreted.count(), 2, "{text}");
}

#[test]
fn a_number_of_the_process_keeps_files_apart() {
    let folder = folder("processes");
    traced("out-%p.json", &folder);
    traced("out-%p.json", &folder);
    let names = fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("out-") && !name.contains('%')), "{names:?}");
}

#[test]
fn a_file_that_cannot_be_written_is_said_once_and_nothing_else_changes() {
    let folder = folder("missing");
    let err = traced("no/such/folder.json", &folder);
    let said: Vec<&str> = err.lines().filter(|line| line.starts_with("tilewise:")).collect();
    let wanted = "tilewise: TILEWISE_TRACE is `no/such/folder.json`, which cannot be written: ";
    assert!(matches!(said[..], [line] if line.starts_with(wanted)), "{err}");
}
