//! `tilewise check --package`: the kernels of a package outside of this workspace.

#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.0.0"
edition = "2024"

[dependencies]
tilewise = { path = "LIBRARY", default-features = false }

[profile.dev]
debug = false

[workspace]
"#;

/// A kernel that parts its tile, one that perhaps does, and one that is right.
const KERNELS: &str = r#"//! Kernels.
use tilewise::prelude::*;

pub fn parts(view: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    parallel_for_each!(view.extent().tile::<16>(), |t| {
        if t.local[0] < 8 {
            t.barrier.wait();
        }
        view[t.global] = 1;
    })
}

pub fn perhaps(view: &ArrayView<'_, i32>, n: i32) -> tilewise::Result<()> {
    parallel_for_each!(view.extent().tile::<16>(), |t| {
        if t.global[0] < n {
            t.barrier.wait();
        }
        view[t.global] = 1;
    })
}

pub fn right(view: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    parallel_for_each!(view.extent(), |i| view[i] = 2)
}
"#;

/// Names the functions, so that they are compiled, and must never run.
const TESTS: &str = r#"
#[test]
fn kernels() {
    let all: [fn(&tilewise::ArrayView<'_, i32>) -> tilewise::Result<()>; 3] =
        [NAME::parts, |view| NAME::perhaps(view, 3), NAME::right];
    std::hint::black_box(all);
    panic!("the tests are not run");
}
"#;

struct Package(PathBuf);

impl Package {
    fn new(name: &str, library: &str, tests: &str) -> Package {
        let path = env::temp_dir().join(format!("tilewise-{name}-{}", std::process::id()));
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository");
        let manifest =
            MANIFEST.replace("NAME", name).replace("LIBRARY", &repository.join("tilewise").display().to_string());
        fs::create_dir_all(path.join("src")).expect("a folder can be made");
        fs::create_dir_all(path.join("tests")).expect("a folder can be made");
        fs::write(path.join("Cargo.toml"), manifest).expect("the manifest can be written");
        fs::write(path.join("src/lib.rs"), library).expect("the library can be written");
        fs::write(path.join("tests/all.rs"), tests).expect("the tests can be written");
        // The versions that are pinned here, which are there already: nothing is fetched.
        fs::copy(repository.join("Cargo.lock"), path.join("Cargo.lock")).expect("the lock file can be copied");
        Package(path)
    }

    /// The exit code, the output and the complaints of a check.
    fn check(&self, package: &str, more: &[&str]) -> (Option<i32>, String, String) {
        // The folder of the test of packages outside of the workspace, which has built the library.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
        let output = Command::new(env!("CARGO_BIN_EXE_tilewise"))
            .args(["check", "--package", package, "--manifest-path"])
            .arg(self.0.join("Cargo.toml"))
            .args(more)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_NET_OFFLINE", "true")
            .output()
            .expect("the program can be run");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn each_error_of_the_kernels_of_a_package_is_reported_with_its_line() {
    let tests = TESTS.replace("NAME", "kernels_of_a_package");
    let package = Package::new("kernels_of_a_package", KERNELS, &tests);

    let (code, out, err) = package.check("kernels_of_a_package", &[]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("error[K0501]") && out.contains("src/lib.rs:6:"), "{out}{err}");
    assert!(out.contains("warning[K0503]") && out.contains("src/lib.rs:15:"), "{out}{err}");
    assert!(out.ends_with("3 kernels in 1 test program checked, 1 error, 1 warning\n"), "{out}{err}");

    // Without the mistake there is a warning, which may be denied.
    let mended = KERNELS.replace("t.local[0] < 8", "t.tile[0] < 8");
    fs::write(package.0.join("src/lib.rs"), mended).expect("the library can be written");
    let (code, out, err) = package.check("kernels_of_a_package", &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.ends_with("3 kernels in 1 test program checked, no errors, 1 warning\n"), "{out}{err}");
    let (code, out, err) = package.check("kernels_of_a_package", &["--deny-warnings"]);
    assert_eq!(code, Some(1), "{out}{err}");

    // Mistakes in the tests are cargo's to report.
    fs::write(package.0.join("tests/all.rs"), "fn wrong() -> i32 {}").expect("the tests can be written");
    let (code, out, err) = package.check("kernels_of_a_package", &[]);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains("mismatched types") && err.contains("do not build"), "{out}{err}");
}

#[test]
fn a_package_without_kernels_and_one_that_is_not_there_are_errors() {
    let package = Package::new("no_kernels", "//! Nothing.\n", "#[test]\nfn fails() {\n    panic!(\"it runs\");\n}\n");
    let (code, out, err) = package.check("no_kernels", &[]);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains("contain no kernels") && !err.contains("it runs"), "{out}{err}");
    let (code, out, err) = package.check("another", &[]);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains("another"), "{out}{err}");
}
