//! Programs with one mistake each, and what rustc says of them: `mistakes/NAME.rs` and `NAME.stderr`. A file is named after its mistake.
//!
//! What is expected is written with `TRYBUILD=overwrite cargo test -p tilewise-mistakes`, and then *read*: it must be one error, at the word that is wrong, that says what to do.
//! The wording is that of the compiler in `rust-toolchain.toml`. All are built. `mistakes/evaluated` holds what is found when constants are evaluated: `cargo build` reports it, `cargo check` does not.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{env, fs, io};

/// What the macros' code is made of, which no message may speak of.
const INTERNALS: [&str; 7] = ["macro_support::", "Witness", "Operates", "Compares", "Linked", "Called", "KernelFn"];

/// What a text says of the mistake itself: the error and its labels, without what rustc adds from the library's sources and about traits.
fn said(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .take_while(|line| !["note:", "help:", "= ", ":::"].iter().any(|start| line.trim_start().starts_with(start)))
}

/// The first name of the macros' own in a line.
fn internal(line: &str) -> Option<&str> {
    let hidden = line.match_indices("__").find(|(at, _)| line[at + 2..].starts_with(|c: char| c.is_alphabetic()));
    hidden.map(|(_, name)| name).or_else(|| INTERNALS.into_iter().find(|name| line.contains(name)))
}

/// Set for the process that does the work of a test.
const PREPARED: &str = "TILEWISE_MISTAKES_PREPARED";

/// Set for that process where a script stands for cargo.
const ALL_ARE_BUILT: &str = "TILEWISE_MISTAKES_ARE_BUILT";

/// Runs the test once more as a process of its own, whose compiler and profile are the same on every
/// machine. rustc quotes lines of the standard library where the component `rust-src` is installed,
/// and only there, so that process gets a compiler that does not see those sources. The library is
/// built without debug information, which takes a third of the time. Returns whether this process is
/// the one that is to do the work.
fn is_prepared(test: &str) -> bool {
    if env::var_os(PREPARED).is_some() {
        return true;
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(&rustc).args(["--print", "sysroot"]).output().expect("rustc runs");
    let sysroot = PathBuf::from(String::from_utf8(asked.stdout).expect("the path is UTF-8").trim());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let this = env::current_exe().expect("a test is a program");
    let mut command = Command::new(this);
    command.args([test, "--exact", "--nocapture"]).env(PREPARED, "1").env("CARGO_PROFILE_DEV_DEBUG", "0");
    if sysroot.join("lib/rustlib/src").exists() {
        let compiler =
            compiler_without_sources(&sysroot, &folder).expect("the folder for temporary files can be written");
        command.env("RUSTC", compiler);
    }
    if let Ok(cargo) = cargo_that_builds(&folder) {
        command.env("CARGO", cargo).env(ALL_ARE_BUILT, "1");
    }
    let status = command.status();
    let _ = fs::remove_dir_all(&folder);
    assert!(status.expect("it runs again").success(), "the test failed, as told above");
    false
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Cargo, whose `check` builds. `trybuild` checks all programs at once, on all processors, where all have a mistake, but
/// what evaluates constants must be built. Its flags are for the programs alone, not for the library, which is that of
/// the test of packages outside of the workspace and so is built once.
fn cargo_that_builds(folder: &Path) -> io::Result<PathBuf> {
    let flags = "case \" $* \" in *' --crate-name '*) set -- \"$@\" --cfg trybuild --verbose -A dead_code;; esac";
    let wrapper = script(folder.join("wrapper"), &format!("#!/bin/sh\n{flags}\nexec \"$@\"\n"))?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let text = format!(
        r#"#!/bin/sh
export CARGO_TARGET_DIR={} RUSTC_WORKSPACE_WRAPPER={}
left_out=
for word do
    shift
    if [ -n "$left_out" ]; then
        left_out=
        continue
    fi
    case "$word" in
    check) word=build ;;
    --target) left_out=yes; continue ;;
    --config=*rustflags=*) continue ;;
    esac
    set -- "$@" "$word"
done
exec {} "$@"
"#,
        quoted(&target),
        quoted(&wrapper),
        quoted(Path::new(&cargo))
    );
    script(folder.join("cargo"), &text)
}

