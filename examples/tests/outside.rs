//! A package outside of this workspace builds against the library and runs, as a user's does: with
//! features that nothing else of the workspace adds, without its profile and its `.cargo/config.toml`,
//! in the editions 2021 and 2024, and with lints that users set.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const MANIFEST: &str = r#"[package]
name = "outside"
version = "0.0.0"
edition = "EDITION"

[dependencies]
tilewise = { path = "LIBRARY", default-features = false }

[profile.dev]
debug = false

[workspace]
"#;

/// Lints that users set: what macros write must pass them.
const LINTS: &str = "#![forbid(unsafe_code)]\n#![deny(warnings, missing_docs, rust_2018_idioms, \
     unused_qualifications, unreachable_pub, missing_debug_implementations, unused_results)]\n//! A user's program.\n";

/// More than the README's program: a function of a module, a struct, tiles, an error of a kernel.
const PROGRAM: &str = r#"
use tilewise::prelude::*;

mod shapes {
    use tilewise::prelude::*;

    /// A point.
    #[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
    pub(crate) struct Point {
        /// To the right.
        pub(crate) x: f32,
        /// Upwards.
        pub(crate) y: f32,
    }

    /// The square of its distance.
    #[amp]
    pub(crate) fn squared(p: Point) -> f32 {
        p.x * p.x + p.y * p.y
    }
}
use shapes::{Point, squared};

fn tiles() -> tilewise::Result<()> {
    let numbers: Vec<u32> = (0..64).collect();
    let numbers = ArrayView::from_vec(64, numbers)?;
    let sums = ArrayView::from_vec(4, vec![0u32; 4])?;
    parallel_for_each!(numbers.extent().tile::<16>(), |t| {
        #[tile_static]
        let part: [u32; 16];
        part[t.local[0]] = numbers[t.global];
        t.barrier.wait();
        if t.local[0] == 0 {
            let mut sum = 0u32;
            for i in 0..16 {
                sum += part[i];
            }
            sums[t.tile[0]] = sum;
        }
    })?;
    assert_eq!(sums.to_vec()?, [120, 376, 632, 888]);
    Ok(())
}

fn structs() -> tilewise::Result<()> {
    let points = ArrayView::from_vec(3, vec![Point { x: 3.0, y: 4.0 }; 3])?;
    let out = ArrayView::from_vec(3, vec![0.0f32; 3])?;
    parallel_for_each!(out.extent(), |i| out[i] = squared(points[i]))?;
    assert_eq!(out.to_vec()?, [25.0; 3]);
    Ok(())
}

fn main() -> tilewise::Result<()> {
    readme()?;
    tiles()?;
    structs()?;
    println!("all is well");
    Ok(())
}
"#;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository")
}

/// The first program of the README, as a function `readme`.
fn readme_program() -> String {
    let readme = fs::read_to_string(repository().join("README.md")).expect("the README can be read");
    let program = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let program = program.expect("the README shows a program");
    let body = program.split_once("fn main()").expect("it has a main function").1;
    format!("fn readme(){body}\n")
}

/// A folder outside of the repository that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("tilewise-outside-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("src")).expect("a folder can be made in the system's folder for such");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

fn builds_and_runs(edition: &str) {
    let folder = Folder::new(edition);
    let library = repository().join("tilewise");
    let manifest = MANIFEST.replace("EDITION", edition).replace("LIBRARY", &library.display().to_string());
    fs::write(folder.0.join("Cargo.toml"), manifest).expect("the manifest can be written");
    fs::write(folder.0.join("src/main.rs"), format!("{LINTS}{PROGRAM}{}", readme_program()))
        .expect("the program can be written");
    // The versions that are pinned here, which are there already: nothing is fetched.
    fs::copy(repository().join("Cargo.lock"), folder.0.join("Cargo.lock")).expect("the lock file can be copied");

    // Built once: the target folder stays from run to run.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--offline", "--quiet"])
        .current_dir(&folder.0)
        .env("CARGO_TARGET_DIR", target)
        .env_remove("TILEWISE_FALLBACK")
        .env_remove("TILEWISE_DEFAULT_ACCELERATOR")
        .output()
        .expect("cargo can be run");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    assert_eq!((&*out, &*err), ("all is well\n", ""));
}

#[test]
fn a_program_of_edition_2024_builds_outside_and_runs() {
    builds_and_runs("2024");
}

#[test]
fn a_program_of_edition_2021_builds_outside_and_runs() {
    builds_and_runs("2021");
}
