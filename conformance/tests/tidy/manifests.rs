//! Crates depend on each other as the architecture says, and on others as `docs/dependencies.md` says.

use std::collections::BTreeSet;
use std::process::Command;

use toml::Table;

use crate::{files, no_breach, read, root};

/// Which crates of the workspace a crate may depend on.
const ARROWS: [(&str, &[&str]); 20] = [
    ("ast", &[]),
    ("trace", &[]),
    ("ir", &[]),
    ("interp", &["ir"]),
    ("lower", &["ast", "ir", "interp"]),
    ("cpu-jit", &["ir", "interp", "trace"]),
    ("gpu", &["ir", "trace"]),
    ("import", &["ir"]),
    ("header", &["ir", "interp", "import"]),
    ("amber", &["ir", "header"]),
    ("macros", &["ast"]),
    (
        "tilewise",
        &["ast", "ir", "interp", "lower", "macros", "cpu-jit", "gpu", "import", "trace", "tilewise/mistakes/respan"],
    ),
    (
        "conformance",
        &["ast", "ir", "interp", "lower", "macros", "cpu-jit", "gpu", "import", "header", "amber", "trace", "tilewise"],
    ),
    ("playground", &["ir", "interp", "header"]),
    ("cli", &["tilewise", "conformance", "benches", "trace", "amber"]),
    ("benches/peers", &[]),
    ("benches", &["tilewise", "conformance", "benches/peers", "gpu", "ir", "trace"]),
    ("examples", &["tilewise"]),
    ("tilewise/mistakes", &["tilewise", "tilewise/mistakes/respan"]),
    ("tilewise/mistakes/respan", &[]),
];

fn manifest(path: &str) -> Table {
    read(path).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn table<'t>(table: &'t Table, key: &str) -> Option<&'t Table> {
    table.get(key).and_then(|value| value.as_table())
}

fn members() -> Vec<String> {
    let root = manifest("Cargo.toml");
    let members = table(&root, "workspace").and_then(|workspace| workspace.get("members")?.as_array());
    members.into_iter().flatten().filter_map(|member| member.as_str()).map(str::to_owned).collect()
}

/// Every dependency of a manifest: its name and what is said about it.
fn dependencies(manifest: &Table) -> Vec<(&String, &toml::Value)> {
    let mut tables = vec![manifest];
    tables.extend(table(manifest, "target").into_iter().flat_map(Table::values).filter_map(|value| value.as_table()));
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    tables.into_iter().flat_map(|t| kinds.into_iter().filter_map(move |kind| table(t, kind))).flatten().collect()
}

fn folder(package: &str) -> Option<&str> {
    match package {
        "tilewise" => Some(package),
        "tilewise-peers" => Some("benches/peers"),
        "tilewise-respan" => Some("tilewise/mistakes/respan"),
        _ => package.strip_prefix("tilewise-"),
    }
}

#[test]
fn crates_depend_on_each_other_as_the_architecture_says() {
    let members = members();
    let known: Vec<&str> = ARROWS.iter().map(|arrow| arrow.0).collect();
    let mut breaches: Vec<String> = members
        .iter()
        .filter(|member| !known.contains(&member.as_str()))
        .map(|member| format!("`{member}` is new: say in `ARROWS` of this test what it may depend on, and in docs/architecture.md what it is"))
        .collect();
    for (member, allowed) in ARROWS {
        let path = format!("{member}/Cargo.toml");
        for (name, _) in dependencies(&manifest(&path)) {
            if let Some(other) = folder(name).filter(|other| !allowed.contains(other)) {
                breaches.push(format!("{path}: `{member}` may not depend on `{other}`"));
            }
        }
    }
    no_breach("The arrows between crates are those of docs/architecture.md and no others:", &breaches);
}

#[test]
fn dependencies_are_pinned_in_one_place() {
    let root = manifest("Cargo.toml");
    let all = table(&root, "workspace").and_then(|workspace| table(workspace, "dependencies"));
    let mut breaches = Vec::new();
    for (name, value) in all.expect("the workspace has dependencies") {
        let version = value.as_str().or_else(|| value.get("version").and_then(|version| version.as_str()));
        let ours = value.get("path").is_some();
        if !ours && !version.is_some_and(|version| version.starts_with('=')) {
            breaches.push(format!("Cargo.toml: pin `{name}` to one version: \"=1.2.3\""));
        }
    }
    for member in members() {
        let path = format!("{member}/Cargo.toml");
        for (name, value) in dependencies(&manifest(&path)) {
            let from_workspace = value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
            if !from_workspace {
                breaches.push(format!("{path}: take `{name}` from the workspace: `{name}.workspace = true`, with its version in the root Cargo.toml"));
            }
        }
    }
    no_breach("Every dependency has one version, said in the root Cargo.toml:", &breaches);
}