/// Writes a program.
#[cfg(unix)]
fn script(path: PathBuf, text: &str) -> io::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    fs::write(&path, text)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

/// Elsewhere there is no shell.
#[cfg(not(unix))]
fn script(path: PathBuf, _: &str) -> io::Result<PathBuf> {
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("{} would be a script", path.display())))
}

/// A program that is the compiler with a sysroot of links: all of `sysroot` but its sources.
#[cfg(unix)]
fn compiler_without_sources(sysroot: &Path, folder: &Path) -> io::Result<PathBuf> {
    use std::os::unix::fs::symlink;
    let shadow = folder.join("sysroot");
    fs::create_dir_all(shadow.join("lib/rustlib"))?;
    for (inside, left_out) in [("", "lib"), ("lib", "rustlib"), ("lib/rustlib", "src")] {
        for entry in fs::read_dir(sysroot.join(inside))? {
            let entry = entry?;
            let link = shadow.join(inside).join(entry.file_name());
            if entry.file_name() != left_out {
                symlink(entry.path(), link)?;
            }
        }
    }
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in *' --print sysroot '*) echo {0}; exit;; esac\nexec {1} --sysroot {0} \"$@\"\n",
        quoted(&shadow),
        quoted(&sysroot.join("bin/rustc"))
    );
    script(folder.join("rustc"), &text)
}

/// Elsewhere the compiler is what it is.
#[cfg(not(unix))]
fn compiler_without_sources(sysroot: &Path, _: &Path) -> io::Result<PathBuf> {
    let text = format!("remove the component `rust-src` from {}: messages quote it", sysroot.display());
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

#[test]
fn each_mistake_gets_its_message() {
    if !is_prepared("each_mistake_gets_its_message") {
        return;
    }
    let cases = trybuild::TestCases::new();
    // Those of `evaluated` must be built. With a program that passes in the set all are, one after the other.
    if env::var_os(ALL_ARE_BUILT).is_none() {
        cases.pass("tests/mistakes/evaluated/no_mistake.rs");
    }
    cases.compile_fail("tests/mistakes/*.rs");
    cases.compile_fail("tests/mistakes/evaluated/t*.rs");
    cases.compile_fail("tests/mistakes/evaluated/e*.rs");
}

/// Every expected text, by the name of its mistake.
fn expected() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut out = Vec::new();
    for folder in [folder.join("evaluated"), folder] {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("a folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                out.push((name, fs::read_to_string(&path).expect("the file can be read")));
            }
        }
    }
    out.sort();
    out
}

#[test]
fn each_mistake_is_one_error_in_the_words_of_the_user() {
    let mut breaches = Vec::new();
    let expected = expected();
    for (name, text) in &expected {
        let errors =
            text.lines().filter(|line| line.starts_with("error") && !line.starts_with("error: aborting")).count();
        // An import would be ambiguous between function and crate, so the call has two paths.
        let is_a_crates = name == "function_named_like_a_crate";
        // What is called by a name with a capital is looked up as a value and as a pattern.
        let is_a_struct = name == "unknown_tuple_struct" && text.contains("E0531");
        // A build goes on after the first error and evaluates the constant, which `cargo check` does not.
        let is_evaluated = name == "static_that_changes" && text.contains("E0080");
        if errors != 1 + usize::from(is_a_crates || is_a_struct || is_evaluated) {
            breaches.push(format!("{name}: {errors} errors for one mistake"));
        }
        if text.lines().any(|line| line.starts_with("warning")) {
            breaches.push(format!("{name}: a warning beside the error"));
        }
        for line in said(text) {
            breaches.extend(internal(line).map(|internal| format!("{name}: speaks of `{internal}`: {}", line.trim())));
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
    assert!(expected.len() >= 200, "{} mistakes are shown", expected.len());
}

#[test]
fn each_mistake_has_its_text() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut breaches = Vec::new();
    for folder in [folder.join("evaluated"), folder] {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("a folder can be read").path();
            let other = path.with_extension(match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => "stderr",
                Some("stderr") => "rs",
                _ => continue,
            });
            if !other.exists() && !path.ends_with("no_mistake.rs") {
                breaches.push(format!("{} stands alone", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}
