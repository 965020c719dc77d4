//! Runs of the program in folders of their own, for several test programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder of a test program; what an earlier run of the tests left is gone.
pub(crate) fn folder(program: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(program).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Runs the program: its exit code, output and complaints.
pub(crate) fn tilewise(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    let output = command.args(arguments).current_dir(folder).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}
