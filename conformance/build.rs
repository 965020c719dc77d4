//! Embeds the test files of `kernels/` in the library, so that the suite runs from any directory.
//! Shaders and scripts of Amber are among them if this build imports shaders.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("kernels");
    println!("cargo::rerun-if-changed=kernels");
    let with_shaders = env::var_os("CARGO_FEATURE_IMPORT").is_some();
    let is_test =
        |extension: &OsStr| extension == "kir" || with_shaders && (extension == "wgsl" || extension == "amber");
    let mut files = Vec::new();
    find(&root, &is_test, &mut files)?;
    files.sort();
    let mut out = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        writeln!(out, "    ({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    out.push_str("]\n");
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("corpus.rs");
    fs::write(target, out)
}

fn find(folder: &Path, is_test: &dyn Fn(&OsStr) -> bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, is_test, files)?;
        } else if path.extension().is_some_and(is_test) {
            files.push(path);
        }
    }
    Ok(())
}
