//! `tilewise check --package`: builds the test programs of a package, asks each for the reports about its
//! kernels, and prints every error and warning.
//!
//! A test program with the library in it answers before its `main`
//! (`tilewise::testing::KERNEL_REPORTS`); one without is not started.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use tilewise::testing::{KERNEL_REPORTS, KERNELS};

use crate::console::{CommandError, Console};
use crate::shader::ShaderArgs;

/// What the test programs of a package report.
#[derive(Default)]
struct PackageReports {
    programs: usize,
    kernels: usize,
    /// The texts, each once: programs share the kernels of a library.
    errors: BTreeSet<String>,
    warnings: BTreeSet<String>,
    /// Codes of errors and of warnings.
    counts: [usize; 2],
}

/// An error if an option of shaders is given: a package has kernels in Rust.
pub(crate) fn has_no_shaders(shader: &ShaderArgs) -> Result<(), CommandError> {
    shader.first_given().map_or(Ok(()), |option| {
        let message = format!("`{option}` is of shaders, and `--package` checks kernels in Rust");
        Err(CommandError::new(message, "leave one of the two out"))
    })
}

/// Checks the kernels of a package; true if all are accepted.
pub(crate) fn check_package(
    package: &str,
    manifest: Option<&Path>,
    deny_warnings: bool,
    console: &mut Console,
) -> Result<bool, CommandError> {
    if !cfg!(all(target_os = "linux", target_pointer_width = "64")) {
        return Err(CommandError::new(
            "the kernels of a program are known without launching them only on 64-bit Linux",
            "launch each, or call `Kernel::prepare`",
        ));
    }
    let mut found = PackageReports::default();
    for program in test_programs(package, manifest)? {
        if has_kernels(&program) {
            found.add(&program)?;
        }
    }
    if found.kernels == 0 {
        return Err(CommandError::new(
            format!("the test programs of `{package}` contain no kernels"),
            "a test program contains the kernels of functions that a test can reach: write tests that launch them",
        ));
    }
    for text in found.errors.iter().chain(&found.warnings) {
        console.text(text);
        console.line("");
    }
    let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let [errors, warnings] = found.counts;
    let what = format!("{} in {}", counted(found.kernels, "kernel"), counted(found.programs, "test program"));
    let also = if warnings == 0 { String::new() } else { format!(", {}", counted(warnings, "warning")) };
    match errors {
        0 => console.line(format_args!("{what} checked, no errors{also}")),
        n => console.line(format_args!("{what} checked, {}{also}", counted(n, "error"))),
    }
    Ok(errors == 0 && !(deny_warnings && warnings > 0))
}

/// Builds the test programs of a package, and returns where they are.
fn test_programs(package: &str, manifest: Option<&Path>) -> Result<Vec<PathBuf>, CommandError> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--no-run", "--quiet", "--message-format=json-render-diagnostics", "--package", package]);
    if let Some(manifest) = manifest {
        cargo.arg("--manifest-path").arg(manifest);
    }
    // What cargo and rustc say goes to standard error.
    let built = cargo.stderr(Stdio::inherit()).output().map_err(|error| {
        CommandError::new(format!("cargo cannot be started: {error}"), "install it, or name it by the variable CARGO")
    })?;
    if !built.status.success() {
        let what = format!("the tests of `{package}` do not build");
        return Err(CommandError::new(what, format!("`cargo test --no-run --package {package}` shows why")));
    }
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&built.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let is_test = message["profile"]["test"].as_bool() == Some(true);
        if let (true, Some(program)) = (is_test, message["executable"].as_str()) {
            programs.push(PathBuf::from(program));
        }
    }
    Ok(programs)
}

/// Does the program answer? Else it would run its tests.
fn has_kernels(program: &Path) -> bool {
    let wanted = KERNEL_REPORTS.as_bytes();
    fs::read(program).is_ok_and(|bytes| bytes.windows(wanted.len()).any(|window| window == wanted))
}

impl PackageReports {
    /// Asks a program for its reports.
    fn add(&mut self, program: &Path) -> Result<(), CommandError> {
        let failed = |why: String| {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            CommandError {
                message: format!("the test program `{name}` does not report its kernels: {why}"),
                help: None,
                excerpt: None,
            }
        };
        let output = Command::new(program)
            .arg("--list")
            .env(KERNEL_REPORTS, "1")
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut parts = text.split('\0');
        let kernels = parts.next().and_then(|head| head.trim().strip_prefix(KERNELS)?.trim().parse::<usize>().ok());
        let Some(kernels) = kernels.filter(|_| output.status.success()) else {
            return Err(failed(output.status.to_string()));
        };
        if kernels > 0 {
            self.programs += 1;
            self.kernels += kernels;
        }
        for part in parts {
            let (head, text) = part.split_once('\n').unwrap_or((part, ""));
            let is_warning = head.starts_with("warning");
            let texts = if is_warning { &mut self.warnings } else { &mut self.errors };
            if texts.insert(text.trim_end().to_owned() + "\n") {
                self.counts[usize::from(is_warning)] += head.split(' ').count() - 1;
            }
        }
        Ok(())
    }
}
