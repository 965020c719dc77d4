//! What users see of a kernel that is interpreted because it cannot be compiled. The environment variable is looked at once in a program, so the launches are made by this program, started again.

use std::process::Command;

use tilewise::prelude::*;

/// Launches a kernel twice, whatever the environment says.
#[test]
fn a_kernel_that_is_launched_twice() {
    let jit = Accelerator::new(Accelerator::JIT).unwrap().default_view();
    let v = ArrayView::from_vec(40, (0..40).collect::<Vec<i32>>()).unwrap();
    for _ in 0..2 {
        parallel_for_each!((&jit, v.extent()), |i| {
            v[i] = v[i] * 3 + 1;
        })
        .unwrap();
    }
    assert_eq!(v.to_vec().unwrap(), (0..40).map(|n| n * 9 + 4).collect::<Vec<i32>>());
}

/// What that test says on stderr, with the variable so.
fn said(fallback: &str) -> Vec<String> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_kernel_that_is_launched_twice", "--nocapture"])
        .env("TILEWISE_FALLBACK", fallback)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{fallback}: {text}");
    text.lines().filter(|line| line.starts_with("tilewise:")).map(Into::into).collect()
}

#[test]
fn the_user_is_told_once_of_a_kernel_that_is_interpreted_and_where_it_stands() {
    let lines = said("always");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("tests/fallback.rs:"), "{lines:?}");
    assert!(lines[0].ends_with("is interpreted, as TILEWISE_FALLBACK is `always`"), "{lines:?}");
}

#[test]
fn nothing_is_said_of_a_kernel_that_is_compiled() {
    for fallback in ["note", "quiet", "error"] {
        assert_eq!(said(fallback), Vec::<String>::new(), "{fallback}");
    }
}

#[test]
fn a_value_that_means_nothing_is_said_once_with_those_that_do() {
    assert_eq!(said(""), Vec::<String>::new());
    let lines = said("eror");
    assert_eq!(lines.len(), 1, "{lines:?}");
    let words = ["TILEWISE_FALLBACK is `eror`", "`note`", "`quiet`", "`error`", "`always`"];
    assert!(words.iter().all(|word| lines[0].contains(word)), "{lines:?}");
}