#[test]
fn every_dependency_is_explained() {
    let root = manifest("Cargo.toml");
    let all = table(&root, "workspace").and_then(|workspace| table(workspace, "dependencies"));
    let pinned: BTreeSet<String> = all
        .expect("the workspace has dependencies")
        .iter()
        .filter(|(_, value)| value.get("path").is_none())
        .map(|(name, _)| name.clone())
        .collect();
    let page = read("docs/dependencies.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let explained: BTreeSet<String> = rows.map(|row| row.0.to_owned()).collect();
    let missing = pinned
        .difference(&explained)
        .map(|name| format!("`{name}`: say in docs/dependencies.md what it is for, and why this one"));
    let stale = explained
        .difference(&pinned)
        .map(|name| format!("`{name}`: remove it from docs/dependencies.md, the workspace does not have it"));
    no_breach(
        "docs/dependencies.md explains the dependencies of the workspace:",
        &missing.chain(stale).collect::<Vec<_>>(),
    );
}

/// The packages that a crate is built of, tests left out.
fn built_of(package: &str, gpu: bool) -> BTreeSet<String> {
    let features: &[&str] = if gpu { &["--features", "gpu"] } else { &["--no-default-features"] };
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--package", package])
        .args(features)
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("cargo: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn without_the_feature_gpu_nothing_of_it_is_built() {
    let mut breaches = Vec::new();
    for package in ["tilewise", "tilewise-conformance", "tilewise-cli"] {
        let (with, without) = (built_of(package, true), built_of(package, false));
        for needed in ["wgpu", "naga", "ash", "tilewise-gpu"] {
            assert!(with.contains(needed), "`{package}` with the feature is not built of `{needed}`");
        }
        let of_a_gpu =
            |name: &&String| ["wgpu", "naga", "ash", "tilewise-gpu"].iter().any(|stem| name.starts_with(stem));
        breaches.extend(without.iter().filter(of_a_gpu).map(|name| format!("{package}: {name}")));
    }
    no_breach("a program without the feature `gpu` contains nothing of it", &breaches);
}

/// The crates of others that a selection of packages is built of, each with its features.
fn crates_of_others(selection: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal,build,dev", "--prefix", "none"])
        .args(["--format", "{p}, features {f}"])
        .args(selection)
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("cargo: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.filter(|line| !line.is_empty() && !line.starts_with("tilewise")).map(str::to_owned).collect()
}

/// A crate with other features is built a second time: without this, for minutes.
#[test]
fn ci_builds_crates_of_others_once() {
    let script = read(".ci/run");
    let list = script.split_once("cpu_only=(").and_then(|(_, rest)| rest.split_once(')')).expect("the packages").0;
    let (all, without_gpus) =
        (crates_of_others(&["--workspace"]), crates_of_others(&list.split_whitespace().collect::<Vec<_>>()));
    assert!(without_gpus.len() > 80 && all.len() > without_gpus.len(), "{} of {}", without_gpus.len(), all.len());
    let built_again: Vec<String> = without_gpus.difference(&all).cloned().collect();
    no_breach(
        "the steps of .ci/run without GPUs select packages and features with which crates are built as for the workspace",
        &built_again,
    );
}

#[test]
fn each_crate_that_is_published_can_be_packaged() {
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/package");
    let mut package = Command::new(env!("CARGO"));
    package.args(["package", "--workspace", "--no-verify", "--allow-dirty", "--offline", "--locked"]);
    package.args(["--target-dir", target]);
    let mut published = 0;
    for member in members() {
        let manifest = manifest(&format!("{member}/Cargo.toml"));
        let package_table = table(&manifest, "package").expect("a package");
        let publish = package_table.get("publish").expect("each says whether it is published");
        let name = package_table.get("name").and_then(toml::Value::as_str).expect("a name");
        if publish.as_bool() == Some(false) {
            package.args(["--exclude", name]);
        } else {
            published += 1;
        }
    }
    assert!(published >= 15, "{published}");
    let output = package.current_dir(root()).output().unwrap_or_else(|error| panic!("cargo: {error}"));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    assert!(!err.contains("warning"), "{err}");
    assert_eq!(err.matches("Packaged ").count(), published, "{err}");
}

/// A packaged crate is built of its own folder: `cargo package` above does not build it, which takes minutes.
#[test]
fn sources_of_published_crates_are_in_their_folders() {
    let mut breaches = Vec::new();
    let mut looked = 0;
    for member in members() {
        let manifest = manifest(&format!("{member}/Cargo.toml"));
        if table(&manifest, "package").and_then(|package| package.get("publish")?.as_bool()) == Some(false) {
            continue;
        }
        // Modules of unit tests are not compiled there.
        let of_tests = |path: &str| path.split('/').any(|part| part == "tests" || part == "tests.rs");
        for path in files(&format!("{member}/src"), "rs").into_iter().filter(|path| !of_tests(path)) {
            looked += 1;
            for line in read(&path).lines() {
                let named = ["#[path = \"", "include!(\"", "include_str!(\"", "include_bytes!(\""]
                    .into_iter()
                    .find_map(|start| line.split_once(start)?.1.split_once('"'));
                // Pages are included for tests of their code only.
                let Some((named, _)) = named.filter(|_| !line.starts_with("#[doc")) else { continue };
                let mut at: Vec<&str> = path.split('/').collect();
                at.pop();
                for part in named.split('/') {
                    if part == ".." { _ = at.pop() } else { at.push(part) }
                }
                if !at.join("/").starts_with(&format!("{member}/")) {
                    breaches.push(format!("{path}: {}", line.trim()));
                }
            }
        }
    }
    assert!(looked > 500, "{looked}");
    no_breach("a published crate has the files that it is built of", &breaches);
}
